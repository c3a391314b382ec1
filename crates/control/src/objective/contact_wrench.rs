//! Force and torque of the surroundings on a body, as vectors (Wensing and Orin 2013 for objectives about
//! contact forces).

use super::{Binder, BoundObjective, Evaluated, Now, Objective, Order, Part, Residual, Statement, Subject};
use crate::predict::Prediction;
use aplomb_body::model::{BodyId, Model};
use aplomb_language::diagnostic::{FileError, Source};
use aplomb_language::expression::{BodyField, VectorField};
use nalgebra::Vector3;
use serde::Deserialize;

/// r = [Σ f − force ; Σ (p − o) × f − torque]/(m g/8), with torques also divided by h, over all contacts and grips of
/// a body and its subtree; o is the body's origin. It is undefined if nothing touches the body.
#[derive(Clone, Copy, Debug)]
pub struct ContactWrench {
    /// The body, with its subtree.
    pub body: BodyId,
    /// Target force, world, N; `None` for no target.
    pub force: Option<Vector3<f64>>,
    /// Target torque about the body's origin, world axes, N m; `None` for no target.
    pub torque: Option<Vector3<f64>>,
}

impl ContactWrench {
    fn parts(has_force: bool, has_torque: bool) -> Subject {
        let of = |what: &str, unit: &'static str| {
            ["x", "y", "z"].map(|axis| Part { name: format!("{what} {axis}"), unit })
        };
        let force = has_force.then(|| of("force", "N"));
        let torque = has_torque.then(|| of("torque", "N m"));
        Subject::Numbers(force.into_iter().chain(torque).flatten().collect())
    }

    /// Force and torque in the previous frame.
    fn last(&self, now: &Now<'_>) -> (Vector3<f64>, Vector3<f64>) {
        let is_part = |body: BodyId| now.model.is_within(body, self.body);
        let origin = now.kinematics.position[self.body.0];
        let touches = now.contacts.touches.iter().filter(|touch| is_part(touch.body));
        let touches = touches.map(|touch| (touch.point, now.last_force[touch.slot]));
        let grips = now.grips.list.iter().filter(|grip| is_part(grip.body));
        let all = touches.chain(grips.map(|grip| (grip.point, grip.last_force)));
        all.fold((Vector3::zeros(), Vector3::zeros()), |(force, torque), (point, f)| {
            (force + f, torque + (point - origin).cross(&f))
        })
    }
}

impl Objective for ContactWrench {
    fn residual<'p>(&self, now: &Now<'_>, next: &Prediction<'p>) -> Option<Residual<'p>> {
        let is_part = |body: BodyId| now.model.is_within(body, self.body);
        let bears = now.contacts.touches.iter().any(|touch| touch.bears() && is_part(touch.body));
        if !bears && !now.grips.list.iter().any(|grip| is_part(grip.body)) {
            return None;
        }
        let (unit, height) = (now.scales.contact_force(), now.scales.height);
        let force = self.force.map(|force| next.surrounding_force(is_part) - force / unit);
        let torque = self.torque.map(|torque| {
            let origin = now.kinematics.position[self.body.0];
            (next.surrounding_torque(is_part, &origin) - torque / unit) * (1.0 / height)
        });
        let mut error = force.into_iter().chain(torque);
        let mut first = error.next()?;
        error.for_each(|more| first.append(&more));
        Some(Residual::of(first, Order::Force { last: 0.0 }))
    }

    fn subject(&self, _: &Model) -> Option<Subject> {
        Some(Self::parts(self.force.is_some(), self.torque.is_some()))
    }

    fn compare(&self, now: &Now<'_>, pairs: &mut Vec<[f64; 2]>) -> Option<()> {
        let (force, torque) = self.last(now);
        for (wanted, is) in [(self.force, force), (self.torque, torque)] {
            let Some(wanted) = wanted else { continue };
            pairs.extend(wanted.iter().zip(&is).map(|(wanted, is)| [*wanted, *is]));
        }
        Some(())
    }
}

/// r = [Σ f − force ; (Σ (p − o) × f − torque)/h]/(m g/8), over all contacts and grips of a body and its
/// descendants; o is the body's origin. The objective is active only while there is such a contact or grip.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ContactWrenchSpec {
    /// Body that the wrench acts on, including its descendants.
    body: BodyField,
    /// Target force on the body, world axes, N; default: no force rows.
    force: Option<VectorField>,
    /// Target torque on the body about its origin, world axes, N m; default: no torque rows.
    torque: Option<VectorField>,
}

impl ContactWrenchSpec {
    /// The body on which the wrench acts.
    pub fn body(&self) -> &BodyField {
        &self.body
    }

    /// Target force on the body, N.
    pub fn force(&self) -> Option<&VectorField> {
        self.force.as_ref()
    }

    /// Target torque on the body, N m.
    pub fn torque(&self) -> Option<&VectorField> {
        self.torque.as_ref()
    }

    /// The objective as written in its file.
    pub(crate) fn statement(&self, source: &Source) -> Statement {
        Statement {
            about: Some(self.body.text().to_string()),
            others: [self.body.written(source)]
                .into_iter()
                .chain(
                    [&self.force, &self.torque].into_iter().flatten().map(|field| field.written_as(source)),
                )
                .collect(),
            ..Statement::default()
        }
    }

    pub(crate) fn bind(&self, binder: &Binder<'_>) -> Result<impl BoundObjective + use<>, FileError> {
        let body = self.body.bind(binder.source, binder.names)?;
        if self.force.is_none() && self.torque.is_none() {
            let place = self.body.span();
            let message = "`contact_wrench` needs a `force`, a `torque` or both";
            return Err(FileError::new(binder.source, place, message));
        }
        let vector = |field: &Option<VectorField>| {
            field.as_ref().map(|field| field.bind(binder.source, binder.names)).transpose()
        };
        let (force, torque) = (vector(&self.force)?, vector(&self.torque)?);
        let subject = ContactWrench::parts(force.is_some(), torque.is_some());
        Ok(Evaluated::new(subject, move |_, values, _| {
            let force = match &force {
                Some(force) => Some(force.known(values)?),
                None => None,
            };
            let torque = match &torque {
                Some(torque) => Some(torque.known(values)?),
                None => None,
            };
            Some(ContactWrench { body: body.value(values), force, torque })
        }))
    }
}
