//! Many worlds of one scene, stepped side by side.

use crate::convert::{matrix, vector};
use crate::error::{self, Trouble};
use crate::run::passes;
use crate::scene::{SceneLike, bound, kept};
use crate::shared::Shared;
use crate::snapshot::Snapshot;
use crate::world::World;
#[cfg(feature = "cli")]
use aplomb::analysis::trials::Experiment;
use aplomb::scene::{Run, SceneFiles, WorldsError, load_kept};
use aplomb::snapshot;
use numpy::{PyArray1, PyArray2};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use rayon::ThreadPool;
use rayon::prelude::*;
use std::sync::Arc;

/// So many worlds of one scene, stepped side by side on `threads` threads (as many as there are cores where it is left
/// out), with the same bytes for any number of them. Arrays have a row a world and are of the scene's character; they are
/// copies.
///
/// `set` has a list of `PATH=VALUE` for each world, as that of `Scene`; with `seed` world k is trial k of the scene's
/// `[trials]`, as `aplomb test --seed` draws it, and `set` comes after what is drawn.
///
/// Raises FileError, and WorldError where the characters of worlds have bodies of other sizes.
#[pyclass(frozen, module = "aplomb")]
pub struct Worlds {
    all: Vec<Arc<Shared>>,
    /// Where each of them began; worlds that began in the same way share it.
    starts: Vec<Arc<Snapshot>>,
    pool: ThreadPool,
}

impl Worlds {
    /// Something of the scene's character in each world, in a row.
    fn rows<'py>(
        &self,
        py: Python<'py>,
        read: impl Fn(&snapshot::Snapshot) -> &[f64],
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let mut numbers = Vec::new();
        for shared in &self.all {
            let mut run = shared.lock()?;
            run.world.observe();
            let hero = run.hero();
            numbers.extend_from_slice(read(run.world.sensed(hero).1));
        }
        matrix(py, numbers, numbers_each(&self.all, &read)?)
    }

    fn each<'py, T: numpy::Element>(
        &self,
        py: Python<'py>,
        mut read: impl FnMut(&mut Run) -> T,
    ) -> PyResult<Bound<'py, PyArray1<T>>> {
        let mut values = Vec::with_capacity(self.all.len());
        for shared in &self.all {
            values.push(read(&mut *shared.lock()?));
        }
        Ok(PyArray1::from_vec(py, values))
    }

    /// Whether each world is asked for.
    fn asked(&self, only: Option<Vec<bool>>) -> PyResult<Vec<bool>> {
        let only = only.unwrap_or_else(|| vec![true; self.all.len()]);
        self.check_count("`only`", only.len())?;
        Ok(only)
    }

    fn check_count(&self, what: &str, found: usize) -> PyResult<()> {
        match self.all.len() == found {
            true => Ok(()),
            false => Err(PyValueError::new_err(format!("{what}: a value a world, {}", self.all.len()))),
        }
    }

    fn at(&self, index: isize) -> PyResult<&Arc<Shared>> {
        let count = self.all.len() as isize;
        let index = if index < 0 { index + count } else { index };
        usize::try_from(index)
            .ok()
            .and_then(|index| self.all.get(index))
            .ok_or_else(|| PyIndexError::new_err(format!("there are {count} worlds")))
    }
}

/// What is set in each world of a scene, where anything is.
fn lists(
    files: &SceneFiles,
    count: usize,
    set: Option<Vec<Vec<String>>>,
    seed: Option<u64>,
) -> PyResult<Option<Vec<Vec<String>>>> {
    if set.is_none() && seed.is_none() {
        return Ok(None);
    }
    let set = set.unwrap_or_else(|| vec![Vec::new(); count]);
    if set.len() != count {
        return Err(PyValueError::new_err(format!("`set` has a list a world, {count}")));
    }
    let drawn = match seed {
        None => vec![Vec::new(); count],
        Some(seed) => drawn(files, count, seed)?,
    };
    Ok(Some(drawn.into_iter().zip(set).map(|(drawn, set)| [drawn, set].concat()).collect()))
}

/// What the first trials of a scene draw.
#[cfg(feature = "cli")]
fn drawn(files: &SceneFiles, count: usize, seed: u64) -> PyResult<Vec<Vec<String>>> {
    let spec = files.scene.trials.clone();
    let spec = spec.ok_or_else(|| PyValueError::new_err("the scene draws nothing: it has no `[trials]`"))?;
    let experiment = Experiment::new(files.clone(), spec, seed).map_err(error::load)?;
    Ok((0..count).map(|trial| experiment.sets(&experiment.values(trial))).collect())
}

