//! Joints of a running chain: anchors and axes in the bodies they join, and their constraint.

use super::block::Six;
use super::spec::{JointRotation, JointSpec};
use super::torque::{RelativeTorque, log_with_derivative};
use nalgebra::{UnitQuaternion, Vector3};

/// Pose of a body, or of a mount.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RigidPose {
    /// Position of the centre of mass, m, world axes.
    pub position: Vector3<f64>,
    /// Rotation from its own frame to world axes.
    pub orientation: UnitQuaternion<f64>,
}

/// The rotation that a joint allows the child.
#[derive(Clone, Debug)]
pub(super) enum Turning {
    Spherical {
        most: Option<f64>,
    },
    /// Boxed, so that chains of spherical joints do not store it.
    Hinge(Box<Hinge>),
    Fixed,
}

/// A hinge. Vectors of the parent's side are in axes of the parent, or of the mount.
#[derive(Clone, Debug)]
pub(super) struct Hinge {
    /// Hinge axis in axes of the child.
    pub axis: Vector3<f64>,
    pub parent_axis: Vector3<f64>,
    /// Two directions orthogonal to the axis, on the parent's side.
    pub across: [Vector3<f64>; 2],
    pub range: Option<[f64; 2]>,
}

/// A joint as seen from the child.
#[derive(Clone, Debug)]
pub(super) struct ChainJoint {
    pub turning: Turning,
    /// Anchor relative to the centre of mass, in axes of the child.
    pub anchor: Vector3<f64>,
    /// Anchor relative to the parent's centre of mass, in axes of the parent.
    pub parent_anchor: Vector3<f64>,
    /// Orientation of the child at rest, in axes of the parent.
    pub rest: UnitQuaternion<f64>,
    /// Mean distance of the anchor from the two centres of mass, m.
    pub reach: f64,
    /// Mass of the lighter of the two bodies, kg.
    pub lighter: f64,
    pub stiffness: f64,
    pub damping: f64,
    pub stop_stiffness: f64,
}

/// Constraint of a joint: rows of its Jacobians for the velocities of child and parent, and its value C.
/// Lengths in m first, then rotations in rad.
pub(super) struct Rows<const M: usize> {
    pub child: [Six; M],
    pub parent: [Six; M],
    pub gap: [f64; M],
}

impl ChainJoint {
    /// A joint from its specification; `reversed` if the child is the second body there, `lighter` is the
    /// smaller mass of the two.
    pub(super) fn new(
        spec: &JointSpec,
        reversed: bool,
        [child, parent]: [&RigidPose; 2],
        lighter: f64,
    ) -> ChainJoint {
        let into =
            |pose: &RigidPose, point: &Vector3<f64>| pose.orientation.inverse() * (point - pose.position);
        let turning = match spec.kind {
            JointRotation::Spherical { most } => Turning::Spherical { most },
            JointRotation::Fixed => Turning::Fixed,
            JointRotation::Hinge { axis, range } => {
                // The angle of the first body about an axis is that of the second about the opposite axis.
                let axis = if reversed { -axis.normalize() } else { axis.normalize() };
                let aside = if axis.x.abs() < 0.6 { Vector3::x() } else { Vector3::y() };
                let across = axis.cross(&aside).normalize();
                let out = parent.orientation.inverse();
                Turning::Hinge(Box::new(Hinge {
                    axis: child.orientation.inverse() * axis,
                    parent_axis: out * axis,
                    across: [out * across, out * axis.cross(&across)],
                    range,
                }))
            }
        };
        let (anchor, parent_anchor) = (into(child, &spec.anchor), into(parent, &spec.anchor));
        // A mount has no centre of mass.
        let levers = if spec.other.is_some() { anchor.norm() + parent_anchor.norm() } else { anchor.norm() };
        ChainJoint {
            turning,
            anchor,
            parent_anchor,
            reach: 0.5 * levers,
            lighter,
            rest: parent.orientation.inverse() * child.orientation,
            stiffness: spec.stiffness,
            damping: spec.damping,
            stop_stiffness: spec.stop_stiffness,
        }
    }

    /// Number of constraint rows.
    pub(super) fn rows(&self) -> usize {
        match self.turning {
            Turning::Spherical { .. } => 3,
            Turning::Hinge(_) => 5,
            Turning::Fixed => 6,
        }
    }

    /// Torque of stiffness and limits; `None` for a joint with neither.
    #[inline(always)]
    pub(super) fn torque(&self, child: &RigidPose, parent: &RigidPose) -> Option<RelativeTorque> {
        if self.stiffness == 0.0 && self.stop_stiffness == 0.0 {
            return None;
        }
        let at_rest = parent.orientation * self.rest;
        let (turn, derivative) = log_with_derivative(&(child.orientation * at_rest.inverse()));
        let mut torque = RelativeTorque::elastic(self.stiffness, &turn, &derivative);
        match &self.turning {
            Turning::Spherical { most: Some(most) } => {
                torque.add_cone_stop(self.stop_stiffness, *most, &turn, &derivative);
            }
            Turning::Hinge(hinge) => {
                if let Some(range) = hinge.range {
                    let axis = parent.orientation * hinge.parent_axis;
                    torque.add_hinge_stop(self.stop_stiffness, range, &axis, &turn, &derivative);
                }
            }
            _ => (),
        }
        Some(torque)
    }

