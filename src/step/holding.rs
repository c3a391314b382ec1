//! What a run does about grips: those it begins with, and those that bear too much.

use super::Simulation;
use crate::character::Character;
use crate::constraint::joint_limits;
use crate::grip::{Grip, Want};
use crate::predict::limited_coordinates;
use crate::quantity::Measure;
use crate::record;
use crate::trace::Outcome;

impl Simulation {
    /// Takes hold of what the start state holds, before the first frame.
    pub(super) fn take_hold(&mut self) {
        let Character { model, sense, machine, .. } = &mut self.character;
        if !machine.starts_holding() {
            return;
        }
        sense.update(model);
        machine.begin(&Measure { model, sense });
        let wanted: Vec<Want> = machine.wanted(&Measure { model, sense }).collect();
        sense.grips.want(wanted);
        sense.settle(model, &[]);
    }

    /// Where a limp body has no solution because joints would leave their ranges, lets the stops of those joints
    /// react, though they were not near them: what one stop does throws a limb against the next. True where there
    /// was such a joint.
    pub(super) fn stop_thrown_joints(&mut self) -> bool {
        let Character { model, sense, synthesiser, .. } = &mut self.character;
        let Outcome::Failed { rows, .. } = &synthesiser.result().outcome else { return false };
        if !sense.limp {
            return false;
        }
        let leaves = |coordinate: usize| rows.contains(&joint_limits::name(model, coordinate));
        let limited = limited_coordinates(model, &sense.state.q).map(|(coordinate, ..)| coordinate);
        let known = &synthesiser.linearisation.thrown;
        let thrown: Vec<usize> = limited.filter(|k| !known.contains(k) && leaves(*k)).collect();
        synthesiser.linearisation.thrown.extend(&thrown);
        !thrown.is_empty()
    }

    /// Breaks the grip that bears most beyond its limit; where there is no solution, one that has a part in the
    /// contradiction. True where one broke.
    pub(super) fn break_grip(&mut self) -> bool {
        let Character { sense, synthesiser, .. } = &mut self.character;
        let result = synthesiser.result();
        let breaking = if let Outcome::Failed { rows, .. } = &result.outcome {
            let is_named = |grip: &Grip| rows.iter().any(|row| **row == *grip.name);
            let named = sense.grips.list.iter().position(is_named);
            named.or(sense.grips.list.len().checked_sub(1))
        } else {
            record::grip_forces(sense, &result.unknowns, &synthesiser.linearisation, &mut self.grip_forces);
            let forces = self.grip_forces.iter().map(|force| force.norm()).enumerate();
            let most = forces.max_by(|a, b| a.1.total_cmp(&b.1));
            most.filter(|(_, force)| *force > sense.grips.limits.force).map(|(grip, _)| grip)
        };
        if let Some(grip) = breaking {
            sense.grips.break_off(grip);
        }
        breaking.is_some()
    }
}
