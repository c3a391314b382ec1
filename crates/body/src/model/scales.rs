//! Scales of a body: the units in which one set of weights serves any size and any time step.

use crate::model::Model;
use aplomb_math::affine::Dimension;
use aplomb_math::elementary::pow;

/// Gravity in all scales, even in a scene without gravity, m/s².
pub const STANDARD_GRAVITY: f64 = 9.81;

/// COM height for which controller files give times, and contacts their thresholds, m.
pub const REFERENCE_HEIGHT: f64 = 0.93;

/// Time step for which weights relative to torque change are given, and over which the forces that break
/// grips are averaged, s.
pub const REFERENCE_STEP: f64 = 0.01;

/// Mass, height and time step, which make residuals dimensionless.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scales {
    /// Mass, kg.
    pub mass: f64,
    /// COM height above the lowest geom in the rest pose, m.
    pub height: f64,
    /// Horizon of a frame, s.
    #[doc(alias = "time step")]
    pub dt: f64,
    /// Time between frames, s: equal to `dt`, except for controllers that are called more often than their
    /// horizon.
    pub period: f64,
    /// Number of such periods in a frame: 1, unless the frame is divided.
    pub parts: u32,
    /// Index of this one among them.
    pub part: u32,
    /// Length of the step before this one, as a multiple of `dt`.
    pub before: f64,
}

impl Scales {
    /// Scales of `model` for frames of `dt` s.
    pub fn new(model: &Model, dt: f64) -> Self {
        Scales {
            mass: model.mass(),
            height: model.rest_com_height().max(1e-3),
            dt,
            period: dt,
            parts: 1,
            part: 0,
            before: 1.0,
        }
    }

    /// Divides the frame into `parts` of `dt` s, of which this is number `part`; the previous step has the length
    /// `before` dt.
    pub fn divide(&mut self, dt: f64, part: u32, parts: u32, before: f64) {
        (self.dt, self.period, self.part, self.parts, self.before) = (dt, dt, part, parts, before);
    }

    /// Time over which forces change the velocity, s: (dt⁻ + dt)/2, from the middle of the previous step, of length
    /// dt⁻, to the middle of this one, because velocities are means over their steps.
    pub fn turning_time(&self) -> f64 {
        self.dt * self.turning_steps()
    }

    /// [`turning_time`](Scales::turning_time) as a multiple of `dt`: 1 unless the previous step had another length.
    pub fn turning_steps(&self) -> f64 {
        0.5 * (1.0 + self.before)
    }

    /// Number of the frame that contains a time, s.
    pub fn frame_at(&self, time: f64) -> u64 {
        (time / self.period).round() as u64 / u64::from(self.parts)
    }

    /// m g, N
    pub fn weight(&self) -> f64 {
        self.mass * STANDARD_GRAVITY
    }

    /// m g h, N m
    pub fn torque(&self) -> f64 {
        self.weight() * self.height
    }

    /// ω₀² = g/h of the linear inverted pendulum, 1/s².
    pub(crate) fn pendulum_rate_squared(&self) -> f64 {
        STANDARD_GRAVITY / self.height
    }

    /// Force of one contact coefficient, m g/8, N.
    pub fn contact_force(&self) -> f64 {
        self.weight() / 8.0
    }

    /// Factor of contact thresholds: h/0.93 m.
    pub fn length(&self) -> f64 {
        self.height / REFERENCE_HEIGHT
    }

    /// Factor of times in controllers: √(h/0.93 m).
    pub fn time(&self) -> f64 {
        self.length().sqrt()
    }

    /// Number of horizons in a [`REFERENCE_STEP`], by which the cost of errors that are rates is multiplied.
    pub fn frames_a_step(&self) -> f64 {
        REFERENCE_STEP / self.dt
    }

    /// Number of frames that begin within a [`REFERENCE_STEP`], by which the cost of a torque change is
    /// multiplied: torques then change equally fast at any time step.
    pub fn starts_a_step(&self) -> f64 {
        REFERENCE_STEP / self.period
    }

    /// The remainder at the end of a frame of a quantity of which `share` remains after a [`REFERENCE_STEP`].
    pub fn left_after_frame(&self, share: f64) -> f64 {
        pow(share, self.dt / REFERENCE_STEP)
    }

    /// The unit of acceleration: g for lengths, ω₀² for angles.
    pub fn acceleration(&self, dimension: Dimension) -> f64 {
        match dimension {
            Dimension::Length => STANDARD_GRAVITY,
            Dimension::Angle => self.pendulum_rate_squared(),
            Dimension::Pure => 1.0,
        }
    }
}
