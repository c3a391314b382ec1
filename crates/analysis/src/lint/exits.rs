//! Exits that can never be taken.

use super::look::{LintContext, LintedController};
use super::rule::{Rule, RuleFindings, rule};
use aplomb_language::Spanned;
use aplomb_language::expression::{
    Interpretation, SyntaxNode, Truth, WrittenForm, WrittenValue, never, parse_expression, possible,
};
use aplomb_world::controller::StateSpec;

pub(super) const RULES: &[Rule] = &[
    rule!(
        "shadowed-exit",
        "An exit can never be taken, because an earlier exit is applicable whenever it is.",
        "Exits are tried in order, and the first whose `while` holds is taken. Put the narrower one first.",
        Some(shadowed)
    ),
    rule!(
        "duplicate-exit",
        "A state is listed twice among the exits of another.",
        "The second entry has no effect. The usual cause is that another state was meant.",
        Some(duplicate)
    ),
    rule!(
        "impossible-exit",
        "The `while` of an exit contradicts the condition for leaving the state.",
        "When the state is left, this exit is not applicable, so it is never taken from here.",
        Some(impossible)
    ),
];

fn applicable<'a>(
    controller: &LintedController<'a>,
    exit: &Spanned<String>,
) -> Option<(&'a StateSpec, Option<WrittenValue>)> {
    let state = controller.state(exit)?;
    Some((state, controller.condition(&state.applicable)))
}

fn bound(state: &StateSpec) -> Vec<String> {
    state.bindings().map(|(name, _)| name.get_ref().clone()).collect()
}

fn shadowed(look: &LintContext<'_>, found: &mut RuleFindings) {
    let Some(controller) = &look.controller else { return };
    let lexicon = look.lexicon();
    let reading = Interpretation { on_entry: true, ..Interpretation::new(&lexicon) };
    for (name, state) in controller.states() {
        for (place, exit) in state.to.iter().enumerate() {
            let Some((later, Some(condition))) = applicable(controller, exit) else { continue };
            let Some(node) = condition.expression() else { continue };
            // An exit that is listed twice is reported as such.
            let before =
                state.to[..place].iter().filter(|_| !state.to[..place].contains(exit)).find(|before| {
                    let Some((earlier, Some(other))) = applicable(controller, before) else { return false };
                    let Some(first) = other.expression() else { return false };
                    // Values that both bind differ between the two.
                    let (ours, theirs) = (bound(later), bound(earlier));
                    if ours.iter().any(|name| theirs.contains(name)) || never(node, reading) {
                        return false;
                    }
                    let ours = Truth::of(node, Interpretation { anew: &ours, ..reading });
                    let theirs = Truth::of(first, Interpretation { anew: &theirs, ..reading });
                    !possible(&[ours, theirs.opposite()])
                });
            if let Some(before) = before {
                let message = format!("`{exit}` is never entered from `{name}`");
                let help = format!("`{before}` before it is applicable whenever it is");
                found.say(controller.source, exit.span(), message, help);
            }
        }
    }
}

fn duplicate(look: &LintContext<'_>, found: &mut RuleFindings) {
    let Some(controller) = &look.controller else { return };
    for (name, state) in controller.states() {
        let exits: Vec<&Spanned<String>> = state.to.iter().chain(&state.otherwise).collect();
        for (place, exit) in exits.iter().enumerate() {
            let is_else = place >= state.to.len();
            if exits[..place].contains(exit) && !(is_else && has_condition(controller, exit)) {
                let message = format!("`{exit}` is an exit of `{name}` already");
                found.say(controller.source, exit.span(), message, "remove it, or name another state");
            }
        }
    }
}

/// `else` enters a state that did not apply.
fn has_condition(controller: &LintedController<'_>, exit: &Spanned<String>) -> bool {
    controller.state(exit).is_some_and(|state| state.applicable.is_some())
}

fn node(written: &WrittenValue) -> Option<SyntaxNode> {
    match &written.said {
        WrittenForm::Expression(node) => Some(node.clone()),
        WrittenForm::Boolean(value) => parse_expression(&value.to_string()),
        _ => None,
    }
}

fn impossible(look: &LintContext<'_>, found: &mut RuleFindings) {
    let Some(controller) = &look.controller else { return };
    let lexicon = look.lexicon();
    let now = Interpretation::new(&lexicon);
    for (name, state) in controller.states() {
        let of = |field, holds| {
            let written = controller.condition(field)?;
            Some((node(&written)?, holds))
        };
        let ends = [of(&state.done, true), of(&state.applicable, false)];
        let ends: Vec<(SyntaxNode, bool)> = ends.into_iter().flatten().collect();
        for exit in &state.to {
            let Some((next, Some(condition))) = applicable(controller, exit) else { continue };
            let Some(enters) = condition.expression() else { continue };
            let anew = bound(next);
            let enters = Truth::of(enters, Interpretation { on_entry: true, anew: &anew, ..now });
            let leaves = |(node, holds)| Truth { node, reading: now, holds };
            let ends: Vec<Truth<'_>> = ends.iter().map(|(node, holds)| leaves((node, *holds))).collect();
            let happens = ends.iter().any(|end| possible(&[*end]));
            if happens && possible(&[enters]) && !ends.iter().any(|end| possible(&[*end, enters])) {
                let message = format!("`{exit}` is never entered from `{name}`");
                let help = format!("its `while` does not hold when `{name}` is left");
                found.say(controller.source, exit.span(), message, help);
            }
        }
    }
}
