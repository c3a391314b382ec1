//! Holds: which exist, which are free, and their orientation.

use super::{Measure, Quantity, ROOT};
use aplomb_body::contact::grip::{Hold, HoldKind};
use aplomb_language::expression::{Interval, Type, Value};
use nalgebra::Vector3;

fn hand(hold: &Hold) -> bool {
    hold.kind != HoldKind::Foot
}

fn foot(hold: &Hold) -> bool {
    hold.kind != HoldKind::Hand
}

/// The point at which a hold would be gripped from a world point, m.
fn taken_from(hold: &Hold, point: &Vector3<f64>) -> Vector3<f64> {
    hold.nearest(point) + hold.displacement()
}

/// The hold nearest to a world point among those for which `fits` holds, the first of equally near ones.
fn nearest(
    now: &Measure<'_>,
    point: &Vector3<f64>,
    fits: impl Fn(usize, &Hold, &Vector3<f64>) -> bool,
) -> Value {
    let holds =
        now.snapshot.grips.holds.iter().enumerate().map(|(k, hold)| (k, hold, taken_from(hold, point)));
    let distances =
        holds.filter(|(k, hold, at)| fits(*k, hold, at)).map(|(k, _, at)| (k, (at - point).norm()));
    Value::Hold(distances.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(k, _)| k))
}

/// The free hold nearest to a place, within some distance of a point and in a box about it.
fn free(now: &Measure<'_>, arguments: &[Value], kind: fn(&Hold) -> bool) -> Value {
    let [place, about, within, near, far, except] = *arguments else { return Value::Hold(None) };
    let (about, within, near, far) = (about.vector(), within.number(), near.vector(), far.vector());
    let forward = now.direction(ROOT, 0);
    let Some(ahead) = Vector3::new(forward.x, forward.y, 0.0).try_normalize(1e-9) else {
        return Value::Hold(None);
    };
    let left = Vector3::z().cross(&ahead);
    let grips = &now.snapshot.grips;
    nearest(now, &now.place(place).0, |k, hold, at| {
        let from = at - about;
        let local = Vector3::new(from.dot(&ahead), from.dot(&left), from.z);
        let is_in_box = (0..3).all(|i| (near[i]..=far[i]).contains(&local[i]));
        let is_free = !grips.is_taken(k) && except != Value::Hold(Some(k));
        kind(hold) && is_free && is_in_box && from.norm() <= within
    })
}

const FREE: &[Type] = &[Type::Place, Type::Vector, Type::Number, Type::Vector, Type::Vector, Type::Hold];

/// The nearest hold that a place can reach.
fn reachable(now: &Measure<'_>, place: Value, kind: fn(&Hold) -> bool) -> Value {
    nearest(now, &now.place(place).0, |_, hold, at| {
        kind(hold) && now.snapshot.can_reach(now.model, place, at)
    })
}

pub(super) const LIST: &[Quantity] = &[
    Quantity {
        name: "nearest_reachable_hold",
        arguments: &[Type::Place],
        result: Type::Hold,
        unit: "",
        range: Interval::ANY,
        about: "The hold or bar for hands nearest to a body's origin or a site for which it is `reachable`; or none.",
        value: |now, arguments| reachable(now, arguments[0], hand),
    },
    Quantity {
        name: "nearest_reachable_foothold",
        arguments: &[Type::Place],
        result: Type::Hold,
        unit: "",
        range: Interval::ANY,
        about: "The hold for feet nearest to a body's origin or a site for which it is `reachable`; or none.",
        value: |now, arguments| reachable(now, arguments[0], foot),
    },
    Quantity {
        name: "[next_hold] hand",
        arguments: FREE,
        result: Type::Hold,
        unit: "",
        range: Interval::ANY,
        about: "The free hold for hands nearest to a body's origin or a site, or none. It has to be within a \
                distance of a point (second and third argument) and in a box given by two corners relative to \
                that point, with x ahead of the root body, y to its left and z up. The last argument is a hold \
                that is excluded.",
        value: |now, arguments| free(now, arguments, hand),
    },
    Quantity {
        name: "[next_hold] foot",
        arguments: FREE,
        result: Type::Hold,
        unit: "",
        range: Interval::ANY,
        about: "The free hold for feet nearest to a body's origin or a site, with the same arguments as for hands.",
        value: |now, arguments| free(now, arguments, foot),
    },
    Quantity {
        name: "nearest_foothold",
        arguments: &[Type::Place],
        result: Type::Hold,
        unit: "",
        range: Interval::ANY,
        about: "The hold for feet nearest to a body's origin or a site; or none.",
        value: |now, arguments| nearest(now, &now.place(arguments[0]).0, |_, hold, _| foot(hold)),
    },
    Quantity {
        name: "hold_normal",
        arguments: &[Type::Hold],
        result: Type::Vector,
        unit: "",
        range: Interval::ANY,
        about: "Unit normal of a hold: the direction of the normal force on a foot that stands on it.",
        value: |now, arguments| {
            let Value::Hold(Some(hold)) = arguments[0] else {
                return Value::Vector(Vector3::repeat(f64::NAN));
            };
            Value::Vector(now.snapshot.grips.holds[hold].normal)
        },
    },
];
