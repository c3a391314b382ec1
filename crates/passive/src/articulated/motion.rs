//! Motion control: joints and points that follow a target by constraints on their acceleration, with the
//! force that this takes ([Kokkevis 2004] §8.3).

use aplomb_body::model::BodyId;
use nalgebra::Vector3;

/// Feedback gains: ë = −kp e − kd ė (eq. 22).
#[doc(alias = "PD control")]
#[doc(alias = "Baumgarte stabilisation")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gains {
    /// Position gain, 1/s².
    pub kp: f64,
    /// Velocity gain, 1/s.
    pub kd: f64,
}

impl Gains {
    /// Gains of an oscillator with natural frequency `frequency` (rad/s) and damping ratio `damping`: below 1
    /// it overshoots, above 1 it is overdamped, at 1 it is critically damped.
    pub fn damped(frequency: f64, damping: f64) -> Gains {
        Gains { kp: frequency * frequency, kd: 2.0 * damping * frequency }
    }

    /// Critically damped gains with which an error from rest decays to a tenth after `ts` seconds. The
    /// paper's own values, 1/ts² and 2/ts, leave 74 % after this time: (1 + ω ts) exp(−ω ts) = 0.1 has the
    /// root ω ts = 3.8897.
    pub fn settling(ts: f64) -> Gains {
        Gains::damped(3.889_720_169_867_429 / ts, 1.0)
    }

    /// Acceleration for an error of position and velocity (target less present value).
    pub(crate) fn acceleration(&self, error: f64, rate: f64) -> f64 {
        self.kp * error + self.kd * rate
    }
}

/// The joint or point that a motion moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Follower {
    /// A hinge or slide, by its velocity coordinate and its index in q.
    Joint {
        /// Index of the velocity coordinate.
        coordinate: usize,
        /// Index of the configuration coordinate.
        q_index: usize,
    },
    /// A point of a body, in the body's frame.
    Point {
        /// Body the point is fixed to.
        body: BodyId,
        /// The point in body axes, m.
        local: Vector3<f64>,
    },
}

/// A joint or point of a system that follows a target. Targets may be changed between steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MotionTarget {
    /// Index of the system.
    pub(crate) system: usize,
    /// Joint or point that follows.
    pub(crate) follower: Follower,
    /// Gains of the feedback on the error.
    pub(crate) gains: Gains,
    /// Target position, rad or m; a joint uses only the first component, a point is in world axes.
    pub position: Vector3<f64>,
    /// Target velocity, m/s or rad/s.
    pub velocity: Vector3<f64>,
    /// Target acceleration, m/s² or rad/s².
    pub(crate) acceleration: Vector3<f64>,
    /// Largest force or torque along one coordinate or axis, N or N m; infinite if unlimited.
    pub(crate) strength: f64,
    /// Force or torque of the last step, N m or N; a joint uses only the first component.
    pub(crate) force: Vector3<f64>,
    pub(super) row: Option<usize>,
}

impl MotionTarget {
    /// A motion that holds still at `position`.
    pub fn new(system: usize, follower: Follower, gains: Gains, position: Vector3<f64>) -> Self {
        let still = Vector3::zeros();
        MotionTarget {
            system,
            follower,
            gains,
            position,
            velocity: still,
            acceleration: still,
            strength: f64::INFINITY,
            force: still,
            row: None,
        }
    }
}
