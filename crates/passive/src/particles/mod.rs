//! Particles without velocities [Jakobsen 2001]: where they are and where they were, sticks between them put right one
//! after the other, solids that push them out.
//!
//! Cloth, ropes, plants, rigid bodies of four particles and articulated figures are all made of this. World axes, SI
//! units. The text at hand of the paper ends before its sections on rigid and articulated bodies and on friction; what
//! stands here for those says so.

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

pub use body::BoxBody;
pub use cloth::Weave;
pub use collide::{Container, Given, Walls};
pub use figure::Figure;
pub use files::{
    BoxSpec, ClothSpec, ContainerSpec, DragSpec, Edge, End, FigureSpec, LooseSpec, PlantSpec, PointSpec,
    RelaxSpec, RodSpec, RopeSpec, WindSpec,
};
pub use measure::Stretch;
pub use object::ParticleObject;
pub use spec::{ParticleSpec, ParticlesError, ParticlesSpec, StickSpec};
pub use stick::{Hold, Root};
pub use tether::{TetherSpec, straight};

use crate::encounter::{MovingBody, Pushed};
use crate::obstacle::Obstacle;
use aplomb_math::dispatch::fastest;
use blocks::Blocks;
use collide::{Movable, Moving};
use contact::Contacts;
use nalgebra::{UnitQuaternion, Vector3};
use runs::{Relax, Sticks};
use state::{Coordinates, Verlet};
use tether::{DrawIn, Tethers};

/// How many passes a step makes over all sticks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Passes {
    /// Always this many. One is enough for "nicely looking" cloth, the paper says.
    Fixed(usize),
    /// Until a pass changed no distance by more than this part of itself, or this many were made.
    Adaptive {
        /// Largest relative change of length at which the passes end.
        change: f64,
        /// Largest number of passes.
        most: usize,
    },
}

/// A particle held where someone says, by what he gives it: the paper's way of pinning. One of inverse mass 0 is put
/// there before anything else, and gives nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grip {
    /// Index of the particle.
    pub particle: usize,
    /// Where the next step leads it, m.
    pub target: Vector3<f64>,
    /// What the particle gave to the hand in the last step.
    pub given: Given,
}

/// What the relaxation of the last step did.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Relaxed {
    /// Number of passes made.
    pub passes: usize,
    /// Largest relative change of a distance in the last pass.
    pub change: f64,
}

/// The motion diverged (NaN or infinite); everything is where it was before the step, at rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotFinite;

/// Particles and what holds them together. Their indices are those of the specification, and their order in memory.
#[derive(Clone, Debug)]
pub struct Particles {
    /// m/s²
    pub gravity: Vector3<f64>,
    /// Part of its movement that a particle keeps from step to step: 1 for no drag, the paper's "1.99" is 0.99.
    pub kept: f64,
    /// How many passes a step makes.
    pub passes: Passes,
    /// How square roots are computed.
    pub root: Root,
    /// Margin to solids around each particle, m.
    pub radius: f64,
    /// Box that no particle leaves; `None` for no box.
    pub container: Option<Container>,
    /// Particles that are held.
    pub grips: Vec<Grip>,
    obstacles: Vec<Obstacle>,
    given: Vec<Given>,
    movable: Movable,
    blocks: Blocks,
    time: f64,
    last_dt: Option<f64>,
    now: Coordinates,
    before: Coordinates,
    /// m/s, of the start, until the first step says how long it is.
    start_velocity: Coordinates,
    inverse_mass: Vec<f64>,
    /// The same, 0 for particles within boxes, whose faces touch what they do not.
    bare_inverse_mass: Vec<f64>,
    forces: Coordinates,
    pushed: bool,
    sticks: Sticks,
    tethers: Tethers,
    bodies: Vec<BoxBody>,
    contacts: Contacts,
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
        let now = Coordinates::from_points(spec.particles.iter().map(|particle| particle.position));
        let zeros = Coordinates::from_points(spec.particles.iter().map(|_| Vector3::zeros()));
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
            start_velocity: Coordinates::from_points(spec.particles.iter().map(|particle| particle.velocity)),
            inverse_mass,
            bare_inverse_mass,
            forces: zeros,
            pushed: false,
            sticks: Sticks::new(&spec.sticks, spec.particles.len()),
            tethers: Tethers::new(&spec.tethers),
            bodies: spec.bodies.clone(),
            contacts: Contacts::default(),
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

