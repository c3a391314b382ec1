//! One paragraph on why a run failed: where balance was lost, what bound before, what happened after.

use crate::constraint::non_penetration::GAP;
use serde::Serialize;
use std::fmt::Write;

/// How far back from the loss of balance limits are counted, s.
const BEFORE: f64 = 0.3;
/// Limits named at most.
const MOST_LIMITS: usize = 5;
/// Bodies that came down named at most.
const MOST_TOUCHDOWNS: usize = 4;

/// A criterion of the scene and how it fared.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CriterionSummary {
    pub name: String,
    /// `always`, `at_end` or `once`.
    pub kind: &'static str,
    pub condition: String,
    pub held: bool,
    /// When `always` broke or `once` first held, s.
    pub at: Option<f64>,
}

/// What a frame adds to the story.
#[derive(Clone, Debug, PartialEq)]
pub struct Moment {
    /// s
    pub time: f64,
    /// m
    pub com: [f64; 3],
    /// Distance of the capture point to the edge of the support polygon, m: negative outside, −∞ in flight.
    pub margin: f64,
    pub state: String,
    /// Limits that held with force, as places in [`Story::labels`].
    pub binding: Vec<usize>,
}

/// A body that had no contact and now has one.
#[derive(Clone, Debug, PartialEq)]
pub struct Touchdown {
    /// s
    pub time: f64,
    pub body: String,
    pub surface: String,
}

/// Everything of a run that its end may have to be explained with.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Story {
    pub moments: Vec<Moment>,
    /// Labels of limits that held with force.
    pub labels: Vec<String>,
    /// When each push began, s, and its name.
    pub pushes: Vec<(f64, String)>,
    pub touchdowns: Vec<Touchdown>,
    /// Times of the frames in which rows gave way, and of those without a solution, s.
    pub relaxed: Vec<f64>,
    pub failed: Vec<f64>,
    /// When the controller first had to leave a state and could not, s, and in which words.
    pub stuck: Option<(f64, String)>,
}

impl Story {
    /// Takes in a moment with the limits that bound in it.
    pub fn add(&mut self, mut moment: Moment, binding: &[(String, f64)]) {
        for (label, _) in binding {
            let place = self.labels.iter().position(|known| known == label).unwrap_or_else(|| {
                self.labels.push(label.clone());
                self.labels.len() - 1
            });
            moment.binding.push(place);
        }
        self.moments.push(moment);
    }

    /// When the capture point left the support polygon for good, s, and the state then. `None` when it was
    /// inside at the end.
    pub fn balance_lost(&self) -> Option<(f64, &str)> {
        let inside = |moment: &Moment| moment.margin >= 0.0;
        let lost = self.moments.iter().rposition(inside).map_or(0, |last| last + 1);
        self.moments.get(lost).map(|moment| (moment.time, moment.state.as_str()))
    }

    /// The limits that bound in the frames up to `time` with the share of frames: those of most frames first,
    /// surfaces last.
    fn bound_before(&self, time: f64) -> Vec<(&str, f64)> {
        let near = |moment: &&Moment| (time - BEFORE - 1e-9..=time + 1e-9).contains(&moment.time);
        let mut counts = vec![0usize; self.labels.len()];
        let mut frames = 0;
        for moment in self.moments.iter().filter(near) {
            frames += 1;
            moment.binding.iter().for_each(|&label| counts[label] += 1);
        }
        let mut bound: Vec<(&str, f64)> = self
            .labels
            .iter()
            .zip(counts)
            .filter(|(_, count)| *count > 0)
            .map(|(label, count)| (label.as_str(), count as f64 / f64::from(frames.max(1))))
            .collect();
        // That what touches does not sink in is the least of the news.
        let is_gap = |label: &str| label.starts_with(GAP);
        bound.sort_by(|a, b| is_gap(a.0).cmp(&is_gap(b.0)).then(b.1.total_cmp(&a.1)));
        bound
    }
}

/// The paragraph for a run whose criteria did not all hold.
pub fn reason(story: &Story, criteria: &[CriterionSummary]) -> String {
    let mut text = String::new();
    let end = story.moments.last().map_or(0.0, |moment| moment.time);
    let failed = criteria.iter().filter(|criterion| !criterion.held);
    let broken: Vec<String> = failed.map(said).collect();
    match story.balance_lost() {
        Some((time, state)) => lost(&mut text, story, time, state),
        None => {
            text.push_str("Balance was kept: the capture point was inside the support polygon at the end. ")
        }
    }
    say(&mut text, format_args!("{}. ", broken.join("; ")));
    let since = story.balance_lost().map_or(end - BEFORE, |(time, _)| time);
    after(&mut text, story, since);
    before(&mut text, story, since);
    text.trim_end().to_string()
}

fn lost(text: &mut String, story: &Story, time: f64, state: &str) {
    say(text, format_args!("Balance was lost at {time:.2} s, in state `{state}`"));
    let push = story.pushes.iter().rev().find(|(at, _)| *at <= time);
    if let Some((at, name)) = push {
        say(text, format_args!(", {:.2} s after `{name}` began", time - at));
    }
    let worst = story.moments.iter().filter(|moment| moment.time >= time && moment.margin.is_finite());
    let worst = worst.map(|moment| -moment.margin).fold(0.0, f64::max);
    text.push_str(": from then on the capture point was outside the support polygon");
    if worst > 0.0 {
        say(text, format_args!(", by up to {worst:.3} m"));
    }
    text.push_str(". ");
}

