//! What happens to characters from outside, and when.

use super::throw::Throw;
use crate::controller::{CommandValue, ControllerFile};
use aplomb_body::model::BodyId;
use aplomb_control::predict::ExternalForce;
use aplomb_control::snapshot::Snapshot;
use aplomb_passive::{ObjectPush, PassiveWorld};
use nalgebra::Vector3;
use std::ops::Range;
use std::sync::Arc;

/// What a force on a character comes from, by index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// An event of the world.
    Event(usize),
    /// A passive object that touched it.
    Passive(usize),
    /// Another character that touched it: one of the two is a ragdoll.
    Character(usize),
}

/// Something that happens. What it does to surfaces and objectives is in their own courses over time, so that a frame
/// depends on nothing but its number.
#[derive(Clone, Debug)]
pub struct Event {
    /// Name in the scene.
    pub name: String,
    /// Frames in which it acts; of a change that lasts, the first alone.
    pub frames: Range<u64>,
    /// What it does to a character's body, if it is a push.
    pub push: Option<Push>,
    /// What it does to a passive object, if it is a push on one.
    pub object: Option<ObjectPush>,
    /// What it enables and disables of a passive object.
    pub switch: Option<ObjectSwitch>,
    /// What it has the world do in its first frame, before that begins.
    pub command: Option<Command>,
    /// Whether it was made while the world ran: then it is forgotten when it is over.
    pub is_passing: bool,
}

/// What an event has the world do at once, between two frames.
#[derive(Clone, Debug)]
pub enum Command {
    /// Another value in the controller of a character: see [`World::set_value`](super::World::set_value).
    SetValue {
        /// Index of the character.
        character: usize,
        /// Keys, joined by dots.
        path: String,
        /// In TOML.
        value: String,
    },
    /// Another controller for a character: see [`World::replace_controller`](super::World::replace_controller).
    ReplaceController {
        /// Index of the character.
        character: usize,
        /// The controller that takes over.
        controller: Arc<ControllerFile>,
    },
    /// An input of the controller of a character: see [`World::command`](super::World::command).
    Command {
        /// Index of the character.
        character: usize,
        /// Name of the command.
        name: String,
        /// What it is worth from then on.
        value: CommandValue,
    },
    /// Something is thrown: see [`World::throw`](super::World::throw).
    Throw(Throw),
}

/// Something of a passive object that is enabled and disabled.
#[derive(Clone, Debug)]
pub struct ObjectSwitch {
    /// Number of its system.
    pub system: usize,
    /// By which the system knows it.
    pub number: usize,
    /// Frames from which on it is enabled, or not.
    pub changes: Vec<(u64, bool)>,
}

/// A force on a body of a character, constant in world axes.
#[derive(Clone, Debug)]
pub struct Push {
    /// Index of the character.
    pub character: usize,
    /// Body the force acts on.
    pub body: BodyId,
    /// Body frame, m.
    pub point: Vector3<f64>,
    /// World, N.
    pub force: Vector3<f64>,
    /// World, N m.
    pub torque: Vector3<f64>,
}

impl Push {
    /// The force on the body where it is now.
    pub fn force(&self, snapshot: &Snapshot) -> ExternalForce {
        let point = snapshot.kinematics.point(self.body, &self.point);
        ExternalForce { body: self.body, point, force: self.force, torque: self.torque }
    }
}

/// Has the events of a frame act on passive objects.
pub fn act_on_objects(events: &[Event], frame: u64, passive: &mut PassiveWorld) {
    passive.clear_pushes();
    for event in events {
        if let Some(push) = event.object.as_ref().filter(|_| event.frames.contains(&frame)) {
            passive.push_object(*push);
        }
        if let Some(switch) = &event.switch {
            for (_, on) in switch.changes.iter().filter(|(at, _)| *at == frame) {
                passive.turn(switch.system, switch.number, *on);
            }
        }
    }
}
