//! [Jain 2009] §6.1.2: G_p = W⁺ p − p₀, a point of a body to a point of the world.

use super::{Binder, Motion, Now, Objective, Residual};
use crate::diagnostic::FileError;
use crate::expression::{Lookup, PlaceChoice, PlaceField, Value, VectorField, VectorValue};
use crate::predict::Prediction;
use nalgebra::Vector3;
use serde::Deserialize;

/// r = p⁺ − target, m.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BodyPoint {
    /// A body (its frame's origin) or a site.
    point: PlaceField,
    /// From there, in the body's or site's body axes, m.
    #[serde(default)]
    offset: [f64; 3],
    /// World, m.
    target: VectorField,
    /// Leave the height free.
    #[serde(default)]
    horizontal: bool,
    /// The height alone.
    #[serde(default)]
    vertical: bool,
    /// Keep up with a target that moves with `time` or `state_time` (keyframes do), instead of lagging behind it.
    #[serde(default)]
    follow: bool,
}

struct Bound {
    point: PlaceChoice,
    offset: Vector3<f64>,
    target: VectorValue,
    horizontal: bool,
    vertical: bool,
    follow: bool,
}

impl BodyPoint {
    pub fn bind(&self, binder: &Binder<'_>) -> Result<impl Objective + use<>, FileError> {
        Ok(Bound {
            point: self.point.bind(binder.source, binder.names)?,
            offset: Vector3::from(self.offset),
            target: self.target.bind(binder.source, binder.names)?,
            horizontal: self.horizontal,
            vertical: self.vertical,
            follow: self.follow,
        })
    }
}

impl Objective for Bound {
    fn residual<'p>(&self, now: &Now<'_>, next: &Prediction<'p>) -> Option<Residual<'p>> {
        let (body, local) = now.place(now.model, self.point.value(now.values))?;
        let point = now.kinematics.point(body, &(local + self.offset));
        let target = self.target.value(now.values);
        let error = super::is_known(&target).then(|| next.point(body, &point) - target)?;
        let mut motion = if self.follow { self.motion(now) } else { Motion::default() };
        let error = if self.vertical {
            let height = |vector: Vector3<f64>| Vector3::new(vector.z, 0.0, 0.0);
            motion = Motion { velocity: height(motion.velocity), acceleration: height(motion.acceleration) };
            error.component(2)
        } else if self.horizontal {
            error.horizontal()
        } else {
            error
        };
        Some(Residual { motion, ..Residual::position(error) })
    }
}

impl Bound {
    /// Rate and acceleration of the target, by its places a frame ago, now and a frame ahead, all else as it is.
    fn motion(&self, now: &Now<'_>) -> Motion {
        let dt = now.scales.dt;
        let at = |by: f64| {
            let clock = by / now.scales.time();
            self.target.value(&Later { values: now.values, run: by, state: clock })
        };
        let (before, here, after) = (at(-dt), at(0.0), at(dt));
        Motion {
            velocity: (after - before) / (2.0 * dt),
            acceleration: (after - 2.0 * here + before) / (dt * dt),
        }
    }
}

/// The values of a frame at another time.
struct Later<'a> {
    values: &'a dyn Lookup,
    /// s
    run: f64,
    /// s on the controller's clock
    state: f64,
}

impl Lookup for Later<'_> {
    fn quantity(&self, slot: usize, arguments: &[Value]) -> Value {
        self.values.quantity(slot, arguments)
    }

    fn time(&self) -> f64 {
        self.values.time() + self.run
    }

    fn state_time(&self) -> f64 {
        self.values.state_time() + self.state
    }
}
