//! Explanation of a failed run: evidence in its frames, and repeated runs with changes.
//!
//! A run is repeated from the texts in its trace, which gives the same frames. It is then run again with one change
//! at a time (without the push, the torque limits, each objective, …). The changes with which it succeeds indicate
//! the kind of failure ([`FailureKind`]); checkpoints show how late a change suffices, and factors how small it may
//! be. Every command that is named has been run.

mod attempt;
mod evidence;
mod forces;
mod frame;
mod html;
mod kind;
mod markdown;
mod missed_hold;
mod nearest;
mod page;
mod rescue;
#[cfg(test)]
mod tests;
mod text;
mod unasked;
mod waiting;

pub(crate) use crate::rerun::Fate;
pub use crate::rerun::RerunError;
pub(crate) use evidence::AtLimit;
pub use evidence::Evidence;
pub(crate) use frame::ForcesUnknown;
pub use frame::{ExplainedPart, FrameExplained, PartChoice, explain_frame};
pub use html::html;
pub use kind::{FailureKind, Ranked};
pub use markdown::markdown;
pub(crate) use nearest::SuccessfulChange;
pub use page::{Page, page};
pub(crate) use rescue::Rescue;
pub use text::text;
pub(crate) use waiting::Waiting;

use super::runner::RunError;
use super::summary::{ConflictSummary, Verdict};
use super::sweep::in_order;
use crate::rerun::{FailureExplained, bound, comes_to, fate_of};
use aplomb_language::expression::parse_expression;
use aplomb_language::files::{Folder, Override, find_shipped, shipped};
use aplomb_scene::{LoadError, Run, SceneFiles};
use aplomb_trace::{Frame, Header};
use aplomb_world::{CharacterId, FALLEN};
use attempt::ChangeOutcome;
use evidence::Recording;
use nearest::Dial;
use serde::Serialize;
use std::convert::Infallible;

/// Largest number of changes that are listed.
const MOST_CHANGES: usize = 8;
/// Largest number of rescues that are searched.
const MOST_RESCUES: usize = 4;
/// Runs reserved for narrowing down the nearest changes, and for looking whether changes avoid the state of the
/// failure.
const KEPT_BACK: usize = 2 * nearest::RUNS + MOST_CHANGES;

/// Bounds on the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExplanationBudget {
    /// Largest number of runs of the scene.
    pub budget: usize,
    /// Number of parallel runs, which does not affect the result.
    pub threads: usize,
}

/// Why a run cannot be explained.
#[derive(Debug, thiserror::Error)]
pub enum ExplainError {
    /// The scene cannot be run again.
    #[error(transparent)]
    Rerun(#[from] RerunError),
    /// The first frame cannot be computed.
    #[error(transparent)]
    Run(#[from] RunError),
    /// Threads cannot be created.
    #[error("{0}")]
    Threads(String),
    /// The scene has no character.
    #[error("this scene has no character that could fall")]
    Nobody,
    /// The run has no such frame.
    #[error("the run has frames 0 to {last}, and no frame {asked}")]
    NoFrame {
        /// Requested frame.
        asked: u64,
        /// Last frame with forces.
        last: u64,
    },
}

impl From<LoadError> for ExplainError {
    fn from(error: LoadError) -> Self {
        ExplainError::Rerun(error.into())
    }
}

/// The explanation of a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Explanation {
    /// Name of the scene.
    pub(crate) scene: String,
    /// Its reference on the command line: the name of a shipped scene, or the path of a file.
    pub(crate) file: String,
    /// Title of the run.
    pub(crate) title: String,
    /// Name of the character that failed, if the scene has several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub character: Option<String>,
    /// Command that repeats the run.
    pub(crate) command: String,
    /// Values that the command changes, each as `PATH=VALUE`.
    pub(crate) overrides: Vec<String>,
    /// Whether it failed; otherwise the following fields are empty.
    pub failed: bool,
    /// Verdict on its criteria.
    pub(crate) verdict: Verdict,
    /// First time at which the repeated run differs from the trace, s; `None` if it is equal.
    pub(crate) departs_at: Option<f64>,
    /// Times at which the trace and the repeated run end, s, if the trace ends earlier: the run was interrupted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) cut_off: Option<[f64; 2]>,
    /// Paragraph of the summary on the failure.
    pub(crate) reason: Option<String>,
    /// Evidence around the failure.
    pub evidence: Evidence,
    /// Kinds of failure, the most likely first.
    pub kinds: Vec<Ranked>,
    /// Rows that contradict each other.
    pub(crate) conflicts: Vec<ConflictSummary>,
    /// Changes from the beginning of the run, and whether it succeeds with each.
    pub(crate) tried: Vec<TriedChange>,
    /// Times until which a change would suffice, the latest first.
    pub(crate) rescues: Vec<Rescue>,
    /// Changes of the scene with which it succeeds, the smallest first.
    pub(crate) changes: Vec<SuccessfulChange>,
    /// Number of trials with a parameter, a weight, a response time or the time step scaled.
    pub(crate) factors_tried: usize,
    /// Number of runs made.
    pub(crate) runs: usize,
    /// Whether a larger budget would allow more trials.
    pub(crate) cut_short: bool,
}

/// A change that was tried.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct TriedChange {
    /// Description of the change.
    pub(crate) about: String,
    /// The objective that it removes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) without: Option<String>,
    /// Whether the run succeeds with it.
    pub(crate) saves: bool,
    /// Whether the explained criterion holds with it, but another one fails.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) only_another_fails: bool,
}

