//! Dry friction of joints (Coulomb's law): a bounded force that opposes the motion of its joint or keeps it at rest.

use super::{Articulated, ConstraintJacobian, ConstraintRow};
use aplomb_body::model::Model;

/// Dry friction of one hinge or slide.
#[doc(alias = "Coulomb friction")]
#[doc(alias = "stiction")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointDryFriction {
    /// Index of the system.
    pub(crate) system: usize,
    /// Velocity coordinate of the joint.
    pub(crate) coordinate: usize,
    /// Largest force, N m or N.
    pub(crate) limit: f64,
    /// Force of the last step on the joint, N m or N.
    pub force: f64,
    pub(super) row: Option<usize>,
}

impl JointDryFriction {
    /// Dry friction of all joints of a model that have it.
    pub(crate) fn of(system: usize, model: &Model) -> impl Iterator<Item = JointDryFriction> {
        let rough = model.dry_friction();
        rough.map(move |(coordinate, limit)| JointDryFriction {
            system,
            coordinate,
            limit,
            force: 0.0,
            row: None,
        })
    }

    /// The constraint whose function is the rate of the joint.
    pub(crate) fn row(&self, system: &Articulated) -> ConstraintRow {
        ConstraintRow::on(self.system, ConstraintJacobian::coordinate(&system.model, self.coordinate))
    }
}
