//! The smallest change of the scene that saves a run, each verified by running it.

use super::attempt::{
    ChangeOutcome, Speaks, friction_scaled, much_friction, pushes_scaled, state_of, typed, what_pushes,
};
use super::waiting::{Waiting, thresholds};
use crate::rerun::fate;
use aplomb_language::files::quoted;
use aplomb_scene::SceneFiles;
use aplomb_trace::Header;
use aplomb_world::controller::{ControllerFile, ObjectiveEntry};
use serde::Serialize;

/// Number of bisections of a factor towards 1.
const HALVINGS: usize = 5;
/// Largest number of runs that check whether factors a little farther from 1 save the run too.
const CHECKS: usize = 3;
/// Largest number of runs that narrow down a factor.
pub(super) const RUNS: usize = HALVINGS + CHECKS;
/// Share of its distance from 1 by which a factor is moved farther from 1.
const FARTHER: f64 = 0.1;

/// A change with which the run succeeds.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct SuccessfulChange {
    /// Description of the change.
    pub(crate) about: String,
    /// `PATH=VALUE` of every changed value.
    pub(crate) changes: Vec<String>,
    /// Factor on a value, if it is one.
    pub(crate) factor: Option<f64>,
    /// Size of the change: |ln factor|; a fixed number for a removal or replacement.
    pub(crate) distance: f64,
    /// Whether the run fails with a factor a little farther from 1: then only this value saves it, possibly by
    /// chance.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) is_isolated: bool,
    /// The state in which the run fails, if with this change of a controller it never comes to that state: then it may
    /// only avoid what it was meant to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) avoids: Option<String>,
}

impl SuccessfulChange {
    /// Whether it changes a controller, not what happens to the character.
    pub(super) fn is_of_controller(&self) -> bool {
        self.changes
            .iter()
            .any(|change| change.split('=').next().is_some_and(|path| path.contains("controller.")))
    }
}

/// A value that can be scaled.
pub(super) struct Dial<'a> {
    /// Description of the value.
    pub about: String,
    /// Description for the factor 0, if that removes the whole.
    without: Option<String>,
    set: Box<dyn Fn(f64) -> Option<Vec<String>> + Send + Sync + 'a>,
    /// Factors that are tried first, the nearest to 1 last.
    pub tried: Vec<f64>,
}

impl Dial<'_> {
    /// The changes that a factor makes; `None` if there are none.
    pub(super) fn changes(&self, factor: f64) -> Option<Vec<String>> {
        (self.set)(factor)
    }

    /// The factor as a change of the scene.
    pub(super) fn change(&self, factor: f64) -> Option<SuccessfulChange> {
        let changes = self.changes(factor)?;
        let distance = factor.max(1e-3).ln().abs();
        let (about, factor) = match &self.without {
            Some(without) if factor == 0.0 => (without.clone(), None),
            _ => (self.about.clone(), Some(factor)),
        };
        Some(SuccessfulChange { about, changes, factor, distance, is_isolated: false, avoids: None })
    }

    /// Bisects between a factor that saves the run and 1, which does not. Returns the factor nearest to 1 that saves
    /// it and for which one a little farther from 1 does too: a single value may do so by chance.
    pub(super) fn narrow(&self, header: &Header, saves: f64) -> Option<SuccessfulChange> {
        self.narrow_with(saves, |changes| fate(header, changes).is_kept())
    }

    fn narrow_with(&self, saves: f64, is_kept: impl Fn(&[String]) -> bool) -> Option<SuccessfulChange> {
        let (mut saves, mut fails) = (saves, 1.0);
        let mut all_saving = vec![saves];
        for _ in 0..HALVINGS {
            // Shares of a push are halved evenly, factors by their logarithm.
            let middle = if saves < 0.05 { 0.5 * (saves + fails) } else { f64::sqrt(saves * fails) };
            let middle: f64 = format!("{middle:.3}").parse().unwrap_or(middle);
            let Some(changes) = self.changes(middle) else { break };
            if is_kept(&changes) {
                saves = middle;
                all_saving.push(middle);
            } else {
                fails = middle;
            }
        }
        for factor in all_saving.iter().rev().take(CHECKS) {
            let farther = (factor + FARTHER * (factor - 1.0)).max(0.0);
            let farther: f64 = format!("{farther:.3}").parse().unwrap_or(farther);
            let is_known = all_saving.contains(&farther);
            if is_known || self.changes(farther).is_none_or(|changes| is_kept(&changes)) {
                return self.change(*factor);
            }
        }
        Some(SuccessfulChange { is_isolated: true, ..self.change(saves)? })
    }
}

