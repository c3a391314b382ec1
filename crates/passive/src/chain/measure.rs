//! Energy, momentum and joint state of a chain.

use super::joint::RigidPose;
use super::{Chain, Parent};
use nalgebra::Vector3;

/// Mechanical energy, J.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct ChainEnergy {
    /// Kinetic energy, J.
    pub kinetic: f64,
    /// Potential energy of gravity (zero at the world origin), joints, joint limits and drives, J.
    pub potential: f64,
}

/// Linear momentum (N s), and angular momentum about the world origin (N m s).
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct SpatialMomentum {
    /// Linear momentum, N s, world axes.
    pub linear: Vector3<f64>,
    /// Angular momentum about the world origin, N m s, world axes.
    pub angular: Vector3<f64>,
}

impl Chain {
    /// Mechanical energy of the whole chain, J.
    pub fn energy(&self) -> ChainEnergy {
        let mut energy = ChainEnergy::default();
        for (place, body) in self.bodies.iter().enumerate() {
            let (pose, motion) = (&self.poses[place], &self.motions[place]);
            let spin_momentum = body.turn(pose, &body.inertia, &motion.spin);
            energy.kinetic +=
                0.5 * body.mass * motion.velocity.norm_squared() + 0.5 * motion.spin.dot(&spin_momentum);
            energy.potential -= body.mass * self.gravity.dot(&pose.position);
            if let Some(parent) = self.parent_pose(place) {
                energy.potential += self.joints[place].energy(pose, parent);
            }
        }
        for drive in &self.drives {
            let pose = &self.poses[self.place_of[drive.body]];
            let stretch = pose.position + pose.orientation * drive.point - drive.target.position;
            let turn = (pose.orientation * drive.target.orientation.inverse()).scaled_axis();
            energy.potential += 0.5 * drive.stiffness * stretch.norm_squared();
            energy.potential += 0.5 * drive.turn_stiffness * turn.norm_squared();
        }
        energy
    }

    /// Momentum of the whole chain.
    pub fn momentum(&self) -> SpatialMomentum {
        let mut momentum = SpatialMomentum::default();
        for (place, body) in self.bodies.iter().enumerate() {
            let (pose, motion) = (&self.poses[place], &self.motions[place]);
            let linear = body.mass * motion.velocity;
            momentum.linear += linear;
            momentum.angular += pose.position.cross(&linear) + body.turn(pose, &body.inertia, &motion.spin);
        }
        momentum
    }

    /// The largest gap of a joint, m.
    pub fn separation(&self) -> f64 {
        let mut widest: f64 = 0.0;
        for (place, joint) in self.joints.iter().enumerate() {
            let Some(parent) = self.parent_pose(place) else { continue };
            let [own, of_parent] = joint.anchors(&self.poses[place], parent);
            widest = widest.max((own - of_parent).norm());
        }
        widest
    }

    /// Rotation of a body's joint from rest relative to its parent, rad, world axes; zero without a joint.
    pub fn joint_turn(&self, body: usize) -> Vector3<f64> {
        let place = self.place_of[body];
        let Some(parent) = self.parent_pose(place) else { return Vector3::zeros() };
        let at_rest = parent.orientation * self.joints[place].rest;
        (self.poses[place].orientation * at_rest.inverse()).scaled_axis()
    }

    /// Pose of the parent or mount of a body's joint.
    pub(super) fn parent_pose(&self, place: usize) -> Option<&RigidPose> {
        match self.parents[place] {
            Parent::Body(parent) => Some(&self.poses[parent]),
            Parent::Mount(mount) => Some(&self.mounts[mount].pose),
            Parent::Nothing => None,
        }
    }
}
