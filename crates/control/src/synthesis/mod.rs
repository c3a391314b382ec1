//! One frame's QP: written from labelled rows, solved, and checked ([Jain 2009] eq. 14).

mod actuation;
mod assembly;
mod attempt;
mod body_force;
pub mod check;
mod conflict;
mod event;
mod gathering;
pub(crate) mod impact;
mod joint;
mod limits;
mod load_change;
mod memory;
mod outcome;
mod provenance;
mod relaxation;
mod report;
mod terms;
mod work;

pub use actuation::ActuationCost;
pub use attempt::{Coupled, Member, solve};
pub use body_force::{BodyForce, BodyForcePart, JoinedForce};
pub use event::{CheckName, FrameEvent, ImpactCause};
pub use gathering::{ActiveGoal, Gathering, Listed};
pub use joint::{Action, JointProblem, SharedForce};
pub use outcome::{Attempt, SelfContact, Synthesis, Timing};
pub use provenance::{ForcePart, ForceProvenance, PartOf};
pub use report::{ConflictRow, LimitSide, Outcome, RelaxedRow, RowOf};

use actuation::chains;
use assembly::Assembly;
pub use limits::BindingLimit;
use limits::{binding, kind_of, labels_of};
use relaxation::{Relaxation, Widened, add_slack, certificate, stop_braking};
use terms::FrameTerms;
use work::WorkBudget;

use crate::clock::Instant;
use crate::constraint::Constraint;
use crate::objective::Now;
use crate::predict::{Linearisation, Prediction};
use aplomb_body::contact::Contacts;
use aplomb_body::dynamics::BiasVelocity;
use aplomb_body::model::Model;
use aplomb_qp::solver::{self, QpError, QpSolution, QpSolver};
use aplomb_qp::{Label, Origin, Qp, RowLabel, UnknownKind, UnknownLabel};
use std::ops::Range;
use std::time::Duration;

/// Weights of the built-in objectives of every frame, from the scene.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Weight of ‖(τ − τ_prev)/(m g h)‖².
    pub torque_change_weight: f64,
    /// Weight of ‖J v⁺ − (anchor − p)/T_a‖²/(dt g)² for each contact.
    pub contact_weight: f64,
    /// Response time T_a of contacts, s.
    pub contact_response: f64,
    /// Smallest time constant with which the distance of a joint from its limit decays, s × √(h/0.93 m); 0: no such
    /// bound.
    pub joint_limit_response: f64,
    /// Weight of ‖l‖².
    pub force_weight: f64,
    /// Number of generators of each friction cone.
    pub friction_directions: usize,
    /// Velocity at which the bias force is computed.
    pub bias_velocity: BiasVelocity,
}

/// Built-in costs of every frame, first in the trace's list of objectives.
pub const BUILT_IN_COSTS: [&str; 4] = ["torque change", "contact keeping", "grip closing", "load change"];
const TORQUE_CHANGE_COST: usize = 0;
const CONTACT_COST: usize = 1;
const GRIP_CLOSING_COST: usize = 2;
const LOAD_CHANGE_COST: usize = 3;
/// Weight that makes the solution unique where the objectives leave it undetermined.
const VELOCITY_REGULARISATION: f64 = 1e-8;
/// Weight of the square of a limit's reaction in m g h: above that of joint torques, so that limits act only if
/// torques do not suffice.
const STOP_WEIGHT: f64 = 1.0;
/// Penetration from which on a relaxed row is reported by name, m.
const REPORTED_PENETRATION: f64 = 1e-4;
/// Violation from which on a relaxed hard objective is reported by name, in its dimensionless unit.
const REPORTED_ERROR: f64 = 1e-6;

