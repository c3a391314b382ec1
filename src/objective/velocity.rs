//! [Jain 2009] §6.1.1 (3): G_qv = q̇⁺.

use super::{Binder, JointName, Now, Objective, Order, Residual};
use crate::diagnostic::FileError;
use crate::predict::Prediction;
use serde::Deserialize;

/// r = v⁺ of the chosen coordinates, m/s and rad/s; the direct form weighs `time_constant` × v⁺.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Velocity {
    /// Joints it holds for; all when left out.
    #[serde(default)]
    joints: Option<Vec<JointName>>,
    /// The root's six coordinates too.
    #[serde(default = "yes")]
    root: bool,
    /// s; direct form only.
    #[serde(default = "tenth")]
    time_constant: f64,
}

fn yes() -> bool {
    true
}

fn tenth() -> f64 {
    0.1
}

struct Bound {
    coordinates: Vec<usize>,
    time_constant: f64,
}

impl Velocity {
    pub fn bind(&self, binder: &Binder<'_>) -> Result<impl Objective + use<>, FileError> {
        let joints = binder.joints(self.joints.as_deref(), self.root)?;
        let coordinates = joints.into_iter().flat_map(|joint| binder.model.coordinates(joint)).collect();
        Ok(Bound { coordinates, time_constant: self.time_constant })
    }
}

impl Objective for Bound {
    fn residual<'p>(&self, _: &Now<'_>, next: &Prediction<'p>) -> Option<Residual<'p>> {
        let error = next.rates(self.coordinates.iter().copied());
        Some(Residual::of(error, Order::Velocity { time_constant: self.time_constant }))
    }
}
