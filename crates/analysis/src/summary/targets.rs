//! Tracking errors of objectives with moving targets.

use super::TargetSummary;
use aplomb_trace::{Followed, Frame};

/// Time that an objective may take to reach its target, s.
const APPROACH: f64 = 1.0;

/// Tracking errors of one objective.
#[derive(Clone, Debug, Default)]
struct Pursuit {
    /// Time at which it became active, s.
    since: Option<f64>,
    frames: u64,
    square_sum: f64,
    /// Largest distance, and its time, s.
    largest: (f64, f64),
}

/// Accumulates distances frame by frame.
#[derive(Clone, Debug, Default)]
pub(super) struct Targets(Vec<Pursuit>);

impl Targets {
    pub(super) fn add(&mut self, frame: &Frame) {
        self.0.resize(frame.distances.len(), Pursuit::default());
        for (pursuit, distance) in self.0.iter_mut().zip(&frame.distances) {
            let Some(distance) = *distance else {
                pursuit.since = None;
                continue;
            };
            let since = *pursuit.since.get_or_insert(frame.time);
            if frame.time - since < APPROACH - 1e-9 {
                continue;
            }
            pursuit.frames += 1;
            pursuit.square_sum += distance * distance;
            if distance > pursuit.largest.0 {
                pursuit.largest = (distance, frame.time);
            }
        }
    }

    pub(super) fn summary(&self, followed: &[Followed]) -> Vec<TargetSummary> {
        let none = Pursuit::default();
        let of = |(k, followed): (usize, &Followed)| {
            let pursuit = self.0.get(k).unwrap_or(&none);
            let some = |value: f64| (pursuit.frames > 0).then_some(value);
            TargetSummary {
                objective: followed.objective.clone(),
                unit: followed.unit.clone(),
                frames: pursuit.frames,
                rms: some((pursuit.square_sum / pursuit.frames as f64).sqrt()),
                max: some(pursuit.largest.0),
                max_at: some(pursuit.largest.1),
            }
        };
        followed.iter().enumerate().map(of).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_approach_of_a_second_does_not_count() {
        let mut targets = Targets::default();
        for k in 0..40 {
            let time = 0.1 * f64::from(k);
            // Active from 0.5 to 2.5 s and from 3 s on.
            let holds = (5..25).contains(&k) || k >= 30;
            let distance = if !(1.45..=2.0).contains(&time) { 0.5 } else { 0.003 };
            let distances = vec![holds.then_some(distance)];
            targets.add(&Frame { time, distances, ..Frame::default() });
        }
        let followed = [Followed { objective: "hand".into(), unit: "m".into() }];
        let summary = &targets.summary(&followed)[0];
        assert_eq!(summary.frames, 10, "1.5 to 2.4 s; the second hold is too short");
        let expected = ((6.0 * 0.003f64.powi(2) + 4.0 * 0.25) / 10.0).sqrt();
        assert!((summary.rms.unwrap() - expected).abs() < 1e-12, "{summary:?}");
        assert_eq!(summary.max, Some(0.5));
    }

    #[test]
    fn what_never_held_has_no_figures() {
        let followed = [Followed { objective: "hand".into(), unit: "m".into() }];
        assert_eq!(Targets::default().summary(&followed)[0].rms, None);
    }
}
