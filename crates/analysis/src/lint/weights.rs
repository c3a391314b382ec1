//! Weights that make an objective, or all others, ineffective.

use super::look::{LintContext, LintedObjective};
use super::rule::{Rule, RuleFindings, rule};

pub(super) const RULES: &[Rule] = &[
    rule!(
        "zero-weight",
        "An objective has a weight of 0.",
        "The objective has no effect. Write `enabled = false` if it is off until an event enables it.",
        Some(zero)
    ),
    rule!(
        "outlying-weight",
        "A weight is a thousand times larger or smaller than all others of its state.",
        "Objectives trade off by their weights: one that is far too large overrides the others, one that is far \
         too small has no effect. Weights are dimensionless; 0.01 to 100 are common.",
        Some(outlying)
    ),
];

fn zero(look: &LintContext<'_>, found: &mut RuleFindings) {
    let Some(controller) = &look.controller else { return };
    for entry in controller.entries() {
        let written = entry.weight.written_as(controller.source);
        if look.fixed(&written) == Some(0.0) && !entry.hard {
            let message = format!("objective `{}` weighs nothing", entry.name);
            found.say(
                controller.source,
                written.span.clone(),
                message,
                "give it a weight, or write `enabled = false`",
            );
        }
    }
}

/// Largest ratio of a weight to the next one.
const APART: f64 = 999.0;
/// If two weights differ strongly, the one beyond these bounds is the outlier.
const COMMON: [f64; 2] = [1e-3, 1e3];
/// Weights beyond these bounds are wrong in any case.
const USUAL: [f64; 2] = [1e-6, 1e6];

/// Forces are weighted in their own units.
fn is_of_forces(wanted: &LintedObjective<'_>) -> bool {
    matches!(wanted.kind, "contact_force" | "grip_force")
}

fn outlying(look: &LintContext<'_>, found: &mut RuleFindings) {
    let Some(controller) = &look.controller else { return };
    let mut reported = Vec::new();
    for (_, state) in controller.states() {
        let wanted = controller.wanted(state);
        let weight = |wanted: &LintedObjective<'_>| {
            let range = look.range(&wanted.entry.weight.written_as(controller.source));
            (!wanted.entry.hard && range.most.is_finite() && range.most > 0.0).then_some(range.most)
        };
        for (place, own) in wanted.iter().enumerate() {
            let Some(value) = weight(own) else { continue };
            let others = wanted.iter().enumerate().filter(|(other, _)| *other != place);
            let others: Vec<f64> = others
                .filter(|(_, other)| !is_of_forces(other))
                .filter_map(|(_, other)| weight(other))
                .collect();
            let most = others.iter().copied().fold(0.0, f64::max);
            let least = others.iter().copied().fold(f64::INFINITY, f64::min);
            let compared = !others.is_empty() && !is_of_forces(own);
            let heavy = value > USUAL[1] || (compared && value > COMMON[1].max(APART * most));
            let light = value < USUAL[0] || (compared && value < COMMON[0].min(least / APART));
            let span = own.entry.weight.span();
            if (heavy || light) && !reported.contains(&span) {
                let verdict = if heavy {
                    "is so large that it overrides all others"
                } else {
                    "is so small that it has no effect"
                };
                let message = format!("objective `{}` {verdict}", own.entry.name);
                found.say(controller.source, span.clone(), message, "check its order of magnitude");
                reported.push(span);
            }
        }
    }
}
