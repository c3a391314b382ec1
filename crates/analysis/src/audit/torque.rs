//! Joint torques are within the limits of the header, and joints without an actuator have none.

use super::bench::{Bench, Passage};
use super::{AuditCheck, Gauge};
use aplomb_body::dynamics::BiasVelocity;

struct Torque {
    limit: Gauge,
    balanced: Gauge,
    passive: Gauge,
    finite: bool,
    excused: u64,
}

pub(super) fn make(bench: &Bench<'_>) -> Box<dyn AuditCheck> {
    Box::new(Torque {
        limit: Gauge::new("torque beyond its limit", "m g, m g h", 1e-7),
        balanced: Gauge::new("torque beyond its limit, in a run that balances momentum", "m g, m g h", 5e-3),
        passive: Gauge::new("torque of a coordinate without actuator", "m g, m g h", 1e-7),
        finite: bench.header.torque_limits.iter().any(Option::is_some),
        excused: 0,
    })
}

impl AuditCheck for Torque {
    fn look(&mut self, passage: &Passage<'_>) {
        let (bench, now) = (passage.bench, passage.now);
        // In these frames the root is moved after the last solve until the balances hold, and torques are
        // those of the whole motion.
        let is_balanced = bench.header.bias_velocity == BiasVelocity::Momentum.name();
        for (index, torque) in now.torque.iter().enumerate() {
            let unit = if bench.header.force_unit(index) == "N" { bench.weight } else { bench.torque };
            if let Some(Some([low, high])) = bench.header.torque_limits.get(index) {
                let beyond = (low - torque).max(torque - high) / unit;
                let gauge = if is_balanced { &mut self.balanced } else { &mut self.limit };
                if is_balanced && now.gave_something_up() {
                    self.excused += u64::from(beyond > 5e-3);
                } else {
                    gauge.read(beyond, now, || bench.coordinate(index));
                }
            }
            if !bench.model.is_actuated[index] {
                self.passive.read(torque.abs() / unit, now, || bench.coordinate(index));
            }
        }
    }

    fn gauges(&self) -> Vec<&Gauge> {
        vec![&self.limit, &self.balanced, &self.passive]
    }

    fn unseen(&self) -> Vec<String> {
        let reason = "limits of torques: the scene or the body has none";
        let excused = self.excused;
        let excused = (excused > 0).then(|| {
            format!(
                "{excused} torques beyond their limits, in frames that balance momentum and gave something up"
            )
        });
        (!self.finite).then(|| reason.into()).into_iter().chain(excused).collect()
    }
}
