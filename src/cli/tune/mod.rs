//! `aplomb tune`: values of files that make scenes run better.

mod evaluator;
mod figure;
mod report;
mod sensitivities;
mod text;

use super::signal::Signals;
use super::{Done, Failure, output, resume, sweep as sweeps};
use crate::analysis::sweep::{Identity, Journal, JournalError, Plan as Pushes};
use crate::analysis::tune::{
    self, Begun, DEFAULT, DEFAULT_OF_PUSHES, Evaluation, Map, Mattered, OWN, PUSHES, Problem, SearchPlan,
    SearchResult, TuneObjective, Tuned, TunedScene, Variable, VerifiedRange,
};
use crate::language::files::Override;
use crate::language::rendered::Rendered;
use crate::math::dispatch::set_portable;
use crate::trace::FolderLock;
use evaluator::Evaluator;
use std::collections::BTreeMap;
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Find values of a controller or a scene with which scenes run better, and the files that say so.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// Scene files, or names of shipped scenes; all count alike
    #[arg(required = true)]
    scenes: Vec<String>,
    /// A value that may change, by a path as in --set, and its bounds; with `:log` ratios count, not
    /// differences
    #[arg(long, value_name = "KEY=LOW:HIGH[:log]", allow_hyphen_values = true)]
    over: Vec<String>,
    /// Every weight of the controller may change, to so many times and as small a part of what it is
    #[arg(long, value_name = "FACTOR")]
    weights: Option<f64>,
    /// What is to become as large as can be: an expression over figures of runs
    #[arg(long = "for", value_name = "EXPRESSION")]
    aim: Option<String>,
    /// Directions of the map of pushes [default: 12]
    #[arg(long, value_name = "N")]
    directions: Option<NonZeroUsize>,
    /// Impulses of the map of pushes, N s, as in `aplomb sweep`, rising [default: 20:80:5]
    #[arg(long, value_name = "RANGE")]
    impulses: Option<String>,
    /// Which push comes from all sides [default: each scene's only one]
    #[arg(long, value_name = "NAME")]
    event: Option<String>,
    /// Replace a value of the scenes, or with `controller.…` of their controllers, in every run; VALUE is
    /// TOML, in which paths
    /// of files are relative to the working directory
    #[arg(long = "set", value_name = "PATH=VALUE")]
    overrides: Vec<String>,
    /// Which random numbers the search draws
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// How far the search steps at first, of the way between the bounds
    #[arg(long, value_name = "SHARE", default_value_t = 0.2)]
    step: f64,
    /// Sets of values a generation [default: 4 + 3 ln(number of values)]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(4..=10_000))]
    population: Option<u32>,
    /// Stop after so many generations [default: 50, where nothing else is said]
    #[arg(long, value_name = "N")]
    generations: Option<u64>,
    /// Stop after the generation in which so many sets of values were tried
    #[arg(long, value_name = "N")]
    evaluations: Option<u64>,
    /// Stop searching after so many minutes of the wall clock; what is tried afterwards about the best is not
    /// counted
    #[arg(long, value_name = "N")]
    minutes: Option<f64>,
    /// Do not look for the intervals of values in which everything still passes
    #[arg(long)]
    no_intervals: bool,
    /// Search nothing: how every figure changes with every weight, or with the values of --over
    #[arg(long, conflicts_with_all = ["generations", "evaluations", "minutes", "population", "no_intervals"])]
    sensitivities: bool,
    /// Runs at the same time [default: one a core]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
    /// Folder for everything that is made [default: tunes/<scene>]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Go on with a search of the same arguments that was interrupted or is to go on longer
    #[arg(long)]
    resume: bool,
    /// Compute the same bytes on every x86-64 machine: without fused products, which not all have; slower
    #[arg(long)]
    portable: bool,
    /// Print what was found as one JSON object
    #[arg(long)]
    json: bool,
    /// Print nothing but errors (and what --json asks for)
    #[arg(long, short)]
    quiet: bool,
}

const AFTER_HELP: &str = "\
Examples:
  aplomb tune step_push --over parameters.outward=0.02:0.2 --over parameters.sink=0.1:1:log --for \
