//! No part of the body penetrates another part.

use super::bench::{Bench, Passage};
use super::{AuditCheck, Gauge};
use aplomb_body::contact::{ShapePair, nearest};

/// Largest penetration depth of two parts of a body, m: the error of a frame's linearisation.
const DEEPEST: f64 = 2e-3;

struct SelfPenetration {
    depth: Gauge,
    pairs: Vec<ShapePair>,
    /// Largest depth in a scene whose limbs may pass through each other, m.
    excused: Option<f64>,
    /// Penetration of each pair at the start of the run, m: the scene determines the start pose.
    at_start: Vec<f64>,
}

pub(super) fn make(bench: &Bench<'_>) -> Box<dyn AuditCheck> {
    Box::new(SelfPenetration {
        depth: Gauge::new("depth of a part of the body in another, beyond that of the start", "m", DEEPEST),
        pairs: ShapePair::that_can_meet(&bench.model),
        excused: bench.limbs_pass.then_some(0.0),
        at_start: Vec::new(),
    })
}

impl AuditCheck for SelfPenetration {
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
            // Parts that have separated must not penetrate again.
            *at_start = at_start.min(now);
            if let Some(deepest) = &mut self.excused {
                *deepest = deepest.max(now - *at_start);
                continue;
            }
            self.depth.read(now - *at_start, passage.now, || {
                let [a, b] = pair.bodies.map(|body| &*model.bodies[body.0].name);
                format!("{a} in {b}")
            });
        }
    }

    fn gauges(&self) -> Vec<&Gauge> {
        vec![&self.depth]
    }

    fn unseen(&self) -> Vec<String> {
        let sentence = |deepest: f64| {
            format!("limbs in each other, which the scene lets pass: {:.1} mm at most", 1000.0 * deepest)
        };
        self.excused.map(sentence).into_iter().collect()
    }
}
