//! One member of the solve loop: a character whose frame is being solved.

use super::forces;
use super::problem::{FrameProblem, Resolution, Solved};
use super::{FrameMode, FrameTime};
use crate::character::Character;
use crate::controller::BadValue;
use crate::controller::quantity::Measure;
use crate::goal::bad_value;
use aplomb_body::dynamics::BiasVelocity;
use aplomb_body::model::state;
use aplomb_control::objective::Now;
use aplomb_control::predict::{FrictionMode, Layout, Prediction};
use aplomb_control::synthesis::check::{self, Applied, View};
use aplomb_control::synthesis::{ActuationCost, Listed, Member};
use aplomb_passive::PassiveWorld;
use aplomb_trace::{FrameEvent, Outcome};

/// A character whose frame is being solved.
pub(crate) struct Solving<'a> {
    pub character: &'a mut Character,
    pub frame: FrameTime,
    /// Result up to now.
    pub solved: Solved,
}

impl<'a> Solving<'a> {
    /// Begins the frame of a character with the bias force at the velocity `bias`, and clears the corrections
    /// of the previous frame.
    pub(crate) fn begin(character: &'a mut Character, index: u64, bias: BiasVelocity) -> Self {
        character.problem.begin();
        character.synthesiser.begin_frame(character.snapshot.scales.part);
        let linearisation = &mut character.synthesiser.linearisation;
        linearisation.thrown.clear();
        let held = character.reaction_delay.as_ref().is_some_and(|delay| delay.held(index).is_some());
        linearisation.torques_held = held;
        linearisation.unbraked.clear();
        linearisation.drops_balances = false;
        let frame = FrameTime { index, dt: character.snapshot.scales.dt };
        Solving { character, frame, solved: Solved { bias, ..Solved::default() } }
    }

    /// Linearises the frame, as an impact if `impact`; if `afresh`, nothing of the previous layout is kept.
    pub(crate) fn linearise(&mut self, impact: bool, afresh: bool) {
        let Character { model, snapshot, synthesiser, previous_velocity, problem, .. } = &mut *self.character;
        let settings = &synthesiser.settings;
        let layout = Layout {
            friction_directions: settings.friction_directions,
            impact,
            afresh,
            balances_momentum: settings.bias_velocity == BiasVelocity::Momentum,
        };
        let external = &problem.external;
        let bias = self.solved.bias;
        synthesiser.linearisation.update(model, snapshot, external, bias, previous_velocity, layout);
    }

    pub(crate) fn is_impact(&self) -> bool {
        self.character.synthesiser.linearisation.is_impact()
    }

    /// Whether a check found something to correct.
    pub(crate) fn is_to_be_corrected(&self) -> bool {
        !self.character.problem.findings.list().is_empty()
    }

    /// Whether the bound on solves is reached.
    pub(crate) fn is_exhausted(&self) -> bool {
        self.solved.solves >= self.character.problem.most_solves
    }

    /// Evaluates every objective and constraint that is active in this solve.
    pub(crate) fn gather(&mut self) -> Result<(), BadValue> {
        let Character {
            model, snapshot, machine, objectives, goals, own_goals, measured, synthesiser, ..
        } = &mut *self.character;
        let measure = Measure { model, snapshot };
        let values = machine.lookup(&measure);
        let now = Now { model, snapshot };
        let listed = Listed { objectives: objectives.len(), measured: measured.len() };
        let mut gathering = synthesiser.gather(now, &values, listed);
        for goal in goals[machine.state()].iter_mut().chain(own_goals) {
            if !goal.switch.is_on(self.frame.index) {
                continue;
            }
            if let Some(active) = goal.in_force(&values, &now)? {
                let added = gathering.add(&active);
                added.map_err(|bad| bad_value(active.label, bad, snapshot.state.time))?;
            }
        }
        gathering.finish();
        Ok(())
    }

