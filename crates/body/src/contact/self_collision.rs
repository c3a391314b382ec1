//! Pairs of shapes that can meet: of parts of one character that do not belong together.

use super::separation::nearest;
use crate::dynamics::Kinematics;
use crate::model::{BodyId, Model};

/// Shapes that are no farther apart in the rest pose touch there, m: they overlap because of the geometry of the
/// model.
const TOUCH_AT_REST: f64 = 1e-3;
/// Shapes farther apart in the rest pose are not measured, m.
const REST_REACH: f64 = 1.0;

/// Two shapes of a body, of parts that share no joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShapePair {
    /// Indices of the two shapes among the model's geoms.
    pub geoms: [usize; 2],
    /// The bodies the two shapes belong to.
    pub bodies: [BodyId; 2],
    /// Distance of the shapes in the rest pose, m; infinity if it is more than 1 m.
    pub at_rest: f64,
}

impl ShapePair {
    /// All pairs of colliding shapes whose bodies `belongs` selects and that share no joint.
    pub fn all(model: &Model, belongs: impl Fn(BodyId, BodyId) -> bool) -> Vec<ShapePair> {
        let shapes = || {
            let shapes = model.geoms.iter().enumerate().filter(|(_, geom)| geom.collides);
            shapes.filter_map(|(index, geom)| Some((index, geom.body?)))
        };
        let mut kinematics = Kinematics::new(model);
        kinematics.update(model, &model.rest_configuration(), &vec![0.0; model.nv]);
        let mut pairs = Vec::new();
        for (first, a) in shapes() {
            for (second, b) in shapes() {
                if belongs(a, b) && !model.share_a_joint(a, b) {
                    let near = nearest(model, &kinematics, [first, second], REST_REACH);
                    let at_rest = near.map_or(f64::INFINITY, |near| near.distance);
                    pairs.push(ShapePair { geoms: [first, second], bodies: [a, b], at_rest });
                }
            }
        }
        pairs
    }

    /// The pairs of a body that must not pass through each other: each once, without those that touch in the
    /// rest pose.
    pub fn that_can_meet(model: &Model) -> Vec<ShapePair> {
        let mut pairs = Self::all(model, |a, b| a < b);
        pairs.retain(|pair| pair.at_rest > TOUCH_AT_REST);
        pairs
    }
}
