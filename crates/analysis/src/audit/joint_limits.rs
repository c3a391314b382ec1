//! Joints stay within their ranges in frames with a solution, and limits push back into them only where they
//! are reached.

use super::bench::{Bench, Passage};
use super::{AuditCheck, Gauge};
use aplomb_body::model::JointKind;
use aplomb_world::Advance;

struct JointLimitGauges {
    range: Gauge,
    pull: Gauge,
    idle: Gauge,
    excused: u64,
    is_simulated: bool,
}

pub(super) fn make(bench: &Bench<'_>) -> Box<dyn AuditCheck> {
    Box::new(JointLimitGauges {
        range: Gauge::new("further beyond the range of a joint than before", "rad, m", 1e-6),
        pull: Gauge::new("reaction of a stop out of its range", "m g, m g h", 1e-9),
        idle: Gauge::new("reaction of a stop that is not reached", "m g, m g h", 1e-3),
        excused: 0,
        is_simulated: bench.advance == Advance::Simulated,
    })
}

/// Distance from a limit within which its reaction is valid, rad or m.
const REACHED: f64 = 2e-3;

impl AuditCheck for JointLimitGauges {
    fn look(&mut self, passage: &Passage<'_>) {
        let (bench, now) = (passage.bench, passage.now);
        let Some(next) = passage.solved() else { return };
        let is_excused = now.gave_something_up() || self.is_simulated;
        for joint in &bench.model.joints {
            let (JointKind::Hinge { .. } | JointKind::Slide { .. }) = joint.kind else { continue };
            let name = || joint.name.clone();
            let reaction = now.stop_reaction.get(joint.v_index).copied().unwrap_or(0.0);
            let unit =
                if bench.header.force_unit(joint.v_index) == "N" { bench.weight } else { bench.torque };
            let Some([low, high]) = joint.range else {
                self.idle.read(reaction.abs() / unit, now, name);
                continue;
            };
            let beyond = |q: f64| (low - q).max(q - high).max(0.0);
            let (before, after) = (now.q[joint.q_index], next.q[joint.q_index]);
            // Forward dynamics does not enforce joint limits.
            if bench.advance == Advance::Predicted {
                self.range.read(beyond(after) - beyond(before), next, name);
            }
            if reaction == 0.0 {
                continue;
            }
            let inwards = [reaction, -reaction].map(|push| push.max(0.0));
            // Positive: away from the lower end.
            let lower = before.min(after) - low <= REACHED;
            let upper = high - before.max(after) <= REACHED;
            if is_excused {
                self.excused +=
                    u64::from(!lower && inwards[0] > 1e-3 * unit || !upper && inwards[1] > 1e-3 * unit);
                continue;
            }
            self.idle.read(if lower { 0.0 } else { inwards[0] / unit }, now, name);
            self.idle.read(if upper { 0.0 } else { inwards[1] / unit }, now, name);
            let middle = 0.5 * (low + high);
            let outwards = if after < middle && before < middle {
                -reaction
            } else if after > middle && before > middle {
                reaction
            } else {
                0.0
            };
            self.pull.read(outwards.max(0.0) / unit, now, name);
        }
    }

    fn gauges(&self) -> Vec<&Gauge> {
        vec![&self.range, &self.pull, &self.idle]
    }

    fn unseen(&self) -> Vec<String> {
        let excused = self.excused;
        let stops = format!(
            "{excused} stops that push before they are reached, in frames that gave something up or were simulated"
        );
        let ranges = "ranges of joints, what sticks and what is struck: `advance = \"simulated\"` goes \
                      where forces lead";
        let ranges = self.is_simulated.then(|| ranges.to_string());
        (excused > 0).then_some(stops).into_iter().chain(ranges).collect()
    }
}
