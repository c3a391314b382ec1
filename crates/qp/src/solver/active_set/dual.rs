//! The dual iteration of [Goldfarb & Idnani 1983]: each violated limit is pushed until it holds, and active
//! limits whose multipliers reach zero on the way leave the active set.

use super::conflict::{CONSISTENT, certificate, conflict};
use super::iterate::Iterate;
use super::limit::{ActiveConstraint, ActiveEnd, FixedColumn, Normal};
use super::working_set::{Singular, WorkingSet};
use crate::{Limit, Qp};
use aplomb_math::kernel;

/// A limit is violated beyond this share of 1 + |its value|, in its own unit.
const FEASIBILITY: f64 = 1e-10;
/// Two violations, or two step lengths, are equal when they differ by less than this share. The limit of
/// lower rank is then taken first, so that rounding does not decide.
const TIE: f64 = 1e-9;
/// Rates below this share of their terms count as zero.
const NO_RATE: f64 = 1e-12;

/// Why the iteration ended without an optimum.
#[derive(Debug)]
pub(super) enum DualFailure {
    Infeasible(Vec<(Limit, f64)>),
    IterationLimit,
    Singular,
}

impl From<Singular> for DualFailure {
    fn from(_: Singular) -> Self {
        DualFailure::Singular
    }
}

/// The member or fixed column whose multiplier reaches zero and so ends a step.
#[derive(Clone, Copy, Debug)]
enum Blocking {
    Member(usize),
    Fixed(usize),
}

/// Iterates from the optimum on the face, where all multipliers have the right signs, to the optimum of the
/// problem.
pub(super) fn iterate(qp: &Qp, face: &mut WorkingSet, at: &mut Iterate) -> Result<(), DualFailure> {
    if most_violated(qp, at).is_none() {
        return Ok(());
    }
    at.set_prices(qp);
    while let Some(violated) = most_violated(qp, at) {
        push(qp, face, at, violated)?;
        at.evaluate_rows(qp);
    }
    Ok(())
}

/// The violation of a limit and its side, if it is above the tolerance.
fn violation(value: f64, lower: f64, upper: f64) -> Option<(f64, ActiveEnd)> {
    let (below, above) = (lower - value, value - upper);
    let (amount, limit, side) =
        if below > above { (below, lower, ActiveEnd::Lower) } else { (above, upper, ActiveEnd::Upper) };
    (amount > FEASIBILITY * (1.0 + limit.abs())).then_some((amount, side))
}

/// The most violated limit; after half of the allowed iterations, the first violated one, in case there is no
/// progress (Bland's rule).
fn most_violated(qp: &Qp, at: &Iterate) -> Option<ActiveConstraint> {
    let columns = (0..qp.size()).filter(|&j| at.columns[j].is_none()).filter_map(|j| {
        let (amount, side) = violation(at.x[j], qp.lower[j], qp.upper[j])?;
        Some((amount, ActiveConstraint { normal: Normal::Column(j), side }))
    });
    let rows = (0..qp.rows.rows()).filter(|&k| at.rows[k].is_none()).filter_map(|k| {
        let (amount, side) = violation(at.values[k], qp.rows_lower[k], qp.rows_upper[k])?;
        Some((amount, ActiveConstraint { normal: Normal::Row(k), side }))
    });
    let mut violated = columns.chain(rows).map(|(amount, held)| (amount * at.price(held.normal), held));
    let first = violated.next()?;
    if at.iterations > at.iteration_limit / 2 {
        return Some(first.1);
    }
    let more = |most: (f64, ActiveConstraint), next: (f64, ActiveConstraint)| {
        if next.0 > most.0 * (1.0 + TIE) { next } else { most }
    };
    Some(violated.fold(first, more).1)
}

