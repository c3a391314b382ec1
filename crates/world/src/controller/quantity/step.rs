//! Steps: the foot, its target and its speed.
//!
//! A step is planned with the linear inverted pendulum. While the body stands on one foot with its centre of
//! pressure at p, the capture point ξ moves away from it: ξ(t) = p + (ξ − p) exp(t √(g/z)) (Koolen et al.
//! 2012, Capturability-based analysis, eq. 12). A foot placed there brings the body to rest. Times are
//! seconds on the controller's clock.

use super::footing::landing;
use super::leg::{Leg, facing};
use super::{Measure, Quantity};
use aplomb_body::model::scales::STANDARD_GRAVITY;
use aplomb_language::expression::{Interval, MOST_ARGUMENTS, Type, Value};
use aplomb_math::elementary::{exp, hypot};
use nalgebra::{Vector2, Vector3};

/// Share of the way from the centre of the supporting foot to its edge that the centre of pressure can use.
pub(super) const PRESSURE_SHARE: f64 = 0.8;
/// Smallest height of the COM in plans, as a share of its standing height.
const LOWEST: f64 = 0.5;
/// Lateral distance of the feet without a cost of length, m × length scale.
const STANCE_WIDTH: f64 = 0.18;
/// Height of a sole above the ground at which it has just touched down and bounces, so that it counts as
/// supporting, m × length scale.
const NEAR_GROUND: f64 = 0.01;
/// Difference in cost by which a second foot replaces the first: symmetric pushes must not be decided by
/// rounding.
const TIE: f64 = 1e-6;

/// A planned step.
struct Plan {
    target: Vector2<f64>,
    /// Distance of the desired foothold from the region, m.
    out_of_reach: f64,
    /// Length of the step from a comfortable stance, m; with more than two feet, the decrease of this foot's
    /// distance from its place, negative.
    length: f64,
    /// Capture point at the end of the step.
    capture: Vector2<f64>,
}

/// The region of a foot's step, relative to the supporting foot: x forward, y to the foot's own side, m.
#[derive(Clone, Copy)]
struct Region {
    near: Vector3<f64>,
    far: Vector3<f64>,
    /// Distance of the foothold beyond the capture point, to the foot's own side, m.
    outward: f64,
}

/// Costs of steps, as equivalent metres (× length scale) of missed distance.
#[derive(Clone, Copy)]
struct StepPrices {
    /// Cost of a metre (× length scale) of length.
    length: f64,
    /// Cost of the body's whole weight on the foot that would be lifted.
    load: f64,
    /// Cost of a second less than the longest time.
    haste: f64,
}

impl StepPrices {
    fn of(argument: Value) -> StepPrices {
        let [length, load, haste] = argument.vector().into();
        StepPrices { length, load, haste }
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

/// Centre of some feet.
fn middle(now: &Measure<'_>, feet: &Feet) -> Vector2<f64> {
    if feet.count == 1 {
        return place(now, feet.all[0]);
    }
    feet.iter().map(|foot| place(now, foot)).sum::<Vector2<f64>>() / feet.count as f64
}

/// Centre of pressure on the bodies of `supports` alone, as near to the capture point as possible.
fn pressure(now: &Measure<'_>, supports: &Feet) -> Vector2<f64> {
    let capture = now.snapshot.known_capture_point();
    let is_foot =
        |part| supports.iter().any(|foot| now.model.is_within(part, super::body_at(now.model, foot)));
    // Without contact, the feet are assumed to support at their present positions.
    now.snapshot.support_of(is_foot, |foot| match foot.centre() {
        None => middle(now, supports),
        Some(middle) => {
            let nearest = if foot.margin(&capture) >= 0.0 { capture } else { foot.closest(&capture) };
            middle + (nearest - middle) * PRESSURE_SHARE
        }
    })
}

/// Centre of pressure on one foot alone, as near to the capture point as possible, on the ground, m.
pub(super) fn pressure_on(now: &Measure<'_>, foot: Value) -> Vector2<f64> {
    pressure(now, &Feet::of(std::iter::once(foot)))
}

/// Rate √(g/z) of the linear inverted pendulum, rad/s.
pub(super) fn pendulum_rate(now: &Measure<'_>) -> f64 {
    let height = now.snapshot.com_height().max(LOWEST * now.snapshot.scales.height);
    (STANDARD_GRAVITY / height).sqrt()
}

/// The capture point after `time` s (of this body), on the bodies of `supports` alone.
fn capture_point_after(now: &Measure<'_>, supports: &Feet, time: f64) -> Vector2<f64> {
    let capture = now.snapshot.known_capture_point();
    let pressure = pressure(now, supports);
    pressure + (capture - pressure) * exp(time * pendulum_rate(now))
}

/// A set of feet.
#[derive(Clone, Copy)]
struct Feet {
    all: [Value; MOST_ARGUMENTS],
    count: usize,
}

impl Feet {
    fn of(feet: impl Iterator<Item = Value>) -> Feet {
        let mut found = Feet { all: [Value::Boolean(false); MOST_ARGUMENTS], count: 0 };
        for (place, foot) in found.all.iter_mut().zip(feet) {
            *place = foot;
            found.count += 1;
        }
        found
    }

    fn iter(&self) -> impl Iterator<Item = Value> + Clone + '_ {
        self.all[..self.count].iter().copied()
    }
}

/// A swing foot, with its partner and the supporting feet.
#[derive(Clone, Copy)]
struct Step {
    swing: Value,
    /// Foot that swings at the same time.
    partner: Option<Value>,
    supports: Feet,
}

impl Step {
    /// The step of one of these feet, supported by the others. In pairs, the foot whose hip is farthest steps
    /// at the same time.
    fn of(now: &Measure<'_>, swing: Value, feet: &[Value], pairs: bool) -> Step {
        let others = || feet.iter().copied().filter(|foot| *foot != swing);
        let partner = if pairs { partner(now, swing, others()) } else { None };
        Step { swing, partner, supports: Feet::of(others().filter(|foot| Some(*foot) != partner)) }
    }

