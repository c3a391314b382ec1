//! An explanation as a page, before it is rendered as text, Markdown or HTML.

use super::{Evidence, ExplainedPart, Explanation, ForcesUnknown, FrameExplained, PartChoice, few};
use crate::report::friction_used;
use crate::summary::{least, most_telling};
use aplomb_math::seconds::seconds;
use aplomb_trace::{ConflictRow, LimitSide, Outcome};

/// Share of the available friction below which it is not mentioned.
const LEAST_FRICTION: f64 = 0.005;
/// Largest number of rows of a conflict that are named.
const MOST_ROWS: usize = 5;

/// A page.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Page {
    /// Title of the page.
    pub(crate) title: String,
    /// The answer, in one or two sentences.
    pub(crate) answer: String,
    /// Its sections, in order.
    pub(crate) sections: Vec<Section>,
}

/// A part of a page.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Section {
    /// Heading, a few words.
    pub(crate) heading: String,
    /// Its paragraphs, lists and tables.
    pub(crate) items: Vec<SectionItem>,
}

/// An item of a section.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum SectionItem {
    /// A paragraph.
    Text(String),
    /// A list of sentences.
    List(Vec<String>),
    /// A table.
    Table {
        /// Its caption.
        about: String,
        /// Headings of its columns.
        head: Vec<String>,
        /// Cells, row by row.
        rows: Vec<Vec<String>>,
    },
    /// A change and the command that makes it.
    Command {
        /// Description of the change.
        about: String,
        /// The command to type.
        command: String,
    },
}

/// For each of `columns` columns of a table: whether it contains only numbers, which are right-aligned.
pub(super) fn of_numbers(columns: usize, rows: &[Vec<String>]) -> Vec<bool> {
    let is_number = |cell: &String| cell.is_empty() || cell.parse::<f64>().is_ok();
    (0..columns)
        .map(|column| {
            let mut cells = rows.iter().filter_map(|row| row.get(column));
            cells.clone().any(|cell| !cell.is_empty()) && cells.all(is_number)
        })
        .collect()
}

fn section(heading: &str, items: Vec<SectionItem>) -> Option<Section> {
    (!items.is_empty()).then(|| Section { heading: heading.into(), items })
}

/// The page of a run.
pub fn page(explained: &Explanation) -> Page {
    let Explanation { scene, title, command, .. } = explained;
    let head = match &explained.character {
        Some(character) => format!("Why `{character}` failed: {title} ({scene})"),
        None => format!("Why it failed: {title} ({scene})"),
    };
    if !explained.failed {
        return Page {
            title: format!("{title} ({scene})"),
            answer: match explained.cut_off {
                Some([at, end]) => format!(
                    "This run was interrupted at {} s and had not failed until then; repeated to its end, at {} s, it \
                     does not fail.",
                    seconds(at),
                    seconds(end)
                ),
                None => "This run did not fail: there is nothing to explain.".into(),
            },
            sections: section("The run", vec![made_by(command)]).into_iter().collect(),
        };
    }
    let sections = [
        section("What happened", happened(explained)),
        section("What was seen", seen(explained)),
        section("Conflicting constraints", conflicts(explained)),
        section("Why", why(explained)),
        section("Until when it could be prevented", rescues(explained)),
        section("The nearest changes that save it", changes(explained)),
        section("How this was found", found(explained)),
    ];
    Page { title: head, answer: answer(explained), sections: sections.into_iter().flatten().collect() }
}

/// A command on a line of its own, so that it can be copied.
fn made_by(command: &str) -> SectionItem {
    SectionItem::Command { about: "It is made by".into(), command: command.into() }
}

