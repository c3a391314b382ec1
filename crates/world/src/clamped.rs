//! Commands that were set beyond their ranges.

use super::contents::World;
use crate::controller::{ClampedValue, CommandValue};
use aplomb_math::seconds::seconds;
use serde::Serialize;
use std::fmt;

/// A command that was set beyond its range and clamped to it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ClampedCommand {
    /// Name of the character.
    pub character: String,
    /// Name of the command in the controller.
    pub command: String,
    /// The name by which it was set: the name of a command in an included controller may lack the name of the
    /// include.
    pub set_as: String,
    /// Its unit, for display.
    pub unit: String,
    /// Time at which it was first set beyond its range, s.
    pub time: f64,
    /// The value that was farthest beyond.
    pub value: CommandValue,
    /// Smallest and largest value of each of its numbers.
    pub range: [f64; 2],
}

impl fmt::Display for ClampedCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ClampedCommand { set_as, unit, time, value, range: [low, high], .. } = self;
        let unit = if unit.is_empty() { String::new() } else { format!(" {unit}") };
        write!(
            f,
            "command `{set_as}` was clamped to its range, {low} to {high}{unit}: it was set to {value}{unit}, \
             beyond it first at {time} s",
            time = seconds(time)
        )
    }
}

impl World {
    /// The commands of all characters that were set beyond their ranges. If a command was also set in included
    /// controllers, only the outermost is listed.
    pub fn clamped_commands(&self) -> Vec<ClampedCommand> {
        let mut all: Vec<ClampedCommand> = Vec::new();
        for actor in &self.actors {
            let character = &actor.character;
            let mut own: Vec<ClampedCommand> = Vec::new();
            for command in character.machine.commands.iter() {
                let Some(ClampedValue { value, since }) = command.clamped else { continue };
                own.push(ClampedCommand {
                    character: character.name.clone(),
                    command: command.name.to_string(),
                    set_as: character.machine.commands.set_as(command),
                    unit: command.unit.to_string(),
                    time: since,
                    value,
                    range: command.range,
                });
            }
            own.sort_by_key(|clamped| clamped.command.len());
            let mut outermost: Vec<ClampedCommand> = Vec::new();
            for clamped in own {
                let is_inside = |outer: &ClampedCommand| {
                    clamped.command.ends_with(&format!(".{}", outer.command))
                        && (outer.value, outer.time) == (clamped.value, clamped.time)
                };
                if !outermost.iter().any(is_inside) {
                    outermost.push(clamped);
                }
            }
            all.extend(outermost);
        }
        all
    }
}
