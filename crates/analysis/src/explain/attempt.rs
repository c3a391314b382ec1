//! Changes that a failed run is repeated with: each removes one possible cause.

use super::evidence::Evidence;
use super::waiting::Waiting;
use crate::rerun::Fate;
use aplomb_language::Spanned;
use aplomb_language::files::{Folder, quoted, shipped};
use aplomb_scene::{EventKind, EventSpec, SceneFiles};
use aplomb_trace::Header;
use aplomb_world::controller::ControllerFile;
use serde::Serialize;

/// Friction with which contacts hardly slip.
const MUCH_FRICTION: f64 = 1.0;
/// Largest number of objectives that are removed one by one.
const MOST_OBJECTIVES: usize = 12;
/// Shipped controllers that are tried on any body.
const OTHER_CONTROLLERS: [&str; 2] = ["step_recovery", "balance"];

/// The cause that a change indicates if the run succeeds with it, in the order in which changes are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Speaks {
    /// The push was too strong.
    Push,
    /// Something that moves, vanishes or appears was the cause.
    Surroundings,
    /// A passive object was in the way.
    Obstruction,
    /// Friction was too low.
    Friction,
    /// Torque limits were too low.
    Torque,
    /// Hard objectives conflicted.
    SoftGoals,
    /// The reaction delay was too long.
    Delay,
    /// A state was left that should not have been.
    Stay,
    /// A state was not left that should have been.
    Leave,
    /// The controller failed where another one succeeds.
    Controller,
    /// An objective was wrong.
    Objective,
}

/// A change, with the end of the run that it leads to.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ChangeOutcome {
    /// The cause that it indicates.
    pub speaks: Speaks,
    /// Description of the change, which follows «it does not fail».
    pub about: String,
    /// The objective that it removes, as a sentence names it.
    pub without: Option<String>,
    /// The only event that it removes, if there are several.
    pub event: Option<String>,
    /// `PATH=VALUE` of every changed value.
    pub changes: Vec<String>,
    /// End of the run with the change from its beginning.
    pub fate: Fate,
}

impl ChangeOutcome {
    fn new(speaks: Speaks, about: impl Into<String>, changes: Vec<String>) -> Self {
        ChangeOutcome {
            speaks,
            about: about.into(),
            without: None,
            event: None,
            changes,
            fate: Fate::Impossible,
        }
    }

    /// Whether the explained criterion holds with it, but the run fails otherwise.
    pub(super) fn is_only_another(&self) -> bool {
        matches!(self.fate, Fate::FailedOtherwise { .. })
    }

    /// Whether the change can also be made during the run.
    pub(super) fn can_rescue(&self) -> bool {
        !matches!(self.speaks, Speaks::Obstruction | Speaks::Stay | Speaks::Leave | Speaks::Objective)
    }
}

/// A number as a user would type it.
pub(super) fn typed(value: f64) -> String {
    let rounded: f64 = format!("{value:.2e}").parse().unwrap_or(value);
    format!("{rounded:?}")
}

fn vector(values: [f64; 3]) -> String {
    format!("[{}, {}, {}]", typed(values[0]), typed(values[1]), typed(values[2]))
}

/// The events that may push this character: all throws, and its own pushes; if it has none and nothing is thrown, all
/// pushes.
fn pushing<'a>(
    files: &'a SceneFiles,
    character: &str,
) -> impl Iterator<Item = (&'a Spanned<String>, &'a EventSpec)> {
    let first = files.characters.first().map(|first| first.name.as_str());
    let whom =
        move |event: &'a EventSpec| event.character.as_ref().map(|name| name.get_ref().as_str()).or(first);
    let is_of_it = |event: &'a EventSpec| event.passive.is_none() && whom(event) == Some(character);
    let is_push = |event: &EventSpec| event.kind == EventKind::Push;
    let of_it: Vec<&str> = files
        .scene
        .events
        .iter()
        .filter(|(_, event)| is_push(event) && is_of_it(event))
        .map(|(name, _)| name.get_ref().as_str())
        .collect();
    let is_thrown_at = files.scene.events.values().any(|event| event.kind == EventKind::Throw);
    files.scene.events.iter().filter(move |(name, event)| match of_it.is_empty() {
        true => !is_push(event) || !is_thrown_at,
        false => !is_push(event) || of_it.contains(&name.get_ref().as_str()),
    })
}

