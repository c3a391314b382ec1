//! Passive objects, and queries of other characters.

use super::look::{LintContext, LintedController};
use super::rule::{Rule, RuleFindings, rule};
use aplomb_language::diagnostic::{FileError, Source, Warning, keep_unless_allowed};
use aplomb_language::expression::{Syntax, SyntaxNode, WrittenValue};
use aplomb_passive::PassiveSpec;
use aplomb_scene::{Criterion, SceneFiles};

pub(super) const RULES: &[Rule] = &[
    rule!(
        "idle-restitution",
        "An object with `pushed_by_characters` has a `restitution`, which does not apply to its contacts with \
         characters.",
        "`restitution` applies to the ground and other objects. Contacts with characters are unknowns of the \
         characters' frames and do not bounce.",
        Some(idle_restitution)
    ),
    rule!(
        "pass-through",
        "A condition tests whether one character touches another, in a scene in which characters pass through \
         each other.",
        "Without `friction_between_characters`, characters do not collide, so `touches_object` is never true and \
         `force_from` is always 0; grips on each other do not count.",
        None
    ),
    rule!(
        "touches-itself",
        "A condition tests whether a character touches itself.",
        "`touches_object` and `force_from` are about other characters: for the character itself they are false \
         and 0. Conditions under `[characters.NAME.success]` are about that character, those under `[success]` \
         about the first.",
        None
    ),
];

fn idle_restitution(look: &LintContext<'_>, found: &mut RuleFindings) {
    let Some(scene) = &look.scene else { return };
    for (name, object) in &scene.spec.passive {
        if let PassiveSpec::Articulated(object) = object
            && object.pushed_by_characters == Some(true)
            && *object.restitution.get_ref() > 0.0
        {
            let message = format!("`{name}` does not bounce off characters: they push it");
            let help = "leave out `pushed_by_characters` for a ball that hits them, or `allow = \
                        [\"idle-restitution\"]` where it is to bounce off the ground";
            found.say(scene.source, object.restitution.span(), message, help);
        }
    }
}

/// Functions for contact with the object that their second argument names.
const ASK: [&str; 2] = ["touches_object", "force_from"];

/// Queries in criteria and controllers of a scene for contact with characters that they never touch.
pub(super) fn untouchable(files: &SceneFiles) -> Vec<Warning> {
    let scene = &files.scene;
    let mut found = Vec::new();
    for (number, (name, spec)) in scene.characters.iter().enumerate() {
        let own = scene.success.values().filter(|_| number == 0).chain(spec.success.values());
        let own = own.map(Criterion::condition);
        let of_events = scene
            .events
            .iter()
            .filter(|(event, spec)| spec.whom(files, event).is_ok_and(|whom| whom == number));
        let own = own.chain(of_events.filter_map(|(_, event)| event.when.as_ref()));
        let criteria = own.map(|condition| condition.written_as(&files.scene_source));
        let mut look = |source: &Source, written: &WrittenValue| {
            let warning = untouched(files, name.get_ref(), source, written);
            found.extend(warning.filter(|warning| !found.contains(warning)));
        };
        criteria.for_each(|written| look(&files.scene_source, &written));
        if let Some(character) = files.characters.iter().find(|known| known.name == *name.get_ref()) {
            let file = &character.controller;
            let controller = LintedController::new(&file.spec, &file.source);
            controller.expressions().into_iter().for_each(|written| look(controller.source, written));
        }
    }
    for character in &files.characters {
        let file = &character.controller;
        keep_unless_allowed(&mut found, &file.source, &file.spec.allow);
    }
    keep_unless_allowed(&mut found, &files.scene_source, &scene.allow);
    found
}

/// The first query in an expression of the character `own` that has no result.
fn untouched(files: &SceneFiles, own: &str, source: &Source, written: &WrittenValue) -> Option<Warning> {
    let node = written.expression()?;
    node.all().into_iter().find_map(|part| {
        let (function, whom, other) = asked(part)?;
        let scene = &files.scene;
        // A passive object of that name takes precedence.
        if !scene.characters.contains_key(other.as_str()) || scene.passive.contains_key(other.as_str()) {
            return None;
        }
        let error = |message: String| FileError::new(source, written.place(whom), message);
        let never = if function == "force_from" { "is always 0" } else { "never holds" };
        if other == own {
            let error = error(format!("this {never}: `{own}` is asked whether it touches itself"));
            let others = scene.characters.keys().map(|name| name.get_ref().as_str());
            let others: Vec<String> =
                others.filter(|name| *name != own).map(|name| format!("`{name}`")).collect();
            let help = match others.is_empty() {
                true => "name a passive object".to_string(),
                false => format!("other characters: {}", others.join(", ")),
            };
            return Some(Warning(error.help(help).rule("touches-itself")));
        }
        if scene.friction_between_characters.is_some() {
            return None;
        }
        let error = error(format!("this {never}: characters of this scene pass through each other"));
        let help = "they touch with `friction_between_characters = 0.5` at the top of the scene";
        Some(Warning(error.help(help).rule("pass-through")))
    })
}

/// The function of a call that names a character, the node of that name, and the character.
fn asked(node: &SyntaxNode) -> Option<(&str, &SyntaxNode, String)> {
    let Syntax::Call { name, arguments, .. } = &node.syntax else { return None };
    let whom = arguments.get(1).filter(|_| ASK.contains(&name.as_str()))?;
    Some((name, whom, whom.name()?))
}
