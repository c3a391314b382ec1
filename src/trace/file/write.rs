//! Writing a trace while the run goes on: an MCAP file that is readable wherever the run is cut off.
//!
//! The header stands alone in the first chunk; then each chunk holds whole frames, at most
//! [`CHUNK_SECONDS`] of simulated time, and is handed to the operating system as soon as it is complete.
//! Time stamps are simulated time and compression is single-threaded at a fixed level, so equal runs give
//! equal bytes.

use super::message::{Keys, Topic, encode};
use super::{TraceError, header, schema, validate};
use crate::trace::{Frame, Header};
use mcap::records::{MessageHeader, Metadata};
use mcap::write::NoSeek;
use mcap::{Compression, McapError, WriteOptions, Writer};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// Version of the layout, in every header.
pub const FORMAT: u64 = 1;

/// Name under which MCAP files of this program are known, as profile and library.
pub const PROFILE: &str = "aplomb";

/// Simulated time after which a chunk is written at the latest, s.
pub const CHUNK_SECONDS: f64 = 0.1;

/// Size of its messages at which a chunk is written earlier, bytes.
const CHUNK_BYTES: usize = 1 << 20;

const COMPRESSION_LEVEL: u32 = 3;

/// Writes one trace. Dropped without [`finish`](TraceWriter::finish), it still completes the file where it
/// can, but says nothing of errors.
pub struct TraceWriter<W: Write = BufWriter<File>> {
    writer: Writer<NoSeek<W>>,
    header: Header,
    keys: Keys,
    /// MCAP channel of each topic of a frame.
    channels: Vec<(Topic, u16)>,
    /// Frames and bytes in the open chunk.
    frames: usize,
    bytes: usize,
    next_index: u64,
    buffer: Vec<u8>,
    /// For messages only.
    path: PathBuf,
}

impl TraceWriter {
    /// Creates the file, or empties it, and writes the header to it.
    pub fn create(path: impl AsRef<Path>, header: &Header) -> Result<Self, TraceError> {
        let path = path.as_ref();
        validate::header(header)?;
        let file =
            File::create(path).map_err(|source| TraceError::Write { path: path.to_path_buf(), source })?;
        TraceWriter::start(BufWriter::with_capacity(CHUNK_BYTES, file), header, path)
    }
}

impl<W: Write> TraceWriter<W> {
    /// Writes to anything that takes bytes.
    pub fn new(sink: W, header: &Header) -> Result<Self, TraceError> {
        validate::header(header)?;
        TraceWriter::start(sink, header, Path::new("the trace"))
    }

    fn start(sink: W, header: &Header, path: &Path) -> Result<Self, TraceError> {
        let fail = |error| write_error(error, path);
        let options = WriteOptions::new()
            .profile(PROFILE)
            .library(PROFILE)
            .compression(Some(Compression::Zstd))
            .compression_level(COMPRESSION_LEVEL)
            .compression_threads(0)
            .chunk_size(None)
            // A chunk is put together in memory: what is cut off is then a beginning, never a hole.
            .disable_seeking(true);
        let mut writer = options.create(NoSeek::new(sink)).map_err(fail)?;
        writer.write_metadata(&metadata(header)).map_err(fail)?;

        let keys = Keys::of(header);
        let mut channels = Vec::new();
        for topic in std::iter::once(Topic::Header).chain(Topic::of_frames(header)) {
            let described = schema::schema(topic, header, &keys);
            let units = schema::units(&described.schema);
            let text = described.schema.to_string();
            let id = writer.add_schema(described.name, "jsonschema", text.as_bytes()).map_err(fail)?;
            let channel = writer.add_channel(id, topic.name(), "json", &units).map_err(fail)?;
            channels.push((topic, channel));
        }

        let mut this = TraceWriter {
            writer,
            header: header.clone(),
            keys,
            channels,
            frames: 0,
            bytes: 0,
            next_index: 0,
            buffer: Vec::new(),
            path: path.to_path_buf(),
        };
        this.write_header()?;
        Ok(this)
    }

    fn write_header(&mut self) -> Result<(), TraceError> {
        header::encode(FORMAT, &self.header, &mut self.buffer)
            .map_err(|error| TraceError::BadHeader { reason: error.to_string() })?;
        for (topic, channel) in &self.channels {
            if *topic == Topic::Header {
                let stamp = MessageHeader { channel_id: *channel, sequence: 0, log_time: 0, publish_time: 0 };
                self.writer
                    .write_to_known_channel(&stamp, &self.buffer)
                    .map_err(|error| write_error(error, &self.path))?;
            }
        }
        self.flush()
    }

    /// Writes the next frame.
    pub fn write(&mut self, frame: &Frame) -> Result<(), TraceError> {
        if frame.index != self.next_index {
            return Err(TraceError::OutOfOrder { expected: self.next_index, found: frame.index });
        }
        validate::frame(&self.header, frame)?;
        let time = (frame.time * 1e9).round() as u64;
        for (topic, channel) in &self.channels {
            if *topic == Topic::Header {
                continue;
            }
            self.buffer.clear();
            encode(frame, *topic, &self.keys, &mut self.buffer)
                .map_err(|error| write_error(McapError::Io(error.into()), &self.path))?;
            self.bytes += self.buffer.len();
            let sequence = (frame.index % (1 << 32)) as u32;
            let stamp = MessageHeader { channel_id: *channel, sequence, log_time: time, publish_time: time };
            self.writer
                .write_to_known_channel(&stamp, &self.buffer)
                .map_err(|error| write_error(error, &self.path))?;
        }
        self.next_index += 1;
        self.frames += 1;
        // A hair more than the quotient, so that 0.1 / 0.01 counts ten.
        let most = (CHUNK_SECONDS / self.header.dt * (1.0 + 1e-9)).max(1.0);
        if self.frames as f64 + 1.0 > most || self.bytes >= CHUNK_BYTES { self.flush() } else { Ok(()) }
    }

    /// Hands everything written so far to the operating system: what happens to this process later cannot
    /// take it back.
    pub fn flush(&mut self) -> Result<(), TraceError> {
        self.frames = 0;
        self.bytes = 0;
        self.writer.flush().map_err(|error| write_error(error, &self.path))
    }

    /// Completes the file with its summary and index.
    pub fn finish(mut self) -> Result<W, TraceError> {
        self.writer.finish().map_err(|error| write_error(error, &self.path))?;
        let mut sink = self.writer.into_inner().into_inner();
        sink.flush().map_err(|source| TraceError::Write { path: self.path, source })?;
        Ok(sink)
    }
}

/// The header's short facts, for tools that list a file's metadata.
fn metadata(run: &Header) -> Metadata {
    let mut facts = BTreeMap::from([
        ("format".to_string(), FORMAT.to_string()),
        ("version".to_string(), run.version.clone()),
        ("scene".to_string(), run.scene.clone()),
        ("character".to_string(), run.character.clone()),
        ("solver".to_string(), run.solver.clone()),
        ("dt [s]".to_string(), run.dt.to_string()),
    ]);
    for text in &run.texts {
        facts.insert(format!("{} sha256", text.kind), header::sha256(&text.text));
    }
    Metadata { name: PROFILE.to_string(), metadata: facts }
}

fn write_error(error: McapError, path: &Path) -> TraceError {
    match error {
        McapError::Io(source) => TraceError::Write { path: path.to_path_buf(), source },
        other => TraceError::Library(other),
    }
}
