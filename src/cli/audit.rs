//! `aplomb audit`: checks a finished run against the laws of physics.

use super::output::Paint;
use super::{Done, Failure, output, plot};
use crate::analysis::audit::{Audit, GaugeResult, Spot, audit};
use crate::trace;
use std::fmt::Write;
use std::path::PathBuf;

/// Hold what a run recorded against physics: motion, forces and contacts, frame by frame, without asking the
/// solver again.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// Folder of a run, or a trace
    run: PathBuf,
    /// Print one JSON object instead of a table
    #[arg(long)]
    json: bool,
    /// Print nothing where everything holds
    #[arg(long, short, conflicts_with = "json")]
    quiet: bool,
}

const AFTER_HELP: &str = "\
Configurations are differenced, the equations of motion of every coordinate are held against the recorded forces \
by recursive Newton–Euler, and contacts, limits and what is derived from the configuration are measured anew from \
the body's own text in the trace. Data that are not in the trace cannot be audited; the output lists them. \
docs/audit.md has the checks and their tolerances.

Examples:
  aplomb audit runs/balance_push
  aplomb audit old/trace.mcap --json

Exit codes: 0 all checks are within their tolerances, 2 usage or no trace, 6 a check is not.";

pub(crate) fn run(arguments: &Arguments) -> Result<Done, Failure> {
    let (path, _) = plot::locate(&arguments.run);
    plot::has_trace(&arguments.run, &path)?;
    let (trace, ending) = trace::read_ended(&path).map_err(|error| Failure::trace(&path, error))?;
    let audit = audit(&trace, ending.as_ref());
    if arguments.json {
        output::print_json(&audit)?;
    } else if !arguments.quiet || !audit.passed {
        output::print(&text(&audit, Paint::of_output()))?;
    }
    Ok(if audit.passed { Done::Well } else { Done::Refused })
}

/// An audit as a table, with violations and skipped checks in sentences below.
pub(super) fn text(audit: &Audit, paint: Paint) -> String {
    let mut text = format!("audit of {}: {} records\n", audit.scene, audit.frames);
    let quantity = |measure: &GaugeResult| format!("{}, {}", measure.quantity, measure.unit);
    let width = audit.measures.iter().map(|measure| quantity(measure).chars().count()).max().unwrap_or(0);
    let mut before = "";
    for measure in &audit.measures {
        let check = if measure.check == before { "" } else { measure.check.as_str() };
        before = &measure.check;
        let verdict = if measure.held { paint.good("holds") } else { paint.bad("BROKEN") };
        let worst = measure.worst.as_ref().map_or(0.0, |worst| worst.value);
        let at = measure.worst.as_ref().filter(|worst| worst.value > 0.0).map(place).unwrap_or_default();
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "  {check:14} {:width$}  {worst:9.2e} of {:7.1e}  {verdict}{}",
            quantity(measure),
            measure.allowed,
            if at.is_empty() { at } else { format!("  {at}") },
        );
    }
    text += &broken(audit);
    if let Some(help) = audit.help {
        let _ = writeln!(text, "help: {help}");
    }
    for unseen in &audit.not_audited {
        let _ = writeln!(text, "not audited: {unseen}");
    }
    let verdict = if audit.passed { paint.good("accepted") } else { paint.bad("REFUSED") };
    let _ = writeln!(text, "{verdict}");
    text
}

/// The violations, one line per measure.
pub(super) fn broken(audit: &Audit) -> String {
    let mut text = String::new();
    for measure in audit.broken() {
        let first = measure.first_beyond.as_ref();
        let said = first.map(|first| format!("first {:.3e} {}", first.value, place(first)));
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{}: {}: {} of {} beyond {:.1e} {}; {}",
            measure.check,
            measure.quantity,
            measure.beyond,
            measure.looks,
            measure.allowed,
            measure.unit,
            said.unwrap_or_default(),
        );
    }
    text
}

fn place(spot: &Spot) -> String {
    let what = if spot.what.is_empty() { String::new() } else { format!(": {}", spot.what) };
    format!("in frame {} at {:.3} s{what}", spot.frame, spot.time)
}
