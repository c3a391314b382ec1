//! Passive forces of joints: springs and dampers.

use crate::model::state::{self, State};
use crate::model::{Joint, JointKind, Model};
use nalgebra::Vector3;

/// −k (q − q₀) − d v at this state, per velocity coordinate, N m or N; with the rotation vector for q in a
/// ball joint.
pub fn passive_forces<'m>(model: &'m Model, state: &'m State) -> impl Iterator<Item = f64> + 'm {
    model.joints.iter().flat_map(move |joint| {
        let stretch = stretch(joint, &state.q);
        let rates = &state.v[joint.v_index..joint.v_index + joint.kind.nv()];
        let axes = rates.iter().enumerate();
        axes.map(move |(k, rate)| -spring(joint) * stretch[k % 3] - joint.damping * rate)
    })
}

/// A passive force of a step, which is `force` − `inertia` q̈.
#[derive(Clone, Copy)]
pub struct ImplicitForce {
    /// The terms that are independent of q̈, N m or N.
    pub force: f64,
    /// Diagonal that is added to the mass matrix, kg m² or kg.
    pub inertia: f64,
}

/// Passive forces over a step of `h` seconds with the acceleration q̈. Dampers act at its end. Springs act at the
/// mean (q⁻ + 2 q + q⁺)/4 with q⁻ = q − h v and q⁺ = q + h (v + h q̈) ([Newmark 1959], average acceleration):
///
/// −k (q + h² q̈/4 − q₀) − d (v + h q̈) = −k (q − q₀) − d v − (h d + h² k/4) q̈
///
/// In this way neither diverges, at any step and for arbitrarily light bodies, and springs keep their energy.
pub fn implicit_passive_forces<'m>(
    model: &'m Model,
    state: &'m State,
    h: f64,
) -> impl Iterator<Item = ImplicitForce> + 'm {
    model.joints.iter().flat_map(move |joint| {
        let stretch = stretch(joint, &state.q);
        let (stiffness, damping) = (spring(joint), joint.damping);
        let rates = &state.v[joint.v_index..joint.v_index + joint.kind.nv()];
        rates.iter().enumerate().map(move |(k, rate)| ImplicitForce {
            force: -stiffness * stretch[k % 3] - damping * rate,
            inertia: h * damping + 0.25 * h * h * stiffness,
        })
    })
}

/// Stiffness, N m/rad or N/m. A free joint has dampers, but no springs.
fn spring(joint: &Joint) -> f64 {
    if joint.kind == JointKind::Free { 0.0 } else { joint.stiffness }
}

/// Displacement of a joint's spring from its rest, rad or m.
fn stretch(joint: &Joint, q: &[f64]) -> Vector3<f64> {
    let q = &q[joint.q_index..joint.q_index + joint.kind.nq()];
    match joint.kind {
        JointKind::Free => Vector3::zeros(),
        JointKind::Ball => state::rotation(q).scaled_axis(),
        JointKind::Hinge { .. } | JointKind::Slide { .. } => Vector3::repeat(q[0] - joint.spring_reference),
    }
}
