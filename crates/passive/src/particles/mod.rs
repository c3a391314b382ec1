//! Particles without velocities [Jakobsen 2001]: present and previous positions, sticks that are relaxed
//! sequentially, and collisions with solids.
//!
//! Cloth, ropes, plants, rigid bodies of four particles and articulated figures are all built from these
//! elements. World axes, SI units. The available text of the paper ends before its sections on rigid and
//! articulated bodies and on friction; the code states where it substitutes for those.

mod blocks;
mod body;
pub mod cloth;
mod collide;
mod contact;
mod drag;
mod figure;
mod files;
mod measure;
mod object;
mod runs;
mod spec;
mod state;
mod stick;
mod system;
mod tether;
pub mod thread;
pub mod wind;

pub(crate) use body::BoxBody;
pub use cloth::Weave;
pub use collide::{Container, Given, Walls};
pub use figure::ParticleFigure;
pub(crate) use files::WindSpec;
pub use files::{ClothSpec, LooseSpec, RopeSpec};
pub use measure::Stretch;
pub use object::ParticleObject;
pub use spec::{InitialParticle, ParticlesError, ParticlesSpec, StickSpec};
pub use stick::{Root, StickConstraint};
pub use tether::{TetherSpec, straight};

use crate::encounter::{MovingBody, Pushed};
use crate::obstacle::Obstacle;
use aplomb_math::dispatch::fastest;
use blocks::Blocks;
use collide::{Movable, Moving};
use contact::BoxContacts;
use nalgebra::{UnitQuaternion, Vector3};
use runs::{Relax, Sticks};
use state::{VectorArrays, Verlet};
use tether::{DrawIn, Tethers};

/// Number of passes of a step over all sticks.
#[doc(alias = "solver iterations")]
#[doc(alias = "PBD")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Passes {
    /// A constant number. One is enough for "nicely looking" cloth according to the paper.
    Fixed(usize),
    /// Until no distance changes by more than this share in a pass, up to a largest number.
    Adaptive {
        /// Largest relative change of length at which the passes end.
        change: f64,
        /// Largest number of passes.
        most: usize,
    },
}

/// A particle that is held at a prescribed position by the necessary impulse: the paper's pinning method. A
/// particle of inverse mass 0 is moved there first, without an impulse.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PinnedParticle {
    /// Index of the particle.
    pub particle: usize,
    /// Position at the end of the next step, m.
    pub target: Vector3<f64>,
    /// Impulse of the particle on the hand in the last step.
    pub given: Given,
}

/// Result of the last step's relaxation.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Relaxed {
    /// Number of passes made.
    pub passes: usize,
    /// Largest relative change of a distance in the last pass.
    pub change: f64,
}

/// The motion diverged (NaN or infinite); all particles are back at the state before the step, at rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotFinite;

/// Particles with their sticks and collisions. Their indices, and their order in memory, are those of the
/// specification.
#[doc(alias = "Verlet")]
#[doc(alias = "position based dynamics")]
#[derive(Clone, Debug)]
pub struct Particles {
    /// Gravity, m/s².
    pub gravity: Vector3<f64>,
    /// Share of its displacement that a particle keeps from step to step: 1 for no drag, the paper's "1.99"
    /// is 0.99.
    pub kept: f64,
    /// Number of passes of a step.
    pub passes: Passes,
    /// Method of computing square roots.
    pub root: Root,
    /// Margin to solids around each particle, m.
    pub radius: f64,
    /// Container that no particle leaves; `None` for none.
    pub container: Option<Container>,
    /// Particles that are held.
    pub grips: Vec<PinnedParticle>,
    obstacles: Vec<Obstacle>,
    given: Vec<Given>,
    movable: Movable,
    blocks: Blocks,
    time: f64,
    last_dt: Option<f64>,
    now: VectorArrays,
    before: VectorArrays,
    /// Initial velocities, m/s, until the first step gives the time step.
    start_velocity: VectorArrays,
    inverse_mass: Vec<f64>,
    /// Inverse masses, with 0 for particles of boxes, which collide by their faces instead.
    bare_inverse_mass: Vec<f64>,
    forces: VectorArrays,
    pushed: bool,
    sticks: Sticks,
    tethers: Tethers,
    bodies: Vec<BoxBody>,
    contacts: BoxContacts,
    triangles: Vec<[usize; 3]>,
    relaxed: Relaxed,
}

