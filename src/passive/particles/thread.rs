//! Ropes, and plants whose stems are ropes that stand.

use super::spec::{ParticlesError, ParticlesSpec};
use super::stick::Hold;
use nalgebra::Vector3;

/// Particles of a rope, in memory every other one first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rope {
    first: usize,
    count: usize,
}

impl Rope {
    /// Index of the k-th particle from the rope's start.
    pub fn at(&self, k: usize) -> usize {
        self.first + if k.is_multiple_of(2) { k / 2 } else { self.count.div_ceil(2) + k / 2 }
    }

    /// Number of particles.
    pub fn len(&self) -> usize {
        self.count
    }

    pub fn is_empty(&self) -> bool {
        self.count == 0
    }
}

impl ParticlesSpec {
    /// Adds a rope along a straight line between two places, of `sticks` equal sticks that are `length` m long
    /// together. `mass` (kg) is spread evenly over its particles.
    pub fn add_rope(
        &mut self,
        ends: [Vector3<f64>; 2],
        sticks: usize,
        length: f64,
        mass: f64,
    ) -> Result<Rope, ParticlesError> {
        if sticks == 0 || length <= 0.0 || mass <= 0.0 {
            return Err(ParticlesError::Shape { what: "a rope", need: "a stick, a length and a mass" });
        }
        let rope = Rope { first: self.particles.len(), count: sticks + 1 };
        let mut order: Vec<(usize, usize)> = (0..=sticks).map(|k| (rope.at(k), k)).collect();
        order.sort_unstable();
        for (_, k) in order {
            let along = k as f64 / sticks as f64;
            self.add(ends[0].lerp(&ends[1], along), Some(mass / rope.count as f64));
        }
        for k in 0..sticks {
            self.limit(rope.at(k), rope.at(k + 1), Hold::Exactly, length / sticks as f64);
        }
        Ok(rope)
    }

    /// Adds a plant: vertices (m) that grow from earlier ones, none for a root. Roots, and what grows from them directly,
    /// stand fast. Support sticks join vertices that share a neighbour, and let the plant bend as far as one pass a step
    /// puts them right (section 4). Returns the index of the first particle.
    pub fn add_plant(
        &mut self,
        vertices: &[(Vector3<f64>, Option<usize>)],
        mass: f64,
    ) -> Result<usize, ParticlesError> {
        let first = self.particles.len();
        let count = vertices.len();
        if vertices.iter().enumerate().any(|(k, (_, from))| from.is_some_and(|from| from >= k)) || mass <= 0.0
        {
            return Err(ParticlesError::Shape {
                what: "a plant",
                need: "vertices that grow from earlier ones, and a mass",
            });
        }
        let is_root = |vertex: usize| vertices[vertex].1.is_none();
        for (place, from) in vertices {
            let fast = from.is_none_or(is_root);
            self.add(*place, (!fast).then_some(mass / count as f64));
        }
        let mut neighbours: Vec<Vec<usize>> = vec![Vec::new(); count];
        for (vertex, (_, from)) in vertices.iter().enumerate() {
            if let Some(from) = *from {
                self.join(first + from, first + vertex);
                neighbours[from].push(vertex);
                neighbours[vertex].push(from);
            }
        }
        for shared in &neighbours {
            for (k, a) in shared.iter().enumerate() {
                shared[k + 1..].iter().for_each(|b| self.join(first + a, first + b));
            }
        }
        Ok(first)
    }
}
