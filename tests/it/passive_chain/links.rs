//! Chains of equal links, in the poses of the reference's files.

use aplomb::passive::chain::{BodySpec, BodyVelocity, Chain, JointRotation, JointSpec, RigidPose};
use nalgebra::{Matrix3, UnitQuaternion, Vector3};
use serde_json::Value;

/// Links that follow one another along a straight line from the origin.
pub struct Links {
    pub count: usize,
    /// Vector from joint to joint, m.
    pub along: Vector3<f64>,
    pub mass: f64,
    /// Principal moments about the centre, kg m².
    pub inertia: Vector3<f64>,
    pub kind: fn(usize) -> JointRotation,
    pub stiffness: f64,
    pub damping: f64,
    /// Whether the first link is attached to the world.
    pub anchored: bool,
}

pub const SPHERICAL: fn(usize) -> JointRotation = |_| JointRotation::Spherical { most: None };
pub const PLANAR: fn(usize) -> JointRotation =
    |_| JointRotation::Hinge { axis: Vector3::new(0.0, 1.0, 0.0), range: None };
/// Hinges about y and x, alternating.
pub const CROSSED: fn(usize) -> JointRotation = |k| {
    let axis = if k % 2 == 0 { Vector3::new(0.0, 1.0, 0.0) } else { Vector3::new(1.0, 0.0, 0.0) };
    JointRotation::Hinge { axis, range: None }
};

impl Links {
    /// Links of 0.1 m and 0.1 kg that hang down.
    pub fn hanging(count: usize, kind: fn(usize) -> JointRotation) -> Links {
        Links {
            count,
            along: Vector3::new(0.0, 0.0, -0.1),
            mass: 0.1,
            inertia: Vector3::new(0.1 * 0.01 / 12.0, 0.1 * 0.01 / 12.0, 5e-6),
            kind,
            stiffness: 0.0,
            damping: 0.0,
            anchored: true,
        }
    }

    pub fn specs(&self) -> (Vec<BodySpec>, Vec<JointSpec>) {
        let body = |k: usize| BodySpec {
            name: format!("c{k}"),
            mass: self.mass,
            inertia: Matrix3::from_diagonal(&self.inertia),
            position: self.along * (k as f64 + 0.5),
            orientation: UnitQuaternion::identity(),
            drag: 0.0,
        };
        let joint = |k: usize| JointSpec {
            name: format!("j{k}"),
            body: k,
            other: k.checked_sub(1),
            anchor: self.along * k as f64,
            kind: (self.kind)(k),
            stiffness: self.stiffness,
            damping: self.damping,
            stop_stiffness: 0.0,
        };
        let first = if self.anchored { 0 } else { 1 };
        ((0..self.count).map(body).collect(), (first..self.count).map(joint).collect())
    }

    pub fn chain(&self) -> Chain {
        let (bodies, joints) = self.specs();
        Chain::new(&bodies, &joints).expect("is a chain")
    }

    /// Poses an anchored chain by joint coordinates in MuJoCo's convention: angles and speeds of hinges, or
    /// quaternions and angular velocities in axes of the child.
    pub fn place(&self, chain: &mut Chain, q: &[f64], v: &[f64]) {
        let (mut anchor, mut swing) = (Vector3::zeros(), Vector3::zeros());
        let mut orientation = UnitQuaternion::identity();
        let mut spin = Vector3::zeros();
        for k in 0..self.count {
            match (self.kind)(k) {
                JointRotation::Hinge { axis, .. } => {
                    spin += orientation * axis * v[k];
                    orientation *= UnitQuaternion::new(axis * q[k]);
                }
                JointRotation::Spherical { .. } => {
                    let [w, x, y, z] = [0, 1, 2, 3].map(|i| q[4 * k + i]);
                    orientation *= UnitQuaternion::from_quaternion(nalgebra::Quaternion::new(w, x, y, z));
                    spin += orientation * Vector3::from_column_slice(&v[3 * k..3 * k + 3]);
                }
                JointRotation::Fixed => (),
            }
            let link = orientation * self.along;
            let pose = RigidPose { position: anchor + 0.5 * link, orientation };
            chain.set_state(k, pose, BodyVelocity { velocity: swing + spin.cross(&(0.5 * link)), spin });
            anchor += link;
            swing += spin.cross(&link);
        }
    }

    /// Position of the far end of the last link.
    pub fn tip(&self, chain: &Chain) -> Vector3<f64> {
        let pose = chain.pose(self.count - 1);
        pose.position + pose.orientation * (0.5 * self.along)
    }
}

pub fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().expect("an array").iter().map(|number| number.as_f64().expect("a number")).collect()
}

pub fn vector(value: &Value) -> Vector3<f64> {
    Vector3::from_column_slice(&numbers(value))
}
