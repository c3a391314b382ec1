//! Kinematic goals: what a controller asks of the next frame, one file a kind.

mod align;
mod body_orientation;
mod body_point;
mod com_height;
mod com_over_support;
mod com_position;
mod com_velocity;
mod contact_force;
mod form;
mod grip_force;
mod pose;
mod upright;
mod velocity;

pub use form::{Form, Order, Residual};

use crate::language::Spanned;
use crate::language::diagnostic::{FileError, Source};
use crate::language::expression::{Lookup, Motion, Names, Scalar, VectorValue};
use crate::language::registry::kinds;
use crate::model::{Joint, JointId, JointKind, Model};
use crate::predict::Prediction;
use crate::snapshot::Snapshot;
use nalgebra::Vector3;
use std::ops::Range;

/// What is known at time t: the snapshot and the values expressions may read (quantities, roles, parameters).
#[derive(Clone, Copy)]
pub struct Now<'a> {
    pub model: &'a Model,
    pub snapshot: &'a Snapshot,
    pub values: &'a dyn Lookup,
}

impl std::ops::Deref for Now<'_> {
    type Target = Snapshot;

    fn deref(&self) -> &Snapshot {
        self.snapshot
    }
}

impl Now<'_> {
    /// How a target moves with time, frame by frame.
    fn motion_of(&self, target: &VectorValue) -> Motion<Vector3<f64>> {
        target.motion(self.values, self.scales.dt, self.scales.time())
    }

    fn motion_of_number(&self, target: &Scalar) -> Motion<f64> {
        target.motion(self.values, self.scales.dt, self.scales.time())
    }
}

/// A goal: an error of the next frame, affine in the unknowns, that should vanish.
pub trait Objective: Send {
    /// `None` where the goal has no meaning in this frame (no support to stand over, say).
    fn residual<'p>(&self, now: &Now<'_>, next: &Prediction<'p>) -> Option<Residual<'p>>;

    /// Unit of the distance from a moving target that the goal keeps up with; `None` where it follows none.
    fn follows(&self) -> Option<&'static str> {
        None
    }
}

/// Whether a target is a point at all: one that depends on a hold that is not there has no place, and what is
/// wanted of it has no meaning.
fn is_known(target: &Vector3<f64>) -> bool {
    target.iter().all(|part| part.is_finite())
}

/// A joint's name and where it stands in the file.
pub type JointName = Spanned<String>;

/// The crossing from names to indices.
pub struct Binder<'a> {
    pub model: &'a Model,
    pub source: &'a Source,
    pub names: &'a dyn Names,
}

impl Binder<'_> {
    /// The joints named, in model order; with `None` all of them. The root's free joint is among them where
    /// `root` says so.
    fn joints(&self, names: Option<&[JointName]>, root: bool) -> Result<Vec<JointId>, FileError> {
        let is_root = |id: &JointId| self.model.joints[id.0].kind == JointKind::Free;
        let mut joints = match names {
            None => (0..self.model.joints.len()).map(JointId).filter(|id| !is_root(id)).collect(),
            Some(names) => names.iter().map(|name| self.joint(name)).collect::<Result<Vec<_>, _>>()?,
        };
        if root {
            joints.extend((0..self.model.joints.len()).map(JointId).filter(is_root));
        }
        joints.sort_unstable();
        joints.dedup();
        Ok(joints)
    }

    fn joint(&self, name: &JointName) -> Result<JointId, FileError> {
        self.model.joint(name.get_ref()).ok_or_else(|| {
            FileError::new(self.source, name.span(), format!("there is no joint `{}`", name.get_ref()))
                .label("not a joint of this model")
                .suggest(name.get_ref(), self.model.joints.iter().map(|joint| joint.name.as_str()))
        })
    }

    /// A joint with one coordinate.
    fn hinge_or_slide(&self, name: &JointName) -> Result<&Joint, FileError> {
        let joint = &self.model.joints[self.joint(name)?.0];
        match joint.kind {
            JointKind::Hinge { .. } | JointKind::Slide { .. } => Ok(joint),
            JointKind::Free | JointKind::Ball => {
                Err(FileError::new(self.source, name.span(), format!("`{}` has no single angle", joint.name))
                    .help("a pose gives angles of hinges and lengths of slides"))
            }
        }
    }

    /// A direction given by three numbers.
    fn unit(&self, given: [f64; 3], span: Range<usize>, what: &str) -> Result<Vector3<f64>, FileError> {
        let vector = Vector3::from(given);
        let length = vector.norm();
        if length.is_finite() && length > 1e-9 {
            Ok(vector / length)
        } else {
            Err(FileError::new(self.source, span, format!("the {what} {given:?} points nowhere")))
        }
    }
}

kinds! {
    /// The kinds of objective a controller file can name.
    pub enum ObjectiveSpec: Binder<'_> => dyn Objective {
        #[doc = "COM over the centre of the support polygon (of all contacts, or of the feet named): keeps balance."]
        "com_over_support" ComOverSupport(com_over_support::ComOverSupport),
        #[doc = "COM to a point: shifts the weight, or carries the body somewhere."]
        "com_position" ComPosition(com_position::ComPosition),
        #[doc = "Height of the COM over the ground: crouches, rises, keeps the legs from folding."]
        "com_height" ComHeight(com_height::ComHeight),
        #[doc = "An axis of a body upright: keeps the back straight."]
        "upright" Upright(upright::Upright),
        #[doc = "An axis of a body along a direction: lays a sole on a hold, turns a hand to a wall."]
        "align" Align(align::Align),
        #[doc = "Rates of joints and root small: avoids sudden movements."]
        "velocity" Velocity(velocity::Velocity),
        #[doc = "Joints (all, or those named) towards angles: holds a pose."]
        "pose" Pose(pose::Pose),
        #[doc = "A body's point or a site to a point in the world: reaches, places a foot."]
        "body_point" BodyPoint(body_point::BodyPoint),
        #[doc = "A body's orientation to roll, pitch and yaw: keeps a sole flat, turns a hand."]
        "body_orientation" BodyOrientation(body_orientation::BodyOrientation),
        #[doc = "Normal force on a body to a fraction of the weight: unloads a foot before it is lifted."]
        "contact_force" ContactForce(contact_force::ContactForce),
        #[doc = "Velocity of the COM, or its component in a direction that depends on the state: swings, throws itself forward."]
        "com_velocity" ComVelocity(com_velocity::ComVelocity),
        #[doc = "No force on the grip of a site: relaxes a hand or foot before it lets go."]
        "grip_force" GripForce(grip_force::GripForce),
    }
}
