//! Many worlds of one scene, stepped in parallel.

use crate::convert::{matrix, vector};
use crate::error::{self, Trouble};
use crate::run::passes;
use crate::scene::{SceneLike, bound, kept};
use crate::shared::Shared;
use crate::snapshot::Snapshot;
use crate::toml::Overrides;
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

/// `count` worlds of one scene, stepped in parallel on `threads` threads (default: one per core); the results do not
/// depend on the number of threads, bit for bit. Arrays have one row per world, for the scene's character; they are
/// copies.
///
/// `set`: for each world a dict of values by path, or a list of `PATH=VALUE`, as for `Scene`. With `seed`, world k is
/// trial k of the scene's `[trials]`, as drawn by `aplomb test --seed`, and `set` is applied after the drawn values.
///
/// Raises FileError, and WorldError if the worlds' characters have bodies of different sizes.
#[pyclass(frozen, module = "aplomb")]
pub struct Worlds {
    all: Vec<Arc<Shared>>,
    /// Initial state of each world; worlds with the same initial state share it.
    starts: Vec<Arc<Snapshot>>,
    pool: ThreadPool,
    /// The scene of each world, with its overrides.
    #[cfg(feature = "cli")]
    scenes: Vec<Arc<SceneFiles>>,
    #[cfg(feature = "cli")]
    cameras: Vec<crate::picture::Camera>,
}

impl Worlds {
    /// A quantity of the scene's character, one row per world.
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

    /// For each world, whether it is selected by `only`; all worlds are without it.
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

    fn number(&self, index: isize) -> PyResult<usize> {
        let count = self.all.len() as isize;
        let index = if index < 0 { index + count } else { index };
        let number = usize::try_from(index).ok().filter(|number| *number < self.all.len());
        number.ok_or_else(|| PyIndexError::new_err(format!("there are {count} worlds")))
    }

    fn at(&self, index: isize) -> PyResult<&Arc<Shared>> {
        Ok(&self.all[self.number(index)?])
    }
}

/// Overrides of each world of a scene; `None` if there are none.
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

