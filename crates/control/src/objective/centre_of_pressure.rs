//! Centre of pressure: the point at which the ground's force acts (Popovic, Goswami and Herr 2005 for its
//! relation to balance).

use super::{
    Axes, Binder, BoundObjective, Evaluated, Marker, Now, Objective, Order, Residual, Statement, Subject,
};
use crate::predict::Prediction;
use aplomb_body::contact::ContactPoint;
use aplomb_body::model::{BodyId, Model};
use aplomb_language::diagnostic::{FileError, Source};
use aplomb_language::expression::{BodyField, Unit, VectorField};
use nalgebra::Vector3;
use serde::Deserialize;

/// r = Σ (p − target)_xy f_z/(m g h): the moment of the vertical forces of the supporting contacts about the target, on
/// one body or on all, which is affine in the forces; dimensionless. It is undefined without such a contact.
#[doc(alias = "CoP")]
#[doc(alias = "ZMP")]
#[doc(alias = "zero-moment point")]
#[derive(Clone, Copy, Debug)]
pub struct CentreOfPressure {
    /// Target, world, m; its height does not matter.
    pub target: Vector3<f64>,
    /// Body whose contacts are included, with those of its subtree; `None` for all contacts.
    pub body: Option<BodyId>,
}

impl CentreOfPressure {
    fn supports(&self, model: &Model, touch: &ContactPoint) -> bool {
        touch.supports() && self.body.is_none_or(|body| model.is_within(touch.body, body))
    }

    /// Sum of the vertical forces of the previous frame, N, and their first moment, N m.
    fn last(&self, now: &Now<'_>) -> (f64, Vector3<f64>) {
        let supporting = now.contacts.touches.iter().filter(|touch| self.supports(now.model, touch));
        supporting.fold((0.0, Vector3::zeros()), |(sum, moment), touch| {
            let load = now.last_force[touch.slot].z.max(0.0);
            (sum + load, moment + touch.point * load)
        })
    }
}

impl Objective for CentreOfPressure {
    fn residual<'p>(&self, now: &Now<'_>, next: &Prediction<'p>) -> Option<Residual<'p>> {
        if !now.contacts.touches.iter().any(|touch| self.supports(now.model, touch)) {
            return None;
        }
        // The unit of forces is m g/8.
        let unit = 1.0 / (8.0 * now.scales.height);
        let moment = |axis: usize| {
            next.vertical_moment(|touch| {
                let arm = touch.point[axis] - self.target[axis];
                if self.supports(now.model, touch) { arm * unit } else { 0.0 }
            })
        };
        let mut error = moment(0);
        error.append(&moment(1));
        Some(Residual::of(error, Order::Force { last: 0.0 }))
    }

    fn subject(&self, _: &Model) -> Option<Subject> {
        Some(Subject::Point(Axes::Horizontal))
    }

    fn compare(&self, now: &Now<'_>, pairs: &mut Vec<[f64; 2]>) -> Option<()> {
        let (sum, moment) = self.last(now);
        if sum <= 0.0 {
            return None;
        }
        Axes::Horizontal.compare(self.target, moment / sum, pairs);
        Some(())
    }

    fn marker(&self, now: &Now<'_>) -> Option<Marker> {
        let (sum, moment) = self.last(now);
        let key = Some("of.centre_of_pressure.target");
        (sum > 0.0).then(|| Axes::Horizontal.towards(moment / sum, self.target, key))
    }
}

/// r = Σ (p − target)_xy f_z/(m g h), the moment of the vertical forces of the supporting contacts about the target,
/// dimensionless.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct CentreOfPressureSpec {
    /// Target centre of pressure, world, m; its height is ignored.
    target: VectorField,
    /// Use only the contacts of this body and its descendants; default: all contacts.
    body: Option<BodyField>,
}

impl CentreOfPressureSpec {
    /// The objective as written in its file.
    pub(crate) fn statement(&self, source: &Source) -> Statement {
        Statement {
            about: Some(self.body.as_ref().map_or_else(String::new, |body| body.text().to_string())),
            target: Some(self.target.written_as(source)),
            unit: Some(Unit::METRE),
            others: self.body.iter().map(|body| body.written(source)).collect(),
            ..Statement::default()
        }
    }

    pub(crate) fn bind(&self, binder: &Binder<'_>) -> Result<impl BoundObjective + use<>, FileError> {
        let target = self.target.bind(binder.source, binder.names)?;
        let body = self.body.as_ref().map(|body| body.bind(binder.source, binder.names)).transpose()?;
        Ok(Evaluated::new(Subject::Point(Axes::Horizontal), move |_, values, _| {
            let body = body.as_ref().map(|body| body.value(values));
            Some(CentreOfPressure { target: target.known(values)?, body })
        }))
    }
}
