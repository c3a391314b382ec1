//! The forms of a goal: from an error that is affine in the unknowns to a dimensionless residual, and the side of the
//! target on which errors have a cost.

use super::{Axes, Target};
use crate::predict::Prediction;
use aplomb_body::model::scales::Scales;
use aplomb_math::affine::{Affine, Dimension};
use aplomb_math::elementary::hypot;
use aplomb_math::interpolation::Rates;
use nalgebra::Vector3;
use serde::Deserialize;

/// The order of the derivative of the configuration that an error measures, which decides how it is shaped.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Order {
    /// A position, angle or direction, whose error vanishes like a critically damped oscillator.
    Position,
    /// A rate, whose error decays exponentially.
    Velocity {
        /// Time constant of the one-step form, s.
        time_constant: f64,
    },
    /// A contact force.
    Force {
        /// Error of the force in the previous frame, in the residual's unit.
        last: f64,
    },
}

/// How an error should vanish. Times are in seconds, scaled to this body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Form {
    /// In the next frame: the one-step form of [Jain 2009].
    #[doc(alias = "one-step form")]
    Direct,
    /// Like a critically damped oscillator: the second-order form.
    #[doc(alias = "second-order form")]
    #[doc(alias = "PD")]
    Shaped {
        /// Response time of the second-order form, s.
        response: f64,
    },
    /// After `time`, with zero rate, along the motion of least acceleration, ∫ a² minimal.
    #[doc(alias = "time to go")]
    #[doc(alias = "minimum acceleration")]
    Arriving {
        /// Time until the error is zero, s.
        time: f64,
    },
    /// With the rate −e/`time`, but not faster than `fastest`: for distant targets.
    Horizon {
        /// Time constant of the approach, s.
        time: f64,
        /// Largest rate of the error, m/s or rad/s.
        fastest: f64,
    },
}

/// An error of the next frame and its order.
pub struct Residual<'p> {
    /// The error at the end of the frame, affine in the unknowns of the QP.
    pub error: Affine<'p>,
    /// Order of the derivative of the configuration that the error measures.
    pub order: Order,
    /// Motion of a followed target: for each row its rate since the previous frame, then its acceleration.
    motion: Option<Affine<'p>>,
    /// For errors whose rate does not follow from the unknowns alone: for each row its rate now, then its rate after
    /// the frame if all unknowns were 0.
    drift: Option<Affine<'p>>,
}

impl<'p> Residual<'p> {
    /// An error of a position.
    pub fn position(error: Affine<'p>) -> Self {
        Residual::of(error, Order::Position)
    }

    /// An error of the given order.
    pub fn of(error: Affine<'p>, order: Order) -> Self {
        Residual { error, order, motion: None, drift: None }
    }

    /// Adds the motion of the target, row by row in the error's units.
    pub fn moving(self, next: &Prediction<'p>, rates: impl IntoIterator<Item = Rates<f64>>) -> Self {
        let rows = rates.into_iter().flat_map(|rates| [rates.velocity, rates.acceleration]);
        Residual { motion: Some(next.constants(rows)), ..self }
    }

    /// Adds the motion of an object: the `rates` of each row now, and after the frame without the forces of
    /// this frame.
    pub(super) fn drifting(self, next: &Prediction<'p>, rates: impl IntoIterator<Item = [f64; 2]>) -> Self {
        Residual { drift: Some(next.constants(rates.into_iter().flatten())), ..self }
    }

    /// Adds the rates of these components of a target that is followed.
    pub(super) fn towards(self, next: &Prediction<'p>, target: &Target<Vector3<f64>>, axes: Axes) -> Self {
        match target.rates {
            None => self,
            Some(rates) => self.moving(next, axes.rates(rates)),
        }
    }

    /// Substitutes the current rates, v^N, for all unknown rates except those of these coordinates.
    pub fn served_by(mut self, coordinates: &[bool], velocity: &[f64]) -> Self {
        self.error.keep_moving(coordinates, velocity);
        self
    }

    /// Current distance from the target: the norm of the error's rows, m or rad (or their unit).
    pub fn distance(&self) -> f64 {
        (0..self.error.rows()).map(|row| self.error.constant(row).powi(2)).sum::<f64>().sqrt()
    }

