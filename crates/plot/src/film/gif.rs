//! Animated GIF: one palette for all pictures, each of which contains only the changes.

use super::palette::{MOST, Palette};
use super::{Changed, FilmError, Pictures, changed, colours, unwritten};
use gif::{DisposalMethod, Encoder, Frame, Repeat};
use std::fs::File;
use std::io::{self, BufWriter};
use std::path::Path;

/// Number of pictures that determine the palette.
const SAMPLES: usize = 24;
/// Palette index of unchanged pixels.
const SAME: u8 = MOST as u8;
/// GIF's units of time per second.
const UNITS: f64 = 100.0;

pub(super) fn write<P: FnMut(usize, usize)>(
    mut pictures: Pictures<'_, P>,
    path: &Path,
) -> Result<(), FilmError> {
    let [width, height] = pictures.size();
    let whole = Changed { left: 0, top: 0, width, height };
    let count = pictures.film.len();
    let every = count.div_ceil(SAMPLES);
    let mut seen = Vec::new();
    for number in (0..count).step_by(every) {
        seen.extend(colours(&pictures.film.picture(number)?.raster()?, whole));
    }
    let mut palette = Palette::new(seen.into_iter());
    let failed = |error: gif::EncodingError| unwritten(path)(io::Error::other(error));
    let file = BufWriter::new(File::create(path).map_err(unwritten(path))?);
    let size = |pixels: u32| pixels.min(u16::MAX.into()) as u16;
    let mut encoder = Encoder::new(file, size(width), size(height), &palette.bytes()).map_err(failed)?;
    encoder.set_repeat(Repeat::Infinite).map_err(failed)?;
    let mut before: Option<tiny_skia::Pixmap> = None;
    for number in 0..count {
        let picture = pictures.draw(number)?;
        let area = before.as_ref().map_or(whole, |before| changed(before, &picture));
        let mut buffer: Vec<u8> = colours(&picture, area).map(|colour| palette.place(colour)).collect();
        if let Some(before) = &before {
            for (place, old) in buffer.iter_mut().zip(colours(before, area)) {
                if palette.place(old) == *place {
                    *place = SAME;
                }
            }
        }
        // End times are rounded instead of durations, so that errors do not accumulate.
        let until = |number: usize| (number as f64 * pictures.film.period() * UNITS).round() as u64;
        let frame = Frame {
            delay: (until(number + 1) - until(number)) as u16,
            dispose: DisposalMethod::Keep,
            transparent: Some(SAME),
            left: size(area.left),
            top: size(area.top),
            width: size(area.width),
            height: size(area.height),
            buffer: buffer.into(),
            ..Frame::default()
        };
        encoder.write_frame(&frame).map_err(failed)?;
        before = Some(picture);
    }
    Ok(())
}