    /// Makes x − x* what the velocities are in a step of `dt`. The paper keeps the time step fixed; this lets it vary.
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

    /// Solids, the container and hands.
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
        self.now.is_empty()
    }

    /// m, world
    pub fn position(&self, particle: usize) -> Vector3<f64> {
        self.now.get(particle)
    }

    /// What it moved in the last step by the time that took, m/s.
    pub fn velocity(&self, particle: usize) -> Vector3<f64> {
        match self.last_dt {
            Some(dt) => (self.now.get(particle) - self.before.get(particle)) / dt,
            None => self.start_velocity.get(particle),
        }
    }

    /// 1/kg
    pub fn inverse_mass(&self, particle: usize) -> f64 {
        self.inverse_mass[particle]
    }

    /// Makes a particle heavier, lighter, or with 0 one that stays where it is.
    pub fn set_inverse_mass(&mut self, particle: usize, inverse_mass: f64) {
        self.inverse_mass[particle] = inverse_mass;
        if !self.bodies.iter().any(|body| (body.first..body.first + 4).contains(&particle)) {
            self.bare_inverse_mass[particle] = inverse_mass;
        }
    }

    /// Puts a particle somewhere, moving at `velocity`. Sticks that this stretches are put right by the next step.
    pub fn set_state(&mut self, particle: usize, position: &Vector3<f64>, velocity: &Vector3<f64>) {
        self.now.set(particle, position);
        self.start_velocity.set(particle, velocity);
        self.before.set(particle, &(position - self.last_dt.unwrap_or(0.0) * velocity));
    }

    /// A force (N) on a particle, constant over the next step and gone after it.
    pub fn apply_force(&mut self, particle: usize, force: &Vector3<f64>) {
        self.forces.add(particle, force);
        self.pushed = true;
    }

    /// An impulse (N s) on a particle: its velocity changes at once.
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
    pub fn boxes(&self) -> &[BoxBody] {
        &self.bodies
    }

    /// Corners of cloth, to draw.
    pub fn triangles(&self) -> &[[usize; 3]] {
        &self.triangles
    }

    /// Adds a solid and returns its index. Those of bodies that it [met](Self::meet) are forgotten.
    pub fn add_obstacle(&mut self, obstacle: Obstacle) -> usize {
        self.meet(&[], &[]);
        self.obstacles.push(obstacle);
        self.movable.first = self.obstacles.len();
        self.given.push(Given::default());
        self.obstacles.len() - 1
    }

    /// Takes the shapes of bodies that what pushes them moves for its obstacles beyond those that were added, in the same
    /// order, until it is told anew: where they will be at the end of the next step if nothing else happens.
    pub fn meet(&mut self, bodies: &[MovingBody], solids: &[(Obstacle, usize)]) {
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

    /// An obstacle by its index, to be changed.
    pub fn obstacle_mut(&mut self, obstacle: usize) -> &mut Obstacle {
        &mut self.obstacles[obstacle]
    }

    /// What the particles gave to an obstacle in the last step.
    pub fn given(&self, obstacle: usize) -> Given {
        self.given[obstacle]
    }

    /// What they gave to each obstacle, bodies that they met included.
    pub fn all_given(&self) -> &[Given] {
        &self.given
    }

    /// What the relaxation of the last step did.
    pub fn relaxed(&self) -> Relaxed {
        self.relaxed
    }
}
