//! Limits that contradict each other: a smallest such set, and the violation of one limit with which the
//! others can hold.
//!
//! A Farkas certificate is a combination of limits that adds up to 0 ≥ gap > 0. Where the normals of all but
//! one of its limits are independent there is no other combination, so that the others can hold without any
//! one of them: the set is irreducible, and no further problem has to be solved. Certificates of `active_set`
//! are of that kind, up to rounding. From any other set, limits are removed one by one as long as the rest is
//! still a contradiction.

use super::solver::{ActiveSet, QpError, QpSolution, QpSolver};
use super::{Limit, Qp};

/// Unit normals with a shorter remainder after projection count as dependent on those before them.
const DEPENDENT: f64 = 1e-8;
/// Weights below this share of the largest count as zero in a combination.
const NO_WEIGHT: f64 = 1e-9;
/// A gap above this share of its terms is a contradiction.
const CONTRADICTS: f64 = 1e-9;
/// Weight of the unknowns relative to the square of the relaxed limit, in the problem that minimises that
/// relaxation.
const FREE: f64 = 1e-10;

/// Largest number of limits of a conflict whose relaxation is computed by a QP of its own, where the
/// combination itself does not give it.
const MOST_GIVES: usize = 12;

/// Limits that cannot hold together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Conflict {
    /// Limits in the order of the problem: equalities first, then rows, then bounds.
    pub limits: Vec<Conflicting>,
    /// Whether the set is known to be irreducible: without any one of its limits the others can hold.
    #[doc(alias = "irreducible infeasible subsystem")]
    #[doc(alias = "IIS")]
    pub is_minimal: bool,
}

/// A limit of a conflict.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Conflicting {
    /// Which limit.
    pub limit: Limit,
    /// Least violation of this limit, in the unit of its row, with which the others of the conflict can hold; 0 if
    /// unknown.
    pub give: f64,
}

impl Conflict {
    /// The fewest limits of a certificate that contradict each other. Of two limits that can be omitted, the first is
    /// omitted. This solves at most `most_solves` small problems, and usually none.
    pub fn minimal(qp: &Qp, certificate: &[(Limit, f64)], most_solves: usize) -> Self {
        let mut set: Vec<Limit> = certificate.iter().map(|(limit, _)| *limit).collect();
        set.sort_by_key(|limit| rank(*limit));
        set.dedup();
        let mut left = most_solves;
        if let Some(found) = circuit(qp, &set) {
            return found;
        }
        if let Some(fewer) = contradiction(qp, &set, &mut left) {
            set = fewer;
        }
        let mut k = 0;
        loop {
            if let Some(found) = circuit(qp, &set) {
                return found;
            }
            if k >= set.len() || left == 0 {
                break;
            }
            let without: Vec<Limit> = set.iter().filter(|limit| **limit != set[k]).copied().collect();
            match contradiction(qp, &without, &mut left) {
                Some(fewer) => {
                    // A limit that was necessary for the larger set is necessary for the smaller one.
                    k = fewer.iter().filter(|limit| rank(**limit) < rank(set[k])).count();
                    set = fewer;
                }
                None => k += 1,
            }
        }
        let is_minimal = k >= set.len() && !set.is_empty();
        // Each of these values needs a QP solve, which begins with the limits that were active in the one before.
        let (mut solver, mut wanted) = (ActiveSet::hasty(), MOST_GIVES);
        let mut give = |limit: &Limit| {
            wanted = wanted.checked_sub(1)?;
            let part = within(qp, &set, *limit)?;
            let give = least_give_by(&mut solver, &part.qp, part.limit);
            if matches!(give, Err(QpError::IterationLimit { .. })) {
                // The remaining problems are of the same kind and would not converge either.
                wanted = 0;
            }
            give.ok()
        };
        let limits = set.iter().map(|limit| Conflicting { limit: *limit, give: give(limit).unwrap_or(0.0) });
        Conflict { limits: limits.collect(), is_minimal }
    }
}

/// Least violation of `limit`, in the unit of its row, with which all other limits of the problem can hold; `None` if
/// the others contradict each other without it.
pub fn least_give(qp: &Qp, limit: Limit) -> Option<f64> {
    least_give_by(&mut ActiveSet::hasty(), qp, limit).ok()
}

