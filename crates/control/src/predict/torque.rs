//! Joint torques of the next frame, and the mass matrix.

use super::{Linearisation, Prediction};
use aplomb_math::affine::{Affine, Dimension};
use aplomb_math::matrix::RowMatrix;
use std::ops::Range;

impl<'a> Prediction<'a> {
    /// Row of the mass matrix M(q), kg, kg m or kg m².
    pub(crate) fn mass_row(&self, coordinate: usize) -> &'a [f64] {
        self.linearisation.mass.row(coordinate)
    }

    /// Joint torque τ_i(x) of a coordinate: the residual of its equation of motion, minus the reaction of its
    /// limits. Coefficients over all unknowns and the constant, N m or N. For a root coordinate, which has
    /// neither actuator nor limit, it is L_i(x), which must vanish; for a coupled joint, the reaction of its
    /// coupling, which its leader's torque balances; for a stuck joint, its dry friction.
    pub fn torque_row(&self, coordinate: usize) -> (&'a [f64], f64) {
        let constant = self.linearisation.lagrangian_constant[coordinate];
        (self.linearisation.lagrangian.row(coordinate), constant)
    }

    /// Joint torques of adjacent coordinates, one row after the other.
    pub(crate) fn torque_rows(&self, coordinates: Range<usize>) -> (&'a [f64], &'a [f64]) {
        let Linearisation { lagrangian, lagrangian_constant, .. } = self.linearisation;
        let columns = lagrangian.columns();
        let rows = &lagrangian.as_slice()[coordinates.start * columns..coordinates.end * columns];
        (rows, &lagrangian_constant[coordinates])
    }

    /// The joint torque of a coordinate as an affine quantity.
    pub fn torque(&self, coordinate: usize) -> Affine<'a> {
        self.torques(std::iter::once(coordinate))
    }

    /// Joint torques of these coordinates, one row each.
    pub fn torques(&self, coordinates: impl Iterator<Item = usize>) -> Affine<'a> {
        let mut affine = self.linearisation.pool.affine(self.unknowns());
        for coordinate in coordinates {
            let (row, constant) = self.torque_row(coordinate);
            affine.push(Dimension::Pure, constant).copy_from_slice(row);
        }
        affine
    }

    /// The mass matrix at this configuration, nv × nv.
    pub fn mass(&self) -> &'a RowMatrix {
        &self.linearisation.mass
    }
}
