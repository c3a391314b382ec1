//! Steps: which foot, where to, how fast.
//!
//! A step is planned with the linear inverted pendulum. While the body stands on one foot with its centre of
//! pressure at p, the capture point ξ moves away from it: ξ(t) = p + (ξ − p) exp(t √(g/z)) (Koolen et al. 2012,
//! Capturability-based analysis, eq. 12). A foot set down there stops the body. Times are seconds on the
//! controller's clock.

use super::leg::{Leg, facing};
use super::{Measure, Quantity};
use crate::language::expression::{Interval, Type, Value};
use crate::math::elementary::{exp, hypot};
use crate::model::scales::STANDARD_GRAVITY;
use nalgebra::{Vector2, Vector3};

/// How far the centre of pressure goes towards the edge of the supporting foot, from its middle.
const PRESSURE_SHARE: f64 = 0.8;
/// The COM is never taken to be lower than this share of its standing height.
const LOWEST: f64 = 0.5;
/// Sideways distance of the feet that costs no length, m × length scale.
const STANCE_WIDTH: f64 = 0.18;
/// A sole this near to the ground has just come down, and bounces: it can bear, m × length scale.
const NEAR_GROUND: f64 = 0.01;
/// A second foot must be cheaper by this to be chosen: symmetric pushes are not decided by round-off.
const TIE: f64 = 1e-6;

/// Where a step would go.
struct Plan {
    target: Vector2<f64>,
    /// How far outside the region the wish was, m.
    out_of_reach: f64,
    /// Of the step, from a comfortable stance, m.
    length: f64,
}

/// The region a foot may step into, relative to the supporting one: x ahead, y to the foot's own side, m.
#[derive(Clone, Copy)]
struct Region {
    near: Vector3<f64>,
    far: Vector3<f64>,
    /// How far beyond the capture point, to the foot's own side, it is set down, m.
    outward: f64,
}

/// What steps cost, in metres (× length scale) out of reach that are as bad.
#[derive(Clone, Copy)]
struct Prices {
    /// Of a metre (× length scale) of length.
    length: f64,
    /// Of the body's whole weight on the foot that would be lifted.
    load: f64,
    /// Of a second less than the longest time.
    haste: f64,
}

impl Prices {
    fn of(argument: Value) -> Prices {
        let [length, load, haste] = argument.vector().into();
        Prices { length, load, haste }
    }
}

impl Region {
    fn of(arguments: &[Value]) -> Region {
        Region { outward: arguments[0].number(), near: arguments[1].vector(), far: arguments[2].vector() }
    }
}

fn place(now: &Measure<'_>, place: Value) -> Vector2<f64> {
    now.place(place).0.xy()
}

/// The capture point `time` s ahead (of this body), standing on the body of `support` alone.
fn capture_point_after(now: &Measure<'_>, support: Value, time: f64) -> Vector2<f64> {
    let capture = now.snapshot.capture_point();
    let body = super::body_at(now.model, support);
    let is_foot = |part| now.model.is_within(part, body);
    // Without contact the foot will bear where it is.
    let pressure = now.snapshot.support_of(is_foot, |foot| match foot.centre() {
        None => place(now, support),
        Some(middle) => {
            let nearest = if foot.margin(&capture) >= 0.0 { capture } else { foot.closest(&capture) };
            middle + (nearest - middle) * PRESSURE_SHARE
        }
    });
    let height = now.snapshot.com_height().max(LOWEST * now.snapshot.scales.height);
    pressure + (capture - pressure) * exp(time * (STANDARD_GRAVITY / height).sqrt())
}

