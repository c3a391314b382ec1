//! One frame's QP: assembled from named rows, solved, and checked ([Jain 2009] eq. 14).

use crate::affine::Affine;
use crate::constraint::{Constraint, non_penetration};
use crate::contact::{Bearing, Contacts};
use crate::diagnostic::Place;
use crate::dynamics::BiasVelocity;
use crate::model::Model;
use crate::objective::{Form, Now, Objective};
use crate::predict::{Linearisation, Prediction};
use crate::qp::{Label, Limit, Qp};
use crate::scales::STANDARD_GRAVITY;
use crate::solver::{QpError, QpSolution, QpSolver};
use crate::trace::{Outcome, RelaxedRow};
use nalgebra::{Matrix6, Vector6};
use std::time::{Duration, Instant};

/// Weights of the objectives every frame has, from the scene.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// On ‖(τ − τ_prev)/(m g h)‖².
    pub muscle_weight: f64,
    /// On ‖J v⁺ − (anchor − p)/T_a‖²/(dt g)² per contact.
    pub contact_weight: f64,
    /// T_a, s.
    pub contact_response: f64,
    /// On ‖l‖².
    pub force_weight: f64,
    pub friction_directions: usize,
    pub bias_velocity: BiasVelocity,
}

/// Costs every frame has, first in the trace's list of objectives.
pub const BUILT_IN_COSTS: [&str; 2] = ["muscle change", "contact keeping"];
const MUSCLE_COST: usize = 0;
const CONTACT_COST: usize = 1;

/// Muscle weight of the first frame, whose τ_prev is nothing but a guess.
const FIRST_MUSCLE_WEIGHT: f64 = 1e-6;
/// Makes the solution unique where goals leave it free.
const VELOCITY_REGULARISATION: f64 = 1e-8;
/// On the square of a stop's reaction in m g h: dearer than muscle, so stops act where muscle cannot.
const STOP_WEIGHT: f64 = 1.0;
/// On the square of how far a row gives way, in its dimensionless unit, when the frame is infeasible.
const SLACK_WEIGHT: f64 = 1e4;
/// Penetration that is reported by name when a row gives way, m.
const REPORTED_PENETRATION: f64 = 1e-4;
/// Violation of a hard objective that is reported by name, in its dimensionless unit.
const REPORTED_ERROR: f64 = 1e-6;

/// An objective in force in this frame.
pub struct ActiveGoal<'a> {
    /// Index in the trace's list of objectives.
    pub index: usize,
    pub objective: &'a dyn Objective,
    pub label: &'a Label,
    pub weight: f64,
    pub form: Form,
    pub hard: bool,
}

/// Where a frame's time went.
#[derive(Clone, Copy, Debug, Default)]
pub struct Timing {
    pub assemble: Duration,
    pub solve: Duration,
}

impl std::ops::Add for Timing {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Timing { assemble: self.assemble + other.assemble, solve: self.solve + other.solve }
    }
}

/// Builds and solves the QP of each frame of one character.
pub struct Synthesiser {
    pub settings: Settings,
    pub linearisation: Linearisation,
    pub constraints: Vec<Box<dyn Constraint>>,
    pub solver: Box<dyn QpSolver>,
    coordinate_labels: Vec<Label>,
    contact_labels: Vec<Label>,
    stop_labels: Vec<Label>,
    qp: Qp,
    solution: QpSolution,
}

/// What came out of a frame.
#[derive(Clone, Debug, Default)]
pub struct Synthesis {
    /// x = [v⁺ ; l ; ρ]; v⁺ alone in a failed frame.
    pub unknowns: Vec<f64>,
    pub outcome: Outcome,
    /// w‖r‖² by objective of the trace.
    pub costs: Vec<f64>,
    /// Muscle torque per velocity coordinate, N m.
    pub torque: Vec<f64>,
    /// Reaction of the stops per velocity coordinate, N m.
    pub stop_reaction: Vec<f64>,
    pub iterations: u32,
    /// Limits that hold with force, by label, strongest first.
    pub binding: Vec<(String, f64)>,
    pub timing: Timing,
}