    /// Factor of the weight of the residual, dimensionless. Relative to torque change, a rate has the same effect at
    /// any time step if its weight is per second, an acceleration or a force if its weight is per frame.
    pub fn weight_of_frame(&self, form: Form, scales: &Scales) -> f64 {
        match (self.order, form) {
            (Order::Velocity { .. }, Form::Direct) => scales.frames_a_step(),
            (Order::Position | Order::Velocity { .. }, Form::Horizon { .. }) => scales.frames_a_step(),
            _ => 1.0,
        }
    }

    /// The residual whose weighted square is the cost.
    ///
    /// *Direct* (no response time), as in [Jain 2009]: the error itself, in m or rad.
    ///
    /// *Shaped*, with response time T (s): a* = −e/T² − 2ė/T, and
    /// r = (J v⁺ − (ė + dt a*))/(dt a₀) with a₀ = g for lengths and ω₀² for angles: a dimensionless
    /// acceleration. Rates use a* = −e/T. `velocity` is v^N.
    ///
    /// *Arriving*, at time T before the end: a* = −6 e/T² − 4 ė/T. Rates and forces are shaped with T.
    ///
    /// *Horizon*, with time constant T: r = (J v⁺ − sat(−e/T))/(T a₀). The velocity of a point is bounded as
    /// a vector; of angles the fastest is bounded, and the others slow down in proportion. Rates: r = e/(T
    /// a₀). Forces are shaped with T.
    ///
    /// A moving target adds its next rate to the desired rate on a horizon. In the shaped forms it adds its
    /// acceleration to a*, with ė relative to it. In the one-step form the error is relative to its next
    /// position.
    pub fn shape(self, form: Form, scales: &Scales, velocity: &[f64]) -> Affine<'p> {
        let dt = scales.dt;
        let mut error = self.error;
        let rates = RowRates { dt, motion: self.motion, drift: self.drift };
        if let Order::Velocity { .. } = self.order {
            error.map_rows(|row, constant, _, _| (constant - rates.target(row).0, 1.0));
        }
        match (self.order, form) {
            (Order::Position, Form::Direct) => {
                error.map_rows(|row, constant, _, _| {
                    let (rate, acceleration) = rates.target(row);
                    (constant - dt * (rate + dt * acceleration), 1.0)
                });
                error
            }
            (Order::Velocity { time_constant }, Form::Direct) => error * time_constant,
            (Order::Force { .. }, Form::Direct) => error,
            (Order::Position, Form::Shaped { response: time } | Form::Arriving { time }) => {
                let (stiffness, damping) = match form {
                    Form::Arriving { .. } => (6.0, 4.0),
                    _ => (1.0, 2.0),
                };
                rates.second_order(&mut error, [stiffness, damping], time, scales, velocity);
                error
            }
            (Order::Position, Form::Horizon { time, fastest }) => {
                rates.on_horizon(&mut error, time, fastest, scales);
                error
            }
            (Order::Velocity { .. }, Form::Horizon { time, .. }) => {
                error.map_rows(|_, constant, _, dimension| {
                    let unit = 1.0 / (time * scales.acceleration(dimension));
                    (constant * unit, unit)
                });
                error
            }
            (Order::Velocity { .. }, Form::Shaped { response: time } | Form::Arriving { time }) => {
                error.map_rows(|_, constant, linear, dimension| {
                    let e = constant + linear(velocity);
                    let unit = 1.0 / (dt * scales.acceleration(dimension));
                    ((constant - e * (1.0 - dt / time)) * unit, unit)
                });
                error
            }
            (
                Order::Force { last },
                Form::Shaped { response: time } | Form::Arriving { time } | Form::Horizon { time, .. },
            ) => error - last * (1.0 - dt / time).max(0.0),
        }
    }
}

/// The factor on e/T that keeps the rate within `fastest`: one for the vector of all lengths, one for the largest
/// angle.
fn saturation(error: &Affine<'_>, time: f64, fastest: f64) -> f64 {
    let (mut length, mut angle): (f64, f64) = (0.0, 0.0);
    for row in 0..error.rows() {
        match error.dimension(row) {
            Dimension::Length => length = hypot(length, error.constant(row)),
            Dimension::Angle | Dimension::Pure => angle = angle.max(error.constant(row).abs()),
        }
    }
    let speed = length.max(angle) / time;
    if speed > fastest { fastest / speed } else { 1.0 }
}

/// Rates of the target and of the error, row by row.
struct RowRates<'p> {
    dt: f64,
    motion: Option<Affine<'p>>,
    drift: Option<Affine<'p>>,
}

