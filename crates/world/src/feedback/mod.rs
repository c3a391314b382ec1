//! Feedback control of an external plant: the state comes from another engine or a real body before each
//! frame, and the joint torques of the frame are sent back there.
//!
//! A world with one character computes them; its step is the time between calls. Unlike in a simulated world,
//! a frame may look farther ahead than to the next call, begin in the predicted state in which its torques
//! will act (`under_way.rs`), use measured contacts and their compression, and include estimated disturbances
//! (`disturbance.rs`).

mod disturbance;
mod under_way;

use super::contents::{CharacterId, World, WorldError};
use super::result::StepError;
use crate::character::Character;
use aplomb_body::contact::MeasuredContact;
use aplomb_trace::CharacterFrame;
use disturbance::Disturbance;
pub use under_way::Servo;
use under_way::UnderWay;

/// Default compliance of a plant's ground, m/N: 12 mm under the weight of an adult. The contacts of simulators are
/// soft, and softer for lighter parts: in MuJoCo toes penetrate this far under load.
pub const SOFT: f64 = 2e-5;

/// Settings of feedback control. The default is a plant without latency or servos, with contacts as compliant
/// as those of simulators, and no disturbance observer.
#[derive(Clone, Debug, PartialEq)]
pub struct FeedbackSettings {
    /// Horizon of each call, s, from the time between two calls to 0.05; `None` for that time. 10 ms is suitable for
    /// human bodies, however often the controller is called.
    #[doc(alias = "preview")]
    pub horizon: Option<f64>,
    /// Time from the measurement of a state until the torques computed from it act, s, 0 to 0.1. Each call
    /// begins in the state predicted for that time, under the torques that were sent earlier.
    #[doc(alias = "delay")]
    pub latency: f64,
    /// Servos of the plant that add to the commanded torques; they only matter for the prediction under
    /// latency.
    pub servo: Option<Servo>,
    /// Compliance of the plant's ground at a point, m/N: a point no deeper than the whole weight would press
    /// it is in contact without penetration. Too large a value does no harm where the plant itself removes
    /// penetrations; with too small a value the body is thrown off the ground, because each call pushes it
    /// out.
    pub compliance: f64,
    /// Time constant of the disturbance observer, s; `None` for none.
    pub disturbance_time: Option<f64>,
}

impl Default for FeedbackSettings {
    fn default() -> Self {
        FeedbackSettings {
            horizon: None,
            latency: 0.0,
            servo: None,
            compliance: SOFT,
            disturbance_time: None,
        }
    }
}

/// The measurements of a call.
#[derive(Clone, Copy, Debug, Default)]
pub struct Measurement<'a> {
    /// Configuration, nq numbers.
    pub q: &'a [f64],
    /// Velocity, nv numbers.
    pub v: &'a [f64],
    /// Mean joint torques that actually acted since the previous call, N m or N, nv numbers; `None` for the
    /// commanded ones.
    pub torque: Option<&'a [f64]>,
    /// Contacts of the body; `None` to derive them from geometry.
    pub contacts: Option<&'a [MeasuredContact]>,
}

/// The command to the body until the next call.
#[derive(Clone, Copy, Debug)]
pub struct Command<'a> {
    /// Joint torques, N m or N, nv numbers; zeros for a floating root.
    pub torque: &'a [f64],
    /// Configuration expected when the next command takes effect, nq numbers.
    pub q: &'a [f64],
    /// Velocity expected then, nv numbers.
    pub v: &'a [f64],
    /// Estimated generalised force of disturbances, N or N m, nv numbers; empty without an observer.
    pub disturbance: &'a [f64],
    /// The record of the frame: contact forces, costs, outcome.
    pub frame: &'a CharacterFrame,
}

