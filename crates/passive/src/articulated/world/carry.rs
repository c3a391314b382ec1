//! Surfaces that follow a course, and carry what stands on them.

use crate::articulated::World;
use crate::articulated::surface::Carrier;
use aplomb_body::contact;

/// Time over which velocities are taken before the first step, s.
const FIRST_LOOK: f64 = 1e-3;

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
