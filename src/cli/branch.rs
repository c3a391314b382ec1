//! `aplomb branch`: many futures of one moment of a run.

use super::{Done, Failure, explain, output, plot};
use crate::analysis::branch::{
    self, Answer, BranchEnd, BranchError, BranchFate, FutureCriteria, Moment, PushMargin,
};
use crate::analysis::explain::RerunError;
use crate::analysis::sweep::{Over, blame};
use crate::language::diagnostic::nearest;
use crate::math::seconds::seconds;
use crate::model::scales::STANDARD_GRAVITY;
use crate::scene::LoadError;
use crate::trace::Frame;
use crate::view::plot::figure::Scale;
use crate::view::plot::margin::Margins;
use crate::view::plot::picture::Picture;
use crate::view::plot::sweep::{CurvePanel, Curves};
use crate::world::WorldError;
use csv::Writer;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::thread;

/// Go on from a moment of a run many times: with a value changed over a range, or pushed from every side.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// Folder of a run, or a trace
    #[arg(value_name = "RUN")]
    run: PathBuf,
    /// Moment from which it goes on, s
    #[arg(long, value_name = "TIME", allow_negative_numbers = true)]
    time: f64,
    /// Change a value from then on; the key is a path as in `run --set`, the range as in `sweep --over`
    #[arg(long, value_name = "KEY=RANGE", allow_hyphen_values = true)]
    over: Option<String>,
    /// Push this body at its centre of mass, from every side [default: chest, without --over]
    #[arg(long, value_name = "BODY", conflicts_with = "over")]
    push: Option<String>,
    /// Directions of the push, evenly spread: 0° along the world's x, counter-clockwise from above
    #[arg(long, value_name = "N", default_value_t = 24, conflicts_with = "over", allow_negative_numbers = true,
        value_parser = clap::value_parser!(u16).range(1..=3600))]
    directions: u16,
    /// How long each future is, s [default: to the end of the scene]
    #[arg(long = "for", value_name = "SECONDS", allow_negative_numbers = true)]
    seconds: Option<f64>,
    /// Folder for table and pictures [default: branch_TIME_BODY or branch_TIME_KEY in the folder of the
    /// run]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Futures at a time [default: one a core]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
    /// Print what was found as one JSON object
    #[arg(long)]
    json: bool,
    /// Print nothing but errors (and what --json asks for)
    #[arg(long, short)]
    quiet: bool,
}

const AFTER_HELP: &str = "\
Examples:
  aplomb branch runs/step_push --time 0.6
  aplomb branch runs/step_push --time 0.6 --push pelvis --directions 12 --for 2
  aplomb branch runs/step_push --time 0.6 --over ground.friction=0.1:1:lin100 --for 1

The run is repeated up to the moment from the texts in its trace. A push is one impulse within the frame of that \
moment. It is answered at once if, other than without it, a contact slips, a row gives way or the controller goes to \
another state. It is survived if every criterion of the scene that can be judged holds to the end of the future: one \
of kind `always` if that is before the end of the scene; if there is none, if nobody falls. A fall takes about a \
second: of shorter futures the answer says that they are too short. The largest push that is survived is the last \
before the first that is not, growing by a quarter, then halved three times.

A push that is not survived need not be answered at once: later frames may fail. The output says if a stronger \
push of the next few is survived after all: the smaller failure is then not a limit. In a run of several \
characters, the character of the trace is pushed. A changed value acts like a change of the scene's file during \
the run; the picture marks the original value.

Writes branch.csv, branch.svg and branch.png. The results do not depend on --threads.

Exit codes: 0 done; 2 usage, or a trace that cannot be run again; 3 could not write.";

