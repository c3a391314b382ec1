//! A point of contact: whether and how it bears, how it moves over its surface, and what was done about it in this frame.

use super::Owner;
use crate::model::BodyId;
use nalgebra::Vector3;

/// Whether and how a contact bears.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ContactMode {
    /// Bears no force.
    Off,
    /// Sticks where it touched down: that point of the surface, where it is in this frame; world, m.
    Sticking {
        /// Point at which the contact sticks, world axes, m.
        anchor: Vector3<f64>,
    },
    /// Slides over the surface; friction opposes the slip.
    Sliding,
    /// May be struck in this frame, from wherever it is: a frame that cannot be solved otherwise is an impact.
    Impact,
    /// Is on the surface at the end of this frame: it left under a force, and cannot do without.
    Pinned,
}

/// Times in one frame that slips bar friction along them.
pub const MOST_ROUNDS: usize = 3;

/// What was done in a frame so that a point sticks, or slides with all its friction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FrictionStep {
    /// Nothing yet.
    #[default]
    AsBefore,
    /// It is kept where it is along the surface: it slid with friction to spare.
    Kept,
    /// It slides, with all its friction against the slip that it had although it was kept.
    Slid,
    /// It is kept more firmly: sliding, it would have turned round.
    Fixed,
}

/// A candidate near a surface, at the configuration of the frame. World axes.
#[derive(Clone, Copy, Debug)]
pub struct ContactPoint {
    /// Index of the candidate–surface pair, the same from frame to frame.
    pub slot: usize,
    /// Index into the candidates of [`Contacts`](super::Contacts).
    pub candidate: usize,
    /// Which of [`Contacts::surface`](super::Contacts::surface).
    pub surface: usize,
    /// Body the candidate is fixed to.
    pub body: BodyId,
    /// Point of the body nearest to the surface, m.
    pub point: Vector3<f64>,
    /// Outward unit normal of the surface.
    pub normal: Vector3<f64>,
    /// Distance from the surface, m; negative: penetration.
    pub gap: f64,
    /// Velocity of the material point, m/s.
    pub velocity: Vector3<f64>,
    /// With which the path of the material point bends over the frame, m/s²: J̇ v, as long as nothing better is known.
    pub bias_acceleration: Vector3<f64>,
    /// Velocity of the surface's material point there, as chords of its course: over the frame before, with which
    /// `velocity` compares, and over the coming one, with which v⁺ does. m/s
    pub surface_velocity: Vector3<f64>,
    /// Velocity of the surface at the point in the next frame, m/s, world axes.
    pub next_surface_velocity: Vector3<f64>,
    /// The normal as it will be turned when the coming frame is over.
    pub next_normal: Vector3<f64>,
    /// Coefficient of friction, dimensionless.
    pub friction: f64,
    /// Whether and how the contact bears force.
    pub bearing: ContactMode,
    /// Slips of earlier solves of this frame, along which friction may not push, m/s; zero bars nothing.
    pub barred: [Vector3<f64>; MOST_ROUNDS],
    /// Since it began to bear, s.
    pub age: f64,
    /// Has lost its friction in this frame, which nothing else kept from driving a slip.
    pub smooth: bool,
    /// Slip in the last solve of an impact, or in the solve that found that the point slides, m/s; zero before.
    pub slip: Vector3<f64>,
    /// What was done so far in this frame so that the point sticks, or slides with all its friction.
    pub friction_step: FrictionStep,
    /// Has lost its force in this frame, because it separated under it.
    pub parted: bool,
    /// Given up on purpose by the controller: no force, no contact keeping.
    pub released: bool,
    /// What the surface is a part of.
    pub on: Option<Owner>,
}

impl ContactPoint {
    /// Velocity over the surface, m/s.
    pub fn relative_velocity(&self) -> Vector3<f64> {
        self.velocity - self.surface_velocity
    }

    /// Its part along the surface, m/s.
    pub fn tangential_velocity(&self) -> Vector3<f64> {
        let velocity = self.relative_velocity();
        velocity - self.normal * self.normal.dot(&velocity)
    }

    /// Whether friction along `direction` has no part along an excluded slip direction.
    pub fn may_push_along(&self, direction: &Vector3<f64>) -> bool {
        self.barred.iter().all(|slip| direction.dot(slip) <= 1e-9 * slip.norm())
    }

    /// Whether friction is barred along some slip in this frame.
    pub fn is_barred(&self) -> bool {
        self.barred.iter().any(|slip| *slip != Vector3::zeros())
    }

    /// Bars friction along a slip of this frame, m/s.
    pub fn bar(&mut self, slip: Vector3<f64>) {
        let free = self.barred.iter().position(|barred| *barred == Vector3::zeros());
        self.barred[free.unwrap_or(MOST_ROUNDS - 1)] = slip;
    }

    /// Whether it may get a force in this frame that it does not have: on a passive object, whose answer is found for those
    /// alone that bear as the frame begins, it may not.
    pub fn may_be_loaded(&self) -> bool {
        self.bears() || !self.is_on_object()
    }

    /// Whether it is on a passive object.
    pub fn is_on_object(&self) -> bool {
        matches!(self.on, Some(Owner::Object(_)))
    }

    /// The number of the character that it is on.
    pub fn on_character(&self) -> Option<usize> {
        if let Some(Owner::Character(character)) = self.on { Some(character) } else { None }
    }

    /// Whether the contact may bear force in this frame.
    pub fn bears(&self) -> bool {
        self.bearing != ContactMode::Off
    }
}
