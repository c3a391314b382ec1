//! Centre of mass, momentum and energy of the whole body (Orin and Goswami 2008 for the centroidal matrix).

use super::kinematics::Kinematics;
use crate::model::{BodyId, Model};
use aplomb_math::spatial::Force;
use nalgebra::Vector3;

/// Centre of mass of all bodies, m, world.
#[doc(alias = "center of mass")]
pub fn com(kinematics: &Kinematics) -> Vector3<f64> {
    kinematics.total_inertia.centre()
}

/// Velocity of the centre of mass, m/s.
pub fn com_velocity(kinematics: &Kinematics) -> Vector3<f64> {
    per_mass(kinematics, momentum(kinematics).force)
}

/// J̇ v of the centre of mass: its acceleration at q̈ = 0, m/s².
#[cfg(test)]
pub(crate) fn com_bias_acceleration(kinematics: &Kinematics) -> Vector3<f64> {
    per_mass(kinematics, momentum_bias_rate(kinematics).force)
}

/// J with velocity of the centre of mass = J v: 3 × nv, row-major, overwritten.
pub fn com_jacobian(model: &Model, kinematics: &Kinematics, out: &mut [f64]) {
    let nv = model.nv;
    debug_assert_eq!(out.len(), 3 * nv);
    for (j, axis) in kinematics.subspace.iter().enumerate() {
        let subtree = &kinematics.subtree_inertia[model.dof_body[j].0];
        let column = per_mass(kinematics, (subtree * axis).force);
        out[j] = column.x;
        out[nv + j] = column.y;
        out[2 * nv + j] = column.z;
    }
}

/// Momentum of all bodies about their common centre of mass, world axes: angular (N m s) and linear (N s).
#[doc(alias = "angular momentum")]
pub fn centroidal_momentum(kinematics: &Kinematics) -> Force {
    about_com(kinematics, momentum(kinematics))
}

/// A with centroidal momentum = A v: 6 × nv, row-major, three angular rows then three linear, overwritten.
#[doc(alias = "CMM")]
pub fn centroidal_matrix(model: &Model, kinematics: &Kinematics, out: &mut [f64]) {
    let nv = model.nv;
    debug_assert_eq!(out.len(), 6 * nv);
    for (j, axis) in kinematics.subspace.iter().enumerate() {
        let subtree = &kinematics.subtree_inertia[model.dof_body[j].0];
        let Force { moment, force } = about_com(kinematics, subtree * axis);
        for (row, entry) in moment.iter().chain(force.iter()).enumerate() {
            out[row * nv + j] = *entry;
        }
    }
}

/// Ȧ v: rate of change of the centroidal momentum at q̈ = 0, N m and N.
pub fn centroidal_bias_rate(kinematics: &Kinematics) -> Force {
    about_com(kinematics, momentum_bias_rate(kinematics))
}

/// ½ vᵀ M v, armature included, J.
pub fn kinetic_energy(model: &Model, kinematics: &Kinematics) -> f64 {
    let bodies = kinematics.inertia.iter().zip(&kinematics.velocity);
    let rotors = model.armature.iter().zip(&kinematics.rates);
    0.5 * bodies.map(|(inertia, velocity)| velocity.dot(&(inertia * velocity))).sum::<f64>()
        + 0.5 * rotors.map(|(armature, rate)| armature * rate * rate).sum::<f64>()
}

/// −Σ m g·x, zero at the world origin, J.
pub fn potential_energy(kinematics: &Kinematics, gravity: &Vector3<f64>) -> f64 {
    -gravity.dot(&kinematics.total_inertia.first_moment)
}

/// Momentum of all bodies about the world's origin, world axes: angular (N m s) and linear (N s).
pub fn momentum(kinematics: &Kinematics) -> Force {
    kinematics.inertia.iter().zip(&kinematics.velocity).map(|(inertia, velocity)| inertia * velocity).sum()
}

/// Rate of the momentum about the world's origin at the accelerations q̈ of `acceleration` (nv numbers), N m and N: the
/// sum of all external forces, with the weight.
pub fn momentum_rate(model: &Model, kinematics: &Kinematics, acceleration: &[f64]) -> Force {
    let of_coordinate = |(j, rate): (usize, &f64)| {
        let subtree = &kinematics.subtree_inertia[model.dof_body[j].0];
        subtree * &(kinematics.subspace[j] * *rate)
    };
    acceleration.iter().enumerate().map(of_coordinate).sum::<Force>() + momentum_bias_rate(kinematics)
}

fn momentum_bias_rate(kinematics: &Kinematics) -> Force {
    let weightless = Vector3::zeros();
    (0..kinematics.inertia.len()).map(|body| kinematics.body_bias_force(BodyId(body), &weightless)).sum()
}

fn about_com(kinematics: &Kinematics, momentum: Force) -> Force {
    Force::new(momentum.moment_about(&com(kinematics)), momentum.force)
}

fn per_mass(kinematics: &Kinematics, momentum: Vector3<f64>) -> Vector3<f64> {
    let mass = kinematics.total_inertia.mass;
    if mass > 0.0 { momentum / mass } else { Vector3::zeros() }
}
