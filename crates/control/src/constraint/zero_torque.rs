//! Joints without torque: passive ones always, and all of a limp body, on which grips, contacts and joint limits act.

use super::{Constraint, Kind, label, line_of};
use crate::objective::Now;
use crate::predict::Prediction;
use aplomb_body::model::Model;
use aplomb_qp::{Qp, RowKind, RowLabel};

pub(super) const KIND: Kind = Kind {
    name: "zero_torque",
    about: "No joint torque in joints without an actuator, and in any where the state or the character is limp (`drive = \"limp\"`).",
    make: |setting| Some(Box::new(ZeroTorque::new(setting.model, setting.file))),
};

/// τ(x) = 0, in m g h, but where dry friction keeps the joint from moving: for coordinates without an actuator, and where the body is limp for all but those of free joints.
pub struct ZeroTorque {
    rows: Vec<Row>,
}

struct Row {
    coordinate: usize,
    /// Whether it holds only where the body is limp.
    is_actuated: bool,
    label: RowLabel,
}

impl ZeroTorque {
    /// Rows τ = 0 for all joints of `model`; `file` is what labels call the model.
    pub fn new(model: &Model, file: &str) -> Self {
        // What the couplings of a joint that follows do is no torque of its own.
        let of_joints =
            (0..model.nv).filter(|&coordinate| !model.is_root(coordinate) && !model.is_follower(coordinate));
        let rows = of_joints.map(|coordinate| {
            let is_actuated = model.is_actuated[coordinate];
            let name =
                format!("{} {}", if is_actuated { "limp" } else { "passive" }, model.dof_names[coordinate]);
            let kind = RowKind::Limp { coordinate };
            let label = label(kind, name, "m g h", file, line_of(model, coordinate));
            Row { coordinate, is_actuated, label }
        });
        ZeroTorque { rows: rows.collect() }
    }
}

impl Constraint for ZeroTorque {
    fn write(&self, now: &Now<'_>, next: &Prediction<'_>, qp: &mut Qp) {
        let scale = 1.0 / now.scales.torque();
        let without = self.rows.iter().filter(|row| now.limp || !row.is_actuated);
        for Row { coordinate, label, .. } in without.filter(|row| !next.is_stuck(row.coordinate)) {
            let (row, constant) = next.torque_row(*coordinate);
            qp.push_equality(row, constant, scale, label);
        }
    }
}
