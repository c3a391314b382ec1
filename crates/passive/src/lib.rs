//! Passive objects: ragdolls, thrown objects, pendulums, doors; ropes, cloth, chains, beads on wires.

#![deny(missing_docs)]
#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc)]
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod ability;
pub mod articulated;
mod built;
pub mod chain;
mod checks;
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
pub mod particles;
mod push;
mod settings;
mod solids;
mod world;

pub use ability::{
    ArticulatedHost, BodyCollider, CloneSystem, Holdable, KinematicColliders, PassiveSystem, RagdollHost,
    RigidBodies, Switch, SwitchKind, Switchable,
};
pub use built::{Built, BuiltObject, NamedSystem, RestingPoint};
pub use coupling::{Attachment, Coupling, CouplingForce, Grasp, HeldPoint, Holder};
pub use environment::{Environment, FileEnvironment};
pub use error::PassiveError;
pub use kinds::PassiveSpec;
pub use kinematic::{Hit, KinematicCharacter, KinematicPose, Ragdoll, RagdollContact, Striker};
pub use method::{Member, NoPart, ObjectSurface, PassiveMethod};
pub use object::Passive;
pub use push::ObjectPush;
pub use settings::{BacktrackingForm, FrictionForm, PassiveSettings};
pub use world::{HitSource, PassiveObject, PassiveWorld, Whole};

use aplomb_body::model::{BodyId, Shape};
use nalgebra::{UnitQuaternion, Vector3};

/// Index of a part in [`PassiveSystem::parts`]: a rigid body, or a particle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PartId(pub usize);

/// Where a part is and how it moves, in world axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Part {
    /// Origin of the part's frame, m.
    pub position: Vector3<f64>,
    /// Identity for a particle.
    pub orientation: UnitQuaternion<f64>,
    /// Of the origin, m/s.
    pub velocity: Vector3<f64>,
    /// rad/s
    pub angular_velocity: Vector3<f64>,
}

/// Mechanical energy, J.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Energy {
    /// Kinetic energy, J.
    pub kinetic: f64,
    /// Of gravity (zero at the world origin) and springs.
    pub potential: f64,
}

impl Energy {
    /// Kinetic and potential energy, J.
    pub fn total(&self) -> f64 {
        self.kinetic + self.potential
    }
}

/// How a step went, the better first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum StepStatus {
    /// Everything asked of it holds within the tolerances of its solver.
    Solved,
    /// The solver stopped early or had to give way; the state is finite, and the method's own report says more.
    Approximate,
    /// The motion diverged (NaN or infinite); the state is that of before the step.
    Failed,
}

/// What the solver of the last step did.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct SolverStats {
    /// Number of iterations made.
    pub iterations: usize,
    /// The worst that was left, in the unit of the method: m/s² of constraints on accelerations, m of constraints
    /// on positions, 1 of lengths that change in a pass.
    pub residual: f64,
}

/// Something to draw, fixed to parts.
#[derive(Clone, Debug, PartialEq)]
pub enum Outline {
    /// A shape in the frame of a part.
    Solid {
        /// A shape fixed to a part.
        part: PartId,
        /// Part the shape is fixed to.
        shape: Shape,
        /// Geometry in the shape's own frame.
        position: Vector3<f64>,
        /// Position in the part's frame, m.
        orientation: UnitQuaternion<f64>,
    },
    /// A rod of this radius (m) between the origins of two parts.
    Segment {
        /// A round rod between two parts.
        ends: [PartId; 2],
        /// Radius of the rod, m.
        radius: f64,
    },
}

/// What a part touches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Other {
    /// A part of the same passive world.
    Part(PartId),
    /// A fixed surface, by its number among those of the scene.
    Scenery(usize),
    /// A body of a character, by the character's index.
    Character(usize, BodyId),
}

/// A point at which a part is held.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PassiveTouch {
    /// Part that is touched.
    pub part: PartId,
    /// What touches it.
    pub other: Other,
    /// World, m.
    pub point: Vector3<f64>,
    /// World, out of the other.
    pub normal: Vector3<f64>,
    /// On the part, world, N.
    pub force: Vector3<f64>,
}
