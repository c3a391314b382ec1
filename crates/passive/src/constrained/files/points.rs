//! Particles, pendulums, and springs between their points.

use crate::checks::{Checks, defaults};
use crate::constrained::body::Hoop;
use aplomb_language::Spanned;
use aplomb_math::extent;
use nalgebra::{Matrix3, Rotation3, UnitQuaternion, Vector3};
use serde::Deserialize;

/// A particle.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct ParticleSpec {
    /// m
    pub(crate) position: Spanned<[f64; 3]>,
    /// m/s
    #[serde(default = "defaults::origin")]
    pub(crate) velocity: Spanned<[f64; 3]>,
    /// Mass, kg; a particle without a mass is fixed.
    pub(crate) mass: Option<Spanned<f64>>,
}

/// Planar pendulum of rods with a mass at the end of each, in angle coordinates.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct PendulumSpec {
    /// m
    pub(crate) pivot: Spanned<[f64; 3]>,
    /// Horizontal direction of positive angles.
    pub(crate) across: Spanned<[f64; 3]>,
    /// Lengths of the rods, m.
    pub(crate) lengths: Spanned<Vec<f64>>,
    /// Masses at their ends, kg.
    pub(crate) masses: Spanned<Vec<f64>>,
    /// Initial angles from straight down, rad.
    pub(crate) angles: Spanned<Vec<f64>>,
}

/// Bead on a circle, in angle coordinates.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct HoopSpec {
    /// Centre of the circle, m.
    pub(crate) center: Spanned<[f64; 3]>,
    /// Normal of its plane.
    pub(crate) normal: Spanned<[f64; 3]>,
    /// m
    pub(crate) radius: Spanned<f64>,
    /// Mass of the bead, kg.
    pub(crate) mass: Spanned<f64>,
    /// The bead starts at the point of the circle nearest to this point, m.
    pub(crate) from: Spanned<[f64; 3]>,
    /// Initial speed along the circle, right-handed about `normal`, m/s.
    #[serde(default = "defaults::zero")]
    pub(crate) speed: Spanned<f64>,
}

/// A spring between two points.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct SpringSpec {
    /// Name by which events enable and disable it.
    pub(crate) name: Option<String>,
    /// Names of the two points.
    pub(crate) of: Spanned<Vec<String>>,
    /// m
    pub(crate) rest: Spanned<f64>,
    /// N/m
    pub(crate) stiffness: Spanned<f64>,
    /// N s/m
    #[serde(default = "defaults::zero")]
    pub(crate) damping: Spanned<f64>,
}

impl ParticleSpec {
    pub(super) fn check(&self, checks: &mut Checks<'_>) {
        checks.vector("position", &self.position);
        checks.vector("velocity", &self.velocity);
        self.mass.iter().for_each(|mass| checks.positive("mass", mass));
        if self.mass.is_none() && self.velocity.get_ref().iter().any(|rate| *rate != 0.0) {
            checks.wrong(
                self.velocity.span(),
                "a particle without `mass` is fixed, so it cannot have a velocity".into(),
            );
        }
    }
}

impl PendulumSpec {
    pub(super) fn check(&self, checks: &mut Checks<'_>) {
        checks.vector("pivot", &self.pivot);
        checks.direction("across", &self.across);
        if self.across.get_ref()[2] != 0.0 {
            checks.wrong(self.across.span(), "across must be horizontal".into());
        }
        let (lengths, masses, angles) =
            (self.lengths.get_ref(), self.masses.get_ref(), self.angles.get_ref());
        if lengths.is_empty() || !lengths.iter().chain(masses).all(|x| *x > 0.0 && extent::is_usable(*x)) {
            checks.wrong(self.lengths.span(), "lengths and masses must be more than 0".into());
        }
        if masses.len() != lengths.len() || angles.len() != lengths.len() {
            let message = format!("{} lengths need as many masses and angles", lengths.len());
            checks.wrong(self.lengths.span(), message);
        }
        if !angles.iter().all(|angle| extent::is_usable(*angle)) {
            checks.wrong(self.angles.span(), "angles must be finite, and at most 1e9".into());
        }
    }
}

impl HoopSpec {
    pub(super) fn check(&self, checks: &mut Checks<'_>) {
        checks.vector("center", &self.center);
        checks.direction("normal", &self.normal);
        checks.positive("radius", &self.radius);
        checks.positive("mass", &self.mass);
        checks.vector("from", &self.from);
        let (out, normal) = (self.out(), Vector3::from(*self.normal.get_ref()));
        if out.cross(&normal).norm() <= 1e-9 * out.norm() * normal.norm() {
            checks.wrong(self.from.span(), "from must be off the axis of the circle".into());
        }
        if !extent::is_usable(*self.speed.get_ref()) {
            checks.wrong(self.speed.span(), "speed must be finite, and at most 1e9".into());
        }
    }

    fn out(&self) -> Vector3<f64> {
        Vector3::from(*self.from.get_ref()) - Vector3::from(*self.center.get_ref())
    }

    /// The bead's body, at angle 0 in its initial position, and the rate of that angle, rad/s.
    pub(super) fn hoop(&self) -> (Hoop, f64) {
        let normal = Vector3::from(*self.normal.get_ref()).normalize();
        let out = self.out();
        let across = (out - normal.dot(&out) * normal).normalize();
        let axes = Matrix3::from_columns(&[across, normal.cross(&across), normal]);
        let orientation = UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(axes));
        let (center, radius) = (Vector3::from(*self.center.get_ref()), *self.radius.get_ref());
        (Hoop { center, orientation, radius, mass: [*self.mass.get_ref()] }, self.speed.get_ref() / radius)
    }
}

impl SpringSpec {
    pub(super) fn check(&self, checks: &mut Checks<'_>) {
        checks.not_negative("rest", &self.rest);
        checks.not_negative("stiffness", &self.stiffness);
        checks.not_negative("damping", &self.damping);
        if self.of.get_ref().len() != 2 {
            checks.wrong(self.of.span(), "a spring is between two points".into());
        }
    }
}
