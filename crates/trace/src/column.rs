//! A channel, and how its values are read from frames.

use super::Frame;

/// A column of a trace.
#[derive(Clone, Debug, PartialEq)]
pub struct Channel {
    /// `com.x`, `torque.left_knee`, `contact_force.left_foot.z`, …
    pub name: String,
    /// SI; `1` for pure numbers.
    pub unit: String,
    /// One sentence.
    pub doc: String,
}

impl Channel {
    /// Whether it is of a character. The others are of passive objects, or of the run.
    pub fn is_of_character(&self) -> bool {
        !self.name.starts_with(PASSIVE) && self.name != "time"
    }
}

/// What the names of channels of passive objects begin with.
const PASSIVE: &str = "passive.";

/// Value of a channel in a frame, given also the frame before it.
pub(super) type Value = Box<dyn Fn(&Frame, Option<&Frame>) -> Option<f64>>;

pub(super) struct Column {
    pub channel: Channel,
    pub value: Value,
}

#[derive(Default)]
pub(super) struct Columns(pub Vec<Column>);

impl Columns {
    pub fn add(
        &mut self,
        name: impl Into<String>,
        unit: &str,
        doc: impl Into<String>,
        value: impl Fn(&Frame) -> Option<f64> + 'static,
    ) {
        self.add_step(name, unit, doc, move |frame, _| value(frame));
    }

    pub fn add_step(
        &mut self,
        name: impl Into<String>,
        unit: &str,
        doc: impl Into<String>,
        value: impl Fn(&Frame, Option<&Frame>) -> Option<f64> + 'static,
    ) {
        let channel = Channel { name: name.into(), unit: unit.to_string(), doc: doc.into() };
        self.0.push(Column { channel, value: Box::new(value) });
    }
}
