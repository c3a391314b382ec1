//! Writing of a trace during the run: an MCAP file that is readable up to where the run is cut off.
//!
//! The first chunk has the header alone; every other chunk has complete frames, at most [`CHUNK_SECONDS`] of
//! simulated time, and is written to the operating system as soon as it is complete. Time stamps are
//! simulated time, so that equal runs give equal bytes. Chunks are not compressed: raw numbers compress
//! little, at a higher cost than the rest of the writing.

use super::ending::Ending;
use super::gaps::{self, Gap};
use super::spare::Spare;
use super::{TraceError, cdr, definition, header, schema, validate};
use crate::field::Record;
use crate::{Frame, Header, Measured};
use mcap::records::{MessageHeader, Metadata};
use mcap::write::NoSeek;
use mcap::{McapError, WriteOptions, Writer};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// Version of the layout, in every header.
pub const FORMAT: u64 = 4;

/// Name under which MCAP files of this program are known, as profile and library.
pub(super) const PROFILE: &str = "aplomb";

/// Simulated time after which a chunk is written at the latest, s.
pub(crate) const CHUNK_SECONDS: f64 = 0.1;

/// Size of its messages at which a chunk is written earlier, bytes.
const CHUNK_BYTES: usize = 1 << 20;

/// Number of the channel of frames: the second that is made.
const FRAME_CHANNEL: u16 = 2;

/// Topics of the header and of frames.
pub(super) const HEADER_TOPIC: &str = "/header";
pub(super) const FRAME_TOPIC: &str = "/frame";
/// Topic of the parts of divided frames, which has the schema of frames; there is none before the first part.
pub(super) const PART_TOPIC: &str = "/part";

/// Writes one trace. If it is dropped without [`finish`](TraceWriter::finish), it still completes the file if
/// possible, but reports no errors.
pub struct TraceWriter<W: Write = BufWriter<File>> {
    writer: Writer<NoSeek<W>>,
    header: Header,
    /// MCAP channel of frames, and its schema.
    channel: u16,
    schema: u16,
    /// MCAP channel of parts of frames.
    part_channel: Option<u16>,
    /// Frames and bytes in the open chunk.
    frames: usize,
    bytes: usize,
    next_index: u64,
    /// Frames that are known to be missing.
    missing: Vec<Gap>,
    /// Frames that were passed to the operating system.
    kept: u64,
    buffer: Vec<u8>,
    /// For messages only.
    path: PathBuf,
}

impl TraceWriter {
    /// Creates the file, or empties it, and writes the header to it.
    ///
    /// # Errors
    ///
    /// If the file cannot be created or written, or the header is inconsistent.
    pub fn create(path: impl AsRef<Path>, header: &Header) -> Result<Self, TraceError> {
        let path = path.as_ref();
        validate::header(header)?;
        let file =
            File::create(path).map_err(|source| TraceError::Write { path: path.to_path_buf(), source })?;
        TraceWriter::start(BufWriter::with_capacity(CHUNK_BYTES, file), header, path, Vec::new())
    }

    /// [`create`](TraceWriter::create) for a trace that lacks frames.
    pub(super) fn create_with_gaps(
        path: &Path,
        header: &Header,
        missing: Vec<Gap>,
    ) -> Result<Self, TraceError> {
        validate::header(header)?;
        let file =
            File::create(path).map_err(|source| TraceError::Write { path: path.to_path_buf(), source })?;
        TraceWriter::start(BufWriter::with_capacity(CHUNK_BYTES, file), header, path, missing)
    }
}

impl<W: Write> TraceWriter<W> {
    /// Writes a trace to any byte sink, beginning with the header.
    ///
    /// # Errors
    ///
    /// If the sink cannot be written to, or the header is inconsistent.
    pub fn new(sink: W, header: &Header) -> Result<Self, TraceError> {
        validate::header(header)?;
        TraceWriter::start(sink, header, Path::new("the trace"), Vec::new())
    }

