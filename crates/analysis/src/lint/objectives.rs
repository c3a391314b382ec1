//! Objectives that request two values at once, or the same value twice.

use super::look::{LintContext, LintedObjective};
use super::rule::{Rule, RuleFindings, rule};
use aplomb_language::expression::WrittenValue;
use aplomb_world::controller::ObjectiveEntry;

pub(super) const RULES: &[Rule] = &[
    rule!(
        "conflicting-objectives",
        "Two objectives of a state control the same quantity with different targets.",
        "The result lies between the targets and satisfies neither. Use `when` to select the frames in which \
         each is active.",
        Some(conflicting)
    ),
    rule!(
        "repeated-objective",
        "Two objectives of a state have the same target.",
        "Their weights add up. One objective with the sum of the weights is equivalent and clearer.",
        Some(repeated)
    ),
    rule!(
        "objective-of-ragdoll",
        "A state that is a ragdoll has objectives.",
        "With `drive = \"ragdoll\"`, the body moves by forward dynamics, and objectives have no effect.",
        None
    ),
    rule!(
        "object-out-of-hand",
        "An objective controls a passive object that no character can hold or push in this scene.",
        "The objective is never active. A hold on the object or `pushed_by_characters = true` adds the object to \
         the character's QP.",
        Some(out_of_hand)
    ),
];

/// Pairs of objectives that are always active together in a state, the later one first.
fn pairs(look: &LintContext<'_>, mut judge: impl FnMut(&LintedObjective<'_>, &LintedObjective<'_>)) {
    let Some(controller) = &look.controller else { return };
    let mut reported = Vec::new();
    for (_, state) in controller.states() {
        let wanted = controller.wanted(state);
        let holds =
            |wanted: &&LintedObjective<'_>| wanted.entry.when.is_none() && *wanted.entry.enabled.get_ref();
        for (place, later) in wanted.iter().enumerate().filter(|(_, wanted)| holds(wanted)) {
            for earlier in wanted[..place].iter().filter(holds) {
                let pair = (earlier.entry.name.span(), later.entry.name.span());
                if !reported.contains(&pair) {
                    reported.push(pair);
                    judge(later, earlier);
                }
            }
        }
    }
}

/// Whether two values differ, or are the same; `None` if that cannot be determined.
fn differ(look: &LintContext<'_>, a: &WrittenValue, b: &WrittenValue) -> Option<bool> {
    if let (Some(a), Some(b)) = (look.fixed(a), look.fixed(b)) {
        return Some((a - b).abs() > 1e-9);
    }
    let (a, b) = (look.points(a), look.points(b));
    (a.len() == 1 && b.len() == 1).then(|| (0..3).any(|row| (a[0][row] - b[0][row]).abs() > 1e-9))
}

fn conflicting(look: &LintContext<'_>, found: &mut RuleFindings) {
    let Some(controller) = &look.controller else { return };
    pairs(look, |later, earlier| {
        if later.kind != earlier.kind {
            return;
        }
        let mut say = |what: &str, at: &WrittenValue| {
            let message = format!(
                "`{}` and `{}` want {what} in different places",
                earlier.entry.name, later.entry.name
            );
            found.say(
                controller.source,
                at.span.clone(),
                message,
                "remove one, or select with `when` which of them is active",
            );
        };
        if let (Some(a), Some(b), Some(about)) = (&later.says.target, &earlier.says.target, &later.says.about)
            && later.says.about == earlier.says.about
            && differ(look, a, b) == Some(true)
        {
            let what = about.split(' ').next().filter(|name| !matches!(*name, "" | "true" | "false"));
            say(&what.map_or("the same".to_string(), |name| format!("`{name}`")), a);
        }
        for (joint, angle) in &later.says.angles {
            let other = earlier.says.angles.iter().find(|(other, _)| other == joint);
            if other.is_some_and(|(_, other)| differ(look, angle, other) == Some(true)) {
                say(&format!("joint `{joint}`"), angle);
            }
        }
    });
}

fn repeated(look: &LintContext<'_>, found: &mut RuleFindings) {
    let Some(controller) = &look.controller else { return };
    pairs(look, |later, earlier| {
        let (Some(a), Some(b)) = (&later.says.target, &earlier.says.target) else { return };
        let is_same = later.kind == earlier.kind
            && later.says.about.is_some()
            && later.says.about == earlier.says.about;
        if is_same && differ(look, a, b) == Some(false) {
            let message = format!("`{}` wants what `{}` wants", later.entry.name, earlier.entry.name);
            found.say(
                controller.source,
                later.entry.name.span(),
                message,
                "remove one, and give the other the sum of the weights",
            );
        }
    });
}

/// Objectives for the motion of objects that can neither be held nor pushed.
fn out_of_hand(look: &LintContext<'_>, found: &mut RuleFindings) {
    let (Some(controller), Some(scene)) = (&look.controller, &look.scene) else { return };
    let holds = scene.spec.holds.iter().flat_map(|holds| holds.get_ref().at.values());
    let held: Vec<&str> = holds.filter_map(|hold| Some(hold.on.as_ref()?.get_ref().as_str())).collect();
    for (name, object) in &scene.spec.passive {
        let text = name.get_ref().as_str();
        if object.is_pushed() || held.contains(&text) {
            continue;
        }
        let is_about =
            |entry: &&ObjectiveEntry| entry.of.get_ref().object().is_some_and(|object| object == text);
        if let Some(entry) = controller.entries().find(is_about) {
            let objective = &entry.name;
            found.say(
                scene.source,
                name.span(),
                format!("objective `{objective}` controls `{text}`, which no character can hold or push"),
                "give it `pushed_by_characters = true`, or a hold: `[holds.at.NAME]` with `on`",
            );
        }
    }
}