pub(crate) fn run(arguments: &Arguments) -> Result<Done, Failure> {
    let (trace, folder) = plot::open_for_output(&arguments.run)?;
    let frame = explain::frame_at(&trace, arguments.time)?;
    if arguments.seconds.is_some_and(|seconds| seconds.is_nan() || seconds <= 0.0) {
        return Err(Failure::usage("--for must be more than 0 s, for example --for 1"));
    }
    let threads = arguments.threads.or_else(|| thread::available_parallelism().ok());
    let threads = threads.map_or(1, NonZeroUsize::get);
    let moment = Moment { header: &trace.header, frame: frame.index, seconds: arguments.seconds, threads };
    let judged = branch::judged(&moment).map_err(refused)?;
    let at = JudgedMoment { moment: &moment, frame, judged: &judged };
    let body = arguments.push.as_deref().unwrap_or("chest");
    let found = match &arguments.over {
        Some(over) => over_values(arguments, &at, &Over::parse(over)?)?,
        None => pushed(arguments, &at, body)?,
    };
    let what = arguments.over.as_deref().map_or(body, |over| over.split('=').next().unwrap_or(over));
    let out = arguments.out.clone().unwrap_or_else(|| folder.join(folder_name(frame.time, what)));
    fs::create_dir_all(&out).map_err(|error| Failure::write(&out, error))?;
    let table = out.join("branch.csv");
    found.write_table(&table).map_err(|error| Failure::write(&table, error.into()))?;
    found.picture.write_svg(&out.join("branch.svg"))?;
    found.picture.write_png(&out.join("branch.png"))?;
    if arguments.json {
        output::print(&found.json)?;
    } else if !arguments.quiet {
        output::print(&format!("{}\nwritten to {}\n", found.text, out.display()))?;
    }
    Ok(Done::Well)
}

/// Name of the folder for a moment and for the pushed body or changed key.
fn folder_name(time: f64, what: &str) -> String {
    let plain = |letter: char| if letter.is_alphanumeric() || "._-".contains(letter) { letter } else { '_' };
    format!("branch_{time:.3}_{}", what.chars().map(plain).collect::<String>())
}

/// A moment, and the criteria that judge its futures.
#[derive(Clone, Copy)]
struct JudgedMoment<'a> {
    moment: &'a Moment<'a>,
    /// The frame with which its futures begin.
    frame: &'a Frame,
    judged: &'a FutureCriteria,
}

/// The findings, as JSON.
#[derive(Serialize)]
struct BranchReport<'a, T> {
    scene: &'a str,
    character: &'a str,
    /// Time of the moment, s.
    time: f64,
    state: &'a str,
    /// The body that is pushed, or the key that is changed.
    of: &'a str,
    judged: &'a FutureCriteria,
    /// Limitations of the results, one sentence each.
    notes: Vec<String>,
    /// Impulses in N s, directions in degrees, centres of mass in m, times in s.
    found: T,
}

impl<'a, T: Serialize> BranchReport<'a, T> {
    fn of(at: JudgedMoment<'a>, of: &'a str, notes: &[String], found: T) -> Self {
        let JudgedMoment { moment, frame, judged } = at;
        let (scene, character) = (&moment.header.scene, &moment.header.character);
        let notes = notes.to_vec();
        BranchReport { scene, character, time: frame.time, state: &frame.state, of, judged, notes, found }
    }
}

/// The findings in all output formats.
struct BranchFindings {
    head: Vec<String>,
    rows: Vec<Vec<String>>,
    picture: Picture,
    text: String,
    json: String,
}

impl BranchFindings {
    fn write_table(&self, path: &Path) -> csv::Result<()> {
        let mut table = Writer::from_path(path)?;
        table.write_record(&self.head)?;
        self.rows.iter().try_for_each(|row| table.write_record(row))?;
        Ok(table.flush()?)
    }
}

/// One future for each value.
#[derive(Serialize)]
struct ValueFuture<'a> {
    value: f64,
    #[serde(flatten)]
    end: &'a BranchEnd,
}

fn over_values(arguments: &Arguments, at: &JudgedMoment<'_>, over: &Over) -> Result<BranchFindings, Failure> {
    let JudgedMoment { moment, frame, judged } = at;
    let values = over.values();
    let changes: Vec<String> = values.iter().map(|value| over.set(*value)).collect();
    let progress = progress(values.len(), "futures", arguments.quiet);
    let ends = branch::changed(moment, &changes, &|count| progress.inc(count as u64));
    progress.finish_and_clear();
    let ends = ends.map_err(refused)?;
    if ends.iter().all(|end| matches!(end.fate, BranchFate::Impossible { .. }))
        && let Some(change) = changes.first()
    {
        return Err(impossible(moment, over, change, &ends));
    }
    let mut notes = judged.notes();
    notes.extend(without_effect(frame, over, &ends));
    notes.extend(fails_anyway(moment)?);
    let futures: Vec<ValueFuture<'_>> =
        values.iter().zip(&ends).map(|(value, end)| ValueFuture { value: *value, end }).collect();
    let head =
        ["value", "held", "failed_at_s", "criterion", "end_s", "state", "com_x_m", "com_y_m", "com_z_m"];
    Ok(BranchFindings {
        head: head.map(String::from).to_vec(),
        rows: futures.iter().map(future_row).collect(),
        picture: curves(moment, frame, over, &ends),
        text: said_of_futures(moment, frame, over, &ends) + &said_of_notes(&notes),
        json: output::json(&BranchReport::of(*at, over.key(), &notes, &futures))?,
    })
}