/// Writes and solves the QP of each frame of one character: [`Synthesiser::gather`] collects its objectives,
/// and [`solve`] writes and solves their QP, repeatedly if rows must be relaxed.
pub struct Synthesiser {
    /// Weights of the built-in objectives.
    pub settings: Settings,
    /// Memory of the linearised dynamics.
    pub linearisation: Linearisation,
    /// Constraints, in the order in which they write their rows.
    pub constraints: Vec<Box<dyn Constraint>>,
    /// The QP solver.
    pub solver: Box<dyn QpSolver>,
    /// Solver for a second opinion if the scene's solver finds no solution.
    reference: Box<dyn QpSolver>,
    coordinate_labels: Vec<UnknownLabel>,
    contact_labels: Vec<UnknownLabel>,
    stop_labels: Vec<UnknownLabel>,
    load_labels: Vec<RowLabel>,
    /// Whether each velocity coordinate is without joint torque.
    torqueless: Vec<bool>,
    chains: Vec<Range<usize>>,
    terms: FrameTerms,
    /// Whether a conflict reports, for each row, the violation with which all other rows of the frame can hold,
    /// rather than only the other rows of the conflict. This takes a QP solve per row. Solved frames report the
    /// provenance of their forces ([`Synthesis::provenance`]), which takes a solve per objective.
    pub explains: bool,
    /// Whether the whole of the last problem is kept after its frame, for [`Synthesiser::last_problem`].
    /// Otherwise its matrices are reused by other characters.
    pub keeps_problem: bool,
    /// Whether the last problem was solved for this character alone.
    is_alone: bool,
    /// Whether the character currently holds the memory of a frame.
    has_memory: bool,
    /// The origin of each term; only for frames that are explained.
    authors: Vec<Option<RowLabel>>,
    /// Scratch memory for targets and actual values of one goal.
    pairs: Vec<[f64; 2]>,
    qp: Qp,
    solution: QpSolution,
    effort: AttemptState,
    work: WorkBudget,
    result: Synthesis,
}

/// The state of the attempts at a frame.
#[derive(Default)]
struct AttemptState {
    relaxation: Relaxation,
    /// Reason of the first failure, and the names of its rows.
    first_failure: Option<(String, Vec<String>)>,
    /// Rows of the current attempt that may be relaxed, with their slack unknowns.
    soft_rows: Vec<(usize, usize)>,
}

impl Synthesiser {
    /// A synthesiser for a character; allocates the memory of frames.
    pub fn new(
        model: &Model,
        contacts: &Contacts,
        settings: Settings,
        constraints: Vec<Box<dyn Constraint>>,
        solver: Box<dyn QpSolver>,
    ) -> Self {
        let built_in =
            |kind, name: String, unit| Label { kind, name: name.into(), unit, origin: Origin::default() };
        let coordinate = |(coordinate, name): (usize, &String)| {
            built_in(UnknownKind::Rate { coordinate }, format!("rate of {name}"), "m/s or rad/s")
        };
        let pair = |slot: usize| {
            let (candidate, surface) = contacts.pair(slot);
            let name = format!("force on {} from {}", candidate.name, surface.name);
            built_in(UnknownKind::ContactForce { slot }, name, "m g/8")
        };
        let stop = |(coordinate, name): (usize, &String)| {
            built_in(UnknownKind::StopReaction { coordinate }, format!("stop of {name}"), "m g h")
        };
        let names = || model.dof_names.iter().enumerate();
        let mut coordinate_labels: Vec<UnknownLabel> = names().map(coordinate).collect();
        constraints.iter().for_each(|constraint| constraint.name_coordinates(&mut coordinate_labels));
        Synthesiser {
            settings,
            linearisation: Linearisation::new(model),
            constraints,
            solver,
            reference: solver::reference(),
            coordinate_labels,
            contact_labels: (0..contacts.slots()).map(pair).collect(),
            stop_labels: names().map(stop).collect(),
            load_labels: load_change::labels(model),
            chains: chains(model),
            torqueless: (0..model.nv).map(|k| model.is_root(k) || model.is_follower(k)).collect(),
            terms: FrameTerms::default(),
            explains: false,
            keeps_problem: false,
            is_alone: true,
            has_memory: false,
            authors: Vec::new(),
            pairs: Vec::new(),
            qp: Qp::default(),
            solution: QpSolution::default(),
            effort: AttemptState::default(),
            work: WorkBudget::default(),
            result: Synthesis::default(),
        }
    }