'area(pushes) - 0.01 * effort'
  aplomb tune balance_push --set 'events.push.impulse=[30, 0, 0]' --weights 4 --generations 20
  aplomb tune step_push step_child --weights 4 --impulses 40:110:10 --for 'area(pushes) + endured(pushes)' --minutes 30
  aplomb tune balance_push --sensitivities

Figures of a scene's own run: passed, lasted, margin, time, effort, torque_change, goal_error, com_drift, \
end_com_speed, peak_share, steps, relaxed_frames, failed_frames. Figures of its push from all sides: \
area(pushes), mean_limit(pushes), least_limit(pushes), endured(pushes). docs/tune.md says what each is. \
Without --for, what counts is `passed + lasted + margin`, with --directions or --impulses `area(pushes) + \
endured(pushes)`.

The folder gets report.md with pictures, tune.csv (a row for every set of values that was tried), the \
tuned files with their comments, and tuned.diff. The files themselves are left as they are. The search is \
CMA-ES; a seed gives the same bytes with any number of threads. The clock decides when to stop, and \
nothing else.

Without --for the values taken are not those of the largest margin, which may lie at an edge, but the \
middle of the widest stretch of values that passes.

Every set of values is in tune.journal as soon as it was tried. --resume with the same arguments goes on \
where that ends, and with more --generations, --evaluations or --minutes beyond; the result is that of a search that \
was never interrupted. Without --resume an interrupted search is not begun anew.

Exit codes: 0 done, 2 usage or a bad file, 3 could not write, 5 another aplomb writes into the folder, 130 \
and 143 interrupted.";

/// Name of the journal in the folder.
const JOURNAL: &str = "tune.journal";

