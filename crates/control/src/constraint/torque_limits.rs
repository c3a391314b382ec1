//! Joint torques stay within the limits of the model.

use super::{Constraint, ConstraintKind, label, line_of};
use crate::objective::Now;
use crate::predict::Prediction;
use aplomb_body::model::Model;
use aplomb_qp::{Qp, RowKind, RowLabel};

pub(super) const KIND: ConstraintKind = ConstraintKind {
    name: "torque_limits",
    about: "Joint torques stay within the model's limits (`torque_limits = false` lifts them).",
    make: |setting| {
        let made = || Box::new(TorqueLimits::new(setting.model, setting.file)) as Box<dyn Constraint>;
        setting.torque_limits.then(made)
    },
};

/// τ_lo ≤ τ(x) ≤ τ_hi for every coordinate with a limit, in m g h.
#[doc(alias = "actuator limits")]
pub(crate) struct TorqueLimits {
    rows: Vec<(usize, [f64; 2], RowLabel)>,
}

impl TorqueLimits {
    /// Limits of all actuated coordinates of `model`; `file` is the name of the model's file in labels.
    pub(crate) fn new(model: &Model, file: &str) -> Self {
        let limited = (0..model.nv).filter(|&k| {
            let [low, high] = model.torque_limits[k];
            model.is_actuated[k] && (low.is_finite() || high.is_finite())
        });
        let rows = limited.map(|coordinate| {
            let name = format!("torque of {}", model.dof_names[coordinate]);
            let kind = RowKind::TorqueLimit { coordinate };
            let label = label(kind, name, "m g h", file, line_of(model, coordinate));
            (coordinate, model.torque_limits[coordinate], label)
        });
        TorqueLimits { rows: rows.collect() }
    }
}

impl Constraint for TorqueLimits {
    fn write(&self, now: &Now<'_>, next: &Prediction<'_>, qp: &mut Qp) {
        let scale = 1.0 / now.scales.torque();
        // The residual of a stuck joint is dry friction, not joint torque.
        for (coordinate, limits, label) in self.rows.iter().filter(|(k, ..)| !next.is_stuck(*k)) {
            let (row, constant) = next.torque_row(*coordinate);
            qp.push_row(row, constant, *limits, scale, label);
        }
    }
}
