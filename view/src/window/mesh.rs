//! Meshes of the primitives.

use crate::stage::Primitive;
use bytemuck::{Pod, Zeroable};
use glam::Vec3;
use std::f32::consts::{FRAC_PI_2, TAU};

/// A vertex.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct Vertex {
    pub position: [f32; 3],
    pub normal: [f32; 3],
    /// End of the shape it is shifted with: −1, 0 or 1.
    pub end: f32,
}

/// Vertices and triangles of a primitive.
#[derive(Default)]
pub struct PrimitiveMesh {
    pub vertices: Vec<Vertex>,
    pub indices: Vec<u16>,
}

/// Number of triangles of a mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// For the picture.
    Fine,
    /// For shadows.
    Coarse,
}

impl Detail {
    /// Corners around round shapes.
    fn around(self) -> u16 {
        match self {
            Detail::Fine => 16,
            Detail::Coarse => 10,
        }
    }

    /// Rings from the equator of a ball to its pole.
    fn to_pole(self) -> u16 {
        match self {
            Detail::Fine => 4,
            Detail::Coarse => 3,
        }
    }

    /// Corners around threads, of which cloth has thousands.
    fn around_thread(self) -> u16 {
        match self {
            Detail::Fine => 4,
            Detail::Coarse => 3,
        }
    }
}

impl PrimitiveMesh {
    /// The mesh of a primitive; its triangles are counter-clockwise from outside.
    pub fn of(primitive: Primitive, detail: Detail) -> Self {
        match primitive {
            Primitive::Round => round(detail.around(), detail.to_pole()),
            Primitive::Cylinder => cylinder(detail.around(), true),
            Primitive::Box => cube(),
            Primitive::Cone => cone(detail.around()),
            Primitive::Rod => cylinder(detail.around_thread(), false),
        }
    }

    fn add(&mut self, position: Vec3, normal: Vec3, end: f32) {
        self.vertices.push(Vertex { position: position.into(), normal: normal.into(), end });
    }

    /// Adds two triangles per corner between adjacent rings, `upper` being further along z.
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
            let [a, b] = if up > 0.0 { [k, k + 1] } else { [k + 1, k] };
            self.indices.extend([first, first + a, first + b]);
        }
    }
}

fn circle(corner: u16, around: u16) -> Vec3 {
    let (sin, cos) = (f32::from(corner) / f32::from(around) * TAU).sin_cos();
    Vec3::new(cos, sin, 0.0)
}

/// Rings from the south pole to the north pole; the equator is there twice, once per end.
fn round(around: u16, to_pole: u16) -> PrimitiveMesh {
    let mut mesh = PrimitiveMesh::default();
    for end in [-1.0, 1.0] {
        for ring in 0..=to_pole {
            let share = f32::from(if end < 0.0 { to_pole - ring } else { ring }) / f32::from(to_pole);
            let (sin, cos) = (share * FRAC_PI_2).sin_cos();
            for k in 0..around {
                let direction = circle(k, around) * cos + Vec3::Z * sin * end;
                mesh.add(direction, direction, end);
            }
        }
    }
    for ring in 0..2 * to_pole + 1 {
        mesh.join(ring * around, (ring + 1) * around, around);
    }
    mesh
}

fn cylinder(around: u16, has_caps: bool) -> PrimitiveMesh {
    let mut mesh = PrimitiveMesh::default();
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

fn cone(around: u16) -> PrimitiveMesh {
    let mut mesh = PrimitiveMesh::default();
    for height in [0.0, 1.0] {
        for k in 0..around {
            let out = circle(k, around);
            mesh.add(out * (1.0 - height) + Vec3::Z * height, out + Vec3::Z, 0.0);
        }
    }
    mesh.join(0, around, around);
    mesh.cap(around, 0.0, -1.0);
    mesh
}

fn cube() -> PrimitiveMesh {
    let mut mesh = PrimitiveMesh::default();
    for axis in 0..3 {
        for side in [-1.0, 1.0] {
            let normal = Vec3::AXES[axis] * side;
            let (u, v) = (Vec3::AXES[(axis + 1) % 3], Vec3::AXES[(axis + 2) % 3]);
            let first = mesh.vertices.len() as u16;
            for (a, b) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)] {
                // The opposite side has the opposite orientation.
                mesh.add(normal + u * a * side + v * b, normal, 0.0);
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
    fn normals_point_outwards_and_triangles_are_seen_from_outside() {
        for primitive in Primitive::ALL {
            for detail in [Detail::Fine, Detail::Coarse] {
                check(&PrimitiveMesh::of(primitive, detail), &format!("{primitive:?} {detail:?}"));
            }
        }
    }

    fn check(mesh: &PrimitiveMesh, what: &str) {
        // With its ends apart, every shape contains its origin, and the cone its axis.
        let position = |vertex: &Vertex| Vec3::from(vertex.position) + Vec3::Z * vertex.end;
        for vertex in &mesh.vertices {
            assert!(position(vertex).dot(Vec3::from(vertex.normal)) >= 0.0, "{what}");
        }
        assert_eq!(mesh.indices.len() % 3, 0);
        for triangle in mesh.indices.chunks(3) {
            let corners = [0, 1, 2].map(|corner| &mesh.vertices[usize::from(triangle[corner])]);
            let [a, b, c] = corners.map(position);
            let outward: Vec3 = corners.iter().map(|corner| Vec3::from(corner.normal)).sum();
            let facing = (b - a).cross(c - a);
            // At a pole some triangles degenerate.
            assert!(facing.length() < 1e-6 || facing.dot(outward) > 0.0, "{what}: {a} {b} {c}");
        }
    }
}
