//! Message definitions: a ROS 2 message definition with units and descriptions, as text in every file.
//!
//! It also defines how to read a file that was written when records had fewer fields.

use crate::field::{Count, Description, Field, FieldKind, Item};
use std::fmt::Write;
use std::rc::Rc;

/// Package of our message types.
const PACKAGE: &str = "aplomb";

/// Name of the record's schema.
pub(super) fn name(record: &Description) -> String {
    format!("{PACKAGE}/msg/{}", record.name)
}

/// The definition of a record and of the records inside it.
pub(super) fn define(record: &'static Description) -> String {
    let mut text = String::new();
    for (index, record) in family(record).into_iter().enumerate() {
        // Writing to a string cannot fail.
        if index > 0 {
            let _ = write!(text, "{}\nMSG: {PACKAGE}/{}\n", "=".repeat(80), record.name);
        }
        record.doc.iter().for_each(|line| text.extend(["#", line, "\n"]));
        for field in record.fields {
            field.doc.iter().for_each(|line| text.extend(["#", line, "\n"]));
            let unit = field.unit.map_or(String::new(), |unit| format!(" # [{unit}]"));
            let _ = writeln!(text, "{} {}{unit}", type_of(&field.kind), field.name);
        }
    }
    text
}

/// Units of a record's numbers by path: `com` → `m`, `contacts.force` → `N`.
pub(super) fn units(record: &'static Description) -> Vec<(String, String)> {
    let of_field = |field: &Field| match (field.unit, field.kind.item) {
        (Some(unit), _) => vec![(field.name.to_string(), unit.to_string())],
        (None, Item::Record(inner)) => {
            let inner = units(inner).into_iter();
            inner.map(|(path, unit)| (format!("{}.{path}", field.name), unit)).collect()
        }
        (None, _) => Vec::new(),
    };
    record.fields.iter().flat_map(of_field).collect()
}

/// The record and those inside it, each once.
fn family(record: &'static Description) -> Vec<&'static Description> {
    let mut family = vec![record];
    let mut next = 0;
    while let Some(record) = family.get(next) {
        for field in record.fields {
            if let Item::Record(inner) = field.kind.item
                && !family.iter().any(|known| known.name == inner.name)
            {
                family.push(inner);
            }
        }
        next += 1;
    }
    family
}

fn type_of(kind: &FieldKind) -> String {
    let item = match kind.item {
        Item::Float => "float64".into(),
        Item::Long => "uint64".into(),
        Item::Whole => "uint32".into(),
        Item::Flag => "bool".into(),
        Item::Text => "string".into(),
        Item::Record(record) => format!("{PACKAGE}/{}", record.name),
    };
    match kind.count {
        Count::One => item,
        Count::Exactly(count) => format!("{item}[{count}]"),
        Count::Any => format!("{item}[]"),
    }
}

/// Indices of our fields in each record of a file, in the file's order.
#[derive(Debug)]
pub(super) struct FieldIndices(Vec<(&'static str, Rc<[usize]>)>);

impl FieldIndices {
    /// Layout of a record according to its definition in a file, or the part of the definition that this program does
    /// not know.
    pub(super) fn parse(record: &'static Description, text: &str) -> Result<Self, String> {
        let family = family(record);
        let mut found: Vec<(&'static str, Rc<[usize]>)> = Vec::new();
        let mut current = record;
        let mut fields = Vec::new();
        for line in text.lines() {
            let line = line.split('#').next().unwrap_or_default().trim();
            if line.is_empty() || line.starts_with("==") {
                continue;
            }
            if let Some(name) = line.strip_prefix("MSG: ") {
                found.push((current.name, std::mem::take(&mut fields).into()));
                let name = name.strip_prefix(PACKAGE).and_then(|name| name.strip_prefix('/'));
                let known = family.iter().find(|known| Some(known.name) == name);
                current = known.ok_or_else(|| format!("the unknown record `{line}`"))?;
                continue;
            }
            let known = |field: &Field| line.split_once(' ') == Some((&type_of(&field.kind), field.name));
            let field = current.fields.iter().position(known);
            fields.push(field.ok_or_else(|| format!("the unknown field `{line}` in {}", current.name))?);
        }
        found.push((current.name, fields.into()));
        // Every item of a list takes at least a byte.
        if found.iter().any(|(_, fields)| fields.is_empty()) {
            return Err("a record without fields".into());
        }
        Ok(FieldIndices(found))
    }

    /// Indices of the record's fields in our list, in the file's order.
    pub(super) fn fields(&self, record: &Description) -> Option<Rc<[usize]>> {
        self.0.iter().find(|(name, _)| *name == record.name).map(|(_, fields)| fields.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Frame;
    use crate::field::Record;

    #[test]
    fn a_definition_says_type_name_unit_and_sentence() {
        let text = define(Frame::DESCRIPTION);
        assert!(text.contains("# Centre of mass.\nfloat64[3] com # [m]\n"), "{text}");
        assert!(text.contains("aplomb/Contact[] contacts\n"), "{text}");
        assert!(text.contains("MSG: aplomb/Contact\n# A point in contact, or a grip.\n"), "{text}");
        let units = units(Frame::DESCRIPTION);
        assert!(units.contains(&("contacts.force".into(), "N".into())), "{units:?}");
    }

    #[test]
    fn fields_of_another_program_are_refused_by_name() {
        let text = define(Frame::DESCRIPTION);
        let parse = |text: &str| FieldIndices::parse(Frame::DESCRIPTION, text);
        assert!(parse(&text).is_ok());
        let later = text.replace("uint32 turned", "uint32 twisted");
        assert_eq!(parse(&later).unwrap_err(), "the unknown field `uint32 twisted` in Frame");
        let other = text.replace("float64 time", "uint64 time");
        assert_eq!(parse(&other).unwrap_err(), "the unknown field `uint64 time` in Frame");
    }
}
