//! One joint's part of the factorisation: elimination of a body and its joint, and the two halves of a
//! solution.

#![expect(clippy::needless_range_loop, reason = "indices are those of the equations")]

use super::block::{Six, add, dot, invert, times};

/// Pivots below this share of the largest number of their block count as zero.
pub(super) const SINGULAR: f64 = 1e-14;

/// The link of a body a to its parent p with M constraint rows, coupled by forces that act along and depend
/// on the last K of the six coordinates of both: the blocks of the pass to the roots.
#[derive(Clone, Debug)]
pub(super) struct Rising<const M: usize, const K: usize> {
    /// Rows of J_a.
    pub child: [Six; M],
    /// Rows of J_p; when eliminated, the columns of J_pᵀ − A_pa A_a⁻¹ J_aᵀ.
    pub parent: [Six; M],
    /// Columns of A_ap.
    pub up: [[f64; K]; K],
    /// Columns of A_pa.
    pub down: [[f64; K]; K],
    /// S⁻¹ for S = J_a A_a⁻¹ J_aᵀ.
    compliance: [[f64; M]; M],
}

/// The blocks of the pass back from the roots, which give a body's unknowns from its parent's.
#[derive(Clone, Debug)]
pub(super) struct Falling<const M: usize, const K: usize> {
    /// Rows of S⁻¹ (J_p − J_a A_a⁻¹ A_ap).
    across: [Six; M],
    /// Columns of A_a⁻¹ J_aᵀ.
    reaction: [Six; M],
    /// Columns of A_a⁻¹ A_ap.
    coupling: [Six; K],
}

impl<const M: usize, const K: usize> Default for Rising<M, K> {
    fn default() -> Self {
        let rows = [[0.0; 6]; M];
        let block = [[0.0; K]; K];
        Rising { child: rows, parent: rows, up: block, down: block, compliance: [[0.0; M]; M] }
    }
}

impl<const M: usize, const K: usize> Default for Falling<M, K> {
    fn default() -> Self {
        let rows = [[0.0; 6]; M];
        Falling { across: rows, reaction: rows, coupling: [[0.0; 6]; K] }
    }
}

/// The last K of six.
#[inline(always)]
fn last<const K: usize>(six: &Six) -> &[f64; K] {
    six.last_chunk().expect("K is at most six")
}

#[inline(always)]
fn last_mut<const K: usize>(six: &mut Six) -> &mut [f64; K] {
    six.last_chunk_mut().expect("K is at most six")
}

/// Largest magnitude on the diagonal of a block.
#[inline(always)]
pub(super) fn largest<const N: usize>(block: &[[f64; N]; N]) -> f64 {
    (0..N).fold(0.0, |largest: f64, k| largest.max(block[k][k].abs()))
}

impl<const M: usize, const K: usize> Rising<M, K> {
    pub(super) fn set(&mut self, child: &[Six], parent: &[Six], up: &[[f64; K]; K], down: &[[f64; K]; K]) {
        self.child.copy_from_slice(child);
        self.parent.copy_from_slice(parent);
        (self.up, self.down) = (*up, *down);
    }

    /// Eliminates body a and its joint: `own` becomes A_a⁻¹, and the updates of A_p are added to `above`, if it has a
    /// parent. False if a pivot vanishes.
    #[inline(always)]
    pub(super) fn eliminate<const FUSED: bool>(
        &mut self,
        falling: &mut Falling<M, K>,
        own: &mut [Six; 6],
        above: Option<&mut [Six; 6]>,
    ) -> bool {
        let scale = largest(own);
        let mut regular = invert::<FUSED, 6>(own) > SINGULAR * scale;
        for r in 0..M {
            falling.reaction[r] = times::<FUSED, 6, 6>(own, &self.child[r]);
        }
        for s in 0..M {
            for r in 0..M {
                self.compliance[s][r] = dot::<FUSED, 6>(&self.child[r], &falling.reaction[s]);
            }
        }
        let scale = largest(&self.compliance);
        regular &= invert::<FUSED, M>(&mut self.compliance) > SINGULAR * scale;
        let Some(above) = above else { return regular };

        // J_p − J_a A_a⁻¹ A_ap
        let mut rows = self.parent;
        let turning: &[Six; K] = own.last_chunk().expect("K is at most six");
        for c in 0..K {
            falling.coupling[c] = times::<FUSED, 6, K>(turning, &self.up[c]);
        }
        for r in 0..M {
            for c in 0..K {
                rows[r][6 - K + c] -= dot::<FUSED, 6>(&self.child[r], &falling.coupling[c]);
            }
            let lost = times::<FUSED, K, K>(&self.down, last(&falling.reaction[r]));
            add::<FUSED, K>(last_mut(&mut self.parent[r]), -1.0, &lost);
        }
        for c in 0..K {
            let lost = times::<FUSED, K, K>(&self.down, last(&falling.coupling[c]));
            add::<FUSED, K>(last_mut(&mut above[6 - K + c]), -1.0, &lost);
        }
        for r in 0..M {
            let mut row = [0.0; 6];
            for s in 0..M {
                add::<FUSED, 6>(&mut row, self.compliance[s][r], &rows[s]);
            }
            falling.across[r] = row;
        }
        for c in 0..6 {
            for s in 0..M {
                add::<FUSED, 6>(&mut above[c], falling.across[s][c], &self.parent[s]);
            }
        }
        regular
    }

    /// L⁻¹: subtracts the contribution of body a and its joint from the right side of the parent, `above`.
    #[inline(always)]
    pub(super) fn forward<const FUSED: bool>(
        &self,
        own: &[Six; 6],
        z: &mut Six,
        joint: &mut Six,
        above: Option<&mut Six>,
    ) {
        *z = times::<FUSED, 6, 6>(own, z);
        let mut gap = [0.0; M];
        for r in 0..M {
            gap[r] = dot::<FUSED, 6>(&self.child[r], z) - joint[r];
        }
        let impulse = times::<FUSED, M, M>(&self.compliance, &gap);
        joint[..M].copy_from_slice(&impulse);
        let Some(above) = above else { return };
        for s in 0..M {
            add::<FUSED, 6>(above, -impulse[s], &self.parent[s]);
        }
        let lost = times::<FUSED, K, K>(&self.down, last(z));
        add::<FUSED, K>(last_mut(above), -1.0, &lost);
    }
}

impl<const M: usize, const K: usize> Falling<M, K> {
    /// U⁻¹: the unknowns of the joint and of the body, given those of the parent.
    #[inline(always)]
    pub(super) fn backward<const FUSED: bool>(&self, x: &mut Six, joint: &mut Six, above: Option<&Six>) {
        if let Some(above) = above {
            for r in 0..M {
                joint[r] += dot::<FUSED, 6>(&self.across[r], above);
            }
            let above: &[f64; K] = last(above);
            for c in 0..K {
                add::<FUSED, 6>(x, -above[c], &self.coupling[c]);
            }
        }
        for r in 0..M {
            add::<FUSED, 6>(x, -joint[r], &self.reaction[r]);
        }
    }
}
