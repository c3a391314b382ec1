//! Coupled joints as constraints of a step.

use crate::articulated::ArticulatedWorld;
use crate::articulated::lcp::Law;

impl ArticulatedWorld {
    pub(super) fn hold_couplings(&mut self) {
        let ArticulatedWorld { couplings, systems, constraints, .. } = self;
        for joint in couplings {
            let system = &systems[joint.system];
            let row = joint.row(system);
            joint.row = Some(constraints.push(row, Law::Bilateral, joint.wanted(system), joint.force));
        }
    }

    pub(super) fn strike_couplings(&mut self) {
        let ArticulatedWorld { couplings, systems, constraints, .. } = self;
        for joint in couplings {
            let system = &systems[joint.system];
            let parting = joint.coupling.of_rates(&system.model, &system.state.v);
            joint.row = None;
            constraints.push(joint.row(system), Law::Bilateral, -parting, 0.0);
        }
    }

    pub(super) fn read_couplings(&mut self) {
        for joint in &mut self.couplings {
            joint.force = joint.row.map_or(0.0, |at| self.constraints.forces()[at]);
        }
    }
}
