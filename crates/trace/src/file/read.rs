//! Reading of a trace, complete or truncated.
//!
//! Frames are read from the beginning of the file for as long as every byte is valid; the trace is truncated
//! at the first fault (end of file, checksum). A file with valid checksums but invalid contents is an error.

use super::definition::FieldIndices;
use super::ending::{self, Ending};
use super::gaps::{self, Gap};
use super::header::{self, Refused};
use super::records::{self, EndOfRecords, LocatedRecord, Records};
use super::write::{FORMAT, FRAME_TOPIC, HEADER_TOPIC, PART_TOPIC, PROFILE};
use super::{TraceError, cdr, validate};
use crate::field;
use crate::{Frame, Header, Trace};
use mcap::MAGIC;
use mcap::records::op;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

/// Reads the trace in the file.
///
/// A truncated (or later corrupted) trace is returned with the frames before the fault, and [`Trace::torn`] describes
/// the fault.
///
/// # Errors
///
/// If the file cannot be read, is not a trace, or has no complete header.
pub fn read(path: impl AsRef<Path>) -> Result<Trace, TraceError> {
    read_bytes(&load(path.as_ref())?)
}

/// Reads the trace in these bytes.
///
/// # Errors
///
/// If the bytes are not a trace, or have no complete header.
pub fn read_bytes(bytes: &[u8]) -> Result<Trace, TraceError> {
    Ok(scan(bytes)?.into_trace())
}

/// [`read`], with how the run ended; `None` if the file does not contain it, because it is truncated.
///
/// # Errors
///
/// As in [`read`].
pub fn read_ended(path: impl AsRef<Path>) -> Result<(Trace, Option<Ending>), TraceError> {
    let mut scan = scan(&load(path.as_ref())?)?;
    let ending = scan.ending.take();
    Ok((scan.into_trace(), ending))
}

/// The file's bytes.
pub(super) fn load(path: &Path) -> Result<Vec<u8>, TraceError> {
    let fail = |source| TraceError::Read { path: path.to_path_buf(), source };
    // A device has no end.
    if !fs::metadata(path).map_err(fail)?.is_file() {
        return Err(fail(io::Error::new(io::ErrorKind::InvalidInput, "not a file")));
    }
    fs::read(path).map_err(fail)
}

/// Contents of a file up to its end or its first fault.
pub(super) struct Scan {
    pub header: Header,
    pub frames: Vec<Frame>,
    pub parts: Vec<Frame>,
    pub ending: Option<Ending>,
    pub tear: Option<Tear>,
}

/// Place of and reason for a fault in a file.
pub(super) struct Tear {
    /// First unusable byte.
    pub at: usize,
    /// Whether only the end is missing, rather than damage in the middle.
    pub is_cut: bool,
    pub reason: String,
}

impl Scan {
    fn into_trace(self) -> Trace {
        let torn = self.tear.as_ref().map(|tear| self.describe(tear));
        Trace { header: self.header, frames: self.frames, parts: self.parts, torn }
    }

    fn describe(&self, tear: &Tear) -> String {
        let reason = &tear.reason;
        match self.frames.last() {
            Some(last) => format!("{reason}; {} frames are whole, up to {} s", self.frames.len(), last.time),
            None => format!("{reason}; no frame is whole"),
        }
    }
}

/// Why reading stops at a record.
pub(super) enum ReadStop {
    Tear(Tear),
    Error(TraceError),
}

impl From<TraceError> for ReadStop {
    fn from(error: TraceError) -> Self {
        ReadStop::Error(error)
    }
}

/// A fault in the middle of the file.
fn spoilt(at: usize, reason: impl Into<String>) -> ReadStop {
    ReadStop::Tear(Tear { at, is_cut: false, reason: format!("{} (byte {at})", reason.into()) })
}

