//! The place at which a value of a scene or of its controller is written.

use super::load::SceneFiles;
use super::spec::FORMAT;
use aplomb_language::diagnostic::Source;
use aplomb_language::files::{Override, Written};
use std::ops::Range;

impl SceneFiles {
    /// The file that contains the value replaced by an override, and its bytes there; `None` if the value is
    /// written nowhere (a default), or in a file that is included more than once.
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
        // In included files: by the name in the whole, and by that in the file.
        for path in ["controller.parameters.both.outward", "controller.include.both.parameters.outward"] {
            let (file, value) = name(path).expect(path);
            assert_eq!((file.trim_end_matches(".toml"), &*value), ("step_recovery", "0.055"), "{path}");
        }
        // `one_foot` occurs twice, and a default is written nowhere.
        let twice = "controller.include.left.states";
        assert_eq!(written("foot_to_foot", twice), None);
        assert_eq!(written("balance_push", "torque_change_weight"), None);
        assert_eq!(written("balance_push", "events.shove.duration"), None);
    }
}
