//! Refuses what is outside the subset before anything is read, so that nothing is passed over in silence.

use super::element::{Element, Text, shortened};
use super::limits::DEEPEST;
use super::subset::{AttributeRule, ELEMENTS, ElementRule, Meaning};
use crate::language::diagnostic::FileError;
use roxmltree::{Document, Node};

/// Checks every element, attribute and text of the document against the subset.
pub(super) fn check(document: &Document, text: &Text) -> Result<(), FileError> {
    let root = document.root_element();
    if root.tag_name().name() != "mujoco" || root.tag_name().namespace().is_some() {
        let error = FileError::new(text.source, root.range().start..root.range().start, "not an MJCF file");
        return Err(error
            .label(format!("found <{}>", shortened(root.tag_name().name())))
            .help("the outermost element of an MJCF file is <mujoco>"));
    }
    // A walk without recursion, so that no depth of nesting can exhaust the stack.
    let mut waiting = vec![(root, 1)];
    while let Some((node, depth)) = waiting.pop() {
        if depth > DEEPEST {
            return Err(error_at(node, text, format!("elements are nested more than {DEEPEST} deep")));
        }
        let rule = rule_of(node, text)?;
        if rule.is_decoration {
            continue;
        }
        check_attributes(node, rule, text)?;
        for child in node.children().rev() {
            if child.is_element() {
                waiting.push((child, depth + 1));
                continue;
            }
            let content = child.text().filter(|_| child.is_text()).unwrap_or_default();
            if !content.trim().is_empty() {
                let start = child.range().start + content.len() - content.trim_start().len();
                let error = FileError::new(text.source, start..start + 1, "text between elements");
                return Err(error.help("MJCF says everything in attributes"));
            }
        }
    }
    Ok(())
}

fn error_at(node: Node, text: &Text, message: String) -> FileError {
    let start = node.range().start;
    FileError::new(text.source, start..start + 1 + node.tag_name().name().len(), message)
}

/// The rule for an element where it stands.
fn rule_of(node: Node, text: &Text) -> Result<&'static ElementRule, FileError> {
    let tag = node.tag_name().name();
    let parent = node.parent_element().map_or("", |parent| parent.tag_name().name());
    let belongs = |rule: &&ElementRule| match parent {
        "" => rule.inside.is_empty(),
        _ => rule.inside.contains(&parent),
    };
    let named = ELEMENTS.iter().find(|rule| rule.name == tag && node.tag_name().namespace().is_none());
    match named {
        Some(rule) if belongs(&rule) => Ok(rule),
        Some(rule) => {
            let places: Vec<String> = rule.inside.iter().map(|place| format!("<{place}>")).collect();
            let error = error_at(node, text, format!("<{tag}> has no place in <{parent}>"));
            Err(match places.is_empty() {
                true => error.help("it is the outermost element"),
                false => error.help(format!("it stands in {}", places.join(" or "))),
            })
        }
        None => {
            let tag = shortened(tag);
            let known = ELEMENTS.iter().filter(belongs).map(|rule| rule.name);
            let error =
                error_at(node, text, format!("<{tag}> in <{parent}> is unknown or outside the subset"));
            Err(match tag.as_str() {
                "include" => error.help("one file holds the whole model: put the included file's text here"),
                _ => error.suggest(&tag, known),
            })
        }
    }
}

fn check_attributes(node: Node, rule: &ElementRule, text: &Text) -> Result<(), FileError> {
    for attribute in node.attributes() {
        let tag = rule.name;
        let found = rule.attribute(attribute.name()).filter(|_| attribute.namespace().is_none());
        let Some(found) = found else {
            let name = shortened(attribute.name());
            let message = format!("<{tag}> attribute `{name}` is unknown or outside the subset");
            let error = FileError::new(text.source, attribute.range(), message);
            return Err(error.suggest(&name, rule.attribute_names()));
        };
        if let Meaning::Only(values) = found.meaning
            && !values.iter().any(|value| same(attribute.value(), value))
        {
            return Err(only_error(node, found, values, text));
        }
    }
    Ok(())
}

/// Whether two attribute values say the same, word for word or number for number.
fn same(found: &str, allowed: &str) -> bool {
    let equal = |(a, b): (&str, &str)| match (a.parse::<f64>(), b.parse::<f64>()) {
        (Ok(a), Ok(b)) => a == b,
        _ => a == b,
    };
    found.split_whitespace().count() == allowed.split_whitespace().count()
        && found.split_whitespace().zip(allowed.split_whitespace()).all(equal)
}

fn only_error(node: Node, rule: &AttributeRule, values: &[&str], text: &Text) -> FileError {
    let element = Element::new(node, text);
    let message = format!("only {} is supported", values.join(" or "));
    let error = match element.own(rule.name) {
        Some(attribute) => attribute.error(message),
        None => element.error(message),
    };
    if rule.note.is_empty() { error } else { error.help(rule.note) }
}
