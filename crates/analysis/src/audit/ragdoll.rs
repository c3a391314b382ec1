//! Frames in which the body was a ragdoll: they have their own steps and impacts, which records do not
//! contain, so that motion and forces can be compared to first order in dt only.

use super::bench::{Bench, Passage};
use super::{AuditCheck, Gauge};
use aplomb_body::dynamics::momentum;
use aplomb_body::model::state;
use aplomb_math::spatial::Force;
use aplomb_trace::Outcome;
use nalgebra::Vector3;

/// Time over which missing momentum counts in shorter frames, s.
const SPAN: f64 = 0.01;

struct RagdollCheck {
    way: Gauge,
    momentum: Gauge,
    step: Vec<f64>,
    frames: u64,
}

pub(super) fn make(bench: &Bench<'_>) -> Box<dyn AuditCheck> {
    Box::new(RagdollCheck {
        way: Gauge::new(
            "ragdoll: mean rate of a frame outside those at its ends, beyond their difference",
            "rad/s, m/s",
            20.0,
        ),
        momentum: Gauge::new(
            "ragdoll: linear momentum that no force gave in a frame, over 0.01 s at least",
            "m g",
            0.15,
        ),
        step: vec![0.0; bench.model.nv],
        frames: 0,
    })
}

impl AuditCheck for RagdollCheck {
    fn look(&mut self, passage: &Passage<'_>) {
        let (bench, now) = (passage.bench, passage.now);
        let (model, dt) = (&bench.model, passage.dt);
        let Some(next) = passage.next.filter(|_| matches!(now.outcome, Outcome::Limp)) else { return };
        self.frames += 1;
        state::difference(model, &now.q, &next.q, &mut self.step);
        for (index, step) in self.step.iter().enumerate() {
            let [rate, first, second] = [step / dt, now.v[index], next.v[index]];
            let spread = (first - second).abs();
            let off = (first.min(second) - rate).max(rate - first.max(second)).max(0.0) - spread;
            self.way.read(off, now, || bench.coordinate(index));
        }
        let change = momentum::com_velocity(passage.there) - momentum::com_velocity(passage.here);
        let acting: Vector3<f64> = passage.forces().into_iter().sum::<Force>().force;
        let missing = change * (model.mass() / dt) - acting - bench.gravity * model.mass();
        // What a substep misses does not depend on the length of the frame that has it.
        let share = (dt / SPAN).min(1.0);
        self.momentum.read(share * missing.norm() / bench.weight, now, || "root".into());
    }

    fn gauges(&self) -> Vec<&Gauge> {
        vec![&self.way, &self.momentum]
    }

    fn unseen(&self) -> Vec<String> {
        let frames = self.frames;
        let said = format!(
            "{frames} frames of a ragdoll to round-off: their steps, impacts and torques within a frame \
             are not in the trace; a contact force changed by a few newtons would pass there, where it \
             leaves the centre of pressure"
        );
        (frames > 0).then_some(said).into_iter().collect()
    }
}
