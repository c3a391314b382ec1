//! Switches of articulated objects: loop joints, and springs of joints.

use crate::articulated::{ArticulatedWorld, LoopJoint};
use crate::{SwitchKind, Switchable, SwitchableElement};
use std::ops::Range;

/// Number of kinds of switches, which alternate in the numbering, so that numbers do not change when systems are
/// added: a loop joint, the spring of a joint among those of all systems, all springs of a system.
const KINDS: usize = 3;

impl Switchable for ArticulatedWorld {
    fn switches(&self, parts: &Range<usize>) -> Vec<SwitchableElement> {
        let Some(&(system, _)) = self.parts.get(parts.start) else { return Vec::new() };
        let own = self.loops.iter().enumerate().filter(|(_, joint)| joint.system == system);
        let named = own.filter(|(_, joint)| !joint.name.is_empty());
        let of_loop = |(number, joint): (usize, &LoopJoint)| {
            (SwitchKind::Constraint, joint.name.clone(), KINDS * number)
        };
        let mut switches: Vec<_> = named.map(of_loop).collect();
        let first = self.first_joint(system);
        let joints = self.systems[system].model.joints.iter().enumerate();
        let springs = joints.filter(|(_, joint)| joint.stiffness != 0.0);
        switches.extend(
            springs.map(|(k, joint)| (SwitchKind::Spring, joint.name.clone(), KINDS * (first + k) + 1)),
        );
        if switches.iter().any(|(kind, ..)| *kind == SwitchKind::Spring) {
            switches.push((SwitchKind::Spring, "all".into(), KINDS * system + 2));
        }
        switches.into_iter().map(|(kind, name, number)| SwitchableElement { kind, name, number }).collect()
    }

    fn turn(&mut self, number: usize, on: bool) {
        let index = number / KINDS;
        match number % KINDS {
            0 => {
                if let Some(joint) = self.loops.get_mut(index) {
                    joint.on = on;
                }
            }
            1 => {
                let is_of = |system: &usize| self.first_joint(*system + 1) > index;
                if let Some(system) = (0..self.systems.len()).find(is_of) {
                    self.turn_spring(system, index - self.first_joint(system), on);
                }
            }
            _ => {
                for joint in 0..self.systems.get(index).map_or(0, |system| system.model.joints.len()) {
                    self.turn_spring(index, joint, on);
                }
            }
        }
    }
}

impl ArticulatedWorld {
    /// Index of the first joint of a system among those of all.
    fn first_joint(&self, system: usize) -> usize {
        self.systems[..system].iter().map(|system| system.model.joints.len()).sum()
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
