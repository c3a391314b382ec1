//! Animated PNG: each picture holds only the rectangle that changed.

use super::{Changed, FilmError, Pictures, changed, colours, unwritten};
use png::{BitDepth, BlendOp, ColorType, DisposeOp, Encoder};
use std::fs::File;
use std::io::{self, BufWriter};
use std::path::Path;

/// Units per second of the display time of a picture.
const UNITS: u16 = 1000;

pub(super) fn write<P: FnMut(usize, usize)>(
    mut pictures: Pictures<'_, P>,
    path: &Path,
) -> Result<(), FilmError> {
    let [width, height] = pictures.size();
    let count = pictures.film.len();
    let failed = |error: png::EncodingError| unwritten(path)(io::Error::other(error));
    let file = BufWriter::new(File::create(path).map_err(unwritten(path))?);
    let mut encoder = Encoder::new(file, width, height);
    encoder.set_color(ColorType::Rgb);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_animated(count as u32, 0).map_err(failed)?;
    let mut writer = encoder.write_header().map_err(failed)?;
    let mut before: Option<tiny_skia::Pixmap> = None;
    for number in 0..count {
        let picture = pictures.draw(number)?;
        let whole = Changed { left: 0, top: 0, width, height };
        let area = before.as_ref().map_or(whole, |before| changed(before, &picture));
        let until =
            |number: usize| (number as f64 * pictures.film.period() * f64::from(UNITS)).round() as u64;
        writer.set_frame_delay((until(number + 1) - until(number)) as u16, UNITS).map_err(failed)?;
        writer.set_blend_op(BlendOp::Source).map_err(failed)?;
        writer.set_dispose_op(DisposeOp::None).map_err(failed)?;
        if number > 0 {
            // The new size must fit at the frame's position, which is still the previous one.
            writer.reset_frame_position().map_err(failed)?;
            writer.set_frame_dimension(area.width, area.height).map_err(failed)?;
            writer.set_frame_position(area.left, area.top).map_err(failed)?;
        }
        let bytes: Vec<u8> = colours(&picture, area).flatten().collect();
        writer.write_image_data(&bytes).map_err(failed)?;
        before = Some(picture);
    }
    writer.finish().map_err(failed)
}
