//! The model, which does not change during a run: bodies, joints, shapes, and the indices between them.
//!
//! Bodies are numbered depth first in file order, so that a parent always has a smaller index than its
//! children. Velocity coordinates are numbered in the same order. All quantities are SI; a body's own
//! quantities are in its body frame unless the name says otherwise.

#[doc(hidden)] // shared with `aplomb new`, not a public API
pub mod bvh;
#[cfg(feature = "files")]
#[doc(hidden)] // shared between the crates, not a public API
pub mod companion;
#[cfg_attr(not(feature = "files"), allow(dead_code, reason = "what readers add to a model"))]
mod coupling;
#[cfg(feature = "files")]
mod mesh;
#[cfg(feature = "files")]
pub mod mjcf;
#[cfg(feature = "files")]
mod open;
#[doc(hidden)] // shared between the crates, not a public API
pub mod pad;
mod pose;
mod rest;
#[doc(hidden)] // shared between the crates, not a public API
pub mod roles;
pub mod scales;
mod sphere;
pub mod state;
#[cfg(feature = "files")]
mod urdf;
#[doc(hidden)] // shared between the crates, not a public API
pub mod warning;
#[doc(hidden)] // shared between the crates, not a public API
pub mod write;
#[cfg(feature = "files")]
mod xml;

pub use aplomb_language::{BodyId, JointId};
pub use aplomb_math::geometry::Shape;
pub use coupling::{CATCH_UP_SPEED, Coupling};
pub use pad::Pad;
pub use pose::{JointValueError, set_pose, set_rates};

use aplomb_language::expression::PartNames;
use nalgebra::{Matrix3, UnitQuaternion, Vector3};
pub use roles::Roles;
use std::ops::Range;

/// A character or another articulated object, with the fixed geometry that its file adds to the world.
#[doc(alias = "robot")]
#[doc(alias = "skeleton")]
#[doc(alias = "MJCF")]
#[derive(Clone, Debug)]
pub struct Model {
    /// Name in the file.
    pub name: String,
    /// Bodies; every parent precedes its children.
    pub bodies: Vec<Body>,
    /// Joints, in the order of their coordinates.
    pub joints: Vec<Joint>,
    /// Collision and display shapes.
    pub geoms: Vec<Geom>,
    /// Named points.
    pub sites: Vec<Site>,
    /// Joints that follow others; no joint has two couplings, and no leader follows another joint.
    pub couplings: Vec<Coupling>,
    /// Named configurations, from the file's keyframes.
    pub keyframes: Vec<Keyframe>,
    /// World gravity from the file's options, m/s².
    pub gravity: Vector3<f64>,
    /// Number of configuration numbers (quaternions count four).
    pub nq: usize,
    /// Number of velocity coordinates.
    pub nv: usize,
    /// For each velocity coordinate, the coordinate before it on the path to the world.
    pub dof_parent: Vec<Option<usize>>,
    /// For each velocity coordinate, the body it moves.
    pub dof_body: Vec<BodyId>,
    /// For each velocity coordinate, a name for labels and plots: the joint's name, with an axis if the joint has
    /// several coordinates (`root.x`, `root.wx`, `shoulder.wx`).
    pub dof_names: Vec<String>,
    /// Armature (reflected rotor inertia) of each velocity coordinate, kg m² or kg.
    pub armature: Vec<f64>,
    /// Torque limits of each velocity coordinate, N m or N; infinite if the file has none.
    pub torque_limits: Vec<[f64; 2]>,
    /// Largest rate of each velocity coordinate, rad/s or m/s; infinite without a limit. MJCF has no such
    /// limits; URDF and companion files do.
    pub velocity_limits: Vec<f64>,
    /// Whether an actuator drives each velocity coordinate. Coordinates of free joints and of coupled joints
    /// have no actuator. In a file with actuators, joints that no actuator names have none either; in a file
    /// without actuators, every other joint has one.
    pub is_actuated: Vec<bool>,
    /// Roles of its parts.
    pub roles: Box<Roles>,
}

