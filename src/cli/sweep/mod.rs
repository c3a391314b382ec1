//! `aplomb sweep`: many runs of one scene; writes a table, a picture and a summary.

mod figure;
mod text;

use super::signal::Signals;
use super::{Done, Failure, failure, output, resume};
use crate::analysis::sweep::{
    self, COLUMNS, Identity, Journal, JournalError, Over, Plan, PoolError, PushMap, Range, Row, RowOptions,
    Show,
};
use crate::language::diagnostic::nearest;
use crate::language::rendered::Rendered;
use crate::math::dispatch::set_portable;
use crate::scene::{self, SceneFiles};
use crate::trace::{FolderLock, Header, channels};
use csv::Writer;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Run a scene many times: pushed from every side, or with any value varied over a range.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// Scene file, or name of a shipped scene (`aplomb list scenes`)
    scene: String,
    /// Directions of the push, evenly spaced: 0° along the world's x, counter-clockwise from above
    #[arg(
        long,
        value_name = "N",
        default_value = "12",
        conflicts_with = "over",
        allow_negative_numbers = true
    )]
    directions: NonZeroUsize,
    /// Impulses of the push, N s: FROM:TO:STEP, FROM:TO:linN or FROM:TO:logN, rising
    #[arg(long, value_name = "RANGE", default_value = "20:80:5", conflicts_with = "over")]
    impulses: String,
    /// Which push to vary [default: the scene's only one]
    #[arg(long, value_name = "NAME", conflicts_with = "over")]
    event: Option<String>,
    /// Vary a value of the scene instead; the key is a path as in --set. Twice: every combination
    #[arg(long, value_name = "KEY=RANGE", allow_hyphen_values = true)]
    over: Vec<String>,
    /// Replace a value of the scene, or with `controller.…` of its controller (`characters.NAME.controller.…`
    /// where there are several), in every run; VALUE is TOML, in which paths
    /// of files are relative to the working directory
    #[arg(long = "set", value_name = "PATH=VALUE")]
    overrides: Vec<String>,
    /// Count entries into this state of the controller as steps, instead of feet put down
    #[arg(long, value_name = "STATE")]
    count: Option<String>,
    /// Keep a channel of each run, in the table, the picture and sweep.csv: CHANNEL for its value at the end,
    /// or CHANNEL:min, :max, :mean; several times for several (`aplomb list channels --run RUN` names them)
    #[arg(long, value_name = "CHANNEL")]
    show: Vec<String>,
    /// Runs at the same time [default: one a core]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
    /// Folder for everything the sweep makes [default: sweeps/<scene>]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Keep the trace of each run, as traces/RUN.mcap
    #[arg(long)]
    keep: bool,
    /// Go on with a sweep of the same plan that was interrupted: rows that were made are kept
    #[arg(long)]
    resume: bool,
    /// Compute the same bytes on every x86-64 machine: without fused products, which not all have; slower
    #[arg(long)]
    portable: bool,
    /// Print what the sweep says as one JSON object
    #[arg(long)]
    json: bool,
    /// Print nothing but errors (and what --json asks for)
    #[arg(long, short)]
    quiet: bool,
}

const AFTER_HELP: &str = "\
Examples:
  aplomb sweep step_push
  aplomb sweep step_push --directions 8 --impulses 30:60:10 --set ground.friction=0.3
  aplomb sweep step_push --set 'characters.adult.controller=\"paper/step_recovery\"' --out sweeps/paper
  aplomb sweep balance_push --over torque_change_weight=1e-4:1:log5
  aplomb sweep balance_push --over ground.friction=0.1:1:0.1 --show com.x --show com.z:min
  aplomb sweep balance_push --over ground.friction=0.1:1:0.1 --over events.push.duration=0.05:0.3:lin6

The folder gets sweep.csv (a row a run, in order, written as they come), sweep.svg and sweep.png; docs/sweep.md \
describes the columns. The bytes do not depend on the number of threads.