    /// Damping of the relative spin by the time step (N m s²/rad) under an impulse `pull` a step (N s).
    ///
    /// With a force f, links of mass m and length L swing across a chain with ω² = s f/(m L), where s = 4
    /// sin²(κ/2) for a turn κ of the phase from link to link. An explicit step of such a mode with a damping
    /// c against the neighbours is stable for h² f L < 4 m L²/s + 2 h c s. Over all s, the largest c is
    /// required at s = f L h/(4 c), where c = h f L/2 · β with β ≥ h² f/(16 m L) suffices; the code uses
    /// twice that, and at least the c of β = 1, with which the fastest mode has the damping of backward
    /// Euler.
    #[inline(always)]
    pub(super) fn tension_damping(&self, pull: f64, dt: f64) -> f64 {
        let push = dt * pull;
        if self.reach > 0.0 { (push * self.reach).max(push * push / (16.0 * self.lighter)) } else { 0.0 }
    }

    /// Potential energy of stiffness and limits, J.
    pub(super) fn energy(&self, child: &RigidPose, parent: &RigidPose) -> f64 {
        let turn = (child.orientation * (parent.orientation * self.rest).inverse()).scaled_axis();
        let beyond = match &self.turning {
            Turning::Spherical { most: Some(most) } => (turn.norm() - most).max(0.0),
            Turning::Hinge(hinge) => {
                let angle = turn.dot(&(parent.orientation * hinge.parent_axis));
                hinge.range.map_or(0.0, |[lower, upper]| angle - angle.clamp(lower, upper))
            }
            _ => 0.0,
        };
        0.5 * self.stiffness * turn.norm_squared() + 0.5 * self.stop_stiffness * beyond * beyond
    }

    /// The anchor as fixed in the child and in the parent, m, world.
    pub(super) fn anchors(&self, child: &RigidPose, parent: &RigidPose) -> [Vector3<f64>; 2] {
        [
            child.position + child.orientation * self.anchor,
            parent.position + parent.orientation * self.parent_anchor,
        ]
    }

    /// Value C of the constraint: lengths in m, then rotations in rad.
    #[inline(always)]
    pub(super) fn gap(&self, child: &RigidPose, parent: &RigidPose) -> Six {
        let [own, of_parent] = self.anchors(child, parent);
        let apart = own - of_parent;
        let mut gap = [apart.x, apart.y, apart.z, 0.0, 0.0, 0.0];
        match &self.turning {
            Turning::Spherical { .. } => (),
            Turning::Hinge(hinge) => {
                let axis = child.orientation * hinge.axis;
                for (gap, side) in gap[3..].iter_mut().zip(hinge.across) {
                    *gap = axis.dot(&(parent.orientation * side));
                }
            }
            Turning::Fixed => {
                let at_rest = parent.orientation * self.rest;
                let turn = (child.orientation * at_rest.inverse()).scaled_axis();
                gap[3..].copy_from_slice(turn.as_slice());
            }
        }
        gap
    }

    /// The constraint at these poses, for a lever from the parent's centre of mass (world axes). With the
    /// lever to the parent's anchor, rows are exact. With the lever to the child's anchor, they are exact for
    /// a closed joint, and the internal forces have no total moment, at any distance of the anchors.
    #[inline(always)]
    pub(super) fn constraint<const M: usize>(
        &self,
        child: &RigidPose,
        parent: &RigidPose,
        across: &Vector3<f64>,
    ) -> Rows<M> {
        let lever = child.orientation * self.anchor;
        let gap = self.gap(child, parent);
        let mut rows =
            Rows { child: [[0.0; 6]; M], parent: [[0.0; 6]; M], gap: std::array::from_fn(|k| gap[k]) };
        // e_k · (v + ω × r) = e_k · v + (r × e_k) · ω
        for (k, [i, j]) in [[1, 2], [2, 0], [0, 1]].into_iter().enumerate() {
            (rows.child[k][k], rows.parent[k][k]) = (1.0, -1.0);
            (rows.child[k][3 + i], rows.child[k][3 + j]) = (lever[j], -lever[i]);
            (rows.parent[k][3 + i], rows.parent[k][3 + j]) = (-across[j], across[i]);
        }
        let turns = self.turn_axes(child, parent);
        for k in 3..M {
            rows.child[k][3..].copy_from_slice(turns[k - 3].as_slice());
            rows.parent[k][3..].copy_from_slice((-turns[k - 3]).as_slice());
        }
        rows
    }

    /// Axes about which the constraint measures rotation.
    #[inline(always)]
    pub(super) fn turn_axes(&self, child: &RigidPose, parent: &RigidPose) -> [Vector3<f64>; 3] {
        match &self.turning {
            Turning::Spherical { .. } => [Vector3::zeros(); 3],
            Turning::Hinge(hinge) => {
                let axis = child.orientation * hinge.axis;
                let [first, second] = hinge.across.map(|side| axis.cross(&(parent.orientation * side)));
                [first, second, Vector3::zeros()]
            }
            Turning::Fixed => [Vector3::x(), Vector3::y(), Vector3::z()],
        }
    }
}
