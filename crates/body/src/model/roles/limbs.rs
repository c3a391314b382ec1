//! Legs, arms and head of a body, told from its tree, its shapes and its rest pose.

use super::names::says;
use super::side::of_name;
use super::soles::low_points;
use super::tree::MovingTree;
use nalgebra::Vector3;

/// Bodies whose lowest point is no higher than this above the ground may be feet, of the height of the centre of mass.
const LOW: f64 = 0.04;
/// Points no higher than this belong to a sole, of the same height.
const SOLE: f64 = 0.02;

/// Words of arms, and of what no arm has.
const ARM_WORDS: [&str; 6] = ["shoulder", "elbow", "wrist", "hand", "gripper", "arm"];
const LEG_WORDS: [&str; 11] =
    ["hip", "knee", "ankle", "foot", "leg", "thigh", "shin", "calf", "femur", "tibia", "toe"];

/// A limb that reaches the ground.
pub(super) struct Leg {
    /// Where it begins.
    pub top: usize,
    /// What it stands on.
    pub foot: usize,
    /// The body of the lowest shape of the foot: `foot`, or one that is welded to it.
    pub footing: usize,
    /// What of it may touch the ground.
    pub low: Vec<usize>,
    /// Points of its sole with their bodies, world, m.
    pub sole: Vec<(usize, Vector3<f64>)>,
}

impl Leg {
    /// The middle of its sole, world, m.
    pub fn middle(&self) -> Vector3<f64> {
        let points = || self.sole.iter().map(|(_, point)| point);
        let least = points().fold(Vector3::repeat(f64::INFINITY), |least, point| least.inf(point));
        let most = points().fold(Vector3::repeat(f64::NEG_INFINITY), |most, point| most.sup(point));
        Vector3::new(0.5 * (least.x + most.x), 0.5 * (least.y + most.y), least.z)
    }

    /// 1 where its names say left, −1 where they say right, 0 where they say neither.
    pub fn side(&self, tree: &MovingTree) -> i32 {
        self.names(tree).map(of_name).sum::<i32>().signum()
    }

    /// Whether its names say that it is an arm: what hangs lowest of a body without legs.
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

/// The legs of a body, and what they hang on.
pub(super) fn legs(tree: &MovingTree, height: f64) -> (usize, Vec<Leg>) {
    let collides = tree.model.geoms.iter().any(|geom| geom.collides && geom.body.is_some());
    // The end of a limb without shapes, as where its meshes were not read, is its joint and its mass.
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
    // A body of one leg hangs on its root.
    let pelvis = tree.common_ancestor(&low).filter(|above| !low.contains(above)).unwrap_or(root);
    let mut legs: Vec<Leg> = Vec::new();
    for &body in low.iter().filter(|&&body| body != pelvis) {
        let Some(top) = tree.first_below(pelvis, body) else { continue };
        match legs.iter_mut().find(|leg| leg.top == top) {
            Some(leg) => leg.low.push(body),
            None => legs.push(Leg { top, foot: body, footing: body, low: vec![body], sole: Vec::new() }),
        }
    }
    legs.retain(|leg| !leg.is_called_arm(tree));
    for leg in &mut legs {
        let of =
            |body: usize| points.iter().find(|(own, _)| *own == body).map_or(&[][..], |(_, points)| points);
        let on_ground = leg.low.iter().copied().filter(|&body| is_low(of(body), SOLE));
        leg.foot = on_ground.min_by_key(|&body| tree.depth(body)).unwrap_or(leg.foot);
        leg.footing = footing(tree, leg.foot).unwrap_or(leg.foot);
        // Of a leg in the air, what is lowest.
        let below = leg.low.iter().map(|&body| lowest(of(body))).fold(f64::INFINITY, f64::min);
        let all = leg.low.iter().flat_map(|&body| of(body).iter().map(move |point| (body, *point)));
        leg.sole = all.filter(|(_, point)| point.z < below + SOLE * height).collect();
    }
    (pelvis, legs)
}

/// The body of the lowest shape of a body and of what is welded to it.
fn footing(tree: &MovingTree, foot: usize) -> Option<usize> {
    let touching = tree.geoms(foot).filter(|geom| geom.collides);
    let height = |geom: &&crate::model::Geom| geom.shape.lowest_point(&tree.pose(geom));
    let lowest = touching.min_by(|a, b| height(a).total_cmp(&height(b)))?;
    lowest.body.map(|body| body.0)
}

/// What is no leg and ends beside the body: first and last body of each arm, left ones first, and what carries them all.
pub(super) struct Arms {
    pub left: Vec<usize>,
    pub right: Vec<usize>,
}

impl Arms {
    /// Of one side.
    pub fn of(&self, side: &str) -> &[usize] {
        if side == "left" { &self.left } else { &self.right }
    }

    /// Of both sides, left ones first.
    pub fn ends(&self) -> Vec<usize> {
        [self.left.as_slice(), &self.right].concat()
    }
}

/// How far beside the middle the end of an arm is at least, of the height of the centre of mass.
const BESIDE: f64 = 0.1;

/// The ends of arms; `left` is a unit vector to the left, `middle` a point between left and right, m.
pub(super) fn arms(
    tree: &MovingTree,
    legs: &[Leg],
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
    // One arm alone is none.
    if arms.left.is_empty() || arms.right.is_empty() {
        return Arms { left: Vec::new(), right: Vec::new() };
    }
    arms
}

/// The end of an arm without fingers: where several bodies hang on one, that one.
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