    fn start(sink: W, header: &Header, path: &Path, missing: Vec<Gap>) -> Result<Self, TraceError> {
        let fail = |error| write_error(error, path);
        let options = WriteOptions::new()
            .profile(PROFILE)
            .library(PROFILE)
            .compression(None)
            .chunk_size(None)
            // A chunk is assembled in memory: a truncated file then lacks its end and has no gaps.
            .disable_seeking(true);
        let mut writer = options.create(NoSeek::new(sink)).map_err(fail)?;
        writer.write_metadata(&metadata(header)).map_err(fail)?;
        let mut message = Vec::new();
        header::encode(FORMAT, header, &mut message)
            .map_err(|error| TraceError::BadHeader { reason: error.to_string() })?;
        let text = definition::define(Frame::DESCRIPTION);
        let said = str::from_utf8(&message).unwrap_or_default();
        let spare = Spare { header: said, schema: &text, channel: FRAME_CHANNEL };
        writer.write_metadata(&spare.to_record()).map_err(fail)?;
        if !missing.is_empty() {
            writer.write_metadata(&gaps::to_record(&missing)).map_err(fail)?;
        }

        let id = writer
            .add_schema(schema::NAME, "jsonschema", schema::header().to_string().as_bytes())
            .map_err(fail)?;
        let first = writer.add_channel(id, HEADER_TOPIC, "json", &BTreeMap::new()).map_err(fail)?;
        let record = Frame::DESCRIPTION;
        let id = writer.add_schema(&definition::name(record), "ros2msg", text.as_bytes()).map_err(fail)?;
        let channel = writer.add_channel(id, FRAME_TOPIC, "cdr", &facts(header)).map_err(fail)?;
        debug_assert_eq!(channel, FRAME_CHANNEL);
        let stamp = MessageHeader { channel_id: first, sequence: 0, log_time: 0, publish_time: 0 };
        writer.write_to_known_channel(&stamp, &message).map_err(fail)?;
        let mut this = TraceWriter {
            writer,
            header: header.clone(),
            channel,
            schema: id,
            part_channel: None,
            frames: 0,
            bytes: 0,
            next_index: 0,
            missing,
            kept: 0,
            buffer: message,
            path: path.to_path_buf(),
        };
        this.flush()?;
        Ok(this)
    }

    /// Writes the parts of the next frame, before the frame itself; nothing if there are none.
    ///
    /// # Errors
    ///
    /// As in [`write`](TraceWriter::write).
    pub fn write_parts(&mut self, parts: &[Frame]) -> Result<(), TraceError> {
        for part in parts {
            validate::frame(&self.header, part)?;
            let channel = match self.part_channel {
                Some(channel) => channel,
                None => self
                    .writer
                    .add_channel(self.schema, PART_TOPIC, "cdr", &facts(&self.header))
                    .map_err(|error| write_error(error, &self.path))?,
            };
            self.part_channel = Some(channel);
            self.send(channel, part)?;
        }
        Ok(())
    }

    /// Writes the next frame.
    ///
    /// # Errors
    ///
    /// If the frame has NaN or infinite numbers, has lists of wrong length or is out of order, or the sink
    /// cannot be written to.
    pub fn write(&mut self, frame: &Frame) -> Result<(), TraceError> {
        if let Some([_, last]) = self.missing.iter().find(|gap| gap[0] == self.next_index) {
            self.next_index = last + 1;
        }
        if frame.index != self.next_index {
            return Err(TraceError::OutOfOrder { expected: self.next_index, found: frame.index });
        }
        validate::frame(&self.header, frame)?;
        self.send(self.channel, frame)?;
        self.next_index += 1;
        self.frames += 1;
        // Slightly more than the quotient, so that 0.1 / 0.01 gives ten.
        let most = (CHUNK_SECONDS / self.header.dt * (1.0 + 1e-9)).max(1.0);
        if self.frames as f64 + 1.0 > most || self.bytes >= CHUNK_BYTES { self.flush() } else { Ok(()) }
    }