    /// Begins a frame, or part number `part` of one with the work budget that earlier parts have left.
    pub fn begin_frame(&mut self, part: u32) {
        self.take_memory();
        self.work.begin(part);
        self.constraints.iter_mut().for_each(|constraint| constraint.begin_frame());
    }

    /// Whether the work budget of the frame is used up.
    pub fn is_spent(&self) -> bool {
        self.work.is_spent()
    }

    /// The QP of the last attempt, for dumps and comparisons; without its Hessian and rows after the frame,
    /// unless [`keeps_problem`](Self::keeps_problem) is set.
    pub fn last_problem(&self) -> &Qp {
        &self.qp
    }

    /// Results of the last frame solved.
    pub fn result(&self) -> &Synthesis {
        &self.result
    }

    /// The provenance of the forces of the last frame, if it was requested by [`explains`](Self::explains).
    pub fn take_provenance(&mut self) -> Option<ForceProvenance> {
        self.result.provenance.take().map(|provenance| *provenance)
    }

    /// The linearisation, mutable, and the results.
    pub fn parts(&mut self) -> (&mut Linearisation, &Synthesis) {
        (&mut self.linearisation, &self.result)
    }

    /// The linearisation and the results, and the constraints, mutable.
    pub fn inspected(&mut self) -> (&Linearisation, &Synthesis, &mut [Box<dyn Constraint>]) {
        (&self.linearisation, &self.result, &mut self.constraints)
    }

    /// Writes the QP of the gathered objectives, with the current relaxation.
    fn assemble(&mut self, now: &Now<'_>, actuation: ActuationCost<'_>) {
        let started = Instant::now();
        let next = Prediction::new(now.model, now.snapshot, &self.linearisation);
        let relaxation = &self.effort.relaxation;
        // Taken out while the assembly borrows the other fields.
        let mut qp = std::mem::take(&mut self.qp);
        self.assembly(now, actuation).write(&next, relaxation, &mut qp);
        self.effort.soft_rows = if relaxation.surfaces { add_slack(&mut qp, now) } else { Vec::new() };
        self.qp = qp;
        self.result.timing.assemble += started.elapsed();
    }

    /// Whether the QP written last allows penetration of surfaces at a cost.
    fn lets_surfaces_give(&self) -> bool {
        self.effort.relaxation.surfaces
    }

    fn solve_alone(&mut self) -> Result<(), QpError> {
        let started = Instant::now();
        let solvers: [&mut dyn QpSolver; 2] = [&mut *self.solver, &mut *self.reference];
        let surfaces_give = self.effort.relaxation.surfaces;
        self.is_alone = true;
        // If there is no solution, the iterations of an earlier one would be counted.
        self.solution.iterations = 0;
        let (solved, asked) = self.work.solve(solvers, &self.qp, &mut self.solution, surfaces_give);
        self.result.asked_second_solver |= asked;
        self.result.timing.solve += started.elapsed();
        self.result.iterations += self.solution.iterations;
        solved
    }

    /// Accepts a solution of the QP written last from another solver, with its time; `hand_out` writes it.
    fn take_solution(
        &mut self,
        time: Duration,
        second_solver: bool,
        hand_out: impl FnOnce(&Qp, &mut QpSolution),
    ) {
        self.is_alone = false;
        hand_out(&self.qp, &mut self.solution);
        self.result.timing.solve += time;
        self.result.asked_second_solver |= second_solver;
        self.result.iterations += self.solution.iterations;
    }

