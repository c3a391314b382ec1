//! Dry friction of joints as constraints of a step: each joint should be at rest at the end of the step, by a force
//! within its friction limit.

use crate::articulated::lcp::Law;
use crate::articulated::{ArticulatedWorld, JointDryFriction};

impl ArticulatedWorld {
    /// Dry friction of the joints of all systems, with the forces of the last step.
    pub fn dry_friction(&self) -> &[JointDryFriction] {
        &self.dry_friction
    }

    pub(super) fn hold_dry_friction(&mut self, h: f64) {
        let ArticulatedWorld { dry_friction, systems, constraints, .. } = self;
        for joint in dry_friction {
            let system = &mut systems[joint.system];
            // Friction stops a joint within a step, so that the motion is not smooth and cannot be centred.
            system.held = true;
            let wanted = -system.state.v[joint.coordinate] / h;
            let law = Law::Between { lower: -joint.limit, upper: joint.limit };
            joint.row = Some(constraints.push(joint.row(system), law, wanted, joint.force));
        }
    }

    pub(super) fn read_dry_friction(&mut self) {
        for joint in &mut self.dry_friction {
            let Some(at) = joint.row else { continue };
            joint.force = self.constraints.forces()[at];
            self.systems[joint.system].held = true;
        }
    }
}