/// The error if the scene can be run with none of the values: the mistakes with the first value, located in the
/// argument of `--over`.
fn impossible(moment: &Moment<'_>, over: &Over, change: &str, ends: &[BranchEnd]) -> Failure {
    match branch::check(moment, change).map_err(refused) {
        Err(Failure::Mistakes(mistakes)) => {
            let mut mistakes = blame(mistakes, std::slice::from_ref(over)).into_vec();
            let is_parameter = over.key().starts_with("parameters.");
            for mistake in mistakes.iter_mut().filter(|mistake| is_parameter && &*mistake.file == "--over") {
                mistake.help = Some(format!("parameters are the controller's: `controller.{}`", over.key()));
            }
            Failure::Mistakes(mistakes.into())
        }
        Err(failure) => failure,
        Ok(()) => {
            let because = ends.iter().find_map(|end| match &end.fate {
                BranchFate::Impossible { because } => Some(because.as_str()),
                _ => None,
            });
            Failure::usage(format!("with `{change}`: {}", because.unwrap_or_default()))
        }
    }
}

/// A note if all futures are the same, whatever the value.
fn without_effect(frame: &Frame, over: &Over, ends: &[BranchEnd]) -> Option<String> {
    let (first, others) = ends.split_first()?;
    let is_same = !others.is_empty() && others.iter().all(|other| other == first);
    let help = match over.key() {
        "duration" => "; `--for` says how long futures are",
        _ => "",
    };
    let (count, key) = (ends.len(), over.key());
    is_same.then(|| {
        format!("all {count} futures are the same: `{key}` has no effect from {:.3} s on{help}", frame.time)
    })
}

/// A note if the unchanged future fails too.
fn fails_anyway(moment: &Moment<'_>) -> Result<Option<String>, Failure> {
    let end = branch::unchanged(moment).map_err(refused)?;
    let BranchFate::Failed { at, criterion } = &end.fate else { return Ok(None) };
    let at = seconds(*at);
    Ok(Some(match criterion {
        Some(criterion) => format!("with nothing changed it fails too: `{criterion}` at {at} s"),
        None => format!("with nothing changed it fails too: it falls at {at} s"),
    }))
}

/// The notes, one per line.
fn said_of_notes(notes: &[String]) -> String {
    notes.iter().map(|note| format!("note: {note}\n")).collect()
}

fn future_row(future: &ValueFuture<'_>) -> Vec<String> {
    let BranchEnd { fate, time, state, com } = future.end;
    let (at, criterion) = match fate {
        BranchFate::Held => (String::new(), String::new()),
        BranchFate::Failed { at, criterion } => (format!("{at:?}"), criterion.clone().unwrap_or_default()),
        BranchFate::Impossible { .. } => (String::new(), "cannot be run".into()),
    };
    let held = future.end.held().to_string();
    let mut row =
        vec![format!("{:?}", future.value), held, at, criterion, format!("{time:?}"), state.clone()];
    let is_run = !matches!(fate, BranchFate::Impossible { .. });
    row.extend(com.map(|part| if is_run { format!("{part:?}") } else { String::new() }));
    row
}

/// Runs of consecutive values with the same kind of end, one per line.
fn said_of_futures(moment: &Moment<'_>, frame: &Frame, over: &Over, ends: &[BranchEnd]) -> String {
    let values = over.values();
    let alike = |a: &usize, b: &usize| kind(&ends[*a]) == kind(&ends[*b]);
    let held = ends.iter().filter(|end| end.held()).count();
    let mut text = format!(
        "{} futures from {:.3} s of `{}` (state `{}`), over {}: {held} hold\n",
        ends.len(),
        frame.time,
        moment.header.scene,
        frame.state,
        over.key()
    );
    for group in (0..ends.len()).collect::<Vec<_>>().chunk_by(alike) {
        let [first, last] = [group[0], group[group.len() - 1]];
        let span = match first == last {
            true => digits(values[first]),
            false => format!("{} to {}", digits(values[first]), digits(values[last])),
        };
        text += &format!("  {span:<24} {}\n", kind(&ends[first]));
    }
    text
}

