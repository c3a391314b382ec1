//! Whether the scene accepts the drawn values: the paths of draws and the kinds of their values.

use super::SceneValue;
use super::amount::Amount;
use super::spec::{DrawSpec, TrialsSpec};
use aplomb_language::Spanned;
use aplomb_language::diagnostic::{FileError, Source};
use aplomb_language::files::Override;

/// Tries each draw at its ends: `attempt` returns the mistakes of a scene with this value that it does not have
/// without it.
pub(crate) fn mistakes(
    spec: &TrialsSpec,
    source: &Source,
    mut attempt: impl FnMut(Override) -> Vec<FileError>,
) -> Vec<FileError> {
    let mut found: Vec<FileError> = Vec::new();
    let mut known: Vec<(&Spanned<String>, Override)> = Vec::new();
    for (key, draw) in &spec.draw {
        let at = |mistake: FileError| placed(mistake, source, key, draw);
        let item = match read(key.get_ref(), "0") {
            Ok(item) => item,
            Err(mistake) => {
                found.push(at(mistake));
                continue;
            }
        };
        if key.get_ref().split('.').next().is_some_and(|first| first.trim() == "trials") {
            found.push(FileError::new(source, key.span(), "a draw cannot change `[trials]` itself"));
            continue;
        }
        if let Some((other, _)) = known.iter().find(|(_, other)| other.is_of_same_value(&item)) {
            let message = format!("this is the same value as `{}`, which is drawn as well", other.get_ref());
            found.push(FileError::new(source, key.span(), message));
            continue;
        }
        known.push((key, item));
        let (_, origin) = spec.origin(key.get_ref(), draw);
        let wrong =
            ends(origin).into_iter().find_map(|value| match read(key.get_ref(), &value.to_string()) {
                Ok(item) => attempt(item).into_iter().next(),
                Err(mistake) => Some(mistake),
            });
        found.extend(wrong.map(at));
    }
    found
}

/// Mistakes at the start of a scene with a value at an end of its draw: `attempt` returns them for
/// `PATH=VALUE`, without those that occur in any case. Findings of a rule are warnings, not mistakes.
pub fn at_ends(
    spec: &TrialsSpec,
    source: &Source,
    mut attempt: impl FnMut(String) -> Vec<FileError>,
) -> Vec<FileError> {
    let mut found: Vec<FileError> = Vec::new();
    for (key, draw) in &spec.draw {
        let (_, origin) = spec.origin(key.get_ref(), draw);
        let wrong = ends(origin)
            .into_iter()
            .find_map(|value| attempt(format!("{}={value}", key.get_ref())).into_iter().next());
        found.extend(wrong.map(|wrong| match wrong.rule {
            None => placed(wrong, source, key, draw),
            Some(rule) => {
                let span = span_of(draw).unwrap_or_else(|| key.span());
                let message = format!("at a bound of this draw, {}", wrong.message);
                FileError::new(source, span, message).rule(rule)
            }
        }));
    }
    found
}

fn read(key: &str, value: &str) -> Result<Override, FileError> {
    Override::parse(&format!("{key}={value}"))
}

/// Values that a draw may give, including its smallest and largest.
fn ends(draw: &DrawSpec) -> Vec<SceneValue> {
    match draw {
        DrawSpec::Uniform(range) | DrawSpec::LogUniform(range) => {
            range.get_ref().map(SceneValue::Number).into()
        }
        DrawSpec::Integer(range) => range.get_ref().map(SceneValue::Integer).into(),
        DrawSpec::Normal(normal) => {
            let ends = [Some(&normal.mean), normal.low.as_ref(), normal.high.as_ref()];
            ends.into_iter().flatten().map(|end| SceneValue::Number(*end.get_ref())).collect()
        }
        DrawSpec::Choice(choices) => choices.get_ref().clone(),
        DrawSpec::Direction(direction) => {
            let length = match &direction.length {
                Amount::Fixed(length) => *length,
                drawn @ Amount::Drawn(_) => drawn.example(),
            };
            vec![SceneValue::Vector(vec![length, 0.0, 0.0])]
        }
        DrawSpec::SameAs(_) => Vec::new(),
    }
}

/// A mistake in `KEY=VALUE`, located at the draw of that value.
fn placed(mistake: FileError, source: &Source, key: &Spanned<String>, draw: &DrawSpec) -> FileError {
    let text = key.get_ref();
    let in_key = mistake.span.start < text.len() || &*mistake.file != "--set";
    let span = match in_key {
        true => key.span(),
        false => span_of(draw).unwrap_or_else(|| key.span()),
    };
    let mut made = FileError::new(source, span, format!("`{text}` cannot be drawn: {}", mistake.message));
    let (of, element) = text.rsplit_once('.').unwrap_or(("", text));
    let is_element = !of.is_empty() && element.trim().parse::<usize>().is_ok();
    made.help = mistake.help.or_else(|| {
        let help = || format!("`{of}` has to be written in the scene for its elements to be drawn");
        is_element.then(help)
    });
    made
}

fn span_of(draw: &DrawSpec) -> Option<std::ops::Range<usize>> {
    match draw {
        DrawSpec::Uniform(range) | DrawSpec::LogUniform(range) => Some(range.span()),
        DrawSpec::Integer(range) => Some(range.span()),
        DrawSpec::Normal(normal) => Some(normal.mean.span()),
        DrawSpec::Choice(choices) => Some(choices.span()),
        DrawSpec::SameAs(other) => Some(other.span()),
        DrawSpec::Direction(_) => None,
    }
}
