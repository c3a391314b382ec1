//! Specification of constraints on points.

use crate::checks::Checks;
use crate::constrained::Wire;
use aplomb_language::Spanned;
use nalgebra::{UnitVector3, Vector3};
use serde::Deserialize;

/// Constraint on points: `of` and exactly one of the other keys.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct HeldSpec {
    /// Name by which events enable and disable it.
    pub(crate) name: Option<String>,
    /// Name of the point, or the names of two points for `distance`.
    pub(crate) of: Spanned<Vec<String>>,
    /// Distance that the two points keep, m.
    pub(crate) distance: Option<Spanned<f64>>,
    /// Fixed position of the point, m.
    pub(crate) pin: Option<Spanned<[f64; 3]>>,
    /// Circle that the point stays on.
    pub(crate) circle: Option<CircleSpec>,
    /// Points of an open wire that the point stays on, m; it continues straight beyond its ends.
    pub(crate) wire: Option<Spanned<Vec<[f64; 3]>>>,
    /// Points of a closed wire that the point stays on, m.
    pub(crate) loop_wire: Option<Spanned<Vec<[f64; 3]>>>,
    /// Sphere that the point stays on.
    pub(crate) sphere: Option<SphereSpec>,
    /// Plane that the point stays on.
    pub(crate) plane: Option<PlaneSpec>,
}

/// A circle.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct CircleSpec {
    /// m
    pub(crate) center: Spanned<[f64; 3]>,
    /// Normal of its plane.
    pub(crate) normal: Spanned<[f64; 3]>,
    /// m
    pub(crate) radius: Spanned<f64>,
}

/// A sphere.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct SphereSpec {
    /// m
    pub(crate) center: Spanned<[f64; 3]>,
    /// m
    pub(crate) radius: Spanned<f64>,
}

/// A plane.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct PlaneSpec {
    /// Point of the plane, m.
    pub(crate) point: Spanned<[f64; 3]>,
    /// Normal of the plane.
    pub(crate) normal: Spanned<[f64; 3]>,
}

impl HeldSpec {
    pub(super) fn check(&self, checks: &mut Checks<'_>) {
        let given = [
            self.distance.is_some(),
            self.pin.is_some(),
            self.circle.is_some(),
            self.wire.is_some(),
            self.loop_wire.is_some(),
            self.sphere.is_some(),
            self.plane.is_some(),
        ];
        if given.iter().filter(|given| **given).count() != 1 {
            let message =
                "needs exactly one of `distance`, `pin`, `circle`, `wire`, `loop_wire`, `sphere`, `plane`";
            checks.wrong(self.of.span(), message.into());
        }
        let (needed, message) = match self.distance {
            Some(_) => (2, "`distance` is between two points"),
            None => (1, "this constraint takes one point; only `distance` takes two"),
        };
        if self.of.get_ref().len() != needed {
            checks.wrong(self.of.span(), message.into());
        }
        self.distance.iter().for_each(|distance| checks.positive("distance", distance));
        self.pin.iter().for_each(|place| checks.vector("pin", place));
        if let Some(circle) = &self.circle {
            checks.vector("center", &circle.center);
            checks.direction("normal", &circle.normal);
            checks.positive("radius", &circle.radius);
        }
        if let Some(sphere) = &self.sphere {
            checks.vector("center", &sphere.center);
            checks.positive("radius", &sphere.radius);
        }
        if let Some(plane) = &self.plane {
            checks.vector("point", &plane.point);
            checks.direction("normal", &plane.normal);
        }
        for (wire, closed) in [(&self.wire, false), (&self.loop_wire, true)] {
            if let Some(wire) = wire
                && let Err(error) = Wire::new(&vectors(wire.get_ref()), closed)
            {
                checks.wrong(wire.span(), error.to_string());
            }
        }
    }
}

pub(super) fn vectors(points: &[[f64; 3]]) -> Vec<Vector3<f64>> {
    points.iter().map(|point| Vector3::from(*point)).collect()
}

pub(super) fn unit(direction: &Spanned<[f64; 3]>) -> UnitVector3<f64> {
    UnitVector3::new_normalize(Vector3::from(*direction.get_ref()))
}
