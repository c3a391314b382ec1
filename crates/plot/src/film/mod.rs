//! Runs as films: the views of the pose strip over time, as an animated GIF or PNG, or as MP4 if ffmpeg is
//! installed.

mod apng;
mod gif;
mod mp4;
mod palette;
#[cfg(test)]
mod tests;

use super::plot::{Film, FilmSettings, PlotError};
use aplomb_trace::Trace;
use std::io;
use std::path::{Path, PathBuf};
use tiny_skia::Pixmap;

/// Format of a film.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilmFormat {
    /// Animated GIF with 256 colours.
    Gif,
    /// Animated PNG.
    Apng,
    /// H.264 in MP4, encoded by ffmpeg.
    Mp4,
}

impl FilmFormat {
    /// All formats.
    pub const ALL: [FilmFormat; 3] = [FilmFormat::Gif, FilmFormat::Apng, FilmFormat::Mp4];

    /// Name of the format on the command line, and suffix of the file.
    pub fn name(self) -> &'static str {
        match self {
            FilmFormat::Gif => "gif",
            FilmFormat::Apng => "apng",
            FilmFormat::Mp4 => "mp4",
        }
    }

    /// The format with this name.
    pub fn of_name(name: &str) -> Option<FilmFormat> {
        FilmFormat::ALL.into_iter().find(|format| format.name() == name)
    }
}

/// Why a film could not be made.
#[derive(Debug, thiserror::Error)]
pub enum FilmError {
    /// A picture could not be drawn.
    #[error(transparent)]
    Plot(#[from] PlotError),
    /// A file or its folder could not be written.
    #[error("cannot write {}", path.display())]
    Write {
        /// Path of the file.
        path: PathBuf,
        /// Error of the operating system.
        source: io::Error,
    },
    /// MP4 needs ffmpeg, which is not installed.
    #[error("there is no `ffmpeg` on PATH, which makes mp4")]
    NoFfmpeg,
    /// ffmpeg failed with this message.
    #[error("ffmpeg failed: {0}")]
    Ffmpeg(String),
    /// The run has no frames in the interval of time.
    #[error("the run has no frames from {from} to {until} s")]
    Empty {
        /// Beginning of the interval, s.
        from: f64,
        /// End of the interval, s.
        until: f64,
    },
}

/// Writes the film to `path`; `progress` is called with each picture's number and the count.
///
/// # Errors
/// If there are no frames in the interval, a picture cannot be drawn, the file cannot be written, or ffmpeg is
/// missing.
pub fn write(
    trace: &Trace,
    settings: &FilmSettings,
    format: FilmFormat,
    path: &Path,
    progress: impl FnMut(usize, usize),
) -> Result<(), FilmError> {
    let film = Film::new(trace, settings)?;
    if film.is_empty() {
        return Err(FilmError::Empty { from: settings.from, until: settings.until });
    }
    let pictures = Pictures { film, progress };
    match format {
        FilmFormat::Gif => gif::write(pictures, path),
        FilmFormat::Apng => apng::write(pictures, path),
        FilmFormat::Mp4 => mp4::write(pictures, path),
    }
}

/// The pictures of a film, drawn one by one.
struct Pictures<'t, P> {
    film: Film<'t>,
    progress: P,
}

impl<P: FnMut(usize, usize)> Pictures<'_, P> {
    fn size(&self) -> [u32; 2] {
        self.film.size()
    }

    fn draw(&mut self, number: usize) -> Result<Pixmap, FilmError> {
        (self.progress)(number, self.film.len());
        Ok(self.film.picture(number)?.raster()?)
    }
}

/// The part of a picture that differs from the previous one, px.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Changed {
    left: u32,
    top: u32,
    width: u32,
    height: u32,
}

/// The smallest rectangle that contains all differing pixels; one pixel if none differs.
fn changed(before: &Pixmap, now: &Pixmap) -> Changed {
    let (width, height) = (now.width(), now.height());
    let row = 4 * width as usize;
    let rows = || before.data().chunks_exact(row).zip(now.data().chunks_exact(row)).enumerate();
    let [mut left, mut right, mut top, mut bottom] = [width, 0, height, 0];
    for (y, (old, new)) in rows().filter(|(_, (old, new))| old != new) {
        let y = y as u32;
        (top, bottom) = (top.min(y), bottom.max(y + 1));
        let differs = |(old, new): (&[u8], &[u8])| old != new;
        let mut pixels = old.chunks_exact(4).zip(new.chunks_exact(4));
        let first = pixels.clone().position(differs).unwrap_or(0) as u32;
        let last = pixels.rposition(differs).unwrap_or(0) as u32;
        (left, right) = (left.min(first), right.max(last + 1));
    }
    if right <= left {
        return Changed { left: 0, top: 0, width: 1, height: 1 };
    }
    Changed { left, top, width: right - left, height: bottom - top }
}

/// Red, green and blue of the pixels in a rectangle, row by row. Pictures are opaque.
fn colours(picture: &Pixmap, area: Changed) -> impl Iterator<Item = [u8; 3]> + '_ {
    let width = picture.width() as usize;
    let (left, right) = (area.left as usize, (area.left + area.width) as usize);
    let rows = picture.data().chunks_exact(4 * width).skip(area.top as usize).take(area.height as usize);
    rows.flat_map(move |row| {
        row[4 * left..4 * right].chunks_exact(4).map(|pixel| [pixel[0], pixel[1], pixel[2]])
    })
}

fn unwritten(path: &Path) -> impl Fn(io::Error) -> FilmError + '_ {
    |source| FilmError::Write { path: path.to_path_buf(), source }
}
