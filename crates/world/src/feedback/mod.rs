//! A controller without a plant: the state comes from outside before each frame, from another engine or a real body, and
//! what the frame asks of the joints goes back there.
//!
//! A world with one character decides; its step is the time from call to call. What differs from a world that moves
//! by itself stands here: a frame may look farther ahead than to the next call, begin where the torques will act
//! that are under way (`under_way.rs`), know which contacts bear and how deep they sink, and reckon with what pushes
//! without having been announced (`disturbance.rs`).

mod disturbance;
mod servo;
mod under_way;

use super::contents::{CharacterId, World, WorldError};
use super::result::StepError;
use crate::character::Character;
use aplomb_body::contact::MeasuredContact;
use aplomb_trace::Frame;
use disturbance::Disturbance;
pub use servo::Servo;
use under_way::UnderWay;

/// How far a plant's ground gives way, where nothing else is said, m/N: 12 mm under the weight of an adult. The contacts of
/// simulators are soft, and the lighter a part the softer: in MuJoCo toes sink so deep where they bear much.
pub const SOFT: f64 = 2e-5;

/// How a controller meets its plant. The default is one that acts at once, whose contacts are as soft as those of simulators,
/// and believes its model.
#[derive(Clone, Debug, PartialEq)]
pub struct FeedbackSettings {
    /// How far each call looks ahead, s, from the time between two calls to 0.05; that time where it is `None`. 10 ms are
    /// good for people, however often they are asked.
    pub horizon: Option<f64>,
    /// From the measurement of a state to the moment from which on the torques that answer it act, s, 0 to 0.1. Each call
    /// begins where the body will be then under the torques that are under way.
    pub latency: f64,
    /// What the plant's drives add to the torques that are asked for; it matters for what is under way alone.
    pub servo: Option<Servo>,
    /// How far the plant's ground gives way under a point, m/N: what is no deeper than the whole weight would press it
    /// touches, and penetrates nothing. Too much does no harm where the plant itself gives penetrations back; with too little
    /// the body is thrown off the ground, because each call pushes it out of what it has sunk into.
    pub compliance: f64,
    /// Time constant with which forces that nobody told it of are estimated, s; `None`: it reckons with none.
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

/// What is known of the body at a call.
#[derive(Clone, Copy, Debug, Default)]
pub struct Measurement<'a> {
    /// Configuration, nq numbers.
    pub q: &'a [f64],
    /// Velocity, nv numbers.
    pub v: &'a [f64],
    /// What the joints really had since the call before, in the mean, N m or N, nv numbers; what was asked for where it
    /// is `None`.
    pub torque: Option<&'a [f64]>,
    /// The contacts that bear; `None` where only geometry says so.
    pub contacts: Option<&'a [MeasuredContact]>,
}

/// What is asked of the body until the next call.
#[derive(Clone, Copy, Debug)]
pub struct Command<'a> {
    /// Joint torques, N m or N, nv numbers; zeros for a floating root.
    pub torque: &'a [f64],
    /// Configuration that is expected when the next command begins to act, nq numbers.
    pub q: &'a [f64],
    /// Velocity then, nv numbers.
    pub v: &'a [f64],
    /// Generalised force that it reckons with beside contacts and gravity, N or N m, nv numbers; empty where it is not
    /// estimated.
    pub disturbance: &'a [f64],
    /// Everything else that is known of the frame: contact forces, costs, outcome.
    pub frame: &'a Frame,
}

/// Why a call has no answer.
#[derive(Clone, Debug, thiserror::Error)]
pub enum FeedbackError {
    /// A measurement that cannot be.
    #[error(transparent)]
    World(#[from] WorldError),
    /// A frame that cannot be computed.
    #[error(transparent)]
    Step(#[from] StepError),
}

/// What a controller remembers of its plant from call to call.
pub struct Feedback {
    id: CharacterId,
    under_way: UnderWay,
    disturbance: Option<Disturbance>,
    /// Velocity at the call before, nv numbers; none before the first.
    velocity: Vec<f64>,
}

impl Feedback {
    /// Takes over the character of a world, whose step is the time from call to call.
    ///
    /// # Errors
    /// Settings out of their ranges.
    ///
    /// # Panics
    /// For the number of a character of another world.
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

    /// The character that it controls.
    pub fn character(&self) -> CharacterId {
        self.id
    }

    /// Decides what the joints should do, from the state that was measured now. [`command`](Feedback::command) says what.
    ///
    /// # Errors
    /// Numbers of another body or that are not finite, and what a step of the world gives.
    pub fn observe(&mut self, world: &mut World, measured: &Measurement<'_>) -> Result<(), FeedbackError> {
        self.adopt(world, measured)?;
        self.under_way.foresee(world, self.id)?;
        world.step()?;
        let snapshot = &world.actors[self.id.0].character.snapshot;
        self.under_way.send(&snapshot.last_torque, &snapshot.state);
        Ok(())
    }

    /// What the last call came to.
    pub fn command<'w>(&'w self, world: &'w World) -> Command<'w> {
        let actor = &world.actors[self.id.0];
        let snapshot = &actor.character.snapshot;
        Command {
            // That of the call before where the frame has none.
            torque: &snapshot.last_torque,
            q: &snapshot.state.q,
            v: &snapshot.state.v,
            disturbance: self.disturbance.as_ref().map_or(&[], Disturbance::force),
            frame: &actor.result.frame,
        }
    }

    /// The character is where it was measured to be, touches what it was measured to touch, and goes on otherwise.
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
        // Feet are where they were measured to be, whatever they did before.
        snapshot.contacts.reset();
        if self.under_way.is_empty() {
            // What really acted is what torques change from.
            if let Some(torque) = measured.torque {
                snapshot.last_torque.copy_from_slice(torque);
            }
        }
        self.velocity.clear();
        self.velocity.extend_from_slice(measured.v);
        world.is_observed = false;
        Ok(())
    }
}
