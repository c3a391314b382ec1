//! Series summed up over groups of bodies or coordinates.

use super::layer::{Layer, Series};
use super::pattern::{is_pattern, matches};
use super::spec::{Group, Grouped, Side, Torques};
use crate::language::Spanned;
use crate::language::diagnostic::{FileError, Source};
use crate::trace::{Contact, ContactKind, Frame, Trace};
use crate::view::plot::colour::{self, Colour};

/// A torque that uses more than this share of its limit has the limit shown.
const NEAR: f64 = 0.6;

/// Normal force of each group, N, with the character's weight as a level.
pub fn contact_force(trace: &Trace, source: &Source, spec: &Grouped) -> Result<Vec<Layer>, FileError> {
    let groups = Sorted::new(source, spec, &trace.header.bodies, "body")?;
    let force = |contacts: &mut dyn Iterator<Item = &Contact>| contacts.map(normal_force).sum();
    let mut layers = groups.lines(trace, "normal force", "N", |frame, bodies| on(frame, bodies, force));
    let [x, y, z] = trace.header.gravity;
    let weight = trace.header.mass * x.hypot(y).hypot(z);
    if weight > 0.0 {
        let label = Some(format!("weight, {weight:.0} N"));
        layers.push(Layer::Level { value: weight, label, colour: colour::SLATE, always: true });
    }
    Ok(layers)
}

/// Σ|f_t| / Σ μ f_n of each group; no value where next to nothing presses.
pub fn friction_use(trace: &Trace, source: &Source, spec: &Grouped) -> Result<Vec<Layer>, FileError> {
    let groups = Sorted::new(source, spec, &trace.header.bodies, "body")?;
    let least = 1e-6 * trace.header.mass * 9.81;
    let used = |contacts: &mut dyn Iterator<Item = &Contact>| {
        let (mut used, mut allowed) = (0.0, 0.0);
        for contact in contacts {
            used += tangential_force(contact);
            allowed += contact.friction * normal_force(contact).max(0.0);
        }
        if allowed > least { used / allowed } else { f64::NAN }
    };
    let mut layers = groups.lines(trace, "friction use", "1", |frame, bodies| on(frame, bodies, used));
    layers.push(limit());
    Ok(layers)
}

/// The largest torque over its limit among each group's coordinates.
pub fn torque_use(trace: &Trace, source: &Source, spec: &Grouped) -> Result<Vec<Layer>, FileError> {
    let names = &trace.header.coordinate_names;
    let groups = Sorted::new(source, spec, names, "coordinate")?;
    let used = |frame: &Frame, members: &[usize]| {
        members.iter().filter_map(|&at| limit_share(trace, frame, at)).fold(f64::NAN, f64::max)
    };
    let mut layers = groups.lines(trace, "largest torque over limit", "1", used);
    layers.push(limit());
    Ok(layers)
}

/// The torques whose largest share of their limit is largest (without limits, the largest), with the limits.
pub fn torques(trace: &Trace, source: &Source, spec: &Torques) -> Result<Vec<Layer>, FileError> {
    let names = &trace.header.coordinate_names;
    let mut wanted = Vec::new();
    for pattern in &spec.coordinates {
        known(source, pattern, names, "coordinate")?;
        wanted.extend((0..names.len()).filter(|&at| matches(pattern.get_ref(), &names[at])));
    }
    wanted.sort_unstable();
    wanted.dedup();
    let peak = |at: usize, measure: &dyn Fn(&Frame) -> Option<f64>| -> (f64, usize) {
        (trace.frames.iter().filter_map(measure).fold(0.0, f64::max), at)
    };
    let mut ranked: Vec<(f64, usize)> =
        wanted.iter().map(|&at| peak(at, &|frame| limit_share(trace, frame, at))).collect();
    if ranked.iter().all(|(share, _)| *share == 0.0) {
        ranked = wanted.iter().map(|&at| peak(at, &|frame| frame.torque.get(at).map(|t| t.abs()))).collect();
    }
    ranked.retain(|(share, _)| *share > 0.0);
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let mut layers = Vec::new();
    for (index, (share, at)) in ranked.into_iter().take(*spec.count.get_ref()).enumerate() {
        let values = trace.frames.iter().map(|frame| frame.torque.get(at).copied().unwrap_or(f64::NAN));
        let unit = trace.header.force_unit(at);
        let colour = colour::series(index);
        let limits = trace.header.torque_limits.get(at).copied().flatten();
        let label = match limits {
            Some([low, high]) if low == -high => format!("{} (limit ±{high:.0})", names[at]),
            Some([low, high]) => format!("{} (limits {low:.0}, {high:.0})", names[at]).replace('-', "−"),
            None => format!("{} (no limit)", names[at]),
        };
        let series =
            Series { name: format!("torque.{}", names[at]), unit: unit.into(), values: values.collect() };
        layers.push(Layer::Line { series, label, colour, width: 2.0 });
        // Far limits of one coordinate would only lie across the lines of others.
        let near = limits.filter(|_| share > NEAR);
        layers.extend(near.into_iter().flatten().map(|value| Layer::Level {
            value,
            label: None,
            colour: colour.lightened(0.25),
            always: false,
        }));
    }
    Ok(layers)
}