/// The end of a file that is cut off.
fn cut(at: usize, end: EndOfRecords) -> ReadStop {
    let reason = match end {
        EndOfRecords::Inside => format!("the file is cut off inside the record at byte {at}"),
        EndOfRecords::Between => format!("the file stops at byte {at}, before its summary"),
    };
    ReadStop::Tear(Tear { at, is_cut: true, reason })
}

/// Reads everything that is readable.
pub(super) fn scan(bytes: &[u8]) -> Result<Scan, TraceError> {
    if !bytes.starts_with(MAGIC) {
        return Err(if MAGIC.starts_with(bytes) {
            TraceError::NoHeader { reason: format!("the file has {} bytes", bytes.len()) }
        } else {
            TraceError::NotATrace { reason: "not an MCAP file".into() }
        });
    }
    let mut reader = Reader::new(bytes.len());
    let tear = match reader.read(bytes) {
        Ok(()) => None,
        Err(ReadStop::Tear(tear)) => Some(tear),
        Err(ReadStop::Error(error)) => return Err(error),
    };
    match (reader.header, tear) {
        (Some(header), tear) => {
            let Reader { frames, mut parts, ending, .. } = reader;
            leave_out_loose(&mut parts, &frames);
            Ok(Scan { header, frames, parts, ending, tear })
        }
        (None, Some(tear)) => Err(TraceError::NoHeader { reason: tear.reason }),
        (None, None) => {
            Err(TraceError::NoHeader { reason: "an MCAP file without a message on /header".into() })
        }
    }
}

/// Removes parts of frames that are missing because the file is cut off between the parts and their frame.
pub(super) fn leave_out_loose(parts: &mut Vec<Frame>, frames: &[Frame]) {
    parts.retain(|part| frames.binary_search_by_key(&part.index, |frame| frame.index).is_ok());
}

/// The kind of messages of a channel.
pub(super) enum ChannelContent {
    Header,
    Frames(FieldIndices),
    Parts(FieldIndices),
}

pub(super) struct Reader {
    /// Schema definitions and channel contents, by their numbers in the file.
    schemas: BTreeMap<u16, String>,
    pub channels: BTreeMap<u16, ChannelContent>,
    pub header: Option<Header>,
    pub frames: Vec<Frame>,
    /// Parts of divided frames.
    pub parts: Vec<Frame>,
    pub ending: Option<Ending>,
    /// Frames that the file declares missing.
    pub missing: Vec<Gap>,
    /// Whether undeclared gaps and repeated headers are accepted.
    pub is_lenient: bool,
    /// Number of bytes to which chunks may still unpack: far more than those of any trace, so that a small
    /// file stays small.
    pub budget: u64,
}

impl Reader {
    pub(super) fn new(file_length: usize) -> Self {
        let budget = (4 << 20) + 100 * file_length as u64;
        Reader {
            schemas: BTreeMap::new(),
            channels: BTreeMap::new(),
            header: None,
            frames: Vec::new(),
            parts: Vec::new(),
            ending: None,
            missing: Vec::new(),
            is_lenient: false,
            budget,
        }
    }

    fn read(&mut self, bytes: &[u8]) -> Result<(), ReadStop> {
        let mut records = Records::new(bytes, MAGIC.len());
        loop {
            let start = records.position;
            let record = records.next().map_err(|end| cut(start, end))?;
            match record.opcode {
                0 => return Err(spoilt(start, "there is no record")),
                op::HEADER => check_profile(record)?,
                op::CHUNK => {
                    let chunk =
                        records::unpack(record.body, self.budget).map_err(|reason| spoilt(start, reason))?;
                    self.budget -= chunk.len() as u64;
                    self.read_chunk(&chunk, start)?;
                }
                op::METADATA => self.read_metadata(record.body),
                op::SCHEMA | op::CHANNEL | op::MESSAGE => self.read_record(record, start)?,
                op::DATA_END => return read_end(bytes, record, records),
                _ => {}
            }
        }
    }

