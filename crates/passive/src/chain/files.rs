//! `kind = "chain"` in scene files: links in a row.

use super::object::{ChainObject, Pulled};
use crate::PassiveError;
use crate::checks::{Checks, defaults};
use crate::particles::WindSpec;
use crate::particles::wind::Wind;
use crate::{Built, FileEnvironment, ObjectRequest, PassiveMethod, RestingPoint};
use aplomb_language::Spanned;
use aplomb_language::diagnostic::{FileError, FileErrors, Source};
use aplomb_math::extent;
use nalgebra::Vector3;
use serde::Deserialize;

/// Chain of rigid links with stiff joints, integrated implicitly in linear time.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ChainSpec {
    /// Rest positions of the first end, the corners and the last end, m. Links are evenly spaced between them.
    pub(crate) points: Spanned<Vec<[f64; 3]>>,
    /// Number of links between two consecutive points.
    pub(crate) links: Spanned<u32>,
    /// Total mass of all links, kg.
    pub(crate) mass: Spanned<f64>,
    /// Radius of a link, m.
    #[serde(default = "own::radius")]
    pub(crate) radius: Spanned<f64>,
    /// Whether the first end is fixed by a joint.
    #[serde(default = "defaults::yes")]
    pub(crate) fixed: bool,
    /// Stiffness of a joint towards the rest pose, N m/rad.
    #[serde(default = "defaults::zero")]
    pub(crate) stiffness: Spanned<f64>,
    /// Damping of a joint, N m s/rad.
    #[serde(default = "defaults::zero")]
    pub(crate) damping: Spanned<f64>,
    /// Largest angle of a joint from the rest pose, rad.
    pub(crate) max_angle: Option<Spanned<f64>>,
    /// Stiffness of a joint beyond `max_angle`, N m/rad.
    #[serde(default = "own::stop")]
    pub(crate) limit_stiffness: Spanned<f64>,
    /// Additional mass at the last end, kg.
    #[serde(default = "defaults::zero")]
    pub(crate) load: Spanned<f64>,
    /// Initial velocity of all links, m/s.
    #[serde(default = "defaults::origin")]
    pub(crate) velocity: Spanned<[f64; 3]>,
    /// Air drag of a link, N s/m.
    #[serde(default = "defaults::zero")]
    pub(crate) drag: Spanned<f64>,
    /// Wind; default: still air. Its density is ignored.
    pub(crate) wind: Option<WindSpec>,
    /// Whether links have contacts with surfaces and characters, by contact springs.
    #[serde(default = "defaults::yes")]
    pub(crate) touches: bool,
    /// Stiffness of a contact spring, N/m.
    #[serde(default = "own::contact_stiffness")]
    pub(crate) contact_stiffness: Spanned<f64>,
    /// Projection passes per step, which remove the joint gaps left by the linearised equations.
    #[serde(default = "defaults::no_times")]
    pub(crate) projection_passes: Spanned<u32>,
    /// Spring that pulls its last link along a path.
    pub(crate) pulled: Option<PulledSpec>,
}

/// Spring from the last end of a chain to a moving point.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct PulledSpec {
    /// Position of the moving point at each of the times, m.
    pub(crate) points: Spanned<Vec<[f64; 3]>>,
    /// Times, s, increasing; positions are interpolated linearly.
    pub(crate) at: Spanned<Vec<f64>>,
    /// Whether the motion repeats.
    #[serde(default)]
    pub(crate) repeat: bool,
    /// Stiffness of the spring, N/m.
    pub(crate) stiffness: Spanned<f64>,
    /// Damping of the spring, N s/m.
    #[serde(default = "defaults::zero")]
    pub(crate) damping: Spanned<f64>,
    /// When the spring is removed, s.
    pub(crate) until: Option<Spanned<f64>>,
}

impl PassiveMethod for ChainSpec {
    fn models(&self) -> Vec<&Spanned<String>> {
        Vec::new()
    }

    fn check(&self, source: &Source) -> Vec<FileError> {
        let mut checks = Checks::new(source);
        let points = self.points.get_ref();
        let apart = |pair: &[[f64; 3]]| {
            let length = (Vector3::from(pair[1]) - Vector3::from(pair[0])).norm();
            length > 1e-9 && length.is_finite()
        };
        if points.len() < 2 || !points.windows(2).all(apart) {
            let message = "`points` needs two or more finite points, each different from the next";
            checks.wrong(self.points.span(), message.into());
        }
        checks.count("links", &self.links, 1..=20_000);
        checks.positive("mass", &self.mass);
        checks.positive("radius", &self.radius);
        checks.vector("velocity", &self.velocity);
        let numbers = [
            ("stiffness", &self.stiffness),
            ("damping", &self.damping),
            ("limit_stiffness", &self.limit_stiffness),
            ("load", &self.load),
            ("drag", &self.drag),
            ("contact_stiffness", &self.contact_stiffness),
        ];
        numbers.iter().for_each(|(name, value)| checks.not_negative(name, value));
        checks.count("projection_passes", &self.projection_passes, 0..=100);
        if let Some(angle) = &self.max_angle {
            checks.within("max_angle", angle, 0.0..=std::f64::consts::PI);
        }
        self.wind.iter().for_each(|wind| wind.check(&mut checks));
        self.pulled.iter().for_each(|pulled| pulled.check(&mut checks));
        checks.errors
    }

