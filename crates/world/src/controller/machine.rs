//! The state machine: which state a controller is in, and why.
//!
//! In each frame the current state is left when it is done (`until`) or no longer applicable (`while`),
//! either of them for `for` seconds. Its exits are tried in order, each with its roles bound tentatively; the
//! first whose own `while` holds is entered, else the `else` state, else the state is kept and reported as
//! stuck. A nested state has levels, the outermost first: each is evaluated in turn, and the first that
//! should be left and has an open exit is left, with the levels inside it. Levels that contain both the old
//! and the new state keep their time and their roles. The entered state is evaluated at once, so one frame
//! may pass several states, but no state is entered twice: on a repeat the machine stays in its state and
//! reports the cycle.

use super::commands::Commands;
use super::define::Definitions;
use super::scope::{Blend, BoundRole, FrameLookup, Scope, Times};
use super::spec::{ControllerSpec, Drive};
use aplomb_body::contact::Release;
use aplomb_body::contact::grip::{GripKind, Want};
use aplomb_language::diagnostic::Place;
use aplomb_language::expression::{
    Any, BodyChoice, Condition, Deciding, HoldChoice, Lookup, Names, NearestDeciding, Scalar, SiteChoice,
    Value,
};
use std::fmt;
use std::sync::Arc;

/// A state with all its contents bound.
#[derive(Clone, Debug)]
pub(super) struct BoundState {
    pub name: Arc<str>,
    /// The states that contain it, the outermost first, and itself.
    pub levels: Vec<BoundLevel>,
    /// Rate at which released contacts are unloaded, m g/s on the controller's clock.
    pub release_rate: f64,
    /// Rate at which the load on a foot may change without a cost, m g/s on the controller's clock.
    pub load_rate: f64,
    pub grips: Vec<BoundGrip>,
    pub drive: Drive,
    /// Damping of a ragdoll's joints, N m s/rad.
    pub damping: f64,
    /// Conditions and weights of objectives by the number of their name, if goals continue from
    /// others.
    pub weights: Vec<Option<(Option<Condition>, Scalar)>>,
}

/// The contacts and grips that a state, or one that contains it, releases.
#[derive(Clone, Debug)]
pub(super) struct BoundReleases {
    pub limbs: Vec<BodyChoice>,
    pub parts: Vec<BodyChoice>,
    /// Condition of the release of limbs and parts.
    pub applicable: Option<Condition>,
    pub heels: Vec<BodyChoice>,
    pub heels_applicable: Option<Condition>,
}

impl BoundReleases {
    /// The bodies that it releases in this frame.
    fn now<'a>(&'a self, lookup: &'a FrameLookup<'a>) -> impl Iterator<Item = Release> + 'a {
        let is_now = |condition: &Option<Condition>| {
            condition.as_ref().is_none_or(|condition| condition.value(lookup))
        };
        let (holds, rise) = (is_now(&self.applicable), is_now(&self.heels_applicable));
        let limbs = self.limbs.iter().map(|body| Release::Limb(body.value(lookup)));
        let parts = self.parts.iter().map(|body| Release::Part(body.value(lookup)));
        let heels = self.heels.iter().map(|body| Release::Heel(body.value(lookup)));
        limbs.chain(parts).filter(move |_| holds).chain(heels.filter(move |_| rise))
    }
}

/// A state, or one that contains it, with the conditions that determine how long it lasts.
#[derive(Clone, Debug)]
pub(super) struct BoundLevel {
    /// Number of the state: simple states first, then states with inner states.
    pub number: usize,
    pub applicable: Option<Condition>,
    pub done: Option<Condition>,
    /// Debounce time of `while` and `until`, s on the controller's clock.
    pub debounce: f64,
    pub exits: Vec<BoundExit>,
    pub otherwise: Option<BoundExit>,
    pub bindings: Bindings,
    pub releases: BoundReleases,
}

/// Roles by index with their values, in the order in which they are bound.
#[derive(Clone, Debug, Default)]
pub(super) struct Bindings {
    /// Bindings at entry, then the bindings of each frame, including those evaluated at entry too.
    pub all: Vec<(usize, Any)>,
    /// Number of bindings that are evaluated only at entry.
    pub on_entry: usize,
}

