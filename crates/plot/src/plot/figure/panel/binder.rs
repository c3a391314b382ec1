//! Looks up the channels of a plot file in a trace.

use super::all;
use crate::plot::colour::{self, Colour};
use crate::plot::figure::layer::Series;
use aplomb_language::Spanned;
use aplomb_language::diagnostic::{FileError, FileErrors, Source};
use aplomb_trace::{Trace, channels};
use std::collections::BTreeMap;

/// A trace and the plot file that is drawn.
pub struct PanelBinder<'a> {
    /// Trace that is drawn.
    pub(crate) trace: &'a Trace,
    /// The plot file's text, for locations in messages.
    pub(crate) source: &'a Source,
    /// Names of all channels.
    names: Vec<String>,
}

impl<'a> PanelBinder<'a> {
    /// Binds the plot file `source` to `trace`.
    pub(crate) fn new(trace: &'a Trace, source: &'a Source) -> Self {
        let names = channels(&trace.header).into_iter().map(|channel| channel.name).collect();
        PanelBinder { trace, source, names }
    }

    /// The channels of the list with patterns resolved, each once.
    ///
    /// # Errors
    /// All names without `*` that are not channels.
    pub(super) fn chosen<'n>(&'n self, list: &'n [Spanned<String>]) -> Result<Vec<&'n str>, FileErrors> {
        let found = list.iter().map(|wanted| -> Result<Vec<&str>, FileError> {
            if is_pattern(wanted.get_ref()) {
                let names = self.names.iter().map(String::as_str);
                return Ok(names.filter(|name| matches(wanted.get_ref(), name)).collect());
            }
            Ok(vec![self.known(wanted)?])
        });
        let mut chosen: Vec<&str> = Vec::new();
        for name in all(found)?.into_iter().flatten() {
            if !chosen.contains(&name) {
                chosen.push(name);
            }
        }
        Ok(chosen)
    }

    pub(super) fn known<'n>(&self, name: &'n Spanned<String>) -> Result<&'n str, FileError> {
        if self.trace.channel(name.get_ref()).is_some() {
            return Ok(name.get_ref());
        }
        let message = format!("the trace has no channel `{}`", name.get_ref());
        Err(FileError::new(self.source, name.span(), message)
            .label("not a channel")
            .suggest(name.get_ref(), self.names.iter().map(String::as_str)))
    }

    pub(super) fn series(&self, name: &str) -> Series {
        let unit = self.trace.channel(name).map_or_else(|| "1".to_string(), |channel| channel.unit);
        let values = self.trace.series(name).unwrap_or_default();
        let values = values.into_iter().map(|value| value.unwrap_or(f64::NAN)).collect();
        Series { name: name.to_string(), unit, values }
    }

    /// The largest magnitude of a channel; 0 if the trace does not have it.
    pub(super) fn peak(&self, name: &str) -> f64 {
        let values = self.trace.series(name).unwrap_or_default().into_iter().flatten();
        values.filter(|value| value.is_finite()).map(f64::abs).fold(0.0, f64::max)
    }
}

/// Text of the legend for a channel: the label in the file, the name of an objective, the part that matches `*` in
/// the middle of the only pattern, or the channel's name.
pub(super) fn label(
    name: &str,
    channels: &[Spanned<String>],
    labels: &BTreeMap<Spanned<String>, String>,
) -> String {
    let given = labels.iter().find(|(key, _)| key.get_ref() == name).map(|(_, label)| label.clone());
    let objective = || name.strip_prefix("cost.").or_else(|| name.strip_prefix("weight."));
    let object = || match channels {
        [only] => {
            let (head, tail) = only.get_ref().split_once('*')?;
            let is_middle = head.ends_with('.') && tail.starts_with('.');
            name.strip_prefix(head)?.strip_suffix(tail).filter(|_| is_middle)
        }
        _ => None,
    };
    given.unwrap_or_else(|| objective().or_else(object).unwrap_or(name).to_string())
}

/// Colour of a channel, the same in all pictures.
pub(super) fn colour_of(channel: &str, index: usize) -> Colour {
    match channel.split('.').next() {
        Some("com") => colour::CENTRE_OF_MASS,
        Some("capture_point") => colour::CAPTURE_POINT,
        Some("cop") => colour::CENTRE_OF_PRESSURE,
        _ => colour::series(index),
    }
}

/// Checks that labels are of channels in the panel.
pub(super) fn labels_name_channels(
    source: &Source,
    channels: &[Spanned<String>],
    labels: &BTreeMap<Spanned<String>, String>,
) -> Result<(), FileError> {
    for name in labels.keys() {
        if !channels.iter().any(|channel| matches(channel.get_ref(), name.get_ref())) {
            let message = format!("the panel does not show `{}`", name.get_ref());
            let shown = channels.iter().map(|channel| channel.get_ref().as_str());
            return Err(FileError::new(source, name.span(), message)
                .label("a label for nothing")
                .suggest(name.get_ref(), shown));
        }
    }
    Ok(())
}

/// Whether `pattern` contains `*`.
pub(super) fn is_pattern(pattern: &str) -> bool {
    pattern.contains('*')
}

/// Whether `name` matches `pattern`, in which each `*` matches any number of characters.
pub(super) fn matches(pattern: &str, name: &str) -> bool {
    let Some((head, tail)) = pattern.split_once('*') else { return pattern == name };
    let Some(rest) = name.strip_prefix(head) else { return false };
    rest.char_indices().map(|(at, _)| at).chain([rest.len()]).any(|at| matches(tail, &rest[at..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_any_letters() {
        assert!(matches("cost.*", "cost.upright"));
        assert!(matches("*left*foot", "the_left_big_foot"));
        assert!(matches("a*", "a"));
        assert!(!matches("cost.*", "costs"));
        assert!(!matches("*.x", "com.xy"));
        assert!(matches("com.x", "com.x"));
        assert!(matches("*é", "ééé"));
    }
}
