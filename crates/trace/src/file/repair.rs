//! Repair of truncated and damaged traces.

use super::gaps::Gap;
use super::lock::FolderLock;
use super::read::{Tear, load, scan};
use super::salvage::{Salvaged, salvage};
use super::{TraceError, TraceWriter};
use crate::{Frame, Header};
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Result of [`repair`].
#[derive(Clone, Debug, PartialEq)]
pub struct Repaired {
    /// Frames the file holds now.
    pub frames: usize,
    /// Time of the last of them, s.
    pub until: Option<f64>,
    /// Numbers of frames between them that could not be read.
    pub missing: Vec<Gap>,
    /// The fault; `None` for a complete file, which is unchanged.
    pub fault: Option<String>,
    /// Number of bytes at the end of the truncated file without a frame.
    pub lost_bytes: u64,
    /// Path of the original file, kept if more than its end was missing, because unread bytes may have
    /// frames.
    pub original: Option<PathBuf>,
}

/// A torn trace, as far as it can be read.
struct Found {
    salvaged: Salvaged,
    fault: Option<String>,
    /// Nothing but the end is missing.
    is_cut: bool,
    lost_bytes: u64,
}

/// Rewrites a torn trace from the frames it holds, so that any MCAP tool opens it. A whole one is left alone.
///
/// The new file is written beside the old one and takes its place in one step: whatever happens, the name
/// holds one or the other. Where only its end was missing, it has the bytes of a run that was finished after those
/// frames; where something in its middle is damaged, the frames after that are in it as well, and the file says which
/// are not.
///
/// # Errors
///
/// If the file cannot be read or written, is no trace, or has no whole header; and while somebody else writes in its
/// folder.
pub fn repair(path: impl AsRef<Path>) -> Result<Repaired, TraceError> {
    // A link stays a link.
    let path = path.as_ref();
    let path =
        &fs::canonicalize(path).map_err(|source| TraceError::Read { path: path.to_path_buf(), source })?;
    // Before it is known to need repair nothing beside it is touched.
    let found = find(&load(path)?)?;
    if found.fault.is_none() {
        return Ok(report(&found, None));
    }
    let _lock = FolderLock::take(path.parent().unwrap_or(Path::new(".")))?;
    let found = find(&load(path)?)?;
    if found.fault.is_none() {
        return Ok(report(&found, None));
    }
    let temporary = beside(path, ".repairing");
    let written = write_whole(&temporary, Some(path), &found.salvaged);
    let replaced = written.and_then(|()| {
        let original = if found.is_cut { None } else { Some(keep(path)?) };
        fs::rename(&temporary, path)
            .map_err(|source| TraceError::Write { path: path.to_path_buf(), source })?;
        Ok(original)
    });
    if replaced.is_err() {
        // Nothing more can be done where even this fails; the first error says more.
        let _ = fs::remove_file(&temporary);
    }
    Ok(report(&found, replaced?))
}

/// Writes what can be read of a trace to another file, and leaves the first as it is. Nothing is written beside it.
///
/// # Errors
///
/// If the file cannot be read, is no trace or has no whole header; if the other is there already, or cannot be
/// written.
pub fn repair_to(path: impl AsRef<Path>, out: impl AsRef<Path>) -> Result<Repaired, TraceError> {
    let out = out.as_ref();
    let found = find(&load(path.as_ref())?)?;
    let fail = |source| TraceError::Write { path: out.to_path_buf(), source };
    fs::File::create_new(out).map_err(fail)?;
    let written = write_whole(out, None, &found.salvaged);
    if written.is_err() {
        let _ = fs::remove_file(out);
    }
    written?;
    Ok(report(&found, None))
}

fn report(found: &Found, original: Option<PathBuf>) -> Repaired {
    let Salvaged { frames, missing, .. } = &found.salvaged;
    Repaired {
        frames: frames.len(),
        until: frames.last().map(|frame| frame.time),
        missing: missing.clone(),
        fault: found.fault.clone(),
        lost_bytes: found.lost_bytes,
        original,
    }
}

/// Reads a file from its beginning, and where that does not lead to its end, from every chunk that is whole.
fn find(bytes: &[u8]) -> Result<Found, TraceError> {
    let whole = |header: Header, frames: Vec<Frame>, until: usize| {
        let missing = super::gaps::between(frames.iter().map(|frame| frame.index));
        Salvaged { header, frames, missing, until }
    };
    match scan(bytes) {
        Ok(scan) => {
            let Some(Tear { at, is_cut, reason }) = scan.tear else {
                let salvaged = whole(scan.header, scan.frames, bytes.len());
                return Ok(Found { salvaged, fault: None, is_cut: false, lost_bytes: 0 });
            };
            // A wrong length looks like an end.
            let more = salvage(bytes).filter(|more| more.frames.len() > scan.frames.len());
            let is_cut = is_cut && more.is_none();
            let salvaged = more.unwrap_or_else(|| whole(scan.header, scan.frames, at));
            let lost_bytes = (bytes.len() - salvaged.until) as u64;
            Ok(Found { salvaged, fault: Some(reason), is_cut, lost_bytes })
        }
        Err(
            error @ (TraceError::NoHeader { .. } | TraceError::NotATrace { .. } | TraceError::Damaged { .. }),
        ) => {
            let Some(salvaged) = salvage(bytes) else { return Err(error) };
            let lost_bytes = (bytes.len() - salvaged.until) as u64;
            Ok(Found { salvaged, fault: Some(error.to_string()), is_cut: false, lost_bytes })
        }
        Err(error) => Err(error),
    }
}

/// Writes the frames to `temporary`, with the permissions of the file it is to replace, down to the disk.
fn write_whole(temporary: &Path, path: Option<&Path>, salvaged: &Salvaged) -> Result<(), TraceError> {
    let fail = |source| TraceError::Write { path: temporary.to_path_buf(), source };
    let mut writer = TraceWriter::create_with_gaps(temporary, &salvaged.header, salvaged.missing.clone())?;
    for frame in &salvaged.frames {
        writer.write(frame)?;
    }
    let file = writer.finish()?.into_inner().map_err(|error| fail(error.into_error()))?;
    file.sync_all().map_err(fail)?;
    let Some(path) = path else { return Ok(()) };
    let permissions = fs::metadata(path).map_err(fail)?.permissions();
    fs::set_permissions(temporary, permissions).map_err(fail)
}

/// Gives the file the first free name with `.torn`, `.torn.2`, … after it as well; a copy where it cannot have two.
fn keep(path: &Path) -> Result<PathBuf, TraceError> {
    let mut number = 1_u64;
    loop {
        let copy = beside(path, &if number == 1 { ".torn".into() } else { format!(".torn.{number}") });
        let fail = |source| TraceError::Write { path: copy.clone(), source };
        match fs::hard_link(path, &copy) {
            Ok(()) => return Ok(copy),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
            Err(_) => match fs::File::create_new(&copy) {
                Ok(_) => return fs::copy(path, &copy).map(|_| copy.clone()).map_err(fail),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
                Err(error) => return Err(fail(error)),
            },
        }
    }
}

/// The path with `suffix` after its name.
fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    PathBuf::from(name)
}
