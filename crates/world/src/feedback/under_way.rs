//! Latency compensation: prediction of the state at which the torques of the next command take effect.

use crate::character::Character;
use crate::contents::{CharacterId, World};
use crate::frame::FrameTime;
use crate::frame::advance::advance;
use crate::frame::solve_loop;
use crate::reaction_delay::{ReactionDelay, ReactionDelaySettings};
use crate::result::StepError;
use aplomb_body::dynamics::BiasVelocity;
use aplomb_body::model::Model;
use aplomb_body::model::state::{self, State};
use aplomb_control::predict::Linearisation;
use std::collections::VecDeque;

/// Longest step of the prediction, s.
const LONGEST: f64 = 0.01;
/// Weight of ‖(τ − τ₀)/(m g h)‖² that fixes the torques of the prediction: far above the weight of any
/// objective.
const HELD: f64 = 1e6;
/// Times shorter than this count as zero, s.
const NOTHING: f64 = 1e-9;

/// A command that was sent.
#[derive(Clone, Debug, Default)]
struct Sent {
    torque: Vec<f64>,
    /// State expected when the next command takes effect.
    q: Vec<f64>,
    v: Vec<f64>,
}

/// The commands that were sent, the oldest first, and the latency.
pub(super) struct UnderWay {
    /// Latency, s.
    latency: f64,
    /// Time between calls, s.
    period: f64,
    /// Largest number of commands kept.
    most: usize,
    commands: VecDeque<Sent>,
    /// Servos of the plant.
    servo: Option<Servo>,
    /// Mean torque of a step.
    mean: Vec<f64>,
    /// Displacement of each joint from the position that a command expects.
    way: Vec<f64>,
    /// Generalised forces other than those of servos.
    disturbance: Vec<f64>,
    /// Fixes the torques of the prediction's frames, as a reaction delay does.
    held: Option<ReactionDelay>,
}

impl UnderWay {
    /// No commands yet.
    pub(super) fn new(model: &Model, latency: f64, period: f64, servo: Option<Servo>) -> Self {
        let settings = ReactionDelaySettings { time: 0.0, weight: HELD, perception: 0.0 };
        // One more, which no longer acts.
        let most = (latency / period - NOTHING).ceil().max(0.0) as usize + 1;
        UnderWay {
            latency,
            period,
            most,
            commands: VecDeque::with_capacity(most + 1),
            servo,
            mean: vec![0.0; model.nv],
            way: vec![0.0; model.nv],
            disturbance: Vec::new(),
            held: Some(ReactionDelay::new(&settings, model.nv, period)),
        }
    }

    /// Whether the latency is zero.
    pub(super) fn is_empty(&self) -> bool {
        self.latency < NOTHING
    }

    /// The torque that acted for most of the time since the previous call; `None` if it is unknown.
    pub(super) fn acted(&self) -> Option<&[f64]> {
        let is_full = self.commands.len() == self.most;
        self.commands.front().filter(|_| is_full).map(|sent| &*sent.torque)
    }

    /// Adds a command: torques, and the expected resulting state.
    pub(super) fn send(&mut self, torque: &[f64], expected: &State) {
        let is_full = self.commands.len() == self.most;
        let oldest = if is_full { self.commands.pop_front() } else { None };
        let mut sent = oldest.unwrap_or_default();
        let parts = [(&mut sent.torque, torque), (&mut sent.q, &expected.q), (&mut sent.v, &expected.v)];
        for (memory, numbers) in parts {
            memory.clear();
            memory.extend_from_slice(numbers);
        }
        self.commands.push_back(sent);
    }

    /// The commands with the times, relative to now, at which they start and stop acting, s.
    fn spans(&self) -> impl Iterator<Item = (&Sent, [f64; 2])> {
        let UnderWay { commands, latency, period, .. } = self;
        commands.iter().enumerate().filter_map(move |(index, sent)| {
            let calls_ago = (commands.len() - index) as f64;
            let begin = latency - calls_ago * period;
            let end = begin + period;
            (end > NOTHING).then_some((sent, [begin.max(0.0), end]))
        })
    }

    /// Sets `mean` to the mean torque from `from` to `to`, s; returns false if no command acts then.
    fn average(&mut self, from: f64, to: f64) -> bool {
        let mut mean = std::mem::take(&mut self.mean);
        mean.fill(0.0);
        let mut known = 0.0;
        for (sent, [begin, end]) in self.spans() {
            let time = end.min(to) - begin.max(from);
            if time > NOTHING {
                known += time;
                mean.iter_mut().zip(&sent.torque).for_each(|(mean, torque)| *mean += time * torque);
            }
        }
        mean.iter_mut().for_each(|mean| *mean /= f64::max(known, NOTHING));
        self.mean = mean;
        known > NOTHING
    }

    /// Includes the servos in the frame up to `to`, s from now: K (q_ref − q⁺) + D (v_ref − v⁺), whose terms
    /// in v⁺ enter the equations of motion like a damper.
    fn drive(&mut self, character: &mut Character, to: f64) {
        let mut way = std::mem::take(&mut self.way);
        let Character { model, snapshot, synthesiser, .. } = character;
        let last = self.spans().filter(|(_, [begin, _])| begin + NOTHING < to).last();
        let Linearisation { servo: gains, disturbance, .. } = &mut synthesiser.linearisation;
        gains.clear();
        disturbance.clone_from(&self.disturbance);
        if let (Some(servo), Some((sent, [_, end]))) = (&self.servo, last) {
            disturbance.resize(model.nv, 0.0);
            state::difference(model, &snapshot.state.q, &sent.q, &mut way);
            for k in 0..model.nv {
                let (stiffness, damping) = (servo.stiffness[k], servo.damping[k]);
                way[k] -= (end - to) * sent.v[k];
                gains.push(damping + stiffness * snapshot.scales.dt);
                disturbance[k] += stiffness * way[k] + damping * sent.v[k];
            }
        }
        self.way = way;
    }

