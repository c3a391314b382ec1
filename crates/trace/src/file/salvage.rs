//! What can be saved of a file that is damaged anywhere: every chunk that matches its checksum, wherever it stands.
//!
//! Lengths of records are not believed, since a wrong one leads past all that follows. A chunk is taken where its
//! lengths fit each other and its checksum holds; all else is stepped over byte by byte. The header is kept twice
//! (in a chunk, and in a metadata record with a checksum of its own), so that no one place is needed.

use super::definition::Layout;
use super::gaps::{self, Gap};
use super::read::{Channel, Reader, Stop};
use super::records::{self, Records};
use super::spare::{self, Spare};
use crate::field::Record;
use crate::{Frame, Header};
use mcap::records::op;

/// What was saved.
pub struct Salvaged {
    pub header: Header,
    /// With rising numbers.
    pub frames: Vec<Frame>,
    /// Frames between them that were lost.
    pub missing: Vec<Gap>,
    /// Byte after the last of what was of use.
    pub until: usize,
}

/// Bytes of which checksums are computed, for each byte of the file: chunks that only look like some, one in another,
/// are not worth more.
const MOST_WORK: u64 = 16;

/// Saves what there is; `None` where no header is whole.
pub fn salvage(bytes: &[u8]) -> Option<Salvaged> {
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
    Some(Salvaged { header: reader.header?, frames: reader.frames, missing, until })
}

/// Takes what the chunk holds up to what makes no sense; false where it is none, or damaged.
fn take_chunk(reader: &mut Reader, record: records::Record<'_>, work: &mut u64) -> bool {
    if !records::is_checked_chunk(record.body) {
        return false;
    }
    let Some(left) = work.checked_sub(record.body.len() as u64) else { return false };
    *work = left;
    let Ok(chunk) = records::unpack(record.body, reader.budget) else { return false };
    reader.budget -= chunk.len() as u64;
    match reader.read_chunk(&chunk, record.start) {
        // What is no frame, or came before, is left out.
        Ok(()) | Err(Stop::Tear(_) | Stop::Error(_)) => true,
    }
}

/// Takes the second copy of the header; false where the record is something else.
fn take_metadata(reader: &mut Reader, body: &[u8], at: usize, work: &mut u64) -> bool {
    let Some(left) = work.checked_sub(body.len() as u64) else { return false };
    let Some((spare::NAME, entries)) = records::metadata(body) else { return false };
    *work = left;
    let Some(spare) = Spare::of_record(&entries) else { return false };
    let Ok(layout) = Layout::parse(Frame::DESCRIPTION, spare.schema) else { return false };
    if reader.read_header(spare.header.as_bytes(), at).is_err() {
        return false;
    }
    reader.channels.entry(spare.channel).or_insert(Channel::Frames(layout));
    true
}