    /// Computes the results from the solution.
    fn accept(&mut self, now: &Now<'_>, actuation: ActuationCost<'_>) {
        let started = Instant::now();
        if self.explains && self.is_alone {
            self.result.provenance = self.provenance(now, actuation).ok().map(Box::new);
        }
        let next = Prediction::new(now.model, now.snapshot, &self.linearisation);
        let mut solution = std::mem::take(&mut self.solution);
        self.assembly(now, actuation).cut(&next, &mut solution);
        let x = &mut solution.x;
        self.linearisation.close_friction(x);
        self.linearisation.close_couplings(now.model, now.snapshot, x);
        self.result.root_correction = self.linearisation.close_root(now.model, now.snapshot, x);
        let next = Prediction::new(now.model, now.snapshot, &self.linearisation);
        let mut result = std::mem::take(&mut self.result);
        let assembly = self.assembly(now, actuation);
        assembly.finish(&next, &self.qp, x, &self.effort.soft_rows, &mut result);
        (self.solution, self.result) = (solution, result);
        self.result.timing.assemble += started.elapsed();
    }

    /// Relaxes more rows after `error`, whose certificate is of the QP written last; returns the outcome of the frame
    /// if that does not help. `conflict` finds the rows that contradict each other if the problem is shared.
    fn give_way(
        &mut self,
        now: &Now<'_>,
        error: &QpError,
        conflict: Option<impl FnOnce() -> Vec<ConflictRow>>,
    ) -> Option<Attempt> {
        self.solver.reset();
        if stop_braking(error, now, &mut self.linearisation) {
            return None;
        }
        if self.effort.first_failure.is_none() {
            let limits = certificate(error);
            self.result.conflict_rows = match conflict {
                Some(rows) => rows(),
                None => conflict::rows(&self.qp, &limits, &now.scales, self.explains),
            };
            self.result.conflict.extend(limits.iter().map(|(limit, _)| kind_of(&self.qp, *limit)));
            self.effort.first_failure = Some((error.to_string(), labels_of(&self.qp, &limits)));
        }
        if self.result.contradicting_stuck().next().is_some() {
            return Some(Attempt::NeedsMotion);
        }
        let impact = self.linearisation.is_impact();
        match self.effort.relaxation.widen(error, &self.terms, &self.qp, impact) {
            Widened::Relaxed => None,
            Widened::NeedsImpact => Some(Attempt::NeedsImpact),
            Widened::NothingLeft => {
                self.fail();
                Some(Attempt::Done)
            }
        }
    }

    /// Marks the frame as having no solution because its work budget is used up.
    fn give_up(&mut self) {
        self.solver.reset();
        let reason = || ("it exceeded the work limit of a frame".to_string(), Vec::new());
        self.effort.first_failure.get_or_insert_with(reason);
        self.fail();
    }

    /// Marks the frame as having no solution, for the reason that was found first.
    fn fail(&mut self) {
        let (reason, rows) = self.effort.first_failure.clone().unwrap_or_default();
        self.result.outcome = Outcome::Failed { reason, rows };
    }

    fn assembly<'a>(&'a self, now: &'a Now<'a>, actuation: ActuationCost<'a>) -> Assembly<'a> {
        let impact = self.linearisation.is_impact();
        Assembly {
            settings: &self.settings,
            constraints: &self.constraints,
            coordinate_labels: &self.coordinate_labels,
            contact_labels: &self.contact_labels,
            stop_labels: &self.stop_labels,
            now,
            terms: &self.terms,
            chains: &self.chains,
            torqueless: &self.torqueless,
            actuation: if impact { impact::stiffened(actuation) } else { actuation },
            impact,
            left_out: &[],
        }
    }

    /// Active limits of the last frame with a multiplier, by label, strongest first, without contact coefficients.
    pub fn binding(&self) -> Vec<BindingLimit> {
        if matches!(self.result.outcome, Outcome::Failed { .. }) {
            return Vec::new();
        }
        binding(&self.qp, &self.solution)
    }
}
