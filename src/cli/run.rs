//! `aplomb run`: runs a scene; writes a trace, a summary and pictures.

use super::output::{Paint, SUMMARY, TRACE};
use super::signal::Signals;
use super::{Done, Failure, fit, output, pictures, plot, resume, table};
use crate::analysis::audit;
use crate::analysis::check::{self, Kind};
use crate::analysis::lint;
use crate::analysis::runner::{self, RunError, Wanted};
use crate::analysis::summary::{self, Summary, Verdict};
use crate::language::diagnostic::{Warning, nearest};
use crate::language::files::{Folder, shipped};
use crate::language::rendered::Rendered;
use crate::math::dispatch::set_portable;
use crate::qp::solver;
use crate::scene::{self, Run, SceneFiles};
use crate::trace::{self, FolderLock, Frame, Header, TraceError};
use crate::view::export;
use crate::view::film::FilmFormat;
use crate::view::plot::{Moments, PICTURES};
use indicatif::{ProgressBar, ProgressStyle};
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Run a scene: write its trace, summary, plots and pose strip, and say how it went.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// Scene file, or name of a shipped scene (`aplomb list scenes`)
    scene: String,
    /// Folder for everything the run makes [default: runs/<scene>]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Replace a value of the scene, or with `controller.…` of its controller (`characters.NAME.controller.…`
    /// where there are several); VALUE is TOML, in which paths
    /// of files are relative to the working directory
    #[arg(long = "set", value_name = "PATH=VALUE")]
    overrides: Vec<String>,
    /// QP solver instead of the scene's (`aplomb list solvers`)
    #[arg(long, value_name = "NAME")]
    solver: Option<String>,
    /// Print the summary as one JSON object instead of a table
    #[arg(long)]
    json: bool,
    /// Print all that the summary has: every criterion, torques, contacts, residuals, times
    #[arg(long, short, conflicts_with_all = ["json", "quiet"])]
    verbose: bool,
    /// Print nothing but errors (and what --json asks for)
    #[arg(long, short)]
    quiet: bool,
    /// Leave out plots and pose strip (`aplomb plot DIR` draws them later)
    #[arg(long)]
    no_plots: bool,
    /// Leave out the trace, and with it plots and pose strip: the summary alone
    #[arg(long)]
    no_trace: bool,
    /// Go on with a run of the same files that was interrupted: it ends as if it had not been
    #[arg(long, conflicts_with = "no_trace")]
    resume: bool,
    /// Hold what was recorded against physics in the end, as `aplomb audit` does
    #[arg(long, conflicts_with = "no_trace")]
    audit: bool,
    /// Compute the same bytes on every x86-64 machine: without fused products, which not all have; slower
    #[arg(long)]
    portable: bool,
}

const AFTER_HELP: &str = "\
Examples:
  aplomb run balance_push
  aplomb run balance_push --set events.push.impulse='[0, 24, 0]' --out runs/left
  aplomb run my_scene.toml --set ground.friction=0.2 --set duration=3 --json
  aplomb run stand --set 'controller.states.balance.objectives.\"com height\".weight=5'

