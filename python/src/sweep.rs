//! Sweeps: the plan and rows of the command line's sweeps. Python distributes the runs (`aplomb/_sweep.py`).

use crate::error::{self, Trouble, exception};
use crate::toml::Overrides;
use aplomb::analysis::sweep::{
    self, COLUMNS, Identity, JOURNAL, Journal, Over, PoolError, PushMap, Range, Row,
};
use aplomb::scene;
use aplomb::trace::{FolderLock, TraceError};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The runs of a sweep. All files are read on construction.
#[pyclass(frozen, module = "aplomb")]
pub struct Plan {
    plan: sweep::Plan,
    /// Names of the scene and of its first character, for the journal.
    who: String,
    is_map: bool,
    count: Option<String>,
    /// The journal and the lock of its folder.
    journal: Mutex<Option<(Journal, FolderLock)>>,
}

fn file(error: aplomb::language::diagnostic::FileError) -> PyErr {
    error::files(&error.into())
}

#[pymethods]
impl Plan {
    /// Plans pushes from all directions, or a grid of values if `over` has ranges `KEY=FROM:TO:STEP`.
    #[new]
    #[pyo3(signature = (scene, set, over, directions, impulses, event = None, count = None))]
    fn new(
        scene: PathBuf,
        set: Overrides,
        over: Vec<String>,
        directions: usize,
        impulses: &str,
        event: Option<&str>,
        count: Option<String>,
    ) -> PyResult<Self> {
        let (reference, set) = (scene.to_string_lossy(), set.0);
        let base = scene::load(&reference, &set).map_err(error::load)?;
        let is_map = over.is_empty();
        let plan = if is_map {
            let event = sweep::Plan::event(&base, event);
            let event = event.map_err(|none| PyValueError::new_err(format!("{none}; {}", none.help())))?;
            let impulses = Range::parse("impulses", impulses, 0).map_err(file)?;
            sweep::Plan::pushes(&reference, &set, &event, directions, impulses)
        } else {
            let overs = over.iter().map(|over| Over::parse(over)).collect::<Result<Vec<_>, _>>();
            sweep::Plan::grid(&reference, &set, &overs.map_err(file)?)
        };
        let plan = plan.map_err(error::load)?;
        if let Some(state) = &count {
            let states = || base.characters.iter().take(1).flat_map(|one| one.controller.spec.states.keys());
            let names: Vec<&str> = states().map(|name| name.get_ref().as_str()).collect();
            if !names.contains(&state.as_str()) {
                return Err(error::unknown("state", state, names));
            }
        }
        // Errors common to all runs are reported before the first run.
        if let Some(first) = plan.variations.first() {
            crate::scene::bound(&first.files)?;
        }
        let who = base.characters.first().map_or("", |character| character.name.as_str());
        let who = format!("{}; {who}", base.name);
        Ok(Plan { plan, who, is_map, count, journal: Mutex::new(None) })
    }

    fn __len__(&self) -> usize {
        self.plan.variations.len()
    }

    #[getter]
    fn axes(&self) -> Vec<(String, Vec<f64>)> {
        self.plan.axes.iter().map(|axis| (axis.name.clone(), axis.range.values.clone())).collect()
    }

    #[getter]
    fn is_map(&self) -> bool {
        self.is_map
    }

    /// Creates or resumes the journal of rows in a folder, which stays locked until the plan is closed; returns the
    /// rows that it contains, as JSON.
    fn open_journal(&self, folder: PathBuf, resume: bool) -> PyResult<Vec<String>> {
        let lock = FolderLock::take(&folder).map_err(|error| match error {
            TraceError::InUse { .. } => exception("BusyError", &error.to_string()),
            _ => exception("Error", &error.to_string()),
        })?;
        let count = self.count.clone().unwrap_or_default();
        let more = [("scene's name", self.who.clone()), ("states that are counted", count)];
        let identity = Identity::of(&self.plan, more);
        let path = folder.join(JOURNAL);
        let (journal, rows) = if resume && path.exists() {
            Journal::resume(&path, &identity).map_err(|error| exception("Error", &error.to_string()))?
        } else {
            let begun = Journal::begin(&path, &identity);
            (begun.map_err(|error| PyOSError::new_err(error.to_string()))?, BTreeMap::new())
        };
        *self.held() = Some((journal, lock));
        rows.values().map(json).collect()
    }

