//! Loop joints: pairs of points of two bodies that stay together, by constraints on their acceleration.
//!
//! One pair of points is a ball joint, two pairs a hinge, three pairs a weld. Drift decays like errors of
//! motions.

use super::{Articulated, ConstraintJacobian, ConstraintRow, Gains};
use aplomb_body::dynamics::Kinematics;
use aplomb_body::model::BodyId;
use nalgebra::Vector3;

/// Largest number of point pairs of a joint.
pub(super) const MOST_PAIRS: usize = 3;

/// A point of a body in its frame, or of the world, m.
pub(crate) type Anchor = (Option<BodyId>, Vector3<f64>);

/// A joint that closes a loop of a system, or connects it to the world.
#[doc(alias = "loop closure")]
#[doc(alias = "equality constraint")]
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LoopJoint {
    /// Name of the joint in events; may be empty.
    pub(crate) name: String,
    /// Index of the system of both bodies.
    pub(crate) system: usize,
    /// Pairs of points that stay together, at most three.
    pub(crate) pairs: Vec<[Anchor; 2]>,
    /// Gains with which a gap decays.
    pub(crate) gains: Gains,
    /// Whether the joint is enabled.
    pub(crate) on: bool,
    /// Force on the first body at each pair in the last step, world, N.
    pub(crate) forces: [Vector3<f64>; MOST_PAIRS],
    pub(super) row: Option<usize>,
}

impl LoopJoint {
    /// A joint that holds these pairs of points together, at most three.
    pub(crate) fn new(name: String, system: usize, pairs: Vec<[Anchor; 2]>, gains: Gains) -> LoopJoint {
        debug_assert!(pairs.len() <= MOST_PAIRS);
        let forces = [Vector3::zeros(); MOST_PAIRS];
        LoopJoint { name, system, pairs, gains, on: true, forces, row: None }
    }

    /// Calls `each` with the constraints of a pair, and the position and velocity of its first point relative
    /// to its second.
    pub(super) fn each_row(
        &self,
        system: &Articulated,
        mut each: impl FnMut(usize, ConstraintRow, &Vector3<f64>, &Vector3<f64>, usize),
    ) {
        let kinematics = &system.kinematics;
        for (pair, anchors) in self.pairs.iter().enumerate() {
            let points = anchors.map(|anchor| place(kinematics, &anchor));
            let rate = |k: usize| match anchors[k].0 {
                Some(body) => kinematics.point_velocity(body, &points[k]),
                None => Vector3::zeros(),
            };
            let (apart, parting) = (points[0] - points[1], rate(0) - rate(1));
            for axis in 0..3 {
                let direction = Vector3::ith(axis, 1.0);
                let pull = |k: usize| {
                    let body = anchors[k].0?;
                    Some((self.system, ConstraintJacobian::Point { body, point: points[k], direction }))
                };
                each(pair, ConstraintRow { pulls: [pull(0), pull(1)] }, &apart, &parting, axis);
            }
        }
    }
}

fn place(kinematics: &Kinematics, (body, local): &Anchor) -> Vector3<f64> {
    body.map_or(*local, |body| kinematics.point(body, local))
}
