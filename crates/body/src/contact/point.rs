//! Contact points: mode, motion over the surface, and the corrections of this frame; contact endpoints on
//! passive objects, and the compliance of these.

use super::Owner;
use crate::model::BodyId;
use nalgebra::Matrix3;
use nalgebra::Vector3;

/// Smallest vertical component of the unit normal of a surface that supports the body from below.
pub const SUPPORTING: f64 = 0.5;

/// Mode of a contact.
#[doc(alias = "contact state")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ContactMode {
    /// No contact force.
    Off,
    /// Sticks to the surface at an anchor, the point where it touched down, which moves with the surface;
    /// world, m.
    Sticking {
        /// Anchor, world axes, m.
        anchor: Vector3<f64>,
    },
    /// Slides over the surface; friction opposes the slip.
    Sliding,
    /// May have an impulse in this frame from any gap, because the frame is an impact.
    Impact,
    /// Must be on the surface at the end of this frame, because it separated under a force that it cannot
    /// lose.
    Pinned,
}

/// Largest number of slip directions that are excluded in one frame.
pub const MOST_ROUNDS: usize = 3;

/// Correction in a frame by which a point sticks, or slides with full friction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FrictionStep {
    /// No correction.
    #[default]
    AsBefore,
    /// Kept in place along the surface, because it slid below full friction.
    Kept,
    /// Slides with full friction, against the slip that it had although it was kept.
    Slid,
    /// Kept in place by an equality, because its slip reversed when it slid.
    Fixed,
}

/// A candidate near a surface, at the configuration of the frame. World axes.
#[doc(alias = "contact point")]
#[derive(Clone, Copy, Debug)]
pub struct ContactPoint {
    /// Index of the candidate–surface pair, constant from frame to frame.
    pub slot: usize,
    /// Index into the candidates of [`Contacts`](super::Contacts).
    pub candidate: usize,
    /// Index for [`Contacts::surface`](super::Contacts::surface).
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
    /// Acceleration by which the path of the material point curves over the frame, m/s²: J̇ v, unless a solve
    /// gave a better value.
    pub bias_acceleration: Vector3<f64>,
    /// Mean velocity of the surface at the point over the previous frame, m/s, world axes; `velocity` is
    /// relative to the same frame.
    pub surface_velocity: Vector3<f64>,
    /// Mean velocity of the surface at the point over the coming frame, m/s, world axes; v⁺ is relative to
    /// it.
    pub next_surface_velocity: Vector3<f64>,
    /// The normal at the end of the coming frame; it rotates with the surface.
    pub next_normal: Vector3<f64>,
    /// Coefficient of friction, dimensionless.
    pub friction: f64,
    /// Mode of the contact.
    pub bearing: ContactMode,
    /// Slips of earlier solves of this frame, along which friction may not act, m/s; zero excludes nothing.
    pub barred: [Vector3<f64>; MOST_ROUNDS],
    /// Time since the contact became active, s.
    pub age: f64,
    /// Whether it has no friction in this frame, because friction would drive its slip otherwise.
    pub smooth: bool,
    /// Slip in the last solve of an impact, or in the solve that found the point sliding, m/s; zero before.
    pub slip: Vector3<f64>,
    /// Last correction of this frame by which the point sticks, or slides with full friction.
    pub friction_step: FrictionStep,
    /// Whether it lost its force in this frame, because it separated under it.
    pub parted: bool,
    /// Whether it is behind the centre of its body's contact points, in the rest pose: a heel's point.
    pub is_behind: bool,
    /// Whether the controller released it: no force, no contact keeping.
    pub released: bool,
    /// The object or character that the surface belongs to.
    pub on: Option<Owner>,
    /// Depth of the pad of its body, m; 0 without one.
    pub pad_depth: f64,
    /// Least gap after the frame, m: more than 0 while that pad is not fully compressed.
    pub least_gap: f64,
    /// Whether it may touch the surface within the frame.
    pub is_near: bool,
}

/// Largest speed at which what is inside of a surface leaves it, m/s: a floor that appears about a body's feet does not
/// throw it.
const PUSH_OUT: f64 = 1.0;

impl ContactPoint {
    /// Largest gap that a contact may ask for after a frame of `dt` seconds, m: no overlap is left faster than a fall
    /// from 5 cm arrives.
    pub fn most_gap(&self, dt: f64) -> f64 {
        if self.gap < 0.0 { self.gap + PUSH_OUT * dt } else { f64::INFINITY }
    }

    /// Velocity relative to the surface, m/s.
    pub(crate) fn relative_velocity(&self) -> Vector3<f64> {
        self.velocity - self.surface_velocity
    }

    /// Component of the relative velocity along the surface, m/s.
    pub(crate) fn tangential_velocity(&self) -> Vector3<f64> {
        let velocity = self.relative_velocity();
        velocity - self.normal * self.normal.dot(&velocity)
    }

    /// Whether friction along `direction` has no part along an excluded slip direction.
    pub(crate) fn may_push_along(&self, direction: &Vector3<f64>) -> bool {
        self.barred.iter().all(|slip| direction.dot(slip) <= 1e-9 * slip.norm())
    }

    /// Whether friction is excluded along some slip in this frame.
    pub fn is_barred(&self) -> bool {
        self.barred.iter().any(|slip| *slip != Vector3::zeros())
    }

    /// Excludes friction along a slip in this frame, m/s.
    pub fn bar(&mut self, slip: Vector3<f64>) {
        let free = self.barred.iter().position(|barred| *barred == Vector3::zeros());
        self.barred[free.unwrap_or(MOST_ROUNDS - 1)] = slip;
    }

    /// Whether it may gain a force in this frame. On a passive object only a point near it may: the compliance of the
    /// object is known for these.
    pub fn may_be_loaded(&self) -> bool {
        self.bears() || self.is_near || !self.is_on_object()
    }

    /// Whether it is on a passive object.
    pub fn is_on_object(&self) -> bool {
        matches!(self.on, Some(Owner::Object(_)))
    }

    /// Index of the character whose surface it is on.
    pub fn on_character(&self) -> Option<usize> {
        if let Some(Owner::Character(character)) = self.on { Some(character) } else { None }
    }

    /// Whether the contact may carry a force in this frame.
    pub fn bears(&self) -> bool {
        self.bearing != ContactMode::Off
    }

    /// Whether the contact may carry a force and its surface supports the body from below: neither a wall nor an object
    /// between the palms does.
    pub fn supports(&self) -> bool {
        self.bears() && self.normal.z >= SUPPORTING
    }
}

/// A point of a character that acts on a passive object, or the object itself.
#[doc(alias = "contact endpoint")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Party {
    /// The grip of a site, by its index in the model.
    Grip(usize),
    /// A contact point, by its slot.
    Touch(usize),
    /// The centre of mass of a passive object, by its index. It has no force; only its motion is of interest.
    Object(usize),
    /// The point of a passive object, by its index, that is [`ARM`](Self::ARM) from its centre of mass along a world
    /// axis, by its number, when the frame begins: without force too.
    Arm(usize, usize),
}

impl Party {
    /// Length of an arm, m.
    pub const ARM: f64 = 0.1;
}

/// The compliance of an object under a force of the same frame.
#[doc(alias = "Delassus")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Compliance {
    /// The contact endpoint whose object point moves.
    pub of: Party,
    /// The contact endpoint whose force moves it.
    pub by: Party,
    /// Velocity of the object's point against the force on the character, mean over the frame, m/s/N.
    pub compliance: Matrix3<f64>,
}
