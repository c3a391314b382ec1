//! One paragraph on the cause of a failed run: where balance was lost, the limits that were active before, and the
//! later events.

mod story;

pub use story::ReactionDelaySpan;
pub(crate) use story::{Flight, Shove, Story, StoryMoment, Touchdown};

use aplomb_language::expression::NearMiss;
use aplomb_math::seconds::seconds;
use aplomb_world::FALLEN;
use std::f64::consts::FRAC_1_SQRT_2;
use std::fmt::Write;
use story::{BEFORE, SurfaceEvent};

/// Largest number of limits that are named.
const MOST_LIMITS: usize = 5;
/// Distance from the edge of the support polygon within which the centre of pressure is at the edge, m.
const EDGE: f64 = 2e-3;
/// Height of the COM, as a share of the standing height, below which the report gives this height instead of saying
/// that balance was kept.
const SUNK: f64 = 0.85;
/// Share of the available friction above which it is reported; on the diagonal of a pyramid at most 0.707 is
/// available.
const MUCH_FRICTION: f64 = 0.7;
/// Largest number of landed bodies that are named.
const MOST_TOUCHDOWNS: usize = 4;

pub use aplomb_trace::Judged as CriterionSummary;

/// The paragraph for a run without a character whose criteria did not all hold.
pub(crate) fn unmet(criteria: &[CriterionSummary]) -> String {
    let failed: Vec<String> = criteria.iter().filter(|criterion| !criterion.held).map(said).collect();
    format!("{}.", failed.join("; "))
}

/// The paragraph for a run whose criteria did not all hold.
pub(crate) fn reason(story: &Story, criteria: &[CriterionSummary]) -> String {
    let mut text = String::new();
    let end = story.moments.last().map_or(0.0, |moment| moment.time);
    let failed = criteria.iter().filter(|criterion| !criterion.held);
    let broken: Vec<String> = failed.map(said).collect();
    if let Some(flight) = story.flight() {
        let sentence = flight.to_string();
        say(&mut text, format_args!("{}{}. ", sentence[..1].to_uppercase(), &sentence[1..]));
    }
    match story.balance_lost() {
        Some((time, state)) if story.hung_before(time) => {
            say(
                &mut text,
                format_args!(
                    "The last hold was lost at {time} s, in state `{state}`. ",
                    time = seconds(time)
                ),
            );
        }
        Some((time, state)) => {
            lost(&mut text, story, time, state);
            ground(&mut text, story, time);
        }
        None => kept(&mut text, story),
    }
    match story.balance_lost() {
        Some((time, _)) => after(&mut text, story, time, "Then"),
        None => after(&mut text, story, end - BEFORE, &format!("In the last {BEFORE} s")),
    }
    say(&mut text, format_args!("{}. ", broken.join("; ")));
    before(&mut text, story, story.balance_lost().map_or(end, |(time, _)| time));
    text.trim_end().to_string()
}

/// The end of a character whose capture point did not leave the support polygon.
fn kept(text: &mut String, story: &Story) {
    if story.is_weightless {
        text.push_str("Without gravity there is no balance to keep or lose. ");
        return;
    }
    let fallen = story.standing().len();
    let last = story.moments.len().saturating_sub(1);
    match story.moments.get(fallen) {
        Some(moment) => {
            let (height, time) = (100.0 * FALLEN, moment.time);
            let balance = match story.is_in_flight(fallen) {
                true => "in the air",
                false => "the capture point inside the support polygon",
            };
            say(
                text,
                format_args!(
                    "The COM sank below {height:.0} % of its standing height at {time} s, {balance}. ",
                    time = seconds(time)
                ),
            );
        }
        None if story.is_in_flight(last) || story.has_just_landed() => {}
        None if story.moments.last().is_some_and(|moment| moment.hangs) => {
            text.push_str("It held on to the end. ");
        }
        None if story.moments.last().is_some_and(|moment| moment.margin < 0.0) => text.push_str(
            "It was upright and on its way at the end: the capture point was outside the support polygon, \
             no longer than in steps before. ",
        ),
        None => match story.moments.last().filter(|moment| moment.height < SUNK) {
            Some(moment) => say(
                text,
                format_args!(
                    "The COM was at {:.0} % of its standing height at the end, the capture point inside the support \
                     polygon. ",
                    100.0 * moment.height
                ),
            ),
            None => {
                text.push_str(
                    "Balance was kept: the capture point was inside the support polygon at the end. ",
                );
            }
        },
    }
}

