//! Boxes by their centre and axes.

use nalgebra::{Matrix3, Vector3};

/// A box with its pose in the world.
#[doc(alias = "OBB")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OrientedBox {
    /// Centre of the box, world, m.
    pub center: Vector3<f64>,
    /// Axes of the box as columns: orthonormal, world.
    pub axes: Matrix3<f64>,
    /// Half of the edge lengths along the axes, m.
    pub half: Vector3<f64>,
}

impl OrientedBox {
    /// A world point in the axes of the box, from its centre, m.
    pub fn to_local(self, point: &Vector3<f64>) -> Vector3<f64> {
        self.axes.tr_mul(&(point - self.center))
    }

    /// The world point at a place in the axes of the box, m.
    pub fn to_world(self, local: &Vector3<f64>) -> Vector3<f64> {
        self.center + self.axes * local
    }
}
