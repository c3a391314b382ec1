//! Groups of bodies or coordinates.

use super::all;
use super::binder::{is_pattern, matches};
use crate::plot::colour::{self, Colour};
use crate::plot::figure::layer::{Layer, Series};
use aplomb_language::Spanned;
use aplomb_language::diagnostic::{FileError, FileErrors, Source};
use aplomb_trace::{Contact, ContactKind, Frame, Trace};
use serde::Deserialize;

/// Bodies or coordinates in groups.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Grouped {
    /// Groups; members of none are shown together as `other`.
    #[serde(default)]
    pub(crate) groups: Vec<Group>,
}

/// Bodies or coordinates shown as one curve.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct Group {
    /// Text in the legend.
    pub(crate) name: String,
    /// Side of the body, for the colour.
    pub(crate) side: Option<Side>,
    /// Names of bodies (of coordinates, for torques), `*` allowed. Each belongs to the first group that matches.
    pub(crate) members: Vec<Spanned<String>>,
}

/// Side of the body that a name belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub(crate) enum Side {
    /// The character's left.
    Left,
    /// The character's right.
    Right,
    /// Neither left nor right.
    Middle,
}

pub(super) fn limit() -> Layer {
    Layer::Level { value: 1.0, label: Some("limit".into()), colour: colour::ALARM, always: true }
}

/// Torque divided by the limit in its direction; `None` without a limit or without forces.
pub(super) fn limit_share(trace: &Trace, frame: &Frame, coordinate: usize) -> Option<f64> {
    let [low, high] = trace.header.torque_limits.get(coordinate).copied().flatten()?;
    let torque = *frame.torque.get(coordinate)?;
    let share = torque / if torque < 0.0 { low } else { high };
    share.is_finite().then_some(share)
}

/// A quantity of the pushing contacts (without grips) on some bodies, in frames with forces.
pub(super) fn on(
    frame: &Frame,
    bodies: &[&str],
    value: impl Fn(&mut dyn Iterator<Item = &Contact>) -> f64,
) -> f64 {
    let pushes = |contact: &&Contact| contact.kind != ContactKind::Grip;
    let touching = frame.contacts.iter().filter(pushes);
    let mut contacts = touching.filter(|contact| bodies.contains(&contact.body.as_str()));
    if frame.has_forces() { value(&mut contacts) } else { f64::NAN }
}

pub(super) fn normal_force(contact: &Contact) -> f64 {
    contact.force.iter().zip(contact.normal).map(|(force, normal)| force * normal).sum()
}

pub(super) fn tangential_force(contact: &Contact) -> f64 {
    let normal = normal_force(contact);
    let along = |axis: usize| contact.force[axis] - normal * contact.normal[axis];
    along(0).hypot(along(1)).hypot(along(2))
}

/// Members by group; the last group contains those of no other.
pub(super) struct Sorted<'a> {
    names: &'a [String],
    groups: Vec<(&'a str, Colour, Vec<usize>)>,
}

impl<'a> Sorted<'a> {
    pub(super) fn new(
        source: &Source,
        spec: &'a Grouped,
        names: &'a [String],
        what: &str,
    ) -> Result<Self, FileErrors> {
        let members = spec.groups.iter().flat_map(|group| &group.members);
        all(members.map(|pattern| known(source, pattern, names, what)))?;
        let mut taken = vec![false; names.len()];
        let mut groups = Vec::new();
        for (index, group) in spec.groups.iter().enumerate() {
            let mut members = Vec::new();
            for pattern in &group.members {
                for (at, name) in names.iter().enumerate() {
                    if !taken[at] && matches(pattern.get_ref(), name) {
                        taken[at] = true;
                        members.push(at);
                    }
                }
            }
            groups.push((group.name.as_str(), colour_of(group, index), members));
        }
        let rest = (0..names.len()).filter(|&at| !taken[at]).collect();
        let name = if spec.groups.is_empty() { "all" } else { "other" };
        groups.push((name, colour::MIDDLE.darkened(0.2), rest));
        Ok(Sorted { names, groups })
    }

    /// Lines for the groups that have a value other than zero.
    pub(super) fn lines<M: GroupMember<'a>>(
        &self,
        trace: &Trace,
        quantity: &str,
        unit: &str,
        value: impl Fn(&Frame, &[M]) -> f64,
    ) -> Vec<Layer> {
        let mut layers = Vec::new();
        for (name, colour, members) in &self.groups {
            let members: Vec<M> = members.iter().map(|&at| M::of(self.names, at)).collect();
            let values: Vec<f64> = trace.frames.iter().map(|frame| value(frame, &members)).collect();
            if values.iter().any(|value| value.abs() > 0.0) {
                let series = Series { name: format!("{quantity} {name}"), unit: unit.into(), values };
                layers.push(Layer::Line { series, label: name.to_string(), colour: *colour, width: 2.2 });
            }
        }
        layers
    }
}

/// How a group's quantity refers to its members: by name or by index.
pub(super) trait GroupMember<'a> {
    fn of(names: &'a [String], at: usize) -> Self;
}

impl<'a> GroupMember<'a> for &'a str {
    fn of(names: &'a [String], at: usize) -> Self {
        &names[at]
    }
}

impl GroupMember<'_> for usize {
    fn of(_: &[String], at: usize) -> Self {
        at
    }
}

fn colour_of(group: &Group, index: usize) -> Colour {
    match group.side {
        Some(Side::Left) => colour::LEFT,
        Some(Side::Right) => colour::RIGHT,
        Some(Side::Middle) => colour::MIDDLE,
        None => colour::series(index),
    }
}

/// Checks that a name without `*` exists.
pub(super) fn known(
    source: &Source,
    name: &Spanned<String>,
    names: &[String],
    what: &str,
) -> Result<(), FileError> {
    if is_pattern(name.get_ref()) || names.contains(name.get_ref()) {
        return Ok(());
    }
    let message = format!("the trace has no {what} `{}`", name.get_ref());
    Err(FileError::new(source, name.span(), message)
        .label(format!("not a {what}"))
        .suggest(name.get_ref(), names.iter().map(String::as_str)))
}
