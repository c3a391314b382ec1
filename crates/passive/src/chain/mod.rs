//! Stiff articulated chains in linear time [Hernandez 2011]: bodies in maximal coordinates, joints as
//! constraints on the positions at the end of a step, stiff joint torques and limits by backward Euler.
//!
//! Bodies are rigid, joints are spherical, hinged or fixed, and the joined bodies form trees. One joint may
//! connect a tree to the world, or to a mount with prescribed motion; a second one or a loop is rejected.
//! World axes, SI units.

mod acceleration;
pub mod block;
mod body;
mod bones;
mod build;
mod extra;
pub mod factor;
mod files;
mod joint;
mod link;
mod links;
mod measure;
mod object;
mod order;
mod saved;
mod skeleton;
mod spec;
mod step;
mod system;
mod torque;

pub use acceleration::Accelerations;
pub use body::BodyVelocity;
pub use extra::{Ball, ChainContact, Penalty, PoseDrive};
pub use files::ChainSpec;
pub use joint::RigidPose;
pub use measure::{ChainEnergy, SpatialMomentum};
pub use object::{ChainObject, Pulled};
pub(crate) use saved::SavedChain;
pub use skeleton::SkeletonSpec;
pub use spec::{BodySpec, ChainError, JointFault, JointRotation, JointSpec};
pub use torque::log_with_derivative;

use crate::obstacle::Obstacle;
use aplomb_math::dispatch::fastest;
use block::Six;
use body::ChainBody;
use extra::{DampedImpulse, Extra};
use factor::{TreeFactor, TreeVector};
use joint::ChainJoint;
use nalgebra::Vector3;
use std::ops::Range;
use step::{AdvancePass, Assemble, COUPLED, Close};

/// The parent of a body's joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Parent {
    /// A body, by its place.
    Body(usize),
    /// A mount, by index.
    Mount(usize),
    Nothing,
}

/// A frame with prescribed motion that roots are joined to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mount {
    /// Displacement from its pose when the chain was made, in which its frame was that of the world. A step
    /// moves the joint to the mount's present pose.
    pub pose: RigidPose,
    /// Velocity of the mount.
    pub motion: BodyVelocity,
}

/// A group of obstacles that is ignored as a whole.
#[derive(Clone, Debug)]
struct ObstacleGroup {
    /// Range of obstacles.
    obstacles: Range<usize>,
    ignored: bool,
    /// By ball, whether it passes through the group until it has left it.
    passed_by: Vec<bool>,
}

/// Why a step failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepFault {
    /// A pivot vanished at this body: its joint's rows are dependent, or its forces are not dissipative.
    Singular {
        /// Index of the body at which the factorisation failed.
        body: usize,
    },
    /// The step diverged (NaN or infinite).
    NotFinite,
}

/// Trees of stiffly joined bodies. Indices of bodies are those of their specifications; memory is ordered
/// from the leaves to the roots.
#[derive(Clone, Debug)]
pub struct Chain {
    /// Gravity, m/s², world axes.
    pub gravity: Vector3<f64>,
    /// Velocity of the air, m/s.
    pub wind: Vector3<f64>,
    /// Number of projections per step that close the gaps remaining after the linearised constraints; the
    /// paper's method has none.
    #[doc(alias = "projection passes")]
    pub closings: usize,
    /// Frames that the roots are joined to.
    pub mounts: Vec<Mount>,
    /// Drives of joints.
    pub drives: Vec<PoseDrive>,
    /// Solids that the bodies collide with.
    pub obstacles: Vec<Obstacle>,
    /// Stiffness and damping of contacts.
    pub penalty: Penalty,
    time: f64,
    /// Place of each body of the specification, and the inverse.
    place_of: Vec<usize>,
    body_at: Vec<usize>,
    names: Vec<String>,
    bodies: Vec<ChainBody>,
    joints: Vec<ChainJoint>,
    parents: Vec<Parent>,
    has_no_child: Vec<bool>,
    /// Whether a place has no later sibling.
    is_last_child: Vec<bool>,
    poses: Vec<RigidPose>,
    motions: Vec<BodyVelocity>,
    next_poses: Vec<RigidPose>,
    next_motions: Vec<BodyVelocity>,
    /// External forces over the next step, and their moments about the centres of mass.
    external: Vec<Six>,
    balls: Vec<Ball>,
    /// Groups of obstacles that balls may pass through.
    groups: Vec<ObstacleGroup>,
    extras: Vec<Extra>,
    pushes: Vec<(usize, usize, DampedImpulse)>,
    touches: Vec<ChainContact>,
    /// Impulses of joints, N s: of the last step, or decaying from larger ones before it.
    pulls: Vec<f64>,
    factor: TreeFactor<COUPLED>,
    retained: bool,
    unknowns: TreeVector,
    closing: TreeVector,
}

