//! Legs, arms and head of a body from its tree, shapes and rest pose.

use super::names::{says, side_of_name};
use super::soles::low_points;
use super::tree::MovingTree;
use nalgebra::Vector3;

/// Largest height of the lowest point of a foot above the ground, as a share of the height of the centre of
/// mass.
const LOW: f64 = 0.04;
/// Largest height of the points of a sole, as a share of the same height.
const SOLE: f64 = 0.02;

/// Words in names of arms, and words that no arm's name has.
const ARM_WORDS: [&str; 6] = ["shoulder", "elbow", "wrist", "hand", "gripper", "arm"];
const LEG_WORDS: [&str; 11] =
    ["hip", "knee", "ankle", "foot", "leg", "thigh", "shin", "calf", "femur", "tibia", "toe"];

/// A limb that reaches the ground.
pub(super) struct LegChain {
    /// First body of the leg.
    pub top: usize,
    /// The foot.
    pub foot: usize,
    /// Body of the foot's lowest shape: `foot`, or one welded to it.
    pub footing: usize,
    /// Bodies that may touch the ground.
    pub low: Vec<usize>,
    /// Points of the sole with their bodies, world axes, m.
    pub sole: Vec<(usize, Vector3<f64>)>,
}

impl LegChain {
    /// Centre of the sole, world axes, m.
    pub(super) fn middle(&self) -> Vector3<f64> {
        let points = || self.sole.iter().map(|(_, point)| point);
        let least = points().fold(Vector3::repeat(f64::INFINITY), |least, point| least.inf(point));
        let most = points().fold(Vector3::repeat(f64::NEG_INFINITY), |most, point| most.sup(point));
        Vector3::new(0.5 * (least.x + most.x), 0.5 * (least.y + most.y), least.z)
    }

    /// 1 if its names indicate left, −1 right, 0 neither.
    pub(super) fn side(&self, tree: &MovingTree) -> i32 {
        self.names(tree).map(side_of_name).sum::<i32>().signum()
    }

    /// Whether its names indicate an arm, which is lowest in a body without legs.
    fn is_called_arm(&self, tree: &MovingTree) -> bool {
        self.names(tree).any(|name| says(name, &ARM_WORDS))
            && !self.names(tree).any(|name| says(name, &LEG_WORDS))
    }

    /// The names of its bodies and joints.
    fn names<'a>(&self, tree: &'a MovingTree) -> impl Iterator<Item = &'a str> {
        let above = tree.parent(self.top);
        let bodies = tree.ancestors(self.foot).take_while(move |&body| Some(body) != above);
        bodies.flat_map(|body| {
            let joints = tree.model.joints[tree.model.bodies[body].joints.clone()].iter();
            let joints = joints.map(|joint| joint.name.as_str());
            std::iter::once(tree.model.bodies[body].name.as_str()).chain(joints)
        })
    }
}

/// The legs of a body, and the body they are attached to.
pub(super) fn legs(tree: &MovingTree, height: f64) -> (usize, Vec<LegChain>) {
    let collides = tree.model.geoms.iter().any(|geom| geom.collides && geom.body.is_some());
    // The end of a limb without shapes (if its meshes were not read) is given by its joint and its mass.
    let bare_end = |body: usize| {
        let ends = [tree.poses[body].translation.vector, tree.mass(body).1];
        if tree.children(body).next().is_none() { ends.to_vec() } else { Vec::new() }
    };
    let points_of = |body: usize| {
        let points = low_points(tree, body, collides);
        if points.is_empty() { bare_end(body) } else { points }
    };
    let points: Vec<(usize, Vec<Vector3<f64>>)> = tree.bodies().map(|body| (body, points_of(body))).collect();
    let lowest = |points: &[Vector3<f64>]| points.iter().map(|point| point.z).fold(f64::INFINITY, f64::min);
    let ground = points.iter().map(|(_, points)| lowest(points)).fold(f64::INFINITY, f64::min);
    let is_low = |points: &[Vector3<f64>], share: f64| lowest(points) < ground + share * height;
    let low: Vec<usize> =
        points.iter().filter(|(_, points)| is_low(points, LOW)).map(|(body, _)| *body).collect();
    let root = 0;
    // With one leg, the pelvis is the root.
    let pelvis = tree.common_ancestor(&low).filter(|above| !low.contains(above)).unwrap_or(root);
    let mut legs: Vec<LegChain> = Vec::new();
    for &body in low.iter().filter(|&&body| body != pelvis) {
        let Some(top) = tree.first_below(pelvis, body) else { continue };
        match legs.iter_mut().find(|leg| leg.top == top) {
            Some(leg) => leg.low.push(body),
            None => legs.push(LegChain { top, foot: body, footing: body, low: vec![body], sole: Vec::new() }),
        }
    }
    legs.retain(|leg| !leg.is_called_arm(tree));
    for leg in &mut legs {
        let of =
            |body: usize| points.iter().find(|(own, _)| *own == body).map_or(&[][..], |(_, points)| points);
        let on_ground = leg.low.iter().copied().filter(|&body| is_low(of(body), SOLE));
        leg.foot = on_ground.min_by_key(|&body| tree.depth(body)).unwrap_or(leg.foot);
        leg.footing = footing(tree, leg.foot, height).unwrap_or(leg.foot);
        // For a leg in the air, its lowest points.
        let below = leg.low.iter().map(|&body| lowest(of(body))).fold(f64::INFINITY, f64::min);
        let all = leg.low.iter().flat_map(|&body| of(body).iter().map(move |point| (body, *point)));
        leg.sole = all.filter(|(_, point)| point.z < below + SOLE * height).collect();
    }
    (pelvis, legs)
}

