//! The numbers of a trace as named channels over time, for plots and tables.

use super::aims;
use super::column::{Channel, Column, Columns};
use super::field::{Count, Item, Record, Sink};
use super::{Contact, ContactKind, Frame, Header, Outcome, PassiveState};
use aplomb_body::contact::grip::Swing;
use aplomb_math::elementary::hypot;
use aplomb_math::geometry::Polygon;
use nalgebra::{Quaternion, UnitQuaternion, Vector2, Vector3};
use std::ops::Add;

/// All channels a trace with this header has, in a fixed order.
pub fn channels(header: &Header) -> Vec<Channel> {
    columns(header).into_iter().map(|column| column.channel).collect()
}

const AXES: [&str; 3] = ["x", "y", "z"];

pub(super) fn columns(header: &Header) -> Vec<Column> {
    let mut columns = Columns::default();
    frame_columns(&mut columns);
    balance_columns(&mut columns);
    grip_columns(&mut columns, header);
    cost_columns(&mut columns, header);
    aims::columns(&mut columns, header);
    contact_columns(&mut columns, header);
    joint_columns(&mut columns, header);
    object_columns(&mut columns, header);
    columns.0
}

/// A channel for each number of a record, and for each component of a vector, under the field's name.
fn fields_of<R: Record + 'static>(
    columns: &mut Columns,
    prefix: &str,
    whose: &str,
    record: impl Fn(&Frame) -> Option<&R> + Copy + 'static,
) {
    for (index, field) in R::DESCRIPTION.fields.iter().enumerate() {
        let axes: &[&str] = match (field.kind.item, field.kind.count) {
            (Item::Float | Item::Whole, Count::One) => &[""],
            (Item::Float, Count::Exactly(2)) => &[".x", ".y"],
            (Item::Float, Count::Exactly(3)) => &[".x", ".y", ".z"],
            _ => continue,
        };
        let doc = format!("{}{whose}", field.sentence());
        for (place, axis) in axes.iter().enumerate() {
            let name = format!("{prefix}{}{axis}", field.name);
            columns.add(name, field.unit.unwrap_or("1"), doc.clone(), move |frame| {
                let mut number = NumberAt { place, next: 0, found: None };
                record(frame)?.give_field(index, &mut number);
                number.found
            });
        }
    }
}

/// Reads the number at an index of a field.
struct NumberAt {
    place: usize,
    next: usize,
    found: Option<f64>,
}

impl Sink for NumberAt {
    fn floats(&mut self, values: &[f64]) {
        self.found = self.found.or(self.place.checked_sub(self.next).and_then(|k| values.get(k).copied()));
        self.next += values.len();
    }

    fn no_float(&mut self) {
        self.next += 1;
    }

    fn whole(&mut self, value: u32) {
        self.floats(&[value.into()]);
    }

    fn long(&mut self, _: u64) {}
    fn flag(&mut self, _: bool) {}
    fn text(&mut self, _: &str) {}
    fn count(&mut self, _: usize) {}
}

fn frame_columns(columns: &mut Columns) {
    fields_of::<Frame>(columns, "", "", |frame| Some(frame));
    columns.add(
        "outcome",
        "1",
        "How the frame was solved: 0 solved, 1 relaxed, 2 failed, 3 limp; none where nothing was solved.",
        |frame| {
            frame.has_forces().then_some(match frame.outcome {
                Outcome::Solved => 0.0,
                Outcome::Relaxed { .. } => 1.0,
                Outcome::Failed { .. } => 2.0,
                Outcome::Limp => 3.0,
            })
        },
    );
    columns.add("divided", "1", "Whether the frame was computed in parts: 1 if it was, 0 if not.", |frame| {
        frame.has_forces().then(|| f64::from(u8::from(frame.is_divided())))
    });
    columns.add("energy", "J", "Kinetic and potential energy together.", |frame| {
        Some(frame.kinetic_energy + frame.potential_energy)
    });
}

fn balance_columns(columns: &mut Columns) {
    for (axis, letter) in AXES.into_iter().take(2).enumerate() {
        columns.add(
            format!("cop.{letter}"),
            "m",
            "Centre of pressure of all ground contacts.",
            move |frame| frame.centre_of_pressure.map(|point| point[axis]),
        );
        columns.add(
            format!("support_min.{letter}"),
            "m",
            "Least extent of the support polygon.",
            move |frame| frame.support_polygon.iter().map(|corner| corner[axis]).reduce(f64::min),
        );
        columns.add(
            format!("support_max.{letter}"),
            "m",
            "Largest extent of the support polygon.",
            move |frame| frame.support_polygon.iter().map(|corner| corner[axis]).reduce(f64::max),
        );
    }
    columns.add_step(
        "cop_step",
        "m",
        "How far the centre of pressure moved since the frame before.",
        |frame, before| {
            let (now, then) = (frame.centre_of_pressure?, before?.centre_of_pressure?);
            Some(hypot(now[0] - then[0], now[1] - then[1]))
        },
    );
    let inside = |what: &str| format!("How far {what} is inside the support polygon; negative outside.");
    columns.add("support_margin.com", "m", inside("the centre of mass"), |frame| {
        margin(frame, [frame.com[0], frame.com[1]])
    });
    columns.add("support_margin.capture_point", "m", inside("the capture point"), |frame| {
        margin(frame, frame.capture_point)
    });
    columns.add("support_margin.cop", "m", inside("the centre of pressure"), |frame| {
        margin(frame, frame.centre_of_pressure?)
    });
}