impl Chain {
    /// Simulated time, s.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// Advances by `dt` seconds under gravity, wind, drives, contacts and the forces applied since the last
    /// step. A step that fails leaves the chain unchanged, and discards those forces.
    ///
    /// # Errors
    ///
    /// If the system is singular, or the step diverged (NaN or infinite).
    pub fn step(&mut self, dt: f64) -> Result<(), StepFault> {
        let outcome = self.solve(dt);
        self.external.fill([0.0; 6]);
        if outcome.is_err() {
            self.pulls.fill(0.0);
            return outcome;
        }
        std::mem::swap(&mut self.poses, &mut self.next_poses);
        std::mem::swap(&mut self.motions, &mut self.next_motions);
        self.time += dt;
        Ok(())
    }

    fn solve(&mut self, dt: f64) -> Result<(), StepFault> {
        self.gather_extras(dt);
        self.retain(self.closings > 0);
        fastest(Assemble { chain: self, dt })
            .map_err(|place| StepFault::Singular { body: self.body_at[place] })?;
        let closings = self.closings;
        let mut finite = fastest(AdvancePass { chain: self, dt, last: closings == 0 });
        for closing in 1..=closings {
            finite &= fastest(Close { chain: self, dt, last: closing == closings });
        }
        self.keep_touches(dt);
        if finite { Ok(()) } else { Err(StepFault::NotFinite) }
    }

    /// Sets whether the factors are kept for further right sides.
    fn retain(&mut self, retain: bool) {
        if retain != self.retained {
            self.factor.retain(retain);
            self.retained = retain;
        }
    }

    /// Computes the forces of drives and contacts at the start of a step.
    fn gather_extras(&mut self, dt: f64) {
        self.extras.fill(Extra::default());
        self.pushes.clear();
        for drive in &self.drives {
            let place = self.place_of[drive.body];
            if let Some(extra) = self.bodies[place].extra {
                self.extras[extra].add_drive(drive, &self.poses[place], dt);
            }
        }
        for (ball_index, ball) in self.balls.iter().enumerate() {
            let place = self.place_of[ball.body];
            let state = (&self.poses[place], &self.motions[place]);
            let Some(extra) = self.bodies[place].extra else { continue };
            let center = state.0.position + state.0.orientation * ball.center;
            for (index, obstacle) in self.obstacles.iter().enumerate() {
                if self.passes(ball_index, index) {
                    continue;
                }
                let solid = (&self.penalty, obstacle);
                let push = self.extras[extra].add_contact(solid, (&center, ball.radius), state, dt);
                self.pushes.extend(push.map(|push| (ball_index, index, push)));
            }
        }
    }

    /// Sets the groups of obstacles; none of them is ignored.
    pub fn set_groups(&mut self, groups: impl Iterator<Item = Range<usize>>) {
        self.groups.clear();
        groups.for_each(|group| self.add_group(group));
    }

    /// Adds a group of obstacles.
    pub(crate) fn add_group(&mut self, obstacles: Range<usize>) {
        self.groups.push(ObstacleGroup {
            obstacles,
            ignored: false,
            passed_by: vec![false; self.balls.len()],
        });
    }

    /// Sets whether a group of obstacles is ignored. When that ends, every ball passes through it until it
    /// has [left](Self::meet_when_clear) the group.
    pub fn ignore_group(&mut self, group: usize, ignored: bool) {
        let Some(group) = self.groups.get_mut(group) else { return };
        if group.ignored && !ignored {
            group.passed_by.fill(true);
        }
        group.ignored = ignored;
    }

