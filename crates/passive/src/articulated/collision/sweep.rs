//! Sweep and prune: solids sorted along x, an order that changes little from step to step.

use super::CollisionSolid;

#[derive(Clone, Debug, Default)]
pub(super) struct SweepAndPrune {
    /// Solids by their lower end in x.
    order: Vec<usize>,
}

impl SweepAndPrune {
    pub(super) fn add(&mut self, solid: usize) {
        self.order.push(solid);
    }

    /// Calls `found` with each pair whose bounding balls come within `margin`, smaller index first.
    pub(super) fn pairs(
        &mut self,
        solids: &[CollisionSolid],
        margin: f64,
        mut found: impl FnMut(usize, usize),
    ) {
        let begin = |index: usize| solids[index].position.x - solids[index].reach;
        for at in 1..self.order.len() {
            let (moved, key) = (self.order[at], begin(self.order[at]));
            let mut to = at;
            while to > 0 && begin(self.order[to - 1]) > key {
                self.order[to] = self.order[to - 1];
                to -= 1;
            }
            self.order[to] = moved;
        }
        for (at, &a) in self.order.iter().enumerate() {
            let end = solids[a].position.x + solids[a].reach + margin;
            for &b in self.order[at + 1..].iter().take_while(|b| begin(**b) <= end) {
                let near = solids[a].reach + solids[b].reach + margin;
                if (solids[a].position - solids[b].position).norm_squared() <= near * near {
                    found(a.min(b), a.max(b));
                }
            }
        }
    }
}