/// A number rounded to four digits; the table contains all digits.
fn digits(value: f64) -> String {
    let short: f64 = format!("{value:.3e}").parse().unwrap_or(value);
    short.to_string()
}

/// Text on how a future ended, equal for similar ends.
fn kind(end: &BranchEnd) -> String {
    match &end.fate {
        BranchFate::Held => "holds".into(),
        BranchFate::Failed { criterion: Some(criterion), .. } => format!("fails: {criterion}"),
        BranchFate::Failed { criterion: None, .. } => "falls".into(),
        BranchFate::Impossible { because } => format!("cannot be run: {because}"),
    }
}

fn curves(moment: &Moment<'_>, frame: &Frame, over: &Over, ends: &[BranchEnd]) -> Picture {
    let panel = |title: &str, unit, of: &dyn Fn(&BranchEnd) -> f64| CurvePanel {
        title: title.into(),
        unit,
        scale: None,
        from_zero: false,
        series: vec![ends.iter().map(of).collect()],
    };
    let from = frame.time;
    let mut panels = vec![
        panel("time until it ends", "s", &|end| end.time - from),
        panel("height of the centre of mass at the end", "m", &|end| end.com[2]),
        panel("x of the centre of mass at the end", "m", &|end| end.com[0]),
        panel("y of the centre of mass at the end", "m", &|end| end.com[1]),
    ];
    // If all have the same length, the subtitle states it.
    let lengths = panels[0].series.iter().flatten().copied();
    let [least, most] = lengths
        .fold([f64::INFINITY, 0.0], |[least, most], length: f64| [least.min(length), most.max(length)]);
    let is_constant = most - least < 0.5 * moment.header.dt;
    if is_constant {
        panels.remove(0);
    }
    let length = if is_constant { format!(" of {most:.2} s") } else { String::new() };
    Curves {
        title: format!("{} from {from:.3} s on", moment.header.title),
        subtitle: format!("{}; state `{}`; {} futures{length}", moment.header.scene, frame.state, ends.len()),
        key: over.key().to_string(),
        scale: if over.is_logarithmic() { Scale::Log } else { Scale::Linear },
        values: over.values().to_vec(),
        marked: branch::value_now(moment, over.key()),
        lines: Vec::new(),
        panels,
        passed: vec![ends.iter().map(BranchEnd::held).collect()],
    }
    .picture()
}

fn pushed(arguments: &Arguments, at: &JudgedMoment<'_>, body: &str) -> Result<BranchFindings, Failure> {
    let JudgedMoment { moment, frame, judged } = at;
    let directions = usize::from(arguments.directions);
    let progress = progress(directions, "directions", arguments.quiet);
    let margins = branch::push_margins(moment, body, directions, &|count| progress.inc(count as u64));
    progress.finish_and_clear();
    let margins = margins.map_err(refused)?;
    let mut notes = judged.notes();
    notes.extend(fails_anyway(moment)?);
    let number = |value: Option<f64>| value.map_or_else(String::new, |value| format!("{value:?}"));
    let row = |margin: &PushMargin| {
        vec![
            format!("{:?}", margin.direction),
            number(margin.answered_from),
            margin.answer.as_ref().map(said_of).unwrap_or_default(),
            number(margin.survived_to),
            margin.survives_all.to_string(),
            margin.fails.clone().unwrap_or_default(),
            number(margin.survives_again),
        ]
    };
    let head = [
        "direction_deg",
        "answered_from_n_s",
        "answer",
        "survived_to_n_s",
        "survives_all",
        "fails",
        "survives_again_n_s",
    ];
    Ok(BranchFindings {
        head: head.map(String::from).to_vec(),
        rows: margins.iter().map(row).collect(),
        picture: margin_picture(moment, frame, body, &margins),
        text: said_of_margins(moment, frame, body, &margins) + &said_of_notes(&notes),
        json: output::json(&BranchReport::of(*at, body, &notes, &margins))?,
    })
}

fn said_of(answer: &Answer) -> String {
    match answer {
        Answer::Slips { contact } => format!("{contact} slips"),
        Answer::GivesWay { row } => format!("gives way: {row}"),
        Answer::Changes { state } => format!("goes to `{state}`"),
    }
}