/// The pushes of a character with their strength, and thrown balls with their mass, multiplied by `scale`; `None` if
/// there are none. `only`: the event that is changed, instead of all.
pub(super) fn pushes_scaled(
    files: &SceneFiles,
    character: &str,
    only: Option<&str>,
    scale: f64,
) -> Option<Vec<String>> {
    let mut changes = Vec::new();
    let is_changed = |name: &Spanned<String>| only.is_none_or(|only| only == name.get_ref());
    for (name, event) in pushing(files, character).filter(|(name, _)| is_changed(name)) {
        let path = format!("events.{}", quoted(name.get_ref()));
        match event.kind {
            EventKind::Push => {
                for (key, value) in [("impulse", &event.impulse), ("force", &event.force)] {
                    if let Some(value) = value {
                        let scaled = value.get_ref().map(|part| scale * part);
                        changes.push(format!("{path}.{key}={}", vector(scaled)));
                    }
                }
            }
            EventKind::Throw if scale == 0.0 => changes.push(never(files, &path, event)),
            EventKind::Throw => {
                let mass = event.mass.as_ref().map(|mass| scale * mass.get_ref());
                changes.extend(mass.map(|mass| format!("{path}.mass={}", typed(mass))));
            }
            _ => {}
        }
    }
    (!changes.is_empty()).then_some(changes)
}

/// The change that delays an event at this path beyond the end of the scene.
fn never(files: &SceneFiles, path: &str, event: &EventSpec) -> String {
    let late = typed(1.0 + *files.scene.duration.get_ref());
    match event {
        EventSpec { when: Some(_), .. } => format!("{path}.when=\"false\""),
        EventSpec { after: Some(_), .. } => format!("{path}.delay={late}"),
        _ => format!("{path}.at={late}"),
    }
}

/// Noun for what pushes a character: `push`, `ball`, or both, in the plural if there are several.
pub(super) fn what_pushes(files: &SceneFiles, character: &str) -> String {
    let count = |kind| pushing(files, character).filter(|(_, event)| event.kind == kind).count();
    let named = |kind, one: &'static str, several: &'static str| match count(kind) {
        0 => None,
        1 => Some(one),
        _ => Some(several),
    };
    let named = [named(EventKind::Push, "push", "pushes"), named(EventKind::Throw, "ball", "balls")];
    named.into_iter().flatten().collect::<Vec<_>>().join(" and ")
}

/// Changes that scale the friction of the ground and of all obstacles with friction of their own.
pub(super) fn friction_scaled(files: &SceneFiles, scale: f64) -> Vec<String> {
    let ground = *files.scene.ground.friction.get_ref();
    let mut changes = vec![format!("ground.friction={}", typed(scale * ground))];
    for (name, obstacle) in &files.scene.obstacles {
        if let Some(friction) = &obstacle.friction {
            let friction = typed(scale * friction.get_ref());
            changes.push(format!("obstacles.{}.friction={friction}", quoted(name.get_ref())));
        }
    }
    changes
}

/// Factor on the friction with which contacts hardly slip; `None` if friction is that high already.
pub(super) fn much_friction(files: &SceneFiles) -> Option<f64> {
    let ground = *files.scene.ground.friction.get_ref();
    let own = files.scene.obstacles.values().filter_map(|obstacle| obstacle.friction.as_ref());
    let least = own.map(|friction| *friction.get_ref()).fold(ground, f64::min);
    (least > 0.0 && least < MUCH_FRICTION).then_some(MUCH_FRICTION / least)
}

/// Paths of every objective of a character's controller with its name and whether it is hard:
/// `objectives."x"`.
fn objectives(controller: &ControllerFile) -> Vec<(String, String, bool)> {
    let spec = &controller.spec;
    let mut all: Vec<(String, String, bool)> = Vec::new();
    for state in 0..spec.states.len().max(1) {
        let paths = controller.objective_paths(state);
        let of_state = spec.states.get_index(state).map(|(_, state)| state.objectives.as_slice());
        let entries = spec.objectives.iter().chain(of_state.unwrap_or_default());
        for (path, entry) in paths.into_iter().zip(entries) {
            if all.iter().all(|(known, ..)| *known != path) {
                all.push((path, entry.name.get_ref().clone(), entry.hard));
            }
        }
    }
    all
}

