//! States that cannot be reached, entered or left, and states without objectives.

use super::look::{Controller, LintContext};
use super::rule::{Rule, RuleFindings, rule};
use aplomb_language::Spanned;
use aplomb_language::expression::{Interpretation, SyntaxNode, Truth, WrittenValue, always, never, possible};
use aplomb_world::controller::{Drive, StateSpec};

pub(super) const RULES: &[Rule] = &[
    rule!(
        "unreachable-state",
        "No chain of exits leads from the start to a state.",
        "What stands in it never counts. Most often an exit has the name of another state.",
        None
    ),
    rule!(
        "state-without-exit",
        "A state has `while` or `until` and neither `to` nor `else`.",
        "It ends, and there is nowhere to go: the controller stays where it is, and each frame is told of as stuck.",
        None
    ),
    rule!(
        "exits-without-end",
        "A state has exits and neither `while` nor `until`.",
        "It is never left, so its exits mean nothing.",
        None
    ),
    rule!(
        "idle-debounce",
        "A state has `debounce` and neither `while` nor `until`.",
        "`debounce` delays leaving the state, which nothing asks for.",
        None
    ),
    rule!(
        "closed-on-entry",
        "`while` cannot hold at the moment in which the state is entered, when `state_time` is 0.",
        "Exits enter a state only while its `while` holds, so nothing but `else` ever gets there. What has \
         to last for a while belongs into `until` of the state before.",
        Some(closed_on_entry)
    ),
    rule!(
        "until-after-while",
        "`until` holds only where `while` does not.",
        "`while` has ended the state by then, so it is never done, only left.",
        Some(until_after_while)
    ),
    rule!(
        "livelock",
        "States hand over to each other within one frame.",
        "A state that is entered is judged at once. When each of them is left in the frame in which it is \
         entered, the controller goes round and stays where it was, and the frame says so.",
        Some(livelock)
    ),
    rule!(
        "nothing-wanted",
        "No objective holds in a state that has joint torques.",
        "Nothing tells the character what to do with them, so it sinks to the ground. `drive = \"limp\"` \
         says that this is meant.",
        Some(nothing_wanted)
    ),
    rule!(
        "undamped-joints",
        "No objective of a state damps or holds the joints.",
        "Joints that the other objectives leave free gather speed from frame to frame, until the body \
         flies apart. A `velocity` of small weight damps all of them; a `pose` holds them as well.",
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
fn both(controller: &Controller<'_>, state: &StateSpec) -> Option<[WrittenValue; 2]> {
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
fn ends(controller: &Controller<'_>, state: &StateSpec) -> Vec<(SyntaxNode, bool)> {
    let of = |field, holds| {
        let written = controller.condition(field)?;
        Some((node(&written)?, holds))
    };
    [of(&state.done, true), of(&state.applicable, false)].into_iter().flatten().collect()
}

fn livelock(look: &LintContext<'_>, found: &mut RuleFindings) {
    let Some(controller) = &look.controller else { return };
    let states: Vec<(&Spanned<String>, &StateSpec)> = controller.states().collect();
    let mut told: Vec<usize> = Vec::new();
    for start in 0..states.len() {
        let (name, state) = states[start];
        let rounds = ends(controller, state)
            .into_iter()
            .filter_map(|why| round(look, controller, &states, start, why));
        let Some(round) =
            rounds.into_iter().next().filter(|round| !told.iter().any(|state| round.contains(state)))
        else {
            continue;
        };
        let names: Vec<String> = round.iter().map(|state| format!("`{}`", states[*state].0)).collect();
        let span =
            state.done.as_ref().or(state.applicable.as_ref()).map_or(name.span(), |field| field.span());
        let message = format!("{} hand over to each other within one frame", names.join(" and "));
        let help = "let one of them last: `state_time > …` in its `until`, or a `while` that holds once it is entered";
        found.say(controller.source, span, message, help);
        told.extend(round);
    }
}

/// The states that follow each other in the frame in which one of them ends for this reason; one of them
/// would have to persist.
fn round(
    look: &LintContext<'_>,
    controller: &Controller<'_>,
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

/// Whether a state that is entered while this holds is left at once.
fn passes(
    look: &LintContext<'_>,
    controller: &Controller<'_>,
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
            let message = format!("nothing damps or holds the joints in state `{name}`");
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
            let message = format!("nothing is wanted in state `{name}`");
            found.say(
                controller.source,
                name.span(),
                message,
                "give it objectives, or say `drive = \"limp\"`",
            );
        }
    }
}
