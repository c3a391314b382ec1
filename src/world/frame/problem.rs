//! What a character's frame is solved with.

use super::replay::Replay;
use crate::contact::ContactOutcome;
use crate::dynamics::{ForwardDynamics, Kinematics};
use crate::model::Model;
use crate::predict::ExternalForce;
use nalgebra::Vector3;

/// Which frame is computed, and how long it lasts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrameTime {
    /// From 0 where the run begins.
    pub index: u64,
    /// s
    pub dt: f64,
}

/// What acts on a character in a frame from outside, what the frame came to, and the memory it is worked out in;
/// kept from frame to frame.
pub struct FrameProblem {
    /// What acts from outside. World.
    pub external: Vec<ExternalForce>,
    /// What each touch does in the last solve.
    pub outcomes: Vec<ContactOutcome>,
    /// Force of each grip in the last solve, world, N.
    pub grip_forces: Vec<Vector3<f64>>,
    /// How far the velocity was from the predicted one, m/s or rad/s; where frames are simulated.
    pub divergence: Option<f64>,
    /// dt v⁺ of the last solve, and the configuration it leads to.
    pub(super) displacement: Vec<f64>,
    pub(super) next_q: Vec<f64>,
    /// At the end of the last solve.
    pub(super) ahead: Kinematics,
    /// Finds the end of a frame anew, where the scene asks for it.
    pub(super) replay: Option<Replay>,
    pub(super) forward: ForwardDynamics,
}

impl FrameProblem {
    /// Of a body of this model. Where frames are `simulated`, forward dynamics under the forces found leads to their
    /// end.
    pub fn new(model: &Model, simulated: bool) -> Self {
        FrameProblem {
            external: Vec::new(),
            outcomes: Vec::new(),
            grip_forces: Vec::new(),
            divergence: None,
            displacement: vec![0.0; model.nv],
            next_q: vec![0.0; model.nq],
            ahead: Kinematics::new(model),
            replay: simulated.then(|| Replay::new(model)),
            forward: ForwardDynamics::new(model),
        }
    }
}
