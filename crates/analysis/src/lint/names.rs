//! Unused names, and names that resemble others.

use super::look::{LintContext, LintedController};
use super::rule::{Rule, RuleFindings, rule};
use aplomb_language::Spanned;
use aplomb_language::diagnostic::nearest;
use aplomb_language::expression::WrittenValue;
use aplomb_world::controller::quantity;

pub(super) const RULES: &[Rule] = &[
    rule!(
        "unused-parameter",
        "Nothing uses a parameter.",
        "Changing it, by hand, with a slider or in a sweep, has no effect. The usual cause is a number written \
         in place of the name.",
        Some(unused_parameter)
    ),
    rule!(
        "unread-command",
        "Nothing reads a command.",
        "Setting it, by a key, an event or a program, has no effect.",
        Some(unread_command)
    ),
    rule!(
        "unused-definition",
        "Nothing uses a definition.",
        "It is never evaluated.",
        Some(unused_definition)
    ),
    rule!(
        "unused-role",
        "Nothing uses what a state binds in `let`.",
        "It is evaluated without effect. The usual cause is another name written in its place.",
        Some(unused_role)
    ),
    rule!(
        "unused-planner",
        "Nothing uses the output of a planner.",
        "It is never run.",
        Some(unused_planner)
    ),
    rule!(
        "confusable-name",
        "A name of the file differs from that of a quantity by one letter.",
        "A typing error would select the other without an error message. Choose a clearly different name.",
        Some(confusable)
    ),
];

fn uses(controller: &LintedController<'_>, name: &str, but: impl Fn(&str) -> bool) -> bool {
    let speaks = |written: &WrittenValue| {
        let parts = written.parts();
        parts.into_iter().filter_map(WrittenValue::expression).any(|node| {
            node.names()
                .iter()
                .any(|used| used == name || used.strip_prefix(name).is_some_and(|rest| rest.starts_with('.')))
        })
    };
    controller.uses.iter().chain(&controller.planned).any(speaks)
        || controller
            .definitions
            .iter()
            .chain(&controller.bindings)
            .any(|(own, written)| !but(own.get_ref()) && speaks(written))
}

/// Whether the included file that this name is of mentions it elsewhere: what uses it there may have been replaced by
/// the file that includes it.
fn is_used_where_included(controller: &LintedController<'_>, name: &Spanned<String>) -> bool {
    let Some((_, own)) = name.get_ref().rsplit_once('.') else { return false };
    let file = controller.source.file_at(name.span().start);
    let code = file.text.lines().map(|line| line.split('#').next().unwrap_or_default());
    let words = code.flat_map(|line| line.split(|letter: char| !letter.is_alphanumeric() && letter != '_'));
    words.filter(|word| *word == own).nth(1).is_some()
}

fn unused_parameter(look: &LintContext<'_>, found: &mut RuleFindings) {
    let Some(controller) = &look.controller else { return };
    for name in controller.spec.parameters.names() {
        if !uses(controller, name.get_ref(), |_| false) && !is_used_where_included(controller, name) {
            let message = format!("nothing uses the parameter `{name}`");
            found.say(
                controller.source,
                name.span(),
                message,
                "remove it, or use its name where it is meant",
            );
        }
    }
}

fn unread_command(look: &LintContext<'_>, found: &mut RuleFindings) {
    let Some(controller) = &look.controller else { return };
    // A command of a file that includes others also sets theirs of the same name.
    let is_shared = |name: &str| {
        let mut all = controller.spec.commands.keys();
        all.any(|other| other.get_ref().strip_suffix(name).is_some_and(|before| before.ends_with('.')))
    };
    let set =
        controller.spec.define.keys().filter(|name| controller.spec.driven.contains_key(name.get_ref()));
    for name in controller.spec.commands.keys().chain(set) {
        if !uses(controller, name.get_ref(), |_| false) && !is_shared(name.get_ref()) {
            // The name as it is written in its own file.
            let written = controller.source.slice(name.span()).trim_matches(['"', '\'']);
            let message = format!("nothing reads the command `{written}`");
            let help = "remove it, or use its name where it is meant";
            found.say(controller.source, name.span(), message, help);
        }
    }
}

