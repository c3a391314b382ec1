//! The summary of a run in a few lines: the verdict with its reason, and constraints that were relaxed.

use super::{
    INDENT, LABEL, WIDTH, counted, fate, folded, other_summaries, pushes_by_object, said_of_other,
    said_of_time,
};
use crate::analysis::summary::{
    CriterionSummary, PassiveSummary, PushSummary, Summary, Verdict, Visit, with_value,
};
use crate::cli::fit::fitted;
use crate::cli::output::Paint;
use crate::math::seconds::seconds;
use crate::trace::{FrameEvent, PassiveHeader};

/// Largest number of lines, except that with the location of the output.
pub(crate) const MOST: usize = 11;
/// Largest number of visits to states that are named.
const STAYS: usize = 8;
/// Largest number of pushes, and of passive objects, with a line each.
const EACH: usize = 2;
/// Largest number of failed criteria with a line each; the names of the others are in the last line.
const CRITERIA: usize = 5;

/// Note on relaxations in a run that passed.
const HARMLESS: &str = "no failure of the run: docs/summary.md says under `Given up` what it is";

/// At most [`MOST`] lines, including failed criteria from the third on; more if they are folded for a narrower
/// terminal.
pub(crate) fn summary(run: &Summary, paint: Paint, width: Option<usize>) -> String {
    let mut lines = vec![head(run), verdict(run, paint)];
    let failed = run.criteria.iter().filter(|criterion| !criterion.held).count();
    let most = MOST + failed.min(CRITERIA).saturating_sub(2);
    lines.extend(unmet(&run.criteria));
    lines.extend(states(&run.states));
    lines.push(row("simulated", &said_of_time(run)));
    if let Some(text) = given_up(run) {
        lines.push(row("given up", &text));
        if run.verdict == Verdict::Pass {
            lines.push(row("", HARMLESS));
        }
    }
    lines.extend(hard_landing(run));
    lines.extend(pushes(run));
    lines.extend(other_summaries(run).iter().take(EACH).map(|(name, text)| row(name, text)));
    let last = objects_and_torque(run);
    // The reason of the failure takes precedence over other lines.
    let reason = run.reason.as_deref().map_or(String::new(), |reason| folded(reason, WIDTH));
    let reason: Vec<&str> = reason.lines().collect();
    for line in last {
        if room(&lines, most) >= height(&line) + reason.len() {
            lines.push(line);
        }
    }
    let room = room(&lines, most);
    let shown = beginning(&reason, room);
    let is_cut = reason.len() > room;
    if let (true, true, Some(last)) = (is_cut, shown.is_empty(), lines.last_mut()) {
        last.push_str(" …");
    }
    let width = WIDTH.min(width.unwrap_or(WIDTH));
    let text: String = lines.iter().map(|line| line.trim_end().to_string() + "\n").collect();
    let mut text = fitted(&text, Some(width), INDENT);
    if !shown.is_empty() {
        text += &format!("{}{}\n", folded(&shown, width), if is_cut { " …" } else { "" });
    }
    text
}

/// The first pushes, the last of which is replaced by the strongest push.
fn told(pushes: &[PushSummary]) -> Vec<&PushSummary> {
    let mut told: Vec<&PushSummary> = pushes.iter().take(EACH).collect();
    let strongest = pushes.iter().max_by(|a, b| a.horizontal.total_cmp(&b.horizontal));
    let left_out = strongest.filter(|push| told.iter().all(|other| !std::ptr::eq(*other, *push)));
    if let (Some(push), Some(last)) = (left_out, told.last_mut()) {
        *last = push;
    }
    told
}

/// Lines for some of the pushes, those on the character before those on others.
fn pushes(run: &Summary) -> Vec<String> {
    let text = |push: &PushSummary| pushes_by_object(run, push).to_string() + &said_of_push(push);
    let mut lines: Vec<String> =
        told(&run.pushes).into_iter().map(|push| row(&push.name, &text(push))).collect();
    if let Some(more) = run.pushes.len().checked_sub(EACH).filter(|more| *more > 0) {
        lines.push(row("", &format!("and {more} more push{}", if more == 1 { "" } else { "es" })));
    }
    lines.extend(run.other_pushes.iter().take(EACH).map(|push| row(&push.name, &said_of_other(push))));
    if let Some(more) = run.other_pushes.len().checked_sub(EACH).filter(|more| *more > 0) {
        lines.push(row("", &format!("and {more} more on other characters")));
    }
    lines
}