fn plan(now: &Measure<'_>, swing: Value, support: Value, time: f64, region: Region) -> Plan {
    let seconds = time.max(0.0) * now.snapshot.scales.time();
    let (forward, left) = facing(now);
    let side = Leg::of(now, (super::body_at(now.model, swing), Vector3::zeros())).side;
    let origin = place(now, support);
    let wish = capture_point_after(now, support, seconds) + left * (side * region.outward) - origin;
    let (ahead, across) = (wish.dot(&forward), side * wish.dot(&left));
    let ahead_in = ahead.max(region.near.x).min(region.far.x);
    let across_in = across.max(region.near.y).min(region.far.y);
    let comfortable = STANCE_WIDTH * now.snapshot.scales.length();
    Plan {
        target: origin + forward * ahead_in + left * (side * across_in),
        out_of_reach: (ahead - ahead_in).abs() + (across - across_in).abs(),
        length: hypot(ahead_in, across_in - comfortable),
    }
}

/// Price of a step that takes `time` s where `longest` would be leisurely.
fn cost(
    now: &Measure<'_>,
    [swing, support]: [Value; 2],
    [time, longest]: [f64; 2],
    region: Region,
    prices: Prices,
) -> f64 {
    let plan = plan(now, swing, support, time, region);
    let metre = now.snapshot.scales.length();
    let load = now.snapshot.normal_force(now.model, super::body_at(now.model, swing));
    (plan.out_of_reach + prices.length * plan.length) / metre
        + prices.load * load / now.snapshot.scales.weight()
        + prices.haste * (longest - time)
}

/// The cheapest of the three times, the earlier in the list where they cost the same; with its price.
fn best_time(
    now: &Measure<'_>,
    feet: [Value; 2],
    times: Vector3<f64>,
    region: Region,
    prices: Prices,
) -> (f64, f64) {
    let longest = times.max();
    let priced = times.iter().map(|&time| (time, cost(now, feet, [time, longest], region, prices)));
    priced.fold((times.x, f64::INFINITY), |best, next| if next.1 < best.1 - TIE { next } else { best })
}

/// The foot to step with: the cheaper one, the first where they cost the same; never the only one that bears or
/// could in a moment.
fn foot(now: &Measure<'_>, feet: [Value; 2], times: Vector3<f64>, region: Region, prices: Prices) -> Value {
    let bears = feet.map(|foot| {
        let body = super::body_at(now.model, foot);
        let mut touches = now.snapshot.contacts.touches.iter();
        let over_ground = now.place(foot).0.z - now.snapshot.ground_height;
        over_ground < NEAR_GROUND * now.snapshot.scales.length()
            || touches.any(|touch| touch.bears() && now.model.is_within(touch.body, body))
    });
    match bears {
        [true, false] => feet[1],
        [false, true] => feet[0],
        _ => {
            let first = best_time(now, feet, times, region, prices).1;
            let second = best_time(now, [feet[1], feet[0]], times, region, prices).1;
            if second < first - TIE { feet[1] } else { feet[0] }
        }
    }
}

fn ground(now: &Measure<'_>, point: Vector2<f64>) -> Value {
    Value::Vector(Vector3::new(point.x, point.y, now.snapshot.ground_height))
}

/// Two feet, three times, outward, near and far of the region, prices.
const STEP: &[Type] =
    &[Type::Site, Type::Site, Type::Vector, Type::Number, Type::Vector, Type::Vector, Type::Vector];