fn said_of_margins(moment: &Moment<'_>, frame: &Frame, body: &str, margins: &[PushMargin]) -> String {
    let mut text = format!(
        "Pushes of the {body} of `{}` at {:.3} s of `{}` (state `{}`), N s\n  \
         direction  survived to  then fails              answered at once from  by\n",
        moment.header.character, frame.time, moment.header.scene, frame.state
    );
    for margin in margins {
        let answered = margin.answered_from.map_or("never".into(), |impulse| format!("{impulse:.2}"));
        let survived = match (margin.survived_to, margin.survives_all) {
            (None, _) => "none".to_string(),
            (Some(all), true) => format!("{all:.1} or more"),
            (Some(survived), false) => format!("{survived:.1}"),
        };
        let again = margin.survives_again.map_or(String::new(), |again| format!(", holds at {again:.1}"));
        let fails = margin.fails.as_ref().map_or(String::new(), |fails| format!("{fails}{again}"));
        let answer = margin.answer.as_ref().map(said_of).unwrap_or_default();
        let direction = margin.direction;
        let line = format!("  {direction:>8.1}°  {survived:>11}  {fails:<22}  {answered:>21}  {answer}");
        text += &format!("{}\n", line.trim_end());
    }
    let least = |of: &dyn Fn(&PushMargin) -> Option<f64>| {
        let known = margins.iter().filter_map(|margin| Some((of(margin)?, margin.direction)));
        known.min_by(|a, b| a.0.total_cmp(&b.0))
    };
    for (words, least) in [
        ("answered from", least(&|margin| margin.answered_from)),
        ("survived to", least(&|margin| margin.survived_to.filter(|_| !margin.survives_all))),
    ] {
        if let Some((impulse, direction)) = least {
            text += &format!("least {words} {impulse:.1} N s, towards {direction:.0}°\n");
        }
    }
    if margins.iter().any(|margin| margin.survives_again.is_some()) {
        text += "\"holds at\": a stronger push is survived, so the smaller failure is not a limit\n";
    }
    text
}

fn margin_picture(moment: &Moment<'_>, frame: &Frame, body: &str, margins: &[PushMargin]) -> Picture {
    let header = moment.header;
    let height = header.com_height.max(1e-3);
    let directions: Vec<f64> = margins.iter().map(|margin| margin.direction).collect();
    let answered: Vec<Option<f64>> = margins.iter().map(|margin| margin.answered_from).collect();
    let survived: Vec<Option<f64>> = margins.iter().map(|margin| margin.survived_to.or(Some(0.0))).collect();
    Margins {
        title: format!("{}, pushed at {:.3} s", header.title, frame.time),
        subtitle: format!("{}; {body}; state `{}`; from above", header.scene, frame.state),
        support: &frame.support_polygon,
        capture_point: frame.capture_point,
        way: 1.0 / (header.mass * (STANDARD_GRAVITY / height).sqrt()),
        heading: heading(frame),
        directions: &directions,
        answered: &answered,
        survived: &survived,
        most: header.mass * (STANDARD_GRAVITY * height).sqrt(),
    }
    .picture()
}

/// Heading of the root, degrees; 0 if the root has no orientation coordinates.
fn heading(frame: &Frame) -> f64 {
    let [w, x, y, z] = match frame.q.get(3..7) {
        Some(&[w, x, y, z]) => [w, x, y, z],
        _ => return 0.0,
    };
    (2.0 * (w * z + x * y)).atan2(1.0 - 2.0 * (y * y + z * z)).to_degrees()
}

fn refused(error: BranchError) -> Failure {
    match error {
        BranchError::Rerun(RerunError::Load(LoadError::Mistakes(mistakes)) | RerunError::Bind(mistakes)) => {
            Failure::Mistakes(mistakes)
        }
        BranchError::Rerun(RerunError::Step(error)) | BranchError::Step(error) => error.into(),
        BranchError::Rerun(RerunError::Load(LoadError::NotFound(missing))) => Failure::NotFound(missing),
        BranchError::World(WorldError::UnknownName(unknown)) => {
            let names = || unknown.known.iter().map(String::as_str);
            let help = match nearest(&unknown.name, names()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("known: {}", unknown.known.join(", ")),
            };
            let message = format!("there is no {} `{}`", unknown.what, unknown.name);
            Failure::Usage { message, help: Some(help) }
        }
        other => Failure::usage(other.to_string()),
    }
}

fn progress(count: usize, what: &str, quiet: bool) -> ProgressBar {
    if quiet {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(count as u64);
    match ProgressStyle::with_template(&format!("{{wide_bar}}  {{pos}} of {{len}} {what}, {{elapsed}}")) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
