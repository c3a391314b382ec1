//! `aplomb plot`: the pictures of a run from its trace.

use super::output::TRACE;
use super::{Done, Failure, output, pictures};
use crate::analysis::runner::companion_trace;
use crate::language::files::{Folder, find_shipped};
use crate::math::seconds::seconds;
use crate::trace::{self, Trace};
use crate::view::plot::{Moments, PICTURES};
use std::path::{Path, PathBuf};

/// Draw the plots and the pose strip of a run again, or one plot.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// Folder of a run, or a trace
    run: PathBuf,
    /// Plot file, or name of a shipped plot (`aplomb list plots`) [default: all shipped, and the pose strip]
    plot: Option<String>,
    /// Leave out what was before this time of the run, s
    #[arg(long, value_name = "TIME")]
    from: Option<f64>,
    /// Leave out what was after this time of the run, s
    #[arg(long, value_name = "TIME")]
    until: Option<f64>,
    /// Moments in the pose strip
    #[arg(long, value_name = "N", default_value_t = PICTURES, value_parser = moments_in_a_strip)]
    moments: usize,
    /// Moments of the pose strip at equal intervals, instead of those at which something happens
    #[arg(long)]
    even: bool,
    /// Moments of the pose strip, s: draws the strip alone, or beside the plot that is named
    #[arg(long, value_name = "TIME,…", value_delimiter = ',', conflicts_with_all = ["even", "moments"])]
    at: Vec<f64>,
    /// Folder for the pictures [default: that of the trace, for `trace-NAME.mcap` the folder `trace-NAME` in
    /// it; of a part of the run, a folder in it that is named by the part]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print nothing but errors
    #[arg(long, short)]
    quiet: bool,
}

impl Arguments {
    pub(crate) fn is_quiet(&self) -> bool {
        self.quiet
    }
}

const AFTER_HELP: &str = "\
Examples:
  aplomb plot runs/balance_push
  aplomb plot runs/balance_push torques
  aplomb plot runs/step_push --from 0.8 --until 2 --moments 12 --even
  aplomb plot runs/step_push --at 0.9,1.1
  aplomb plot old/trace.mcap my_plot.toml --out pictures";

pub(crate) fn run(arguments: &Arguments) -> Result<Done, Failure> {
    let plots = arguments.plot.as_deref().map(pictures::plot).transpose()?;
    let (mut trace, folder) = open_for_output(&arguments.run)?;
    cut(&mut trace, arguments)?;
    let at = moments_within(&trace, &arguments.at)?;
    let moments = match (&at[..], arguments.even) {
        ([], false) => Moments::Telling(arguments.moments),
        ([], true) => Moments::Even(arguments.moments),
        (times, _) => Moments::At(times.to_vec()),
    };
    let folder = arguments.out.clone().unwrap_or_else(|| match part(arguments) {
        Some(part) => folder.join(part),
        None => folder,
    });
    // If moments are named, their picture is drawn.
    let written = match (plots, arguments.at.is_empty()) {
        (Some(plot), true) => pictures::draw(&trace, &[plot], &folder)?,
        (None, true) => pictures::draw_all(&trace, &moments, &folder)?,
        (plot, false) => {
            let mut written = match plot {
                Some(plot) => pictures::draw(&trace, &[plot], &folder)?,
                None => Vec::new(),
            };
            written.extend(pictures::draw_strip(&trace, &moments, &folder)?);
            written
        }
    };
    output::print(&said(&written))?;
    Ok(Done::Well)
}

/// Name of the folder for the pictures of a part of the run, or of given moments, so that those of the whole run are
/// kept; `None` for the whole run.
fn part(arguments: &Arguments) -> Option<String> {
    let cut = match (arguments.from, arguments.until) {
        (None, None) => None,
        (Some(from), None) => Some(format!("from_{from}")),
        (None, Some(until)) => Some(format!("until_{until}")),
        (Some(from), Some(until)) => Some(format!("from_{from}_until_{until}")),
    };
    let at = moments_in_a_name(&arguments.at);
    cut.into_iter().chain(at).reduce(|cut, at| format!("{cut}_{at}"))
}

