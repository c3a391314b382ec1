//! Stiction: joints that dry friction keeps from moving.

use super::{Constraint, ConstraintKind, label, line_of};
use crate::objective::Now;
use crate::predict::Prediction;
use aplomb_body::model::Model;
use aplomb_qp::{Qp, RowKind, RowLabel};

pub(super) const KIND: ConstraintKind = ConstraintKind {
    name: "stuck_joints",
    about: "Joints without torque stand still where dry friction (`frictionloss`) is more than what moves them.",
    make: |setting| {
        let made = || Box::new(StuckJoints::new(setting.model, setting.file)) as Box<dyn Constraint>;
        setting.model.dry_friction().next().is_some().then(made)
    },
};

/// v⁺ = 0 for each joint that is stuck in this frame. The residual of its equation of motion is the friction torque;
/// if that exceeds its dry friction, a check solves the frame again with the joint sliding.
#[doc(alias = "stiction")]
pub(crate) struct StuckJoints {
    rows: Vec<(usize, Vec<f64>, RowLabel)>,
}

impl StuckJoints {
    /// Rows for all joints of `model` with dry friction; `file` is the name of the model's file in labels.
    pub(crate) fn new(model: &Model, file: &str) -> Self {
        let rows = model.dry_friction().map(|(coordinate, _)| {
            let mut row = vec![0.0; model.nv];
            row[coordinate] = 1.0;
            let name = format!("dry friction of {}", model.dof_names[coordinate]);
            let kind = RowKind::Stuck { coordinate };
            (coordinate, row, label(kind, name, "rad/s or m/s", file, line_of(model, coordinate)))
        });
        StuckJoints { rows: rows.collect() }
    }
}

impl Constraint for StuckJoints {
    fn write(&self, _now: &Now<'_>, next: &Prediction<'_>, qp: &mut Qp) {
        for (_, row, label) in self.rows.iter().filter(|(coordinate, ..)| next.is_stuck(*coordinate)) {
            qp.push_equality(row, 0.0, 1.0, label);
        }
    }
}