fn limit() -> Layer {
    Layer::Level { value: 1.0, label: Some("limit".into()), colour: colour::ALARM, always: true }
}

/// The torque over the limit on its side; `None` without limit or forces.
fn limit_share(trace: &Trace, frame: &Frame, coordinate: usize) -> Option<f64> {
    let [low, high] = trace.header.torque_limits.get(coordinate).copied().flatten()?;
    let torque = *frame.torque.get(coordinate)?;
    let share = torque / if torque < 0.0 { low } else { high };
    share.is_finite().then_some(share)
}

/// A value of the contacts on some bodies that push and do not hold on, where the frame has forces.
fn on(frame: &Frame, bodies: &[&str], value: impl Fn(&mut dyn Iterator<Item = &Contact>) -> f64) -> f64 {
    let pushes = |contact: &&Contact| contact.kind != ContactKind::Grip;
    let touching = frame.contacts.iter().filter(pushes);
    let mut contacts = touching.filter(|contact| bodies.contains(&contact.body.as_str()));
    if frame.has_forces() { value(&mut contacts) } else { f64::NAN }
}

fn normal_force(contact: &Contact) -> f64 {
    contact.force.iter().zip(contact.normal).map(|(force, normal)| force * normal).sum()
}

fn tangential_force(contact: &Contact) -> f64 {
    let normal = normal_force(contact);
    let along = |axis: usize| contact.force[axis] - normal * contact.normal[axis];
    along(0).hypot(along(1)).hypot(along(2))
}

/// Members sorted into groups, what is left over in the last.
struct Sorted<'a> {
    names: &'a [String],
    groups: Vec<(&'a str, Colour, Vec<usize>)>,
}

impl<'a> Sorted<'a> {
    fn new(source: &Source, spec: &'a Grouped, names: &'a [String], what: &str) -> Result<Self, FileError> {
        let mut taken = vec![false; names.len()];
        let mut groups = Vec::new();
        for (index, group) in spec.groups.iter().enumerate() {
            let mut members = Vec::new();
            for pattern in &group.members {
                known(source, pattern, names, what)?;
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

    /// A line for each group that ever has a value other than zero.
    fn lines<M: Member<'a>>(
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

/// How a group's value wants its members: by name or by number.
trait Member<'a> {
    fn of(names: &'a [String], at: usize) -> Self;
}

impl<'a> Member<'a> for &'a str {
    fn of(names: &'a [String], at: usize) -> Self {
        &names[at]
    }
}

impl Member<'_> for usize {
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

/// A name without `*` must be there.
fn known(source: &Source, name: &Spanned<String>, names: &[String], what: &str) -> Result<(), FileError> {
    if is_pattern(name.get_ref()) || names.contains(name.get_ref()) {
        return Ok(());
    }
    let message = format!("the trace has no {what} `{}`", name.get_ref());
    Err(FileError::new(source, name.span(), message)
        .label(format!("not a {what}"))
        .suggest(name.get_ref(), names.iter().map(String::as_str)))
}
