//! q^{k+1} = q^k ⊕ dt v^{k+1}: the velocity of each record is the one that produced its configuration.

use super::bench::{Bench, Passage};
use super::{AuditCheck, Gauge};
use aplomb_body::model::JointKind;
use aplomb_body::model::state;
use aplomb_trace::Outcome;

struct Integration {
    way: Gauge,
    unit: Gauge,
    q: Vec<f64>,
    step: Vec<f64>,
    off: Vec<f64>,
}

/// Round-off of configurations, rad or m: even far from the origin it is much smaller than this.
const ALLOWED: f64 = 1e-9;

pub(super) fn make(bench: &Bench<'_>) -> Box<dyn AuditCheck> {
    let (nq, nv) = (bench.model.nq, bench.model.nv);
    Box::new(Integration {
        way: Gauge::new("configuration off where its velocity leads", "rad, m", ALLOWED),
        unit: Gauge::new("length of a quaternion off 1", "1", ALLOWED),
        q: vec![0.0; nq],
        step: vec![0.0; nv],
        off: vec![0.0; nv],
    })
}

impl AuditCheck for Integration {
    fn look(&mut self, passage: &Passage<'_>) {
        let (model, now) = (&passage.bench.model, passage.now);
        for joint in &model.joints {
            let first = match joint.kind {
                JointKind::Free => joint.q_index + 3,
                JointKind::Ball => joint.q_index,
                JointKind::Hinge { .. } | JointKind::Slide { .. } => continue,
            };
            let length = now.q[first..first + 4].iter().map(|x| x * x).sum::<f64>().sqrt();
            self.unit.read((length - 1.0).abs(), now, || joint.name.clone());
        }
        // Ragdolls are integrated by the leapfrog method: see the check of that name.
        let Some(next) = passage.next.filter(|_| !matches!(now.outcome, Outcome::Limp)) else { return };
        self.step.iter_mut().zip(&next.v).for_each(|(step, v)| *step = passage.dt * v);
        state::integrate(model, &now.q, &self.step, &mut self.q);
        state::difference(model, &self.q, &next.q, &mut self.off);
        for (index, off) in self.off.iter().enumerate() {
            self.way.read(off.abs(), next, || passage.bench.coordinate(index));
        }
    }

    fn gauges(&self) -> Vec<&Gauge> {
        vec![&self.way, &self.unit]
    }
}
