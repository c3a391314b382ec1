//! Collisions of particles with solids and a container, with friction.
//!
//! [Jakobsen 2001] section 3: a particle inside a solid is moved out along the shortest way. Friction is
//! announced there and not in the available text; here it is Coulomb friction on displacements, an addition:
//! if a particle was moved out by a depth, its slip since the last step is undone by up to friction · depth.

use super::blocks::{Blocks, ContactRegion};
use super::state::VectorArrays;
use crate::encounter::Pushed;
use crate::obstacle::Obstacle;
use aplomb_math::geometry::SignedDistance;
use nalgebra::Vector3;

/// A container that particles do not leave (the paper's constraint C1 is a box).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Container {
    /// The container of the particles.
    pub walls: Walls,
    /// Coefficient of Coulomb friction of its walls.
    pub friction: f64,
}

/// The shape of a container, from inside.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Walls {
    /// A box along the world's axes between two corners, m.
    Box {
        /// Lower corner, m, world axes.
        low: Vector3<f64>,
        /// Upper corner, m, world axes.
        high: Vector3<f64>,
    },
    /// A ball.
    Sphere {
        /// Centre, m, world axes.
        center: Vector3<f64>,
        /// Radius, m.
        radius: f64,
    },
}

impl Walls {
    /// The nearest point at which a ball of radius `inset` (m) is inside.
    fn within(&self, at: &Vector3<f64>, inset: f64) -> Vector3<f64> {
        match self {
            Walls::Box { low, high } => at.sup(&low.add_scalar(inset)).inf(&high.add_scalar(-inset)),
            Walls::Sphere { center, radius } => {
                let (out, room) = (at - center, (radius - inset).max(0.0));
                let distance = out.norm();
                if distance <= room { *at } else { center + room / distance * out }
            }
        }
    }
}

/// Impulse of particles on a solid in the last step, world.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Given {
    /// Impulse, N s.
    pub impulse: Vector3<f64>,
    /// Moment of the impulse about the world's origin, N m s.
    pub(crate) moment: Vector3<f64>,
}

impl Given {
    pub(super) fn add(&mut self, point: &Vector3<f64>, impulse: &Vector3<f64>) {
        self.impulse += impulse;
        self.moment += point.cross(impulse);
    }
}

/// Bodies of other systems, which can be pushed; their shapes follow the obstacles with prescribed motion.
#[derive(Clone, Debug, Default)]
pub(super) struct Movable {
    /// Index of the first obstacle that is a shape of such a body.
    pub first: usize,
    /// Body of each of these obstacles.
    pub body_of: Vec<usize>,
    pub bodies: Vec<Pushed>,
}

impl Movable {
    /// The body of an obstacle, if it has one.
    #[inline]
    pub(super) fn of(&mut self, obstacle: usize) -> Option<&mut Pushed> {
        let body = *self.body_of.get(obstacle.checked_sub(self.first)?)?;
        self.bodies.get_mut(body)
    }

    /// The body of an obstacle, if it has one, for reading.
    #[inline]
    pub(super) fn seen(&self, obstacle: usize) -> Option<&Pushed> {
        self.bodies.get(*self.body_of.get(obstacle.checked_sub(self.first)?)?)
    }
}

/// Displacement of a point that is `depth` inside and has slid by `slip` along the surface since the last
/// step.
#[inline]
pub(super) fn out_of(depth: f64, normal: &Vector3<f64>, slip: &Vector3<f64>, friction: f64) -> Vector3<f64> {
    let out = depth * normal;
    let along = slip - slip.dot(normal) * normal;
    let length = along.norm();
    if length > 0.0 { out - along * (friction * depth / length).min(1.0) } else { out }
}

/// Particles during a relaxation.
pub(super) struct Moving<'a> {
    pub now: &'a mut VectorArrays,
    pub before: &'a VectorArrays,
    pub inverse_mass: &'a [f64],
    /// Bounding boxes of their present positions.
    pub blocks: &'a mut Blocks,
    /// Margin to surfaces, m.
    pub radius: f64,
    pub dt: f64,
}

