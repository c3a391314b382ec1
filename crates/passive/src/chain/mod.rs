//! Stiff articulated chains in linear time [Hernandez 2011]: bodies in maximal coordinates, joints as constraints on
//! the positions a step leads to, stiff joint torques and stops by backward Euler.
//!
//! Bodies are rigid, joints spherical, hinged or fixed, and what they join are trees. A tree may hang from the world,
//! or from a mount that moves as it is told, by one joint; a second one or a loop is refused. World axes, SI units.

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
pub use body::Motion;
pub use extra::{Ball, Drive, Penalty, Touch};
pub use files::{ChainSpec, PulledSpec};
pub use joint::Pose;
pub use measure::{Energy, Momentum};
pub use object::{ChainObject, Pulled};
pub use saved::Saved;
pub use skeleton::{DrivenSpec, SkeletonSpec};
pub use spec::{BodySpec, ChainError, JointFault, JointKind, JointSpec};
pub use torque::{Torque, log_with_derivative};

use crate::obstacle::Obstacle;
use aplomb_math::dispatch::fastest;
use block::Six;
use body::Body;
use extra::{Extra, Push};
use factor::{TreeFactor, TreeVector};
use joint::Joint;
use nalgebra::Vector3;
use std::ops::Range;
use step::{Advance, Assemble, COUPLED, Close};

/// What a body's joint joins it to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Parent {
    /// Place of a body.
    Body(usize),
    /// Index of a mount.
    Mount(usize),
    Nothing,
}

/// What a root hangs from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mount {
    /// How far it has been moved from where it was when the chain was made: its own frame lay in the world's then.
    /// A step leads the joint to where the mount is by now.
    pub pose: Pose,
    /// Velocity of the mount.
    pub motion: Motion,
}

/// Obstacles that are ignored together.
#[derive(Clone, Debug)]
struct Group {
    /// By index.
    obstacles: Range<usize>,
    ignored: bool,
    /// Balls that pass through it until they are clear of it.
    passed_by: Vec<bool>,
}

/// Why a step was not made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepFault {
    /// A pivot vanished at this body: its joint's rows repeat each other, or its forces feed on motion.
    Singular {
        /// Index of the body at which the factorisation failed.
        body: usize,
    },
    /// The step diverged (NaN or infinite).
    NotFinite,
}

/// Trees of stiffly joined bodies. Indices of bodies are those of their specifications; memory is kept from the
/// leaves to the roots.
#[derive(Clone, Debug)]
pub struct Chain {
    /// m/s²
    pub gravity: Vector3<f64>,
    /// Velocity of the air, m/s.
    pub wind: Vector3<f64>,
    /// How often a step closes the joints again that the linearised constraints left open; the paper's method does not.
    pub closings: usize,
    /// What the roots hang from.
    pub mounts: Vec<Mount>,
    /// Drives of joints.
    pub drives: Vec<Drive>,
    /// Solids that push the bodies out of themselves.
    pub obstacles: Vec<Obstacle>,
    /// Stiffness and damping of contacts.
    pub penalty: Penalty,
    time: f64,
    /// Place of each body of the specification, and the reverse.
    place_of: Vec<usize>,
    body_at: Vec<usize>,
    names: Vec<String>,
    bodies: Vec<Body>,
    joints: Vec<Joint>,
    parents: Vec<Parent>,
    has_no_child: Vec<bool>,
    /// Whether no later body has the same parent.
    is_last_child: Vec<bool>,
    poses: Vec<Pose>,
    motions: Vec<Motion>,
    next_poses: Vec<Pose>,
    next_motions: Vec<Motion>,
    /// Forces of the user and their moments about the centres of mass, over the next step.
    external: Vec<Six>,
    balls: Vec<Ball>,
    /// Obstacles that balls may pass through.
    groups: Vec<Group>,
    extras: Vec<Extra>,
    pushes: Vec<(usize, usize, Push)>,
    touches: Vec<Touch>,
    /// Impulses of joints, N s: of the last step, or of stronger ones before it that fade.
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

