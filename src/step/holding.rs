//! What a run does about grips: those it begins with, and those that bear too much.

use super::Simulation;
use crate::character::Character;
use crate::grip::{Grip, Want};
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