/// Time since the end of an event of a surface up to which it may have cost the balance, s.
const RECENT: f64 = 1.0;

fn lost(text: &mut String, story: &Story, time: f64, state: &str) {
    say(text, format_args!("Balance was lost at {time} s, in state `{state}`", time = seconds(time)));
    if let Some(push) = story.pushes.iter().rev().find(|push| push.time <= time) {
        let verb = if push.is_hit { "hit" } else { "began" };
        say(text, format_args!(", {} s after `{}` {verb}", seconds(time - push.time), push.name));
        if let Some(share) = push.share {
            let share = 100.0 * share;
            say(
                text,
                format_args!(
                    " ({share:.0} % of the largest push that a linear pendulum can balance \
                                    without a step)"
                ),
            );
        }
    }
    let recent = |event: &&SurfaceEvent| event.from <= time && time - event.to < RECENT;
    for event in story.surface_events.iter().filter(recent) {
        say(text, format_args!(", {} s after `{}` began", seconds(time - event.from), event.name));
    }
    if let Some(held) = story.held.iter().rev().find(|held| held.from <= time) {
        say(text, format_args!(", joint torques held from {} to {} s", seconds(held.from), seconds(held.to)));
    }
    let worst = story.standing().iter().filter(|moment| moment.time >= time && moment.margin.is_finite());
    let worst = worst.map(|moment| -moment.margin).fold(0.0, f64::max);
    text.push_str(": from then on the capture point was outside the support polygon");
    if worst > 0.0 {
        say(text, format_args!(", by up to {worst:.3} m"));
    }
    text.push_str(". ");
}

/// Position of the ground's reaction when balance was lost: at the edge of the support, balance cannot be regained
/// without a step.
fn ground(text: &mut String, story: &Story, time: f64) {
    let mut before: Vec<&StoryMoment> =
        story.moments.iter().filter(|moment| moment.time <= time + 1e-9).collect();
    // The record at the end of a run has no forces: those that produced it are in the previous frame.
    if before.len() > 1 && before.len() == story.moments.len() && before[before.len() - 1].pressure.is_none()
    {
        before.pop();
    }
    let Some(now) = before.last() else { return };
    let on = list(&now.bearing);
    match now.pressure {
        None => text.push_str("There was no loaded contact at that time. "),
        Some(margin) if margin < EDGE => {
            let at_edge = |moment: &&&StoryMoment| moment.pressure.is_some_and(|margin| margin < EDGE);
            let since = before.iter().rev().take_while(at_edge).last().map_or(time, |moment| moment.time);
            say(
                text,
                format_args!(
                    "The centre of pressure was at the edge of the support polygon from {since} s on",
                    since = seconds(since)
                ),
            );
            say(text, format_args!(", with all weight on {on}: contact forces could not do more. "));
        }
        Some(margin) => {
            say(text, format_args!("The centre of pressure was {margin:.3} m inside the support then"));
            say(text, format_args!(", with the weight on {on}. "));
        }
    }
    if let Some(use_of) = now.friction.filter(|share| *share > MUCH_FRICTION) {
        say(text, format_args!("{}. ", friction_used(use_of)));
    }
    let mut slid: Vec<String> = Vec::new();
    for body in story.just_before(time).flat_map(|moment| &moment.sliding) {
        if !slid.contains(body) {
            slid.push(body.clone());
        }
    }
    if !slid.is_empty() {
        say(text, format_args!("In the {BEFORE} s before, {} slid. ", list(&slid)));
    }
}

