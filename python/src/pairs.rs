//! Names with values, from dicts.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// The items of a dict in its order; none where there is no dict. `what` is what messages call it.
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
