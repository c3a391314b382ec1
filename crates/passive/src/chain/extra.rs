//! Forces on single bodies that are stiff enough to need their derivatives: drives and contacts.

#![expect(clippy::needless_range_loop, reason = "indices are those of the equations")]

use super::block::Six;
use super::body::BodyVelocity;
use super::joint::RigidPose;
use super::torque::log_with_derivative;
use crate::obstacle::Obstacle;
use aplomb_math::geometry::SignedDistance;
use nalgebra::{Matrix3, Vector3};

/// Springs and dampers that pull a body towards a moving pose, for example of a tracked hand.
#[doc(alias = "PD control")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PoseDrive {
    /// Index of the body.
    pub body: usize,
    /// Attachment of the linear spring, relative to the centre of mass, in body axes, m.
    pub point: Vector3<f64>,
    /// Linear stiffness, N/m.
    pub stiffness: f64,
    /// Linear damping, N s/m.
    pub damping: f64,
    /// Rotational stiffness, N m/rad.
    pub turn_stiffness: f64,
    /// Rotational damping, N m s/rad.
    pub turn_damping: f64,
    /// Target position of the point, and target orientation of the body, at the end of the next step.
    pub target: RigidPose,
    /// Velocity of the target.
    pub target_motion: BodyVelocity,
}

/// A ball fixed to a body, which collides with obstacles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ball {
    /// Index of the body.
    pub body: usize,
    /// Centre relative to the centre of mass, in body axes, m.
    pub center: Vector3<f64>,
    /// Radius, m.
    pub radius: f64,
}

/// Penalty springs against penetration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Penalty {
    /// Stiffness, N/m.
    pub stiffness: f64,
    /// Damping along the normal, N s/m.
    pub damping: f64,
    /// Slip speed below which friction is proportional to it, m/s.
    pub slip: f64,
}

impl Default for Penalty {
    fn default() -> Self {
        Penalty { stiffness: 1e4, damping: 10.0, slip: 1e-3 }
    }
}

/// A contact in a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChainContact {
    /// Index of the ball.
    pub(crate) ball: usize,
    /// Index of the obstacle.
    pub(crate) obstacle: usize,
    /// Contact point, m, world.
    pub(crate) point: Vector3<f64>,
    /// Force on the body, N, world; its opposite acts on the obstacle.
    pub force: Vector3<f64>,
}

/// An impulse that depends on the velocity at the end of the step: `known` − `resistance` v⁺ at a point,
/// world.
#[derive(Clone, Copy, Debug)]
pub(super) struct DampedImpulse {
    pub point: Vector3<f64>,
    /// Velocity-independent part, N s.
    pub known: Vector3<f64>,
    /// Coefficient of the velocity, N s²/m.
    pub resistance: Matrix3<f64>,
}

/// Terms of such forces in a body's equations: columns of their part of A, and their part of b.
#[derive(Clone, Debug, Default)]
pub(super) struct Extra {
    pub(super) matrix: [Six; 6],
    pub(super) impulse: Six,
}

impl Extra {
    #[inline(always)]
    pub(super) fn add_to(&self, block: &mut [Six; 6], right: &mut Six) {
        for c in 0..6 {
            for r in 0..6 {
                block[c][r] += self.matrix[c][r];
            }
            right[c] += self.impulse[c];
        }
    }

    /// Adds an impulse − `resistance` (v + ω × lever) at a lever from the centre of mass.
    fn add_at(&mut self, lever: &Vector3<f64>, impulse: &Vector3<f64>, resistance: &Matrix3<f64>) {
        let cross = aplomb_math::rotation::cross_matrix(lever);
        let moment = cross * resistance;
        let (mixed, turning) = (-(resistance * cross), -(moment * cross));
        let twist = lever.cross(impulse);
        for c in 0..3 {
            for r in 0..3 {
                self.matrix[c][r] += resistance[(r, c)];
                self.matrix[c][3 + r] += moment[(r, c)];
                self.matrix[3 + c][r] += mixed[(r, c)];
                self.matrix[3 + c][3 + r] += turning[(r, c)];
            }
            self.impulse[c] += impulse[c];
            self.impulse[3 + c] += twist[c];
        }
    }

    /// Adds the springs of a drive over a step of `dt`.
    pub(super) fn add_drive(&mut self, drive: &PoseDrive, pose: &RigidPose, dt: f64) {
        let lever = pose.orientation * drive.point;
        let stretch = pose.position + lever - drive.target.position;
        let pull = drive.damping * drive.target_motion.velocity - drive.stiffness * stretch;
        let resistance = dt * drive.damping + dt * dt * drive.stiffness;
        self.add_at(&lever, &(dt * pull), &Matrix3::from_diagonal_element(resistance));
        let (turn, derivative) =
            log_with_derivative(&(pose.orientation * drive.target.orientation.inverse()));
        let twist = drive.turn_damping * drive.target_motion.spin - drive.turn_stiffness * turn;
        for c in 0..3 {
            self.impulse[3 + c] += dt * twist[c];
            self.matrix[3 + c][3 + c] += dt * drive.turn_damping;
            for r in 0..3 {
                self.matrix[3 + c][3 + r] += dt * dt * drive.turn_stiffness * derivative[(r, c)];
            }
        }
    }

    /// Adds the penalty force of a ball at `center`, if it is in the obstacle.
    pub(super) fn add_contact(
        &mut self,
        (penalty, obstacle): (&Penalty, &Obstacle),
        (center, radius): (&Vector3<f64>, f64),
        (pose, motion): (&RigidPose, &BodyVelocity),
        dt: f64,
    ) -> Option<DampedImpulse> {
        let SignedDistance { distance, normal } = obstacle.shape.distance(center);
        let depth = radius - distance;
        if depth <= 0.0 {
            return None;
        }
        let point = center - normal * distance;
        let lever = point - pose.position;
        let velocity = motion.velocity + motion.spin.cross(&lever);
        let of_obstacle = obstacle.velocity_at(&point);
        let approach = normal.dot(&(of_obstacle - velocity));
        let sliding = velocity - of_obstacle + approach * normal;
        let along = normal * normal.transpose();
        let drag = obstacle.friction * penalty.stiffness * depth / sliding.norm().max(penalty.slip);
        // A separating contact is not damped.
        let damping = if approach > 0.0 { penalty.damping } else { 0.0 };
        let damping = along * damping + (Matrix3::identity() - along) * drag;
        let known = dt * (penalty.stiffness * depth * normal + damping * of_obstacle);
        let resistance = dt * damping + dt * dt * penalty.stiffness * along;
        self.add_at(&lever, &known, &resistance);
        Some(DampedImpulse { point, known, resistance })
    }
}
