//! Properties of trace files as a whole: written, truncated, damaged, repaired.

use super::*;
use crate::field::{self, Record};
use crate::{Contact, Frame, Trace, example};
use proptest::prelude::*;
use std::fs;
use std::sync::LazyLock;
use tempfile::TempDir;

fn bytes_of(trace: &Trace) -> Vec<u8> {
    let mut writer = TraceWriter::new(Vec::new(), &trace.header).unwrap();
    for frame in &trace.frames {
        writer.write(frame).unwrap();
    }
    writer.finish().unwrap()
}

/// Frames of which a chunk holds ten.
const FRAMES: usize = 25;

static TRACE: LazyLock<Trace> = LazyLock::new(|| example::trace(FRAMES));
static WHOLE: LazyLock<Vec<u8>> = LazyLock::new(|| bytes_of(&TRACE));

/// Byte after each chunk, the first of which contains only the header, with the frames that are whole there.
fn chunk_ends(bytes: &[u8]) -> Vec<(usize, usize)> {
    let mut records = records::Records::new(bytes, mcap::MAGIC.len());
    let mut ends = Vec::new();
    while let Ok(record) = records.next() {
        if record.opcode == mcap::records::op::CHUNK {
            ends.push((record.end, (10 * ends.len()).min(FRAMES)));
        }
    }
    ends
}

fn frames_whole_at(cut: usize) -> Option<usize> {
    chunk_ends(&WHOLE).into_iter().rev().find(|(end, _)| *end <= cut).map(|(_, frames)| frames)
}

/// Asserts that the bytes contain the first frames of the trace, or returns the error.
fn assert_prefix(bytes: &[u8]) -> Result<Trace, TraceError> {
    let read = read_bytes(bytes);
    if let Ok(trace) = &read {
        assert_eq!(trace.header, TRACE.header);
        assert_eq!(trace.frames[..], TRACE.frames[..trace.frames.len()]);
        assert!(trace.torn.is_some() || trace.frames.len() == FRAMES);
    }
    read
}

#[test]
fn a_trace_comes_back_from_its_file_exactly() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("trace.mcap");
    let mut writer = TraceWriter::create(&path, &TRACE.header).unwrap();
    for frame in &TRACE.frames {
        writer.write(frame).unwrap();
    }
    writer.finish().unwrap();
    assert_eq!(fs::read(&path).unwrap(), *WHOLE);
    assert_eq!(read(&path).unwrap(), *TRACE);
}

#[test]
fn equal_runs_give_equal_bytes() {
    assert_eq!(bytes_of(&example::trace(FRAMES)), *WHOLE);
}

#[test]
fn a_trace_without_frames_is_whole() {
    let trace = example::trace(0);
    assert_eq!(read_bytes(&bytes_of(&trace)).unwrap(), trace);
}

#[test]
fn a_chunk_holds_a_tenth_of_a_second_of_whole_frames() {
    let ends: Vec<usize> = chunk_ends(&WHOLE).into_iter().map(|(_, frames)| frames).collect();
    assert_eq!(ends, [0, 10, 20, 25]);
}

#[test]
fn a_killed_run_keeps_all_but_the_last_tenth_of_a_second() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("trace.mcap");
    let mut writer = TraceWriter::create(&path, &TRACE.header).unwrap();
    assert_eq!(read(&path).unwrap().header, TRACE.header);
    for (count, frame) in TRACE.frames.iter().enumerate() {
        writer.write(frame).unwrap();
        let trace = read(&path).unwrap();
        assert_eq!(trace.frames, TRACE.frames[..(count + 1) / 10 * 10]);
        assert!(trace.torn.is_some());
    }
    std::mem::forget(writer);
    let trace = read(&path).unwrap();
    assert_eq!(trace.frames, TRACE.frames[..20]);
    let length = fs::metadata(&path).unwrap().len();
    assert_eq!(
        trace.torn,
        Some(format!(
            "the file stops at byte {length}, before its summary; 20 frames are whole, up to 0.19 s"
        ))
    );
}

