//! Passive objects: ragdolls, thrown objects, pendulums, doors; ropes, cloth, chains, beads on wires.

#![deny(missing_docs)]
#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc)]
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod ability;
#[doc(hidden)] // the method itself, for its tests and benches; programs use the re-exports below
pub mod articulated;
mod built;
#[doc(hidden)] // the method itself, for its tests and benches; programs use the re-exports below
pub mod chain;
mod checks;
#[doc(hidden)] // the method itself, for its tests and benches; programs use the re-exports below
pub mod constrained;
mod coupling;
pub mod encounter;
mod environment;
mod error;
mod holding;
mod kinds;
mod kinematic;
mod method;
mod object;
pub mod obstacle;
#[doc(hidden)] // the method itself, for its tests and benches; programs use the re-exports below
pub mod particles;
mod settings;
mod solids;
mod world;

pub use ability::{
    ArticulatedHost, BodyCollider, CloneSystem, Holdable, KinematicColliders, PassiveSystem, RagdollHost,
    RigidBodies, SwitchKind, Switchable, SwitchableElement,
};
pub use articulated::{ArticulatedObject, PushedByCharacters};
pub use built::{Built, BuiltObject, NamedSystem, RestingPoint};
pub use chain::{ChainObject, Pulled};
pub use coupling::ObjectPush;
pub use coupling::{Attachment, CouplingForce, Grasp, HeldPoint, HeldPoints, Holder};
pub use environment::{Environment, FileEnvironment};
pub use error::PassiveError;
pub use kinds::PassiveSpec;
pub use kinematic::{Hit, KinematicCharacter, KinematicPose, Ragdoll, RagdollContact, Striker};
pub use method::{NoPart, ObjectRequest, ObjectSurface, PassiveMethod};
pub use object::Passive;
pub use particles::ParticleObject;
pub use particles::wind::Wind;
pub use settings::{BacktrackingForm, FrictionForm, PassiveSettings};
pub use world::{HitSource, PassiveObject, PassiveWorld, Whole};

use aplomb_body::model::{BodyId, Shape};
use nalgebra::{UnitQuaternion, Vector3};

/// Index of a part in [`PassiveSystem::parts`]: a rigid body, or a particle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PartId(pub usize);

/// Pose and velocity of a part, world axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Part {
    /// Origin of the part's frame, m.
    pub position: Vector3<f64>,
    /// Orientation; the identity for a particle.
    pub orientation: UnitQuaternion<f64>,
    /// Velocity of the origin, m/s.
    pub velocity: Vector3<f64>,
    /// Angular velocity, rad/s.
    pub angular_velocity: Vector3<f64>,
}

/// Mechanical energy, J.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Energy {
    /// Kinetic energy, J.
    pub kinetic: f64,
    /// Potential energy of gravity (zero at the world origin) and springs, J.
    pub potential: f64,
}

impl Energy {
    /// Kinetic and potential energy, J.
    pub fn total(&self) -> f64 {
        self.kinetic + self.potential
    }
}

/// Outcome of a step, the better first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum StepStatus {
    /// All constraints hold within the tolerances of the solver.
    Solved,
    /// The solver stopped early or violated constraints; the state is finite, and the method's own report has
    /// details.
    Approximate,
    /// The motion diverged (NaN or infinite); the state is that before the step.
    Failed,
}

/// Statistics of the last step's solver.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct SolverStats {
    /// Number of iterations made.
    pub iterations: usize,
    /// Largest residual, in the unit of the method: m/s² of constraints on accelerations, m of constraints on
    /// positions, 1 (a relative length) of lengths that change in a pass.
    pub residual: f64,
}

/// A shape to draw, fixed to parts.
#[derive(Clone, Debug, PartialEq)]
pub enum Outline {
    /// A shape in the frame of a part.
    Solid {
        /// Part that the shape is fixed to.
        part: PartId,
        /// The shape in its own frame.
        shape: Shape,
        /// Position of the shape in the part's frame, m.
        position: Vector3<f64>,
        /// Rotation from the shape's own frame to that of the part.
        orientation: UnitQuaternion<f64>,
    },
    /// A round rod between the origins of two parts.
    Segment {
        /// The two parts.
        ends: [PartId; 2],
        /// Radius of the rod, m.
        radius: f64,
    },
}

/// The contact partner of a part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Other {
    /// A part of the same passive world.
    Part(PartId),
    /// A surface, by its index in the scene.
    Scenery(usize),
    /// A body of a character, by the character's index.
    Character(usize, BodyId),
}

/// A contact of a part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PassiveTouch {
    /// Part that is touched.
    pub part: PartId,
    /// Its contact partner.
    pub other: Other,
    /// Contact point, world, m.
    pub point: Vector3<f64>,
    /// Unit normal, world, into the part.
    pub normal: Vector3<f64>,
    /// Force on the part, world, N.
    pub force: Vector3<f64>,
}
