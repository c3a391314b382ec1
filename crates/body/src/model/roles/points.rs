//! Points of feet and hands that a model lacks: soles, tips of toes, palms.

use super::limbs::LegChain;
use super::tree::MovingTree;
use super::{BodyId, Roles};
use crate::model::Site;
use nalgebra::{Point3, UnitQuaternion, Vector3};

/// Points this near to the foremost one count as foremost, m.
const FRONT: f64 = 1e-3;
/// Words in the names of sites for gripping.
const HOLDING: [&str; 3] = ["palm", "grip", "grasp"];

/// A site at a point of the rest pose, with axes forward, left and up there.
pub(super) fn site(
    tree: &MovingTree,
    name: String,
    body: usize,
    point: &Vector3<f64>,
    forward: &UnitQuaternion<f64>,
) -> Site {
    let pose = &tree.poses[body];
    Site {
        name,
        body: Some(BodyId(body)),
        position: pose.inverse_transform_point(&(*point).into()).coords,
        orientation: pose.rotation.inverse() * forward,
        radius: Site::USUAL_RADIUS,
        line: tree.model.bodies[body].line,
    }
}

/// The foremost point of a leg's contacts, in the middle of its width, world axes, m; and its body.
pub(super) fn toe_tip(leg: &LegChain, forward: &UnitQuaternion<f64>) -> Option<(usize, Vector3<f64>)> {
    let local = |point: &Vector3<f64>| forward.inverse() * point;
    let ahead = |point: &Vector3<f64>| local(point).x;
    let (body, foremost) = leg.sole.iter().max_by(|a, b| ahead(&a.1).total_cmp(&ahead(&b.1)))?;
    let is_in_front = |point: &Vector3<f64>| ahead(foremost) - ahead(point) < FRONT;
    let front = leg.sole.iter().filter(|(own, point)| own == body && is_in_front(point));
    let middle = middle_of(front.map(|(_, point)| local(point)))?;
    Some((*body, forward * middle))
}

/// Centre of the bounding box of points.
fn middle_of(points: impl Iterator<Item = Vector3<f64>>) -> Option<Vector3<f64>> {
    let both = points.fold(None, |both: Option<[Vector3<f64>; 2]>, point| match both {
        None => Some([point, point]),
        Some([least, most]) => Some([least.inf(&point), most.sup(&point)]),
    });
    both.map(|[least, most]| 0.5 * (least + most))
}

/// Adds a hand's palm: an existing site for gripping, otherwise a new one at the centre of its shapes.
pub(super) fn palm(
    tree: &MovingTree,
    roles: &mut Roles,
    role: &str,
    hand: usize,
    forward: &UnitQuaternion<f64>,
) -> Option<Site> {
    let model = tree.model;
    let is_on_hand =
        |site: &Site| site.body.is_some_and(|BodyId(body)| tree.is_within(tree.carrier(body), hand));
    let is_for_holding = |site: &Site| {
        let name = site.name.to_lowercase();
        HOLDING.iter().any(|word| name.contains(word))
    };
    if let Some(own) = model.sites.iter().position(|site| is_on_hand(site) && is_for_holding(site)) {
        roles.set_point(role, own);
        return None;
    }
    let shapes = tree.geoms(hand);
    let centres = shapes.map(|geom| tree.pose(geom).transform_point(&Point3::origin()).coords);
    let middle = middle_of(centres).unwrap_or_else(|| tree.mass(hand).1);
    Some(site(tree, role.into(), hand, &middle, forward))
}
