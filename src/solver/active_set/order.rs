//! The order in which unknowns are eliminated.

use crate::qp::Qp;

/// Sorts columns by how many others they are coupled with, fewest first, ties by index.
///
/// Forces of one foot do not meet those of the other in the Hessian, and velocities meet nearly everything: with
/// the forces first, much of the factor stays zero, and what is zero is skipped.
pub fn sparsest_first(qp: &Qp, order: &mut Vec<usize>, count: &mut Vec<usize>) {
    let size = qp.size();
    count.clear();
    count.extend((0..size).map(|k| qp.hessian.row(k).iter().filter(|value| **value != 0.0).count()));
    order.clear();
    order.extend(0..size);
    order.sort_unstable_by_key(|&k| (count[k], k));
}
