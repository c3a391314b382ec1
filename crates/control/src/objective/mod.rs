//! Objectives: the requests of a controller for the next frame, one file for each kind.
//!
//! Each file has the objective itself, with plain numbers and geometry, and below it its form in controller
//! files: a `…Spec` of expressions, which are evaluated into the objective before each solve of a frame.

mod aim;
mod align;
mod angular_momentum;
mod bind;
mod body_orientation;
mod body_point;
mod bound;
mod centre_of_pressure;
mod com_height;
mod com_over_support;
mod com_position;
mod com_velocity;
mod contact_force;
mod contact_wrench;
mod form;
mod grip_force;
mod joint_torque;
mod keep_away;
mod look_at;
mod object_orientation;
mod object_position;
mod object_velocity;
mod pose;
mod subject;
mod target;
mod upright;
mod velocity;

pub use aim::{Aim, Marker, aim};
pub use align::Align;
pub use angular_momentum::AngularMomentum;
pub use aplomb_math::interpolation::Rates;
pub use bind::{Binder, JointName};
pub use body_orientation::BodyOrientation;
pub use body_point::BodyPoint;
pub use bound::BoundObjective;
pub use centre_of_pressure::CentreOfPressure;
pub use com_height::ComHeight;
pub use com_over_support::ComOverSupport;
pub use com_position::ComPosition;
pub use com_velocity::ComVelocity;
pub use contact_force::ContactForce;
pub use contact_wrench::ContactWrench;
pub use form::TargetSide;
pub use form::{Form, Order, Residual};
pub use grip_force::GripForce;
pub use joint_torque::JointTorque;
pub use keep_away::KeepAway;
pub use look_at::LookAt;
pub use object_orientation::ObjectOrientation;
pub use object_position::ObjectPosition;
pub use object_velocity::ObjectVelocity;
pub use pose::{JointTarget, Pose, PoseSpec};
pub use subject::Statement;
pub use subject::{Part, Subject};
pub use target::{Axes, Target};
pub use upright::Upright;
pub use velocity::Velocity;

use bound::{Evaluated, Tracked};

use crate::predict::Prediction;
use crate::snapshot::Snapshot;
use aplomb_body::model::Model;
use aplomb_language::diagnostic::{Source, Warning};
use aplomb_language::registry::kinds;
use std::any::Any;

/// The known state at time t.
#[derive(Clone, Copy)]
pub struct Now<'a> {
    /// Model of the character.
    pub model: &'a Model,
    /// The state of the character and its surroundings at time t.
    pub snapshot: &'a Snapshot,
}

impl std::ops::Deref for Now<'_> {
    type Target = Snapshot;

    fn deref(&self) -> &Snapshot {
        self.snapshot
    }
}

/// The error function of a goal: an error of the next frame, affine in the unknowns, that should vanish.
///
/// It contains only geometry. Its weight and its response belong to the goal that contains it. A program may define
/// its own: [`residual`](Objective::residual) is required; with [`subject`](Objective::subject) and
/// [`compare`](Objective::compare), traces, plots and the window show its target, actual value and error like those
/// of the shipped kinds:
///
/// ```
/// # mod aplomb {
/// #     pub use aplomb_body::model;
/// #     pub use aplomb_control::{objective, predict};
/// # }
/// use aplomb::model::{BodyId, Model};
/// use aplomb::objective::{Now, Objective, Residual, Subject};
/// use aplomb::predict::Prediction;
///
/// /// r = p⁺ − q⁺, m: two bodies with their origins in one point.
/// struct Meet(BodyId, BodyId);
///
/// impl Objective for Meet {
///     fn residual<'p>(&self, now: &Now<'_>, next: &Prediction<'p>) -> Option<Residual<'p>> {
///         let origin = |body: BodyId| next.point(body, &now.kinematics.position[body.0]);
///         Some(Residual::position(origin(self.0) + origin(self.1) * -1.0))
///     }
///
///     fn subject(&self, _: &Model) -> Option<Subject> {
///         Some(Subject::number("m"))
///     }
///
///     fn compare(&self, now: &Now<'_>, pairs: &mut Vec<[f64; 2]>) -> Option<()> {
///         let [p, q] = [self.0, self.1].map(|body| now.kinematics.position[body.0]);
///         pairs.push([0.0, (p - q).norm()]);
///         Some(())
///     }
/// }
/// ```
pub trait Objective: Any + Send {
    /// The error; `None` if the goal is undefined in this frame (for example without support).
    fn residual<'p>(&self, now: &Now<'_>, next: &Prediction<'p>) -> Option<Residual<'p>>;

