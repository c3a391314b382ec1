//! What the parts of a model are, told from its tree, its shapes and its rest pose; left and right also from names.

use super::limbs::{self, Leg};
use super::tree::MovingTree;
use super::{BodyId, JointId, POINTS, Roles};
use crate::math::elementary::{atan2, sincos};
use crate::model::{Model, Site};
use nalgebra::{UnitQuaternion, Vector3};

/// Turns smaller than this are round-off of a rest pose, rad.
const UPRIGHT: f64 = 1e-6;
/// A model that faces along x but for this faces along x, rad.
const STRAIGHT: f64 = 0.2;

/// Finds the roles of a model, and gives it the sites of [`POINTS`] that it lacks.
pub fn detect(model: &mut Model) -> Roles {
    let height = model.rest_com_height();
    if model.bodies.is_empty() || !(height.is_finite() && height > 0.0) {
        return Roles::default();
    }
    let tree = MovingTree::new(model);
    let (pelvis, legs) = limbs::legs(&tree, height);
    let facing = facing(&tree, &legs);
    let forward = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), facing);
    let left = forward * Vector3::y();
    let middle = middle(&tree, &legs);
    let beside = |leg: &Leg| (leg.middle() - middle).dot(&left);

    let mut roles = Roles { facing, axes: axes(&tree, &forward), ..Roles::default() };
    roles.feet = legs.iter().map(|leg| BodyId(leg.footing)).collect();
    roles.feet.sort_unstable();
    roles.legs = legs.iter().map(|leg| (BodyId(leg.top), beside(leg))).collect();
    let arms = limbs::arms(&tree, &legs, &left, &middle, height);
    let both = |arms: &limbs::Arms| [arms.left.as_slice(), arms.right.as_slice()].concat();
    let has_arms = !arms.left.is_empty() && !arms.right.is_empty();
    let chest = has_arms.then(|| tree.common_ancestor(&both(&arms))).flatten().unwrap_or(pelvis);
    roles.set_body("chest", BodyId(chest));
    roles.set_body("pelvis", BodyId(pelvis));
    let in_leg = |body: usize| legs.iter().any(|leg| tree.is_within(body, leg.top));
    let in_arm = |body: usize| {
        let top = tree.first_below(chest, body);
        has_arms && top.is_some_and(|top| both(&arms).iter().any(|&end| tree.is_within(end, top)))
    };
    let high = |body: &usize| tree.mass(*body).1.z;
    let above = tree.bodies().filter(|&body| {
        body != chest
            && tree.is_within(body, chest)
            && !in_leg(body)
            && !in_arm(body)
            && high(&body) > high(&chest)
    });
    let head = above.max_by(|a, b| high(a).total_cmp(&high(b))).unwrap_or(chest);
    roles.set_body("head", BodyId(head));
    let mut soles = Vec::new();
    // Of more than two legs, the pair in front has the names.
    let front = |leg: &Leg| (leg.middle() - middle).dot(&(forward * Vector3::x()));
    for (side, sign) in [("left", 1.0), ("right", -1.0)] {
        let on_side = legs.iter().filter(|leg| legs.len() > 1 && sign * beside(leg) > 0.0);
        if let Some(leg) = on_side.max_by(|a, b| front(a).total_cmp(&front(b))) {
            roles.set_body(&format!("{side}_thigh"), BodyId(leg.top));
            roles.set_body(&format!("{side}_foot"), BodyId(leg.footing));
            soles.push((format!("{side}_sole"), leg.footing, leg.middle()));
        }
        let ends = if side == "left" { &arms.left } else { &arms.right };
        let upper = ends.iter().filter_map(|&end| tree.first_below(chest, end)).min();
        if let (Some(upper), true) = (upper, has_arms) {
            roles.set_body(&format!("{side}_upper_arm"), BodyId(upper));
            roles.set_body(&format!("{side}_hand"), BodyId(limbs::hand(&tree, upper, ends)));
        }
    }
    let is_root = |joint: JointId| model.is_root(model.joints[joint.0].v_index);
    let joints = |of: &dyn Fn(usize) -> bool| -> Vec<JointId> {
        let all = (0..model.joints.len()).map(JointId);
        all.filter(|&joint| !is_root(joint) && of(model.joints[joint.0].body.0)).collect()
    };
    let below_foot = |body: usize| legs.iter().any(|leg| body != leg.foot && tree.is_within(body, leg.foot));
    let between = |body: usize| {
        let of_path =
            |low: usize, high: usize| body != high && tree.is_within(body, high) && tree.is_within(low, body);
        match tree.common_ancestor(&[pelvis, chest]) {
            Some(shared) => of_path(pelvis, shared) || of_path(chest, shared),
            None => false,
        }
    };
    let on_chest = |body: usize| body != chest && tree.is_within(body, chest);
    let neck = |body: usize| on_chest(body) && !in_leg(body) && !in_arm(body) && !between(body);
    let groups: [(&str, Vec<JointId>); 5] = [
        ("arms", joints(&|body| in_arm(body) && !in_leg(body) && !between(body))),
        ("neck", joints(&neck)),
        ("back", joints(&between)),
        ("legs", joints(&|body| in_leg(body) && !below_foot(body))),
        ("toes", joints(&below_foot)),
    ];
    for (name, joints) in groups {
        roles.set_joints(name, joints);
    }
    let sites: Vec<Site> =
        soles.into_iter().map(|(name, foot, point)| sole(&tree, name, foot, &point, &forward)).collect();
    for site in sites {
        if POINTS.iter().any(|(name, _)| *name == site.name) && model.site(&site.name).is_none() {
            model.sites.push(site);
        }
    }
    roles
}