A run passes when every criterion under [success] in its scene holds. The limit of a direction is the \
largest impulse that is survived together with every smaller one of the map; impulses that are not \
survived below one that is are listed with it. The survivable area is the integral of the limit over the \
direction, each direction standing for its sector: 2π/N times the sum of the limits, in N s rad, where a \
direction that does not survive the smallest impulse counts as 0. A limit at the largest impulse of the \
map is marked `or more`.

A sweep that was interrupted or killed goes on with --resume and the same arguments (the number of threads \
may differ), and is not begun anew over its rows without it: each row is in sweep.journal as soon as it is \
made, and that is taken away in the end. The bytes are those of a sweep that was never interrupted. Another \
plan, other files or another version are refused.

A step is a foot that was off the ground for 0.05 s or more and is put down again, a foot being what stood on the \
ground in the first frame. A run that cannot be made is a row with its reason.

Exit codes: 0 all runs were made or have a row that says why not, 2 usage or a bad file, 3 could not \
write, 5 another aplomb writes into the folder, 130 and 143 interrupted by Ctrl-C and SIGTERM.";

pub(crate) fn run(arguments: &Arguments) -> Result<Done, Failure> {
    if arguments.portable {
        set_portable(true);
    }
    let base = scene::load(&arguments.scene, &arguments.overrides)?;
    let mut sweep = Sweep::new(arguments, &base)?;
    if let Some(state) = &arguments.count {
        known_state(&base, state)?;
    }
    if !arguments.quiet {
        output::print_findings(base.warnings.iter().map(Rendered::from));
    }
    // A mistake in all runs is reported before the first one.
    let first = &sweep.plan.variations[0].files;
    sweep.units = known_channels(&sweep.shows, &scene::header(first, &scene::Run::bind(first)?))?;
    let folder = arguments.out.clone().unwrap_or_else(|| Path::new("sweeps").join(&base.name));
    fs::create_dir_all(&folder).map_err(|error| Failure::write(&folder, error))?;
    let _lock = FolderLock::take(&folder).map_err(|error| Failure::trace(&folder, error))?;
    let journal = folder.join(sweep::JOURNAL);
    if !arguments.resume {
        resume::keep_interrupted("sweep", &folder, sweep::JOURNAL)?;
    }
    let (writer, done) = begin_journal(arguments, &folder, &journal, &sweep.identity(arguments))?;
    if arguments.resume && !arguments.quiet {
        output::print_note(&format!("{} of {} runs are done", done.len(), sweep.plan.variations.len()));
    }
    let count = AtomicUsize::new(done.len());
    let made = RowJournal { journal: Mutex::new(writer), done, count };

    let progress = progress(sweep.plan.variations.len(), arguments.quiet);
    let signals = Signals::catch();
    let rows = sweep.rows(arguments, &folder, &progress, (&made, &signals));
    progress.finish_and_clear();
    let Some(rows) = rows? else {
        let done = made.count.load(Ordering::Relaxed);
        output::print_note(&resume::interrupted(done, sweep.plan.variations.len(), "runs"));
        return Ok(signals.caught().map_or(Done::Well, |(number, _)| Done::Interrupted(number)));
    };
    let findings = sweep.findings(&rows);
    sweep.draw(&rows, &findings, &base, &folder)?;
    fs::remove_file(&journal).map_err(|error| Failure::write(&journal, error))?;
    if arguments.json {
        output::print_json(&findings)?;
    } else if !arguments.quiet {
        output::print(&text::findings(&sweep, &rows, &findings))?;
        output::print(&format!("\nwritten to {}\n", folder.display()))?;
    }
    Ok(Done::Well)
}

