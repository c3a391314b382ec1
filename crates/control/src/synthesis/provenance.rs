//! Provenance of a frame's contact forces.
//!
//! The forces are linear in the unknowns, and the solution is x₀ plus the shares of the frame's costs and rows
//! ([`Qp::shares`]). x₀ is the motion without any force: every joint keeps its rate and there is no contact. So a
//! force is the sum of the contributions of the equations of motion (which support the weight), of each objective,
//! and of each limit.

use super::assembly::Assembly;
use super::conflict::row_of;
use super::limits::{kind_of, name_of};
use super::relaxation::{Relaxation, add_slack};
use super::{BUILT_IN_COSTS, RowOf, Synthesiser, TORQUE_CHANGE_COST};
use crate::objective::Now;
use crate::predict::Prediction;
use crate::synthesis::ActuationCost;
use aplomb_body::model::BodyId;
use aplomb_qp::solver::{QpError, QpSolution};
use aplomb_qp::{Limit, LimitKind, LimitShare, Origin, Qp, RowKind, UnknownKind};
use nalgebra::Vector3;
use std::sync::Arc;

/// Provenance of the contact and grip forces of a frame. Forces act on the character's bodies, world axes, N.
#[doc(alias = "force attribution")]
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ForceProvenance {
    /// Bodies on which a force may act in the frame, in model order.
    pub(crate) bodies: Vec<BodyId>,
    /// Force on each of them.
    pub forces: Vec<Vector3<f64>>,
    /// Parts of the forces, the largest first; they add up to the forces.
    pub parts: Vec<ForcePart>,
}

/// The contribution of one objective, or one kind of row, to the forces of a frame.
#[derive(Clone, Debug, PartialEq)]
pub struct ForcePart {
    /// Its source.
    pub of: PartOf,
    /// Its name: for an objective that in the trace, otherwise that of the row.
    pub name: Arc<str>,
    /// Place of its definition; empty if it is not defined in a file.
    pub origin: Origin,
    /// Multiplier of the row, the largest if there are several: change of the frame's cost per unit of the row. 0 for
    /// costs.
    pub(crate) multiplier: f64,
    /// Its part of the force on each body.
    pub forces: Vec<Vector3<f64>>,
    /// Derivative of the force on each body with respect to the logarithm of its weight, while the same limits are
    /// active; `None` for rows.
    pub weight_slope: Option<Vec<Vector3<f64>>>,
    /// Change of the force on each body in this frame if it were removed and the rest solved again; `None` for rows,
    /// and if the frame then has no solution.
    pub without: Option<Vec<Vector3<f64>>>,
}

/// Sources of forces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartOf {
    /// A cost, by its index in the trace's list of objectives.
    Cost(usize),
    /// A row.
    Row(RowOf),
    /// The regularisation that makes the solution unique where the objectives leave it undetermined, and the energy
    /// term of an impact.
    Remainder,
}

impl ForceProvenance {
    /// Sum of the lengths of a part's forces, N.
    pub fn size(forces: &[Vector3<f64>]) -> f64 {
        forces.iter().map(Vector3::norm).sum()
    }

    /// The largest difference between a force and the sum of its parts, N.
    pub fn error(&self) -> f64 {
        let off = |(body, force): (usize, &Vector3<f64>)| {
            let parts: Vector3<f64> = self.parts.iter().map(|part| part.forces[body]).sum();
            (force - parts).norm()
        };
        self.forces.iter().enumerate().map(off).fold(0.0, f64::max)
    }
}

/// A cost of the frame, with its gradient at x₀.
struct FrameCost {
    cost: usize,
    name: Arc<str>,
    origin: Origin,
    gradient: Vec<f64>,
}

