//! Friction cones ([Jain 2009] eqs 11, 12): contact forces are non-negative combinations of the generators of
//! their cone.

use super::{Constraint, ConstraintKind};
use crate::objective::Now;
use crate::predict::Prediction;
use aplomb_qp::Qp;

pub(super) const KIND: ConstraintKind = ConstraintKind {
    name: "friction_cone",
    about: "Contact forces push, within the friction pyramid.",
    make: |_| Some(Box::new(FrictionCone)),
};

/// l ≥ 0 for every contact coefficient.
#[doc(alias = "friction pyramid")]
#[doc(alias = "contact coefficient")]
pub(crate) struct FrictionCone;

impl Constraint for FrictionCone {
    fn write(&self, _: &Now<'_>, next: &Prediction<'_>, qp: &mut Qp) {
        for column in 0..next.contact_columns().len() {
            qp.lower[next.contact_unknown(column)] = 0.0;
        }
    }
}
