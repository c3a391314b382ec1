//! The start of a search: the values in the files.

use super::problem::Problem;
use super::variable::Variable;
use aplomb_language::files::Override;
use aplomb_scene::{LoadError, Run, SceneFiles};

/// The source of the first value of a variable.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Begun {
    /// A file or an argument `--set`, within the bounds.
    Said,
    /// A file or an argument `--set`, beyond the bounds.
    Beyond(f64),
    /// The middle between the bounds, because the file contains no number.
    Middle,
}

/// The initial value of each variable: that of the first scene that contains one.
///
/// # Errors
/// If a scene does not accept a value of a variable; the error points into the variable's argument.
pub fn start(problem: &Problem) -> Result<Vec<(f64, Begun)>, LoadError> {
    let begun: Vec<(f64, Begun)> = problem.variables.iter().map(|variable| of(variable, problem)).collect();
    for (variable, (value, _)) in problem.variables.iter().zip(&begun) {
        for value in [*value, variable.low, variable.high] {
            for scene in &problem.scenes {
                let taken = scene.with(&[variable.set(value)]);
                let bound = taken.and_then(|files| Ok(Run::bind(&files).map(|_| ())?));
                bound.map_err(|error| match error {
                    LoadError::Mistakes(mistakes) => {
                        let blamed = mistakes.into_vec().into_iter().map(|mistake| variable.blamed(mistake));
                        LoadError::Mistakes(blamed.collect::<Vec<_>>().into())
                    }
                    other => other,
                })?;
            }
        }
    }
    Ok(begun)
}

fn of(variable: &Variable, problem: &Problem) -> (f64, Begun) {
    let given = problem.scenes.iter().find_map(|scene| said(variable, &scene.files));
    match given {
        Some(value) if (variable.low..=variable.high).contains(&value) => (value, Begun::Said),
        Some(value) => (value.clamp(variable.low, variable.high), Begun::Beyond(value)),
        None => (variable.value(0.5), Begun::Middle),
    }
}

/// The number in a scene: the last override, otherwise that of the file.
fn said(variable: &Variable, files: &SceneFiles) -> Option<f64> {
    let item = variable.item(0.0).ok()?;
    let set = files.overrides.iter().rev().filter_map(|argument| Override::parse(argument).ok());
    let mut set = set.filter(|other| other.is_of_same_value(&item));
    let number = |text: &str| text.replace('_', "").parse().ok().filter(|number: &f64| number.is_finite());
    match set.next() {
        Some(set) => number(set.value_text()),
        None => {
            let (file, span) = files.written(&item)?;
            number(file.text.get(span)?)
        }
    }
}
