//! Files that ship with the library.

use aplomb::language::files::{self, Folder};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Names of the shipped files of a kind: `characters`, `controllers`, `scenes` or `passive`.
#[pyfunction]
pub fn shipped(kind: &str) -> PyResult<Vec<String>> {
    let folder = match kind {
        "characters" => Folder::Characters,
        "controllers" => Folder::Controllers,
        "scenes" => Folder::Scenes,
        "passive" => Folder::Passive,
        _ => {
            let known = "characters, controllers, scenes and passive";
            return Err(PyValueError::new_err(format!("nothing ships as `{kind}`; what does are {known}")));
        }
    };
    Ok(files::shipped(folder))
}