/// What has had to give way in a frame so far.
#[derive(Clone, Debug)]
struct Relaxation {
    /// By goal in force: a hard one that is a heavy goal instead.
    goals: Vec<bool>,
    /// Surfaces may be entered at a price.
    surfaces: bool,
}

impl Relaxation {
    fn none(goals: usize) -> Self {
        Relaxation { goals: vec![false; goals], surfaces: false }
    }

    /// Lets more give way after `error`: the hard goals that have a part in the contradiction; surfaces where
    /// none has; whatever is left where that does not help. False when nothing is left.
    fn widen(&mut self, error: &QpError, goals: &[ActiveGoal<'_>], qp: &Qp) -> bool {
        let contradicts = |label: &Label| match error {
            QpError::Infeasible { certificate } => {
                certificate.iter().any(|(limit, _)| label_of(qp, *limit) == label)
            }
            _ => true,
        };
        let left: Vec<usize> = (0..goals.len()).filter(|&k| goals[k].hard && !self.goals[k]).collect();
        let mut blamed: Vec<usize> = left.iter().copied().filter(|&k| contradicts(goals[k].label)).collect();
        if blamed.is_empty() && self.surfaces {
            blamed = left;
        } else if blamed.is_empty() {
            self.surfaces = true;
            return true;
        }
        blamed.iter().for_each(|&k| self.goals[k] = true);
        !blamed.is_empty()
    }
}

impl Synthesiser {
    pub fn new(
        model: &Model,
        contacts: &Contacts,
        settings: Settings,
        constraints: Vec<Box<dyn Constraint>>,
        solver: Box<dyn QpSolver>,
    ) -> Self {
        let built_in = |name: String, unit| Label { name: name.into(), unit, source: Place::default() };
        let coordinate = |name: &String| built_in(format!("rate of {name}"), "m/s or rad/s");
        let pair = |slot: usize| {
            let (candidate, surface) = contacts.pair(slot);
            built_in(format!("force on {} from {}", candidate.name, surface.name), "m g/8")
        };
        let stop = |name: &String| built_in(format!("stop of {name}"), "m g h");
        Synthesiser {
            settings,
            linearisation: Linearisation::new(model),
            constraints,
            solver,
            coordinate_labels: model.dof_names.iter().map(coordinate).collect(),
            contact_labels: (0..contacts.slots()).map(pair).collect(),
            stop_labels: model.dof_names.iter().map(stop).collect(),
            qp: Qp::default(),
            solution: QpSolution::default(),
        }
    }

    /// The QP of the last attempt, for dumps and comparisons.
    pub fn last_problem(&self) -> &Qp {
        &self.qp
    }

