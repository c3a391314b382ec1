//! Ropes and plants of particles.

use super::spec::{ParticlesError, ParticlesSpec};
use super::stick::StickConstraint;
use aplomb_math::elementary::{cos, sin};
use nalgebra::Vector3;
use std::collections::BTreeSet;

/// Particles of a rope, every other one first in memory.
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

    /// Whether the rope has no particles.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }
}

impl ParticlesSpec {
    /// Adds a rope along a straight line between two places, of `sticks` equal sticks that are `length` m
    /// long together. `mass` (kg) is spread evenly over its particles.
    ///
    /// # Errors
    ///
    /// If the rope has no stick, or its length or mass is not positive.
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
            self.limit(rope.at(k), rope.at(k + 1), StickConstraint::Exactly, length / sticks as f64);
        }
        Ok(rope)
    }

    /// Adds a plant: vertices (m) that edges join, some of them fixed in place. Support sticks join vertices
    /// that share a neighbour, and let the plant bend as far as the passes of a step do not correct them; one
    /// pass is enough for appearance (section 4). `mass` (kg) is spread evenly. Returns the index of the
    /// first particle.
    ///
    /// # Errors
    ///
    /// If there are no vertices, an edge or root is not among them, or the mass is not positive.
    pub fn add_plant(&mut self, plant: &Plant, mass: f64) -> Result<usize, ParticlesError> {
        let first = self.particles.len();
        let count = plant.vertices.len();
        let named = plant.edges.iter().flatten().chain(&plant.rooted);
        if count == 0 || mass <= 0.0 || named.into_iter().any(|vertex| *vertex >= count) {
            let need = "vertices, edges and roots that name them, and a mass";
            return Err(ParticlesError::Shape { what: "a plant", need });
        }
        for (vertex, place) in plant.vertices.iter().enumerate() {
            let free = !plant.rooted.contains(&vertex);
            self.add(*place, free.then_some(mass / count as f64));
        }
        let mut neighbours: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); count];
        for [a, b] in &plant.edges {
            neighbours[*a].insert(*b);
            neighbours[*b].insert(*a);
        }
        let mut pairs: BTreeSet<[usize; 2]> =
            plant.edges.iter().map(|[a, b]| [*a.min(b), *a.max(b)]).collect();
        for shared in &neighbours {
            pairs.extend(shared.iter().flat_map(|a| shared.range(a + 1..).map(|b| [*a, *b])));
        }
        pairs.into_iter().for_each(|[a, b]| self.join(first + a, first + b));
        Ok(first)
    }
}

/// Vertices of a plant, its edges, and which vertices are fixed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plant {
    /// Positions of the vertices, m.
    pub vertices: Vec<Vector3<f64>>,
    /// Indices of the two vertices of each edge.
    pub edges: Vec<[usize; 2]>,
    /// Indices of the vertices that are fixed.
    pub rooted: Vec<usize>,
}

impl Plant {
    /// A stalk of three sides that grows upwards from a position and tapers to its tip, the last vertex. The
    /// ring at the ground is rooted.
    pub fn stalk(foot: Vector3<f64>, height: f64, radius: f64, rings: usize) -> Plant {
        let mut plant = Plant { rooted: vec![0, 1, 2], ..Plant::default() };
        for ring in 0..rings {
            let up = ring as f64 / rings as f64;
            for side in 0..3 {
                let angle = std::f64::consts::TAU * side as f64 / 3.0;
                let out = radius * (1.0 - up) * Vector3::new(cos(angle), sin(angle), 0.0);
                let vertex = plant.vertices.len();
                plant.vertices.push(foot + out + up * height * Vector3::z());
                plant.edges.push([vertex, 3 * ring + (side + 1) % 3]);
                if ring > 0 {
                    plant.edges.push([vertex - 3, vertex]);
                }
            }
        }
        let tip = plant.vertices.len();
        plant.vertices.push(foot + height * Vector3::z());
        plant.edges.extend((tip.saturating_sub(3)..tip).map(|vertex| [vertex, tip]));
        plant.rooted.retain(|vertex| *vertex < tip);
        plant
    }
}
