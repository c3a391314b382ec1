//! Conditions that have no effect.

use super::look::{Lexicon, LintContext};
use super::rule::{Rule, RuleFindings, rule};
use aplomb_language::diagnostic::Source;
use aplomb_language::expression::{
    Interpretation, Syntax, SyntaxNode, Unit, WrittenValue, always, implies, never,
};
use std::f64::consts::TAU;

pub(super) const RULES: &[Rule] = &[
    rule!(
        "contradictory-condition",
        "The parts of a condition exclude each other.",
        "The condition is always false. The usual cause is a comparison in the wrong direction, or `and` in \
         place of `or`.",
        Some(contradictory)
    ),
    rule!(
        "constant-condition",
        "A condition is always true or always false, in any frame.",
        "It compares a quantity with a value that it cannot have (a speed below 0, a tilt above π), or with itself. \
         Only limits that follow from what a quantity is are known: heights have none (`com_height < -1` holds in a \
         pit), nor has anything that depends on the body or the scene (`com_height > 80`).",
        Some(constant)
    ),
    rule!(
        "redundant-condition",
        "A part of a condition follows from another part.",
        "The part has no effect: `state_time > 1 or state_time > 3` is `state_time > 1`. The usual cause is a \
         wrong number.",
        Some(redundant)
    ),
];

/// Conditions within an expression, outermost first: the whole, if it is one, and those of `if`.
fn conditions(written: &WrittenValue, is_condition: bool) -> Vec<&SyntaxNode> {
    let Some(node) = written.expression() else { return Vec::new() };
    let choices = node.all().into_iter().filter_map(|node| match &node.syntax {
        Syntax::Choice(choice) => Some(&choice.condition),
        _ => None,
    });
    is_condition.then_some(node).into_iter().chain(choices).collect()
}

/// Whether the condition is composed of comparisons.
fn is_comparison(node: &SyntaxNode) -> bool {
    match &node.syntax {
        Syntax::Binary { operator, .. } => {
            matches!(*operator, "and" | "or" | "<" | "<=" | ">" | ">=" | "==" | "!=")
        }
        Syntax::Not(_) => true,
        _ => false,
    }
}

/// Every condition of the files.
pub(super) fn each(look: &LintContext<'_>, mut judge: impl FnMut(&Source, &WrittenValue, &SyntaxNode)) {
    if let Some(controller) = &look.controller {
        for written in &controller.conditions() {
            conditions(written, true).into_iter().for_each(|node| judge(controller.source, written, node));
        }
        for (_, written) in controller.definitions.iter().chain(&controller.bindings) {
            let is_condition = written.expression().is_some_and(is_comparison);
            conditions(written, is_condition)
                .into_iter()
                .for_each(|node| judge(controller.source, written, node));
        }
        for written in &controller.uses {
            conditions(written, false).into_iter().for_each(|node| judge(controller.source, written, node));
        }
    }
}

/// A condition that is written as a constant is intended.
fn is_written_out(node: &SyntaxNode) -> bool {
    matches!(node.syntax, Syntax::Boolean(_))
}

/// The sides of `and` (or of `or`), at any depth of nesting.
fn sides<'n>(node: &'n SyntaxNode, wanted: &str) -> Vec<&'n SyntaxNode> {
    match &node.syntax {
        Syntax::Binary { operator, sides: both } if *operator == wanted => {
            both.iter().flat_map(|side| sides(side, wanted)).collect()
        }
        _ => vec![node],
    }
}

/// The parts of a condition that are conditions, the whole first.
pub(super) fn parts(node: &SyntaxNode) -> Vec<&SyntaxNode> {
    let below = match &node.syntax {
        Syntax::Binary { operator: operator @ ("and" | "or"), .. } => sides(node, operator),
        Syntax::Not(inner) => vec![&**inner],
        _ => Vec::new(),
    };
    let below = below.into_iter().flat_map(parts);
    std::iter::once(node).chain(below).collect()
}

