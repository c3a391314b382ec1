//! Changes of the ground and of obstacles by events.

use super::contents::{ObstacleId, World};
use super::event::first_not_before;
use aplomb_body::contact::{CubicPath, Sinusoid, Trajectory, Window};
use nalgebra::Vector6;

/// A change of a surface, with times from its beginning.
#[derive(Clone, Debug)]
pub enum SurfaceChange {
    /// It oscillates.
    Shake {
        /// Amplitude of the displacement in world axes, m, and of the rotation as roll, pitch and yaw, rad.
        amplitude: Vector6<f64>,
        /// Frequency, Hz.
        frequency: f64,
        /// Time at both ends in which the amplitude grows or decays, s.
        ramp: f64,
        /// Duration, s.
        duration: f64,
    },
    /// It moves to another pose, from rest to rest.
    Move {
        /// Displacement and rotation, as the amplitude of a shake.
        displacement: Vector6<f64>,
        /// Duration, s.
        duration: f64,
    },
    /// It appears or vanishes.
    Presence {
        /// Whether it appears.
        is_present: bool,
        /// Time after which it is as before, s; `None`: never.
        duration: Option<f64>,
    },
}

impl SurfaceChange {
    /// Adds the change to a trajectory, so that it begins at the time `begin`, s.
    pub fn add_to(&self, course: &mut Trajectory, begin: f64, dt: f64) {
        match *self {
            SurfaceChange::Shake { amplitude, frequency, ramp, duration } => {
                let window = Some(Window { begin, end: begin + duration, ramp });
                course.swing(Sinusoid { amplitude, frequency, phase: 0.0, window });
            }
            SurfaceChange::Move { displacement, duration } => {
                let values = vec![Vector6::zeros(), displacement];
                course.path(CubicPath::new(vec![begin, begin + duration], values));
            }
            SurfaceChange::Presence { is_present, duration } => {
                // Between two frames, so that rounding cannot move it to another frame.
                let mut set = |time, present| {
                    course.set_present((first_not_before(time, dt) as f64 - 0.5) * dt, present);
                };
                set(begin, is_present);
                if let Some(duration) = duration {
                    set(begin + duration, !is_present);
                }
            }
        }
    }

    /// Prepares a trajectory for the change, which may come at any time: before it, what appears is absent.
    pub fn announce_to(&self, course: &mut Trajectory) {
        course.expect_changes();
        if let SurfaceChange::Presence { is_present, .. } = self {
            course.set_present(f64::INFINITY, *is_present);
        }
    }
}

impl World {
    /// Changes the ground or an obstacle from the coming frame on.
    pub(super) fn change_surface(&mut self, id: ObstacleId, change: &SurfaceChange) {
        let (time, dt) = (self.time(), self.settings.dt);
        let senses = self.actors.iter_mut().map(|actor| &mut actor.character.snapshot);
        for snapshot in senses.chain([&mut self.scenery.snapshot]) {
            let surface = &mut snapshot.contacts.surfaces[id.0];
            surface.change_course(time, dt, |course| change.add_to(course, time, dt));
        }
        self.passive.set_surface(id.0, &self.scenery.surfaces()[id.0]);
        self.observed.is_current = false;
    }
}
