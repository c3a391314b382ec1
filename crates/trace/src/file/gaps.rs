//! Frames that a repaired trace lacks, because their chunks were damaged.

use crate::Frame;
use mcap::records::Metadata;
use std::collections::BTreeMap;

/// Name of the metadata record.
pub(super) const NAME: &str = "aplomb.missing";

/// Only key of the record.
const KEY: &str = "frames";

/// Numbers of the first and the last of a range of missing frames.
pub type Gap = [u64; 2];

/// The gaps between frames with these increasing numbers.
pub(super) fn between(numbers: impl IntoIterator<Item = u64>) -> Vec<Gap> {
    let mut expected = 0;
    let mut gaps = Vec::new();
    for number in numbers {
        if number > expected {
            gaps.push([expected, number - 1]);
        }
        expected = number + 1;
    }
    gaps
}

/// The gaps between frames of a repaired trace.
pub fn of(frames: &[Frame]) -> Vec<Gap> {
    between(frames.iter().map(|frame| frame.index))
}

/// The record in a file.
pub(super) fn to_record(gaps: &[Gap]) -> Metadata {
    let text: Vec<String> = gaps.iter().map(|[first, last]| format!("{first}-{last}")).collect();
    Metadata { name: NAME.into(), metadata: BTreeMap::from([(KEY.into(), text.join(" "))]) }
}

/// The gaps from the entries of a record; `None` for an invalid one.
pub(super) fn of_record(entries: &[(&str, &str)]) -> Option<Vec<Gap>> {
    let (_, text) = entries.iter().find(|(key, _)| *key == KEY)?;
    let gap = |word: &str| {
        let (first, last) = word.split_once('-')?;
        Some([first.parse().ok()?, last.parse().ok()?])
    };
    text.split_whitespace().map(gap).collect()
}

/// The gaps as text: `frames 10 to 19 and 40 to 49`.
pub fn said(gaps: &[Gap]) -> String {
    let gap = |[first, last]: &Gap| match first == last {
        true => first.to_string(),
        false => format!("{first} to {last}"),
    };
    let mut words: Vec<String> = gaps.iter().take(MOST).map(gap).collect();
    match gaps.len() - words.len() {
        0 => {}
        1 => words.push("1 other gap".into()),
        more => words.push(format!("{more} other gaps")),
    }
    let last = words.pop().unwrap_or_default();
    let list = if words.is_empty() { last } else { format!("{} and {last}", words.join(", ")) };
    format!("frames {list}")
}

/// Largest number of gaps that are named.
const MOST: usize = 5;
