//! Specification of a system of particles.

use super::body::BoxBody;
use super::stick::StickConstraint;
use nalgebra::{UnitQuaternion, Vector3};
use thiserror::Error;

/// A particle, world frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InitialParticle {
    /// Position, m.
    pub position: Vector3<f64>,
    /// Velocity, m/s.
    pub velocity: Vector3<f64>,
    /// Inverse mass, 1/kg; 0 for a fixed particle.
    pub inverse_mass: f64,
}

/// Two particles and their distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StickSpec {
    /// Indices of the two particles.
    pub ends: [usize; 2],
    /// Rest length, m.
    pub rest: f64,
    /// Whether the stick keeps its length or only bounds it.
    pub hold: StickConstraint,
}

/// Particles and sticks. Functions for ropes, cloths, plants, bodies and figures add their own and return
/// their indices.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ParticlesSpec {
    /// Particles; an index in this specification counts them from 0.
    pub particles: Vec<InitialParticle>,
    /// Sticks between particles.
    pub sticks: Vec<StickSpec>,
    /// Indices of the three vertices of each triangle, for wind and drawing.
    pub triangles: Vec<[usize; 3]>,
    /// Upper bounds on distances from pinned particles.
    pub tethers: Vec<super::tether::TetherSpec>,
    /// Boxes of four particles each.
    pub(crate) bodies: Vec<BoxBody>,
    /// Particles that were pinned, with the inverse masses (1/kg) they had before.
    pub pinned: Vec<(usize, f64)>,
}

/// Why a specification of particles is invalid.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ParticlesError {
    /// A particle's position, mass or velocity is out of range.
    #[error(
        "particle {particle} needs a finite place and velocity, and an inverse mass that is not negative"
    )]
    Particle {
        /// Index of the particle.
        particle: usize,
    },
    /// A stick names a particle that does not exist.
    #[error("a stick joins particles {a} and {b}, but there are {particles}")]
    NoSuchParticle {
        /// Index of its first end.
        a: usize,
        /// Index of its second end.
        b: usize,
        /// Number of particles.
        particles: usize,
    },
    /// A stick's length is out of range.
    #[error(
        "the stick between particles {a} and {b} needs two ends that differ and a positive length, not {rest} m"
    )]
    Stick {
        /// Index of its first end.
        a: usize,
        /// Index of its second end.
        b: usize,
        /// The length at rest, m.
        rest: f64,
    },
    /// A triangle names a vertex that does not exist.
    #[error("triangle {triangle} names vertex {vertex}, but the mesh has {vertices}")]
    NoSuchVertex {
        /// Index of the triangle.
        triangle: usize,
        /// Index it gives.
        vertex: usize,
        /// Number of vertices.
        vertices: usize,
    },
    /// More than two triangles share an edge.
    #[error("more than two triangles share the edge between vertices {a} and {b}; cloth has one side or two")]
    Edge {
        /// Index of its first vertex.
        a: usize,
        /// Index of its second vertex.
        b: usize,
    },
    /// A dimension of a rope, cloth, body or figure is out of range.
    #[error("{what} needs {need}")]
    Shape {
        /// The quantity.
        what: &'static str,
        /// The condition on it.
        need: &'static str,
    },
}

impl ParticlesSpec {
    /// Adds a particle of this mass (kg; `None` for a fixed one) at rest and returns its index.
    pub fn add(&mut self, position: Vector3<f64>, mass: Option<f64>) -> usize {
        let inverse_mass = mass.map_or(0.0, |mass| 1.0 / mass);
        self.particles.push(InitialParticle { position, velocity: Vector3::zeros(), inverse_mass });
        self.particles.len() - 1
    }

    /// Adds a stick as long as the distance of its ends.
    pub fn join(&mut self, a: usize, b: usize) {
        let rest = (self.particles[a].position - self.particles[b].position).norm();
        self.sticks.push(StickSpec { ends: [a, b], rest, hold: StickConstraint::Exactly });
    }

    /// Adds a limit on the distance of two particles, m.
    pub fn limit(&mut self, a: usize, b: usize, hold: StickConstraint, rest: f64) {
        self.sticks.push(StickSpec { ends: [a, b], rest, hold });
    }

    /// Adds a solid box of even density and returns its index among the bodies. Half edges in m, mass in kg.
    ///
    /// # Errors
    ///
    /// If the box's dimensions or its mass are not positive and finite.
    pub fn add_box(
        &mut self,
        center: Vector3<f64>,
        orientation: UnitQuaternion<f64>,
        half: Vector3<f64>,
        mass: f64,
        friction: f64,
    ) -> Result<usize, ParticlesError> {
        if half.min() <= 0.0 || mass <= 0.0 || friction < 0.0 {
            return Err(ParticlesError::Shape {
                what: "a box",
                need: "edges and a mass, and no negative friction",
            });
        }
        let body = BoxBody { first: self.particles.len(), half, friction };
        for local in body.places() {
            self.add(center + orientation * local, Some(0.25 * mass));
        }
        self.join_all(&[body.first, body.first + 1, body.first + 2, body.first + 3]);
        self.bodies.push(body);
        Ok(self.bodies.len() - 1)
    }

    /// Joins particles to one rigid body: a stick between each two. Bodies that share one particle rotate
    /// about it, bodies that share two rotate about the line through them.
    pub fn join_all(&mut self, particles: &[usize]) {
        for (k, a) in particles.iter().enumerate() {
            particles[k + 1..].iter().for_each(|b| self.join(*a, *b));
        }
    }

    /// Pins a particle where it is. A particle with a mass can be freed later.
    pub fn pin(&mut self, particle: usize) {
        let inverse_mass = std::mem::replace(&mut self.particles[particle].inverse_mass, 0.0);
        if inverse_mass > 0.0 {
            self.pinned.push((particle, inverse_mass));
        }
    }

    pub(super) fn check(&self) -> Result<(), ParticlesError> {
        for (particle, spec) in self.particles.iter().enumerate() {
            let numbers = spec.position.iter().chain(&spec.velocity).all(|value| value.is_finite());
            let inverse_mass = spec.inverse_mass >= 0.0 && spec.inverse_mass.is_finite();
            if !(numbers && inverse_mass) {
                return Err(ParticlesError::Particle { particle });
            }
        }
        let particles = self.particles.len();
        for StickSpec { ends: [a, b], rest, .. } in &self.sticks {
            let (a, b, rest) = (*a, *b, *rest);
            if a.max(b) >= particles {
                return Err(ParticlesError::NoSuchParticle { a, b, particles });
            }
            if a == b || !(rest > 0.0 && rest.is_finite()) {
                return Err(ParticlesError::Stick { a, b, rest });
            }
        }
        if let Some(body) = self.bodies.iter().find(|body| body.first + 4 > particles) {
            return Err(ParticlesError::NoSuchParticle { a: body.first, b: body.first + 3, particles });
        }
        let tethers = self.tethers.iter().map(|tether| [tether.particle, tether.anchor]);
        match tethers
            .chain(self.triangles.iter().map(|[a, b, c]| [*a, *b.max(c)]))
            .find(|pair| pair.iter().any(|particle| *particle >= particles))
        {
            Some([a, b]) => Err(ParticlesError::NoSuchParticle { a, b, particles }),
            None => Ok(()),
        }
    }
}
