//! Many worlds of one scene, stepped side by side.

use crate::arrays::{matrix, vector};
use crate::error::Trouble;
use crate::run::{goes_on, passes};
use crate::scene::{SceneLike, bound};
use crate::shared::Shared;
use crate::snapshot::Snapshot;
use crate::world::World;
use aplomb::scene::Run;
use aplomb::snapshot;
use numpy::{PyArray1, PyArray2};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use rayon::ThreadPool;
use rayon::prelude::*;
use std::sync::Arc;

/// So many worlds of one scene, stepped side by side on `threads` threads (as many as there are cores where it is left
/// out), with the same bytes for any number of them. Arrays have a row a world and are of the scene's character.
///
/// Raises FileError.
#[pyclass(frozen, module = "aplomb")]
pub struct Worlds {
    all: Vec<Arc<Shared>>,
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

    fn at(&self, index: isize) -> PyResult<&Arc<Shared>> {
        let count = self.all.len() as isize;
        let index = if index < 0 { index + count } else { index };
        usize::try_from(index)
            .ok()
            .and_then(|index| self.all.get(index))
            .ok_or_else(|| PyIndexError::new_err(format!("there are {count} worlds")))
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
    #[pyo3(signature = (scene, count, *, threads = None))]
    fn new(scene: SceneLike<'_>, count: usize, threads: Option<usize>) -> PyResult<Self> {
        let files = scene.files()?;
        let threads = threads.unwrap_or(0);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|error| PyValueError::new_err(error.to_string()))?;
        let all = (0..count).map(|_| Ok(Arc::new(Shared::of_run(bound(&files)?))));
        Ok(Worlds { all: all.collect::<PyResult<_>>()?, pool })
    }

    fn __len__(&self) -> usize {
        self.all.len()
    }

    fn __getitem__(&self, index: isize) -> PyResult<World> {
        Ok(World { shared: self.at(index)?.clone() })
    }

    /// Computes so many frames of all worlds that are not over, or of those alone for which `only` is true, without the
    /// interpreter's lock. Raises StepError.
    #[pyo3(signature = (frames = 1, only = None))]
    fn step(&self, py: Python<'_>, frames: u64, only: Option<Vec<bool>>) -> PyResult<()> {
        if only.as_ref().is_some_and(|only| only.len() != self.all.len()) {
            return Err(PyValueError::new_err(format!("`only` has a value a world, {}", self.all.len())));
        }
        let is_asked = |index: usize| only.as_ref().is_none_or(|only| only[index]);
        let step = |(index, shared): (usize, &Arc<Shared>)| -> Result<(), Trouble> {
            for _ in 0..frames {
                if !is_asked(index) || !goes_on(&mut *shared.lock()?) {
                    break;
                }
                shared.step()?;
            }
            Ok(())
        };
        // The first error in the order of the worlds, whatever the threads do.
        let results: Vec<Result<(), Trouble>> =
            py.detach(|| self.pool.install(|| self.all.par_iter().enumerate().map(step).collect()));
        Ok(results.into_iter().collect::<Result<(), Trouble>>()?)
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

    /// As `Run.is_over`: shape (worlds,), bool.
    #[getter]
    fn is_over<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<bool>>> {
        self.each(py, |run| !goes_on(run))
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
        snapshot.put_into(&mut *self.at(index)?.lock()?)
    }

    fn __repr__(&self) -> String {
        format!("Worlds({})", self.all.len())
    }
}
