//! Joints without torque: passive joints in every frame, and all joints of a ragdoll, whose motion follows
//! from grips, contacts and joint limits.

use super::{Constraint, ConstraintKind, label, line_of};
use crate::objective::Now;
use crate::predict::Prediction;
use aplomb_body::model::Model;
use aplomb_qp::{Qp, RowKind, RowLabel};

pub(super) const KIND: ConstraintKind = ConstraintKind {
    name: "zero_torque",
    about: "No joint torque in joints without an actuator, and in any where the state or the character is limp \
            (`drive = \"limp\"`).",
    make: |setting| Some(Box::new(ZeroTorque::new(setting.model, setting.file))),
};

/// τ(x) = 0, in m g h, except where dry friction keeps the joint from moving: for coordinates without an actuator,
/// and for all except those of free joints if the body is a ragdoll.
#[doc(alias = "ragdoll")]
#[doc(alias = "passive joint")]
pub(crate) struct ZeroTorque {
    rows: Vec<TorqueRow>,
}

struct TorqueRow {
    coordinate: usize,
    /// Whether the row holds only while the body is a ragdoll.
    is_actuated: bool,
    label: RowLabel,
}

impl ZeroTorque {
    /// Rows τ = 0 for all joints of `model`; `file` is the name of the model's file in labels.
    pub(crate) fn new(model: &Model, file: &str) -> Self {
        // The reaction of a coupling on the joint that follows is not a torque of that joint.
        let of_joints =
            (0..model.nv).filter(|&coordinate| !model.is_root(coordinate) && !model.is_follower(coordinate));
        let rows = of_joints.map(|coordinate| {
            let is_actuated = model.is_actuated[coordinate];
            let name =
                format!("{} {}", if is_actuated { "limp" } else { "passive" }, model.dof_names[coordinate]);
            let kind = RowKind::Limp { coordinate };
            let label = label(kind, name, "m g h", file, line_of(model, coordinate));
            TorqueRow { coordinate, is_actuated, label }
        });
        ZeroTorque { rows: rows.collect() }
    }
}

impl Constraint for ZeroTorque {
    fn write(&self, now: &Now<'_>, next: &Prediction<'_>, qp: &mut Qp) {
        let scale = 1.0 / now.scales.torque();
        let without = self.rows.iter().filter(|row| now.limp || !row.is_actuated);
        for TorqueRow { coordinate, label, .. } in without.filter(|row| !next.is_stuck(row.coordinate)) {
            let (row, constant) = next.torque_row(*coordinate);
            qp.push_equality(row, constant, scale, label);
        }
    }
}
