//! The mass matrix: the composite rigid body algorithm (Featherstone 2008, ch. 6).

use super::kinematics::Kinematics;
use crate::model::Model;
use aplomb_math::matrix::RowMatrix;

/// Writes M of `M q̈ + h = τ` at the configuration of `kinematics`: nv × nv, symmetric and full, armature on
/// the diagonal; kg m², kg m or kg.
#[doc(alias = "CRBA")]
pub fn mass_matrix(model: &Model, kinematics: &Kinematics, out: &mut RowMatrix) {
    let nv = model.nv;
    out.reset(nv);
    (0..nv).for_each(|_| _ = out.push_zeros());
    let entries = out.as_mut_slice();
    for (j, axis) in kinematics.subspace.iter().enumerate() {
        let momentum = &kinematics.subtree_inertia[model.dof_body[j].0] * axis;
        entries[j * nv + j] = axis.dot(&momentum) + model.armature[j];
        let mut next = model.dof_parent[j];
        while let Some(i) = next {
            let entry = kinematics.subspace[i].dot(&momentum);
            entries[j * nv + i] = entry;
            entries[i * nv + j] = entry;
            next = model.dof_parent[i];
        }
    }
}