    /// Unit of the distance from the moving target that the goal tracks; `None` if it tracks none.
    fn follows(&self) -> Option<&'static str> {
        None
    }

    /// Whether the objective depends on the motion of passive objects that the character holds or touches,
    /// which is computed only then.
    fn is_about_objects(&self) -> bool {
        false
    }

    /// The quantities that the objective compares with its target, the same in every frame: the trace lists these
    /// numbers by name and unit, and plots and the window show them. Default: `None`, no quantities.
    fn subject(&self, _model: &Model) -> Option<Subject> {
        None
    }

    /// Appends target and actual value at time t of each number of its [`subject`](Objective::subject) to `pairs`, in
    /// that order. Default: `None`, for an objective that is undefined in this frame.
    ///
    /// Forces are those of the previous frame, which led to the state at time t.
    fn compare(&self, _now: &Now<'_>, _pairs: &mut Vec<[f64; 2]>) -> Option<()> {
        None
    }

    /// A point and its target, which the window draws. Default: `None`, for an objective that does not control a
    /// point.
    fn marker(&self, _now: &Now<'_>) -> Option<Marker> {
        None
    }

    /// Targets of joints, which the window draws as a transparent pose. Default: none.
    fn joint_targets(&self) -> &[JointTarget] {
        &[]
    }
}

/// What the error of a kind of objective is like.
struct ErrorShape {
    /// Whether values can be above or below its target.
    has_sides: bool,
    /// Whether it has components along x, y and z of the world.
    has_axes: bool,
}

impl ObjectiveSpec {
    /// Warnings about settings that are valid but probably not intended for this body.
    pub fn warnings(&self, source: &Source, model: &Model) -> Vec<Warning> {
        match self {
            ObjectiveSpec::Pose(pose) => pose.warnings(source, model),
            _ => Vec::new(),
        }
    }

    /// Name of the passive object that the objective controls, as written.
    pub fn object(&self) -> Option<&str> {
        match self {
            ObjectiveSpec::ObjectOrientation(spec) => Some(spec.object()),
            ObjectiveSpec::ObjectPosition(spec) => Some(spec.object()),
            ObjectiveSpec::ObjectVelocity(spec) => Some(spec.object()),
            _ => None,
        }
    }

    /// The specification, if the objective controls the wrench on a body.
    pub fn contact_wrench(&self) -> Option<&contact_wrench::ContactWrenchSpec> {
        match self {
            ObjectiveSpec::ContactWrench(spec) => Some(spec),
            _ => None,
        }
    }

    /// Whether values can be above or below its target.
    pub fn has_sides(&self) -> bool {
        self.error_shape().has_sides
    }

    /// Whether its error has components along x, y and z of the world.
    pub fn has_axes(&self) -> bool {
        self.error_shape().has_axes
    }

    /// What its error is like: every kind says so.
    fn error_shape(&self) -> ErrorShape {
        let (has_sides, has_axes) = match self {
            ObjectiveSpec::ComPosition(_)
            | ObjectiveSpec::ComVelocity(_)
            | ObjectiveSpec::BodyPoint(_)
            | ObjectiveSpec::ContactWrench(_)
            | ObjectiveSpec::AngularMomentum(_)
            | ObjectiveSpec::ObjectPosition(_)
            | ObjectiveSpec::ObjectVelocity(_) => (true, true),
            ObjectiveSpec::ComHeight(_)
            | ObjectiveSpec::Pose(_)
            | ObjectiveSpec::ContactForce(_)
            | ObjectiveSpec::CentreOfPressure(_) => (true, false),
            ObjectiveSpec::BodyOrientation(_) | ObjectiveSpec::ObjectOrientation(_) => (false, true),
            ObjectiveSpec::ComOverSupport(_)
            | ObjectiveSpec::Upright(_)
            | ObjectiveSpec::Align(_)
            | ObjectiveSpec::Velocity(_)
            | ObjectiveSpec::GripForce(_)
            | ObjectiveSpec::KeepAway(_)
            | ObjectiveSpec::LookAt(_)
            | ObjectiveSpec::JointTorque(_) => (false, false),
        };
        ErrorShape { has_sides, has_axes }
    }

