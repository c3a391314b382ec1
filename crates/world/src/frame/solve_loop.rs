//! The solve loop: a frame is solved, looked at, and corrected until every check is content.
//!
//! What checks look at and change stands in `synthesis/check/`, their order in its table.

use super::forces;
use super::problem::{FrameProblem, FrameTime, Resolution, Solved, WayOut};
use crate::character::Character;
use crate::controller::BadValue;
use crate::controller::quantity::Measure;
use crate::goal::bad_value;
use crate::reaction_delay::ReactionDelay;
use aplomb_body::dynamics::BiasVelocity;
use aplomb_body::model::state;
use aplomb_control::objective::Now;
use aplomb_control::predict::{FrictionMode, Layout, Prediction};
use aplomb_control::snapshot::Snapshot;
use aplomb_control::synthesis::check::{self, Applied, View};
use aplomb_control::synthesis::{ActuationCost, Attempt, Settings};
use aplomb_passive::PassiveWorld;
use aplomb_trace::{FrameEvent, ImpactCause, Outcome};
use std::time::Instant;

/// The frame of a character while it is solved.
pub(super) struct SolveLoop<'a> {
    pub character: &'a mut Character,
    /// What hands hold gives way to their forces.
    pub passive: &'a mut PassiveWorld,
    pub frame: FrameTime,
    /// So far.
    pub solved: Solved,
}

/// Linearises the frame for its first solve.
pub fn linearise(character: &mut Character, bias: BiasVelocity) {
    lay_out(character, bias, false, true);
}

pub(super) fn lay_out(character: &mut Character, bias: BiasVelocity, impact: bool, afresh: bool) {
    let Character { model, snapshot, synthesiser, previous_velocity, problem, .. } = character;
    let settings = &synthesiser.settings;
    let layout = Layout {
        friction_directions: settings.friction_directions,
        impact,
        afresh,
        balances_momentum: settings.bias_velocity == BiasVelocity::Momentum,
    };
    synthesiser.linearisation.update(model, snapshot, &problem.external, bias, previous_velocity, layout);
}

/// Solves the frame of a character, which was linearised with the bias force at `bias`, until every check is content
/// with it or may not correct it any more.
///
/// # Errors
/// A weight or a time of a goal that is not usable.
pub fn solve(
    character: &mut Character,
    passive: &mut PassiveWorld,
    frame: FrameTime,
    bias: BiasVelocity,
) -> Result<Solved, BadValue> {
    begin(character, frame);
    let mut solved = Solved { bias, ..Solved::default() };
    if character.model.nv > 0 {
        solved = SolveLoop { character, passive, frame, solved }.run()?;
    }
    character.problem.solved = solved;
    Ok(solved)
}

/// Forgets what the frame before was corrected by.
pub(super) fn begin(character: &mut Character, frame: FrameTime) {
    character.problem.begin();
    character.synthesiser.begin_frame();
    let linearisation = &mut character.synthesiser.linearisation;
    linearisation.thrown.clear();
    let held = character.reaction_delay.as_ref().is_some_and(|delay| delay.held(frame.index).is_some());
    linearisation.torques_held = held;
    linearisation.unbraked.clear();
}

/// What torque change costs in this frame.
pub fn actuation_cost<'c>(
    settings: &Settings,
    snapshot: &'c Snapshot,
    delay: Option<&'c ReactionDelay>,
    frame: FrameTime,
) -> ActuationCost<'c> {
    let weight = settings.torque_change_weight * snapshot.scales.starts_a_step();
    let reluctant = ActuationCost::reluctant(weight, &snapshot.last_torque, frame.index == 0);
    delay.and_then(|delay| delay.held(frame.index)).unwrap_or(reluctant)
}

