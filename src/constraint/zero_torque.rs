//! A ragdoll: grips, contacts and joint limits act on it, actuators do not.

use super::{Constraint, Kind, label, line_of};
use crate::model::Model;
use crate::objective::Now;
use crate::predict::Prediction;
use crate::qp::{Qp, RowKind, RowLabel};

pub(super) const KIND: Kind = Kind {
    name: "zero_torque",
    about: "No joint torque where the state or the character is limp (`drive = \"limp\"`).",
    make: |setting| Some(Box::new(ZeroTorque::new(setting.model, setting.file))),
};

/// τ(x) = 0 for every coordinate that is actuated otherwise, in m g h.
pub struct ZeroTorque {
    rows: Vec<(usize, RowLabel)>,
}

impl ZeroTorque {
    /// Rows τ = 0 for all joints of `model`; `file` is what labels call the model.
    pub fn new(model: &Model, file: &str) -> Self {
        let driven = (0..model.nv).filter(|&coordinate| !model.is_root(coordinate));
        let rows = driven.map(|coordinate| {
            let name = format!("limp {}", model.dof_names[coordinate]);
            (coordinate, label(RowKind::Limp { coordinate }, name, "m g h", file, line_of(model, coordinate)))
        });
        ZeroTorque { rows: rows.collect() }
    }
}

impl Constraint for ZeroTorque {
    fn write(&self, now: &Now<'_>, next: &Prediction<'_>, qp: &mut Qp) {
        if !now.limp {
            return;
        }
        let scale = 1.0 / now.scales.torque();
        for (coordinate, label) in &self.rows {
            let (row, constant) = next.torque_row(*coordinate);
            qp.push_equality(row, constant, scale, label);
        }
    }
}
