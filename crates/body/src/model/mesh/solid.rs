//! Inertia of a mesh: integrals over the tetrahedra of its triangles with a point [Tonon 2004], as in MuJoCo.

use super::Mesh;
use aplomb_math::geometry::convex_hull;
use nalgebra::{Matrix3, Vector3};

/// The solid that a mesh represents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Weighing {
    /// Its convex hull.
    Convex,
    /// The volume enclosed by its triangles, which face outwards.
    Exact,
    /// The sum of the tetrahedra between its triangles and their centre, whatever their orientation: more
    /// than the enclosed volume if the mesh is not convex.
    Legacy,
}

/// Volume (m³), centre (m) and second moments about the centre at a density of 1, m⁵ (an inertia at 1 kg/m³); `None`
/// if no volume is enclosed.
pub(crate) fn mass_distribution(
    mesh: &Mesh,
    weighing: Weighing,
) -> Option<(f64, Vector3<f64>, Matrix3<f64>)> {
    if weighing == Weighing::Convex {
        let (points, triangles) = convex_hull(&mesh.points)?;
        return mass_distribution(&Mesh { points, triangles, ..Mesh::default() }, Weighing::Exact);
    }
    let from = middle_of_triangles(mesh)?;
    let (mut volume, mut first) = (0.0, Vector3::zeros());
    for corners in tetrahedra(mesh, &from) {
        let own = signed_volume(&corners, weighing);
        volume += own;
        first += own * corners.iter().sum::<Vector3<f64>>() / 4.0;
    }
    if volume.is_nan() || volume <= f64::MIN_POSITIVE {
        return None;
    }
    let centre = first / volume;
    let mut second = Matrix3::zeros();
    let mut around = 0.0;
    for corners in tetrahedra(mesh, &(from + centre)) {
        let own = signed_volume(&corners, weighing);
        around += own;
        let sum = corners.iter().sum::<Vector3<f64>>();
        let squares = corners.iter().map(|corner| corner * corner.transpose()).sum::<Matrix3<f64>>();
        second += own / 20.0 * (squares + sum * sum.transpose());
    }
    // Tetrahedra counted regardless of orientation have a volume about another point; MuJoCo uses this one.
    Some((around, from + centre, Matrix3::identity() * second.trace() - second))
}

/// Centroid of the surface, m.
fn middle_of_triangles(mesh: &Mesh) -> Option<Vector3<f64>> {
    let (mut area, mut sum) = (0.0, Vector3::zeros());
    for triangle in &mesh.triangles {
        let [a, b, c] = triangle.map(|point| mesh.points[point]);
        let own = (b - a).cross(&(c - a)).norm() / 2.0;
        area += own;
        sum += own * (a + b + c) / 3.0;
    }
    (area > 0.0).then(|| sum / area)
}

/// The corners of each triangle relative to a point.
fn tetrahedra<'a>(mesh: &'a Mesh, from: &'a Vector3<f64>) -> impl Iterator<Item = [Vector3<f64>; 3]> + 'a {
    mesh.triangles.iter().map(move |triangle| triangle.map(|point| mesh.points[point] - from))
}

/// Signed volume of the tetrahedron between the origin and three points, m³.
fn signed_volume([a, b, c]: &[Vector3<f64>; 3], weighing: Weighing) -> f64 {
    let volume = a.cross(b).dot(c) / 6.0;
    if weighing == Weighing::Legacy { volume.abs() } else { volume }
}
