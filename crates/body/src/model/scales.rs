//! The units of one body: what makes one set of weights serve any size and any time step.

use crate::model::Model;
use aplomb_math::affine::Dimension;
use aplomb_math::elementary::pow;

/// Gravity in all scalings, also where a scene has none, m/s².
pub const STANDARD_GRAVITY: f64 = 9.81;

/// COM height for which controller files state their times, and contacts their thresholds, m.
pub const REFERENCE_HEIGHT: f64 = 0.93;

/// Time step for which weights against torque change are stated, and over which forces that break grips are averaged, s.
pub const REFERENCE_STEP: f64 = 0.01;

/// Mass, height and time step from which residuals are made dimensionless.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scales {
    /// kg
    pub mass: f64,
    /// COM height over the lowest geom in the rest pose, m.
    pub height: f64,
    /// How far a frame looks ahead, s.
    pub dt: f64,
    /// From one frame to the next, s: `dt`, but for controllers that are called more often than they look ahead.
    pub period: f64,
}

impl Scales {
    /// Scales of `model` for frames of `dt` s.
    pub fn new(model: &Model, dt: f64) -> Self {
        Scales { mass: model.mass(), height: model.rest_com_height().max(1e-3), dt, period: dt }
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
    pub fn pendulum_rate_squared(&self) -> f64 {
        STANDARD_GRAVITY / self.height
    }

    /// Force of one contact coefficient, m g/8, N.
    pub fn contact_force(&self) -> f64 {
        self.weight() / 8.0
    }

    /// Contact thresholds are multiplied by this: h/0.93 m.
    pub fn length(&self) -> f64 {
        self.height / REFERENCE_HEIGHT
    }

    /// Times in controllers are multiplied by this: √(h/0.93 m).
    pub fn time(&self) -> f64 {
        self.length().sqrt()
    }

    /// Frames in a [`REFERENCE_STEP`], as far as they look ahead. The cost of errors that are rates is multiplied by it.
    pub fn frames_a_step(&self) -> f64 {
        REFERENCE_STEP / self.dt
    }

    /// Frames that begin within a [`REFERENCE_STEP`]. The cost of a torque change is multiplied by it: torques then change
    /// as fast at any time step.
    pub fn starts_a_step(&self) -> f64 {
        REFERENCE_STEP / self.period
    }

    /// What is left at the end of a frame of something of which `share` is left after a [`REFERENCE_STEP`].
    pub fn left_after_frame(&self, share: f64) -> f64 {
        pow(share, self.dt / REFERENCE_STEP)
    }

    /// The acceleration that counts as one: g for lengths, ω₀² for angles.
    pub fn acceleration(&self, dimension: Dimension) -> f64 {
        match dimension {
            Dimension::Length => STANDARD_GRAVITY,
            Dimension::Angle => self.pendulum_rate_squared(),
            Dimension::Pure => 1.0,
        }
    }
}