/// Overrides that the first trials of a scene draw.
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
/// Characters with bodies of different sizes, which do not fit one array.
fn check_sizes(runs: &[Run]) -> PyResult<()> {
    let sizes = runs.iter().map(|run| {
        let (model, _) = run.world.sensed(run.hero());
        (model.nq, model.nv)
    });
    let mut sizes = sizes.enumerate();
    let Some((_, first)) = sizes.next() else { return Ok(()) };
    match sizes.find(|(_, found)| *found != first) {
        Some((world, found)) => {
            Err(error::exception("WorldError", &WorldsError::Shape { world, found, first }.to_string()))
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
        set: Option<Vec<Overrides>>,
        seed: Option<u64>,
    ) -> PyResult<Self> {
        let files = scene.files()?;
        let set = set.map(|lists| lists.into_iter().map(|list| list.0).collect());
        let threads = threads.unwrap_or(0);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|error| PyValueError::new_err(error.to_string()))?;
        let start = |run: &Run| Arc::new(Snapshot::of(run));
        #[cfg(feature = "cli")]
        let mut scenes = vec![files.clone(); count];
        let (runs, starts): (Vec<Run>, Vec<Arc<Snapshot>>) = match lists(&files, count, set, seed)? {
            None => {
                let runs: Vec<Run> = (0..count).map(|_| bound(&files)).collect::<PyResult<_>>()?;
                // All worlds start in the same state, so that one snapshot serves all.
                let starts = runs.first().map(start).into_iter().cycle().take(count).collect();
                (runs, starts)
            }
            Some(sets) => {
                let header = kept(&files)?;
                let load = |sets: &Vec<String>| Ok(Arc::new(load_kept(&header, sets).map_err(error::load)?));
                let files: Vec<Arc<SceneFiles>> = sets.iter().map(load).collect::<PyResult<_>>()?;
                let runs: Vec<Run> = files.iter().map(|files| bound(files)).collect::<PyResult<_>>()?;
                #[cfg(feature = "cli")]
                scenes.clone_from(&files);
                let starts = runs.iter().map(start).collect();
                (runs, starts)
            }
        };
        check_sizes(&runs)?;
        let all = runs.into_iter().map(|run| Arc::new(Shared::of_run(run))).collect();
        Ok(Worlds {
            all,
            starts,
            pool,
            #[cfg(feature = "cli")]
            scenes,
            #[cfg(feature = "cli")]
            cameras: (0..count).map(|_| crate::picture::Camera::default()).collect(),
        })
    }

    fn __len__(&self) -> usize {
        self.all.len()
    }

    fn __getitem__(&self, index: isize) -> PyResult<World> {
        Ok(World { shared: self.at(index)?.clone() })
    }

    /// A picture of the world with this index, as of `Run.picture`: shape (height, width, 3), uint8.
    #[cfg(feature = "cli")]
    #[pyo3(signature = (index, width = 640))]
    fn picture<'py>(
        &self,
        py: Python<'py>,
        index: isize,
        width: u32,
    ) -> PyResult<Bound<'py, numpy::PyArray3<u8>>> {
        let number = self.number(index)?;
        self.cameras[number].picture(py, &self.scenes[number], &self.all[number], width)
    }

    /// Computes at most `frames` frames of all running worlds, or only of those with true in `only`, without the
    /// interpreter's lock. A world whose frame cannot be computed stays in its state until it is reset or restored
    /// and does not stop the others; StepError is then raised once, unless `raise_errors=False`: see `outcomes` and
    /// `errors`.
    #[pyo3(signature = (frames = 1, only = None, *, raise_errors = true))]
    fn step(&self, py: Python<'_>, frames: u64, only: Option<Vec<bool>>, raise_errors: bool) -> PyResult<()> {
        let only = self.asked(only)?;
        let step = |(index, shared): (usize, &Arc<Shared>)| match only[index] {
            true => shared.step_among(frames),
            false => Ok(()),
        };
        // The first error in the order of the worlds, independent of the threads.
        let results: Vec<Result<(), Trouble>> =
            py.detach(|| self.pool.install(|| self.all.par_iter().enumerate().map(step).collect()));
        let is_told = |trouble: &Trouble| raise_errors || !matches!(trouble, Trouble::Step(_));
        match results.into_iter().filter_map(Result::err).find(is_told) {
            Some(trouble) => Err(trouble.into()),
            None => Ok(()),
        }
    }

    /// Resets all worlds to their initial states, or only those with true in `only`, and undoes everything that was
    /// set in them.
    #[pyo3(signature = (only = None))]
    fn reset(&self, only: Option<Vec<bool>>) -> PyResult<()> {
        let only = self.asked(only)?;
        let asked = self.all.iter().zip(&self.starts).zip(only).filter(|(_, only)| *only);
        asked.into_iter().try_for_each(|((shared, start), _)| start.put_into(shared))
    }

    /// Sets a parameter of each world's controller, one value per world, shape (worlds,).
    ///
    /// Raises WorldError; worlds before the one that rejects its value keep their new values.
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

    /// Outcome of each world: `running`, `finished` (all frames of its scene are done), `violated` (a criterion of
    /// kind `always` does not hold) or `failed` (its next frame cannot be computed).
    #[getter]
    fn outcomes(&self) -> PyResult<Vec<&'static str>> {
        self.all.iter().map(|shared| Ok(shared.outcome()?.name())).collect()
    }

    /// Why the next frame of each world cannot be computed; None if it can.
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

    /// Velocities of the centres of mass: shape (worlds, 3), m/s.
    #[getter]
    fn com_velocity<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        self.rows(py, |now| now.com_velocity.as_slice())
    }

    /// Joint torques of the last frame: shape (worlds, nv), N m or N; 0 before the first.
    #[getter]
    fn torque<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let mut numbers = Vec::new();
        let mut nv = 0;
        for shared in &self.all {
            let run = shared.lock()?;
            let hero = run.hero();
            nv = run.world.sensed(hero).0.nv;
            let torque = run.world.results(hero).character.map_or(&[][..], |of| &of.frame.torque);
            // Empty before the first frame.
            numbers.extend((0..nv).map(|index| torque.get(index).copied().unwrap_or(0.0)));
        }
        matrix(py, numbers, nv)
    }

    /// Simulated time of each world: shape (worlds,), s.
    #[getter]
    fn time<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let times: Vec<f64> =
            self.all.iter().map(|shared| Ok(shared.lock()?.world.time())).collect::<PyResult<_>>()?;
        Ok(vector(py, &times))
    }

    /// Whether each world has ended, as `Run.is_over`, or has failed: shape (worlds,), bool.
    #[getter]
    fn is_over<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<bool>>> {
        let over: Vec<bool> =
            self.all.iter().map(|shared| Ok(!shared.outcome()?.is_running())).collect::<PyResult<_>>()?;
        Ok(PyArray1::from_vec(py, over))
    }

    /// Whether no criterion of kind `always` is violated: shape (worlds,), bool.
    #[getter]
    fn is_upright<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<bool>>> {
        self.each(py, Run::judge)
    }

    /// Whether every criterion holds so far, as `Run.passed`: shape (worlds,), bool.
    #[getter]
    fn passed<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<bool>>> {
        self.each(py, passes)
    }

    /// A snapshot of the world with this index.
    fn snapshot(&self, index: isize) -> PyResult<Snapshot> {
        Ok(Snapshot::of(&*self.at(index)?.lock()?))
    }

    /// Restores a snapshot of any of the worlds in the world with this index.
    fn restore(&self, index: isize, snapshot: &Snapshot) -> PyResult<()> {
        snapshot.put_into(self.at(index)?)
    }

    fn __repr__(&self) -> String {
        format!("Worlds({})", self.all.len())
    }
}