/// An exit to a state.
#[derive(Clone, Copy, Debug)]
pub(super) struct BoundExit {
    pub state: usize,
    /// Number of levels of that state that continue.
    pub kept: usize,
    /// Number of levels of that state that the exit names: those of them that start must be applicable.
    pub named: usize,
}

/// A hold that a state grips.
#[derive(Clone, Debug)]
pub(super) struct BoundGrip {
    pub site: SiteChoice,
    pub hold: HoldChoice,
    pub kind: GripKind,
}

/// A controller's states, and the current one. Created by `Machine::bind_on`.
#[derive(Clone, Debug)]
pub struct Machine {
    pub(super) states: Vec<BoundState>,
    pub(super) start: usize,
    /// Start times of each level of the current state.
    pub(super) since: Vec<Since>,
    /// The previous state, and how long it had lasted, s on the controller's clock; `None` if there was none.
    pub(super) previous: Option<(usize, f64)>,
    pub(super) roles: Vec<BoundRole>,
    /// The values of its commands.
    pub commands: Commands,
    pub(super) definitions: Definitions,
    /// Commands that it sets for machines included in it, with the definitions of their values.
    pub(super) driven: Vec<(usize, usize)>,
    /// For each state, which roles have values in it.
    pub(super) reach: Vec<Vec<bool>>,
    /// Which roles have values in every state.
    pub(super) reach_everywhere: Vec<bool>,
    /// Length of one second of the controller's clock, s.
    pub(super) time_scale: f64,
    pub(super) current: usize,
    /// When the current state was entered, s; `None` before the first frame.
    pub(super) entered: Option<f64>,
    /// Whether the start has been reported.
    pub(super) announced: bool,
    pub(super) values: Vec<Value>,
    /// The roles of a state that is entered tentatively.
    pub(super) tentative: Vec<Value>,
    /// Names of the states that have inner states.
    pub(super) composites: Vec<Arc<str>>,
    /// Number of entries into each state, then into each state with inner states.
    pub(super) visits: Vec<u32>,
    /// States entered in this frame.
    pub(super) visited: Vec<bool>,
}

/// Why a state was entered or should have been left.
#[derive(Clone, Debug, PartialEq)]
pub enum Because {
    /// The run began.
    Start,
    /// The state's `until` held.
    Done {
        /// The condition that held, as the file writes it.
        condition: Arc<str>,
        /// Where the file writes it.
        place: Place,
    },
    /// The state's `while` did not hold.
    NotApplicable {
        /// The condition that no longer held, as written in the file.
        condition: Arc<str>,
        /// Where the file writes it.
        place: Place,
    },
}

impl fmt::Display for Because {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Because::Start => write!(f, "the run begins"),
            Because::Done { condition, place } => write!(f, "until `{condition}` holds ({place})"),
            Because::NotApplicable { condition, place } => {
                write!(f, "while `{condition}` does not hold ({place})")
            }
        }
    }
}

/// A change of state.
#[derive(Clone, Debug, PartialEq)]
pub struct Transition {
    /// The state left; `None` at the start of the run.
    pub from: Option<Arc<str>>,
    /// Name of the state entered.
    pub to: Arc<str>,
    /// Why the state changed.
    pub because: Because,
    /// Whether the state was entered through `else` because no exit was applicable.
    pub by_else: bool,
}

impl fmt::Display for Transition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(from) = &self.from {
            write!(f, "{from} → ")?;
        }
        write!(f, "{}: {}", self.to, self.because)?;
        if self.by_else { write!(f, "; no exit applies, else") } else { Ok(()) }
    }
}

/// A state that should be left, without an open exit.
#[derive(Clone, Debug, PartialEq)]
pub struct Stuck {
    /// Name of the state.
    pub(crate) state: Arc<str>,
    /// Why it should be left.
    pub(crate) because: Because,
}

impl fmt::Display for Stuck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "stuck in {}, no exit applies: {}", self.state, self.because)
    }
}

