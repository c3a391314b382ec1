//! CDR, the encoding of ROS 2: numbers as they are in memory, little-endian, each aligned to its size.
//!
//! Floats keep their bits, and nothing is formatted or parsed. Layout: OMG's Common Data Representation
//! (XCDR1), <https://www.omg.org/spec/DDS-XTYPES/>.

use super::definition::FieldIndices;
use crate::field::{Description, FieldValue, Sink, Supply};
use std::rc::Rc;

/// Prefix of every message: plain CDR, little-endian, no options. Alignment counts from its end.
const HEADER: [u8; 4] = [0, 1, 0, 0];

/// Replaces the contents of `out` by the encoded record.
pub(super) fn encode(record: &impl FieldValue, out: &mut Vec<u8>) {
    out.clear();
    out.extend(HEADER);
    record.give(&mut Encoder(out));
}

/// Reads a record whose fields have this `layout`; `None` if the bytes are invalid.
pub(super) fn decode<T: FieldValue>(bytes: &[u8], layout: &FieldIndices) -> Option<T> {
    let body = bytes.strip_prefix(&HEADER)?;
    let mut decoder = Decoder { body, position: 0, layout };
    let value = T::take(&mut decoder)?;
    (decoder.position == body.len()).then_some(value)
}

struct Encoder<'a>(&'a mut Vec<u8>);

impl Encoder<'_> {
    fn align(&mut self, size: usize) {
        while !(self.0.len() - HEADER.len()).is_multiple_of(size) {
            self.0.push(0);
        }
    }
}

impl Sink for Encoder<'_> {
    fn floats(&mut self, values: &[f64]) {
        if !values.is_empty() {
            self.align(8);
            let start = self.0.len();
            self.0.resize(start + 8 * values.len(), 0);
            for (bytes, value) in self.0[start..].chunks_exact_mut(8).zip(values) {
                bytes.copy_from_slice(&value.to_le_bytes());
            }
        }
    }

    fn no_float(&mut self) {
        self.floats(&[f64::NAN]);
    }

    fn long(&mut self, value: u64) {
        self.align(8);
        self.0.extend(value.to_le_bytes());
    }

    fn whole(&mut self, value: u32) {
        self.align(4);
        self.0.extend(value.to_le_bytes());
    }

    fn flag(&mut self, value: bool) {
        self.0.push(value.into());
    }

    /// Length including the terminating zero, the string, the zero.
    fn text(&mut self, value: &str) {
        self.count(value.len() + 1);
        self.0.extend(value.as_bytes());
        self.0.push(0);
    }

    fn count(&mut self, count: usize) {
        self.whole(u32::try_from(count).unwrap_or(u32::MAX));
    }
}

struct Decoder<'a> {
    body: &'a [u8],
    position: usize,
    layout: &'a FieldIndices,
}

impl Decoder<'_> {
    fn bytes(&mut self, count: usize) -> Option<&[u8]> {
        let start = self.position;
        let end = start.checked_add(count)?;
        let bytes = self.body.get(start..end)?;
        self.position = end;
        Some(bytes)
    }

    fn number<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.position = self.position.next_multiple_of(N);
        self.bytes(N)?.try_into().ok()
    }
}

impl Supply for Decoder<'_> {
    fn float(&mut self) -> Option<f64> {
        self.number().map(f64::from_le_bytes)
    }

    fn long(&mut self) -> Option<u64> {
        self.number().map(u64::from_le_bytes)
    }

    fn whole(&mut self) -> Option<u32> {
        self.number().map(u32::from_le_bytes)
    }

    fn flag(&mut self) -> Option<bool> {
        match self.number()? {
            [0] => Some(false),
            [1] => Some(true),
            _ => None,
        }
    }

    fn text(&mut self) -> Option<&str> {
        let length = self.count()?;
        let (end, text) = self.bytes(length)?.split_last()?;
        std::str::from_utf8(text).ok().filter(|_| *end == 0)
    }

    fn count(&mut self) -> Option<usize> {
        let count = self.whole()? as usize;
        (count <= self.body.len() - self.position).then_some(count)
    }

    fn fields(&self, record: &Description) -> Option<Rc<[usize]>> {
        self.layout.fields(record)
    }
}