    fn send(&mut self, channel: u16, frame: &Frame) -> Result<(), TraceError> {
        let time = (frame.time * 1e9).round() as u64;
        cdr::encode(frame, &mut self.buffer);
        self.bytes += self.buffer.len();
        let sequence = (frame.index % (1 << 32)) as u32;
        let stamp = MessageHeader { channel_id: channel, sequence, log_time: time, publish_time: time };
        self.writer
            .write_to_known_channel(&stamp, &self.buffer)
            .map_err(|error| write_error(error, &self.path))
    }

    /// Passes everything written so far to the operating system: it is kept even if this process fails later.
    ///
    /// # Errors
    ///
    /// If the sink cannot be written to.
    pub fn flush(&mut self) -> Result<(), TraceError> {
        self.writer.flush().map_err(|error| write_error(error, &self.path))?;
        self.kept += self.frames as u64;
        self.frames = 0;
        self.bytes = 0;
        Ok(())
    }

    /// Frames that were passed to the operating system: they are kept even if this process fails.
    pub fn frames_kept(&self) -> u64 {
        self.kept
    }

    /// Completes the file with how the run ended, its summary and index.
    ///
    /// # Errors
    ///
    /// If the sink cannot be written to.
    pub fn finish_with(mut self, ending: &Ending) -> Result<W, TraceError> {
        let record = ending
            .to_record()
            .map_err(|error| TraceError::Write { path: self.path.clone(), source: error.into() })?;
        self.writer.write_metadata(&record).map_err(|error| write_error(error, &self.path))?;
        self.finish()
    }

    /// Completes the file with its summary and index.
    ///
    /// # Errors
    ///
    /// If the sink cannot be written to.
    pub fn finish(mut self) -> Result<W, TraceError> {
        self.writer.finish().map_err(|error| write_error(error, &self.path))?;
        let mut sink = self.writer.into_inner().into_inner();
        sink.flush().map_err(|source| TraceError::Write { path: self.path, source })?;
        Ok(sink)
    }
}

/// The owner of each number in a frame's lists, and its unit: `q[7]` → `left_knee, rad`; for other fields the
/// unit.
fn facts(header: &Header) -> BTreeMap<String, String> {
    let mut facts: BTreeMap<String, String> = definition::units(Frame::DESCRIPTION).into_iter().collect();
    let mut list = |field: &str, names: &[String], unit: &dyn Fn(usize) -> String| {
        facts.remove(field);
        let numbers = names.iter().enumerate();
        facts.extend(numbers.map(|(k, name)| (format!("{field}[{k}]"), format!("{name}, {}", unit(k)))));
    };
    list("q", &header.configuration_names, &|k| header.configuration_units[k].clone());
    list("v", &header.coordinate_names, &|k| header.coordinate_units[k].clone());
    list("torque", &header.coordinate_names, &|k| header.force_unit(k).into());
    list("stop_reaction", &header.coordinate_names, &|k| header.force_unit(k).into());
    list("coupling_reaction", &header.coordinate_names, &|k| header.force_unit(k).into());
    let length = |k: usize| if header.force_unit(k) == "N" { "m" } else { "rad" };
    list("coupling_error", &header.coordinate_names, &|k| length(k).into());
    list("dry_friction", &header.coordinate_names, &|k| header.force_unit(k).into());
    list("costs", &header.objectives, &|_| "1".into());
    list("weights", &header.objectives, &|_| "1".into());
    let commands: Vec<String> = header.commands.iter().map(|command| command.name.clone()).collect();
    list("commands", &commands, &|k| header.commands[k].unit.clone());
    list("bound", &header.bound, &|_| "as written".into());
    let followed: Vec<String> = header.followed.iter().map(|followed| followed.objective.clone()).collect();
    list("distances", &followed, &|k| header.followed[k].unit.clone());
    let measured: Vec<String> = header.measured.iter().map(Measured::name).collect();
    for field in ["targets", "actuals"] {
        list(field, &measured, &|k| header.measured[k].unit.clone());
    }
    facts
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
