//! Certificates of limits that cannot hold together.

use super::iterate::Iterate;
use super::limit::ActiveConstraint;
use super::working_set::WorkingSet;
use crate::{Limit, Qp};

/// Dependent limits are consistent if their values agree within this share of their terms.
pub(super) const CONSISTENT: f64 = 1e-9;
/// A certificate omits weights below this share of the largest.
const NO_WEIGHT: f64 = 1e-9;

/// Sign of the violation of the limit projected last, a combination of active ones, if its value differs from the
/// same combination of theirs by more than `margin` of the terms.
pub(super) fn conflict(
    qp: &Qp,
    face: &WorkingSet,
    at: &Iterate,
    held: ActiveConstraint,
    margin: f64,
) -> Option<f64> {
    let members = face.members().iter().zip(&face.projection.rates);
    let members = members.map(|(member, rate)| -rate * member.held.value(qp));
    let fixed = at.fixed.iter().zip(&at.fixed_rates).map(|(fixed, rate)| rate * fixed.held().value(qp));
    let (mut gap, mut terms) = (held.value(qp), 1.0 + held.value(qp).abs());
    for term in members.chain(fixed) {
        gap += term;
        terms += term.abs();
    }
    (gap.abs() > margin * terms).then(|| gap.signum())
}

/// The limits that contradict each other: the pushed one and the active ones it is a combination of, whose
/// multipliers all grow against it. The normals of the active ones are independent, so no smaller set
/// conflicts.
pub(super) fn certificate(
    face: &WorkingSet,
    at: &Iterate,
    pushed: ActiveConstraint,
    sign: f64,
) -> Vec<(Limit, f64)> {
    let mut list = vec![(pushed.limit(sign), 1.0)];
    for (member, rate) in face.members().iter().zip(&face.projection.rates) {
        list.push((member.held.limit(-sign * rate), rate.abs()));
    }
    for (fixed, rate) in at.fixed.iter().zip(&at.fixed_rates) {
        list.push((fixed.held().limit(sign * rate), rate.abs()));
    }
    let largest = list.iter().fold(0.0, |most: f64, (_, weight)| most.max(*weight));
    list.retain(|(_, weight)| *weight > NO_WEIGHT * largest);
    for (_, weight) in &mut list {
        *weight /= largest;
    }
    list
}
