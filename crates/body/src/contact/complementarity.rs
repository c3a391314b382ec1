//! Complementarity of a solved frame: the state of each contact point, and its violations: a force at a point
//! that separates ([Jain 2009] §4.2), and friction that drives a slip.

use super::lifecycle::{PART, PART_SPEED, TOUCH};
use super::{ContactMode, ContactPoint, Contacts};
use nalgebra::Vector3;

/// Slip in a frame above which a contact slides, m/s: the frame is then solved with full friction against it.
pub const STATIC_SLIP: f64 = 0.015;
/// Gap after a frame below which an approaching point has landed, m (× length scale).
pub const LANDED: f64 = 1e-4;

/// Force and motion of a contact point in a solved frame, world axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactOutcome {
    /// Contact force on the body, N.
    pub force: Vector3<f64>,
    /// Displacement of the material point relative to the surface over the frame, divided by dt, m/s.
    pub velocity: Vector3<f64>,
    /// Acceleration b with which velocity = J v⁺ + ½ dt b exactly, m/s².
    pub bend: Vector3<f64>,
}

impl ContactOutcome {
    /// Separation speed, m/s.
    pub fn normal_speed(&self, touch: &ContactPoint) -> f64 {
        self.velocity.dot(&touch.normal)
    }

    /// Velocity along the surface, m/s.
    pub fn slip(&self, touch: &ContactPoint) -> Vector3<f64> {
        self.velocity - touch.normal * self.normal_speed(touch)
    }

    /// Whether the slip speed is above that of a sticking contact.
    pub fn slides(&self, touch: &ContactPoint) -> bool {
        self.slip(touch).norm() > STATIC_SLIP
    }

    /// Whether friction of more than `least` N acts along the slip.
    pub fn is_driven(&self, touch: &ContactPoint, least: f64) -> bool {
        let friction = self.force - touch.normal * self.force.dot(&touch.normal);
        self.slides(touch) && friction.dot(&self.slip(touch)) > 0.0 && friction.norm() > least
    }

    /// Gap after the frame, m.
    pub fn gap(&self, touch: &ContactPoint, dt: f64) -> f64 {
        touch.gap + dt * self.normal_speed(touch)
    }
}

impl Contacts {
    /// For the rest of the frame, uses the path curvatures of the last solve, or the mean of these and the
    /// present ones (`half_way`).
    pub fn expect(&mut self, outcomes: &[ContactOutcome], half_way: bool) {
        for (touch, outcome) in self.touches.iter_mut().zip(outcomes) {
            touch.bias_acceleration = match half_way {
                false => outcome.bend,
                true => 0.5 * (touch.bias_acceleration + outcome.bend),
            };
        }
    }

    /// Gap within which a pinned point stays, m.
    pub fn hold(&self) -> f64 {
        0.5 * TOUCH * self.length_scale()
    }

    /// Whether a point separates in the frame of `dt` seconds under more than `least` N.
    pub fn leaves(&self, touch: &ContactPoint, outcome: &ContactOutcome, dt: f64, least: f64) -> bool {
        let (gap, scale) = (outcome.gap(touch, dt), self.length_scale());
        let parts = gap > TOUCH * scale && outcome.normal_speed(touch) > PART_SPEED
            || gap > PART * scale + touch.least_gap;
        touch.bears() && parts && outcome.force.norm() > least
    }

    /// Deactivates points in impact mode, and pinned points, that had no force in the last solve.
    pub fn stand_down(&mut self, outcomes: &[ContactOutcome]) {
        for (touch, outcome) in self.touches.iter_mut().zip(outcomes) {
            if matches!(touch.bearing, ContactMode::Impact | ContactMode::Pinned)
                && outcome.force == Vector3::zeros()
            {
                touch.bearing = ContactMode::Off;
            }
        }
    }
}
