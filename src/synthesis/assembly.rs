//! One attempt at a frame: its QP from named rows, and what became of it.

use super::actuation::{ActuationCost, LONGEST_CHAIN};
use super::outcome::Synthesis;
use super::relaxation::{Relaxation, SLACK_WEIGHT};
use super::terms::Terms;
use super::{
    MUSCLE_COST, REPORTED_ERROR, REPORTED_PENETRATION, STOP_WEIGHT, Settings, VELOCITY_REGULARISATION, impact,
};
use crate::constraint::Constraint;
use crate::math::kernel::dot;
use crate::model::scales::STANDARD_GRAVITY;
use crate::objective::Now;
use crate::predict::Prediction;
use crate::qp::solver::QpSolution;
use crate::qp::{Label, Qp, UnknownKind, UnknownLabel};
use crate::trace::{Outcome, RelaxedRow};
use nalgebra::{Matrix6, Vector6};
use std::ops::Range;
/// Everything one attempt is made of.
pub struct Assembly<'a> {
    pub settings: &'a Settings,
    pub constraints: &'a [Box<dyn Constraint>],
    pub coordinate_labels: &'a [UnknownLabel],
    pub contact_labels: &'a [UnknownLabel],
    pub stop_labels: &'a [UnknownLabel],
    pub now: &'a Now<'a>,
    pub next: &'a Prediction<'a>,
    pub terms: &'a Terms,
    /// Muscled coordinates in runs each of which hangs on the one before.
    pub chains: &'a [Range<usize>],
    pub muscle: ActuationCost<'a>,
    /// Whether the frame is passive but for what is hard.
    pub blow: bool,
}