/// [`least_give`] with a solver that may be warm-started from another limit of the same problem.
fn least_give_by(solver: &mut ActiveSet, qp: &Qp, limit: Limit) -> Result<f64, QpError> {
    let mut softened = qp.clone();
    let n = qp.size();
    softened.widen(n + 1);
    for i in 0..=n {
        softened.hessian.row_mut(i).fill(0.0);
        softened.hessian.row_mut(i)[i] = FREE;
    }
    softened.hessian.row_mut(n)[n] = 1.0;
    softened.gradient.fill(0.0);
    softened.lower[n] = 0.0;
    // A row for a bound, as wide as the rows of other limits, so that all these problems have the same shape.
    let mut row = vec![0.0; n + 1];
    let mut ends = [f64::NEG_INFINITY, f64::INFINITY];
    match limit {
        Limit::Equality(k) => {
            softened.equality.row_mut(k)[n] = 1.0;
            softened.lower[n] = f64::NEG_INFINITY;
        }
        Limit::RowLower(k) => softened.rows.row_mut(k)[n] = 1.0,
        Limit::RowUpper(k) => softened.rows.row_mut(k)[n] = -1.0,
        Limit::Lower(j) | Limit::Upper(j) => {
            let is_lower = matches!(limit, Limit::Lower(_));
            (row[j], row[n]) = (1.0, if is_lower { 1.0 } else { -1.0 });
            let bound = std::mem::replace(
                if is_lower { &mut softened.lower[j] } else { &mut softened.upper[j] },
                if is_lower { f64::NEG_INFINITY } else { f64::INFINITY },
            );
            ends[usize::from(!is_lower)] = bound;
        }
    }
    softened.rows.push(&row);
    softened.rows_lower.push(ends[0]);
    softened.rows_upper.push(ends[1]);
    unnamed(&mut softened);
    let mut solution = QpSolution::default();
    solver.solve(&softened, &mut solution)?;
    Ok(solution.x[n].abs())
}

/// Removes the labels, because every row would need one.
fn unnamed(qp: &mut Qp) {
    qp.equality_labels.clear();
    qp.row_labels.clear();
    qp.column_labels.clear();
}

/// Sort key of a limit: its position in the problem.
fn rank(limit: Limit) -> (usize, usize, usize) {
    match limit {
        Limit::Equality(k) => (0, k, 0),
        Limit::RowLower(k) => (1, k, 0),
        Limit::RowUpper(k) => (1, k, 1),
        Limit::Lower(k) => (2, k, 0),
        Limit::Upper(k) => (2, k, 1),
    }
}

/// Whether a limit is a lower one (1), an upper one (−1) or an equality (0), and its value.
fn side_and_value(qp: &Qp, limit: Limit) -> (f64, f64) {
    match limit {
        Limit::Equality(k) => (0.0, qp.equality_value[k]),
        Limit::RowLower(k) => (1.0, qp.rows_lower[k]),
        Limit::RowUpper(k) => (-1.0, qp.rows_upper[k]),
        Limit::Lower(j) => (1.0, qp.lower[j]),
        Limit::Upper(j) => (-1.0, qp.upper[j]),
    }
}

fn normal(qp: &Qp, limit: Limit) -> Vec<f64> {
    match limit {
        Limit::Equality(k) => qp.equality.row(k).to_vec(),
        Limit::RowLower(k) | Limit::RowUpper(k) => qp.rows.row(k).to_vec(),
        Limit::Lower(j) | Limit::Upper(j) => (0..qp.size()).map(|k| f64::from(u8::from(k == j))).collect(),
    }
}

/// The only combination of the first limits whose normals are dependent, if it is a contradiction.
fn circuit(qp: &Qp, set: &[Limit]) -> Option<Conflict> {
    // Orthonormal basis, with the weights of the unit normals that give each vector.
    let mut basis: Vec<(Vec<f64>, Vec<f64>)> = Vec::with_capacity(set.len());
    let mut lengths = Vec::with_capacity(set.len());
    for (k, limit) in set.iter().enumerate() {
        let mut rest = normal(qp, *limit);
        let length = dot(&rest, &rest).sqrt();
        lengths.push(if length > 0.0 { length } else { 1.0 });
        rest.iter_mut().for_each(|a| *a /= lengths[k]);
        let mut weights = vec![0.0; set.len()];
        weights[k] = 1.0;
        // Two passes of Gram–Schmidt are enough.
        for (direction, combined) in basis.iter().chain(&basis) {
            let part = dot(direction, &rest);
            add_multiple(&mut rest, direction, -part);
            add_multiple(&mut weights, combined, -part);
        }
        let left = dot(&rest, &rest).sqrt();
        if left < DEPENDENT {
            return contradicts(qp, set, &weights, &lengths);
        }
        rest.iter_mut().chain(&mut weights).for_each(|a| *a /= left);
        basis.push((rest, weights));
    }
    None
}

