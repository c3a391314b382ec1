//! When the values of a controller are read: in each frame of a state, or only when a state is entered.
//!
//! An expression of an objective, a condition or `each_frame` reads its parameters and definitions in each frame of
//! its state, a binding of `let` only when the state is entered. So a value that is set while the controller runs
//! has an effect at once, from the next entry of a state on, or never: that follows from the transitions between
//! states.

use super::levels::shared;
use super::planner::PlannerSpec;
use super::spec::{ControllerSpec, ObjectiveEntry, StateSpec};
use aplomb_control::constraint::CollisionAvoidance;
use aplomb_control::objective::Statement;
use aplomb_language::diagnostic::Source;
use aplomb_language::expression::{ConditionField, WrittenValue};
use aplomb_language::files::Override;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// When a value of a controller is read next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NextRead {
    /// In the next frame.
    Now,
    /// When one of these states is entered, in the order in which exits lead to them.
    OnEntry(Vec<String>),
    /// Never, on any path through the controller.
    Never,
}

/// When the values of a controller are read, by state.
#[derive(Clone, Debug)]
pub struct Reads {
    states: Vec<StateReads>,
    /// The entry into the start state.
    start: StateEntry,
    /// Whether the start state is entered before the first frame, because it grips something from the beginning.
    is_begun_early: bool,
}

#[derive(Clone, Debug)]
struct StateReads {
    name: String,
    /// Names that are read in each frame.
    each_frame: BTreeSet<String>,
    exits: Vec<StateEntry>,
}

/// An entry into a state, and the names that are read on it.
#[derive(Clone, Debug)]
struct StateEntry {
    to: usize,
    /// Names that are read on it.
    on_entry: BTreeSet<String>,
}

/// A value that can be set, as its path names it.
enum ValuePath {
    /// A parameter or a definition, by its name in expressions.
    Named(String),
    /// The bindings of a state in `let`, by the index of the state.
    Binding(usize),
    /// Any other key of a state.
    Key(usize),
}

impl Reads {
    /// Reads of a controller without errors.
    pub fn new(spec: &ControllerSpec, source: &Source) -> Self {
        let definitions = definitions(spec, source);
        let names = |written: Vec<WrittenValue>| expanded(&written, &definitions);
        let everywhere = of_every_state(spec, source);
        let blended = blended_weights(spec, source);
        let way = |to: usize, kept: usize| {
            let levels = spec.levels(&spec.states[to]).skip(kept);
            let bound = levels.flat_map(StateSpec::bindings).map(|(_, field)| field.written_as(source));
            StateEntry { to, on_entry: names(bound.collect()) }
        };
        let states = spec.states.iter().map(|(name, state)| {
            let levels: Vec<&StateSpec> = spec.levels(state).collect();
            let mut written: Vec<WrittenValue> =
                levels.iter().flat_map(|level| of_level(level, source)).collect();
            let anew = levels.iter().flat_map(|level| level.each_frame.values());
            written.extend(anew.map(|field| field.written_as(source)));
            written.extend(of_state(state, source).into_iter().chain(everywhere.iter().cloned()));
            if state.objectives.iter().any(|entry| entry.blend.is_some_and(|(_, seconds)| seconds > 0.0)) {
                written.extend(blended.iter().cloned());
            }
            let exits = levels.iter().enumerate().flat_map(|(depth, level)| {
                let targets = level.to.iter().chain(&level.otherwise);
                targets.filter_map(move |exit| Some((depth, spec.entry(exit.get_ref())?.state)))
            });
            let exits =
                exits.map(|(depth, to)| way(to, shared(&state.within, &spec.states[to].within).min(depth)));
            StateReads { name: name.get_ref().clone(), each_frame: names(written), exits: exits.collect() }
        });
        let states: Vec<StateReads> = states.collect();
        let start = spec.entry(spec.start.get_ref()).map_or(0, |entry| entry.state);
        let holds = |state: &StateSpec| !state.grip.is_empty() || !state.stand.is_empty();
        Reads {
            start: if states.is_empty() {
                StateEntry { to: 0, on_entry: BTreeSet::new() }
            } else {
                way(start, 0)
            },
            is_begun_early: spec.states.values().nth(start).is_some_and(holds),
            states,
        }
    }

