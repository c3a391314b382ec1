//! A channel, and the function that reads its values from frames.

use super::Frame;

/// A channel of a trace.
#[doc(alias = "time series")]
#[doc(alias = "signal")]
#[derive(Clone, Debug, PartialEq)]
pub struct Channel {
    /// Name, e.g. `com.x`, `torque.left_knee`, `contact_force.left_foot.z`.
    pub name: String,
    /// Unit in SI; `1` for pure numbers.
    pub unit: String,
    /// Description in one sentence.
    pub doc: String,
}

impl Channel {
    /// Whether it belongs to a character. Other columns belong to passive objects, or to the run.
    pub fn is_of_character(&self) -> bool {
        !self.name.starts_with(PASSIVE) && self.name != "time"
    }
}

/// Prefix of the channels of passive objects.
const PASSIVE: &str = "passive.";

/// Value of a channel in a frame, given also the previous frame.
pub(super) type ColumnValue = Box<dyn Fn(&Frame, Option<&Frame>) -> Option<f64>>;

pub(super) struct Column {
    pub channel: Channel,
    pub value: ColumnValue,
}

#[derive(Default)]
pub(super) struct Columns(pub Vec<Column>);

impl Columns {
    pub(crate) fn add(
        &mut self,
        name: impl Into<String>,
        unit: &str,
        doc: impl Into<String>,
        value: impl Fn(&Frame) -> Option<f64> + 'static,
    ) {
        self.add_step(name, unit, doc, move |frame, _| value(frame));
    }

    pub(crate) fn add_step(
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
