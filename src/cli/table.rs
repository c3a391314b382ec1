//! The summary of a run as a table for people.

use crate::summary::{CriterionSummary, PushSummary, Summary};
use std::fmt::Write;

/// Width of the first column.
const LABEL: usize = 15;
/// Joints whose peak torque is shown.
const PEAKS: usize = 4;
/// Visits, and rows that gave way, shown at most.
const MOST_LINES: usize = 30;

/// The whole table.
pub fn summary(run: &Summary) -> String {
    let mut table = Table::default();
    let Summary { title, scene, character, solver, .. } = run;
    table.line(format!("{title} ({scene}; {character}; {solver})"));
    verdict(&mut table, run);
    states(&mut table, run);
    motion(&mut table, run);
    for push in &run.pushes {
        table.row(&push.name, said_of_push(push));
    }
    targets(&mut table, run);
    torques(&mut table, run);
    timing(&mut table, run);
    if let Some(reason) = &run.reason {
        table.line(String::new());
        table.line(folded(reason, 100));
    }
    table.0
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
        let CriterionSummary { name, condition, .. } = criterion;
        table.row("", format!("{name}: {} ({condition})", fate(criterion)));
    }
}

fn fate(criterion: &CriterionSummary) -> String {
    match (criterion.kind, criterion.held, criterion.at) {
        ("always", true, _) => "held throughout".into(),
        ("always", false, Some(at)) => format!("broken at {at:.2} s"),
        ("once", true, Some(at)) => format!("held at {at:.2} s"),
        ("once", false, _) => "never held".into(),
        (_, true, _) => "held at the end".into(),
        (_, false, _) => "did not hold at the end".into(),
    }
}

fn states(table: &mut Table, run: &Summary) {
    for (k, visit) in run.states.iter().take(MOST_LINES).enumerate() {
        let label = if k == 0 { "states" } else { "" };
        table.row(label, format!("{:6.2} to {:6.2} s  {}", visit.from, visit.to, visit.name));
    }
    if let Some(more) = run.states.len().checked_sub(MOST_LINES).filter(|more| *more > 0) {
        table.row("", format!("and {more} more visits"));
    }
}

fn motion(table: &mut Table, run: &Summary) {
    let Summary { simulated_time, frames, dt, real_time_factor, .. } = run;
    table.row(
        "simulated",
        format!("{simulated_time:.2} s in {frames} frames of {dt} s, {real_time_factor:.3} × real time"),
    );
    table.row("relaxed", counted(run.relaxed_frames));
    for row in run.relaxed_rows.iter().take(MOST_LINES) {
        let (label, unit) = (&row.label, &row.unit);
        table.row("", format!("{label}: {}, by up to {:.3e} {unit}", counted(row.frames), row.largest));
    }
    table.row("failed", counted(run.failed_frames));
    for failure in run.failures.iter().take(MOST_LINES) {
        let rows =
            if failure.rows.is_empty() { String::new() } else { format!(": {}", failure.rows.join(", ")) };
        table.row("", format!("{}, first at {:.2} s{rows}", failure.reason, failure.first_at));
    }
    let changes = &run.contacts;
    table.row("contacts", format!("{} made, {} broken", changes.made, changes.broken));
    if changes.parted + changes.turned > 0 {
        let (parted, turned) = (changes.parted, changes.turned);
        table
            .row("", format!("solved again: {parted} parted under force, {turned} slid with their friction"));
    }
    if let Some(step) = &run.cop_step {
        let (max, rms, at) = (step.max, step.rms, step.max_at);
        table.row("CoP step", format!("max {max:.4} m (at {at:.2} s), rms {rms:.6} m per frame"));
    }
    if let Some(drift) = &run.com_drift {
        let (most, since) = (drift.max, drift.since);
        table.row("COM drift", format!("at most {most:.5} m from where it was at {since:.2} s"));
    }
    table.row("at the end", format!("no joint faster than {:.5} rad/s", run.end_joint_speed));
}

/// How near goals stayed to moving targets: in mm, or in rad as they are.
fn targets(table: &mut Table, run: &Summary) {
    for (k, target) in run.targets.iter().enumerate() {
        let (scale, unit) = if target.unit == "m" { (1e3, "mm") } else { (1.0, target.unit.as_str()) };
        let text = match (target.rms, target.max, target.max_at) {
            (Some(rms), Some(max), Some(at)) => format!(
                "{}: rms {:.2} {unit}, at most {:.2} {unit} (at {at:.2} s), from 1 s after it began to hold",
                target.objective,
                scale * rms,
                scale * max
            ),
            _ => format!("{}: held for less than 1 s", target.objective),
        };
        table.row(if k == 0 { "off target" } else { "" }, text);
    }
}

fn counted(frames: u64) -> String {
    match frames {
        0 => "no frame".into(),
        1 => "1 frame".into(),
        more => format!("{more} frames"),
    }
}

fn said_of_push(push: &PushSummary) -> String {
    let mut text = format!("{:.2} N s along the ground at {:.2} s", push.horizontal, push.at);
    if let (Some(bound), Some(distance), Some(share)) = (push.bound, push.distance, push.share) {
        let percent = 100.0 * share;
        let _ = write!(
            text,
            ", {percent:.0} % of the linear pendulum's m ω₀ d = {bound:.2} N s (d = {distance:.3} m)"
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
        let _ = write!(text, "  {} (at {:.2} s)", peak.joint, peak.at);
        table.row(label, text);
    }
}

fn timing(table: &mut Table, run: &Summary) {
    let of = &run.timing_us;
    table.row("µs per frame", format!("{:9} {:>10} {:>10}", "", "median", "p99"));
    let phases = [
        ("sense", of.sense),
        ("assemble", of.assemble),
        ("solve", of.solve),
        ("advance", of.advance),
        ("together", of.frame),
        ("record", of.record),
    ];
    for (name, phase) in phases {
        table.row("", format!("{name:9} {:10.1} {:10.1}", phase.median, phase.p99));
    }
}

/// The text in lines of at most `width` letters, broken between words.
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