fn grip_columns(columns: &mut Columns, header: &Header) {
    let bars: Vec<(String, Vector3<f64>)> =
        header.holds.iter().filter_map(|hold| Some((hold.name.clone(), hold.direction()?))).collect();
    let root = header.configuration_names.iter().position(|name| name.ends_with(".qw"));
    let doc =
        "Angle of the line from what is held to the centre of mass, from straight down, positive forward.";
    columns.add("swing_angle", "rad", doc, move |frame| {
        let held = || frame.contacts.iter().filter(|contact| is_hold(contact));
        let on = &held().next()?.surface;
        let bar = bars.iter().find(|(name, _)| name == on).map(|(_, direction)| *direction);
        let left = match root.and_then(|w| frame.q.get(w..w + 4)) {
            Some(&[w, x, y, z]) => UnitQuaternion::new_normalize(Quaternion::new(w, x, y, z)) * Vector3::y(),
            _ => Vector3::y(),
        };
        let points = held().map(|contact| Vector3::from(contact.point));
        Some(Swing::new(points, bar, left, Vector3::from(frame.com))?.angle())
    });
    columns.add("grip_error", "m", "Largest distance of what holds on from its hold.", |frame| {
        frame.contacts.iter().filter(|contact| is_hold(contact)).map(|contact| contact.gap).reduce(f64::max)
    });
}

fn is_hold(contact: &Contact) -> bool {
    matches!(contact.kind, ContactKind::Grip | ContactKind::Stand)
}

fn object_columns(columns: &mut Columns, header: &Header) {
    for (index, object) in header.passive.iter().enumerate() {
        let whose = format!(" Of the passive object {}.", object.name);
        fields_of::<PassiveState>(columns, &format!("passive.{}.", object.name), &whose, move |frame| {
            frame.passive.get(index)
        });
        let mut add = |name: &str, unit: &str, doc: &str, value: fn(&PassiveState) -> f64| {
            let doc = format!("{doc} of the passive object {}.", object.name);
            let name = format!("passive.{}.{name}", object.name);
            columns.add(name, unit, doc, move |frame| frame.passive.get(index).map(value));
        };
        add("speed", "m/s", "Speed of the centre of mass", |state| norm(state.com_velocity));
        add("energy", "J", "Kinetic and potential energy", |state| {
            state.kinetic_energy + state.potential_energy
        });
        add(
            "touches",
            "1",
            "Points at which it touches something else, with the ends and anchors that hold it,",
            |state| state.touches.len() as f64,
        );
    }
}

/// Signed distance of a point from the edge of the frame's support polygon, positive inside, m.
fn margin(frame: &Frame, point: [f64; 2]) -> Option<f64> {
    let mut polygon = Polygon::default();
    polygon.set_hull(frame.support_polygon.iter().map(|corner| Vector2::from(*corner)));
    let margin = polygon.margin(&Vector2::from(point));
    margin.is_finite().then_some(margin)
}

fn cost_columns(columns: &mut Columns, header: &Header) {
    for (index, name) in header.objectives.iter().enumerate() {
        let doc = format!("Weighted cost of the objective «{name}» at the solution.");
        columns.add(format!("cost.{name}"), "1", doc, move |frame| frame.costs.get(index).copied());
    }
    for (index, name) in header.objectives.iter().enumerate() {
        let doc = format!("Weight of the objective «{name}», 0 where it is not in force.");
        columns.add(format!("weight.{name}"), "1", doc, move |frame| frame.weights.get(index).copied());
    }
    for (index, command) in header.commands.iter().enumerate() {
        let doc = format!("What the controller is told: its command «{}».", command.name);
        columns.add(format!("command.{}", command.name), &command.unit, doc, move |frame| {
            frame.commands.get(index).copied().flatten()
        });
    }
    for (index, name) in header.bound.iter().enumerate() {
        let doc = format!("What the controller's «{name}» came to, of its bindings of each frame.");
        columns.add(format!("bound.{name}"), "", doc, move |frame| frame.bound.get(index).copied().flatten());
    }
    for (index, followed) in header.followed.iter().enumerate() {
        let name = &followed.objective;
        let doc = format!("Distance of the objective «{name}» from its moving target.");
        columns.add(format!("distance.{name}"), &followed.unit, doc, move |frame| {
            frame.distances.get(index).copied().flatten()
        });
    }
    columns.add("cost_total", "1", "Weighted costs of all objectives together.", |frame| {
        if frame.costs.is_empty() { None } else { Some(frame.costs.iter().sum()) }
    });
}

