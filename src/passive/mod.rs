//! What moves without a will: ragdolls, thrown things, pendulums, doors; ropes, cloth, chains, beads on wires.

pub mod articulated;
pub mod chain;
mod checks;
pub mod constrained;
pub mod encounter;
mod held;
mod method;
pub mod obstacle;
pub mod particles;
mod settings;
mod solids;
mod world;

pub use held::{Attachment, CompliancePrediction, CouplingForce};
pub use method::{Built, BuiltObject, Environment, Member, PassiveMethod, PassiveSpec, RestingPoint};
pub use settings::{BacktrackingForm, FrictionForm, PassiveSettings};
pub use world::{PassiveObject, PassiveWorld, Whole};

use crate::math::spatial::Force;
use crate::model::{BodyId, Shape};
use encounter::{Encounters, MovingBody};
use obstacle::Obstacle;
use nalgebra::{UnitQuaternion, Vector3};
use std::ops::Range;

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
    pub kinetic: f64,
    /// Of gravity (zero at the world origin) and springs.
    pub potential: f64,
}

impl Energy {
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
    /// The numbers left the finite; the state is that of before the step.
    Failed,
}

/// What the solver of the last step did.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct SolverStats {
    pub iterations: usize,
    /// The worst that was left, in the unit of the method: m/s² of constraints on accelerations, m of constraints
    /// on positions, 1 of lengths that change in a pass.
    pub residual: f64,
}

/// Something to draw, fixed to parts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Outline {
    /// A shape in the frame of a part.
    Solid { part: PartId, shape: Shape, position: Vector3<f64>, orientation: UnitQuaternion<f64> },
    /// A rod of this radius (m) between the origins of two parts.
    Segment { ends: [PartId; 2], radius: f64 },
}

/// What a part touches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Other {
    Part(PartId),
    /// A fixed surface, by its number among those of the scene.
    Scenery(usize),
    /// A body of the guest.
    Guest(BodyId),
}

/// A point at which a part is held.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PassiveTouch {
    pub part: PartId,
    pub other: Other,
    /// World, m.
    pub point: Vector3<f64>,
    /// World, out of the other.
    pub normal: Vector3<f64>,
    /// On the part, world, N.
    pub force: Vector3<f64>,
}

/// What a body of the guest received from a thing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// The first part of the thing.
    pub part: PartId,
    pub body: BodyId,
    /// On the guest: moment of impulse about the world origin, N m s, and impulse, N s.
    pub impulse: Force,
    /// Mean of the points at which it was given, weighted by size; world, m.
    pub point: Vector3<f64>,
    /// Sum of the sizes, N s.
    pub size: f64,
}

/// A point at which a limp guest was held by what does not move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GuestTouch {
    /// The same from frame to frame.
    pub key: [u32; 3],
    pub body: BodyId,
    /// By its number among the surfaces of the scene.
    pub surface: usize,
    /// World, m; mean, weighted by size.
    pub point: Vector3<f64>,
    /// World, out of the surface.
    pub normal: Vector3<f64>,
    /// On the guest, world, N s.
    pub impulse: Vector3<f64>,
    /// Sum of the sizes, N s.
    pub size: f64,
    pub friction: f64,
    /// m
    pub gap: f64,
    /// Greatest speed along the surface, m/s.
    pub slip: f64,
}

/// A guest that was let go, as it is now and what happened to it since hits were last forgotten.
#[derive(Clone, Copy, Debug)]
pub struct LimpGuest<'a> {
    pub q: &'a [f64],
    pub v: &'a [f64],
    /// What surfaces gave it; what things gave it is in the hits.
    pub touches: &'a [GuestTouch],
    /// What the stops of its joints gave, by velocity coordinate, N m s or N s.
    pub stops: &'a [f64],
}

/// Something stepped by its own dynamics. Methods differ in what they are made of, not in what they answer.
///
/// A system holds one thing or several, each a range of parts. A *guest* is a body that others move: the system
/// sees where it is and how it moves, and says what it received. Some systems can move it too, when it is limp.
pub trait PassiveSystem: Send {
    /// Simulated time, s.
    fn time(&self) -> f64;

    /// Advances by `dt` seconds under gravity, contacts and the forces applied since the last step.
    fn step(&mut self, dt: f64) -> StepStatus;