impl Synthesiser {
    /// Provenance of the forces of the QP that was solved last.
    ///
    /// # Errors
    /// A problem whose costs do not determine an unknown.
    pub(super) fn provenance(
        &self,
        now: &Now<'_>,
        actuation: ActuationCost<'_>,
    ) -> Result<ForceProvenance, QpError> {
        let next = Prediction::new(now.model, now.snapshot, &self.linearisation);
        let (assembly, relaxation) = (self.assembly(now, actuation), &self.effort.relaxation);
        let bodies = bodies(now, &next);
        let forces = |x: &[f64]| forces(now, &next, &bodies, x);
        let mut coasting = vec![0.0; self.qp.size()];
        coasting[..now.model.nv].copy_from_slice(&now.snapshot.state.v);
        let costs = self.frame_costs(&assembly, &next, relaxation, &coasting);
        let gradients: Vec<Vec<f64>> = costs.iter().map(|cost| cost.gradient.clone()).collect();
        let shares = self.qp.shares(&self.solution, &coasting, &gradients)?;
        let ends = self.frame_costs(&assembly, &next, relaxation, &self.solution.x);
        let ends: Vec<Vec<f64>> = ends.into_iter().map(|cost| cost.gradient).collect();
        let slopes = self.qp.weight_slopes(&self.solution, &ends)?;
        let total = forces(&self.solution.x);
        let of_costs =
            costs.into_iter().zip(&shares.costs).zip(&slopes).map(|((cost, share), slope)| ForcePart {
                of: PartOf::Cost(cost.cost),
                name: cost.name,
                origin: cost.origin,
                multiplier: 0.0,
                forces: forces(share),
                weight_slope: Some(forces(slope)),
                without: None,
            });
        let mut parts: Vec<ForcePart> = of_costs.collect();
        for limit in &shares.limits {
            let part = of_limit(&self.qp, limit, forces(&limit.share));
            match parts.iter_mut().find(|known| known.of == part.of && known.name == part.name) {
                Some(known) => known.join(&part),
                None => parts.push(part),
            }
        }
        parts.push(remainder(forces(&shares.rest)));
        // A stable sort: equal sizes stay in the order of the problem.
        parts.sort_by(|a, b| ForceProvenance::size(&b.forces).total_cmp(&ForceProvenance::size(&a.forces)));
        let mut provenance = ForceProvenance { bodies, forces: total, parts };
        self.leave_out_each(now, actuation, &mut provenance);
        Ok(provenance)
    }

    /// The costs of the frame by their source, with their gradients at x.
    fn frame_costs(
        &self,
        assembly: &Assembly<'_>,
        next: &Prediction<'_>,
        relaxation: &Relaxation,
        x: &[f64],
    ) -> Vec<FrameCost> {
        let new = |cost: usize, name: Arc<str>, origin: Origin| FrameCost {
            cost,
            name,
            origin,
            gradient: vec![0.0; x.len()],
        };
        let mut torque =
            new(TORQUE_CHANGE_COST, BUILT_IN_COSTS[TORQUE_CHANGE_COST].into(), Origin::default());
        assembly.add_torque_change_gradient(next, x, &mut torque.gradient);
        let mut costs = vec![torque];
        for (index, term) in self.terms.list.iter().enumerate() {
            let Some(weight) = assembly.square(index, relaxation) else { continue };
            let (name, origin) = self.author(index);
            let same = |known: &FrameCost| known.cost == term.cost && known.origin == origin;
            let known = costs.iter().position(same).unwrap_or_else(|| {
                costs.push(new(term.cost, name, origin));
                costs.len() - 1
            });
            self.terms.add_gradient(term, weight, x, &mut costs[known].gradient);
        }
        costs
    }

    /// Name of a term, and the place of its definition.
    fn author(&self, term: usize) -> (Arc<str>, Origin) {
        match self.authors.get(term) {
            Some(Some(label)) => (label.name.clone(), label.origin.clone()),
            _ => {
                let name = BUILT_IN_COSTS.get(self.terms.list[term].cost).copied().unwrap_or_default();
                (name.into(), Origin::default())
            }
        }
    }

