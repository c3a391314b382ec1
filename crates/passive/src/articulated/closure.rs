//! Joints that close loops: points of two bodies of a system that stay together, by constraints on their acceleration.
//!
//! One pair of points is a ball joint, two pairs on a line a hinge, three a weld. Drift dies out as errors of motions do.

use super::{Articulated, ConstraintJacobian, Gains, Row};
use aplomb_body::dynamics::Kinematics;
use aplomb_body::model::BodyId;
use nalgebra::Vector3;

/// Most pairs of points of a joint.
pub(super) const MOST_PAIRS: usize = 3;

/// A point of a body in its frame, or of the world, m.
pub type Anchor = (Option<BodyId>, Vector3<f64>);

/// A joint that closes a loop of a system, or ties it to the world.
#[derive(Clone, Debug, PartialEq)]
pub struct LoopJoint {
    /// By which events call it; empty for one that they cannot.
    pub name: String,
    /// Index of the system that both bodies are of.
    pub system: usize,
    /// Points that stay together, up to three.
    pub pairs: Vec<[Anchor; 2]>,
    /// How a gap dies out.
    pub gains: Gains,
    /// Whether it holds.
    pub on: bool,
    /// On the first body at each pair, world, N; of the last step.
    pub forces: [Vector3<f64>; MOST_PAIRS],
    pub(super) row: Option<usize>,
}

impl LoopJoint {
    /// One that holds these pairs of points together, at most three.
    pub fn new(name: String, system: usize, pairs: Vec<[Anchor; 2]>, gains: Gains) -> LoopJoint {
        debug_assert!(pairs.len() <= MOST_PAIRS);
        let forces = [Vector3::zeros(); MOST_PAIRS];
        LoopJoint { name, system, pairs, gains, on: true, forces, row: None }
    }

    /// How far the points of its worst pair are apart, m.
    pub fn gap(&self, kinematics: &Kinematics) -> f64 {
        let apart = |[a, b]: &[Anchor; 2]| (place(kinematics, a) - place(kinematics, b)).norm();
        self.pairs.iter().map(apart).fold(0.0, f64::max)
    }

    /// Calls `each` with the constraints of a pair, and where and how fast its first point is from its second.
    pub(super) fn each_row(
        &self,
        system: &Articulated,
        mut each: impl FnMut(usize, Row, &Vector3<f64>, &Vector3<f64>, usize),
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
                each(pair, Row { pulls: [pull(0), pull(1)] }, &apart, &parting, axis);
            }
        }
    }
}

fn place(kinematics: &Kinematics, (body, local): &Anchor) -> Vector3<f64> {
    body.map_or(*local, |body| kinematics.point(body, local))
}