/// «a», «a and b», «a, b and c».
fn list(names: &[String]) -> String {
    match names {
        [] => "nothing".into(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

fn said(criterion: &CriterionSummary) -> String {
    let name = &criterion.name;
    let condition = with_value(criterion);
    match (criterion.kind.as_str(), criterion.at) {
        ("always", Some(at)) => format!("`{name}` broke at {at} s ({condition})", at = seconds(at)),
        ("once", _) => format!("`{name}` never came true ({condition})"),
        _ => format!("`{name}` did not hold at the end ({condition})"),
    }
}

/// The condition of a criterion, with the values for which it was not met: `com_height > 0.5: 0.49`; for
/// several comparisons with the deciding one.
pub fn with_value(criterion: &CriterionSummary) -> String {
    let CriterionSummary { condition, nearest, .. } = criterion;
    let Some(miss) = nearest else { return condition.clone() };
    let NearMiss { comparison, .. } = miss;
    let words: Vec<&str> = condition.split_whitespace().collect();
    // With several alternatives, the values identify their comparisons.
    let is_said = words.join(" ") == *comparison || !miss.alternatives.is_empty();
    let which = if is_said { String::new() } else { format!("; {comparison}") };
    match criterion.kind.as_str() {
        "once" if !miss.alternatives.is_empty() => format!("{condition}: {}", miss.nearest()),
        _ if !miss.alternatives.is_empty() => format!("{condition}: {}", miss.value()),
        "once" if miss.sides.is_none() && miss.rest_held.is_some() => format!("{condition}: {miss}"),
        _ if miss.sides.is_none() && which.is_empty() => condition.clone(),
        _ if miss.sides.is_none() => format!("{condition}{which} did not hold"),
        "once" => format!("{condition}{which}: {}", miss.nearest()),
        _ => format!("{condition}{which}: {}", miss.value()),
    }
}

/// The events from a time on, in order.
fn after(text: &mut String, story: &Story, since: f64, when: &str) {
    let mut timed: Vec<(f64, String)> = Vec::new();
    let mut state = None;
    for moment in story.moments.iter().filter(|moment| moment.time >= since - 1e-9) {
        if state.is_some_and(|before| before != moment.state.as_str()) {
            let (state, time) = (&moment.state, seconds(moment.time));
            timed.push((moment.time, format!("the controller went to `{state}` at {time} s")));
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
    let down = down.map(|touch| {
        let (body, surface, time) = (&touch.body, &touch.surface, seconds(touch.time));
        (touch.time, format!("{body} came down on {surface} at {time} s"))
    });
    timed.extend(down.take(MOST_TOUCHDOWNS));
    if let Some((since, stuck)) = &story.stuck {
        timed.push((*since, format!("from {} s the controller was {stuck}", seconds(*since))));
    }
    timed.sort_by(|(one, _), (other, _)| one.total_cmp(other));
    let mut events: Vec<String> = timed.into_iter().map(|(_, event)| event).collect();
    let count = |times: &[f64]| times.iter().filter(|time| **time >= since - 1e-9).count();
    for (number, what) in
        [(count(&story.relaxed), "rows were relaxed"), (count(&story.failed), "there was no solution")]
    {
        match number {
            0 => {}
            1 => events.push(format!("in one frame {what}")),
            _ => events.push(format!("in {number} frames {what}")),
        }
    }
    if !events.is_empty() {
        say(text, format_args!("{when} {}. ", events.join("; ")));
    }
}

fn before(text: &mut String, story: &Story, time: f64) {
    let others = story.bound_before(time);
    if others.is_empty() {
        say(text, format_args!("No torque or joint was at its limit in the {BEFORE} s before"));
        if let Some((label, from)) = story.first_bound_after(time) {
            say(text, format_args!("; the first after that was {label}, at {from} s", from = seconds(from)));
        }
    } else {
        let named = others.iter().take(MOST_LIMITS);
        let named: Vec<String> =
            named.map(|limit| format!("{} ({:.0} % of frames)", limit.label, 100.0 * limit.share)).collect();
        say(text, format_args!("Limits that bound in the {BEFORE} s before: {}", named.join(", ")));
        match others.len().saturating_sub(MOST_LIMITS) {
            0 => {}
            1 => text.push_str(", and 1 other"),
            more => say(text, format_args!(", and {more} others")),
        }
        // Its row bounds the joint's rate so that the joint can stop in time.
        if others.iter().take(MOST_LIMITS).any(|limit| limit.label.starts_with("range of ")) {
            text.push_str(" (a range binds as soon as the joint has to brake before its end)");
        }
    }
    text.push('.');
}

/// Writing to a string cannot fail.
fn say(text: &mut String, words: std::fmt::Arguments<'_>) {
    let _ = text.write_fmt(words);
}

/// How much of the friction of all contacts together was used, in words; a share of Coulomb's cone.
pub(crate) fn friction_used(share: f64) -> String {
    let diagonal = match (FRAC_1_SQRT_2 - 0.02..=0.995).contains(&share) {
        true => " (on its diagonals, the friction pyramid of the contacts ends at 71 %)",
        false => "",
    };
    format!("{:.0} % of the available friction was used{diagonal}", 100.0 * share)
}

#[cfg(test)]
mod tests {
    use super::story::tests::moment;
    use super::*;
    use aplomb_control::synthesis::BindingLimit;
    use aplomb_qp::{LimitKind, RowKind};

    fn criterion(kind: &'static str, at: Option<f64>) -> CriterionSummary {
        CriterionSummary {
            name: "upright".into(),
            kind: kind.into(),
            condition: "com_height > 0.5".into(),
            held: false,
            at,
            nearest: None,
        }
    }

    #[test]
    fn a_criterion_that_was_not_met_is_told_with_its_values() {
        let miss = |comparison: &str, sides| {
            let comparison = comparison.into();
            let (within, alternatives) = (None, Vec::new());
            Some(NearMiss {
                comparison,
                sides: Some(sides),
                within,
                alternatives,
                time: 3.02,
                rest_held: None,
            })
        };
        let told = |kind, nearest| said(&CriterionSummary { nearest, ..criterion(kind, None) });
        assert_eq!(
            told("once", miss("com_height > 0.5", [0.4712, 0.5])),
            "`upright` never came true (com_height > 0.5: nearest 0.471 at 3.02 s)"
        );
        assert_eq!(
            told("at_end", miss("com_height > a", [0.4712, 0.5])),
            "`upright` did not hold at the end (com_height > 0.5; com_height > a: 0.471 against 0.5)"
        );
    }

    #[test]
    fn a_fall_is_told_with_its_state_push_limits_and_what_came_after() {
        let mut story = Story::default();
        let limit = |kind, name: &str| BindingLimit {
            kind: LimitKind::Row(kind),
            label: name.to_string(),
            multiplier: 1.0,
        };
        let gap = limit(RowKind::Gap { slot: 0 }, "gap of foot.1 over ground");
        let torque = limit(RowKind::TorqueLimit { coordinate: 6 }, "torque of ankle");
        story.add(moment(0.9, 0.1, "stand"), std::slice::from_ref(&gap));
        story.add(moment(1.0, -0.1, "stand"), &[gap, torque]);
        story.add(moment(1.1, -0.3, "stumble"), &[]);
        story.pushes.push(Shove { time: 0.8, name: "push".into(), is_hit: false, share: Some(1.7) });
        for point in [1.05, 1.06] {
            story.touchdowns.push(Touchdown { time: point, body: "hand".into(), surface: "ground".into() });
        }
        story.failed.push(1.1);
        let text = reason(&story, &[criterion("always", Some(1.1))]);
        assert_eq!(
            text,
            "Balance was lost at 1.00 s, in state `stand`, 0.20 s after `push` began (170 % of the largest push \
             that a linear pendulum can balance without a step): from then on the capture point was outside the \
             support polygon, by up to 0.300 m. The centre of pressure was 0.050 m inside the support then, with \
             the weight on foot and toe. Then hand came down on ground at 1.05 s; the controller went to \
             `stumble` at 1.10 s; in one frame there was no solution. `upright` broke at 1.10 s (com_height > \
             0.5). Limits that bound in the 0.3 s before: torque of ankle (50 % of frames)."
        );
    }

    #[test]
    fn a_surface_that_moves_is_named_beside_the_push_and_an_earlier_one_is_not() {
        let mut story = Story::default();
        story.add(moment(3.0, 0.1, "stand"), &[]);
        story.add(moment(3.1, -0.1, "stand"), &[]);
        for (name, from, to) in [("settling", 0.5, 1.0), ("quake", 2.9, 3.0), ("quake", 3.0, 3.1)] {
            story.move_surface(name, from, to);
        }
        let text = reason(&story, &[criterion("always", Some(3.1))]);
        assert!(
            text.starts_with("Balance was lost at 3.10 s, in state `stand`, 0.20 s after `quake` began: "),
            "{text}"
        );
        assert!(!text.contains("settling"), "{text}");
    }

    #[test]
    fn a_body_that_sank_or_has_no_weight_did_not_keep_its_balance() {
        let mut story = Story::default();
        story.add(moment(1.0, 0.1, "stand"), &[]);
        story.add(StoryMoment { height: 0.8, ..moment(1.1, 0.1, "stand") }, &[]);
        let text = reason(&story, &[criterion("always", Some(1.1))]);
        assert!(text.starts_with("The COM was at 80 % of its standing height at the end"), "{text}");
        let mut story = Story { is_weightless: true, ..Story::default() };
        story.add(moment(1.0, -1e3, "stand"), &[]);
        let text = reason(&story, &[criterion("always", Some(1.0))]);
        assert!(text.starts_with("Without gravity there is no balance"), "{text}");
    }

    #[test]
    fn a_limit_that_binds_between_the_loss_of_balance_and_the_fall_is_named_with_its_time() {
        let mut story = Story::default();
        let kind = LimitKind::Row(RowKind::TorqueLimit { coordinate: 6 });
        let torque = BindingLimit { kind, label: "torque of ankle".into(), multiplier: 1.0 };
        story.add(moment(0.9, 0.1, "stand"), &[]);
        story.add(moment(1.0, -0.1, "stand"), &[]);
        story.add(moment(1.04, -0.2, "stand"), std::slice::from_ref(&torque));
        story.add(moment(1.1, -0.3, "stand"), &[]);
        let text = reason(&story, &[criterion("always", Some(1.1))]);
        let said = "No torque or joint was at its limit in the 0.3 s before; the first after that was \
                    torque of ankle, at 1.04 s.";
        assert!(text.ends_with(said), "{text}");
        // If balance was kept, the part before the end is the relevant one.
        let mut kept = Story::default();
        kept.add(moment(0.9, 0.1, "stand"), &[]);
        kept.add(moment(1.0, 0.1, "stand"), &[torque]);
        kept.add(moment(1.1, 0.1, "stand"), &[]);
        let text = reason(&kept, &[criterion("at_end", None)]);
        assert!(
            text.contains("Limits that bound in the 0.3 s before: torque of ankle (33 % of frames)"),
            "{text}"
        );
        let kind = LimitKind::Row(RowKind::Other);
        kept.add(
            moment(1.2, 0.1, "stand"),
            &[BindingLimit { kind, label: "range of knee".into(), multiplier: 1.0 }],
        );
        let text = reason(&kept, &[criterion("at_end", None)]);
        assert!(
            text.ends_with("(a range binds as soon as the joint has to brake before its end)."),
            "{text}"
        );
    }

    #[test]
    fn a_fall_after_a_delay_says_how_long_joint_torques_were_held() {
        let mut story = Story::default();
        story.add(moment(0.9, 0.1, "stand"), &[]);
        story.add(moment(1.0, -0.1, "stand"), &[]);
        story.hold(0.8, 0.81);
        story.hold(0.81, 0.82);
        let text = reason(&story, &[criterion("always", Some(1.0))]);
        assert!(text.starts_with(
            "Balance was lost at 1.00 s, in state `stand`, joint torques held from 0.80 to 0.82 s:"
        ));
        assert_eq!(story.held, [ReactionDelaySpan { from: 0.8, to: 0.82 }]);
    }

    #[test]
    fn a_fall_over_the_edge_says_since_when_and_on_what() {
        let mut story = Story::default();
        story.add(moment(0.8, 0.1, "stand"), &[]);
        for (time, margin) in [(0.9, 0.05), (1.0, -0.1), (1.1, -0.2)] {
            let sliding = if time > 0.95 { vec!["toe".to_string()] } else { Vec::new() };
            let (pressure, bearing) = (Some(1e-6), vec!["toe".to_string()]);
            story.add(StoryMoment { pressure, bearing, sliding, ..moment(time, margin, "stand") }, &[]);
        }
        let text = reason(&story, &[criterion("always", Some(1.1))]);
        let said = "The centre of pressure was at the edge of the support polygon from 0.90 s on, with all \
                    weight on toe: contact forces could not do more. In the 0.3 s before, toe slid. `upright` broke";
        assert!(text.contains(said), "{text}");
    }

    #[test]
    fn who_hangs_is_in_balance_until_the_last_hold_is_lost() {
        let mut story = Story::default();
        story.add(StoryMoment { hangs: true, ..moment(0.9, f64::NEG_INFINITY, "climb") }, &[]);
        let text = reason(&story, &[criterion("once", None)]);
        assert!(text.starts_with("It held on to the end. `upright` never came true"), "{text}");
        story.add(moment(1.0, f64::NEG_INFINITY, "climb"), &[]);
        let text = reason(&story, &[criterion("once", None)]);
        assert!(text.starts_with("The last hold was lost at 1.00 s, in state `climb`. `upright`"), "{text}");
    }

    #[test]
    fn a_run_that_kept_its_balance_says_which_criterion_did_not_hold() {
        let mut story = Story::default();
        story.add(moment(0.0, 0.1, "stand"), &[]);
        let text = reason(&story, &[criterion("at_end", None)]);
        assert_eq!(
            text,
            "Balance was kept: the capture point was inside the support polygon at the end. `upright` did not \
             hold at the end (com_height > 0.5). No torque or joint was at its limit in the 0.3 s before."
        );
    }
}
