//! [Jain 2009] eq. 7: L_root(x) = 0.

use super::{Constraint, ConstraintKind, label, line_of};
use crate::objective::Now;
use crate::predict::Prediction;
use aplomb_body::model::Model;
use aplomb_qp::{Qp, RowKind, RowLabel};

pub(super) const KIND: ConstraintKind = ConstraintKind {
    name: "root_dynamics",
    about: "The six equations of motion of the root: nothing but contacts holds the character up.",
    make: |setting| Some(Box::new(RootDynamics::new(setting.model, setting.file))),
};

/// The equations of motion of the unactuated coordinates, in m g and m g h.
#[doc(alias = "floating base dynamics")]
#[doc(alias = "underactuation")]
pub(crate) struct RootDynamics {
    rows: Vec<(usize, RowLabel)>,
}

impl RootDynamics {
    /// Rows for the unactuated coordinates of `model`; `file` is the name of the model's file in labels.
    pub(crate) fn new(model: &Model, file: &str) -> Self {
        let root = (0..model.nv).filter(|&coordinate| model.is_root(coordinate));
        let rows = root.enumerate().map(|(k, coordinate)| {
            let name = format!("equation of motion of {}", model.dof_names[coordinate]);
            let unit = if k % 6 < 3 { "m g" } else { "m g h" };
            let kind = RowKind::RootDynamics { coordinate };
            (coordinate, label(kind, name, unit, file, line_of(model, coordinate)))
        });
        RootDynamics { rows: rows.collect() }
    }
}

impl Constraint for RootDynamics {
    fn write(&self, now: &Now<'_>, next: &Prediction<'_>, qp: &mut Qp) {
        for (k, (coordinate, label)) in self.rows.iter().enumerate().filter(|(_, (k, _))| !next.is_stuck(*k))
        {
            let unit = if k % 6 < 3 { now.scales.weight() } else { now.scales.torque() };
            let (row, constant) = next.torque_row(*coordinate);
            qp.push_equality(row, constant, 1.0 / unit, label);
        }
    }
}