/// The limits with a non-zero weight, if the weights have the signs that the limits demand and the
/// combination is a contradiction.
fn contradicts(qp: &Qp, set: &[Limit], weights: &[f64], lengths: &[f64]) -> Option<Conflict> {
    let largest = weights.iter().fold(0.0, |most: f64, weight| most.max(weight.abs()));
    let parts = || {
        let all = set.iter().zip(weights).zip(lengths);
        all.filter(|((_, weight), _)| weight.abs() > NO_WEIGHT * largest)
            .map(|((limit, weight), length)| (*limit, weight / length))
    };
    let (mut gap, mut terms) = (0.0, 0.0);
    let mut sign = 0.0;
    for (limit, weight) in parts() {
        let (side, value) = side_and_value(qp, limit);
        gap += weight * value;
        terms += (weight * value).abs() + weight.abs();
        let of_side = side * weight.signum();
        if sign * of_side < 0.0 {
            return None;
        }
        sign = if of_side == 0.0 { sign } else { of_side };
    }
    let sign = if sign == 0.0 { gap.signum() } else { sign };
    if sign * gap <= CONTRADICTS * terms {
        return None;
    }
    let limits = parts().map(|(limit, weight)| Conflicting { limit, give: (gap / weight).abs() });
    Some(Conflict { limits: limits.collect(), is_minimal: true })
}

/// Limits among these that contradict each other, in order; `None` if all of them can hold, or if the allowed number
/// of solves does not suffice to decide.
fn contradiction(qp: &Qp, set: &[Limit], left: &mut usize) -> Option<Vec<Limit>> {
    *left = left.checked_sub(1)?;
    let Subproblem { qp: part, origins, .. } = part_of(qp, set);
    let mut solution = QpSolution::default();
    let Err(QpError::Infeasible { certificate }) = ActiveSet::hasty().solve(&part, &mut solution) else {
        return None;
    };
    let mut fewer: Vec<Limit> = certificate
        .iter()
        .map(|(limit, _)| match *limit {
            Limit::Equality(k) => origins.equalities[k],
            Limit::RowLower(k) | Limit::RowUpper(k) => origins.rows[k],
            bound => bound,
        })
        .collect();
    fewer.sort_by_key(|limit| rank(*limit));
    fewer.dedup();
    Some(fewer)
}

/// A subproblem with some limits of a problem, and their indices in that problem.
struct Subproblem {
    qp: Qp,
    origins: Origins,
    /// The index, in `qp`, of the requested limit.
    limit: Limit,
}

#[derive(Default)]
struct Origins {
    equalities: Vec<Limit>,
    rows: Vec<Limit>,
}

/// Minimises ‖x‖² under some limits of a problem.
fn part_of(qp: &Qp, set: &[Limit]) -> Subproblem {
    let mut part = Qp::default();
    part.reset(qp.size());
    (0..qp.size()).for_each(|j| part.add_regularisation(j, 0.5));
    part.complete();
    let mut origins = Origins::default();
    for &limit in set {
        let (side, value) = side_and_value(qp, limit);
        match limit {
            Limit::Equality(k) => {
                part.equality.push(qp.equality.row(k));
                part.equality_value.push(value);
                origins.equalities.push(limit);
            }
            Limit::RowLower(k) | Limit::RowUpper(k) => {
                part.rows.push(qp.rows.row(k));
                part.rows_lower.push(if side > 0.0 { value } else { f64::NEG_INFINITY });
                part.rows_upper.push(if side < 0.0 { value } else { f64::INFINITY });
                origins.rows.push(limit);
            }
            Limit::Lower(j) => part.lower[j] = value,
            Limit::Upper(j) => part.upper[j] = value,
        }
    }
    Subproblem { qp: part, origins, limit: Limit::Equality(0) }
}

/// The subproblem of some limits of a problem, with the index that one of them has there.
fn within(qp: &Qp, set: &[Limit], asked: Limit) -> Option<Subproblem> {
    let part = part_of(qp, set);
    let place = |list: &[Limit]| list.iter().position(|limit| *limit == asked);
    let limit = match asked {
        Limit::Equality(_) => Limit::Equality(place(&part.origins.equalities)?),
        Limit::RowLower(_) => Limit::RowLower(place(&part.origins.rows)?),
        Limit::RowUpper(_) => Limit::RowUpper(place(&part.origins.rows)?),
        bound => bound,
    };
    Some(Subproblem { limit, ..part })
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn add_multiple(to: &mut [f64], from: &[f64], times: f64) {
    to.iter_mut().zip(from).for_each(|(to, from)| *to += times * from);
}
