//! Spatial vectors (Featherstone 2008, ch. 2) in one frame for everything: world axes, at the world origin.
//!
//! With all bodies in one frame there are no transforms: velocities add along the tree, inertias of subtrees
//! add, and a Jacobian column is the joint's motion vector as it stands.

use nalgebra::{Matrix3, Vector3};

/// A motion vector: angular part, and linear velocity of the body-fixed point at the world origin.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Motion {
    pub angular: Vector3<f64>,
    pub linear: Vector3<f64>,
}

/// A force vector: moment about the world origin, and force.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Force {
    pub moment: Vector3<f64>,
    pub force: Vector3<f64>,
}

/// A rigid-body inertia about the world origin: mass, first moment h = m c, and rotational inertia.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Inertia {
    pub mass: f64,
    pub first_moment: Vector3<f64>,
    pub rotational: Matrix3<f64>,
}
