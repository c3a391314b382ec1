//! Events: external actions on characters, and their times.

use super::surface_change::SurfaceChange;
use super::trigger::Trigger;
use crate::controller::{CommandValue, ControllerFile};
use aplomb_body::model::BodyId;
use aplomb_control::predict::ExternalForce;
use aplomb_control::snapshot::Snapshot;
use aplomb_passive::{ObjectPush, PassiveWorld};
use nalgebra::Vector3;
use std::ops::Range;
use std::sync::Arc;

pub use super::track::CommandTrack;

/// The cause of a force on a character, by index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// An event of the world.
    Event(usize),
    /// A passive object that touches it.
    Passive(usize),
    /// Another character that touches it: one of the two is a ragdoll.
    Character(usize),
}

/// An event. Its effects on surfaces and objectives are part of their functions of time, so that a frame
/// depends only on its index.
#[derive(Clone, Debug, Default)]
pub struct Event {
    /// Name in the scene.
    pub name: String,
    /// Frames in which it acts; for a lasting change, only the first. [`WAITING`](super::trigger::WAITING) before it
    /// has begun, if it waits for something.
    pub frames: Range<u64>,
    /// The condition for which it waits, or waited.
    pub trigger: Option<Trigger>,
    /// Push on a character's body, if it is one.
    pub push: Option<Push>,
    /// Push on a passive object, if it is one.
    pub object: Option<ObjectPush>,
    /// Switch of a passive object, if it is one.
    pub switch: Option<ObjectSwitch>,
    /// Command to the world before its first frame, if it is one.
    pub command: Option<Command>,
    /// Whether it moves, removes or adds a surface.
    pub is_of_surface: bool,
    /// Whether it was created during the run and is removed when it has ended.
    pub is_passing: bool,
}

impl Event {
    /// Frames from which on something is `on` or the opposite: the event's first, and the first after it.
    pub(super) fn changes(
        &self,
        on: bool,
        is_lasting: bool,
    ) -> impl Iterator<Item = (u64, bool)> + Clone + use<> {
        let Range { start, end } = self.frames;
        std::iter::once((start, on)).chain((!is_lasting).then_some((end, !on)))
    }
}

/// First frame that begins at `time` (s) or later, if frame k begins at k dt. A time that is a whole number of frames
/// up to rounding belongs to that frame.
pub fn first_not_before(time: f64, dt: f64) -> u64 {
    (time / dt - 1e-6).ceil().max(0.0) as u64
}

/// A command to the world between two frames.
#[derive(Clone, Debug)]
pub enum Command {
    /// Sets a value in the controller of a character: see [`World::set_value`](super::World::set_value).
    SetValue {
        /// Index of the character.
        character: usize,
        /// Keys, joined by dots.
        path: String,
        /// In TOML.
        value: String,
    },
    /// Replaces the controller of a character: see
    /// [`World::replace_controller`](super::World::replace_controller).
    ReplaceController {
        /// Index of the character.
        character: usize,
        /// The new controller.
        controller: Arc<ControllerFile>,
    },
    /// Sets an input of the controller of a character: see [`World::command`](super::World::command).
    Command {
        /// Index of the character.
        character: usize,
        /// Name of the command.
        name: String,
        /// The new value.
        value: CommandValue,
    },
    /// Sets a command again in each frame of the event.
    Follow {
        /// Index of the character.
        character: usize,
        /// Name of the command.
        name: Arc<str>,
        /// Its values over time.
        track: Arc<CommandTrack>,
    },
    /// Throws a ball: see [`World::throw`](super::World::throw).
    Throw(Throw),
    /// Moves, removes or adds a surface.
    ChangeSurface {
        /// Index of the surface: the ground first, then the obstacles.
        surface: usize,
        /// What happens to it.
        change: SurfaceChange,
    },
    /// Enables or disables an objective or a constraint of a character.
    Switch {
        /// Index of the character.
        character: usize,
        /// Name of an objective.
        objective: Option<String>,
        /// Name of a constraint.
        constraint: Option<String>,
        /// Whether they are enabled.
        on: bool,
        /// Whether they stay so after the event.
        is_lasting: bool,
    },
}

/// A switch of a passive object, with its times.
#[derive(Clone, Debug)]
pub struct ObjectSwitch {
    /// Index of its system.
    pub system: usize,
    /// Number of the switch in its system.
    pub number: usize,
    /// Whether it is enabled in the event's first frame, or disabled.
    pub on: bool,
    /// Whether it stays so after the event.
    pub is_lasting: bool,
}

/// A force on a body of a character, constant in world axes.
#[derive(Clone, Debug)]
pub struct Push {
    /// Index of the character.
    pub character: usize,
    /// Body the force acts on.
    pub body: BodyId,
    /// Point of application in the body frame, m.
    pub point: Vector3<f64>,
    /// Force, world, N.
    pub force: Vector3<f64>,
    /// Torque, world, N m.
    pub torque: Vector3<f64>,
}

impl Push {
    /// The force with the body in its present pose.
    pub fn force(&self, snapshot: &Snapshot) -> ExternalForce {
        let point = snapshot.kinematics.point(self.body, &self.point);
        ExternalForce { body: self.body, point, force: self.force, torque: self.torque }
    }
}

/// Applies the events of a frame to passive objects.
pub(crate) fn act_on_objects(events: &[Event], frame: u64, passive: &mut PassiveWorld) {
    passive.clear_pushes();
    for event in events {
        if let Some(push) = event.object.as_ref().filter(|_| event.frames.contains(&frame)) {
            passive.push_object(*push);
        }
        if let Some(switch) = &event.switch {
            for (_, on) in event.changes(switch.on, switch.is_lasting).filter(|(at, _)| *at == frame) {
                passive.turn(switch.system, switch.number, on);
            }
        }
    }
}

/// A ball that is thrown. It does not bounce.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Throw {
    /// Mass, kg.
    pub mass: f64,
    /// Radius, m.
    pub radius: f64,
    /// Position of its centre, world axes, m.
    pub position: Vector3<f64>,
    /// Velocity, world axes, m/s.
    pub velocity: Vector3<f64>,
}
