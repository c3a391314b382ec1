//! A limp body: grips, contacts and stops act on it, muscles do not.

use super::{Constraint, label, line_of};
use crate::model::Model;
use crate::objective::Now;
use crate::predict::Prediction;
use crate::qp::{Qp, RowKind, RowLabel};

/// τ(x) = 0 for every coordinate that muscles would drive, in m g h.
pub struct NoMuscles {
    rows: Vec<(usize, RowLabel)>,
}

impl NoMuscles {
    pub fn new(model: &Model, file: &str) -> Self {
        let driven = (0..model.nv).filter(|&coordinate| !model.is_root(coordinate));
        let rows = driven.map(|coordinate| {
            let name = format!("limp {}", model.dof_names[coordinate]);
            (coordinate, label(RowKind::Limp { coordinate }, name, "m g h", file, line_of(model, coordinate)))
        });
        NoMuscles { rows: rows.collect() }
    }
}

impl Constraint for NoMuscles {
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
