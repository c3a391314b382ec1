//! The abilities of passive systems: the trait that every system implements, and those that some implement.

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

/// A system stepped by its own dynamics. It holds one or several passive objects, each a range of parts.
/// Methods differ in their models, not in this interface; abilities that only some have are separate traits.
#[doc(alias = "passive dynamics")]
#[doc(alias = "secondary motion")]
pub trait PassiveSystem: Send + CloneSystem {
    /// Simulated time, s.
    fn time(&self) -> f64;

    /// Advances by `dt` seconds under gravity, contacts and the forces applied since the last step.
    fn step(&mut self, dt: f64) -> StepStatus;

    /// Number of parts; constant during a run.
    fn parts(&self) -> usize;

    /// Pose and velocity of a part.
    fn part(&self, part: PartId) -> Part;

    /// Applies a force (N, world axes) to the part at a world point (m), constant over the next step only.
    fn apply_force(&mut self, part: PartId, point: &Vector3<f64>, force: &Vector3<f64>);

    /// Applies an impulse (N s, world axes) to the part at a world point (m), which changes velocities at
    /// once.
    fn apply_impulse(&mut self, part: PartId, point: &Vector3<f64>, impulse: &Vector3<f64>);

    /// Energy of the objects that these parts belong to.
    fn energy(&self, parts: Range<usize>) -> Energy;

    /// Linear momentum (N s), and angular momentum about the world origin (N m s), of the objects these parts
    /// belong to.
    fn momentum(&self, parts: Range<usize>) -> Force;

    /// Mass (kg) and centre of mass (m) of the objects these parts belong to.
    fn centre_of_mass(&self, parts: Range<usize>) -> (f64, Vector3<f64>);

    /// Largest relative change of a length that should be constant, in the objects that these parts belong
    /// to; 0 for objects that cannot stretch.
    fn stretch(&self, parts: Range<usize>) -> f64;

    /// Statistics of the last step's solver.
    fn solver_stats(&self) -> SolverStats;

    /// Shapes to draw; constant during a run.
    fn outline(&self) -> Vec<Outline>;

    /// Calls `each` with every contact of a part in the last step. The default reports none, for methods
    /// without this information.
    fn each_touch(&self, each: &mut dyn FnMut(&PassiveTouch));

    /// The ability to collide with bodies of characters, if the system has it.
    fn colliders(&self) -> Option<&dyn KinematicColliders> {
        None
    }

    /// The ability to collide with bodies of characters, for changes; `None` if its objects pass through
    /// them.
    fn colliders_mut(&mut self) -> Option<&mut dyn KinematicColliders> {
        None
    }

    /// The ability to collide with bodies of other systems, if the system has it.
    fn as_collider(&mut self) -> Option<&mut dyn BodyCollider> {
        None
    }

    /// The bodies that other systems collide with, if the system has any.
    fn as_bodies(&mut self) -> Option<&mut dyn RigidBodies> {
        None
    }

    /// The ability to enable and disable constraints, if the system has it.
    fn as_switchable(&mut self) -> Option<&mut dyn Switchable> {
        None
    }

    /// The ability to be held, if the system has it.
    fn holdable(&mut self) -> Option<&mut dyn Holdable> {
        None
    }

    /// The ability to simulate characters as ragdolls, if the system has it.
    fn ragdolls(&self) -> Option<&dyn RagdollHost> {
        None
    }

    /// The ability to simulate ragdolls, for changes; `None` if the system lacks it.
    fn ragdolls_mut(&mut self) -> Option<&mut dyn RagdollHost> {
        None
    }

    /// The ability to add articulated objects, if the system has it.
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

/// Cloning of a boxed system. Every system that is `Clone` implements it.
pub trait CloneSystem {
    /// A copy that continues with exactly the same numbers: it includes the whole state and all warm starts.
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

/// A system whose objects collide with the kinematic bodies of characters.
pub trait KinematicColliders {
    /// Sets the poses of the characters, in order, and their velocities over the next steps; clears hits.
    /// Characters that are ragdolls of this system are not moved.
    #[doc(alias = "kinematic body")]
    fn set_poses(&mut self, poses: &[KinematicPose]);

