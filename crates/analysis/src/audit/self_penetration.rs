//! No part of the body penetrates another part.

use super::bench::{Bench, Passage};
use super::{Check, Gauge};
use aplomb_body::contact::{ShapePair, nearest};

/// Deepest that two parts of a body may be in each other, m: what a frame's linearisation leaves.
const DEEPEST: f64 = 2e-3;

struct SelfPenetration {
    depth: Gauge,
    pairs: Vec<ShapePair>,
    /// How deep each pair was as the run began: a start pose is its scene's own, m.
    at_start: Vec<f64>,
}

pub fn make(bench: &Bench<'_>) -> Box<dyn Check> {
    Box::new(SelfPenetration {
        depth: Gauge::new("depth of a part of the body in another, beyond that of the start", "m", DEEPEST),
        pairs: ShapePair::that_can_meet(&bench.model),
        at_start: Vec::new(),
    })
}

impl Check for SelfPenetration {
    fn look(&mut self, passage: &Passage<'_>) {
        let model = &passage.bench.model;
        let depth = |pair: &ShapePair| {
            let near = nearest(model, passage.here, pair.geoms, 0.0);
            near.map_or(0.0, |near| (-near.distance).max(0.0))
        };
        if self.at_start.is_empty() {
            self.at_start.extend(self.pairs.iter().map(depth));
        }
        for (pair, at_start) in self.pairs.iter().zip(&mut self.at_start) {
            let now = depth(pair);
            // What came out of each other may not go in again.
            *at_start = at_start.min(now);
            self.depth.read(now - *at_start, passage.now, || {
                let [a, b] = pair.bodies.map(|body| &*model.bodies[body.0].name);
                format!("{a} in {b}")
            });
        }
    }

    fn gauges(&self) -> Vec<&Gauge> {
        vec![&self.depth]
    }
}
