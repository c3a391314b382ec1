//! Reaction delay ([Jain 2009] §4.1): joint torques respond to a disturbance late. For a while they keep the values
//! they had at its beginning. The controller may perceive it even later: people react with their joints after 0.1 s,
//! and decide on a step after 0.2 s.
//!
//! A disturbance is an unexpected external action that begins: a push, a hit by a passive object or by a
//! ragdoll, supporting ground that begins to accelerate, ground that vanishes. Ground that the character
//! approaches by its own motion is expected, and so is an action that was registered before.

use super::event::Cause;
use aplomb_body::model::scales::STANDARD_GRAVITY;
use aplomb_control::snapshot::{Deviation, Snapshot};
use aplomb_control::synthesis::ActuationCost;
use aplomb_math::elementary::exp;
use nalgebra::Vector3;
use serde::Serialize;
use std::collections::VecDeque;

/// Threshold of a disturbance: share of the weight for forces, share of standard gravity for accelerations of
/// the ground. It is several times the accelerations of quiet standing, and half of those of the ground in a
/// moderate earthquake.
const FELT: f64 = 0.05;
/// Time for which a disturbance remains expected after it has ended, s: repeated bounces of an object on a body, or
/// the turning points of a shake, are registered once.
const MEMORY: f64 = 1.0;
/// Number of simultaneous disturbances for which memory is allocated.
const STIMULI: usize = 16;

/// Name in a frame's events while joint torques keep their values.
pub const EVENT_NAME: &str = "reaction delay";

/// After a disturbance joint torques keep the values they had at its beginning for a while: the cost of
/// torque change is then w ‖(τ − τ₀)/(m g h)‖² with the torques τ₀ of the frame before it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ReactionDelaySettings {
    /// Delay from the beginning of each disturbance, s. People have 0.1 to 0.2 s.
    pub time: f64,
    /// w, which replaces the weight of torque change during the delay.
    pub weight: f64,
    /// Time from a disturbance until the controller knows it, s; 0 if it knows it at once. Until then its states,
    /// planners and expressions use the COM as it would move without the disturbance.
    pub perception: f64,
}

impl ReactionDelaySettings {
    /// Human delays: joints react to a push after 0.1 s, and people decide on a step after 0.2 s.
    pub const PERSON: Self = ReactionDelaySettings { time: 0.1, weight: 3e4, perception: 0.2 };
}

/// Source of a disturbance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stimulus {
    /// An object, event or character that acts on the character.
    Hit(Cause),
    /// A surface, by index.
    Surface(usize),
}

/// A character's reaction delay, with the torques that its joints keep.
#[derive(Clone, Debug)]
pub struct ReactionDelay {
    /// Weight of ‖(τ − τ₀)/(m g h)‖² during the delay.
    weight: f64,
    frames: u64,
    /// Length of a frame, s.
    dt: f64,
    /// First frame in which torques are free again.
    until: u64,
    /// τ₀ per velocity coordinate, N m: torques at the beginning of the disturbance.
    torque: Vec<f64>,
    /// Expected disturbances, with the frame in which each was last registered.
    felt: Vec<(Stimulus, u64)>,
    /// Delay of the controller's perception of disturbances, in frames.
    perception: u64,
    /// First frame in which external forces are no longer unexpected for the controller.
    surprised_until: u64,
    /// Changes of the COM's velocity, m/s, by disturbances of the last frames, which the controller does not
    /// know yet.
    unknown: VecDeque<(u64, Vector3<f64>)>,
}

impl ReactionDelay {
    /// A reaction delay for a model with this many velocity coordinates, in frames of `dt` s; at least one
    /// frame.
    pub fn new(settings: &ReactionDelaySettings, coordinates: usize, dt: f64) -> Self {
        let frames = (settings.time / dt).round().max(1.0) as u64;
        let perception = (settings.perception / dt).round().max(0.0) as u64;
        ReactionDelay {
            weight: settings.weight,
            frames,
            dt,
            until: 0,
            torque: vec![0.0; coordinates],
            felt: Vec::with_capacity(STIMULI),
            perception,
            surprised_until: 0,
            unknown: VecDeque::with_capacity(perception as usize + 1),
        }
    }

    /// Its settings, in whole frames.
    pub fn settings(&self) -> ReactionDelaySettings {
        let ReactionDelay { weight, frames, perception, dt, .. } = *self;
        ReactionDelaySettings { time: frames as f64 * dt, weight, perception: perception as f64 * dt }
    }

