//! Joints stay in their ranges, and their stops push back.

use super::{Constraint, label};
use crate::model::Model;
use crate::predict::{Prediction, limited_coordinates};
use crate::qp::{Label, Qp};
use crate::objective::Now;

/// Fastest return a joint beyond its range is asked for, rad/s or m/s.
const RETURN_SPEED: f64 = 2.0;

/// (q_lo − q)/dt ≤ v⁺ ≤ (q_hi − q)/dt for every limited hinge and slide, and ρ ≥ 0 for its stops.
pub struct JointLimits {
    /// By velocity coordinate: who set the bounds.
    labels: Vec<Label>,
}

impl JointLimits {
    pub fn new(model: &Model, file: &str) -> Self {
        let name = |coordinate: usize| format!("range of {}", model.dof_names[coordinate]);
        let place = |coordinate: usize| super::line_of(model, coordinate);
        let labels = (0..model.nv).map(|k| label(name(k), "rad/s", file, place(k)));
        JointLimits { labels: labels.collect() }
    }
}

impl Constraint for JointLimits {
    fn write(&self, now: &Now<'_>, next: &Prediction<'_>, qp: &mut Qp) {
        let dt = now.scales.dt;
        for (coordinate, q, [low, high]) in limited_coordinates(next.model(), &now.state.q) {
            qp.lower[coordinate] = ((low - q) / dt).min(RETURN_SPEED);
            qp.upper[coordinate] = ((high - q) / dt).max(-RETURN_SPEED);
            qp.column_labels[coordinate] = self.labels[coordinate].clone();
        }
        for column in 0..next.stop_columns().len() {
            qp.lower[next.stop_unknown(column)] = 0.0;
        }
    }
}
