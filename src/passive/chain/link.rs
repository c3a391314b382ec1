//! One joint's part of the factorisation: elimination of a body and its joint, and the two halves of a solution.

use super::block::{Six, add, dot, invert, times};

/// Pivots below this part of the largest number of their block count as zero.
pub const SINGULAR: f64 = 1e-14;

/// What joins a body to its parent with M constraint rows, and is coupled to it by forces that act along and
/// depend on the last K of the six coordinates of both.
#[derive(Clone, Debug)]
pub struct Link<const M: usize, const K: usize> {
    /// Rows of J_a.
    pub child: [Six; M],
    /// Rows of J_p; when factored, those of S⁻¹ (J_p − J_a A_a⁻¹ A_ap).
    pub parent: [Six; M],
    /// Columns of A_pa.
    pub down: [[f64; K]; K],
    /// Columns of A_ap.
    pub up: [[f64; K]; K],
    /// Columns of A_a⁻¹ J_aᵀ.
    reaction: [Six; M],
    /// Columns of A_a⁻¹ A_ap.
    coupling: [Six; K],
    /// Columns of J_pᵀ − A_pa A_a⁻¹ J_aᵀ.
    passed: [Six; M],
    /// S⁻¹ for S = J_a A_a⁻¹ J_aᵀ.
    compliance: [[f64; M]; M],
}

impl<const M: usize, const K: usize> Default for Link<M, K> {
    fn default() -> Self {
        Link {
            child: [[0.0; 6]; M],
            parent: [[0.0; 6]; M],
            down: [[0.0; K]; K],
            up: [[0.0; K]; K],
            reaction: [[0.0; 6]; M],
            coupling: [[0.0; 6]; K],
            passed: [[0.0; 6]; M],
            compliance: [[0.0; M]; M],
        }
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
pub fn largest<const N: usize>(block: &[[f64; N]; N]) -> f64 {
    (0..N).fold(0.0, |largest: f64, k| largest.max(block[k][k].abs()))
}

impl<const M: usize, const K: usize> Link<M, K> {
    pub fn set(&mut self, child: &[Six], parent: &[Six], up: &[[f64; K]; K], down: &[[f64; K]; K]) {
        self.child.copy_from_slice(child);
        self.parent.copy_from_slice(parent);
        (self.up, self.down) = (*up, *down);
    }

    /// Eliminates body a and its joint: `own` becomes A_a⁻¹, and `above`, A_p of its parent if it has one, takes
    /// what they add to it. False where a pivot vanishes.
    #[inline(always)]
    pub fn eliminate<const FUSED: bool>(&mut self, own: &mut [Six; 6], above: Option<&mut [Six; 6]>) -> bool {
        let scale = largest(own);
        let mut regular = invert::<FUSED, 6>(own) > SINGULAR * scale;
        for r in 0..M {
            self.reaction[r] = times::<FUSED, 6, 6>(own, &self.child[r]);
        }
        for s in 0..M {
            for r in 0..M {
                self.compliance[s][r] = dot::<FUSED, 6>(&self.child[r], &self.reaction[s]);
            }
        }
        let scale = largest(&self.compliance);
        regular &= invert::<FUSED, M>(&mut self.compliance) > SINGULAR * scale;
        let Some(above) = above else { return regular };

        self.passed = self.parent;
        if K > 0 {
            let turning: &[Six; K] = own.last_chunk().expect("K is at most six");
            for c in 0..K {
                self.coupling[c] = times::<FUSED, 6, K>(turning, &self.up[c]);
            }
            for r in 0..M {
                for c in 0..K {
                    self.parent[r][6 - K + c] -= dot::<FUSED, 6>(&self.child[r], &self.coupling[c]);
                }
                let lost = times::<FUSED, K, K>(&self.down, last(&self.reaction[r]));
                add::<FUSED, K>(last_mut(&mut self.passed[r]), -1.0, &lost);
            }
            for c in 0..K {
                let lost = times::<FUSED, K, K>(&self.down, last(&self.coupling[c]));
                add::<FUSED, K>(last_mut(&mut above[6 - K + c]), -1.0, &lost);
            }
        }
        let rows = self.parent;
        for r in 0..M {
            let mut row = [0.0; 6];
            for s in 0..M {
                add::<FUSED, 6>(&mut row, self.compliance[s][r], &rows[s]);
            }
            self.parent[r] = row;
        }
        for c in 0..6 {
            for s in 0..M {
                add::<FUSED, 6>(&mut above[c], self.parent[s][c], &self.passed[s]);
            }
        }
        regular
    }

    /// L⁻¹: takes what body a and its joint owe from the right side of the parent, `above`.
    #[inline(always)]
    pub fn forward<const FUSED: bool>(
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
            add::<FUSED, 6>(above, -impulse[s], &self.passed[s]);
        }
        let lost = times::<FUSED, K, K>(&self.down, last(z));
        add::<FUSED, K>(last_mut(above), -1.0, &lost);
    }

    /// U⁻¹: the joint's and the body's unknowns, once the parent's are known.
    #[inline(always)]
    pub fn backward<const FUSED: bool>(&self, x: &mut Six, joint: &mut Six, above: Option<&Six>) {
        if let Some(above) = above {
            for r in 0..M {
                joint[r] += dot::<FUSED, 6>(&self.parent[r], above);
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