/// Description of a weaker push or ball: for a single kind, by the property that is scaled.
fn weaker(what: &str) -> String {
    match what {
        "push" => "a weaker push".into(),
        "ball" => "a lighter ball".into(),
        "balls" => "lighter balls".into(),
        "pushes" => "weaker pushes".into(),
        both => format!("weaker {both}"),
    }
}

/// Dials of pushes and friction that the attempts have shown to save the run, with a factor that does.
pub(super) fn shown<'a>(
    files: &'a SceneFiles,
    character: &'a str,
    attempts: &[ChangeOutcome],
) -> Vec<(Dial<'a>, f64)> {
    let is_kept =
        |speaks: Speaks| attempts.iter().any(|attempt| attempt.speaks == speaks && attempt.fate.is_kept());
    let mut dials = Vec::new();
    if is_kept(Speaks::Push) {
        let mut kept =
            attempts.iter().filter(|attempt| attempt.speaks == Speaks::Push && attempt.fate.is_kept());
        let only = kept.next().and_then(|attempt| attempt.event.clone());
        let what = what_pushes(files, character);
        let (about, without) = match &only {
            Some(event) => (format!("a weaker `{event}`"), format!("without `{event}`")),
            None => (weaker(&what), format!("without the {what}")),
        };
        let without = Some(without);
        let set = Box::new(move |factor: f64| pushes_scaled(files, character, only.as_deref(), factor));
        dials.push((Dial { about, without, set, tried: Vec::new() }, 0.0));
    }
    if let Some(scale) = much_friction(files).filter(|_| is_kept(Speaks::Friction)) {
        let set = Box::new(|factor: f64| Some(friction_scaled(files, factor)));
        dials.push((Dial { about: "more friction".into(), without: None, set, tried: Vec::new() }, scale));
    }
    dials
}

/// Dials of all other values: parameters of the controller of this character, weights and response times of its
/// objectives in these states, the time step.
pub(super) fn dials<'a>(
    files: &'a SceneFiles,
    character: &str,
    states: &[String],
    waiting: &[Waiting],
) -> Vec<Dial<'a>> {
    let mut dials = Vec::new();
    let number = files.characters.iter().position(|known| known.name == character).unwrap_or(0);
    let Some(character) = files.characters.get(number) else { return dials };
    let (controller, of) = (&character.controller, files.controller_path(number));
    for Waiting { state, until, .. } in waiting {
        let path = format!("{of}.states.{}.until", quoted(state));
        for threshold in thresholds(until) {
            let about = format!("the {} in `until` of `{state}`", threshold.value);
            let path = path.clone();
            let set = Box::new(move |factor: f64| {
                Some(vec![format!("{path}=\"{}\"", threshold.with(&typed(factor * threshold.value)))])
            });
            dials.push(Dial { about, without: None, set, tried: vec![2.0, 0.5, 1.25, 0.8, 1.05, 0.95] });
        }
    }
    for (name, value) in &controller.spec.parameters {
        let (key, value) = (quoted(name.get_ref()), *value.get_ref());
        let path = format!("{of}.parameters.{key}");
        let set = Box::new(move |factor: f64| {
            (value != 0.0).then(|| vec![format!("{path}={}", typed(factor * value))])
        });
        let about = format!("the parameter `{}`", name.get_ref());
        dials.push(Dial { about, without: None, set, tried: vec![2.0, 0.5, 1.5, 0.65, 1.25, 0.8] });
    }
    dials.extend(of_objectives(controller, &of, states));
    let dt = *files.scene.dt.get_ref();
    let set = Box::new(move |factor: f64| Some(vec![format!("dt={}", typed(factor * dt))]));
    dials.push(Dial { about: "the time step".into(), without: None, set, tried: vec![0.5] });
    dials
}