/// Raises the multiplier of a violated limit until it holds.
fn push(
    qp: &Qp,
    face: &mut WorkingSet,
    at: &mut Iterate,
    pushed: ActiveConstraint,
) -> Result<(), DualFailure> {
    let sign = pushed.side.sign();
    let mut multiplier = 0.0;
    loop {
        if at.iterations >= at.iteration_limit {
            return Err(DualFailure::IterationLimit);
        }
        at.iterations += 1;
        face.project(qp, pushed.normal);
        rates_of_fixed(qp, face, at, pushed.normal);
        let whole = if face.projection.is_dependent {
            // The members hold to rounding, and so does a limit that they imply: an exchange would gain
            // nothing.
            if multiplier == 0.0 && conflict(qp, face, at, pushed, FEASIBILITY).is_none() {
                at.imply(pushed);
                return Ok(());
            }
            f64::INFINITY
        } else {
            let lacking = sign * (pushed.value(qp) - pushed.normal.dot(qp, &at.x));
            lacking.max(0.0) / face.projection.growth
        };
        let blocking = first_to_block(qp, face, at, sign);
        let step = match blocking {
            Some((step, _)) if step < whole => step,
            _ if whole.is_finite() => whole,
            // No member can leave. A limit that the members imply is violated by rounding only.
            _ if conflict(qp, face, at, pushed, CONSISTENT).is_none() => {
                at.imply(pushed);
                return Ok(());
            }
            _ => return Err(DualFailure::Infeasible(certificate(face, at, pushed, sign))),
        };
        advance(face, at, sign * step);
        multiplier += sign * step;
        match blocking {
            Some((length, blocking)) if length < whole => release(qp, face, at, blocking)?,
            _ => {
                face.hold(pushed, multiplier);
                at.set_held(pushed, true);
                return Ok(());
            }
        }
    }
}

/// Rate of the multiplier of each fixed column: its component of P d − a + Σ rates_i a_i.
pub(super) fn rates_of_fixed(qp: &Qp, face: &WorkingSet, at: &mut Iterate, normal: Normal) {
    if at.fixed.is_empty() {
        return;
    }
    let Iterate { fixed, fixed_rates, direction, normal: combined, .. } = at;
    direction.fill(0.0);
    for (&column, step) in face.free().iter().zip(&face.projection.direction) {
        direction[column] = *step;
    }
    combined.fill(0.0);
    normal.add_to(qp, -1.0, combined);
    for (member, rate) in face.members().iter().zip(&face.projection.rates) {
        member.held.normal.add_to(qp, *rate, combined);
    }
    fixed_rates.clear();
    for FixedColumn { column, .. } in fixed {
        let mut curvature = [0.0];
        kernel::multiply(qp.hessian.row(*column), qp.size(), direction, &mut curvature);
        let rate = curvature[0] + combined[*column];
        let is_none = rate.abs() <= NO_RATE * (curvature[0].abs() + combined[*column].abs());
        fixed_rates.push(if is_none { 0.0 } else { rate });
    }
}

/// The multiplier that reaches zero first, and the step at which it does. The lower rank wins between equal
/// steps.
fn first_to_block(qp: &Qp, face: &WorkingSet, at: &Iterate, sign: f64) -> Option<(f64, Blocking)> {
    let largest = face.projection.rates[..face.members().len()].iter().fold(0.0, |m: f64, r| m.max(r.abs()));
    let members = face.members().iter().zip(&face.projection.rates).enumerate().map(|(k, (member, rate))| {
        let falls = member.held.side.sign() * sign * rate;
        let falls = if falls > NO_RATE * largest { falls } else { 0.0 };
        (Blocking::Member(k), member.held, member.multiplier, falls)
    });
    let fixed = at.fixed.iter().zip(&at.fixed_rates).enumerate().map(|(k, (fixed, rate))| {
        (Blocking::Fixed(k), fixed.held(), at.residual[fixed.column], -fixed.side.sign() * sign * rate)
    });
    let mut first: Option<(f64, usize, Blocking)> = None;
    for (blocking, held, multiplier, falls) in members.chain(fixed) {
        if falls <= 0.0 {
            continue;
        }
        let length = (held.side.sign() * multiplier).max(0.0) / falls;
        let rank = held.normal.rank(qp);
        let is_first = first.is_none_or(|(best, best_rank, _)| {
            let margin = TIE * best;
            length < best - margin || (length <= best + margin && rank < best_rank)
        });
        if is_first {
            first = Some((length, rank, blocking));
        }
    }
    first.map(|(length, _, blocking)| (length, blocking))
}

/// Moves x and all multipliers by a step.
fn advance(face: &mut WorkingSet, at: &mut Iterate, step: f64) {
    for (&column, direction) in face.free().iter().zip(&face.projection.direction) {
        at.x[column] += step * direction;
    }
    face.move_multipliers(-step);
    for (fixed, rate) in at.fixed.iter().zip(&at.fixed_rates) {
        at.residual[fixed.column] += step * rate;
    }
}

fn release(qp: &Qp, face: &mut WorkingSet, at: &mut Iterate, blocking: Blocking) -> Result<(), DualFailure> {
    at.forget_implied();
    match blocking {
        Blocking::Member(k) => {
            at.set_held(face.members()[k].held, false);
            face.release(k);
        }
        Blocking::Fixed(k) => at.release_fixed(qp, face, k)?,
    }
    Ok(())
}
