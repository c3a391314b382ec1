//! The QP of several characters that grip or touch each other.
//!
//! ```text
//! minimise Σᵢ costᵢ(xᵢ)  subject to the limits of each, where a force between two of them is one unknown of both
//! ```
//!
//! Each has written its own problem over its own unknowns xᵢ, including those of the forces on it. The coefficients
//! of a grip or a contact are unknowns of the character that acts and, with the same index and the opposite sign, of
//! the character that it acts on: the two forces are opposite by construction. The rows of such a grip contain the
//! displacement of the point that is held: J v⁺ + ½ dt J̇v = (p₀ − p)/dt + J_b v_b⁺ + ½ dt (J̇v)_b. If one touches
//! another, the velocity u of the other's body is among its own unknowns; here it is replaced by J_b v_b⁺, in every
//! row and in every cost. Unknowns are ordered by member, so that P is block-diagonal except for the forces between
//! members, as long as no character sticks to the body of another.

use super::work::WorkBudget;
use super::{Member, conflict};
use crate::clock::Instant;
use crate::predict::{ContactColumn, GripColumn, Prediction};
use crate::synthesis::ConflictRow;
use aplomb_body::model::scales::{STANDARD_GRAVITY, Scales};
use aplomb_math::kernel::dot;
use aplomb_qp::solver::{self, QpError, QpSolution, QpSolver};
use aplomb_qp::{Limit, Qp, RowKind, UnknownKind, UnknownLabel};
use std::ops::Range;
use std::time::Duration;

/// The action of one member on another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// A grip, by index among the acting character's own.
    Grip(usize),
    /// A contact, by index among the acting character's own.
    Touch(usize),
}

/// A force between two members, given by their indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SharedForce {
    /// Member that acts.
    pub by: usize,
    /// Its action.
    pub action: Action,
    /// Member on which the opposite force acts.
    pub bearer: usize,
    /// Index among the reaction points of that member.
    pub borne: usize,
}

impl SharedForce {
    /// The coefficients of the force among the unknowns of the acting member.
    fn unknowns<'a>(&self, next: &Prediction<'a>) -> impl Iterator<Item = usize> + use<'a> {
        let (grips, contacts) = (next.grip_columns(), next.contact_columns());
        let (first_grip, first_contact) = (next.grip_unknown(0), next.contact_unknown(0));
        let action = self.action;
        let of_grip = move |(k, column): (usize, &GripColumn)| {
            (action == Action::Grip(column.grip)).then_some(first_grip + k)
        };
        let of_touch = move |(k, column): (usize, &ContactColumn)| {
            (action == Action::Touch(column.touch)).then_some(first_contact + k)
        };
        let grips = grips.iter().enumerate().filter_map(of_grip);
        grips.chain(contacts.iter().enumerate().filter_map(of_touch))
    }
}

/// The position of one member's unknowns and rows in the joint problem.
#[derive(Clone, Debug, Default)]
struct MemberBlock {
    /// Consecutive ranges of its own unknowns, with the first index of each in the joint problem.
    runs: Vec<(Range<usize>, usize)>,
    equalities: Range<usize>,
    rows: Range<usize>,
    /// Its own unknowns that are velocities of other members.
    ways: Vec<Way>,
    /// The rows of the Jacobians J_b of `ways`.
    jacobians: Vec<f64>,
}

/// The velocity u = J_b v_b⁺ of a point of another member, three of its own unknowns.
#[derive(Clone, Copy, Debug)]
struct Way {
    /// Index of the first of these unknowns.
    own: usize,
    /// First index of v_b⁺ in the joint problem, and its length.
    rates: usize,
    count: usize,
    /// Index at which J_b begins.
    jacobian: usize,
}

impl MemberBlock {
    /// The unknowns that are velocities of other members, with the first index of v_b⁺ in the joint problem and the
    /// row of J_b.
    fn way_rows(&self) -> impl Iterator<Item = (usize, usize, &[f64])> {
        self.ways.iter().flat_map(move |way| {
            (0..3).map(move |axis| {
                let start = way.jacobian + axis * way.count;
                (way.own + axis, way.rates, &self.jacobians[start..start + way.count])
            })
        })
    }

    fn column(&self, own: usize) -> usize {
        let run = self.runs.iter().find(|(run, _)| run.contains(&own));
        run.map_or(usize::MAX, |(run, first)| first + own - run.start)
    }

    /// The index among the member's own unknowns of an unknown of the joint problem.
    fn own_column(&self, joint: usize) -> Option<usize> {
        let run = self.runs.iter().find(|(run, first)| (*first..first + run.len()).contains(&joint));
        run.map(|(run, first)| run.start + joint - first)
    }

