//! The summary of a run as a table.

pub(crate) mod short;

use crate::analysis::runner::companion_trace;
use crate::analysis::summary::{
    Apart, BreakForce, CriterionSummary, FootLoad, Holding, Lift, OtherPush, PassiveSummary, PushSummary,
    RootResidual, Settling, Summary, Visit, with_value,
};
use crate::cli::fit::fitted;
use crate::math::seconds::seconds;
use crate::trace::PassiveHeader;
use std::fmt::Write;
use std::path::Path;

/// Width of the first column.
const LABEL: usize = 16;

/// Largest number of characters in a line.
const WIDTH: usize = 100;

/// Column at which texts after labels and their continuations begin.
pub(crate) const INDENT: usize = 2 + LABEL + 1;
/// Largest number of joints whose peak torque is shown.
const PEAKS: usize = 4;
/// Largest number of lines for lists such as relaxed constraints.
const MOST_LINES: usize = 30;
/// Largest number of passive joints that are named.
const MOST_NAMES: usize = 8;
/// Largest number of constraints of a failed frame that are named.
const MOST_ROWS: usize = 5;

/// The whole table, in lines that fit the width of the terminal, if it is given.
pub(crate) fn summary(run: &Summary, width: Option<usize>) -> String {
    let mut table = Table::default();
    let Summary { title, scene, character, solver, .. } = run;
    let acts = !character.is_empty();
    if acts {
        table.line(format!("{title} ({scene}; {character}; {solver})"));
    } else {
        table.line(format!("{title} ({scene}; no character)"));
    }
    verdict(&mut table, run);
    states(&mut table, run);
    simulated(&mut table, run);
    if acts {
        motion(&mut table, run);
    }
    objects(&mut table, run);
    for push in &run.pushes {
        table.row(&push.name, pushes_by_object(run, push).to_string() + &said_of_push(push));
    }
    for push in &run.other_pushes {
        table.row(&push.name, said_of_other(push));
    }
    for (name, text) in other_summaries(run) {
        table.row(&name, text);
    }
    targets(&mut table, run);
    holding(&mut table, run);
    body(&mut table, run);
    reaction_delay(&mut table, run);
    torques(&mut table, run);
    timing(&mut table, run);
    let mut text = fitted(&table.0, width, INDENT);
    if let Some(reason) = &run.reason {
        text += &format!("\n{}\n", folded(reason, width.unwrap_or(WIDTH).min(WIDTH)));
    }
    text
}

#[derive(Default)]
struct Table(String);

impl Table {
    fn line(&mut self, text: String) {
        self.0 += text.trim_end();
        self.0.push('\n');
    }

    fn row(&mut self, label: &str, text: impl std::fmt::Display) {
        self.line(format!("  {label:LABEL$} {text}"));
    }
}

fn verdict(table: &mut Table, run: &Summary) {
    table.row("verdict", run.verdict.name());
    for criterion in &run.criteria {
        table.row("", format!("{}: {} ({})", criterion.name, fate(criterion), with_value(criterion)));
    }
}

fn fate(criterion: &CriterionSummary) -> String {
    match (criterion.kind.as_str(), criterion.held, criterion.at) {
        ("always", true, _) => "held throughout".into(),
        ("always", false, Some(at)) => format!("broken at {at} s", at = seconds(at)),
        ("once", true, Some(at)) => format!("held at {at} s", at = seconds(at)),
        ("once", false, _) => "never held".into(),
        (_, true, _) => "held at the end".into(),
        (_, false, _) => "did not hold at the end".into(),
    }
}

fn states(table: &mut Table, run: &Summary) {
    // A state that is re-entered from itself takes one line.
    let stays: Vec<&[Visit]> = run.states.chunk_by(|a, b| a.name == b.name).collect();
    for (k, stay) in stays.iter().enumerate() {
        let label = if k == 0 { "states" } else { "" };
        let [first, ..] = stay else { continue };
        let last = stay.last().unwrap_or(first);
        let times = if stay.len() > 1 { format!(", entered {} times", stay.len()) } else { String::new() };
        table.row(
            label,
            format!("{:>6} to {:>6} s  {}{times}", seconds(first.from), seconds(last.to), first.name),
        );
    }
}

