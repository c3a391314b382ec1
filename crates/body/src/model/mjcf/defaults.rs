//! Default classes: attributes that elements inherit from their class.

use super::element::{Element, shortened};
use crate::model::xml::XmlNode;
use aplomb_language::diagnostic::FileError;
use std::collections::BTreeMap;

/// For each class the `<default>` elements that apply to it, nearest first.
pub(super) struct Defaults<'a> {
    classes: BTreeMap<&'a str, Vec<XmlNode<'a>>>,
}

/// The class of elements that name no other.
pub(super) const MAIN: &str = "main";

impl<'a> Defaults<'a> {
    /// `sections` are the file's outermost `<default>` elements.
    pub(super) fn read(sections: impl Iterator<Item = Element<'a>>) -> Result<Self, FileError> {
        let mut classes: BTreeMap<&str, Vec<XmlNode>> = BTreeMap::from([(MAIN, Vec::new())]);
        let mut waiting = Vec::new();
        for section in sections {
            let mut main = vec![section.node];
            main.extend(&classes[MAIN]);
            if let Some(class) = section.own("class").filter(|class| class.value != MAIN) {
                return Err(class.error(format!("the outermost class is called `{MAIN}`")));
            }
            classes.insert(MAIN, main.clone());
            waiting.push((section, main));
        }
        while let Some((section, inherited)) = waiting.pop() {
            for child in section.children() {
                if child.tag() != "default" {
                    if let Some(attribute) = child.own("name").or_else(|| child.own("class")) {
                        return Err(attribute.error("has no place in a default"));
                    }
                    continue;
                }
                let class = child.required("class")?;
                let mut chain = vec![child.node];
                chain.extend(&inherited);
                if classes.insert(class.value, chain.clone()).is_some() {
                    return Err(class.error(format!("class `{}` is defined twice", shortened(class.value))));
                }
                waiting.push((child, chain));
            }
        }
        Ok(Defaults { classes })
    }

    /// The class in an attribute (`class` or `childclass`) of the element.
    pub(super) fn class_named(
        &self,
        element: &Element<'a>,
        attribute: &str,
    ) -> Result<Option<&'a str>, FileError> {
        let Some(attribute) = element.own(attribute) else { return Ok(None) };
        match self.classes.get_key_value(attribute.value) {
            Some((class, _)) => Ok(Some(class)),
            None => {
                let wrong = shortened(attribute.value);
                let error = attribute.error(format!("unknown default class `{wrong}`"));
                Err(error.suggest(&wrong, self.classes.keys().copied()))
            }
        }
    }

    /// The element with the defaults of the class that it names, otherwise of `childclass`.
    pub(super) fn apply(&'a self, element: Element<'a>, childclass: &str) -> Result<Element<'a>, FileError> {
        let class = self.class_named(&element, "class")?.unwrap_or(childclass);
        Ok(match self.classes.get(class) {
            Some(chain) => element.with_defaults(chain),
            None => element,
        })
    }

    /// A top-level element, without childclass.
    pub(super) fn apply_main(&'a self, element: Element<'a>) -> Result<Element<'a>, FileError> {
        self.apply(element, MAIN)
    }
}
