//! A run of a scene.

use crate::character::Character;
use crate::error;
use crate::scene;
use crate::shared::Shared;
use crate::world::World;
use aplomb::scene::{CriterionKind, SceneFiles};
use aplomb::trace::{Frame, Header};
use pyo3::prelude::*;
use std::sync::Arc;

/// A run of a scene.
#[pyclass(frozen, module = "aplomb")]
pub struct Run {
    files: Arc<SceneFiles>,
    shared: Arc<Shared>,
    #[cfg(feature = "cli")]
    camera: crate::picture::Camera,
}

impl Run {
    pub fn new(files: Arc<SceneFiles>, shared: Arc<Shared>) -> Self {
        Run {
            files,
            shared,
            #[cfg(feature = "cli")]
            camera: crate::picture::Camera::default(),
        }
    }

    /// Header of its trace: everything that does not change.
    pub fn trace_header(&self) -> PyResult<Header> {
        Ok(aplomb::scene::header(&self.files, &*self.shared.lock()?))
    }

    /// Record of the last frame; before the first frame that of the initial state.
    pub fn last_frame(&self) -> PyResult<Frame> {
        let mut run = self.shared.lock()?;
        if run.world.frame_index() > 0 {
            return Ok(run.frame());
        }
        let hero = run.hero();
        Ok(run.world.standing_frame(hero))
    }
}

/// Whether a run continues: it has frames left, and no criterion of kind `always` is violated.
pub fn goes_on(run: &mut aplomb::scene::Run) -> bool {
    !run.is_over() && run.judge()
}

/// Whether every criterion holds so far.
pub fn passes(run: &mut aplomb::scene::Run) -> bool {
    run.judge();
    run.criteria.iter().all(|criterion| criterion.holds)
}

/// Name, kind, whether it holds so far, and when that was decided, s.
type Judged = (String, &'static str, bool, Option<f64>);

#[pymethods]
impl Run {
    /// Its world.
    #[getter]
    fn world(&self) -> World {
        World { shared: self.shared.clone() }
    }

    /// Header of the run's trace: names, units, texts and everything else that does not change from frame to frame.
    #[getter]
    fn header<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("json")?.call_method1("loads", (scene::packed(&self.trace_header()?)?,))
    }

    /// Record of the last frame, with the names used in its trace: a dict of numbers, lists and strings. Before the
    /// first frame, that of the initial state, without forces.
    #[getter]
    fn record<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let text = serde_json::to_string(&self.last_frame()?);
        let text = text.map_err(|error| error::exception("Error", &error.to_string()))?;
        py.import("json")?.call_method1("loads", (text,))
    }

    /// The scene's character. Raises WorldError for a scene without a character.
    #[getter]
    fn character(&self) -> PyResult<Character> {
        let hero = self.shared.lock()?.hero();
        let hero = hero.ok_or_else(|| error::exception("WorldError", "this scene has no character"))?;
        Ok(Character::new(self.shared.clone(), hero))
    }

    /// Computes `frames` frames, or fewer if the run ends; returns whether any frame was computed. Raises StepError.
    #[pyo3(signature = (frames = 1))]
    fn step(&self, py: Python<'_>, frames: u64) -> PyResult<bool> {
        let mut left = frames;
        let made = self.shared.step_while(py, |run| {
            let is_time = left > 0 && goes_on(run);
            left = left.saturating_sub(1);
            is_time
        })?;
        Ok(made > 0)
    }

    /// Computes all frames; returns whether every criterion held. Raises StepError.
    fn finish(&self, py: Python<'_>) -> PyResult<bool> {
        self.shared.step_while(py, goes_on)?;
        self.passed()
    }

    /// Whether all frames are done, or a criterion of kind `always` is violated.
    #[getter]
    fn is_over(&self) -> PyResult<bool> {
        Ok(!goes_on(&mut *self.shared.lock()?))
    }

    /// Whether every criterion holds so far.
    #[getter]
    fn passed(&self) -> PyResult<bool> {
        Ok(passes(&mut *self.shared.lock()?))
    }

    /// Name, kind (`always`, `at_end`, `once`), whether it holds so far, and when that was decided (s, or None), of
    /// each criterion.
    #[getter]
    fn criteria(&self) -> PyResult<Vec<Judged>> {
        let mut run = self.shared.lock()?;
        run.judge();
        let kind = |kind| match kind {
            CriterionKind::Always => "always",
            CriterionKind::AtEnd => "at_end",
            CriterionKind::Once => "once",
        };
        let all = run.criteria.iter();
        Ok(all.map(|one| (one.name.clone(), kind(one.kind), one.holds, one.at)).collect())
    }

    /// A picture of the present state from the side and from the front, with the forces of the last frame, as in films
    /// of the command line: shape (height, width, 3), uint8, red, green and blue. Pictures of one width have one height
    /// and scale. Raises Error for a width of less than 64 pixels or more than 8192.
    #[cfg(feature = "cli")]
    #[pyo3(signature = (width = 640))]
    fn picture<'py>(&self, py: Python<'py>, width: u32) -> PyResult<Bound<'py, numpy::PyArray3<u8>>> {
        self.camera.picture(py, &self.files, &self.shared, width)
    }

    fn __repr__(&self) -> PyResult<String> {
        let time = self.shared.lock()?.world.time();
        Ok(format!("Run({:?}, time={time:?})", self.files.name))
    }
}