    /// Adds a row over its own unknowns to one of the joint problem.
    fn add(&self, row: &[f64], to: &mut [f64]) {
        for (run, first) in &self.runs {
            for (to, own) in to[*first..].iter_mut().zip(&row[run.clone()]) {
                *to += own;
            }
        }
        for (own, rates, jacobian) in self.way_rows().filter(|(own, ..)| row[*own] != 0.0) {
            for (to, j) in to[rates..].iter_mut().zip(jacobian) {
                *to += row[own] * j;
            }
        }
    }
}

/// The joint problem of members that act on each other, with its solver; reused from frame to frame.
#[derive(Clone)]
pub struct JointProblem {
    qp: Qp,
    solution: QpSolution,
    solver: Box<dyn QpSolver>,
    reference: Box<dyn QpSolver>,
    work: WorkBudget,
    parts: Vec<MemberBlock>,
}

impl JointProblem {
    /// A joint problem with a new solver of the same kind.
    pub fn new(solver: &dyn QpSolver) -> Self {
        let mut solver = solver.boxed_clone();
        solver.reset();
        JointProblem {
            qp: Qp::default(),
            solution: QpSolution::default(),
            solver,
            reference: solver::reference(),
            work: WorkBudget::default(),
            parts: Vec::new(),
        }
    }

    /// Begins a frame, or part number `part` of one with the work budget that earlier parts have left.
    pub fn begin_frame(&mut self, part: u32) {
        self.work.begin(part);
    }

    /// Whether the work budget of the frame is used up.
    pub fn is_spent(&self) -> bool {
        self.work.is_spent()
    }