    fn swinging(&self) -> impl Iterator<Item = Value> {
        std::iter::once(self.swing).chain(self.partner)
    }
}

/// The foot whose hip is farthest from that of `foot`, the first of equal ones.
fn partner(now: &Measure<'_>, foot: Value, others: impl Iterator<Item = Value>) -> Option<Value> {
    let hip = |foot: Value| Leg::of(now, (super::body_at(now.model, foot), Vector3::zeros())).hip;
    let own = hip(foot);
    let farthest = others.map(|other| (other, (hip(other) - own).norm()));
    let farthest = farthest.fold(None, |best: Option<(Value, f64)>, next| match best {
        Some(best) if next.1 <= best.1 + TIE => Some(best),
        _ => Some(next),
    });
    farthest.map(|(other, _)| other)
}

fn plan(now: &Measure<'_>, step: &Step, swing: Value, time: f64, region: Region) -> Plan {
    let seconds = time.max(0.0) * now.snapshot.scales.time();
    let (forward, left) = facing(now);
    let leg = Leg::of(now, (super::body_at(now.model, swing), Vector3::zeros()));
    let side = leg.side;
    let capture = capture_point_after(now, &step.supports, seconds);
    let beyond = capture + left * (side * region.outward);
    // Next to the only supporting foot; otherwise under its hip, which moves on.
    let only = (step.supports.count == 1).then(|| step.supports.all[0]);
    let (origin, wish) = match only {
        Some(support) => (place(now, support), beyond - place(now, support)),
        None => {
            let home = under_hip(&leg, forward, left);
            let origin = home + now.snapshot.known_com_velocity().xy() * seconds;
            let homes = step.supports.iter().chain(step.swinging()).map(|foot| {
                let leg = Leg::of(now, (super::body_at(now.model, foot), Vector3::zeros()));
                under_hip(&leg, forward, left)
            });
            let count = (step.supports.count + step.swinging().count()) as f64;
            let middle = homes.sum::<Vector2<f64>>() / count;
            (origin, beyond + (home - middle) - origin)
        }
    };
    let (ahead, across) = (wish.dot(&forward), side * wish.dot(&left));
    let ahead_in = ahead.max(region.near.x).min(region.far.x);
    let across_in = across.max(region.near.y).min(region.far.y);
    let target = origin + forward * ahead_in + left * (side * across_in);
    let comfortable = STANCE_WIDTH * now.snapshot.scales.length();
    let length = match only {
        Some(_) => hypot(ahead_in, across_in - comfortable),
        // The improvement of the stance: feet that do not step do not improve it.
        None => -(target - place(now, swing)).norm(),
    };
    let out_of_reach = (ahead - ahead_in).abs() + (across - across_in).abs();
    Plan { target, out_of_reach, length, capture }
}

/// Position of the foot of a leg under its hip, as at rest.
fn under_hip(leg: &Leg, forward: Vector2<f64>, left: Vector2<f64>) -> Vector2<f64> {
    leg.hip.xy() + forward * leg.stance[0] + left * leg.stance[1]
}

/// Largest distance of a foot from its place relative to the others: from under its hip, with all places
/// moved so that their centre is that of the feet, m.
fn astray(now: &Measure<'_>, feet: &[Value]) -> f64 {
    let (forward, left) = facing(now);
    let off = |foot: &Value| {
        let leg = Leg::of(now, (super::body_at(now.model, *foot), Vector3::zeros()));
        place(now, *foot) - under_hip(&leg, forward, left)
    };
    let middle = feet.iter().map(off).sum::<Vector2<f64>>() / feet.len() as f64;
    feet.iter().map(|foot| (off(foot) - middle).norm()).fold(0.0, f64::max)
}

/// Distance of the capture point from the support at the end of these plans, m.
fn left_over(now: &Measure<'_>, step: &Step, plans: [Option<&Plan>; 2]) -> f64 {
    let Some(first) = plans[0] else { return 0.0 };
    let landed = plans.into_iter().flatten().map(|plan| plan.target);
    let stands =
        |part| step.supports.iter().any(|foot| now.model.is_within(part, super::body_at(now.model, foot)));
    now.snapshot.support_with(stands, landed, |polygon| (-polygon.margin(&first.capture)).max(0.0))
}

/// Cost of a step that takes `time` s if `longest` is the longest time.
fn cost(
    now: &Measure<'_>,
    step: &Step,
    [time, longest]: [f64; 2],
    region: Region,
    prices: StepPrices,
) -> f64 {
    let first = plan(now, step, step.swing, time, region);
    let second = step.partner.map(|partner| plan(now, step, partner, time, region));
    let over =
        if step.supports.count == 1 { 0.0 } else { left_over(now, step, [Some(&first), second.as_ref()]) };
    let metre = now.snapshot.scales.length();
    let price = |plan: &Plan| plan.out_of_reach + prices.length * plan.length;
    let load = |foot| now.snapshot.normal_force(now.model, super::body_at(now.model, foot));
    let mut cost = price(&first) / metre
        + prices.load * load(step.swing) / now.snapshot.scales.weight()
        + prices.haste * (longest - time);
    if let (Some(second), Some(partner)) = (&second, step.partner) {
        cost += price(second) / metre + prices.load * load(partner) / now.snapshot.scales.weight();
    }
    if over > 0.0 { cost + over / metre } else { cost }
}

/// The time with the lowest cost of three, the first of equal ones; with its cost.
fn best_time(
    now: &Measure<'_>,
    step: &Step,
    times: Vector3<f64>,
    region: Region,
    prices: StepPrices,
) -> (f64, f64) {
    let longest = times.max();
    let priced = times.iter().map(|&time| (time, cost(now, step, [time, longest], region, prices)));
    priced.fold((times.x, f64::INFINITY), |best, next| if next.1 < best.1 - TIE { next } else { best })
}

/// Whether a foot is in contact, or nearly so.
pub(super) fn bears(now: &Measure<'_>, foot: Value) -> bool {
    let body = super::body_at(now.model, foot);
    let mut touches = now.snapshot.contacts.touches.iter();
    let over_ground = super::footing::over_ground(now, foot);
    over_ground < NEAR_GROUND * now.snapshot.scales.length()
        || touches.any(|touch| touch.bears() && now.model.is_within(touch.body, body))
}

/// The foot to step with: the one with the lowest cost, the first of equal ones; never the only one in
/// contact or nearly so.
fn foot(
    now: &Measure<'_>,
    asked: &StepInputs<'_>,
    times: Vector3<f64>,
    region: Region,
    prices: StepPrices,
) -> Value {
    let bears = |foot: Value| bears(now, foot);
    let steps = asked.feet.iter().map(|&foot| Step::of(now, foot, asked.feet, asked.pairs));
    let stands = |step: &Step| step.supports.iter().any(bears);
    let any_stands = steps.clone().any(|step| stands(&step));
    let mut candidates = steps.filter(|step| !any_stands || stands(step));
    let Some(first) = candidates.next() else { return asked.feet[0] };
    let Some(second) = candidates.next() else { return first.swing };
    let price = |step: &Step| best_time(now, step, times, region, prices).1;
    let mut best = (first.swing, price(&first));
    for step in std::iter::once(second).chain(candidates) {
        let next = price(&step);
        if next < best.1 - TIE {
            best = (step.swing, next);
        }
    }
    best.0
}

/// The feet and other inputs of a planner.
struct StepInputs<'a> {
    feet: &'a [Value],
    rest: &'a [Value],
    pairs: bool,
}