/// Whether a state is left.
enum ExitDecision {
    Stays,
    /// It should be left, but no exit is open.
    Stuck(Because),
    Goes {
        next: BoundExit,
        by_else: bool,
        because: Because,
    },
}

/// Changes of the state in one frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Progress {
    /// Changes of state in this frame, in order.
    pub transitions: Vec<Transition>,
    /// The state that should be left and cannot be; usually `None`.
    pub stuck: Option<Stuck>,
    /// The states of a cycle in order, the first repeated at the end, if one frame would have entered a state
    /// twice.
    pub(crate) cycle: Option<Vec<Arc<str>>>,
}

impl Machine {
    /// Enters the start state, if that has not happened yet.
    pub(crate) fn begin(&mut self, frame: &dyn Lookup) {
        if self.entered.is_none() {
            let start = BoundExit { state: self.start, kept: 0, named: 0 };
            self.try_roles(start, frame);
            self.enter(start, frame.time());
        }
    }

    /// Settles on the state of this frame. The first call begins in the start state.
    pub(crate) fn advance(&mut self, frame: &dyn Lookup) -> Progress {
        let now = frame.time();
        let mut progress = Progress::default();
        self.visited.fill(false);
        self.begin(frame);
        if std::mem::replace(&mut self.announced, true) {
            self.bind_each_frame(frame);
        } else {
            self.visited[self.start] = true;
            let to = self.states[self.start].name.clone();
            progress.transitions.push(Transition { from: None, to, because: Because::Start, by_else: false });
        }
        loop {
            let from = self.states[self.current].name.clone();
            let (next, by_else, because) = match self.judge(frame) {
                ExitDecision::Stays => break,
                ExitDecision::Stuck(because) => {
                    progress.stuck = Some(Stuck { state: from, because });
                    break;
                }
                ExitDecision::Goes { next, by_else, because } => (next, by_else, because),
            };
            let to = self.states[next.state].name.clone();
            if self.visited[next.state] {
                progress.cycle = Some(cycle(&progress.transitions, to));
                break;
            }
            self.enter(next, now);
            progress.transitions.push(Transition { from: Some(from), to, because, by_else });
        }
        self.note_driven(frame);
        progress
    }

    /// Sets the commands of the included machines for this frame, if the present state has the necessary bindings.
    fn note_driven(&mut self, frame: &dyn Lookup) {
        for index in 0..self.driven.len() {
            let (command, definition) = self.driven[index];
            let Some(Some(definition)) = self.definitions.get(definition) else { continue };
            let has_value = |(needed, bound): (&bool, &bool)| !needed || *bound;
            if definition.roles.iter().zip(&self.reach[self.current]).all(has_value) {
                let value = definition.bound.value(&self.lookup(frame));
                self.commands.note(command, value);
            }
        }
    }

    /// Whether the current state is left, and the next state: the outermost level with a reason to end and an open
    /// exit is left.
    fn judge(&mut self, frame: &dyn Lookup) -> ExitDecision {
        let mut stuck = None;
        for level in 0..self.states[self.current].levels.len() {
            let Some(because) = self.leaving(level, frame) else { continue };
            match self.way_out(level, frame) {
                Some((next, by_else)) => return ExitDecision::Goes { next, by_else, because },
                None => stuck = stuck.or(Some(because)),
            }
        }
        stuck.map_or(ExitDecision::Stays, ExitDecision::Stuck)
    }

