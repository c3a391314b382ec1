//! Loop joints as constraints of a step.

use crate::articulated::closure::MOST_PAIRS;
use crate::articulated::lcp::Law;
use crate::articulated::{ArticulatedWorld, LoopJoint};
use nalgebra::Vector3;

impl ArticulatedWorld {
    /// Adds a joint that closes a loop and returns its index.
    pub(crate) fn close_loop(&mut self, joint: LoopJoint) -> usize {
        self.loops.push(joint);
        self.loops.len() - 1
    }

    pub(super) fn hold_loops(&mut self) {
        let ArticulatedWorld { loops, systems, constraints, .. } = self;
        for joint in loops {
            joint.row = joint.on.then_some(constraints.len());
            if !joint.on {
                continue;
            }
            joint.each_row(&systems[joint.system], |pair, row, apart, parting, axis| {
                let wanted = joint.gains.acceleration(-apart[axis], -parting[axis]) - row.bias(systems);
                constraints.push(row, Law::Bilateral, wanted, joint.forces[pair][axis]);
            });
        }
    }

    pub(super) fn strike_loops(&mut self) {
        let ArticulatedWorld { loops, systems, constraints, .. } = self;
        for joint in loops {
            joint.row = None;
            if joint.on {
                joint.each_row(&systems[joint.system], |_, row, _, parting, axis| {
                    constraints.push(row, Law::Bilateral, -parting[axis], 0.0);
                });
            }
        }
    }

    pub(super) fn read_loops(&mut self) {
        for joint in &mut self.loops {
            let Some(at) = joint.row else {
                joint.forces = [Vector3::zeros(); MOST_PAIRS];
                continue;
            };
            let forces = self.constraints.forces()[at..].chunks_exact(3);
            for (own, force) in joint.forces.iter_mut().zip(forces).take(joint.pairs.len()) {
                *own = Vector3::from_column_slice(force);
            }
        }
    }
}
