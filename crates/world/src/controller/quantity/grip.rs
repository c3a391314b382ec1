//! Grips: which holds are held, grip forces, and the swing of the body from them.

use super::{Measure, Quantity, ROOT};
use aplomb_body::contact::grip::{Grip, Grips, HoldKind, Swing};
use aplomb_language::expression::{Interval, Type, Value};
use nalgebra::Vector3;
use std::f64::consts::PI;

fn grip_of<'a>(now: &Measure<'a>, site: Value) -> Option<&'a Grip> {
    if let Value::Site(site) = site { now.snapshot.grips.of(site) } else { None }
}

/// The hold for hands nearest to a world point, except those on the character's own body.
fn nearest_hold(now: &Measure<'_>, point: &Vector3<f64>) -> Option<usize> {
    let holds = now.snapshot.grips.holds.iter().enumerate();
    let holds = holds.filter(|(_, hold)| hold.kind != HoldKind::Foot && !now.is_own(hold));
    let distances = holds.map(|(index, hold)| {
        let nearest = hold.nearest(point) + hold.displacement();
        (index, (nearest - point).norm())
    });
    distances.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(index, _)| index)
}

/// The swing of the body from its holds; `None` without grips.
fn swing(now: &Measure<'_>) -> Option<Swing> {
    let Grips { list, holds, .. } = &now.snapshot.grips;
    let bar = list.first().and_then(|grip| holds[grip.hold].direction());
    let left = now.direction(ROOT, 1);
    Swing::new(list.iter().map(|grip| grip.point), bar, left, now.snapshot.com)
}

pub(super) const LIST: &[Quantity] = &[
    Quantity {
        name: "grips",
        arguments: &[Type::Site],
        result: Type::Boolean,
        unit: "",
        range: Interval::ANY,
        about: "Whether a site grips something or stands on a hold.",
        value: |now, arguments| Value::Boolean(grip_of(now, arguments[0]).is_some()),
    },
    Quantity {
        name: "grip_count",
        arguments: &[],
        result: Type::Number,
        unit: "",
        range: Interval::NEVER_NEGATIVE,
        about: "Number of sites that grip something.",
        value: |now, _| Value::Number(now.snapshot.grips.list.len() as f64),
    },
    Quantity {
        name: "grip_force",
        arguments: &[Type::Site],
        result: Type::Number,
        unit: "N",
        range: Interval::NEVER_NEGATIVE,
        about: "Force of a site's grip in the previous frame; 0 without a grip.",
        value: |now, arguments| {
            Value::Number(grip_of(now, arguments[0]).map_or(0.0, |grip| grip.last_force.norm()))
        },
    },
    Quantity {
        name: "grips_made",
        arguments: &[Type::Site],
        result: Type::Number,
        unit: "",
        range: Interval::NEVER_NEGATIVE,
        about: "Number of grips a site has made since the run began, including the initial one.",
        value: |now, arguments| {
            let Value::Site(site) = arguments[0] else { return Value::Number(f64::NAN) };
            Value::Number(f64::from(now.snapshot.grips.made(site)))
        },
    },
    Quantity {
        name: "held_by",
        arguments: &[Type::Site],
        result: Type::Hold,
        unit: "",
        range: Interval::ANY,
        about: "The hold that a site grips, or none.",
        value: |now, arguments| Value::Hold(grip_of(now, arguments[0]).map(|grip| grip.hold)),
    },
    Quantity {
        name: "nearest_hold",
        arguments: &[Type::Place],
        result: Type::Hold,
        unit: "",
        range: Interval::ANY,
        about: "The hold or bar for hands nearest to a body's origin or a site, except those on the character's \
                own body; or none.",
        value: |now, arguments| Value::Hold(nearest_hold(now, &now.place(arguments[0]).0)),
    },
    Quantity {
        name: "exists",
        arguments: &[Type::Spot],
        result: Type::Boolean,
        unit: "",
        range: Interval::ANY,
        about: "Whether the result of a search for a hold, passive object, surface or character exists.",
        value: |_, arguments| {
            let is_none = matches!(
                arguments[0],
                Value::Hold(None) | Value::Passive(None) | Value::Surface(None) | Value::Character(None)
            );
            Value::Boolean(!is_none)
        },
    },
    Quantity {
        name: "swing_angle",
        arguments: &[],
        result: Type::Number,
        unit: "rad",
        range: Interval::new(-PI, PI),
        about: "Angle of the line from the grips to the COM, from straight down, positive forward; NaN without a \
                grip.",
        value: |now, _| Value::Number(swing(now).map_or(f64::NAN, |swing| swing.angle())),
    },
    Quantity {
        name: "swing_direction",
        arguments: &[],
        result: Type::Vector,
        unit: "",
        range: Interval::ANY,
        about: "Unit direction in which the COM moves when the swing angle grows.",
        value: |now, _| {
            Value::Vector(swing(now).map_or(Vector3::repeat(f64::NAN), |swing| swing.direction()))
        },
    },
    Quantity {
        name: "swing_speed",
        arguments: &[],
        result: Type::Number,
        unit: "m/s",
        range: Interval::ANY,
        about: "Speed of the COM in that direction.",
        value: |now, _| {
            let speed = swing(now).map(|swing| swing.direction().dot(&now.snapshot.com_velocity));
            Value::Number(speed.unwrap_or(f64::NAN))
        },
    },
];
