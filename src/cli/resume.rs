//! Resuming an interrupted run: its records, and whether its files are unchanged; and keeping an interrupted
//! experiment.

use super::Failure;
use super::output::TRACE;
use crate::analysis::sweep::noted_rows;
use crate::trace::{self, Frame, Header, SourceText};
use serde_json::Value;
use std::path::Path;

/// Refuses to overwrite the rows of an interrupted experiment.
///
/// # Errors
/// If the journal has rows.
pub(crate) fn keep_interrupted(what: &str, folder: &Path, journal: &str) -> Result<(), Failure> {
    let path = folder.join(journal);
    let rows = match noted_rows(&path) {
        0 => return Ok(()),
        1 => "its 1 row".to_string(),
        rows => format!("its {rows} rows"),
    };
    let shown = folder.display();
    Err(Failure::Usage {
        message: format!(
            "an interrupted {what} is in {shown}: `--resume` continues it, `--out` names another folder"
        ),
        help: Some(format!("{rows} would be lost; without {} it begins anew", path.display())),
    })
}

/// The message of an interrupted experiment.
pub(crate) fn interrupted(done: usize, all: usize, what: &str) -> String {
    format!("interrupted after {done} of {all} {what}; the same command with `--resume` continues")
}

/// The records of an interrupted run of `header`; empty if there is nothing to resume.
///
/// # Errors
/// If the run is complete, or its files differ from those of `header`, with the difference.
pub(crate) fn records(folder: &Path, header: &Header) -> Result<Vec<Frame>, Failure> {
    let path = folder.join(TRACE);
    // A run that ended before its first frames were written has no records.
    if !path.exists() {
        return Ok(Vec::new());
    }
    let (mut trace, ending) = trace::read_ended(&path).map_err(|error| Failure::trace(&path, error))?;
    let shown = folder.display();
    if let Some(difference) = difference(&trace.header, header) {
        return Err(Failure::Usage {
            message: format!("{shown} contains the trace of another run: {difference}"),
            help: Some("give the same scene and the same `--set`, or another folder with `--out`".into()),
        });
    }
    match ending {
        Some(ending)
            if ending.stopped.as_ref().is_none_or(|stopped| stopped.by != trace::StoppedBy::Interrupt) =>
        {
            let why =
                ending.stopped.map(|stopped| format!(" (it ended at {} s: {})", stopped.at, stopped.reason));
            Err(Failure::Usage {
                message: format!("the run in {shown} is complete{}", why.unwrap_or_default()),
                help: Some("leave out `--resume` to run it again".into()),
            })
        }
        // The last record has no forces: its frame must still be solved.
        Some(_) => {
            trace.frames.pop();
            Ok(trace.frames)
        }
        None => Ok(trace.frames),
    }
}

/// The difference of two headers, as text.
fn difference(there: &Header, here: &Header) -> Option<String> {
    if there.version != here.version {
        return Some(format!("it was written by aplomb {}, this is {}", there.version, here.version));
    }
    if there.scene != here.scene {
        return Some(format!("it is of the scene `{}`", there.scene));
    }
    if there.overrides != here.overrides {
        let in_words = |sets: &[String]| {
            if sets.is_empty() { "without --set".into() } else { format!("with --set {}", sets.join(" ")) }
        };
        return Some(format!(
            "it was made {}, not {}",
            in_words(&there.overrides),
            in_words(&here.overrides)
        ));
    }
    let same = |one: &SourceText, other: &SourceText| one.kind == other.kind && one.name == other.name;
    if there.texts.len() != here.texts.len() || !there.texts.iter().zip(&here.texts).all(|(a, b)| same(a, b))
    {
        return Some("it was made from files of other names".into());
    }
    for (before, now) in there.texts.iter().zip(&here.texts) {
        if before.text != now.text {
            let lines = before.text.lines().zip(now.text.lines());
            let line = lines.take_while(|(before, now)| before == now).count() + 1;
            return Some(format!("{} `{}` was changed since, from line {line} on", now.kind, now.name));
        }
    }
    let [before, now] = [there, here].map(|header| serde_json::to_value(header).unwrap_or(Value::Null));
    let fields = now.as_object().into_iter().flatten();
    let mut changed = fields.filter(|(key, value)| before.get(key) != Some(value)).map(|(key, _)| key);
    changed.next().map(|key| format!("`{key}` of its header is not the same"))
}
