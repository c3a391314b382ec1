//! Elements and attributes with their places in the file, and typed access to attribute values.

use crate::model::xml::XmlNode;
use aplomb_language::diagnostic::{FileError, Source};
use nalgebra::Vector3;
use std::ops::Range;

/// An element with the defaults of its class.
#[derive(Clone, Copy)]
pub(super) struct Element<'a> {
    pub node: XmlNode<'a>,
    /// `<default>` elements that supply missing attributes, nearest class first.
    defaults: &'a [XmlNode<'a>],
}

impl<'a> Element<'a> {
    pub(super) fn new(node: XmlNode<'a>) -> Self {
        Element { node, defaults: &[] }
    }

    pub(super) fn with_defaults(self, defaults: &'a [XmlNode<'a>]) -> Self {
        Element { defaults, ..self }
    }

    pub(super) fn tag(&self) -> &'a str {
        self.node.tag()
    }

    pub(super) fn line(&self) -> usize {
        self.node.line()
    }

    /// The child elements, without defaults.
    pub(super) fn children(self) -> impl DoubleEndedIterator<Item = Element<'a>> {
        self.node.children().map(Element::new)
    }

    /// Span of its tag.
    pub(super) fn tag_span(&self) -> Range<usize> {
        self.node.start()..self.node.start() + 1 + self.tag().len()
    }

    /// The file it is in.
    pub(super) fn source(&self) -> &'a Source {
        self.node.source()
    }

    /// An error of the whole element, which underlines its tag.
    pub(super) fn error(&self, message: impl Into<String>) -> FileError {
        FileError::new(self.node.source(), self.tag_span(), message)
    }

    /// The element itself and its defaults, nearest first.
    fn levels(&self) -> impl DoubleEndedIterator<Item = XmlNode<'a>> {
        let tag = self.tag();
        let inherited = self.defaults.iter().flat_map(move |class| {
            class.children().filter(move |child| stands_for(child.tag(), tag)).rev().collect::<Vec<_>>()
        });
        std::iter::once(self.node).chain(inherited.collect::<Vec<_>>())
    }

    /// The attribute on the element itself.
    pub(super) fn own(&self, name: &str) -> Option<Attribute<'a>> {
        Attribute::of(self.node, name)
    }

    /// The attribute on the element, otherwise from its class.
    pub(super) fn attribute(&self, name: &str) -> Option<Attribute<'a>> {
        self.levels().find_map(|node| Attribute::of(node, name))
    }

    /// The attribute, or the error that it is missing.
    pub(super) fn required(&self, name: &str) -> Result<Attribute<'a>, FileError> {
        self.attribute(name)
            .ok_or_else(|| self.error(format!("<{}> needs the attribute `{name}`", self.tag())))
    }

    /// Of mutually exclusive attributes, the one at the nearest level.
    pub(super) fn one_of(&self, names: &[&str]) -> Result<Option<Attribute<'a>>, FileError> {
        for node in self.levels() {
            let mut given = names.iter().filter_map(|name| Attribute::of(node, name));
            if let Some(first) = given.next() {
                return match given.next() {
                    None => Ok(Some(first)),
                    Some(second) => Err(second
                        .error(format!("excludes `{}`, which is given too", first.name))
                        .help(format!("give one of: {}", names.join(", ")))),
                };
            }
        }
        Ok(None)
    }

    /// Numbers of an attribute of which a nearer level may override only the first few.
    pub(super) fn overlaid(&self, name: &str, largest: usize) -> Result<Vec<f64>, FileError> {
        let mut numbers: Vec<f64> = Vec::new();
        for node in self.levels().rev() {
            if let Some(attribute) = Attribute::of(node, name) {
                let given = attribute.numbers(1..=largest)?;
                let kept = numbers.len().min(given.len());
                numbers.splice(..kept, given);
            }
        }
        Ok(numbers)
    }

    pub(super) fn number(&self, name: &str, otherwise: f64) -> Result<f64, FileError> {
        self.attribute(name).map_or(Ok(otherwise), |attribute| attribute.number())
    }

    /// A number that must not be negative.
    pub(super) fn magnitude(&self, name: &str, otherwise: f64) -> Result<f64, FileError> {
        match self.attribute(name) {
            None => Ok(otherwise),
            Some(attribute) => match attribute.number()? {
                number if number < 0.0 => Err(attribute.error("must not be negative")),
                number => Ok(number),
            },
        }
    }

    pub(super) fn vector(&self, name: &str, otherwise: Vector3<f64>) -> Result<Vector3<f64>, FileError> {
        self.attribute(name).map_or(Ok(otherwise), |attribute| attribute.vector())
    }

    /// The attribute's keyword, by default the first of `keywords`.
    pub(super) fn keyword(&self, name: &str, keywords: &[&'static str]) -> Result<&'static str, FileError> {
        self.attribute(name).map_or(Ok(keywords[0]), |attribute| attribute.keyword(keywords))
    }

    /// The element's name; an empty name counts as none.
    pub(super) fn name(&self) -> Option<Attribute<'a>> {
        self.own("name").filter(|attribute| !attribute.value.is_empty())
    }
}