    /// Makes balls that have left a group which is not ignored collide with it again.
    pub fn meet_when_clear(&mut self) {
        let Chain { groups, balls, poses, place_of, obstacles, .. } = self;
        for group in groups.iter_mut().filter(|group| !group.ignored) {
            let passing = balls.iter().zip(&mut group.passed_by).filter(|(_, passes)| **passes);
            for (ball, passes) in passing {
                let pose = &poses[place_of[ball.body]];
                let center = pose.position + pose.orientation * ball.center;
                let mut passed = obstacles[group.obstacles.clone()].iter();
                *passes = !passed.all(|obstacle| obstacle.shape.distance(&center).distance >= ball.radius);
            }
        }
    }

    fn passes(&self, ball: usize, obstacle: usize) -> bool {
        let passes = |group: &ObstacleGroup| {
            group.obstacles.contains(&obstacle) && (group.ignored || group.passed_by[ball])
        };
        self.groups.iter().any(passes)
    }

    fn keep_touches(&mut self, dt: f64) {
        self.touches.clear();
        for (ball, obstacle, push) in &self.pushes {
            let place = self.place_of[self.balls[*ball].body];
            let solved = BodyVelocity::from_six(&self.unknowns.bodies[place]);
            let lever = push.point - self.poses[place].position;
            let velocity = solved.velocity + solved.spin.cross(&lever);
            let force = (push.known - push.resistance * velocity) / dt;
            self.touches.push(ChainContact { ball: *ball, obstacle: *obstacle, point: push.point, force });
        }
    }

    /// Contacts of the last step.
    pub fn touches(&self) -> &[ChainContact] {
        &self.touches
    }

    /// Removes obstacles from this index on, and their contacts.
    pub(crate) fn forget_obstacles(&mut self, first: usize) {
        self.obstacles.truncate(first);
        self.touches.retain(|touch| touch.obstacle < first);
    }

    /// Number of bodies.
    pub(crate) fn len(&self) -> usize {
        self.bodies.len()
    }

    /// Name of a body, by index.
    pub fn name(&self, body: usize) -> &str {
        &self.names[body]
    }

    /// Pose of a body, by index, world axes.
    pub fn pose(&self, body: usize) -> RigidPose {
        self.poses[self.place_of[body]]
    }

    /// Velocity of a body, by index, world axes.
    pub fn motion(&self, body: usize) -> BodyVelocity {
        self.motions[self.place_of[body]]
    }

    /// Sets the state of a body. The next step closes joints that this opens.
    pub fn set_state(&mut self, body: usize, pose: RigidPose, motion: BodyVelocity) {
        let place = self.place_of[body];
        (self.poses[place], self.motions[place]) = (pose, motion);
    }

    /// Stiffness of a body's joint towards rest, N m/rad.
    pub(crate) fn stiffness(&self, body: usize) -> f64 {
        self.joints[self.place_of[body]].stiffness
    }

    /// Sets the stiffness of a body's joint from now on.
    pub(crate) fn set_stiffness(&mut self, body: usize, stiffness: f64) {
        self.joints[self.place_of[body]].stiffness = stiffness;
    }

    /// Applies a force (N) to a body at a point (m), constant over the next step only.
    pub fn apply_force(&mut self, body: usize, point: &Vector3<f64>, force: &Vector3<f64>) {
        let place = self.place_of[body];
        let moment = (point - self.poses[place].position).cross(force);
        let external = &mut self.external[place];
        for k in 0..3 {
            external[k] += force[k];
            external[3 + k] += moment[k];
        }
    }

    /// Applies a torque (N m) to a body, constant over the next step only.
    pub fn apply_torque(&mut self, body: usize, torque: &Vector3<f64>) {
        let external = &mut self.external[self.place_of[body]];
        for k in 0..3 {
            external[3 + k] += torque[k];
        }
    }

    /// Applies an impulse (N s) to a body at a point (m), which changes its own velocity at once; its joints
    /// transmit it in the next step.
    pub fn apply_impulse(&mut self, body: usize, point: &Vector3<f64>, impulse: &Vector3<f64>) {
        let place = self.place_of[body];
        let (body, pose) = (&self.bodies[place], &self.poses[place]);
        let moment = (point - pose.position).cross(impulse);
        let motion = &mut self.motions[place];
        motion.velocity += impulse / body.mass;
        motion.spin += body.turn(pose, &body.inverse_inertia, &moment);
    }
}
