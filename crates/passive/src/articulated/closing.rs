//! Specification of joints that close loops of a passive object.

use super::closure::Anchor;
use super::{Articulated, Gains, LoopJoint};
use crate::checks::defaults;
use aplomb_body::model::{BodyId, Model};
use aplomb_language::Spanned;
use aplomb_language::diagnostic::{FileError, Source};
use aplomb_math::extent;
use nalgebra::Vector3;
use serde::Deserialize;

/// Joint between two bodies that are not parent and child, or between a body and the world: it closes a
/// kinematic loop, by constraints on the acceleration.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct LoopSpec {
    /// Name by which events enable and disable it.
    pub(crate) name: Option<String>,
    /// Two bodies, or one body that is joined to the world.
    pub(crate) bodies: Spanned<Vec<String>>,
    /// Position of the joint in the frame of the first body, m.
    #[serde(default = "defaults::origin")]
    pub(crate) point: Spanned<[f64; 3]>,
    /// Position of the joint in the frame of the second body, or in the world, m; default: the point that
    /// coincides with `point` at the start.
    pub(crate) other_point: Option<Spanned<[f64; 3]>>,
    /// Relative rotation that the joint allows.
    #[serde(default)]
    pub(crate) joint: LoopKind,
    /// Axis of a hinge in the frame of the first body.
    pub(crate) axis: Option<Spanned<[f64; 3]>>,
    /// Time in which a gap decays to a tenth, critically damped, s.
    #[serde(default = "own::settle")]
    pub(crate) settle: Spanned<f64>,
}

/// Relative rotation of two bodies that a joint allows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub(crate) enum LoopKind {
    /// About any axis.
    #[default]
    Ball,
    /// Only about `axis`.
    Hinge,
    /// None.
    Weld,
}

/// Distance of the point pairs that keep an orientation, m.
const ARM: f64 = 0.1;

impl LoopSpec {
    /// Checks the specification on its own.
    pub(crate) fn check(&self, source: &Source, errors: &mut Vec<FileError>) {
        let mut say = |span, message: &str| errors.push(FileError::new(source, span, message));
        if !matches!(self.bodies.get_ref().len(), 1 | 2) {
            say(self.bodies.span(), "a loop is closed between two bodies, or a body and the world");
        }
        let points = [Some(&self.point), self.other_point.as_ref()];
        for point in points.into_iter().flatten() {
            if !point.get_ref().iter().all(|x| extent::is_usable(*x)) {
                say(point.span(), "a point must be finite, and at most 1e9");
            }
        }
        match (&self.axis, self.joint) {
            (Some(axis), LoopKind::Hinge) => {
                let length = Vector3::from(*axis.get_ref()).norm();
                if !(length > 1e-9 && length.is_finite()) {
                    say(axis.span(), "axis must be finite and not zero");
                }
            }
            (Some(axis), _) => say(axis.span(), "only a hinge has an `axis`"),
            (None, LoopKind::Hinge) => say(self.bodies.span(), "a hinge needs an `axis`"),
            (None, _) => {}
        }
        if !(extent::is_usable(*self.settle.get_ref()) && *self.settle.get_ref() > 0.0) {
            say(self.settle.span(), "settle must be more than 0");
        }
    }

    /// The joint for the system with index `index`, in its present pose.
    pub(crate) fn bind(
        &self,
        index: usize,
        system: &Articulated,
        source: &Source,
        errors: &mut Vec<FileError>,
    ) -> Option<LoopJoint> {
        let model = &system.model;
        let mut bodies = Vec::new();
        for name in self.bodies.get_ref() {
            match model.body(name) {
                Some(body) => bodies.push(body),
                None => errors.push(unknown(name, &self.bodies, model, source)),
            }
        }
        let (first, second) = match bodies[..] {
            [only] if self.bodies.get_ref().len() == 1 => (only, None),
            [first, second] if first != second => (first, Some(second)),
            [_, _] => {
                let message = "a body cannot be joined to itself";
                errors.push(FileError::new(source, self.bodies.span(), message));
                return None;
            }
            _ => return None,
        };
        let mut pairs: Vec<[Anchor; 2]> = Vec::new();
        let point = Vector3::from(*self.point.get_ref());
        let offsets = match (self.joint, &self.axis) {
            (LoopKind::Hinge, Some(axis)) => {
                let arm = ARM * Vector3::from(*axis.get_ref()).normalize();
                vec![-0.5 * arm, 0.5 * arm]
            }
            (LoopKind::Weld, _) => vec![ARM * Vector3::x(), ARM * Vector3::y(), ARM * Vector3::z()],
            _ => vec![Vector3::zeros()],
        };
        let start = other_side(system, first, second, &point);
        let moved =
            self.other_point.as_ref().map_or_else(Vector3::zeros, |to| Vector3::from(*to.get_ref()) - start);
        for offset in offsets {
            let local = point + offset;
            let other = other_side(system, first, second, &local) + moved;
            pairs.push([(Some(first), local), (second, other)]);
        }
        let name = self.name.clone().unwrap_or_default();
        Some(LoopJoint::new(name, index, pairs, Gains::settling(*self.settle.get_ref())))
    }
}

/// A point of the first body in the frame of the second body, or of the world, in their present poses.
fn other_side(
    system: &Articulated,
    first: BodyId,
    second: Option<BodyId>,
    local: &Vector3<f64>,
) -> Vector3<f64> {
    let kinematics = system.kinematics();
    let place = kinematics.point(first, local);
    match second {
        Some(body) => kinematics.rotation[body.0].tr_mul(&(place - kinematics.position[body.0])),
        None => place,
    }
}

fn unknown(name: &str, at: &Spanned<Vec<String>>, model: &Model, source: &Source) -> FileError {
    let names = model.bodies.iter().map(|body| body.name.as_str());
    FileError::new(source, at.span(), format!("unknown body `{name}`")).suggest(name, names)
}

mod own {
    use crate::checks::defaults::given;
    use aplomb_language::Spanned;

    pub(super) fn settle() -> Spanned<f64> {
        given(0.05)
    }
}