    /// Name of the kind, and the objective as written in its file.
    pub fn statement(&self, source: &Source) -> (&'static str, Statement) {
        match self {
            ObjectiveSpec::ComOverSupport(spec) => ("com_over_support", spec.statement(source)),
            ObjectiveSpec::ComPosition(spec) => ("com_position", spec.statement(source)),
            ObjectiveSpec::ComHeight(spec) => ("com_height", spec.statement(source)),
            ObjectiveSpec::Upright(spec) => ("upright", spec.statement(source)),
            ObjectiveSpec::Align(spec) => ("align", spec.statement(source)),
            ObjectiveSpec::Velocity(spec) => ("velocity", spec.statement(source)),
            ObjectiveSpec::Pose(spec) => ("pose", spec.statement(source)),
            ObjectiveSpec::BodyPoint(spec) => ("body_point", spec.statement(source)),
            ObjectiveSpec::BodyOrientation(spec) => ("body_orientation", spec.statement(source)),
            ObjectiveSpec::ContactForce(spec) => ("contact_force", spec.statement(source)),
            ObjectiveSpec::ContactWrench(spec) => ("contact_wrench", spec.statement(source)),
            ObjectiveSpec::ComVelocity(spec) => ("com_velocity", spec.statement(source)),
            ObjectiveSpec::GripForce(spec) => ("grip_force", spec.statement(source)),
            ObjectiveSpec::AngularMomentum(spec) => ("angular_momentum", spec.statement(source)),
            ObjectiveSpec::CentreOfPressure(spec) => ("centre_of_pressure", spec.statement(source)),
            ObjectiveSpec::KeepAway(spec) => ("keep_away", spec.statement(source)),
            ObjectiveSpec::LookAt(spec) => ("look_at", spec.statement(source)),
            ObjectiveSpec::JointTorque(spec) => ("joint_torque", spec.statement(source)),
            ObjectiveSpec::ObjectPosition(spec) => ("object_position", spec.statement(source)),
            ObjectiveSpec::ObjectOrientation(spec) => ("object_orientation", spec.statement(source)),
            ObjectiveSpec::ObjectVelocity(spec) => ("object_velocity", spec.statement(source)),
        }
    }
}

kinds! {
    /// The kinds of objective that a controller file can name.
    pub enum ObjectiveSpec: Binder<'_> => dyn BoundObjective {
        #[doc = "COM over the centre of the support polygon (of all contacts, or of the feet named): keeps balance."]
        "com_over_support" ComOverSupport(com_over_support::ComOverSupportSpec),
        #[doc = "COM to a point: shifts the weight, or carries the body somewhere."]
        "com_position" ComPosition(com_position::ComPositionSpec),
        #[doc = "Height of the COM over the ground: crouches, rises, keeps the legs from folding."]
        "com_height" ComHeight(com_height::ComHeightSpec),
        #[doc = "An axis of a body upright: keeps the back straight."]
        "upright" Upright(upright::UprightSpec),
        #[doc = "An axis of a body along a direction: lays a sole on a hold, turns a hand to a wall."]
        "align" Align(align::AlignSpec),
        #[doc = "Small rates of joints and root: avoids sudden movements."]
        "velocity" Velocity(velocity::VelocitySpec),
        #[doc = "Joints (all, or those named) towards angles: holds a pose."]
        "pose" Pose(pose::PoseSpec),
        #[doc = "A body's point or a site to a point in the world: reaches, places a foot."]
        "body_point" BodyPoint(body_point::BodyPointSpec),
        #[doc = "A body's orientation to roll, pitch and yaw: keeps a sole flat, turns a hand."]
        "body_orientation" BodyOrientation(body_orientation::BodyOrientationSpec),
        #[doc = "Normal force on a body to a fraction of the weight: unloads a foot before it is lifted."]
        "contact_force" ContactForce(contact_force::ContactForceSpec),
        #[doc = "Force and torque of contacts and grips on a body, as vectors: leans on a wall or pulls on a bar \
                 with a given force."]
        "contact_wrench" ContactWrench(contact_wrench::ContactWrenchSpec),
        #[doc = "Velocity of the COM, or its component in a direction that depends on the state: swings, throws \
                itself forward."]
        "com_velocity" ComVelocity(com_velocity::ComVelocitySpec),
        #[doc = "Zero force on the grip of a site: unloads a hand or foot before release."]
        "grip_force" GripForce(grip_force::GripForceSpec),
        #[doc = "Angular momentum about the COM: turns in flight, or does not flail."]
        "angular_momentum" AngularMomentum(angular_momentum::AngularMomentumSpec),
        #[doc = "Centre of pressure to a point of the ground: leans on heels or toes, or on one foot."]
        "centre_of_pressure" CentreOfPressure(centre_of_pressure::CentreOfPressureSpec),
        #[doc = "A point away from a line or another point: dodges."]
        "keep_away" KeepAway(keep_away::KeepAwaySpec),
        #[doc = "A direction of a body towards a point: looks at something."]
        "look_at" LookAt(look_at::LookAtSpec),
        #[doc = "Small joint torques: reduces effort."]
        "joint_torque" JointTorque(joint_torque::JointTorqueSpec),
        #[doc = "A held or pushed passive object to a point: carries it, sets it down."]
        "object_position" ObjectPosition(object_position::ObjectPositionSpec),
        #[doc = "Orientation of a held or pushed passive object to roll, pitch and yaw: keeps a box level."]
        "object_orientation" ObjectOrientation(object_orientation::ObjectOrientationSpec),
        #[doc = "Velocity of a held or pushed passive object: pushes it at a speed."]
        "object_velocity" ObjectVelocity(object_velocity::ObjectVelocitySpec),
    }
}
