//! Binding of objectives: from names in files to indices and expressions.

use super::bound::Tracked;
use aplomb_body::model::{JointId, JointKind, Model, roles};
use aplomb_language::Spanned;
use aplomb_language::diagnostic::{FileError, Source};
use aplomb_language::expression::{Names, Scalar, ScalarField, VectorField, VectorValue};
use nalgebra::{UnitVector3, Vector3};
use std::ops::Range;

/// A joint's name, with its position in the file.
pub type JointName = Spanned<String>;

/// Resolves names to indices.
pub struct Binder<'a> {
    /// Model of the character.
    pub model: &'a Model,
    /// Text of the controller file, for the places in messages.
    pub source: &'a Source,
    /// Names that expressions may use.
    pub names: &'a dyn Names,
}

impl Binder<'_> {
    /// The named joints in model order, or all joints for `None`. The root's free joint is included if `root`
    /// is set.
    pub(super) fn joints(&self, names: Option<&[JointName]>, root: bool) -> Result<Vec<JointId>, FileError> {
        let is_root = |id: &JointId| self.model.is_root(self.model.joints[id.0].v_index);
        let mut joints = match names {
            None => (0..self.model.joints.len()).map(JointId).filter(|id| !is_root(id)).collect(),
            Some(names) => {
                let found =
                    names.iter().map(|name| match self.model.joints_of(&self.source.mirrored(name)) {
                        Some(joints) => Ok(joints),
                        None => self.joint(name).map(|joint| vec![joint]),
                    });
                found.collect::<Result<Vec<_>, _>>()?.concat()
            }
        };
        if root {
            joints.extend((0..self.model.joints.len()).map(JointId).filter(is_root));
        }
        joints.sort_unstable();
        joints.dedup();
        Ok(joints)
    }

    /// For each velocity coordinate, whether its joint is one of those named.
    ///
    /// # Errors
    /// A name that no joint has.
    pub fn coordinates(&self, names: &[JointName]) -> Result<Vec<bool>, FileError> {
        let mut serve = vec![false; self.model.nv];
        for joint in self.joints(Some(names), false)? {
            let joint = &self.model.joints[joint.0];
            serve[joint.v_index..joint.v_index + joint.kind.nv()].fill(true);
        }
        Ok(serve)
    }

    fn joint(&self, name: &JointName) -> Result<JointId, FileError> {
        let wanted = self.source.mirrored(name);
        self.model.joint(&wanted).ok_or_else(|| {
            FileError::new(self.source, name.span(), format!("there is no joint `{wanted}`"))
                .label("not a joint of this model")
                .suggest(&wanted, self.model.joints.iter().map(|joint| joint.name.as_str()))
        })
    }

    /// A joint with one coordinate, and the sign of its angle relative to that of the role by which it was named;
    /// `None` for a role for which the body has no hinge.
    pub(super) fn hinge_or_slide(&self, name: &JointName) -> Result<Option<(JointId, f64)>, FileError> {
        let wanted = self.source.mirrored(name);
        let Some((id, sign)) = self.model.hinge(&wanted) else {
            let is_role = roles::HINGES.iter().any(|(role, _)| *role == wanted);
            return if is_role { Ok(None) } else { self.joint(name).map(|joint| Some((joint, 1.0))) };
        };
        let joint = &self.model.joints[id.0];
        match joint.kind {
            JointKind::Hinge { .. } | JointKind::Slide { .. } => {
                Ok(Some((id, sign * self.turn(name, (id, sign)))))
            }
            JointKind::Free | JointKind::Ball => {
                Err(FileError::new(self.source, name.span(), format!("`{}` has no single angle", joint.name))
                    .help("a pose gives angles of hinges and lengths of slides"))
            }
        }
    }

    /// In a mirrored file: −1 if the angle of a joint has the opposite sign to that of its mirror image. The axes of
    /// both in the rest pose are compared.
    fn turn(&self, name: &JointName, (joint, sign): (JointId, f64)) -> f64 {
        let Some((theirs, their_sign)) = self.model.hinge(name.get_ref()) else { return 1.0 };
        if !self.source.is_mirrored(name.span().start) {
            return 1.0;
        }
        let poses = self.model.body_poses(&self.model.rest_configuration());
        let axis = |joint: JointId| {
            let joint = &self.model.joints[joint.0];
            let (JointKind::Hinge { axis } | JointKind::Slide { axis }) = joint.kind else { return None };
            Some((poses[joint.body.0].rotation * axis, matches!(joint.kind, JointKind::Hinge { .. })))
        };
        let (Some((other, turns)), Some((own, _))) = (axis(theirs), axis(joint)) else { return 1.0 };
        // The mirror image of a direction, or of an axis of rotation.
        let image = Vector3::new(other.x, -other.y, other.z) * if turns { -1.0 } else { 1.0 };
        if image.dot(&own) * sign * their_sign < 0.0 { -1.0 } else { 1.0 }
    }

    /// A point or direction in body axes; in a mirrored file, with its y component negated.
    pub(super) fn local(&self, given: [f64; 3], at: Range<usize>) -> [f64; 3] {
        let [x, y, z] = given;
        if self.source.is_mirrored(at.start) { [x, -y, z] } else { given }
    }

    /// A direction in body axes, normalised from three numbers.
    pub(super) fn unit(
        &self,
        given: [f64; 3],
        span: Range<usize>,
        what: &str,
    ) -> Result<UnitVector3<f64>, FileError> {
        let vector = Vector3::from(self.local(given, span.clone()));
        let length = vector.norm();
        if length.is_finite() && length > 1e-9 {
            Ok(UnitVector3::new_unchecked(vector / length))
        } else {
            Err(FileError::new(self.source, span, format!("the {what} {given:?} points nowhere")))
        }
    }

    /// The target of a goal. The goal follows its motion if `follow` is set, by default if it depends only on
    /// time.
    pub(super) fn target(
        &self,
        field: &VectorField,
        follow: Option<bool>,
    ) -> Result<Tracked<VectorValue>, FileError> {
        let expression = field.bind(self.source, self.names)?;
        Ok(Tracked { follow: follow.unwrap_or(expression.is_of_time()), expression })
    }

    /// A scalar target; see [`Binder::target`].
    pub(super) fn number_target(
        &self,
        field: &ScalarField,
        follow: Option<bool>,
    ) -> Result<Tracked<Scalar>, FileError> {
        let expression = field.bind(self.source, self.names)?;
        Ok(Tracked { follow: follow.unwrap_or(expression.is_of_time()), expression })
    }
}
