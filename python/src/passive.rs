//! A passive object of a world.

use crate::convert::{matrix, point, pose_row};
use crate::error;
use crate::shared::Shared;
use aplomb::passive::{PartId, PassiveObject, PassiveWorld};
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use std::sync::Arc;

/// A passive object of a world.
#[pyclass(frozen, module = "aplomb")]
pub struct Passive {
    shared: Arc<Shared>,
    number: usize,
}

impl Passive {
    pub fn new(shared: Arc<Shared>, number: usize) -> Self {
        Passive { shared, number }
    }

    fn of<T>(&self, read: impl FnOnce(&PassiveWorld, &PassiveObject) -> T) -> PyResult<T> {
        let run = self.shared.lock()?;
        let passive = run.world.passive();
        Ok(read(passive, &passive.objects[self.number]))
    }
}

#[pymethods]
impl Passive {
    /// Its name in the world.
    #[getter]
    fn name(&self) -> PyResult<String> {
        self.of(|_, object| object.name.clone())
    }

    /// Names of its parts.
    #[getter]
    fn parts(&self) -> PyResult<Vec<String>> {
        self.of(|_, object| object.part_names.clone())
    }

    /// Total mass, kg.
    #[getter]
    fn mass(&self) -> PyResult<f64> {
        self.of(|passive, _| passive.whole(self.number).mass)
    }

    /// Centre of mass: shape (3,), m.
    #[getter]
    fn com<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.of(|passive, _| point(py, &passive.whole(self.number).com))
    }

    /// Velocity of the centre of mass: shape (3,), m/s.
    #[getter]
    fn com_velocity<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.of(|passive, _| point(py, &passive.whole(self.number).com_velocity))
    }

    /// Kinetic plus potential energy, J.
    #[getter]
    fn energy(&self) -> PyResult<f64> {
        self.of(|passive, _| passive.whole(self.number).energy.total())
    }

    /// Poses of its parts: shape (parts, 7), position (m) and quaternion w, x, y, z.
    #[getter]
    fn part_poses<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let rows = self.of(|passive, object| {
            let system = &passive.systems[object.system];
            let parts = object.parts.clone().map(|part| system.part(PartId(part)));
            parts.flat_map(|part| pose_row(&part.position, &part.orientation)).collect()
        })?;
        matrix(py, rows, 7)
    }

    /// Applies a force to a part, starting with the next frame, for `duration` seconds, at least one frame: N, world
    /// axes, at `point` in the part's frame, m. Raises WorldError.
    #[pyo3(signature = (part, force, *, duration, point = [0.0; 3]))]
    fn push(&self, part: &str, force: [f64; 3], duration: f64, point: [f64; 3]) -> PyResult<()> {
        let number = self.of(|_, object| {
            let known = || object.part_names.iter().map(String::as_str);
            known().position(|name| name == part).ok_or_else(|| error::unknown("part", part, known()))
        })??;
        let mut run = self.shared.lock()?;
        let told = run.world.push_passive(self.number, number, point.into(), force.into(), duration);
        told.map_err(error::world)
    }

    fn __repr__(&self) -> PyResult<String> {
        self.of(|_, object| format!("Passive({:?}, {} parts)", object.name, object.parts.len()))
    }
}
