//! The pose strip: the character at chosen moments from the side and from the front, with the forces on it.

mod body;
mod cast;
mod clip;
mod film;
mod key;
mod moments;
mod order;
mod outline;
mod page;
mod stage;

pub use body::{BodyPicture, body_picture};
pub use clip::{ClipBone, ClipMoment, clip_picture};
pub(crate) use film::Film;
pub use film::{FilmSettings, LivePictures};
pub use moments::Moments;
pub use page::{pose_strip, strip_of};

use super::PlotError;
use aplomb_trace::Trace;
use std::path::{Path, PathBuf};

/// Default number of pictures in a strip.
pub const PICTURES: usize = 8;

/// Writes the strip as `strip.svg` and `strip.png` into `directory`, which is created if it is missing.
///
/// # Errors
/// The errors of [`strip_of`], or a file that cannot be written.
pub fn render_strip(trace: &Trace, moments: &Moments, directory: &Path) -> Result<Vec<PathBuf>, PlotError> {
    std::fs::create_dir_all(directory).map_err(|error| PlotError::write(directory, error))?;
    let strip = strip_of(&trace.without_brushes(), moments)?;
    let [svg, png] = ["strip.svg", "strip.png"].map(|name| directory.join(name));
    strip.write_svg(&svg)?;
    strip.write_png(&png)?;
    Ok(vec![svg, png])
}

#[cfg(test)]
mod tests;