    /// Solves the frame described by `now` (whose linearisation is up to date) for the goals in force.
    pub fn solve(
        &mut self,
        now: &Now<'_>,
        goals: &[ActiveGoal<'_>],
        first_frame: bool,
        objectives: usize,
    ) -> Synthesis {
        let mut result = Synthesis { costs: vec![0.0; objectives], ..Synthesis::default() };
        let started = Instant::now();
        let next = Prediction::new(now.model, now.sense, &self.linearisation);
        let residuals: Vec<Option<Affine<'_>>> = goals
            .iter()
            .map(|goal| {
                let residual = goal.objective.residual(now, &next)?;
                Some(residual.shape(goal.form, &now.scales, &now.state.v))
            })
            .collect();
        result.timing.assemble = started.elapsed();

        let mut relaxation = Relaxation::none(goals.len());
        let mut first_failure = None;
        loop {
            let started = Instant::now();
            let assembly = Assembly {
                settings: &self.settings,
                constraints: &self.constraints,
                coordinate_labels: &self.coordinate_labels,
                contact_labels: &self.contact_labels,
                stop_labels: &self.stop_labels,
                now,
                next: &next,
                goals,
                residuals: &residuals,
                first_frame,
            };
            assembly.write(&relaxation, &mut self.qp);
            let soft_rows = if relaxation.surfaces { add_slack(&mut self.qp, now) } else { Vec::new() };
            result.timing.assemble += started.elapsed();
            let started = Instant::now();
            let solved = self.solver.solve(&self.qp, &mut self.solution);
            result.timing.solve += started.elapsed();
            result.iterations += self.solution.iterations;
            let Err(error) = solved else {
                assembly.finish(&self.qp, &mut self.solution, &soft_rows, &mut result);
                return result;
            };
            self.solver.reset();
            let (reason, rows) = first_failure
                .get_or_insert_with(|| (error.to_string(), labels_of(&self.qp, &conflict(&error))));
            if !relaxation.widen(&error, goals, &self.qp) {
                result.outcome = Outcome::Failed { reason: reason.clone(), rows: rows.clone() };
                return result;
            }
        }
    }
}

fn conflict(error: &QpError) -> Vec<(Limit, f64)> {
    match error {
        QpError::Infeasible { certificate } => certificate.clone(),
        _ => Vec::new(),
    }
}

fn label_of(qp: &Qp, limit: Limit) -> &Label {
    match limit {
        Limit::Equality(k) => &qp.equality_labels[k],
        Limit::RowLower(k) | Limit::RowUpper(k) => &qp.row_labels[k],
        Limit::Lower(k) | Limit::Upper(k) => &qp.column_labels[k],
    }
}

/// Labels of limits, weightiest first; equal weights in row order.
fn labels_of(qp: &Qp, limits: &[(Limit, f64)]) -> Vec<String> {
    let mut sorted: Vec<_> = limits.iter().collect();
    sorted.sort_by(|a, b| b.1.total_cmp(&a.1));
    sorted.iter().map(|(limit, _)| label_of(qp, *limit).name.to_string()).collect()
}

/// Lets every non-penetration row give way: one unknown s ≥ 0 (in dt g) each, at a price. Returns (row, unknown).
fn add_slack(qp: &mut Qp, now: &Now<'_>) -> Vec<(usize, usize)> {
    let unit = now.scales.dt * STANDARD_GRAVITY;
    let is_gap = |label: &Label| label.name.starts_with(non_penetration::GAP);
    let gaps: Vec<usize> = (0..qp.rows.rows()).filter(|&row| is_gap(&qp.row_labels[row])).collect();
    let first = qp.size();
    qp.widen(first + gaps.len());
    let pairs: Vec<(usize, usize)> = gaps.into_iter().enumerate().map(|(k, row)| (row, first + k)).collect();
    for &(row, unknown) in &pairs {
        qp.rows.row_mut(row)[unknown] = unit;
        qp.lower[unknown] = 0.0;
        qp.add_regularisation(unknown, SLACK_WEIGHT);
        let name = format!("give of {}", qp.row_labels[row].name).into();
        qp.column_labels.push(Label { name, unit: "dt g", source: Place::default() });
    }
    pairs
}

/// Everything one attempt is made of.
struct Assembly<'a> {
    settings: &'a Settings,
    constraints: &'a [Box<dyn Constraint>],
    coordinate_labels: &'a [Label],
    contact_labels: &'a [Label],
    stop_labels: &'a [Label],
    now: &'a Now<'a>,
    next: &'a Prediction<'a>,
    goals: &'a [ActiveGoal<'a>],
    residuals: &'a [Option<Affine<'a>>],
    first_frame: bool,
}

