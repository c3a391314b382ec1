//! The command line within Python: `python -m aplomb`.

use pyo3::prelude::*;
use std::ffi::OsString;

/// Does what the arguments say, the program's name first, and returns the exit code.
#[pyfunction]
pub fn command_line(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| aplomb::cli::exit_code(arguments))
}
