//! Constraints on the next frame, one file for each kind.

mod collision_avoidance;
mod couplings;
mod friction_cone;
mod grips;
mod joint_braking;
pub(crate) mod joint_limits;
pub(crate) mod non_penetration;
mod root_dynamics;
mod stuck_joints;
mod torque_limits;
mod unloading;
mod zero_torque;

pub use collision_avoidance::{BoundCollisionAvoidance, CollisionAvoidance, Pair};
pub(crate) use non_penetration::NonPenetration;

use crate::objective::Now;
use crate::predict::{Prediction, SelfContactColumn};
use aplomb_body::contact::Contacts;
use aplomb_body::dynamics::Kinematics;
use aplomb_body::model::Model;
use aplomb_language::diagnostic::Place;
use aplomb_language::expression::Lookup;
use aplomb_qp::{Label, Origin, Qp, RowLabel, UnknownLabel};

/// A constraint: it writes rows, or bounds of unknowns, into the QP.
pub trait Constraint: Send {
    /// Discards data derived from the previous frame.
    fn begin_frame(&mut self) {}

    /// Evaluates the expressions of the controller file, before each solve of a frame.
    fn evaluate(&mut self, _values: &dyn Lookup, _now: &Now<'_>) {}

    /// Appends rows to `qp`, or tightens bounds of its unknowns, for the frame that follows `now`.
    fn write(&self, now: &Now<'_>, next: &Prediction<'_>, qp: &mut Qp);

    /// Compares its rows with the poses `ahead` to which the solution `x` leads, and corrects its rows for the next
    /// solve of the frame. Returns whether there is anything to correct.
    fn look_ahead(
        &mut self,
        _now: &Now<'_>,
        _next: &Prediction<'_>,
        _x: &[f64],
        _ahead: &Kinematics,
    ) -> bool {
        false
    }

    /// Reports parts of the body that it cannot keep apart at the solution `x`, which leads to the poses `ahead`:
    /// they may press on each other in the next solve of the frame.
    fn pressed(
        &self,
        _now: &Now<'_>,
        _next: &Prediction<'_>,
        _x: &[f64],
        _ahead: &Kinematics,
        _report: &mut dyn FnMut(SelfContactColumn),
    ) {
    }

    /// Reports the rows that are violated at the solution `x`, with unit and amount.
    fn gave_way(
        &self,
        _now: &Now<'_>,
        _next: &Prediction<'_>,
        _x: &[f64],
        _report: &mut dyn FnMut(&RowLabel, &'static str, f64),
    ) {
    }

    /// Labels the velocity coordinates whose bounds it sets; called once.
    fn name_coordinates(&self, _labels: &mut [UnknownLabel]) {}
}

/// A kind of constraint: its description in `aplomb list`, and its constructor. To add one, add a file to
/// this folder and a line to [`KINDS`].
struct ConstraintKind {
    name: &'static str,
    /// Description in one sentence.
    about: &'static str,
    /// Constructor; returns `None` if the constraint does not apply to the character.
    make: fn(&Setting<'_>) -> Option<Box<dyn Constraint>>,
}

/// Inputs from which constraints are constructed.
struct Setting<'a> {
    model: &'a Model,
    contacts: &'a Contacts,
    apart: &'a [BoundCollisionAvoidance],
    /// Whether collisions are also avoided between limbs that the controller does not name.
    self_collision: bool,
    /// Whether the model's torque limits hold.
    torque_limits: bool,
    /// Smallest time constant with which the distance of a joint from its limit decays, s; 0: no such bound.
    joint_limit_response: f64,
    /// Name of the model's file, for labels.
    file: &'a str,
}

/// All kinds, in the order of their rows.
const KINDS: [ConstraintKind; 12] = [
    root_dynamics::KIND,
    non_penetration::KIND,
    friction_cone::KIND,
    joint_limits::KIND,
    joint_braking::KIND,
    couplings::KIND,
    stuck_joints::KIND,
    grips::KIND,
    zero_torque::KIND,
    collision_avoidance::KIND,
    unloading::KIND,
    torque_limits::KIND,
];

/// Name and description of each constraint, for `aplomb list`.
pub fn list() -> Vec<(&'static str, &'static str)> {
    KINDS.iter().map(|kind| (kind.name, kind.about)).collect()
}

/// The constraints of a character, in row order.
pub fn all(
    model: &Model,
    contacts: &Contacts,
    apart: &[BoundCollisionAvoidance],
    self_collision: bool,
    torque_limits: bool,
    joint_limit_response: f64,
    model_file: &str,
) -> Vec<Box<dyn Constraint>> {
    let setting = Setting {
        model,
        contacts,
        apart,
        self_collision,
        torque_limits,
        joint_limit_response,
        file: model_file,
    };
    KINDS.iter().filter_map(|kind| (kind.make)(&setting)).collect()
}

fn label<K>(kind: K, name: String, unit: &'static str, file: &str, line: usize) -> Label<K> {
    Label { kind, name: name.into(), unit, origin: Origin { file: file.into(), line } }
}

/// Line of the joint of a velocity coordinate in the model's file.
fn line_of(model: &Model, coordinate: usize) -> usize {
    let joints = &model.bodies[model.dof_body[coordinate].0].joints;
    let before = model.joints[joints.clone()].iter().rev().find(|joint| joint.v_index <= coordinate);
    before.map_or(0, |joint| joint.line)
}

/// The origin in a label for a place in a file.
pub fn origin_of(place: &Place) -> Origin {
    Origin { file: place.file.clone(), line: place.line }
}
