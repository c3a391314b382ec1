//! Making a torn trace whole.

use super::read::{load, scan};
use super::{TraceError, TraceWriter};
use crate::trace::{Frame, Header};
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// What [`repair`] found and did.
#[derive(Clone, Debug, PartialEq)]
pub struct Repaired {
    /// Frames the file holds now.
    pub frames: usize,
    /// Time of the last of them, s.
    pub until: Option<f64>,
    /// What was wrong; `None`: nothing, and the file is as it was.
    pub fault: Option<String>,
    /// Bytes at the end of the torn file that gave no frame.
    pub lost_bytes: u64,
    /// Where the torn file is kept, if more than its end was missing: there may be frames after the fault.
    pub original: Option<PathBuf>,
}

/// Rewrites a torn trace from the frames it holds, so that any MCAP tool opens it. A whole one is left alone.
///
/// The new file is written beside the old one and takes its place in one step: whatever happens, the name
/// holds one or the other. It has the bytes of a run that was finished after those frames.
///
/// # Errors
///
/// If the file cannot be read or written, is no trace, or has no whole header.
pub fn repair(path: impl AsRef<Path>) -> Result<Repaired, TraceError> {
    // A link stays a link.
    let path = path.as_ref();
    let path =
        &fs::canonicalize(path).map_err(|source| TraceError::Read { path: path.to_path_buf(), source })?;
    let bytes = load(path)?;
    let scan = scan(&bytes)?;
    let frames = scan.frames.len();
    let until = scan.frames.last().map(|frame| frame.time);
    let Some(tear) = scan.tear else {
        return Ok(Repaired { frames, until, fault: None, lost_bytes: 0, original: None });
    };

    let temporary = beside(path, ".repairing");
    let written = write_whole(&temporary, path, &scan.header, &scan.frames);
    let replaced = written.and_then(|()| {
        let original = if tear.is_cut { None } else { Some(keep(path)?) };
        fs::rename(&temporary, path)
            .map_err(|source| TraceError::Write { path: path.to_path_buf(), source })?;
        Ok(original)
    });
    if replaced.is_err() {
        // Nothing more can be done where even this fails; the first error says more.
        let _ = fs::remove_file(&temporary);
    }
    let lost_bytes = (bytes.len() - tear.at) as u64;
    Ok(Repaired { frames, until, fault: Some(tear.reason), lost_bytes, original: replaced? })
}

/// Writes the frames to `temporary`, with the permissions of the file it is to replace, down to the disk.
fn write_whole(temporary: &Path, path: &Path, header: &Header, frames: &[Frame]) -> Result<(), TraceError> {
    let fail = |source| TraceError::Write { path: temporary.to_path_buf(), source };
    let mut writer = TraceWriter::create(temporary, header)?;
    for frame in frames {
        writer.write(frame)?;
    }
    let file = writer.finish()?.into_inner().map_err(|error| fail(error.into_error()))?;
    file.sync_all().map_err(fail)?;
    let permissions = fs::metadata(path).map_err(fail)?.permissions();
    fs::set_permissions(temporary, permissions).map_err(fail)
}

/// Copies the file to the first free name with `.torn`, `.torn.2`, … after it.
fn keep(path: &Path) -> Result<PathBuf, TraceError> {
    let mut number = 1_u64;
    loop {
        let copy = beside(path, &if number == 1 { ".torn".into() } else { format!(".torn.{number}") });
        let fail = |source| TraceError::Write { path: copy.clone(), source };
        match fs::File::create_new(&copy) {
            Ok(_) => return fs::copy(path, &copy).map(|_| copy.clone()).map_err(fail),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
            Err(error) => return Err(fail(error)),
        }
    }
}

/// The path with `suffix` after its name.
fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    PathBuf::from(name)
}
