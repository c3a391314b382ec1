//! Bodies.

use crate::arrays::{matrix, vector};
use crate::error;
use aplomb::language::diagnostic::Source;
use aplomb::language::files::{self, Folder};
use aplomb::model;
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::Arc;

/// An articulated body: `Model("adult")` by the name of a shipped one, `Model(path)` from a file in MJCF or URDF.
///
/// Raises NotFoundError and FileError.
#[pyclass(frozen, module = "aplomb")]
#[derive(Clone)]
pub struct Model(pub Arc<model::Model>);

/// A model, or where there is one: a path or the name of a shipped one.
#[derive(FromPyObject)]
pub enum ModelLike<'py> {
    Model(Bound<'py, Model>),
    Path(PathBuf),
}

impl ModelLike<'_> {
    pub fn model(&self, folder: Folder) -> PyResult<model::Model> {
        match self {
            ModelLike::Model(model) => Ok((*model.get().0).clone()),
            ModelLike::Path(path) => find(folder, &path.to_string_lossy()),
        }
    }
}

fn find(folder: Folder, reference: &str) -> PyResult<model::Model> {
    let other = if folder == Folder::Characters { Folder::Passive } else { Folder::Characters };
    let found = files::find(folder, reference, None)
        .or_else(|missing| files::find_shipped(other, reference).map_err(|_| missing))
        .map_err(|missing| error::not_found(&missing))?;
    read(&found.source)
}

fn read(source: &Source) -> PyResult<model::Model> {
    model::mjcf::read(source).map_err(|mistakes| error::files(&mistakes))
}

#[pymethods]
impl Model {
    #[new]
    fn new(reference: PathBuf) -> PyResult<Self> {
        Ok(Model(Arc::new(find(Folder::Characters, &reference.to_string_lossy())?)))
    }

    /// A model from a text in MJCF or URDF; `name` is what messages call it. Raises FileError.
    #[staticmethod]
    #[pyo3(signature = (text, name = "model.xml"))]
    fn parse(text: &str, name: &str) -> PyResult<Self> {
        Ok(Model(Arc::new(read(&Source::new(name, text))?)))
    }

    /// Name in the file.
    #[getter]
    fn name(&self) -> &str {
        &self.0.name
    }

    /// Number of configuration numbers (a quaternion counts four).
    #[getter]
    fn nq(&self) -> usize {
        self.0.nq
    }

    /// Number of velocity coordinates.
    #[getter]
    fn nv(&self) -> usize {
        self.0.nv
    }

    /// kg
    #[getter]
    fn mass(&self) -> f64 {
        self.0.mass()
    }

    /// Names of the bodies; every parent stands before its children.
    #[getter]
    fn bodies(&self) -> Vec<&str> {
        self.0.bodies.iter().map(|body| body.name.as_str()).collect()
    }

    /// Names of the joints, in the order of their coordinates.
    #[getter]
    fn joints(&self) -> Vec<&str> {
        self.0.joints.iter().map(|joint| joint.name.as_str()).collect()
    }

    /// A name for each velocity coordinate.
    #[getter]
    fn coordinates(&self) -> Vec<&str> {
        self.0.dof_names.iter().map(String::as_str).collect()
    }

    /// Whether an actuator drives each velocity coordinate: shape (nv,), bool.
    #[getter]
    fn actuated<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        PyArray1::from_slice(py, &self.0.is_actuated)
    }

    /// Least and greatest torque of each velocity coordinate: shape (nv, 2), N m or N; infinite where there is none.
    #[getter]
    fn torque_limits<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        matrix(py, self.0.torque_limits.concat(), 2)
    }

    /// Reflected inertia of each velocity coordinate: shape (nv,), kg m² or kg.
    #[getter]
    fn armature<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        vector(py, &self.0.armature)
    }

    /// The configuration it stands in by itself: shape (nq,), m and rad.
    fn rest<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        vector(py, &self.0.rest_configuration())
    }

    /// First number of a joint in q and in v. Raises WorldError for a name that no joint has.
    fn joint_index(&self, joint: &str) -> PyResult<(usize, usize)> {
        let known = || self.0.joints.iter().map(|joint| joint.name.as_str());
        let id = self.0.joint(joint).ok_or_else(|| error::unknown("joint", joint, known()))?;
        let joint = &self.0.joints[id.0];
        Ok((joint.q_index, joint.v_index))
    }

    fn __repr__(&self) -> String {
        let Self(model) = self;
        format!("Model({:?}, {} bodies, nq={}, nv={})", model.name, model.bodies.len(), model.nq, model.nv)
    }
}
