//! `aplomb explain`: why a run failed, which constraints of a frame were infeasible together, or what a rule
//! of `check` finds.

mod rule;
mod scene_file;

use super::{Done, Failure, output, plot};
use crate::analysis::explain::{self, ExplainError, ExplanationBudget, Page, RerunError};
use crate::analysis::runner::RunError;
use crate::scene::LoadError;
use crate::trace::{Frame, Trace};
use indicatif::{ProgressBar, ProgressStyle};
use std::fs;
use std::io::IsTerminal;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Say why a run failed: when, who gave way, until when it could be saved, and what would save it; or explain
/// a rule of `check`.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// Folder of a run, or a trace; or the name of a rule of `check` (`aplomb list rules`)
    #[arg(value_name = "WHAT")]
    what: PathBuf,
    /// Explain one frame instead: which rows could not hold together in it
    #[arg(long, value_name = "N", conflicts_with = "time", allow_negative_numbers = true, value_parser = frame_number)]
    frame: Option<u64>,
    /// Explain the frame at this time instead, s
    #[arg(long, value_name = "TIME", allow_negative_numbers = true)]
    time: Option<f64>,
    /// Format of the answer; html includes pictures
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    to: ExplanationFormat,
    /// File to write it to [default: standard output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Print one JSON object with all that was found
    #[arg(long, conflicts_with = "to")]
    json: bool,
    /// Runs of the scene, at most
    #[arg(long, value_name = "RUNS", default_value_t = 120, value_parser = clap::value_parser!(u32).range(1..))]
    budget: u32,
    /// Runs at a time [default: as many as there are processors]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
    /// Show no progress
    #[arg(long, short)]
    quiet: bool,
}

/// Format of an explanation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum ExplanationFormat {
    /// Plain text
    Text,
    /// Markdown
    Md,
    /// A page of its own, with pictures
    Html,
}

const AFTER_HELP: &str = "\
Examples:
  aplomb explain runs/balance_push
  aplomb explain runs/balance_push --to html --out why.html
  aplomb explain runs/balance_push --time 1.2
  aplomb explain shadowed-exit

The scene is run again from the texts in the trace, then with one thing changed at a time; every command that is named \
has been run. The result does not depend on --threads.

Exit codes: 0 explained, or the run did not fail and it says so; 2 usage, or a trace that cannot be run again.";

fn frame_number(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| "frames are counted from 0, in whole numbers".into())
}

pub(crate) fn run(arguments: &Arguments) -> Result<Done, Failure> {
    if arguments.to == ExplanationFormat::Html && arguments.out.is_none() && std::io::stdout().is_terminal() {
        return Err(Failure::usage("a page of HTML goes to a file: --out why.html"));
    }
    if !arguments.what.exists() {
        return rule::run(&arguments.what.to_string_lossy());
    }
    let (trace, folder) = plot::open(&arguments.what)?;
    if arguments.frame.is_some() || arguments.time.is_some() {
        let at = || frame_at(&trace, arguments.time.unwrap_or(0.0)).map(|frame| frame.index);
        let index = arguments.frame.map_or_else(at, Ok)?;
        let explained = explain::explain_frame(&trace.header, &trace.frames, index, arguments.time);
        let explained = explained.map_err(|error| refused(&folder, error))?;
        let text = match (arguments.json, Page::from(&explained)) {
            (true, _) => output::json(&explained)?,
            (false, page) => rendered(arguments.to, &page, Some((&trace, explained.time)))?,
        };
        return give(arguments, &text);
    }
    let threads = arguments.threads.or_else(|| std::thread::available_parallelism().ok());
    let settings = ExplanationBudget {
        budget: arguments.budget as usize,
        threads: threads.map_or(1, NonZeroUsize::get),
    };
    let progress = progress(arguments.budget, arguments.quiet);
    let began = Instant::now();
    let advance = |runs: usize| {
        if progress.position() == 0 && !arguments.quiet {
            announce(&progress, began.elapsed(), settings);
        }
        progress.inc(runs as u64);
    };
    let explained = explain::explain(&trace.header, &trace.frames, settings, &advance);
    progress.finish_and_clear();
    let explained = explained.map_err(|error| refused(&folder, error))?;
    let explained = match scene_file::find(&trace.header, &folder) {
        Some(path) => explained.with_file(path),
        None => explained,
    };
    let text = if arguments.json {
        output::json(&explained)?
    } else {
        // Characters other than the first have their own traces, if those were kept.
        let own = explained.character.as_deref().and_then(|name| plot::trace_of(&folder, name));
        let pictured = own.as_ref().unwrap_or(&trace);
        let moment = explained.failed.then_some((pictured, explained.evidence.moment));
        rendered(arguments.to, &explain::page(&explained), moment)?
    };
    give(arguments, &text)
}