impl Assembly<'_> {
    fn write(&self, relaxation: &Relaxation, qp: &mut Qp) {
        qp.reset(self.next.unknowns());
        self.label_columns(qp);
        for (weight, rows) in self.muscle_terms().chain(self.contact_terms()) {
            qp.add_objective(weight, &rows);
        }
        self.regularise(qp);
        for ((goal, residual), soft) in self.goals.iter().zip(self.residuals).zip(&relaxation.goals) {
            let Some(residual) = residual else { continue };
            match (goal.hard, soft) {
                (false, _) => qp.add_objective(goal.weight, residual),
                (true, true) => qp.add_objective(SLACK_WEIGHT, residual),
                (true, false) => {
                    for row in 0..residual.rows() {
                        qp.push_equality(residual, row, 1.0, goal.label.clone());
                    }
                }
            }
        }
        for constraint in self.constraints {
            constraint.write(self.now, self.next, qp);
        }
        qp.complete();
    }

    fn label_columns(&self, qp: &mut Qp) {
        qp.column_labels.extend_from_slice(self.coordinate_labels);
        for column in self.next.contact_columns() {
            let slot = self.now.contacts.touches[column.touch].slot;
            qp.column_labels.push(self.contact_labels[slot].clone());
        }
        for stop in self.next.stop_columns() {
            qp.column_labels.push(self.stop_labels[stop.coordinate].clone());
        }
    }

    /// w_m ‖(τ − τ_prev)/(m g h)‖²: muscles change their force reluctantly ([Jain 2009] eq. 10).
    fn muscle_terms(&self) -> impl Iterator<Item = (f64, Affine<'_>)> {
        let weight = if self.first_frame { FIRST_MUSCLE_WEIGHT } else { self.settings.muscle_weight };
        let unit = 1.0 / self.now.scales.torque();
        let muscles = (0..self.now.model.nv).filter(|&k| !self.now.model.is_root(k));
        muscles.map(move |k| (weight, (self.next.torque(k) - self.now.last_torque[k]) * unit))
    }

    /// w_c ‖J v⁺ − (anchor − p)/T_a‖²/(dt g)²: contact points stay where they touched. A sliding point is held
    /// in the normal direction and slowed along the surface.
    fn contact_terms(&self) -> impl Iterator<Item = (f64, Affine<'_>)> {
        let dt = self.now.scales.dt;
        self.now.contacts.touches.iter().filter_map(move |touch| {
            let error = match touch.bearing {
                Bearing::Off => return None,
                Bearing::Static { anchor } => touch.point - anchor,
                Bearing::Dynamic => touch.normal * touch.gap,
            };
            let wanted = touch.point - error * (dt / self.settings.contact_response);
            let moved = self.next.point(touch.body, &touch.point) - wanted;
            Some((self.settings.contact_weight, moved * (1.0 / (dt * dt * STANDARD_GRAVITY))))
        })
    }

    fn cost_of<'t>(&self, terms: impl Iterator<Item = (f64, Affine<'t>)>, x: &[f64]) -> f64 {
        terms.fold(0.0, |cost, (weight, rows)| cost + weight * square(&rows, x))
    }

    fn regularise(&self, qp: &mut Qp) {
        for coordinate in 0..self.now.model.nv {
            qp.add_regularisation(coordinate, VELOCITY_REGULARISATION);
        }
        for column in 0..self.next.contact_columns().len() {
            qp.add_regularisation(self.next.contact_unknown(column), self.settings.force_weight);
        }
        for column in 0..self.next.stop_columns().len() {
            qp.add_regularisation(self.next.stop_unknown(column), STOP_WEIGHT);
        }
    }

    /// Makes the equations of motion exact whatever the solver, and says what became of everything.
    fn finish(
        &self,
        qp: &Qp,
        solution: &mut QpSolution,
        soft_rows: &[(usize, usize)],
        result: &mut Synthesis,
    ) {
        let next = self.next;
        let forces = self.now.model.nv..next.unknowns();
        for x in &mut solution.x[forces] {
            *x = x.max(0.0);
        }
        self.restore_root(&mut solution.x);
        let x = &solution.x;
        for (goal, residual) in self.goals.iter().zip(self.residuals) {
            if let Some(residual) = residual {
                result.costs[goal.index] += goal.weight * square(residual, x);
            }
        }
        result.costs[MUSCLE_COST] = self.cost_of(self.muscle_terms(), x);
        result.costs[CONTACT_COST] = self.cost_of(self.contact_terms(), x);
        result.outcome = self.outcome(qp, x, soft_rows);
        result.binding = binding(qp, solution);
        let unit = self.now.scales.torque();
        result.stop_reaction = vec![0.0; self.now.model.nv];
        for (k, stop) in next.stop_columns().iter().enumerate() {
            result.stop_reaction[stop.coordinate] += stop.sign * unit * x[next.stop_unknown(k)];
        }
        let torque = |k: usize| if self.now.model.is_root(k) { 0.0 } else { next.torque(k).value(0, x) };
        result.torque = (0..self.now.model.nv).map(torque).collect();
        result.unknowns = x[..next.unknowns()].to_vec();
    }

    /// Solves L_root(x) = 0 for the root's part of v⁺, everything else as it is.
    fn restore_root(&self, x: &mut [f64]) {
        if !self.now.model.is_floating() {
            return;
        }
        let (mut block, mut rest) = (Matrix6::zeros(), Vector6::zeros());
        for i in 0..6 {
            let row = self.next.lagrangian(i);
            rest[i] = row.constant(0);
            for (j, a) in row.coefficients(0).iter().enumerate() {
                if j < 6 {
                    block[(i, j)] = *a;
                } else {
                    rest[i] += a * x[j];
                }
            }
        }
        if let Some(root) = block.lu().solve(&-rest) {
            x[..6].copy_from_slice(root.as_slice());
        }
    }

    fn outcome(&self, qp: &Qp, x: &[f64], soft_rows: &[(usize, usize)]) -> Outcome {
        let mut rows = Vec::new();
        for (goal, residual) in self.goals.iter().zip(self.residuals).filter(|(goal, _)| goal.hard) {
            let Some(residual) = residual else { continue };
            let error = (0..residual.rows()).map(|row| residual.value(row, x).abs()).fold(0.0, f64::max);
            if error > REPORTED_ERROR {
                let Label { name, unit, .. } = goal.label;
                rows.push(RelaxedRow { label: name.to_string(), unit: unit.to_string(), amount: error });
            }
        }
        let dt = self.now.scales.dt;
        for &(row, unknown) in soft_rows {
            let penetration = dt * dt * STANDARD_GRAVITY * x[unknown];
            if penetration > REPORTED_PENETRATION {
                let label = qp.row_labels[row].name.to_string();
                rows.push(RelaxedRow { label, unit: "m".into(), amount: penetration });
            }
        }
        if rows.is_empty() { Outcome::Solved } else { Outcome::Relaxed { rows } }
    }
}

/// ‖r(x)‖²
fn square(rows: &Affine<'_>, x: &[f64]) -> f64 {
    (0..rows.rows()).fold(0.0, |sum, row| sum + rows.value(row, x).powi(2))
}

/// Limits with a multiplier, strongest first, contact coefficients left out.
fn binding(qp: &Qp, solution: &QpSolution) -> Vec<(String, f64)> {
    const LEAST: f64 = 1e-6;
    let rows = solution.rows.iter().enumerate().map(|(k, m)| (&qp.row_labels[k], *m));
    let bounds = solution.bounds.iter().enumerate();
    let bounds = bounds.filter(|(k, _)| qp.column_labels[*k].unit != "m g/8");
    let bounds = bounds.map(|(k, m)| (&qp.column_labels[k], *m));
    let mut list: Vec<(String, f64)> = rows
        .chain(bounds)
        .filter(|(_, multiplier)| multiplier.abs() > LEAST)
        .map(|(label, multiplier)| (label.name.to_string(), multiplier.abs()))
        .collect();
    list.sort_by(|a, b| b.1.total_cmp(&a.1));
    list
}
