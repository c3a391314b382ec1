//! Lints: valid settings that are probably mistakes. Rules are grouped in one file for each noun, each with a
//! name by which a file allows it and `aplomb explain` describes it.

mod bodies;
mod commands;
mod conditions;
mod criteria;
mod events;
mod exits;
mod following;
mod forces;
mod look;
mod names;
mod objectives;
mod others;
mod responses;
mod rule;
mod sense;
mod stance;
mod starts;
mod states;
mod targets;
mod units;
mod way_out;
mod weights;

pub(crate) use look::{LintContext, LintedController, LintedScene};
pub use rule::Rule;

use aplomb_body::model::Model;
use aplomb_language::Spanned;
use aplomb_language::diagnostic::{FileError, Source, Warning, keep_unless_allowed, nearest};
use aplomb_scene::{Run, SceneFiles};
use rule::RuleFindings;

/// All rules: one list per noun.
const RULES: [&[Rule]; 19] = [
    states::RULES,
    exits::RULES,
    conditions::RULES,
    names::RULES,
    weights::RULES,
    responses::RULES,
    targets::RULES,
    stance::RULES,
    following::RULES,
    units::RULES,
    criteria::RULES,
    events::RULES,
    commands::RULES,
    starts::RULES,
    bodies::RULES,
    objectives::RULES,
    forces::RULES,
    others::RULES,
    sense::RULES,
];

/// Every rule, in the order of `aplomb list rules`.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    RULES.into_iter().flatten()
}

/// The rule of this name.
pub fn explain(name: &str) -> Option<&'static Rule> {
    rules().find(|rule| rule.name == name)
}

/// The most similar name of a rule.
pub fn nearest_name(name: &str) -> Option<&'static str> {
    nearest(name, rules().map(|rule| rule.name))
}

pub(crate) use starts::begins_inside;

/// The findings of rules that a run reports too: characters that cannot fall, characters that start inside an
/// object, and queries of other characters without a result.
pub fn of_run(files: &SceneFiles, run: &mut Run) -> Vec<Warning> {
    let mut found = starts::fixed(files, run);
    found.extend(bodies::of_scene(files, run));
    found.extend(starts::begins_inside(files, run));
    found.extend(starts::off_trajectory(files));
    found.extend(starts::coarse_cloths(files));
    found.extend(others::untouchable(files));
    found
}

/// The findings of rules that need only a body's file.
pub fn of_body(model: &Model, source: &Source) -> Vec<Warning> {
    let mut found = bodies::of_body(model, source);
    found.extend(bodies::fixed(model, source));
    found
}

/// Findings of the rules in a scene without mistakes, and in the controllers of its characters.
pub fn of_files(files: &SceneFiles) -> Vec<Warning> {
    // The mistakes of the scene's bodies were reported when the scene was read.
    let Ok(bodies) = files.bodies() else { return Vec::new() };
    let scene = || LintedScene { spec: &files.scene, source: &files.scene_source };
    let dt = *files.scene.dt.get_ref();
    if bodies.is_empty() {
        let model = &Model::empty();
        return look(&LintContext { controller: None, scene: Some(scene()), character: None, model, dt });
    }
    let mut all: Vec<Warning> = Vec::new();
    for (character, model) in files.characters.iter().zip(&bodies) {
        let file = &character.controller;
        let controller = Some(LintedController::new(&file.spec, &file.source));
        let name = Some(character.name.as_str());
        let found = look(&LintContext { controller, scene: Some(scene()), character: name, model, dt });
        let new: Vec<Warning> = found.into_iter().filter(|warning| !all.contains(warning)).collect();
        all.extend(new);
    }
    all
}

/// Findings of the rules in files without mistakes, by file and place, except those that the files allow.
pub(crate) fn look(look: &LintContext<'_>) -> Vec<Warning> {
    let mut all = Vec::new();
    for rule in rules() {
        let Some(find) = rule.find else { continue };
        let mut found = RuleFindings::default();
        find(look, &mut found);
        all.extend(found.warnings.into_iter().map(|Warning(found)| Warning(found.rule(rule.name))));
    }
    if let Some(controller) = &look.controller {
        keep_unless_allowed(&mut all, controller.source, &controller.spec.allow);
    }
    if let Some(scene) = &look.scene {
        keep_unless_allowed(&mut all, scene.source, &scene.spec.allow);
    }
    all.sort_by(|a, b| (&a.0.file, a.0.span.start).cmp(&(&b.0.file, b.0.span.start)));
    all
}

/// Names in `allow` that are not names of rules.
pub(crate) fn unknown(source: &Source, allow: &[Spanned<String>]) -> Vec<FileError> {
    let unknown = allow.iter().filter(|name| explain(name.get_ref()).is_none());
    let mistake = |name: &Spanned<String>| {
        let error = FileError::new(source, name.span(), format!("there is no rule `{name}`"));
        match nearest_name(name.get_ref()) {
            Some(near) => error.help(format!("did you mean `{near}`?")),
            None => error.help("`aplomb list rules` names them"),
        }
    };
    unknown.map(mistake).collect()
}