fn unused_definition(look: &LintContext<'_>, found: &mut RuleFindings) {
    let Some(controller) = &look.controller else { return };
    let is_driven = |name: &str| controller.spec.driven.contains_key(name);
    for (name, _) in controller.definitions.iter().filter(|(name, _)| !is_driven(name.get_ref())) {
        if !uses(controller, name.get_ref(), |_| false) && !is_used_where_included(controller, name) {
            let message = format!("nothing uses the definition `{name}`");
            found.say(
                controller.source,
                name.span(),
                message,
                "remove it, or use its name where it is meant",
            );
        }
    }
}

fn unused_role(look: &LintContext<'_>, found: &mut RuleFindings) {
    let Some(controller) = &look.controller else { return };
    let mut reported: Vec<&Spanned<String>> = Vec::new();
    for (name, _) in &controller.bindings {
        // A role that is used only in its own binding is unused.
        if !reported.contains(name) && !uses(controller, name.get_ref(), |own| own == name.get_ref()) {
            let message = format!("nothing uses the role `{name}`");
            found.say(
                controller.source,
                name.span(),
                message,
                "remove it, or use its name where it is meant",
            );
            reported.push(name);
        }
    }
}

fn unused_planner(look: &LintContext<'_>, found: &mut RuleFindings) {
    let Some(controller) = &look.controller else { return };
    // An included file may contain more than this one needs.
    for (prefix, planner) in controller.planners().filter(|(prefix, _)| prefix.is_empty()) {
        if let Some(step) = &planner.capture_step
            && !uses(controller, &format!("{prefix}capture_step"), |_| false)
        {
            let message = "nothing uses the output of `capture_step`";
            found.say(
                controller.source,
                step.swing.span(),
                message,
                "remove the planner, or use `capture_step.target`",
            );
        }
        if let Some(step) = &planner.preview_step
            && !uses(controller, &format!("{prefix}preview_step"), |_| false)
        {
            let message = "nothing uses the output of `preview_step`";
            let help = "remove the planner, or use `preview_step.target`";
            found.say(controller.source, step.swing.span(), message, help);
        }
        for name in planner.next_hold.keys() {
            if !uses(controller, &format!("{prefix}next_hold.{name}"), |_| false) {
                let message = format!("nothing uses the output of `next_hold.{name}`");
                found.say(controller.source, name.span(), message, "remove the planner, or use its result");
            }
        }
    }
}

/// Shorter words often differ by one letter only.
const SHORTEST: usize = 5;

fn confusable(look: &LintContext<'_>, found: &mut RuleFindings) {
    let Some(controller) = &look.controller else { return };
    let quantities = quantity::list();
    // A quantity with arguments cannot replace a plain name without a mistake.
    let plain = quantities.iter().filter(|quantity| quantity.arguments.is_empty());
    let known: Vec<&str> = plain.map(|quantity| quantity.name).collect();
    let roles = controller.bindings.iter().map(|(name, _)| *name);
    let defined =
        controller.spec.define.keys().filter(|name| !controller.spec.driven.contains_key(name.get_ref()));
    let own = controller.spec.parameters.names().chain(defined).chain(roles);
    let mut reported: Vec<&Spanned<String>> = Vec::new();
    for name in own {
        let text = name.get_ref();
        let near = |known: &&&str| known.len() >= SHORTEST && differs_by_one(text, known);
        if let Some(known) = known.iter().find(near)
            && nearest(text, [*known]).is_some()
            && !reported.contains(&name)
        {
            let message = format!("`{name}` looks like the quantity `{known}`");
            found.say(
                controller.source,
                name.span(),
                message,
                "a typing error would select the other; choose another name",
            );
            reported.push(name);
        }
    }
}

fn differs_by_one(name: &str, known: &str) -> bool {
    name != known && strsim::damerau_levenshtein(&name.to_lowercase(), known) <= 1
}