    /// When a value is read next by a controller that is in the state of this index; `from` is `None` before the
    /// start state is entered. `path` is as in [`ControllerFile::with_value`](super::ControllerFile::with_value):
    /// `None` if it is not the path of a parameter, a definition or a key of a state.
    pub fn next(&self, path: &str, from: Option<usize>) -> Option<NextRead> {
        let value = self.value(path)?;
        Some(self.search(from, |state| self.is_read_in(&value, state), |way| self.is_read_on(&value, way)))
    }

    /// The state that is entered before the first frame; `None` if the start state is entered in the first frame.
    pub fn before_first_frame(&self) -> Option<usize> {
        self.is_begun_early.then_some(self.start.to)
    }

    /// The state in which a run begins.
    pub fn start(&self) -> usize {
        self.start.to
    }

    fn value(&self, path: &str) -> Option<ValuePath> {
        let path = Override::of_controller(path, "0").ok()?;
        let keys: Vec<&str> = path.keys().collect();
        let mut keys = keys.as_slice();
        let mut prefix = String::new();
        while let ["include", name, rest @ ..] = keys {
            prefix += &format!("{name}.");
            keys = rest;
        }
        let state = |name: &str| {
            let whole = format!("{prefix}{name}");
            self.states.iter().position(|state| state.name == whole)
        };
        Some(match keys {
            ["parameters" | "define" | "commands", name, ..] => ValuePath::Named(format!("{prefix}{name}")),
            ["states", name, "let", ..] => ValuePath::Binding(state(name)?),
            ["states", name, _, ..] => ValuePath::Key(state(name)?),
            _ => return None,
        })
    }

    fn is_read_in(&self, value: &ValuePath, state: usize) -> bool {
        match value {
            ValuePath::Named(name) => has(&self.states[state].each_frame, name),
            ValuePath::Binding(_) => false,
            ValuePath::Key(of) => *of == state,
        }
    }

    fn is_read_on(&self, value: &ValuePath, way: &StateEntry) -> bool {
        match value {
            ValuePath::Named(name) => has(&way.on_entry, name),
            ValuePath::Binding(of) => *of == way.to,
            ValuePath::Key(_) => false,
        }
    }

    /// The first states on the paths from a state that read a value.
    fn search(
        &self,
        from: Option<usize>,
        is_read_in: impl Fn(usize) -> bool,
        is_read_on: impl Fn(&StateEntry) -> bool,
    ) -> NextRead {
        let begins = from.is_none() && is_read_on(&self.start);
        let from = from.unwrap_or(self.start.to);
        if from >= self.states.len() {
            return NextRead::Never;
        }
        if begins || is_read_in(from) {
            return NextRead::Now;
        }
        let mut seen = vec![false; self.states.len()];
        let mut open = VecDeque::from([from]);
        let mut found: Vec<String> = Vec::new();
        seen[from] = true;
        while let Some(state) = open.pop_front() {
            for way in &self.states[state].exits {
                if is_read_on(way) || is_read_in(way.to) {
                    let name = &self.states[way.to].name;
                    if !found.contains(name) {
                        found.push(name.clone());
                    }
                } else if !std::mem::replace(&mut seen[way.to], true) {
                    open.push_back(way.to);
                }
            }
        }
        if found.is_empty() { NextRead::Never } else { NextRead::OnEntry(found) }
    }
}

/// Whether a name is among those that are read: the name itself, its components, or the vector of which it is a
/// component.
pub(super) fn has(read: &BTreeSet<String>, name: &str) -> bool {
    let is_of = |whole: &str, part: &str| part.strip_prefix(whole).is_some_and(|rest| rest.starts_with('.'));
    read.iter().any(|read| read == name || is_of(name, read) || is_of(read, name))
}

/// The names in expressions, with those of the definitions that they use.
pub(super) fn expanded(
    written: &[WrittenValue],
    definitions: &BTreeMap<String, BTreeSet<String>>,
) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for node in written.iter().flat_map(WrittenValue::parts).filter_map(WrittenValue::expression) {
        for name in node.names() {
            // `capture_step.target` is of the planner `capture_step`.
            let ends = name.match_indices('.').map(|(end, _)| end).chain([name.len()]);
            for through in ends.filter_map(|end| definitions.get(&name[..end])) {
                all.extend(through.iter().cloned());
            }
            all.insert(name);
        }
    }
    all
}

