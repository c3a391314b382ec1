//! Specification of chains: bodies and joints in the rest pose.

use nalgebra::{Matrix3, UnitQuaternion, Vector3};
use thiserror::Error;

/// A rigid body in the rest pose.
#[derive(Clone, Debug, PartialEq)]
pub struct BodySpec {
    /// Name of the body.
    pub name: String,
    /// Mass, kg.
    pub mass: f64,
    /// Rotational inertia about the centre of mass, in body axes, kg m².
    pub inertia: Matrix3<f64>,
    /// Centre of mass, m, world.
    pub position: Vector3<f64>,
    /// Rotation from body axes to world axes, in the rest pose.
    pub orientation: UnitQuaternion<f64>,
    /// Air drag, N s/m.
    pub drag: f64,
}

/// The rotation of a joint's first body relative to the second. Axes are in the world, in the rest pose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum JointRotation {
    /// Rotates about a point, at most by `most` (rad, at most π) from rest.
    Spherical {
        /// Largest rotation from the rest pose, rad; `None` for no limit.
        most: Option<f64>,
    },
    /// Rotates about an axis, between two angles (rad, within ±π, 0 at rest) if they are given.
    Hinge {
        /// Unit axis, world axes in the rest pose.
        axis: Vector3<f64>,
        /// Lower and upper limit of the angle, rad; `None` for no limits.
        range: Option<[f64; 2]>,
    },
    /// Does not rotate.
    Fixed,
}

/// A joint between two bodies, or a body and the world.
#[derive(Clone, Debug, PartialEq)]
pub struct JointSpec {
    /// Name of the joint.
    pub name: String,
    /// Index of the body whose rotation is measured.
    pub body: usize,
    /// Index of the body that it is measured from; `None` for the world.
    pub other: Option<usize>,
    /// The common point of the bodies, m, world, in the rest pose.
    pub anchor: Vector3<f64>,
    /// The rotation that the joint allows.
    pub kind: JointRotation,
    /// Stiffness towards rest, N m/rad.
    pub stiffness: f64,
    /// Damping, N m s/rad.
    pub damping: f64,
    /// Stiffness of the joint limits, N m/rad.
    pub stop_stiffness: f64,
}

/// Why bodies and joints do not form a chain.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ChainError {
    /// A joint names a body that does not exist.
    #[error("joint `{joint}` names body {body}, but there are {bodies}")]
    NoSuchBody {
        /// Name of the joint.
        joint: String,
        /// Index it gives.
        body: usize,
        /// Number of bodies.
        bodies: usize,
    },
    /// Two joints fix one tree to the world.
    #[error("joint `{joint}` holds what joint `{first}` holds to the world already; a tree has one anchor")]
    SecondAnchor {
        /// Name of the joint.
        joint: String,
        /// Name of the joint that already fixes the tree.
        first: String,
    },
    /// A joint closes a loop; chains are trees.
    #[error("joint `{joint}` closes a loop; only trees can be solved in linear time")]
    Loop {
        /// Name of the joint.
        joint: String,
    },
    /// A mass or rotational inertia is not positive and finite.
    #[error("body `{body}` needs a positive mass and an inertia that is symmetric and positive definite")]
    Inertia {
        /// Name of the body.
        body: String,
    },
    /// The numbers of a joint are wrong.
    #[error("joint `{joint}`: {what}")]
    Joint {
        /// Name of the joint.
        joint: String,
        /// The error.
        what: JointFault,
    },
}

/// An error in the numbers of a joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum JointFault {
    /// A stiffness or damping is negative or not finite.
    #[error("stiffness and damping are finite and not negative")]
    Stiffness,
    /// The axis is zero or not finite.
    #[error("a hinge needs an axis that is not zero")]
    Axis,
    /// The range exceeds ±π, or its ends are not in order.
    #[error("a range lies within ±π and its ends are in order")]
    Range,
}

impl BodySpec {
    pub(super) fn check(&self) -> Result<(), ChainError> {
        let symmetric = (self.inertia - self.inertia.transpose()).norm() <= 1e-9 * self.inertia.norm();
        let sound = self.mass > 0.0
            && self.mass.is_finite()
            && self.drag >= 0.0
            && symmetric
            && self.inertia.cholesky().is_some();
        if sound { Ok(()) } else { Err(ChainError::Inertia { body: self.name.clone() }) }
    }
}

impl JointSpec {
    pub(super) fn check(&self) -> Result<(), ChainError> {
        let fault = |what| Err(ChainError::Joint { joint: self.name.clone(), what });
        let numbers = [self.stiffness, self.damping, self.stop_stiffness];
        if !numbers.iter().all(|number| number.is_finite() && *number >= 0.0) {
            return fault(JointFault::Stiffness);
        }
        let half_turn = std::f64::consts::PI;
        match self.kind {
            JointRotation::Spherical { most: Some(most) } if !(0.0..=half_turn).contains(&most) => {
                fault(JointFault::Range)
            }
            JointRotation::Hinge { axis, .. } if axis.norm() < 1e-9 => fault(JointFault::Axis),
            JointRotation::Hinge { range: Some([lower, upper]), .. }
                if !(-half_turn <= lower && lower <= upper && upper <= half_turn) =>
            {
                fault(JointFault::Range)
            }
            _ => Ok(()),
        }
    }
}
