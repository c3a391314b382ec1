//! Ground from the grey values of a picture. The picture is stored as a text, which traces keep like the
//! other files of a run: columns and rows, then a number from 0 to 65535 for each pixel, row by row from the
//! top.

use super::grid::{HeightGrid, MOST_LINES, lines};
use super::spec::PictureSpec;
use aplomb_language::Spanned;
use aplomb_language::diagnostic::{FileError, Source};
use aplomb_language::files::border;
use std::path::{Path, PathBuf};

/// Grey value of white.
const WHITE: f64 = 65535.0;

/// A greyscale picture.
struct Pixels {
    columns: usize,
    rows: usize,
    /// Grey values from 0 to 65535, row by row from the top.
    grey: Vec<u16>,
}

impl Pixels {
    fn text(&self) -> String {
        let numbers = |row: &[u16]| row.iter().map(u16::to_string).collect::<Vec<_>>().join(" ");
        let rows: Vec<String> = self.grey.chunks(self.columns).map(numbers).collect();
        format!("{} {}\n{}\n", self.columns, self.rows, rows.join("\n"))
    }

    fn of_text(text: &str) -> Option<Pixels> {
        let mut words = text.split_whitespace();
        let mut size = || words.next()?.parse::<usize>().ok().filter(|size| (2..=MOST_LINES).contains(size));
        let (columns, rows) = (size()?, size()?);
        let grey: Vec<u16> = words.map(|word| word.parse().ok()).collect::<Option<_>>()?;
        (grey.len() == columns * rows).then_some(Pixels { columns, rows, grey })
    }
}

/// The heights that a scene assigns to a picture, which is stored as text.
///
/// # Errors
/// If the text does not describe a picture.
pub(super) fn heights(
    spec: &PictureSpec,
    picture: &Source,
    source: &Source,
) -> Result<HeightGrid, FileError> {
    let Some(Pixels { columns, rows, grey }) = Pixels::of_text(&picture.text) else {
        let message = format!("`{}` cannot be read as a height picture", spec.file.get_ref());
        return Err(FileError::new(source, spec.file.span(), message));
    };
    let [low, high] = [&spec.low, &spec.high].map(|corner| *corner.get_ref());
    let (black, white) = (*spec.black.get_ref(), *spec.white.get_ref());
    let (x, y) = (lines(low[0], high[0], columns - 1), lines(low[1], high[1], rows - 1));
    let height = |grey: &u16| black + (white - black) * f64::from(*grey) / WHITE;
    // The top of a picture is where y is greatest.
    let heights = grey.chunks(columns).rev().flatten().map(height).collect();
    Ok(HeightGrid { x, y, heights })
}

/// A picture as text, and the path of its file.
///
/// # Errors
/// If the file is missing or not a PNG, or has more pixels along a side than the largest number of lines.
pub(super) fn read(
    reference: &Spanned<String>,
    beside: Option<&Path>,
    source: &Source,
) -> Result<(Source, PathBuf), FileError> {
    let name = reference.get_ref();
    let mistake = |message: String| FileError::new(source, reference.span(), message);
    let path = beside.and_then(Path::parent).map_or_else(|| PathBuf::from(name), |folder| folder.join(name));
    let bytes = border::bytes(&path)
        .map_err(|error| mistake(format!("cannot read `{}`: {error}", path.display())))?;
    let Pixels { columns, rows, grey } = border::guarded(|| decode(&bytes))
        .unwrap_or_else(|| Err("it is damaged".into()))
        .map_err(|why| mistake(format!("`{name}`: {why}")))?;
    if !(2..=MOST_LINES).contains(&columns) || !(2..=MOST_LINES).contains(&rows) {
        let message =
            format!("`{name}` has {columns} × {rows} pixels; ground has 2 to {MOST_LINES} lines a side");
        return Err(mistake(message));
    }
    Ok((Source::new(name, Pixels { columns, rows, grey }.text()), path))
}

#[cfg(not(feature = "pictures"))]
fn decode(_bytes: &[u8]) -> Result<Pixels, String> {
    Err("this build, without the feature `cli`, reads no pictures".into())
}

#[cfg(feature = "pictures")]
fn decode(bytes: &[u8]) -> Result<Pixels, String> {
    /// Largest size of an unpacked picture, bytes.
    const MOST_BYTES: usize = 1 << 24;
    let mut decoder = png::Decoder::new(std::io::Cursor::new(bytes));
    decoder.set_transformations(png::Transformations::EXPAND);
    let said = |error: png::DecodingError| error.to_string();
    let mut reader = decoder.read_info().map_err(said)?;
    let size = reader.output_buffer_size().filter(|size| *size <= MOST_BYTES).ok_or("it is too large")?;
    let mut buffer = vec![0; size];
    let info = reader.next_frame(&mut buffer).map_err(said)?;
    let channels = info.color_type.samples();
    // Transparency is ignored.
    let colours = if channels % 2 == 0 { channels - 1 } else { channels };
    let is_wide = info.bit_depth == png::BitDepth::Sixteen;
    let samples: Vec<u32> = match is_wide {
        true => {
            buffer.chunks_exact(2).map(|pair| u32::from(u16::from_be_bytes([pair[0], pair[1]]))).collect()
        }
        false => buffer.iter().map(|byte| 257 * u32::from(*byte)).collect(),
    };
    let grey = samples
        .chunks_exact(channels)
        .map(|pixel| (pixel[..colours].iter().sum::<u32>() / colours as u32) as u16)
        .collect();
    Ok(Pixels { columns: info.width as usize, rows: info.height as usize, grey })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_comes_back_from_its_text() {
        let text = Pixels { columns: 3, rows: 2, grey: vec![0, 1, 65535, 7, 8, 9] }.text();
        let again = Pixels::of_text(&text).expect("its own text");
        assert_eq!((again.columns, again.rows, again.grey), (3, 2, vec![0, 1, 65535, 7, 8, 9]));
        assert!(Pixels::of_text("3 2\n0 1 2").is_none() && Pixels::of_text("0 0").is_none());
    }
}
