//! A frame is solved again until contacts and stops do nothing in it that they cannot do.

use super::forces;
use super::problem::{FrameProblem, FrameTime};
use crate::contact::Corrections;
use crate::controller::BadValue;
use crate::controller::quantity::Measure;
use crate::dynamics::BiasVelocity;
use crate::model::state;
use crate::objective::Now;
use crate::passive::PassiveWorld;
use crate::predict::{Layout, Prediction};
use crate::snapshot::Snapshot;
use crate::synthesis::{ActuationCost, Timing};
use crate::world::character::Character;

/// Solves of one frame, so that a blow ends.
const MOST_SOLVES: u32 = 80;
/// Most solves of a frame for the bias force at its midpoint alone.
const MOST_MIDPOINTS: u32 = 12;
/// Most times that it is found out anew in a frame where grips go, and where these hold what moves by itself.
const MOST_LOOKS_AHEAD: u32 = 4;
const MOST_LOOKS_AT_HELD: u32 = 24;
/// Change of a coordinate's rate in a frame from which on an extrapolation of velocities says nothing, rad/s or m/s.
const JUMP: f64 = 3.0;
/// Error of v⁺ in the bias force at the midpoint that is let be, rad/s or m/s; what is left is quadratic in it.
const MIDPOINT_ERROR: f64 = 1e-4;

/// Linearises the frame for its first solve.
pub fn linearise(character: &mut Character, bias: BiasVelocity) {
    lay_out(character, bias, false, true);
}

fn lay_out(character: &mut Character, bias: BiasVelocity, braced: bool, afresh: bool) {
    let Character { model, snapshot, synthesiser, previous_velocity, problem, .. } = character;
    let layout = Layout { friction_directions: synthesiser.settings.friction_directions, braced, afresh };
    synthesiser.linearisation.update(model, snapshot, &problem.external, bias, previous_velocity, layout);
}

/// The frame of a character while it is solved.
pub struct SolveLoop<'a> {
    pub character: &'a mut Character,
    /// What hands hold gives way to their forces.
    pub things: &'a mut PassiveWorld,
    pub frame: FrameTime,
}