/// A rigid body, joined to its parent by the joints in `joints` (none: welded).
#[doc(alias = "link")]
#[derive(Clone, Debug)]
pub struct Body {
    /// Name in the file.
    pub name: String,
    /// Parent body; `None` if the parent is the world.
    pub parent: Option<BodyId>,
    /// Position of the body frame in its parent's frame with all joints at zero, m.
    pub position: Vector3<f64>,
    /// Rotation from body axes to those of the parent.
    pub orientation: UnitQuaternion<f64>,
    /// Mass and rotational inertia.
    pub inertia: BodyInertia,
    /// This body's joints in [`Model::joints`], from the parent's side.
    pub joints: Range<usize>,
    /// This body's coordinates among the velocity coordinates.
    pub dofs: Range<usize>,
    /// The last velocity coordinate on the path from the world to this body (its own, or an ancestor's).
    pub last_dof: Option<usize>,
    /// Soft layer outside its shapes, if it has one.
    pub pad: Option<Pad>,
    /// Line of its element in the file, from 1.
    pub line: usize,
}

/// Mass distribution of one body in its body frame.
#[derive(Clone, Copy, Debug)]
pub struct BodyInertia {
    /// Mass, kg.
    pub mass: f64,
    /// Centre of mass in the body frame, m.
    pub centre: Vector3<f64>,
    /// Rotational inertia about the centre of mass in body axes, kg m².
    pub about_centre: Matrix3<f64>,
}

/// The motion that a joint allows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum JointKind {
    /// Six coordinates: linear velocity of the body origin in world axes, then angular velocity in body axes.
    Free,
    /// Three coordinates: angular velocity in the child's body axes.
    Ball,
    /// One coordinate: rate of rotation about `axis` (unit, body axes).
    Hinge {
        /// Unit axis, body axes.
        axis: Vector3<f64>,
    },
    /// One coordinate: rate of translation along `axis` (unit, body axes).
    Slide {
        /// Unit axis, body axes.
        axis: Vector3<f64>,
    },
}

impl JointKind {
    /// Number of configuration numbers of this kind of joint.
    pub fn nq(&self) -> usize {
        match self {
            JointKind::Free => 7,
            JointKind::Ball => 4,
            JointKind::Hinge { .. } | JointKind::Slide { .. } => 1,
        }
    }

    /// Number of velocity coordinates of this kind of joint.
    pub fn nv(&self) -> usize {
        match self {
            JointKind::Free => 6,
            JointKind::Ball => 3,
            JointKind::Hinge { .. } | JointKind::Slide { .. } => 1,
        }
    }
}

/// A joint between a body and its parent.
#[derive(Clone, Debug)]
pub struct Joint {
    /// Name in the file.
    pub name: String,
    /// Body the joint moves.
    pub body: BodyId,
    /// Kind of the joint, with its axis.
    pub kind: JointKind,
    /// Point the joint acts through, in the body frame, m.
    pub anchor: Vector3<f64>,
    /// Limits of a hinge (rad) or slide (m); of a ball `[0, largest angle]`. `None`: unlimited.
    pub range: Option<[f64; 2]>,
    /// Configuration value at which the joint is at the pose of the file (MJCF `ref`), rad or m.
    pub reference: f64,
    /// Passive spring towards `spring_reference`, N m/rad or N/m; not part of M, h or τ.
    pub stiffness: f64,
    /// Coordinate at which the spring is relaxed, rad or m.
    pub spring_reference: f64,
    /// Passive damping, N m s/rad or N s/m; not part of M, h or τ.
    pub damping: f64,
    /// Largest dry friction of a hinge or slide, N m or N, which opposes its motion.
    #[doc(alias = "frictionloss")]
    pub friction: f64,
    /// Index of its first coordinate in `q`.
    pub q_index: usize,
    /// Index of its first velocity coordinate in `v`.
    pub v_index: usize,
    /// Line of its element in the file, from 1.
    pub line: usize,
}

