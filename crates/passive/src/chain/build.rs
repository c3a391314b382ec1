//! From specifications to a chain in its elimination order.

use super::body::{BodyVelocity, ChainBody};
use super::extra::{Ball, Extra, Penalty, PoseDrive};
use super::factor::{TreeFactor, TreeVector};
use super::joint::{ChainJoint, RigidPose, Turning};
use super::order::{TreePosition, places};
use super::spec::{BodySpec, ChainError, JointSpec};
use super::step::COUPLED;
use super::{Chain, Mount, Parent};
use nalgebra::{UnitQuaternion, Vector3};

const WORLD: RigidPose = RigidPose {
    position: Vector3::new(0.0, 0.0, 0.0),
    orientation: UnitQuaternion::new_unchecked(nalgebra::Quaternion::new(1.0, 0.0, 0.0, 0.0)),
};

/// Positions of bodies in memory, and which of them have children.
struct MemoryOrder {
    place_of: Vec<usize>,
    has_no_child: Vec<bool>,
    is_last_child: Vec<bool>,
}

impl MemoryOrder {
    fn of(places: &[TreePosition]) -> Self {
        let count = places.len();
        let mut place_of = vec![0; count];
        let mut has_no_child = vec![true; count];
        let mut last_child = vec![None; count];
        for (index, place) in places.iter().enumerate() {
            place_of[place.body] = index;
            if let Some(parent) = place.parent {
                has_no_child[parent] = false;
                last_child[parent] = Some(index);
            }
        }
        let mut is_last_child = vec![false; count];
        last_child.into_iter().flatten().for_each(|child| is_last_child[child] = true);
        MemoryOrder { place_of, has_no_child, is_last_child }
    }
}

/// The joints to the world.
fn anchors(joints: &[JointSpec]) -> Vec<usize> {
    let anchors = joints.iter().enumerate().filter(|(_, joint)| joint.other.is_none());
    anchors.map(|(index, _)| index).collect()
}

fn factor(places: &[TreePosition], joints: &[ChainJoint]) -> Option<TreeFactor<COUPLED>> {
    let rows: Vec<usize> = places
        .iter()
        .zip(joints)
        .map(|(place, joint)| if place.joint.is_some() { joint.rows() } else { 0 })
        .collect();
    let tree: Vec<Option<usize>> = places.iter().map(|place| place.parent).collect();
    TreeFactor::new(&tree, &rows)
}

fn pose(body: &BodySpec) -> RigidPose {
    RigidPose { position: body.position, orientation: body.orientation }
}

/// The parent of a body, and the joint. `anchors` are the joints to the world.
fn link_to_parent(
    place: &TreePosition,
    places: &[TreePosition],
    bodies: &[BodySpec],
    joints: &[JointSpec],
    anchors: &[usize],
) -> (Parent, ChainJoint) {
    let mount = place.joint.and_then(|joint| anchors.iter().position(|anchor| *anchor == joint));
    let parent = match (place.parent, mount) {
        (Some(parent), _) => Parent::Body(parent),
        (None, Some(mount)) => Parent::Mount(mount),
        (None, None) => Parent::Nothing,
    };
    let Some(spec) = place.joint.map(|joint| &joints[joint]) else { return (parent, ChainJoint::none()) };
    let own = &bodies[place.body];
    let other = place.parent.map(|parent| &bodies[places[parent].body]);
    let parent_pose = other.map_or(WORLD, pose);
    let mass = other.map_or(own.mass, |other| own.mass.min(other.mass));
    (parent, ChainJoint::new(spec, spec.body != place.body, [&pose(own), &parent_pose], mass))
}

impl Chain {
    /// A chain at rest in the pose of the specifications. Joints to the world become [`Mount`]s, in their order.
    ///
    /// # Errors
    ///
    /// If a joint names a body that does not exist, closes a loop or has invalid numbers, or a body's mass or inertia
    /// is not positive.
    pub fn new(bodies: &[BodySpec], joints: &[JointSpec]) -> Result<Chain, ChainError> {
        bodies.iter().try_for_each(BodySpec::check)?;
        let places = places(bodies.len(), joints)?;
        joints.iter().try_for_each(JointSpec::check)?;
        let anchors = anchors(joints);
        let count = bodies.len();
        let (parents, runtime): (Vec<Parent>, Vec<ChainJoint>) =
            places.iter().map(|place| link_to_parent(place, &places, bodies, joints, &anchors)).unzip();
        let MemoryOrder { place_of, has_no_child, is_last_child } = MemoryOrder::of(&places);
        let inertia_fault = |body: usize| ChainError::Inertia { body: bodies[body].name.clone() };
        let poses: Vec<RigidPose> = places.iter().map(|place| pose(&bodies[place.body])).collect();
        Ok(Chain {
            gravity: Vector3::new(0.0, 0.0, -9.81),
            wind: Vector3::zeros(),
            closings: 0,
            mounts: vec![Mount { pose: WORLD, motion: BodyVelocity::default() }; anchors.len()],
            drives: Vec::new(),
            obstacles: Vec::new(),
            penalty: Penalty::default(),
            time: 0.0,
            body_at: places.iter().map(|place| place.body).collect(),
            names: bodies.iter().map(|body| body.name.clone()).collect(),
            bodies: places
                .iter()
                .map(|place| ChainBody::new(&bodies[place.body]).ok_or_else(|| inertia_fault(place.body)))
                .collect::<Result<_, _>>()?,
            factor: factor(&places, &runtime).ok_or_else(|| inertia_fault(0))?,
            unknowns: TreeVector::zeros(count),
            retained: true,
            pulls: vec![0.0; count],
            closing: TreeVector::zeros(count),
            motions: vec![BodyVelocity::default(); count],
            next_motions: vec![BodyVelocity::default(); count],
            external: vec![[0.0; 6]; count],
            next_poses: poses.clone(),
            joints: runtime,
            place_of,
            parents,
            has_no_child,
            is_last_child,
            poses,
            balls: Vec::new(),
            groups: Vec::new(),
            extras: Vec::new(),
            pushes: Vec::new(),
            touches: Vec::new(),
        })
    }

    /// Adds a drive and returns its index in `drives`.
    pub fn add_drive(&mut self, drive: PoseDrive) -> usize {
        self.give_extra(drive.body);
        self.drives.push(drive);
        self.drives.len() - 1
    }

    /// Adds a ball that collides with obstacles, and returns its index.
    pub fn add_ball(&mut self, ball: Ball) -> usize {
        self.give_extra(ball.body);
        self.balls.push(ball);
        self.groups.iter_mut().for_each(|group| group.passed_by.push(false));
        self.balls.len() - 1
    }

    fn give_extra(&mut self, body: usize) {
        let extra = &mut self.bodies[self.place_of[body]].extra;
        if extra.is_none() {
            *extra = Some(self.extras.len());
            self.extras.push(Extra::default());
        }
    }
}

impl ChainJoint {
    /// The joint of a floating root.
    fn none() -> ChainJoint {
        ChainJoint {
            turning: Turning::Spherical { most: None },
            anchor: Vector3::zeros(),
            parent_anchor: Vector3::zeros(),
            rest: UnitQuaternion::identity(),
            reach: 0.0,
            lighter: 1.0,
            stiffness: 0.0,
            damping: 0.0,
            stop_stiffness: 0.0,
        }
    }
}