/// Largest number of characters of a list of moments in the name of a folder.
const LONGEST_LIST: usize = 60;

/// A name for these moments: all of them or, for a long list, the first, the last and their number.
fn moments_in_a_name(moments: &[f64]) -> Option<String> {
    let (first, last) = (moments.first()?, moments.last()?);
    let list = moments.iter().map(f64::to_string).collect::<Vec<_>>().join("_");
    Some(match list.len() <= LONGEST_LIST {
        true => format!("at_{list}"),
        false => format!("at_{first}_to_{last}_{}_moments", moments.len()),
    })
}

/// Folders for pictures of parts of the run in this folder.
pub(super) fn parts_in(folder: &Path) -> Vec<PathBuf> {
    folders_in(folder, &["from_", "until_", "at_"])
}

/// Folders for the output of the traces of characters other than the first in this folder.
pub(super) fn companions_in(folder: &Path) -> Vec<PathBuf> {
    folders_in(folder, &[COMPANION])
}

/// Subfolders of this folder whose names begin with one of these.
fn folders_in(folder: &Path, beginnings: &[&str]) -> Vec<PathBuf> {
    let entries = folder.read_dir().into_iter().flatten().flatten().map(|entry| entry.path());
    let is_part = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        path.is_dir() && beginnings.iter().any(|beginning| name.starts_with(beginning))
    };
    entries.filter(is_part).collect()
}

/// Prefix of the names of traces of characters other than the first: `trace-NAME.mcap`.
const COMPANION: &str = "trace-";
/// Largest number of moments of a strip.
const MOST_MOMENTS: usize = 64;

fn moments_in_a_strip(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(number) if (1..=MOST_MOMENTS).contains(&number) => Ok(number),
        _ => Err(format!("a strip has 1 to {MOST_MOMENTS} moments")),
    }
}

/// Keeps the frames of the given interval.
fn cut(trace: &mut Trace, arguments: &Arguments) -> Result<(), Failure> {
    let (from, until) =
        (arguments.from.unwrap_or(f64::NEG_INFINITY), arguments.until.unwrap_or(f64::INFINITY));
    // A frame at the interval's limit belongs to it, despite round-off in the sum of steps.
    let near = 1e-6 * trace.header.dt;
    let had_frames = !trace.frames.is_empty();
    trace.frames.retain(|frame| (from - near..=until + near).contains(&frame.time));
    if had_frames && trace.frames.is_empty() {
        return Err(Failure::usage(format!("the run has no frames from {from} to {until} s")));
    }
    Ok(())
}

/// The moments within the frames, with a note about the others: these would be drawn as other moments.
fn moments_within(trace: &Trace, moments: &[f64]) -> Result<Vec<f64>, Failure> {
    let (Some(first), Some(last)) = (trace.frames.first(), trace.frames.last()) else {
        return Ok(moments.to_vec());
    };
    let within = first.time - trace.header.dt..=last.time + trace.header.dt;
    let (inside, outside): (Vec<f64>, Vec<f64>) = moments.iter().partition(|moment| within.contains(moment));
    if !outside.is_empty() {
        let times: Vec<String> = outside.iter().map(f64::to_string).collect();
        let times = times.join(", ");
        let text =
            format!("--at {times}: the frames are from {} to {} s", seconds(first.time), seconds(last.time));
        if inside.is_empty() {
            return Err(Failure::usage(text));
        }
        output::print_note(&text);
    }
    Ok(inside)
}

/// The trace in a run's folder or at a path, and its folder. A truncated trace is read as far as possible.
pub(super) fn open(run: &Path) -> Result<(Trace, PathBuf), Failure> {
    let (path, folder) = locate(run);
    has_trace(run, &path)?;
    let trace = trace::read(&path).map_err(|error| Failure::trace(&path, error))?;
    print_gaps(&trace, &path);
    Ok((trace, folder))
}

