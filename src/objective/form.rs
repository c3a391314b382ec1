//! From an error that is affine in the unknowns to a dimensionless residual: the two forms every goal has.

use crate::affine::Affine;
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

/// An error of the next frame and what it is of.
pub struct Residual<'p> {
    pub error: Affine<'p>,
    pub order: Order,
}

impl<'p> Residual<'p> {
    pub fn position(error: Affine<'p>) -> Self {
        Residual { error, order: Order::Position }
    }

    /// The residual whose square is weighed.
    ///
    /// *Direct* (no response time), as [Jain 2009] writes goals: the error itself, in m or rad.
    ///
    /// *Shaped*, with response time T (s): a* = −e/T² − 2ė/T, and
    /// r = (J v⁺ − (ė + dt a*))/(dt a₀) with a₀ = g for lengths and ω₀² for angles: a dimensionless
    /// acceleration. Rates use a* = −e/T. `velocity` is v^N.
    pub fn shape(self, response: Option<f64>, scales: &Scales, velocity: &[f64]) -> Affine<'p> {
        let dt = scales.dt;
        let mut error = self.error;
        match (self.order, response) {
            (Order::Position, None) => error,
            (Order::Velocity { time_constant }, None) => error * time_constant,
            (Order::Force { .. }, None) => error,
            (Order::Position, Some(time)) => {
                error.map_rows(|constant, linear, dimension| {
                    // error = e + dt J v⁺, so J v = linear(v)/dt.
                    let (e, rate) = (constant, linear(velocity) / dt);
                    let wanted = -e / (time * time) - 2.0 * rate / time;
                    let unit = 1.0 / (dt * scales.acceleration(dimension));
                    (-(rate + dt * wanted) * unit, unit / dt)
                });
                error
            }
            (Order::Velocity { .. }, Some(time)) => {
                error.map_rows(|constant, linear, dimension| {
                    let e = constant + linear(velocity);
                    let unit = 1.0 / (dt * scales.acceleration(dimension));
                    ((constant - e * (1.0 - dt / time)) * unit, unit)
                });
                error
            }
            (Order::Force { last }, Some(time)) => error - last * (1.0 - dt / time).max(0.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::affine::{Dimension, Pool};

    const SCALES: Scales = Scales { mass: 60.0, height: 0.9, dt: 0.01 };

    #[test]
    fn a_shaped_position_that_is_met_follows_a_critically_damped_oscillator() {
        let (pool, time) = (Pool::default(), 0.2);
        let (mut position, mut velocity) = (0.3, 0.0);
        for _ in 0..400 {
            let mut error = pool.affine(1);
            error.push(Dimension::Length, position)[0] = SCALES.dt;
            let residual = Residual::position(error).shape(Some(time), &SCALES, &[velocity]);
            velocity = -residual.constant(0) / residual.coefficients(0)[0];
            position += SCALES.dt * velocity;
            assert!(position > -1e-12, "no overshoot");
        }
        assert!(position < 1e-6);
    }

    #[test]
    fn a_residual_is_an_acceleration_in_units_of_gravity() {
        let pool = Pool::default();
        let mut error = pool.affine(1);
        error.push(Dimension::Length, 0.0)[0] = SCALES.dt;
        let residual = Residual::position(error).shape(Some(0.2), &SCALES, &[0.0]);
        let one_g = 9.81 * SCALES.dt;
        assert!((residual.value(0, &[one_g]) - 1.0).abs() < 1e-12);
    }
}
