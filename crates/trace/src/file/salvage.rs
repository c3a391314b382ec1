//! Salvage of a file that is damaged anywhere: every chunk that matches its checksum, at any position.
//!
//! Lengths of records are not trusted, since a wrong one skips all that follows. A chunk is read if its
//! lengths are consistent and its checksum matches; everything else is skipped byte by byte. The header is
//! stored twice (in a chunk, and in a metadata record with its own checksum), so that no single place is
//! essential.

use super::definition::FieldIndices;
use super::gaps::{self, Gap};
use super::read::{ChannelContent, ReadStop, Reader, leave_out_loose};
use super::records::{self, Records};
use super::spare::{self, Spare};
use crate::field::Record;
use crate::{Frame, Header};
use mcap::records::op;

/// The salvaged contents.
pub(super) struct Salvaged {
    pub header: Header,
    /// Frames in increasing order.
    pub frames: Vec<Frame>,
    /// Parts of divided frames.
    pub parts: Vec<Frame>,
    /// Lost frames between them.
    pub missing: Vec<Gap>,
    /// Byte after the last usable one.
    pub until: usize,
}

/// Bound on the checksum work, in bytes for each byte of the file: nested false chunks must not cost more.
const MOST_WORK: u64 = 16;

/// Recovers the readable frames; `None` if there is no complete header.
pub(super) fn salvage(bytes: &[u8]) -> Option<Salvaged> {
    let mut reader = Reader::new(bytes.len());
    reader.is_lenient = true;
    let mut work = (1 << 20) + MOST_WORK * bytes.len() as u64;
    let mut position = 0;
    let mut until = 0;
    while let Some(&opcode) = bytes.get(position) {
        let record = match opcode {
            op::CHUNK | op::METADATA => Records::new(bytes, position).next().ok(),
            _ => None,
        };
        let used = record.is_some_and(|record| match opcode {
            op::CHUNK => take_chunk(&mut reader, record, &mut work),
            _ => take_metadata(&mut reader, record.body, position, &mut work),
        });
        position = match record {
            Some(record) if used => record.end,
            _ => position + 1,
        };
        if used {
            until = position;
        }
    }
    let missing = gaps::between(reader.frames.iter().map(|frame| frame.index));
    let Reader { header, frames, mut parts, .. } = reader;
    leave_out_loose(&mut parts, &frames);
    Some(Salvaged { header: header?, frames, parts, missing, until })
}

/// Reads the records of the chunk up to the first invalid one; false if it is not a chunk, or damaged.
fn take_chunk(reader: &mut Reader, record: records::LocatedRecord<'_>, work: &mut u64) -> bool {
    if !records::is_checked_chunk(record.body) {
        return false;
    }
    let Some(left) = work.checked_sub(record.body.len() as u64) else { return false };
    *work = left;
    let Ok(chunk) = records::unpack(record.body, reader.budget) else { return false };
    reader.budget -= chunk.len() as u64;
    match reader.read_chunk(&chunk, record.start) {
        // A record that is not a frame, or a frame that was read before, is skipped.
        Ok(()) | Err(ReadStop::Tear(_) | ReadStop::Error(_)) => true,
    }
}

/// Reads the second copy of the header; false if the record is something else.
fn take_metadata(reader: &mut Reader, body: &[u8], at: usize, work: &mut u64) -> bool {
    let Some(left) = work.checked_sub(body.len() as u64) else { return false };
    let Some((spare::NAME, entries)) = records::metadata(body) else { return false };
    *work = left;
    let Some(spare) = Spare::of_record(&entries) else { return false };
    let Ok(layout) = FieldIndices::parse(Frame::DESCRIPTION, spare.schema) else { return false };
    if reader.read_header(spare.header.as_bytes(), at).is_err() {
        return false;
    }
    reader.channels.entry(spare.channel).or_insert(ChannelContent::Frames(layout));
    true
}
