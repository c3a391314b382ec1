//! Criteria that check nothing.

use super::conditions::degrees;
use super::look::LintContext;
use super::rule::{Rule, RuleFindings, rule};
use aplomb_language::expression::{Interpretation, Syntax, SyntaxNode, always, never};

pub(super) const RULES: &[Rule] = &[rule!(
    "constant-criterion",
    "A criterion, or a part of it, holds in every run or in no run.",
    "Its result does not depend on the run. The usual cause is a comparison with the wrong direction or number, \
     or a time after the end. Only limits that follow from what a quantity is are known, such as speeds of 0 or more: \
     heights have none, and `com_height < -1` is not found.",
    Some(constant)
)];

/// The parts of a condition that are conditions, the whole first.
fn parts(node: &SyntaxNode) -> Vec<&SyntaxNode> {
    let below: Vec<&SyntaxNode> = match &node.syntax {
        Syntax::Binary { operator: "and" | "or", sides } => sides.iter().flat_map(parts).collect(),
        Syntax::Not(inner) => parts(inner),
        _ => Vec::new(),
    };
    std::iter::once(node).chain(below).collect()
}

fn constant(look: &LintContext<'_>, found: &mut RuleFindings) {
    let Some(scene) = &look.scene else { return };
    let lexicon = look.lexicon();
    let reading = Interpretation::new(&lexicon);
    for (name, criterion) in &scene.spec.success {
        let written = criterion.condition().written_as(scene.source);
        let Some(node) = written.expression() else { continue };
        let reported = parts(node).into_iter().find_map(|part| {
            // Reported as `angle-in-degrees`.
            if parts(part).into_iter().any(|part| degrees(part, &lexicon).is_some()) {
                return None;
            }
            let verdict = match (never(part, reading), always(part, reading)) {
                (true, _) => "can never hold",
                (_, true) => "holds in every run",
                _ => return None,
            };
            Some((part, verdict))
        });
        if let Some((part, said)) = reported {
            let what = if part.span == node.span { "criterion" } else { "this part of criterion" };
            let message = format!("{what} `{name}` {said}");
            found.say(
                scene.source,
                written.place(part),
                message,
                "check the number and the direction of the comparison",
            );
        }
    }
}
