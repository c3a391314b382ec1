//! What passive systems can do: every one the first trait, some the others.

use super::articulated::Articulated;
use super::encounter::{Encounters, MovingBody};
use super::kinematic::{Hit, KinematicCharacter, KinematicPose, Ragdoll};
use super::obstacle::Obstacle;
use super::{Energy, Outline, Part, PartId, PassiveTouch, SolverStats, StepStatus};
use aplomb_body::contact::Surface;
use aplomb_body::model::BodyId;
use aplomb_math::spatial::Force;
use nalgebra::Vector3;
use std::ops::Range;

/// Something stepped by its own dynamics. A system holds one passive object or several, each a range of parts.
/// Methods differ in what they are made of, not in what they answer; what only some can do are abilities.
pub trait PassiveSystem: Send + CloneSystem {
    /// Simulated time, s.
    fn time(&self) -> f64;

    /// Advances by `dt` seconds under gravity, contacts and the forces applied since the last step.
    fn step(&mut self, dt: f64) -> StepStatus;

    /// Number of parts; never changes during a run.
    fn parts(&self) -> usize;

    /// Pose and velocity of a part.
    fn part(&self, part: PartId) -> Part;

    /// A force (N, world axes) on the part at a world point (m), constant over the next step and gone after it.
    fn apply_force(&mut self, part: PartId, point: &Vector3<f64>, force: &Vector3<f64>);

    /// An impulse (N s, world axes) on the part at a world point (m): velocities change at once.
    fn apply_impulse(&mut self, part: PartId, point: &Vector3<f64>, impulse: &Vector3<f64>);

    /// Of the objects these parts belong to.
    fn energy(&self, parts: Range<usize>) -> Energy;

    /// Linear momentum (N s), and angular momentum about the world origin (N m s), of the objects these parts
    /// belong to.
    fn momentum(&self, parts: Range<usize>) -> Force;

    /// Mass (kg) and centre of mass (m) of the objects these parts belong to.
    fn centre_of_mass(&self, parts: Range<usize>) -> (f64, Vector3<f64>);

    /// Greatest relative change of a length that should stay, in the objects these parts belong to; 0 where nothing
    /// can stretch.
    fn stretch(&self, parts: Range<usize>) -> f64;

    /// What the last step took.
    fn solver_stats(&self) -> SolverStats;

    /// Everything there is to draw; never changes during a run.
    fn outline(&self) -> Vec<Outline>;

    /// Calls `each` with every point at which a part was held in the last step. None, for methods that do not know.
    fn each_touch(&self, each: &mut dyn FnMut(&PassiveTouch));

    /// The bodies of characters that its objects run into, if they can.
    fn colliders(&self) -> Option<&dyn KinematicColliders> {
        None
    }

    /// The system as one that meets characters' bodies; `None` if its objects pass through them.
    fn colliders_mut(&mut self) -> Option<&mut dyn KinematicColliders> {
        None
    }

    /// The ability to run into bodies of other systems, if it has that.
    fn as_collider(&mut self) -> Option<&mut dyn BodyCollider> {
        None
    }

    /// The bodies that other systems run into, if it has some.
    fn as_bodies(&mut self) -> Option<&mut dyn RigidBodies> {
        None
    }

    /// What of it can be enabled and disabled, if something can.
    fn as_switchable(&mut self) -> Option<&mut dyn Switchable> {
        None
    }

    /// The ability to be held, if it has that.
    fn holdable(&mut self) -> Option<&mut dyn Holdable> {
        None
    }

    /// The ability to move characters as ragdolls, if it has that.
    fn ragdolls(&self) -> Option<&dyn RagdollHost> {
        None
    }

    /// The system as one that can hold ragdolls; `None` if it cannot.
    fn ragdolls_mut(&mut self) -> Option<&mut dyn RagdollHost> {
        None
    }

    /// The ability to take in articulated objects, if it has that.
    fn as_articulated(&mut self) -> Option<&mut dyn ArticulatedHost> {
        None
    }

    /// Kinetic and potential energy of all its objects, J.
    fn total_energy(&self) -> Energy {
        self.energy(0..self.parts())
    }

    /// Momentum of all its objects, about the world origin, world axes.
    fn total_momentum(&self) -> Force {
        self.momentum(0..self.parts())
    }
}

/// Copies of systems behind a pointer. Every system that is `Clone` has them.
pub trait CloneSystem {
    /// A copy that goes on with exactly the same numbers: all of the state, warm starts and memories included.
    fn boxed_clone(&self) -> Box<dyn PassiveSystem>;
}

