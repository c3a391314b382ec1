//! Ropes and cloth as triangles with a skin whose joints are the parts.

use super::stage::{Thing, Threads};
use nalgebra::{Isometry3, Vector3};
use std::collections::{BTreeMap, BTreeSet};

/// Triangles between objects that move independently.
#[derive(Default)]
pub(super) struct Skinned {
    /// Indices of the objects that are joints.
    pub joints: Vec<usize>,
    /// Poses of the joints for which `points` are given.
    pub rest: Vec<Isometry3<f64>>,
    /// Corners in the world, m.
    pub points: Vec<Vector3<f64>>,
    /// Joint of each corner, as an index into `joints`.
    pub joint: Vec<u16>,
    pub triangles: Vec<[u32; 3]>,
}

/// Largest number of threads in one mesh, so that 16-bit joint indices suffice.
const THREADS: usize = 30_000;

/// Converts rings of four threads to faces (of cloth or a soft body), and threads in no ring to ribbons with a
/// thickness.
pub(super) fn skinned(threads: &Threads, things: &[Thing]) -> Vec<Skinned> {
    threads.ends.chunks(THREADS).map(|ends| of_chunk(ends, threads.radius, things)).collect()
}

fn of_chunk(ends: &[[usize; 2]], radius: f64, things: &[Thing]) -> Skinned {
    let mut mesh = Skinned::default();
    let mut number: BTreeMap<usize, u16> = BTreeMap::new();
    for &thing in ends.iter().flatten() {
        number.entry(thing).or_insert_with(|| {
            mesh.joints.push(thing);
            let first = things[thing].course.iter().flatten().next();
            mesh.rest.push(first.copied().unwrap_or_else(Isometry3::identity));
            (mesh.joints.len() - 1) as u16
        });
    }
    let rings = rings(ends);
    let in_ring: BTreeSet<[usize; 2]> =
        rings.iter().flat_map(|&[a, b, c, d]| [[a, b], [b, c], [c, d], [d, a]]).map(sorted).collect();
    let mut corner_of: BTreeMap<usize, u32> = BTreeMap::new();
    for ring in rings {
        let [a, b, c, d] = ring.map(|thing| {
            *corner_of.entry(thing).or_insert_with(|| mesh.corner(number[&thing], Vector3::zeros()))
        });
        mesh.triangles.extend([[a, b, c], [a, c, d]]);
    }
    for &[a, b] in ends.iter().filter(|ends| !in_ring.contains(&sorted(**ends))) {
        mesh.thread(number[&a], number[&b], radius);
    }
    mesh
}

impl Skinned {
    /// Adds a corner next to the joint with this index; `aside` in world axes, m.
    fn corner(&mut self, joint: u16, aside: Vector3<f64>) -> u32 {
        self.points.push(self.rest[usize::from(joint)].translation.vector + aside);
        self.joint.push(joint);
        (self.points.len() - 1) as u32
    }

    /// Adds three ribbons at angles to each other, so that a thread is visible from every side.
    fn thread(&mut self, from: u16, to: u16, radius: f64) {
        for aside in [Vector3::x(), Vector3::y(), Vector3::z()].map(|axis| axis * radius) {
            let [a, b] = [aside, -aside].map(|aside| self.corner(from, aside));
            let [c, d] = [aside, -aside].map(|aside| self.corner(to, aside));
            self.triangles.extend([[a, b, c], [c, b, d]]);
        }
    }

    /// Transforms from world axes to each joint at the poses of `rest`, column by column.
    pub(super) fn inverse_bind(&self) -> Vec<[f32; 16]> {
        let columns = |pose: &Isometry3<f64>| {
            let matrix = pose.inverse().to_homogeneous();
            std::array::from_fn(|index| matrix.as_slice()[index] as f32)
        };
        self.rest.iter().map(columns).collect()
    }
}

fn sorted([a, b]: [usize; 2]) -> [usize; 2] {
    [a.min(b), a.max(b)]
}

/// Rings of four threads without a fifth thread across, each once.
fn rings(ends: &[[usize; 2]]) -> Vec<[usize; 4]> {
    let mut beside: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    for &[a, b] in ends.iter().filter(|[a, b]| a != b) {
        beside.entry(a).or_default().insert(b);
        beside.entry(b).or_default().insert(a);
    }
    let mut rings = Vec::new();
    for (&a, around) in &beside {
        for &b in around.iter().filter(|b| **b > a) {
            for &d in around.iter().filter(|d| **d > b && !beside[&b].contains(*d)) {
                let across = beside[&b].intersection(&beside[&d]);
                let free = across.filter(|c| **c > a && !around.contains(*c));
                rings.extend(free.map(|&c| [a, b, c, d]));
            }
        }
    }
    rings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rings_of_four_are_faces_and_what_hangs_on_them_is_not() {
        // Two adjacent cells, a thread attached to a corner, and a triangle.
        let ends = [[0, 1], [1, 2], [3, 4], [4, 5], [0, 3], [1, 4], [2, 5], [5, 6], [7, 8], [8, 9], [9, 7]];
        assert_eq!(rings(&ends), [[0, 1, 4, 3], [1, 2, 5, 4]]);
    }
}
