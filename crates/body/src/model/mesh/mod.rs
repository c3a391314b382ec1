//! Meshes from files: their inertia as solids, and their hulls for contacts.

mod collada;
mod file;
mod solid;

pub(super) use file::MeshError;
pub(super) use file::open;
pub(super) use solid::{Weighing, mass_distribution};

use aplomb_math::geometry::Hull;
use nalgebra::{UnitQuaternion, Vector3};

/// Triangles in space.
#[derive(Clone, Debug, Default)]
pub(super) struct Mesh {
    /// Positions of the points, m.
    pub points: Vec<Vector3<f64>>,
    /// Triangles as three indices of points, counter-clockwise from outside.
    pub triangles: Vec<[usize; 3]>,
    /// Whether its file declares y up; readers differ in whether that changes the axes.
    pub says_y_is_up: bool,
}

/// The map from the points of a file to those of a mesh: translation, rotation, then scaling.
#[derive(Clone, Copy, Debug)]
pub(super) struct MeshTransform {
    /// Origin of the mesh in the file.
    pub origin: Vector3<f64>,
    /// Rotation from the axes of the mesh to those of the file.
    pub axes: UnitQuaternion<f64>,
    /// Factors along the axes of the mesh; negative ones mirror.
    pub scale: Vector3<f64>,
}

impl Default for MeshTransform {
    fn default() -> Self {
        MeshTransform {
            origin: Vector3::zeros(),
            axes: UnitQuaternion::identity(),
            scale: Vector3::repeat(1.0),
        }
    }
}

impl Mesh {
    /// Applies a map to the points. Mirrored triangles keep their outside.
    pub(super) fn changed(mut self, change: &MeshTransform) -> Self {
        for point in &mut self.points {
            *point = change.scale.component_mul(&(change.axes.inverse() * (*point - change.origin)));
        }
        if change.scale.product() < 0.0 {
            self.triangles.iter_mut().for_each(|triangle| triangle.swap(0, 1));
        }
        self
    }

    /// Its simplified hull about the centre of its bounding box, and that centre, m; `None` for a planar mesh.
    pub(super) fn hull(&self) -> Option<(Hull, Vector3<f64>)> {
        let hull = Hull::around(&self.points)?;
        let first = *hull.corners().first()?;
        let (low, high) =
            hull.corners().iter().fold((first, first), |(low, high), p| (low.inf(p), high.sup(p)));
        let middle = (low + high) / 2.0;
        // A centre at 0 up to round-off stays, so that a hull that is written reads back unchanged.
        if middle.norm() <= 1e-12 * (high - low).norm() {
            return Some((hull, Vector3::zeros()));
        }
        let corners: Vec<Vector3<f64>> = hull.corners().iter().map(|corner| corner - middle).collect();
        Some((Hull::new(&corners)?, middle))
    }
}
