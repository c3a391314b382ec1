//! Tracked targets that do not move, and keyframes that are never used.

use super::look::LintContext;
use super::rule::{Rule, RuleFindings, rule};
use aplomb_language::expression::{Clock, WrittenForm, WrittenValue};

pub(super) const RULES: &[Rule] = &[
    rule!(
        "nothing-to-follow",
        "`follow = true` on a constant target.",
        "`follow` feeds the rate of the target forward, and a constant target has none. It helps with moving \
         targets, such as keyframes or expressions of `time`.",
        Some(nothing_to_follow)
    ),
    rule!(
        "keyframes-after-end",
        "Keyframes go on after the run has ended.",
        "Values after the end of the run are never used.",
        Some(keyframes_after_end)
    ),
];

fn stands_still(look: &LintContext<'_>, written: &WrittenValue) -> bool {
    match &written.said {
        WrittenForm::List(_) => written.parts()[1..].iter().all(|part| look.fixed(part).is_some()),
        WrittenForm::Keyframes { times, .. } => times.len() == 1,
        _ => look.fixed(written).is_some() || !look.points(written).is_empty(),
    }
}

fn nothing_to_follow(look: &LintContext<'_>, found: &mut RuleFindings) {
    let Some(controller) = &look.controller else { return };
    for entry in controller.entries() {
        let says = controller.says(entry).says;
        let mut targets: Vec<&WrittenValue> = says.target.iter().collect();
        targets.extend(says.angles.iter().map(|(_, angle)| angle));
        if let (Some(true), Some(first)) = (says.follow, targets.first())
            && targets.iter().all(|target| stands_still(look, target))
        {
            let message = format!("`{}` has `follow = true`, but its target is constant", entry.name);
            found.say(
                controller.source,
                first.span.clone(),
                message,
                "remove `follow`, or use a moving target",
            );
        }
    }
}

fn keyframes_after_end(look: &LintContext<'_>, found: &mut RuleFindings) {
    let (Some(scene), Some(controller)) = (&look.scene, &look.controller) else { return };
    let end = *scene.spec.duration.get_ref();
    for written in controller.expressions() {
        if let WrittenForm::Keyframes { times, times_at, clock: Some(Clock::Run), .. } = &written.said
            && let Some(first) = times.first().filter(|first| **first >= end)
        {
            let message = format!("these keyframes begin at {first} s, and the run ends at {end} s");
            found.say(controller.source, times_at.clone(), message, "make the run longer, or begin earlier");
        }
    }
}