impl Explanation {
    /// The explanation from one run, before changes are tried.
    fn of_recording(header: &Header, frames: &[Frame], recording: &Recording, evidence: Evidence) -> Self {
        let fell = recording.frames.iter().any(|frame| frame.com[2] < FALLEN * header.com_height);
        let summary = &recording.summary;
        let failed = match summary.verdict {
            Verdict::Pass => summary.criteria.is_empty() && fell,
            _ => true,
        };
        let file = shipped_as(header).unwrap_or_else(|| format!("{}.toml", header.scene));
        Explanation {
            scene: header.scene.clone(),
            title: header.title.clone(),
            character: (!header.others.is_empty()).then(|| header.character.clone()),
            command: run_with(&file, &header.overrides),
            file,
            overrides: header.overrides.clone(),
            failed,
            verdict: summary.verdict,
            departs_at: departs(&recording.frames, frames),
            cut_off: cut_off(&recording.frames, frames),
            reason: summary.reason.clone(),
            evidence,
            kinds: Vec::new(),
            conflicts: summary.conflicts.clone(),
            tried: Vec::new(),
            rescues: Vec::new(),
            changes: Vec::new(),
            factors_tried: 0,
            runs: 1,
            cut_short: false,
        }
    }

    /// The latest time from which a tried change saves the run, s, and the change.
    pub(crate) fn last_rescue(&self) -> Option<(f64, &str)> {
        let found = self.rescues.iter().filter_map(|rescue| Some((rescue.until?, rescue.about.as_str())));
        found.reduce(|last, one| if one.0 > last.0 { one } else { last })
    }

    /// The command that runs the scene with changes.
    pub(crate) fn command_with(&self, changes: &[String]) -> String {
        // Values that are changed again need no earlier override.
        let before =
            self.overrides.iter().filter(|old| changes.iter().all(|new| !is_of_same_value(old, new)));
        run_with(&self.file, before.chain(changes))
    }

    /// This explanation with the path of the scene's file in its commands.
    pub fn with_file(self, file: String) -> Self {
        Explanation { command: run_with(&file, &self.overrides), file, ..self }
    }
}

/// Largest number of named items of a list.
const MOST_NAMED: usize = 5;

/// The first few of a list, with the number of the others.
fn few(all: &[String]) -> String {
    let named = all[..all.len().min(MOST_NAMED)].join(", ");
    match all.len().saturating_sub(MOST_NAMED) {
        0 => named,
        more => format!("{named} and {more} more"),
    }
}