fn simulated(table: &mut Table, run: &Summary) {
    table.row("simulated", said_of_time(run));
}

/// Simulated time, and its rate if the frames were timed.
fn said_of_time(run: &Summary) -> String {
    let Summary { simulated_time, frames, dt, real_time_factor, .. } = run;
    let pace = match is_timed(run) {
        true => format!(", {real_time_factor:.3} × real time"),
        false => "; how long that took is not recorded".into(),
    };
    format!("{simulated_time} s in {frames} frames of {dt} s{pace}", simulated_time = seconds(simulated_time))
}

/// Whether the frames were timed: traces contain no wall-clock times.
fn is_timed(run: &Summary) -> bool {
    run.wall_time > 0.0
}

/// Passive objects. Other characters, which are among them in the records of one, have figures of their own, but for
/// their forces on this one.
fn objects(table: &mut Table, run: &Summary) {
    let is_object =
        |object: &&PassiveSummary| object.kind != PassiveHeader::CHARACTER || object.hit_frames > 0;
    let objects: Vec<&PassiveSummary> = run.passive.iter().filter(is_object).collect();
    for object in objects.iter().take(MOST_LINES) {
        let PassiveSummary { energy: [first, last], fastest, end_speed, end_height, .. } = object;
        let mut text =
            format!("energy {first:.3} to {last:.3} J; centre of mass at most {fastest:.3} m/s fast, ");
        let _ = write!(text, "in the end {end_speed:.4} m/s and {end_height:.4} m high");
        let is_character = object.kind == PassiveHeader::CHARACTER;
        if !is_character {
            table.row(&object.name, text);
        }
        if object.hit_frames > 0 {
            let [x, y, z] = object.impulse;
            let frames = counted(object.hit_frames);
            let name = if is_character { &*object.name } else { "" };
            table
                .row(name, format!("touched the character in {frames} and gave it {x:.3} {y:.3} {z:.3} N s"));
        }
        if let Some(at) = object.failed_at {
            table.row("", format!("diverged (NaN or infinite) at {at} s", at = seconds(at)));
        }
    }
    if let Some(more) = objects.len().checked_sub(MOST_LINES).filter(|more| *more > 0) {
        table.row("", format!("and {more} more passive {}", if more == 1 { "object" } else { "objects" }));
    }
}

fn motion(table: &mut Table, run: &Summary) {
    solves(table, run);
    contacts(table, run);
    residuals(table, run);
    if let Some(step) = &run.cop_step {
        let (max, rms, at) = (step.max, step.rms, step.max_at);
        table.row(
            "CoP step",
            format!("max {max:.4} m (at {at} s), RMS {rms:.6} m per step", at = seconds(at)),
        );
    }
    if let Some(drift) = &run.com_drift {
        let (most, since) = (drift.max, drift.since);
        table.row(
            "COM drift",
            format!("at most {most:.5} m from where it was at {since} s", since = seconds(since)),
        );
    }
    table.row("at the end", format!("no joint faster than {:.5} rad/s", run.end_joint_speed));
}

/// Frames that were relaxed, failed, or were solved with an event.
fn solves(table: &mut Table, run: &Summary) {
    table.row("relaxed", counted(run.relaxed_frames));
    for row in run.relaxed_rows.iter().take(MOST_LINES) {
        let (label, unit) = (&row.label, &row.unit);
        table.row("", format!("{label}: {}, by up to {:.3e} {unit}", counted(row.frames), row.largest));
    }
    more(table, run.relaxed_rows.len());
    table.row("failed", counted(run.failed_frames));
    for failure in run.failures.iter().take(MOST_LINES) {
        table.row("", format!("{}, first at {} s", failure.reason, seconds(failure.first_at)));
        let mut rows: Vec<&str> = Vec::new();
        for row in &failure.rows {
            if !rows.contains(&row.as_str()) {
                rows.push(row);
            }
        }
        for row in rows.iter().take(MOST_ROWS) {
            table.row("", format!("  {row}"));
        }
        if rows.len() > MOST_ROWS {
            table.row("", format!("  and {} more, in summary.json", rows.len() - MOST_ROWS));
        }
    }
    for set in run.conflicts.iter().take(MOST_LINES) {
        let (frames, at) = (counted(set.frames), set.first_at);
        table.row(
            "conflict",
            format!("{frames}, first at {at} s: these cannot hold together", at = seconds(at)),
        );
        for row in set.most_telling().into_iter().take(MOST_ROWS) {
            table.row("", format!("  {row}; alone it would have to give {:.3} {}", row.give, row.unit));
        }
        if set.rows.len() > MOST_ROWS {
            table.row("", format!("  and {} more, in summary.json", set.rows.len() - MOST_ROWS));
        }
    }
    more(table, run.conflicts.len());
    for event in &run.solve_events {
        let text =
            format!("{}: {}, first at {} s", event.event, counted(event.frames), seconds(event.first_at));
        table.row("frames with", text);
    }
}

