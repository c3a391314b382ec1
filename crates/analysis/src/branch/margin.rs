//! Push margins of a moment: the least impulse that is answered within the frame, and the largest that is survived.

use super::futures::{BranchFate, fate};
use super::{BranchError, Moment, StandingRun};
use aplomb_body::model::scales::STANDARD_GRAVITY;
use aplomb_trace::{CharacterFrame, Contact, ContactKind, Outcome};
use aplomb_world::Wrench;
use serde::Serialize;

/// Smallest impulse that is tried, as a share of m √(g h), which is the largest.
const LEAST: f64 = 2e-3;
/// Smallest impulse of the search for survival, as a share of m √(g h).
const RUN_LEAST: f64 = 0.02;
/// Ratio between successive trial impulses.
const GROWTH: f64 = 1.25;
/// Bisections between the last impulse that is withstood and the first that is not: to 0.1 %.
const HALVINGS: u32 = 8;
/// Number of stronger pushes that are tried beyond the first that is not survived.
const LOOKS: i32 = 3;
/// Name of the failure of a fall that no criterion reports.
const FALL: &str = "fall";
/// Bisections of the search for survival, each of which costs a run: to 3 %.
const RUN_HALVINGS: u32 = 3;

/// Effect of a push within its frame, absent without the push.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case", tag = "answer")]
pub enum Answer {
    /// A contact slips.
    Slips {
        /// Name of the contact.
        contact: String,
    },
    /// Rows are violated, or there is no solution.
    GivesWay {
        /// The first row that is violated.
        row: String,
    },
    /// The controller goes to another state.
    Changes {
        /// The state that it is in after the frame.
        state: String,
    },
}

/// Push margins of a moment in one direction.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PushMargin {
    /// Direction of the push, degrees counter-clockwise from the world's x axis, from above.
    pub direction: f64,
    /// Least impulse that is answered within its frame, N s; `None` if even m √(g h) is not.
    pub answered_from: Option<f64>,
    /// The effect of that impulse.
    #[serde(flatten)]
    pub answer: Option<Answer>,
    /// Largest impulse that is survived, as are all smaller ones tried, N s; `None` if the run fails without a push.
    pub survived_to: Option<f64>,
    /// Whether the largest impulse tried, m √(g h), is survived.
    pub survives_all: bool,
    /// The criterion that fails after the first push that is not survived, or without a push; `fall` for a fall that
    /// no criterion reports. `None` if all are survived.
    pub fails: Option<String>,
    /// A stronger push, of the next few tried, that is survived nevertheless, N s: then the failure is not a limit.
    pub survives_again: Option<f64>,
}

/// Push margins of a moment: pushes on a body at its centre of mass in `directions` evenly spread directions, each an
/// impulse within one frame. `progress` receives the number of directions done.
///
/// # Errors
/// If the scene no longer runs, has no character or no such body, or ends before the moment.
pub fn push_margins(
    moment: &Moment<'_>,
    body: &str,
    directions: usize,
    progress: &dyn Fn(usize),
) -> Result<Vec<PushMargin>, BranchError> {
    let margin = |standing: &mut StandingRun, index: usize| {
        standing.margin(body, 360.0 * index as f64 / directions as f64, moment.header.dt)
    };
    moment.each(directions, margin, progress)
}

/// The frame of a push, and the state after it.
struct Reaction {
    /// `None` if it cannot be computed.
    frame: Option<CharacterFrame>,
    state: String,
}

/// The last impulse that is withstood, as are all smaller ones tried, and the first that is not; the second is `None`
/// if all are withstood.
struct Bracket {
    last: f64,
    first: Option<f64>,
}

/// The largest impulse that is withstood, searched from `least` to `most`, N s.
fn bracket(
    least: f64,
    most: f64,
    halvings: u32,
    mut is_withstood: impl FnMut(f64) -> Result<bool, BranchError>,
) -> Result<Bracket, BranchError> {
    let (mut last, mut impulse) = (0.0, least);
    while is_withstood(impulse)? {
        last = impulse;
        if impulse >= most {
            return Ok(Bracket { last, first: None });
        }
        impulse = (GROWTH * impulse).min(most);
    }
    for _ in 0..halvings {
        let middle = 0.5 * (last + impulse);
        if is_withstood(middle)? { last = middle } else { impulse = middle }
    }
    Ok(Bracket { last, first: Some(impulse) })
}