    /// Closes the journal and unlocks its folder.
    fn close(&self) {
        *self.held() = None;
    }

    /// Adds a row, as JSON, to the journal.
    fn note(&self, row: &str) -> PyResult<()> {
        self.noted(&parse(row)?)
    }

    /// Computes the given runs on `threads` threads and passes each row, as JSON, to `take`, in the given order.
    fn run(&self, py: Python<'_>, runs: Vec<usize>, threads: usize, take: Bound<'_, PyAny>) -> PyResult<()> {
        let take = take.unbind();
        py.detach(|| {
            let work = |index: usize| -> Result<Row, Trouble> {
                let row = self.row(runs[index])?;
                self.noted(&row)?;
                Ok(row)
            };
            sweep::in_order(threads, runs.len(), work, |row| -> Result<(), Trouble> {
                let row = json(&row?)?;
                Python::attach(|py| {
                    py.check_signals()?;
                    take.bind(py).call1((row,)).map(|_| ())
                })?;
                Ok(())
            })
            .map_err(|error| match error {
                PoolError::Taken(trouble) => trouble.into(),
                PoolError::Threads(error) => PyValueError::new_err(error.to_string()),
            })
        })
    }

    /// The scene with the texts of all its files, packed for [`remote_row`].
    fn parcel(&self) -> PyResult<String> {
        let Some(first) = self.plan.variations.first() else { return Ok(String::new()) };
        let mut header = crate::scene::kept(&first.files)?;
        header.overrides.clear();
        crate::scene::packed(&header)
    }

    /// Overrides and values of a run, and the state that is counted.
    fn errand(&self, run: usize) -> PyResult<(Vec<String>, Vec<f64>, Option<String>)> {
        let variation = self.plan.variations.get(run);
        let variation = variation.ok_or_else(|| PyValueError::new_err(format!("there is no run {run}")))?;
        Ok((variation.files.overrides.clone(), variation.values.clone(), self.count.clone()))
    }
}

impl Plan {
    fn held(&self) -> MutexGuard<'_, Option<(Journal, FolderLock)>> {
        self.journal.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn row(&self, run: usize) -> PyResult<Row> {
        let variation = &self.plan.variations[run];
        let row = sweep::run(run, &variation.values, &variation.files, self.count.as_deref(), None);
        row.map_err(|error| exception("Error", &error.to_string()))
    }

    fn noted(&self, row: &Row) -> PyResult<()> {
        match &mut *self.held() {
            Some((journal, _)) => journal.note(row).map_err(|error| PyOSError::new_err(error.to_string())),
            None => Ok(()),
        }
    }
}

/// Computes one run of a plan of another process, from its parcel and errand; returns the row, as JSON.
#[pyfunction]
pub fn remote_row(
    py: Python<'_>,
    parcel: &str,
    run: usize,
    overrides: Vec<String>,
    values: Vec<f64>,
    count: Option<&str>,
) -> PyResult<String> {
    let files = crate::scene::unpacked(parcel, &overrides)?;
    let row = py.detach(|| sweep::run(run, &values, &files, count, None));
    json(&row.map_err(|error| exception("Error", &error.to_string()))?)
}

/// The cells of a row in the table, as text.
#[pyfunction]
pub fn cells(row: &str) -> PyResult<Vec<String>> {
    Ok(parse(row)?.cells())
}

/// Names of the columns that follow the run's index and the axes.
#[pyfunction]
pub fn columns() -> Vec<&'static str> {
    COLUMNS.to_vec()
}

/// Push map computed from its rows, as JSON.
#[pyfunction]
pub fn push_map(rows: Vec<String>, impulses: usize) -> PyResult<String> {
    let rows: Vec<Row> = rows.iter().map(|row| parse(row)).collect::<PyResult<_>>()?;
    serde_json::to_string(&PushMap::new(&rows, impulses)).map_err(broken)
}

fn parse(row: &str) -> PyResult<Row> {
    serde_json::from_str(row).map_err(broken)
}

fn json(row: &Row) -> PyResult<String> {
    serde_json::to_string(row).map_err(broken)
}

fn broken(error: serde_json::Error) -> PyErr {
    exception("Error", &error.to_string())
}
