//! Kinematics of a body with Jacobians, for objectives and observers.

use crate::convert::{matrix, point, rotation, vector};
use crate::error;
use aplomb::dynamics::{Kinematics, crba, momentum};
use aplomb::math::matrix::RowMatrix;
use aplomb::model::{BodyId, Model};
use aplomb::snapshot::Snapshot;
use nalgebra::Vector3;
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use std::sync::Arc;

/// Kinematics of a body at one time, with Jacobians. It does not change when the world is stepped.
#[pyclass(frozen, module = "aplomb")]
pub struct Senses {
    model: Arc<Model>,
    kinematics: Kinematics,
    q: Vec<f64>,
    v: Vec<f64>,
    com: Vector3<f64>,
    com_velocity: Vector3<f64>,
    /// Time of the state, s.
    #[pyo3(get)]
    time: f64,
    /// Length of a frame, s.
    #[pyo3(get)]
    dt: f64,
}

impl Senses {
    pub fn new(model: Arc<Model>, now: &Snapshot) -> Self {
        Senses {
            model,
            kinematics: now.kinematics.clone(),
            q: now.state.q.clone(),
            v: now.state.v.clone(),
            com: now.com,
            com_velocity: now.com_velocity,
            time: now.state.time,
            dt: now.scales.dt,
        }
    }

    fn body(&self, name: &str) -> PyResult<BodyId> {
        body(&self.model, name)
    }

    fn jacobian<'py>(
        &self,
        py: Python<'py>,
        write: impl FnOnce(&mut [f64]),
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let mut numbers = vec![0.0; 3 * self.model.nv];
        write(&mut numbers);
        matrix(py, numbers, self.model.nv)
    }
}

/// Finds a body by name.
pub fn body(model: &Model, name: &str) -> PyResult<BodyId> {
    let known = || model.bodies.iter().map(|body| body.name.as_str());
    model.body(name).ok_or_else(|| error::unknown("body", name, known()))
}

#[pymethods]
impl Senses {
    /// Configuration: shape (nq,).
    #[getter]
    fn q<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        vector(py, &self.q)
    }

    /// Velocity: shape (nv,).
    #[getter]
    fn v<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        vector(py, &self.v)
    }

    /// Centre of mass: shape (3,), m.
    #[getter]
    fn com<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        point(py, &self.com)
    }

    /// Velocity of the centre of mass: shape (3,), m/s.
    #[getter]
    fn com_velocity<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        point(py, &self.com_velocity)
    }

    /// Position of a body's origin, or of a point at `offset` in body axes: shape (3,), m. Raises WorldError for an
    /// unknown body.
    #[pyo3(signature = (body, offset = [0.0; 3]))]
    fn position<'py>(
        &self,
        py: Python<'py>,
        body: &str,
        offset: [f64; 3],
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        Ok(point(py, &self.kinematics.point(self.body(body)?, &offset.into())))
    }

    /// Velocity of the same point: shape (3,), m/s.
    #[pyo3(signature = (body, offset = [0.0; 3]))]
    fn velocity<'py>(
        &self,
        py: Python<'py>,
        body: &str,
        offset: [f64; 3],
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let body = self.body(body)?;
        let place = self.kinematics.point(body, &offset.into());
        Ok(point(py, &self.kinematics.point_velocity(body, &place)))
    }

    /// Rotation matrix from body axes to world axes: shape (3, 3).
    fn rotation<'py>(&self, py: Python<'py>, body: &str) -> PyResult<Bound<'py, PyArray2<f64>>> {
        rotation(py, &self.kinematics.rotation[self.body(body)?.0])
    }

    /// Jacobian of a point, where J v is its velocity: shape (3, nv).
    #[pyo3(signature = (body, offset = [0.0; 3]))]
    fn jacobian_of_point<'py>(
        &self,
        py: Python<'py>,
        body: &str,
        offset: [f64; 3],
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let body = self.body(body)?;
        let place = self.kinematics.point(body, &offset.into());
        self.jacobian(py, |out| self.kinematics.point_jacobian(&self.model, body, &place, out))
    }

    /// Jacobian of a body's rotation, where J v is its angular velocity in world axes: shape (3, nv).
    fn jacobian_of_rotation<'py>(&self, py: Python<'py>, body: &str) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let body = self.body(body)?;
        self.jacobian(py, |out| self.kinematics.angular_jacobian(&self.model, body, out))
    }

    /// Jacobian of the centre of mass, where J v is its velocity: shape (3, nv).
    fn jacobian_of_com<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        self.jacobian(py, |out| momentum::com_jacobian(&self.model, &self.kinematics, out))
    }

    /// Joint-space inertia matrix M: shape (nv, nv).
    fn mass_matrix<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let nv = self.model.nv;
        let mut mass = RowMatrix::new(nv);
        crba::mass_matrix(&self.model, &self.kinematics, &mut mass);
        let numbers = (0..nv).flat_map(|row| (0..nv).map(move |column| (row, column)));
        matrix(py, numbers.map(|(row, column)| mass.row(row)[column]).collect(), nv)
    }
}
