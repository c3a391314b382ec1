//! Objectives and constraints of any kind that controller files can name, from keyword arguments.

use crate::error;
use crate::toml::written;
use aplomb::constraint;
use aplomb::controller::{ConstraintEntry, ObjectiveEntry};
use aplomb::language::diagnostic::{FileErrors, Source};
use aplomb::language::files::{in_quotes, quoted};
use aplomb::objective::ObjectiveSpec;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Values in TOML by key.
pub type Keys = Vec<(String, String)>;

/// The given keys with their values; None stands for a key that is not given. A key that is a word of Python, such as
/// `from`, has `_` behind it.
fn keys(given: Option<&Bound<'_, PyDict>>) -> PyResult<Keys> {
    let mut keys = Keys::new();
    for (key, value) in given.iter().flat_map(|given| given.iter()) {
        let key: String = key.extract()?;
        if !value.is_none() {
            keys.push((key.strip_suffix('_').unwrap_or(&key).into(), written(&key, &value)?));
        }
    }
    Ok(keys)
}

fn table(keys: &[(String, String)]) -> String {
    let items: Vec<String> = keys.iter().map(|(key, value)| format!("{} = {value}", quoted(key))).collect();
    format!("{{ {} }}", items.join(", "))
}

/// A dict of names and descriptions.
fn described<'py>(
    py: Python<'py>,
    list: impl IntoIterator<Item = (&'static str, &'static str)>,
) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (name, about) in list {
        dict.set_item(name, about)?;
    }
    Ok(dict)
}

#[doc = include_str!("objectives.txt")]
#[pyclass(frozen, module = "aplomb")]
#[derive(Clone)]
pub struct Objective {
    kind: String,
    keys: Keys,
}

/// The keys around the kind of an objective, in TOML: name, weight, form.
pub struct Terms(pub Keys);

impl Terms {
    /// Adds a key, unless the value is None.
    pub fn add(&mut self, key: &str, value: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        if let Some(value) = value {
            self.0.push((key.into(), written(key, value)?));
        }
        Ok(())
    }
}

impl Objective {
    /// The objective as an entry of a controller file.
    pub fn source(&self, terms: &Terms) -> Source {
        let mut text: String = terms.0.iter().map(|(key, value)| format!("{key} = {value}\n")).collect();
        text += &format!("of = {{ {} = {} }}\n", self.kind, table(&self.keys));
        Source::new("", text)
    }

    /// The objective with other values of some keys.
    pub fn changed(&self, given: &Bound<'_, PyDict>) -> PyResult<Self> {
        let mut changed = self.clone();
        for (key, value) in given {
            let key: String = key.extract()?;
            let key = key.strip_suffix('_').unwrap_or(&key);
            changed.keys.retain(|(known, _)| known != key);
            if !value.is_none() {
                changed.keys.push((key.into(), written(key, &value)?));
            }
        }
        changed.check()?;
        Ok(changed)
    }

    /// # Errors
    /// An unknown kind, and keys and values that it does not have.
    fn check(&self) -> PyResult<()> {
        let kinds = || ObjectiveSpec::list().iter().map(|(name, _)| *name);
        if !kinds().any(|name| name == self.kind) {
            return Err(unknown("objective", &self.kind, kinds()));
        }
        let terms = Terms(vec![("name".into(), "\"objective\"".into()), ("weight".into(), "1".into())]);
        let read = ObjectiveEntry::parse(&self.source(&terms));
        read.map(|_| ()).map_err(|mistakes| value_error(&format!("Objective({:?})", self.kind), &mistakes))
    }
}

fn unknown(what: &str, kind: &str, known: impl Iterator<Item = &'static str>) -> PyErr {
    let known: Vec<&str> = known.collect();
    let meant = aplomb::language::diagnostic::nearest(kind, known.iter().copied());
    let help = meant
        .map_or_else(|| format!("known: {}", known.join(", ")), |name| format!("did you mean {name:?}?"));
    PyValueError::new_err(format!("there is no {what} of kind {kind:?}; {help}"))
}

/// The FileError of mistakes in keyword arguments, which have no file.
pub fn value_error(who: &str, mistakes: &FileErrors) -> PyErr {
    error::file_errors(mistakes, |mistake| {
        let help = mistake.help.as_ref().map_or_else(String::new, |help| format!("\nhelp: {help}"));
        format!("{who}: {}{help}", mistake.message)
    })
}

#[pymethods]
impl Objective {
    #[new]
    #[pyo3(signature = (kind, /, **keys))]
    fn new(kind: String, keys: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let objective = Objective { kind, keys: self::keys(keys)? };
        objective.check()?;
        Ok(objective)
    }

    /// Every kind, with a sentence about it.
    #[staticmethod]
    fn kinds(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
        described(py, ObjectiveSpec::list().iter().copied())
    }

    /// Its kind.
    #[getter]
    fn kind(&self) -> &str {
        &self.kind
    }

    fn __repr__(&self) -> String {
        repr("Objective", &self.kind, &self.keys)
    }
}

fn repr(class: &str, kind: &str, keys: &[(String, String)]) -> String {
    let keys: String = keys.iter().map(|(key, value)| format!(", {key}={value}")).collect();
    format!("{class}({kind:?}{keys})")
}

#[doc = include_str!("constraints.txt")]
#[pyclass(frozen, module = "aplomb")]
pub struct Constraint {
    kind: String,
    keys: Keys,
}

impl Constraint {
    /// Its kind, and the constraint with this name as an entry of a controller file.
    pub fn entry(&self, name: &str) -> (&str, Source) {
        let mut text = format!("name = {}\n", in_quotes(name));
        text.extend(self.keys.iter().map(|(key, value)| format!("{} = {value}\n", quoted(key))));
        (&self.kind, Source::new("", text))
    }
}

#[pymethods]
impl Constraint {
    #[new]
    #[pyo3(signature = (kind, /, **keys))]
    fn new(kind: String, keys: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        ConstraintEntry::check_kind(&kind).map_err(|wrong| PyValueError::new_err(wrong.to_string()))?;
        let made = Constraint { kind, keys: self::keys(keys)? };
        let (kind, source) = made.entry("constraint");
        match ConstraintEntry::parse(kind, &source) {
            Ok(_) => Ok(made),
            Err(mistakes) => Err(value_error(&format!("Constraint({kind:?})"), &mistakes)),
        }
    }

    /// Every kind, with a sentence about it. Kinds that are not in the description of the class hold for every
    /// character to which they apply, and cannot be added.
    #[staticmethod]
    fn kinds(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
        described(py, constraint::list())
    }

    /// Its kind.
    #[getter]
    fn kind(&self) -> &str {
        &self.kind
    }

    fn __repr__(&self) -> String {
        repr("Constraint", &self.kind, &self.keys)
    }
}