impl Moving<'_> {
    /// Moves all particles out of a solid.
    pub(super) fn leave(&mut self, obstacle: &Obstacle, given: &mut Given) {
        let reach = ContactRegion::new(&obstacle.shape, self.radius);
        for block in 0..self.blocks.len() {
            for particle in self.blocks.met(block, &reach).into_iter().flatten() {
                let inverse_mass = self.inverse_mass[particle];
                let at = self.now.get(particle);
                if !reach.holds(&at) || inverse_mass == 0.0 {
                    continue;
                }
                let SignedDistance { distance, normal } = obstacle.shape.distance(&at);
                let depth = self.radius - distance;
                if depth > 0.0 {
                    let slip = at - self.before.get(particle) - self.dt * obstacle.velocity_at(&at);
                    let change = out_of(depth, &normal, &slip, obstacle.friction);
                    self.now.add(particle, &change);
                    self.blocks.extend(block, &self.now.get(particle));
                    given.add(&at, &(-change / (inverse_mass * self.dt)));
                }
            }
        }
    }

    /// Moves all particles out of a solid whose body can move: particle and body share the separation in
    /// proportion to their mobility, with friction up to its share of the pressure. This is an addition to
    /// the paper, like all friction here.
    pub(super) fn push_off(&mut self, obstacle: &Obstacle, body: &mut Pushed, given: &mut Given) {
        // Earlier pushes of the body in this step are smaller than a particle's margin and a box's margin.
        let reach = ContactRegion::new(&obstacle.shape, 2.0 * self.radius);
        for block in 0..self.blocks.len() {
            for particle in self.blocks.met(block, &reach).into_iter().flatten() {
                let inverse_mass = self.inverse_mass[particle];
                let at = self.now.get(particle);
                let moved = body.moved(&at);
                let SignedDistance { distance, normal } = obstacle.shape.distance(&(at - moved));
                let depth = self.radius - distance;
                if depth <= 0.0 {
                    continue;
                }
                let press = depth / (inverse_mass + body.give(&at, &normal));
                if !press.is_finite() {
                    continue;
                }
                let slip = at - self.before.get(particle) - self.dt * obstacle.velocity_at(&at) - moved;
                let along = slip - slip.dot(&normal) * normal;
                let rub = match along.try_normalize(0.0) {
                    Some(way) => {
                        let stop = along.norm() / (inverse_mass + body.give(&at, &way));
                        -stop.min(obstacle.friction * press) * way
                    }
                    None => Vector3::zeros(),
                };
                let push = press * normal + rub;
                body.push(&at, &-push);
                self.now.add(particle, &(inverse_mass * push));
                self.blocks.extend(block, &self.now.get(particle));
                given.add(&at, &(-push / self.dt));
            }
        }
    }

    /// Keeps all particles in a container.
    pub(super) fn stay(&mut self, container: &Container) {
        if let (Walls::Box { low, high }, true) = (container.walls, container.friction == 0.0) {
            let inset = Vector3::repeat(self.radius);
            let (low, high) = (low + inset, high - inset);
            for (axis, (low, high)) in self.now.axes_mut().into_iter().zip(low.iter().zip(&high)) {
                for (value, inverse_mass) in axis.iter_mut().zip(self.inverse_mass) {
                    let within = value.max(*low).min(*high);
                    *value = if *inverse_mass > 0.0 { within } else { *value };
                }
            }
            return;
        }
        for particle in 0..self.now.len() {
            let at = self.now.get(particle);
            let within = container.walls.within(&at, self.radius);
            if within != at && self.inverse_mass[particle] > 0.0 {
                let out = within - at;
                let depth = out.norm();
                let slip = at - self.before.get(particle);
                self.now.add(particle, &out_of(depth, &(out / depth), &slip, container.friction));
            }
        }
    }
}