fn answer(explained: &Explanation) -> String {
    let evidence = &explained.evidence;
    let what = match evidence {
        Evidence { lost_balance: true, .. } => "Balance was lost",
        Evidence { came_nearest: true, .. } => "What had to hold once came nearest",
        _ => "It failed",
    };
    let kind = explained.kinds.first().map_or("unknown", |ranked| ranked.kind.name());
    let mut text =
        format!("{what} at {} s, in state `{}`: {kind}.", seconds(evidence.moment), evidence.state);
    match explained.last_rescue() {
        Some((until, about)) => {
            text += &format!(" It could still be saved at {until} s, {about}.", until = seconds(until))
        }
        None if !explained.rescues.is_empty() => {
            text += " No change that was tried prevents it from a later moment on.";
        }
        None => {}
    }
    match explained.changes.first() {
        Some(change) if change.avoids.is_some() => {
            text += &format!(
                " No change that was tried saves it in that state. The nearest that avoids it: {}.",
                change.about
            );
        }
        Some(change) => text += &format!(" Nearest change that saves it: {}.", said_of(change)),
        None => {}
    }
    text
}

fn said_of(change: &super::SuccessfulChange) -> String {
    let avoided = change.avoids.as_ref();
    let avoided = avoided
        .map_or_else(String::new, |state| format!("; but it then never comes to `{state}`, where it failed"));
    let about = match change.factor {
        Some(factor) if change.is_isolated => {
            format!("{} (× {factor:.3}, possibly by chance: a slightly larger change fails)", change.about)
        }
        Some(factor) => format!("{} (× {factor:.3})", change.about),
        None => change.about.clone(),
    };
    about + &avoided
}

fn happened(explained: &Explanation) -> Vec<SectionItem> {
    let mut items = Vec::new();
    items.extend(explained.reason.clone().map(SectionItem::Text));
    if let Some(time) = explained.departs_at {
        items.push(SectionItem::Text(format!(
            "The repeated run differs from the trace from {time} s on: another version of the program wrote \
             the trace, or the body's file in it is incomplete. What follows is about the repeated run.",
            time = seconds(time)
        )));
    }
    if let Some([at, end]) = explained.cut_off {
        items.push(SectionItem::Text(format!(
            "The run was interrupted at {} s: this is about the repeated run, which ends at {} s.",
            seconds(at),
            seconds(end)
        )));
    }
    items
}

fn seen(explained: &Explanation) -> Vec<SectionItem> {
    let evidence = &explained.evidence;
    let mut points = Vec::new();
    if !evidence.grown.is_empty() {
        let grown = evidence.grown.iter().map(|grown| {
            // No negative zero, and no negative round-off.
            let [most, before] = [grown.most, grown.before].map(|cost| if cost > 0.0 { cost } else { 0.0 });
            format!("`{}` (cost {most:.2e}, {before:.1e} before)", grown.objective)
        });
        points.push(format!("Objectives whose cost grew most: {}.", grown.collect::<Vec<_>>().join(", ")));
    }
    if !evidence.gave_way.is_empty() {
        let braking = evidence.gave_way.iter().any(|name| is_braking(name));
        let note = if braking { format!(" {BRAKING}") } else { String::new() };
        points.push(format!("Violated constraints: {}.{note}", few(&evidence.gave_way)));
    }
    points.extend(at_limit("Torques at their limits", &evidence.torques));
    points.extend(at_limit("Joints at the ends of their ranges", &evidence.stops));
    if evidence.torques.is_empty() && evidence.stops.is_empty() {
        points.push(
            "No torque was at its limit, and no joint was at the end of its range; a range \
                     that bound only brakes a joint before that."
                .into(),
        );
    }
    if evidence.friction > LEAST_FRICTION || !evidence.slid.is_empty() {
        let percent = 100.0 * evidence.friction;
        points.push(match evidence.slid.as_slice() {
            [] => format!("Up to {}; nothing slid.", friction_used(evidence.friction)),
            bodies => format!(
                "{} slid by {:.1} cm with all its friction used; over all contacts together, up to {percent:.0} \
                 % was used.",
                bodies.join(", "),
                100.0 * evidence.slipped
            ),
        });
    }
    points.extend(sentences(evidence));
    let from = (evidence.moment - 0.3).max(0.0);
    vec![
        SectionItem::Text(format!(
            "From {from} to {} s:",
            seconds(evidence.moment + 0.1),
            from = seconds(from)
        )),
        SectionItem::List(points),
    ]
}