fn assert_cut(cut: usize) {
    match (assert_prefix(&WHOLE[..cut]), frames_whole_at(cut)) {
        (Ok(trace), Some(frames)) => {
            assert_eq!(trace.frames.len(), frames, "cut at {cut}");
            assert!(trace.torn.is_some(), "cut at {cut}");
        }
        (Err(TraceError::NoHeader { .. }), None) => {}
        (read, frames) => panic!("cut at {cut}: {read:?}, {frames:?}"),
    }
}

#[test]
fn a_cut_near_the_end_of_any_record_keeps_the_whole_chunks_before_it() {
    let mut records = records::Records::new(&WHOLE, mcap::MAGIC.len());
    while let Ok(record) = records.next() {
        for cut in record.end.saturating_sub(9)..(record.end + 10).min(WHOLE.len()) {
            assert_cut(cut);
        }
    }
}

#[test]
fn a_missing_chunk_tears_the_trace_where_it_was() {
    let ends = chunk_ends(&WHOLE);
    let mut bytes = WHOLE.clone();
    // Another program's record in place of the second chunk of frames.
    let mut records = records::Records::new(&WHOLE, ends[1].0);
    let start = std::iter::from_fn(|| records.next().ok())
        .find(|record| record.opcode == mcap::records::op::CHUNK)
        .unwrap()
        .start;
    bytes[start] = 0x80;
    let trace = assert_prefix(&bytes).unwrap();
    assert_eq!(trace.frames.len(), 10);
    assert!(trace.torn.unwrap().starts_with("frames 10 to 19 are missing"));
}

#[test]
fn other_files_are_not_traces() {
    let reason = |bytes: &[u8]| read_bytes(bytes).unwrap_err().to_string();
    assert_eq!(reason(b"t,q0\n0,1\n"), "not a trace of aplomb: not an MCAP file");
    assert_eq!(reason(b""), "the trace has no header: the file has 0 bytes");
    let other = mcap::WriteOptions::new().profile("ros2").create(std::io::Cursor::new(Vec::new()));
    let other = other.unwrap().into_inner().into_inner();
    assert_eq!(reason(&other), "not a trace of aplomb: an MCAP file with the profile `ros2`");
    let folder = TempDir::new().unwrap();
    assert!(matches!(read(folder.path()), Err(TraceError::Read { .. })));
    assert!(matches!(read(folder.path().join("none.mcap")), Err(TraceError::Read { .. })));
}

#[test]
fn a_number_that_is_not_finite_is_refused_by_name() {
    let mut trace = example::trace(1);
    trace.frames[0].com[1] = f64::NAN;
    let mut writer = TraceWriter::new(Vec::new(), &trace.header).unwrap();
    let error = writer.write(&trace.frames[0]).unwrap_err();
    assert_eq!(error.to_string(), "com is not finite in frame 0");
    // The rejected frame does not damage the file.
    writer.write(&TRACE.frames[0]).unwrap();
    assert_eq!(read_bytes(&writer.finish().unwrap()).unwrap().frames, TRACE.frames[..1]);
}

#[test]
fn frames_come_in_order_and_in_shape() {
    let mut writer = TraceWriter::new(Vec::new(), &TRACE.header).unwrap();
    let error = writer.write(&TRACE.frames[1]).unwrap_err();
    assert_eq!(error.to_string(), "frame 1 came where frame 0 belongs");
    let short = Frame { torque: vec![0.0], ..TRACE.frames[0].clone() };
    assert_eq!(writer.write(&short).unwrap_err().to_string(), "torque: 1 numbers in frame 0, expected 7");
}

#[test]
fn repair_makes_the_file_of_a_run_that_ended_there() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("trace.mcap");
    let (end, frames) = chunk_ends(&WHOLE)[2];
    fs::write(&path, &WHOLE[..end + 710]).unwrap();
    let repaired = repair(&path).unwrap();
    assert_eq!((repaired.frames, repaired.until), (frames, Some(0.19)));
    assert!(repaired.fault.is_some() && repaired.lost_bytes > 0);
    assert_eq!(repaired.original, None);
    let shorter = Trace { frames: TRACE.frames[..20].to_vec(), ..TRACE.clone() };
    assert_eq!(fs::read(&path).unwrap(), bytes_of(&shorter));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn repair_leaves_a_whole_trace_alone() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("trace.mcap");
    fs::write(&path, &*WHOLE).unwrap();
    let before = fs::metadata(&path).unwrap().modified().unwrap();
    let whole = Repaired {
        frames: 25,
        until: Some(0.24),
        missing: vec![],
        fault: None,
        lost_bytes: 0,
        original: None,
    };
    assert_eq!(repair(&path).unwrap(), whole);
    assert_eq!(fs::metadata(&path).unwrap().modified().unwrap(), before);
}

