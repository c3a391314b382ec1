//! Grips stay at the point at which they were made ([Jain 2009] §4.2, a static contact that can also pull).

use super::{Constraint, ConstraintKind};
use crate::objective::Now;
use crate::predict::Prediction;
use aplomb_qp::{Label, Qp, RowKind};

pub(super) const KIND: ConstraintKind = ConstraintKind {
    name: "grips",
    about: "A site that holds on to something stays where it took hold.",
    make: |_| Some(Box::new(Grips)),
};

/// J v⁺ = (p₀ − p)/dt − ½ dt J̇v + v_hold for every grip, with (p₀ − p)/dt at most the speed at which the
/// character closes a grip. A grip that only rests on its hold does not pull. A hold on a passive object
/// moves under the forces of the grips on that object in the same frame: v_hold = v₀ − Σ G f.
#[doc(alias = "grasp")]
#[doc(alias = "bilateral contact")]
pub(crate) struct Grips;

impl Constraint for Grips {
    fn write(&self, now: &Now<'_>, next: &Prediction<'_>, qp: &mut Qp) {
        let grips = &now.grips;
        for (index, grip) in grips.list.iter().enumerate() {
            let error = next.grip_rate(index) - grip.wanted_velocity(now.scales.dt, grips.limits.speed);
            for row in 0..error.rows() {
                let kind = RowKind::Grip { site: grip.site };
                let label = Label {
                    kind,
                    name: grip.name.clone(),
                    unit: "m/s",
                    origin: super::origin_of(&grip.place),
                };
                qp.push_equality(error.coefficients(row), error.constant(row), 1.0, &label);
            }
        }
        for (k, column) in next.grip_columns().iter().enumerate() {
            if !column.free {
                qp.lower[next.grip_unknown(k)] = 0.0;
            }
        }
    }
}