fn contact_columns(columns: &mut Columns, header: &Header) {
    for (axis, letter) in AXES.into_iter().enumerate() {
        columns.add(
            format!("ground_reaction.{letter}"),
            "N",
            "Sum of all contact forces on the character, but for those that the record of another character has.",
            move |frame| {
                frame.has_forces().then(|| frame.contacts.iter().map(|contact| contact.force[axis]).sum())
            },
        );
        columns.add(
            format!("external_force.{letter}"),
            "N",
            "Sum of the external forces: of events, passive objects and other characters.",
            move |frame| {
                frame.has_forces().then(|| frame.external.iter().map(|external| external.force[axis]).sum())
            },
        );
    }
    columns.add("self_contact_force", "N", "Sizes of all forces between parts of the character.", |frame| {
        frame
            .has_forces()
            .then(|| frame.self_contacts.iter().map(|pressed| norm(pressed.force)).fold(0.0, f64::add))
    });
    for body in &header.bodies {
        let name = format!("contact_force.{body}");
        let doc = format!("Size of the contact force on {body}.");
        columns.add(&name, "N", doc, on(body, |contacts| Some(norm(contacts.fold([0.0; 3], add_force)))));
        for (axis, letter) in AXES.into_iter().enumerate() {
            let value = on(body, move |contacts| Some(contacts.map(|contact| contact.force[axis]).sum()));
            columns.add(format!("{name}.{letter}"), "N", format!("Contact force on {body}."), value);
        }
        let doc = format!("Sum of the normal contact forces on {body}.");
        let value = on(body, |contacts| Some(contacts.map(normal_force).sum()));
        columns.add(format!("contact_normal.{body}"), "N", doc, value);
        let doc = format!("Friction on {body} over the most its normal forces allow; none without contact.");
        columns.add(format!("friction_use.{body}"), "1", doc, on(body, friction_use));
    }
}

fn joint_columns(columns: &mut Columns, header: &Header) {
    for (index, name) in header.configuration_names.iter().enumerate() {
        let unit = header.configuration_units.get(index).map_or("1", String::as_str);
        columns.add(format!("q.{name}"), unit, format!("Configuration of {name}."), move |frame| {
            frame.q.get(index).copied()
        });
    }
    for (index, name) in header.coordinate_names.iter().enumerate() {
        let unit = header.coordinate_units.get(index).map_or("1", String::as_str);
        columns.add(
            format!("v.{name}"),
            unit,
            format!("Velocity of {name} that led to the frame."),
            move |frame| frame.v.get(index).copied(),
        );
        let unit = header.force_unit(index);
        columns.add(format!("torque.{name}"), unit, format!("Joint torque at {name}."), move |frame| {
            frame.torque.get(index).copied()
        });
        let doc = format!("Reaction of the stops of {name}.");
        columns.add(format!("stop_reaction.{name}"), unit, doc, move |frame| {
            frame.stop_reaction.get(index).copied()
        });
        if header.rough.contains(&index) {
            let doc = format!("Dry friction of {name}.");
            columns.add(format!("dry_friction.{name}"), unit, doc, move |frame| {
                frame.dry_friction.get(index).copied()
            });
        }
        if header.coupled.contains(&index) {
            let doc = format!("What couplings of joints do at {name}.");
            columns.add(format!("coupling_reaction.{name}"), unit, doc, move |frame| {
                frame.coupling_reaction.get(index).copied()
            });
            let doc = format!("How far {name} is from where the joint it follows has it; 0 where it leads.");
            let unit = if unit == "N" { "m" } else { "rad" };
            columns.add(format!("coupling_error.{name}"), unit, doc, move |frame| {
                frame.coupling_error.get(index).copied()
            });
        }
    }
}

/// `value` of the frame's contacts on `body`, in frames with forces.
fn on<V>(body: &str, value: V) -> impl Fn(&Frame) -> Option<f64> + use<V>
where
    V: Fn(&mut dyn Iterator<Item = &Contact>) -> Option<f64>,
{
    let body = body.to_string();
    move |frame| {
        let mut contacts = frame.contacts.iter().filter(|contact| contact.body == body);
        if frame.has_forces() { value(&mut contacts) } else { None }
    }
}

fn add_force(sum: [f64; 3], contact: &Contact) -> [f64; 3] {
    std::array::from_fn(|axis| sum[axis] + contact.force[axis])
}