    /// Continues from the state of another controller: in the state of the same name, with the bindings of the same
    /// names and types. If there is no such state, it begins in its own start state.
    pub(crate) fn take_over(&mut self, old: &Machine) {
        self.commands.take_over(&old.commands);
        let Some(entered) = old.entered else { return };
        let name = old.state_name();
        let Some(state) = self.states.iter().position(|state| state.name == *name) else { return };
        for (role, value) in self.roles.iter().zip(&mut self.values) {
            let old_value = old.roles.iter().zip(&old.values).find(|(old, _)| *old == role);
            if let Some((_, old_value)) = old_value {
                *value = *old_value;
            }
        }
        self.tentative.copy_from_slice(&self.values);
        self.current = state;
        self.entered = Some(entered);
        self.announced = old.announced;
        let visits = |machine: &Machine| -> Vec<Arc<str>> {
            machine.state_names().chain(&machine.composites).cloned().collect()
        };
        let before = visits(old);
        for (state, visits) in visits(self).iter().zip(&mut self.visits) {
            let before = before.iter().position(|old| old == state);
            *visits = before.map_or(0, |before| old.visits[before]);
        }
        let is_same = |state: usize| {
            self.states.get(state).map(|state| &state.name) == old.states.get(state).map(|state| &state.name)
        };
        self.previous = old.previous.filter(|(state, _)| is_same(*state));
        let levels = self.states[state].levels.len();
        self.since.clone_from(&old.since);
        self.since.resize(levels, Since { entered, ..Since::default() });
        let until = |machine: &Machine, level: usize| {
            let level = machine.states[machine.current].levels.get(level)?;
            level.done.as_ref().map(|condition| condition.text().clone())
        };
        for level in 0..levels {
            // The nearest value so far of a different `until` does not apply to this one.
            let is_kept = until(self, level) == until(old, level);
            self.since[level].nearest = self.since[level].nearest.filter(|_| is_kept);
            self.since[level].exit = None;
        }
    }

    /// Why a level of the current state should be left now; `None` if it should not.
    fn leaving(&mut self, level: usize, frame: &dyn Lookup) -> Option<Because> {
        let now = frame.time();
        let since = self.since[level];
        let state = &self.states[self.current].levels[level];
        let lookup = self.lookup(frame);
        let inapplicable = state.applicable.as_ref().filter(|condition| !condition.value(&lookup));
        let done = state.done.as_ref().filter(|condition| condition.value(&lookup));
        let inapplicable_since = inapplicable.map(|_| since.inapplicable.unwrap_or(now));
        let done_since = done.map(|_| since.done.unwrap_or(now));
        let least = state.debounce * self.time_scale - 1e-9;
        let long_enough = |since: Option<f64>| since.is_some_and(|since| now - since >= least);
        let as_written = |condition: &Condition| (condition.text().clone(), condition.place().clone());
        let changeable = state.done.as_ref().filter(|condition| !condition.is_constant());
        let nearest = changeable.map(|condition| condition.nearest(&lookup, since.nearest));
        let because = if let Some(condition) = done.filter(|_| long_enough(done_since)) {
            let (condition, place) = as_written(condition);
            Some(Because::Done { condition, place })
        } else {
            inapplicable.filter(|_| long_enough(inapplicable_since)).map(|condition| {
                let (condition, place) = as_written(condition);
                Because::NotApplicable { condition, place }
            })
        };
        self.since[level].inapplicable = inapplicable_since;
        self.since[level].done = done_since;
        self.since[level].nearest = nearest;
        if because.is_none() {
            self.since[level].exit = None;
        }
        because
    }

    /// The next state when a level is left, its roles bound tentatively, and whether it is the `else` state.
    fn way_out(&mut self, level: usize, frame: &dyn Lookup) -> Option<(BoundExit, bool)> {
        for exit in 0..self.states[self.current].levels[level].exits.len() {
            let next = self.states[self.current].levels[level].exits[exit];
            self.try_roles(next, frame);
            let lookup = self.entering(next.kept, frame);
            let levels = self.states[next.state].levels.iter().enumerate().take(next.named).skip(next.kept);
            let mut asked = levels.filter_map(|(at, level)| Some((at, level.applicable.as_ref()?)));
            let Some((at, condition)) = asked.find(|(_, condition)| !condition.value(&lookup)) else {
                return Some((next, false));
            };
            let decided = condition.deciding(&lookup);
            let before = self.since[level].exit;
            if before.is_none_or(|before| before.decided.margin < decided.margin) {
                self.since[level].exit = Some(ExitMiss { state: next.state, level: at, decided });
            }
        }
        let next = self.states[self.current].levels[level].otherwise?;
        self.try_roles(next, frame);
        Some((next, true))
    }

