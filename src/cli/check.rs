//! `aplomb check`: everything that is wrong with files, without running them.

use super::said::Said;
use super::{Done, Failure, output};
use crate::analysis::check::{self, Finding, Kind};
use crate::language::files::{self, Folder, NotFound};
use crate::model::companion::Unmodelled;
use crate::model::mjcf::Options;
use serde::Serialize;

/// Find the errors in scenes, controllers, plots and bodies.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Arguments {
    /// Files, or names of shipped ones; what they are is told from what is in them
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    /// Body that controllers and plots are checked with
    #[arg(long, value_name = "FILE", default_value = "adult")]
    model: String,
    /// Refuse what of a body's file would be ignored with a warning
    #[arg(long)]
    strict: bool,
    /// Leave out of a body's file what is not modelled: tendon, equality, actuator
    #[arg(long, value_name = "WHAT", value_delimiter = ',', value_parser = unmodelled)]
    ignore: Vec<Unmodelled>,
    /// Print a JSON array of {file, line, column, severity, message, help} objects
    #[arg(long)]
    json: bool,
}

fn unmodelled(name: &str) -> Result<Unmodelled, String> {
    let known = Unmodelled::ALL.map(|(_, name)| name).join(", ");
    Unmodelled::of_name(name).ok_or_else(|| format!("known: {known}"))
}

const AFTER_HELP: &str = "\
Examples:
  aplomb check my_scene.toml my_controller.toml
  aplomb check walker.toml --model robot.xml

Exit codes: 0 no errors (there may be warnings), 2 errors.";

pub fn run(arguments: &Arguments) -> Result<Done, Failure> {
    let options = Options { strict: arguments.strict, ignore: arguments.ignore.clone() };
    let mut found = Vec::new();
    for reference in &arguments.files {
        match check_one(reference, &arguments.model, &options) {
            Ok(findings) => {
                if !arguments.json {
                    report(reference, &findings)?;
                }
                found.extend(findings.iter().map(|finding| Line::of(reference, finding)));
            }
            Err(missing) => {
                found.push(Line::missing(reference, &missing));
                if !arguments.json {
                    output::complain([Said::from(&missing)]);
                }
            }
        }
    }
    if arguments.json {
        output::print_json(&found)?;
    }
    let mistakes = found.iter().any(|line| line.severity == "error");
    Ok(if mistakes { Done::MistakesFound } else { Done::Well })
}

fn check_one(reference: &str, model: &str, options: &Options) -> Result<Vec<Finding>, NotFound> {
    let (kind, located) = check::find(reference)?;
    Ok(match kind {
        Kind::Scene => check::scene(reference),
        Kind::Model => check::model(&located.source, options),
        Kind::Controller => {
            check::controller(&located.source, &files::find(Folder::Characters, model, None)?.source)
        }
        Kind::Plot => check::plot(&located.source, &files::find(Folder::Characters, model, None)?.source),
    })
}

fn report(reference: &str, findings: &[Finding]) -> Result<(), Failure> {
    output::complain(findings.iter().map(said));
    let warnings = findings.iter().filter(|finding| finding.is_warning()).count();
    let counts = [(findings.len() - warnings, "error"), (warnings, "warning")];
    let said: Vec<String> = counts.into_iter().filter(|(count, _)| *count > 0).map(counted).collect();
    let said = if said.is_empty() { "ok".into() } else { said.join(", ") };
    output::print(&format!("{reference}: {said}\n"))
}

fn said(finding: &Finding) -> Said {
    match finding {
        Finding::Mistake(error) => error.into(),
        Finding::Warning(warning) => warning.into(),
        Finding::Missing(missing) => missing.into(),
    }
}

fn counted((count, what): (usize, &str)) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// One finding for a program.
#[derive(Serialize)]
struct Line {
    file: String,
    /// From 1; null where the file as a whole is meant.
    line: Option<usize>,
    column: Option<usize>,
    severity: &'static str,
    message: String,
    help: Option<String>,
}

impl Line {
    fn of(reference: &str, finding: &Finding) -> Self {
        let severity = if finding.is_warning() { "warning" } else { "error" };
        match finding {
            Finding::Mistake(error) | Finding::Warning(crate::language::diagnostic::Warning(error)) => {
                let (file, line, column) = error.place();
                let (message, help) = (error.message.clone(), error.help.clone());
                Line { file, line: Some(line), column: Some(column), severity, message, help }
            }
            Finding::Missing(missing) => Line::missing(reference, missing),
        }
    }

    fn missing(reference: &str, missing: &NotFound) -> Self {
        let (message, help) = (missing.message.clone(), missing.help.clone());
        Line { file: reference.into(), line: None, column: None, severity: "error", message, help }
    }
}
