//! Conversion of the engine's numbers to numpy arrays, and of dicts to pairs of names and values.

use nalgebra::{Matrix3, UnitQuaternion, Vector3};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// A new array of shape (n,).
pub fn vector<'py>(py: Python<'py>, values: &[f64]) -> Bound<'py, PyArray1<f64>> {
    PyArray1::from_slice(py, values)
}

/// A new array of shape (3,).
pub fn point<'py>(py: Python<'py>, point: &Vector3<f64>) -> Bound<'py, PyArray1<f64>> {
    PyArray1::from_slice(py, point.as_slice())
}

/// A new array of shape (n, columns), from its numbers in row-major order.
pub fn matrix(py: Python<'_>, values: Vec<f64>, columns: usize) -> PyResult<Bound<'_, PyArray2<f64>>> {
    let rows = values.len().checked_div(columns).unwrap_or(0);
    PyArray1::from_vec(py, values).reshape([rows, columns])
}

/// A new array of shape (3, 3).
pub fn rotation<'py>(py: Python<'py>, turn: &Matrix3<f64>) -> PyResult<Bound<'py, PyArray2<f64>>> {
    matrix(py, turn.transpose().as_slice().to_vec(), 3)
}

/// An orientation from a quaternion w, x, y, z of any non-zero length.
pub fn orientation([w, x, y, z]: [f64; 4]) -> PyResult<UnitQuaternion<f64>> {
    let quaternion = nalgebra::Quaternion::new(w, x, y, z);
    UnitQuaternion::try_new(quaternion, 1e-9)
        .ok_or_else(|| PyValueError::new_err("an orientation is a quaternion w, x, y, z, and not 0"))
}

/// Position and orientation as a row: x, y, z, qw, qx, qy, qz.
pub fn pose_row(position: &Vector3<f64>, turn: &UnitQuaternion<f64>) -> [f64; 7] {
    let [x, y, z] = (*position).into();
    [x, y, z, turn.w, turn.i, turn.j, turn.k]
}

/// The items of a dict in its order; empty without a dict. `what` is its name in messages.
pub fn pairs<'py, T>(what: &str, dict: Option<&Bound<'py, PyDict>>) -> PyResult<Vec<(String, T)>>
where
    T: for<'a> FromPyObject<'a, 'py>,
{
    let Some(dict) = dict else { return Ok(Vec::new()) };
    let wrong = |key: &str| PyTypeError::new_err(format!("{what}[{key:?}] is not what it should be"));
    dict.iter()
        .map(|(key, value)| {
            let key: String = key.extract()?;
            let value: T = value.extract().map_err(|_| wrong(&key))?;
            Ok((key, value))
        })
        .collect()
}
