//! Angular momentum about the COM, which no contact force changes in flight (Orin and Goswami 2008 for the
//! matrix).

use super::{
    Axes, Binder, BoundObjective, Evaluated, Now, Objective, Order, Part, Residual, Statement, Subject,
};
use crate::predict::Prediction;
use aplomb_body::dynamics::momentum;
use aplomb_body::model::Model;
use aplomb_language::diagnostic::{FileError, Source};
use aplomb_language::expression::VectorField;
use nalgebra::Vector3;
use serde::Deserialize;

/// r = (L⁺ − target)/(m h²) about the COM, rad/s: the angular velocity of a point mass at radius h with that
/// angular momentum. The one-step form weighs `time_constant` × r.
#[doc(alias = "centroidal momentum")]
#[derive(Clone, Copy, Debug)]
pub struct AngularMomentum {
    /// Target, world, N m s.
    pub target: Vector3<f64>,
    /// Time constant of the one-step form, s.
    pub time_constant: f64,
}

impl Objective for AngularMomentum {
    fn residual<'p>(&self, now: &Now<'_>, next: &Prediction<'p>) -> Option<Residual<'p>> {
        let unit = 1.0 / (now.scales.mass * now.scales.height * now.scales.height);
        let error = (next.angular_momentum() - self.target) * unit;
        Some(Residual::of(error, Order::Velocity { time_constant: self.time_constant }))
    }

    fn subject(&self, _: &Model) -> Option<Subject> {
        Some(subject())
    }

    fn compare(&self, now: &Now<'_>, pairs: &mut Vec<[f64; 2]>) -> Option<()> {
        let actual = momentum::centroidal_momentum(&now.kinematics).moment;
        Axes::All.compare(self.target, actual, pairs);
        Some(())
    }
}

fn subject() -> Subject {
    Subject::Numbers(["x", "y", "z"].map(|name| Part { name: name.into(), unit: "N m s" }).to_vec())
}

/// r = (L⁺ − target)/(m h²) about the COM, rad/s. The one-step form weighs `time_constant` × r.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct AngularMomentumSpec {
    /// Target angular momentum, world axes, N m s.
    #[serde(default = "none")]
    target: VectorField,
    /// Scale of the residual, s; one-step form only.
    #[serde(default = "tenth")]
    time_constant: f64,
}

fn none() -> VectorField {
    VectorField::constant([0.0; 3])
}

fn tenth() -> f64 {
    0.1
}

impl AngularMomentumSpec {
    /// The objective as written in its file.
    pub(crate) fn statement(&self, source: &Source) -> Statement {
        Statement { target: Some(self.target.written_as(source)), ..Statement::default() }
    }

    pub(crate) fn bind(&self, binder: &Binder<'_>) -> Result<impl BoundObjective + use<>, FileError> {
        let target = self.target.bind(binder.source, binder.names)?;
        let time_constant = self.time_constant;
        Ok(Evaluated::new(subject(), move |_, values, _| {
            Some(AngularMomentum { target: target.known(values)?, time_constant })
        }))
    }
}