/// Why a call fails.
#[derive(Clone, Debug, thiserror::Error)]
pub enum FeedbackError {
    /// An invalid measurement.
    #[error(transparent)]
    World(#[from] WorldError),
    /// A frame that cannot be computed.
    #[error(transparent)]
    Step(#[from] StepError),
}

/// State of feedback control from call to call.
pub struct Feedback {
    id: CharacterId,
    under_way: UnderWay,
    disturbance: Option<Disturbance>,
    /// Velocity at the previous call, nv numbers; empty before the first.
    velocity: Vec<f64>,
}

impl Feedback {
    /// Takes control of a character of a world, whose step is the time between calls.
    ///
    /// # Errors
    /// Settings out of their ranges.
    ///
    /// # Panics
    /// If `id` is of another world.
    pub fn new(world: &mut World, id: CharacterId, settings: &FeedbackSettings) -> Result<Self, WorldError> {
        let period = world.settings.dt;
        let FeedbackSettings { horizon, latency, servo, compliance, disturbance_time } = settings.clone();
        let horizon = horizon.unwrap_or(period);
        let is_right = |is_right: bool, what: &'static str| match is_right {
            true => Ok(()),
            false => Err(WorldError::BadValue(what)),
        };
        is_right(
            (period..=0.05).contains(&horizon),
            "the horizon must be from the time between two calls to 0.05 s",
        )?;
        is_right((0.0..=0.1).contains(&latency), "the latency must be from 0 to 0.1 s")?;
        is_right((0.0..=1e-3).contains(&compliance), "the compliance must be from 0 to 0.001 m/N")?;
        let is_time = |time: f64| time > 0.0 && time.is_finite();
        is_right(
            disturbance_time.is_none_or(is_time),
            "the time constant of disturbances must be more than 0 s",
        )?;
        // The plant determines the motion: each call is one solve.
        world.settings.momentum_tolerance = 0.0;
        let Character { model, snapshot, .. } = &mut world.actors[id.0].character;
        for gains in servo.iter().flat_map(|servo| [&servo.stiffness, &servo.damping]) {
            is_right(
                gains.len() == model.nv,
                "a servo has a stiffness and a damping for each velocity coordinate",
            )?;
            is_right(
                gains.iter().all(|gain| (0.0..=1e6).contains(gain)),
                "a servo's gains must be from 0 to 1e6",
            )?;
        }
        snapshot.scales.dt = horizon;
        let depth = compliance * snapshot.scales.weight();
        snapshot.contacts.follow_measurements(depth);
        Ok(Feedback {
            id,
            under_way: UnderWay::new(model, latency, period, servo),
            disturbance: disturbance_time.map(|time| Disturbance::new(model, time)),
            velocity: Vec::with_capacity(model.nv),
        })
    }

    /// The controlled character.
    pub fn character(&self) -> CharacterId {
        self.id
    }

    /// Computes the next command from a measured state; [`command`](Feedback::command) returns it.
    ///
    /// # Errors
    /// Numbers of another body or that are not finite, and errors of a step of the world.
    pub fn observe(&mut self, world: &mut World, measured: &Measurement<'_>) -> Result<(), FeedbackError> {
        self.adopt(world, measured)?;
        self.under_way.foresee(world, self.id)?;
        world.step()?;
        let snapshot = &world.actors[self.id.0].character.snapshot;
        self.under_way.send(&snapshot.last_torque, &snapshot.state);
        Ok(())
    }

    /// The command of the last call.
    pub fn command<'w>(&'w self, world: &'w World) -> Command<'w> {
        let actor = &world.actors[self.id.0];
        let snapshot = &actor.character.snapshot;
        Command {
            // The torques of the previous call, if the frame has none.
            torque: &snapshot.last_torque,
            q: &snapshot.state.q,
            v: &snapshot.state.v,
            disturbance: self.disturbance.as_ref().map_or(&[], Disturbance::force),
            frame: &actor.result.frame,
        }
    }

    /// Sets the character to the measured state and contacts; everything else continues.
    fn adopt(&mut self, world: &mut World, measured: &Measurement<'_>) -> Result<(), WorldError> {
        world.check_state(self.id, measured.q, measured.v)?;
        let time = world.time();
        let Character { model, snapshot, synthesiser, .. } = &mut world.actors[self.id.0].character;
        if measured.torque.is_some_and(|torque| torque.len() != model.nv) {
            return Err(WorldError::Foreign("torques"));
        }
        let contacts = measured.contacts.unwrap_or_default();
        let of_contacts =
            contacts.iter().flat_map(|contact| contact.point.iter().chain(contact.force.iter().flatten()));
        let mut numbers = measured.torque.unwrap_or_default().iter().chain(of_contacts);
        if !numbers.all(|number| number.is_finite()) {
            return Err(WorldError::BadValue("torques and contacts must be finite"));
        }
        snapshot.com_velocity_before = None;
        synthesiser.solver.reset();
        snapshot.state.q.copy_from_slice(measured.q);
        snapshot.state.v.copy_from_slice(measured.v);
        snapshot.state.time = time;
        snapshot.elapsed = snapshot.scales.period;
        snapshot.kinematics.update(model, measured.q, measured.v);
        snapshot.contacts.note_measured(
            model,
            &snapshot.kinematics,
            measured.contacts,
            &mut snapshot.last_force,
        );
        let acted = measured.torque.or(self.under_way.acted());
        if let Some(disturbance) = &mut self.disturbance {
            if let (Some(torque), false) = (acted, self.velocity.is_empty()) {
                let stops = &synthesiser.result().stop_reaction;
                disturbance.learn(model, snapshot, &self.velocity, torque, stops, measured.contacts);
            }
            synthesiser.linearisation.disturbance.clear();
            synthesiser.linearisation.disturbance.extend_from_slice(disturbance.force());
        }
        // Measured feet have no anchor from before.
        snapshot.contacts.reset();
        if self.under_way.is_empty() {
            // Torque change is relative to the torques that actually acted.
            if let Some(torque) = measured.torque {
                snapshot.last_torque.copy_from_slice(torque);
            }
        }
        self.velocity.clear();
        self.velocity.extend_from_slice(measured.v);
        world.observed.is_current = false;
        Ok(())
    }
}