/// Lines for the first passive objects, and one for the largest torque.
fn objects_and_torque(run: &Summary) -> Vec<String> {
    let mut last = Vec::new();
    // Other characters have figures of their own.
    let is_object = |object: &&PassiveSummary| object.kind != PassiveHeader::CHARACTER;
    let objects: Vec<&PassiveSummary> = run.passive.iter().filter(is_object).collect();
    last.extend(objects.iter().take(EACH).map(|object| {
        let text = format!(
            "centre of mass at most {:.3} m/s fast, in the end {:.4} m/s and {:.4} m high",
            object.fastest, object.end_speed, object.end_height
        );
        row(&object.name, &text)
    }));
    if let Some(more) = objects.len().checked_sub(EACH).filter(|more| *more > 0) {
        last.push(row("", &format!("and {more} more object{}", if more == 1 { "" } else { "s" })));
    }
    if let Some(peak) = run.peak_torque.as_ref().filter(|peak| peak.torque > 0.0) {
        let share =
            peak.share.map_or(String::new(), |share| format!(", {:.0} % of its limit", 100.0 * share));
        let text =
            format!("{:.1} {} in {} at {} s{share}", peak.torque, peak.unit, peak.joint, seconds(peak.at));
        last.push(row("peak torque", &text));
    }
    last
}

/// Number of lines that a line takes when folded.
fn height(line: &str) -> usize {
    fitted(line, Some(WIDTH), INDENT).lines().count()
}

/// Number of lines that may be added.
fn room(lines: &[String], most: usize) -> usize {
    most.saturating_sub(lines.iter().map(|line| height(line)).sum())
}

/// The part of a text in its first `lines` lines: whole sentences, if the first one fits.
fn beginning(text: &[&str], lines: usize) -> String {
    let shown = text[..text.len().min(lines)].join(" ");
    if lines >= text.len() {
        return shown;
    }
    let is_end = |at: &usize| shown[at + 1..].starts_with(' ');
    let end = shown.match_indices('.').map(|(at, _)| at).rfind(is_end);
    end.map_or(shown.clone(), |end| shown[..=end].to_owned())
}

/// The lines about failed criteria, the earliest failure first.
fn unmet(criteria: &[CriterionSummary]) -> Vec<String> {
    let mut unmet: Vec<_> = criteria.iter().filter(|criterion| !criterion.held).collect();
    unmet.sort_by(|a, b| a.at.unwrap_or(f64::INFINITY).total_cmp(&b.at.unwrap_or(f64::INFINITY)));
    let shown = if unmet.len() > CRITERIA { CRITERIA - 1 } else { CRITERIA };
    let line = |criterion: &&CriterionSummary| {
        row("", &format!("{}: {} ({})", criterion.name, fate(criterion), with_value(criterion)))
    };
    let mut lines: Vec<String> = unmet.iter().take(shown).map(line).collect();
    let rest: Vec<&str> = unmet.iter().skip(shown).map(|criterion| criterion.name.as_str()).collect();
    if !rest.is_empty() {
        lines.push(row("", &format!("not held either: {}", rest.join(", "))));
    }
    lines
}

fn said_of_push(push: &PushSummary) -> String {
    let share =
        push.share.map(|share| format!(", {:.0} % of a pendulum's limit without a step", 100.0 * share));
    format!(
        "{:.2} N s along the ground at {} s{}",
        push.horizontal,
        seconds(push.at),
        share.unwrap_or_default()
    )
}

fn row(label: &str, text: &str) -> String {
    format!("  {label:LABEL$} {text}")
}

fn head(run: &Summary) -> String {
    let Summary { title, scene, character, solver, .. } = run;
    if character.is_empty() {
        format!("{title} ({scene}; no character)")
    } else {
        format!("{title} ({scene}; {character}; {solver})")
    }
}