    /// The lookup of a state that is entered tentatively; this many of its levels continue.
    fn entering<'a>(&'a self, kept: usize, frame: &'a dyn Lookup) -> FrameLookup<'a> {
        let times = Times {
            since: &self.since[..kept.min(self.since.len())],
            now: frame.time(),
            scale: self.time_scale,
        };
        let previous = self.entered.map(|_| self.current);
        let (roles, visits) = (&self.tentative, &self.visits);
        FrameLookup {
            frame,
            roles,
            commands: &self.commands,
            state_time: 0.0,
            times,
            visits,
            present: self.current,
            previous,
            blend: None,
        }
    }

    /// Binds the roles of a state without entering it.
    fn try_roles(&mut self, next: BoundExit, frame: &dyn Lookup) {
        self.tentative.copy_from_slice(&self.values);
        for level in next.kept..self.states[next.state].levels.len() {
            for index in 0..self.states[next.state].levels[level].bindings.all.len() {
                let (role, expression) = &self.states[next.state].levels[level].bindings.all[index];
                self.tentative[*role] = expression.value(&self.entering(next.kept, frame));
            }
        }
    }

    /// Evaluates again the bindings that the current state evaluates in each frame.
    fn bind_each_frame(&mut self, frame: &dyn Lookup) {
        for level in 0..self.states[self.current].levels.len() {
            let bindings = &self.states[self.current].levels[level].bindings;
            for index in bindings.on_entry..bindings.all.len() {
                let (role, expression) = &self.states[self.current].levels[level].bindings.all[index];
                self.values[*role] = expression.value(&self.lookup(frame));
            }
        }
    }

    /// Makes a state whose roles are bound tentatively the current one.
    fn enter(&mut self, next: BoundExit, now: f64) {
        // A state that is only passed within a frame does not become the previous state.
        if let Some(entered) = self.entered.filter(|entered| *entered != now) {
            self.previous = Some((self.current, (now - entered) / self.time_scale));
        }
        self.values.copy_from_slice(&self.tentative);
        self.current = next.state;
        self.entered = Some(now);
        self.since.truncate(next.kept);
        self.since.resize(self.states[next.state].levels.len(), Since { entered: now, ..Since::default() });
        self.visited[next.state] = true;
        for level in self.states[next.state].levels.iter().skip(next.kept) {
            self.visits[level.number] += 1;
        }
    }

    /// Evaluates the frame as if a state were entered now, without entering it.
    pub(super) fn as_if_entering<R>(
        &self,
        next: BoundExit,
        frame: &dyn Lookup,
        look: impl FnOnce(&dyn Lookup) -> R,
    ) -> R {
        let mut machine = self.clone();
        machine.try_roles(next, frame);
        look(&machine.entering(next.kept, frame))
    }

    /// Index of the current state, in the order of the file.
    pub(crate) fn state(&self) -> usize {
        self.current
    }

    /// Index of the current state; `None` before the start state is entered.
    pub(crate) fn begun(&self) -> Option<usize> {
        self.entered.map(|_| self.current)
    }

    /// Name of the current state.
    pub fn state_name(&self) -> &Arc<str> {
        &self.states[self.current].name
    }

    /// Damping of the body's joints (N m s/rad) if it is a ragdoll in the current state.
    pub(crate) fn ragdoll(&self) -> Option<f64> {
        let state = &self.states[self.current];
        (state.drive == Drive::Ragdoll).then_some(state.damping)
    }

    /// Whether the body is a ragdoll in any state.
    pub(crate) fn may_be_ragdoll(&self) -> bool {
        self.states.iter().any(|state| state.drive == Drive::Ragdoll)
    }

    /// Names of all states, in the order of the file.
    pub fn state_names(&self) -> impl Iterator<Item = &Arc<str>> {
        self.states.iter().map(|state| &state.name)
    }

    /// Seconds since the current state was entered, in world time.
    pub fn time_in_state(&self, now: f64) -> f64 {
        self.entered.map_or(0.0, |entered| now - entered)
    }