/// The journal of the sweep, started or continued, and its existing rows.
fn begin_journal(
    arguments: &Arguments,
    folder: &Path,
    journal: &Path,
    identity: &Identity,
) -> Result<(Journal, BTreeMap<usize, Row>), Failure> {
    if arguments.resume && !journal.exists() && folder.join("sweep.csv").exists() {
        return Err(Failure::Usage {
            message: format!("the sweep in {} is complete", folder.display()),
            help: Some("leave out `--resume` to make it again".into()),
        });
    }
    let unwritten = |error: std::io::Error| Failure::write(journal, error);
    let (writer, done) = match arguments.resume && journal.exists() {
        true => Journal::resume(journal, identity).map_err(|error| match error {
            JournalError::Another { .. } => Failure::Usage {
                message: format!("cannot go on in {}: {error}", folder.display()),
                help: Some("give the same scene and options, or another folder with `--out`".into()),
            },
            JournalError::Io(error) => unwritten(error),
        })?,
        false => {
            make_room(folder, arguments.keep)?;
            (Journal::begin(journal, identity).map_err(unwritten)?, BTreeMap::new())
        }
    };
    // A trace is complete before its row is written.
    let done = done
        .into_iter()
        .filter(|(run, _)| !arguments.keep || folder.join("traces").join(format!("{run}.mcap")).exists())
        .collect();
    Ok((writer, done))
}

/// A sweep that is ready to run.
struct Sweep {
    plan: Plan,
    /// The text `scene; character; controller`.
    who: String,
    title: String,
    /// The push that is varied; `None` if values are varied.
    event: Option<String>,
    /// The counted state, if any.
    count: Option<String>,
    /// Recorded channels.
    shows: Vec<Show>,
    /// Their units, once they are known.
    units: Vec<String>,
}

/// Rows of earlier processes, and the journal of new ones.
struct RowJournal {
    journal: Mutex<Journal>,
    done: BTreeMap<usize, Row>,
    /// Number of rows.
    count: AtomicUsize,
}

/// Reason for which no more rows are accepted.
enum SweepEnd {
    Interrupted,
    Failed(Failure),
}

impl RowJournal {
    fn note(&self, row: &Row, folder: &Path) -> Result<(), Failure> {
        // A panic during a write leaves a truncated line, which is ignored.
        let mut journal = self.journal.lock().unwrap_or_else(PoisonError::into_inner);
        journal.note(row).map_err(|error| Failure::write(&folder.join(sweep::JOURNAL), error))?;
        self.count.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }
}

/// Results of a sweep.
#[derive(Serialize)]
struct SweepResults {
    runs: usize,
    passed: usize,
    errors: usize,
    #[serde(skip_serializing_if = "Option::is_none", flatten)]
    map: Option<PushMap>,
}

impl Sweep {
    fn new(arguments: &Arguments, base: &SceneFiles) -> Result<Self, Failure> {
        let Arguments { scene, overrides, .. } = arguments;
        let controller = base.scene.characters.values().next();
        let controller = controller.map_or("", |character| character.controller.get_ref());
        let controller = controller.rsplit_once("controllers/").map_or(controller, |(_, name)| name);
        let controller = controller.trim_end_matches(".toml");
        let title = base.scene.title.clone().unwrap_or_else(|| base.name.clone());
        let (plan, event) = if arguments.over.is_empty() {
            let event = Plan::event(base, arguments.event.as_deref())
                .map_err(|none| Failure::Usage { message: none.to_string(), help: Some(none.help()) })?;
            let waits = base.scene.events.get(event.as_str()).is_some_and(scene::EventSpec::waits);
            if waits && !arguments.quiet {
                output::print_note(&format!(
                    "event `{event}` has a condition: runs in which it never begins count as survived"
                ));
            }
            let impulses = impulses(&arguments.impulses)?;
            (Plan::pushes(scene, overrides, &event, arguments.directions.get(), impulses)?, Some(event))
        } else {
            let overs = arguments.over.iter().map(|over| Over::parse(over)).collect::<Result<Vec<_>, _>>()?;
            if overs.len() > 2 {
                return Err(Failure::usage(format!("--over takes one value or two, not {}", overs.len())));
            }
            failure::refuse_overruled(overrides, overs.iter().map(Over::key), "`--over` varies that value")?;
            (Plan::grid(scene, overrides, &overs)?, None)
        };
        Ok(Sweep {
            plan,
            who: format!(
                "{}; {}; {controller}",
                base.name,
                base.characters.first().map_or("", |character| character.name.as_str())
            ),
            title,
            event,
            count: arguments.count.clone(),
            shows: arguments.show.iter().map(|text| Show::parse(text)).collect(),
            units: Vec::new(),
        })
    }