fn verdict(run: &Summary, paint: Paint) -> String {
    let count = run.criteria.len();
    let held = run.criteria.iter().filter(|criterion| criterion.held).count();
    let name = match run.verdict {
        Verdict::Pass => paint.good(run.verdict.name()),
        Verdict::Fail | Verdict::Interrupted | Verdict::Unknown => paint.bad(run.verdict.name()),
    };
    let words = match count {
        _ if run.verdict == Verdict::Interrupted => "it did not reach its end".into(),
        _ if run.verdict == Verdict::Unknown => "the trace does not say how it ended".into(),
        _ if run.stopped.is_some() => "it was stopped by an invalid number".into(),
        0 if run.verdict == Verdict::Fail => "too many frames had no solution".into(),
        0 => "it has no criteria".into(),
        _ if run.verdict == Verdict::Fail && held == count => {
            let (failed, frames) = (run.failed_frames, run.frames);
            format!("{held} of {count} criteria held, but {failed} of {frames} frames had no solution")
        }
        _ => format!("{held} of {count} criteria held"),
    };
    format!("  {:LABEL$} {name}: {words}", "verdict")
}

/// The states in the order of visits; one that is re-entered from itself is listed once. Where they are too many,
/// visits are listed by the states that contain them, at the deepest level for which there is room.
fn states(visits: &[Visit]) -> Option<String> {
    let within =
        |visit: &Visit, depth: usize| visit.name.match_indices('.').nth(depth - 1).map(|(end, _)| end);
    let outer =
        |visit: &Visit, depth| visit.name[..within(visit, depth).unwrap_or(visit.name.len())].to_owned();
    let stays_of = |depth| visits.chunk_by(|a, b| outer(a, depth) == outer(b, depth)).collect::<Vec<_>>();
    let deepest = visits.iter().map(|visit| visit.name.matches('.').count() + 1).max()?;
    // A single containing state that lasts the whole run says less than the states in it.
    let depths = (1..=deepest).rev().filter(|depth| stays_of(*depth).len() > 1);
    let depth =
        depths.clone().find(|depth| stays_of(*depth).len() <= STAYS).or(depths.min()).unwrap_or(deepest);
    let stays = stays_of(depth);
    let named = stays.iter().take(STAYS).filter_map(|stay| {
        let (first, last) = (stay.first()?, stay.last()?);
        Some(format!("{} {} to {} s", outer(first, depth), seconds(first.from), seconds(last.to)))
    });
    let mut text = named.collect::<Vec<_>>().join(", ");
    if let Some(more) = stays.len().checked_sub(STAYS).filter(|more| *more > 0) {
        text += &format!(" and {more} more");
    }
    (!stays.is_empty()).then(|| row("states", &text))
}

/// The hardest landing of a foot; `None` if none was hard.
fn hard_landing(run: &Summary) -> Option<String> {
    let landings = || run.gait.iter().flat_map(|gait| &gait.hard_landings);
    let hardest = landings().max_by(|one, other| one.load.total_cmp(&other.load))?;
    let more = match landings().count() - 1 {
        0 => String::new(),
        more => format!("; {more} more"),
    };
    Some(row("hard landing", &format!("{hardest}{more}")))
}

/// Frames that were relaxed or failed; `None` if there are none.
fn given_up(run: &Summary) -> Option<String> {
    let mut parts = Vec::new();
    if run.relaxed_frames > 0 {
        let rows = run.relaxed_rows.first().map_or(String::new(), |row| match run.relaxed_rows.len() - 1 {
            0 => format!(" ({})", row.label),
            more => format!(" ({} and {more} more)", row.label),
        });
        parts.push(format!("{} relaxed{rows}", counted(run.relaxed_frames)));
    }
    if run.failed_frames > 0 {
        parts.push(format!("{} without a solution", counted(run.failed_frames)));
    }
    if let Some(set) = run.conflicts.iter().max_by_key(|set| set.frames)
        && let Some(row) = set.least()
    {
        let others = set.rows.len() - 1;
        let rows = if others == 1 { "row" } else { "rows" };
        parts.push(format!("`{}` against {others} other {rows}", row.label));
    }
    // Divided frames are more accurate, and not reported here.
    let events = run.solve_events.iter().filter(|event| event.event != FrameEvent::Divided);
    parts.extend(events.map(|event| format!("{} {}", event.event, counted(event.frames))));
    parts.extend(run.passive.iter().filter_map(|object| {
        object.failed_at.map(|at| format!("{} diverged at {at} s", object.name, at = seconds(at)))
    }));
    (!parts.is_empty()).then(|| parts.join("; "))
}
