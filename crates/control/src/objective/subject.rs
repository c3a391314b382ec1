//! The quantities that an objective compares with its target, the same in every frame, so that a trace can list them;
//! and an objective as written in its file, for checks of files.

use super::{Axes, JointName};
use aplomb_body::model::{JointId, JointKind, Model};
use aplomb_language::expression::{Unit, WrittenValue};

/// The quantities that an objective compares with its target.
#[derive(Clone, Debug, PartialEq)]
pub enum Subject {
    /// Components of a point, world, m.
    Point(Axes),
    /// A height above the ground, m.
    Height,
    /// A velocity, world, m/s.
    Velocity,
    /// A velocity in one direction, m/s.
    Speed,
    /// An angle that should be 0, rad.
    Angle,
    /// Angles of hinges, rad, and displacements of slides, m.
    Joints(Vec<Part>),
    /// The norm of a list of rates, rad/s (m/s for slides).
    Rates,
    /// The norm of a force, N.
    Force,
    /// Named numbers with one unit, for an objective defined by a program.
    Numbers(Vec<Part>),
}

/// One number of an objective.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// `x`, `y`, `z`, or the name of a joint; empty if the objective has only one number.
    pub name: String,
    /// Unit of the number.
    pub unit: &'static str,
}

impl Subject {
    /// One number without a name, for an objective defined by a program.
    pub fn number(unit: &'static str) -> Self {
        Subject::Numbers(vec![Part { name: String::new(), unit }])
    }

    /// The angles or displacements of those of these joints that have one.
    pub(super) fn joints(model: &Model, joints: impl Iterator<Item = JointId>) -> Self {
        let part = |joint: JointId| {
            let joint = &model.joints[joint.0];
            let unit = match joint.kind {
                JointKind::Hinge { .. } => "rad",
                JointKind::Slide { .. } => "m",
                JointKind::Free | JointKind::Ball => return None,
            };
            Some(Part { name: joint.name.clone(), unit })
        };
        Subject::Joints(joints.filter_map(part).collect())
    }

    /// Its numbers, in order.
    pub fn parts(&self) -> Vec<Part> {
        let vector = |axes: Axes| {
            let part = |row: usize| Part { name: ["x", "y", "z"][row].into(), unit: self.unit() };
            axes.rows().map(part).collect()
        };
        match self {
            Subject::Point(axes) => vector(*axes),
            Subject::Velocity => vector(Axes::All),
            Subject::Joints(parts) | Subject::Numbers(parts) => parts.clone(),
            Subject::Height | Subject::Speed | Subject::Angle | Subject::Rates | Subject::Force => {
                vec![Part { name: String::new(), unit: self.unit() }]
            }
        }
    }

    /// Unit of its numbers; of joints, that of hinges.
    pub fn unit(&self) -> &'static str {
        match self {
            Subject::Point(_) | Subject::Height => "m",
            Subject::Velocity | Subject::Speed => "m/s",
            Subject::Angle | Subject::Joints(_) => "rad",
            Subject::Rates => "rad/s",
            Subject::Force => "N",
            Subject::Numbers(parts) => parts.first().map_or("", |part| part.unit),
        }
    }
}

/// An objective as written in its file.
#[derive(Clone, Debug, Default)]
pub struct Statement {
    /// Subject of the objective: equal texts mean equal subjects. `None` if two objectives with the same subject do
    /// not contradict each other.
    pub about: Option<String>,
    /// Target, as written.
    pub target: Option<WrittenValue>,
    /// Unit of the target.
    pub unit: Option<Unit>,
    /// Targets of joints, by name.
    pub angles: Vec<(JointName, WrittenValue)>,
    /// All other expressions and names, as written.
    pub others: Vec<WrittenValue>,
    /// Whether the goal follows its target, if the file sets that.
    pub follow: Option<bool>,
}