/// Smallest mass of a footing, as a share of the parts that touch and are welded together: pads and sensors under a
/// foot are lighter.
const FOOTING: f64 = 0.1;

/// Largest height of a heavier part above such a pad, as a share of the height of the centre of mass.
const PAD: f64 = 0.005;

/// Body of the lowest shape of a body and of those welded to it; a light one only where no heavier one reaches nearly
/// as low. `height`: that of the centre of mass, m.
fn footing(tree: &MovingTree, foot: usize, height: f64) -> Option<usize> {
    let touching = tree.geoms(foot).filter(|geom| geom.collides);
    let place = |geom: &crate::model::Geom| Some((geom.body?.0, geom.shape.lowest_point(&tree.pose(geom))));
    let mut parts: Vec<(usize, f64)> = touching.filter_map(place).collect();
    parts.sort_by(|(_, a), (_, b)| a.total_cmp(b));
    let &(lowest, ground) = parts.first()?;
    let mass = |body: usize| tree.model.bodies[body].inertia.mass;
    let mut bodies: Vec<usize> = parts.iter().map(|(body, _)| *body).collect();
    bodies.sort_unstable();
    bodies.dedup();
    let least = FOOTING * bodies.into_iter().map(mass).sum::<f64>();
    let mut low = parts.iter().filter(|(_, at)| at - ground < PAD * height);
    Some(low.find(|(body, _)| mass(*body) >= least).map_or(lowest, |(body, _)| *body))
}

/// Limbs that are not legs and end beside the trunk: first and last body of each arm, left ones first, and
/// the body to which all are attached.
pub(super) struct Arms {
    pub left: Vec<usize>,
    pub right: Vec<usize>,
}

impl Arms {
    /// The arms of one side.
    pub(super) fn of(&self, side: &str) -> &[usize] {
        if side == "left" { &self.left } else { &self.right }
    }

    /// The ends of both sides, left ones first.
    pub(super) fn ends(&self) -> Vec<usize> {
        [self.left.as_slice(), &self.right].concat()
    }
}

/// Smallest distance of an arm's end from the median plane, as a share of the height of the centre of mass.
const BESIDE: f64 = 0.1;

/// Ends of arms; `left` is a unit vector to the left, `middle` a point of the median plane, m.
pub(super) fn arms(
    tree: &MovingTree,
    legs: &[LegChain],
    left: &Vector3<f64>,
    middle: &Vector3<f64>,
    height: f64,
) -> Arms {
    let in_leg = |body: usize| legs.iter().any(|leg| tree.is_within(body, leg.top));
    let ends = tree.bodies().filter(|&body| !in_leg(body) && tree.children(body).all(in_leg));
    let mut arms = Arms { left: Vec::new(), right: Vec::new() };
    for end in ends {
        let aside = (tree.mass(end).1 - middle).dot(left) / height;
        if aside > BESIDE {
            arms.left.push(end);
        } else if aside < -BESIDE {
            arms.right.push(end);
        }
    }
    // Arms occur in pairs: a limb on one side only is not an arm.
    if arms.left.is_empty() || arms.right.is_empty() {
        return Arms { left: Vec::new(), right: Vec::new() };
    }
    arms
}

/// End of an arm without its fingers: where several bodies branch from one, that one.
pub(super) fn hand(tree: &MovingTree, upper_arm: usize, ends: &[usize]) -> usize {
    let mut hand = upper_arm;
    loop {
        let mut next =
            tree.children(hand).filter(|&child| ends.iter().any(|&end| tree.is_within(end, child)));
        match (next.next(), next.next()) {
            (Some(only), None) => hand = only,
            _ => return hand,
        }
    }
}
