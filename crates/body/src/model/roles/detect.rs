//! Detects the roles of a model's parts from its tree, shapes and rest pose; left and right also from names.

use super::hinges::{self, AnatomicalAxes, LimbNames};
use super::limbs::{self, Arms, LegChain};
use super::names::{TRUNK_WORDS, says};
use super::points;
use super::soles;
use super::tree::MovingTree;
use super::{BodyId, JointId, POINTS, Roles};
use crate::model::{Model, Site};
use aplomb_math::elementary::{atan2, sincos};
use nalgebra::{UnitQuaternion, Vector3};

/// Rotations below this are round-off of a rest pose, rad.
const UPRIGHT: f64 = 1e-6;
/// A heading within this of x counts as x, rad.
const STRAIGHT: f64 = 0.2;

/// Detects the roles of a model, and adds the sites of [`POINTS`] that it lacks.
pub fn detect(model: &mut Model) -> Roles {
    let height = model.rest_com_height();
    if model.bodies.is_empty() || !(height.is_finite() && height > 0.0) {
        return Roles::default();
    }
    let tree = MovingTree::new(model);
    let (pelvis, legs) = limbs::legs(&tree, height);
    let facing = facing(&tree, &legs);
    let forward = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), facing);
    let middle = middle(&tree, &legs);
    let arms = limbs::arms(&tree, &legs, &(forward * Vector3::y()), &middle, height);
    let chest = tree.common_ancestor(&arms.ends()).unwrap_or_else(|| trunk(&tree, &legs, pelvis));
    let found = DetectedParts { tree, legs, arms, pelvis, chest, forward, middle };

    let axes = axes(&found.tree, &found.legs, &forward);
    let mut roles = Roles { facing, axes, ..Roles::default() };
    roles.feet = found.legs.iter().map(|leg| BodyId(leg.footing)).collect();
    roles.feet.sort_unstable();
    let directions = AnatomicalAxes::new(&forward);
    roles.legs =
        found.legs.iter().map(|leg| hinges::leg(&found.tree, leg, found.beside(leg), &directions)).collect();
    found.trunk(&mut roles);
    let mut sites = Vec::new();
    found.limbs(&mut roles, &mut sites);
    found.joints(&mut roles);
    found.hinges(&mut roles);
    for site in sites {
        if POINTS.iter().any(|(name, _)| *name == site.name) && model.site(&site.name).is_none() {
            model.sites.push(site);
        }
    }
    roles
}

/// Parts of a model.
struct DetectedParts<'a> {
    tree: MovingTree<'a>,
    legs: Vec<LegChain>,
    arms: Arms,
    pelvis: usize,
    chest: usize,
    /// Rotation from axes that are forward, left and up to world axes.
    forward: UnitQuaternion<f64>,
    /// A point of the median plane, m.
    middle: Vector3<f64>,
}

const SIDES: [(&str, f64); 2] = [("left", 1.0), ("right", -1.0)];

