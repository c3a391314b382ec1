//! What events of a scene add to the character's goals and constraints, and drop from them.

use super::Goal;
use crate::constraint::BoundKeepApart;
use crate::language::diagnostic::FileError;
use crate::scene::{EventKind, EventSpec, SceneFiles};
use toml::Spanned;

/// Sets the switches; returns the events that mean nothing the controller has.
pub fn set(files: &SceneFiles, goals: &mut [Vec<Goal>], apart: &mut [BoundKeepApart]) -> Vec<FileError> {
    let (scene, states) = (&files.scene, &files.controller.states);
    let changes = |event: &EventSpec| event.changes(*scene.dt.get_ref(), event.kind == EventKind::Add);
    let mut errors = Vec::new();
    for event in scene.events.values().filter(|event| event.passive.is_none()) {
        if let Some(wanted) = &event.objective {
            let mut found = false;
            for (state, goals) in states.keys().zip(goals.iter_mut()) {
                for goal in goals.iter_mut().filter(|goal| means(wanted.get_ref(), state.get_ref(), goal)) {
                    goal.switch.turn(changes(event));
                    found = true;
                }
            }
            if !found {
                let known = goals.iter().flatten().map(|goal| goal.terms.name.as_str());
                errors.push(unknown(files, wanted, "objective", known));
            }
        }
        if let Some(wanted) = &event.constraint {
            match apart.iter_mut().find(|kept| *kept.name == **wanted.get_ref()) {
                Some(kept) => kept.switch.turn(changes(event)),
                None => {
                    errors.push(unknown(files, wanted, "keep_apart", apart.iter().map(|kept| &*kept.name)));
                }
            }
        }
    }
    errors
}

/// Whether `wanted` is the goal's name, or `STATE.NAME`.
fn means(wanted: &str, state: &str, goal: &Goal) -> bool {
    let own = goal.terms.name.as_str();
    wanted == own || wanted.strip_prefix(state).and_then(|rest| rest.strip_prefix('.')) == Some(own)
}

fn unknown<'k>(
    files: &SceneFiles,
    wanted: &Spanned<String>,
    what: &str,
    names: impl Iterator<Item = &'k str>,
) -> FileError {
    let mut known: Vec<&str> = Vec::new();
    for name in names {
        if !known.contains(&name) {
            known.push(name);
        }
    }
    let name = wanted.get_ref();
    let message = format!("the controller has no {what} `{name}`");
    let error = FileError::new(&files.scene_source, wanted.span(), message);
    error.label("there is none of this name").suggest(name, known)
}
