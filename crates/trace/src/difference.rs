//! Comparison of two frames, exact to the bit, and a hash of a frame's state.

use super::field::{Count, FieldKind, Item, Record, Sink};
use super::{Frame, Header};
use serde::Serialize;

/// The first number, string or flag in which two frames differ.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// Field of the frame: `q`, `contacts`, …
    pub field: &'static str,
    /// The difference, by its field and the names of joints, contacts and parts: `q.left_knee`,
    /// `contacts.left_foot.sole.2.force.z`.
    pub name: String,
    /// Unit of a number; empty for strings, flags and counts.
    pub unit: String,
    /// The value in the first and in the second frame.
    pub values: [String; 2],
    /// Distance of two numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distance: Option<f64>,
}

/// A value of a record.
#[derive(Clone, Debug, PartialEq)]
enum RecordToken {
    /// A number as its bits, so that different NaNs, and the two zeros, are different.
    Float(u64),
    Missing,
    Whole(u64),
    Flag(bool),
    Text(String),
    Count(usize),
}

impl RecordToken {
    /// The value as text: numbers with all their digits.
    fn shown(&self) -> String {
        match self {
            RecordToken::Float(bits) => format!("{:?}", f64::from_bits(*bits)),
            RecordToken::Missing => "none".into(),
            RecordToken::Whole(value) => value.to_string(),
            RecordToken::Flag(value) => value.to_string(),
            RecordToken::Text(text) => format!("`{text}`"),
            RecordToken::Count(count) => count.to_string(),
        }
    }

    fn distance(&self, other: &RecordToken) -> Option<f64> {
        match (self, other) {
            (RecordToken::Float(a), RecordToken::Float(b)) => {
                Some((f64::from_bits(*a) - f64::from_bits(*b)).abs())
            }
            (RecordToken::Whole(a), RecordToken::Whole(b)) => Some(a.abs_diff(*b) as f64),
            _ => None,
        }
    }
}

/// All values of a record, in order.
#[derive(Default)]
struct Tokens(Vec<RecordToken>);

impl Sink for Tokens {
    fn floats(&mut self, values: &[f64]) {
        self.0.extend(values.iter().map(|value| RecordToken::Float(value.to_bits())));
    }

    fn no_float(&mut self) {
        self.0.push(RecordToken::Missing);
    }

    fn long(&mut self, value: u64) {
        self.0.push(RecordToken::Whole(value));
    }

    fn whole(&mut self, value: u32) {
        self.0.push(RecordToken::Whole(value.into()));
    }

    fn flag(&mut self, value: bool) {
        self.0.push(RecordToken::Flag(value));
    }

    fn text(&mut self, value: &str) {
        self.0.push(RecordToken::Text(value.to_owned()));
    }

    fn count(&mut self, count: usize) {
        self.0.push(RecordToken::Count(count));
    }
}

/// Two frames that are read in parallel, value by value.
struct FramePair<'a> {
    values: [std::slice::Iter<'a, RecordToken>; 2],
}

