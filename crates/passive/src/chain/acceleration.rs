//! The explicit form that the implicit one replaces: constraints on accelerations [Hernandez 2011, eq. 1 and
//! 2; Baraff 1996], for exact accelerations and joint forces at one instant, and for comparison.

use super::block::Six;
use super::body::BodyVelocity;
use super::factor::{Slot, TreeFactor, TreeVector};
use super::joint::{ChainJoint, RigidPose, Rows, Turning};
use super::step::COUPLED;
use super::{Chain, Parent, StepFault};
use nalgebra::{UnitQuaternion, Vector3};

/// Accelerations and joint forces at one instant, by body of the specification.
#[derive(Clone, Debug, PartialEq)]
pub struct Accelerations {
    /// Acceleration of the centre of mass, m/s², world axes.
    pub(crate) linear: Vec<Vector3<f64>>,
    /// Angular acceleration, world axes, rad/s².
    pub angular: Vec<Vector3<f64>>,
    /// Force on the body of the joint to its parent, N, world.
    pub force: Vec<Vector3<f64>>,
    /// Constraint torque of that joint on the body about the anchor, N m, world.
    pub torque: Vec<Vector3<f64>>,
}

impl Chain {
    /// Solves M v̇ + Jᵀ λ = F and J v̇ = −J̇ v in the present state, without contacts and drives.
    ///
    /// # Errors
    ///
    /// If the system of equations of a tree is singular.
    pub fn accelerations(&mut self) -> Result<Accelerations, StepFault> {
        self.solve_accelerations()?;
        let count = self.len();
        let vectors = |rows: &[Six], first: usize| -> Vec<Vector3<f64>> {
            (0..count)
                .map(|body| Vector3::from_column_slice(&rows[self.place_of[body]][first..first + 3]))
                .collect()
        };
        let TreeVector { bodies, joints } = &self.unknowns;
        let mut result = Accelerations {
            linear: vectors(bodies, 0),
            angular: vectors(bodies, 3),
            force: vectors(joints, 0),
            torque: vectors(joints, 3),
        };
        result.force.iter_mut().for_each(|force| *force = -*force);
        for (body, torque) in result.torque.iter_mut().enumerate() {
            let place = self.place_of[body];
            let Some(parent) = self.parent_pose(place) else { continue };
            let axes = self.joints[place].turn_axes(&self.poses[place], parent);
            *torque = -(torque.x * axes[0] + torque.y * axes[1] + torque.z * axes[2]);
        }
        Ok(result)
    }

    /// Advances by semi-implicit Euler with these accelerations: joints drift open, and stiff torques diverge
    /// where dt √(k/I) exceeds 2. For comparison with [`step`](Self::step).
    ///
    /// # Errors
    ///
    /// If the system is singular, or the step diverged (NaN or infinite).
    pub fn step_explicitly(&mut self, dt: f64) -> Result<(), StepFault> {
        let outcome = self.solve_accelerations();
        self.external.fill([0.0; 6]);
        outcome?;
        for (place, row) in self.unknowns.bodies.iter().enumerate() {
            let (pose, motion) = (&mut self.poses[place], &mut self.motions[place]);
            let acceleration = BodyVelocity::from_six(row);
            motion.velocity += dt * acceleration.velocity;
            motion.spin += dt * acceleration.spin;
            pose.position += dt * motion.velocity;
            pose.orientation = UnitQuaternion::new(dt * motion.spin) * pose.orientation;
        }
        self.time += dt;
        let finite = self.motions.iter().all(|motion| (motion.velocity + motion.spin).sum().is_finite());
        if finite { Ok(()) } else { Err(StepFault::NotFinite) }
    }

    fn solve_accelerations(&mut self) -> Result<(), StepFault> {
        self.retain(true);
        self.set_bodies();
        self.set_joints();
        let singular = |place: usize| StepFault::Singular { body: self.body_at[place] };
        self.factor.factor().map_err(|fault| singular(fault.body))?;
        self.factor.solve(&mut self.unknowns);
        Ok(())
    }