    /// Advances the character to the state in which the next torques take effect, by frames with given
    /// torques, in which contacts and limits are enforced as usual.
    ///
    /// # Errors
    /// A number of the controller with which no frame can be computed.
    pub(super) fn foresee(&mut self, world: &mut World, id: CharacterId) -> Result<(), StepError> {
        if self.is_empty() {
            return Ok(());
        }
        let steps = (self.latency / LONGEST - NOTHING).ceil().max(1.0);
        let dt = self.latency / steps;
        let frame = FrameTime { index: world.index, dt };
        let character = &mut world.actors[id.0].character;
        let scales = character.snapshot.scales;
        (character.snapshot.scales.dt, character.snapshot.scales.period) = (dt, dt);
        std::mem::swap(&mut character.reaction_delay, &mut self.held);
        self.disturbance.clone_from(&character.synthesiser.linearisation.disturbance);
        let mut result = Ok(());
        for step in 0..steps as usize {
            if !self.average(step as f64 * dt, (step + 1) as f64 * dt) {
                continue;
            }
            self.drive(character, (step + 1) as f64 * dt);
            if let Some(delay) = &mut character.reaction_delay {
                delay.begin(frame.index, &self.mean);
            }
            result = follow(character, frame);
            if result.is_err() {
                break;
            }
        }
        std::mem::swap(&mut character.reaction_delay, &mut self.held);
        character.snapshot.scales = scales;
        character.synthesiser.linearisation.servo.clear();
        character.synthesiser.linearisation.disturbance.clone_from(&self.disturbance);
        if let Some(newest) = self.commands.back() {
            character.snapshot.last_torque.copy_from_slice(&newest.torque);
        }
        result
    }
}

/// One frame of the body with fixed torques.
fn follow(character: &mut Character, frame: FrameTime) -> Result<(), StepError> {
    let Character { model, snapshot, .. } = character;
    snapshot.update(model);
    snapshot.elapsed = 0.0;
    match solve_loop::solve_alone(character, None, frame.index, BiasVelocity::Midpoint) {
        Ok(()) => {
            advance(character, frame);
            Ok(())
        }
        Err(value) => Err(StepError::Value { character: character.name.clone(), value }),
    }
}

/// Servos that add a torque to each joint, towards the position and velocity that a command expects.
#[doc(alias = "PD control")]
#[doc(alias = "position servo")]
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Servo {
    /// Stiffness by velocity coordinate, N m/rad or N/m; zeros for a floating root.
    pub stiffness: Vec<f64>,
    /// Damping by velocity coordinate, N m s/rad or N s/m; zeros for a floating root.
    pub damping: Vec<f64>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use aplomb_body::model::mjcf;
    use aplomb_language::diagnostic::Source;

    fn model() -> Model {
        let text = "<mujoco><worldbody><body><joint type='hinge'/><geom size='0.1' \
                    mass='2'/></body></worldbody></mujoco>";
        mjcf::read(&Source::new("m.xml", text)).unwrap()
    }

    #[test]
    fn torques_act_in_the_order_of_their_calls_for_as_long_as_is_between_two() {
        let state = State { q: vec![0.0], v: vec![0.0], time: 0.0 };
        let mut under_way = UnderWay::new(&model(), 0.025, 0.01, None);
        for torque in [1.0, 2.0, 3.0, 4.0] {
            under_way.send(&[torque], &state);
        }
        // The last 5 ms of the call 30 ms ago; then those of 20 and of 10 ms ago.
        let spans: Vec<(f64, [f64; 2])> =
            under_way.spans().map(|(sent, span)| (sent.torque[0], span)).collect();
        let wanted = [(2.0, [0.0, 0.005]), (3.0, [0.005, 0.015]), (4.0, [0.015, 0.025])];
        assert_eq!(spans.len(), 3);
        for ((torque, [begin, end]), (known, [from, to])) in spans.into_iter().zip(wanted) {
            assert!(torque == known && (begin - from).abs() < 1e-12 && (end - to).abs() < 1e-12);
        }
        assert!(under_way.average(0.0, 0.0125));
        assert!((under_way.mean[0] - (5.0 * 2.0 + 7.5 * 3.0) / 12.5).abs() < 1e-12);
        assert_eq!(under_way.acted(), Some(&[1.0][..]));
    }

    #[test]
    fn nothing_is_under_way_where_torques_act_at_once() {
        let state = State { q: vec![0.0], v: vec![0.0], time: 0.0 };
        let mut under_way = UnderWay::new(&model(), 0.0, 0.01, None);
        assert_eq!(under_way.acted(), None);
        under_way.send(&[1.0], &state);
        under_way.send(&[2.0], &state);
        assert!(under_way.is_empty() && under_way.spans().next().is_none());
        assert_eq!(under_way.acted(), Some(&[2.0][..]));
    }
}