impl RowRates<'_> {
    /// Rate and acceleration of the target.
    fn target(&self, row: usize) -> (f64, f64) {
        let rows = self.motion.as_ref().filter(|rows| 2 * row + 1 < rows.rows());
        rows.map_or((0.0, 0.0), |rows| (rows.constant(2 * row), rows.constant(2 * row + 1)))
    }

    /// The error's rate now, and its rate after the frame if all unknowns were 0.
    fn error(&self, row: usize, linear: f64) -> (f64, f64) {
        match &self.drift {
            Some(rows) => (rows.constant(2 * row), rows.constant(2 * row + 1)),
            None => (linear / self.dt, 0.0),
        }
    }

    /// Shapes a position's error by a* = −(stiffness) e/T² − (damping) ė/T.
    fn second_order(
        &self,
        error: &mut Affine,
        [stiffness, damping]: [f64; 2],
        time: f64,
        scales: &Scales,
        velocity: &[f64],
    ) {
        let dt = self.dt;
        error.map_rows(|row, constant, linear, dimension| {
            // error = e + dt (free + J v⁺), so J v = linear(v)/dt.
            let (rate, free) = self.error(row, linear(velocity));
            let e = constant - dt * free;
            let (target_rate, target_acceleration) = self.target(row);
            let wanted =
                target_acceleration - stiffness * e / (time * time) - damping * (rate - target_rate) / time;
            let unit = 1.0 / (dt * scales.acceleration(dimension));
            (-(rate - free + dt * wanted) * unit, unit / dt)
        });
    }

    /// Shapes a position's error by a bounded rate towards the target.
    fn on_horizon(&self, error: &mut Affine, time: f64, fastest: f64, scales: &Scales) {
        let dt = self.dt;
        let limit = saturation(error, time, fastest);
        error.map_rows(|row, constant, _, dimension| {
            let (_, free) = self.error(row, 0.0);
            let e = constant - dt * free;
            let (past_rate, acceleration) = self.target(row);
            let target_rate = past_rate + dt * acceleration;
            let unit = 1.0 / (time * scales.acceleration(dimension));
            ((limit * e / time - target_rate + free) * unit, unit / dt)
        });
    }
}

/// Side of the target on which errors have a cost.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum TargetSide {
    /// Errors on both sides have a cost.
    #[default]
    Exactly,
    /// Values above the target have no cost.
    AtLeast,
    /// Values below the target have no cost.
    AtMost,
}

