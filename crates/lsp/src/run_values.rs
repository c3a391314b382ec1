//! Values of names and objectives in the last run.

use crate::last_run::{LastRun, Numbers};
use crate::lookup::NameMeaning;
use crate::names::{DefinedName, OwnKind};
use crate::subject::{SubjectKind, TextSubject};
use std::fmt::Write;

/// A sentence on the value in a run; `None` if the run has no value for it.
pub(crate) fn said(run: &LastRun, subject: &TextSubject, text: &str) -> Option<String> {
    let value = match &subject.what {
        SubjectKind::Name(NameMeaning::Own(own) | NameMeaning::Included(_, own)) => own_value(run, own),
        SubjectKind::Name(NameMeaning::Listed(word)) => quantity(run, &word.name, subject, text),
        SubjectKind::Objective => objective(run, &subject.name),
        _ => None,
    }?;
    Some(format!("In the last run, `{}` (to {:.2} s): {value}", run.folder, run.end))
}

fn own_value(run: &LastRun, own: &DefinedName) -> Option<String> {
    match own.kind {
        OwnKind::State => {
            let (entered, lasted) = run.states.get(&own.name).copied().unwrap_or_default();
            Some(match entered {
                0 => "never entered".into(),
                1 => format!("entered once, {lasted:.2} s"),
                _ => format!("entered {entered} times, {lasted:.2} s in all"),
            })
        }
        OwnKind::Binding | OwnKind::EachFrame => {
            let numbers = channel(run, &format!("bound.{}", own.name));
            numbers.or_else(|| run.bindings.get(&own.name).map(|value| format!("`{value}` at the end")))
        }
        OwnKind::Command => channel(run, &format!("command.{}", own.name)),
        _ => None,
    }
}

/// A quantity that the trace has under its own name, with the argument if it has one.
fn quantity(run: &LastRun, name: &str, subject: &TextSubject, text: &str) -> Option<String> {
    let after = text.get(subject.span.end..).unwrap_or_default();
    let argument =
        after.strip_prefix('(').and_then(|rest| rest.split_once(')')).map(|(inside, _)| inside.trim());
    let with_argument = argument.and_then(|argument| channel(run, &format!("{name}.{argument}")));
    with_argument.or_else(|| channel(run, name))
}

fn objective(run: &LastRun, name: &str) -> Option<String> {
    let mut sentence = String::new();
    for (what, channel) in [("weight", "weight"), ("cost", "cost"), ("distance from its target", "distance")]
    {
        if let Some(numbers) = run.numbers.get(&format!("{channel}.{name}")) {
            _ = write!(sentence, "\n* {what} {}", numbers_said(numbers));
        }
    }
    Some(sentence).filter(|sentence| !sentence.is_empty())
}

/// A channel, or its three components.
fn channel(run: &LastRun, name: &str) -> Option<String> {
    if let Some(numbers) = run.numbers.get(name) {
        return Some(numbers_said(numbers));
    }
    let axes = ["x", "y", "z"].map(|axis| Some((axis, run.numbers.get(&format!("{name}.{axis}"))?)));
    let lines: Vec<String> = axes
        .into_iter()
        .flatten()
        .map(|(axis, numbers)| format!("\n* {axis}: {}", numbers_said(numbers)))
        .collect();
    Some(lines.concat()).filter(|lines| !lines.is_empty())
}

fn numbers_said(numbers: &Numbers) -> String {
    let Numbers { last, least, most, unit, .. } = numbers;
    let unit = if unit.is_empty() || unit == "1" { String::new() } else { format!(" {unit}") };
    let number = |value: f64| {
        let rounded = format!("{value:.4}");
        let short = rounded.trim_end_matches('0').trim_end_matches('.');
        if short == "-0" { "0".to_owned() } else { short.replace('-', "−") }
    };
    format!("{}{unit} at the end, {} to {}", number(*last), number(*least), number(*most))
}
