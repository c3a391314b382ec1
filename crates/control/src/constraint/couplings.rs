//! Couplings of joints: a joint that follows another keeps the ratio of their angles.

use super::{Constraint, ConstraintKind, Setting, label};
use crate::objective::Now;
use crate::predict::Prediction;
use aplomb_body::model::{Coupling, Model};
use aplomb_qp::{Qp, RowKind, RowLabel};

pub(super) const KIND: ConstraintKind = ConstraintKind {
    name: "couplings",
    about: "Joints that the model has follow others (`<equality><joint>`, URDF `mimic`) do, whatever acts on them.",
    make: |setting: &Setting<'_>| {
        let made = || Box::new(Couplings::new(setting.model, setting.file)) as Box<dyn Constraint>;
        (!setting.model.couplings.is_empty()).then(made)
    },
};

/// v_F⁺ − r v_L⁺ = −e/dt of each joint F that follows another, L, with ratio r and has the error e; at most
/// [`CATCH_UP_SPEED`](aplomb_body::model::CATCH_UP_SPEED). The reaction is the joint torque of F, and −r
/// times that acts on L, so that the coupling adds no unknowns.
#[doc(alias = "mimic joint")]
#[doc(alias = "joint equality")]
pub(crate) struct Couplings {
    rows: Vec<(Coupling, Vec<f64>, RowLabel)>,
}

impl Couplings {
    /// All couplings of `model`; `file` is the name of the model's file in labels.
    pub(crate) fn new(model: &Model, file: &str) -> Self {
        let row = |coupling: &Coupling| {
            let (follower, leader) = coupling.coordinates(model);
            let mut row = vec![0.0; model.nv];
            row[follower] = 1.0;
            if let Some(leader) = leader {
                row[leader] = -coupling.ratio;
            }
            let name = format!("coupling of {}", model.dof_names[follower]);
            let kind = RowKind::Coupling { coordinate: follower };
            (*coupling, row, label(kind, name, "rad/s or m/s", file, coupling.line))
        };
        Couplings { rows: model.couplings.iter().map(row).collect() }
    }
}

impl Constraint for Couplings {
    fn write(&self, now: &Now<'_>, _next: &Prediction<'_>, qp: &mut Qp) {
        for (coupling, row, label) in &self.rows {
            let rate = coupling.return_rate(now.model, &now.state.q, now.scales.dt);
            qp.push_equality(row, -rate, 1.0, label);
        }
    }
}
