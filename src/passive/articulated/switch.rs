//! What of articulated objects can be enabled and disabled: joints that close loops, and springs of joints.

use super::World;
use crate::passive::{Switch, SwitchKind, Switchable};
use std::ops::Range;

/// Joints that close loops by number, then the joints of all systems one after the other, then the systems themselves, which
/// stand for all of their springs.
impl Switchable for World {
    fn switches(&self, parts: &Range<usize>) -> Vec<Switch> {
        let Some(&(system, _)) = self.parts.get(parts.start) else { return Vec::new() };
        let own = self.loops.iter().enumerate().filter(|(_, joint)| joint.system == system);
        let named = own.filter(|(_, joint)| !joint.name.is_empty());
        let of_loop = |(number, joint): (usize, &super::LoopJoint)| {
            (SwitchKind::Constraint, joint.name.clone(), number)
        };
        let mut switches: Vec<_> = named.map(of_loop).collect();
        let first = self.first_joint(system);
        let joints = self.systems[system].model.joints.iter().enumerate();
        let springs = joints.filter(|(_, joint)| joint.stiffness != 0.0);
        switches.extend(springs.map(|(k, joint)| (SwitchKind::Spring, joint.name.clone(), first + k)));
        if switches.iter().any(|(kind, ..)| *kind == SwitchKind::Spring) {
            switches.push((SwitchKind::Spring, "all".into(), self.first_joint(self.systems.len()) + system));
        }
        switches.into_iter().map(|(kind, name, number)| Switch { kind, name, number }).collect()
    }

    fn turn(&mut self, number: usize, on: bool) {
        if let Some(joint) = self.loops.get_mut(number) {
            joint.on = on;
            return;
        }
        if let Some(system) = number.checked_sub(self.first_joint(self.systems.len())) {
            for joint in 0..self.systems.get(system).map_or(0, |system| system.model.joints.len()) {
                self.turn_spring(system, joint, on);
            }
            return;
        }
        let is_of = |system: &usize| self.first_joint(*system + 1) > number;
        if let Some(system) = (0..self.systems.len()).find(is_of) {
            self.turn_spring(system, number - self.first_joint(system), on);
        }
    }
}

impl World {
    /// Number of the first joint of a system among what can be switched.
    fn first_joint(&self, system: usize) -> usize {
        let before = self.systems[..system].iter().map(|system| system.model.joints.len());
        self.loops.len() + before.sum::<usize>()
    }

    fn turn_spring(&mut self, system: usize, joint: usize, on: bool) {
        let at = self.slack.iter().position(|(of, known, _)| (*of, *known) == (system, joint));
        let own = &mut self.systems[system].model.joints[joint].stiffness;
        match at {
            Some(at) if on => *own = self.slack.swap_remove(at).2,
            None if !on && *own != 0.0 => self.slack.push((system, joint, std::mem::take(own))),
            _ => {}
        }
    }
}
