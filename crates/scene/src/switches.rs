//! Effects of a scene's events on objectives and constraints of a character.

use crate::{EventKind, EventSpec, SceneFiles};
use aplomb_language::Spanned;
use aplomb_language::diagnostic::FileError;
use aplomb_world::character::{Character, UnknownName};

/// Sets the switches of the character with this index; returns the events whose names are not in its controller.
pub(crate) fn set(files: &SceneFiles, number: usize, character: &mut Character) -> Vec<FileError> {
    let scene = &files.scene;
    // What waits is only looked for; it is switched in its frame.
    let changes = |event: &EventSpec| {
        let all = event.changes(*scene.dt.get_ref(), event.kind == EventKind::Enable);
        all.take(if event.waits() { 0 } else { usize::MAX })
    };
    let mut errors = Vec::new();
    for (name, event) in scene.events.iter().filter(|(_, event)| event.passive.is_none()) {
        // An unknown character was reported with the other events.
        if event.whom(files, name) != Ok(number) {
            continue;
        }
        if let Some(wanted) = &event.objective {
            let switched = character.switch_objective(wanted.get_ref(), changes(event));
            errors.extend(switched.err().map(|error| unknown(files, wanted, "objective", &error)));
        }
        if let Some(wanted) = &event.constraint {
            let switched = character.switch_constraint(wanted.get_ref(), changes(event));
            errors.extend(switched.err().map(|error| unknown(files, wanted, "collision_avoidance", &error)));
        }
    }
    errors
}

fn unknown(files: &SceneFiles, wanted: &Spanned<String>, what: &str, error: &UnknownName) -> FileError {
    let name = wanted.get_ref();
    let message = format!("the controller has no {what} `{name}`");
    let mistake = FileError::new(&files.scene_source, wanted.span(), message);
    mistake.label("there is none of this name").suggest(name, error.known.iter().map(String::as_str))
}
