//! A trial as a separate scene file.

use super::Trial;
use super::experiment::Experiment;
use aplomb_language::files::{Override, OverrideTarget};
use std::fs;
use std::path::Path;

/// A trial as a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedTrial {
    /// The scene, as TOML.
    pub text: String,
    /// Controllers that contain drawn values, by their names in the scene.
    pub controllers: Vec<(String, String)>,
    /// `PATH=VALUE` of values that none of these files contains and that must be set.
    pub(crate) unwritten: Vec<String>,
}

/// A scene with the values of a trial, which runs like the trial from any folder. `name`: prefix of the file names of
/// its controllers.
///
/// # Errors
/// If the scene cannot be parsed as TOML, as text.
pub fn save(experiment: &Experiment, trial: &Trial, name: &str) -> Result<SavedTrial, String> {
    let files = &experiment.files;
    let written = files.scene_source.file_at(0);
    let mut table: toml::Table = written.text.parse().map_err(|error: toml::de::Error| error.to_string())?;
    table.remove("trials");
    let sets: Vec<String> = files.overrides.iter().cloned().chain(experiment.sets(&trial.values)).collect();
    let mut of_controllers = Vec::new();
    for set in &sets {
        let item = Override::parse(set).map_err(|mistake| mistake.message)?;
        match item.target {
            OverrideTarget::Scene if set.trim_start().starts_with("trials") => {}
            OverrideTarget::Scene => item.put(&mut table)?,
            OverrideTarget::Controller | OverrideTarget::ControllerOf(_) => of_controllers.push(item),
        }
    }
    if let Some(folder) = files.locator.path().as_deref().and_then(Path::parent) {
        for section in ["characters", "passive", "terrain", "events"] {
            table.get_mut(section).into_iter().for_each(|value| anchor(value, folder));
        }
    }
    let (controllers, unwritten) = controllers(experiment, &mut table, &of_controllers, name);
    let text = toml::to_string(&table).map_err(|error| error.to_string())?;
    let failed = match trial.failed_criteria.as_slice() {
        [] => trial.reason.lines().next().unwrap_or_default().to_string(),
        criteria => format!("failed {}", criteria.join(", ")),
    };
    let (number, seed) = (trial.trial, experiment.seed);
    let mut head = format!("# Trial {number} of {}, seed {seed}: {failed}\n", files.name);
    for set in &unwritten {
        head += &format!("# to be run with --set '{set}'\n");
    }
    Ok(SavedTrial { text: head + &text, controllers, unwritten })
}

/// Makes references to files on disk absolute.
fn anchor(value: &mut toml::Value, folder: &Path) {
    match value {
        toml::Value::String(text) => {
            let beside = folder.join(&text);
            let with_ending = ["", ".toml", ".xml"].map(|ending| format!("{}{ending}", beside.display()));
            let there = with_ending.iter().find(|path| Path::new(path).is_file());
            if let Some(path) = there.and_then(|path| fs::canonicalize(path).ok()) {
                *text = path.display().to_string();
            }
        }
        toml::Value::Array(values) => values.iter_mut().for_each(|value| anchor(value, folder)),
        toml::Value::Table(table) => table.iter_mut().for_each(|(_, value)| anchor(value, folder)),
        _ => {}
    }
}

/// Controllers with the values inserted, if their own files contain these; other values must be set.
fn controllers(
    experiment: &Experiment,
    table: &mut toml::Table,
    items: &[Override],
    name: &str,
) -> (Vec<(String, String)>, Vec<String>) {
    let (mut made, mut unwritten) = (Vec::new(), Vec::new());
    for (number, character) in experiment.files.characters.iter().enumerate() {
        let own = items.iter().filter(|item| match &item.target {
            OverrideTarget::ControllerOf(of) => *of == character.name,
            OverrideTarget::Controller => number == 0,
            OverrideTarget::Scene => false,
        });
        let (file, mut edits) = (character.controller.source.file_at(0), Vec::new());
        // Included files are found relative to the controller.
        let is_alone = character.controller.source.included().next().is_none();
        for item in own {
            match character
                .controller
                .written(item)
                .filter(|(source, _)| is_alone && source.name == file.name)
            {
                Some((_, span)) => {
                    // The last value counts.
                    edits.retain(|(other, _): &(std::ops::Range<usize>, &str)| *other != span);
                    edits.push((span, item.value_text()));
                }
                None => unwritten.push(item.argument.clone()),
            }
        }
        let entry = table.get_mut("characters").and_then(|all| all.get_mut(&*character.name));
        let (Some(entry), false) = (entry.and_then(toml::Value::as_table_mut), edits.is_empty()) else {
            continue;
        };
        edits.sort_by_key(|(span, _)| span.start);
        let mut text = file.text.to_string();
        for (span, value) in edits.into_iter().rev() {
            text.replace_range(span, value);
        }
        let file_name = format!("{name}-{number}-controller.toml");
        entry.insert("controller".into(), toml::Value::String(file_name.clone()));
        made.push((file_name, text));
    }
    (made, unwritten)
}