/// The first five joints that were at a limit.
fn at_limit(what: &str, list: &[super::AtLimit]) -> Option<String> {
    let named: Vec<String> = list
        .iter()
        .take(5)
        .map(|limit| {
            format!(
                "{} ({:.0} % of frames, from {} s)",
                limit.joint,
                100.0 * limit.share_of_frames,
                seconds(limit.from)
            )
        })
        .collect();
    let more = list.len().saturating_sub(5);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    (!named.is_empty()).then(|| format!("{what}: {}{more}.", named.join(", ")))
}

/// Sentences for the last transition, and for everything else in the evidence.
fn sentences(evidence: &Evidence) -> Vec<String> {
    let exit = evidence.exit.as_ref().map(|exit| {
        let balance = if exit.in_balance { "in balance" } else { "with balance going" };
        format!(
            "The controller went from `{}` to `{}` at {} s, {balance}.",
            exit.from,
            exit.to,
            seconds(exit.at)
        )
    });
    let texts = [
        &evidence.beyond_reach,
        &evidence.push_share,
        &evidence.stuck,
        &evidence.support_gone,
        &evidence.dropped,
        &evidence.tripped,
        &evidence.delayed,
        &evidence.wrong_target,
    ];
    exit.into_iter().chain(texts.into_iter().flatten().map(|text| capital(text))).collect()
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

fn conflicts(explained: &Explanation) -> Vec<SectionItem> {
    let mut items = Vec::new();
    let mut sets: Vec<_> = explained.conflicts.iter().collect();
    sets.sort_by_key(|set| std::cmp::Reverse(set.frames));
    for set in sets.iter().take(2) {
        let frames = if set.frames == 1 { "one frame".to_string() } else { format!("{} frames", set.frames) };
        items.push(SectionItem::Text(format!(
            "In {frames}, first at {} s, these constraints were infeasible together; without any one of them \
             the others are feasible:",
            seconds(set.first_at)
        )));
        items.push(SectionItem::List(rows(&set.rows)));
        items.extend(braking(&set.rows));
    }
    items
}

/// The meaning of the row of a joint's range.
const BRAKING: &str = "A constraint `range of` a joint bounds its rate so that it can stop before the end of its \
                       range: the joint need not be at that end.";

fn is_braking(label: &str) -> bool {
    label.starts_with("range of ")
}

/// The meaning of rows of joint ranges, if there are any.
fn braking(rows: &[ConflictRow]) -> Option<SectionItem> {
    rows.iter().any(|row| is_braking(&row.label)).then(|| SectionItem::Text(BRAKING.into()))
}

fn rows(rows: &[ConflictRow]) -> Vec<String> {
    let in_words = |(place, row): (usize, &ConflictRow)| {
        let mark = if place == 0 { " (the first to be relaxed)" } else { "" };
        match row.give == 0.0 {
            // The violation is below the accuracy of the numbers.
            true => row.to_string(),
            false => format!("{row}: alone it would have to give way {}{mark}", give(row)),
        }
    };
    let mut items: Vec<String> =
        most_telling(rows).into_iter().take(MOST_ROWS).enumerate().map(in_words).collect();
    if rows.len() > MOST_ROWS {
        items.push(format!("and {} more, in what --json prints", rows.len() - MOST_ROWS));
    }
    items
}

fn give(row: &ConflictRow) -> String {
    let sign = match row.side {
        LimitSide::Equal => "",
        LimitSide::AtLeast => "downwards ",
        LimitSide::AtMost => "upwards ",
    };
    format!("{sign}by {} {}", digits(row.give), row.unit)
}

/// Three digits: 0.0123, 12.3, 1.2e-7.
fn digits(value: f64) -> String {
    if value != 0.0 && !(1e-3..1e5).contains(&value.abs()) {
        return format!("{value:.2e}");
    }
    let places = (2 - value.abs().max(1e-3).log10().floor() as i32).clamp(0, 5);
    format!("{value:.*}", usize::try_from(places).unwrap_or(0))
}

/// Largest number of causes that are named, and of causes that are ruled out.
const MOST_CAUSES: usize = 4;

fn why(explained: &Explanation) -> Vec<SectionItem> {
    let (likely, refuted): (Vec<_>, Vec<_>) =
        explained.kinds.iter().partition(|ranked| ranked.refuted.is_none());
    let mut items = Vec::new();
    for (place, ranked) in likely.into_iter().take(MOST_CAUSES).enumerate() {
        let word = if place == 0 { "Most likely" } else { "Less likely" };
        let because: Vec<String> = ranked.because.iter().map(|text| capital(text)).collect();
        items.push(SectionItem::Text(format!("{word}: {}. {}", ranked.kind.name(), because.join(" "))));
    }
    for ranked in refuted.into_iter().take(MOST_CAUSES) {
        let runs = ranked.refuted.as_deref().unwrap_or_default();
        items.push(SectionItem::Text(format!("Ruled out: {}. {}", ranked.kind.name(), capital(runs))));
    }
    items
}

fn rescues(explained: &Explanation) -> Vec<SectionItem> {
    let points: Vec<String> = explained
        .rescues
        .iter()
        .map(|rescue| match rescue.until {
            Some(until) => {
                let [until, late] = apart(until, rescue.too_late);
                format!("{}: saved where that begins at {until} s, not at {late} s.", capital(&rescue.about))
            }
            None => format!("{}: only from the beginning.", capital(&rescue.about)),
        })
        .collect();
    if points.is_empty() {
        return Vec::new();
    }
    let how =
        "Of six moments the last one that saves it, then by halving: earlier moments need not all save it.";
    vec![SectionItem::List(points), SectionItem::Text(how.to_owned())]
}

/// Two times with enough digits to differ, if they do.
fn apart(one: f64, other: f64) -> [String; 2] {
    let with = |digits: usize| [one, other].map(|time| format!("{time:.digits$}"));
    (2..6).map(with).find(|[one, other]| one != other).unwrap_or_else(|| with(2))
}

fn changes(explained: &Explanation) -> Vec<SectionItem> {
    let commands = explained.changes.iter().map(|change| SectionItem::Command {
        about: capital(&said_of(change)),
        command: explained.command_with(&change.changes),
    });
    let mut items: Vec<SectionItem> = commands.collect();
    if items.is_empty() {
        items.push(SectionItem::Text("No change that was tried prevents it.".into()));
    }
    items
}

fn found(explained: &Explanation) -> Vec<SectionItem> {
    let list = |saves: bool, only_another: bool| -> String {
        let is_so = move |tried: &&super::TriedChange| {
            (tried.saves, tried.only_another_fails) == (saves, only_another)
        };
        let all = || explained.tried.iter().filter(is_so);
        let left_out: Vec<&str> = all().filter_map(|tried| tried.without.as_deref()).collect();
        let named = all().filter(|tried| tried.without.is_none() || left_out.len() == 1);
        let mut named: Vec<String> = named.map(|tried| tried.about.clone()).collect();
        if left_out.len() > 1 {
            named.push(format!("without any one of the objectives {}", left_out.join(", ")));
        }
        named.join("; ")
    };
    let saved =
        if explained.changes.is_empty() { "" } else { " Every command above was run and does not fail." };
    let about = format!("{} runs of this, with one thing changed at a time.{saved}", explained.runs);
    let mut items = vec![SectionItem::Command { about, command: explained.command.clone() }];
    for (saves, only_another, words) in [
        (true, false, "It does not fail"),
        (false, true, "What is explained here holds, and only another criterion fails"),
        (false, false, "It still fails"),
    ] {
        let named = list(saves, only_another);
        if !named.is_empty() {
            items.push(SectionItem::Text(format!("{words} {named}.")));
        }
    }
    if explained.factors_tried > 0 {
        items.push(SectionItem::Text(format!(
            "In {} of the runs one parameter, weight or response time of the controller, or the time step, \
             was larger or smaller.",
            explained.factors_tried
        )));
    }
    if explained.cut_short {
        items.push(SectionItem::Text("More can be tried with a larger `--budget`.".into()));
    }
    items
}

impl From<&FrameExplained> for Page {
    fn from(frame: &FrameExplained) -> Self {
        let FrameExplained { index, time, state, outcome, events, conflict, forces, is_same, .. } = frame;
        let mut answer = outcome_in_words(outcome, conflict);
        if let Some(part) = &frame.part {
            answer = format!("{} {answer}", part_in_words(part));
        }
        let mut sections = Vec::new();
        if !conflict.is_empty() {
            sections.extend(section("Conflicting constraints", conflict_in_words(conflict)));
        }
        let is_solved = matches!(outcome, Outcome::Solved | Outcome::Relaxed { .. });
        let mut purposes = super::forces::items(forces, &frame.joined_forces);
        if purposes.is_empty() && is_solved {
            let words = match frame.forces_unknown {
                None => "No contact has a force of 1 N or more.",
                Some(ForcesUnknown::SharedProblem) => {
                    "Unknown: this frame was solved as one problem together with another character that it holds \
                     or touches."
                }
                Some(ForcesUnknown::NotUnique) => {
                    "Unknown: the costs of this frame's problem do not determine all unknowns, so the parts \
                     cannot be separated."
                }
            };
            purposes.push(SectionItem::Text(words.into()));
        }
        sections.extend(section("What the contact forces are for", purposes));
        sections.extend(section(
            "On the way",
            if events.is_empty() { Vec::new() } else { vec![SectionItem::List(events.clone())] },
        ));
        if !is_same {
            let text =
                "The repeated solution differs from the trace: another version of the program wrote it.";
            sections.extend(section("Beware", vec![SectionItem::Text(text.into())]));
        }
        Page { title: format!("Frame {index}, {} s, state `{state}`", seconds(time)), answer, sections }
    }
}

/// Which part of a divided frame is explained, and why, as text.
fn part_in_words(part: &ExplainedPart) -> String {
    let ExplainedPart { number, lengths, chosen } = part;
    let milliseconds: Vec<String> =
        lengths.iter().map(|length| (1e6 * length).round() / 1e3).map(|ms| ms.to_string()).collect();
    let why = match chosen {
        PartChoice::Worst => "the one that ended worst",
        PartChoice::Conflict => "the one with constraints that contradict each other",
        PartChoice::Time => "the one at the time asked for",
        PartChoice::First => "the first, as they all ended alike (`--time` asks for another)",
    };
    let (count, lengths) = (lengths.len(), milliseconds.join(", "));
    format!(
        "The frame was computed in {count} parts, of {lengths} ms, because the motion was too fast for one. What \
         follows is about part {number}, {why}."
    )
}

/// How a frame was solved, as a sentence.
fn outcome_in_words(outcome: &Outcome, conflict: &[ConflictRow]) -> String {
    match outcome {
        Outcome::Solved if conflict.is_empty() => "It was solved without relaxation.".to_string(),
        Outcome::Solved => "It was solved as an impact: there was no other solution.".into(),
        Outcome::Limp => "No problem was solved: the body was a ragdoll.".into(),
        Outcome::Relaxed { rows } => {
            // Some rows of a group need not be violated.
            let is_all_zero = rows.iter().all(|row| row.amount == 0.0);
            let named = rows
                .iter()
                .filter(|row| is_all_zero || row.amount != 0.0)
                .map(|row| format!("`{}` (by {} {})", row.label, digits(row.amount), row.unit))
                .collect::<Vec<_>>();
            format!("These constraints were violated: {}.", few(&named))
        }
        Outcome::Failed { reason, .. } => format!("It had no solution: {reason}."),
    }
}

/// The conflicting constraints of a frame, and the smallest relaxation.
fn conflict_in_words(conflict: &[ConflictRow]) -> Vec<SectionItem> {
    let mut items = vec![
        SectionItem::Text("Without any one of these constraints the others are feasible:".into()),
        SectionItem::List(rows(conflict)),
    ];
    items.extend(braking(conflict));
    if let Some(row) = least(conflict).filter(|row| row.give != 0.0) {
        items.push(SectionItem::Text(format!(
            "Smallest relaxation: `{}`, {}; with it all other constraints of the frame hold.",
            row.label,
            give(row)
        )));
    }
    let amounts = "With these amounts all other constraints of the frame hold; with those of `run --verbose` the \
                   others of this list hold.";
    items.push(SectionItem::Text(amounts.into()));
    items
}
