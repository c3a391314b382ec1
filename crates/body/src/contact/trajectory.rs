//! Trajectories of surfaces: pose over time, and presence.
//!
//! A trajectory is a function only of time, so that the displacement of the surface over a frame is known
//! exactly: contacts use the chord between the poses at both ends of the frame, which is exact to every order
//! of dt, and need no instantaneous velocity or acceleration.

use aplomb_math::elementary::sin;
use aplomb_math::interpolation::{KeyPosition, place, smooth};
use nalgebra::{UnitQuaternion, Vector3, Vector6};

/// Position and orientation in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Position, m.
    pub position: Vector3<f64>,
    /// Rotation from its own frame to world axes.
    pub orientation: UnitQuaternion<f64>,
}

impl Pose {
    /// World position (m), at pose `to`, of a point that is at `point` at this pose and fixed to the body.
    pub(crate) fn carry(&self, to: &Pose, point: &Vector3<f64>) -> Vector3<f64> {
        let local = self.orientation.inverse_transform_vector(&(point - self.position));
        to.position + to.orientation * local
    }

    /// Direction, at pose `to`, of a direction at this pose that is fixed to the body; world axes.
    pub(crate) fn turn(&self, to: &Pose, direction: &Vector3<f64>) -> Vector3<f64> {
        to.orientation * self.orientation.inverse_transform_vector(direction)
    }
}

/// A trajectory as the sum of its parts. Without parts the surface is fixed and always present.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trajectory {
    parts: Vec<TrajectoryTerm>,
    /// Times, s, from which on the surface is present (true) or absent, in order.
    presence: Vec<(f64, bool)>,
    /// The last motion of `drive_to`, if any; it replaces the parts from then on.
    driven: Option<Driven>,
    /// Whether something may be added during the run.
    may_change: bool,
}

/// The last motions of `drive_to`: through each pose at its time (s), with constant velocity between them.
#[derive(Clone, Debug, PartialEq)]
struct Driven {
    through: [(f64, Pose); 3],
}