fn norm(a: [f64; 3]) -> f64 {
    hypot(hypot(a[0], a[1]), a[2])
}

fn normal_force(contact: &Contact) -> f64 {
    (0..3).map(|axis| contact.force[axis] * contact.normal[axis]).sum()
}

/// Σ|f_t| / Σ μ f_n: sums, so that a point with nearly no load does not represent the whole foot.
fn friction_use(contacts: &mut dyn Iterator<Item = &Contact>) -> Option<f64> {
    let (mut used, mut allowed) = (0.0, 0.0);
    for contact in contacts {
        let normal = normal_force(contact);
        let tangential: [f64; 3] =
            std::array::from_fn(|axis| contact.force[axis] - normal * contact.normal[axis]);
        used += norm(tangential);
        allowed += contact.friction * normal.max(0.0);
    }
    (allowed > 0.0).then_some(used / allowed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Trace, example};

    fn value(trace: &Trace, name: &str, frame: usize) -> Option<f64> {
        trace.series(name).unwrap_or_else(|| panic!("no channel {name}"))[frame]
    }

    #[test]
    fn every_channel_listed_has_a_series_as_long_as_the_trace() {
        let trace = example::trace(5);
        let listed = channels(&trace.header);
        for channel in &listed {
            assert_eq!(trace.series(&channel.name).map(|series| series.len()), Some(5), "{}", channel.name);
            assert_eq!(trace.channel(&channel.name).as_ref(), Some(channel));
        }
        let names: std::collections::BTreeSet<_> = listed.iter().map(|channel| &channel.name).collect();
        assert_eq!(names.len(), listed.len());
        assert_eq!(trace.series("com.w"), None);
    }

    #[test]
    fn numbers_and_vectors_of_records_are_channels_by_themselves() {
        let trace = example::trace(2);
        let frame = &trace.frames[0];
        let state = &frame.passive[0];
        for (name, expected) in [
            ("time", frame.time),
            ("com.z", frame.com[2]),
            ("capture_point.y", frame.capture_point[1]),
            ("turned", f64::from(frame.turned)),
            ("passive.ball.com_velocity.x", state.com_velocity[0]),
            ("passive.ball.residual", state.residual),
        ] {
            assert_eq!(value(&trace, name, 0), Some(expected), "{name}");
        }
        let stretch = trace.channel("passive.ball.stretch").unwrap();
        assert!(stretch.doc.ends_with("Of the passive object ball."), "{}", stretch.doc);
    }

    #[test]
    fn forces_of_the_last_record_are_none() {
        let trace = example::trace(3);
        for name in ["torque.knee", "contact_force.foot.z", "ground_reaction.z", "cop.x", "cost.upright"] {
            assert!(value(&trace, name, 1).is_some(), "{name}");
            assert_eq!(value(&trace, name, 2), None, "{name}");
        }
    }

    #[test]
    fn friction_use_is_one_at_the_limit_of_the_cone() {
        let mut trace = example::trace(2);
        let contact = trace.frames[0].contacts[0].clone();
        let on = |force| Contact { force, friction: 0.5, normal: [0.0, 0.0, 1.0], ..contact.clone() };
        trace.frames[0].contacts = vec![on([50.0, 0.0, 100.0]), on([0.0, -50.0, 100.0])];
        assert_eq!(value(&trace, "friction_use.foot", 0), Some(1.0));
        assert_eq!(value(&trace, "contact_normal.foot", 0), Some(200.0));
        assert_eq!(value(&trace, "contact_force.foot.y", 0), Some(-50.0));
    }

    #[test]
    fn margins_are_positive_inside_the_support_and_none_without_one() {
        let mut trace = example::trace(2);
        trace.frames[0].capture_point = [0.07, 0.0];
        trace.frames[1].support_polygon.clear();
        let margin = trace.series("support_margin.capture_point").unwrap();
        assert!((margin[0].unwrap() - 0.03).abs() < 1e-15);
        assert_eq!(margin[1], None);
    }

    #[test]
    fn a_row_has_the_values_of_all_channels_in_their_order() {
        let trace = example::trace(3);
        for (index, channel) in channels(&trace.header).iter().enumerate() {
            let column: Vec<_> = trace.rows().map(|row| row[index]).collect();
            assert_eq!(trace.series(&channel.name), Some(column));
        }
    }

    #[test]
    fn a_sliding_coordinate_is_driven_in_newtons() {
        let header = example::header();
        let unit = |name: &str| channels(&header).into_iter().find(|c| c.name == name).map(|c| c.unit);
        assert_eq!(unit("torque.root.x").as_deref(), Some("N"));
        assert_eq!(unit("torque.knee").as_deref(), Some("N m"));
        assert_eq!(unit("q.root.qw").as_deref(), Some("1"));
        assert_eq!(unit("v.knee").as_deref(), Some("rad/s"));
    }
}
