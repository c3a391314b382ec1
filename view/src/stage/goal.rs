//! Targets of objectives: points, and the pose.

use super::shape::{Solid, vec};
use super::{ScenePicture, Stage, colour};
use aplomb::trace::Frame;
use aplomb::world::{GoalNow, Mind};
use glam::Vec3;
use nalgebra::Vector3;

/// The target of an objective as a ball that can be dragged.
#[derive(Clone, Debug, PartialEq)]
pub struct GoalMark {
    /// Keys of the target in the controller's file, joined by dots.
    pub path: String,
    /// Position, m.
    pub point: Vec3,
    /// Kind of the value in the file.
    pub value: GoalValue,
}

/// Kind of a target's value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GoalValue {
    /// A point, world axes, m.
    Point(Vector3<f64>),
    /// A height above the ground, m.
    Height(f64),
}

impl GoalValue {
    /// The value in TOML after this displacement of the target, m.
    pub fn moved(&self, way: &Vector3<f64>) -> String {
        match self {
            GoalValue::Point(point) => {
                let [x, y, z]: [f64; 3] = (point + way).into();
                format!("[{x:?}, {y:?}, {z:?}]")
            }
            GoalValue::Height(height) => format!("{:?}", height + way.z),
        }
    }
}

/// Radius of a target and of the line to it, as shares of the height of the centre of mass.
const BALL: f64 = 0.024;
const LINE: f64 = 0.0035;
/// Joint error from which the target pose is drawn, rad or m.
const OFF: f64 = 0.02;

impl Stage {
    /// Draws balls at the targets of objectives, and lines from the controlled points to them.
    pub(super) fn goals(&self, mind: &Mind, picture: &mut ScenePicture) {
        for goal in &mind.goals {
            let Some((aim, [actual, wanted])) = goal.aim.as_ref().and_then(|aim| Some((aim, aim.point?)))
            else {
                continue;
            };
            picture.overlays.push(Solid::rod(&actual, &wanted, LINE * self.height, colour::GOAL));
            picture.overlays.push(Solid::ball(&wanted, BALL * self.height, colour::GOAL));
            picture.labels.push((vec(&wanted), goal.name.clone()));
            let value = match aim.target[..] {
                [height] if aim.key.is_some_and(|key| key.contains("height")) => GoalValue::Height(height),
                _ => GoalValue::Point(wanted),
            };
            if let Some(key) = aim.key.filter(|_| !goal.path.is_empty()) {
                let path = format!("{}.{key}", goal.path);
                picture.goals.push(GoalMark { path, point: vec(&wanted), value });
            }
        }
    }

    /// The target configuration of joint objectives, by the greatest weight for each joint, at the current
    /// root pose; `None` if the body is already in it.
    pub fn goal_pose(&self, frame: &Frame, mind: &Mind) -> Option<Vec<f64>> {
        if frame.q.len() != self.model().nq {
            return None;
        }
        let mut goals: Vec<&GoalNow> = mind.goals.iter().filter(|goal| goal.weight.is_some()).collect();
        goals
            .sort_by(|one, other| one.weight.partial_cmp(&other.weight).unwrap_or(std::cmp::Ordering::Equal));
        let mut q = frame.q.clone();
        for (index, wanted) in goals.iter().filter_map(|goal| goal.aim.as_ref()).flat_map(|aim| &aim.joints) {
            q[*index] = *wanted;
        }
        q.iter().zip(&frame.q).any(|(wanted, is)| (wanted - is).abs() > OFF).then_some(q)
    }
}
