//! Joints stay within their ranges by the reactions of their limits.

use super::{Constraint, ConstraintKind, label};
use crate::objective::Now;
use crate::predict::{Prediction, limited_coordinates};
use aplomb_body::model::Model;
use aplomb_qp::{Qp, UnknownKind, UnknownLabel};

/// Largest speed at which a joint beyond its range must return, rad/s or m/s.
const RETURN_SPEED: f64 = 2.0;

pub(super) const KIND: ConstraintKind = ConstraintKind {
    name: "joint_limits",
    about: "Joints stay in their ranges; a limit may push back when a joint is at it.",
    make: |setting| Some(Box::new(JointLimits::new(setting.model, setting.file))),
};

/// (q_lo − q)/dt ≤ v⁺ ≤ (q_hi − q)/dt for every limited hinge and slide, and ρ ≥ 0 for the reactions of its
/// limits. A joint that is held at a limit ends the frame there.
pub(crate) struct JointLimits {
    /// Limited velocity coordinates and the labels of their bounds.
    labels: Vec<(usize, UnknownLabel)>,
}

impl JointLimits {
    /// Limits of all joints of `model` that have a range; `file` is the name of the model's file in labels.
    pub(crate) fn new(model: &Model, file: &str) -> Self {
        let name = |coordinate: usize| format!("range of {}", model.dof_names[coordinate]);
        let place = |coordinate: usize| super::line_of(model, coordinate);
        let limited =
            limited_coordinates(model, &model.rest_configuration()).map(|(k, ..)| k).collect::<Vec<_>>();
        let label = |coordinate| {
            label(UnknownKind::Rate { coordinate }, name(coordinate), "rad/s", file, place(coordinate))
        };
        let labels = limited.into_iter().map(|k| (k, label(k)));
        JointLimits { labels: labels.collect() }
    }
}

impl Constraint for JointLimits {
    fn write(&self, now: &Now<'_>, next: &Prediction<'_>, qp: &mut Qp) {
        let dt = now.scales.dt;
        for (coordinate, q, [low, high]) in limited_coordinates(next.model(), &now.state.q) {
            qp.lower[coordinate] = ((low - q) / dt).min(RETURN_SPEED);
            qp.upper[coordinate] = ((high - q) / dt).max(-RETURN_SPEED);
            if next.is_held(coordinate, 1.0) {
                qp.upper[coordinate] = qp.lower[coordinate];
            }
            if next.is_held(coordinate, -1.0) {
                qp.lower[coordinate] = qp.upper[coordinate];
            }
        }
        for column in 0..next.stop_columns().len() {
            qp.lower[next.stop_unknown(column)] = 0.0;
        }
    }

    fn name_coordinates(&self, labels: &mut [UnknownLabel]) {
        for (coordinate, label) in &self.labels {
            labels[*coordinate] = label.clone();
        }
    }
}