/// Dials of the weights, then of the response times, of the objectives in these states.
fn of_objectives<'a>(controller: &'a ControllerFile, of: &str, states: &[String]) -> Vec<Dial<'a>> {
    let mut weights = Vec::new();
    let mut responses = Vec::new();
    let mut known: Vec<String> = Vec::new();
    for (index, (state, spec)) in controller.spec.states.iter().enumerate() {
        if !states.iter().any(|name| name == state.get_ref()) {
            continue;
        }
        let entries = controller.spec.objectives.iter().chain(&spec.objectives);
        for (path, entry) in controller.objective_paths(index).into_iter().zip(entries) {
            if known.contains(&path) {
                continue;
            }
            known.push(path.clone());
            let name = entry.name.get_ref();
            let of_states = controller.spec.states.values().flat_map(|state| &state.objectives);
            let is_shared = of_states.filter(|other| other.name.get_ref() == name).count() > 1;
            let state = state_of(&path).filter(|_| is_shared);
            let state = state.map_or(String::new(), |state| format!(" in `{state}`"));
            let path = format!("{of}.{path}");
            let weight = entry.weight.span();
            weights.extend(of_text(controller, &path, "weight", weight, vec![3.0, 0.33]).map(
                |(set, tried)| Dial {
                    about: format!("the weight of `{name}`{state}"),
                    without: None,
                    set,
                    tried,
                },
            ));
            responses.extend(response(entry).and_then(|span| {
                let (set, tried) = of_text(controller, &path, "response", span, vec![0.6, 1.6])?;
                let about = format!("the response time of `{name}`{state}");
                Some(Dial { about, without: None, set, tried })
            }));
        }
    }
    weights.append(&mut responses);
    weights
}

fn response(entry: &ObjectiveEntry) -> Option<std::ops::Range<usize>> {
    entry.response.as_ref().map(|field| field.span())
}

type ChangeMaker = Box<dyn Fn(f64) -> Option<Vec<String>> + Send + Sync>;

/// A dial that scales a number or an expression, as written in the controller's file.
fn of_text(
    controller: &ControllerFile,
    path: &str,
    key: &str,
    span: std::ops::Range<usize>,
    tried: Vec<f64>,
) -> Option<(ChangeMaker, Vec<f64>)> {
    let text = controller.source.slice(span).trim();
    let text = text.trim_matches(['"', '\'']).to_string();
    if text.is_empty() || text.contains(['{', '\n', '"']) || text.starts_with('[') {
        return None;
    }
    let path = format!("{path}.{key}");
    let number: Option<f64> = text.parse().ok();
    if number == Some(0.0) {
        return None;
    }
    let set = move |factor: f64| {
        Some(vec![match number {
            Some(number) => format!("{path}={}", typed(factor * number)),
            None => format!("{path}=\"{} * ({text})\"", typed(factor)),
        }])
    };
    Some((Box::new(set), tried))
}