impl Particles {
    /// Particles from their specification.
    ///
    /// # Errors
    ///
    /// If a particle, stick, triangle or box of the specification is out of range.
    pub fn new(spec: &ParticlesSpec) -> Result<Particles, ParticlesError> {
        spec.check()?;
        let now = VectorArrays::from_points(spec.particles.iter().map(|particle| particle.position));
        let zeros = VectorArrays::from_points(spec.particles.iter().map(|_| Vector3::zeros()));
        let inverse_mass: Vec<f64> = spec.particles.iter().map(|particle| particle.inverse_mass).collect();
        let mut bare_inverse_mass = inverse_mass.clone();
        spec.bodies.iter().for_each(|body| bare_inverse_mass[body.first..body.first + 4].fill(0.0));
        Ok(Particles {
            gravity: Vector3::new(0.0, 0.0, -9.81),
            kept: 1.0,
            passes: Passes::Fixed(10),
            root: Root::Newton,
            radius: 0.0,
            container: None,
            grips: Vec::new(),
            obstacles: Vec::new(),
            given: Vec::new(),
            movable: Movable::default(),
            blocks: Blocks::default(),
            time: 0.0,
            last_dt: None,
            before: now.clone(),
            now,
            start_velocity: VectorArrays::from_points(
                spec.particles.iter().map(|particle| particle.velocity),
            ),
            inverse_mass,
            bare_inverse_mass,
            forces: zeros,
            pushed: false,
            sticks: Sticks::new(&spec.sticks, spec.particles.len()),
            tethers: Tethers::new(&spec.tethers),
            bodies: spec.bodies.clone(),
            contacts: BoxContacts::default(),
            triangles: spec.triangles.clone(),
            relaxed: Relaxed::default(),
        })
    }

    /// Advances by `dt` seconds under gravity and the forces applied since the last step.
    ///
    /// # Errors
    ///
    /// If the step diverged (NaN or infinite).
    pub fn step(&mut self, dt: f64) -> Result<(), NotFinite> {
        self.keep_velocities(dt);
        fastest(Verlet {
            now: &mut self.now,
            before: &mut self.before,
            inverse_mass: &self.inverse_mass,
            forces: self.pushed.then_some(&self.forces),
            gravity: self.gravity,
            kept: self.kept,
            dt,
        });
        std::mem::swap(&mut self.now, &mut self.before);
        if std::mem::take(&mut self.pushed) {
            self.forces.fill(0.0);
        }
        self.given.fill(Given::default());
        self.grips.iter_mut().for_each(|grip| grip.given = Given::default());
        self.relax(dt);
        self.time += dt;
        if self.now.is_finite() {
            return Ok(());
        }
        self.time -= dt;
        self.now.clone_from(&self.before);
        Err(NotFinite)
    }

    /// Sets x − x* for the velocities in a step of `dt`. The paper keeps the time step fixed; this allows it
    /// to vary.
    fn keep_velocities(&mut self, dt: f64) {
        match self.last_dt {
            None => {
                for particle in 0..self.now.len() {
                    self.before
                        .set(particle, &(self.now.get(particle) - dt * self.start_velocity.get(particle)));
                }
            }
            Some(last) if last != dt => {
                let ratio = dt / last;
                for (before, now) in self.before.axes_mut().into_iter().zip(self.now.axes()) {
                    before
                        .iter_mut()
                        .zip(now)
                        .for_each(|(before, now)| *before = now - ratio * (now - *before));
                }
            }
            Some(_) => {}
        }
        self.last_dt = Some(dt);
    }

    fn relax(&mut self, dt: f64) {
        for grip in self.grips.iter().filter(|grip| self.inverse_mass[grip.particle] == 0.0) {
            self.now.set(grip.particle, &grip.target);
        }
        let (most, enough) = match self.passes {
            Passes::Fixed(most) => (most, None),
            Passes::Adaptive { change, most } => (most, Some(change)),
        };
        self.relaxed = Relaxed::default();
        let solids = (&self.obstacles[..], self.container.as_ref());
        self.contacts.find(&self.bodies, &self.now, &self.inverse_mass, solids, dt);
        self.contacts.start(&mut self.now, &self.before, &mut self.movable, dt);
        for pass in 0..most {
            self.relaxed.passes = pass + 1;
            self.relaxed.change = fastest(Relax {
                sticks: &self.sticks,
                points: &mut self.now,
                inverse_mass: &self.inverse_mass,
                root: self.root,
            });
            if !self.tethers.is_empty() {
                let (tethers, inverse_mass) = (&self.tethers, &self.inverse_mass);
                fastest(DrawIn { tethers, points: &mut self.now, inverse_mass });
            }
            self.contacts.relax(&mut self.now, &self.before, &mut self.movable);
            self.keep_out(dt);
            if enough.is_some_and(|enough| self.relaxed.change <= enough) {
                break;
            }
        }
        self.contacts.part(&mut self.now, &mut self.before, &mut self.movable);
        self.contacts.give(&mut self.given, dt);
    }

