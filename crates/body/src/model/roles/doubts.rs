//! Doubts about roles: names and positions that disagree on left and right.

use super::names::side_of_name;
use crate::model::{BodyId, JointKind, Model};
use nalgebra::{Isometry3, Point3, UnitQuaternion, Vector3};

/// Soles this far behind the joints of the feet point backward, as a share of the height of the centre of
/// mass.
const BACKWARD: f64 = 0.03;

/// Parts whose names and positions disagree on the side, and feet that point backward, as with swapped names;
/// each with one of its parts. Roles given by the user are not doubted.
pub fn doubts(model: &Model) -> Vec<(BodyId, String)> {
    let mut found: Vec<(BodyId, String)> = Vec::new();
    for (role, body) in model.roles.bodies() {
        let (side, other) = match role.split_once('_') {
            Some(("left", _)) => (1, "right"),
            Some(("right", _)) => (-1, "left"),
            _ => continue,
        };
        let is_given = model.roles.given_body(role).is_some();
        if !is_given && said(model, body) == -side && found.iter().all(|(doubted, _)| *doubted != body) {
            let name = &model.bodies[body.0].name;
            found.push((
                body,
                format!("`{name}` was identified as `{role}` from its position, but its name says {other}"),
            ));
        }
    }
    let feet = ["left_foot", "right_foot"].map(|role| (model.body(role), model.roles.given_body(role)));
    if let ([(Some(left), None), (Some(_), None)], 2) = (feet, model.roles.feet.len())
        && ["left", "right"].iter().all(|side| points_backward(model, side))
    {
        let facing = model.roles.facing.to_degrees();
        let message = format!(
            "the feet point backward of where it faces ({facing:.0}° from x), as where names swap left and right"
        );
        found.push((left, message));
    }
    found
}

/// Smallest number of joints of a body that may be expected to stand on legs.
const LEGGED: usize = 4;
/// Largest height of the lowest point of a trunk that reaches the ground, as a share of the height of the centre of
/// mass.
const GROUND: f64 = 0.04;

/// The pelvis of a free body with several joints, if it reaches the ground in the rest pose.
pub fn lying_trunk(model: &Model) -> Option<BodyId> {
    let turning = model.joints.iter().filter(|joint| matches!(joint.kind, JointKind::Hinge { .. }));
    if !model.is_floating() || turning.count() < LEGGED {
        return None;
    }
    let trunk = model.body("pelvis")?;
    let poses = model.body_poses(&model.rest_configuration());
    let own = model.geoms.iter().filter(|geom| geom.collides && geom.body == Some(trunk));
    let lowest = own.map(|geom| {
        let pose = poses[trunk.0] * Isometry3::from_parts(geom.position.into(), geom.orientation);
        geom.shape.lowest_point(&pose)
    });
    let above = lowest.reduce(f64::min)? - model.lowest_point(&poses);
    (above < GROUND * model.rest_com_height()).then_some(trunk)
}

/// 1 if the names of a body and its joints indicate left, −1 right, 0 neither.
fn said(model: &Model, body: BodyId) -> i32 {
    let body = &model.bodies[body.0];
    let joints = model.joints[body.joints.clone()].iter().map(|joint| &joint.name);
    std::iter::once(&body.name).chain(joints).map(|name| side_of_name(name)).sum::<i32>().signum()
}

fn points_backward(model: &Model, side: &str) -> bool {
    let Some(site) = model.site(&format!("{side}_sole")).map(|site| &model.sites[site]) else { return false };
    let Some(foot) = site.body else { return false };
    let pose = model.body_poses(&model.rest_configuration())[foot.0];
    let from_joint = pose.transform_point(&Point3::from(site.position)).coords - pose.translation.vector;
    let forward = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), model.roles.facing) * Vector3::x();
    from_joint.dot(&forward) < -BACKWARD * model.rest_com_height()
}