/// The trace of a character other than the first in the folder of a run, if there is one.
pub(super) fn trace_of(folder: &Path, character: &str) -> Option<Trace> {
    trace::read(folder.join(companion_trace(character))).ok()
}

/// [`open`], with the folder for output made from the trace: for `trace-NAME.mcap`, the trace of another character,
/// that is `trace-NAME` in its folder, so that the files of the first character are kept.
pub(super) fn open_for_output(run: &Path) -> Result<(Trace, PathBuf), Failure> {
    let (trace, folder) = open(run)?;
    let stem = run.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    let is_companion = !run.is_dir() && stem.starts_with(COMPANION) && !trace.header.others.is_empty();
    Ok(if is_companion { (trace, folder.join(stem)) } else { (trace, folder) })
}

/// Rejects a folder without a run.
pub(super) fn has_trace(run: &Path, path: &Path) -> Result<(), Failure> {
    // A run may have any name.
    if !run.is_dir() && run.extension().is_some_and(|ending| ending == "toml") {
        return Err(Failure::Usage {
            message: format!("{} is a scene, not a run", run.display()),
            help: Some(format!("`aplomb run {}` makes the run, in the folder that it names", run.display())),
        });
    }
    if let Some(failure) = of_scene(run) {
        return Err(failure);
    }
    if run.is_dir() && !path.exists() {
        return Err(Failure::Usage {
            message: format!("{} is not the folder of a run: it has no {TRACE}", run.display()),
            help: Some(
                "`aplomb run` makes one; a sweep leaves traces with `--keep`, in its folder `traces`".into(),
            ),
        });
    }
    Ok(())
}

/// The error if the name of a shipped scene is given instead of a run; `None` for other names.
pub(super) fn of_scene(run: &Path) -> Option<Failure> {
    if run.exists() {
        return None;
    }
    let name = run.to_str()?;
    let scene = find_shipped(Folder::Scenes, name).ok()?;
    let made = Path::new("runs").join(scene.locator.stem());
    let help = match made.join(TRACE).exists() {
        true => format!("did you mean `{}`?", made.display()),
        false => format!("`aplomb run {name}` makes a run of it, in {}", made.display()),
    };
    let message = format!("`{name}` is the name of a scene; here a run is wanted: its folder, or a trace");
    Some(Failure::Usage { message, help: Some(help) })
}

/// Reports missing parts of the trace.
pub(super) fn print_gaps(trace: &Trace, path: &Path) {
    if let Some(torn) = &trace.torn {
        output::print_note(&format!("{}: {torn} (`aplomb repair` recovers it)", path.display()));
    }
    let gaps = trace::gaps(&trace.frames);
    if !gaps.is_empty() {
        output::print_note(&format!("{}: {} are missing", path.display(), trace::said_of_gaps(&gaps)));
    }
}

/// Path of the trace in a folder or at a path, and its folder.
pub(super) fn locate(run: &Path) -> (PathBuf, PathBuf) {
    if run.is_dir() {
        (run.join(TRACE), run.to_path_buf())
    } else {
        let folder = run.parent().filter(|parent| !parent.as_os_str().is_empty());
        (run.to_path_buf(), folder.unwrap_or(Path::new(".")).to_path_buf())
    }
}

/// The paths, one per line.
pub(super) fn said(written: &[PathBuf]) -> String {
    written.iter().map(|path| format!("{}\n", path.display())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_of_other_moments_have_a_folder_of_another_name() {
        assert_eq!(moments_in_a_name(&[]), None);
        assert_eq!(moments_in_a_name(&[2.0, 2.4]).as_deref(), Some("at_2_2.4"));
        assert_eq!(moments_in_a_name(&[2.0, 3.0]).as_deref(), Some("at_2_3"));
        let many: Vec<f64> = (0..40).map(|k| 0.25 * f64::from(k)).collect();
        assert_eq!(moments_in_a_name(&many).as_deref(), Some("at_0_to_9.75_40_moments"));
    }
}