    /// Stores the force on the character in frame `index`, N, as long as it is unexpected.
    pub(crate) fn remember(&mut self, index: u64, force: Vector3<f64>, mass: f64) {
        if index < self.surprised_until {
            self.unknown.push_back((index, force * (self.dt / mass)));
        }
    }

    /// Displacement of the COM at the beginning of frame `index` by disturbances that are not known yet. An
    /// impulse that changes its velocity by δ moves it, as the linear inverted pendulum of time constant T =
    /// √(z/g), by δ T sinh(t/T) after t s, at the rate δ cosh(t/T); upward, and without support (`pendulum`
    /// is `None`), by δ t.
    pub(crate) fn deviation(&mut self, index: u64, pendulum: Option<f64>) -> Deviation {
        while self.unknown.front().is_some_and(|(frame, _)| frame + self.perception <= index) {
            self.unknown.pop_front();
        }
        let mut sum = Deviation::default();
        for (frame, change) in &self.unknown {
            // Each acts in the middle of its frame.
            let time = (index as f64 - *frame as f64 - 0.5) * self.dt;
            let (mut way, mut rate) = (change * time, *change);
            if let Some(constant) = pendulum.filter(|constant| *constant > 0.0) {
                let (growth, decay) = (exp(time / constant), exp(-time / constant));
                way.x = change.x * constant * 0.5 * (growth - decay);
                way.y = change.y * constant * 0.5 * (growth - decay);
                rate.x = change.x * 0.5 * (growth + decay);
                rate.y = change.y * 0.5 * (growth + decay);
            }
            sum.com += way;
            sum.com_velocity += rate;
        }
        sum
    }

    /// Detects disturbances of the character in frame `index`: hits, by cause and force (world, N), and the
    /// surfaces that support it. Pushes call [`begin`](ReactionDelay::begin) themselves.
    pub(crate) fn notice<'h>(
        &mut self,
        index: u64,
        snapshot: &Snapshot,
        hits: impl Iterator<Item = (Cause, &'h Vector3<f64>)> + Clone,
    ) {
        let memory = (MEMORY / self.dt).round() as u64;
        self.felt.retain(|(_, last)| index - last <= memory);
        for (cause, _) in hits.clone() {
            let force: Vector3<f64> = hits.clone().filter(|hit| hit.0 == cause).map(|hit| hit.1).sum();
            self.feel(
                Stimulus::Hit(cause),
                force.norm() / snapshot.scales.weight(),
                index,
                &snapshot.last_torque,
            );
        }
        for surface in 0..snapshot.contacts.surfaces.len() {
            let strength = strength_of_surface(snapshot, surface);
            self.feel(Stimulus::Surface(surface), strength, index, &snapshot.last_torque);
        }
    }

    /// Registers a stimulus, whose `strength` is in weights, or in standard gravities.
    fn feel(&mut self, stimulus: Stimulus, strength: f64, index: u64, torque: &[f64]) {
        if strength < FELT {
            return;
        }
        match self.felt.iter_mut().find(|(known, _)| *known == stimulus) {
            Some((_, last)) => *last = index,
            None => {
                self.felt.push((stimulus, index));
                // The joint torques before the first frame are unknown.
                if index > 0 {
                    self.begin(index, torque);
                }
            }
        }
    }

    /// Begins the delay at frame `index`: joints keep `torque`, that of the previous frame.
    pub(crate) fn begin(&mut self, index: u64, torque: &[f64]) {
        self.until = index + self.frames;
        self.surprised_until = index + self.perception;
        self.torque.copy_from_slice(torque);
    }

    /// The actuation cost that keeps the torques in frame `index`; `None` if they are free.
    pub(crate) fn held(&self, index: u64) -> Option<ActuationCost<'_>> {
        (index < self.until).then_some(ActuationCost { weight: self.weight, torque: &self.torque })
    }
}

