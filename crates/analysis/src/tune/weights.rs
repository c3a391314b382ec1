//! All weights of a controller: those that are plain numbers, and the parameters from which the others are computed.

use aplomb_scene::SceneFiles;

/// Paths in the form of `--set` and values, for the objectives of every character's controller in order, each once.
/// Zero weights have no effect and are omitted.
pub fn weights(files: &SceneFiles) -> Vec<(String, f64)> {
    let mut weights: Vec<(String, f64)> = Vec::new();
    let mut add = |path: String, value: f64| {
        if value > 0.0 && value.is_finite() && weights.iter().all(|(known, _)| *known != path) {
            weights.push((path, value));
        }
    };
    for (number, character) in files.characters.iter().enumerate() {
        let (controller, spec) = (&character.controller, &character.controller.spec);
        let of = files.controller_path(number);
        for (index, state) in spec.states.values().enumerate() {
            let entries = spec.objectives.iter().chain(&state.objectives);
            for (path, entry) in controller.objective_paths(index).iter().zip(entries) {
                if let Some(value) = entry.weight.plain() {
                    add(format!("{of}.{path}.weight"), value);
                    continue;
                }
                let text = controller.source.slice(entry.weight.span());
                for word in
                    text.split(|letter: char| !letter.is_alphanumeric() && letter != '_' && letter != '.')
                {
                    let offset = entry.weight.span().start;
                    let whole = controller.source.namespace(offset).map(|of_file| of_file.whole(word));
                    let name = whole.as_deref().unwrap_or(word);
                    if let Some(value) = spec.parameters.get(name) {
                        add(format!("{of}.parameters.{name}"), *value.get_ref());
                    }
                }
            }
        }
    }
    weights
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_path_of_a_weight_is_one_that_files_take() {
        for scene in ["step_push", "foot_to_foot", "hold_hands"] {
            let files = aplomb_scene::load(scene, &[]).unwrap();
            let weights = weights(&files);
            assert!(weights.len() > 10, "{scene}");
            let sets: Vec<String> = weights.iter().map(|(path, _)| format!("{path}=1.5")).collect();
            let loaded = aplomb_scene::load(scene, &sets);
            assert!(loaded.is_ok(), "{scene}: {:?}", loaded.err());
        }
    }

    #[test]
    fn weights_are_numbers_of_objectives_and_parameters_in_their_expressions() {
        let files = aplomb_scene::load("step_push", &[]).unwrap();
        let weights = weights(&files);
        let value = |path: &str| weights.iter().find(|(known, _)| known == path).map(|(_, value)| *value);
        assert_eq!(value("controller.objectives.\"rest pose\".weight"), Some(0.02));
        assert_eq!(value("controller.states.balance.objectives.\"com over support\".weight"), Some(20.0));
        assert_eq!(value("controller.parameters.settle_weight"), Some(0.65));
        assert_eq!(value("controller.parameters.outward"), None);
    }
}