impl Joint {
    /// A joint that lets an outermost body move freely in the world.
    fn free(name: String, body: BodyId, line: usize) -> Self {
        Joint {
            name,
            body,
            kind: JointKind::Free,
            anchor: Vector3::zeros(),
            range: None,
            reference: 0.0,
            stiffness: 0.0,
            spring_reference: 0.0,
            damping: 0.0,
            friction: 0.0,
            q_index: 0,
            v_index: 0,
            line,
        }
    }
}

/// A collision or display shape fixed to a body.
#[doc(alias = "collision shape")]
#[derive(Clone, Debug)]
pub struct Geom {
    /// Name in the file.
    pub name: String,
    /// Body it is fixed to; `None` for the world.
    pub body: Option<BodyId>,
    /// Shape in its own frame.
    pub shape: Shape,
    /// Position in the frame of `body` (or the world), m.
    pub position: Vector3<f64>,
    /// Rotation from the shape's own frame to body axes.
    pub orientation: UnitQuaternion<f64>,
    /// Sliding friction coefficient.
    pub friction: f64,
    /// Whether the shape can touch anything (MJCF contype or conaffinity not zero).
    pub collides: bool,
    /// Line of its element in the file, from 1.
    pub line: usize,
}

/// A named point on a body.
#[doc(alias = "frame")]
#[doc(alias = "end effector")]
#[derive(Clone, Debug)]
pub struct Site {
    /// Name in the file.
    pub name: String,
    /// Body it is fixed to; `None` for the world.
    pub body: Option<BodyId>,
    /// Position in body axes, m.
    pub position: Vector3<f64>,
    /// Rotation from the site's own frame to body axes.
    pub orientation: UnitQuaternion<f64>,
    /// Radius of the hand or foot at it, m: a grip touches its hold at this distance plus the hold's own
    /// radius.
    pub radius: f64,
    /// Line of its element in the file, from 1.
    pub line: usize,
}

impl Site {
    /// Radius of a site without one in its file, m: half of the thickness of an adult's hand.
    pub(crate) const USUAL_RADIUS: f64 = 0.02;
}

/// A named configuration.
#[derive(Clone, Debug)]
pub struct Keyframe {
    /// Name in the file.
    pub name: String,
    /// Configuration, nq numbers.
    pub q: Vec<f64>,
}

/// Names of keyframes that give the rest pose, in order of preference.
pub const REST_KEYFRAMES: [&str; 7] =
    ["rest", "stand", "standing", "knees_bent", "stand_bent_knees", "home", "init"];

/// Tolerance of a value in a file beyond the end of a range, because files have few digits, rad or m.
const ROUND_OFF: f64 = 1e-6;

impl PartNames for Model {
    fn body_name(&self, body: BodyId) -> Option<&str> {
        self.bodies.get(body.0).map(|body| body.name.as_str())
    }

    fn site_name(&self, site: usize) -> Option<&str> {
        self.sites.get(site).map(|site| site.name.as_str())
    }

    fn joint_name(&self, joint: JointId) -> Option<&str> {
        self.joints.get(joint.0).map(|joint| joint.name.as_str())
    }
}

impl Model {
    /// A model without bodies.
    pub fn empty() -> Model {
        Model {
            name: String::new(),
            bodies: Vec::new(),
            joints: Vec::new(),
            geoms: Vec::new(),
            sites: Vec::new(),
            couplings: Vec::new(),
            keyframes: Vec::new(),
            gravity: Vector3::zeros(),
            nq: 0,
            nv: 0,
            dof_parent: Vec::new(),
            dof_body: Vec::new(),
            dof_names: Vec::new(),
            armature: Vec::new(),
            torque_limits: Vec::new(),
            velocity_limits: Vec::new(),
            is_actuated: Vec::new(),
            roles: Box::default(),
        }
    }

    /// Total mass, kg.
    pub fn mass(&self) -> f64 {
        self.bodies.iter().map(|body| body.inertia.mass).sum()
    }

    /// The body with that name or role.
    pub fn body(&self, name: &str) -> Option<BodyId> {
        let own = || self.bodies.iter().position(|body| body.name == name).map(BodyId);
        self.roles.given_body(name).or_else(own).or_else(|| self.roles.body(name))
    }