impl DetectedParts<'_> {
    /// Offset of a leg to the left, m.
    fn beside(&self, leg: &LegChain) -> f64 {
        (leg.middle() - self.middle).dot(&(self.forward * Vector3::y()))
    }

    /// Offset of a leg to the front, m.
    fn ahead(&self, leg: &LegChain) -> f64 {
        (leg.middle() - self.middle).dot(&(self.forward * Vector3::x()))
    }

    fn in_leg(&self, body: usize) -> bool {
        self.legs.iter().any(|leg| self.tree.is_within(body, leg.top))
    }

    fn in_arm(&self, body: usize) -> bool {
        let top = self.tree.first_below(self.chest, body);
        top.is_some_and(|top| self.arms.ends().iter().any(|&end| self.tree.is_within(end, top)))
    }

    /// Whether a body is on the path between pelvis and chest; either may be nearer the root.
    fn in_back(&self, body: usize) -> bool {
        let tree = &self.tree;
        let of_path =
            |low: usize, high: usize| body != high && tree.is_within(body, high) && tree.is_within(low, body);
        let shared = tree.common_ancestor(&[self.pelvis, self.chest]);
        shared.is_some_and(|shared| of_path(self.pelvis, shared) || of_path(self.chest, shared))
    }

    fn below_foot(&self, body: usize) -> bool {
        self.legs.iter().any(|leg| body != leg.foot && self.tree.is_within(body, leg.foot))
    }

    fn trunk(&self, roles: &mut Roles) {
        let DetectedParts { tree, chest, .. } = self;
        roles.set_body("chest", BodyId(*chest));
        roles.set_body("pelvis", BodyId(self.pelvis));
        let high = |body: &usize| tree.mass(*body).1.z;
        let above = tree.bodies().filter(|body| {
            body != chest
                && tree.is_within(*body, *chest)
                && !self.in_leg(*body)
                && !self.in_arm(*body)
                && high(body) > high(chest)
        });
        let head = above.max_by(|a, b| high(a).total_cmp(&high(b))).unwrap_or(*chest);
        roles.set_body("head", BodyId(head));
    }

    /// Sets thighs, feet, upper arms and hands, and sites at soles, toes and palms.
    fn limbs(&self, roles: &mut Roles, sites: &mut Vec<Site>) {
        let at = |name: String, body: usize, point: &Vector3<f64>| {
            points::site(&self.tree, name, body, point, &self.forward)
        };
        for (side, _) in SIDES {
            let legs = self.legs_of(side);
            if let Some(leg) = legs.first() {
                roles.set_body(&format!("{side}_thigh"), BodyId(leg.top));
                roles.set_body(&format!("{side}_foot"), BodyId(leg.footing));
                sites.push(at(format!("{side}_sole"), leg.footing, &leg.middle()));
                let tip = points::toe_tip(leg, &self.forward);
                sites.extend(tip.map(|(body, tip)| at(format!("{side}_toe_tip"), body, &tip)));
            }
            if let ([front, hind], 4) = (legs.as_slice(), self.legs.len()) {
                for (place, leg) in [("front", front), ("hind", hind)] {
                    roles.set_body(&format!("{side}_{place}_foot"), BodyId(leg.footing));
                    sites.push(at(format!("{side}_{place}_sole"), leg.footing, &leg.middle()));
                }
            }
            if let Some([upper, hand]) = self.arm(side) {
                roles.set_body(&format!("{side}_upper_arm"), BodyId(upper));
                roles.set_body(&format!("{side}_hand"), BodyId(hand));
                let palm = points::palm(&self.tree, roles, &format!("{side}_palm"), hand, &self.forward);
                sites.extend(palm);
            }
        }
    }

    /// The legs of a side, front legs first.
    fn legs_of(&self, side: &str) -> Vec<&LegChain> {
        let sign = if side == "left" { 1.0 } else { -1.0 };
        let on_side = |leg: &&LegChain| self.legs.len() > 1 && sign * self.beside(leg) > 0.0;
        let mut legs: Vec<&LegChain> = self.legs.iter().filter(on_side).collect();
        // Of legs equally far in front, the last in the model comes first.
        legs.reverse();
        legs.sort_by(|a, b| self.ahead(b).total_cmp(&self.ahead(a)));
        legs
    }

    /// Upper arm and hand of a side.
    fn arm(&self, side: &str) -> Option<[usize; 2]> {
        let ends = self.arms.of(side);
        let upper = ends.iter().filter_map(|&end| self.tree.first_below(self.chest, end)).min()?;
        Some([upper, limbs::hand(&self.tree, upper, ends)])
    }

    fn joints(&self, roles: &mut Roles) {
        let model = self.tree.model;
        let is_root = |joint: JointId| model.is_root(model.joints[joint.0].v_index);
        let joints = |of: &dyn Fn(usize) -> bool| -> Vec<JointId> {
            let all = (0..model.joints.len()).map(JointId);
            all.filter(|&joint| !is_root(joint) && of(model.joints[joint.0].body.0)).collect()
        };
        let on_chest = |body: usize| body != self.chest && self.tree.is_within(body, self.chest);
        let is_neck =
            |body: usize| on_chest(body) && !self.in_leg(body) && !self.in_arm(body) && !self.in_back(body);
        let is_arm = |body: usize| self.in_arm(body) && !self.in_leg(body) && !self.in_back(body);
        let groups: [(&str, Vec<JointId>); 5] = [
            ("arms", joints(&is_arm)),
            ("neck", joints(&is_neck)),
            ("back", joints(&|body| self.in_back(body))),
            ("legs", joints(&|body| self.in_leg(body) && !self.below_foot(body))),
            ("toes", joints(&|body| self.below_foot(body))),
        ];
        for (name, joints) in groups {
            roles.set_joints(name, joints);
        }
    }

    fn hinges(&self, roles: &mut Roles) {
        let (tree, directions) = (&self.tree, AnatomicalAxes::new(&self.forward));
        let names = |side: &str, [first, middle, last]: [&str; 3]| LimbNames {
            first: format!("{side}_{first}"),
            middle: format!("{side}_{middle}"),
            last: format!("{side}_{last}"),
        };
        for (side, _) in SIDES {
            if let Some(leg) = self.legs_of(side).first() {
                let names = names(side, ["hip", "knee", "ankle"]);
                hinges::of_limb(tree, roles, &names, &directions, [leg.top, leg.foot], &leg.middle());
                let toes = tree.bodies().filter(|&body| body != leg.foot && tree.is_within(body, leg.foot));
                hinges::of_toe(tree, roles, &format!("{side}_toe"), &directions, toes);
            }
            if let Some([upper, hand]) = self.arm(side) {
                let names = names(side, ["shoulder", "elbow", "wrist"]);
                let tip = tree.mass(hand).1;
                hinges::of_limb(tree, roles, &names, &directions, [upper, hand], &tip);
            }
        }
        let Some(shared) = tree.common_ancestor(&[self.pelvis, self.chest]) else { return };
        let way = |low: usize| tree.ancestors(low).take_while(move |&body| body != shared);
        let carrying: Vec<usize> = way(self.pelvis).collect();
        let mut carried: Vec<usize> = way(self.chest).collect();
        carried.reverse();
        hinges::of_back(tree, roles, &directions, &carrying, &carried);
    }
}