/// A site at a point of the rest pose, its axes forward, left and up there.
fn sole(
    tree: &MovingTree,
    name: String,
    foot: usize,
    point: &Vector3<f64>,
    forward: &UnitQuaternion<f64>,
) -> Site {
    let pose = &tree.poses[foot];
    Site {
        name,
        body: Some(BodyId(foot)),
        position: pose.inverse_transform_point(&(*point).into()).coords,
        orientation: pose.rotation.inverse() * forward,
        line: tree.model.bodies[foot].line,
    }
}

/// A point between left and right, on the ground, m.
fn middle(tree: &MovingTree, legs: &[Leg]) -> Vector3<f64> {
    if legs.len() < 2 {
        return tree.model.centre_of_mass(&tree.poses);
    }
    legs.iter().map(Leg::middle).sum::<Vector3<f64>>() / legs.len() as f64
}

/// Where the model faces, rad from world x.
fn facing(tree: &MovingTree, legs: &[Leg]) -> f64 {
    let sides: Vec<(i32, Vector3<f64>)> = legs.iter().map(|leg| (leg.side(tree), leg.middle())).collect();
    let mean = |side: i32| {
        let of_side: Vec<&Vector3<f64>> =
            sides.iter().filter(|(own, _)| *own == side).map(|(_, at)| at).collect();
        (!of_side.is_empty()).then(|| of_side.iter().copied().sum::<Vector3<f64>>() / of_side.len() as f64)
    };
    let towards = |left: Vector3<f64>| {
        let forward = left.cross(&Vector3::z());
        atan2(forward.y, forward.x)
    };
    let told = match (mean(1), mean(-1), legs) {
        (Some(left), Some(right), _) => towards(left - right),
        // Names say nothing: a body with two legs faces across the line between its feet, by the way of its toes.
        (_, _, [one, other]) => {
            let along = towards(one.middle() - other.middle());
            let ahead: Vector3<f64> =
                legs.iter().map(|leg| leg.middle() - tree.poses[leg.foot].translation.vector).sum();
            let (sine, cosine) = sincos(along);
            let agrees = if cosine.abs() > 0.5 { cosine } else { ahead.x * cosine + ahead.y * sine };
            if agrees < 0.0 { along + std::f64::consts::PI } else { along }
        }
        _ => 0.0,
    };
    let whole = std::f64::consts::TAU;
    let told = told - whole * (told / whole).round();
    if told.abs() < STRAIGHT { 0.0 } else { told }
}

/// For each body, from axes that are forward, left and up to its own.
fn axes(tree: &MovingTree, forward: &UnitQuaternion<f64>) -> Vec<Option<UnitQuaternion<f64>>> {
    let turn = |pose: &nalgebra::Isometry3<f64>| {
        let turn = pose.rotation.inverse() * forward;
        (turn.angle() > UPRIGHT).then_some(turn)
    };
    tree.poses.iter().map(turn).collect()
}
