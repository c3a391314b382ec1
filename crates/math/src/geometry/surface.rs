//! Surfaces of shapes as triangles, for drawing.

use super::Shape;
use super::library::cylinder_turn;
use super::library::{back, vector};
use nalgebra::Vector3;
use parry3d_f64::shape::{Ball, Capsule, Cuboid, Cylinder};

/// Corners around a round shape.
const AROUND: u32 = 24;
/// Steps from one pole of a ball to the other.
const OVER: u32 = 12;

/// The surface of a shape in its own frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Triangles {
    /// Corners, m.
    pub points: Vec<Vector3<f64>>,
    /// Three corners each, counter-clockwise when seen from outside.
    pub triangles: Vec<[u32; 3]>,
    /// Unit normals at the corners of a smooth surface; `None` where it has edges.
    pub normals: Option<Vec<Vector3<f64>>>,
}

/// The surface of a shape (of uneven ground without its side walls); `None` for a plane, which is unbounded.
pub fn surface(shape: &Shape) -> Option<Triangles> {
    match *shape {
        Shape::Plane => None,
        Shape::Field(ref field) => {
            let (points, triangles) = field.triangles();
            Some(Triangles { points, triangles, normals: None })
        }
        Shape::Sphere { radius } => Some(ellipsoid(&Vector3::repeat(radius))),
        Shape::Ellipsoid { radii } => Some(ellipsoid(&radii)),
        Shape::Capsule { radius, half_length } => {
            let (points, triangles) = Capsule::new_z(half_length, radius).to_trimesh(AROUND, OVER);
            let points: Vec<Vector3<f64>> = points.into_iter().map(back).collect();
            let axis = |point: &Vector3<f64>| Vector3::z() * point.z.clamp(-half_length, half_length);
            let normals = points.iter().map(|point| (point - axis(point)).normalize()).collect();
            Some(outward(points, triangles, Some(normals)))
        }
        Shape::Cylinder { radius, half_length } => {
            let (points, triangles) = Cylinder::new(half_length, radius).to_trimesh(AROUND);
            let points = points.into_iter().map(|point| cylinder_turn() * back(point)).collect();
            Some(outward(points, triangles, None))
        }
        Shape::Box { half_lengths } => {
            let (points, triangles) = Cuboid::new(vector(&half_lengths)).to_trimesh();
            Some(outward(points.into_iter().map(back).collect(), triangles, None))
        }
        Shape::Hull(ref hull) => Some(Triangles {
            points: hull.corners().to_vec(),
            triangles: hull.triangles().iter().map(|corners| corners.map(|corner| corner as u32)).collect(),
            normals: None,
        }),
    }
}

fn ellipsoid(radii: &Vector3<f64>) -> Triangles {
    let (points, triangles) = Ball::new(1.0).to_trimesh(AROUND, OVER);
    let unit: Vec<Vector3<f64>> = points.into_iter().map(back).collect();
    let points = unit.iter().map(|point| point.component_mul(radii)).collect();
    let normals = unit.iter().map(|point| point.component_div(radii).normalize()).collect();
    outward(points, triangles, Some(normals))
}

/// Orients the triangles of a convex surface about the origin outwards.
fn outward(
    points: Vec<Vector3<f64>>,
    mut triangles: Vec<[u32; 3]>,
    normals: Option<Vec<Vector3<f64>>>,
) -> Triangles {
    for triangle in &mut triangles {
        let [a, b, c] = triangle.map(|corner| points[corner as usize]);
        if (b - a).cross(&(c - a)).dot(&(a + b + c)) < 0.0 {
            triangle.swap(1, 2);
        }
    }
    Triangles { points, triangles, normals }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    /// Volume within the triangles by the divergence theorem, m³: sum of signed tetrahedra about the origin.
    fn volume(surface: &Triangles) -> f64 {
        let of = |triangle: &[u32; 3]| {
            let [a, b, c] = triangle.map(|corner| surface.points[corner as usize]);
            a.dot(&b.cross(&c)) / 6.0
        };
        surface.triangles.iter().map(of).sum()
    }

    #[test]
    fn triangles_close_around_the_volume_of_the_shape() {
        let radii = Vector3::new(0.1, 0.2, 0.3);
        let ball = 4.0 / 3.0 * PI;
        let corners: Vec<Vector3<f64>> =
            (0..8).map(|corner| crate::geometry::box_corner(&radii, corner)).collect();
        let hull = crate::geometry::Hull::new(&corners).expect("a box");
        for (shape, exact) in [
            (Shape::Hull(hull.into()), 8.0 * 0.006),
            (Shape::Sphere { radius: 0.2 }, ball * 0.008),
            (Shape::Ellipsoid { radii }, ball * 0.006),
            (Shape::Capsule { radius: 0.1, half_length: 0.3 }, ball * 0.001 + PI * 0.01 * 0.6),
            (Shape::Cylinder { radius: 0.1, half_length: 0.3 }, PI * 0.01 * 0.6),
            (Shape::Box { half_lengths: radii }, 8.0 * 0.006),
        ] {
            let surface = surface(&shape).expect("it has an end");
            // Corners lie on the surface, so that triangles between them lie within.
            let share = volume(&surface) / exact;
            assert!((0.95..1.0 + 1e-12).contains(&share), "{shape:?}: {share}");
            let reach = surface.points.iter().map(|point| point.norm()).fold(0.0, f64::max);
            assert!((reach / shape.bounding_radius() - 1.0).abs() < 1e-9, "{shape:?}: {reach}");
            for (point, normal) in surface.points.iter().zip(surface.normals.iter().flatten()) {
                assert!(point.dot(normal) > 0.0 && (normal.norm() - 1.0).abs() < 1e-12);
            }
        }
        assert_eq!(surface(&Shape::Plane), None);
    }
}
