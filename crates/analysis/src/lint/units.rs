//! Quantities of different units in one sum or comparison.

use super::look::LintContext;
use super::rule::{Rule, RuleFindings, rule};
use aplomb_language::diagnostic::Source;
use aplomb_language::expression::{Unit, Units, WrittenValue};

pub(super) const RULES: &[Rule] = &[
    rule!(
        "unit-mismatch",
        "Quantities of different units are compared, added, or choices of one value.",
        "The result has no meaning. Literal numbers and parameters are compatible with every unit.",
        Some(mismatch)
    ),
    rule!(
        "target-of-other-unit",
        "The target of an objective has another unit than the controlled quantity.",
        "An angle is no height, and a velocity no place.",
        Some(target)
    ),
];

fn tell(
    source: &Source,
    written: &WrittenValue,
    units: &dyn Units,
    found: &mut RuleFindings,
) -> Option<Unit> {
    let node = written.expression()?;
    let (unit, wrong) = Unit::infer(node, units);
    for mismatch in wrong {
        let [first, second] = &mismatch.nodes;
        let (a, b) = (written.place(first), written.place(second));
        let [left, right] = mismatch.units;
        let message = format!("`{}` joins {left} and {right}", mismatch.operator);
        let help =
            format!("`{}` is in {left}, `{}` in {right}", source.slice(a.clone()), source.slice(b.clone()));
        found.say(source, a.start..b.end.max(a.end), message, help);
    }
    unit
}

fn mismatch(look: &LintContext<'_>, found: &mut RuleFindings) {
    let lexicon = look.lexicon();
    if let Some(controller) = &look.controller {
        for written in controller.expressions() {
            tell(controller.source, written, &lexicon, found);
        }
    }
    if let Some(scene) = &look.scene {
        for condition in scene.spec.conditions() {
            tell(scene.source, &condition.written_as(scene.source), &lexicon, found);
        }
    }
}

fn target(look: &LintContext<'_>, found: &mut RuleFindings) {
    let Some(controller) = &look.controller else { return };
    let lexicon = look.lexicon();
    for entry in controller.entries() {
        let wanted = controller.says(entry);
        let times = [&entry.response, &entry.time_to_go, &entry.horizon].into_iter().flatten();
        let times = times.map(|field| (field.written_as(controller.source), Unit::SECOND, "a time"));
        let target = wanted.says.target.into_iter().zip(wanted.says.unit);
        let target = target.map(|(written, unit)| (written, unit, "the target"));
        for (written, unit, what) in target.chain(times) {
            for part in written.parts() {
                let Some(node) = part.expression() else { continue };
                if let (Some(other), _) = Unit::infer(node, &lexicon)
                    && other != unit
                {
                    let message = format!("{what} of `{}` is in {unit}, and this is in {other}", wanted.kind);
                    found.say(controller.source, part.span.clone(), message, "use a quantity of that unit");
                }
            }
        }
    }
}
