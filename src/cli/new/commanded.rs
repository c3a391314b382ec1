//! The events of a new scene whose controller has commands: each command is given, and then reset.

use crate::controller::{CommandSpec, CommandValue, ControllerSpec, read_all};
use crate::language::files::{self, Folder};
use std::fmt::Write;

/// Time of the first command, and interval between commands, s.
const FIRST: f64 = 0.5;
const APART: f64 = 1.0;
/// Duration of each command, and time from its end to the end of the scene, s.
const GIVEN: f64 = 3.0;
const AFTER: f64 = 2.5;
/// Value of a command without a range, beyond its default.
const USUAL: f64 = 0.5;
/// The command of controllers that walk, m/s.
const WALK: &str = "walk_velocity";

/// The template of a scene with events that give the controller its commands instead of a push; `None` if the
/// controller has none, or cannot be read.
pub(crate) fn told(controller: &str, template: &str) -> Option<String> {
    let found = files::find(Folder::Controllers, controller, None).ok()?;
    let (_, spec, _) = read_all(found.source, &[]);
    let spec = spec?;
    let commands = commands(&spec);
    let last = FIRST + APART * (commands.len().checked_sub(1)? as f64) + GIVEN;
    let mut events =
        String::from("# What the controller is told (`[commands]` of its file), and is told no more.\n");
    for (index, (name, command)) in commands.iter().enumerate() {
        let at = FIRST + APART * index as f64;
        let unit = if command.unit.is_empty() { String::new() } else { format!("   # {}", command.unit) };
        for (event, at, to) in [("", at, target(command)), ("_no_more", at + GIVEN, default(command))] {
            let _ = write!(
                events,
                "[events.{name}{event}]\nkind = \"command\"\nat = {at:?}   # s\n\
                 command = \"{name}\"\nto = {}{unit}\n\n",
                written(to)
            );
        }
    }
    let (before, rest) = template.split_once("# A shove")?;
    let (_, criteria) = rest.split_once("# What every run")?;
    let walks = commands.iter().any(|(name, _)| name == WALK);
    let mut text = format!("{before}{events}# What every run{criteria}");
    text = text.replace("duration = 4.0 ", &format!("duration = {:.1} ", last + AFTER));
    text = text.replace("events.push.impulse='[0, 24, 0]'", &format!("events.{}.at=1", commands[0].0));
    if walks {
        let frame = "dt = 0.01                 # s, length of a frame\n";
        let swings = "bias_velocity = \"extrapolated\"  # swinging legs are fast\n\
                      contact_response = 0.01         # s\n";
        text = text.replace(frame, &format!("{frame}{swings}"));
        text.push_str("walked = { once = \"com.x > 0.5\" }   # m\n");
    }
    // A character that was given a command need not be at rest at the end.
    Some(text.lines().filter(|line| !line.starts_with("settled")).map(|line| format!("{line}\n")).collect())
}

/// Commands by the names that set them in the whole controller, each once.
fn commands(spec: &ControllerSpec) -> Vec<(String, &CommandSpec)> {
    let mut all: Vec<(String, &CommandSpec)> = Vec::new();
    let mut known: Vec<_> = spec.commands.iter().collect();
    known.sort_by_key(|(name, _)| name.get_ref().matches('.').count());
    for (name, command) in known {
        let last = name.get_ref().rsplit('.').next().unwrap_or_default();
        if all.iter().all(|(other, _)| other != last) {
            all.push((last.to_owned(), command));
        }
    }
    all
}

fn default(command: &CommandSpec) -> CommandValue {
    (*command.default.get_ref()).into()
}

/// Target half-way between the default and the farther end of the range; for a vector, of its first component,
/// forward.
fn target(command: &CommandSpec) -> CommandValue {
    let farther = |default: f64| match command.range.as_ref().map(|range| *range.get_ref()) {
        Some([low, high]) if high - default >= default - low => 0.5 * (default + high),
        Some([low, _]) => 0.5 * (default + low),
        None => default + USUAL,
    };
    match default(command) {
        CommandValue::Number(number) => farther(number).into(),
        CommandValue::Vector([x, y, z]) => [farther(x), y, z].into(),
    }
}

fn written(value: CommandValue) -> String {
    let number = |number: &f64| format!("{}", (number * 1000.0).round() / 1000.0);
    let numbers: Vec<String> = value.numbers().iter().map(number).collect();
    match value {
        CommandValue::Number(_) => numbers.concat(),
        CommandValue::Vector(_) => format!("[{}]", numbers.join(", ")),
    }
}
