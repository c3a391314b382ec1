//! States that cannot be reached, entered or left, and states without objectives.

use super::look::{LintContext, LintedController};
use super::rule::{Rule, RuleFindings, rule};
use aplomb_language::Spanned;
use aplomb_language::expression::{Interpretation, SyntaxNode, Truth, WrittenValue, always, never, possible};
use aplomb_world::controller::{Drive, StateSpec};

pub(super) const RULES: &[Rule] = &[
    rule!(
        "unreachable-state",
        "No chain of exits leads from the start to a state.",
        "Its contents have no effect. The usual cause is an exit with the name of another state.",
        None
    ),
    rule!(
        "state-without-exit",
        "A state has `while` or `until` and neither `to` nor `else`.",
        "When the state ends there is no next state: the controller stays in it, and each frame is reported as \
         stuck.",
        None
    ),
    rule!(
        "exits-without-end",
        "A state has exits and neither `while` nor `until`.",
        "The state is never left, so its exits have no effect.",
        None
    ),
    rule!(
        "idle-debounce",
        "A state has `debounce` and neither `while` nor `until`.",
        "`debounce` delays leaving the state, and this state is never left.",
        None
    ),
    rule!(
        "closed-on-entry",
        "`while` cannot hold at the moment in which the state is entered, when `state_time` is 0.",
        "Exits enter a state only while its `while` holds, so only `else` can enter it. A condition that has to \
         last for some time belongs in `until` of the previous state.",
        Some(closed_on_entry)
    ),
    rule!(
        "until-after-while",
        "`until` holds only where `while` does not.",
        "The state is left through `while` before `until` can hold, so `until` has no effect.",
        Some(until_after_while)
    ),
    rule!(
        "livelock",
        "States form a cycle of transitions within one frame.",
        "The conditions of a state are checked as soon as it is entered. If each state of a cycle is left in the \
         frame in which it is entered, the controller stays in its state, and the frame reports it.",
        Some(livelock)
    ),
    rule!(
        "nothing-wanted",
        "A state with joint torques has no objectives.",
        "Without objectives the character collapses. Write `drive = \"limp\"` if this is intended.",
        Some(nothing_wanted)
    ),
    rule!(
        "undamped-joints",
        "No objective of a state damps or holds the joints.",
        "Joints that the other objectives leave free accelerate from frame to frame until the motion diverges. A \
         `velocity` objective with a small weight damps all of them; so does a `pose`.",
        Some(undamped)
    ),
];

fn closed_on_entry(look: &LintContext<'_>, found: &mut RuleFindings) {
    let Some(controller) = &look.controller else { return };
    let lexicon = look.lexicon();
    let (ever, entry) =
        (Interpretation::new(&lexicon), Interpretation { on_entry: true, ..Interpretation::new(&lexicon) });
    for (name, state) in controller.states() {
        let Some(written) = controller.condition(&state.applicable) else { continue };
        let Some(node) = written.expression() else { continue };
        if !never(node, ever) && never(node, entry) {
            let message = format!("state `{name}` cannot be entered: this does not hold at its beginning");
            found.say(controller.source, written.span.clone(), message, "`state_time` is 0 there");
        }
    }
}

fn until_after_while(look: &LintContext<'_>, found: &mut RuleFindings) {
    let Some(controller) = &look.controller else { return };
    let lexicon = look.lexicon();
    let reading = Interpretation::new(&lexicon);
    for (name, state) in controller.states() {
        let Some([goes_on, done]) = both(controller, state) else { continue };
        let (Some(first), Some(second)) = (goes_on.expression(), done.expression()) else { continue };
        let alone = !never(first, reading) && !never(second, reading);
        if alone && !possible(&[Truth::of(first, reading), Truth::of(second, reading)]) {
            let message = format!("state `{name}` is never done: its `while` ends before this can hold");
            found.say(controller.source, done.span.clone(), message, "the two exclude each other");
        }
    }
}

/// `while` and `until` of a state that has them.
fn both(controller: &LintedController<'_>, state: &StateSpec) -> Option<[WrittenValue; 2]> {
    Some([controller.condition(&state.applicable)?, controller.condition(&state.done)?])
}

/// The condition, with literal `true` kept.
fn node(written: &WrittenValue) -> Option<SyntaxNode> {
    use aplomb_language::expression::{WrittenForm, parse_expression};
    match &written.said {
        WrittenForm::Expression(node) => Some(node.clone()),
        WrittenForm::Boolean(value) => parse_expression(&value.to_string()),
        _ => None,
    }
}

/// The ending condition of a state, with whether it holds.
fn ends(controller: &LintedController<'_>, state: &StateSpec) -> Vec<(SyntaxNode, bool)> {
    let of = |field, holds| {
        let written = controller.condition(field)?;
        Some((node(&written)?, holds))
    };
    [of(&state.done, true), of(&state.applicable, false)].into_iter().flatten().collect()
}