/// Adds the number of items beyond those with a line of their own.
fn more(table: &mut Table, listed: usize) {
    if let Some(more) = listed.checked_sub(MOST_LINES).filter(|more| *more > 0) {
        table.row("", format!("and {more} more, in summary.json"));
    }
}

fn contacts(table: &mut Table, run: &Summary) {
    let changes = &run.contacts;
    table.row("contacts", format!("{} made, {} broken", changes.made, changes.broken));
    if changes.parted + changes.turned > 0 {
        let (parted, turned) = (changes.parted, changes.turned);
        table.row("", format!("re-solved: {parted} separated under force, {turned} friction reversed"));
    }
    if let Some(BreakForce { share, force, contact, at }) = &run.break_force {
        let percent = 100.0 * share;
        table.row(
            "",
            format!(
                "separated under a force of at most {percent:.3} % of m g ({force:.3} N, {contact} at {at} s)",
                at = seconds(at)
            ),
        );
    }
}

/// Residuals of objectives and equations of motion.
fn residuals(table: &mut Table, run: &Summary) {
    if let (Some(error), Some(change)) = (run.goal_error, run.torque_change) {
        table.row("objectives", format!("residual {error:.4} RMS"));
        if !run.idle_objectives.is_empty() {
            let names = run.idle_objectives.join(", ");
            table.row("", format!("not in force, or met, in every frame: {names}"));
        }
        table.row("torque change", format!("{change:.3} N m per step, RMS"));
    }
    if let Some(root) = &run.root_residual {
        let (rms, max) = (root.rms, root.max);
        table.row("root dynamics", format!("residual {rms:.1e} m g RMS, at most {max:.1e}"));
        // Residual of the other discretisation, which holds only up to the discretisation error.
        let other = [("momentum", run.momentum_residual), ("equations of motion", run.root_wrench)];
        for (name, residual) in other.into_iter().filter(|(_, residual)| *residual != Some(*root)) {
            if let Some(RootResidual { rms, max }) = residual {
                table.row("", format!("{name}: {rms:.1e} m g RMS, at most {max:.1e}"));
            }
        }
    }
    if let Some(divergence) = run.divergence {
        table.row("prediction", format!("at most {divergence:.1e} m/s or rad/s from forward dynamics"));
    }
}

/// Errors of objectives that follow moving targets, in mm or rad.
fn targets(table: &mut Table, run: &Summary) {
    for (k, target) in run.targets.iter().enumerate() {
        let (scale, unit) = if target.unit == "m" { (1e3, "mm") } else { (1.0, target.unit.as_str()) };
        let text = match (target.rms, target.max, target.max_at) {
            (Some(rms), Some(max), Some(at)) => format!(
                "{}: RMS {:.2} {unit}, at most {:.2} {unit} (at {at} s), from 1 s after it began to hold",
                target.objective,
                scale * rms,
                scale * max,
                at = seconds(at)
            ),
            _ => format!("{}: held for less than 1 s", target.objective),
        };
        table.row(if k == 0 { "target error" } else { "" }, text);
    }
}

