//! Python values as TOML, the language of files and overrides.

use aplomb::language::files::{in_quotes, quoted};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};

/// Deepest nesting of lists and dicts, which a list that contains itself exceeds.
const DEEPEST: usize = 16;

/// A value as TOML: bool, int, float, str, lists and dicts of them, and numpy scalars and arrays. `what` is its name in
/// messages.
///
/// # Errors
/// A value of another type.
pub fn written(what: &str, value: &Bound<'_, PyAny>) -> PyResult<String> {
    within(what, value, 0)
}

fn within(what: &str, value: &Bound<'_, PyAny>, depth: usize) -> PyResult<String> {
    if depth > DEEPEST {
        return Err(PyValueError::new_err(format!("{what}: lists are nested too deep")));
    }
    if value.is_instance_of::<PyBool>() {
        return Ok(if value.is_truthy()? { "true" } else { "false" }.into());
    }
    if value.is_instance_of::<PyFloat>() {
        return Ok(match value.extract::<f64>()? {
            number if number.is_nan() => "nan".into(),
            number if number.is_infinite() => if number > 0.0 { "inf" } else { "-inf" }.into(),
            number => format!("{number:?}"),
        });
    }
    if value.is_instance_of::<PyInt>() {
        return Ok(value.str()?.to_string());
    }
    if let Ok(text) = value.cast::<PyString>() {
        return Ok(in_quotes(text.to_str()?));
    }
    if let Ok(dict) = value.cast::<PyDict>() {
        let item = |(key, value): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
            let key: String = key.extract()?;
            Ok(format!("{} = {}", quoted(&key), within(what, &value, depth + 1)?))
        };
        let items = dict.iter().map(item).collect::<PyResult<Vec<_>>>()?;
        return Ok(format!("{{ {} }}", items.join(", ")));
    }
    if value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() {
        let items = value.try_iter()?.map(|item| within(what, &item?, depth + 1));
        return Ok(format!("[{}]", items.collect::<PyResult<Vec<_>>>()?.join(", ")));
    }
    // Arrays and scalars of numpy.
    if let Some(list) = value.getattr_opt("tolist")? {
        return within(what, &list.call0()?, depth + 1);
    }
    let found = value.get_type();
    let message =
        format!("{what}: a bool, number, str, or list or dict of them is wanted, not {}", found.name()?);
    Err(PyTypeError::new_err(message))
}

/// Overrides of a scene: a list of `PATH=VALUE` with VALUE in TOML, or a dict of values by path.
#[derive(Default)]
pub struct Overrides(pub Vec<String>);

impl<'py> FromPyObject<'_, 'py> for Overrides {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let Ok(dict) = object.cast::<PyDict>() else { return Ok(Overrides(object.extract()?)) };
        let item = |(path, value): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
            let path: String = path.extract()?;
            Ok(format!("{path}={}", written(&format!("set[{path:?}]"), &value)?))
        };
        Ok(Overrides(dict.iter().map(item).collect::<PyResult<_>>()?))
    }
}