    /// Advances by `dt` seconds under gravity, wind, drives, contacts and the forces applied since the last step. A
    /// step that is refused leaves the chain as it was, without those forces.
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
        let mut finite = fastest(Advance { chain: self, dt, last: closings == 0 });
        for closing in 1..=closings {
            finite &= fastest(Close { chain: self, dt, last: closing == closings });
        }
        self.keep_touches(dt);
        if finite { Ok(()) } else { Err(StepFault::NotFinite) }
    }

    /// Has the factors kept, or not, for more right sides.
    fn retain(&mut self, retain: bool) {
        if retain != self.retained {
            self.factor.retain(retain);
            self.retained = retain;
        }
    }

    /// Drives and contacts at the start of a step.
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

    /// Obstacles by their indices that are ignored together, from now on none.
    pub fn set_groups(&mut self, groups: impl Iterator<Item = Range<usize>>) {
        self.groups.clear();
        groups.for_each(|group| self.add_group(group));
    }

    /// Adds one.
    pub fn add_group(&mut self, obstacles: Range<usize>) {
        self.groups.push(Group { obstacles, ignored: false, passed_by: vec![false; self.balls.len()] });
    }

    /// Whether a group of obstacles is passed through. When that ends, every ball still does so until it is
    /// [clear](Self::meet_when_clear) of them.
    pub fn ignore_group(&mut self, group: usize, ignored: bool) {
        let Some(group) = self.groups.get_mut(group) else { return };
        if group.ignored && !ignored {
            group.passed_by.fill(true);
        }
        group.ignored = ignored;
    }

    /// Has balls that pass through a group that is not ignored, and are in none of its obstacles now, meet them from
    /// now on.
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
        let passes =
            |group: &Group| group.obstacles.contains(&obstacle) && (group.ignored || group.passed_by[ball]);
        self.groups.iter().any(passes)
    }

    fn keep_touches(&mut self, dt: f64) {
        self.touches.clear();
        for (ball, obstacle, push) in &self.pushes {
            let place = self.place_of[self.balls[*ball].body];
            let solved = Motion::from_six(&self.unknowns.bodies[place]);
            let lever = push.point - self.poses[place].position;
            let velocity = solved.velocity + solved.spin.cross(&lever);
            let force = (push.known - push.resistance * velocity) / dt;
            self.touches.push(Touch { ball: *ball, obstacle: *obstacle, point: push.point, force });
        }
    }

    /// What touched what in the last step.
    pub fn touches(&self) -> &[Touch] {
        &self.touches
    }

    /// Forgets obstacles from this number on, and what touched them.
    pub fn forget_obstacles(&mut self, first: usize) {
        self.obstacles.truncate(first);
        self.touches.retain(|touch| touch.obstacle < first);
    }

    /// Number of bodies.
    pub fn len(&self) -> usize {
        self.bodies.len()
    }

    /// Whether there are no bodies.
    pub fn is_empty(&self) -> bool {
        self.bodies.is_empty()
    }

    /// Name of a body, by index.
    pub fn name(&self, body: usize) -> &str {
        &self.names[body]
    }

    /// Pose of a body, by index, world axes.
    pub fn pose(&self, body: usize) -> Pose {
        self.poses[self.place_of[body]]
    }

    /// Velocity of a body, by index, world axes.
    pub fn motion(&self, body: usize) -> Motion {
        self.motions[self.place_of[body]]
    }

    /// Puts a body somewhere else. Joints that this opens are closed by the next step.
    pub fn set_state(&mut self, body: usize, pose: Pose, motion: Motion) {
        let place = self.place_of[body];
        (self.poses[place], self.motions[place]) = (pose, motion);
    }

    /// Torque of a body's joint towards rest, N m/rad.
    pub fn stiffness(&self, body: usize) -> f64 {
        self.joints[self.place_of[body]].stiffness
    }

    /// Makes a body's joint stiffer or softer from now on.
    pub fn set_stiffness(&mut self, body: usize, stiffness: f64) {
        self.joints[self.place_of[body]].stiffness = stiffness;
    }

    /// A force (N) on a body at a point (m), constant over the next step and gone after it.
    pub fn apply_force(&mut self, body: usize, point: &Vector3<f64>, force: &Vector3<f64>) {
        let place = self.place_of[body];
        let moment = (point - self.poses[place].position).cross(force);
        let external = &mut self.external[place];
        for k in 0..3 {
            external[k] += force[k];
            external[3 + k] += moment[k];
        }
    }

    /// A torque (N m) on a body, constant over the next step and gone after it.
    pub fn apply_torque(&mut self, body: usize, torque: &Vector3<f64>) {
        let external = &mut self.external[self.place_of[body]];
        for k in 0..3 {
            external[3 + k] += torque[k];
        }
    }

    /// An impulse (N s) on a body at a point (m). Its own velocity changes at once; its joints pass it on in the
    /// next step.
    pub fn apply_impulse(&mut self, body: usize, point: &Vector3<f64>, impulse: &Vector3<f64>) {
        let place = self.place_of[body];
        let (body, pose) = (&self.bodies[place], &self.poses[place]);
        let moment = (point - pose.position).cross(impulse);
        let motion = &mut self.motions[place];
        motion.velocity += impulse / body.mass;
        motion.spin += body.turn(pose, &body.inverse_inertia, &moment);
    }
}