    fn aside(&self, by: f64) -> Option<String> {
        let points: Vec<_> = self.points.get_ref().iter().map(|[x, y, z]| [x + by, *y, *z]).collect();
        Some(format!("points={points:?}"))
    }

    fn length(&self) -> Option<f64> {
        Some(self.object().length())
    }

    fn point_along(&self, along: f64) -> Option<RestingPoint> {
        self.object().point_along(along)
    }

    fn build(
        members: &[ObjectRequest<'_, Self>],
        around: &FileEnvironment<'_>,
    ) -> Result<Vec<Built>, FileErrors> {
        let build = |member: &ObjectRequest<'_, Self>| {
            let wrong = |error: PassiveError| {
                FileErrors::from(FileError::new(around.source, member.spec.points.span(), error.to_string()))
            };
            let system = member.spec.object().system(around).map_err(wrong)?;
            Ok(Built::one(member.object, system))
        };
        members.iter().map(build).collect()
    }
}

impl PulledSpec {
    fn check(&self, checks: &mut Checks<'_>) {
        check_course(checks, &self.at, &self.points);
        checks.not_negative("stiffness", &self.stiffness);
        checks.not_negative("damping", &self.damping);
        if let Some(until) = &self.until {
            checks.not_negative("until", until);
        }
    }
}

/// Checks that times increase and that there are as many points.
pub(super) fn check_course(checks: &mut Checks<'_>, at: &Spanned<Vec<f64>>, points: &Spanned<Vec<[f64; 3]>>) {
    let (times, list) = (at.get_ref(), points.get_ref());
    let rise = times.windows(2).all(|pair| pair[0] < pair[1]);
    if times.is_empty() || !rise || !times.iter().all(|time| extent::is_usable(*time)) {
        checks.wrong(at.span(), "`at` needs finite, increasing times".into());
    }
    if list.len() != times.len() || !list.iter().flatten().all(|x| extent::is_usable(*x)) {
        let message = format!("{} times need as many finite points, not {}", times.len(), list.len());
        checks.wrong(points.span(), message);
    }
}

impl ChainSpec {
    fn object(&self) -> ChainObject {
        ChainObject {
            points: self.points.get_ref().iter().map(|point| Vector3::from(*point)).collect(),
            links: *self.links.get_ref() as usize,
            mass: *self.mass.get_ref(),
            radius: *self.radius.get_ref(),
            fixed: self.fixed,
            stiffness: *self.stiffness.get_ref(),
            damping: *self.damping.get_ref(),
            max_angle: self.max_angle.as_ref().map(|angle| *angle.get_ref()),
            limit_stiffness: *self.limit_stiffness.get_ref(),
            load: *self.load.get_ref(),
            velocity: Vector3::from(*self.velocity.get_ref()),
            drag: *self.drag.get_ref(),
            wind: self.wind.as_ref().map_or(Wind::NONE, WindSpec::wind),
            touches: self.touches,
            contact_stiffness: *self.contact_stiffness.get_ref(),
            projection_passes: *self.projection_passes.get_ref() as usize,
            pulled: self.pulled.as_ref().map(PulledSpec::pulled),
        }
    }
}

impl PulledSpec {
    fn pulled(&self) -> Pulled {
        Pulled {
            points: self.points.get_ref().iter().map(|point| Vector3::from(*point)).collect(),
            times: self.at.get_ref().clone(),
            repeat: self.repeat,
            stiffness: *self.stiffness.get_ref(),
            damping: *self.damping.get_ref(),
            until: self.until.as_ref().map(|until| *until.get_ref()),
        }
    }
}

mod own {
    use crate::checks::defaults::given;
    use aplomb_language::Spanned;

    pub(super) fn radius() -> Spanned<f64> {
        given(0.01)
    }

    pub(super) fn stop() -> Spanned<f64> {
        given(10.0)
    }

    pub(super) fn contact_stiffness() -> Spanned<f64> {
        given(1e4)
    }
}