    /// Combines the problems of the members.
    pub(super) fn write(&mut self, members: &[Member<'_>], shared: &[SharedForce]) {
        self.lay_out(members, shared);
        let JointProblem { qp, parts, .. } = self;
        for (member, part) in members.iter().zip(&mut *parts) {
            let factor = cost_factor(member, &members[0]);
            add_costs(member.qp(), part, factor, qp);
            add_limits(member.qp(), part, qp);
        }
        for force in shared {
            if let Action::Grip(grip) = force.action {
                tie(members, parts, (force, grip), qp);
            }
        }
        qp.complete();
    }

    /// Assigns an index to every unknown of every member: consecutive indices to its own unknowns, and to the forces
    /// on it those of the acting member.
    fn lay_out(&mut self, members: &[Member<'_>], shared: &[SharedForce]) {
        let first = self.lay_out_own(members);
        self.lay_out_shared(members, shared);
        self.qp.reset(first);
        self.qp.blocks.resize(first, members.len());
        for (number, part) in self.parts.iter().enumerate() {
            part.runs.iter().for_each(|(run, first)| self.qp.blocks[*first..first + run.len()].fill(number));
        }
        // Unknowns that two members share belong to no block.
        for force in shared {
            for unknown in force.unknowns(&members[force.by].next()) {
                self.qp.blocks[self.parts[force.by].column(unknown)] = members.len();
            }
        }
        for (member, part) in members.iter().zip(&self.parts) {
            for (run, _) in &part.runs {
                let labels = &member.qp().column_labels[run.clone()];
                let is_own = |label: &&UnknownLabel| !matches!(label.kind, UnknownKind::Load { .. });
                self.qp.column_labels.extend(labels.iter().filter(is_own));
            }
        }
    }

    /// Assigns indices to each member's own unknowns; returns their number.
    fn lay_out_own(&mut self, members: &[Member<'_>]) -> usize {
        self.parts.resize_with(members.len(), MemberBlock::default);
        let mut first = 0;
        for (member, part) in members.iter().zip(&mut self.parts) {
            let next = member.next();
            let elsewhere = next.load_unknown(0)..next.unknowns();
            part.runs.clear();
            part.runs.push((0..elsewhere.start, first));
            first += elsewhere.start;
            let rest = elsewhere.end..member.qp().size();
            if !rest.is_empty() {
                part.runs.push((rest.clone(), first));
                first += rest.len();
            }
            part.ways.clear();
            part.jacobians.clear();
        }
        first
    }

    /// Gives the forces between members the indices of the member that exerts them.
    fn lay_out_shared(&mut self, members: &[Member<'_>], shared: &[SharedForce]) {
        for force in shared {
            let by = members[force.by].next();
            let bearer = members[force.bearer].next();
            if let Some(exerted) = force.unknowns(&by).next() {
                let there = self.parts[force.by].column(exerted);
                let loads = bearer.load_columns().iter();
                let start =
                    bearer.load_unknown(loads.take_while(|column| column.borne != force.borne).count());
                let count = force.unknowns(&by).count();
                self.parts[force.bearer].runs.push((start..start + count, there));
            }
            if let Action::Touch(touch) = force.action
                && let Some(way) = by.way_columns().iter().position(|way| way.touch == touch)
            {
                let (rates, count) = (self.parts[force.bearer].column(0), members[force.bearer].now.model.nv);
                let part = &mut self.parts[force.by];
                let jacobian = part.jacobians.len();
                part.jacobians.extend_from_slice(bearer.borne_jacobian(force.borne));
                part.ways.push(Way { own: by.way_unknown(way), rates, count, jacobian });
            }
        }
    }

    /// Solves the written problem.
    ///
    /// # Errors
    /// The reason why there is no solution; limits are those of the joint problem.
    pub(super) fn solve(&mut self, surfaces_give: bool) -> Result<(Duration, bool), QpError> {
        let started = Instant::now();
        let solvers: [&mut dyn QpSolver; 2] = [&mut *self.solver, &mut *self.reference];
        let (solved, second_solver) = self.work.solve(solvers, &self.qp, &mut self.solution, surfaces_give);
        if solved.is_err() {
            self.solver.reset();
        }
        solved.map(|()| (started.elapsed(), second_solver))
    }

    /// Writes the part of the solution that belongs to a member, by index.
    pub(super) fn hand_out(&self, member: usize, qp: &Qp, solution: &mut QpSolution) {
        let (part, joint) = (&self.parts[member], &self.solution);
        for (own, joint) in [(&mut solution.x, &joint.x), (&mut solution.bounds, &joint.bounds)] {
            own.clear();
            own.resize(qp.size(), 0.0);
            for (run, first) in &part.runs {
                own[run.clone()].copy_from_slice(&joint[*first..first + run.len()]);
            }
        }
        for (own, rates, jacobian) in part.way_rows() {
            solution.x[own] = dot(jacobian, &joint.x[rates..rates + jacobian.len()]);
        }
        for (own, joint, range) in [
            (&mut solution.equality, &joint.equality, &part.equalities),
            (&mut solution.rows, &joint.rows, &part.rows),
        ] {
            own.clear();
            own.extend_from_slice(&joint[range.clone()]);
        }
        solution.iterations = joint.iterations;
    }

    /// The part of an error that concerns a member, by index; `None` if the error does not concern it.
    pub(super) fn error_of(&self, member: usize, error: &QpError) -> Option<QpError> {
        let QpError::Infeasible { certificate } = error else { return Some(error.clone()) };
        let part = &self.parts[member];
        let within = |range: &Range<usize>, k: usize| range.contains(&k).then(|| k - range.start);
        let own = |limit: Limit| {
            Some(match limit {
                Limit::Equality(k) => Limit::Equality(within(&part.equalities, k)?),
                Limit::RowLower(k) => Limit::RowLower(within(&part.rows, k)?),
                Limit::RowUpper(k) => Limit::RowUpper(within(&part.rows, k)?),
                Limit::Lower(k) => Limit::Lower(part.own_column(k)?),
                Limit::Upper(k) => Limit::Upper(part.own_column(k)?),
            })
        };
        let certificate: Vec<(Limit, f64)> =
            certificate.iter().filter_map(|(limit, weight)| Some((own(*limit)?, *weight))).collect();
        (!certificate.is_empty()).then_some(QpError::Infeasible { certificate })
    }

    /// A smallest set of rows that contradict each other in an error of the last solve; forces in the units of a body
    /// with these scales.
    pub(super) fn conflict(&self, error: &QpError, scales: &Scales) -> Vec<ConflictRow> {
        let certificate = super::relaxation::certificate(error);
        conflict::rows(&self.qp, &certificate, scales, false)
    }
}

/// Factor from a member's unit of cost to that of the first: in an impact costs are energies in the unit of each
/// body.
fn cost_factor(member: &Member<'_>, first: &Member<'_>) -> f64 {
    match member.synthesiser.linearisation.is_impact() {
        true => member.now.scales.mass / first.now.scales.mass,
        false => 1.0,
    }
}

/// Adds the cost of a member, to the upper triangle of P.
fn add_costs(from: &Qp, part: &MemberBlock, factor: f64, to: &mut Qp) {
    for (rows, first_row) in &part.runs {
        for (k, i) in rows.clone().enumerate() {
            let row = from.hessian.row(i);
            for (columns, first) in &part.runs {
                // Runs have different orders in the two problems; only the upper triangle of the member's problem is
                // read.
                let skipped = (first_row + k).saturating_sub(*first).min(columns.len());
                let own = &row[columns.start + skipped..columns.end];
                for (to, own) in to.hessian.row_mut(first_row + k)[first + skipped..].iter_mut().zip(own) {
                    *to += factor * own;
                }
            }
            to.gradient[first_row + k] += factor * from.gradient[i];
        }
    }
    add_costs_of_ways(from, part, factor, to);
}

/// Adds the part of a member's cost that contains the velocities u = J_b v_b⁺ of other characters, to the upper
/// triangle of P: the products p x u with its own unknowns x, and p u u'.
fn add_costs_of_ways(from: &Qp, part: &MemberBlock, factor: f64, to: &mut Qp) {
    let mut couples = false;
    for (own, rates, jacobian) in part.way_rows() {
        let costs = from.hessian.row(own);
        for (run, first) in &part.runs {
            for (k, cost) in costs[run.clone()].iter().enumerate().filter(|(_, cost)| **cost != 0.0) {
                couples = true;
                let column = first + k;
                for (rate, j) in jacobian.iter().enumerate() {
                    let (row, column) = (column.min(rates + rate), column.max(rates + rate));
                    to.hessian.row_mut(row)[column] += factor * cost * j;
                }
            }
        }
        for (other, other_rates, other_jacobian) in part.way_rows() {
            let cost = factor * costs[other];
            if cost == 0.0 {
                continue;
            }
            for (rate, j) in jacobian.iter().enumerate() {
                for (other_rate, other_j) in other_jacobian.iter().enumerate() {
                    let (row, column) = (rates + rate, other_rates + other_rate);
                    if row <= column {
                        to.hessian.row_mut(row)[column] += cost * j * other_j;
                    }
                }
            }
        }
        for (to, j) in to.gradient[rates..].iter_mut().zip(jacobian) {
            *to += factor * from.gradient[own] * j;
        }
    }
    if couples {
        to.blocks.clear();
    }
}

/// Adds the limits of a member. The bound of a force between two members is that of the acting member.
fn add_limits(from: &Qp, part: &mut MemberBlock, to: &mut Qp) {
    part.equalities = to.equality.rows()..to.equality.rows() + from.equality.rows();
    for k in 0..from.equality.rows() {
        part.add(from.equality.row(k), to.equality.push_zeros());
    }
    to.equality_value.extend_from_slice(&from.equality_value);
    to.equality_labels.extend(&*from.equality_labels);
    part.rows = to.rows.rows()..to.rows.rows() + from.rows.rows();
    for k in 0..from.rows.rows() {
        part.add(from.rows.row(k), to.rows.push_zeros());
    }
    to.rows_lower.extend_from_slice(&from.rows_lower);
    to.rows_upper.extend_from_slice(&from.rows_upper);
    to.row_labels.extend(&*from.row_labels);
    for (run, first) in &part.runs {
        for (k, own) in run.clone().enumerate() {
            let column = first + k;
            to.lower[column] = to.lower[column].max(from.lower[own]);
            to.upper[column] = to.upper[column].min(from.upper[own]);
        }
    }
}

/// Couples the rows of a grip, and the gradient of an impact, to a point that moves with another member.
fn tie(members: &[Member<'_>], parts: &[MemberBlock], (shared, index): (&SharedForce, usize), qp: &mut Qp) {
    let (holder, bearer) = (&members[shared.by], &members[shared.bearer]);
    let grip = &holder.now.grips.list[index];
    let labels = holder.qp().equality_labels.iter();
    let is_of_grip = |kind: RowKind| matches!(kind, RowKind::Grip { site } if site == grip.site);
    let Some(first) = labels.map(|label| label.kind).position(is_of_grip) else { return };
    let first = parts[shared.by].equalities.start + first;
    let (nv, next) = (bearer.now.model.nv, bearer.next());
    let jacobian = next.borne_jacobian(shared.borne);
    let bend = 0.5 * bearer.now.scales.dt * bearer.now.borne[shared.borne].bias_acceleration;
    let rates = parts[shared.bearer].column(0);
    for axis in 0..3 {
        let row = &mut qp.equality.row_mut(first + axis)[rates..rates + nv];
        for (a, j) in row.iter_mut().zip(&jacobian[axis * nv..(axis + 1) * nv]) {
            *a -= j;
        }
        qp.equality_value[first + axis] += bend[axis];
    }
    if holder.synthesiser.linearisation.is_impact() {
        let scales = &members[0].now.scales;
        let unit = scales.mass * (scales.dt * STANDARD_GRAVITY).powi(2);
        for (k, column) in holder.next().grip_columns().iter().enumerate() {
            if column.grip == index {
                let of_one = holder.now.scales.turning_time() * holder.now.scales.contact_force();
                let impulse = column.direction * of_one;
                let unknown = parts[shared.by].column(holder.next().grip_unknown(k));
                qp.gradient[unknown] -= dot(impulse.as_slice(), bend.as_slice()) / unit;
            }
        }
    }
}