/// A word quoted for a shell.
fn shell(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-./=:,+%".contains(c);
    if word.chars().all(is_plain) { word.into() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

fn is_of_same_value(old: &str, new: &str) -> bool {
    match (Override::parse(old), Override::parse(new)) {
        (Ok(old), Ok(new)) => old.is_of_same_value(&new),
        _ => false,
    }
}

/// Name of the shipped scene of a trace; `None` for a scene that the user has written, whatever its name.
pub fn shipped_as(header: &Header) -> Option<String> {
    let stem = |name: &str| name.rsplit('/').next().map(str::to_owned);
    let mut named =
        shipped(Folder::Scenes).into_iter().filter(|name| stem(name).as_deref() == Some(&*header.scene));
    // A scene that another version shipped may have another text now.
    if header.version != env!("CARGO_PKG_VERSION") {
        return named.next();
    }
    let text = &header.text("scene")?.text;
    named.find(|name| find_shipped(Folder::Scenes, name).is_ok_and(|found| *found.source.text == **text))
}

/// The command that runs a scene, by shipped name or path, with values changed.
fn run_with<'a>(scene: &str, changes: impl IntoIterator<Item = &'a String>) -> String {
    let changes = changes.into_iter().map(|change| format!(" --set {}", shell(change)));
    format!("aplomb run {}{}", shell(scene), changes.collect::<String>())
}

/// Runs a list of changes, each from the beginning, and returns the result of each with respect to the explained
/// failure. `progress` is called after every run.
fn fates(
    header: &Header,
    changes: &[Vec<String>],
    explained: &FailureExplained,
    settings: ExplanationBudget,
    progress: &dyn Fn(usize),
) -> Result<Vec<Fate>, ExplainError> {
    in_parallel(changes.len(), settings, |k| fate_of(header, &changes[k], explained), progress, 1)
}

/// Runs `work` for 0 to `count`; each item costs `runs` runs.
fn in_parallel<T: Send>(
    count: usize,
    settings: ExplanationBudget,
    work: impl Fn(usize) -> T + Sync,
    progress: &dyn Fn(usize),
    runs: usize,
) -> Result<Vec<T>, ExplainError> {
    let mut results = Vec::with_capacity(count);
    in_order(settings.threads, count, work, |result| {
        results.push(result);
        progress(runs);
        Ok::<(), Infallible>(())
    })
    .map_err(|error| ExplainError::Threads(error.to_string()))?;
    Ok(results)
}

/// Explains the run of a trace with this header and these frames. `progress` receives the number of runs done since
/// its last call.
///
/// # Errors
/// If the texts of the trace no longer run, or its scene has no character.
pub fn explain(
    header: &Header,
    frames: &[Frame],
    settings: ExplanationBudget,
    progress: &dyn Fn(usize),
) -> Result<Explanation, ExplainError> {
    let (files, mut run) = bound(header, &[])?;
    if run.hero().is_none() {
        return Err(ExplainError::Nobody);
    }
    let asked = run.world.find_character(&header.character).filter(|asked| Some(*asked) != run.hero());
    let mut recording = Recording::of(&files, &mut run, asked)?;
    progress(1);
    let mut runs = 1;
    if let Some(other) = whose_failure(&run, &recording).filter(|_| asked.is_none()) {
        let (_, mut again) = bound(header, &[])?;
        recording = Recording::of(&files, &mut again, Some(other))?;
        progress(1);
        runs += 1;
    }
    let own = recording.header.clone();
    let whose = run.world.find_character(&own.character).or(run.hero()).ok_or(ExplainError::Nobody)?;
    let model = run.world.character(whose).model.clone();
    drop(run);
    let frames = if own.character == header.character { frames } else { &recording.frames };
    let header = if own.character == header.character { header } else { &own };
    let mut evidence = Evidence::of(&recording);
    evidence.add_surroundings(&files, &recording);
    evidence.add_ends(&model, &recording);
    evidence.waiting = Waiting::of(&files, &recording);
    evidence.unasked = unasked::unasked(&files, &recording);
    evidence.missed_hold = missed_hold::missed_hold(&files, &recording);
    let mut explanation = Explanation::of_recording(header, frames, &recording, evidence);
    explanation.runs = runs;
    if !explanation.failed {
        return Ok(explanation);
    }
    let left = explanation.evidence.exit.as_ref().map(|exit| exit.from.clone());
    let mut attempts = attempt::all(&files, header, left.as_deref(), &explanation.evidence);
    if !recording.was_pushed(&files) {
        attempts.retain(|attempt| attempt.speaks != attempt::Speaks::Push);
    }
    explanation.cut_short = attempts.len() + explanation.runs > settings.budget;
    attempts.truncate(settings.budget.saturating_sub(explanation.runs));
    let changes: Vec<Vec<String>> = attempts.iter().map(|attempt| attempt.changes.clone()).collect();
    let failure = evidence::failure(&recording.summary);
    for (attempt, fate) in attempts.iter_mut().zip(fates(header, &changes, &failure, settings, progress)?) {
        attempt.fate = fate;
    }
    explanation.runs += attempts.len();
    let possible = attempts.iter().filter(|attempt| attempt.fate != Fate::Impossible);
    explanation.tried = possible
        .map(|attempt| TriedChange {
            about: attempt.about.clone(),
            without: attempt.without.clone(),
            saves: attempt.fate.is_kept(),
            only_another_fails: attempt.is_only_another(),
        })
        .collect();
    explanation.kinds = kind::ranked(&explanation.evidence, &attempts);
    let tried =
        Tries { header, files: &files, recording: &recording, attempts: &attempts, settings, progress };
    explanation.changes = nearest::of_attempts(&attempts);
    tried.narrow_what_saves(&mut explanation)?;
    tried.search_last_moments(&mut explanation)?;
    tried.turn_dials(&mut explanation)?;
    explanation.changes.sort_by(|a, b| a.distance.total_cmp(&b.distance));
    tried.find_avoided_states(&mut explanation)?;
    explanation.changes.sort_by_key(|change| change.avoids.is_some());
    explanation.changes.truncate(MOST_CHANGES);
    if !explanation.changes.is_empty() {
        kind::admit_changes(&mut explanation.kinds);
    }
    Ok(explanation)
}

/// The character that the criteria which failed first are about, or that is the only one named in their deciding
/// comparisons, if it is not the first character of the scene.
fn whose_failure(run: &Run, recording: &Recording) -> Option<CharacterId> {
    let failure = evidence::failure(&recording.summary);
    let others: Vec<CharacterId> = run.world.characters().skip(1).collect();
    let whose = |name: &String| {
        let of = run.criteria.iter().find(|criterion| criterion.name == *name)?.of;
        let own = run.world.characters().nth(of)?;
        let missed = recording.summary.criteria.iter().find(|criterion| criterion.name == *name)?;
        let named = missed.nearest.as_ref().and_then(|near| parse_expression(&near.comparison));
        let names = named.map(|comparison| comparison.names()).unwrap_or_default();
        let mut named =
            others.iter().filter(|id| names.iter().any(|name| *name == run.world.character(**id).name));
        Some(named.next().filter(|_| named.next().is_none()).copied().unwrap_or(own))
    };
    let mut whose = failure.criteria.iter().map(whose);
    let first = whose.next().flatten().filter(|first| others.contains(first))?;
    whose.all(|other| other == Some(first)).then_some(first)
}

/// First time at which two lists of frames differ, s.
fn departs(again: &[Frame], frames: &[Frame]) -> Option<f64> {
    let differs = again.iter().zip(frames).find(|(a, b)| a.q != b.q);
    let differs = differs.map(|(_, frame)| frame.time);
    differs.or_else(|| (again.len() < frames.len()).then(|| again.last().map_or(0.0, |frame| frame.time)))
}

/// Times at which the frames and those of the repeated run end, s, if the former end earlier.
fn cut_off(again: &[Frame], frames: &[Frame]) -> Option<[f64; 2]> {
    let end = |frames: &[Frame]| frames.last().map_or(0.0, |frame| frame.time);
    (frames.len() < again.len()).then(|| [end(frames), end(again)])
}

/// Number of tasks of `runs` runs each within the remaining budget, with `kept` runs reserved.
fn affordable(explanation: &Explanation, settings: ExplanationBudget, runs: usize, kept: usize) -> usize {
    settings.budget.saturating_sub(explanation.runs + kept) / runs
}

/// The results of all attempts from the beginning of the run, for the searches that follow.
struct Tries<'a> {
    header: &'a Header,
    files: &'a SceneFiles,
    recording: &'a Recording,
    attempts: &'a [ChangeOutcome],
    settings: ExplanationBudget,
    progress: &'a dyn Fn(usize),
}

