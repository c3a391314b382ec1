//! Coupled joints keep their ratio, and their reactions act on their leaders.

use super::bench::{Bench, Passage};
use super::{AuditCheck, Gauge};
use aplomb_trace::Outcome;

struct CouplingGauges {
    rate: Gauge,
    error: Gauge,
    reaction: Gauge,
}

pub(super) fn make(_: &Bench<'_>) -> Box<dyn AuditCheck> {
    Box::new(CouplingGauges {
        rate: Gauge::new("rate of a joint that follows off that of its leader", "rad/s, m/s", 1e-9),
        error: Gauge::new("recorded error of a coupling off its configuration", "rad, m", 1e-10),
        reaction: Gauge::new("reaction of a coupling that does not come back", "m g, m g h", 1e-9),
    })
}

impl AuditCheck for CouplingGauges {
    fn look(&mut self, passage: &Passage<'_>) {
        let (bench, now) = (passage.bench, passage.now);
        let model = &bench.model;
        let mut back = vec![0.0; model.nv];
        for coupling in &model.couplings {
            let (follower, leader) = coupling.coordinates(model);
            let name = || bench.coordinate(follower);
            let recorded = now.coupling_error.get(follower).copied().unwrap_or(f64::NAN);
            self.error.read((coupling.error(model, &now.q) - recorded).abs(), now, name);
            if let Some(next) = passage.next.filter(|_| !matches!(now.outcome, Outcome::Limp)) {
                let wanted = coupling.return_rate(model, &now.q, passage.dt);
                self.rate.read((coupling.of_rates(model, &next.v) - wanted).abs(), next, name);
            }
            if let (Some(leader), Some(reaction)) = (leader, now.coupling_reaction.get(follower)) {
                back[leader] -= coupling.ratio * reaction;
            }
        }
        for (index, said) in now.coupling_reaction.iter().enumerate() {
            if !model.is_follower(index) {
                let off = (said - back[index]).abs() / bench.torque;
                self.reaction.read(off, now, || bench.coordinate(index));
            }
        }
    }

    fn gauges(&self) -> Vec<&Gauge> {
        vec![&self.rate, &self.error, &self.reaction]
    }
}