#[test]
fn repair_keeps_a_file_that_may_hold_more() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("trace.mcap");
    let mut bytes = WHOLE.clone();
    let (end, frames) = chunk_ends(&WHOLE)[1];
    bytes[end - 1] ^= 1;
    for copy in ["trace.mcap.torn", "trace.mcap.torn.2"] {
        fs::write(&path, &bytes).unwrap();
        let repaired = repair(&path).unwrap();
        assert_eq!((repaired.frames, repaired.missing.as_slice()), (FRAMES - frames, &[[0, 9]][..]));
        assert_eq!(repaired.original.as_ref().and_then(|path| path.file_name()), Some(copy.as_ref()));
        assert_eq!(fs::read(folder.path().join(copy)).unwrap(), bytes);
        assert_eq!(read(&path).unwrap().torn, None);
    }
}

/// The file with its chunks packed by Zstandard, as other programs may write it; each chunk contains the result of
/// `content`.
fn packed(bytes: &[u8], content: impl Fn(Vec<u8>) -> Vec<u8>) -> Vec<u8> {
    let mut records = records::Records::new(bytes, mcap::MAGIC.len());
    let mut made = mcap::MAGIC.to_vec();
    while let Ok(record) = records.next() {
        if record.opcode != mcap::records::op::CHUNK {
            made.extend(&bytes[record.start..record.end]);
            continue;
        }
        let unpacked = content(records::unpack(record.body, u64::MAX).unwrap());
        let inside =
            ruzstd::encoding::compress_to_vec(&unpacked[..], ruzstd::encoding::CompressionLevel::Fastest);
        // Times of the first and the last message, size and checksum of the content, how it is packed, its length.
        let mut body = record.body[..16].to_vec();
        body.extend((unpacked.len() as u64).to_le_bytes());
        body.extend(crc32fast::hash(&unpacked).to_le_bytes());
        body.extend(4_u32.to_le_bytes());
        body.extend(b"zstd");
        body.extend((inside.len() as u64).to_le_bytes());
        body.extend(inside);
        made.push(mcap::records::op::CHUNK);
        made.extend((body.len() as u64).to_le_bytes());
        made.extend(body);
    }
    made.extend(mcap::MAGIC);
    made
}

#[test]
fn chunks_that_another_program_packed_are_read() {
    let packed = packed(&WHOLE, |content| content);
    assert!(packed.len() < WHOLE.len() * 3 / 4, "{} of {} bytes", packed.len(), WHOLE.len());
    assert_eq!(assert_prefix(&packed).unwrap().frames.len(), FRAMES);
}

#[test]
fn a_small_file_cannot_ask_for_much_memory() {
    let large = packed(&WHOLE, |_| vec![b' '; 70 << 20]);
    assert!(large.len() < 1 << 20);
    let error = read_bytes(&large).unwrap_err().to_string();
    assert!(error.contains("a chunk says it unpacks to"), "{error}");
    // Nor is a chunk valid whose declared size is less than its contents.
    let chunk = |content: &[u8], says: u64| {
        let inside = ruzstd::encoding::compress_to_vec(content, ruzstd::encoding::CompressionLevel::Fastest);
        let fields: [&[u8]; 6] = [
            &[0; 16],
            &says.to_le_bytes(),
            &[0; 4],
            &4_u32.to_le_bytes(),
            b"zstd",
            &(inside.len() as u64).to_le_bytes(),
        ];
        [fields.concat(), inside].concat()
    };
    let content = vec![b' '; 1 << 20];
    assert_eq!(records::unpack(&chunk(&content, 1 << 20), u64::MAX).unwrap(), content);
    let error = records::unpack(&chunk(&content, 100), u64::MAX).unwrap_err();
    assert!(error.contains("another size"), "{error}");
}

