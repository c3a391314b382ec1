//! Grips: what is held, how hard, and how the body swings from it.

use super::{Measure, Quantity};
use crate::expression::{Interval, Type, Value};
use crate::grip::{Grip, HoldKind};
use nalgebra::Vector3;
use std::f64::consts::PI;

fn grip_of<'a>(now: &Measure<'a>, site: Value) -> Option<&'a Grip> {
    if let Value::Site(site) = site { now.sense.grips.of(site) } else { None }
}

/// The hold for hands that is nearest to a world point.
fn nearest_hold(now: &Measure<'_>, point: &Vector3<f64>) -> Option<usize> {
    let holds = now.sense.grips.holds.iter().enumerate().filter(|(_, hold)| hold.kind != HoldKind::Foot);
    let distances = holds.map(|(index, hold)| {
        let nearest = hold.nearest(point) + hold.displacement();
        (index, (nearest - point).norm())
    });
    distances.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(index, _)| index)
}

/// A body that hangs: the middle of what it holds, the axis it swings about, and where its COM is.
struct Swing {
    /// Unit, to the character's left.
    axis: Vector3<f64>,
    /// COM from the axis, at right angles to it, m.
    arm: Vector3<f64>,
}

impl Swing {
    /// `None` where nothing is held, or the body is turned along the axis.
    fn of(now: &Measure<'_>) -> Option<Swing> {
        let grips = &now.sense.grips;
        let count = grips.list.len() as f64;
        let first = grips.list.first()?;
        let pivot = grips.list.iter().map(|grip| grip.point).sum::<Vector3<f64>>() / count;
        let left = now.sense.kinematics.rotation[0].column(1).into_owned();
        let bar = grips.holds[first.hold].direction();
        let apart =
            grips.list.last().map(|last| last.point - first.point).filter(|apart| apart.norm() > 1e-3);
        let line = bar.or(apart).unwrap_or(left);
        let axis = line.normalize() * line.dot(&left).signum();
        let arm = now.sense.com - pivot;
        Some(Swing { axis, arm: arm - axis * axis.dot(&arm) })
    }

    /// Unit direction in which the angle grows: forward at the bottom.
    fn direction(&self) -> Vector3<f64> {
        self.arm.cross(&self.axis).normalize()
    }

    /// From straight down, positive forward, rad.
    fn angle(&self) -> f64 {
        let forward = self.axis.cross(&Vector3::z());
        self.arm.dot(&forward).atan2(-self.arm.z)
    }
}

pub(super) const LIST: &[Quantity] = &[
    Quantity {
        name: "grips",
        arguments: &[Type::Site],
        result: Type::Boolean,
        unit: "",
        range: Interval::ANY,
        about: "Whether a site holds on to something, or stands on a hold.",
        value: |now, arguments| Value::Boolean(grip_of(now, arguments[0]).is_some()),
    },
    Quantity {
        name: "grip_count",
        arguments: &[],
        result: Type::Number,
        unit: "",
        range: Interval::NEVER_NEGATIVE,
        about: "Number of sites that hold on to something.",
        value: |now, _| Value::Number(now.sense.grips.list.len() as f64),
    },
    Quantity {
        name: "grip_force",
        arguments: &[Type::Site],
        result: Type::Number,
        unit: "N",
        range: Interval::NEVER_NEGATIVE,
        about: "Force of a site's grip in the frame before; 0 where it holds nothing.",
        value: |now, arguments| {
            Value::Number(grip_of(now, arguments[0]).map_or(0.0, |grip| grip.last_force.norm()))
        },
    },
    Quantity {
        name: "held_by",
        arguments: &[Type::Site],
        result: Type::Hold,
        unit: "",
        range: Interval::ANY,
        about: "The hold a site has; none where it has none.",
        value: |now, arguments| Value::Hold(grip_of(now, arguments[0]).map(|grip| grip.hold)),
    },
    Quantity {
        name: "nearest_hold",
        arguments: &[Type::Place],
        result: Type::Hold,
        unit: "",
        range: Interval::ANY,
        about: "The hold or bar for hands that is nearest to a body's origin or a site; none where there is none.",
        value: |now, arguments| Value::Hold(nearest_hold(now, &now.place(arguments[0]).0)),
    },
    Quantity {
        name: "is_hold",
        arguments: &[Type::Hold],
        result: Type::Boolean,
        unit: "",
        range: Interval::ANY,
        about: "Whether a hold that was looked for was found.",
        value: |_, arguments| Value::Boolean(matches!(arguments[0], Value::Hold(Some(_)))),
    },
    Quantity {
        name: "swing_angle",
        arguments: &[],
        result: Type::Number,
        unit: "rad",
        range: Interval::new(-PI, PI),
        about: "Angle of the line from what is held to the COM, from straight down, positive forward; not a number where nothing is held.",
        value: |now, _| Value::Number(Swing::of(now).map_or(f64::NAN, |swing| swing.angle())),
    },
    Quantity {
        name: "swing_direction",
        arguments: &[],
        result: Type::Vector,
        unit: "",
        range: Interval::ANY,
        about: "Unit direction in which the COM moves when the swing angle grows.",
        value: |now, _| {
            Value::Vector(Swing::of(now).map_or(Vector3::repeat(f64::NAN), |swing| swing.direction()))
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
            let speed = Swing::of(now).map(|swing| swing.direction().dot(&now.sense.com_velocity));
            Value::Number(speed.unwrap_or(f64::NAN))
        },
    },
];
