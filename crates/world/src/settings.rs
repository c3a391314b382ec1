//! Settings that all characters of a world share.

use aplomb_body::dynamics::BiasVelocity;
use aplomb_control::synthesis::Settings;
use aplomb_qp::solver;
use nalgebra::Vector3;
use serde::Deserialize;

/// How the state at the end of a frame is computed from its solution.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Advance {
    /// The state predicted by the QP.
    #[default]
    Predicted,
    /// Forward dynamics under the torques and contact forces of the QP: an independent check. The summary
    /// reports the difference between the two.
    Simulated,
}

/// Step, gravity, solver and built-in weights of a world. The defaults are those of scene files.
#[derive(Clone, Debug, PartialEq)]
pub struct WorldSettings {
    /// Length of a frame, s.
    pub dt: f64,
    /// Gravity, world axes, m/s².
    pub gravity: Vector3<f64>,
    /// Name of the QP solver, one of [`solver::list`].
    pub solver: String,
    /// Weights of the objectives that every frame has.
    pub synthesis: Settings,
    /// How the state is advanced from frame to frame.
    pub advance: Advance,
    /// Largest momentum that a frame may gain without a force, per time, in m g and m g h: a frame that gains
    /// more, or in which a joint turns by more than 0.3 rad, is computed in halves, down to 1/32; 0: never.
    pub momentum_tolerance: f64,
    /// Coefficient of friction between characters, which then touch; without it they pass through each other.
    pub friction_between_characters: Option<f64>,
}

impl Default for WorldSettings {
    fn default() -> Self {
        WorldSettings {
            dt: 0.01,
            gravity: Vector3::new(0.0, 0.0, -9.81),
            solver: solver::DEFAULT.to_string(),
            synthesis: Settings {
                torque_change_weight: 0.01,
                contact_weight: 100.0,
                contact_response: 0.03,
                joint_limit_response: 0.05,
                force_weight: 1e-4,
                friction_directions: 4,
                bias_velocity: BiasVelocity::default(),
            },
            advance: Advance::default(),
            momentum_tolerance: 0.1,
            friction_between_characters: None,
        }
    }
}