#[test]
fn a_frame_comes_back_to_the_last_bit() {
    let layout =
        definition::FieldIndices::parse(Frame::DESCRIPTION, &definition::define(Frame::DESCRIPTION)).unwrap();
    let mut bytes = Vec::new();
    for frame in &TRACE.frames {
        cdr::encode(frame, &mut bytes);
        let back: Frame = cdr::decode(&bytes, &layout).unwrap();
        assert_eq!(back, *frame);
        let bits = |values: &[f64]| values.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&back.q), bits(&frame.q));
    }
}

#[test]
fn a_field_that_an_older_file_does_not_have_is_left_at_its_default() {
    let mut text = definition::define(Frame::DESCRIPTION);
    for line in ["uint32 turned # [1]\n", "float64 gap # [m]\n"] {
        assert!(text.contains(line), "{text}");
        text = text.replace(line, "");
    }
    let layout = definition::FieldIndices::parse(Frame::DESCRIPTION, &text).unwrap();
    // A frame as it would be written in such a file.
    let names = |fields: &'static [field::Field], left_out: &str| {
        let kept = fields.iter().enumerate().filter(|(_, field)| field.name != left_out);
        kept.map(|(index, _)| index).collect::<Vec<_>>()
    };
    assert_eq!(*layout.fields(Frame::DESCRIPTION).unwrap(), names(Frame::DESCRIPTION.fields, "turned"));
    assert_eq!(*layout.fields(Contact::DESCRIPTION).unwrap(), names(Contact::DESCRIPTION.fields, "gap"));
    let mut bytes = Vec::new();
    let whole = Frame {
        contacts: Vec::new(),
        turned: 0,
        solve_events: Vec::new(),
        conflict: Vec::new(),
        passive: Vec::new(),
        ..TRACE.frames[0].clone()
    };
    cdr::encode(&whole, &mut bytes);
    // `turned` and three empty lists are the last words; one of them is omitted.
    bytes.truncate(bytes.len() - 4);
    let frame: Frame = cdr::decode(&bytes, &layout).unwrap();
    assert_eq!(frame, whole);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_cut_anywhere_keeps_the_whole_chunks_before_it(cut in any::<prop::sample::Index>()) {
        assert_cut(cut.index(WHOLE.len()));
    }

    #[test]
    fn spoilt_bytes_give_an_error_or_true_frames(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        cut in any::<prop::sample::Index>(),
        cuts in any::<bool>(),
    ) {
        let mut bytes = WHOLE.clone();
        for (at, value) in changes {
            let at = at.index(bytes.len());
            bytes[at] = value;
        }
        if cuts {
            bytes.truncate(cut.index(bytes.len()));
        }
        let _ = assert_prefix(&bytes);
    }

    #[test]
    fn bytes_after_the_magic_never_panic(tail in prop::collection::vec(any::<u8>(), 0..200)) {
        let mut bytes = mcap::MAGIC.to_vec();
        bytes.extend(tail);
        prop_assert!(read_bytes(&bytes).is_err());
    }

    #[test]
    fn spoilt_messages_without_checksums_never_panic(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
    ) {
        // Uncompressed and without checksums, every byte reaches the parsers behind them.
        let mut bytes = BARE.clone();
        for (at, value) in changes {
            let at = at.index(bytes.len());
            bytes[at] = value;
        }
        let _ = read_bytes(&bytes);
    }
}

/// The start of the trace as one uncompressed chunk without checksums.
static BARE: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let options = mcap::WriteOptions::new()
        .profile("aplomb")
        .compression(None)
        .calculate_chunk_crcs(false)
        .calculate_data_section_crc(false)
        .calculate_summary_section_crc(false);
    let mut writer = options.create(std::io::Cursor::new(Vec::new())).unwrap();
    for message in mcap::MessageStream::new(&bytes_of(&example::trace(3))).unwrap() {
        writer.write(&message.unwrap()).unwrap();
    }
    writer.finish().unwrap();
    let bytes = writer.into_inner().into_inner();
    assert_eq!(read_bytes(&bytes).unwrap().frames, example::trace(3).frames);
    bytes
});