    /// All data on which the rows depend.
    fn identity(&self, arguments: &Arguments) -> Identity {
        let count = arguments.count.clone().unwrap_or_default();
        let word = |is: bool| if is { "yes" } else { "no" }.to_string();
        let more = [
            ("scene's name", self.who.clone()),
            ("states that are counted", count),
            ("options `--show`", arguments.show.join(" ")),
            ("options `--portable`", word(arguments.portable)),
            ("options `--keep`", word(arguments.keep)),
        ];
        Identity::of(&self.plan, more)
    }

    /// Runs all variations that are not in the journal, and writes rows to the table in order. `None` if it was
    /// interrupted.
    fn rows(
        &self,
        arguments: &Arguments,
        folder: &Path,
        progress: &ProgressBar,
        (made, signals): (&RowJournal, &Signals),
    ) -> Result<Option<Vec<Row>>, Failure> {
        let path = folder.join("sweep.csv");
        let unwritten = |error: csv::Error| Failure::write(&path, error.into());
        let mut table = Writer::from_path(&path).map_err(unwritten)?;
        let axes = self.plan.axes.iter().map(|axis| axis.name.as_str());
        let shows = self.shows.iter().map(|show| show.name.as_str());
        write(&mut table, ["run"].into_iter().chain(axes).chain(COLUMNS).chain(shows)).map_err(unwritten)?;
        let trace = |run: usize| arguments.keep.then(|| folder.join("traces").join(format!("{run}.mcap")));
        let stop = || signals.caught().is_some();
        let work = |run: usize| -> Result<Option<Row>, Failure> {
            if let Some(row) = made.done.get(&run) {
                return Ok(Some(row.clone()));
            }
            let variation = &self.plan.variations[run];
            let trace = trace(run);
            let (values, files) = (&variation.values, &variation.files);
            let options =
                RowOptions { count: self.count.as_deref(), shows: &self.shows, trace: trace.as_deref() };
            let row = sweep::run_until(run, values, files, options, &stop);
            let row = row.map_err(|error| Failure::trace(&trace.clone().unwrap_or_default(), error))?;
            row.iter().try_for_each(|row| made.note(row, folder))?;
            Ok(row)
        };
        let threads = arguments.threads.or_else(|| thread::available_parallelism().ok());
        let threads = threads.map_or(1, NonZeroUsize::get);
        let mut rows = Vec::with_capacity(self.plan.variations.len());
        let done = sweep::in_order(threads, self.plan.variations.len(), work, |row| {
            let row = row.map_err(SweepEnd::Failed)?.ok_or(SweepEnd::Interrupted)?;
            write(&mut table, row.cells()).map_err(|error| SweepEnd::Failed(unwritten(error)))?;
            rows.push(row);
            progress.inc(1);
            Ok(())
        });
        match done {
            Ok(()) => Ok(Some(rows)),
            Err(PoolError::Taken(SweepEnd::Interrupted)) => Ok(None),
            Err(PoolError::Taken(SweepEnd::Failed(failure))) => Err(failure),
            Err(PoolError::Threads(error)) => Err(Failure::usage(format!("cannot start threads: {error}"))),
        }
    }

    /// Draws the map, or the curves.
    fn draw(
        &self,
        rows: &[Row],
        findings: &SweepResults,
        base: &SceneFiles,
        folder: &Path,
    ) -> Result<(), Failure> {
        let picture = match &findings.map {
            Some(map) => figure::push_map(self, rows, map, base),
            None => figure::curves(self, rows),
        };
        picture.write_svg(&folder.join("sweep.svg"))?;
        Ok(picture.write_png(&folder.join("sweep.png"))?)
    }

