//! Outputs of `[planner.preview_step]`.
//!
//! The body is a linear inverted pendulum from now until its third touchdown
//! ([`aplomb_body::dynamics::footsteps`]); here its feet, soles and capture point become numbers forward and
//! across. Times are seconds on the controller's clock.

use super::footing::Sole;
use super::leg::{Leg, facing};
use super::step::{PRESSURE_SHARE, bears, ground, landing_of, pendulum_rate, pressure_on};
use super::{Measure, Quantity, body_at};
use aplomb_body::dynamics::footsteps::{Axis, Footsteps, Plan, Prices};
use aplomb_language::expression::{Interval, Type, Value};
use aplomb_math::elementary::exp;
use nalgebra::{Vector2, Vector3};

/// Number of tried swing times for the first step, from the shortest to the longest.
const FIRST_TIMES: usize = 7;
/// Number of tried swing times for each later step.
const LATER_TIMES: usize = 3;
/// Difference in cost by which the second foot replaces the first, m²: symmetric pushes must not be decided
/// by rounding.
const TIE: f64 = 1e-9;

/// The planner's inputs, for one swinging and one supporting foot.
#[derive(Clone, Copy)]
struct PreviewInputs {
    feet: [Value; 2],
    /// Time until the first touchdown, s on the controller's clock; `None` if it is free.
    time: Option<f64>,
    /// Shortest and longest swing time, and the time between steps, s on the controller's clock.
    times: Vector3<f64>,
    /// Preferred distance of a foot outward of the capture point, m; displacement of the centre of pressure beyond a
    /// sole by the body's rotation, m; cost of the whole weight on the lifted foot, m².
    outward: Vector3<f64>,
    /// Largest acceleration of a swinging foot forward and across, m/s².
    acceleration: Vector3<f64>,
    near: Vector3<f64>,
    far: Vector3<f64>,
    /// Costs of effort, offset and a step, m².
    prices: Vector3<f64>,
}

impl PreviewInputs {
    fn of(arguments: &[Value]) -> Option<PreviewInputs> {
        let [one, other, times, outward, acceleration, near, far, prices, rest @ ..] = arguments else {
            return None;
        };
        let [times, outward, acceleration] = [times, outward, acceleration].map(|value| value.vector());
        let [near, far, prices] = [near, far, prices].map(|value| value.vector());
        let (feet, time) = ([*one, *other], rest.first().map(|time| time.number()));
        Some(PreviewInputs { feet, time, times, outward, acceleration, near, far, prices })
    }

    /// The same inputs with the feet exchanged.
    fn turned(self) -> PreviewInputs {
        PreviewInputs { feet: [self.feet[1], self.feet[0]], ..self }
    }
}

/// A plan with its transformation to the world.
struct Preview {
    plan: Plan,
    ahead: Vector2<f64>,
    /// Direction to the side of the foot that swings first.
    outward: Vector2<f64>,
    pressure: Vector2<f64>,
    rate: f64,
    /// Cost of lengths in metres, m², including the load on the foot.
    cost: f64,
}

impl Preview {
    fn point(&self, [ahead, across]: [f64; 2]) -> Vector2<f64> {
        self.ahead * ahead + self.outward * across
    }

    fn foothold(&self, step: usize) -> Vector2<f64> {
        self.point(self.plan.footholds[step.min(self.plan.steps - 1)])
    }

    /// Position of the pendulum's mass at the first touchdown.
    fn com(&self, now: &Measure<'_>) -> Vector2<f64> {
        // ξ' = ω (ξ − p) and c' = ω (ξ − c).
        let (com, capture) = (now.snapshot.known_com().xy(), now.snapshot.known_capture_point());
        let growth = exp(self.rate * self.plan.times[0]);
        let (grown, shrunk) = (0.5 * (capture - self.pressure), com - 0.5 * (capture + self.pressure));
        self.pressure + grown * growth + shrunk / growth
    }
}

fn evenly<const COUNT: usize>(from: f64, to: f64) -> [f64; COUNT] {
    std::array::from_fn(|index| from + (to - from) * index as f64 / (COUNT - 1) as f64)
}

