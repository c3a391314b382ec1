//! Kinds of failure, and their ranking for a run.

use super::attempt::{ChangeOutcome, Speaks};
use super::evidence::Evidence;
use super::few;
use crate::rerun::Fate;
use aplomb_math::seconds::seconds;
use serde::Serialize;

/// A kind of failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureKind {
    /// Objectives that contradict each other.
    ConflictingGoals,
    /// Friction was too low.
    Slipped,
    /// Joint torques were at their limits.
    TorqueLimit,
    /// Joints were at the ends of their ranges.
    JointLimit,
    /// The support or a hold vanished.
    NoSupport,
    /// The character came down from a height.
    Dropped,
    /// A leg collided with an obstacle.
    Tripped,
    /// Joint torques responded too late.
    ReactionDelay,
    /// A state was left that should not have been, or could not be left.
    WrongExit,
    /// A state waited for a condition that never held.
    StuckState,
    /// Something that moves, vanishes or appears made it fall.
    Surroundings,
    /// A hand came to no hold.
    MissedHold,
    /// A criterion demands what no objective asks for.
    Unasked,
    /// An objective has a target that cannot be kept, or with which a criterion does not hold.
    WrongTarget,
    /// The push was too strong for the controller.
    PushedTooHard,
    /// None of the kinds known.
    Unknown,
}

impl FailureKind {
    /// Name in a few words.
    pub fn name(self) -> &'static str {
        match self {
            FailureKind::ConflictingGoals => "conflicting goals",
            FailureKind::Slipped => "slipped (too little friction)",
            FailureKind::TorqueLimit => "torque limit",
            FailureKind::JointLimit => "joint limit",
            FailureKind::NoSupport => "lost its support",
            FailureKind::Dropped => "dropped from a height",
            FailureKind::Tripped => "tripped",
            FailureKind::ReactionDelay => "reacted too late",
            FailureKind::WrongExit => "controller: wrong exit",
            FailureKind::StuckState => "controller: stuck in a state",
            FailureKind::Surroundings => "moved or struck by its surroundings",
            FailureKind::MissedHold => "missed its hold",
            FailureKind::Unasked => "controller: no objective is about it",
            FailureKind::WrongTarget => "controller: wrong target",
            FailureKind::PushedTooHard => "pushed too hard",
            FailureKind::Unknown => "unknown",
        }
    }
}

/// A kind with its score and evidence.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ranked {
    /// The kind.
    pub kind: FailureKind,
    /// Score: evidence from repeated runs counts more than observations.
    pub score: f64,
    /// Evidence, as sentences.
    pub because: Vec<String>,
    /// Reason that rules it out as the cause, as a sentence: the run also fails with the change that undoes it. Kinds
    /// that are ruled out come last.
    pub(crate) refuted: Option<String>,
}

/// Score of a run that succeeds with a change that undoes this kind: the strongest evidence.
const UNDONE: f64 = 3.0;
/// Score of a run that succeeds without an objective for which there is no other evidence: less than that of a state
/// in which the run was seen to wait.
const SEEN: f64 = 1.9;
/// Score of a run that succeeds without an event that moves its surroundings: more than what was only observed, less
/// than a support that vanished, and than slipping that more friction prevents.
const MOVED: f64 = 3.5;
/// Share of conflicting frames before the failure above which conflicts are not accidental.
const MANY: f64 = 0.1;
/// Sliding distance of loaded points above which it is not creep, m.
const SLID: f64 = 0.02;
/// Friction utilisation that counts as full: on the diagonal of a pyramid at most 0.707 is available.
const ALL_FRICTION: f64 = 0.65;

/// The kinds for which evidence exists.
const KINDS: [FailureKind; 15] = [
    FailureKind::ConflictingGoals,
    FailureKind::Slipped,
    FailureKind::TorqueLimit,
    FailureKind::JointLimit,
    FailureKind::NoSupport,
    FailureKind::Dropped,
    FailureKind::Tripped,
    FailureKind::ReactionDelay,
    FailureKind::WrongExit,
    FailureKind::StuckState,
    FailureKind::Surroundings,
    FailureKind::MissedHold,
    FailureKind::Unasked,
    FailureKind::WrongTarget,
    FailureKind::PushedTooHard,
];

