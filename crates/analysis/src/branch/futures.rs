//! Futures with a value changed.

use super::{BranchError, Moment, Standing};
use crate::rerun::{bound, has_fallen};
use aplomb_scene::{CriterionKind, Run};
use aplomb_world::CharacterId;
use serde::Serialize;

/// How a future ends.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case", tag = "fate")]
pub enum BranchFate {
    /// All criteria held that can be judged then; without criteria, nobody fell.
    Held,
    /// A criterion did not hold, or somebody fell.
    Failed {
        /// When that was certain, s.
        at: f64,
        /// Name of the criterion; `None` for a fall, and a frame that cannot be computed.
        criterion: Option<String>,
    },
    /// The scene cannot be run with the value.
    Impossible {
        /// Why.
        because: String,
    },
}

/// The end of a future of a moment.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BranchEnd {
    /// How it ended.
    #[serde(flatten)]
    pub fate: BranchFate,
    /// When it ended, s.
    pub time: f64,
    /// State in which the controller was then; empty where the scene cannot be run.
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

/// The futures of a moment, each with a `PATH=VALUE` of the scene changed from then on, as where its file is changed
/// while it runs. `tell` hears how many are done.
///
/// # Errors
/// A scene that does not run any more, or nobody acts in, or that ends before the moment.
pub fn changed(
    moment: &Moment<'_>,
    changes: &[String],
    tell: &dyn Fn(usize),
) -> Result<Vec<BranchEnd>, BranchError> {
    let future = |standing: &mut Standing, index: usize| Ok(standing.changed(moment, &changes[index]));
    moment.each(changes.len(), future, tell)
}

impl Standing {
    fn changed(&self, moment: &Moment<'_>, change: &String) -> BranchEnd {
        let impossible = |because: String| {
            let fate = BranchFate::Impossible { because };
            BranchEnd {
                fate,
                time: moment.frame as f64 * moment.header.dt,
                state: String::new(),
                com: [0.0; 3],
            }
        };
        let (_, mut other) = match bound(moment.header, std::slice::from_ref(change)) {
            Ok(bound) => bound,
            Err(error) => return impossible(error.to_string()),
        };
        let Some(own) = other.world.find_character(&moment.header.character).or(other.hero()) else {
            return impossible(BranchError::Nobody.to_string());
        };
        other.world.take_over(&self.run.world);
        for criterion in &mut other.criteria {
            let before = self.run.criteria.iter().find(|known| known.name == criterion.name);
            if let Some(before) = before.filter(|_| criterion.kind != CriterionKind::AtEnd) {
                (criterion.holds, criterion.at) = (before.holds, before.at);
            }
        }
        let fate = fate(&mut other, self.end);
        BranchEnd::of(&other, own, fate)
    }
}

impl BranchEnd {
    fn of(run: &Run, own: CharacterId, fate: BranchFate) -> Self {
        let state = run.world.result(own).frame.state.clone();
        let com = run.world.character(own).snapshot.com.into();
        BranchEnd { fate, time: run.world.time(), state, com }
    }
}

/// Runs on to a frame, or to where the end is certain.
pub(super) fn fate(run: &mut Run, end: u64) -> BranchFate {
    while run.world.frame_index() < end {
        match run.step() {
            Ok(Some(_)) => {}
            Ok(None) => return failed(run),
            Err(_) => return BranchFate::Failed { at: run.world.time(), criterion: None },
        }
        if run.criteria.is_empty() && has_fallen(run) {
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
        // Before the end nothing is late.
        true => BranchFate::Held,
        false if !is_over => BranchFate::Held,
        false => failed(run),
    }
}

/// The criterion that does not hold.
fn failed(run: &Run) -> BranchFate {
    let over = run.is_over();
    let fails = |kind: CriterionKind| over || kind == CriterionKind::Always;
    let criterion = run.criteria.iter().find(|criterion| !criterion.holds && fails(criterion.kind));
    BranchFate::Failed {
        at: criterion.and_then(|criterion| criterion.at).unwrap_or(run.world.time()),
        criterion: criterion.map(|criterion| criterion.name.to_string()),
    }
}
