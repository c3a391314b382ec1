//! Bodies.

use crate::convert::{matrix, pose_row, vector};
use crate::error;
use aplomb::dynamics::Kinematics;
use aplomb::language::diagnostic::Source;
use aplomb::language::files::{self, Folder};
use aplomb::math::geometry::Shape;
use aplomb::model;
use nalgebra::{Rotation3, UnitQuaternion, Vector3};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::Arc;

/// An articulated body: `Model("adult")` loads a shipped one, `Model(path)` a file in MJCF or URDF.
///
/// Raises NotFoundError and FileError.
#[pyclass(frozen, module = "aplomb")]
#[derive(Clone)]
pub struct Model(pub Arc<model::Model>);

/// A model, a path of one, or the name of a shipped one.
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

    /// A model from a string in MJCF or URDF; `name` is its file name in messages. Raises FileError.
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

    /// Number of configuration coordinates (a quaternion counts four).
    #[getter]
    fn nq(&self) -> usize {
        self.0.nq
    }

    /// Number of velocity coordinates.
    #[getter]
    fn nv(&self) -> usize {
        self.0.nv
    }

    /// Total mass, kg.
    #[getter]
    fn mass(&self) -> f64 {
        self.0.mass()
    }

    /// Names of the bodies; every parent precedes its children.
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

    /// Torque limits of each velocity coordinate, lower and upper: shape (nv, 2), N m or N; infinite without a limit.
    #[getter]
    fn torque_limits<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        matrix(py, self.0.torque_limits.concat(), 2)
    }

    /// Reflected inertia of each velocity coordinate: shape (nv,), kg m² or kg.
    #[getter]
    fn armature<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        vector(py, &self.0.armature)
    }

    /// Default standing configuration: shape (nq,), m and rad.
    fn rest<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        vector(py, &self.0.rest_configuration())
    }

    /// Indices of a joint's first coordinate in q and in v. Raises WorldError for an unknown joint.
    fn joint_index(&self, joint: &str) -> PyResult<(usize, usize)> {
        let known = || self.0.joints.iter().map(|joint| joint.name.as_str());
        let id = self.0.joint(joint).ok_or_else(|| error::unknown("joint", joint, known()))?;
        let joint = &self.0.joints[id.0];
        Ok((joint.q_index, joint.v_index))
    }

    /// Its shapes, and those that its file adds to the world.
    #[getter]
    fn geoms(&self) -> Vec<Geom> {
        let named = |geom: &model::Geom| geom.body.map(|body| self.0.bodies[body.0].name.clone());
        self.0.geoms.iter().map(|geom| Geom { body: named(geom), geom: geom.clone() }).collect()
    }

    /// Poses of its bodies in configuration `q`, shape (nq,): shape (bodies, 7), position (m) and quaternion w, x, y,
    /// z, world axes. Raises ValueError if `q` has another shape.
    fn body_poses<'py>(&self, py: Python<'py>, q: Vec<f64>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        if q.len() != self.0.nq {
            return Err(PyValueError::new_err(format!("q has {} numbers, not {}", self.0.nq, q.len())));
        }
        let mut kinematics = Kinematics::new(&self.0);
        kinematics.update_poses(&self.0, &q);
        let rows = kinematics.position.iter().zip(&kinematics.rotation).flat_map(|(position, rotation)| {
            let turn = Rotation3::from_matrix_unchecked(*rotation);
            pose_row(position, &UnitQuaternion::from_rotation_matrix(&turn))
        });
        matrix(py, rows.collect(), 7)
    }

    fn __repr__(&self) -> String {
        let Self(model) = self;
        format!("Model({:?}, {} bodies, nq={}, nv={})", model.name, model.bodies.len(), model.nq, model.nv)
    }
}

/// A shape of a body, or of the world.
#[pyclass(frozen, module = "aplomb")]
pub struct Geom {
    body: Option<String>,
    geom: model::Geom,
}

#[pymethods]
impl Geom {
    /// Name in the file; empty if it has none.
    #[getter]
    fn name(&self) -> &str {
        &self.geom.name
    }

    /// Name of its body; None for a shape of the world.
    #[getter]
    fn body(&self) -> Option<&str> {
        self.body.as_deref()
    }

    /// `plane`, `sphere`, `capsule`, `cylinder`, `box`, `ellipsoid`, `hull` (convex) or `field` (of heights).
    #[getter]
    fn kind(&self) -> &'static str {
        match self.geom.shape {
            Shape::Plane => "plane",
            Shape::Sphere { .. } => "sphere",
            Shape::Capsule { .. } => "capsule",
            Shape::Cylinder { .. } => "cylinder",
            Shape::Box { .. } => "box",
            Shape::Ellipsoid { .. } => "ellipsoid",
            Shape::Hull(_) => "hull",
            Shape::Field(_) => "field",
        }
    }

    /// Size in MuJoCo's convention, m: radius of a sphere; radius and half length along z of a capsule (without its
    /// caps) or cylinder; half lengths of a box or ellipsoid along x, y and z; empty for the others.
    #[getter]
    fn size<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        match self.geom.shape {
            Shape::Sphere { radius } => vector(py, &[radius]),
            Shape::Capsule { radius, half_length } | Shape::Cylinder { radius, half_length } => {
                vector(py, &[radius, half_length])
            }
            Shape::Box { half_lengths: halves } | Shape::Ellipsoid { radii: halves } => {
                vector(py, halves.as_slice())
            }
            Shape::Plane | Shape::Hull(_) | Shape::Field(_) => vector(py, &[]),
        }
    }

    /// Pose in the frame of its body: shape (7,), position (m) and quaternion w, x, y, z.
    #[getter]
    fn pose<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        vector(py, &pose_row(&self.geom.position, &self.geom.orientation))
    }

    /// Vertices of a hull in its own frame: shape (vertices, 3), m; empty for other kinds.
    #[getter]
    fn vertices<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let corners: &[Vector3<f64>] =
            if let Shape::Hull(hull) = &self.geom.shape { hull.corners() } else { &[] };
        matrix(py, corners.iter().flat_map(|corner| corner.iter().copied()).collect(), 3)
    }

    /// Triangles of a hull's surface, as indices into `vertices`: shape (triangles, 3); empty for other kinds.
    #[getter]
    fn triangles<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<usize>>> {
        let triangles =
            if let Shape::Hull(hull) = &self.geom.shape { hull.triangles().to_vec() } else { Vec::new() };
        let indices: Vec<usize> = triangles.concat();
        PyArray1::from_vec(py, indices).reshape([triangles.len(), 3])
    }

    fn __repr__(&self) -> String {
        format!("Geom({:?}, kind={:?}, body={:?})", self.geom.name, self.kind(), self.body)
    }
}
