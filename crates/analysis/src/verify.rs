//! Comparison of two runs, frame by frame and bit by bit.

use aplomb_trace::{Difference, Frame, Header, Trace, first_difference, state_hash};
use serde::Serialize;

/// The result of a comparison of two runs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RunComparison {
    /// Whether all records are equal bit by bit.
    pub same: bool,
    /// Number of equal records, from the first on.
    pub frames: usize,
    /// Number of records of both runs.
    pub(crate) records: [usize; 2],
    /// The first difference, if any.
    pub first: Option<Divergence>,
}

/// The first difference of two runs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Divergence {
    /// Number of the frame; `None` if the runs have no frame in common.
    pub frame: Option<u64>,
    /// Time of the frame, s.
    pub time: Option<f64>,
    /// State hashes of both frames, 16 hexadecimal digits; empty if a run has ended.
    pub hashes: [Option<String>; 2],
    /// The first value that differs.
    pub difference: Difference,
}

/// The state hash of a frame ([`state_hash`]), as 16 hexadecimal digits.
pub fn hash(frame: &Frame) -> String {
    format!("{:016x}", state_hash(frame))
}

/// Compares two runs in the order of their records.
pub fn compare(one: &Trace, other: &Trace) -> RunComparison {
    let records = [one.frames.len(), other.frames.len()];
    let found = |frames: usize, first: Option<Divergence>| RunComparison {
        same: first.is_none(),
        frames,
        records,
        first,
    };
    if let Some(difference) = of_headers(&one.header, &other.header) {
        return found(0, Some(Divergence { frame: None, time: None, hashes: [None, None], difference }));
    }
    for (index, (a, b)) in one.frames.iter().zip(&other.frames).enumerate() {
        if let Some(difference) = first_difference(&one.header, a, b) {
            let hashes = [Some(hash(a)), Some(hash(b))];
            return found(
                index,
                Some(Divergence { frame: Some(a.index), time: Some(a.time), hashes, difference }),
            );
        }
    }
    let common = records[0].min(records[1]);
    let longer = [one, other].into_iter().find_map(|trace| trace.frames.get(common));
    let ended = longer.map(|frame| Divergence {
        frame: Some(frame.index),
        time: Some(frame.time),
        hashes: [one, other].map(|trace| trace.frames.get(common).map(hash)),
        difference: Difference {
            field: "records",
            name: "number of records".into(),
            unit: String::new(),
            values: records.map(|records| records.to_string()),
            distance: None,
        },
    });
    found(common, ended)
}

/// Differences that make the numbers of two runs incomparable: other coordinates, or another time step.
fn of_headers(one: &Header, other: &Header) -> Option<Difference> {
    let differing = |field: &'static str, unit: &str, values: [String; 2]| Difference {
        field,
        name: field.into(),
        unit: unit.into(),
        values,
        distance: None,
    };
    if one.dt.to_bits() != other.dt.to_bits() {
        return Some(differing("dt", "s", [one.dt, other.dt].map(|dt| format!("{dt:?}"))));
    }
    let lists = [
        ("configuration_names", [&one.configuration_names, &other.configuration_names]),
        ("objectives", [&one.objectives, &other.objectives]),
    ];
    lists.into_iter().find_map(|(field, [a, b])| {
        let length = a.len().max(b.len());
        let place = (0..length).find(|index| a.get(*index) != b.get(*index))?;
        let shown = |list: &Vec<String>| list.get(place).map_or("none".into(), |name| format!("`{name}`"));
        Some(differing(field, "", [shown(a), shown(b)]))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use aplomb_trace::example;

    #[test]
    fn a_run_is_the_same_as_itself_and_differs_where_one_bit_does() {
        let trace = example::trace(6);
        let same = compare(&trace, &trace);
        assert!(same.same && same.frames == trace.frames.len(), "{same:?}");
        let mut other = trace.clone();
        let value = &mut other.frames[3].q[1];
        *value = f64::from_bits(value.to_bits() ^ 1);
        let found = compare(&trace, &other);
        assert!(!found.same);
        assert_eq!(found.frames, 3);
        let first = found.first.expect("a difference");
        assert_eq!(first.frame, Some(trace.frames[3].index));
        assert_eq!(first.difference.name, format!("q.{}", trace.header.configuration_names[1]));
        assert_ne!(first.hashes[0], first.hashes[1]);
    }

    #[test]
    fn a_shorter_run_differs_where_it_ends() {
        let trace = example::trace(6);
        let mut short = trace.clone();
        short.frames.truncate(4);
        let found = compare(&trace, &short);
        let first = found.first.expect("a difference");
        assert_eq!((found.frames, first.frame), (4, Some(trace.frames[4].index)));
        assert_eq!(first.difference.values[1], "4");
        assert_eq!(first.hashes[1], None);
    }

    #[test]
    fn runs_of_other_bodies_are_not_compared_number_by_number() {
        let trace = example::trace(3);
        let mut other = trace.clone();
        other.header.configuration_names[0] = "elsewhere".into();
        let found = compare(&trace, &other);
        let first = found.first.expect("a difference");
        assert_eq!((first.frame, first.difference.field), (None, "configuration_names"));
    }
}
