//! The meaning of a string in a file: an expression, a state, another file.

use super::{AllowedValue, Schema, key};
use crate::outline::{PathStep, is};
use aplomb_analysis::check::Kind;
use aplomb_language::files::Folder;

/// The meaning that a value must have.
#[derive(Clone, Debug)]
pub(crate) enum Expected {
    /// An expression, with the type of its value as schemas name it.
    Expression(&'static str),
    /// A state of the file.
    State,
    /// A name in `include`.
    Include,
    /// A state of the file that is included under this name.
    StateOf(String),
    /// A file, or a shipped one by its name.
    File(Folder),
    /// A joint, or a role of joints.
    Joint,
    /// A body, or a role of one.
    Body,
    /// A rule of `aplomb check`.
    Rule,
    /// A solver.
    Solver,
    /// A character of the scene.
    Character,
    /// An obstacle of the scene, or the ground.
    Obstacle,
    /// A passive object of the scene.
    Object,
    /// An event of the scene.
    Event,
    /// An objective of a controller of the scene.
    Objective,
    /// A command of a controller of the scene.
    Command,
    /// A channel of runs.
    Channel,
    /// One of these values.
    Choice(Vec<AllowedValue>),
    /// Anything else.
    Anything,
}

/// Types whose texts are expressions, as schemas name them.
const EXPRESSIONS: [&str; 9] =
    ["number", "vector", "condition", "expression", "body", "body or site", "site", "hold", "passive object"];

/// The meaning that the value at a path must have.
pub(crate) fn expected(schema: &Schema, kind: Kind, path: &[PathStep]) -> Expected {
    if let Some(known) = by_path(kind, schema.in_its_file(path)) {
        return known;
    }
    let nodes = schema.at(path);
    let named = |name: &&str| nodes.iter().any(|node| node.name.as_deref() == Some(name));
    if let Some(name) = EXPRESSIONS.into_iter().find(|name| named(name)) {
        return Expected::Expression(name);
    }
    let choices: Vec<AllowedValue> = nodes.iter().flat_map(|node| key::choices(node.value)).collect();
    if choices.is_empty() { Expected::Anything } else { Expected::Choice(choices) }
}

/// The meaning of strings that schemas leave unspecified.
fn by_path(kind: Kind, path: &[PathStep]) -> Option<Expected> {
    let any = |patterns: &[&[&str]]| patterns.iter().any(|pattern| is(path, pattern));
    let ends =
        |pattern: &[&str]| path.len() > pattern.len() && is(&path[path.len() - pattern.len()..], pattern);
    Some(match kind {
        Kind::Controller if any(&[&["start"], &["states", "*", "to", "#"], &["states", "*", "else"]]) => {
            Expected::State
        }
        Kind::Controller if any(&[&["include", "*", "start"]]) => {
            Expected::StateOf(path.get(1).and_then(PathStep::key).unwrap_or_default().to_owned())
        }
        Kind::Controller if any(&[&["states", "*", "machine"]]) => Expected::Include,
        Kind::Controller if any(&[&["include", "*", "file"]]) => Expected::File(Folder::Controllers),
        Kind::Controller if ends(&["joints", "#"]) => Expected::Joint,
        Kind::Controller if ends(&["bodies", "#"]) || ends(&["from", "#"]) => Expected::Body,
        Kind::Controller if any(&[&["needs", "obstacles", "#"]]) => Expected::Obstacle,
        Kind::Controller if any(&[&["needs", "passive", "#"]]) => Expected::Object,
        Kind::Scene if any(&[&["characters", "*", "controller"], &["events", "*", "controller"]]) => {
            Expected::File(Folder::Controllers)
        }
        Kind::Scene if any(&[&["characters", "*", "model"]]) => Expected::File(Folder::Characters),
        Kind::Scene if path.len() > 2 && path[0] == PathStep::from("passive") && ends(&["model"]) => {
            Expected::File(Folder::Passive)
        }
        Kind::Scene if any(&[&["characters", "*", "roles", "*"]]) => Expected::Body,
        Kind::Scene if any(&[&["characters", "*", "role_joints", "*", "#"]]) => Expected::Joint,
        Kind::Scene if any(&[&["characters", "*", "role_points", "*", "body"]]) => Expected::Body,
        Kind::Scene if any(&[&["events", "*", "character"]]) => Expected::Character,
        Kind::Scene if any(&[&["events", "*", "obstacle"]]) => Expected::Obstacle,
        Kind::Scene if any(&[&["events", "*", "passive"]]) => Expected::Object,
        Kind::Scene if any(&[&["events", "*", "after"]]) => Expected::Event,
        Kind::Scene if any(&[&["events", "*", "objective"]]) => Expected::Objective,
        Kind::Scene if any(&[&["events", "*", "command"]]) => Expected::Command,
        Kind::Scene if any(&[&["solver"]]) => Expected::Solver,
        Kind::Scene | Kind::Controller if any(&[&["allow", "#"]]) => Expected::Rule,
        Kind::Plot
            if ends(&["channels", "#"])
                || ends(&["extents", "#", "low"])
                || ends(&["extents", "#", "high"]) =>
        {
            Expected::Channel
        }
        _ => return None,
    })
}
