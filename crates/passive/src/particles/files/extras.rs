//! Optional elements of all kinds of particles: a container, and particles with prescribed motion.

use crate::FileEnvironment;
use crate::checks::{Checks, defaults};
use crate::particles::drag::{Drag, Time};
use crate::particles::{Container, ParticlesSpec, Walls};
use aplomb_language::Spanned;
use aplomb_language::diagnostic::{FileError, FileErrors, Source};
use aplomb_language::expression::VectorField;
use nalgebra::Vector3;
use serde::Deserialize;
use std::ops::Range;

/// Container that particles stay inside: a box given by `low` and `high`, or a sphere given by `center` and
/// `radius`.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct ContainerSpec {
    /// Corner of an axis-aligned box with the smallest coordinates, m.
    pub(crate) low: Option<Spanned<[f64; 3]>>,
    /// Corner of the box with the largest coordinates, m.
    pub(crate) high: Option<Spanned<[f64; 3]>>,
    /// Of a sphere, m.
    pub(crate) center: Option<Spanned<[f64; 3]>>,
    /// Of a sphere, m.
    pub(crate) radius: Option<Spanned<f64>>,
    /// Coulomb friction coefficient of its walls.
    #[serde(default = "defaults::zero")]
    pub(crate) friction: Spanned<f64>,
}

/// Particles with a prescribed motion. Fixed ones are moving pins; the others are dragged and pull the
/// particles connected to them along, as in inverse kinematics.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct DragSpec {
    /// Name by which events enable and disable it.
    pub(crate) name: Option<String>,
    /// Names of the particles.
    pub(crate) particles: Spanned<Vec<String>>,
    /// Prescribed position: a vector of expressions of `time`, or keyframes; world, m. Either this or `offset`.
    pub(crate) position: Option<VectorField>,
    /// Prescribed displacement of each particle from its initial position, given in the same way, m.
    pub(crate) offset: Option<VectorField>,
    /// When the prescribed motion begins, s.
    #[serde(default = "defaults::zero")]
    pub(crate) from: Spanned<f64>,
    /// When they are released, s; default: never.
    pub(crate) until: Option<Spanned<f64>>,
}

impl ContainerSpec {
    fn check(&self, checks: &mut Checks<'_>) {
        let vectors = [("low", &self.low), ("high", &self.high), ("center", &self.center)];
        for (name, vector) in vectors {
            vector.iter().for_each(|vector| checks.vector(name, vector));
        }
        self.radius.iter().for_each(|radius| checks.positive("radius", radius));
        checks.not_negative("friction", &self.friction);
        match (&self.low, &self.high, &self.center, &self.radius) {
            (Some(low), Some(high), None, None) => {
                if !low.get_ref().iter().zip(high.get_ref()).all(|(low, high)| low < high) {
                    checks.wrong(high.span(), "high must be more than low along each axis".into());
                }
            }
            (None, None, Some(_), Some(_)) => {}
            (low, high, center, radius) => {
                let spans = [low, high, center].into_iter().flatten().map(Spanned::span);
                let place = spans.chain(radius.iter().map(Spanned::span)).next();
                let message =
                    "a container is a box with `low` and `high`, or a sphere with `center` and `radius`";
                checks.wrong(place.unwrap_or_else(|| self.friction.span()), message.into());
            }
        }
    }

    pub(super) fn container(&self) -> Container {
        let vector = |given: &Option<Spanned<[f64; 3]>>| {
            given.as_ref().map_or_else(Vector3::zeros, |given| Vector3::from(*given.get_ref()))
        };
        let walls = match &self.radius {
            Some(radius) => Walls::Sphere { center: vector(&self.center), radius: *radius.get_ref() },
            None => Walls::Box { low: vector(&self.low), high: vector(&self.high) },
        };
        Container { walls, friction: *self.friction.get_ref() }
    }
}

impl DragSpec {
    fn check(&self, checks: &mut Checks<'_>) {
        if self.position.is_some() == self.offset.is_some() {
            let message = "a drag needs either `position` or `offset`";
            checks.wrong(self.particles.span(), message.into());
        }
        if self.particles.get_ref().is_empty() {
            checks.wrong(self.particles.span(), "a drag needs at least one particle".into());
        }
        checks.not_negative("from", &self.from);
        self.until.iter().for_each(|until| checks.not_negative("until", until));
    }

    fn bind(&self, particles: &ParticlesSpec, names: &[String], source: &Source) -> Result<Drag, FileError> {
        let mut of = Vec::new();
        for name in self.particles.get_ref() {
            let found = names.iter().take(particles.particles.len()).position(|known| known == name);
            let Some(particle) = found else {
                let message = format!("there is no particle `{name}`");
                let mistake = FileError::new(source, self.particles.span(), message);
                return Err(mistake.suggest(name, names.iter().map(String::as_str)));
            };
            of.push((particle, particles.particles[particle].position));
        }
        // The check ensures that one of the two is present.
        let field = self.position.clone().or_else(|| self.offset.clone());
        let field = field.unwrap_or_else(|| VectorField::constant([0.0; 3]));
        let course = field.bind(source, &Time(0.0))?;
        let start = course.value(&Time(*self.from.get_ref()));
        if !start.iter().all(|x| x.is_finite()) {
            let message = format!("this is [{}, {}, {}] when it begins", start.x, start.y, start.z);
            return Err(FileError::new(source, field.span(), message));
        }
        Ok(Drag {
            of,
            course,
            offset: self.offset.is_some(),
            from: *self.from.get_ref(),
            until: self.until.as_ref().map_or(f64::INFINITY, |until| *until.get_ref()),
            on: true,
        })
    }
}

/// Optional elements of all kinds of particles.
pub(super) struct Extras<'a> {
    /// Place of the object in the file, for messages.
    pub place: Range<usize>,
    pub container: Option<&'a ContainerSpec>,
    pub drags: &'a [DragSpec],
}

impl Extras<'_> {
    pub(super) fn check(&self, checks: &mut Checks<'_>) {
        self.container.iter().for_each(|container| container.check(checks));
        self.drags.iter().for_each(|drag| drag.check(checks));
    }

    /// Binds them. `names` are those of the particles, then of the boxes; the drags come with their names in
    /// events.
    pub(super) fn bind(
        &self,
        particles: &ParticlesSpec,
        names: &[String],
        around: &FileEnvironment<'_>,
    ) -> Result<Vec<(Option<String>, Drag)>, FileErrors> {
        let (mut drags, mut errors) = (Vec::new(), Vec::new());
        for spec in self.drags {
            match spec.bind(particles, names, around.source) {
                Ok(drag) => drags.push((spec.name.clone(), drag)),
                Err(error) => errors.push(error),
            }
        }
        if errors.is_empty() { Ok(drags) } else { Err(errors.into()) }
    }
}
