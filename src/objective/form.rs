//! From an error that is affine in the unknowns to a dimensionless residual: the forms every goal has.

use crate::affine::Affine;
use crate::expression::Motion;
use crate::predict::Prediction;
use crate::scales::Scales;

/// What an error row is of, which decides how it is shaped.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Order {
    /// A position, angle or direction: the error should vanish like a critically damped oscillator.
    Position,
    /// A rate: the error should decay exponentially.
    Velocity {
        /// s; the direct form weighs `time_constant` × rate.
        time_constant: f64,
    },
    /// A contact force whose error in the frame before was `last`.
    Force { last: f64 },
}

/// How an error is asked to vanish. Times are in seconds of this body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Form {
    /// In the next frame, as [Jain 2009] writes goals.
    Direct,
    /// Like a critically damped oscillator.
    Shaped { response: f64 },
    /// With no rate left after `time`: the least acceleration that does it, ∫ a² least.
    Arriving { time: f64 },
}

/// An error of the next frame and what it is of.
pub struct Residual<'p> {
    pub error: Affine<'p>,
    pub order: Order,
    /// Of the target, where it is followed: rate since the frame before and acceleration of each row, alternately.
    motion: Option<Affine<'p>>,
}

impl<'p> Residual<'p> {
    pub fn position(error: Affine<'p>) -> Self {
        Residual::of(error, Order::Position)
    }

    pub fn of(error: Affine<'p>, order: Order) -> Self {
        Residual { error, order, motion: None }
    }

    /// The same with a target that moves, row by row in the error's units.
    pub fn moving(self, next: &Prediction<'p>, motion: impl IntoIterator<Item = Motion<f64>>) -> Self {
        let rows = motion.into_iter().flat_map(|motion| [motion.velocity, motion.acceleration]);
        Residual { motion: Some(next.constants(rows)), ..self }
    }

    /// Distance from the target now: the norm of the error's rows, m or rad (or whatever they measure).
    pub fn distance(&self) -> f64 {
        (0..self.error.rows()).map(|row| self.error.constant(row).powi(2)).sum::<f64>().sqrt()
    }

    /// The residual whose square is weighed.
    ///
    /// *Direct* (no response time), as [Jain 2009] writes goals: the error itself, in m or rad.
    ///
    /// *Shaped*, with response time T (s): a* = −e/T² − 2ė/T, and
    /// r = (J v⁺ − (ė + dt a*))/(dt a₀) with a₀ = g for lengths and ω₀² for angles: a dimensionless
    /// acceleration. Rates use a* = −e/T. `velocity` is v^N.
    ///
    /// *Arriving*, T from the target: a* = −6 e/T² − 4 ė/T. Rates and forces are shaped with T.
    ///
    /// A moving target adds its acceleration to a*, ė is relative to it, and the direct form wants to be where it
    /// will be.
    pub fn shape(self, form: Form, scales: &Scales, velocity: &[f64]) -> Affine<'p> {
        let dt = scales.dt;
        let (mut error, motion) = (self.error, self.motion);
        let target = |row: usize| {
            let rows = motion.as_ref().filter(|rows| 2 * row + 1 < rows.rows());
            rows.map_or((0.0, 0.0), |rows| (rows.constant(2 * row), rows.constant(2 * row + 1)))
        };
        if let Order::Velocity { .. } = self.order {
            error.map_rows(|row, constant, _, _| (constant - target(row).0, 1.0));
        }
        match (self.order, form) {
            (Order::Position, Form::Direct) => {
                error.map_rows(|row, constant, _, _| {
                    let (rate, acceleration) = target(row);
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
                error.map_rows(|row, constant, linear, dimension| {
                    // error = e + dt J v⁺, so J v = linear(v)/dt.
                    let (e, rate) = (constant, linear(velocity) / dt);
                    let (target_rate, target_acceleration) = target(row);
                    let wanted = target_acceleration
                        - stiffness * e / (time * time)
                        - damping * (rate - target_rate) / time;
                    let unit = 1.0 / (dt * scales.acceleration(dimension));
                    (-(rate + dt * wanted) * unit, unit / dt)
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
            (Order::Force { last }, Form::Shaped { response: time } | Form::Arriving { time }) => {
                error - last * (1.0 - dt / time).max(0.0)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::affine::{Dimension, Pool};

    /// The motion of a target, without a prediction to take memory from.
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

    const SCALES: Scales = Scales { mass: 60.0, height: 0.9, dt: 0.01 };

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
    fn a_residual_is_an_acceleration_in_units_of_gravity() {
        let pool = Pool::default();
        let mut error = pool.affine(1);
        error.push(Dimension::Length, 0.0)[0] = SCALES.dt;
        let residual = Residual::position(error).shape(Form::Shaped { response: 0.2 }, &SCALES, &[0.0]);
        let one_g = 9.81 * SCALES.dt;
        assert!((residual.value(0, &[one_g]) - 1.0).abs() < 1e-12);
    }
}
