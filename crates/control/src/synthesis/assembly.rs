//! One attempt at a frame: its QP from labelled rows, and the evaluation of its solution.

use super::actuation::{ActuationCost, LONGEST_CHAIN};
use super::outcome::Synthesis;
use super::relaxation::{Relaxation, SLACK_WEIGHT};
use super::terms::{FrameTerms, TermRows};
use super::{
    REPORTED_ERROR, REPORTED_PENETRATION, STOP_WEIGHT, Settings, TORQUE_CHANGE_COST, VELOCITY_REGULARISATION,
    impact,
};
use crate::constraint::Constraint;
use crate::constraint::origin_of;
use crate::objective::Now;
use crate::predict::Prediction;
use crate::synthesis::{Outcome, RelaxedRow, SelfContact};
use aplomb_body::model::scales::STANDARD_GRAVITY;
use aplomb_math::kernel::{self, dot};
use aplomb_qp::solver::QpSolution;
use aplomb_qp::{Label, Origin, Qp, UnknownKind, UnknownLabel};
use std::ops::Range;

/// The data of one attempt.
pub(super) struct Assembly<'a> {
    pub settings: &'a Settings,
    pub constraints: &'a [Box<dyn Constraint>],
    pub coordinate_labels: &'a [UnknownLabel],
    pub contact_labels: &'a [UnknownLabel],
    pub stop_labels: &'a [UnknownLabel],
    pub now: &'a Now<'a>,
    pub terms: &'a FrameTerms,
    /// Actuated coordinates in runs in which each is the child of the previous one.
    pub chains: &'a [Range<usize>],
    /// Whether each velocity coordinate is without joint torque: those of the root, and of coupled joints.
    pub torqueless: &'a [bool],
    pub actuation: ActuationCost<'a>,
    /// Whether the frame is in impact mode, in which only hard terms remain.
    pub impact: bool,
    /// Indices of terms that are not in the problem.
    pub left_out: &'a [usize],
}