impl TargetSide {
    /// Bounds of the residual, actual value less target, between which the cost is zero.
    pub fn free(self) -> [f64; 2] {
        match self {
            TargetSide::Exactly => [0.0, 0.0],
            TargetSide::AtLeast => [0.0, f64::INFINITY],
            TargetSide::AtMost => [f64::NEG_INFINITY, 0.0],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use aplomb_math::affine::Pool;

    /// The residual with the motion of a target, without a prediction to allocate from.
    fn moving<'p>(pool: &'p Pool, residual: Residual<'p>, [before, here, after]: [f64; 3]) -> Residual<'p> {
        let mut motion = pool.affine(0);
        motion.push(Dimension::Pure, (here - before) / SCALES.dt);
        motion.push(Dimension::Pure, (after - 2.0 * here + before) / SCALES.dt.powi(2));
        Residual { motion: Some(motion), ..residual }
    }

    #[test]
    fn a_moving_target_is_followed_to_the_frame_in_either_form() {
        let target = |step: i32| (0.05 * f64::from(step)).sin() + 0.01 * f64::from(step);
        for form in [Form::Direct, Form::Shaped { response: 0.1 }] {
            let pool = Pool::default();
            let (mut position, mut velocity) = (target(0), (target(0) - target(-1)) / SCALES.dt);
            for step in 0..300 {
                let mut error = pool.affine(1);
                error.push(Dimension::Length, position - target(step))[0] = SCALES.dt;
                let places = [step - 1, step, step + 1].map(target);
                let residual = moving(&pool, Residual::position(error), places);
                let residual = residual.shape(form, &SCALES, &[velocity]);
                velocity = -residual.constant(0) / residual.coefficients(0)[0];
                position += SCALES.dt * velocity;
                assert!((position - target(step + 1)).abs() < 1e-9, "{form:?}, frame {step}");
            }
        }
    }

    const SCALES: Scales =
        Scales { mass: 60.0, height: 0.9, dt: 0.01, period: 0.01, parts: 1, part: 0, before: 1.0 };

    #[test]
    fn a_shaped_position_that_is_met_follows_a_critically_damped_oscillator() {
        let (pool, time) = (Pool::default(), 0.2);
        let (mut position, mut velocity) = (0.3, 0.0);
        for _ in 0..400 {
            let mut error = pool.affine(1);
            error.push(Dimension::Length, position)[0] = SCALES.dt;
            let form = Form::Shaped { response: time };
            let residual = Residual::position(error).shape(form, &SCALES, &[velocity]);
            velocity = -residual.constant(0) / residual.coefficients(0)[0];
            position += SCALES.dt * velocity;
            assert!(position > -1e-12, "no overshoot");
        }
        assert!(position < 1e-6);
    }

    #[test]
    fn an_arriving_position_is_there_in_time_without_a_rate() {
        let (pool, steps) = (Pool::default(), 400);
        let (mut position, mut velocity) = (0.3, -0.5);
        for step in 0..steps {
            let mut error = pool.affine(1);
            error.push(Dimension::Length, position)[0] = SCALES.dt;
            let form = Form::Arriving { time: f64::from(steps - step) * SCALES.dt };
            let residual = Residual::position(error).shape(form, &SCALES, &[velocity]);
            velocity = -residual.constant(0) / residual.coefficients(0)[0];
            position += SCALES.dt * velocity;
        }
        assert!(position.abs() < 1e-3 && velocity.abs() < 1e-2, "{position} m, {velocity} m/s");
    }

    #[test]
    fn a_far_position_is_approached_at_the_fastest_speed_and_a_near_one_exponentially() {
        let pool = Pool::default();
        let (mut position, mut before) = (Vector3::new(0.3, -0.4, 1.2), Vector3::zeros());
        let form = Form::Horizon { time: 0.25, fastest: 0.8 };
        for step in 0..600 {
            let mut error = pool.affine(3);
            for row in 0..3 {
                error.push(Dimension::Length, position[row])[row] = SCALES.dt;
            }
            let residual = Residual::position(error).shape(form, &SCALES, before.as_slice());
            let velocity = Vector3::from_fn(|row, _| {
                let others = (0..3).filter(|&other| other != row);
                assert!(others.into_iter().all(|other| residual.coefficients(row)[other] == 0.0));
                -residual.constant(row) / residual.coefficients(row)[row]
            });
            let wanted = (position.norm() / 0.25).min(0.8);
            assert!((velocity.norm() - wanted).abs() < 1e-12, "step {step}");
            assert!(velocity.cross(&position).norm() < 1e-12, "straight on");
            position += SCALES.dt * velocity;
            before = velocity;
        }
        assert!(position.norm() < 1e-6);
    }

    #[test]
    fn on_a_horizon_a_moving_target_is_approached_by_its_own_rate_and_more() {
        let pool = Pool::default();
        let mut error = pool.affine(1);
        error.push(Dimension::Length, -0.1)[0] = SCALES.dt;
        let residual =
            moving(&pool, Residual::position(error), [-0.7, 0.0, 0.7].map(|rate| rate * SCALES.dt));
        let form = Form::Horizon { time: 0.5, fastest: f64::INFINITY };
        let residual = residual.shape(form, &SCALES, &[0.0]);
        assert!(residual.value(0, &[0.9]).abs() < 1e-12);
        let unit = 0.5 * 9.81;
        assert!((residual.value(0, &[0.9 + unit]) - 1.0).abs() < 1e-12, "in units of T g");
    }

    #[test]
    fn of_several_angles_the_one_farthest_off_is_fastest() {
        let pool = Pool::default();
        let mut error = pool.affine(2);
        error.push(Dimension::Angle, 1.0)[0] = SCALES.dt;
        error.push(Dimension::Angle, -0.5)[1] = SCALES.dt;
        let form = Form::Horizon { time: 0.1, fastest: 2.0 };
        let residual = Residual::position(error).shape(form, &SCALES, &[0.0, 0.0]);
        assert!(residual.value(0, &[-2.0, 1.0]).abs() < 1e-12);
        assert!(residual.value(1, &[-2.0, 1.0]).abs() < 1e-12);
    }

    #[test]
    fn a_residual_is_an_acceleration_in_units_of_gravity() {
        let pool = Pool::default();
        let mut error = pool.affine(1);
        error.push(Dimension::Length, 0.0)[0] = SCALES.dt;
        let residual = Residual::position(error).shape(Form::Shaped { response: 0.2 }, &SCALES, &[0.0]);
        let one_g = 9.81 * SCALES.dt;
        assert!((residual.value(0, &[one_g]) - 1.0).abs() < 1e-12);
    }
}