impl<T: PassiveSystem + Clone + 'static> CloneSystem for T {
    fn boxed_clone(&self) -> Box<dyn PassiveSystem> {
        Box::new(self.clone())
    }
}

impl Clone for Box<dyn PassiveSystem> {
    fn clone(&self) -> Self {
        (**self).boxed_clone()
    }
}

/// A system whose objects run into the bodies of characters, which others move.
pub trait KinematicColliders {
    /// Where the characters are, in their order, and the velocities they keep over the next steps; forgets hits.
    /// Those that are ragdolls of this system stay where they are.
    fn set_poses(&mut self, poses: &[KinematicPose]);

    /// Adds a character after those that are there.
    fn add_character(&mut self, character: &KinematicCharacter<'_>);

    /// Has a surface of the world, by its number, move as it does now.
    fn set_surface(&mut self, _index: usize, _surface: &Surface) {}

    /// What characters received since hits were last forgotten.
    fn hits(&self) -> &[Hit];

    /// Forgets the hits of the last step.
    fn clear_hits(&mut self);
}

/// A system whose objects run into the bodies that other systems show.
pub trait BodyCollider {
    /// What it runs into besides surfaces and characters, until it is told anew: bodies, and solids with the index of the
    /// body that each is of, as they will be at the end of the next step.
    fn meet(&mut self, bodies: &[MovingBody], solids: &[(Obstacle, usize)]);

    /// Calls `each` with the number of each of these solids, and what that received in the last step: moment of impulse
    /// about the world's origin (N m s), and impulse (N s).
    fn each_given(&self, each: &mut dyn FnMut(usize, Force));
}

/// A system of rigid bodies, which those of other systems run into.
pub trait RigidBodies {
    /// Adds its bodies as they are now, as those of the system of this number.
    fn show(&mut self, number: usize, encounters: &mut Encounters);

    /// A force on the part (N) with its moment about the world's origin (N m), constant over the next step and gone
    /// after it.
    fn apply_wrench(&mut self, part: PartId, wrench: &Force);
}

/// What of an object can be enabled and disabled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SwitchKind {
    /// A pin, a constraint, a joint that closes a loop.
    Constraint,
    /// A spring, or the stiffness of a joint.
    Spring,
}

/// Something that can be enabled and disabled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Switch {
    /// What it is.
    pub kind: SwitchKind,
    /// By which files call it.
    pub name: String,
    /// By which its system knows it.
    pub number: usize,
}

/// A system in which constraints and springs can be enabled and disabled. All are enabled at first.
pub trait Switchable {
    /// Those of the object of these parts.
    fn switches(&self, parts: &Range<usize>) -> Vec<Switch>;

    /// Enables or disables one, by its number.
    fn turn(&mut self, number: usize, on: bool);
}

/// A system whose objects can be held: it is stepped through a frame several times from the same state, to see
/// where held points go under forces.
pub trait Holdable {
    /// Keeps the state, all that a step reads and changes.
    fn save(&mut self);

    /// Goes back to the state that was saved last, as often as there is something to be tried. Forces applied since
    /// the last step are gone.
    fn restore(&mut self);

    /// Longest step, s, in which it answers smoothly to who holds it with so much force, N.
    fn longest_step(&self, force: f64) -> f64;

    /// Which of its parts a character holds: the objects that these are of pass through that one. What is inside the
    /// character when that ends passes through it until it has been clear of it once.
    fn ignore_character(&mut self, character: usize, held: &[PartId]);
}

/// A system to which articulated objects can be added while it runs.
pub trait ArticulatedHost {
    /// Adds an object as it stands and returns its parts.
    fn add_object(&mut self, object: Articulated) -> Range<usize>;
}

/// A system that can move characters by their own dynamics.
pub trait RagdollHost {
    /// Leaves a character to its own dynamics, from the pose it was last given. Its turning joints that have no
    /// damping of their own get this, N m s/rad. False where it cannot be.
    fn make_dynamic(&mut self, character: usize, damping: f64) -> bool;

    /// Has a character moved by others again, from its next pose on.
    fn make_kinematic(&mut self, character: usize);

    /// The character, if it moves by its own dynamics.
    fn ragdoll(&self, character: usize) -> Option<Ragdoll<'_>>;

    /// A force on a body of a ragdoll (moment about the world origin), constant over the next step and gone after
    /// it.
    fn apply_to_ragdoll(&mut self, character: usize, body: BodyId, force: &Force);
}
