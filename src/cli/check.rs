//! `aplomb check`: all mistakes in files, without a run.

mod watch;

use super::output::Paint;
use super::{Done, Failure, output};
use crate::analysis::check::{self, Finding, Kind};
use crate::language::diagnostic::Source;
use crate::language::files::{self, Folder, NotFound, Override, OverrideTarget};
use crate::language::rendered::Rendered;
use crate::model::companion::Unmodelled;
use crate::model::mjcf::Options;
use crate::scene::SceneFiles;
use serde::Serialize;

/// Find the errors in scenes, controllers, plots and bodies.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// Files, or names of shipped ones; what they are is told from what is in them
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    /// Body that controllers and plots are checked with [default: that of a scene here which has the
    /// controller, or `adult`, or `quadruped` for what is right with that alone]
    #[arg(long, value_name = "FILE")]
    model: Option<String>,
    /// Replace a value of the scenes, or with `controller.…` of the controllers; VALUE is TOML,
    /// in which paths of files are relative to the working directory
    #[arg(long = "set", value_name = "PATH=VALUE")]
    overrides: Vec<String>,
    /// Refuse what of a body's file would be ignored with a warning
    #[arg(long)]
    strict: bool,
    /// Leave out of a body's file what is not modelled: tendon, equality, actuator
    #[arg(long, value_name = "WHAT", value_delimiter = ',', value_parser = unmodelled)]
    ignore: Vec<Unmodelled>,
    /// End with exit code 2 where there are warnings
    #[arg(long)]
    deny_warnings: bool,
    /// Check again whenever one of the files changes, until interrupted
    #[arg(long, conflicts_with = "json")]
    watch: bool,
    /// Print a JSON array of {file, line, column, severity, rule, message, help} objects
    #[arg(long)]
    json: bool,
    /// Print nothing but errors, and what --json asks for: no warnings, no `ok`
    #[arg(long, short)]
    quiet: bool,
}

impl Arguments {
    pub(crate) fn is_quiet(&self) -> bool {
        self.quiet
    }
}

fn unmodelled(name: &str) -> Result<Unmodelled, String> {
    let known = Unmodelled::ALL.map(|(_, name)| name).join(", ");
    Unmodelled::of_name(name).ok_or_else(|| format!("known: {known}"))
}

const AFTER_HELP: &str = "\
All errors are reported in one pass, each once. Expressions are checked once keys, kinds and names of states are right.

Examples:
  aplomb check my_scene.toml my_controller.toml
  aplomb check walker.toml --model robot.xml
  aplomb check my_scene.toml --set 'characters.hero.model=\"child\"'
  aplomb check my_scene.toml --watch
  aplomb check *.toml --quiet --deny-warnings    what CI wants to know

Warnings come from named rules: `aplomb explain RULE` explains a rule, `allow = [\"RULE\"]` at the top of a file \
suppresses it.

Exit codes: 0 no errors (there may be warnings), 2 errors, or with --deny-warnings warnings.";

/// Default body for checks of controllers and plots.
const MODEL: &str = "adult";
/// Body for controllers that do not fit the default one, such as those for four feet.
const OTHER_MODEL: &str = "quadruped";

pub(crate) fn run(arguments: &Arguments) -> Result<Done, Failure> {
    let overrides = arguments.overrides.iter().map(|argument| Override::parse(argument));
    let overrides: Vec<Override> = overrides.collect::<Result<_, _>>()?;
    let check = CheckRun { arguments, overrides };
    if arguments.watch {
        return watch::run(&check);
    }
    check.all()
}

/// Arguments of the check.
struct CheckRun<'a> {
    arguments: &'a Arguments,
    overrides: Vec<Override>,
}