    fn findings(&self, rows: &[Row]) -> SweepResults {
        let impulses = self.plan.axes.last().map_or(1, |axis| axis.range.values.len());
        SweepResults {
            runs: rows.len(),
            passed: rows.iter().filter(|row| row.passed()).count(),
            errors: rows.iter().filter(|row| row.figures.is_none()).count(),
            map: self.event.as_ref().map(|_| PushMap::new(rows, impulses)),
        }
    }
}

/// Writes a line of the table and flushes it.
fn write<T: AsRef<[u8]>>(
    table: &mut Writer<File>,
    cells: impl IntoIterator<Item = T>,
) -> Result<(), csv::Error> {
    table.write_record(cells)?;
    Ok(table.flush()?)
}

/// Impulses of a map, which must increase, so that all smaller ones precede.
pub(super) fn impulses(argument: &str) -> Result<Range, Failure> {
    let range = Range::parse("--impulses", argument, 0)?;
    let rising = range.values.windows(2).all(|pair| pair[0] < pair[1]);
    if !rising || range.values.iter().any(|impulse| *impulse < 0.0) {
        return Err(Failure::usage(format!("--impulses {argument}: impulses rise, from 0 N s or more")));
    }
    Ok(range)
}

fn known_state(files: &SceneFiles, state: &str) -> Result<(), Failure> {
    let states = || files.characters.iter().take(1).flat_map(|one| one.controller.spec.states.keys());
    let names = || states().map(|name| name.get_ref().as_str());
    if names().any(|name| name == state) {
        return Ok(());
    }
    let help = match nearest(state, names()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("it has: {}", names().collect::<Vec<_>>().join(", ")),
    };
    Err(Failure::Usage { message: format!("the controller has no state `{state}`"), help: Some(help) })
}

/// The units of channels.
///
/// # Errors
/// If the runs do not have a channel.
fn known_channels(shows: &[Show], header: &Header) -> Result<Vec<String>, Failure> {
    let all = channels(header);
    let names = || all.iter().map(|channel| channel.name.as_str());
    let mut units = Vec::new();
    for show in shows {
        match all.iter().find(|channel| channel.name == show.channel) {
            Some(channel) => units.push(channel.unit.clone()),
            None => {
                let help = match nearest(&show.channel, names()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => "`aplomb list channels --run RUN` names those of a run".into(),
                };
                let message = format!("the scene has no channel `{}`", show.channel);
                return Err(Failure::Usage { message, help: Some(help) });
            }
        }
    }
    Ok(units)
}

/// Creates the folder and removes the output of an earlier sweep.
fn make_room(folder: &Path, traces: bool) -> Result<(), Failure> {
    let made = if traces { folder.join("traces") } else { folder.to_path_buf() };
    fs::create_dir_all(&made).map_err(|error| Failure::write(&made, error))?;
    let old = [sweep::JOURNAL, "sweep.csv", "sweep.svg", "sweep.png"].map(|name| folder.join(name));
    let traces = fs::read_dir(folder.join("traces")).into_iter().flatten().flatten();
    let numbered = |path: &PathBuf| {
        let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
        path.extension().is_some_and(|ending| ending == "mcap") && name.parse::<usize>().is_ok()
    };
    let traces = traces.map(|entry| entry.path()).filter(numbered);
    for path in old.into_iter().chain(traces).filter(|path| path.exists()) {
        fs::remove_file(&path).map_err(|error| Failure::write(&path, error))?;
    }
    Ok(())
}

/// A progress bar on standard error, if that is a terminal.
pub(super) fn progress(runs: usize, quiet: bool) -> ProgressBar {
    if quiet {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(runs as u64);
    match ProgressStyle::with_template("{wide_bar} {pos}/{len} runs, {eta} left") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