fn rendered(
    format: ExplanationFormat,
    page: &Page,
    moment: Option<(&Trace, f64)>,
) -> Result<String, Failure> {
    Ok(match format {
        ExplanationFormat::Text => explain::text(page),
        ExplanationFormat::Md => explain::markdown(page),
        ExplanationFormat::Html => explain::html(page, moment)?,
    })
}

fn give(arguments: &Arguments, text: &str) -> Result<Done, Failure> {
    match &arguments.out {
        None => output::print(text)?,
        Some(path) => {
            if let Some(folder) = path.parent() {
                fs::create_dir_all(folder).map_err(|error| Failure::write(folder, error))?;
            }
            output::replace(path, text.as_bytes())?;
            if !arguments.quiet {
                output::print(&format!("written to {}\n", path.display()))?;
            }
        }
    }
    Ok(Done::Well)
}

/// The frame at a time of a run that has a character.
pub(super) fn frame_at(trace: &Trace, time: f64) -> Result<&Frame, Failure> {
    if !trace.header.has_character() {
        return Err(Failure::usage("this scene has no character: there are no frames to explain"));
    }
    let dt = trace.header.dt;
    let solved = || trace.frames.iter().filter(|frame| frame.has_forces());
    let found = solved().rfind(|frame| frame.time <= time + 1e-6 * dt);
    let end = solved().next_back().map_or(0.0, |frame| frame.time + dt);
    match found {
        Some(frame) if time < end => Ok(frame),
        _ => Err(Failure::usage(format!("the run goes from 0 to {end:.3} s, not to {time} s"))),
    }
}

fn refused(folder: &Path, error: ExplainError) -> Failure {
    match error {
        ExplainError::Rerun(RerunError::Load(LoadError::Mistakes(mistakes)) | RerunError::Bind(mistakes)) => {
            Failure::Mistakes(mistakes)
        }
        ExplainError::Rerun(RerunError::Step(error)) | ExplainError::Run(RunError::Step(error)) => {
            error.into()
        }
        ExplainError::Run(RunError::Trace(error)) => Failure::trace(folder, error),
        other => Failure::usage(other.to_string()),
    }
}

/// Estimated time of all runs from which on a note reports it.
const LONG: Duration = Duration::from_secs(60);

/// Says how long all runs may take, if that is long, and how to look less far; `one`: time of the first run.
fn announce(progress: &ProgressBar, one: Duration, settings: ExplanationBudget) {
    let ExplanationBudget { budget, threads } = settings;
    let runs_in = |time: Duration| (time.as_secs_f64() / one.as_secs_f64().max(1e-3)) as usize * threads;
    let all = one.mul_f64(budget as f64 / threads as f64);
    if all > LONG {
        let fewer = runs_in(LONG).clamp(1, budget);
        let minutes = (all.as_secs_f64() / 60.0).ceil();
        // Beside a bar that is drawn, and also where none is.
        progress.suspend(|| {
            eprintln!(
                "a run takes {:.1} s: up to {budget} of them, {threads} at a time, take up to {minutes} min; \
                 `--budget {fewer}` takes up to 1",
                one.as_secs_f64()
            );
        });
    }
}

fn progress(budget: u32, quiet: bool) -> ProgressBar {
    if quiet {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(u64::from(budget));
    match ProgressStyle::with_template("{wide_bar}  {pos} of at most {len} runs, {elapsed}") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