/// All kinds with evidence, the most likely first, those that a run rules out last.
pub(super) fn ranked(evidence: &Evidence, attempts: &[ChangeOutcome]) -> Vec<Ranked> {
    let case = FailureCase { evidence, attempts };
    let mut all = Vec::new();
    for kind in KINDS {
        let clues = case.clues(kind);
        let score: f64 = clues.iter().map(|(score, _)| score).sum();
        if score > 0.0 {
            let because = clues.into_iter().filter(|(score, _)| *score > 0.0).map(|(_, text)| text);
            all.push(Ranked { kind, score, because: because.collect(), refuted: case.refuted(kind) });
        }
    }
    all.sort_by(|a, b| {
        let by_score = b.score.total_cmp(&a.score).then(a.kind.cmp(&b.kind));
        a.refuted.is_some().cmp(&b.refuted.is_some()).then(by_score)
    });
    if all.iter().all(|ranked| ranked.refuted.is_some()) {
        let and =
            if all.is_empty() { "nothing was at its limit" } else { "the observation is not the cause" };
        let because = vec![format!("no change that was tried removes it, and {and}.")];
        all.insert(0, Ranked { kind: FailureKind::Unknown, score: 0.0, because, refuted: None });
    }
    all
}

/// Rewords the evidence of an unknown cause when some change saves the run nevertheless.
pub(super) fn admit_changes(kinds: &mut [Ranked]) {
    if let Some(unknown) = kinds.first_mut().filter(|first| first.kind == FailureKind::Unknown) {
        let because = "none of the causes that were looked for; what saves it all the same is below.";
        unknown.because = vec![because.into()];
    }
}

/// Evidence for a kind of failure: its contribution to the score, and a sentence.
type Clue = (f64, String);

/// The evidence of a failure, and the attempts to avoid it.
struct FailureCase<'a> {
    evidence: &'a Evidence,
    attempts: &'a [ChangeOutcome],
}