/// All changes that are tried in a run of these files, the most informative first. `left`: the state that the
/// character of the header left last before the failure.
pub(super) fn all(
    files: &SceneFiles,
    header: &Header,
    left: Option<&str>,
    evidence: &Evidence,
) -> Vec<ChangeOutcome> {
    let (waiting, touched) = (&evidence.waiting, &evidence.touched);
    let mut all = Vec::new();
    all.extend(without_one_push(files, &header.character));
    if let Some(changes) = pushes_scaled(files, &header.character, None, 0.0) {
        let about = format!("without the {}", what_pushes(files, &header.character));
        all.push(ChangeOutcome::new(Speaks::Push, about, changes));
    }
    all.extend(without_events(files));
    all.extend(without_objects(files, touched));
    if let Some(scale) = much_friction(files) {
        all.push(ChangeOutcome::new(Speaks::Friction, "with more friction", friction_scaled(files, scale)));
    }
    for number in 0..files.characters.len() {
        all.extend(of_character(files, number, header, left, evidence));
        let is_recorded = files.characters[number].name == header.character;
        all.extend(waiting.iter().filter(|_| is_recorded).map(|waiting| leave(files, number, waiting)));
    }
    // In the order of kinds, over all characters.
    all.sort_by_key(|attempt| attempt.speaks);
    all
}

/// Largest number of events that are left out one by one.
const MOST_EVENTS: usize = 8;
/// Largest number of pushes that are left out one by one.
const MOST_PUSHES: usize = 8;

/// The changes that leave out one of several pushes, the last first: the one that the character did not survive names
/// the cause better than all together.
fn without_one_push(files: &SceneFiles, character: &str) -> Vec<ChangeOutcome> {
    let is_push = |event: &EventSpec| matches!(event.kind, EventKind::Push | EventKind::Throw);
    let mut pushes: Vec<_> = pushing(files, character).filter(|(_, event)| is_push(event)).collect();
    if !(2..=MOST_PUSHES).contains(&pushes.len()) {
        return Vec::new();
    }
    pushes.sort_by(|(_, a), (_, b)| b.earliest().total_cmp(&a.earliest()));
    let without = |name: &Spanned<String>| {
        let changes = pushes_scaled(files, character, Some(name.get_ref()), 0.0)?;
        let outcome = ChangeOutcome::new(Speaks::Push, format!("without `{name}`"), changes);
        Some(ChangeOutcome { event: Some(name.get_ref().clone()), ..outcome })
    };
    pushes.into_iter().filter_map(|(name, _)| without(name)).collect()
}

/// The changes that leave out an event that moves the ground or an obstacle, or makes it vanish or appear.
fn without_events(files: &SceneFiles) -> Vec<ChangeOutcome> {
    let moves = |event: &EventSpec| {
        matches!(event.kind, EventKind::Shake | EventKind::Move | EventKind::Vanish | EventKind::Appear)
    };
    let events = files.scene.events.iter().filter(|(_, event)| moves(event)).take(MOST_EVENTS);
    let without = |(name, event): (&Spanned<String>, &EventSpec)| {
        let changes = vec![never(files, &format!("events.{}", quoted(name.get_ref())), event)];
        ChangeOutcome::new(Speaks::Surroundings, format!("without `{name}`"), changes)
    };
    events.map(without).collect()
}

/// Distance at which an object is out of everything's way, m.
const ASIDE: f64 = 100.0;
/// Largest number of objects that are set aside one by one.
const MOST_OBJECTS: usize = 6;

/// The changes that set passive objects aside: each of them, and all together.
fn without_objects(files: &SceneFiles, touched: &[String]) -> Vec<ChangeOutcome> {
    let objects: Vec<(&str, String)> = touched
        .iter()
        .filter_map(|name| {
            let (_, object) = files.scene.passive.iter().find(|(known, _)| known.get_ref() == name)?;
            Some((name.as_str(), format!("passive.{}.{}", quoted(name), object.aside(ASIDE)?)))
        })
        .collect();
    let aside = |about: String, changes| ChangeOutcome::new(Speaks::Obstruction, about, changes);
    let mut all: Vec<ChangeOutcome> = Vec::new();
    for (name, change) in objects.iter().take(MOST_OBJECTS) {
        all.push(aside(format!("where `{name}` is far away"), vec![change.clone()]));
    }
    if objects.len() > 1 {
        let names: Vec<String> = objects.iter().map(|(name, _)| format!("`{name}`")).collect();
        let changes = objects.iter().map(|(_, change)| change.clone()).collect();
        all.push(aside(format!("where {} are far away", names.join(", ")), changes));
    }
    all
}