pub(super) const LIST: &[Quantity] = &[
    Quantity {
        name: "capture_point_after",
        arguments: &[Type::Place, Type::Number],
        result: Type::Vector,
        unit: "m",
        range: Interval::ANY,
        about: "Capture point some seconds (of the controller) ahead, standing on one foot alone, its centre of \
                pressure as near as it can well be.",
        value: |now, arguments| {
            let seconds = arguments[1].number() * now.snapshot.scales.time();
            ground(now, capture_point_after(now, arguments[0], seconds))
        },
    },
    Quantity {
        name: "step_foot",
        arguments: STEP,
        result: Type::Site,
        unit: "",
        range: Interval::ANY,
        about: "Of two feet the one that steps more cheaply, the first where they cost the same; then three \
                swing times to choose from, outward, near and far of `step_target`, and the prices of a metre of \
                length, of the whole weight on the foot and of a second of haste, in metres out of reach (for a \
                body whose COM stands 0.93 m high).",
        value: |now, arguments| {
            let feet = [arguments[0], arguments[1]];
            foot(now, feet, arguments[2].vector(), Region::of(&arguments[3..]), Prices::of(arguments[6]))
        },
    },
    Quantity {
        name: "step_time",
        arguments: STEP,
        result: Type::Number,
        unit: "s",
        range: Interval::ANY,
        about: "The cheapest of three swing times for a step of one foot while the other stands, by the prices \
                of `step_foot`.",
        value: |now, arguments| {
            let region = Region::of(&arguments[3..]);
            let feet = [arguments[0], arguments[1]];
            Value::Number(best_time(now, feet, arguments[2].vector(), region, Prices::of(arguments[6])).0)
        },
    },
    Quantity {
        name: "step_target",
        arguments: &[Type::Site, Type::Site, Type::Number, Type::Number, Type::Vector, Type::Vector],
        result: Type::Vector,
        unit: "m",
        range: Interval::ANY,
        about: "Where one foot should land while the other stands: swing foot, supporting foot, time left, how far \
                outward of the capture point at touchdown, and the near and far corner of the region it may \
                step into, from the supporting foot, x ahead and y to the swing foot's own side.",
        value: |now, arguments| {
            let time = arguments[2].number();
            let plan = plan(now, arguments[0], arguments[1], time, Region::of(&arguments[3..]));
            ground(now, plan.target)
        },
    },
    Quantity {
        name: "reach_height",
        arguments: &[Type::Place, Type::Vector, Type::Number],
        result: Type::Number,
        unit: "m",
        range: Interval::ANY,
        about: "Highest the COM can be over the ground with that point of a flat foot at a ground point some \
                seconds (of the controller) ahead.",
        value: |now, arguments| Value::Number(reach_height(now, arguments)),
    },
    Quantity {
        name: "farther_from_com",
        arguments: &[Type::Site, Type::Site],
        result: Type::Site,
        unit: "",
        range: Interval::ANY,
        about: "Of two places the one farther from the COM's projection, the first where they are as far.",
        value: |now, arguments| {
            let distance = |site: Value| (place(now, site) - now.snapshot.com.xy()).norm();
            let second = distance(arguments[1]) > distance(arguments[0]) + TIE;
            arguments[usize::from(second)]
        },
    },
    Quantity {
        name: "distance_rate",
        arguments: &[Type::Place, Type::Vector],
        result: Type::Number,
        unit: "m/s",
        range: Interval::ANY,
        about: "How fast a body's origin or a site moves away from a point that stands still.",
        value: |now, arguments| {
            let (point, velocity) = now.place(arguments[0]);
            let away = point - arguments[1].vector();
            Value::Number(away.dot(&velocity) / away.norm().max(1e-9))
        },
    },
];

/// The leg as the hypotenuse over the way from under the hip to the ankle, and the COM as far over the hip as now.
fn reach_height(now: &Measure<'_>, arguments: &[Value]) -> f64 {
    let Some(point) = now.snapshot.place(now.model, arguments[0]) else { return f64::NAN };
    let (target, seconds) =
        (arguments[1].vector(), arguments[2].number().max(0.0) * now.snapshot.scales.time());
    let (leg, (forward, left)) = (Leg::of(now, point), facing(now));
    let on_foot = leg.from_ankle;
    let ankle = target.xy() - forward * on_foot.x - left * on_foot.y;
    let hip = leg.hip.xy() + now.snapshot.com_velocity.xy() * seconds;
    let away = (ankle - hip).norm();
    let least = 0.65 * leg.reach;
    let leg_height = (leg.reach.powi(2) - away.powi(2)).max(least.powi(2)).sqrt();
    target.z - now.snapshot.ground_height - on_foot.z + leg_height + now.snapshot.com.z - leg.hip.z
}
