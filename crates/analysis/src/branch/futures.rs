//! Futures with changed values.

use super::criteria::is_by_fall;
use super::{BranchError, Moment, StandingRun};
use crate::rerun::{RerunError, bound, has_fallen};
use aplomb_language::files::Override;
use aplomb_scene::{CriterionKind, LoadError, Run};
use aplomb_world::CharacterId;
use serde::Serialize;

/// How a future ends.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case", tag = "fate")]
pub enum BranchFate {
    /// All criteria that can be judged then held; if none can, the character did not fall
    /// ([`FutureCriteria`](super::FutureCriteria)).
    Held,
    /// A criterion did not hold, or the character fell.
    Failed {
        /// Time at which the failure was certain, s.
        at: f64,
        /// Name of the criterion; `None` for a fall, and a frame that cannot be computed.
        criterion: Option<String>,
    },
    /// The scene cannot be run with the value.
    Impossible {
        /// Reason.
        because: String,
    },
}

/// The end of a future of a moment.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BranchEnd {
    /// How it ended.
    #[serde(flatten)]
    pub fate: BranchFate,
    /// Time of its end, s.
    pub time: f64,
    /// State of the controller then; empty if the scene cannot be run.
    pub state: String,
    /// Centre of mass then, world axes, m.
    pub com: [f64; 3],
}

impl BranchEnd {
    /// Whether all criteria held.
    pub fn held(&self) -> bool {
        self.fate == BranchFate::Held
    }
}

/// The futures of a moment, one for each `PATH=VALUE` of the scene, changed from the moment on as if its file were
/// edited during the run. `progress` receives the number of futures done.
///
/// # Errors
/// If the scene no longer runs, has no character, or ends before the moment.
pub fn changed(
    moment: &Moment<'_>,
    changes: &[String],
    progress: &dyn Fn(usize),
) -> Result<Vec<BranchEnd>, BranchError> {
    let future = |standing: &mut StandingRun, index: usize| {
        Ok(standing.changed(moment, std::slice::from_ref(&changes[index])))
    };
    moment.each(changes.len(), future, progress)
}

/// The future of a moment without a change.
///
/// # Errors
/// As [`changed`].
pub fn unchanged(moment: &Moment<'_>) -> Result<BranchEnd, BranchError> {
    let future = |standing: &mut StandingRun, _| Ok(standing.changed(moment, &[]));
    moment.each(1, future, &|_| {})?.pop().ok_or(BranchError::Nobody)
}

/// Whether the scene of a moment can be run with a `PATH=VALUE` changed.
///
/// # Errors
/// The mistakes in the change, and in the changed scene.
pub fn check(moment: &Moment<'_>, change: &str) -> Result<(), BranchError> {
    bound(moment.header, &[change.to_owned()])?;
    Ok(())
}

/// The number at a path of `--set` in the scene of a moment as its run began: the last value set, else that in its
/// files, or the default friction of the ground or time step; `None` if it has another default, or is not a plain
/// number.
pub fn value_now(moment: &Moment<'_>, path: &str) -> Option<f64> {
    let item = Override::parse(&format!("{path}=0")).ok()?;
    let (files, _) = bound(moment.header, &[]).ok()?;
    let number = |text: &str| text.replace('_', "").parse().ok().filter(|number: &f64| number.is_finite());
    let set = files.overrides.iter().rev().filter_map(|argument| Override::parse(argument).ok());
    match set.into_iter().find(|other| other.is_of_same_value(&item)) {
        Some(set) => number(set.value_text()),
        None => match files.written(&item) {
            Some((file, span)) => number(file.text.get(span)?),
            // Defaults that the trace has.
            None if path == "ground.friction" => Some(moment.header.ground_friction),
            None if path == "dt" => Some(moment.header.dt),
            None => None,
        },
    }
}

impl StandingRun {
    fn changed(&self, moment: &Moment<'_>, changes: &[String]) -> BranchEnd {
        let impossible = |because: String| {
            let fate = BranchFate::Impossible { because };
            BranchEnd {
                fate,
                time: moment.frame as f64 * moment.header.dt,
                state: String::new(),
                com: [0.0; 3],
            }
        };
        let (_, mut other) = match bound(moment.header, changes) {
            Ok(bound) => bound,
            Err(error) => return impossible(reason(&error)),
        };
        let Some(own) = other.world.find_character(&moment.header.character).or(other.hero()) else {
            return impossible(BranchError::Nobody.to_string());
        };
        if other.frames <= moment.frame {
            return impossible("the scene ends at or before the time of the branch".into());
        }
        let end = self.end.min(other.frames);
        other.world.take_over(&self.run.world);
        for criterion in &mut other.criteria {
            let before = self.run.criteria.iter().find(|known| known.name == criterion.name);
            if let Some(before) = before.filter(|_| criterion.kind != CriterionKind::AtEnd) {
                (criterion.holds, criterion.at) = (before.holds, before.at);
            }
        }
        let fate = fate(&mut other, end);
        BranchEnd::of(&other, own, fate)
    }
}

/// Why the scene cannot be run with a change; mistakes in the change itself are reported without their location.
fn reason(error: &RerunError) -> String {
    let mistakes = match error {
        RerunError::Load(LoadError::Mistakes(mistakes)) | RerunError::Bind(mistakes) => mistakes,
        other => return other.to_string(),
    };
    match mistakes.iter().next().filter(|mistake| &*mistake.file == "--set") {
        Some(mistake) => mistake.message.clone(),
        None => error.to_string(),
    }
}

impl BranchEnd {
    fn of(run: &Run, own: CharacterId, fate: BranchFate) -> Self {
        let state = run.world.result(own).frame.state.clone();
        let com = run.world.character(own).snapshot.com.into();
        BranchEnd { fate, time: run.world.time(), state, com }
    }
}

/// Continues the run up to a frame, or until the result is certain.
pub(super) fn fate(run: &mut Run, end: u64) -> BranchFate {
    // A character that is down at the moment cannot fall any more; without criteria it counts as fallen.
    let by_fall = run.criteria.is_empty() || is_by_fall(run, end) && !has_fallen(run);
    while run.world.frame_index() < end {
        match run.step() {
            Ok(Some(_)) => {}
            Ok(None) => return failed(run),
            Err(_) => return BranchFate::Failed { at: run.world.time(), criterion: None },
        }
        if by_fall && has_fallen(run) {
            return BranchFate::Failed { at: run.world.time(), criterion: None };
        }
    }
    let is_over = run.is_over();
    if is_over {
        run.last_frame();
    }
    let upright = run.judge();
    match run.criteria.iter().all(|criterion| criterion.holds) {
        _ if !upright => failed(run),
        // Criteria with a deadline cannot fail before the end of the scene.
        true => BranchFate::Held,
        false if !is_over => BranchFate::Held,
        false => failed(run),
    }
}

/// The failure, with the criterion that does not hold.
fn failed(run: &Run) -> BranchFate {
    let over = run.is_over();
    let fails = |kind: CriterionKind| over || kind == CriterionKind::Always;
    let criterion = run.criteria.iter().find(|criterion| !criterion.holds && fails(criterion.kind));
    BranchFate::Failed {
        at: criterion.and_then(|criterion| criterion.at).unwrap_or(run.world.time()),
        criterion: criterion.map(|criterion| criterion.name.to_string()),
    }
}
