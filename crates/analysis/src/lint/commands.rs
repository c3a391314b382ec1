//! Commands and values beyond their ranges.

use super::conditions::{each, parts};
use super::look::{Lexicon, LintContext};
use super::rule::{Rule, RuleFindings, rule};
use aplomb_language::diagnostic::Source;
use aplomb_language::expression::{
    Interpretation, Interval, SyntaxNode, WrittenForm, WrittenValue, always, never,
};
use aplomb_world::controller::CommandSpec;
use std::ops::Range;

pub(super) const RULES: &[Rule] = &[
    rule!(
        "comparison-out-of-range",
        "A condition compares a command with a number outside the command's `range`.",
        "The comparison is always true or always false, because values of a command are clamped to its range.",
        Some(comparison)
    ),
    rule!(
        "included-command-out-of-range",
        "`[include.NAME.commands]` sets a command to a value outside the command's `range`.",
        "Values outside the range are clamped.",
        Some(included)
    ),
];

fn comparison(look: &LintContext<'_>, found: &mut RuleFindings) {
    let (plain, with_commands) = (look.lexicon(), look.lexicon_with_commands());
    let [plain, reading] = [&plain, &with_commands].map(|lexicon| Interpretation::new(lexicon));
    let is_open = |node: &SyntaxNode| !never(node, plain) && !always(node, plain);
    each(look, |source, written, node| {
        // Of nested parts, the innermost is reported.
        let is_reported =
            |node: &&SyntaxNode| is_open(node) && (never(node, reading) || always(node, reading));
        let all: Vec<&SyntaxNode> = parts(node).into_iter().filter(is_reported).collect();
        let is_whole = |node: &&SyntaxNode| parts(node).into_iter().skip(1).any(|part| is_reported(&part));
        for part in all.into_iter().filter(|part| !is_whole(part)) {
            let verdict = if never(part, reading) { "this never holds" } else { "this always holds" };
            let message = format!("{verdict}: {}", ranges(source, written, part, &with_commands));
            let help = "correct the number, or change the command's `range`";
            found.say(source, written.place(part), message, help);
        }
    });
}

/// The ranges of the commands of a condition: `go` is -1 to 1 m/s.
fn ranges(source: &Source, written: &WrittenValue, part: &SyntaxNode, lexicon: &Lexicon<'_>) -> String {
    let mut all: Vec<(usize, String)> = Vec::new();
    for node in part.all() {
        let command = node.name().and_then(|name| lexicon.command(&name));
        let Some((command, range)) = command.and_then(|command| Some((command, command.range.as_ref()?)))
        else {
            continue;
        };
        let ([low, high], place) = (*range.get_ref(), written.place(node));
        let text = format!("`{}` is {low} to {high}{}", source.slice(place.clone()), unit_of(command));
        // A vector that contains a number starts where the number's list does.
        if all.iter().all(|(start, known)| *start != place.start && *known != text) {
            all.push((place.start, text));
        }
    }
    let all: Vec<String> = all.into_iter().map(|(_, said)| said).collect();
    if all.is_empty() { "a command in it stays within its range".into() } else { all.join(", and ") }
}

/// The unit of a command after a number; empty if it has none.
fn unit_of(command: &CommandSpec) -> String {
    if command.unit.is_empty() { String::new() } else { format!(" {}", command.unit) }
}

/// The numbers in a value, each with its range.
fn numbers<'w>(look: &LintContext<'_>, written: &'w WrittenValue) -> Vec<(Interval, &'w WrittenValue)> {
    match &written.said {
        WrittenForm::List(parts) => parts.iter().map(|part| (look.range(part), part)).collect(),
        _ => vec![(look.range(written), written)],
    }
}

fn included(look: &LintContext<'_>, found: &mut RuleFindings) {
    let Some(controller) = &look.controller else { return };
    let mut definitions: Vec<_> = controller.definitions.iter().collect();
    // If one value is given to several commands, only the outermost is reported.
    definitions.sort_by_key(|(name, _)| name.get_ref().len());
    let mut reported: Vec<Range<usize>> = Vec::new();
    for (name, written) in definitions {
        let command = controller.spec.driven.get(name.get_ref().as_str());
        let Some((command, range)) = command.and_then(|command| Some((command, command.range.as_ref()?)))
        else {
            continue;
        };
        let [low, high] = *range.get_ref();
        for (value, part) in numbers(look, written) {
            let nearest = if value.least > high {
                value.least
            } else if value.most < low {
                value.most
            } else {
                continue;
            };
            if reported.contains(&part.span) {
                continue;
            }
            reported.push(part.span.clone());
            let unit = unit_of(command);
            let is = if value.least == value.most {
                ""
            } else if value.least > high {
                "at least "
            } else {
                "at most "
            };
            let name = controller.source.slice(name.span()).trim_matches(['"', '\'']);
            let message = format!("`{name}` is {low} to {high}{unit}, and this sets it to {is}{nearest}");
            let end = nearest.clamp(low, high);
            let help =
                format!("it is taken for {end}: write that, or another `range` in the file that has it");
            found.say(controller.source, part.span.clone(), message, help);
        }
    }
}
