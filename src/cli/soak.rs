//! `aplomb soak`: random scenes with audits, until a defect is found.

use super::output::Paint;
use super::signal::Signals;
use super::{Done, Failure, audit, output};
use crate::analysis::soak::{Case, CaseResult, Defect, MemoryWatch, Tally, attempt, shrink};
use indicatif::{ProgressBar, ProgressStyle};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Run random scenes and audit each, until one of them shows that something is wrong.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// Stop after so many minutes of the wall clock
    #[arg(long, value_name = "N", default_value_t = 5.0)]
    minutes: f64,
    /// Stop after so many cases
    #[arg(long, value_name = "N")]
    runs: Option<u64>,
    /// Which sequence of cases
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// The first case of the sequence to try
    #[arg(long, value_name = "N", default_value_t = 0)]
    from: u64,
    /// Longest simulated time of a case, s
    #[arg(long, value_name = "TIME", default_value_t = 2.0)]
    longest: f64,
    /// Folder for the case that is tried: its scene and body stay where something is wrong
    #[arg(long, value_name = "DIR", default_value = "soak")]
    out: PathBuf,
    /// Go on after what is wrong, and keep each such case in a folder of its own
    #[arg(long)]
    keep_going: bool,
    /// Leave out of a wrong case what the defect does not need, for at most so many minutes
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "5")]
    shrink: Option<f64>,
    /// Print nothing but what is wrong
    #[arg(long, short)]
    quiet: bool,
}

const AFTER_HELP: &str = "\
Cases are shipped scenes with other bodies (the shipped ones, larger, heavier and differently built), controllers, \
time steps, bias velocities, frictions, pushes, thrown balls, ground that shakes, moves and vanishes, obstacles, \
uneven ground, soles, delays, objects and second characters. A seed determines the sequence of cases; the clock only \
determines when it ends. Every case is audited as `aplomb audit` does. Combinations of files that do not fit are \
rejected with a message, as they should be, and counted.

It ends at a panic, a NaN, a trace that the audit rejects, or growing memory. The folder then contains scene.toml \
(and body.xml) for `aplomb run`; with `--shrink` the smallest one with the same kind of defect that was found.

Examples:
  aplomb soak --minutes 20 --seed 7
  aplomb soak --runs 50 --quiet
  aplomb soak --runs 500 --keep-going --shrink
  aplomb soak --seed 7 --from 1234 --runs 1

Exit codes: 0 nothing is wrong, 1 something is, 2 usage, 3 could not write, 130 and 143 interrupted.";

impl Arguments {
    /// The folder of a case.
    fn folder(&self, number: u64) -> PathBuf {
        match self.keep_going {
            true => self.out.join(number.to_string()),
            false => self.out.clone(),
        }
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<Done, Failure> {
    if !(arguments.minutes >= 0.0 && arguments.longest >= 0.2) {
        return Err(Failure::usage("`--minutes` is 0 or more, and `--longest` 0.2 or more"));
    }
    let (started, signals) = (Instant::now(), Signals::catch());
    let limit = Duration::try_from_secs_f64(60.0 * arguments.minutes).unwrap_or(Duration::MAX);
    let progress = progress(arguments);
    let (mut tally, mut memory, mut found) = (Tally::default(), MemoryWatch::default(), 0_u64);
    let last = arguments.runs.map_or(u64::MAX, |runs| arguments.from.saturating_add(runs));
    for number in arguments.from..last {
        if started.elapsed() >= limit || signals.caught().is_some() {
            break;
        }
        let case = Case::draw(arguments.seed, number, arguments.longest);
        let folder = arguments.folder(number);
        let attempt = attempt(&case, &folder).map_err(|error| Failure::write(&folder, error))?;
        tally.add(&case, &attempt);
        progress.set_message(format!("case {number}, {} frames", tally.frames));
        progress.inc(1);
        let grown = memory.look();
        let (mut case, mut attempt) = (case, attempt);
        if let (CaseResult::Found(finding), Some(minutes)) = (&attempt, arguments.shrink) {
            progress.set_message(format!("case {number}: smaller ones"));
            let began = Instant::now();
            let may_go_on = || signals.caught().is_none() && began.elapsed().as_secs_f64() < 60.0 * minutes;
            let smaller = shrink(&case, finding, &folder, may_go_on);
            let (small, found) = smaller.map_err(|error| Failure::write(&folder, error))?;
            (case, attempt) = (small, CaseResult::Found(found));
        }
        let defect = match (&attempt, grown) {
            (CaseResult::Found(finding), _) => tell(finding),
            (_, Some(grown)) => format!("memory has grown by {} MB since the first cases", grown >> 20),
            _ => {
                if arguments.keep_going {
                    // Removal is a best effort.
                    let _ = std::fs::remove_dir_all(&folder);
                }
                continue;
            }
        };
        found += 1;
        let report = wrong(arguments.seed, number, &case, &defect, &folder);
        progress.suspend(|| output::print(&report))?;
        if !arguments.keep_going {
            break;
        }
    }
    progress.finish_and_clear();
    if !arguments.quiet {
        output::print(&summary(&tally, &memory, found))?;
    }
    Ok(match (found, signals.caught()) {
        (0, Some((signal, _))) => Done::Interrupted(signal),
        (0, None) => Done::Well,
        _ => Done::CriteriaFailed,
    })
}

/// The report of a case with a defect.
fn wrong(seed: u64, number: u64, case: &Case, defect: &str, folder: &Path) -> String {
    format!(
        "{} case {number} of seed {seed}: `{}`{}\n{defect}\nits files: {}\n",
        Paint::of_output().bad("WRONG"),
        case.base,
        case.changes.iter().map(|change| format!("; {change}")).collect::<String>(),
        folder.display(),
    )
}

fn tell(finding: &Defect) -> String {
    match finding {
        Defect::Panic(message) => format!("it panicked: {message}"),
        Defect::NotFinite(message) => message.clone(),
        Defect::Refused(refused) => audit::broken(refused),
    }
}

fn summary(tally: &Tally, memory: &MemoryWatch, found: u64) -> String {
    let mut text = format!(
        "{} cases, {} of them with a changed body; {} frames: {} without a solution, {} of ragdolls, {} impacts\n",
        tally.cases, tally.bodies, tally.frames, tally.failed_frames, tally.limp_frames, tally.impacts
    );
    let scenes: Vec<String> = tally.scenes.iter().map(|(name, cases)| format!("{name} {cases}")).collect();
    // Writing to a string cannot fail.
    let _ = writeln!(text, "scenes: {}", scenes.join(", "));
    if tally.declined > 0 {
        let _ = writeln!(text, "{} cases were refused with a message:", tally.declined);
        for (reason, cases) in &tally.reasons {
            let _ = writeln!(text, "  {cases} × {reason}");
        }
    }
    if let Some(most) = memory.most() {
        let _ = writeln!(text, "memory: {} MB at most", most >> 20);
    }
    let _ = writeln!(
        text,
        "{}",
        if found == 0 { "nothing is wrong".into() } else { format!("{found} cases are wrong") }
    );
    text
}

/// A progress bar on standard error, if that is a terminal.
fn progress(arguments: &Arguments) -> ProgressBar {
    if arguments.quiet {
        return ProgressBar::hidden();
    }
    let bar = arguments.runs.map_or_else(ProgressBar::new_spinner, ProgressBar::new);
    match ProgressStyle::with_template("{spinner} {msg}  {elapsed}") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