    /// Adds a character after the existing ones.
    fn add_character(&mut self, character: &KinematicCharacter<'_>);

    /// Replaces the motion of a surface, by its index.
    fn set_surface(&mut self, _index: usize, _surface: &Surface) {}

    /// Impulses that characters received since hits were last cleared.
    fn hits(&self) -> &[Hit];

    /// Clears the hits of the last step.
    fn clear_hits(&mut self);
}

/// A system whose objects collide with the bodies of other systems.
pub trait BodyCollider {
    /// Sets the bodies with which it collides in addition to surfaces and characters, until the next call:
    /// bodies, and solids with the index of their body, with their poses at the end of the next step.
    fn meet(&mut self, bodies: &[MovingBody], solids: &[(Obstacle, usize)]);

    /// Calls `each` with the index of each of these solids and its impulse in the last step: moment of
    /// impulse about the world's origin (N m s), and impulse (N s).
    fn each_given(&self, each: &mut dyn FnMut(usize, Force));
}

/// A system of rigid bodies that those of other systems collide with.
pub trait RigidBodies {
    /// Adds its bodies with their present poses, as those of the system of this index.
    fn show(&mut self, number: usize, encounters: &mut Encounters);

    /// Applies a force (N) with its moment about the world's origin (N m) to the part, constant over the next
    /// step only.
    fn apply_wrench(&mut self, part: PartId, wrench: &Force);
}

/// The kind of a switch of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SwitchKind {
    /// A pin, a constraint, or a joint that closes a loop.
    Constraint,
    /// A spring, or the stiffness of a joint.
    Spring,
}

/// A constraint or spring that can be enabled and disabled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SwitchableElement {
    /// Kind of the switch.
    pub kind: SwitchKind,
    /// Name of the switch in files.
    pub name: String,
    /// Number of the switch in its system.
    pub number: usize,
}

/// A system in which constraints and springs can be enabled and disabled. All are enabled at first.
pub trait Switchable {
    /// The switches of the object with these parts.
    fn switches(&self, parts: &Range<usize>) -> Vec<SwitchableElement>;

    /// Enables or disables a switch, by its number.
    fn turn(&mut self, number: usize, on: bool);
}

/// A system whose objects can be held. It can be stepped through a frame several times from the same state,
/// to find the motion of held points under forces.
#[doc(alias = "two-way coupling")]
pub trait Holdable {
    /// Saves the state: everything that a step reads and changes.
    #[doc(alias = "snapshot")]
    #[doc(alias = "checkpoint")]
    fn save(&mut self);

    /// Restores the state saved last, any number of times. Forces applied since the last step are discarded.
    fn restore(&mut self);

    /// Longest step, s, at which a held point responds smoothly to a force of this size, N.
    fn longest_step(&self, force: f64) -> f64;

    /// Number of steps of a frame in which characters act on it; `usual` without them. As the force is constant over
    /// the frame, points that must not move in the mean over n steps end it at −(n − 1)/(n + 1) of their velocity: the
    /// force would alternate from frame to frame.
    fn steps_when_held(&self, usual: f64) -> f64 {
        usual
    }

    /// Whether its response changes at once, as where a contact begins to slide, rather than gradually.
    fn responds_in_pieces(&self) -> bool {
        false
    }

    /// Declares that a character acts on a part in the next step, even with no force.
    fn touch_part(&mut self, _part: PartId) {}

    /// Sets the parts that a character holds: the objects they belong to pass through that character. After
    /// release, parts inside the character pass through it until they have left it once.
    fn ignore_character(&mut self, character: usize, held: &[PartId]);
}

/// A system to which articulated objects can be added while it runs.
pub trait ArticulatedHost {
    /// Adds an object in its present state and returns its parts.
    fn add_object(&mut self, object: Articulated) -> Range<usize>;
}

/// A system that can simulate characters by their own dynamics.
#[doc(alias = "ragdoll")]
pub trait RagdollHost {
    /// Makes a character dynamic, from its last pose on, if it is not dynamic yet. Its rotational joints
    /// without damping of their own get this one, N m s/rad. Returns false if the system cannot.
    fn make_dynamic(&mut self, character: usize, damping: f64) -> bool;

    /// Makes a character kinematic again, from its next pose on.
    fn make_kinematic(&mut self, character: usize);

    /// The character, while it is dynamic.
    fn ragdoll(&self, character: usize) -> Option<Ragdoll<'_>>;

    /// Sets the joint torques of a ragdoll's actuators, nv numbers, N m or N, until they are set again.
    fn drive_ragdoll(&mut self, character: usize, torque: &[f64]);

    /// Applies a force to a body of a ragdoll (moment about the world origin), constant over the next step
    /// only.
    fn apply_to_ragdoll(&mut self, character: usize, body: BodyId, force: &Force);
}
