//! MP4 by ffmpeg, which receives the pictures as raw pixels.

use super::{Changed, FilmError, Pictures, colours, unwritten};
use std::io::{self, ErrorKind, Write};
use std::path::Path;
use std::process::{Command, Stdio};

/// Name of the encoder's program.
const PROGRAM: &str = "ffmpeg";

pub(super) fn write<P: FnMut(usize, usize)>(
    mut pictures: Pictures<'_, P>,
    path: &Path,
) -> Result<(), FilmError> {
    let [width, height] = pictures.size();
    let rate = 1.0 / pictures.film.period();
    let mut child = Command::new(PROGRAM)
        .args(["-y", "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "rgb24"])
        .args(["-s", &format!("{width}x{height}"), "-r", &rate.to_string(), "-i", "-"])
        .args(["-pix_fmt", "yuv420p", "-movflags", "+faststart", "-f", "mp4"])
        .arg(path)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| match error.kind() {
            ErrorKind::NotFound => FilmError::NoFfmpeg,
            _ => unwritten(Path::new(PROGRAM))(error),
        })?;
    let mut drawn = Ok(());
    if let Some(mut pipe) = child.stdin.take() {
        let whole = Changed { left: 0, top: 0, width, height };
        for number in 0..pictures.film.len() {
            let picture = match pictures.draw(number) {
                Ok(picture) => picture,
                Err(error) => {
                    drawn = Err(error);
                    break;
                }
            };
            let bytes: Vec<u8> = colours(&picture, whole).flatten().collect();
            // If ffmpeg has ended, its own message is more useful than the broken pipe.
            if pipe.write_all(&bytes).is_err() {
                break;
            }
        }
    }
    let output = child.wait_with_output().map_err(|error: io::Error| unwritten(path)(error))?;
    drawn?;
    if output.status.success() {
        return Ok(());
    }
    Err(FilmError::Ffmpeg(String::from_utf8_lossy(&output.stderr).trim().to_string()))
}
