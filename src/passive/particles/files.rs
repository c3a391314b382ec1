//! Cloth, ropes and bodies of particles, as scenes say them.

mod bodies;
mod cloth;
mod extras;
mod rope;

pub use bodies::{BoxSpec, FigureSpec, LooseSpec, PlantSpec, PointSpec, RodSpec};
pub use cloth::{ClothSpec, Edge};
pub use extras::{ContainerSpec, DragSpec};
pub use rope::{End, RopeSpec};

use super::wind::Wind;
use super::{ParticleObject, ParticlesError, ParticlesSpec, Passes, Root};
use crate::language::Spanned;
use crate::language::diagnostic::{FileError, FileErrors};
use crate::passive::checks::{Checks, defaults};
use crate::passive::method::{Built, FileEnvironment};
use extras::Extras;
use nalgebra::Vector3;
use serde::Deserialize;

/// Most parts of one thing.
const MOST: u32 = 20_000;

/// How stick constraints are relaxed.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RelaxSpec {
    /// Passes over all sticks in a step; more are stiffer.
    #[serde(default = "defaults_of::passes")]
    pub passes: Spanned<u32>,
    /// Relative change of a distance below which a step's passes end.
    #[serde(default = "defaults::zero")]
    pub tolerance: Spanned<f64>,
    /// Fraction of its velocity that a particle retains per second in air.
    #[serde(default = "defaults::one")]
    pub velocity_retention: Spanned<f64>,
    /// Margin to solids around each particle, m.
    #[serde(default = "defaults_of::margin")]
    pub margin: Spanned<f64>,
    /// How the length of a stick is measured.
    #[serde(default)]
    pub square_root: RootForm,
}

/// How the length of a stick is measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum RootForm {
    /// By a square root.
    #[default]
    Exact,
    /// By one step of Newton's method from the rest length: cheaper, and softer where a stick is far from that.
    Approximate,
}

/// A uniform wind.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct WindSpec {
    /// m/s, world.
    pub velocity: Spanned<[f64; 3]>,
    /// Fraction of it that varies as a sine, 0 to 1.
    #[serde(default = "defaults::zero")]
    pub gust: Spanned<f64>,
    /// Period of the gusts, s.
    #[serde(default = "defaults::one")]
    pub period: Spanned<f64>,
    /// Density of the air, kg/m³.
    #[serde(default = "defaults_of::air")]
    pub density: Spanned<f64>,
}

impl Default for RelaxSpec {
    fn default() -> Self {
        RelaxSpec {
            passes: defaults_of::passes(),
            tolerance: defaults::zero(),
            velocity_retention: defaults::one(),
            margin: defaults_of::margin(),
            square_root: RootForm::default(),
        }
    }
}

impl RelaxSpec {
    fn check(&self, checks: &mut Checks<'_>) {
        checks.count("passes", &self.passes, 1..=10_000);
        checks.not_negative("tolerance", &self.tolerance);
        checks.within("velocity_retention", &self.velocity_retention, 0.0..=1.0);
        checks.not_negative("margin", &self.margin);
    }
}

impl WindSpec {
    pub(crate) fn check(&self, checks: &mut Checks<'_>) {
        checks.vector("velocity", &self.velocity);
        checks.within("gust", &self.gust, 0.0..=1.0);
        checks.positive("period", &self.period);
        checks.not_negative("density", &self.density);
    }

    pub(crate) fn wind(&self) -> Wind {
        Wind {
            velocity: Vector3::from(*self.velocity.get_ref()),
            gust: *self.gust.get_ref(),
            period: *self.period.get_ref(),
            density: *self.density.get_ref(),
        }
    }
}

/// A thing on its way from a file to a scene.
struct Making {
    spec: ParticlesSpec,
    /// A name for each particle, then for each box.
    names: Vec<String>,
    /// Sticks to draw, and their radius, m.
    rods: Vec<[usize; 2]>,
    thickness: f64,
    wind: Wind,
}

impl Making {
    fn finish(
        self,
        thing: usize,
        relax: &RelaxSpec,
        extras: &Extras<'_>,
        around: &FileEnvironment<'_>,
    ) -> Result<Built, FileErrors> {
        let drags = extras.bind(&self, around)?;
        let (most, change) = (*relax.passes.get_ref() as usize, *relax.tolerance.get_ref());
        let object = ParticleObject {
            particles: self.spec,
            names: self.names,
            rods: self.rods,
            thickness: self.thickness,
            wind: self.wind,
            passes: if change > 0.0 { Passes::Adaptive { change, most } } else { Passes::Fixed(most) },
            velocity_retention: *relax.velocity_retention.get_ref(),
            margin: *relax.margin.get_ref(),
            root: match relax.square_root {
                RootForm::Exact => Root::Exact,
                RootForm::Approximate => Root::Newton,
            },
            container: extras.container.map(ContainerSpec::container),
            drags,
        };
        let system = object
            .system(around)
            .map_err(|error| FileError::new(around.source, extras.place.clone(), error.to_string()))?;
        Ok(Built::one(thing, system))
    }
}

/// What is wrong with the numbers, at the place of one of them.
fn mistake<T>(place: &Spanned<T>, error: &ParticlesError, around: &FileEnvironment<'_>) -> FileErrors {
    FileError::new(around.source, place.span(), error.to_string()).into()
}

mod defaults_of {
    use crate::language::Spanned;
    use crate::passive::checks::defaults::given;

    pub fn passes() -> Spanned<u32> {
        given(10)
    }

    pub fn margin() -> Spanned<f64> {
        given(0.01)
    }

    pub fn air() -> Spanned<f64> {
        given(1.2)
    }
}
