//! Scenes, from files or strings, and the names of shipped files.

use crate::error;
use crate::run::Run;
use crate::shared::Shared;
use crate::toml::Overrides;
use aplomb::language::diagnostic::Source;
use aplomb::language::files::{self, Folder};
use aplomb::scene::{self, SceneFiles};
use aplomb::trace::Header;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::Arc;

/// A scene: `Scene("balance_push")` loads a shipped one, `Scene(path)` a TOML file. `set` overrides values by key, as
/// --set on the command line: a dict of values by path, or a list of `PATH=VALUE` with VALUE in TOML.
///
/// Raises NotFoundError and FileError.
#[pyclass(frozen, module = "aplomb")]
#[derive(Clone)]
pub struct Scene(pub Arc<SceneFiles>);

/// A scene, a path of one, or the name of a shipped one.
#[derive(FromPyObject)]
pub enum SceneLike<'py> {
    Scene(Bound<'py, Scene>),
    Path(PathBuf),
}

impl SceneLike<'_> {
    pub fn files(&self) -> PyResult<Arc<SceneFiles>> {
        self.files_with(&[])
    }

    /// The scene with these overrides, after its own.
    pub fn files_with(&self, set: &[String]) -> PyResult<Arc<SceneFiles>> {
        match self {
            SceneLike::Scene(scene) if set.is_empty() => Ok(scene.get().0.clone()),
            SceneLike::Scene(scene) => {
                Ok(Arc::new(scene::load_kept(&kept(&scene.get().0)?, set).map_err(error::load)?))
            }
            SceneLike::Path(path) => {
                Ok(Arc::new(scene::load(&path.to_string_lossy(), set).map_err(error::load)?))
            }
        }
    }
}

/// A run of a scene in its initial state.
pub fn bound(files: &SceneFiles) -> PyResult<scene::Run> {
    scene::Run::bind(files).map_err(|mistakes| error::files(&mistakes))
}

/// Trace header of a scene, with the texts of all its files.
pub fn kept(files: &SceneFiles) -> PyResult<Header> {
    Ok(scene::header(files, &bound(files)?))
}

pub fn packed(header: &Header) -> PyResult<String> {
    serde_json::to_string(header).map_err(|error| error::exception("Error", &error.to_string()))
}

/// Scene of a packed header, with `more` overrides after its own.
pub fn unpacked(text: &str, more: &[String]) -> PyResult<SceneFiles> {
    let header: Header =
        serde_json::from_str(text).map_err(|error| error::exception("Error", &error.to_string()))?;
    scene::load_kept(&header, more).map_err(error::load)
}

#[pymethods]
impl Scene {
    #[new]
    #[pyo3(signature = (reference, set = Overrides::default()))]
    fn new(reference: PathBuf, set: Overrides) -> PyResult<Self> {
        let files = scene::load(&reference.to_string_lossy(), &set.0).map_err(error::load)?;
        Ok(Scene(Arc::new(files)))
    }

    /// A scene from a TOML string. Files that it refers to are searched among the shipped files, then on disk. Raises
    /// FileError.
    #[staticmethod]
    #[pyo3(signature = (text, name = "scene.toml"))]
    fn parse(text: &str, name: &str) -> PyResult<Self> {
        Ok(Scene(Arc::new(scene::load_text(&Source::new(name, text)).map_err(error::load)?)))
    }

    /// Name of its file without folders and extension.
    #[getter]
    fn name(&self) -> &str {
        &self.0.name
    }

    /// Title in the file.
    #[getter]
    fn title(&self) -> Option<&str> {
        self.0.scene.title.as_deref()
    }

    /// Text of the file.
    #[getter]
    fn text(&self) -> &str {
        &self.0.scene_source.text
    }

    /// Overrides given by `set`.
    #[getter]
    fn overrides(&self) -> Vec<String> {
        self.0.overrides.clone()
    }

    /// Length of a frame, s.
    #[getter]
    fn dt(&self) -> f64 {
        *self.0.scene.dt.get_ref()
    }

    /// Simulated duration, s.
    #[getter]
    fn duration(&self) -> f64 {
        *self.0.scene.duration.get_ref()
    }

    /// Warnings about content that is legal but probably not intended, as `file:line:column: …`.
    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.0.warnings.iter().map(ToString::to_string).collect()
    }

    /// A new run of the scene in its initial state. Raises FileError.
    fn start(&self) -> PyResult<Run> {
        Ok(Run::new(self.0.clone(), Arc::new(Shared::of_run(bound(&self.0)?))))
    }

    /// Returns the scene itself, which is immutable.
    fn __deepcopy__<'py>(this: Bound<'py, Self>, _memo: &Bound<'py, PyAny>) -> Bound<'py, Self> {
        this
    }

    /// Pickles the scene with the texts of all its files, for other processes.
    fn __reduce__<'py>(this: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((this.get_type().getattr("_unpacked")?, (packed(&kept(&this.get().0)?)?,)))
    }

    #[staticmethod]
    fn _unpacked(text: &str) -> PyResult<Self> {
        Ok(Scene(Arc::new(unpacked(text, &[])?)))
    }

    fn __repr__(&self) -> String {
        format!("Scene({:?}, duration={:?})", self.0.name, self.duration())
    }
}

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
