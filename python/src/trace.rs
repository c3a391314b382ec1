//! Traces.

use crate::convert::{matrix, vector};
use crate::error::{exception, unknown};
use aplomb::trace::{self, Frame, channels};
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use std::path::PathBuf;

/// The trace of a run: `Trace(path)` reads an MCAP file written by `run` or `aplomb run`. One row per frame; the last
/// one has no forces (NaN).
///
/// Raises Error.
#[pyclass(frozen, module = "aplomb")]
pub struct Trace(trace::Trace);

impl Trace {
    fn rows<'py>(
        &self,
        py: Python<'py>,
        width: usize,
        read: impl Fn(&Frame) -> &[f64],
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        // The last record has no forces.
        let number = |frame: &Frame, index: usize| read(frame).get(index).copied().unwrap_or(f64::NAN);
        let frames = self.0.frames.iter();
        matrix(
            py,
            frames.flat_map(|frame| (0..width).map(move |index| number(frame, index))).collect(),
            width,
        )
    }
}

#[pymethods]
impl Trace {
    #[new]
    fn new(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let read = py.detach(|| trace::read(&path));
        let failed = |error: trace::TraceError| exception("Error", &format!("{}: {error}", path.display()));
        Ok(Trace(read.map_err(failed)?))
    }

    fn __len__(&self) -> usize {
        self.0.frames.len()
    }

    /// Everything that does not change from frame to frame: names, units, texts.
    #[getter]
    fn header<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json(py, serde_json::to_string(&self.0.header))
    }

    /// Record of a frame, by its index.
    fn frame<'py>(&self, py: Python<'py>, index: usize) -> PyResult<Bound<'py, PyAny>> {
        let frame = self.0.frames.get(index);
        let missing =
            || pyo3::exceptions::PyIndexError::new_err(format!("there are {} frames", self.0.frames.len()));
        json(py, serde_json::to_string(frame.ok_or_else(missing)?))
    }

    /// Time of each frame: shape (frames,), s.
    #[getter]
    fn time<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        vector(py, &self.0.times())
    }

    /// Configurations: shape (frames, nq).
    #[getter]
    fn q<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        self.rows(py, self.0.header.configuration_names.len(), |frame| &frame.q)
    }

    /// Velocities: shape (frames, nv).
    #[getter]
    fn v<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        self.rows(py, self.0.header.coordinate_names.len(), |frame| &frame.v)
    }

    /// Joint torques: shape (frames, nv), N m or N.
    #[getter]
    fn torque<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        self.rows(py, self.0.header.coordinate_names.len(), |frame| &frame.torque)
    }

    /// Centres of mass: shape (frames, 3), m.
    #[getter]
    fn com<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        self.rows(py, 3, |frame| &frame.com)
    }

    /// Weighted costs: shape (frames, objectives).
    #[getter]
    fn costs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        self.rows(py, self.0.header.objectives.len(), |frame| &frame.costs)
    }

    /// Names of the columns of `costs`.
    #[getter]
    fn objectives(&self) -> Vec<String> {
        self.0.header.objectives.clone()
    }

    /// State of the controller in each frame.
    #[getter]
    fn states(&self) -> Vec<&str> {
        self.0.frames.iter().map(|frame| frame.state.as_str()).collect()
    }

    /// Name, unit and meaning of each channel.
    #[getter]
    fn channels(&self) -> Vec<(String, String, String)> {
        let all = channels(&self.0.header).into_iter();
        all.map(|channel| (channel.name, channel.unit, channel.doc)).collect()
    }

    /// Time series of a channel such as `com.y`: shape (frames,), NaN where it has no value. Raises WorldError.
    fn channel<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let Some(series) = self.0.series(name) else {
            let known = channels(&self.0.header);
            return Err(unknown("channel", name, known.iter().map(|channel| channel.name.as_str())));
        };
        let numbers: Vec<f64> = series.into_iter().map(|value| value.unwrap_or(f64::NAN)).collect();
        Ok(vector(py, &numbers))
    }

    fn __repr__(&self) -> String {
        format!("Trace({:?}, {} frames)", self.0.header.scene, self.0.frames.len())
    }
}

fn json<'py>(py: Python<'py>, text: serde_json::Result<String>) -> PyResult<Bound<'py, PyAny>> {
    let text = text.map_err(|error| exception("Error", &error.to_string()))?;
    py.import("json")?.call_method1("loads", (text,))
}
