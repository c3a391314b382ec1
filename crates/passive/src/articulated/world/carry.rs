//! Surfaces that follow a trajectory, and carry objects on them.

use crate::articulated::ArticulatedWorld;
use crate::articulated::surface::SurfaceMotion;
use aplomb_body::contact;

/// Time over which velocities are computed before the first step, s.
const FIRST_LOOK: f64 = 1e-3;

impl ArticulatedWorld {
    /// Makes a surface follow a trajectory in simulated time. Objects on it are carried along by friction.
    pub(crate) fn carry_surface(&mut self, surface: usize, course: contact::Surface) {
        self.surfaces[surface].carrier = Some(SurfaceMotion { course, lookahead: 1.0 });
        self.carry_surfaces(self.time, FIRST_LOOK);
    }

    /// Sets moving surfaces to their poses at `time`, with the velocity of their displacement over the next
    /// `h` seconds.
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