/// The results of a search.
struct TuneOutcome {
    begun: Vec<(f64, Begun)>,
    search: SearchResult,
    /// Effect of each value alone; `None` if it was not determined.
    mattered: Option<Vec<Mattered>>,
    intervals: Option<Vec<VerifiedRange>>,
    /// Whether the centre of the passing region was chosen instead of the largest margin.
    in_middle: bool,
    tuned: Tuned,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Done, Failure> {
    if arguments.portable {
        set_portable(true);
    }
    let problem = problem(arguments)?;
    let begun = tune::start(&problem)?;
    if !arguments.quiet {
        tell_start(arguments, &problem, &begun);
    }
    let folder =
        arguments.out.clone().unwrap_or_else(|| Path::new("tunes").join(&problem.scenes[0].files.name));
    fs::create_dir_all(&folder).map_err(|error| Failure::write(&folder, error))?;
    let _lock = FolderLock::take(&folder).map_err(|error| Failure::trace(&folder, error))?;
    let (journal, known) = journal(arguments, &problem, &folder)?;
    let signals = Signals::catch();
    let mut evaluator = Evaluator::new(arguments, &problem, &folder, journal, known, signals.clone())?;
    let start: Vec<f64> = begun.iter().map(|(value, _)| *value).collect();
    if arguments.sensitivities {
        let done = sensitivities::run(arguments, &problem, &start, &mut evaluator, &folder)?;
        return Ok(if done { Done::Well } else { interrupted(&signals, &evaluator) });
    }
    let search = search(arguments, &problem, &start, &mut evaluator)?;
    let Some(search) = search else {
        evaluator.end();
        return Ok(interrupted(&signals, &evaluator));
    };
    let mut found = TuneOutcome {
        begun,
        tuned: tune::tuned(&problem, &search.best().values),
        search,
        mattered: None,
        intervals: None,
        in_middle: false,
    };
    verify(arguments, &problem, &start, &mut found, &mut evaluator, &signals)?;
    evaluator.end();
    let made = report::write(arguments, &problem, &found, &folder)?;
    if arguments.json {
        output::print_json(&text::findings(&problem, &found))?;
    } else if !arguments.quiet {
        output::print(&text::told(&problem, &found))?;
        output::print(&format!("\nwritten to {}: {}\n", folder.display(), made.join(", ")))?;
    }
    Ok(if signals.caught().is_some() { interrupted(&signals, &evaluator) } else { Done::Well })
}

/// Prints warnings of the files, and the variables whose initial values differ from those in the files.
fn tell_start(arguments: &Arguments, problem: &Problem, begun: &[(f64, Begun)]) {
    let warnings = problem.scenes.iter().flat_map(|scene| &scene.files.warnings);
    output::print_findings(warnings.map(Rendered::from));
    for (variable, (value, begun)) in problem.variables.iter().zip(begun).take(arguments.over.len()) {
        match begun {
            Begun::Said => {}
            Begun::Middle => output::print_note(&format!(
                "`{}` has no number: the middle of its bounds is taken, {value}",
                variable.name
            )),
            Begun::Beyond(said) => output::print_note(&format!(
                "`{}` is {said}, outside its bounds: the search begins at {value}",
                variable.name
            )),
        }
    }
}

/// The search within its limits; `None` if it was stopped.
fn search(
    arguments: &Arguments,
    problem: &Problem,
    start: &[f64],
    evaluator: &mut Evaluator<'_>,
) -> Result<Option<SearchResult>, Failure> {
    let deadline = arguments.minutes.and_then(|minutes| Duration::try_from_secs_f64(60.0 * minutes).ok());
    evaluator.deadline = deadline.and_then(|after| Instant::now().checked_add(after));
    let plan = plan(arguments);
    evaluator.begin("search", expected(&plan, problem.variables.len()));
    let teller = evaluator.teller();
    let search = tune::search(
        problem,
        start,
        &plan,
        |sets| evaluator.evaluate(sets),
        |search| {
            teller.tell(search);
            Ok::<(), Failure>(())
        },
    )?;
    evaluator.deadline = None;
    Ok(search)
}

fn plan(arguments: &Arguments) -> SearchPlan {
    let is_bounded = arguments.generations.or(arguments.evaluations).is_some() || arguments.minutes.is_some();
    SearchPlan {
        seed: arguments.seed,
        step: arguments.step,
        population: arguments.population.map(|population| population as usize),
        generations: if is_bounded { arguments.generations } else { Some(50) },
        evaluations: arguments.evaluations,
    }
}

/// The runs around the best values: the centre of the passing region, each value reset alone, and the intervals.
fn verify(
    arguments: &Arguments,
    problem: &Problem,
    start: &[f64],
    found: &mut TuneOutcome,
    evaluator: &mut Evaluator<'_>,
    signals: &Signals,
) -> Result<(), Failure> {
    // An aim given by the user is not replaced by the centre.
    let wants_middle = arguments.aim.is_none() && !problem.aim.of_pushes && !arguments.no_intervals;
    if signals.caught().is_none() && wants_middle && tune::passes(found.search.best()) {
        take_middle(problem, found, evaluator)?;
    }
    if signals.caught().is_none() {
        let best = found.search.best().clone();
        evaluator.begin("put_back", Some(problem.variables.len() as u64));
        found.mattered = tune::what_mattered(&best, start, |sets| evaluator.evaluate(sets))?;
        if !arguments.no_intervals && tune::passes(&best) {
            evaluator.begin("interval", Some(problem.variables.len() as u64 * 16));
            found.intervals = tune::intervals(problem, &best, |sets| evaluator.evaluate(sets))?;
        }
    }
    Ok(())
}

/// Chooses the centre of the passing region instead of the largest margin, if everything passes there too.
fn take_middle(
    problem: &Problem,
    found: &mut TuneOutcome,
    evaluator: &mut Evaluator<'_>,
) -> Result<(), Failure> {
    let roomiest = tune::roomiest(problem, &found.search).clone();
    evaluator.begin("middle", Some(problem.variables.len() as u64 * 16 + 1));
    let Some(intervals) = tune::intervals(problem, &roomiest, |sets| evaluator.evaluate(sets))? else {
        return Ok(());
    };
    let middle = tune::middle(problem, &intervals);
    let Some(evaluations) = evaluator.evaluate(&[middle])? else { return Ok(()) };
    let best = found.search.best();
    // The middle of all intervals together may not pass.
    let chosen = evaluations.into_iter().find(|middle| tune::holds(best, middle)).unwrap_or(roomiest);
    if chosen.values != best.values {
        found.tuned = tune::tuned(problem, &chosen.values);
        found.search.choose(chosen);
        found.in_middle = true;
    }
    Ok(())
}

fn interrupted(signals: &Signals, evaluator: &Evaluator<'_>) -> Done {
    output::print_note(&format!(
        "interrupted after {} sets of values; the same command with `--resume` continues",
        evaluator.tried()
    ));
    signals.caught().map_or(Done::Well, |(number, _)| Done::Interrupted(number))
}

/// Largest number of sets of values that the search will try.
fn expected(plan: &SearchPlan, variables: usize) -> Option<u64> {
    let usual = 4 + (3.0 * (variables.max(1) as f64).ln()).floor() as usize;
    let population = plan.population.unwrap_or(usual).max(4) as u64;
    let whole = |generations: u64| generations.saturating_mul(population).saturating_add(2);
    let by_generations = plan.generations.map(whole);
    let by_evaluations = plan.evaluations.map(|most| whole(most.saturating_sub(1).div_ceil(population)));
    match (by_generations, by_evaluations) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

fn problem(arguments: &Arguments) -> Result<Problem, Failure> {
    if arguments.minutes.is_some_and(|minutes| minutes.is_nan() || minutes < 0.0) {
        return Err(Failure::usage("`--minutes` is 0 or more"));
    }
    if !(arguments.step > 0.0 && arguments.step <= 1.0) {
        return Err(Failure::usage("`--step` is a share: more than 0, and 1 at most"));
    }
    let wants_map = arguments.directions.is_some() || arguments.impulses.is_some();
    let aim = match &arguments.aim {
        Some(text) => TuneObjective::parse(text)?,
        None => TuneObjective::parse(if wants_map { DEFAULT_OF_PUSHES } else { DEFAULT })?,
    };
    if wants_map && !aim.of_pushes {
        return Err(Failure::Usage {
            message: "`--for` does not use `pushes`".into(),
            help: Some("write `area(pushes)`, or leave out --directions and --impulses".into()),
        });
    }
    let mut scenes = Vec::new();
    for reference in &arguments.scenes {
        let mut scene = TunedScene::load(reference, &arguments.overrides)?;
        if aim.of_pushes {
            let event = Pushes::event(&scene.files, arguments.event.as_deref()).map_err(|none| {
                Failure::Usage { message: format!("{reference}: {none}"), help: Some(none.help()) }
            })?;
            scene = scene.pushed_by(&event);
        }
        scenes.push(scene);
    }
    let map = match aim.of_pushes {
        true => Some(Map {
            directions: arguments.directions.map_or(12, NonZeroUsize::get),
            impulses: sweeps::impulses(arguments.impulses.as_deref().unwrap_or("20:80:5"))?.values,
        }),
        false => None,
    };
    Ok(Problem { variables: variables(arguments, &scenes)?, scenes, aim, map })
}

fn variables(arguments: &Arguments, scenes: &[TunedScene]) -> Result<Vec<Variable>, Failure> {
    let mut variables =
        arguments.over.iter().map(|over| Variable::parse(over)).collect::<Result<Vec<_>, _>>()?;
    let items = |variables: &[Variable]| -> Result<Vec<Override>, Failure> {
        Ok(variables.iter().map(|variable| variable.item(0.0)).collect::<Result<_, _>>()?)
    };
    let given = items(&variables)?;
    for (index, item) in given.iter().enumerate() {
        if given[..index].iter().any(|other| other.is_of_same_value(item)) {
            return Err(Failure::usage(format!("`--over {}` is given twice", variables[index].name)));
        }
    }
    let factor = match (arguments.weights, arguments.sensitivities && variables.is_empty()) {
        (Some(factor), _) if !(factor > 1.0 && factor <= 1e6) => {
            return Err(Failure::usage("`--weights` is a factor of more than 1, and 1e6 at most"));
        }
        (Some(factor), _) => factor,
        // Slopes do not depend on the bounds.
        (None, true) => 2.0,
        (None, false) => {
            let help = "for example `--over parameters.outward=0.05:0.2`, or `--weights 4`";
            return match variables.is_empty() {
                true => Err(Failure::Usage { message: "nothing may change".into(), help: Some(help.into()) }),
                false => Ok(variables),
            };
        }
    };
    for scene in scenes {
        for (path, value) in tune::weights(&scene.files) {
            let variable = Variable::about(&path, value, factor)?;
            let item = variable.item(0.0)?;
            if items(&variables)?.iter().all(|other| !other.is_of_same_value(&item)) {
                variables.push(variable);
            }
        }
        let weight = *scene.files.scene.torque_change_weight.get_ref();
        let is_new = variables.iter().all(|variable| variable.name != "torque_change_weight");
        if arguments.sensitivities && arguments.weights.is_none() && is_new && weight > 0.0 {
            variables.push(Variable::about("torque_change_weight", weight, factor)?);
        }
    }
    match variables.is_empty() {
        true => Err(Failure::usage("no controller of these scenes has a weight")),
        false => Ok(variables),
    }
}

/// The scenes, variables and options of a search. A search continues only a journal with the same identity.
fn identity(arguments: &Arguments, problem: &Problem) -> Identity {
    let variables = problem.variables.iter().map(|variable| {
        let Variable { low, high, logarithmic, .. } = variable;
        format!("{} {low:?} {high:?} {logarithmic}", variable.set(0.0))
    });
    let names: Vec<&str> = problem.scenes.iter().map(|scene| scene.files.name.as_str()).collect();
    let figures = OWN.iter().map(|(name, ..)| *name).chain(PUSHES.iter().map(|(name, ..)| *name));
    Identity::of_files(
        problem.scenes.iter().map(|scene| &scene.files),
        [
            ("scenes' names", names.join(" ")),
            ("values of `--over` and `--weights`", variables.collect::<Vec<_>>().join("; ")),
            ("options `--for`", problem.aim.text().into()),
            ("maps of pushes", format!("{:?} {:?}", problem.map, arguments.event)),
            ("seeds", arguments.seed.to_string()),
            ("options `--step`", format!("{:?}", arguments.step)),
            ("populations", format!("{:?}", arguments.population)),
            ("options `--portable`", arguments.portable.to_string()),
            ("figures", figures.collect::<Vec<_>>().join(" ")),
        ],
    )
}

/// The journal, and its existing rows.
fn journal(
    arguments: &Arguments,
    problem: &Problem,
    folder: &Path,
) -> Result<(Journal, BTreeMap<Vec<u64>, Evaluation>), Failure> {
    let path = folder.join(JOURNAL);
    let unwritten = |error: std::io::Error| Failure::write(&path, error);
    let identity = identity(arguments, problem);
    // The journal of a complete search is kept; only then does one of these files exist.
    let results = [report::REPORT, sensitivities::TABLE].map(|name| folder.join(name));
    if !arguments.resume && results.iter().all(|path| !path.exists()) {
        resume::keep_interrupted("search", folder, JOURNAL)?;
    }
    let own = &results[usize::from(arguments.sensitivities)];
    if own.exists() {
        fs::remove_file(own).map_err(|error| Failure::write(own, error))?;
    }
    if !(arguments.resume && path.exists()) {
        return Ok((Journal::begin(&path, &identity).map_err(unwritten)?, BTreeMap::new()));
    }
    let (journal, known) =
        Journal::resume_of::<Evaluation>(&path, &identity).map_err(|error| match error {
            JournalError::Another { .. } => Failure::Usage {
                message: format!("cannot go on in {}: {error}", folder.display()),
                help: Some("give the same scenes and options, or another folder with `--out`".into()),
            },
            JournalError::Io(error) => unwritten(error),
        })?;
    if !arguments.quiet {
        output::print_note(&format!("{} sets of values were tried already", known.len()));
    }
    Ok((
        journal,
        known.into_iter().map(|evaluation| (evaluator::key(&evaluation.values), evaluation)).collect(),
    ))
}
