//! The command line within Python, and complete runs of scenes with a summary and an optional trace.

use crate::error::{Trouble, exception};
use crate::scene::{SceneLike, bound};
use crate::toml::Overrides;
use aplomb::analysis::runner::{self, RunError, Wanted};
use pyo3::prelude::*;
use std::ffi::OsString;
use std::ops::ControlFlow;
use std::path::PathBuf;

/// Frames between two checks for Ctrl-C.
const FRAMES_BETWEEN_SIGNALS: u64 = 64;

/// Runs the command line with these arguments, the program's name first, and returns the exit code.
#[pyfunction]
pub fn command_line(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| aplomb::cli::exit_code(arguments))
}

/// Runs a scene with the overrides `set` and returns its summary as JSON.
#[pyfunction]
#[pyo3(signature = (scene, trace = None, set = Overrides::default()))]
pub fn record(
    py: Python<'_>,
    scene: SceneLike<'_>,
    trace: Option<PathBuf>,
    set: Overrides,
) -> PyResult<String> {
    let files = scene.files_with(&set.0)?;
    let mut run = bound(&files)?;
    let done = py.detach(|| {
        let wanted = Wanted { trace: trace.as_deref(), in_detail: true, ..Wanted::default() };
        let (mut frames, mut raised) = (0_u64, None);
        let recorded = runner::record(&files, &mut run, wanted, |_, _| {
            frames += 1;
            if frames.is_multiple_of(FRAMES_BETWEEN_SIGNALS)
                && let Err(error) = Python::attach(|py| py.check_signals())
            {
                raised = Some(error);
                return ControlFlow::Break("interrupted".into());
            }
            ControlFlow::Continue(())
        });
        match raised {
            Some(error) => Err(error),
            None => recorded.map_err(run_error),
        }
    })?;
    serde_json::to_string(&done.summary).map_err(|error| exception("Error", &error.to_string()))
}

fn run_error(error: RunError) -> PyErr {
    match error {
        RunError::Step(error) => Trouble::Step(error).into(),
        RunError::Trace(_) | RunError::Differs { .. } | RunError::Interrupted(_) => {
            exception("Error", &error.to_string())
        }
    }
}
