//! Rigid bodies of four particles and six sticks.
//!
//! The paper's overview announces rigid bodies as particles with constraints; the choice of the particles is
//! not in the available text and is this: a box of half edges h and mass m is four particles of m/4 at every
//! other corner of a box of half edges h/√3. Their mass, centre and moments of inertia are exactly those of
//! the solid box.

use super::state::VectorArrays;
use aplomb_math::geometry::{OrientedBox, box_corner};
use nalgebra::{Matrix3, Rotation3, UnitQuaternion, Vector3};

/// A box among the particles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BoxBody {
    /// Index of the first of its four particles, which are consecutive.
    pub(crate) first: usize,
    /// Half edges, m.
    pub(crate) half: Vector3<f64>,
    /// Coefficient of Coulomb friction; a contact of two boxes uses the square root of the product.
    pub(crate) friction: f64,
}

/// Signs of the corners at which the particles are.
const SIGNS: [[f64; 3]; 4] = [[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]];

impl BoxBody {
    fn spread(&self) -> Vector3<f64> {
        self.half / 3.0_f64.sqrt()
    }

    /// Positions of its particles in its own axes.
    pub(crate) fn places(&self) -> [Vector3<f64>; 4] {
        SIGNS.map(|signs| self.spread().component_mul(&Vector3::from(signs)))
    }

    /// Barycentric weights of the four particles for a point of the body.
    pub(crate) fn shares(&self, local: &Vector3<f64>) -> [f64; 4] {
        let scaled = local.component_div(&self.spread());
        SIGNS.map(|signs| 0.25 * (1.0 + Vector3::from(signs).dot(&scaled)))
    }

    /// Origin and axes of the box, from the positions of its particles.
    pub(crate) fn frame(&self, points: &VectorArrays) -> OrientedBox {
        let places = [0, 1, 2, 3].map(|k| points.get(self.first + k));
        let spread = self.spread();
        let center = places.iter().sum::<Vector3<f64>>() * 0.25;
        let axis = |k: usize| {
            let sum: Vector3<f64> = places.iter().zip(SIGNS).map(|(place, signs)| signs[k] * place).sum();
            (sum / (4.0 * spread[k])).normalize()
        };
        OrientedBox { center, axes: Matrix3::from_columns(&[axis(0), axis(1), axis(2)]), half: self.half }
    }

    /// Centre (m) and orientation, world.
    pub(crate) fn pose(&self, points: &VectorArrays) -> (Vector3<f64>, UnitQuaternion<f64>) {
        let OrientedBox { center, axes, .. } = self.frame(points);
        let x: Vector3<f64> = axes.column(0).into_owned();
        let z = x.cross(&axes.column(1)).normalize();
        let square = Matrix3::from_columns(&[x, z.cross(&x), z]);
        (center, UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(square)))
    }

    /// Its corners, in its own axes.
    pub(crate) fn corners(&self) -> [Vector3<f64>; 8] {
        std::array::from_fn(|k| box_corner(&self.half, 7 - k))
    }
}