fn livelock(look: &LintContext<'_>, found: &mut RuleFindings) {
    let Some(controller) = &look.controller else { return };
    let states: Vec<(&Spanned<String>, &StateSpec)> = controller.states().collect();
    let mut reported: Vec<usize> = Vec::new();
    for start in 0..states.len() {
        let (name, state) = states[start];
        let rounds = ends(controller, state)
            .into_iter()
            .filter_map(|why| round(look, controller, &states, start, why));
        let Some(round) =
            rounds.into_iter().next().filter(|round| !reported.iter().any(|state| round.contains(state)))
        else {
            continue;
        };
        let names: Vec<String> = round.iter().map(|state| format!("`{}`", states[*state].0)).collect();
        let span =
            state.done.as_ref().or(state.applicable.as_ref()).map_or(name.span(), |field| field.span());
        let message = format!("{} form a cycle of transitions within one frame", names.join(" and "));
        let help = "make one of them last: `state_time > …` in its `until`, or a `while` that holds when it is \
                    entered";
        found.say(controller.source, span, message, help);
        reported.extend(round);
    }
}

/// The cycle of states that follow each other within the frame in which one of them ends for this reason; one of them
/// would have to persist.
fn round(
    look: &LintContext<'_>,
    controller: &LintedController<'_>,
    states: &[(&Spanned<String>, &StateSpec)],
    start: usize,
    (why, holds): (SyntaxNode, bool),
) -> Option<Vec<usize>> {
    let lexicon = look.lexicon();
    let leaves = Truth { node: &why, reading: Interpretation::new(&lexicon), holds };
    let mut round = vec![start];
    loop {
        let (_, from) = states[*round.last()?];
        let exit = from.to.first().or(from.otherwise.as_ref())?;
        let to = states.iter().position(|(name, _)| *name == exit)?;
        if !passes(look, controller, leaves, states[to].1, from.to.is_empty()) {
            return None;
        }
        if to == start {
            return Some(round).filter(|round| round.len() > 1);
        }
        if round.contains(&to) {
            return None;
        }
        round.push(to);
    }
}

/// Whether a state that is entered while this holds is left immediately.
fn passes(
    look: &LintContext<'_>,
    controller: &LintedController<'_>,
    leaves: Truth<'_>,
    to: &StateSpec,
    by_else: bool,
) -> bool {
    if to.debounce.as_ref().is_some_and(|debounce| *debounce.get_ref() > 0.0) {
        return false;
    }
    let lexicon = look.lexicon();
    let anew: Vec<String> = to.bindings().map(|(name, _)| name.get_ref().clone()).collect();
    let entry = Interpretation { on_entry: true, anew: &anew, ..Interpretation::new(&lexicon) };
    let ends = ends(controller, to);
    // It remains in the state if `until` does not hold and `while` does.
    let stay = ends.iter().map(|(node, holds)| Truth { node, reading: entry, holds: !holds });
    let open = ends.iter().filter(|(_, holds)| !holds && !by_else).map(|(node, _)| Truth::of(node, entry));
    let with = |others: Vec<Truth<'_>>| possible(&[vec![leaves], others].concat());
    !ends.is_empty() && with(open.collect()) && !with(stay.collect())
}

fn undamped(look: &LintContext<'_>, found: &mut RuleFindings) {
    let Some(controller) = &look.controller else { return };
    let lexicon = look.lexicon();
    let entry = Interpretation { on_entry: true, ..Interpretation::new(&lexicon) };
    for (name, state) in controller.states() {
        let wanted = controller.wanted(state);
        let is_damped = wanted.iter().any(|wanted| matches!(wanted.kind, "velocity" | "pose"));
        let is_passed = || ends(controller, state).iter().any(|(node, holds)| *holds && always(node, entry));
        if !wanted.is_empty() && !is_damped && state.drive == Drive::Torques && !is_passed() {
            let message = format!("no objective damps or holds the joints in state `{name}`");
            let help = "add `of = { velocity = {} }` with a small weight (0.05), or a `pose`";
            found.say(controller.source, name.span(), message, help);
        }
    }
}

fn nothing_wanted(look: &LintContext<'_>, found: &mut RuleFindings) {
    let Some(controller) = &look.controller else { return };
    let lexicon = look.lexicon();
    let entry = Interpretation { on_entry: true, ..Interpretation::new(&lexicon) };
    for (name, state) in controller.states() {
        let is_passed = || ends(controller, state).iter().any(|(node, holds)| *holds && always(node, entry));
        let is_empty = state.objectives.is_empty() && controller.spec.objectives.is_empty();
        let holds_on = !state.grip.is_empty();
        if is_empty && state.drive == Drive::Torques && !holds_on && !is_passed() {
            let message = format!("state `{name}` has no objectives");
            found.say(
                controller.source,
                name.span(),
                message,
                "give it objectives, or write `drive = \"limp\"`",
            );
        }
    }
}