fn said(criterion: &CriterionSummary) -> String {
    let CriterionSummary { name, condition, .. } = criterion;
    match (criterion.kind, criterion.at) {
        ("always", Some(at)) => format!("`{name}` broke at {at:.2} s ({condition})"),
        ("once", _) => format!("`{name}` never came true ({condition})"),
        _ => format!("`{name}` did not hold at the end ({condition})"),
    }
}

fn after(text: &mut String, story: &Story, since: f64) {
    let mut events = Vec::new();
    let mut state = None;
    for moment in story.moments.iter().filter(|moment| moment.time >= since - 1e-9) {
        if state.is_some_and(|before| before != moment.state.as_str()) {
            events.push(format!("the controller went to `{}` at {:.2} s", moment.state, moment.time));
        }
        state = Some(moment.state.as_str());
    }
    let mut named: Vec<&str> = Vec::new();
    let down = story.touchdowns.iter().filter(|touch| {
        let is_new = touch.time >= since - 1e-9 && !named.contains(&touch.body.as_str());
        if is_new {
            named.push(&touch.body);
        }
        is_new
    });
    let down =
        down.map(|touch| format!("{} came down on {} at {:.2} s", touch.body, touch.surface, touch.time));
    events.extend(down.take(MOST_TOUCHDOWNS));
    if let Some((time, stuck)) = &story.stuck {
        events.push(format!("from {time:.2} s the controller was {stuck}"));
    }
    let count = |times: &[f64]| times.iter().filter(|time| **time >= since - 1e-9).count();
    for (number, what) in
        [(count(&story.relaxed), "rows gave way"), (count(&story.failed), "there was no solution")]
    {
        match number {
            0 => {}
            1 => events.push(format!("in one frame {what}")),
            _ => events.push(format!("in {number} frames {what}")),
        }
    }
    if !events.is_empty() {
        say(text, format_args!("After that: {}. ", events.join("; ")));
    }
}

fn before(text: &mut String, story: &Story, time: f64) {
    let bound = story.bound_before(time);
    if bound.is_empty() {
        say(text, format_args!("No limit bound in the {BEFORE} s before."));
        return;
    }
    let named: Vec<String> = bound
        .iter()
        .take(MOST_LIMITS)
        .map(|(label, share)| format!("{label} ({:.0} % of frames)", 100.0 * share))
        .collect();
    let more = match bound.len().saturating_sub(MOST_LIMITS) {
        0 => String::new(),
        others => format!(", and {others} others"),
    };
    say(text, format_args!("Limits that bound in the {BEFORE} s before: {}{more}.", named.join(", ")));
}

/// Writing to a string cannot fail.
fn say(text: &mut String, words: std::fmt::Arguments<'_>) {
    let _ = text.write_fmt(words);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moment(time: f64, margin: f64, state: &str) -> Moment {
        Moment { time, com: [0.0; 3], margin, state: state.into(), binding: Vec::new() }
    }

    fn criterion(kind: &'static str, at: Option<f64>) -> CriterionSummary {
        CriterionSummary {
            name: "upright".into(),
            kind,
            condition: "com_height > 0.5".into(),
            held: false,
            at,
        }
    }

    #[test]
    fn balance_is_lost_when_the_capture_point_leaves_for_good() {
        let mut story = Story::default();
        for (k, margin) in [0.1, -0.1, 0.1, -0.05, -0.2].into_iter().enumerate() {
            story.add(moment(k as f64, margin, "stand"), &[]);
        }
        assert_eq!(story.balance_lost(), Some((3.0, "stand")));
        story.add(moment(5.0, 0.1, "stand"), &[]);
        assert_eq!(story.balance_lost(), None);
    }

    #[test]
    fn a_fall_is_told_with_its_state_push_limits_and_what_came_after() {
        let mut story = Story::default();
        let limit = |name: &str| (name.to_string(), 1.0);
        story.add(moment(0.9, 0.1, "stand"), &[limit("gap of foot.1 over ground")]);
        story
            .add(moment(1.0, -0.1, "stand"), &[limit("gap of foot.1 over ground"), limit("torque of ankle")]);
        story.add(moment(1.1, -0.3, "stumble"), &[]);
        story.pushes.push((0.8, "push".into()));
        for point in [1.05, 1.06] {
            story.touchdowns.push(Touchdown { time: point, body: "hand".into(), surface: "ground".into() });
        }
        story.failed.push(1.1);
        let text = reason(&story, &[criterion("always", Some(1.1))]);
        assert_eq!(
            text,
            "Balance was lost at 1.00 s, in state `stand`, 0.20 s after `push` began: from then on the capture \
             point was outside the support polygon, by up to 0.300 m. `upright` broke at 1.10 s (com_height > \
             0.5). After that: the controller went to `stumble` at 1.10 s; hand came down on ground at 1.05 s; \
             in one frame there was no solution. Limits that bound in the 0.3 s before: torque of ankle (50 % \
             of frames), gap of foot.1 over ground (100 % of frames)."
        );
    }

    #[test]
    fn a_run_that_kept_its_balance_says_which_criterion_did_not_hold() {
        let mut story = Story::default();
        story.add(moment(0.0, 0.1, "stand"), &[]);
        let text = reason(&story, &[criterion("at_end", None)]);
        assert_eq!(
            text,
            "Balance was kept: the capture point was inside the support polygon at the end. `upright` did not \
             hold at the end (com_height > 0.5). No limit bound in the 0.3 s before."
        );
    }
}