    /// Roles that have values in the current state, with their values.
    pub(crate) fn roles(&self) -> impl Iterator<Item = (&str, Value)> {
        let roles = self.roles.iter().zip(&self.values).zip(&self.reach[self.current]);
        roles.filter(|(_, bound)| **bound).map(|((role, value), _)| (role.name.as_str(), *value))
    }

    /// The frame's values as the current state's expressions see them.
    pub fn lookup<'a>(&'a self, frame: &'a dyn Lookup) -> FrameLookup<'a> {
        let now = frame.time();
        let state_time = self.time_in_state(now) / self.time_scale;
        let times = Times { since: &self.since, now, scale: self.time_scale };
        let blend =
            self.previous.map(|(state, lasted)| Blend { weights: &self.states[state].weights, lasted });
        let previous = self.previous.map(|(state, _)| state);
        FrameLookup {
            frame,
            roles: &self.values,
            commands: &self.commands,
            state_time,
            times,
            visits: &self.visits,
            previous,
            present: self.current,
            blend,
        }
    }

    /// Adds the bodies whose contacts and grips the current state and its outer states release.
    pub(crate) fn list_released(&self, frame: &dyn Lookup, released: &mut Vec<Release>) {
        let lookup = self.lookup(frame);
        for level in &self.states[self.current].levels {
            released.extend(level.releases.now(&lookup));
        }
    }

    /// Rate at which the load of released bodies falls in the current state, m g/s.
    pub(crate) fn release_rate(&self) -> f64 {
        self.states[self.current].release_rate / self.time_scale
    }

    /// Rate at which the load on a foot may change without a cost, m g/s.
    pub(crate) fn load_rate(&self) -> f64 {
        self.states[self.current].load_rate / self.time_scale
    }

    /// Whether a run begins with a grip.
    pub(crate) fn starts_holding(&self) -> bool {
        !self.states[self.start].grips.is_empty()
    }

    /// The grips that the current state requests, with the values of the frame's expressions.
    pub(crate) fn wanted<'a>(&'a self, frame: &'a dyn Lookup) -> impl Iterator<Item = Want> + 'a {
        let lookup = self.lookup(frame);
        self.states[self.current].grips.iter().filter_map(move |grip| {
            let (site, hold) = (grip.site.value(&lookup), grip.hold.value(&lookup)?);
            Some(Want::new(site, hold, grip.kind, grip.hold.place().clone()))
        })
    }

    /// The drive of the joints in the current state.
    pub(crate) fn drive(&self) -> Drive {
        self.states[self.current].drive
    }

    /// The names available to the expressions of a state (by index), or to those that hold in every state
    /// (`None`).
    pub(crate) fn scope<'a>(
        &'a self,
        spec: &'a ControllerSpec,
        names: &'a dyn Names,
        state: Option<usize>,
    ) -> Scope<'a> {
        let in_reach = state.map_or(&self.reach_everywhere, |state| &self.reach[state]);
        Scope { spec, names, roles: &self.roles, in_reach, definitions: &self.definitions, own: None }
    }
}

/// The states from `again`'s first entry to its second.
fn cycle(transitions: &[Transition], again: Arc<str>) -> Vec<Arc<str>> {
    let first = transitions.iter().position(|transition| transition.to == again).unwrap_or(0);
    let mut names: Vec<Arc<str>> =
        transitions[first..].iter().map(|transition| transition.to.clone()).collect();
    names.push(again);
    names
}

/// Start times of a level of a state and of its reasons to end, s.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Since {
    /// Time of entry.
    pub entered: f64,
    /// Time since which its `while` has not held.
    pub inapplicable: Option<f64>,
    /// Time since which its `until` has held.
    pub done: Option<f64>,
    /// Its `until` when it was nearest to holding.
    pub(super) nearest: Option<NearestDeciding>,
    /// The exit that was nearest to being open when the level should have been left.
    pub(super) exit: Option<ExitMiss>,
}

/// The `while` of an exit that kept it closed.
#[derive(Clone, Copy, Debug)]
pub(super) struct ExitMiss {
    /// The state that the exit leads to.
    pub state: usize,
    /// The level whose `while` it is.
    pub level: usize,
    pub decided: Deciding,
}
