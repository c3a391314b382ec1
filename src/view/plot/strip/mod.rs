//! The film strip: the character at chosen moments from the side and from the front, with the forces on it.

mod cast;
mod moments;
mod outline;
mod stage;
mod strip;

pub use moments::moments;
pub use strip::film;

use super::PlotError;
use crate::trace::Trace;
use std::path::{Path, PathBuf};

/// Pictures in a strip where nobody asks for another number.
pub const PICTURES: usize = 8;

/// Writes the strip as `film.svg` and `film.png` into `directory` (made where missing).
///
/// # Errors
/// As [`film`], or a file that cannot be written.
pub fn render_film(trace: &Trace, pictures: usize, directory: &Path) -> Result<Vec<PathBuf>, PlotError> {
    std::fs::create_dir_all(directory).map_err(|error| PlotError::write(directory, error))?;
    let strip = film(trace, pictures)?;
    let [svg, png] = ["film.svg", "film.png"].map(|name| directory.join(name));
    strip.write_svg(&svg)?;
    strip.write_png(&png)?;
    Ok(vec![svg, png])
}

#[cfg(test)]
mod tests;