impl FramePair<'_> {
    /// Next value of both frames; if they differ, an error with this name and unit.
    fn next(&mut self, name: &str, unit: &str) -> Result<Option<RecordToken>, Box<Difference>> {
        let [one, other] = [self.values[0].next(), self.values[1].next()];
        if one == other {
            return Ok(one.cloned());
        }
        let shown = |token: Option<&RecordToken>| token.map_or_else(|| "none".into(), RecordToken::shown);
        let is_number = |token: Option<&RecordToken>| {
            matches!(token, Some(RecordToken::Float(_) | RecordToken::Whole(_)))
        };
        let has_unit = is_number(one) || is_number(other);
        Err(Box::new(Difference {
            field: "",
            name: name.to_owned(),
            unit: if has_unit && unit != "1" { unit.to_owned() } else { String::new() },
            values: [shown(one), shown(other)],
            distance: one.zip(other).and_then(|(one, other)| one.distance(other)),
        }))
    }

    /// Reads a value of this kind from both frames.
    fn walk(
        &mut self,
        kind: FieldKind,
        name: &str,
        unit: &str,
        item: &dyn Fn(usize) -> (String, Option<String>),
    ) -> Result<(), Box<Difference>> {
        let count = match kind.count {
            Count::One => None,
            Count::Exactly(count) => Some(count),
            Count::Any => match self.next(&format!("number of {name}"), "")? {
                Some(RecordToken::Count(count)) => Some(count),
                _ => Some(0),
            },
        };
        let axes: &[&str] = if count == Some(4) { &["w", "x", "y", "z"] } else { &["x", "y", "z"] };
        let is_vector = matches!(kind.count, Count::Exactly(_));
        for index in 0..count.unwrap_or(1) {
            let (label, own_unit) = match (count, axes.get(index)) {
                (None, _) => (String::new(), None),
                (Some(_), Some(axis)) if is_vector => (axis.to_string(), None),
                (Some(_), _) => item(index),
            };
            let name = if label.is_empty() { name.to_owned() } else { format!("{name}.{label}") };
            let unit = own_unit.as_deref().unwrap_or(unit);
            let Item::Record(record) = kind.item else {
                self.next(&name, unit)?;
                continue;
            };
            let mut name = name;
            for field in record.fields {
                let is_name = field.name == "name";
                let own = if is_name { name.clone() } else { format!("{name}.{}", field.name) };
                let unit = field.unit.unwrap_or(unit);
                if is_name && let Some(RecordToken::Text(text)) = self.next(&own, "")? {
                    name = match name.rsplit_once('.') {
                        Some((list, number)) if number.parse::<usize>().is_ok() => format!("{list}.{text}"),
                        _ => format!("{name}.{text}"),
                    };
                    continue;
                }
                self.walk(field.kind, &own, unit, &|index| (index.to_string(), None))?;
            }
        }
        Ok(())
    }
}

/// Name and unit of an item of a list in a frame, according to the lists of the header.
fn item(header: &Header, field: &str, index: usize) -> (String, Option<String>) {
    let of = |names: &[String], units: Option<&[String]>| {
        let unit = units.and_then(|units| units.get(index)).cloned();
        (names.get(index).cloned(), unit)
    };
    let (name, unit) = match field {
        "q" => of(&header.configuration_names, Some(&header.configuration_units)),
        "v" => of(&header.coordinate_names, Some(&header.coordinate_units)),
        "torque" | "stop_reaction" | "coupling_reaction" | "dry_friction" | "coupling_error" => {
            of(&header.coordinate_names, None)
        }
        "costs" | "weights" => of(&header.objectives, None),
        "distances" => {
            let followed = header.followed.get(index);
            (followed.map(|one| one.objective.clone()), followed.map(|one| one.unit.clone()))
        }
        "targets" | "actuals" => {
            let measured = header.measured.get(index);
            (measured.map(super::Measured::name), measured.map(|one| one.unit.clone()))
        }
        "bound" => (header.bound.get(index).cloned(), None),
        "commands" => {
            let command = header.commands.get(index);
            (command.map(|one| one.name.clone()), command.map(|one| one.unit.clone()))
        }
        "moving" => {
            (header.obstacles.iter().filter(|one| one.moves).nth(index).map(|one| one.name.clone()), None)
        }
        "moving_holds" => {
            (header.holds.iter().filter(|one| one.moves).nth(index).map(|one| one.name.clone()), None)
        }
        "passive" => (header.passive.get(index).map(|one| one.name.clone()), None),
        _ => (None, None),
    };
    (name.unwrap_or_else(|| index.to_string()), unit)
}

fn tokens(frame: &Frame, field: usize) -> Vec<RecordToken> {
    let mut tokens = Tokens::default();
    frame.give_field(field, &mut tokens);
    tokens.0
}

/// The first value in which two frames of this header differ in any bit, in the order of a frame's fields; `None` if
/// the frames are equal.
pub fn first_difference(header: &Header, one: &Frame, other: &Frame) -> Option<Difference> {
    for (index, field) in Frame::DESCRIPTION.fields.iter().enumerate() {
        let all = [tokens(one, index), tokens(other, index)];
        if all[0] == all[1] {
            continue;
        }
        let mut pair = FramePair { values: [all[0].iter(), all[1].iter()] };
        let walked =
            pair.walk(field.kind, field.name, field.unit.unwrap_or(""), &|at| item(header, field.name, at));
        return walked.err().map(|found| Difference { field: field.name, ..*found });
    }
    None
}

/// Name of the first field in which two frames differ in any bit.
pub fn difference(one: &Frame, other: &Frame) -> Option<&'static str> {
    let fields = Frame::DESCRIPTION.fields.iter().enumerate();
    let mut different = fields.filter(|(index, _)| tokens(one, *index) != tokens(other, *index));
    different.next().map(|(_, field)| field.name)
}

