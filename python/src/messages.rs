//! Messages for 3-D viewers.

use crate::error::exception;
use crate::run::Run;
use aplomb::view::export;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// Messages with which Foxglove and Lichtblick show a run in progress, in protobuf: those that
/// `aplomb export --to foxglove` writes. `aplomb.foxglove` sends them.
#[pyclass(frozen, module = "aplomb")]
pub struct FoxgloveMessages {
    run: Py<Run>,
    messages: export::FoxgloveMessages,
}

/// Time, s, and the messages of poses and forces.
type FrameMessages<'py> = (f64, Bound<'py, PyBytes>, Bound<'py, PyBytes>);

#[pymethods]
impl FoxgloveMessages {
    #[new]
    fn new(run: Py<Run>) -> PyResult<Self> {
        let messages = export::FoxgloveMessages::new(run.get().trace_header()?);
        let messages = messages.map_err(|error| exception("Error", &error.to_string()))?;
        Ok(FoxgloveMessages { run, messages })
    }

    /// Topic and message name of the shapes, the poses and the forces.
    #[getter]
    fn topics(&self) -> Vec<(&'static str, &'static str)> {
        export::FoxgloveMessages::TOPICS.to_vec()
    }

    /// Schema of all topics: a `google.protobuf.FileDescriptorSet`.
    #[getter]
    fn schema<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &export::FoxgloveMessages::schema())
    }

    /// Shapes of bodies, objects and surfaces, for the first topic: sent once, and again to clients that connect
    /// later.
    fn shapes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.messages.shapes(Some(&self.run.get().last_frame()?))))
    }

    /// Time of the last frame, s, and its messages for the second and third topics.
    fn frame<'py>(&self, py: Python<'py>) -> PyResult<FrameMessages<'py>> {
        let frame = self.run.get().last_frame()?;
        let poses = self.messages.poses(&frame).map_err(|error| exception("Error", &error.to_string()))?;
        Ok((frame.time, PyBytes::new(py, &poses), PyBytes::new(py, &self.messages.forces(&frame))))
    }
}
