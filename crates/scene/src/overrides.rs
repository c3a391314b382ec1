//! Overrides of values of a scene and of its controllers: the controller to which an override applies, and the
//! location of the value that it replaces.

use super::load::SceneFiles;
use super::spec::FORMAT;
use aplomb_language::diagnostic::{FileError, Source};
use aplomb_language::files::{Override, OverrideTarget, Written, quoted};
use aplomb_world::controller::ControllerFile;
use std::ops::Range;

impl SceneFiles {
    /// Prefix of the path of a controller's value in `--set`: `controller` with a single character, otherwise
    /// `characters.NAME.controller`.
    pub fn controller_path(&self, character: usize) -> String {
        match (&*self.characters, self.characters.get(character)) {
            ([_, _, ..], Some(one)) => format!("characters.{}.controller", quoted(&one.name)),
            _ => "controller".into(),
        }
    }

    /// The controller to which an override of a controller's value applies.
    fn controller_of(&self, target: &OverrideTarget) -> Option<&ControllerFile> {
        let character = match target {
            OverrideTarget::Scene => None,
            OverrideTarget::Controller => self.characters.first().filter(|_| self.characters.len() == 1),
            OverrideTarget::ControllerOf(name) => {
                self.characters.iter().find(|character| character.name == *name)
            }
        };
        character.map(|character| &character.controller)
    }

    /// The file that contains the value replaced by an override, and its bytes there; `None` if no file contains it
    /// (a default), or if the file is included more than once.
    pub fn written(&self, item: &Override) -> Option<(Source, Range<usize>)> {
        if item.target.is_controller() {
            return self.controller_of(&item.target)?.written(item);
        }
        let file = self.scene_source.file_at(0);
        match item.written(&file, &FORMAT) {
            Written::Here(span) => Some((file, span)),
            Written::Within(..) | Written::Nowhere => None,
        }
    }
}

/// Index of the character to whose controller an override applies.
///
/// # Errors
/// If the override applies to no character, or to several.
pub(super) fn reader_of(item: &Override, names: &[&str]) -> Result<usize, FileError> {
    let source = Source::new("--set", &item.argument);
    let mistake = |message: String| FileError::new(&source, 0..item.argument.len(), message);
    match (&item.target, names) {
        (OverrideTarget::ControllerOf(name), _) => {
            names.iter().position(|known| known == name).ok_or_else(|| {
                let start = item.argument.find(name.as_str()).unwrap_or(0);
                let message = format!("there is no character `{name}`");
                let unknown = FileError::new(&source, start..start + name.len(), message);
                unknown.suggest(name, names.iter().copied())
            })
        }
        (_, [_]) => Ok(0),
        (_, []) => {
            let message = "this has no effect: the scene has no character";
            Err(mistake(message.into()).help("a scene's own values are set without `controller.` in front"))
        }
        (_, [first, ..]) => {
            let path = item.argument.trim_start().trim_start_matches("controller.");
            let message = format!("the scene has {} characters: name one", names.len());
            Err(mistake(message)
                .help(format!("for example `characters.{}.controller.{path}`", quoted(first))))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(scene: &str, path: &str) -> Option<(String, String)> {
        let files = crate::load(scene, &[]).unwrap();
        let (file, span) = files.written(&Override::parse(&format!("{path}=1")).unwrap())?;
        Some((file.name.rsplit('/').next()?.to_string(), file.text[span].to_string()))
    }

    #[test]
    fn a_value_is_found_where_it_is_written_in_the_file_that_writes_it() {
        let said = |file: &str, value: &str| Some((file.to_string(), value.to_string()));
        let name = |file: &str| written("foot_to_foot", file);
        assert_eq!(written("balance_push", "events.push.duration"), said("balance_push.toml", "0.15"));
        assert_eq!(written("balance_push", "events.push.impulse.0"), said("balance_push.toml", "24"));
        let weight = "controller.states.balance.objectives.\"com over support\".weight";
        assert_eq!(written("balance_push", weight), said("balance.toml", "200.0"));
        // Values of included files: by the path in the including controller, and by the path in the included file.
        for path in ["controller.parameters.both.outward", "controller.include.both.parameters.outward"] {
            let (file, value) = name(path).expect(path);
            assert_eq!((file.trim_end_matches(".toml"), &*value), ("step_recovery", "0.055"), "{path}");
        }
        // `one_foot` is included twice, and a default is in no file.
        let twice = "controller.include.left.states";
        assert_eq!(written("foot_to_foot", twice), None);
        assert_eq!(written("balance_push", "torque_change_weight"), None);
        assert_eq!(written("balance_push", "events.shove.duration"), None);
    }
}
