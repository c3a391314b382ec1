//! Medians and percentiles of the parts of a frame's time.

use aplomb_world::FrameTiming;
use serde::Serialize;
use std::time::Duration;

/// Percentiles of one phase, µs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Percentiles {
    /// Median, µs.
    pub median: f64,
    /// 99th percentile, µs.
    pub p99: f64,
}

/// Wall-clock time of a frame by phase, µs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct TimingSummary {
    /// Sum of sense, assemble, solve and advance, µs.
    pub frame: Percentiles,
    /// Snapshot, criteria and state machine, µs.
    pub sense: Percentiles,
    /// Linearisation and rows of the QP, µs.
    pub assemble: Percentiles,
    /// Solution of the QP, µs.
    pub solve: Percentiles,
    /// Computation of the next configuration, µs.
    pub advance: Percentiles,
    /// Creating and writing the record, µs; not part of `frame`.
    pub record: Percentiles,
}

/// Times of all frames so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Timings(Vec<FrameTiming>);

impl Timings {
    pub(super) fn add(&mut self, timing: FrameTiming) {
        self.0.push(timing);
    }

    pub(super) fn summary(&self) -> TimingSummary {
        let of = |phase: fn(&FrameTiming) -> Duration| percentiles(self.0.iter().map(phase));
        TimingSummary {
            frame: of(|timing| timing.sense + timing.assemble + timing.solve + timing.advance),
            sense: of(|timing| timing.sense),
            assemble: of(|timing| timing.assemble),
            solve: of(|timing| timing.solve),
            advance: of(|timing| timing.advance),
            record: of(|timing| timing.record),
        }
    }
}

/// Nearest ranks: the smallest sample that half, and 99 %, of the samples do not exceed. Zero without
/// samples.
fn percentiles(samples: impl Iterator<Item = Duration>) -> Percentiles {
    let mut sorted: Vec<Duration> = samples.collect();
    sorted.sort_unstable();
    let rank = |percent: usize| {
        let place = (sorted.len() * percent).div_ceil(100).saturating_sub(1);
        sorted.get(place).map_or(0.0, |sample| sample.as_nanos() as f64 / 1e3)
    };
    Percentiles { median: rank(50), p99: rank(99) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_samples_of_the_nearest_rank() {
        let samples = (1..=200).rev().map(Duration::from_micros);
        assert_eq!(percentiles(samples), Percentiles { median: 100.0, p99: 198.0 });
        assert_eq!(
            percentiles([Duration::from_micros(7)].into_iter()),
            Percentiles { median: 7.0, p99: 7.0 }
        );
        assert_eq!(percentiles(std::iter::empty()), Percentiles::default());
    }
}
