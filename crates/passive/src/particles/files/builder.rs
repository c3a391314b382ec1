//! Construction of an object of particles from a file.

use super::extras::{ContainerSpec, Extras};
use super::relax::RelaxSpec;
use crate::particles::wind::Wind;
use crate::particles::{ParticleObject, ParticlesError, ParticlesSpec};
use crate::{Built, FileEnvironment};
use aplomb_language::Spanned;
use aplomb_language::diagnostic::{FileError, FileErrors};

/// Largest number of parts of one object.
pub(super) const MOST: u32 = 20_000;

/// An object of particles under construction.
pub(super) struct ParticleBuilder {
    pub spec: ParticlesSpec,
    /// A name for each particle, then for each box.
    pub names: Vec<String>,
    /// Sticks that are drawn.
    pub rods: Vec<[usize; 2]>,
    pub thickness: f64,
    pub wind: Wind,
}

impl ParticleBuilder {
    pub(super) fn finish(
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

/// A message for numbers that do not define particles, at the place of one of them.
pub(super) fn mistake<T>(
    place: &Spanned<T>,
    error: &ParticlesError,
    around: &FileEnvironment<'_>,
) -> FileErrors {
    FileError::new(around.source, place.span(), error.to_string()).into()
}