impl Tries<'_> {
    /// Narrows down how small the changes that save the run may be.
    fn narrow_what_saves(&self, explanation: &mut Explanation) -> Result<(), ExplainError> {
        let shown = nearest::shown(self.files, &self.header.character, self.attempts);
        let within = affordable(explanation, self.settings, nearest::RUNS, 0).min(shown.len());
        explanation.cut_short |= within < shown.len();
        self.narrow(&shown, within, explanation)
    }

    /// Narrows down the first `within` dials, each from a factor that saves the run; the others are used unchanged.
    fn narrow(
        &self,
        dials: &[(Dial<'_>, f64)],
        within: usize,
        explanation: &mut Explanation,
    ) -> Result<(), ExplainError> {
        let header = self.header;
        let narrow = |k: usize| dials[k].0.narrow(header, dials[k].1);
        let narrowed = in_parallel(within, self.settings, narrow, self.progress, nearest::RUNS)?;
        explanation.runs += within * nearest::RUNS;
        explanation.changes.extend(narrowed.into_iter().flatten());
        let others = dials.iter().skip(within).filter_map(|(dial, factor)| dial.change(*factor));
        explanation.changes.extend(others);
        Ok(())
    }

    /// Searches for the latest times at which the changes that save the run still do so.
    fn search_last_moments(&self, explanation: &mut Explanation) -> Result<(), ExplainError> {
        let saving: Vec<&ChangeOutcome> =
            self.attempts.iter().filter(|attempt| attempt.fate.is_kept() && attempt.can_rescue()).collect();
        let count = saving.len().min(MOST_RESCUES);
        let within = affordable(explanation, self.settings, rescue::RUNS, 0).min(count);
        explanation.cut_short |= within < count;
        let end = self.recording.frames.len().saturating_sub(1) as u64;
        let header = self.header;
        let search = |k: usize| rescue::last_moment(header, saving[k], end);
        explanation.rescues = in_parallel(within, self.settings, search, self.progress, rescue::RUNS)?;
        explanation.runs += within * rescue::RUNS;
        explanation.rescues.sort_by(|a, b| {
            let time = |rescue: &Rescue| rescue.until.unwrap_or(-1.0);
            time(b).total_cmp(&time(a))
        });
        Ok(())
    }

    /// States of the controller before the moment.
    fn states(&self, moment: f64) -> Vec<String> {
        let mut states: Vec<String> = Vec::new();
        for visit in self.recording.summary.states.iter().filter(|visit| visit.from <= moment) {
            if !states.contains(&visit.name) {
                states.push(visit.name.clone());
            }
        }
        states
    }

    /// Runs the scene again with those changes of a controller that save it, as far as the budget allows, to see
    /// whether it then comes to the state in which it failed.
    fn find_avoided_states(&self, explanation: &mut Explanation) -> Result<(), ExplainError> {
        let changes = &explanation.changes;
        let within = affordable(explanation, self.settings, 1, 0);
        let of_controller: Vec<usize> =
            (0..changes.len()).filter(|&k| changes[k].is_of_controller()).take(within).collect();
        let (header, state) = (self.header, explanation.evidence.state.clone());
        let avoids = |k: usize| !comes_to(header, &changes[of_controller[k]].changes, &state);
        let avoided = in_parallel(of_controller.len(), self.settings, avoids, self.progress, 1)?;
        explanation.runs += of_controller.len();
        for (k, _) in of_controller.into_iter().zip(avoided).filter(|(_, avoids)| *avoids) {
            explanation.changes[k].avoids = Some(state.clone());
        }
        Ok(())
    }

    /// Tries larger and smaller values of the controller's numbers, and narrows those that save the run towards their
    /// original values.
    fn turn_dials(&self, explanation: &mut Explanation) -> Result<(), ExplainError> {
        let mut dials: Vec<Option<Dial<'_>>> = nearest::dials(
            self.files,
            &self.header.character,
            &self.states(explanation.evidence.moment),
            &explanation.evidence.waiting,
        )
        .into_iter()
        .map(Some)
        .collect();
        // The first factor of every dial, then the second of every dial.
        let tried = |dial: usize| dials[dial].as_ref().map_or(&[][..], |dial| dial.tried.as_slice());
        let deepest = (0..dials.len()).map(|dial| tried(dial).len()).max().unwrap_or(0);
        let all: Vec<(usize, f64)> = (0..deepest)
            .flat_map(|k| (0..dials.len()).filter_map(move |dial| Some((dial, *tried(dial).get(k)?))))
            .collect();
        let within = affordable(explanation, self.settings, 1, KEPT_BACK).min(all.len());
        explanation.cut_short |= within < all.len();
        let changes = |&(dial, factor): &(usize, f64)| -> Vec<String> {
            dials[dial].as_ref().and_then(|dial| dial.changes(factor)).unwrap_or_default()
        };
        let changes: Vec<Vec<String>> = all[..within].iter().map(changes).collect();
        let fates = fates(self.header, &changes, &FailureExplained::default(), self.settings, self.progress)?;
        explanation.factors_tried = within;
        explanation.runs += within;
        let mut nearest: Vec<(usize, f64)> = Vec::new();
        for (&(dial, factor), _) in all.iter().zip(&fates).filter(|(_, fate)| fate.is_kept()) {
            match nearest.iter_mut().find(|(known, _)| *known == dial) {
                Some((_, known)) if known.ln().abs() > factor.ln().abs() => *known = factor,
                Some(_) => {}
                None => nearest.push((dial, factor)),
            }
        }
        nearest.sort_by(|a, b| a.1.ln().abs().total_cmp(&b.1.ln().abs()));
        let saving: Vec<(Dial<'_>, f64)> =
            nearest.into_iter().filter_map(|(dial, factor)| Some((dials[dial].take()?, factor))).collect();
        let within = affordable(explanation, self.settings, nearest::RUNS, 0).min(saving.len()).min(2);
        self.narrow(&saving, within, explanation)
    }
}