/// Trunk of a body without arms: by its name, otherwise the heaviest of the bodies that the legs carry.
fn trunk(tree: &MovingTree, legs: &[LegChain], pelvis: usize) -> usize {
    if legs.is_empty() {
        return pelvis;
    }
    let is_carried = |body: &usize| {
        tree.is_within(*body, pelvis) && !legs.iter().any(|leg| tree.is_within(*body, leg.top))
    };
    let carried: Vec<usize> = tree.bodies().filter(is_carried).collect();
    let is_called = |body: &&usize| says(&tree.model.bodies[**body].name, &TRUNK_WORDS);
    // Of equally heavy bodies, the innermost.
    let heaviest = || carried.iter().rev().max_by(|a, b| tree.mass(**a).0.total_cmp(&tree.mass(**b).0));
    carried.iter().find(is_called).or_else(heaviest).copied().unwrap_or(pelvis)
}

/// A point of the median plane on the ground, m.
fn middle(tree: &MovingTree, legs: &[LegChain]) -> Vector3<f64> {
    if legs.len() < 2 {
        return tree.model.centre_of_mass(&tree.poses);
    }
    legs.iter().map(LegChain::middle).sum::<Vector3<f64>>() / legs.len() as f64
}

/// Heading of the model, rad from world x.
fn facing(tree: &MovingTree, legs: &[LegChain]) -> f64 {
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
    let heading = match (mean(1), mean(-1), legs) {
        (Some(left), Some(right), _) => towards(left - right),
        // Names do not decide: a body with two legs faces perpendicular to the line between its feet, in the
        // direction of its toes.
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
    let heading = heading - whole * (heading / whole).round();
    if heading.abs() < STRAIGHT { 0.0 } else { heading }
}

/// For each body, the rotation from axes that are forward, left and up to its own. For a foot, up is the normal
/// of its sole, which need not be level in the rest pose of a file.
fn axes(
    tree: &MovingTree,
    legs: &[LegChain],
    forward: &UnitQuaternion<f64>,
) -> Vec<Option<UnitQuaternion<f64>>> {
    let lean = |body: usize| {
        let leg = legs.iter().find(|leg| leg.foot == tree.carrier(body))?;
        let own: Vec<Vector3<f64>> =
            leg.sole.iter().filter(|(part, _)| *part == leg.foot).map(|(_, point)| *point).collect();
        UnitQuaternion::rotation_between(&Vector3::z(), &soles::normal(&own)?)
    };
    let turn = |(body, pose): (usize, &nalgebra::Isometry3<f64>)| {
        let turn = pose.rotation.inverse() * lean(body).unwrap_or_default() * forward;
        (turn.angle() > UPRIGHT).then_some(turn)
    };
    tree.poses.iter().enumerate().map(turn).collect()
}
