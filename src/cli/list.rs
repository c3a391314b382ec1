//! `aplomb list`: shipped files and the names that files may use, from the registries.

mod model;
mod words;

use super::{Done, Failure, fit, output, plot};
use crate::analysis::lint;
use crate::constraint;
use crate::controller::{OF_MACHINE, quantity};
use crate::language::expression::{list_folds, list_functions, list_sets};
use crate::language::files::{self, Folder};
use crate::objective::ObjectiveSpec;
use crate::passive::PassiveSpec;
use crate::qp::solver;
use crate::scene;
use crate::trace;
use clap::ValueEnum;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// List what ships with the program and what files may name.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// What to list [default: what can be listed]
    what: Option<ListedKind>,
    /// Body whose bodies, joints and sites are listed
    #[arg(long, value_name = "FILE", default_value = "adult")]
    model: String,
    /// Run whose channels are listed: its folder, or a trace
    #[arg(long, value_name = "RUN")]
    run: Option<PathBuf>,
    /// Print a JSON array of {name, about, …} objects
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
Examples:
  aplomb list                             what can be listed
  aplomb list scenes
  aplomb list quantities --json
  aplomb list functions
  aplomb list joints --model child
  aplomb list channels --run runs/stand";

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum ListedKind {
    /// What a controller can ask of the next frame (`of = { … }`)
    Objectives,
    /// What every frame satisfies
    Constraints,
    /// Quantities that are true or false
    Conditions,
    /// Numbers and vectors that expressions may use
    Quantities,
    /// Functions that expressions may call, with their formulas, and the sets that they may go through
    Functions,
    /// QP solvers (`solver = …`, --solver)
    Solvers,
    /// What can happen to a character (`[events.NAME]`)
    Events,
    /// Kinds of passive objects (`[passive.NAME]`, `kind = …`)
    Passive,
    /// Bodies of a character (`--model`)
    Bodies,
    /// Joints of a character: kinds, ranges, torque limits, axes and what a positive rate does
    Joints,
    /// Sites of a character, which hold, stand and touch, with their places
    Sites,
    /// What `check` warns of, by name (`aplomb explain RULE`, `allow = ["RULE"]`)
    Rules,
    /// Channels of a run (`--run`), for `compare` and plots
    Channels,
    /// Shipped scenes
    Scenes,
    /// Shipped controllers
    Controllers,
    /// Shipped bodies
    Characters,
    /// Shipped passive objects
    Objects,
    /// Shipped plots
    Plots,
}

/// One line of a list.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct ListEntry {
    name: String,
    /// Description in one sentence.
    about: String,
    /// Form of a quantity with arguments.
    #[serde(skip_serializing_if = "Option::is_none")]
    written: Option<String>,
    /// Unit of a quantity, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    unit: Option<String>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Done, Failure> {
    let items = items(arguments)?;
    if arguments.json {
        output::print_json(&items)?;
    } else {
        output::print(&columns(&items, fit::width_of_output()))?;
    }
    Ok(Done::Well)
}

fn items(arguments: &Arguments) -> Result<Vec<ListEntry>, Failure> {
    let Some(what) = arguments.what else { return Ok(lists()) };
    Ok(match what {
        ListedKind::Bodies => model::bodies(&model::read(&arguments.model)?),
        ListedKind::Joints => model::joints(&model::read(&arguments.model)?),
        ListedKind::Sites => model::sites(&model::read(&arguments.model)?),
        ListedKind::Objectives => pairs(ObjectiveSpec::list()),
        ListedKind::Constraints => pairs(&constraint::list()),
        ListedKind::Conditions => quantities(true),
        ListedKind::Quantities => quantities(false),
        ListedKind::Functions => functions(),
        ListedKind::Solvers => pairs(solver::list()),
        ListedKind::Events => pairs(&scene::list_events()),
        ListedKind::Passive => pairs(PassiveSpec::list()),
        ListedKind::Rules => lint::rules().map(|rule| item(rule.name, rule.about)).collect(),
        ListedKind::Channels => channels(arguments.run.as_deref())?,
        ListedKind::Scenes => shipped(Folder::Scenes),
        ListedKind::Controllers => shipped(Folder::Controllers),
        ListedKind::Characters => shipped(Folder::Characters),
        ListedKind::Objects => shipped(Folder::Passive),
        ListedKind::Plots => shipped(Folder::Plots),
    })
}