/// The compared quantity, the number's node, and the number, of a comparison with a literal number.
pub(super) fn compared(part: &SyntaxNode) -> Option<(&SyntaxNode, &SyntaxNode, f64)> {
    let Syntax::Binary { operator: "<" | "<=" | ">" | ">=" | "==" | "!=", sides } = &part.syntax else {
        return None;
    };
    let [left, right] = &**sides;
    let number = |node: &SyntaxNode| match &node.syntax {
        Syntax::Number(value) => Some(*value),
        Syntax::Negate(inner) => match inner.syntax {
            Syntax::Number(value) => Some(-value),
            _ => None,
        },
        _ => None,
    };
    let pairs = [(left, right), (right, left)];
    pairs.into_iter().find_map(|(other, written)| Some((other, written, number(written)?)))
}

/// Node and value of the number in a comparison of an angle with more than a full turn: most likely in degrees.
pub(super) fn degrees<'n>(part: &'n SyntaxNode, lexicon: &Lexicon<'_>) -> Option<(&'n SyntaxNode, f64)> {
    let (angle, written, value) = compared(part).filter(|(.., value)| value.abs() > TAU)?;
    (Unit::infer(angle, lexicon).0 == Some(Unit::RADIAN)).then_some((written, value))
}

fn contradictory(look: &LintContext<'_>, found: &mut RuleFindings) {
    let lexicon = look.lexicon();
    let reading = Interpretation::new(&lexicon);
    each(look, |source, written, node| {
        for part in parts(node) {
            let sides = sides(part, "and");
            if sides.len() > 1 && never(part, reading) && sides.iter().all(|side| !never(side, reading)) {
                let message = "this never holds: its parts exclude each other";
                found.say(source, written.place(part), message, "check the direction of the comparisons");
                return;
            }
        }
    });
}

fn constant(look: &LintContext<'_>, found: &mut RuleFindings) {
    let lexicon = look.lexicon();
    let reading = Interpretation::new(&lexicon);
    each(look, |source, written, node| {
        for part in parts(node).into_iter().filter(|part| !is_written_out(part)) {
            // Reported as `angle-in-degrees`.
            if parts(part).into_iter().any(|part| degrees(part, &lexicon).is_some()) {
                continue;
            }
            let verdict = if never(part, reading) {
                // The cause is reported for the inner condition.
                if sides(part, "and").len() > 1 || sides(part, "or").len() > 1 {
                    continue;
                }
                "this never holds"
            } else if always(part, reading) {
                "this always holds"
            } else {
                continue;
            };
            let help =
                "the quantity cannot be beyond that value; write `true` or `false` if this is intended";
            found.say(source, written.place(part), verdict, help);
            return;
        }
    });
}

fn redundant(look: &LintContext<'_>, found: &mut RuleFindings) {
    let lexicon = look.lexicon();
    let reading = Interpretation::new(&lexicon);
    let is_open = |node: &SyntaxNode| !never(node, reading) && !always(node, reading);
    each(look, |source, written, node| {
        for part in parts(node).into_iter().filter(|part| is_open(part)) {
            for operator in ["and", "or"] {
                let sides = sides(part, operator);
                for (place, side) in sides.iter().enumerate() {
                    let follows = |(other, from): (usize, &&SyntaxNode)| {
                        let goes = match operator {
                            "and" => implies(from, side, reading),
                            _ => implies(side, from, reading),
                        };
                        // Of two equal ones, the second is redundant.
                        other != place && goes && !(other > place && same(from, side, reading))
                    };
                    if is_open(side) && sides.iter().enumerate().any(follows) {
                        let message = "this has no effect: it follows from the rest of the condition";
                        found.say(source, written.place(side), message, "remove it, or correct the number");
                        return;
                    }
                }
            }
        }
    });
}

fn same(node: &SyntaxNode, other: &SyntaxNode, reading: Interpretation<'_>) -> bool {
    implies(node, other, reading) && implies(other, node, reading)
}
