//! Triangles of the shapes of unit size.

use crate::stage::Primitive;
use bytemuck::{Pod, Zeroable};
use glam::Vec3;
use std::f32::consts::{FRAC_PI_2, TAU};

/// A corner of a triangle.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct Vertex {
    pub position: [f32; 3],
    pub normal: [f32; 3],
    /// Which end of the shape it moves with: −1, 0 or 1.
    pub end: f32,
}

/// Corners and triangles of a shape.
#[derive(Default)]
pub struct Mesh {
    pub vertices: Vec<Vertex>,
    pub indices: Vec<u16>,
}

/// Corners around round shapes, from the equator of a ball to its pole, and around threads.
const AROUND: u16 = 20;
const TO_POLE: u16 = 5;
const ROD: u16 = 6;

impl Mesh {
    pub fn of(primitive: Primitive) -> Self {
        match primitive {
            Primitive::Round => round(),
            Primitive::Cylinder => cylinder(AROUND, true),
            Primitive::Box => cube(),
            Primitive::Cone => cone(),
            Primitive::Rod => cylinder(ROD, false),
        }
    }

    fn add(&mut self, position: Vec3, normal: Vec3, end: f32) {
        self.vertices.push(Vertex { position: position.into(), normal: normal.into(), end });
    }

    /// Two triangles between neighbouring rings of corners, the later one further along z.
    fn join(&mut self, lower: u16, upper: u16, around: u16) {
        for k in 0..around {
            let next = (k + 1) % around;
            let [a, b, c, d] = [lower + k, lower + next, upper + next, upper + k];
            self.indices.extend([a, b, c, a, c, d]);
        }
    }

    /// A disc as a fan about its first corner.
    fn cap(&mut self, around: u16, end: f32, up: f32) {
        let first = self.vertices.len() as u16;
        for k in 0..around {
            self.add(circle(k, around), Vec3::Z * up, end);
        }
        for k in 1..around - 1 {
            self.indices.extend([first, first + k, first + k + 1]);
        }
    }
}

fn circle(corner: u16, around: u16) -> Vec3 {
    let (sin, cos) = (f32::from(corner) / f32::from(around) * TAU).sin_cos();
    Vec3::new(cos, sin, 0.0)
}

/// Rings from the south pole to the north pole; the equator is there twice, once for either end.
fn round() -> Mesh {
    let mut mesh = Mesh::default();
    for end in [-1.0, 1.0] {
        for ring in 0..=TO_POLE {
            let share = f32::from(if end < 0.0 { TO_POLE - ring } else { ring }) / f32::from(TO_POLE);
            let (sin, cos) = (share * FRAC_PI_2).sin_cos();
            for k in 0..AROUND {
                let direction = circle(k, AROUND) * cos + Vec3::Z * sin * end;
                mesh.add(direction, direction, end);
            }
        }
    }
    for ring in 0..2 * TO_POLE + 1 {
        mesh.join(ring * AROUND, (ring + 1) * AROUND, AROUND);
    }
    mesh
}

fn cylinder(around: u16, has_caps: bool) -> Mesh {
    let mut mesh = Mesh::default();
    for end in [-1.0, 1.0] {
        for k in 0..around {
            let out = circle(k, around);
            mesh.add(out, out, end);
        }
    }
    mesh.join(0, around, around);
    if has_caps {
        mesh.cap(around, 1.0, 1.0);
        mesh.cap(around, -1.0, -1.0);
    }
    mesh
}

fn cone() -> Mesh {
    let mut mesh = Mesh::default();
    for height in [0.0, 1.0] {
        for k in 0..AROUND {
            let out = circle(k, AROUND);
            mesh.add(out * (1.0 - height) + Vec3::Z * height, out + Vec3::Z, 0.0);
        }
    }
    mesh.join(0, AROUND, AROUND);
    mesh.cap(AROUND, 0.0, -1.0);
    mesh
}

fn cube() -> Mesh {
    let mut mesh = Mesh::default();
    for axis in 0..3 {
        for side in [-1.0, 1.0] {
            let normal = Vec3::AXES[axis] * side;
            let (u, v) = (Vec3::AXES[(axis + 1) % 3], Vec3::AXES[(axis + 2) % 3]);
            let first = mesh.vertices.len() as u16;
            for (a, b) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)] {
                mesh.add(normal + u * a + v * b, normal, 0.0);
            }
            mesh.indices.extend([0, 1, 2, 0, 2, 3].map(|corner| first + corner));
        }
    }
    mesh
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normals_point_outwards_and_indices_exist() {
        for primitive in Primitive::ALL {
            let mesh = Mesh::of(primitive);
            assert!(mesh.indices.iter().all(|index| usize::from(*index) < mesh.vertices.len()));
            assert_eq!(mesh.indices.len() % 3, 0);
            for vertex in &mesh.vertices {
                // With its ends moved apart, every shape contains its origin, the cone its axis.
                let position = Vec3::from(vertex.position) + Vec3::Z * vertex.end;
                assert!(position.dot(Vec3::from(vertex.normal)) >= 0.0, "{primitive:?}");
            }
        }
    }
}