    /// This character's part of the problem.
    pub(crate) fn member(&mut self) -> Member<'_> {
        let Character { model, snapshot, synthesiser, reaction_delay, .. } = &mut *self.character;
        let weight = synthesiser.settings.torque_change_weight * snapshot.scales.starts_a_step();
        let reluctant = ActuationCost::reluctant(weight, &snapshot.last_torque, self.frame.index == 0);
        let held = reaction_delay.as_ref().and_then(|delay| delay.held(self.frame.index));
        let actuation = held.unwrap_or(reluctant);
        Member { now: Now { model, snapshot }, actuation, synthesiser }
    }

    /// Records the use of the second solver, and braking that was dropped.
    pub(crate) fn note_attempts(&mut self) {
        if self.character.synthesiser.result().asked_second_solver {
            self.note(FrameEvent::SecondSolver);
        }
        if !self.character.synthesiser.linearisation.unbraked.is_empty() {
            self.note(FrameEvent::Unbraked);
        }
    }

    /// Adds the counts of the last solve.
    pub(crate) fn count_solve(&mut self) {
        let result = self.character.synthesiser.result();
        self.solved.solves += 1;
        self.solved.iterations += result.iterations;
        self.solved.timing = self.solved.timing + result.timing;
    }

    /// Makes those joints loose that friction cannot hold at rest.
    pub(crate) fn loosen(&mut self) {
        let (linearisation, result) = self.character.synthesiser.parts();
        result.contradicting_stuck().for_each(|joint| linearisation.rub(joint, FrictionMode::Loose));
    }

    /// Evaluates contacts and grips under the solution, at the configuration at the end of the frame.
    pub(crate) fn evaluate(&mut self) {
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

    /// Runs the checks on the solution; changes nothing.
    pub(crate) fn inspect(&mut self, passive: Option<&mut PassiveWorld>) {
        let Character { model, snapshot, synthesiser, problem, number, .. } = &mut *self.character;
        let (linearisation, result, constraints) = synthesiser.inspected();
        let mut view = View {
            model,
            snapshot,
            linearisation,
            result,
            constraints,
            outcomes: &problem.outcomes,
            grip_forces: &problem.grip_forces,
            ahead: &problem.ahead,
            passive,
            holder: *number,
            bias: self.solved.bias,
            rounds: &problem.rounds,
            dt: self.frame.dt,
        };
        check::inspect(&mut view, &mut problem.findings);
    }

    /// Applies the findings of the checks; true if the frame becomes an impact.
    pub(crate) fn apply(&mut self, passive: Option<&mut PassiveWorld>) -> bool {
        let Character { model, snapshot, synthesiser, problem, number, .. } = &mut *self.character;
        let (linearisation, result) = synthesiser.parts();
        let mut applied = Applied {
            snapshot,
            linearisation,
            passive,
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

    /// Accepts the last solution with its corrections. `exhausted`: corrections remain, but no solves.
    pub(crate) fn accept(&mut self, exhausted: bool) {
        if exhausted {
            self.note(FrameEvent::Exhausted);
        }
        self.keep_conflict();
        let Character { snapshot, synthesiser, problem, .. } = &mut *self.character;
        let before = problem.events.len();
        problem.note_unresolved();
        let unresolved = problem.events.len() - before;
        let has_solution = synthesiser.result().has_solution();
        self.solved.mode = match &synthesiser.result().outcome {
            Outcome::Relaxed { .. } => FrameMode::Relaxed,
            _ if synthesiser.linearisation.is_impact() => FrameMode::Impact,
            _ => FrameMode::Ordinary,
        };
        self.solved.resolution = match unresolved {
            _ if !has_solution => Resolution::Failed,
            0 => Resolution::Converged,
            unresolved => Resolution::Accepted { unresolved },
        };
        if has_solution {
            snapshot.contacts.stand_down(&problem.outcomes);
        }
        self.solved.balances_momentum =
            synthesiser.linearisation.balances_momentum() && has_solution && problem.replay.is_none();
        problem.solved = self.solved;
        synthesiser.end_frame();
    }

    /// Stores the constraints of the last solve that are infeasible together.
    pub(crate) fn keep_conflict(&mut self) {
        let Character { synthesiser, problem, .. } = &mut *self.character;
        let rows = &synthesiser.result().conflict_rows;
        if !rows.is_empty() {
            problem.conflict.clone_from(rows);
        }
    }

    pub(crate) fn note(&mut self, event: FrameEvent) {
        self.character.problem.note(event);
    }
}