impl SolveLoop<'_> {
    fn run(mut self) -> Result<Solved, BadValue> {
        loop {
            self.solve_or_strike()?;
            self.observe();
            self.inspect();
            if self.character.problem.findings.list().is_empty() {
                return Ok(self.accept(false));
            }
            let is_spent = self.character.synthesiser.is_spent();
            if is_spent || self.solved.solves >= self.character.problem.most_solves {
                return Ok(self.accept(true));
            }
            self.correct();
        }
    }

    /// Solves once, and as an impact where nothing but stops and surfaces within reach will do.
    fn solve_or_strike(&mut self) -> Result<(), BadValue> {
        if self.solve_or_loosen()? == Attempt::NeedsImpact {
            self.note(FrameEvent::Impact { because: ImpactCause::Infeasible });
            self.keep_conflict();
            self.character.snapshot.contacts.brace();
            lay_out(self.character, self.solved.bias, true, true);
            self.solve_or_loosen()?;
        }
        let result = self.character.synthesiser.result();
        self.solved.solves += 1;
        self.solved.iterations += result.iterations;
        self.solved.timing = self.solved.timing + result.timing;
        Ok(())
    }

    /// Solves once, and again where joints cannot be stuck that were: each of them once.
    fn solve_or_loosen(&mut self) -> Result<Attempt, BadValue> {
        loop {
            let attempt = self.solve_once()?;
            if attempt != Attempt::NeedsMotion {
                return Ok(attempt);
            }
            self.loosen();
            let impact = self.character.synthesiser.linearisation.is_impact();
            lay_out(self.character, self.solved.bias, impact, false);
        }
    }

    fn solve_once(&mut self) -> Result<Attempt, BadValue> {
        self.gather()?;
        let Character { model, snapshot, objectives, synthesiser, reaction_delay, .. } = &mut *self.character;
        let now = Now { model, snapshot };
        let actuation = actuation_cost(&synthesiser.settings, snapshot, reaction_delay.as_ref(), self.frame);
        let attempt = synthesiser.solve(&now, actuation, objectives.len());
        self.note_efforts();
        Ok(attempt)
    }

    /// Joints that cannot be stuck move.
    pub(super) fn loosen(&mut self) {
        let (linearisation, result) = self.character.synthesiser.parts();
        result.contradicting_stuck().for_each(|joint| linearisation.rub(joint, FrictionMode::Loose));
    }

    /// Evaluates everything that is wanted in this solve.
    pub(super) fn gather(&mut self) -> Result<(), BadValue> {
        let started = Instant::now();
        let Character { model, snapshot, machine, goals, own_goals, measured, synthesiser, .. } =
            &mut *self.character;
        let measure = Measure { model, snapshot };
        let values = machine.lookup(&measure);
        let now = Now { model, snapshot };
        synthesiser.begin(&now, &values, measured.len());
        for goal in goals[machine.state()].iter_mut().chain(own_goals) {
            if !goal.switch.is_on(self.frame.index) {
                continue;
            }
            if let Some(active) = goal.in_force(&values, &now)? {
                let added = synthesiser.add(&now, &active);
                added.map_err(|bad| bad_value(active.label, bad, snapshot.state.time))?;
            }
        }
        synthesiser.gathered(started.elapsed());
        Ok(())
    }

    /// Notes what it took to solve the problem.
    pub(super) fn note_efforts(&mut self) {
        if self.character.synthesiser.result().asked_second_solver {
            self.note(FrameEvent::SecondSolver);
        }
        if !self.character.synthesiser.linearisation.unbraked.is_empty() {
            self.note(FrameEvent::Unbraked);
        }
    }

    /// What contacts and grips do in the solution, on the way to the configuration that the frame ends in.
    pub(super) fn observe(&mut self) {
        let Character { model, snapshot, synthesiser, problem, .. } = &mut *self.character;
        if !synthesiser.result().has_solution() {
            return;
        }
        let FrameProblem { displacement, next_q, ahead, outcomes, grip_forces, .. } = problem;
        let unknowns = &synthesiser.result().unknowns;
        if let Some(poses) = synthesiser.linearisation.closed_poses() {
            ahead.copy_poses_from(poses);
        } else {
            for (displacement, rate) in displacement.iter_mut().zip(unknowns) {
                *displacement = rate * self.frame.dt;
            }
            state::integrate(model, &snapshot.state.q, displacement, next_q);
            ahead.update_poses(model, next_q);
        }
        let next = Prediction::new(model, snapshot, &synthesiser.linearisation);
        forces::outcomes(snapshot, &next, unknowns, ahead, outcomes);
        forces::grip_forces(snapshot, unknowns, &synthesiser.linearisation, grip_forces);
    }

    /// Has the checks look at the solution; nothing is changed.
    pub(super) fn inspect(&mut self) {
        let Character { model, snapshot, synthesiser, problem, number, .. } = &mut *self.character;
        let mut view = View {
            model,
            snapshot,
            linearisation: &synthesiser.linearisation,
            result: synthesiser.result(),
            outcomes: &problem.outcomes,
            grip_forces: &problem.grip_forces,
            ahead: &problem.ahead,
            passive: self.passive,
            holder: *number,
            bias: self.solved.bias,
            rounds: &problem.rounds,
            dt: self.frame.dt,
        };
        check::inspect(&mut view, &mut problem.findings);
    }

    /// Applies what the checks found, and linearises the frame for its next solve.
    fn correct(&mut self) {
        let strikes = self.apply();
        let impact = strikes || self.character.synthesiser.linearisation.is_impact();
        lay_out(self.character, self.solved.bias, impact, strikes);
    }

    /// Applies what the checks found; true where the frame becomes an impact.
    pub(super) fn apply(&mut self) -> bool {
        let Character { model, snapshot, synthesiser, problem, number, .. } = &mut *self.character;
        let (linearisation, result) = synthesiser.parts();
        let mut applied = Applied {
            snapshot,
            linearisation,
            passive: self.passive,
            holder: *number,
            velocity: result.unknowns.get(..model.nv).unwrap_or_default(),
            outcomes: &problem.outcomes,
            grip_forces: &problem.grip_forces,
            bias: &mut self.solved.bias,
            rounds: &mut problem.rounds,
            events: &mut problem.events,
            dt: self.frame.dt,
            parted: &mut self.solved.parted,
            turned: &mut self.solved.turned,
        };
        applied.apply(&problem.findings)
    }

    /// Takes the last solution as it is: with it, the corrections that it was solved with. `exhausted`: there are
    /// others left, and the frame was solved as often as it may be.
    pub(super) fn accept(mut self, exhausted: bool) -> Solved {
        if exhausted {
            self.note(FrameEvent::Exhausted);
        }
        self.keep_conflict();
        let Character { snapshot, synthesiser, problem, .. } = &mut *self.character;
        let before = problem.events.len();
        problem.note_unresolved();
        let unresolved = problem.events.len() - before;
        self.solved.way_out = match &synthesiser.result().outcome {
            Outcome::Relaxed { .. } => Some(WayOut::Relaxation),
            _ if synthesiser.linearisation.is_impact() => Some(WayOut::Impact),
            _ => None,
        };
        self.solved.resolution = if !synthesiser.result().has_solution() {
            Resolution::Failed
        } else if unresolved > 0 {
            Resolution::Accepted { unresolved }
        } else {
            Resolution::Converged
        };
        if synthesiser.result().has_solution() {
            snapshot.contacts.stand_down(&problem.outcomes);
        }
        self.solved.balances_momentum = synthesiser.linearisation.balances_momentum()
            && synthesiser.result().has_solution()
            && problem.replay.is_none();
        self.solved
    }

    /// Keeps the rows of the last solve that could not hold together.
    pub(super) fn keep_conflict(&mut self) {
        let Character { synthesiser, problem, .. } = &mut *self.character;
        let rows = &synthesiser.result().conflict_rows;
        if !rows.is_empty() {
            problem.conflict.clone_from(rows);
        }
    }

    pub(super) fn note(&mut self, event: FrameEvent) {
        self.character.problem.note(event);
    }
}