impl Assembly<'_> {
    pub fn write(&self, relaxation: &Relaxation, qp: &mut Qp) {
        qp.reset(self.next.unknowns());
        self.label_columns(qp);
        self.muscle(qp);
        self.regularise(qp);
        for (k, term) in self.terms.list.iter().enumerate() {
            match &term.hard {
                None if self.blow => {}
                None => {
                    let (rows, constants) = self.terms.all_rows(term);
                    qp.add_squares(term.weight, rows, constants);
                }
                Some(_) if relaxation.terms.contains(&k) => {
                    let (rows, constants) = self.terms.all_rows(term);
                    qp.add_squares(SLACK_WEIGHT, rows, constants);
                }
                Some(label) => {
                    self.terms.rows(term).for_each(|(a, b)| qp.push_equality(a, b, 1.0, label));
                }
            }
        }
        if self.blow {
            impact::add_energy(qp, self.now, self.next);
        }
        for constraint in self.constraints {
            constraint.write(self.now, self.next, qp);
        }
        qp.complete();
    }

    fn label_columns(&self, qp: &mut Qp) {
        qp.column_labels.extend(self.coordinate_labels);
        for column in self.next.contact_columns() {
            let slot = self.now.contacts.touches[column.touch].slot;
            qp.column_labels.push(&self.contact_labels[slot]);
        }
        for column in self.next.grip_columns() {
            let grip = &self.now.grips.list[column.grip];
            let kind = UnknownKind::GripForce { site: grip.site };
            let label = Label { kind, name: grip.name.clone(), unit: "m g/8", source: grip.place.clone() };
            qp.column_labels.push(&label);
        }
        for stop in self.next.stop_columns() {
            qp.column_labels.push(&self.stop_labels[stop.coordinate]);
        }
    }

    /// w ‖(τ − τ₀)/(m g h)‖²: torque change has a cost ([Jain 2009] eq. 10).
    fn muscle(&self, qp: &mut Qp) {
        let weight = self.muscle.weight / self.now.scales.torque().powi(2);
        for chain in self.chains {
            let (rows, constants) = self.next.torque_rows(chain.clone());
            let mut change = [0.0; LONGEST_CHAIN];
            let change = &mut change[..chain.len()];
            for ((change, constant), last) in
                change.iter_mut().zip(constants).zip(&self.muscle.torque[chain.clone()])
            {
                *change = constant - last;
            }
            qp.add_squares(weight, rows, change);
        }
    }

    fn regularise(&self, qp: &mut Qp) {
        let (force_weight, stop_weight) = match self.blow {
            true => (impact::FORCE_WEIGHT, impact::STOP_WEIGHT),
            false => (self.settings.force_weight, STOP_WEIGHT),
        };
        for coordinate in 0..self.now.model.nv {
            qp.add_regularisation(coordinate, VELOCITY_REGULARISATION);
        }
        for column in 0..self.next.contact_columns().len() {
            qp.add_regularisation(self.next.contact_unknown(column), force_weight);
        }
        for column in 0..self.next.grip_columns().len() {
            qp.add_regularisation(self.next.grip_unknown(column), self.settings.force_weight);
        }
        for column in 0..self.next.stop_columns().len() {
            qp.add_regularisation(self.next.stop_unknown(column), stop_weight);
        }
    }

    /// Makes the equations of motion exact whatever the solver, and says what became of everything.
    pub fn finish(
        &self,
        qp: &Qp,
        solution: &mut QpSolution,
        soft_rows: &[(usize, usize)],
        result: &mut Synthesis,
    ) {
        let next = self.next;
        let pushes = next.grip_columns().iter().map(|column| !column.free);
        let contacts = next.contact_columns().iter().map(|_| true);
        let one_sided = contacts.chain(pushes).chain(next.stop_columns().iter().map(|_| true));
        for (x, _) in solution.x[self.now.model.nv..].iter_mut().zip(one_sided).filter(|(_, only)| *only) {
            *x = x.max(0.0);
        }
        self.restore_root(&mut solution.x);
        let x = &solution.x;
        for term in self.terms.list.iter().filter(|term| !self.blow || term.hard.is_some()) {
            let square: f64 = self.terms.values(term, x).map(|r| r * r).sum();
            result.costs[term.cost] += term.weight * square;
        }
        let unit = self.now.scales.torque();
        result.stop_reaction.clear();
        result.stop_reaction.resize(self.now.model.nv, 0.0);
        for (k, stop) in next.stop_columns().iter().enumerate() {
            result.stop_reaction[stop.coordinate] += stop.sign * unit * x[next.stop_unknown(k)];
        }
        result.torque.clear();
        let mut change = 0.0;
        for k in 0..self.now.model.nv {
            let (row, constant) = next.torque_row(k);
            let torque = if self.now.model.is_root(k) { 0.0 } else { dot(row, x) + constant };
            change += (torque - self.muscle.torque[k]).powi(2);
            result.torque.push(torque);
        }
        result.costs[MUSCLE_COST] = self.muscle.weight * change / (unit * unit);
        result.outcome = self.outcome(qp, x, soft_rows);
        result.unknowns.clear();
        result.unknowns.extend_from_slice(&x[..next.unknowns()]);
    }

    /// Solves L_root(x) = 0 for the root's part of v⁺, everything else as it is.
    fn restore_root(&self, x: &mut [f64]) {
        if !self.now.model.is_floating() {
            return;
        }
        let (mut block, mut rest) = (Matrix6::zeros(), Vector6::zeros());
        for i in 0..6 {
            let (row, constant) = self.next.torque_row(i);
            rest[i] = constant + dot(&row[6..], &x[6..]);
            for j in 0..6 {
                block[(i, j)] = row[j];
            }
        }
        if let Some(root) = block.lu().solve(&-rest) {
            x[..6].copy_from_slice(root.as_slice());
        }
    }

    fn outcome(&self, qp: &Qp, x: &[f64], soft_rows: &[(usize, usize)]) -> Outcome {
        let mut rows = Vec::new();
        for term in &self.terms.list {
            let Some(Label { name, unit, .. }) = &term.hard else { continue };
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
            constraint.gave_way(self.now, self.next, x, &mut |label, unit, amount| {
                rows.push(RelaxedRow { label: label.name.to_string(), unit: unit.into(), amount });
            });
        }
        if rows.is_empty() { Outcome::Solved } else { Outcome::Relaxed { rows } }
    }
}
