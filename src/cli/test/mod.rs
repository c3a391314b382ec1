//! `aplomb test`: trials of scenes with random values, and the rates at which their criteria hold.

mod files;
mod junit;
mod mutants;
mod text;
mod work;

use super::{Done, Failure, failure, output};
use crate::analysis::trials::{EarlierTrials, Experiment, RateVerdict, Trial, TrialsReport};
use crate::language::rendered::Rendered;
use crate::math::dispatch::set_portable;
use crate::scene;
use crate::trace::FolderLock;
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use work::{RunJournal, RunPlan};

/// Try scenes with values drawn at random: the rate of each criterion, and what failures have in common.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// Scene files, or names of shipped scenes (`aplomb list scenes`), with `[trials]`
    #[arg(required = true, value_name = "SCENE")]
    scenes: Vec<String>,
    /// How many trials of each scene [default: `count` of its `[trials]`]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    trials: Option<u32>,
    /// Where the random numbers begin [default: `seed` of its `[trials]`]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Replace a value of the scene, or with `controller.…` of its controller (`characters.NAME.controller.…`
    /// where there are several), in every trial; VALUE is TOML, in which paths
    /// of files are relative to the working directory
    #[arg(long = "set", value_name = "PATH=VALUE")]
    overrides: Vec<String>,
    /// Runs at the same time [default: one a core]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
    /// Folder for what is made; of several scenes, with a folder in it for each [default: trials/<scene>]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Begin no trial after so many seconds of each scene; the rate is that of the trials that were made
    #[arg(long, value_name = "SECONDS")]
    time_budget: Option<f64>,
    /// Go on with an experiment that was interrupted: trials that were made are kept
    #[arg(long)]
    resume: bool,
    /// Say which trials changed since an earlier experiment with the same draws, from its folder
    #[arg(long, value_name = "RUN_DIR")]
    against: Option<PathBuf>,
    /// Save so many of the worst failures as scenes
    #[arg(long, value_name = "N", default_value = "3")]
    save_worst: usize,
    /// Instead of trials: leave out each objective, each end and each exit of the controllers in turn, and
    /// say which criteria none of that makes fail
    #[arg(long, conflicts_with_all = ["trials", "seed", "against", "save_worst", "time_budget"])]
    mutants: bool,
    /// Compute the same bytes on every x86-64 machine: without fused products, which not all have; slower
    #[arg(long)]
    portable: bool,
    /// What is printed
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: TrialsFormat,
    /// The same as --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// Print nothing but errors, and what --format (or --json) asks for other than text
    #[arg(long, short)]
    quiet: bool,
}

impl Arguments {
    fn format(&self) -> TrialsFormat {
        if self.json { TrialsFormat::Json } else { self.format }
    }
}

/// Output format of trials.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum TrialsFormat {
    /// For people
    Text,
    /// One object with all there is to say
    Json,
    /// JUnit's XML: a test for each promised rate
    Junit,
    /// A row a trial
    Csv,
    /// A table of Markdown with a row a scene
    Markdown,
}

const AFTER_HELP: &str = "\
Examples:
  aplomb test balance_push
  aplomb test step_push --trials 50 --set reaction_delay.time=0.1
  aplomb test walk stairs --format junit --quiet > trials.xml
  aplomb test step_push --out new --against trials/step_push
  aplomb test climb --mutants

A scene says under [trials] what is drawn, and which share of the trials is promised to meet all of its criteria; \
docs/trials.md describes it. Each drawn value depends only on the seed, the number of the trial and its own path. \
A trial that ends with an error counts as failed.

Rates have their 95 % interval (Wilson). A promised rate is missed where the whole interval lies below it, \
shown where the whole interval lies at it or above, and open in between.

The folder gets trials.csv (a row a trial), trials.json, junit.xml, and worst/ with the worst failures as \
scenes for `aplomb run`. The bytes do not depend on the number of threads. An experiment that was \
interrupted or killed goes on with --resume and the same arguments, and is not begun anew over its trials without it; \
more trials may be asked for. Only \
--time-budget looks at the clock.

Exit codes: 0 no promised rate is missed, 1 a promised rate is missed (with --mutants: a criterion cannot \
fail), 2 usage or a bad file, 3 could not write, 5 another aplomb writes into the folder, 130 and 143 \
interrupted.";