impl Driven {
    fn pose(&self, time: f64) -> Pose {
        let [first, second, third] = &self.through;
        let (from, to) = if time <= second.0 { (first, second) } else { (second, third) };
        let share = ((time - from.0) / (to.0 - from.0)).clamp(0.0, 1.0);
        Pose {
            position: from.1.position.lerp(&to.1.position, share),
            orientation: from
                .1
                .orientation
                .try_slerp(&to.1.orientation, share, 1e-9)
                .unwrap_or(to.1.orientation),
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
enum TrajectoryTerm {
    Sinusoid(Sinusoid),
    Path(CubicPath),
}

/// Sinusoid: amplitude · sin(2π f (t − begin) + phase).
#[derive(Clone, Debug, PartialEq)]
pub struct Sinusoid {
    /// Amplitude of the displacement in world axes, m, and of the rotation as roll, pitch and yaw, rad.
    pub amplitude: Vector6<f64>,
    /// Frequency f, Hz.
    pub frequency: f64,
    /// Phase, rad.
    pub phase: f64,
    /// Window in which it acts; `None` for always.
    pub window: Option<Window>,
}

/// A time window with a smooth beginning and end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Window {
    /// Time at which the window opens, s.
    pub begin: f64,
    /// Time at which the window closes, s.
    pub end: f64,
    /// Length of the transition at both ends, s.
    pub ramp: f64,
}

impl Window {
    /// Factor from 0 outside to 1 inside, with a continuous rate.
    fn share(&self, time: f64) -> f64 {
        let rise = |since: f64| smooth((since / self.ramp).clamp(0.0, 1.0));
        rise(time - self.begin) * rise(self.end - time)
    }
}

/// A piecewise cubic through given displacements at given times, with a continuous rate: slopes at the times
/// are weighted harmonic means of those of the chords (Fritsch and Butland 1984), so that it does not
/// overshoot, and zero at turning points and both ends.
#[doc(alias = "PCHIP")]
#[doc(alias = "monotone cubic")]
#[derive(Clone, Debug, PartialEq)]
pub struct CubicPath {
    /// Times, s, increasing.
    times: Vec<f64>,
    /// Displacement and rotation as in [`Sinusoid::amplitude`].
    values: Vec<Vector6<f64>>,
    slopes: Vec<Vector6<f64>>,
}

impl CubicPath {
    /// A path with increasing `times` and a value for each.
    pub fn new(times: Vec<f64>, values: Vec<Vector6<f64>>) -> Self {
        let step = |k: usize| times[k + 1] - times[k];
        let slope = |k: usize| {
            let (before, after) = (step(k - 1), step(k));
            let (a, b) = ((values[k] - values[k - 1]) / before, (values[k + 1] - values[k]) / after);
            let weight = (2.0 * after + before) / (3.0 * (before + after));
            a.zip_map(&b, |a, b| if a * b > 0.0 { a * b / (weight * b + (1.0 - weight) * a) } else { 0.0 })
        };
        let last = times.len().saturating_sub(1);
        let slopes = (0..times.len()).map(|k| if k == 0 || k == last { Vector6::zeros() } else { slope(k) });
        CubicPath { slopes: slopes.collect(), times, values }
    }

    fn value(&self, time: f64) -> Vector6<f64> {
        match place(&self.times, time) {
            KeyPosition::At(key) => self.values[key],
            KeyPosition::Between(span) => span.cubic(&self.values, &self.slopes)[0],
        }
    }
}

impl Trajectory {
    /// Adds a sinusoidal motion.
    pub fn swing(&mut self, swing: Sinusoid) {
        self.parts.push(TrajectoryTerm::Sinusoid(swing));
    }

    /// Adds a path with at least one time.
    pub fn path(&mut self, path: CubicPath) {
        self.parts.push(TrajectoryTerm::Path(path));
    }

    /// Sets whether the surface is present from `time` on, until the next such time. Before the first such
    /// time it is the opposite.
    pub fn set_present(&mut self, time: f64, present: bool) {
        self.presence.push((time, present));
        self.presence.sort_by(|a, b| a.0.total_cmp(&b.0));
    }

    /// Says that motions may be added during the run, so that records have the surface's pose from the beginning.
    pub fn expect_changes(&mut self) {
        self.may_change = true;
    }

    /// Moves a surface with the initial pose `rest` from its pose at `time` (s) to `pose` within `dt`
    /// seconds.
    pub(crate) fn drive_to(&mut self, rest: &Pose, pose: Pose, time: f64, dt: f64) {
        let (before, now) = (self.pose(rest, time - dt), self.pose(rest, time));
        self.driven = Some(Driven { through: [(time - dt, before), (time, now), (time + dt, pose)] });
    }

    /// Whether the surface never moves.
    pub(crate) fn is_still(&self) -> bool {
        self.parts.is_empty() && self.presence.is_empty() && self.driven.is_none() && !self.may_change
    }

    /// Whether the surface is present at `time`, s.
    pub(crate) fn is_present(&self, time: f64) -> bool {
        match self.presence.iter().rev().find(|(from, _)| *from <= time) {
            Some((_, present)) => *present,
            None => self.presence.first().is_none_or(|(_, present)| !present),
        }
    }

    /// Pose at `time` (s) of a surface with the initial pose `rest`. It rotates about that position and the
    /// world's axes.
    pub(crate) fn pose(&self, rest: &Pose, time: f64) -> Pose {
        if let Some(driven) = &self.driven {
            return driven.pose(time);
        }
        let moved: Vector6<f64> = self
            .parts
            .iter()
            .map(|part| match part {
                TrajectoryTerm::Sinusoid(swing) => {
                    let since = time - swing.window.map_or(0.0, |window| window.begin);
                    let share = swing.window.map_or(1.0, |window| window.share(time));
                    let angle = std::f64::consts::TAU * swing.frequency * since + swing.phase;
                    swing.amplitude * (share * sin(angle))
                }
                TrajectoryTerm::Path(path) => path.value(time),
            })
            .sum();
        let turn = UnitQuaternion::from_euler_angles(moved[3], moved[4], moved[5]);
        Pose { position: rest.position + moved.fixed_rows::<3>(0), orientation: turn * rest.orientation }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path() -> CubicPath {
        let values = [0.0, 1.0, 3.0, 3.0, 2.0].map(|x| Vector6::new(x, 0.0, 0.0, 0.0, 0.0, 0.1 * x));
        CubicPath::new(vec![0.0, 1.0, 1.5, 2.5, 4.0], values.to_vec())
    }

    fn largest_jump(value: impl Fn(f64) -> f64) -> f64 {
        let rate = |k: i32| (value(f64::from(k + 1) * 1e-3) - value(f64::from(k) * 1e-3)) * 1e3;
        (-100..4500).map(|k| (rate(k + 1) - rate(k)).abs()).fold(0.0, f64::max)
    }

    #[test]
    fn a_path_goes_through_its_times_with_a_continuous_rate_and_never_beyond_them() {
        let path = path();
        for (time, x) in [(-1.0, 0.0), (0.0, 0.0), (1.0, 1.0), (1.5, 3.0), (2.0, 3.0), (4.0, 2.0), (9.0, 2.0)]
        {
            assert!((path.value(time)[0] - x).abs() < 1e-12, "{time}");
        }
        let jump = largest_jump(|time| path.value(time)[0]);
        assert!(jump < 0.1, "{jump} m/s in a millisecond; a kink would be about 2 m/s");
        let all = (0..4000).map(|k| path.value(f64::from(k) * 1e-3)[0]);
        assert!(all.fold(0.0, f64::max) <= 3.0 + 1e-12);
        let mid = (path.value(1.001)[0] - path.value(0.999)[0]) / 2e-3;
        assert!(mid > 1.0, "it does not stop on its way: {mid} m/s");
    }

    #[test]
    fn a_window_lets_a_swing_come_and_go_with_a_continuous_rate() {
        let mut course = Trajectory::default();
        let amplitude = Vector6::new(0.03, 0.0, 0.0, 0.0, 0.0, 0.0);
        let window = Some(Window { begin: 1.0, end: 3.0, ramp: 0.4 });
        course.swing(Sinusoid { amplitude, frequency: 1.0, phase: 0.6, window });
        let rest = Pose { position: Vector3::zeros(), orientation: UnitQuaternion::identity() };
        let x = |time: f64| course.pose(&rest, time).position.x;
        assert_eq!((x(0.9), x(3.1)), (0.0, 0.0));
        assert!((x(2.0) - 0.03 * 0.6f64.sin()).abs() < 1e-12);
        assert!(largest_jump(x) < 5e-3, "{} m/s; a kink would be 0.04 m/s or more", largest_jump(x));
    }

    #[test]
    fn what_appears_first_was_not_there_before() {
        let mut course = Trajectory::default();
        assert!(course.is_still() && course.is_present(0.0));
        course.set_present(2.0, false);
        assert!(course.is_present(1.9) && !course.is_present(2.0));
        course.set_present(1.0, true);
        assert!(!course.is_present(0.9) && course.is_present(1.0) && !course.is_present(2.5));
    }

    #[test]
    fn a_point_is_carried_with_its_carrier() {
        let at = |x: f64, yaw: f64| Pose {
            position: Vector3::new(x, 0.0, 0.0),
            orientation: UnitQuaternion::from_euler_angles(0.0, 0.0, yaw),
        };
        let carried = at(1.0, 0.0).carry(&at(2.0, std::f64::consts::FRAC_PI_2), &Vector3::new(1.5, 0.0, 0.3));
        assert!((carried - Vector3::new(2.0, 0.5, 0.3)).norm() < 1e-12);
    }
}
