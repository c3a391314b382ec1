//! Positions and velocities of the next frame: the centre of mass, points and axes of bodies, coordinates.

use super::Prediction;
use aplomb_body::dynamics::momentum;
use aplomb_body::model::{BodyId, JointKind};
use aplomb_math::affine::{Affine, Dimension};
use aplomb_math::rotation;
use nalgebra::{Matrix3, Vector3};

impl<'a> Prediction<'a> {
    /// Centre of mass, world, m.
    pub fn com(&self) -> Affine<'a> {
        self.three_rows(&self.now.com, &self.linearisation.com_jacobian, Dimension::Length)
    }

    /// Velocity of the centre of mass, world, m/s.
    pub fn com_velocity(&self) -> Affine<'a> {
        (self.com() - self.now.com) * (1.0 / self.dt())
    }

    /// Angular momentum about the centre of mass at v⁺ and this configuration: A_G v⁺, world, N m s.
    pub fn angular_momentum(&self) -> Affine<'a> {
        let nv = self.model.nv;
        let mut matrix = self.linearisation.pool.affine(6 * nv);
        let matrix = matrix.push(Dimension::Angle, 0.0);
        momentum::centroidal_matrix(self.model, &self.now.kinematics, matrix);
        let mut affine = self.linearisation.pool.affine(nv);
        for row in matrix.chunks_exact(nv).take(3) {
            affine.push(Dimension::Angle, 0.0).copy_from_slice(row);
        }
        affine
    }

    /// World position of the material point of `body` that is now at the world point `point`, m.
    pub fn point(&self, body: BodyId, point: &Vector3<f64>) -> Affine<'a> {
        self.point_rows(body, point)
    }

    /// 3 × nv angular Jacobian (world) as the coefficients of one wide row, for temporary use.
    fn angular(&self, body: BodyId) -> Affine<'a> {
        let mut affine = self.linearisation.pool.affine(3 * self.model.nv);
        let jacobian = affine.push(Dimension::Angle, 0.0);
        self.now.kinematics.angular_jacobian(self.model, body, jacobian);
        affine
    }

    /// World direction of an axis fixed in `body` (unit, body axes): d + dt ω × d.
    pub fn direction(&self, body: BodyId, axis: &Vector3<f64>) -> Affine<'a> {
        let direction = self.now.kinematics.rotation[body.0] * axis;
        let jacobian = self.angular(body);
        let turn = self.three_rows(&Vector3::zeros(), jacobian.coefficients(0), Dimension::Angle);
        turn.cross(&direction) - (-direction)
    }

    /// Rotation of `body` from a target orientation: log(R Rₜᵀ) in world axes, rad.
    pub fn turn_from(&self, body: BodyId, target: &Matrix3<f64>) -> Affine<'a> {
        let error = rotation::log(&(self.now.kinematics.rotation[body.0] * target.transpose()));
        let inverse = rotation::inverse_left_jacobian(&error);
        let nv = self.model.nv;
        let jacobian = self.angular(body);
        let jacobian = jacobian.coefficients(0);
        let mut affine = self.linearisation.pool.affine(nv);
        for k in 0..3 {
            let row = affine.push(Dimension::Angle, error[k]);
            for (j, a) in row.iter_mut().enumerate() {
                *a = self.dt() * (0..3).map(|i| inverse[(k, i)] * jacobian[i * nv + j]).sum::<f64>();
            }
        }
        affine
    }

    /// J_r⁻¹(e) at the error e = log(R Rₜᵀ) of [`Prediction::turn_from`]: a rotation of the target by φ
    /// (small, world axes, rad) changes the error by −J_r⁻¹(e) φ.
    pub fn target_turn(&self, body: BodyId, target: &Matrix3<f64>) -> Matrix3<f64> {
        // J_r(e) = J_l(−e).
        let error = rotation::log(&(self.now.kinematics.rotation[body.0] * target.transpose()));
        rotation::inverse_left_jacobian(&-error)
    }

    /// Rows without coefficients, one for each value.
    pub fn constants(&self, values: impl Iterator<Item = f64>) -> Affine<'a> {
        let mut affine = self.linearisation.pool.affine(0);
        for value in values {
            affine.push(Dimension::Pure, value);
        }
        affine
    }

    /// Displacements of velocity coordinates from their targets: rows q_j + dt v⁺_j − target_j for hinges and
    /// slides.
    pub fn coordinates(&self, coordinates: impl Iterator<Item = (usize, f64)>) -> Affine<'a> {
        let mut affine = self.linearisation.pool.affine(self.model.nv);
        for (coordinate, displacement) in coordinates {
            affine.push_single(self.dimension_of(coordinate), displacement, coordinate, self.dt());
        }
        affine
    }

    /// Rates v⁺_j of velocity coordinates, m/s or rad/s.
    pub fn rates(&self, coordinates: impl Iterator<Item = usize>) -> Affine<'a> {
        let mut affine = self.linearisation.pool.affine(self.model.nv);
        for coordinate in coordinates {
            affine.push_single(self.dimension_of(coordinate), 0.0, coordinate, 1.0);
        }
        affine
    }

    /// Whether a coordinate is a length or an angle.
    pub fn dimension_of(&self, coordinate: usize) -> Dimension {
        let joints = &self.model.bodies[self.model.dof_body[coordinate].0].joints;
        let joint = self.model.joints[joints.clone()].iter().rev().find(|joint| joint.v_index <= coordinate);
        match joint.map(|joint| (joint.kind, joint.v_index)) {
            Some((JointKind::Free, first)) if coordinate < first + 3 => Dimension::Length,
            Some((JointKind::Slide { .. }, _)) => Dimension::Length,
            _ => Dimension::Angle,
        }
    }
}