/// The results of an experiment.
struct ExperimentResult {
    experiment: Experiment,
    trials: Vec<Trial>,
    report: TrialsReport,
    folder: PathBuf,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Done, Failure> {
    if arguments.portable {
        set_portable(true);
    }
    let budget = arguments.time_budget.map(Duration::try_from_secs_f64);
    let Ok(budget) = budget.transpose() else {
        return Err(Failure::usage("`--time-budget` is 0 s or more"));
    };
    let experiments = arguments.scenes.iter().map(|scene| experiment(arguments, scene));
    let experiments = experiments.collect::<Result<Vec<_>, _>>()?;
    let work = RunPlan::new(arguments.threads, arguments.quiet || arguments.format() != TrialsFormat::Text);
    for experiment in experiments.iter().filter(|_| !arguments.resume) {
        let [journal, table] = match arguments.mutants {
            true => [mutants::JOURNAL, mutants::TABLE],
            false => [files::JOURNAL, files::TABLE],
        };
        work::keep_interrupted(&folder(arguments, &experiment.files.name), journal, table)?;
    }
    if arguments.mutants {
        return mutants::run(arguments, experiments, &work);
    }
    let mut all = Vec::new();
    for experiment in experiments {
        let folder = folder(arguments, &experiment.files.name);
        match tried(arguments, experiment, folder, &work, budget)? {
            Some(tried) => all.push(tried),
            None => return Ok(work.interrupted()),
        }
        if let Some(tried) =
            all.last().filter(|_| arguments.format() == TrialsFormat::Text && !arguments.quiet)
        {
            output::print(&text::report(tried))?;
        }
    }
    match arguments.format() {
        TrialsFormat::Text => {}
        TrialsFormat::Json => {
            let reports: Vec<&TrialsReport> = all.iter().map(|tried| &tried.report).collect();
            output::print_json(&serde_json::json!({ "scenes": reports }))?;
        }
        TrialsFormat::Junit => output::print(&junit::suites(&all))?,
        TrialsFormat::Csv => output::print(&files::tables(&all))?,
        TrialsFormat::Markdown => output::print(&text::markdown(&all))?,
    }
    let is_missed = all.iter().any(|tried| tried.report.verdict == Some(RateVerdict::Missed));
    Ok(if is_missed { Done::CriteriaFailed } else { Done::Well })
}

/// A scene that is ready to be tried.
fn experiment(arguments: &Arguments, reference: &str) -> Result<Experiment, Failure> {
    let files = scene::load(reference, &arguments.overrides)?;
    let spec = match files.scene.trials.clone() {
        Some(spec) => spec,
        // Mutants use the scene without draws.
        None if arguments.mutants => scene::trials::TrialsSpec::none(),
        None => {
            return Err(Failure::Usage {
                message: format!("{reference} has no [trials], so there is nothing to draw"),
                help: Some(
                    "for example `[trials.draw]` with `\"ground.friction\" = { uniform = [0.5, 1] }`".into(),
                ),
            });
        }
    };
    if files.scene.success.is_empty() && files.scene.characters.values().all(|one| one.success.is_empty()) {
        return Err(Failure::Usage {
            message: format!("{reference} has no criteria, so no trial could fail"),
            help: Some("add criteria under [success]".into()),
        });
    }
    if !arguments.quiet {
        output::print_findings(files.warnings.iter().map(Rendered::from));
    }
    if !arguments.mutants {
        let drawn = spec.draw.keys().map(|key| key.get_ref().as_str());
        failure::refuse_overruled(&arguments.overrides, drawn, "each trial draws that value")?;
    }
    let seed = arguments.seed.unwrap_or(*spec.seed.get_ref());
    Ok(Experiment::new(files, spec, seed)?)
}

/// Whether the experiment of a scene is resumed. Of several scenes, the complete ones are repeated.
fn is_resumed(arguments: &Arguments, folder: &Path, journal: &str) -> bool {
    arguments.resume && (arguments.scenes.len() == 1 || folder.join(journal).exists())
}

/// The folder of the results of a scene.
fn folder(arguments: &Arguments, name: &str) -> PathBuf {
    match (&arguments.out, arguments.scenes.len()) {
        (Some(out), 1) => out.clone(),
        (Some(out), _) => out.join(name),
        (None, _) => Path::new("trials").join(name),
    }
}

/// The table of an earlier experiment, if it is requested.
fn earlier(arguments: &Arguments, name: &str) -> Result<Option<EarlierTrials>, Failure> {
    let Some(folder) = &arguments.against else { return Ok(None) };
    let places = [folder.join(name).join(files::TABLE), folder.join(files::TABLE)];
    let path = if places[0].exists() { &places[0] } else { &places[1] };
    let earlier = EarlierTrials::read(path).map_err(|why| Failure::Usage {
        message: format!("cannot compare with {}: {why}", path.display()),
        help: Some("`--against` takes the folder of an earlier `aplomb test` of the same scene".into()),
    });
    earlier.map(Some)
}

/// Runs all trials of a scene and writes their results. `None` if it was interrupted.
fn tried(
    arguments: &Arguments,
    experiment: Experiment,
    folder: PathBuf,
    work: &RunPlan,
    budget: Option<Duration>,
) -> Result<Option<ExperimentResult>, Failure> {
    let earlier = earlier(arguments, &experiment.files.name)?;
    fs::create_dir_all(&folder).map_err(|error| Failure::write(&folder, error))?;
    let _lock = FolderLock::take(&folder).map_err(|error| Failure::trace(&folder, error))?;
    let count = arguments.trials.unwrap_or(*experiment.spec.count.get_ref()) as usize;
    // A name that no trial finds is reported before the first trial; a value that one trial does not accept is a
    // failure of that trial.
    if let Ok(files) = experiment.with(&experiment.sets(&experiment.values(0))) {
        crate::scene::Run::bind(&files)?;
    }
    let identity = experiment.identity(arguments.portable);
    let made = RunJournal::begin(
        &folder,
        files::JOURNAL,
        files::TABLE,
        &identity,
        is_resumed(arguments, &folder, files::JOURNAL),
        |trial: &Trial| trial.trial,
    )?;
    if !arguments.resume {
        files::make_room(&folder)?;
    }
    let deadline = budget.and_then(|budget| Instant::now().checked_add(budget));
    let stop = || work.is_interrupted();
    let is_over = || deadline.is_some_and(|deadline| Instant::now() >= deadline);
    let trials = work.make(&experiment.files.name, count, &made, |trial| match is_over() {
        true => None,
        false => experiment.run(trial, &stop),
    })?;
    if work.is_interrupted() {
        return Ok(None);
    }
    let promised = experiment.spec.rate.as_ref().map(|rate| *rate.get_ref());
    let mut report = TrialsReport::new(&experiment, &trials, count, promised);
    report.against = earlier.map(|earlier| earlier.compare(&trials));
    files::save_worst(&experiment, &mut report, arguments.save_worst, &folder)?;
    let tried = ExperimentResult { experiment, trials, report, folder };
    files::write(&tried)?;
    if tried.trials.len() == count {
        made.end()?;
    }
    Ok(Some(tried))
}