    /// Number of parts; never changes during a run.
    fn parts(&self) -> usize;

    fn part(&self, part: PartId) -> Part;

    /// A force (N, world axes) on the part at a world point (m), constant over the next step and gone after it.
    fn apply_force(&mut self, part: PartId, point: &Vector3<f64>, force: &Vector3<f64>);

    /// An impulse (N s, world axes) on the part at a world point (m): velocities change at once.
    fn apply_impulse(&mut self, part: PartId, point: &Vector3<f64>, impulse: &Vector3<f64>);

    /// Of the things these parts belong to.
    fn energy(&self, parts: Range<usize>) -> Energy;

    /// Linear momentum (N s), and angular momentum about the world origin (N m s), of the things these parts
    /// belong to.
    fn momentum(&self, parts: Range<usize>) -> Force;

    /// Mass (kg) and centre of mass (m) of the things these parts belong to.
    fn centre_of_mass(&self, parts: Range<usize>) -> (f64, Vector3<f64>);

    /// What the last step took.
    fn effort(&self) -> SolverStats;

    /// How far the worst of what should keep its length is from it, as a share of that, in the things these parts
    /// belong to; 0 where nothing can stretch.
    fn stretch(&self, _parts: Range<usize>) -> f64 {
        0.0
    }

    /// Everything there is to draw; never changes during a run.
    fn outline(&self) -> Vec<Outline>;

    /// Calls `each` with every point at which a part was held in the last step. None, for methods without contact.
    fn each_touch(&self, _each: &mut dyn FnMut(&PassiveTouch)) {}

    /// Where the guest is, and the velocity it keeps over the next steps; forgets its hits.
    fn guide(&mut self, _q: &[f64], _v: &[f64]) {}

    /// What the guest received from things since hits were last forgotten.
    fn hits(&self) -> &[Hit] {
        &[]
    }

    fn forget_hits(&mut self) {}

    /// Whether it runs into the bodies that other systems show.
    fn runs_into_bodies(&self) -> bool {
        false
    }

    /// Adds its bodies, as what runs into them finds them now, as those of the system of this number.
    fn show_bodies(&mut self, _system: usize, _encounters: &mut Encounters) {}

    /// What it runs into besides, until it is told anew: bodies, and solids with the index of the body that each is of, as
    /// they will be at the end of the next step.
    fn meet(&mut self, _bodies: &[MovingBody], _solids: &[(Obstacle, usize)]) {}

    /// Calls `each` with the number of each solid that it met, and what that received in the last step: moment of impulse
    /// about the world's origin, and impulse.
    fn each_given(&self, _each: &mut dyn FnMut(usize, Force)) {}

    /// A force on the part with its moment about the world's origin, constant over the next step and gone after it. Only
    /// what shows bodies feels it.
    fn apply_wrench(&mut self, _part: PartId, _wrench: &Force) {}

    /// Whether it does not touch the guest until told otherwise, because the guest holds it. Parts that are in the
    /// guest when that ends go on so until each has been clear of it once.
    fn spare_guest(&mut self, _spared: bool) {}

    /// Longest step, s, in which it answers smoothly to who holds it with so much force, N.
    fn longest_step(&self, _force: f64) -> f64 {
        f64::INFINITY
    }

    /// Keeps its state, to be [taken back](Self::take_back) to. Only what can be held can do that.
    fn save(&mut self) {}

    /// Goes back to the state it remembered last, as often as there is something to be tried.
    fn restore(&mut self) {}

    /// Leaves the guest to its own dynamics, with the state it was last guided to, until it is guided again. Its
    /// turning joints that have no damping of their own get this, N m s/rad. False where it cannot be.
    fn let_go(&mut self, _damping: f64) -> bool {
        false
    }

    /// The guest, if it was let go.
    fn limp_guest(&self) -> Option<LimpGuest<'_>> {
        None
    }

    /// A force on a body of a limp guest (moment about the world origin), constant over the next step and gone
    /// after it.
    fn apply_to_guest(&mut self, _body: BodyId, _force: &Force) {}

    fn total_energy(&self) -> Energy {
        self.energy(0..self.parts())
    }

    fn total_momentum(&self) -> Force {
        self.momentum(0..self.parts())
    }
}
