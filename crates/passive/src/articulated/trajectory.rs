//! Trajectories through given values at given times.

use aplomb_math::interpolation::{KeyPosition, place, wrapped};
use aplomb_math::spline::rates;
use nalgebra::Vector3;

/// The cubic spline through values at times, with continuous acceleration. It begins and ends at rest and is
/// constant beyond its end; or it is periodic.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SplineTrajectory {
    /// Times, s, increasing.
    times: Vec<f64>,
    values: Vec<Vector3<f64>>,
    slopes: Vec<Vector3<f64>>,
    repeats: bool,
}

impl SplineTrajectory {
    /// A trajectory through as many `values` as there are `times`, at least one, which must increase. If it
    /// repeats and has at least three values, the last one must equal the first.
    pub(crate) fn new(times: Vec<f64>, values: Vec<Vector3<f64>>, repeats: bool) -> SplineTrajectory {
        debug_assert!(!times.is_empty() && times.len() == values.len());
        let last = times.len() - 1;
        let repeats = repeats && last >= 2;
        let slopes = rates(&times, &values, repeats);
        SplineTrajectory { times, values, slopes, repeats }
    }

    /// Value, velocity and acceleration at a time.
    pub(crate) fn at(&self, time: f64) -> [Vector3<f64>; 3] {
        let time = if self.repeats { wrapped(&self.times, time) } else { time };
        match place(&self.times, time) {
            KeyPosition::At(key) => [self.values[key], Vector3::zeros(), Vector3::zeros()],
            KeyPosition::Between(span) => span.cubic(&self.values, &self.slopes),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn course(repeats: bool) -> SplineTrajectory {
        let values = [[0.0, 1.0, 0.0], [1.0, 0.5, 0.2], [0.3, -1.0, 0.1], [0.0, 1.0, 0.0]];
        SplineTrajectory::new(vec![0.5, 1.0, 2.5, 3.0], values.map(Vector3::from).to_vec(), repeats)
    }

    #[test]
    fn it_passes_through_its_values_with_continuous_rates() {
        for repeats in [false, true] {
            let course = course(repeats);
            for (time, value) in course.times.clone().iter().zip(&course.values) {
                let [[before, v0, a0], [after, v1, a1]] = [time - 1e-9, time + 1e-9].map(|t| course.at(t));
                assert!((before - value).norm() < 1e-7 && (after - value).norm() < 1e-7);
                // A periodic trajectory starts with a non-zero rate.
                assert!(repeats && *time == 0.5 || (v1 - v0).norm() < 1e-6, "at {time} s");
                let inside = *time > 0.5 && (repeats || *time < 3.0);
                assert!(!inside || (a1 - a0).norm() < 1e-5, "at {time} s");
            }
            for k in 1..40 {
                let (time, h) = (0.5 + 0.0613 * f64::from(k), 1e-5);
                let [y, v, a] = course.at(time);
                let (ahead, behind) = (course.at(time + h)[0], course.at(time - h)[0]);
                assert!(((ahead - behind) / (2.0 * h) - v).norm() < 1e-6);
                assert!(((ahead + behind - y * 2.0) / (h * h) - a).norm() < 1e-3);
            }
        }
    }

    #[test]
    fn it_rests_before_and_after_unless_it_goes_round() {
        let [once, round] = [course(false), course(true)];
        assert_eq!(once.at(0.0), [once.values[0], Vector3::zeros(), Vector3::zeros()]);
        assert_eq!(once.at(9.0), [once.values[3], Vector3::zeros(), Vector3::zeros()]);
        for time in [0.7, 1.9, 2.8] {
            for (a, b) in round.at(time).iter().zip(round.at(time + 7.5)) {
                assert!((a - b).norm() < 1e-9);
            }
        }
        let one = SplineTrajectory::new(vec![1.0], vec![Vector3::x()], false);
        assert_eq!(one.at(5.0)[0], Vector3::x());
    }
}