impl StandingRun {
    fn margin(&mut self, body: &str, direction: f64, dt: f64) -> Result<PushMargin, BranchError> {
        let scales = &self.run.world.character(self.hero).snapshot.scales;
        let most = scales.mass * (STANDARD_GRAVITY * scales.height).sqrt();
        let (sin, cos) = direction.to_radians().sin_cos();
        let wrench = |impulse: f64| Wrench::force([impulse * cos / dt, impulse * sin / dt, 0.0]);
        let calm = self.reaction(body, wrench(0.0), dt)?;
        let mut answer = None;
        let answered = bracket(LEAST * most, most, HALVINGS, |impulse| {
            let found = self.reaction(body, wrench(impulse), dt)?.answer(&calm);
            let is_calm = found.is_none();
            answer = found.or(answer.take());
            Ok(is_calm)
        })?;
        let mut fails = None;
        let mut survives = |impulse: f64| {
            let fate = self.fate(body, wrench(impulse), dt)?;
            let survives = fate == BranchFate::Held;
            if let BranchFate::Failed { criterion, .. } = fate {
                fails = Some(criterion.unwrap_or_else(|| FALL.into()));
            }
            Ok(survives)
        };
        let mut margin = PushMargin {
            direction,
            answered_from: answered.first,
            answer,
            survived_to: None,
            survives_all: false,
            fails: None,
            survives_again: None,
        };
        if survives(0.0)? {
            let survived = bracket(RUN_LEAST * most, most, RUN_HALVINGS, &mut survives)?;
            (margin.survived_to, margin.survives_all) = (Some(survived.last), survived.first.is_none());
            margin.fails = fails;
            // A single failure among survived pushes is not a limit.
            let stronger = (1..=LOOKS).filter_map(|step| Some(survived.first? * GROWTH.powi(step)));
            for impulse in stronger.take_while(|impulse| *impulse < most) {
                if self.fate(body, wrench(impulse), dt)? == BranchFate::Held {
                    margin.survives_again = Some(impulse);
                    break;
                }
            }
        } else {
            margin.fails = fails;
        }
        Ok(margin)
    }

    /// Restores the moment and applies a push for one frame.
    fn push(&mut self, body: &str, wrench: Wrench, dt: f64) -> Result<(), BranchError> {
        self.run.restore(&self.checkpoint)?;
        Ok(self.run.world.push(self.hero, body, wrench, dt)?)
    }

    fn reaction(&mut self, body: &str, wrench: Wrench, dt: f64) -> Result<Reaction, BranchError> {
        self.push(body, wrench, dt)?;
        let lost = Reaction { frame: None, state: String::new() };
        if self.run.world.step().is_err() {
            return Ok(lost);
        }
        let frame = self.run.world.result(self.hero).frame.clone();
        if self.run.world.step().is_err() {
            return Ok(lost);
        }
        Ok(Reaction { frame: Some(frame), state: self.run.world.result(self.hero).frame.state.clone() })
    }

    /// The end of the run after a push.
    fn fate(&mut self, body: &str, wrench: Wrench, dt: f64) -> Result<BranchFate, BranchError> {
        self.push(body, wrench, dt)?;
        Ok(fate(&mut self.run, self.end))
    }
}

impl Reaction {
    /// Effect of the push: the difference from `calm`, the frame without it.
    fn answer(&self, calm: &Reaction) -> Option<Answer> {
        let (Some(frame), Some(before)) = (&self.frame, &calm.frame) else {
            let row = "no frame can be computed".to_string();
            return self.frame.is_none().then_some(Answer::GivesWay { row });
        };
        if let (Some(row), None) = (gave_way(&frame.outcome), gave_way(&before.outcome)) {
            return Some(Answer::GivesWay { row });
        }
        let sticks = |name: &str| {
            before.contacts.iter().any(|known| known.name == name && known.kind == ContactKind::Static)
        };
        let slips = |contact: &&Contact| contact.kind == ContactKind::Dynamic && sticks(&contact.name);
        if let Some(contact) = frame.contacts.iter().find(slips) {
            return Some(Answer::Slips { contact: contact.name.clone() });
        }
        (self.state != calm.state).then(|| Answer::Changes { state: self.state.clone() })
    }
}

/// The first row that was relaxed, or why there is no solution.
fn gave_way(outcome: &Outcome) -> Option<String> {
    match outcome {
        Outcome::Relaxed { rows } => Some(rows.first().map(|row| row.label.clone()).unwrap_or_default()),
        Outcome::Failed { reason, .. } => Some(reason.clone()),
        Outcome::Solved | Outcome::Limp => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bracket_closes_on_where_impulses_stop_being_withstood() {
        let found = bracket(0.1, 100.0, 10, |impulse| Ok(impulse <= 7.3)).unwrap();
        let first = found.first.unwrap();
        assert!(found.last <= 7.3 && 7.3 < first && first - found.last < 0.01, "{} {first}", found.last);
        let all = bracket(0.1, 100.0, 10, |_| Ok(true)).unwrap();
        assert_eq!((all.last, all.first), (100.0, None));
        let none = bracket(0.1, 100.0, 0, |_| Ok(false)).unwrap();
        assert_eq!((none.last, none.first), (0.0, Some(0.1)));
    }
}
