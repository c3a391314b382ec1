//! Particles put out of solids and kept in a container, with friction.
//!
//! [Jakobsen 2001] section 3: what has got into a solid is moved out along the shortest way. Friction is announced there
//! and not in the text at hand; here it is Coulomb's on displacements, an addition: where a particle was moved out by a
//! depth, what it slid since the last step is taken back by up to friction · depth.

use super::blocks::{Blocks, Reach};
use super::state::Coordinates;
use crate::passive::obstacle::{Obstacle, Surface};
use nalgebra::Vector3;

/// A box that particles do not leave, its sides along the world's axes (the paper's constraint C1).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Container {
    /// Corners, m.
    pub low: Vector3<f64>,
    pub high: Vector3<f64>,
    /// Coefficient of Coulomb friction of its sides.
    pub friction: f64,
}

/// What particles gave to something in the last step, world.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Given {
    /// N s
    pub impulse: Vector3<f64>,
    /// About the world's origin, N m s.
    pub moment: Vector3<f64>,
}

impl Given {
    pub(super) fn add(&mut self, point: &Vector3<f64>, impulse: &Vector3<f64>) {
        self.impulse += impulse;
        self.moment += point.cross(impulse);
    }
}

/// How far to move a point that is `depth` inside, and has slid by `slip` along the surface since the last step.
#[inline]
pub fn out_of(depth: f64, normal: &Vector3<f64>, slip: &Vector3<f64>, friction: f64) -> Vector3<f64> {
    let out = depth * normal;
    let along = slip - slip.dot(normal) * normal;
    let length = along.norm();
    if length > 0.0 { out - along * (friction * depth / length).min(1.0) } else { out }
}

/// Particles during a relaxation.
pub struct Moving<'a> {
    pub now: &'a mut Coordinates,
    pub before: &'a Coordinates,
    pub inverse_mass: &'a [f64],
    /// Around them as they are now.
    pub blocks: &'a mut Blocks,
    /// Kept clear of surfaces, m.
    pub radius: f64,
    pub dt: f64,
}

impl Moving<'_> {
    /// Puts all particles out of a solid.
    pub fn leave(&mut self, obstacle: &Obstacle, given: &mut Given) {
        let reach = Reach::new(&obstacle.shape, self.radius);
        for block in 0..self.blocks.len() {
            for particle in self.blocks.met(block, &reach).into_iter().flatten() {
                let inverse_mass = self.inverse_mass[particle];
                let at = self.now.get(particle);
                if !reach.holds(&at) || inverse_mass == 0.0 {
                    continue;
                }
                let Surface { distance, normal } = obstacle.shape.surface(&at);
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

    /// Keeps all particles in a box.
    pub fn stay(&mut self, container: &Container) {
        let inset = Vector3::repeat(self.radius);
        let (low, high) = (container.low + inset, container.high - inset);
        if container.friction == 0.0 {
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
            let within = at.sup(&low).inf(&high);
            if within != at && self.inverse_mass[particle] > 0.0 {
                let out = within - at;
                let depth = out.norm();
                let slip = at - self.before.get(particle);
                self.now.add(particle, &out_of(depth, &(out / depth), &slip, container.friction));
            }
        }
    }
}