impl<'a> StepInputs<'a> {
    /// Feet are listed first, then `count` arguments, then a number if feet step in pairs.
    fn of(arguments: &'a [Value], count: usize) -> StepInputs<'a> {
        let are_pairs = arguments.last().filter(|last| matches!(last, Value::Number(_)));
        let whole = &arguments[..arguments.len() - usize::from(are_pairs.is_some())];
        let (feet, rest) = whole.split_at(whole.len() - count);
        StepInputs { feet, rest, pairs: are_pairs.is_some() }
    }

    /// The first of the feet swings.
    fn step(&self, now: &Measure<'_>) -> Step {
        Step::of(now, self.feet[0], self.feet, self.pairs)
    }
}

pub(super) fn ground(now: &Measure<'_>, point: Vector2<f64>) -> Value {
    Value::Vector(Vector3::new(point.x, point.y, now.snapshot.footing_height))
}

/// The place near a planned foothold where the whole sole is supported.
pub(super) fn landing_of(now: &Measure<'_>, foot: Value, point: Vector2<f64>) -> Value {
    Value::Vector(landing(now, foot, &Vector3::new(point.x, point.y, now.snapshot.footing_height)))
}

/// Two feet, three times, outward distance, near and far end of the region, costs.
const STEP: &[Type] =
    &[Type::Site, Type::Site, Type::Vector, Type::Number, Type::Vector, Type::Vector, Type::Vector];

pub(super) const LIST: &[Quantity] = &[
    Quantity {
        name: "capture_point_after",
        arguments: &[Type::Place, Type::Number],
        result: Type::Vector,
        unit: "m",
        range: Interval::ANY,
        about: "Capture point predicted some seconds (of the controller) ahead, standing on one foot, with the \
                centre of pressure on the sole as close to it as possible.",
        value: |now, arguments| {
            let seconds = arguments[1].number() * now.snapshot.scales.time();
            ground(now, capture_point_after(now, &Feet::of(arguments[..1].iter().copied()), seconds))
        },
    },
    Quantity {
        name: "[capture_step] foot",
        arguments: STEP,
        result: Type::Site,
        unit: "",
        range: Interval::ANY,
        about: "The one of two feet whose step has the lower cost, the first if they are equal. Further \
                arguments: three candidate swing times; outward, near and far of `target`; the costs of a metre \
                of length, of the whole weight on the foot and of a second of haste, in metres out of reach (for \
                a body whose COM is 0.93 m high).",
        value: |now, arguments| {
            let asked = StepInputs::of(arguments, 5);
            let [times, .., prices] = asked.rest else { return arguments[0] };
            foot(now, &asked, times.vector(), Region::of(&asked.rest[1..]), StepPrices::of(*prices))
        },
    },
    Quantity {
        name: "[capture_step] time",
        arguments: STEP,
        result: Type::Number,
        unit: "s",
        range: Interval::ANY,
        about: "The one of three swing times with the lowest cost for a step of one foot while the other \
                supports, with the costs of `foot`.",
        value: |now, arguments| {
            let asked = StepInputs::of(arguments, 5);
            let [times, .., prices] = asked.rest else { return Value::Number(f64::NAN) };
            let (region, prices) = (Region::of(&asked.rest[1..]), StepPrices::of(*prices));
            Value::Number(best_time(now, &asked.step(now), times.vector(), region, prices).0)
        },
    },
    Quantity {
        name: "[capture_step] target",
        arguments: &[Type::Site, Type::Site, Type::Number, Type::Number, Type::Vector, Type::Vector],
        result: Type::Vector,
        unit: "m",
        range: Interval::ANY,
        about: "Landing point of one foot while the other supports, adjusted by `landing_place`. Arguments: \
                swing foot, supporting foot, time left, outward distance from the capture point at touchdown, \
                and the near and far corner of the target region, from the supporting foot, x ahead and y to the \
                side of the swing foot.",
        value: |now, arguments| {
            let asked = StepInputs::of(arguments, 4);
            let (step, time) = (asked.step(now), asked.rest[0].number());
            landing_of(
                now,
                step.swing,
                plan(now, &step, step.swing, time, Region::of(&asked.rest[1..])).target,
            )
        },
    },
    Quantity {
        name: "[capture_step] partner",
        arguments: &[Type::Site, Type::Site],
        result: Type::Site,
        unit: "",
        range: Interval::ANY,
        about: "The foot that steps together with the first: the one whose hip is farthest from its own.",
        value: |now, arguments| {
            let others = arguments[1..].iter().copied().filter(|foot| *foot != arguments[0]);
            partner(now, arguments[0], others).unwrap_or(arguments[0])
        },
    },
    Quantity {
        name: "[capture_step] partner_target",
        arguments: &[Type::Site, Type::Site, Type::Number, Type::Number, Type::Vector, Type::Vector],
        result: Type::Vector,
        unit: "m",
        range: Interval::ANY,
        about: "As `target`, for the foot that steps together with the first.",
        value: |now, arguments| {
            let asked = StepInputs::of(arguments, 4);
            let (step, time) = (asked.step(now), asked.rest[0].number());
            let swing = step.partner.unwrap_or(step.swing);
            landing_of(now, swing, plan(now, &step, swing, time, Region::of(&asked.rest[1..])).target)
        },
    },
    Quantity {
        name: "[capture_step] astray",
        arguments: &[Type::Site, Type::Site],
        result: Type::Number,
        unit: "m",
        range: Interval::NEVER_NEGATIVE,
        about: "The largest distance of one of these feet from its nominal place relative to the others.",
        value: |now, arguments| Value::Number(astray(now, arguments)),
    },
    Quantity {
        name: "under_hip",
        arguments: &[Type::Site],
        result: Type::Vector,
        unit: "m",
        range: Interval::ANY,
        about: "Nominal place of a foot on the ground under its hip, as in the rest pose.",
        value: |now, arguments| {
            let Some(point) = now.snapshot.place(now.model, arguments[0]) else {
                return Value::Vector(Vector3::repeat(f64::NAN));
            };
            let (forward, left) = facing(now);
            ground(now, under_hip(&Leg::of(now, point), forward, left))
        },
    },
    Quantity {
        name: "reach_height",
        arguments: &[Type::Place, Type::Vector, Type::Number],
        result: Type::Number,
        unit: "m",
        range: Interval::ANY,
        about: "Largest height of the COM over the footing at which that point of a flat foot reaches a ground \
                point some seconds (of the controller) ahead.",
        value: |now, arguments| Value::Number(reach_height(now, arguments)),
    },
    Quantity {
        name: "farther_from_com",
        arguments: &[Type::Site, Type::Site],
        result: Type::Site,
        unit: "",
        range: Interval::ANY,
        about: "The one of two sites farther from the COM's ground projection; the first if they are equally far.",
        value: |now, arguments| {
            let distance = |site: Value| (place(now, site) - now.snapshot.known_com().xy()).norm();
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
        about: "Rate at which the distance of a body's origin or a site from a fixed point grows.",
        value: |now, arguments| {
            let (point, velocity) = now.place(arguments[0]);
            let away = point - arguments[1].vector();
            Value::Number(away.dot(&velocity) / away.norm().max(1e-9))
        },
    },
];

/// The leg is the hypotenuse over the displacement from under the hip to the ankle, and the COM keeps its
/// height above the hip.
fn reach_height(now: &Measure<'_>, arguments: &[Value]) -> f64 {
    let Some(point) = now.snapshot.place(now.model, arguments[0]) else { return f64::NAN };
    let (target, seconds) =
        (arguments[1].vector(), arguments[2].number().max(0.0) * now.snapshot.scales.time());
    let (leg, (forward, left)) = (Leg::of(now, point), facing(now));
    let on_foot = leg.from_ankle;
    let ankle = target.xy() - forward * on_foot.x - left * on_foot.y;
    let hip = leg.hip.xy() + now.snapshot.known_com_velocity().xy() * seconds;
    let away = (ankle - hip).norm();
    let least = 0.65 * leg.reach;
    let leg_height = (leg.reach.powi(2) - away.powi(2)).max(least.powi(2)).sqrt();
    target.z - now.snapshot.footing_height - on_foot.z + leg_height + now.snapshot.known_com().z - leg.hip.z
}
