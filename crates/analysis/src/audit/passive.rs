//! The displacements of passive objects agree with their velocities. The masses of their parts are not in a
//! trace, so that the forces on them cannot be checked.

use super::bench::{Bench, Passage};
use super::{AuditCheck, Gauge};
use nalgebra::Vector3;

struct PassiveGauges {
    way: Gauge,
    unit: Gauge,
    objects: usize,
    failed: u64,
}

pub(super) fn make(bench: &Bench<'_>) -> Box<dyn AuditCheck> {
    Box::new(PassiveGauges {
        way: Gauge::new(
            "passive: mean velocity of a frame off those at its ends, beyond their difference",
            "m/s",
            1.0,
        ),
        unit: Gauge::new("passive: length of a quaternion off 1", "1", 1e-9),
        objects: bench.header.passive.iter().filter(|object| !object.is_character()).count(),
        failed: 0,
    })
}

impl AuditCheck for PassiveGauges {
    fn look(&mut self, passage: &Passage<'_>) {
        let now = passage.now;
        for (object, state) in passage.bench.header.passive.iter().zip(&now.passive) {
            for [w, x, y, z] in &state.orientations {
                let length = (w * w + x * x + y * y + z * z).sqrt();
                self.unit.read((length - 1.0).abs(), now, || object.name.clone());
            }
        }
        let Some(next) = passage.next else { return };
        let objects = passage.bench.header.passive.iter().zip(now.passive.iter().zip(&next.passive));
        for (object, (state, after)) in objects {
            if after.failed {
                self.failed += 1;
                continue;
            }
            let [from, to] = [state, after].map(|state| Vector3::from(state.com));
            let [first, second] = [state, after].map(|state| Vector3::from(state.com_velocity));
            let off = ((to - from) / passage.dt - 0.5 * (first + second)).norm() - (second - first).norm();
            self.way.read(off, next, || object.name.clone());
        }
    }

    fn gauges(&self) -> Vec<&Gauge> {
        vec![&self.way, &self.unit]
    }

    fn unseen(&self) -> Vec<String> {
        let mut unseen = Vec::new();
        if self.objects > 0 {
            let objects = match self.objects {
                1 => "a passive object".to_string(),
                many => format!("{many} passive objects"),
            };
            unseen.push(format!(
                "forces on {objects}: masses of parts and steps within a frame are not in the trace"
            ));
        }
        if self.failed > 0 {
            unseen.push(format!("{} frames of passive objects that had diverged", self.failed));
        }
        unseen
    }
}
