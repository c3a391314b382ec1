//! Response times that are too short for the length of a frame.

use super::look::LintContext;
use super::rule::{Rule, RuleFindings, rule};
use aplomb_language::expression::WrittenValue;

pub(super) const RULES: &[Rule] = &[
    rule!(
        "fast-response",
        "The response time of an objective is shorter than two frames.",
        "The error is removed within about one frame, so the motion jerks. Omit `response` for the one-step \
         form, or use a longer one.",
        Some(fast)
    ),
    rule!(
        "coarse-frames",
        "A response time of the controller is shorter than four frames of the scene.",
        "An error that decays within `response` is sampled too rarely. Use a shorter `dt`, or longer response times.",
        Some(coarse)
    ),
    rule!(
        "slow-response",
        "A `response`, `debounce` or `blend_in` is longer than 10 s.",
        "Times of controllers are in s, and bodies respond within 0.1 to 1 s. The usual cause is a number in \
         milliseconds.",
        Some(slow)
    ),
];

/// Longest plausible time of a controller, s.
const SLOW: f64 = 10.0;

/// Length of a frame if no scene specifies it, s.
const USUAL_FRAME: f64 = 0.01;

/// Response times of objectives that are constant over all frames, s of the controller, with their names.
fn responses(look: &LintContext<'_>) -> Vec<(String, WrittenValue, f64)> {
    let Some(controller) = &look.controller else { return Vec::new() };
    let mut all = Vec::new();
    for entry in controller.entries() {
        for field in [&entry.response, &entry.horizon].into_iter().flatten() {
            let written = field.written_as(controller.source);
            if let Some(value) = look.fixed(&written) {
                all.push((entry.name.get_ref().clone(), written, value));
            }
        }
    }
    all
}

fn fast(look: &LintContext<'_>, found: &mut RuleFindings) {
    let Some(controller) = &look.controller else { return };
    let frame = look.dt.min(USUAL_FRAME);
    for (name, written, value) in responses(look) {
        if value < 2.0 * frame {
            let message =
                format!("objective `{name}` is to respond within {value} s, and frames take {frame} s");
            found.say(
                controller.source,
                written.span,
                message,
                "use at least two frames, or leave it out for one step",
            );
        }
    }
}

fn slow(look: &LintContext<'_>, found: &mut RuleFindings) {
    let Some(controller) = &look.controller else { return };
    let mut say = |span: std::ops::Range<usize>, what: String, value: f64| {
        let message = format!("{what} takes {value} s");
        let help = format!("times are in s: did you mean {}?", value / 1000.0);
        found.say(controller.source, span, message, help);
    };
    for (name, written, value) in responses(look) {
        if value > SLOW {
            say(written.span, format!("the response of objective `{name}`"), value);
        }
    }
    for (name, state) in controller.states() {
        for (key, field) in [("debounce", &state.debounce), ("blend_in", &state.blend_in)] {
            if let Some(field) = field.as_ref().filter(|field| *field.get_ref() > SLOW) {
                say(field.span(), format!("`{key}` of state `{name}`"), *field.get_ref());
            }
        }
    }
}

fn coarse(look: &LintContext<'_>, found: &mut RuleFindings) {
    let Some(scene) = &look.scene else { return };
    let dt = scene.spec.dt.span();
    if dt.is_empty() || look.dt <= USUAL_FRAME {
        return;
    }
    let all = responses(look);
    let missed = all.iter().filter(|(_, _, value)| *value >= 2.0 * USUAL_FRAME && *value < 4.0 * look.dt);
    if let Some((name, _, value)) = missed.min_by(|a, b| a.2.total_cmp(&b.2)) {
        let message = format!(
            "frames of {} s are too long for `{name}`, which is to respond within {value} s",
            look.dt
        );
        found.say(scene.source, dt, message, format!("use `dt = {}` or less", value / 4.0));
    }
}
