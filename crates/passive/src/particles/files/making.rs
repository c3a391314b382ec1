//! A passive object of particles on its way from a file to a scene.

use super::extras::{ContainerSpec, Extras};
use super::relax::RelaxSpec;
use crate::particles::wind::Wind;
use crate::particles::{ParticleObject, ParticlesError, ParticlesSpec};
use crate::{Built, FileEnvironment};
use aplomb_language::Spanned;
use aplomb_language::diagnostic::{FileError, FileErrors};

/// Most parts of one object.
pub const MOST: u32 = 20_000;

/// A passive object on its way from a file to a scene.
pub struct Making {
    pub spec: ParticlesSpec,
    /// A name for each particle, then for each box.
    pub names: Vec<String>,
    /// Sticks to draw, and their radius, m.
    pub rods: Vec<[usize; 2]>,
    pub thickness: f64,
    pub wind: Wind,
}

impl Making {
    pub fn finish(
        self,
        number: usize,
        relax: &RelaxSpec,
        extras: &Extras<'_>,
        around: &FileEnvironment<'_>,
    ) -> Result<Built, FileErrors> {
        let drags = extras.bind(&self.spec, &self.names, around)?;
        let object = ParticleObject {
            particles: self.spec,
            names: self.names,
            rods: self.rods,
            thickness: self.thickness,
            wind: self.wind,
            passes: relax.passes(),
            velocity_retention: *relax.velocity_retention.get_ref(),
            margin: *relax.margin.get_ref(),
            root: relax.root(),
            container: extras.container.map(ContainerSpec::container),
            drags,
        };
        let system = object
            .system(around)
            .map_err(|error| FileError::new(around.source, extras.place.clone(), error.to_string()))?;
        Ok(Built::one(number, system))
    }
}

/// What is wrong with the numbers, at the place of one of them.
pub fn mistake<T>(place: &Spanned<T>, error: &ParticlesError, around: &FileEnvironment<'_>) -> FileErrors {
    FileError::new(around.source, place.span(), error.to_string()).into()
}