    /// Solves the frame again without each of the costs.
    fn leave_out_each(&self, now: &Now<'_>, actuation: ActuationCost<'_>, provenance: &mut ForceProvenance) {
        let next = Prediction::new(now.model, now.snapshot, &self.linearisation);
        let (mut qp, mut solution) = (Qp::default(), QpSolution::default());
        let mut solver = self.solver.boxed_clone();
        let ForceProvenance { bodies, forces: before, parts } = provenance;
        for part in parts {
            let PartOf::Cost(cost) = part.of else { continue };
            let is_part =
                |&term: &usize| self.terms.list[term].cost == cost && self.author(term).1 == part.origin;
            let terms: Vec<usize> = (0..self.terms.list.len()).filter(is_part).collect();
            let assembly = Assembly { left_out: &terms, ..self.assembly(now, actuation) };
            let without_torque_change = ActuationCost { weight: 0.0, ..assembly.actuation };
            let assembly = match cost {
                TORQUE_CHANGE_COST => Assembly { actuation: without_torque_change, ..assembly },
                _ => assembly,
            };
            assembly.write(&next, &self.effort.relaxation, &mut qp);
            if self.effort.relaxation.surfaces {
                add_slack(&mut qp, now);
            }
            if solver.solve(&qp, &mut solution).is_ok() {
                let after = forces(now, &next, bodies, &solution.x);
                part.without =
                    Some(after.iter().zip(&*before).map(|(after, before)| after - before).collect());
            }
        }
    }
}

impl ForcePart {
    fn join(&mut self, other: &ForcePart) {
        if other.multiplier.abs() > self.multiplier.abs() {
            self.multiplier = other.multiplier;
        }
        self.forces.iter_mut().zip(&other.forces).for_each(|(sum, force)| *sum += force);
    }
}

/// Bodies with contact points or grips, in model order.
fn bodies(now: &Now<'_>, next: &Prediction<'_>) -> Vec<BodyId> {
    let touches =
        next.contact_columns().iter().map(|column| now.snapshot.contacts.touches[column.touch].body);
    let grips = next.grip_columns().iter().map(|column| now.snapshot.grips.list[column.grip].body);
    let mut bodies: Vec<BodyId> = touches.chain(grips).collect();
    bodies.sort_by_key(|body| body.0);
    bodies.dedup();
    bodies
}

/// The part of the forces that is not explained by any cost or limit.
fn remainder(forces: Vec<Vector3<f64>>) -> ForcePart {
    ForcePart {
        of: PartOf::Remainder,
        name: "remainder".into(),
        origin: Origin::default(),
        multiplier: 0.0,
        forces,
        weight_slope: None,
        without: None,
    }
}

/// Σ d λ of contacts and grips by body, N.
fn forces(now: &Now<'_>, next: &Prediction<'_>, bodies: &[BodyId], x: &[f64]) -> Vec<Vector3<f64>> {
    let unit = now.snapshot.scales.contact_force();
    let mut forces = vec![Vector3::zeros(); bodies.len()];
    let mut add = |body: BodyId, force: Vector3<f64>| {
        if let Ok(index) = bodies.binary_search_by_key(&body.0, |body| body.0) {
            forces[index] += force;
        }
    };
    for (k, column) in next.contact_columns().iter().enumerate() {
        let body = now.snapshot.contacts.touches[column.touch].body;
        add(body, column.direction * (unit * x[next.contact_unknown(k)]));
    }
    for (k, column) in next.grip_columns().iter().enumerate() {
        let body = now.snapshot.grips.list[column.grip].body;
        add(body, column.direction * (unit * x[next.grip_unknown(k)]));
    }
    forces
}

/// The part of a row. Related rows of one kind are combined, such as the six equations of motion or the points of a
/// body.
fn of_limit(qp: &Qp, limit: &LimitShare, forces: Vec<Vector3<f64>>) -> ForcePart {
    let LimitShare { limit, multiplier, .. } = limit;
    let kind = kind_of(qp, *limit);
    let (of, origin) = match (kind, *limit) {
        (LimitKind::Row(RowKind::Objective { index }), Limit::Equality(k)) => {
            (PartOf::Cost(index), qp.equality_labels[k].origin.clone())
        }
        (LimitKind::Row(RowKind::Objective { index }), Limit::RowLower(k) | Limit::RowUpper(k)) => {
            (PartOf::Cost(index), qp.row_labels[k].origin.clone())
        }
        _ => (PartOf::Row(row_of(kind)), Origin::default()),
    };
    let name = match kind {
        LimitKind::Row(RowKind::RootDynamics { .. }) => "equations of motion".into(),
        LimitKind::Row(RowKind::Gap { .. }) => "non-penetration".into(),
        LimitKind::Bound(UnknownKind::Slack) => "relaxed rows".into(),
        _ => name_of(qp, *limit).into(),
    };
    ForcePart { of, name, origin, multiplier: *multiplier, forces, weight_slope: None, without: None }
}