#[cfg(not(feature = "cli"))]
fn drawn(_: &SceneFiles, _: usize, _: u64) -> PyResult<Vec<Vec<String>>> {
    Err(PyValueError::new_err("this build has no trials: it was made without the feature `cli`"))
}

/// # Errors
/// Characters with bodies of other sizes, which make no array.
fn check_sizes(runs: &[Run]) -> PyResult<()> {
    let sizes = runs.iter().map(|run| {
        let (model, _) = run.world.sensed(run.hero());
        (model.nq, model.nv)
    });
    let mut sizes = sizes.enumerate();
    let Some((_, first)) = sizes.next() else { return Ok(()) };
    match sizes.find(|(_, found)| *found != first) {
        Some((world, found)) => {
            Err(error::said("WorldError", &WorldsError::Shape { world, found, first }.to_string()))
        }
        None => Ok(()),
    }
}

fn numbers_each(all: &[Arc<Shared>], read: &impl Fn(&snapshot::Snapshot) -> &[f64]) -> PyResult<usize> {
    let Some(first) = all.first() else { return Ok(0) };
    let run = first.lock()?;
    Ok(read(run.world.sensed(run.hero()).1).len())
}

#[pymethods]
impl Worlds {
    #[new]
    #[pyo3(signature = (scene, count, *, threads = None, set = None, seed = None))]
    fn new(
        scene: SceneLike<'_>,
        count: usize,
        threads: Option<usize>,
        set: Option<Vec<Vec<String>>>,
        seed: Option<u64>,
    ) -> PyResult<Self> {
        let files = scene.files()?;
        let threads = threads.unwrap_or(0);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|error| PyValueError::new_err(error.to_string()))?;
        let start = |run: &Run| Arc::new(Snapshot::of(run));
        let (runs, starts): (Vec<Run>, Vec<Arc<Snapshot>>) = match lists(&files, count, set, seed)? {
            None => {
                let runs: Vec<Run> = (0..count).map(|_| bound(&files)).collect::<PyResult<_>>()?;
                // Each of them begins in the same way, so that one beginning serves all.
                let starts = runs.first().map(start).into_iter().cycle().take(count).collect();
                (runs, starts)
            }
            Some(sets) => {
                let header = kept(&files)?;
                let run = |sets: &Vec<String>| bound(&load_kept(&header, sets).map_err(error::load)?);
                let runs: Vec<Run> = sets.iter().map(run).collect::<PyResult<_>>()?;
                let starts = runs.iter().map(start).collect();
                (runs, starts)
            }
        };
        check_sizes(&runs)?;
        let all = runs.into_iter().map(|run| Arc::new(Shared::of_run(run))).collect();
        Ok(Worlds { all, starts, pool })
    }

    fn __len__(&self) -> usize {
        self.all.len()
    }

    fn __getitem__(&self, index: isize) -> PyResult<World> {
        Ok(World { shared: self.at(index)?.clone() })
    }

    /// Computes so many frames of all worlds that are not over, or of those alone for which `only` is true, without the
    /// interpreter's lock. A world whose frame cannot be computed stays where it is until it goes back (`reset`, `restore`)
    /// and does not keep the others from their frames; then StepError is raised once, or nothing with
    /// `raise_errors=False`: `outcomes` and `errors` tell of it.
    #[pyo3(signature = (frames = 1, only = None, *, raise_errors = true))]
    fn step(&self, py: Python<'_>, frames: u64, only: Option<Vec<bool>>, raise_errors: bool) -> PyResult<()> {
        let only = self.asked(only)?;
        let step = |(index, shared): (usize, &Arc<Shared>)| match only[index] {
            true => shared.step_among(frames),
            false => Ok(()),
        };
        // The first error in the order of the worlds, whatever the threads do.
        let results: Vec<Result<(), Trouble>> =
            py.detach(|| self.pool.install(|| self.all.par_iter().enumerate().map(step).collect()));
        let is_told = |trouble: &Trouble| raise_errors || !matches!(trouble, Trouble::Step(_));
        match results.into_iter().filter_map(Result::err).find(is_told) {
            Some(trouble) => Err(trouble.into()),
            None => Ok(()),
        }
    }

    /// Has all worlds go back to their beginnings, or those alone for which `only` is true; what they were told is taken
    /// back.
    #[pyo3(signature = (only = None))]
    fn reset(&self, only: Option<Vec<bool>>) -> PyResult<()> {
        let only = self.asked(only)?;
        let asked = self.all.iter().zip(&self.starts).zip(only).filter(|(_, only)| *only);
        asked.into_iter().try_for_each(|((shared, start), _)| start.put_into(shared))
    }

    /// Gives a parameter of each world's controller the value in its place, shape (worlds,).
    ///
    /// Raises WorldError; the worlds before the one that does not take it have it then.
    fn set_parameter(&self, name: &str, values: Vec<f64>) -> PyResult<()> {
        self.check_count("values", values.len())?;
        for (shared, value) in self.all.iter().zip(values) {
            let mut run = shared.lock()?;
            if let Some(hero) = run.hero() {
                run.world.set_parameter(hero, name, value).map_err(error::world)?;
            }
        }
        Ok(())
    }

    /// How far each world has come: `running`, `finished` (all frames of its scene are done), `violated` (a criterion that
    /// must always hold is broken) or `failed` (its next frame cannot be computed).
    #[getter]
    fn outcomes(&self) -> PyResult<Vec<&'static str>> {
        self.all.iter().map(|shared| Ok(shared.outcome()?.name())).collect()
    }

    /// Why the next frame of each world cannot be computed; None where it can.
    #[getter]
    fn errors(&self) -> Vec<Option<String>> {
        self.all.iter().map(|shared| shared.stopped().map(|error| error.to_string())).collect()
    }

    /// Configurations: shape (worlds, nq).
    #[getter]
    fn q<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        self.rows(py, |now| &now.state.q)
    }

    /// Velocities: shape (worlds, nv).
    #[getter]
    fn v<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        self.rows(py, |now| &now.state.v)
    }

    /// Centres of mass: shape (worlds, 3), m.
    #[getter]
    fn com<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        self.rows(py, |now| now.com.as_slice())
    }

    /// Their velocities: shape (worlds, 3), m/s.
    #[getter]
    fn com_velocity<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        self.rows(py, |now| now.com_velocity.as_slice())
    }

    /// Joint torques of the last frames: shape (worlds, nv), N m or N; 0 before the first.
    #[getter]
    fn torque<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let mut numbers = Vec::new();
        let mut nv = 0;
        for shared in &self.all {
            let run = shared.lock()?;
            let hero = run.hero();
            nv = run.world.sensed(hero).0.nv;
            let torque = run.world.results(hero).character.map_or(&[][..], |of| &of.frame.torque);
            // None before the first frame.
            numbers.extend((0..nv).map(|index| torque.get(index).copied().unwrap_or(0.0)));
        }
        matrix(py, numbers, nv)
    }

    /// shape (worlds,), s
    #[getter]
    fn time<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let times: Vec<f64> =
            self.all.iter().map(|shared| Ok(shared.lock()?.world.time())).collect::<PyResult<_>>()?;
        Ok(vector(py, &times))
    }

    /// Whether it is not stepped on: as `Run.is_over`, or it has failed. Shape (worlds,), bool.
    #[getter]
    fn is_over<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<bool>>> {
        let over: Vec<bool> =
            self.all.iter().map(|shared| Ok(!shared.outcome()?.is_running())).collect::<PyResult<_>>()?;
        Ok(PyArray1::from_vec(py, over))
    }

    /// Whether no criterion that must always hold is broken: shape (worlds,), bool.
    #[getter]
    fn is_upright<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<bool>>> {
        self.each(py, Run::judge)
    }

    /// As `Run.passed`: shape (worlds,), bool.
    #[getter]
    fn passed<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<bool>>> {
        self.each(py, passes)
    }

    /// A moment of the world of that number.
    fn snapshot(&self, index: isize) -> PyResult<Snapshot> {
        Ok(Snapshot::of(&*self.at(index)?.lock()?))
    }

    /// Has the world of that number go back to a moment of any of them.
    fn restore(&self, index: isize, snapshot: &Snapshot) -> PyResult<()> {
        snapshot.put_into(self.at(index)?)
    }

    fn __repr__(&self) -> String {
        format!("Worlds({})", self.all.len())
    }
}