/// Delays of joints and controller, and the surprises of the run.
fn reaction_delay(table: &mut Table, run: &Summary) {
    let perception = run.reaction_delay_settings.map_or(0.0, |settings| settings.perception);
    let mut label = "reaction delay";
    if let Some(settings) = run.reaction_delay_settings {
        let knows = match perception > 0.0 {
            true => {
                format!("the controller knows of it after {perception} s", perception = seconds(perception))
            }
            false => "the controller knows of it at once".into(),
        };
        let none = if run.reaction_delays.is_empty() { "; there was no surprise" } else { "" };
        let text =
            format!("joint torques answer a surprise after {} s, {knows}{none}", seconds(settings.time));
        table.row(std::mem::take(&mut label), text);
    }
    for held in &run.reaction_delays {
        let mut text = format!("joint torques held from {} to {} s", seconds(held.from), seconds(held.to));
        if perception > 0.0 {
            let _ = write!(text, "; unknown to the controller until {} s", seconds(held.from + perception));
        }
        table.row(std::mem::take(&mut label), text);
    }
}

/// Forces on grips and their drift.
fn holding(table: &mut Table, run: &Summary) {
    let Some(Holding { taken, force, limit, site, at, error, .. }) = &run.holding else { return };
    let mut text = format!("{taken} taken; at most {force:.0} N");
    if let Some(limit) = limit {
        let _ = write!(text, " of {limit:.0} N");
    }
    let _ = write!(text, " ({site} at {at} s)", at = seconds(at));
    if let Some(error) = error {
        let _ = write!(text, "; maximum grip drift {:.1e} mm after 0.2 s", 1e3 * error);
    }
    table.row("holds", text);
}

/// Steps, clearances of collision avoidance, and settling of passive joints.
fn body(table: &mut Table, run: &Summary) {
    if let Some(gait) = &run.gait
        && let Some(length) = gait.mean_step_length
    {
        let (count, slip) = (run.steps, gait.slip.iter().map(|slip| slip.path).fold(0.0, f64::max));
        let mut text = format!("{count}, a foot went {length:.3} m in the mean; feet slid up to {slip:.3} m");
        if let Some(peak) = &gait.landing_torque {
            let _ = write!(text, "; up to {:.0} {} in {} after landing", peak.torque, peak.unit, peak.joint);
        }
        table.row("steps", text);
    }
    for (k, landing) in run.gait.iter().flat_map(|gait| &gait.hard_landings).take(MOST_LINES).enumerate() {
        let text = format!("{landing} ({:.0} N at {} s)", landing.force, seconds(landing.peak_at));
        table.row(if k == 0 { "hard landing" } else { "" }, text);
    }
    let lifts = run.gait.iter().flat_map(|gait| &gait.lifts);
    for (k, Lift { foot, at, largest_change, .. }) in lifts.take(MOST_LINES).enumerate() {
        let label = if k == 0 { "lift-off" } else { "" };
        let percent = 100.0 * largest_change;
        table.row(
            label,
            format!("{foot} at {at} s; load step at most {percent:.1} % of m g", at = seconds(at)),
        );
    }
    let loads = run.gait.iter().flat_map(|gait| &gait.loads);
    if let Some(FootLoad { foot, largest_change, changed_at, .. }) =
        loads.max_by(|a, b| a.largest_change.total_cmp(&b.largest_change))
    {
        table.row(
            "load step",
            format!(
                "{foot} at {changed_at} s; {largest_change:.2} m g in a frame",
                changed_at = seconds(changed_at)
            ),
        );
    }
    let loads = || run.gait.iter().flat_map(|gait| &gait.loads);
    let [phases, short] =
        [loads().map(|load| load.phases).sum::<usize>(), loads().map(|load| load.short_phases).sum()];
    if short > 0 {
        table.row("short loads", format!("{short} of {phases} loads on feet were shorter than 0.05 s"));
    }
    for (k, apart) in run.apart.iter().enumerate() {
        let Apart { name, least, at, bodies: [a, b] } = apart;
        let label = if k == 0 { "clearance" } else { "" };
        table.row(
            label,
            format!("{name}: at least {:.1} mm ({a} and {b} at {at} s)", 1000.0 * least, at = seconds(at)),
        );
    }
    if let Some(Settling { since, time, pose_error, joint }) = &run.settling {
        let when =
            time.map_or("not settled".into(), |time| format!("settled from {} s on", seconds(since + time)));
        table.row("settling joints", format!("{when}; {joint} is {pose_error:.3} rad from the rest pose"));
    }
}

