//! The order in which unknowns are eliminated.

use crate::Qp;

/// Sorts columns by block, then by the number of columns they are coupled with, fewest first; ties by index.
///
/// The forces on one foot are not coupled with those on the other in the Hessian, and velocities are coupled
/// with nearly everything. With the forces first, much of the factor stays zero and is skipped.
#[doc(alias = "fill-reducing ordering")]
pub(super) fn sparsest_first(qp: &Qp, order: &mut Vec<usize>, count: &mut Vec<usize>) {
    let size = qp.size();
    count.clear();
    count.extend((0..size).map(|k| qp.hessian.row(k).iter().filter(|value| **value != 0.0).count()));
    order.clear();
    order.extend(0..size);
    order.sort_unstable_by_key(|&k| (qp.blocks.get(k), count[k], k));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_coupled_least_comes_first_and_ties_keep_their_order() {
        let mut qp = Qp::default();
        qp.reset(4);
        for (i, j) in [(0, 0), (1, 1), (2, 2), (3, 3), (0, 2), (2, 0), (0, 3), (3, 0)] {
            qp.hessian.row_mut(i)[j] = 1.0;
        }
        let (mut order, mut counts) = (Vec::new(), Vec::new());
        sparsest_first(&qp, &mut order, &mut counts);
        assert_eq!(order, [1, 2, 3, 0]);
        qp.blocks = vec![0, 1, 0, 1];
        sparsest_first(&qp, &mut order, &mut counts);
        assert_eq!(order, [2, 0, 1, 3], "a block stays together");
    }
}