    /// The joint of that name.
    pub fn joint(&self, name: &str) -> Option<JointId> {
        self.joints.iter().position(|joint| joint.name == name).map(JointId)
    }

    /// The joints with that name or role.
    pub fn joints_of(&self, name: &str) -> Option<Vec<JointId>> {
        let own = self.joint(name).map(|joint| vec![joint]);
        own.or_else(|| self.roles.joints(name))
    }

    /// The joint with that name, or the hinge with that role, and the sign of its own angle relative to that
    /// of the role.
    pub fn hinge(&self, name: &str) -> Option<(JointId, f64)> {
        self.joint(name).map(|joint| (joint, 1.0)).or_else(|| self.roles.hinge(name))
    }

    /// The site with that name or role.
    pub fn site(&self, name: &str) -> Option<usize> {
        let own = self.sites.iter().position(|site| site.name == name);
        own.or_else(|| self.roles.point(name))
    }

    /// A direction of the rest pose (x forward, y left, z up) in the axes of a body.
    pub fn at_rest(&self, body: BodyId, direction: Vector3<f64>) -> Vector3<f64> {
        self.roles.axes(body).map_or(direction, |axes| axes * direction)
    }

    /// Rotation from axes that are forward, left and up in the rest pose to those of a body; `None` for the
    /// identity.
    pub fn rest_axes(&self, body: BodyId) -> Option<&UnitQuaternion<f64>> {
        self.roles.axes(body)
    }

    /// Velocity coordinates of a joint.
    pub fn coordinates(&self, joint: JointId) -> Range<usize> {
        let joint = &self.joints[joint.0];
        joint.v_index..joint.v_index + joint.kind.nv()
    }

    /// Whether a velocity coordinate belongs to a free joint, or to slides and hinges by which the whole body
    /// moves freely.
    pub fn is_root(&self, coordinate: usize) -> bool {
        let free = self.joints.iter().filter(|joint| joint.kind == JointKind::Free);
        let mut firsts = free.map(|joint| joint.v_index);
        firsts.any(|first| (first..first + 6).contains(&coordinate))
            || self.sliding_root().contains(&coordinate)
    }

    /// The coordinates of an outermost body on unactuated slides and hinges, in a model with actuators: at least two
    /// slides, as in planar models. Empty if there is no such body.
    pub fn sliding_root(&self) -> Range<usize> {
        let Some(root) = self.bodies.first() else { return 0..0 };
        let joints = &self.joints[root.joints.clone()];
        let slides = joints.iter().filter(|joint| matches!(joint.kind, JointKind::Slide { .. })).count();
        let is_held = |coordinate: usize| self.is_actuated[coordinate] || self.is_coupled(coordinate);
        let is_free = !root.dofs.clone().any(is_held);
        let others = self.is_actuated.iter().any(|driven| *driven);
        if slides >= 2 && is_free && others { root.dofs.clone() } else { 0..0 }
    }

    /// Joints without an actuator in a file with actuators, except coupled ones: only springs, dampers and
    /// limits act in them.
    pub fn passive_joints(&self) -> impl Iterator<Item = &Joint> {
        let joints = self.joints.iter().filter(|joint| !self.is_root(joint.v_index));
        joints.filter(|joint| !self.is_actuated[joint.v_index] && !self.is_follower(joint.v_index))
    }

    /// The velocity coordinates that move a body, from its own up to the root's.
    #[inline]
    pub fn chain(&self, body: BodyId) -> impl Iterator<Item = usize> {
        std::iter::successors(self.bodies[body.0].last_dof, |&j| self.dof_parent[j])
    }

    /// Whether the root is a free joint (a character, as opposed to an object that is fixed to the world).
    #[doc(alias = "floating base")]
    pub fn is_floating(&self) -> bool {
        self.joints.first().is_some_and(|joint| joint.kind == JointKind::Free)
    }

    /// Whether its outermost body has no joint, so that it is fixed to the world. A body on slides and hinges
    /// can fall.
    pub fn is_fixed(&self) -> bool {
        self.bodies.first().is_some_and(|body| body.last_dof.is_none())
    }

