//! What the next frame must satisfy, one file a kind.

mod friction_cone;
mod grips;
pub mod joint_limits;
mod keep_apart;
mod no_muscles;
pub mod non_penetration;
mod root_dynamics;
mod torque_limits;

pub use friction_cone::FrictionCone;
pub use grips::Grips;
pub use joint_limits::JointLimits;
pub use keep_apart::{BoundKeepApart, KeepApart, KeptApart, Pair};
pub use no_muscles::NoMuscles;
pub use non_penetration::NonPenetration;
pub use root_dynamics::RootDynamics;
pub use torque_limits::TorqueLimits;

use crate::contact::Contacts;
use crate::language::diagnostic::Place;
use crate::language::expression::Lookup;
use crate::model::Model;
use crate::objective::Now;
use crate::predict::Prediction;
use crate::qp::{Label, Qp};

/// A constraint writes its rows, or the bounds of unknowns, into the QP.
pub trait Constraint: Send {
    /// Finds the numbers that a controller file gives it as expressions, before each solve of a frame.
    fn evaluate(&mut self, _values: &dyn Lookup, _now: &Now<'_>) {}

    fn write(&self, now: &Now<'_>, next: &Prediction<'_>, qp: &mut Qp);

    /// Tells which of its rows gave way at the solution `x`, in which unit and by how much.
    fn gave_way(
        &self,
        _now: &Now<'_>,
        _next: &Prediction<'_>,
        _x: &[f64],
        _report: &mut dyn FnMut(&Label, &'static str, f64),
    ) {
    }

    /// Names the velocity coordinates whose bounds it sets, by coordinate; asked once.
    fn name_coordinates(&self, _labels: &mut [Label]) {}
}

/// Name and one sentence on each constraint, for `aplomb list`.
pub fn list() -> &'static [(&'static str, &'static str)] {
    &[
        (
            "root_dynamics",
            "The six equations of motion of the root: nothing but contacts holds the character up.",
        ),
        ("non_penetration", "No contact candidate may enter a surface."),
        ("friction_cone", "Contact forces push, within the friction pyramid."),
        ("joint_limits", "Joints stay in their ranges; a stop may push back when a joint is at it."),
        ("grips", "A site that holds on to something stays where it took hold."),
        ("no_muscles", "No muscle torque where the state or the character is limp (`drive = \"limp\"`)."),
        (
            "torque_limits",
            "Muscle torques stay within the model's limits (`torque_limits = false` lifts them).",
        ),
        (
            "keep_apart",
            "Parts of the body that the controller's `keep_apart` names do not pass through each other.",
        ),
    ]
}

/// The constraints every character obeys, in row order.
pub fn all(
    model: &Model,
    contacts: &Contacts,
    apart: &[BoundKeepApart],
    torque_limits: bool,
    model_file: &str,
) -> Vec<Box<dyn Constraint>> {
    let mut list: Vec<Box<dyn Constraint>> = vec![
        Box::new(RootDynamics::new(model, model_file)),
        Box::new(NonPenetration::new(contacts)),
        Box::new(FrictionCone),
        Box::new(JointLimits::new(model, model_file)),
        Box::new(Grips),
        Box::new(NoMuscles::new(model, model_file)),
    ];
    if !apart.is_empty() {
        list.push(Box::new(KeptApart(apart.to_vec())));
    }
    if torque_limits {
        list.push(Box::new(TorqueLimits::new(model, model_file)));
    }
    list
}

fn label(name: String, unit: &'static str, file: &str, line: usize) -> Label {
    Label { name: name.into(), unit, source: Place { file: file.into(), line } }
}

/// Line of the joint a velocity coordinate belongs to.
fn line_of(model: &Model, coordinate: usize) -> usize {
    let joints = &model.bodies[model.dof_body[coordinate].0].joints;
    let before = model.joints[joints.clone()].iter().rev().find(|joint| joint.v_index <= coordinate);
    before.map_or(0, |joint| joint.line)
}
