//! Roles of single hinges (hip, knee, ankle, shoulder, elbow, wrist, back) from their axes at rest.

use super::limbs::LegChain;
use super::tree::MovingTree;
use super::{BodyId, JointId, LegRole, Roles};
use crate::model::{JointKind, Model};
use nalgebra::{Point3, UnitQuaternion, Vector3};

/// Smallest cosine between a hinge's axis and the direction of its role.
const ABOUT: f64 = 0.6;
/// Smallest such cosine in the back, where several hinges have similar axes.
const ALONG: f64 = 0.8;
/// Smallest distance of a knee or elbow from both ends of its limb, as a share of the limb's length.
const BETWEEN: f64 = 0.15;

/// A hinge in the rest pose, world axes.
struct RestHinge {
    joint: JointId,
    /// Unit axis.
    axis: Vector3<f64>,
    /// Point on the axis, m.
    at: Vector3<f64>,
}

/// Forward, left and up of a model at rest.
pub(super) struct AnatomicalAxes([(&'static str, Vector3<f64>); 3]);

impl AnatomicalAxes {
    pub(super) fn new(forward: &UnitQuaternion<f64>) -> Self {
        let axis = |local: Vector3<f64>| forward * local;
        AnatomicalAxes([("x", axis(Vector3::x())), ("y", axis(Vector3::y())), ("z", axis(Vector3::z()))])
    }

    fn forward(&self) -> &Vector3<f64> {
        &self.0[0].1
    }

    fn left(&self) -> &Vector3<f64> {
        &self.0[1].1
    }
}

/// The hinges of these bodies, in order.
fn hinges(tree: &MovingTree, bodies: impl Iterator<Item = usize>) -> Vec<RestHinge> {
    let model = tree.model;
    let of_body = |body: usize| model.bodies[body].joints.clone().map(move |joint| (body, joint));
    let hinge = |(body, index): (usize, usize)| {
        let (joint, pose) = (&model.joints[index], &tree.poses[body]);
        let JointKind::Hinge { axis } = joint.kind else { return None };
        let at = pose.transform_point(&Point3::from(joint.anchor)).coords;
        let is_root = model.is_root(joint.v_index);
        (!is_root).then(|| RestHinge { joint: JointId(index), axis: pose.rotation * axis, at })
    };
    bodies.flat_map(of_body).filter_map(hinge).collect()
}

/// The bodies from `high` down to `low` in its subtree.
fn chain(tree: &MovingTree, high: usize, low: usize) -> Vec<usize> {
    let mut bodies: Vec<usize> =
        tree.ancestors(low).take_while(|&body| Some(body) != tree.parent(high)).collect();
    bodies.reverse();
    bodies
}

/// Names of a limb's roles: at its root, in its middle, and at its end.
pub(super) struct LimbNames {
    /// Role at the root, such as `left_hip`: hinges about forward, left and up.
    pub first: String,
    /// Role in the middle, such as `left_knee`.
    pub middle: String,
    /// Role at the end, such as `left_ankle`: hinges about forward and left; for `left_wrist` only about forward.
    pub last: String,
}

/// The hinge that bends a limb in its middle, among its hinges from the root; `tip` is its end, world axes,
/// m.
fn middle(hinges: &[RestHinge], tip: &Vector3<f64>) -> Option<usize> {
    let begin = hinges.first()?.at;
    // It is far from both ends, and does not twist the limb about its own axis.
    let bend = |hinge: &RestHinge| {
        let way = tip - hinge.at;
        let across = hinge.axis.cross(&way).norm() / way.norm().max(f64::EPSILON);
        (hinge.at - begin).norm().min(way.norm()) * across
    };
    let middle = (0..hinges.len()).max_by(|&a, &b| bend(&hinges[a]).total_cmp(&bend(&hinges[b])));
    middle.filter(|&index| bend(&hinges[index]) > BETWEEN * (tip - begin).norm())
}

/// Hip, ankle and length of a leg.
pub(super) fn leg(tree: &MovingTree, leg: &LegChain, across: f64, directions: &AnatomicalAxes) -> LegRole {
    let model = tree.model;
    let hinges = hinges(tree, chain(tree, leg.top, leg.foot).into_iter());
    let knee = middle(&hinges, &leg.middle());
    let point = |hinge: &RestHinge| {
        let joint = &model.joints[hinge.joint.0];
        (joint.body, joint.anchor)
    };
    let above_knee = &hinges[..knee.unwrap_or(hinges.len())];
    let swinging = best(above_knee, directions.left()).map(|(hinge, _)| hinge).or(above_knee.first());
    let hip = swinging.map_or((BodyId(leg.top), Vector3::zeros()), point);
    let of_foot = model.bodies[leg.foot].joints.clone().last();
    let ankle = (BodyId(leg.foot), of_foot.map_or(Vector3::zeros(), |joint| model.joints[joint].anchor));
    let length = match knee.map(|knee| point(&hinges[knee])) {
        Some(knee) => between(model, hip, knee) + between(model, knee, ankle),
        None => between(model, hip, ankle),
    };
    let from_hip = leg.middle() - (tree.poses[hip.0.0] * nalgebra::Point3::from(hip.1)).coords;
    let stance = [directions.forward(), directions.left()].map(|along| from_hip.dot(along));
    LegRole { top: BodyId(leg.top), across, hip, ankle, length, stance }
}

/// Distance of a point and one of a body in its subtree if all joints between them are straight, m.
fn between(model: &Model, high: (BodyId, Vector3<f64>), low: (BodyId, Vector3<f64>)) -> f64 {
    let (mut body, mut point) = low;
    while let Some(parent) = model.bodies[body.0].parent.filter(|_| body != high.0) {
        point = model.bodies[body.0].position + model.bodies[body.0].orientation * point;
        body = parent;
    }
    (point - high.1).norm()
}

/// Finds the hinges of a limb from `top` to `end`, whose last point is `tip` (world axes, m).
pub(super) fn of_limb(
    tree: &MovingTree,
    roles: &mut Roles,
    names: &LimbNames,
    directions: &AnatomicalAxes,
    [top, end]: [usize; 2],
    tip: &Vector3<f64>,
) {
    let hinges = hinges(tree, chain(tree, top, end).into_iter());
    let Some(middle) = middle(&hinges, tip) else {
        return by_axis(roles, &names.first, &hinges, directions);
    };
    by_axis(roles, &names.first, &hinges[..middle], directions);
    let bending = &hinges[middle];
    let motion = bending.axis.cross(&(tip - bending.at));
    // For arms stretched out to the sides, the direction that lowers the hand.
    let backward = -motion.dot(directions.forward()) - 0.1 * motion.z;
    roles.set_hinge(&names.middle, bending.joint, if backward < 0.0 { -1.0 } else { 1.0 });
    by_axis(roles, &names.last, &hinges[middle + 1..], directions);
    // A role with a single name is about forward.
    let about_forward = best(&hinges[middle + 1..], directions.forward());
    if let Some((hinge, sign)) = about_forward {
        roles.set_hinge(&names.last, hinge.joint, sign);
    }
}

/// The hinge of a toe: the first of these bodies' hinges about left.
pub(super) fn of_toe(
    tree: &MovingTree,
    roles: &mut Roles,
    name: &str,
    directions: &AnatomicalAxes,
    bodies: impl Iterator<Item = usize>,
) {
    let hinges = hinges(tree, bodies);
    if let Some(hinge) = hinges.iter().find(|hinge| hinge.axis.dot(directions.left()).abs() > ABOUT) {
        roles.set_hinge(name, hinge.joint, hinge.axis.dot(directions.left()).signum());
    }
}

/// Hinges of the lower back: from the pelvis on, the first about each axis. `bodies` begin at the pelvis; the
/// hinges of `turned` move the pelvis relative to the chest, so their sign is reversed.
pub(super) fn of_back(
    tree: &MovingTree,
    roles: &mut Roles,
    directions: &AnatomicalAxes,
    turned: &[usize],
    bodies: &[usize],
) {
    let carrying = hinges(tree, turned.iter().copied());
    let carried = hinges(tree, bodies.iter().copied());
    let all = carrying.iter().map(|hinge| (hinge, -1.0)).chain(carried.iter().map(|hinge| (hinge, 1.0)));
    let all: Vec<(&RestHinge, f64)> = all.collect();
    let mut lower = Vec::new();
    for (axis, direction) in &directions.0 {
        let along = |hinge: &RestHinge| hinge.axis.dot(direction);
        let first = all.iter().find(|(hinge, _)| along(hinge).abs() > ALONG && !lower.contains(&hinge.joint));
        if let Some((hinge, way)) = first {
            roles.set_hinge(&format!("lower_back_{axis}"), hinge.joint, way * along(hinge).signum());
            lower.push(hinge.joint);
        }
    }
    let upper: Vec<JointId> =
        roles.joints("back").unwrap_or_default().into_iter().filter(|joint| !lower.contains(joint)).collect();
    lower.sort_unstable();
    roles.set_joints("lower_back", lower);
    roles.set_joints("upper_back", upper);
}

/// Assigns to each axis the hinge with the nearest axis, the best match first.
fn by_axis(roles: &mut Roles, name: &str, hinges: &[RestHinge], directions: &AnatomicalAxes) {
    let mut taken: Vec<JointId> = Vec::new();
    let mut left: Vec<&(&str, Vector3<f64>)> = directions.0.iter().collect();
    while !left.is_empty() {
        let free = hinges.iter().filter(|hinge| !taken.contains(&hinge.joint));
        let pairs = free.flat_map(|hinge| {
            left.iter().enumerate().map(move |(index, (_, axis))| (hinge, index, hinge.axis.dot(axis)))
        });
        let near = pairs.filter(|(.., cosine)| cosine.abs() > ABOUT);
        // Of equally near hinges, the first.
        let nearest = near.reduce(|best, next| if next.2.abs() > best.2.abs() + 1e-9 { next } else { best });
        let Some((hinge, index, cosine)) = nearest else { return };
        let (axis, _) = left.remove(index);
        roles.set_hinge(&format!("{name}_{axis}"), hinge.joint, cosine.signum());
        taken.push(hinge.joint);
    }
}

/// The hinge nearest to an axis, and the sign of its angle about it.
fn best<'a>(hinges: &'a [RestHinge], axis: &Vector3<f64>) -> Option<(&'a RestHinge, f64)> {
    let near = hinges.iter().map(|hinge| (hinge, hinge.axis.dot(axis)));
    let best = near.filter(|(_, cosine)| cosine.abs() > ABOUT).max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()));
    best.map(|(hinge, cosine)| (hinge, cosine.signum()))
}
