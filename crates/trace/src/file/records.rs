//! MCAP records in bytes that may be truncated or damaged anywhere.
//!
//! The `mcap` crate's readers trust lengths of records (its slice reader can overflow inside chunks), so that
//! the few kinds of records of a trace are parsed here, with every length checked against the remaining
//! bytes. Layout: <https://mcap.dev/spec>.

use ruzstd::decoding::StreamingDecoder;
use std::io::Read;

/// Largest size to which a chunk may unpack, bytes. The writer stays far below.
const CHUNK_LIMIT: u64 = 64 << 20;

/// A record and where it starts in its file or chunk.
#[derive(Clone, Copy, Debug)]
pub(super) struct LocatedRecord<'a> {
    pub start: usize,
    pub end: usize,
    pub opcode: u8,
    pub body: &'a [u8],
}

/// Why there is no next record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EndOfRecords {
    /// The bytes end where a record ends.
    Between,
    /// The bytes end inside a record.
    Inside,
}

/// Walks over the records in `bytes` from `position` on.
pub(super) struct Records<'a> {
    bytes: &'a [u8],
    pub position: usize,
}

impl<'a> Records<'a> {
    pub(super) fn new(bytes: &'a [u8], position: usize) -> Self {
        Records { bytes, position }
    }

    pub(super) fn next(&mut self) -> Result<LocatedRecord<'a>, EndOfRecords> {
        let start = self.position;
        let mut fields = Fields(self.bytes.get(start..).unwrap_or_default());
        if fields.0.is_empty() {
            return Err(EndOfRecords::Between);
        }
        let opcode = fields.u8().ok_or(EndOfRecords::Inside)?;
        let length = fields.u64().ok_or(EndOfRecords::Inside)?;
        let length = usize::try_from(length).map_err(|_| EndOfRecords::Inside)?;
        let body = fields.bytes(length).ok_or(EndOfRecords::Inside)?;
        self.position = self.bytes.len() - fields.0.len();
        Ok(LocatedRecord { start, end: self.position, opcode, body })
    }
}

/// Little-endian fields, read from the front; `None` if they do not fit.
pub(super) struct Fields<'a>(pub &'a [u8]);

impl<'a> Fields<'a> {
    pub(super) fn bytes(&mut self, length: usize) -> Option<&'a [u8]> {
        let (head, tail) = self.0.split_at_checked(length)?;
        self.0 = tail;
        Some(head)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.bytes(N)?.try_into().ok()
    }

    pub(super) fn u8(&mut self) -> Option<u8> {
        self.array().map(|[byte]| byte)
    }

    pub(super) fn u16(&mut self) -> Option<u16> {
        self.array().map(u16::from_le_bytes)
    }

    pub(super) fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    pub(super) fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    pub(super) fn text(&mut self) -> Option<&'a str> {
        let length = self.u32()?;
        std::str::from_utf8(self.bytes(length as usize)?).ok()
    }
}

/// A message's channel, sequence number and content.
pub(super) struct Message<'a> {
    pub channel: u16,
    pub sequence: u32,
    pub data: &'a [u8],
}

/// Reads the body of a message record.
pub(super) fn message(body: &[u8]) -> Option<Message<'_>> {
    let mut fields = Fields(body);
    let (channel, sequence) = (fields.u16()?, fields.u32()?);
    let _log_and_publish_time = fields.bytes(16)?;
    Some(Message { channel, sequence, data: fields.0 })
}

/// Reads id, schema and topic from the body of a channel record.
pub(super) fn channel(body: &[u8]) -> Option<(u16, u16, &str)> {
    let mut fields = Fields(body);
    Some((fields.u16()?, fields.u16()?, fields.text()?))
}

/// Reads id and text from the body of a schema record.
pub(super) fn schema(body: &[u8]) -> Option<(u16, &str)> {
    let mut fields = Fields(body);
    let (id, _name, _encoding) = (fields.u16()?, fields.text()?, fields.text()?);
    Some((id, fields.text()?))
}

/// Profile in the body of the header record.
pub(super) fn profile(body: &[u8]) -> Option<&str> {
    Fields(body).text()
}

/// Reads name and entries from the body of a metadata record.
pub(super) fn metadata(body: &[u8]) -> Option<(&str, Vec<(&str, &str)>)> {
    let mut fields = Fields(body);
    let name = fields.text()?;
    let length = fields.u32()?;
    let mut fields = Fields(fields.bytes(length as usize)?);
    let mut entries = Vec::new();
    while !fields.0.is_empty() {
        entries.push((fields.text()?, fields.text()?));
    }
    Some((name, entries))
}

/// Whether the body of a chunk record declares a checksum, and lengths that fit it.
pub(super) fn is_checked_chunk(body: &[u8]) -> bool {
    let mut fields = Fields(body);
    let mut check = || {
        let _message_times = fields.bytes(16)?;
        let (_size, checksum) = (fields.u64()?, fields.u32()?);
        let _compression = fields.text()?;
        Some((checksum, fields.u64()?))
    };
    check().is_some_and(|(checksum, length)| checksum != 0 && length == fields.0.len() as u64)
}

/// Unpacks the body of a chunk record, of at most `limit` bytes, and checks its checksum.
pub(super) fn unpack(body: &[u8], limit: u64) -> Result<Vec<u8>, String> {
    let mut fields = Fields(body);
    let mut header = || {
        let _message_times = fields.bytes(16)?;
        let (size, checksum) = (fields.u64()?, fields.u32()?);
        let compression = fields.text()?;
        let length = usize::try_from(fields.u64()?).ok()?;
        Some((size, checksum, compression, fields.bytes(length)?))
    };
    let (size, checksum, compression, packed) =
        header().ok_or_else(|| "a chunk's lengths do not fit".to_string())?;
    if size > limit.min(CHUNK_LIMIT) {
        return Err(format!("a chunk says it unpacks to {size} bytes"));
    }
    let bytes = match compression {
        "zstd" => unpack_zstd(packed, size).map_err(|error| format!("a chunk does not unpack: {error}"))?,
        "" => packed.to_vec(),
        other => return Err(format!("a chunk is packed with `{other}`, not with zstd")),
    };
    if bytes.len() as u64 != size {
        return Err("a chunk unpacks to another size than it says".to_string());
    }
    if checksum != 0 && crc32fast::hash(&bytes) != checksum {
        return Err("a chunk does not match its checksum".to_string());
    }
    Ok(bytes)
}

/// The contents of a Zstandard frame, unpacked to at most one byte beyond `size`.
fn unpack_zstd(packed: &[u8], size: u64) -> Result<Vec<u8>, String> {
    let decoder = StreamingDecoder::new(packed).map_err(|error| error.to_string())?;
    let mut bytes = Vec::new();
    decoder.take(size + 1).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    Ok(bytes)
}