fn preview(now: &Measure<'_>, asked: &PreviewInputs) -> Option<Preview> {
    let (snapshot, [swing, support]) = (now.snapshot, asked.feet);
    let (clock, metre) = (snapshot.scales.time(), snapshot.scales.length());
    let (ahead, left) = facing(now);
    let leg = Leg::of(now, (body_at(now.model, swing), Vector3::zeros()));
    let side = if leg.side == 0.0 { 1.0 } else { leg.side };
    let outward = left * side;
    let pressure = pressure_on(now, support);
    let (rate, capture) = (pendulum_rate(now), snapshot.known_capture_point());
    let ((swings, velocity), stands) = (now.place(swing), now.place(support).0);
    let sole = Sole::bearing(now, snapshot.place(now.model, support)?);
    let half = 0.5 * (sole.high.y - sole.low.y);
    let lean = asked.outward.y;
    let axis = |index: usize, direction: Vector2<f64>, ends: [f64; 2]| Axis {
        capture: capture.dot(&direction),
        pressure: pressure.dot(&direction),
        swing: swings.xy().dot(&direction),
        swing_velocity: asked.time.map(|_| velocity.xy().dot(&direction)),
        support: stands.xy().dot(&direction),
        sole: [PRESSURE_SHARE * ends[0] - lean, PRESSURE_SHARE * ends[1] + lean],
        region: [asked.near[index], asked.far[index]],
        is_mirrored: index == 1,
        outward: if index == 1 { asked.outward.x } else { 0.0 },
        acceleration: asked.acceleration[index].max(1e-3),
    };
    let [effort, offset, step] = asked.prices.into();
    let steps = Footsteps {
        axes: [axis(0, ahead, [sole.low.x, sole.high.x]), axis(1, outward, [-half, half])],
        rate,
        pause: asked.times.z * clock,
        prices: Prices { effort: effort * metre * metre, offset, step: step * metre * metre },
    };
    let [shortest, longest] = [asked.times.x, asked.times.y].map(|time| time * clock);
    let later = evenly::<LATER_TIMES>(shortest, longest);
    let plan = match asked.time {
        None => steps.best(&evenly::<FIRST_TIMES>(shortest, longest), &later)?,
        Some(time) => steps.best(&[time.max(0.0) * clock], &later)?,
    };
    let load = snapshot.normal_force(now.model, body_at(now.model, swing)) / snapshot.scales.weight();
    let cost = plan.cost / (metre * metre) + asked.outward.z * load;
    Some(Preview { plan, ahead, outward, pressure, rate, cost })
}

/// The foot to step with: the one with the lower cost, or the first if they are equal; never the only supporting one.
fn foot(now: &Measure<'_>, asked: &PreviewInputs) -> Value {
    let [first, second] = asked.feet;
    match [first, second].map(|foot| bears(now, foot)) {
        [true, false] => return second,
        [false, true] => return first,
        _ => {}
    }
    let price = |asked: &PreviewInputs| preview(now, asked).map_or(f64::INFINITY, |preview| preview.cost);
    if price(&asked.turned()) < price(asked) - TIE { second } else { first }
}

fn number(now: &Measure<'_>, arguments: &[Value], read: impl Fn(&Preview) -> f64) -> Value {
    let found = PreviewInputs::of(arguments).and_then(|asked| preview(now, &asked));
    Value::Number(found.as_ref().map_or(f64::NAN, read))
}

fn point(now: &Measure<'_>, arguments: &[Value], read: impl Fn(&Preview) -> Value) -> Value {
    let found = PreviewInputs::of(arguments).and_then(|asked| preview(now, &asked));
    found.as_ref().map_or(Value::Vector(Vector3::repeat(f64::NAN)), read)
}

/// Feet, times, outward distance, acceleration, near and far end of the region, costs; then, if it is fixed,
/// the time until touchdown.
const STEP: &[Type] = &[
    Type::Site,
    Type::Site,
    Type::Vector,
    Type::Vector,
    Type::Vector,
    Type::Vector,
    Type::Vector,
    Type::Vector,
];

const fn of_plan(
    name: &'static str,
    result: Type,
    unit: &'static str,
    value: fn(&Measure<'_>, &[Value]) -> Value,
) -> Quantity {
    Quantity { name, arguments: STEP, result, unit, range: Interval::ANY, about: "", value }
}

/// Value of each output of the planner in the frame; expressions cannot use these names.
pub(super) const LIST: &[Quantity] = &[
    of_plan("[preview_step] foot", Type::Site, "", |now, arguments| match PreviewInputs::of(arguments) {
        Some(asked) => foot(now, &asked),
        None => arguments[0],
    }),
    of_plan("[preview_step] time", Type::Number, "s", |now, arguments| {
        number(now, arguments, |found| found.plan.times[0] / now.snapshot.scales.time())
    }),
    of_plan("[preview_step] target", Type::Vector, "m", |now, arguments| {
        point(now, arguments, |found| landing_of(now, arguments[0], found.foothold(0)))
    }),
    of_plan("[preview_step] next_target", Type::Vector, "m", |now, arguments| {
        let stays = now.place(arguments[1]).0.xy();
        point(now, arguments, |found| match found.plan.steps {
            1 => landing_of(now, arguments[1], stays),
            _ => landing_of(now, arguments[1], found.foothold(1)),
        })
    }),
    of_plan("[preview_step] steps", Type::Number, "", |now, arguments| {
        number(now, arguments, |found| found.plan.steps as f64)
    }),
    of_plan("[preview_step] capture_point", Type::Vector, "m", |now, arguments| {
        point(now, arguments, |found| ground(now, found.point(found.plan.captures[0])))
    }),
    of_plan("[preview_step] com", Type::Vector, "m", |now, arguments| {
        point(now, arguments, |found| {
            let com = found.com(now);
            Value::Vector(Vector3::new(com.x, com.y, now.snapshot.known_com().z))
        })
    }),
    of_plan("[preview_step] cost", Type::Number, "", |now, arguments| {
        number(now, arguments, |found| found.cost)
    }),
];