    /// Sets the mass and inertia of each body, and the forces on it other than those of joints.
    fn set_bodies(&mut self) {
        for place in 0..self.bodies.len() {
            let (body, pose, motion) = (&self.bodies[place], &self.poses[place], &self.motions[place]);
            let inertia = body.world_inertia(pose);
            let force = body.mass * self.gravity + body.drag * (self.wind - motion.velocity);
            let torque = -motion.spin.cross(&(inertia * motion.spin));
            let external = &self.external[place];
            let block = self.factor.diagonal_mut(place);
            *block = [[0.0; 6]; 6];
            for k in 0..3 {
                block[k][k] = body.mass;
                block[3 + k][3..].copy_from_slice(inertia.column(k).as_slice());
                self.unknowns.bodies[place][k] = force[k] + external[k];
                self.unknowns.bodies[place][3 + k] = torque[k] + external[3 + k];
            }
        }
    }

    /// Sets the rows of each joint, and its torque on both bodies.
    fn set_joints(&mut self) {
        for place in 0..self.bodies.len() {
            let (parent_pose, parent_motion) = match self.parents[place] {
                Parent::Body(parent) => (self.poses[parent], self.motions[parent]),
                Parent::Mount(mount) => (self.mounts[mount].pose, self.mounts[mount].motion),
                Parent::Nothing => continue,
            };
            let (child, parent) =
                ((&self.poses[place], &self.motions[place]), (&parent_pose, &parent_motion));
            let joint = &self.joints[place];
            let mut torque = -joint.damping * (child.1.spin - parent.1.spin);
            torque += joint.torque(child.0, parent.0).map_or(Vector3::zeros(), |torque| torque.value);
            let across = parent.0.orientation * joint.parent_anchor;
            match self.factor.slots[place] {
                Slot::Free => continue,
                Slot::Three(_) => {
                    set_rows(&mut self.factor, place, &joint.constraint::<3>(child.0, parent.0, &across))
                }
                Slot::Five(_) => {
                    set_rows(&mut self.factor, place, &joint.constraint::<5>(child.0, parent.0, &across))
                }
                Slot::Six(_) => {
                    set_rows(&mut self.factor, place, &joint.constraint::<6>(child.0, parent.0, &across))
                }
            }
            self.unknowns.joints[place] = joint.bias(child, parent).map(|bias| -bias);
            for k in 0..3 {
                self.unknowns.bodies[place][3 + k] += torque[k];
                if let Parent::Body(parent) = self.parents[place] {
                    self.unknowns.bodies[parent][3 + k] -= torque[k];
                }
            }
        }
    }
}

/// Sets a body's rows, without forces between it and its parent.
fn set_rows<const M: usize>(factor: &mut TreeFactor<COUPLED>, place: usize, rows: &Rows<M>) {
    let none = [[0.0; COUPLED]; COUPLED];
    factor.set_link(place, &rows.child, &rows.parent, &none, &none);
}

impl ChainJoint {
    /// J̇ v: the velocity-dependent part of C̈.
    fn bias(
        &self,
        (child, motion): (&RigidPose, &BodyVelocity),
        (parent, parent_motion): (&RigidPose, &BodyVelocity),
    ) -> Six {
        let swing = |spin: &Vector3<f64>, lever: Vector3<f64>| spin.cross(&spin.cross(&lever));
        let apart = swing(&motion.spin, child.orientation * self.anchor)
            - swing(&parent_motion.spin, parent.orientation * self.parent_anchor);
        let mut bias = [apart.x, apart.y, apart.z, 0.0, 0.0, 0.0];
        if let Turning::Hinge(hinge) = &self.turning {
            let axis = child.orientation * hinge.axis;
            let relative = motion.spin - parent_motion.spin;
            for (bias, side) in bias[3..].iter_mut().zip(hinge.across) {
                let side = parent.orientation * side;
                // d/dt (a × b) · (ω_a − ω_b)
                let moved =
                    motion.spin.cross(&axis).cross(&side) + axis.cross(&parent_motion.spin.cross(&side));
                *bias = moved.dot(&relative);
            }
        }
        bias
    }
}
