//! `kind = "rope"` in scene files.

use super::builder::{MOST, ParticleBuilder, mistake};
use super::extras::{ContainerSpec, DragSpec, Extras};
use super::relax::RelaxSpec;
use crate::checks::defaults::given;
use crate::checks::{Checks, defaults};
use crate::particles::ParticlesSpec;
use crate::particles::wind::Wind;
use crate::{Built, FileEnvironment, ObjectRequest, PassiveMethod};
use aplomb_language::Spanned;
use aplomb_language::diagnostic::{FileError, FileErrors, Source};
use nalgebra::Vector3;
use serde::Deserialize;

/// A rope: a row of Verlet particles with a stick between neighbours.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RopeSpec {
    /// Initial positions of its two ends, m; the rope starts straight between them. Two ends that are exactly one above
    /// the other leave nothing that moves it aside: cut, it falls onto itself and stays upright.
    pub(crate) ends: Spanned<[[f64; 3]; 2]>,
    /// Length, m; default: the initial distance of its ends. A longer rope sags or pulls its ends in.
    pub(crate) length: Option<Spanned<f64>>,
    /// Number of sticks.
    pub(crate) sticks: Spanned<u32>,
    /// kg
    pub(crate) mass: Spanned<f64>,
    /// Fixed ends.
    #[serde(default)]
    pub(crate) fixed: Vec<End>,
    /// Additional mass at its second end, kg.
    #[serde(default = "defaults::zero")]
    pub(crate) load: Spanned<f64>,
    /// Radius when drawn, m.
    #[serde(default = "thickness")]
    pub(crate) thickness: Spanned<f64>,
    /// How its stick constraints are relaxed.
    #[serde(default)]
    pub(crate) relax: RelaxSpec,
    /// Container that its particles stay inside.
    pub(crate) container: Option<ContainerSpec>,
    /// Particles that follow a prescribed motion: moving pins and drags.
    #[serde(default)]
    pub(crate) drags: Vec<DragSpec>,
}

/// An end of a rope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub(crate) enum End {
    /// The first end.
    First,
    /// The second end.
    Second,
}

/// Largest error of the length of a rope between fixed ends, as a share: that of a rounded number.
const LENGTH_ERROR: f64 = 0.01;

fn thickness() -> Spanned<f64> {
    given(0.01)
}

impl PassiveMethod for RopeSpec {
    fn models(&self) -> Vec<&Spanned<String>> {
        Vec::new()
    }

    fn aside(&self, by: f64) -> Option<String> {
        Some(format!("ends={:?}", self.ends.get_ref().map(|[x, y, z]| [x + by, y, z])))
    }

    fn check(&self, source: &Source) -> Vec<FileError> {
        let mut checks = Checks::new(source);
        let [first, second] = self.ends.get_ref().map(Vector3::from);
        let apart = (second - first).norm();
        if !(apart > 1e-9 && apart.is_finite()) {
            checks.wrong(self.ends.span(), "ends must be finite and apart".into());
        }
        if let Some(length) = &self.length {
            checks.positive("length", length);
            let is_fixed = [End::First, End::Second].iter().all(|end| self.fixed.contains(end));
            if is_fixed && *length.get_ref() > 0.0 && *length.get_ref() < apart * (1.0 - LENGTH_ERROR) {
                let message = format!(
                    "the rope is {} m long, and its fixed ends are {apart:.3} m apart",
                    length.get_ref()
                );
                checks.wrong(length.span(), message);
            }
        }
        checks.count("sticks", &self.sticks, 1..=MOST);
        checks.positive("mass", &self.mass);
        checks.not_negative("load", &self.load);
        checks.positive("thickness", &self.thickness);
        self.relax.check(&mut checks);
        self.extras().check(&mut checks);
        checks.errors
    }

    fn build(
        members: &[ObjectRequest<'_, Self>],
        around: &FileEnvironment<'_>,
    ) -> Result<Vec<Built>, FileErrors> {
        members.iter().map(|member| member.spec.build_one(member.object, around)).collect()
    }
}

impl RopeSpec {
    fn extras(&self) -> Extras<'_> {
        Extras { place: self.ends.span(), container: self.container.as_ref(), drags: &self.drags }
    }

    fn build_one(&self, object: usize, around: &FileEnvironment<'_>) -> Result<Built, FileErrors> {
        let ends = self.ends.get_ref().map(Vector3::from);
        let length = self.length.as_ref().map_or((ends[1] - ends[0]).norm(), |length| *length.get_ref());
        let sticks = *self.sticks.get_ref() as usize;
        let mut spec = ParticlesSpec::default();
        let wrong = |error| mistake(&self.ends, &error, around);
        let rope = spec.add_rope(ends, sticks, length, *self.mass.get_ref()).map_err(wrong)?;
        let second = &mut spec.particles[rope.at(sticks)].inverse_mass;
        *second = 1.0 / (1.0 / *second + self.load.get_ref());
        for end in &self.fixed {
            spec.pin(rope.at(if *end == End::First { 0 } else { sticks }));
        }
        let mut names = vec![String::new(); sticks + 1];
        (0..=sticks).for_each(|k| names[rope.at(k)] = k.to_string());
        let rods = (0..sticks).map(|k| [rope.at(k), rope.at(k + 1)]).collect();
        let builder =
            ParticleBuilder { spec, names, rods, thickness: *self.thickness.get_ref(), wind: Wind::NONE };
        builder.finish(object, &self.relax, &self.extras(), around)
    }
}
