//! What bodies stand on and run into, which moves on a course if at all.

use super::World;
use crate::contact;
use crate::math::spatial::Force;
use nalgebra::Vector3;

/// Time over which velocities are taken before the first step, s.
const FIRST_LOOK: f64 = 1e-3;

/// What stands still or moves on its course, and is not moved by what hits it.
#[derive(Clone, Debug)]
pub struct Surface {
    pub(super) solid: usize,
    pub(super) carrier: Option<Carrier>,
    /// What it received since the beginning of the step: moment of impulse about the world origin, and impulse.
    pub received: Force,
}

/// A course that a surface follows in simulated time.
#[derive(Clone, Debug)]
pub(super) struct Carrier {
    course: contact::Surface,
    /// The surface's velocity is that of its way over this time, s.
    lookahead: f64,
}

impl Surface {
    /// Velocity of its material point at a world point, m/s: that with which the point comes to where the course
    /// has it at the end of a step, so that what sticks to it neither lags nor drifts.
    pub(super) fn velocity_at(&self, point: &Vector3<f64>) -> Vector3<f64> {
        let carrier = self.carrier.as_ref();
        carrier.map_or_else(Vector3::zeros, |carrier| carrier.course.way_ahead(point) / carrier.lookahead)
    }
}

impl World {
    /// Lets a surface follow a course in simulated time. What stands on it is carried along as far as friction goes.
    pub fn carry_surface(&mut self, surface: usize, course: contact::Surface) {
        self.surfaces[surface].carrier = Some(Carrier { course, lookahead: 1.0 });
        self.carry_surfaces(self.time, FIRST_LOOK);
    }

    /// Puts what moves where it is at `time`, with the velocity of its way over the next `h` seconds.
    pub(super) fn carry_surfaces(&mut self, time: f64, h: f64) {
        for surface in &mut self.surfaces {
            let Some(carrier) = &mut surface.carrier else { continue };
            carrier.course.advance(time, h);
            carrier.lookahead = h;
            let solid = &mut self.collision.solids[surface.solid];
            let pose = carrier.course.pose();
            (solid.position, solid.rotation) =
                (pose.position, pose.orientation.to_rotation_matrix().into_inner());
            solid.present = carrier.course.present;
        }
    }
}
