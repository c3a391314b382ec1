//! Repair of truncated and damaged traces.

use super::gaps::Gap;
use super::lock::FolderLock;
use super::read::{Scan, Tear, load, scan};
use super::salvage::{Salvaged, salvage};
use super::{TraceError, TraceWriter};
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Result of [`repair`].
#[derive(Clone, Debug, PartialEq)]
pub struct Repaired {
    /// Number of frames in the repaired file.
    pub frames: usize,
    /// Time of the last frame, s.
    pub until: Option<f64>,
    /// Numbers of earlier frames that could not be read.
    pub missing: Vec<Gap>,
    /// The fault; `None` for a complete file, which is unchanged.
    pub fault: Option<String>,
    /// Number of bytes at the end of the truncated file without a frame.
    pub lost_bytes: u64,
    /// Path of the original file, kept if more than its end was missing, because unread bytes may have
    /// frames.
    pub original: Option<PathBuf>,
}

/// The readable part of a damaged trace.
struct ReadablePart {
    salvaged: Salvaged,
    fault: Option<String>,
    /// Whether only the end is missing.
    is_cut: bool,
    lost_bytes: u64,
}

/// Rewrites a truncated or damaged trace from its readable frames, so that any MCAP tool opens it. A complete
/// file is not changed.
///
/// The new file is written next to the old one and replaces it atomically. If only the end was missing, it
/// has the bytes of a run that ended after those frames; if its middle is damaged, the frames after the
/// damage are kept too, and the file lists the missing ones.
///
/// # Errors
///
/// If the file cannot be read or written, is not a trace, or has no complete header; or if another process
/// writes to its folder.
pub fn repair(path: impl AsRef<Path>) -> Result<Repaired, TraceError> {
    // A symbolic link stays one: its target is replaced.
    let path = path.as_ref();
    let path =
        &fs::canonicalize(path).map_err(|source| TraceError::Read { path: path.to_path_buf(), source })?;
    // Nothing is written before it is known that the file needs repair.
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
        // Removal is a best effort; the first error is more informative.
        let _ = fs::remove_file(&temporary);
    }
    Ok(report(&found, replaced?))
}

/// Writes the readable part of a trace to another file; the first file and its folder stay unchanged.
///
/// # Errors
///
/// If the file cannot be read, is not a trace or has no complete header; if the other file exists already, or
/// cannot be written.
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

fn report(found: &ReadablePart, original: Option<PathBuf>) -> Repaired {
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

/// Reads a file from its beginning, and if that does not reach its end, from every complete chunk.
fn find(bytes: &[u8]) -> Result<ReadablePart, TraceError> {
    let whole = |scan: Scan, until: usize| {
        let Scan { header, frames, parts, .. } = scan;
        let missing = super::gaps::between(frames.iter().map(|frame| frame.index));
        Salvaged { header, frames, parts, missing, until }
    };
    match scan(bytes) {
        Ok(mut scan) => {
            let Some(Tear { at, is_cut, reason }) = scan.tear.take() else {
                let salvaged = whole(scan, bytes.len());
                return Ok(ReadablePart { salvaged, fault: None, is_cut: false, lost_bytes: 0 });
            };
            // A wrong length looks like the end of the file.
            let more = salvage(bytes).filter(|more| more.frames.len() > scan.frames.len());
            let is_cut = is_cut && more.is_none();
            let salvaged = more.unwrap_or_else(|| whole(scan, at));
            let lost_bytes = (bytes.len() - salvaged.until) as u64;
            Ok(ReadablePart { salvaged, fault: Some(reason), is_cut, lost_bytes })
        }
        Err(
            error @ (TraceError::NoHeader { .. } | TraceError::NotATrace { .. } | TraceError::Damaged { .. }),
        ) => {
            let Some(salvaged) = salvage(bytes) else { return Err(error) };
            let lost_bytes = (bytes.len() - salvaged.until) as u64;
            Ok(ReadablePart { salvaged, fault: Some(error.to_string()), is_cut: false, lost_bytes })
        }
        Err(error) => Err(error),
    }
}

/// Writes the frames to `temporary`, with the permissions of the file it will replace, and syncs it to disk.
fn write_whole(temporary: &Path, path: Option<&Path>, salvaged: &Salvaged) -> Result<(), TraceError> {
    let fail = |source| TraceError::Write { path: temporary.to_path_buf(), source };
    let mut writer = TraceWriter::create_with_gaps(temporary, &salvaged.header, salvaged.missing.clone())?;
    for frame in &salvaged.frames {
        let first = salvaged.parts.partition_point(|part| part.index < frame.index);
        let end = salvaged.parts.partition_point(|part| part.index <= frame.index);
        writer.write_parts(&salvaged.parts[first..end])?;
        writer.write(frame)?;
    }
    let file = writer.finish()?.into_inner().map_err(|error| fail(error.into_error()))?;
    file.sync_all().map_err(fail)?;
    let Some(path) = path else { return Ok(()) };
    let permissions = fs::metadata(path).map_err(fail)?.permissions();
    fs::set_permissions(temporary, permissions).map_err(fail)
}

/// Links the file to the first free name with `.torn`, `.torn.2`, … added; copies it if it cannot be linked.
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