/// The names that each definition and each planner uses, directly and through others.
pub(super) fn definitions(spec: &ControllerSpec, source: &Source) -> BTreeMap<String, BTreeSet<String>> {
    let mut all = BTreeMap::new();
    // Each uses only those above it, except for driven commands: no chain of uses is longer than the number of
    // definitions.
    let rounds = if spec.driven.is_empty() { 1 } else { spec.define.len() };
    for _ in 0..rounds {
        let mut is_new = false;
        for (name, field) in &spec.define {
            let used = expanded(&[field.written_as(source)], &all);
            is_new |= all.insert(name.get_ref().clone(), used.clone()).is_none_or(|before| before != used);
        }
        if !is_new {
            break;
        }
    }
    let own = std::iter::once((String::new(), &spec.planner));
    let included = spec.planners.iter().map(|(prefix, planner)| (format!("{prefix}."), planner));
    for (prefix, planner) in own.chain(included) {
        for (name, written) in of_planner(planner, source) {
            let used = expanded(&written, &all);
            all.insert(format!("{prefix}{name}"), used);
        }
    }
    all
}

/// Expressions that every state reads in each frame.
pub(super) fn of_every_state(spec: &ControllerSpec, source: &Source) -> Vec<WrittenValue> {
    let entries = spec.objectives.iter().flat_map(|entry| of_objective(entry, source));
    entries.chain(spec.collision_avoidance.iter().flat_map(|kept| of_collisions(kept, source))).collect()
}

/// The values of the previous state that a state with `blend_in` may read.
fn blended_weights(spec: &ControllerSpec, source: &Source) -> Vec<WrittenValue> {
    let blended = spec.states.values().flat_map(|state| &state.objectives);
    let blended = blended.filter(|entry| entry.blend.is_some());
    let written = blended.flat_map(|entry| {
        let when = entry.when.as_ref().map(|when| when.written_as(source));
        when.into_iter().chain([entry.weight.written_as(source)])
    });
    written.collect()
}

fn conditions(fields: &[&Option<ConditionField>], source: &Source) -> Vec<WrittenValue> {
    fields.iter().filter_map(|field| field.as_ref()).map(|field| field.written_as(source)).collect()
}

/// Expressions of a state, or one that contains it, other than its bindings: those that determine how long it
/// lasts, and its releases.
pub fn of_level(state: &StateSpec, source: &Source) -> Vec<WrittenValue> {
    let StateSpec { applicable, done, release_while, release_heels_while, .. } = state;
    let mut all = conditions(&[applicable, done, release_while, release_heels_while], source);
    let released = state.release.iter().chain(&state.release_parts).chain(&state.release_heels);
    all.extend(released.map(|body| body.written(source)));
    all
}

/// Expressions of a state other than its bindings and those of [`of_level`]: those of a state without inner states
/// only, its own or inherited from outer states.
pub fn of_state(state: &StateSpec, source: &Source) -> Vec<WrittenValue> {
    let mut all = Vec::new();
    for (site, hold) in state.grip.iter().chain(&state.stand) {
        all.extend([WrittenValue::of_name(source, site), hold.written(source)]);
    }
    let angles = state.springs.iter().flat_map(|springs| springs.pose.statement(source).angles);
    all.extend(angles.map(|(_, angle)| angle));
    all.extend(state.objectives.iter().flat_map(|entry| of_objective(entry, source)));
    all
}

/// Expressions of an objective.
pub fn of_objective(entry: &ObjectiveEntry, source: &Source) -> Vec<WrittenValue> {
    let mut all = conditions(&[&entry.when], source);
    all.push(entry.weight.written_as(source));
    let times = [&entry.response, &entry.time_to_go, &entry.horizon, &entry.fastest];
    all.extend(times.into_iter().flatten().map(|field| field.written_as(source)));
    let (_, Statement { target, angles, others, .. }) = entry.of.get_ref().statement(source);
    all.extend(target.into_iter().chain(others).chain(angles.into_iter().map(|(_, angle)| angle)));
    all
}

/// Expressions of a collision avoidance.
pub fn of_collisions(kept: &CollisionAvoidance, source: &Source) -> Vec<WrittenValue> {
    let mut all = conditions(&[&kept.when], source);
    all.extend([&kept.clearance, &kept.response].map(|field| field.written_as(source)));
    all
}