/// The list of lists, with descriptions of their contents.
fn lists() -> Vec<ListEntry> {
    let values = ListedKind::value_variants().iter().filter_map(ValueEnum::to_possible_value);
    values
        .map(|value| {
            let about = value.get_help().map(ToString::to_string).unwrap_or_default();
            item(value.get_name(), &about)
        })
        .collect()
}

fn channels(run: Option<&Path>) -> Result<Vec<ListEntry>, Failure> {
    let run = run.ok_or_else(|| Failure::usage("channels are of a run: name its folder with --run"))?;
    let (trace, _) = plot::open(run)?;
    let of_run = |channel: &trace::Channel| trace.header.has_character() || !channel.is_of_character();
    let channels = trace::channels(&trace.header).into_iter().filter(of_run);
    Ok(channels
        .map(|channel| ListEntry { unit: Some(channel.unit), ..item(&channel.name, &channel.doc) })
        .collect())
}

fn item(name: &str, about: &str) -> ListEntry {
    ListEntry { name: name.into(), about: about.trim().into(), written: None, unit: None }
}

fn pairs(list: &[(&str, &str)]) -> Vec<ListEntry> {
    list.iter().map(|(name, about)| item(name, about)).collect()
}

fn quantities(conditions: bool) -> Vec<ListEntry> {
    let list = quantity::list().into_iter().filter(|quantity| quantity.is_condition() == conditions);
    let of_frame = list.map(|quantity| ListEntry {
        written: Some(quantity.signature()).filter(|written| written != quantity.name),
        unit: Some(quantity.unit.to_string()).filter(|unit| !unit.is_empty()),
        ..item(quantity.name, quantity.about)
    });
    let of_machine = OF_MACHINE.iter().filter(|_| !conditions).map(|(name, written, about)| ListEntry {
        written: Some(written.to_string()).filter(|written| written != name),
        ..item(name, &format!("{about} In controllers, and in criteria and events of scenes."))
    });
    of_frame.chain(of_machine).collect()
}

fn functions() -> Vec<ListEntry> {
    let function = |(name, usage, formula): (&str, &str, &str)| ListEntry {
        written: Some(usage.to_string()).filter(|usage| usage != name),
        ..item(name, formula)
    };
    let of_numbers = list_functions().map(function);
    of_numbers
        .chain(list_folds().map(function))
        .chain(list_sets().map(|(name, about)| item(name, about)))
        .collect()
}

fn shipped(folder: Folder) -> Vec<ListEntry> {
    let about = |name: &String| {
        let text = files::find(folder, name, None).map(|found| found.source.text);
        text.map_or(String::new(), |text| title(folder, &text))
    };
    files::shipped(folder).iter().map(|name| item(name, &about(name))).collect()
}

/// The `title` of a file; for a model, the first sentence of its first comment.
fn title(folder: Folder, text: &str) -> String {
    if matches!(folder, Folder::Characters | Folder::Passive) {
        let comment = text.split("<!--").nth(1).and_then(|rest| rest.split("-->").next()).unwrap_or("");
        let words: Vec<&str> = comment.split_whitespace().collect();
        let words = words.join(" ");
        return words.split_once(". ").map_or(words.clone(), |(first, _)| format!("{first}."));
    }
    let table: Option<toml::Table> = text.parse().ok();
    table.and_then(|table| Some(table.get("title")?.as_str()?.to_string())).unwrap_or_default()
}

/// Two columns, the second one folded to the width.
fn columns(items: &[ListEntry], columns: Option<usize>) -> String {
    let head = |item: &ListEntry| item.written.as_ref().unwrap_or(&item.name).clone();
    let width = items.iter().map(|item| head(item).chars().count()).max().unwrap_or(0);
    let line = |item: &ListEntry| {
        let unit = item.unit.as_ref().map_or(String::new(), |unit| format!(" [{unit}]"));
        format!("{}{unit}", format_args!("{:width$}  {}", head(item), item.about)).trim_end().to_string()
            + "\n"
    };
    let text: String = items.iter().map(line).collect();
    // After a long name, half of the width remains for the text.
    let indent = columns.map_or(0, |columns| (width + 2).min(columns / 2));
    fit::fitted(&text, columns, indent)
}