    /// Applies collisions with solids and the container, and holds.
    fn keep_out(&mut self, dt: f64) {
        if !self.obstacles.is_empty() {
            self.blocks.update(&self.now);
        }
        let mut moving = Moving {
            now: &mut self.now,
            before: &self.before,
            inverse_mass: &self.bare_inverse_mass,
            blocks: &mut self.blocks,
            radius: self.radius,
            dt,
        };
        for (number, (obstacle, given)) in self.obstacles.iter().zip(&mut self.given).enumerate() {
            match self.movable.of(number) {
                None => moving.leave(obstacle, given),
                Some(body) => moving.push_off(obstacle, body, given),
            }
        }
        if let Some(container) = &self.container {
            moving.stay(container);
        }
        for grip in &mut self.grips {
            let inverse_mass = self.inverse_mass[grip.particle];
            if inverse_mass > 0.0 {
                let at = self.now.get(grip.particle);
                let impulse = (grip.target - at) / (inverse_mass * dt);
                grip.given.add(&at, &-impulse);
                self.now.set(grip.particle, &grip.target);
            }
        }
    }

    /// Simulated time, s.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// Number of particles.
    pub fn len(&self) -> usize {
        self.now.len()
    }

    /// Whether there are no particles.
    pub fn is_empty(&self) -> bool {
        self.now.len() == 0
    }

    /// Position of a particle, m, world.
    pub fn position(&self, particle: usize) -> Vector3<f64> {
        self.now.get(particle)
    }

    /// Displacement in the last step divided by its time, m/s.
    pub fn velocity(&self, particle: usize) -> Vector3<f64> {
        match self.last_dt {
            Some(dt) => (self.now.get(particle) - self.before.get(particle)) / dt,
            None => self.start_velocity.get(particle),
        }
    }

    /// Inverse mass of a particle, 1/kg.
    pub(crate) fn inverse_mass(&self, particle: usize) -> f64 {
        self.inverse_mass[particle]
    }

    /// Sets the inverse mass of a particle, 1/kg; 0 fixes it.
    pub(crate) fn set_inverse_mass(&mut self, particle: usize, inverse_mass: f64) {
        self.inverse_mass[particle] = inverse_mass;
        if !self.bodies.iter().any(|body| (body.first..body.first + 4).contains(&particle)) {
            self.bare_inverse_mass[particle] = inverse_mass;
        }
    }

    /// Applies a force (N) to a particle, constant over the next step only.
    pub fn apply_force(&mut self, particle: usize, force: &Vector3<f64>) {
        self.forces.add(particle, force);
        self.pushed = true;
    }

    /// Applies an impulse (N s) to a particle, which changes its velocity at once.
    pub fn apply_impulse(&mut self, particle: usize, impulse: &Vector3<f64>) {
        let change = impulse * self.inverse_mass[particle];
        self.start_velocity.add(particle, &change);
        self.before.add(particle, &(-self.last_dt.unwrap_or(0.0) * change));
    }

    /// Centre (m) and orientation of a box, world.
    pub fn box_pose(&self, body: usize) -> (Vector3<f64>, UnitQuaternion<f64>) {
        self.bodies[body].pose(&self.now)
    }

    /// The boxes, in the order of the specification.
    pub(crate) fn boxes(&self) -> &[BoxBody] {
        &self.bodies
    }

    /// Triangles of cloth, for drawing.
    pub(crate) fn triangles(&self) -> &[[usize; 3]] {
        &self.triangles
    }

    /// Adds a solid and returns its index. Bodies from [`meet`](Self::meet) are removed.
    pub fn add_obstacle(&mut self, obstacle: Obstacle) -> usize {
        self.meet(&[], &[]);
        self.obstacles.push(obstacle);
        self.movable.first = self.obstacles.len();
        self.given.push(Given::default());
        self.obstacles.len() - 1
    }

    /// Sets the bodies of other systems that it collides with, after the added obstacles and in the same
    /// order, until the next call, with their poses at the end of the next step if nothing else acts on them.
    pub(crate) fn meet(&mut self, bodies: &[MovingBody], solids: &[(Obstacle, usize)]) {
        let own = self.movable.first;
        self.obstacles.truncate(own);
        self.obstacles.extend(solids.iter().map(|(solid, _)| solid.clone()));
        self.given.truncate(own);
        self.given.resize(self.obstacles.len(), Given::default());
        self.movable.body_of.clear();
        self.movable.body_of.extend(solids.iter().map(|(_, body)| *body));
        self.movable.bodies.clear();
        self.movable.bodies.extend(bodies.iter().map(|body| Pushed::new(body.mobility)));
    }

    /// An obstacle by its index, for changes.
    pub fn obstacle_mut(&mut self, obstacle: usize) -> &mut Obstacle {
        &mut self.obstacles[obstacle]
    }

    /// Impulse of the particles on an obstacle in the last step.
    pub fn given(&self, obstacle: usize) -> Given {
        self.given[obstacle]
    }

    /// Impulses of the particles on each obstacle, bodies of other systems included.
    pub(crate) fn all_given(&self) -> &[Given] {
        &self.given
    }

    /// Result of the last step's relaxation.
    pub fn relaxed(&self) -> Relaxed {
        self.relaxed
    }
}
