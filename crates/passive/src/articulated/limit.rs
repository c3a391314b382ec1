//! Joint limits ([Kokkevis 2004] §8.2).

use super::{Articulated, ConstraintJacobian, ConstraintRow};
use aplomb_body::model::state::rotation;
use aplomb_body::model::{JointKind, Model};
use nalgebra::Vector3;

/// One end of a joint's range.
#[doc(alias = "joint stop")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointLimit {
    /// Index of the system.
    pub(crate) system: usize,
    /// Index of the joint in the system's model.
    pub(crate) joint: usize,
    end: RangeEnd,
    /// Distance of the joint from the limit, negative beyond it, rad or m.
    pub(crate) gap: f64,
    /// Reaction of the limit, N m or N; never negative.
    pub force: f64,
    pub(super) guess: f64,
    /// Impulse of impacts on the limit since the beginning of the step, N m s or N s.
    pub(crate) impulse: f64,
    pub(super) row: Option<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum RangeEnd {
    Lower(f64),
    Upper(f64),
    /// Largest angle of a ball joint.
    Angle(f64),
}

impl JointLimit {
    /// All limits of a model's joints, except coupled ones: the range of a coupled joint is included in that
    /// of its leader.
    pub(crate) fn of(system: usize, model: &Model) -> impl Iterator<Item = JointLimit> {
        let limit = move |joint, end| JointLimit {
            system,
            joint,
            end,
            gap: 0.0,
            force: 0.0,
            guess: 0.0,
            impulse: 0.0,
            row: None,
        };
        model.joints.iter().enumerate().flat_map(move |(index, joint)| {
            let ends = match (joint.kind, joint.range) {
                (JointKind::Free, _) | (_, None) => [None, None],
                _ if model.is_follower(joint.v_index) => [None, None],
                (JointKind::Ball, Some([_, angle])) => [Some(RangeEnd::Angle(angle)), None],
                (_, Some([lower, upper])) => [Some(RangeEnd::Lower(lower)), Some(RangeEnd::Upper(upper))],
            };
            ends.into_iter().flatten().map(move |end| limit(index, end))
        })
    }

    /// Distance of configuration `q` from the limit.
    pub(crate) fn gap_at(&self, model: &Model, q: &[f64]) -> f64 {
        let at = model.joints[self.joint].q_index;
        match self.end {
            RangeEnd::Lower(lower) => q[at] - lower,
            RangeEnd::Upper(upper) => upper - q[at],
            RangeEnd::Angle(angle) => angle - rotation(&q[at..at + 4]).angle(),
        }
    }

    /// The constraint whose function is the rate of the gap.
    pub(crate) fn row(&self, system: &Articulated) -> ConstraintRow {
        let (first, weights) = self.direction(system);
        let body = system.model.joints[self.joint].body;
        ConstraintRow::on(self.system, ConstraintJacobian::Joint { body, first, weights })
    }

    /// First coordinate of the joint, and the direction in its coordinates in which the limit pushes.
    pub(super) fn direction(&self, system: &Articulated) -> (usize, Vector3<f64>) {
        let joint = &system.model.joints[self.joint];
        let weights = match self.end {
            RangeEnd::Lower(_) => Vector3::x(),
            RangeEnd::Upper(_) => -Vector3::x(),
            RangeEnd::Angle(_) => {
                let turn = rotation(&system.state.q[joint.q_index..joint.q_index + 4]);
                turn.axis().map_or(Vector3::zeros(), |axis| -axis.into_inner())
            }
        };
        (joint.v_index, weights)
    }
}