impl FailureCase<'_> {
    fn clues(&self, kind: FailureKind) -> Vec<Clue> {
        match kind {
            FailureKind::ConflictingGoals => self.conflicting_goals(),
            FailureKind::Slipped => self.slipped(),
            FailureKind::TorqueLimit => self.torque_limit(),
            FailureKind::JointLimit => self.joint_limit(),
            FailureKind::NoSupport => self.stated(&self.evidence.support_gone, 4.5),
            FailureKind::Dropped => self.stated(&self.evidence.dropped, 1.5),
            FailureKind::Tripped => self.stated(&self.evidence.tripped, 2.0),
            FailureKind::ReactionDelay => self.reaction_delay(),
            FailureKind::WrongExit => self.wrong_exit(),
            FailureKind::StuckState => self.stuck_state(),
            FailureKind::Surroundings => self.surroundings(),
            FailureKind::MissedHold => {
                let missed = self.evidence.missed_hold.iter().filter(|_| !self.evidence.lost_balance);
                missed.map(|text| (2.0, text.clone())).collect()
            }
            FailureKind::Unasked => {
                let unasked = self.evidence.unasked.iter().filter(|_| !self.evidence.lost_balance);
                unasked.map(|text| (2.0, text.clone())).collect()
            }
            FailureKind::WrongTarget => self.wrong_target(),
            FailureKind::PushedTooHard => self.pushed_too_hard(),
            FailureKind::Unknown => Vec::new(),
        }
    }

    /// The change against this cause with which the run does not fail.
    fn undone(&self, speaks: Speaks) -> Option<&ChangeOutcome> {
        self.attempts.iter().find(|attempt| attempt.speaks == speaks && attempt.fate.is_kept())
    }

    /// Reason that rules a kind out: every run without it fails too. A single way to leave a state, or a single
    /// removed objective, leaves other changes untried, and rules nothing out.
    fn refuted(&self, kind: FailureKind) -> Option<String> {
        let speaks = match kind {
            FailureKind::ConflictingGoals => Speaks::SoftGoals,
            FailureKind::Slipped => Speaks::Friction,
            FailureKind::TorqueLimit => Speaks::Torque,
            FailureKind::ReactionDelay => Speaks::Delay,
            FailureKind::WrongExit if self.evidence.stuck.is_none() => Speaks::Stay,
            FailureKind::PushedTooHard => Speaks::Push,
            _ => return None,
        };
        let tried = self.attempts.iter().filter(|attempt| attempt.speaks == speaks);
        let tried: Vec<_> = tried.filter(|attempt| attempt.fate != Fate::Impossible).collect();
        let fails = tried.iter().all(|attempt| !attempt.fate.is_kept() && !attempt.is_only_another());
        let about: Vec<&str> = tried.iter().map(|attempt| attempt.about.as_str()).collect();
        (fails && !tried.is_empty()).then(|| format!("it still fails {}.", about.join(", and ")))
    }

    fn proof(&self, speaks: Speaks, worth: f64) -> Option<Clue> {
        let of_cause = || self.attempts.iter().filter(|attempt| attempt.speaks == speaks);
        let only_another = || of_cause().find(|attempt| attempt.is_only_another());
        let saves =
            self.undone(speaks).map(|attempt| (worth, format!("it does not fail {}.", attempt.about)));
        saves.or_else(|| {
            let about = &only_another()?.about;
            Some((
                0.5 * worth,
                format!("{about}, what is explained here holds, and only another criterion fails."),
            ))
        })
    }

    fn stated(&self, sentence: &Option<String>, worth: f64) -> Vec<Clue> {
        sentence.iter().map(|text| (worth, text.clone())).collect()
    }

    fn conflicting_goals(&self) -> Vec<Clue> {
        let mut clues = Vec::new();
        if let Some(conflict) = &self.evidence.hard_conflict {
            let share = 100.0 * conflict.share;
            let worth = if conflict.share > MANY { 2.0 } else { 0.5 };
            clues.push((
                worth,
                format!("in {share:.0} % of the frames before, {} could not all hold.", few(&conflict.names)),
            ));
            clues.extend(self.proof(Speaks::SoftGoals, UNDONE));
        }
        clues
    }

    fn slipped(&self) -> Vec<Clue> {
        let evidence = self.evidence;
        let mut clues = Vec::new();
        if evidence.slipped > SLID {
            let (centimetres, bodies) = (100.0 * evidence.slipped, few(&evidence.slid));
            clues.push((1.5, format!("{bodies} slid by {centimetres:.1} cm under load.")));
        }
        let is_used_up = evidence.friction > ALL_FRICTION;
        if is_used_up {
            let percent = 100.0 * evidence.friction;
            clues.push((1.0, format!("{percent:.0} % of all friction was used.")));
        }
        let is_at_limit = is_used_up || evidence.slipped > SLID;
        clues.extend(self.proof(Speaks::Friction, if is_at_limit { UNDONE } else { 1.0 }));
        clues
    }

    fn torque_limit(&self) -> Vec<Clue> {
        let mut clues = Vec::new();
        if let Some(first) = self.evidence.torques.first() {
            let others = match self.evidence.torques.len() - 1 {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            clues.push((
                0.5 + 0.5 * first.share_of_frames,
                format!(
                    "the torque of {}{others} was at its limit from {} s on.",
                    first.joint,
                    seconds(first.from)
                ),
            ));
            clues.extend(self.proof(Speaks::Torque, UNDONE));
        }
        clues
    }

    fn joint_limit(&self) -> Vec<Clue> {
        let first = self.evidence.stops.first();
        let clue = first.map(|first| {
            (
                0.8 * first.share_of_frames,
                format!("{} was at the end of its range from {} s on.", first.joint, seconds(first.from)),
            )
        });
        clue.into_iter().collect()
    }

    fn reaction_delay(&self) -> Vec<Clue> {
        let mut clues = self.stated(&self.evidence.delayed, 0.5);
        if !clues.is_empty() {
            clues.extend(self.proof(Speaks::Delay, UNDONE + 1.0));
        }
        clues
    }

    fn wrong_exit(&self) -> Vec<Clue> {
        let mut clues = self.stated(&self.evidence.stuck, 2.0);
        if let Some(exit) = &self.evidence.exit {
            // A character that stays in a state does not reach what is in its way either.
            let is_explained = self.undone(Speaks::Obstruction).is_some();
            let worth = if exit.in_balance && !is_explained { 1.5 } else { 0.2 };
            let balance =
                if exit.in_balance { "while it was in balance" } else { "while balance was being lost" };
            clues.push((
                worth,
                format!(
                    "it went from `{}` to `{}` at {} s, {balance}.",
                    exit.from,
                    exit.to,
                    seconds(exit.at)
                ),
            ));
            clues.extend(
                self.proof(Speaks::Stay, if exit.in_balance && !is_explained { UNDONE } else { 1.0 }),
            );
        }
        clues
    }

    fn stuck_state(&self) -> Vec<Clue> {
        let mut clues = Vec::new();
        // Only the first state counts in the score, however many there are.
        for (index, waiting) in self.evidence.waiting.iter().enumerate() {
            clues.push((if index == 0 { 2.0 } else { 1e-3 }, waiting.sentence()));
        }
        if !clues.is_empty() {
            clues.extend(self.proof(Speaks::Leave, UNDONE + 1.0));
        }
        clues
    }

    fn wrong_target(&self) -> Vec<Clue> {
        // If a push is the cause, or goals conflict with each other, the run may succeed without one of them too;
        // that does not prove the goal wrong. Of many goals that are removed one by one, some may save the run by
        // chance.
        let is_explained = self.undone(Speaks::Push).is_some() || self.evidence.hard_conflict.is_some();
        let mut clues = self.stated(&self.evidence.wrong_target, 1.5);
        let worth = match clues.is_empty() {
            _ if is_explained => 1.5,
            true => SEEN,
            false => UNDONE + 0.5,
        };
        clues.extend(self.proof(Speaks::Objective, worth));
        clues
    }

    fn surroundings(&self) -> Vec<Clue> {
        let mut clues: Vec<Clue> = self.proof(Speaks::Surroundings, MOVED).into_iter().collect();
        if clues.is_empty() {
            clues.extend(self.proof(Speaks::Obstruction, MOVED));
        }
        if self.is_only_hit() {
            clues.extend(self.proof(Speaks::Push, 2.0));
        }
        clues
    }

    /// Whether a ball hit it that did not make it lose its balance.
    fn is_only_hit(&self) -> bool {
        self.evidence.pushed_before && self.evidence.only_thrown && !self.evidence.lost_balance
    }

    fn pushed_too_hard(&self) -> Vec<Clue> {
        let mut clues = Vec::new();
        if self.evidence.pushed_before && !self.is_only_hit() {
            clues.extend(self.proof(Speaks::Push, 2.0));
            clues.extend(self.stated(&self.evidence.beyond_reach, 1.0));
            clues.extend(self.stated(&self.evidence.push_share, 0.5));
        }
        clues
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attempt(speaks: Speaks, about: &str, fate: Fate) -> ChangeOutcome {
        ChangeOutcome { speaks, about: about.into(), without: None, event: None, changes: Vec::new(), fate }
    }

    #[test]
    fn causes_that_a_run_rules_out_come_last_whatever_speaks_for_them() {
        let evidence = Evidence {
            slipped: 0.1,
            slid: vec!["left_foot".into()],
            friction: 0.9,
            tripped: Some("a leg met a box.".into()),
            ..Evidence::default()
        };
        let fails = Fate::Failed { at: 1.0 };
        for (fate, first, refuted) in [
            (fails, FailureKind::Tripped, Some("it still fails with more friction.")),
            (Fate::Kept, FailureKind::Slipped, None),
            (Fate::Impossible, FailureKind::Slipped, None),
            (Fate::FailedOtherwise { at: 2.0 }, FailureKind::Slipped, None),
        ] {
            let attempts = [attempt(Speaks::Friction, "with more friction", fate)];
            let kinds = ranked(&evidence, &attempts);
            assert_eq!(kinds[0].kind, first);
            let slipped = kinds.iter().find(|ranked| ranked.kind == FailureKind::Slipped).unwrap();
            assert_eq!(slipped.refuted.as_deref(), refuted);
        }
    }

    #[test]
    fn where_all_causes_are_ruled_out_the_cause_is_unknown() {
        let evidence = Evidence { slipped: 0.1, ..Evidence::default() };
        let attempts = [attempt(Speaks::Friction, "with more friction", Fate::Failed { at: 1.0 })];
        let kinds: Vec<FailureKind> = ranked(&evidence, &attempts).iter().map(|ranked| ranked.kind).collect();
        assert_eq!(kinds, [FailureKind::Unknown, FailureKind::Slipped]);
        let mut ranked = ranked(&evidence, &attempts);
        assert!(ranked[0].because[0].starts_with("no change that was tried removes it"));
        admit_changes(&mut ranked);
        assert!(ranked[0].because[0].contains("what saves it all the same"), "{ranked:?}");
    }
}