fn counted(frames: u64) -> String {
    match frames {
        0 => "no frame".into(),
        1 => "1 frame".into(),
        more => format!("{more} frames"),
    }
}

/// Beginning of the text about a push: passive objects have their own lines.
fn pushes_by_object(run: &Summary, push: &PushSummary) -> &'static str {
    match run.passive.iter().any(|object| object.name == push.name) {
        true => "on the character: ",
        false => "",
    }
}

/// A push on another character.
fn said_of_other(push: &OtherPush) -> String {
    format!("on {}: {:.2} N s along the ground at {} s", push.character, push.horizontal, seconds(push.at))
}

/// Summary files of the other characters, with their names.
fn other_summaries(run: &Summary) -> Vec<(String, String)> {
    if run.trace.is_empty() {
        return Vec::new();
    }
    let text = |name: &String| {
        let trace = Path::new(&run.trace).with_file_name(companion_trace(name));
        (name.clone(), format!("figures of its own: `aplomb summary {}`", trace.display()))
    };
    run.other_characters.iter().map(text).collect()
}

fn said_of_push(push: &PushSummary) -> String {
    let mut text = format!("{:.2} N s along the ground at {} s", push.horizontal, seconds(push.at));
    if let (Some(bound), Some(distance), Some(share)) = (push.bound, push.distance, push.share) {
        let percent = 100.0 * share;
        let _ = write!(
            text,
            ", {percent:.0} % of the largest push that a linear pendulum can balance without a step: {bound:.2} \
             N s, {distance:.3} m from the edge of the support"
        );
    }
    text
}

fn torques(table: &mut Table, run: &Summary) {
    for (k, peak) in run.peak_torques.iter().filter(|peak| peak.torque > 0.0).take(PEAKS).enumerate() {
        let label = if k == 0 { "peak torque" } else { "" };
        let mut text = format!("{:8.2} {:3}", peak.torque, peak.unit);
        if let Some(share) = peak.share {
            let _ = write!(text, " {:4.0} % of its limit", 100.0 * share);
        }
        let _ = write!(text, "  {} (at {} s)", peak.joint, seconds(peak.at));
        table.row(label, text);
    }
    if !run.passive_joints.is_empty() {
        let others = run.passive_joints.len().saturating_sub(MOST_NAMES);
        let mut text = run.passive_joints[..run.passive_joints.len() - others].join(", ");
        if others > 0 {
            let _ = write!(text, " and {others} more");
        }
        table.row("passive joints", format!("{text}: no actuator"));
    }
    if let Some(error) = run.coupling_error {
        table.row("couplings", format!("joints that follow others: at most {error:.1e} rad or m off"));
    }
}

fn timing(table: &mut Table, run: &Summary) {
    if !is_timed(run) {
        table.row("µs per frame", "not recorded");
        return;
    }
    let of = &run.timing_us;
    table.row("µs per frame", format!("{:9} {:>10} {:>10}", "", "median", "p99"));
    let phases = [
        ("sense", of.sense),
        ("assemble", of.assemble),
        ("solve", of.solve),
        ("advance", of.advance),
        ("together", of.frame),
        ("trace", of.record),
    ];
    for (name, phase) in phases {
        table.row("", format!("{name:9} {:10.1} {:10.1}", phase.median, phase.p99));
    }
}

/// The text in lines of at most `width` characters, broken between words.
fn folded(text: &str, width: usize) -> String {
    let mut lines = String::new();
    let mut length = 0;
    for word in text.split_whitespace() {
        let letters = word.chars().count();
        if length > 0 && length + 1 + letters > width {
            lines.push('\n');
            length = 0;
        }
        if length > 0 {
            lines.push(' ');
            length += 1;
        }
        lines += word;
        length += letters;
    }
    lines
}