#[test]
fn a_trace_of_another_format_is_refused_by_its_number() {
    for (found, digit) in [(FORMAT - 1, b'3'), (FORMAT + 1, b'5')] {
        let mut bytes = BARE.clone();
        let text = b"{\"format\":4,";
        let at = bytes.windows(text.len()).position(|window| window == text).unwrap();
        bytes[at + text.len() - 2] = digit;
        let error = read_bytes(&bytes).unwrap_err();
        assert!(
            matches!(error, TraceError::Format { found: said, known: FORMAT } if said == found),
            "{error}"
        );
        assert_eq!(error.to_string(), format!("a trace of format {found}; this program reads format 4"));
    }
}

/// A trace whose chunks 2 and 4 of frames (10 to 19 and 30 to 39 of 50) do not match their checksums.
fn holed() -> (Trace, Vec<u8>) {
    let trace = example::trace(50);
    let mut bytes = bytes_of(&trace);
    let ends = chunk_ends(&bytes);
    for chunk in [2, 4] {
        bytes[ends[chunk].0 - 1] ^= 1;
    }
    (trace, bytes)
}

#[test]
fn repair_takes_every_whole_chunk_and_says_which_frames_are_missing() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("trace.mcap");
    let (trace, bytes) = holed();
    fs::write(&path, &bytes).unwrap();
    let repaired = repair(&path).unwrap();
    assert_eq!((repaired.frames, repaired.missing.as_slice()), (30, &[[10, 19], [30, 39]][..]));
    assert_eq!(said_of_gaps(&repaired.missing), "frames 10 to 19 and 30 to 39");
    assert_eq!(fs::read(repaired.original.unwrap()).unwrap(), bytes);
    let read = read(&path).unwrap();
    let kept = |index: u64| !(10..20).contains(&index) && !(30..40).contains(&index);
    let expected: Vec<Frame> = trace.frames.into_iter().filter(|frame| kept(frame.index)).collect();
    assert_eq!((read.torn, read.frames), (None, expected));
    // It is complete now, and is not changed any more.
    assert_eq!(repair(&path).unwrap().fault, None);
}

#[test]
fn repair_can_write_elsewhere_and_leave_the_trace_as_it_is() {
    let folder = TempDir::new().unwrap();
    let (path, out) = (folder.path().join("trace.mcap"), folder.path().join("elsewhere/out.mcap"));
    fs::create_dir(folder.path().join("elsewhere")).unwrap();
    let (_, bytes) = holed();
    fs::write(&path, &bytes).unwrap();
    assert_eq!(repair_to(&path, &out).unwrap().frames, 30);
    assert_eq!(fs::read(&path).unwrap(), bytes);
    assert_eq!(read(&out).unwrap().frames.len(), 30);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "nothing is written beside the trace");
    assert!(matches!(repair_to(&path, &out), Err(TraceError::Write { .. })), "what is there stays");
}

#[test]
fn a_header_that_is_damaged_is_read_from_its_second_copy() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("trace.mcap");
    let (first_chunk, _) = chunk_ends(&WHOLE)[0];
    let mut bytes = WHOLE.clone();
    bytes[first_chunk - 100] ^= 1;
    fs::write(&path, &bytes).unwrap();
    assert!(matches!(read(&path), Err(TraceError::NoHeader { .. })));
    assert_eq!(repair(&path).unwrap().frames, FRAMES);
    assert_eq!(read(&path).unwrap(), *TRACE);
}

#[test]
fn no_single_bit_anywhere_takes_more_than_one_chunk_with_it() {
    let folder = TempDir::new().unwrap();
    let (path, out) = (folder.path().join("trace.mcap"), folder.path().join("out.mcap"));
    for step in 0..150 {
        let mut bytes = WHOLE.clone();
        let at = step * bytes.len() / 150;
        bytes[at] ^= 1 << (step % 8);
        fs::write(&path, &bytes).unwrap();
        let repaired = repair_to(&path, &out).unwrap_or_else(|error| panic!("byte {at}: {error}"));
        assert!(repaired.frames >= FRAMES - 10, "byte {at}: {} frames", repaired.frames);
        let trace = read(&out).unwrap();
        assert_eq!(trace.header, TRACE.header);
        assert!(trace.frames.iter().all(|frame| TRACE.frames[frame.index as usize] == *frame), "byte {at}");
        fs::remove_file(&out).unwrap();
    }
}