The folder gets trace.mcap (readable while it is written), summary.json (docs/summary.md says what is in \
it), plots/*.svg, *.png, *.csv, strip.svg and strip.png. They are of the first character of a scene; of \
each other one there is trace-NAME.mcap, which `aplomb plot`, `summary` and `audit` take too.

What an earlier run left there stays until the first frames of this one are in its trace. Ctrl-C and SIGTERM end the \
run after its frame, with trace and summary; twice, at once.

A run that was interrupted or killed goes on with --resume and the same arguments. Nothing but the trace \
is kept of a run, so its frames are computed again, each is held against the recorded one to the bit, and \
the trace in the folder is replaced when the new one is as long: the bytes are those of a run that was \
never interrupted. A damaged end or middle of the trace is computed anew with the rest.

Exit codes: 0 every criterion of the scene held, 1 one did not, or more than 1 % of the frames had no \
solution, 2 usage, a bad file or a value that no frame can be computed with (what there is of the run is kept, \
with its summary), 3 could not write, 5 another aplomb writes into the folder, 6 --audit refuses the trace, \
whatever the criteria say, 130 and 143 interrupted by Ctrl-C and SIGTERM.";

pub(crate) fn run(arguments: &Arguments) -> Result<Done, Failure> {
    if arguments.portable {
        set_portable(true);
    }
    let mut overrides = arguments.overrides.clone();
    if let Some(name) = &arguments.solver {
        known_solver(name)?;
        overrides.push(format!("solver={}", toml::Value::from(name.as_str())));
    }
    of_another_kind(&arguments.scene)?;
    let (files, mut run) = bind(arguments, &overrides)?;
    let named = folder(arguments, &files)?;
    let folder = place_of(&named)?;
    let _lock = FolderLock::take(&folder).map_err(|error| Failure::trace(&folder, error))?;
    let signals = Signals::catch();
    let recorded = earlier_records(arguments, &folder, &scene::header(&files, &run))?;
    report_replaced_run(arguments, &files, &folder);
    let progress = progress(run.frames, arguments.quiet);
    let path = (!arguments.no_trace).then(|| folder.join(TRACE));
    let to = RunOutput { folder: &folder, path: path.as_deref(), recorded: &recorded };
    let watch = signals.watch();
    let summary = record_run(&files, &mut run, to, &progress, &signals);
    drop(watch);
    progress.finish_and_clear();
    let summary = match summary {
        Err(RunError::Interrupted(_)) => {
            let signal = signals.caught().map_or(0, |(signal, _)| signal);
            return Ok(Done::Interrupted(signal));
        }
        summary => summary.map_err(|error| failure(error, path.as_deref()))?,
    };
    tell(arguments, &summary, &folder)?;
    let interrupted = signals.caught().filter(|_| summary.stopped.is_some());
    let refused = match path.filter(|_| interrupted.is_none()) {
        Some(path) => !is_trace_sound(arguments, &path, &folder)?,
        None => false,
    };
    if !arguments.json && !arguments.quiet {
        print_location(arguments, &summary, &named, interrupted.is_some())?;
    }
    match (&summary.stopped, interrupted, summary.verdict) {
        (_, Some((signal, _)), _) => Ok(Done::Interrupted(signal)),
        (Some(stopped), None, _) => Err(Failure::Stopped(stopped.clone())),
        (None, None, _) if refused => Ok(Done::Refused),
        (None, None, Verdict::Pass) => Ok(Done::Well),
        (None, None, _) => Ok(Done::CriteriaFailed),
    }
}

/// Writes the summary, and prints it.
fn tell(arguments: &Arguments, summary: &Summary, folder: &Path) -> Result<(), Failure> {
    if !arguments.quiet && summary.stopped.is_none() {
        summary.missed_events.iter().for_each(|missed| output::print_note(&missed.to_string()));
        summary.cut_off_pushes.iter().for_each(|cut_off| output::print_note(&cut_off.to_string()));
        summary.unread_values.iter().for_each(|unread| output::print_note(&unread.to_string()));
        summary.clamped_commands.iter().for_each(|clamped| output::print_note(&clamped.to_string()));
    }
    let json = output::json(summary)?;
    output::replace(&folder.join(SUMMARY), json.as_bytes())?;
    if arguments.json {
        output::print(&json)?;
    } else if !arguments.quiet {
        let width = fit::width_of_output();
        output::print(&if arguments.verbose {
            table::summary(summary, width)
        } else {
            table::short::summary(summary, Paint::of_output(), width)
        })?;
    }
    Ok(())
}

/// The scene's files and its run, with warnings about both printed.
fn bind(arguments: &Arguments, overrides: &[String]) -> Result<(SceneFiles, Run), Failure> {
    let files = scene::load(&arguments.scene, overrides)?;
    if !arguments.quiet {
        output::print_findings(files.warnings.iter().map(Rendered::from));
    }
    let mut run = Run::bind(&files)?;
    if !arguments.quiet {
        let found = lint::of_run(&files, &mut run);
        output::print_findings(run.warnings().iter().chain(&found).map(Rendered::from));
        let mut more = lint::of_files(&files);
        if !overrides.is_empty() {
            // Overrides change a scene on purpose, so warnings about the scene itself are omitted.
            more.retain(|warning| warning.0.file != files.scene_source.name);
        }
        print_further_warnings(&more, arguments);
    }
    Ok((files, run))
}

/// The folder for the output of the run, which exists.
fn folder(arguments: &Arguments, files: &SceneFiles) -> Result<PathBuf, Failure> {
    let folder = arguments.out.clone().unwrap_or_else(|| Path::new("runs").join(&files.name));
    if arguments.no_trace && folder.join(TRACE).exists() {
        return Err(Failure::Usage {
            message: format!(
                "{} contains the trace of another run, which `--no-trace` would delete",
                folder.display()
            ),
            help: Some("name another folder with `--out`".into()),
        });
    }
    fs::create_dir_all(&folder).map_err(|error| Failure::write(&folder, error))?;
    Ok(folder)
}

/// Where a folder is: if links lead to it, all of a run is written to one place, whatever becomes of them meanwhile.
fn place_of(folder: &Path) -> Result<PathBuf, Failure> {
    let unwritable = |error| Failure::write(folder, error);
    let place = folder.canonicalize().map_err(unwritable)?;
    let is_link = std::path::absolute(folder).map_err(unwritable)? != place;
    Ok(if is_link { place } else { folder.to_path_buf() })
}

/// Prints which run is replaced, if the folder contains a run of another scene.
fn report_replaced_run(arguments: &Arguments, files: &SceneFiles, folder: &Path) {
    let text = fs::read_to_string(folder.join(SUMMARY)).unwrap_or_default();
    let earlier = serde_json::from_str::<serde_json::Value>(&text).ok();
    let scene = earlier.as_ref().and_then(|summary| summary["scene"].as_str());
    if let Some(scene) = scene.filter(|scene| !arguments.quiet && *scene != files.name) {
        output::print_note(&format!("replaces the run of `{scene}` in {}", folder.display()));
    }
}

/// Frames of the run that `--resume` continues.
fn earlier_records(arguments: &Arguments, folder: &Path, header: &Header) -> Result<Vec<Frame>, Failure> {
    let recorded = match arguments.resume {
        true => resume::records(folder, header)?,
        false => Vec::new(),
    };
    if arguments.resume && !arguments.quiet {
        output::print_note(&match recorded.len() {
            0 => format!("nothing to resume in {}: the run begins", folder.display()),
            frames => format!("{frames} frames exist: they are computed again and compared with those"),
        });
    }
    Ok(recorded)
}

/// Audits and draws the trace, as far as requested; returns whether it passes the audit.
fn is_trace_sound(arguments: &Arguments, path: &Path, folder: &Path) -> Result<bool, Failure> {
    if arguments.no_plots && !arguments.audit {
        return Ok(true);
    }
    let (trace, ending) = trace::read_ended(path).map_err(|error| Failure::trace(path, error))?;
    let mut is_sound = true;
    if arguments.audit {
        let audit = audit::audit(&trace, ending.as_ref());
        is_sound = audit.passed;
        let text = super::audit::text(&audit, Paint::of_output());
        match arguments.json || arguments.quiet {
            false => output::print(&text)?,
            true if !is_sound => output::print_note(text.trim_end()),
            true => {}
        }
    }
    if !arguments.no_plots {
        pictures::draw_all(&trace, &Moments::Telling(PICTURES), folder)?;
    }
    Ok(is_sound)
}

/// Prints the location of the run, and what to run next.
fn print_location(
    arguments: &Arguments,
    summary: &Summary,
    folder: &Path,
    is_interrupted: bool,
) -> Result<(), Failure> {
    let more = if arguments.verbose { "" } else { "; --verbose says more" };
    let is_told = summary.verdict == Verdict::Fail && !summary.character.is_empty() && !arguments.no_trace;
    let why = match is_interrupted {
        true if !arguments.no_trace => "; the same command with --resume continues, and draws".into(),
        false if is_told => format!("; `aplomb explain {}` says why", folder.display()),
        _ => String::new(),
    };
    let text = format!("written to {}{more}{why}\n", folder.display());
    output::print(&fit::fitted(&text, fit::width_of_output(), 2))
}

/// Reports the first warning, and where to find the others.
fn print_further_warnings(found: &[Warning], arguments: &Arguments) {
    output::print_findings(found.iter().take(1).map(Rendered::from));
    let more = match found.len() {
        0 | 1 => return,
        2 => "one more warning like it".to_string(),
        count => format!("{} more warnings like it", count - 1),
    };
    let set: String = arguments.overrides.iter().map(|set| format!(" --set '{set}'")).collect();
    output::print_note(&format!("{more}: `aplomb check {}{set}` says all", arguments.scene));
}

/// Rejects a file that is not a scene, and suggests a command that makes a scene of it.
fn of_another_kind(reference: &str) -> Result<(), Failure> {
    // A missing file is reported by the loader.
    let Ok((kind, located)) = check::find(reference) else { return Ok(()) };
    let stem = located.locator.stem();
    let set = |key: &str| {
        format!("`aplomb run stand --set duration=4 --set 'characters.adult.{key}=\"{reference}\"'`")
    };
    let (what, help) = match kind {
        Kind::Scene => return Ok(()),
        Kind::Controller => {
            let new = format!("`aplomb new scene {stem}_scene --controller {reference}`");
            ("controller", format!("{new} writes one with it; {} runs it at once", set("controller")))
        }
        Kind::Model => ("body", format!("{} tries it as a character", set("model"))),
        Kind::Plot => ("plot", format!("`aplomb plot RUN {reference}` draws it")),
    };
    let named = if Path::new(reference).is_file() { "is a" } else { "is the name of a" };
    let message = format!("`{reference}` {named} {what}; a scene is needed");
    Err(Failure::Usage { message, help: Some(help) })
}

fn known_solver(name: &str) -> Result<(), Failure> {
    let Err(error) = solver::by_name(name) else { return Ok(()) };
    let names = || solver::list().iter().map(|(name, _)| *name);
    let help = match (&error, nearest(name, names())) {
        (solver::UnknownSolver::NotBuilt(_), _) => None,
        (_, Some(near)) => Some(format!("did you mean `{near}`?")),
        (_, None) => Some(format!("known: {}", names().collect::<Vec<_>>().join(", "))),
    };
    Err(Failure::Usage { message: error.to_string(), help })
}

/// Removes the files of an earlier run whose names this run uses, so that no file belongs to another run. The trace
/// is kept, because this run replaces it in one step: after a kill, either one exists.
fn make_room(folder: &Path) -> Result<(), TraceError> {
    // Pictures of parts of the run are in separate folders.
    let of_characters = || std::iter::once(folder.to_path_buf()).chain(plot::companions_in(folder));
    let parts = of_characters().flat_map(|folder| plot::parts_in(&folder));
    let drawn = of_characters().chain(parts).flat_map(|folder| pictures_in(&folder));
    let made = of_characters().flat_map(|folder| {
        let films = FilmFormat::ALL.map(|format| folder.join(format!("film.{}", format.name())));
        export::FILES.map(|name| folder.join(name)).into_iter().chain(films)
    });
    pictures::clear(std::iter::once(folder.join(SUMMARY)).chain(made).chain(drawn))
}

/// Paths of the pose strip and of all shipped plots in a folder.
fn pictures_in(folder: &Path) -> Vec<PathBuf> {
    let figures = shipped(Folder::Plots).into_iter().flat_map(|name| {
        ["svg", "png", "csv"].map(|ending| folder.join("plots").join(format!("{name}.{ending}")))
    });
    figures.chain(["strip.svg", "strip.png"].map(|name| folder.join(name))).collect()
}

/// Name of the trace until its first frames are written.
const PART: &str = "trace.mcap.part";

/// Output of a run, and its records so far.
struct RunOutput<'a> {
    folder: &'a Path,
    path: Option<&'a Path>,
    recorded: &'a [Frame],
}

/// The error of a run without any record.
fn failure(error: RunError, path: Option<&Path>) -> Failure {
    match error {
        RunError::Step(error) => error.into(),
        RunError::Trace(error) => Failure::trace(path.unwrap_or(Path::new(TRACE)), error),
        RunError::Differs { .. } => Failure::Usage {
            message: error.to_string(),
            help: Some(
                "the trace was changed, or was computed otherwise: on another machine without \
                 `--portable`, or from meshes and clips that were changed since"
                    .into(),
            ),
        },
        RunError::Interrupted(reason) => Failure::usage(reason),
    }
}

/// Runs to the end; each frame is written immediately to the trace at `path`, if there is one.
fn record_run(
    files: &SceneFiles,
    run: &mut Run,
    RunOutput { folder, path, recorded: earlier }: RunOutput<'_>,
    progress: &ProgressBar,
    signals: &Signals,
) -> Result<Summary, RunError> {
    let (started, dt) = (Instant::now(), run.world.settings().dt);
    // The trace is written to another file until it has frames, so that an empty one does not replace an earlier
    // trace.
    let part = path.map(|_| folder.join(PART));
    let begin = || {
        make_room(folder)?;
        match (&part, path) {
            (Some(part), Some(path)) => fs::rename(part, path)
                .map_err(|source| TraceError::Write { path: path.to_path_buf(), source }),
            _ => Ok(()),
        }
    };
    let wanted = Wanted {
        trace: part.as_deref(),
        in_detail: true,
        begun: Some(&begin),
        trace_name: path,
        recorded: earlier,
        character: None,
    };
    let recorded = runner::record(files, run, wanted, |frame, _| {
        show(progress, frame, dt, started);
        match signals.caught() {
            Some((_, name)) => ControlFlow::Break(format!("interrupted by {name}")),
            None => ControlFlow::Continue(()),
        }
    });
    if let Some(part) = part.filter(|_| recorded.is_err()) {
        // The file remains if not even the first frames could be written.
        let _ = fs::remove_file(part);
    }
    recorded.map(|recorded| recorded.summary)
}

/// A progress bar on standard error, if that is a terminal.
fn progress(frames: u64, quiet: bool) -> ProgressBar {
    if quiet {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(frames);
    match ProgressStyle::with_template("{wide_bar} {msg}  {pos}/{len} frames, {eta} left") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

fn show(progress: &ProgressBar, frame: &Frame, dt: f64, started: Instant) {
    if !progress.is_hidden() {
        let time = frame.time + dt;
        let factor = time / started.elapsed().as_secs_f64().max(1e-9);
        let conflict = summary::least(&frame.conflict);
        let conflict = conflict.map(|row| format!(", `{}` cannot hold", row.label)).unwrap_or_default();
        progress.set_message(format!("{time:.2} s, {factor:.2} × real time{conflict}"));
    }
    progress.inc(1);
}