    /// Reads the metadata that this program uses. None of it is needed to read frames.
    pub(super) fn read_metadata(&mut self, body: &[u8]) {
        let Some((name, entries)) = records::metadata(body) else { return };
        match name {
            ending::NAME => self.ending = Ending::of_record(&entries),
            gaps::NAME => self.missing = gaps::of_record(&entries).unwrap_or_default(),
            _ => {}
        }
    }

    /// Reads the records of the chunk at byte `at` of the file.
    pub(super) fn read_chunk(&mut self, chunk: &[u8], at: usize) -> Result<(), ReadStop> {
        let mut records = Records::new(chunk, 0);
        loop {
            match records.next() {
                Ok(record) => self.read_record(record, at)?,
                Err(EndOfRecords::Between) => return Ok(()),
                Err(EndOfRecords::Inside) => return Err(spoilt(at, "a chunk ends inside a record")),
            }
        }
    }

    fn read_record(&mut self, record: LocatedRecord<'_>, at: usize) -> Result<(), ReadStop> {
        let damaged = |reason: &str| TraceError::Damaged { at: at as u64, reason: reason.to_string() };
        match record.opcode {
            op::SCHEMA => {
                if let Some((id, text)) = records::schema(record.body) {
                    self.schemas.insert(id, text.to_string());
                }
            }
            op::CHANNEL => {
                let (id, schema, name) =
                    records::channel(record.body).ok_or_else(|| damaged("a channel makes no sense"))?;
                let channel = match name {
                    HEADER_TOPIC => Some(ChannelContent::Header),
                    FRAME_TOPIC => Some(ChannelContent::Frames(self.layout(schema, at)?)),
                    PART_TOPIC => Some(ChannelContent::Parts(self.layout(schema, at)?)),
                    // Another program's channel in our file is ignored.
                    _ => None,
                };
                match channel {
                    Some(channel) => self.channels.insert(id, channel),
                    None => self.channels.remove(&id),
                };
            }
            op::MESSAGE => {
                let message =
                    records::message(record.body).ok_or_else(|| damaged("a message makes no sense"))?;
                match self.channels.get(&message.channel) {
                    Some(ChannelContent::Header) => self.read_header(message.data, at)?,
                    Some(ChannelContent::Frames(layout)) => {
                        let frame = cdr::decode(message.data, layout)
                            .ok_or_else(|| damaged(&format!("frame {} makes no sense", message.sequence)))?;
                        self.add(frame, at)?;
                    }
                    Some(ChannelContent::Parts(layout)) => {
                        let part = cdr::decode(message.data, layout).ok_or_else(|| {
                            damaged(&format!("a part of frame {} makes no sense", message.sequence))
                        })?;
                        self.add_part(part, at)?;
                    }
                    None => {}
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Layout of the frames whose schema has this number.
    fn layout(&self, schema: u16, at: usize) -> Result<FieldIndices, TraceError> {
        let damaged = |reason: String| TraceError::Damaged { at: at as u64, reason };
        let text = self.schemas.get(&schema).ok_or_else(|| damaged("frames without a schema".into()))?;
        FieldIndices::parse(<Frame as field::Record>::DESCRIPTION, text)
            .map_err(|reason| damaged(format!("the schema of frames has {reason}")))
    }

    pub(super) fn read_header(&mut self, data: &[u8], at: usize) -> Result<(), TraceError> {
        let damaged = |reason: String| TraceError::Damaged { at: at as u64, reason };
        if self.is_lenient && self.header.is_some() {
            return Ok(());
        }
        if self.header.is_some() {
            return Err(damaged("a second header".into()));
        }
        let header = header::decode(data, FORMAT).map_err(|refused| match refused {
            Refused::Format(found) => TraceError::Format { found, known: FORMAT },
            Refused::Damaged(reason) => damaged(reason),
        })?;
        self.header = Some(header);
        Ok(())
    }

    /// Adds a frame.
    fn add(&mut self, frame: Frame, at: usize) -> Result<(), ReadStop> {
        let damaged = |reason: String| ReadStop::Error(TraceError::Damaged { at: at as u64, reason });
        let Some(header) = &self.header else {
            return Err(ReadStop::Error(TraceError::NoHeader { reason: "frames come before it".into() }));
        };
        let mut expected = self.next_index();
        let is_gap = |gap: &&Gap| **gap == [expected, frame.index.wrapping_sub(1)];
        if self.is_lenient || self.missing.iter().any(|gap| is_gap(&gap)) {
            expected = expected.max(frame.index);
        }
        if frame.index > expected {
            return Err(spoilt(at, format!("frames {expected} to {} are missing", frame.index - 1)));
        }
        if frame.index < expected {
            return Err(damaged(format!("frame {} comes twice", frame.index)));
        }
        validate::frame(header, &frame).map_err(|error| damaged(error.to_string()))?;
        self.frames.push(frame);
        Ok(())
    }

    /// Adds a part of a frame that follows.
    fn add_part(&mut self, part: Frame, at: usize) -> Result<(), ReadStop> {
        let damaged = |reason: String| ReadStop::Error(TraceError::Damaged { at: at as u64, reason });
        let Some(header) = &self.header else {
            return Err(ReadStop::Error(TraceError::NoHeader {
                reason: "parts of frames come before it".into(),
            }));
        };
        let is_late = part.index < self.next_index();
        let is_out_of_order = self.parts.last().is_some_and(|last| {
            part.index < last.index || part.index == last.index && part.time <= last.time
        });
        if is_late || is_out_of_order {
            return Err(damaged(format!("a part of frame {} comes too late", part.index)));
        }
        validate::frame(header, &part).map_err(|error| damaged(error.to_string()))?;
        self.parts.push(part);
        Ok(())
    }

    /// Number of the next frame.
    fn next_index(&self) -> u64 {
        self.frames.last().map_or(0, |last| last.index + 1)
    }
}

/// Checks that the file is marked as one of ours.
fn check_profile(record: LocatedRecord<'_>) -> Result<(), TraceError> {
    match records::profile(record.body) {
        Some(PROFILE) => Ok(()),
        Some(other) => {
            Err(TraceError::NotATrace { reason: format!("an MCAP file with the profile `{other}`") })
        }
        None => Err(TraceError::NotATrace { reason: "an MCAP file with a damaged first record".into() }),
    }
}

/// Reads what follows the data: the summary, the footer, and the checksums of both parts.
fn read_end(bytes: &[u8], data_end: LocatedRecord<'_>, mut records: Records<'_>) -> Result<(), ReadStop> {
    let matches = |saved: Option<u32>, covered: &[u8]| {
        saved.is_some_and(|saved| saved == 0 || saved == crc32fast::hash(covered))
    };
    if !matches(records::Fields(data_end.body).u32(), &bytes[..data_end.start]) {
        return Err(spoilt(data_end.start, "the data do not match their checksum"));
    }
    let summary = data_end.end;
    loop {
        let start = records.position;
        let record = records.next().map_err(|end| cut(start, end))?;
        if record.opcode != op::FOOTER {
            continue;
        }
        let mut fields = records::Fields(record.body);
        let offsets = fields.bytes(16).map_or(0, <[u8]>::len);
        // The checksum covers the footer up to itself.
        let covered = &bytes[summary..record.end - record.body.len() + offsets];
        if !matches(fields.u32(), covered) {
            return Err(spoilt(summary, "the summary does not match its checksum"));
        }
        let tail = &bytes[record.end..];
        return if tail == MAGIC {
            Ok(())
        } else if MAGIC.starts_with(tail) {
            Err(cut(record.end, EndOfRecords::Inside))
        } else {
            Err(spoilt(record.end, "there is more after the footer"))
        };
    }
}