/// The changes of one character and its controller.
fn of_character(
    files: &SceneFiles,
    number: usize,
    header: &Header,
    left: Option<&str>,
    evidence: &Evidence,
) -> Vec<ChangeOutcome> {
    let Some((character, spec)) = files.cast().nth(number) else { return Vec::new() };
    let mut all = Vec::new();
    let (name, path) = (quoted(&character.name), files.controller_path(number));
    let of = match files.characters.len() {
        1 => String::new(),
        _ => format!(" of `{}`", character.name),
    };
    let is_recorded = character.name == header.character;
    if spec.torque_limits && (!is_recorded || header.torque_limits.iter().any(Option::is_some)) {
        let changes = vec![format!("characters.{name}.torque_limits=false")];
        all.push(ChangeOutcome::new(Speaks::Torque, format!("without torque limits{of}"), changes));
    }
    let goals = objectives(&character.controller);
    let hard = goals.iter().filter(|(.., hard)| *hard);
    let hard: Vec<String> = hard.map(|(goal, ..)| format!("{path}.{goal}.hard=false")).collect();
    if !hard.is_empty() {
        let about = format!("where hard objectives{of} are weighed instead");
        all.push(ChangeOutcome::new(Speaks::SoftGoals, about, hard));
    }
    if spec.reaction_delay.is_some() {
        let delay = format!("characters.{name}.reaction_delay");
        let changes = vec![format!("{delay}.time={}", typed(header.dt)), format!("{delay}.perception=0")];
        all.push(ChangeOutcome::new(Speaks::Delay, format!("where torques{of} react at once"), changes));
    }
    if let Some(from) = left.filter(|_| is_recorded) {
        all.extend(stay(&character.controller, &path, from));
    }
    let present = stem(&character.controller.source.name);
    let known = shipped(Folder::Controllers);
    for other in OTHER_CONTROLLERS.into_iter().filter(|other| *other != present) {
        if known.iter().any(|name| name == other) {
            let changes = vec![format!("characters.{name}.controller={other:?}")];
            let about = format!("with the controller `{other}`{of}");
            all.push(ChangeOutcome::new(Speaks::Controller, about, changes));
        }
    }
    // Those whose cost grew tell most, then those of the state in which it failed.
    let tells = |(goal, objective, _): &&(String, String, bool)| {
        let grown = evidence.grown.iter().position(|grown| grown.objective == *objective);
        (
            grown.unwrap_or(usize::MAX),
            !is_recorded || state_of(goal).is_none_or(|state| state != evidence.state),
        )
    };
    let mut telling: Vec<_> = goals.iter().collect();
    telling.sort_by_key(tells);
    for (goal, objective, _) in telling.into_iter().take(MOST_OBJECTIVES) {
        // States may have objectives of one name.
        let is_shared = goals.iter().filter(|(_, other, _)| other == objective).count() > 1;
        all.push(without(&path, goal, objective, is_shared, &of));
    }
    all
}

/// The attempt without an objective, named with its state if other states have an objective of the same name.
fn without(path: &str, goal: &str, objective: &str, is_shared: bool, of: &str) -> ChangeOutcome {
    let state = state_of(goal).filter(|_| is_shared);
    let state = state.map_or(String::new(), |state| format!(" in `{state}`"));
    let objective = format!("`{objective}`{state}{of}");
    let about = format!("without the objective {objective}");
    let changes = vec![format!("{path}.{goal}.enabled=false")];
    ChangeOutcome { without: Some(objective), ..ChangeOutcome::new(Speaks::Objective, about, changes) }
}

/// The state in the path of an objective, `states.NAME.objectives."x"`; `None` for an objective of all states.
pub(super) fn state_of(path: &str) -> Option<&str> {
    let (state, _) = path.strip_prefix("states.")?.rsplit_once(".objectives.")?;
    Some(state.trim_matches('"'))
}

fn stem(name: &str) -> &str {
    let name = name.rsplit(['/', '\\']).next().unwrap_or(name);
    name.strip_suffix(".toml").unwrap_or(name)
}

/// The change with which a state is left one second after entry, or when its `until` holds.
fn leave(files: &SceneFiles, number: usize, waiting: &Waiting) -> ChangeOutcome {
    let (path, state) = (files.controller_path(number), &waiting.state);
    let until = format!("{path}.states.{}.until=\"({}) or state_time > 1\"", quoted(state), waiting.until);
    ChangeOutcome::new(Speaks::Leave, format!("where it leaves `{state}` after a second"), vec![until])
}

/// The change with which a state is no longer left.
fn stay(controller: &ControllerFile, path: &str, state: &str) -> Option<ChangeOutcome> {
    let spec = controller.spec.states.get(state)?;
    let mut changes = Vec::new();
    let path = format!("{path}.states.{}", quoted(state));
    if spec.applicable.is_some() {
        changes.push(format!("{path}.while=true"));
    }
    if spec.done.is_some() {
        changes.push(format!("{path}.until=false"));
    }
    let about = format!("where it stays in `{state}`");
    (!changes.is_empty()).then(|| ChangeOutcome::new(Speaks::Stay, about, changes))
}