    /// Configuration with every joint at its reference and free bodies at their poses in the file.
    pub fn neutral_configuration(&self) -> Vec<f64> {
        let mut q = vec![0.0; self.nq];
        for joint in &self.joints {
            let body = &self.bodies[joint.body.0];
            let at = joint.q_index;
            match joint.kind {
                JointKind::Free => {
                    q[at..at + 3].copy_from_slice(body.position.as_slice());
                    let r = body.orientation;
                    q[at + 3..at + 7].copy_from_slice(&[r.w, r.i, r.j, r.k]);
                }
                JointKind::Ball => q[at..at + 4].copy_from_slice(&[1.0, 0.0, 0.0, 0.0]),
                JointKind::Hinge { .. } | JointKind::Slide { .. } => q[at] = joint.reference,
            }
        }
        q
    }

    /// The rest pose: the first existing keyframe of [`REST_KEYFRAMES`], otherwise the neutral configuration;
    /// joints beyond their ranges are at the nearer limit, and coupled joints at the values that their
    /// leaders give.
    pub fn rest_configuration(&self) -> Vec<f64> {
        let mut q = self.given_rest();
        for (joint, [low, high]) in self.ranges() {
            q[joint.q_index] = q[joint.q_index].clamp(low, high);
        }
        self.obey_couplings(&mut q);
        q
    }

    /// Joints beyond their range in the rest pose of the file, with value and range, rad or m.
    pub fn outside_at_rest(&self) -> impl Iterator<Item = (&Joint, f64, [f64; 2])> {
        let q = self.given_rest();
        self.ranges().filter_map(move |(joint, [low, high])| {
            let value = q[joint.q_index];
            let is_outside = value < low - ROUND_OFF || value > high + ROUND_OFF;
            is_outside.then_some((joint, value, [low, high]))
        })
    }

    /// Coupled joints whose value in the keyframe of the rest pose is not that of their coupling, with that
    /// value and the one they are set to, rad or m. Only keyframes set values.
    pub fn uncoupled_at_rest(&self) -> impl Iterator<Item = (&Joint, f64, f64)> {
        let (given, rest) = (self.rest_keyframe(), self.rest_configuration());
        self.couplings.iter().filter_map(move |coupling| {
            let given = &given?.q;
            let joint = &self.joints[coupling.follower.0];
            let (was, is) = (given[joint.q_index], rest[joint.q_index]);
            ((was - is).abs() > ROUND_OFF).then_some((joint, was, is))
        })
    }

    /// Whether the file has a keyframe for the rest pose.
    pub fn has_rest_keyframe(&self) -> bool {
        self.rest_keyframe().is_some()
    }

    fn given_rest(&self) -> Vec<f64> {
        self.rest_keyframe().map_or_else(|| self.neutral_configuration(), |key| key.q.clone())
    }

    fn rest_keyframe(&self) -> Option<&Keyframe> {
        let named = |name: &&str| self.keyframes.iter().find(|key| key.name == **name);
        REST_KEYFRAMES.iter().find_map(named)
    }

    /// Hinges and slides with a range, except coupled ones, with the range.
    fn ranges(&self) -> impl Iterator<Item = (&Joint, [f64; 2])> {
        let is_free = |joint: &&Joint| joint.kind.nv() == 1 && !self.is_follower(joint.v_index);
        let single = self.joints.iter().filter(is_free);
        single.filter_map(|joint| Some((joint, joint.range?)))
    }

    /// Whether one of two bodies is the other's parent.
    pub fn share_a_joint(&self, a: BodyId, b: BodyId) -> bool {
        self.bodies[a.0].parent == Some(b) || self.bodies[b.0].parent == Some(a)
    }

    /// Whether `body` is `ancestor` or in its subtree.
    pub fn is_within(&self, mut body: BodyId, ancestor: BodyId) -> bool {
        loop {
            if body == ancestor {
                return true;
            }
            match self.bodies[body.0].parent {
                Some(parent) => body = parent,
                None => return false,
            }
        }
    }
}
