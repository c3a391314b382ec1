//! Controllers.

use crate::error;
use aplomb::controller::ControllerFile;
use aplomb::language::files::{self, Folder};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;
use std::sync::Arc;

/// A controller: `Controller("balance")` loads a shipped one, `Controller(path)` a TOML file.
///
/// Raises NotFoundError and FileError.
#[pyclass(frozen, module = "aplomb")]
#[derive(Clone)]
pub struct Controller(pub Arc<ControllerFile>);

/// A controller, a path of one, or the name of a shipped one.
#[derive(FromPyObject)]
pub enum ControllerLike<'py> {
    Controller(Bound<'py, Controller>),
    Path(PathBuf),
}

impl ControllerLike<'_> {
    pub fn controller(&self) -> PyResult<ControllerFile> {
        match self {
            ControllerLike::Controller(controller) => Ok((*controller.get().0).clone()),
            ControllerLike::Path(path) => find(&path.to_string_lossy()),
        }
    }
}

fn find(reference: &str) -> PyResult<ControllerFile> {
    let found =
        files::find(Folder::Controllers, reference, None).map_err(|missing| error::not_found(&missing))?;
    ControllerFile::parse(&found.source.name, &found.source.text).map_err(error::read)
}

#[pymethods]
impl Controller {
    #[new]
    fn new(reference: PathBuf) -> PyResult<Self> {
        Ok(Controller(Arc::new(find(&reference.to_string_lossy())?)))
    }

    /// A controller from a TOML string; `name` is its file name in messages. Raises FileError.
    #[staticmethod]
    #[pyo3(signature = (text, name = "controller.toml"))]
    fn parse(text: &str, name: &str) -> PyResult<Self> {
        Ok(Controller(Arc::new(ControllerFile::parse(name, text).map_err(error::read)?)))
    }

    /// Title in the file.
    #[getter]
    fn title(&self) -> Option<&str> {
        self.0.spec.title.as_deref()
    }

    /// Text of the file.
    #[getter]
    fn text(&self) -> &str {
        &self.0.source.text
    }

    /// Names of its states, in the order of the file.
    #[getter]
    fn states(&self) -> Vec<&str> {
        self.0.spec.states.keys().map(|name| name.get_ref().as_str()).collect()
    }

    /// Its parameters and their values, in the order of the file.
    #[getter]
    fn parameters<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        parameters(py, &self.0)
    }

    /// A copy with another value at a key path (`states.swing.objectives.foot.weight`); `value` is in TOML. Raises
    /// FileError.
    fn with_value(&self, path: &str, value: &str) -> PyResult<Self> {
        let changed = self.0.with_value(path, value).map_err(|mistakes| error::files(&mistakes))?;
        Ok(Controller(Arc::new(changed)))
    }

    fn __repr__(&self) -> String {
        format!("Controller({:?})", &*self.0.source.name)
    }
}

/// Parameters of a controller and their values, in the order of the file.
pub fn parameters<'py>(py: Python<'py>, controller: &ControllerFile) -> PyResult<Bound<'py, PyDict>> {
    let parameters = PyDict::new(py);
    for (name, value) in &controller.spec.parameters {
        parameters.set_item(name.get_ref(), *value.get_ref())?;
    }
    Ok(parameters)
}