/// Disturbance by a surface at the points that it supports: its acceleration there, in standard gravities, or
/// the force that vanished with it, in weights.
fn strength_of_surface(snapshot: &Snapshot, index: usize) -> f64 {
    let contacts = &snapshot.contacts;
    let surface = &contacts.surfaces[index];
    if surface.is_still() {
        return 0.0;
    }
    if !surface.present {
        let on_surface = snapshot.last_force.iter().enumerate();
        let on_surface = on_surface.filter(|(slot, _)| contacts.surface_of(*slot) == index);
        let lost: Vector3<f64> = on_surface.map(|(_, force)| force).sum();
        return lost.norm() / snapshot.scales.weight();
    }
    let bearing = contacts.touches.iter().filter(|touch| touch.surface == index && touch.bears());
    let change = bearing.map(|touch| (touch.next_surface_velocity - touch.surface_velocity).norm());
    change.fold(0.0, f64::max) / (snapshot.scales.dt * STANDARD_GRAVITY)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn torques_are_held_for_the_delay_and_those_of_a_second_push_from_there() {
        let settings = ReactionDelaySettings { time: 0.15, weight: 100.0, perception: 0.0 };
        let mut delay = ReactionDelay::new(&settings, 2, 0.01);
        let held = |delay: &ReactionDelay, index| delay.held(index).map(|cost| cost.torque.to_vec());
        assert_eq!(held(&delay, 0), None);
        delay.begin(10, &[1.0, 2.0]);
        assert_eq!(held(&delay, 10), Some(vec![1.0, 2.0]));
        assert_eq!(held(&delay, 24), Some(vec![1.0, 2.0]));
        assert_eq!(held(&delay, 25), None);
        delay.begin(20, &[3.0, 4.0]);
        assert_eq!(held(&delay, 34), Some(vec![3.0, 4.0]));
        assert_eq!(held(&delay, 35), None);
    }

    #[test]
    fn a_controller_learns_of_a_push_as_late_as_it_perceives_it() {
        let settings = ReactionDelaySettings { time: 0.05, weight: 100.0, perception: 0.1 };
        let mut delay = ReactionDelay::new(&settings, 1, 0.01);
        delay.begin(5, &[0.0]);
        // 60 N on 60 kg in frames 5 and 6: 0.02 m/s.
        for index in [5, 6] {
            delay.remember(index, Vector3::new(60.0, 0.0, 60.0), 60.0);
        }
        let at = |delay: &mut ReactionDelay, index, pendulum| delay.deviation(index, pendulum);
        let flying = at(&mut delay, 10, None);
        assert!((flying.com_velocity - Vector3::new(0.02, 0.0, 0.02)).norm() < 1e-12);
        assert!((flying.com.x - 0.01 * (0.045 + 0.035)).abs() < 1e-12, "{}", flying.com);
        let standing = at(&mut delay, 14, Some(0.3));
        let after = |t: f64| (0.01 * 0.3 * (t / 0.3).sinh(), 0.01 * (t / 0.3).cosh());
        let ((a, da), (b, db)) = (after(0.085), after(0.075));
        assert!((standing.com.x - a - b).abs() < 1e-12 && (standing.com_velocity.x - da - db).abs() < 1e-12);
        assert!((standing.com.z - 0.01 * (0.085 + 0.075)).abs() < 1e-12, "no pendulum upward");
        // The first frame is known from frame 15 on, all of it from 16 on.
        assert!(
            at(&mut delay, 15, None).com_velocity.x < 0.011 && at(&mut delay, 15, None).com_velocity.x > 0.0
        );
        assert_eq!(at(&mut delay, 16, None), Deviation::default());
        delay.remember(16, Vector3::x(), 60.0);
        assert_eq!(at(&mut delay, 17, None), Deviation::default(), "it is expected by now");
    }

    #[test]
    fn what_is_felt_again_and_again_surprises_once_and_what_is_new_at_any_time() {
        let settings = ReactionDelaySettings { time: 0.02, weight: 100.0, perception: 0.0 };
        let mut delay = ReactionDelay::new(&settings, 1, 0.01);
        let (ball, ground) = (Stimulus::Hit(Cause::Passive(0)), Stimulus::Surface(0));
        let mut surprised = |stimulus, strength, index| {
            delay.felt.retain(|(_, last)| index - last <= 100);
            delay.feel(stimulus, strength, index, &[index as f64]);
            delay.held(index).is_some_and(|cost| cost.torque == [index as f64])
        };
        assert!(!surprised(ball, 0.04, 10), "too weak to be felt");
        assert!(surprised(ball, 0.06, 11));
        assert!(!surprised(ball, 2.0, 60), "it bounces");
        assert!(surprised(ground, 0.06, 61));
        assert!(!surprised(ball, 2.0, 160));
        assert!(surprised(ball, 2.0, 300), "forgotten");
    }
}