/// The attempts that save the run as changes, each at a fixed distance. Objectives that can be removed are one
/// change, which removes the first of them.
pub(super) fn of_attempts(attempts: &[ChangeOutcome]) -> Vec<SuccessfulChange> {
    let kept: Vec<&ChangeOutcome> = attempts.iter().filter(|attempt| attempt.fate.is_kept()).collect();
    let without: Vec<&str> = kept.iter().filter_map(|attempt| attempt.without.as_deref()).collect();
    let is_reported = |attempt: &&&ChangeOutcome| {
        attempt.without.is_none() || attempt.without.as_deref() == without.first().copied()
    };
    let change = |attempt: &&ChangeOutcome| {
        let about = &attempt.about;
        let (distance, about) = match attempt.speaks {
            // These are reported with a factor.
            Speaks::Push | Speaks::Friction => return None,
            Speaks::Surroundings => (2.5, format!("leaving out an event ({about})")),
            Speaks::Obstruction => (2.5, format!("what is in the way set aside ({about})")),
            Speaks::SoftGoals => (1.5, "weighing hard objectives instead".into()),
            Speaks::Objective => (2.0, leaving_out(&without)),
            Speaks::Delay => (2.0, "torques that react at once".into()),
            Speaks::Stay => (2.0, format!("another exit ({about})")),
            Speaks::Leave => (2.0, format!("leaving the state ({about})")),
            Speaks::Torque => (2.5, "no torque limits".into()),
            Speaks::Controller => (3.0, format!("another controller ({about})")),
        };
        Some(SuccessfulChange {
            about,
            changes: attempt.changes.clone(),
            factor: None,
            distance,
            is_isolated: false,
            avoids: None,
        })
    };
    kept.iter().filter(is_reported).filter_map(change).collect()
}

/// Description of the removal of one of these objectives.
fn leaving_out(objectives: &[&str]) -> String {
    match objectives {
        [first, others @ ..] if !others.is_empty() => {
            format!("removing the objective {first}, or one of {}", others.join(", "))
        }
        objectives => format!("removing the objective {}", objectives.concat()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::attempt::{ChangeOutcome, Speaks};
    use super::*;
    use crate::rerun::Fate;

    fn attempt(speaks: Speaks, without: Option<&str>, fate: Fate) -> ChangeOutcome {
        let changes = vec![format!("{}.enabled=false", without.unwrap_or("x"))];
        ChangeOutcome {
            speaks,
            about: "so".into(),
            without: without.map(str::to_owned),
            event: None,
            changes,
            fate,
        }
    }

    #[test]
    fn of_factors_that_save_the_nearest_is_one_that_does_not_by_chance() {
        let set = Box::new(|factor: f64| Some(vec![factor.to_string()]));
        let dial = Dial { about: "x".into(), without: None, set, tried: Vec::new() };
        let narrowed = |saves: &dyn Fn(f64) -> bool| {
            let change = dial.narrow_with(2.0, |changes| saves(changes[0].parse().unwrap())).unwrap();
            (change.factor.unwrap(), change.is_isolated)
        };
        let (factor, is_isolated) = narrowed(&|factor| factor >= 1.3);
        assert!((1.3..1.35).contains(&factor) && !is_isolated, "{factor}");
        // 1.414, half-way, saves it by chance; beyond it only factors from 1.9 do.
        let (factor, is_isolated) = narrowed(&|factor| factor >= 1.9 || (1.41..1.42).contains(&factor));
        assert_eq!((factor, is_isolated), (2.0, false));
        let (factor, is_isolated) = narrowed(&|factor| [2.0, 1.414].contains(&factor));
        assert_eq!((factor, is_isolated), (1.414, true));
    }

    #[test]
    fn objectives_that_can_be_left_out_are_one_change() {
        let goal = |name, fate| attempt(Speaks::Objective, Some(name), fate);
        let attempts = [
            attempt(Speaks::Delay, None, Fate::Kept),
            goal("a", Fate::Impossible),
            goal("b", Fate::Kept),
            goal("c", Fate::Kept),
            goal("d", Fate::Kept),
        ];
        let changes = of_attempts(&attempts);
        let told: Vec<&str> = changes.iter().map(|change| change.about.as_str()).collect();
        assert_eq!(told, ["torques that react at once", "removing the objective b, or one of c, d"]);
        assert_eq!(changes[1].changes, ["b.enabled=false"]);
        assert_eq!(of_attempts(&attempts[..3])[1].about, "removing the objective b");
    }
}