/// Expressions of each planner of a file, with the prefix of its outputs.
pub fn of_planner(planner: &PlannerSpec, source: &Source) -> Vec<(String, Vec<WrittenValue>)> {
    let mut all = Vec::new();
    if let Some(step) = &planner.capture_step {
        let feet = step.feet.iter().chain([&step.swing]).chain(&step.support);
        let vectors = [&step.swing_times, &step.near, &step.far];
        let numbers =
            [&step.time_left, &step.outward, &step.length_price, &step.load_price, &step.haste_price];
        let written = feet.map(|foot| foot.written(source));
        let written = written.chain(vectors.map(|field| field.written_as(source)));
        let written = written.chain(numbers.map(|field| field.written_as(source)));
        all.push(("capture_step".to_owned(), written.collect()));
    }
    if let Some(step) = &planner.preview_step {
        let feet = step.feet.iter().chain([&step.swing, &step.support]);
        let vectors = [&step.acceleration, &step.near, &step.far];
        let times = [&step.time_left, &step.shortest, &step.longest, &step.pause];
        let lengths = [&step.outward, &step.lean];
        let prices = [&step.effort_price, &step.offset_price, &step.step_price, &step.load_price];
        let numbers = times.into_iter().chain(lengths).chain(prices);
        let written = feet.map(|foot| foot.written(source));
        let written = written.chain(vectors.map(|field| field.written_as(source)));
        let written = written.chain(numbers.map(|field| field.written_as(source)));
        all.push(("preview_step".to_owned(), written.collect()));
    }
    for (name, hold) in &planner.next_hold {
        let mut written = vec![hold.site.written(source), hold.except.written(source)];
        written.extend([&hold.from, &hold.low, &hold.high].map(|field| field.written_as(source)));
        written.push(hold.reach.written_as(source));
        all.push((format!("next_hold.{name}"), written));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::super::tests::controller;
    use super::{NextRead, Reads};

    const CONTROLLER: &str = r#"
start = "a"
[parameters]
once = 1.0
always = 2.0
anew = 3.0
way = [1, 2, 3]
nowhere = 4.0
late = 5.0
[define]
through = "anew + 1"
[[objectives]]
name = "calm"
weight = "always"
of = { com_over_support = {} }
[states.a]
let = { kept = "once" }
until = "signal > kept"
to = ["b"]
[states.b]
let = { level = "through" }
until = "signal > level + way.x"
to = ["b", "c"]
[states.c]
until = "signal > late"
to = ["d"]
[states.d]
"#;

    fn next(path: &str, from: Option<usize>) -> Option<NextRead> {
        let (source, spec) = controller(CONTROLLER).unwrap();
        Reads::new(&spec, &source).next(path, from)
    }

    fn entering(states: &[&str]) -> Option<NextRead> {
        Some(NextRead::OnEntry(states.iter().map(ToString::to_string).collect()))
    }

    #[test]
    fn what_a_let_reads_is_read_when_its_state_is_entered_and_the_rest_in_each_frame() {
        let (a, b, c, d) = (Some(0), Some(1), Some(2), Some(3));
        for state in [None, a, b, c, d] {
            assert_eq!(next("parameters.always", state), Some(NextRead::Now));
            assert_eq!(next("parameters.nowhere", state), Some(NextRead::Never));
        }
        assert_eq!(next("parameters.once", None), Some(NextRead::Now), "the start is still to be entered");
        assert_eq!(next("parameters.once", a), Some(NextRead::Never));
        assert_eq!(next("parameters.anew", a), entering(&["b"]), "through a definition");
        assert_eq!(next("parameters.anew", b), entering(&["b"]), "entered again from itself");
        assert_eq!(next("parameters.anew", c), Some(NextRead::Never), "no way leads back");
        assert_eq!(next("define.through", a), entering(&["b"]));
    }

    #[test]
    fn a_vector_is_read_where_one_of_its_components_is_and_a_component_where_the_vector_is() {
        for path in ["parameters.way", "parameters.\"way.x\""] {
            assert_eq!(next(path, Some(1)), Some(NextRead::Now), "{path}");
        }
        assert_eq!(next("parameters.\"way.y\"", Some(1)), Some(NextRead::Never));
        assert_eq!(
            next("parameters.late", Some(0)),
            entering(&["c"]),
            "the next that reads it, not the next"
        );
    }

    #[test]
    fn keys_of_a_state_are_read_while_it_lasts_and_its_let_when_it_is_entered() {
        assert_eq!(next("states.b.until", Some(1)), Some(NextRead::Now));
        assert_eq!(next("states.a.let.kept", Some(0)), Some(NextRead::Never));
        assert_eq!(next("states.b.let.level", Some(0)), entering(&["b"]));
        assert_eq!(next("states.a.until", Some(2)), Some(NextRead::Never), "it is over");
        assert_eq!(next("objectives.calm.weight", Some(0)), None, "nothing is known of these");
    }
}
