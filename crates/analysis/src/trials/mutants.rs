//! Changes that should make a scene fail: a criterion that fails with none of them gives no information.

use super::Trial;
use super::experiment::Experiment;
use aplomb_language::files::{in_quotes, quoted};
use aplomb_scene::SceneFiles;
use serde::{Deserialize, Serialize};

/// The part that is removed in a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mutation {
    /// An objective.
    Objective,
    /// The condition that ends a state.
    Until,
    /// An exit of a state.
    Exit,
}

/// A scene without a part of a controller.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mutant {
    /// The removed part.
    pub mutation: Mutation,
    /// The override that removes it, in the form of `--set`.
    pub set: String,
}

/// A mutant with its run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MutantRun {
    /// The mutant.
    #[serde(flatten)]
    pub mutant: Mutant,
    /// Its run as a trial.
    #[serde(flatten)]
    pub run: Trial,
}

/// Every mutant of the scene that its files allow: each objective disabled, each `until` never true, each
/// exit removed.
pub fn mutants(experiment: &Experiment) -> Vec<Mutant> {
    let mut all = candidates(&experiment.files);
    all.retain(|mutant| experiment.with(std::slice::from_ref(&mutant.set)).is_ok());
    all
}

fn candidates(files: &SceneFiles) -> Vec<Mutant> {
    let mut all: Vec<Mutant> = Vec::new();
    let mut add = |mutation: Mutation, set: String| {
        if all.iter().all(|known| known.set != set) {
            all.push(Mutant { mutation, set });
        }
    };
    for (number, character) in files.characters.iter().enumerate() {
        let (of, spec) = (files.controller_path(number), &character.controller.spec);
        for state in 0..spec.states.len() {
            for path in character.controller.objective_paths(state) {
                add(Mutation::Objective, format!("{of}.{path}.enabled=false"));
            }
        }
        for (name, state) in &spec.states {
            let path = format!("{of}.states.{}", quoted(name.get_ref()));
            if state.done.is_some() {
                add(Mutation::Until, format!("{path}.until=false"));
            }
            for (exit, _) in state.to.iter().enumerate().filter(|_| state.to.len() > 1) {
                let rest = state.to.iter().enumerate().filter(|(other, _)| *other != exit);
                let rest: Vec<String> = rest.map(|(_, name)| in_quotes(name.get_ref())).collect();
                add(Mutation::Exit, format!("{path}.to=[{}]", rest.join(", ")));
            }
        }
    }
    all
}

/// Names of the criteria that held in every completed mutant, among those that hold without a change.
pub fn never_failed(criteria: &[String], runs: &[MutantRun]) -> Vec<String> {
    let never = |index: &usize| runs.iter().all(|mutant| mutant.run.held.get(*index) != Some(&false));
    (0..criteria.len()).filter(never).map(|index| criteria[index].clone()).collect()
}