impl CheckRun<'_> {
    /// Checks every file once.
    fn all(&self) -> Result<Done, Failure> {
        let arguments = self.arguments;
        let scenes = self.scenes();
        let mut known: Vec<Finding> = Vec::new();
        let mut found = Vec::new();
        let mut reads_scene_values = !self.overrides.iter().any(|item| item.target == OverrideTarget::Scene);
        for reference in &arguments.files {
            reads_scene_values |= check::find(reference).is_ok_and(|(kind, _)| kind == Kind::Scene);
            match self.one(reference, &scenes) {
                Ok(findings) => {
                    let count = findings.len();
                    // A mistake in a controller appears in every scene that uses it, and is reported once.
                    let new: Vec<Finding> =
                        findings.into_iter().filter(|finding| !known.contains(finding)).collect();
                    if !arguments.json {
                        let is_shown = |finding: &&Finding| {
                            !arguments.quiet || arguments.deny_warnings || !finding.is_warning()
                        };
                        output::print_findings(new.iter().filter(is_shown).map(said));
                        report(reference, &new, count - new.len())?;
                    }
                    found.extend(new.iter().map(|finding| Line::of(reference, finding)));
                    known.extend(new);
                }
                Err(missing) => {
                    found.push(Line::missing(reference, &missing));
                    if !arguments.json {
                        output::print_findings([Rendered::from(&missing)]);
                    }
                }
            }
        }
        if !reads_scene_values {
            return Err(Failure::Usage {
                message: "--set has no effect: no scene is given".into(),
                help: Some("values of a controller are named `controller.…`".into()),
            });
        }
        if arguments.json {
            output::print_json(&found)?;
        }
        let denied = |line: &Line| line.severity == "error" || arguments.deny_warnings;
        let mistakes = found.iter().any(denied);
        Ok(if mistakes { Done::MistakesFound } else { Done::Well })
    }

    /// The scenes among the files that can be read.
    fn scenes(&self) -> Vec<SceneFiles> {
        let is_scene = |name: &&String| check::find(name).is_ok_and(|(kind, _)| kind == Kind::Scene);
        let scenes = self.arguments.files.iter().filter(is_scene);
        scenes.filter_map(|name| check::files_of(name, &self.arguments.overrides)).collect()
    }

    fn one(&self, reference: &str, scenes: &[SceneFiles]) -> Result<Vec<Finding>, NotFound> {
        let (kind, located) = check::find(reference)?;
        Ok(match kind {
            Kind::Scene => check::scene(reference, &self.arguments.overrides),
            Kind::Model => {
                let Arguments { strict, ignore, .. } = self.arguments;
                check::model(
                    &located.source,
                    &Options { strict: *strict, ignore: ignore.clone(), ..Options::default() },
                )
            }
            Kind::Controller => self.controller(&located.source, scenes)?,
            Kind::Plot => self.plot(&located.source, scenes)?,
        })
    }

    /// Checks a controller with its body; without one, with the first shipped body that gives no mistakes, if
    /// any.
    fn controller(&self, source: &Source, scenes: &[SceneFiles]) -> Result<Vec<Finding>, NotFound> {
        let check = |model: &Source| check::controller(source, model, &self.overrides);
        if let Some(model) = self.model(source, scenes)? {
            return Ok(check(&model));
        }
        let found = check(&shipped(MODEL)?);
        if found.iter().all(Finding::is_warning) {
            return Ok(found);
        }
        let other = check(&shipped(OTHER_MODEL)?);
        Ok(if other.iter().all(Finding::is_warning) { other } else { found })
    }

    /// Checks a plot with the channels of the scenes here; of several scenes, the one that suits it best.
    fn plot(&self, source: &Source, scenes: &[SceneFiles]) -> Result<Vec<Finding>, NotFound> {
        if let (None, [first, others @ ..]) = (&self.arguments.model, scenes) {
            let mut best = check::plot_of(source, first);
            for scene in others {
                if best.is_empty() {
                    break;
                }
                let found = check::plot_of(source, scene);
                best = if found.len() < best.len() { found } else { best };
            }
            return Ok(best);
        }
        let model = self.model(source, scenes)?.map_or_else(|| shipped(MODEL), Ok)?;
        Ok(check::plot(source, &model))
    }

    /// The body for a controller or plot: the one given, or that of the first scene with this controller.
    fn model(&self, source: &Source, scenes: &[SceneFiles]) -> Result<Option<Source>, NotFound> {
        if let Some(name) = &self.arguments.model {
            return Ok(Some(files::find(Folder::Characters, name, None)?.source));
        }
        let characters = scenes.iter().flat_map(|scene| &scene.characters);
        let mut own = characters.filter(|character| character.controller.source.name == source.name);
        Ok(own.next().map(|character| character.model_source.clone()))
    }
}

fn shipped(name: &str) -> Result<Source, NotFound> {
    Ok(files::find(Folder::Characters, name, None)?.source)
}

/// Reports new findings, and the number of those already reported for another file.
fn report(reference: &str, findings: &[Finding], before: usize) -> Result<(), Failure> {
    let paint = Paint::of_output();
    let warnings = findings.iter().filter(|finding| finding.is_warning()).count();
    let errors = findings.len() - warnings;
    let mut counts = Vec::new();
    if errors > 0 {
        counts.push(paint.bad(&counted((errors, "error"))));
    }
    if warnings > 0 {
        counts.push(counted((warnings, "warning")));
    }
    if before > 0 {
        counts.push(format!("{} above", counted((before, "finding"))));
    }
    let counts = if counts.is_empty() { paint.good("ok") } else { counts.join(", ") };
    output::print(&format!("{reference}: {counts}\n"))
}

fn said(finding: &Finding) -> Rendered {
    match finding {
        Finding::Mistake(error) => error.into(),
        Finding::Warning(warning) => warning.into(),
        Finding::Missing(missing) => missing.into(),
    }
}

fn counted((count, what): (usize, &str)) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// A finding as JSON.
#[derive(Serialize)]
struct Line {
    file: String,
    /// Line, from 1; null for the whole file.
    line: Option<usize>,
    column: Option<usize>,
    severity: &'static str,
    /// Name of the rule of a warning, if it has one.
    rule: Option<&'static str>,
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
                let rule = error.rule;
                Line { file, line: Some(line), column: Some(column), severity, rule, message, help }
            }
            Finding::Missing(missing) => Line::missing(reference, missing),
        }
    }

    fn missing(reference: &str, missing: &NotFound) -> Self {
        let (message, help) = (missing.message.clone(), missing.help.clone());
        Line {
            file: reference.into(),
            line: None,
            column: None,
            severity: "error",
            rule: None,
            message,
            help,
        }
    }
}