impl Assembly<'_> {
    pub(super) fn write(&self, next: &Prediction<'_>, relaxation: &Relaxation, qp: &mut Qp) {
        qp.reset(next.unknowns());
        self.label_columns(next, qp);
        self.actuation(next, qp);
        self.regularise(next, qp);
        for (k, term) in self.terms.list.iter().enumerate() {
            let Some(weight) = self.price(k, relaxation) else { continue };
            match (&term.standing.label, term.standing.is_exact(), weight) {
                (Some(label), true, f64::INFINITY) => {
                    self.terms.rows(term).for_each(|(a, b)| qp.push_equality(a, b, 1.0, label));
                }
                (_, true, weight) => match self.terms.all_rows(term) {
                    TermRows::Full(rows, constants) => qp.add_squares(weight, rows, constants),
                    TermRows::Single(columns, a, constants) => {
                        qp.add_single_squares(weight, columns, a, constants);
                    }
                },
                (Some(label), false, f64::INFINITY) => {
                    let free = term.standing.free;
                    self.terms.rows(term).for_each(|(a, b)| qp.push_row(a, b, free, 1.0, label));
                }
                // Rows that may be relaxed need slack unknowns; see `give_sides`.
                _ => {}
            }
        }
        if self.impact {
            impact::add_energy(qp, self.now, next);
        }
        for constraint in self.constraints {
            constraint.write(self.now, next, qp);
        }
        self.give_sides(relaxation, qp);
        qp.complete();
    }

    /// Weight of the square of a term in this attempt, ∞ for a constraint; `None` if the term is not in the problem.
    fn price(&self, index: usize, relaxation: &Relaxation) -> Option<f64> {
        if self.left_out.contains(&index) {
            return None;
        }
        let term = &self.terms.list[index];
        match term.hard() {
            None if self.impact => None,
            None => Some(term.weight),
            Some(_) if relaxation.terms.contains(&index) => Some(SLACK_WEIGHT),
            Some(_) => Some(f64::INFINITY),
        }
    }

    /// Weight of a term whose rows are squared in this attempt; `None` if they are limits or not in the problem.
    pub(super) fn square(&self, index: usize, relaxation: &Relaxation) -> Option<f64> {
        let is_exact = self.terms.list[index].standing.is_exact();
        self.price(index, relaxation).filter(|weight| is_exact && weight.is_finite())
    }

    /// Adds rows that may be relaxed and have values of r without cost: r + s ≥ 0, or r − s ≤ 0, each with a slack
    /// s ≥ 0 of cost weight s², or −a ≤ r + s ≤ a with an s of either sign.
    fn give_sides(&self, relaxation: &Relaxation, qp: &mut Qp) {
        let given = self.terms.list.iter().enumerate().filter_map(|(k, term)| {
            let (label, weight) = (term.standing.label.as_ref()?, self.price(k, relaxation)?);
            (!term.standing.is_exact() && weight.is_finite()).then_some((term, label, weight))
        });
        let (first_row, first_unknown) = (qp.rows.rows(), qp.size());
        for (term, label, _) in given.clone() {
            for (a, b) in self.terms.rows(term) {
                qp.push_row(a, b, term.standing.free, 1.0, label);
            }
        }
        qp.widen(first_unknown + qp.rows.rows() - first_row);
        let slacks = given.flat_map(|(term, label, weight)| {
            self.terms.rows(term).map(move |_| (term.standing.give(), label, weight))
        });
        for (k, ((sign, least), label, weight)) in slacks.enumerate() {
            let unknown = first_unknown + k;
            qp.rows.row_mut(first_row + k)[unknown] = sign;
            qp.lower[unknown] = least;
            qp.add_regularisation(unknown, weight);
            let (name, origin) = (label.name.clone(), label.origin.clone());
            let kind = UnknownKind::Slack;
            qp.column_labels.push(&Label { kind, name, unit: label.unit, origin });
        }
    }

    fn label_columns(&self, next: &Prediction<'_>, qp: &mut Qp) {
        qp.column_labels.extend(self.coordinate_labels);
        for column in next.contact_columns() {
            let slot = self.now.contacts.touches[column.touch].slot;
            qp.column_labels.push(&self.contact_labels[slot]);
        }
        for column in next.grip_columns() {
            let grip = &self.now.grips.list[column.grip];
            let kind = UnknownKind::GripForce { site: grip.site };
            let label =
                Label { kind, name: grip.name.clone(), unit: "m g/8", origin: origin_of(&grip.place) };
            qp.column_labels.push(&label);
        }
        for stop in next.stop_columns() {
            qp.column_labels.push(&self.stop_labels[stop.coordinate]);
        }
        for parts in next.self_contact_columns() {
            let kind = UnknownKind::SelfContact { geoms: parts.geoms };
            let [first, second] = parts.geoms.map(|geom| &self.now.model.geoms[geom].name);
            let name = format!("force of {first} on {second}").into();
            qp.column_labels.push(&Label { kind, name, unit: "m g/8", origin: Origin::default() });
        }
        for column in next.load_columns() {
            let borne = &self.now.snapshot.borne[column.borne];
            let kind = UnknownKind::Load { by: borne.by };
            let label = Label { kind, name: borne.name.clone(), unit: "m g/8", origin: Origin::default() };
            qp.column_labels.push(&label);
        }
        self.label_ways(next, qp);
    }

    fn label_ways(&self, next: &Prediction<'_>, qp: &mut Qp) {
        for way in next.way_columns() {
            let touch = &self.now.contacts.touches[way.touch];
            let (kind, name) = (
                UnknownKind::SurfaceVelocity { slot: touch.slot },
                self.now.contacts.surface(touch.surface).name.clone(),
            );
            let label = Label { kind, name, unit: "m/s", origin: Origin::default() };
            (0..3).for_each(|_| qp.column_labels.push(&label));
        }
    }

    /// Adds the cost of torque change, w ‖(τ − τ₀)/(m g h)‖² ([Jain 2009] eq. 10).
    fn actuation(&self, next: &Prediction<'_>, qp: &mut Qp) {
        let weight = self.actuation.weight / self.now.scales.torque().powi(2);
        for chain in self.chains {
            let (rows, constants) = next.torque_rows(chain.clone());
            let mut change = [0.0; LONGEST_CHAIN];
            let change = &mut change[..chain.len()];
            for ((change, constant), last) in
                change.iter_mut().zip(constants).zip(&self.actuation.torque[chain.clone()])
            {
                *change = constant - last;
            }
            // The residual of a stuck joint is friction, not torque.
            if !chain.clone().any(|coordinate| next.is_stuck(coordinate)) {
                qp.add_squares(weight, rows, change);
                continue;
            }
            for (coordinate, change) in chain.clone().zip(&*change).filter(|(k, _)| !next.is_stuck(*k)) {
                qp.add_squares(weight, next.torque_row(coordinate).0, &[*change]);
            }
        }
    }

    /// Adds the gradient of the cost of torque change at `x`.
    pub(super) fn add_torque_change_gradient(&self, next: &Prediction<'_>, x: &[f64], gradient: &mut [f64]) {
        let weight = self.actuation.weight / self.now.scales.torque().powi(2);
        for coordinate in self.chains.iter().cloned().flatten().filter(|k| !next.is_stuck(*k)) {
            let (row, constant) = next.torque_row(coordinate);
            let slope = 2.0 * weight * (dot(row, x) + constant - self.actuation.torque[coordinate]);
            gradient.iter_mut().zip(row).for_each(|(gradient, a)| *gradient += slope * a);
        }
    }

    fn regularise(&self, next: &Prediction<'_>, qp: &mut Qp) {
        let (force_weight, stop_weight) = match self.impact {
            true => (impact::FORCE_WEIGHT, impact::STOP_WEIGHT),
            false => (self.settings.force_weight, STOP_WEIGHT),
        };
        for coordinate in 0..self.now.model.nv {
            qp.add_regularisation(coordinate, VELOCITY_REGULARISATION);
        }
        for column in 0..next.contact_columns().len() {
            qp.add_regularisation(next.contact_unknown(column), force_weight);
        }
        for column in 0..next.grip_columns().len() {
            qp.add_regularisation(next.grip_unknown(column), self.settings.force_weight);
        }
        for column in 0..next.stop_columns().len() {
            qp.add_regularisation(next.stop_unknown(column), stop_weight);
        }
        for column in 0..next.self_contact_columns().len() {
            qp.add_regularisation(next.self_contact_unknown(column), force_weight);
        }
    }

    /// Clamps one-sided forces to 0 if the solver left a small violation.
    pub(super) fn cut(&self, next: &Prediction<'_>, solution: &mut QpSolution) {
        let pushes = next.grip_columns().iter().map(|column| !column.free);
        let contacts = next.contact_columns().iter().map(|_| true);
        let reactions = next.stop_columns().len() + next.self_contact_columns().len();
        let one_sided = contacts.chain(pushes).chain(std::iter::repeat_n(true, reactions));
        for (x, _) in solution.x[self.now.model.nv..].iter_mut().zip(one_sided).filter(|(_, only)| *only) {
            *x = x.max(0.0);
        }
    }

    /// Evaluates the results at the unknowns `x`, at which the equations of motion hold.
    pub(super) fn finish(
        &self,
        next: &Prediction<'_>,
        qp: &Qp,
        x: &[f64],
        soft_rows: &[(usize, usize)],
        result: &mut Synthesis,
    ) {
        self.costs(x, result);
        let unit = self.now.scales.torque();
        result.stop_reaction.clear();
        result.stop_reaction.resize(self.now.model.nv, 0.0);
        for (k, stop) in next.stop_columns().iter().enumerate() {
            result.stop_reaction[stop.coordinate] += stop.sign * unit * x[next.stop_unknown(k)];
        }
        self.self_contacts(next, x, &mut result.self_contacts);
        self.couplings(next, x, &mut result.coupling_reaction);
        self.dry_friction(next, x, &mut result.dry_friction);
        result.torque.clear();
        let mut change = 0.0;
        for k in 0..self.now.model.nv {
            let (row, constant) = next.torque_row(k);
            let has_none = self.torqueless[k] || next.is_stuck(k);
            let torque = if has_none { 0.0 } else { dot(row, x) + constant };
            change += (torque - self.actuation.torque[k]).powi(2);
            result.torque.push(torque);
        }
        result.weights[TORQUE_CHANGE_COST] = self.actuation.weight;
        result.costs[TORQUE_CHANGE_COST] = self.actuation.weight * change / (unit * unit);
        result.outcome = self.outcome(next, qp, x, soft_rows);
        result.unknowns.clear();
        result.unknowns.extend_from_slice(&x[..next.unknowns()]);
    }

    /// Adds the costs of the terms at x.
    fn costs(&self, x: &[f64], result: &mut Synthesis) {
        for term in self.terms.list.iter().filter(|term| !self.impact || term.hard().is_some()) {
            result.products.clear();
            let constants = match self.terms.all_rows(term) {
                TermRows::Full(rows, constants) => {
                    let Some(width) = rows.len().checked_div(constants.len()) else { continue };
                    result.products.resize(constants.len(), 0.0);
                    if width > 0 {
                        kernel::multiply(rows, width, &x[..width], &mut result.products);
                    }
                    constants
                }
                TermRows::Single(columns, a, constants) => {
                    result.products.extend(columns.iter().zip(a).map(|(column, a)| a * x[*column]));
                    constants
                }
            };
            let errors = result.products.iter().zip(constants).map(|(ax, b)| term.standing.excess(ax + b));
            result.costs[term.cost] += term.weight * errors.map(|r| r * r).sum::<f64>();
        }
    }

    /// The forces between parts of the body.
    fn self_contacts(&self, next: &Prediction<'_>, x: &[f64], forces: &mut Vec<SelfContact>) {
        forces.clear();
        let unit = self.now.scales.contact_force();
        forces.extend(next.self_contact_columns().iter().enumerate().map(|(k, parts)| SelfContact {
            bodies: parts.bodies,
            points: parts.points,
            force: parts.normal * (unit * x[next.self_contact_unknown(k)]),
        }));
    }

    /// The reaction κ of each coupling on its follower, and −r κ on its leader.
    fn couplings(&self, next: &Prediction<'_>, x: &[f64], reaction: &mut Vec<f64>) {
        let model = self.now.model;
        reaction.clear();
        for coupling in &model.couplings {
            reaction.resize(model.nv, 0.0);
            let (follower, leader) = coupling.coordinates(model);
            let (row, constant) = next.torque_row(follower);
            reaction[follower] = dot(row, x) + constant;
            if let Some(leader) = leader {
                reaction[leader] -= coupling.ratio * reaction[follower];
            }
        }
    }

    fn dry_friction(&self, next: &Prediction<'_>, x: &[f64], friction: &mut Vec<f64>) {
        friction.clear();
        for joint in next.joint_friction() {
            friction.resize(self.now.model.nv, 0.0);
            let (row, constant) = next.torque_row(joint.coordinate);
            friction[joint.coordinate] = joint.force(x[joint.coordinate], dot(row, x) + constant);
        }
    }

    fn outcome(&self, next: &Prediction<'_>, qp: &Qp, x: &[f64], soft_rows: &[(usize, usize)]) -> Outcome {
        let mut rows = Vec::new();
        for term in &self.terms.list {
            let Some(Label { name, unit, .. }) = term.hard() else { continue };
            let error = self.terms.values(term, x).fold(0.0, |most: f64, r| most.max(r.abs()));
            if error > REPORTED_ERROR {
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
        for constraint in self.constraints {
            constraint.gave_way(self.now, next, x, &mut |label, unit, amount| {
                rows.push(RelaxedRow { label: label.name.to_string(), unit: unit.into(), amount });
            });
        }
        if rows.is_empty() { Outcome::Solved } else { Outcome::Relaxed { rows } }
    }
}
