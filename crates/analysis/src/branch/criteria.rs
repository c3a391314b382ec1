//! The criteria that judge the futures of a moment.

use super::{BranchError, Moment};
use aplomb_body::model::scales::STANDARD_GRAVITY;
use aplomb_scene::{CriterionKind, Run};
use serde::Serialize;

/// Approximate duration of a fall, in time constants √(h/g) of the inverted pendulum.
const FALL: f64 = 3.0;

/// The criteria that judge the futures of a moment, and the length of the futures.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FutureCriteria {
    /// Names of the criteria that can be judged when the futures end; without any, a future succeeds if the character
    /// does not fall.
    pub criteria: Vec<String>,
    /// Names of the scene's other criteria: they are judged at its end, or when the condition that they wait for
    /// holds.
    pub not_judged: Vec<String>,
    /// Length of the futures, s.
    pub(crate) seconds: f64,
    /// Approximate duration of a fall of the character: 3 √(h/g) with the height h of its centre of mass at rest, s.
    /// Shorter futures need not show a fall.
    pub(crate) fall_seconds: f64,
}

impl FutureCriteria {
    /// Whether the futures are shorter than a fall.
    pub fn is_short(&self) -> bool {
        self.seconds < self.fall_seconds
    }

    /// Limitations of the futures, as sentences without a full stop.
    pub fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if self.criteria.is_empty() && !self.not_judged.is_empty() {
            notes.push(format!(
                "no criterion of the scene can be judged before its end ({} cannot): a future holds in which the \
                 character does not fall",
                self.not_judged.join(", ")
            ));
        }
        if self.is_short() {
            notes.push(format!(
                "too short to judge: a fall takes about {:.1} s, and these futures end after {:.2} s, so what holds \
                 may fall afterwards",
                self.fall_seconds, self.seconds
            ));
        }
        notes
    }
}

/// The criteria that judge the futures of a moment.
///
/// # Errors
/// If the scene no longer runs.
pub fn judged(moment: &Moment<'_>) -> Result<FutureCriteria, BranchError> {
    let (_, run) = crate::rerun::bound(moment.header, &[])?;
    let end = moment.end(run.frames);
    let names = |judged: bool| {
        let all = run.criteria.iter().filter(|criterion| is_judged(&run, criterion.kind, end) == judged);
        all.map(|criterion| criterion.name.to_string()).collect()
    };
    Ok(FutureCriteria {
        criteria: names(true),
        not_judged: names(false),
        seconds: end.saturating_sub(moment.frame) as f64 * moment.header.dt,
        fall_seconds: FALL * (moment.header.com_height / STANDARD_GRAVITY).sqrt(),
    })
}

/// Whether a criterion can be judged if futures end with this frame.
fn is_judged(run: &Run, kind: CriterionKind, end: u64) -> bool {
    kind == CriterionKind::Always || end >= run.frames
}

/// Whether no criterion of the run can be judged if futures end with this frame.
pub(super) fn is_by_fall(run: &Run, end: u64) -> bool {
    !run.criteria.iter().any(|criterion| is_judged(run, criterion.kind, end))
}