/// One attribute, its value without surrounding blanks.
#[derive(Clone)]
pub(super) struct Attribute<'a> {
    pub name: &'a str,
    pub value: &'a str,
    tag: &'a str,
    span: Range<usize>,
    source: &'a Source,
}

impl<'a> Attribute<'a> {
    fn of(node: XmlNode<'a>, name: &str) -> Option<Self> {
        node.attribute(name).map(|attribute| Attribute {
            name: &attribute.name,
            value: attribute.value.trim(),
            tag: node.tag(),
            span: attribute.span.clone(),
            source: node.source(),
        })
    }

    /// Span of the attribute.
    pub(super) fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// An error of this attribute: `<tag> attribute: what is wrong`.
    pub(super) fn error(&self, what: impl std::fmt::Display) -> FileError {
        let message = format!("<{}> attribute `{}`: {what}", self.tag, self.name);
        FileError::new(self.source, self.span.clone(), message)
    }

    /// The attribute's finite numbers, as many as `count` allows.
    pub(super) fn numbers(&self, count: std::ops::RangeInclusive<usize>) -> Result<Vec<f64>, FileError> {
        let found = self.value.split_whitespace().count();
        if !count.contains(&found) {
            let (least, most) = (*count.start(), *count.end());
            let wanted = match (least, most) {
                (1, 1) => "1 number".to_string(),
                _ if least == most => format!("{least} numbers"),
                _ => format!("{least} to {most} numbers"),
            };
            return Err(self.error(format!("expected {wanted}, found {found}")));
        }
        self.value.split_whitespace().map(|word| self.finite(word)).collect()
    }

    fn finite(&self, word: &str) -> Result<f64, FileError> {
        match word.parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(number),
            Ok(_) => Err(self.error(format!("`{}` is not a finite number", shortened(word)))),
            Err(_) => Err(self.error(format!("`{}` is not a number", shortened(word)))),
        }
    }

    pub(super) fn array<const N: usize>(&self) -> Result<[f64; N], FileError> {
        let mut array = [0.0; N];
        array.copy_from_slice(&self.numbers(N..=N)?);
        Ok(array)
    }

    pub(super) fn number(&self) -> Result<f64, FileError> {
        self.array::<1>().map(|[number]| number)
    }

    pub(super) fn positive(&self) -> Result<f64, FileError> {
        match self.number()? {
            number if number > 0.0 => Ok(number),
            _ => Err(self.error("must be greater than zero")),
        }
    }

    pub(super) fn vector(&self) -> Result<Vector3<f64>, FileError> {
        self.array::<3>().map(Vector3::from)
    }

    /// A direction: three numbers, not all zero, normalised.
    pub(super) fn direction(&self) -> Result<Vector3<f64>, FileError> {
        self.unit(self.vector()?)
    }

    /// `vector` normalised; a vector of unit length up to round-off is left as it is, so that written files
    /// read back unchanged.
    pub(super) fn unit(&self, vector: Vector3<f64>) -> Result<Vector3<f64>, FileError> {
        let norm = vector.norm();
        if !norm.is_finite() || norm < SHORTEST {
            return Err(self.error("has no direction: its length is zero"));
        }
        Ok(if (norm - 1.0).abs() <= UNIT_TOLERANCE { vector } else { vector / norm })
    }

    pub(super) fn keyword(&self, keywords: &[&'static str]) -> Result<&'static str, FileError> {
        keywords.iter().find(|keyword| **keyword == self.value).copied().ok_or_else(|| {
            let wrong = shortened(self.value);
            self.error(format!("unknown value `{wrong}`")).suggest(&wrong, keywords.iter().copied())
        })
    }
}

/// Vectors and quaternions shorter than this cannot be normalised.
pub(super) const SHORTEST: f64 = 1e-10;
/// Lengths within this of 1 count as 1.
pub(super) const UNIT_TOLERANCE: f64 = 4e-15;

/// A value as messages quote it: malicious files can contain words of megabytes.
pub(super) fn shortened(word: &str) -> String {
    const LONGEST: usize = 40;
    match word.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &word[..end]),
        None => word.to_string(),
    }
}

/// Elements that share one set of defaults: MuJoCo keeps one set per class for all kinds of actuators.
pub(super) const ACTUATORS: [&str; 7] =
    ["general", "motor", "position", "velocity", "intvelocity", "damper", "cylinder"];

/// Whether a default element applies to elements with this tag.
fn stands_for(default: &str, tag: &str) -> bool {
    default == tag || (ACTUATORS.contains(&default) && ACTUATORS.contains(&tag))
}