/// Fields of a frame that its state hash covers.
const STATE: [&str; 4] = ["time", "q", "v", "passive"];

/// 64-bit FNV-1a.
struct Fnv(u64);

impl Fnv {
    fn bytes(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

impl Sink for Fnv {
    fn floats(&mut self, values: &[f64]) {
        values.iter().for_each(|value| self.bytes(&value.to_bits().to_le_bytes()));
    }

    fn no_float(&mut self) {
        self.floats(&[f64::NAN]);
    }

    fn long(&mut self, value: u64) {
        self.bytes(&value.to_le_bytes());
    }

    fn whole(&mut self, value: u32) {
        self.bytes(&value.to_le_bytes());
    }

    fn flag(&mut self, value: bool) {
        self.bytes(&[value.into()]);
    }

    fn text(&mut self, value: &str) {
        self.count(value.len());
        self.bytes(value.as_bytes());
    }

    fn count(&mut self, count: usize) {
        self.bytes(&(count as u64).to_le_bytes());
    }
}

/// Hash of a frame's state: 64-bit FNV-1a over time, configuration, velocity and the records of passive objects, in
/// this order. Numbers are their eight bytes, little-endian; lists and strings are preceded by their length as eight
/// bytes.
pub fn state_hash(frame: &Frame) -> u64 {
    let mut hash = Fnv(0xcbf2_9ce4_8422_2325);
    for (index, field) in Frame::DESCRIPTION.fields.iter().enumerate() {
        if STATE.contains(&field.name) {
            frame.give_field(index, &mut hash);
        }
    }
    hash.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example;

    fn next_bit(value: &mut f64) {
        *value = f64::from_bits(value.to_bits() ^ 1);
    }

    #[test]
    fn frames_differ_by_one_bit_of_one_field() {
        let frame = example::trace(4).frames.swap_remove(1);
        assert_eq!(difference(&frame, &frame), None);
        let mut other = frame.clone();
        next_bit(other.v.last_mut().expect("it moves"));
        assert_eq!(difference(&frame, &other), Some("v"));
        other.time += 1.0;
        assert_eq!(difference(&frame, &other), Some("time"));
    }

    #[test]
    fn the_first_difference_has_the_name_of_its_joint_or_contact_and_both_values() {
        let trace = example::trace(4);
        let (header, frame) = (&trace.header, &trace.frames[1]);
        assert_eq!(first_difference(header, frame, frame), None);
        let mut other = frame.clone();
        next_bit(&mut other.v[2]);
        let found = first_difference(header, frame, &other).expect("they differ");
        assert_eq!(found.name, format!("v.{}", header.coordinate_names[2]));
        assert_eq!(found.unit, header.coordinate_units[2]);
        assert_eq!(found.values[0], format!("{:?}", frame.v[2]));
        assert_ne!(found.values[0], found.values[1]);
        assert!(found.distance.is_some_and(|distance| distance > 0.0));

        let mut other = frame.clone();
        next_bit(&mut other.contacts[0].force[2]);
        let found = first_difference(header, frame, &other).expect("they differ");
        assert_eq!(found.name, format!("contacts.{}.force.z", frame.contacts[0].name));
        assert_eq!((found.field, found.unit.as_str()), ("contacts", "N"));

        let mut other = frame.clone();
        other.contacts.pop();
        let found = first_difference(header, frame, &other).expect("they differ");
        assert_eq!(found.name, "number of contacts");

        let mut other = frame.clone();
        other.state = "elsewhere".into();
        let found = first_difference(header, frame, &other).expect("they differ");
        assert_eq!((found.name.as_str(), found.values[1].as_str()), ("state", "`elsewhere`"));
    }

    #[test]
    fn the_state_hash_changes_with_the_state_alone() {
        let frame = example::trace(4).frames.swap_remove(1);
        let mut other = frame.clone();
        other.torque.iter_mut().for_each(|torque| *torque += 1.0);
        assert_eq!(state_hash(&frame), state_hash(&other));
        next_bit(&mut other.q[0]);
        assert_ne!(state_hash(&frame), state_hash(&other));
    }

    #[test]
    fn the_hash_is_fnv_1a() {
        let mut hash = Fnv(0xcbf2_9ce4_8422_2325);
        hash.bytes(b"foobar");
        assert_eq!(hash.0, 0x8594_4171_f739_67e8);
    }
}
