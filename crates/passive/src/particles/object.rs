//! Objects of particles made by programs: ropes, cloth, or any other network.

use super::drag::Drag;
use super::spec::{ParticlesError, ParticlesSpec};
use super::system::{ParticleThing, Pinned};
use super::wind::Wind;
use super::{Container, Particles, Passes, Root, Weave};
use crate::solids::Solids;
use crate::{Environment, NamedSystem};
use crate::{PassiveError, PassiveSystem};
use nalgebra::Vector3;

/// Particles and their sticks, for [`PassiveWorld::add`](crate::PassiveWorld::add).
#[derive(Clone, Debug)]
pub struct ParticleObject {
    /// Particles, sticks and other elements of the object.
    pub particles: ParticlesSpec,
    /// Names of the particles; numbers if empty.
    pub names: Vec<String>,
    /// Pairs of particles between which a rod is drawn.
    pub rods: Vec<[usize; 2]>,
    /// Radius of the rods, m.
    pub thickness: f64,
    /// Wind that acts on its triangles.
    pub wind: Wind,
    /// Number of passes over all sticks in a step; more passes make them stiffer.
    pub passes: Passes,
    /// Share of its velocity that a particle keeps in a second of air drag.
    pub velocity_retention: f64,
    /// Margin to solids around each particle, m.
    pub margin: f64,
    /// Method of measuring the length of a stick.
    pub root: Root,
    /// Container of its particles; `None` for none.
    pub container: Option<Container>,
    /// Particles with prescribed motion, with their names in events.
    pub(super) drags: Vec<(Option<String>, Drag)>,
}

impl ParticleObject {
    /// An object in still air, with ten passes per step.
    pub fn new(particles: ParticlesSpec) -> Self {
        ParticleObject {
            particles,
            names: Vec::new(),
            rods: Vec::new(),
            thickness: 0.01,
            wind: Wind::NONE,
            passes: Passes::Fixed(10),
            velocity_retention: 1.0,
            margin: 0.01,
            root: Root::Exact,
            container: None,
            drags: Vec::new(),
        }
    }

    /// A rope of equal sticks along the line between two positions (m), with a length of `length` m and a
    /// mass of `mass` kg, fixed at these of its ends. Particles are named by their number from the first end.
    ///
    /// # Errors
    /// Numbers that do not define a rope.
    pub fn rope(
        ends: [Vector3<f64>; 2],
        sticks: usize,
        length: f64,
        mass: f64,
        fixed: [bool; 2],
    ) -> Result<Self, ParticlesError> {
        let mut spec = ParticlesSpec::default();
        let rope = spec.add_rope(ends, sticks, length, mass)?;
        for (k, _) in [0, sticks].into_iter().zip(fixed).filter(|(_, fixed)| *fixed) {
            spec.pin(rope.at(k));
        }
        let mut object = ParticleObject::new(spec);
        object.names = vec![String::new(); sticks + 1];
        (0..=sticks).for_each(|k| object.names[rope.at(k)] = k.to_string());
        object.rods = (0..sticks).map(|k| [rope.at(k), rope.at(k + 1)]).collect();
        Ok(object)
    }

    /// A rectangle of cloth, with a mass of `mass` kg, a particle at `corner` (m), the first row along `across` and
    /// the first column along `down`, and this number of rows and columns. Particles at these rows and columns are
    /// fixed; all are named `row_column`.
    ///
    /// # Errors
    /// Numbers that do not define a cloth, and pins outside it.
    pub fn cloth(
        corner: Vector3<f64>,
        [across, down]: [Vector3<f64>; 2],
        [rows, columns]: [usize; 2],
        mass: f64,
        weave: Weave,
        pins: &[[usize; 2]],
    ) -> Result<Self, ParticlesError> {
        let wrong =
            ParticlesError::Shape { what: "a cloth", need: "two rows and columns or more, and its pins" };
        if rows < 2 || columns < 2 || pins.iter().any(|[row, column]| *row >= rows || *column >= columns) {
            return Err(wrong);
        }
        let steps = [across / (columns - 1) as f64, down / (rows - 1) as f64];
        let mut spec = ParticlesSpec::default();
        let grid = spec.add_grid([rows, columns], corner, steps, mass, weave)?;
        pins.iter().for_each(|[row, column]| spec.pin(grid.at(*row, *column)));
        let mut object = ParticleObject::new(spec);
        object.thickness = 0.003;
        object.names = vec![String::new(); rows * columns];
        for row in 0..rows {
            for column in 0..columns {
                object.names[grid.at(row, column)] = format!("{row}_{column}");
                if column + 1 < columns {
                    object.rods.push([grid.at(row, column), grid.at(row, column + 1)]);
                }
                if row + 1 < rows {
                    object.rods.push([grid.at(row, column), grid.at(row + 1, column)]);
                }
            }
        }
        Ok(object)
    }

    /// A system of these particles alone, with their names.
    ///
    /// # Errors
    /// Particles and sticks that contradict themselves, numbers out of their range, rods between missing
    /// particles.
    pub(crate) fn system(&self, around: &Environment<'_>) -> Result<NamedSystem, PassiveError> {
        let finite = |what, value: f64, most: f64| match (0.0..=most).contains(&value) && value.is_finite() {
            true => Ok(()),
            false => Err(PassiveError::OutOfRange { what, value }),
        };
        finite("velocity_retention", self.velocity_retention, 1.0)?;
        finite("margin", self.margin, f64::MAX)?;
        let mut particles = Particles::new(&self.particles)?;
        let count = particles.len();
        if let Some(end) = self.rods.iter().flatten().find(|end| **end >= count) {
            return Err(PassiveError::OutOfRange { what: "end of a rod", value: *end as f64 });
        }
        particles.gravity = around.gravity;
        particles.passes = self.passes;
        particles.root = self.root;
        particles.container = self.container;
        particles.kept = self.velocity_retention;
        particles.radius = self.margin;
        let name = |k: usize| self.names.get(k).cloned().unwrap_or_else(|| k.to_string());
        let pins = self.particles.pinned.iter();
        let pins = pins.map(|(particle, inverse_mass)| Pinned {
            particle: *particle,
            inverse_mass: *inverse_mass,
            name: name(*particle),
        });
        let mut system = ParticleThing::new(particles, Solids::new(around), self.wind)
            .drawn(self.rods.clone(), self.thickness)
            .led(self.drags.clone());
        system.pins = pins.collect();
        let part_names = (0..system.parts()).map(name).collect();
        Ok(NamedSystem { system: Box::new(system), part_names })
    }
}