impl SolveLoop<'_> {
    fn lay_out(&mut self, bias: BiasVelocity, braced: bool, afresh: bool) {
        lay_out(self.character, bias, braced, afresh);
    }

    /// Solves the frame, again where contacts or stops did what they cannot. Says what was put right, at which
    /// velocity the bias force is taken in the end, and how long it took; counts the solver's iterations.
    pub fn synthesise(
        &mut self,
        asked: BiasVelocity,
        iterations: &mut u32,
    ) -> Result<(Corrections, BiasVelocity, Timing), BadValue> {
        let mut corrections = Corrections::default();
        let (mut bias, mut midpoints, mut looks_ahead) = (asked, 0, 0);
        let mut timing = Timing::default();
        *iterations = 0;
        if self.character.model.nv == 0 {
            return Ok((corrections, bias, timing));
        }
        self.character.synthesiser.linearisation.thrown.clear();
        self.solve_timed(bias, iterations, &mut timing)?;
        let most_looks = if self.things.loads().is_empty() { MOST_LOOKS_AHEAD } else { MOST_LOOKS_AT_HELD };
        for _ in 1..MOST_SOLVES {
            if looks_ahead < most_looks && self.overload_is_misjudged() {
                looks_ahead += 1;
                let braced = self.character.synthesiser.linearisation.is_braced();
                self.lay_out(bias, braced, false);
                self.solve_timed(bias, iterations, &mut timing)?;
                continue;
            }
            if self.stop_thrown_joints() || self.break_grip() {
                let braced = self.character.synthesiser.linearisation.is_braced();
                self.lay_out(bias, braced, false);
                self.solve_timed(bias, iterations, &mut timing)?;
                continue;
            }
            if !self.character.synthesiser.result().has_solution() {
                return Ok((corrections, bias, timing));
            }
            self.observe_contacts();
            let Character { model, snapshot, synthesiser, problem, .. } = &mut *self.character;
            let off = synthesiser.expect(model);
            snapshot.contacts.expect(&problem.outcomes);
            let mut braced = self.character.synthesiser.linearisation.is_braced();
            let is_right = !self.correct(braced, &mut corrections);
            if is_right && !braced && self.has_wrong() {
                // What contacts cannot do goes on: muscles cannot master this frame.
                self.character.snapshot.contacts.brace();
                braced = true;
                self.lay_out(bias, braced, true);
            } else if is_right {
                if looks_ahead < most_looks && self.grips_go_elsewhere() {
                    looks_ahead += 1;
                } else if self.is_right(off, &mut bias) {
                    break;
                } else {
                    midpoints += 1;
                }
                if midpoints > MOST_MIDPOINTS {
                    if bias != BiasVelocity::Midpoint {
                        break;
                    }
                    // No midpoint is consistent with its own frame; the velocity before it always is.
                    bias = BiasVelocity::Backward;
                }
            }
            self.lay_out(bias, braced, false);
            self.solve_timed(bias, iterations, &mut timing)?;
        }
        self.observe_contacts();
        let Character { snapshot, problem, .. } = &mut *self.character;
        snapshot.contacts.stand_down(&problem.outcomes);
        Ok((corrections, bias, timing))
    }

    /// Whether the bias force was taken at the velocity it is said to be taken at, and the paths of touching points
    /// bend as expected, with an expected velocity that was so far `off`. Where the frame is no smooth continuation
    /// of the ones before, the bias force is not extrapolated but taken at the midpoint, by Newton's method.
    fn is_right(&mut self, off: f64, bias: &mut BiasVelocity) -> bool {
        let is_bias_right = match bias {
            BiasVelocity::Backward => true,
            BiasVelocity::Midpoint => off < MIDPOINT_ERROR,
            BiasVelocity::Extrapolated => off < JUMP,
        };
        if *bias == BiasVelocity::Extrapolated && !is_bias_right {
            *bias = BiasVelocity::Midpoint;
        }
        let Character { snapshot, problem, .. } = &*self.character;
        is_bias_right && !snapshot.contacts.sink(&problem.outcomes, self.frame.dt)
    }

    /// `true` where something was wrong with the last solve.
    fn correct(&mut self, braced: bool, corrections: &mut Corrections) -> bool {
        let dt = self.frame.dt;
        let Character { model, snapshot, synthesiser, problem, .. } = &mut *self.character;
        if snapshot.contacts.strike(&problem.outcomes, dt) {
            return true;
        }
        let weight = snapshot.scales.weight();
        if braced {
            return snapshot.contacts.slide(&problem.outcomes, dt, weight, corrections);
        }
        let stops = synthesiser.call_off_stops(model, snapshot);
        snapshot.contacts.correct(&problem.outcomes, dt, weight, corrections) || stops
    }

    fn has_wrong(&self) -> bool {
        let Character { snapshot: Snapshot { contacts, scales, .. }, problem, .. } = &*self.character;
        contacts.has_wrong(&problem.outcomes, self.frame.dt, scales.weight())
    }

    /// Solves once more with every stop and surface at hand where nothing else will do.
    fn solve_timed(
        &mut self,
        bias: BiasVelocity,
        iterations: &mut u32,
        timing: &mut Timing,
    ) -> Result<(), BadValue> {
        if !self.solve()? {
            self.character.snapshot.contacts.brace();
            self.lay_out(bias, true, true);
            self.solve()?;
        }
        let result = self.character.synthesiser.result();
        *iterations += result.iterations;
        *timing = *timing + result.timing;
        Ok(())
    }

    /// What the contacts do on the way to the configuration that the frame ends in.
    fn observe_contacts(&mut self) {
        let Character { model, snapshot, synthesiser, problem, .. } = &mut *self.character;
        let FrameProblem { displacement, next_q, ahead, outcomes, .. } = problem;
        let unknowns = &synthesiser.result().unknowns;
        if unknowns.len() < model.nv {
            return;
        }
        for (displacement, rate) in displacement.iter_mut().zip(unknowns) {
            *displacement = rate * self.frame.dt;
        }
        state::integrate(model, &snapshot.state.q, displacement, next_q);
        ahead.update_poses(model, next_q);
        let next = Prediction::new(model, snapshot, &synthesiser.linearisation);
        forces::outcomes(snapshot, &next, unknowns, ahead, outcomes);
    }

    fn solve(&mut self) -> Result<bool, BadValue> {
        let Character {
            model,
            snapshot,
            machine,
            goals,
            own_goals,
            objectives,
            synthesiser,
            reaction_delay,
            ..
        } = &mut *self.character;
        let measure = Measure { model, snapshot };
        let values = machine.lookup(&measure);
        let now = Now { model, snapshot };
        synthesiser.begin(&now, &values);
        for goal in goals[machine.state()].iter_mut().chain(own_goals) {
            if !goal.switch.is_on(self.frame.index) {
                continue;
            }
            if let Some(active) = goal.in_force(&values, &now)? {
                synthesiser.add(&now, &active);
            }
        }
        let weight = synthesiser.settings.muscle_weight;
        let reluctant = ActuationCost::reluctant(weight, &snapshot.last_torque, self.frame.index == 0);
        let held = reaction_delay.as_ref().and_then(|delay| delay.held(self.frame.index));
        Ok(synthesiser.solve(&now, held.unwrap_or(reluctant), objectives.len()))
    }
}
