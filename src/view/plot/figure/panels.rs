//! Panels of a plot file bound to the channels of a trace.

use super::Scale;
use super::groups;
use super::layer::{Bound, Layer, Series, TimePanel};
use super::map;
use super::pattern::{is_pattern, matches};
use super::spec::{Content, Figure, Lines, Panel, PlotSpec, Stacked};
use crate::language::Spanned;
use crate::language::diagnostic::{FileError, Source};
use crate::trace::{Trace, channels};
use crate::view::plot::colour::{self, Colour};
use std::collections::BTreeMap;

/// Looks every channel, body and coordinate of the plot up in the trace.
///
/// # Errors
/// Names the trace does not have. Patterns may match nothing: files serve many characters.
pub fn bind(trace: &Trace, plot: &PlotSpec) -> Result<Vec<Bound>, FileError> {
    let Figure { panels, .. } = &plot.figure;
    let names: Vec<String> = channels(&trace.header).into_iter().map(|channel| channel.name).collect();
    let binder = Binder { trace, source: &plot.source, names };
    panels.iter().map(|panel| binder.panel(panel)).collect()
}

struct Binder<'a> {
    trace: &'a Trace,
    source: &'a Source,
    /// Of all channels.
    names: Vec<String>,
}

impl Binder<'_> {
    fn panel(&self, panel: &Panel) -> Result<Bound, FileError> {
        let (layers, scale, default_axis, from_zero) = match &panel.of {
            Content::Lines(lines) => (self.lines(lines)?, lines.scale, None, false),
            Content::Stacked(stacked) => (self.stacked(stacked)?, stacked.scale, None, true),
            Content::ContactForce(grouped) => {
                let layers = groups::contact_force(self.trace, self.source, grouped)?;
                (layers, Scale::Linear, Some("normal contact force"), true)
            }
            Content::FrictionUse(grouped) => {
                let layers = groups::friction_use(self.trace, self.source, grouped)?;
                (layers, Scale::Linear, Some("friction use"), true)
            }
            Content::TorqueUse(grouped) => {
                let layers = groups::torque_use(self.trace, self.source, grouped)?;
                (layers, Scale::Linear, Some("largest torque / limit"), true)
            }
            Content::Torques(torques) => {
                let layers = groups::torques(self.trace, self.source, torques)?;
                (layers, Scale::Linear, Some("torque"), false)
            }
            Content::SupportMap(_) => return Ok(Bound::Map(map::bind(self.trace, panel.title.clone()))),
        };
        let label = panel.label.as_deref().or(default_axis);
        Ok(Bound::Time(TimePanel {
            title: panel.title.clone(),
            axis: axis_text(label, &layers),
            scale,
            from_zero: from_zero && scale == Scale::Linear,
            height: panel.height.as_ref().map_or(1.0, |height| *height.get_ref()),
            note: layers.iter().all(|layer| layer.series().is_empty()).then(|| "nothing to show".to_string()),
            layers,
        }))
    }

    fn lines(&self, lines: &Lines) -> Result<Vec<Layer>, FileError> {
        let mut layers = Vec::new();
        for extent in &lines.extents {
            layers.push(Layer::Extent {
                low: self.series(self.known(&extent.low)?),
                high: self.series(self.known(&extent.high)?),
                label: extent.label.clone(),
                colour: colour::SUPPORT,
            });
        }
        for (index, name) in self.chosen(&lines.channels)?.into_iter().enumerate() {
            layers.push(Layer::Line {
                series: self.series(name),
                label: label(name, &lines.labels),
                colour: colour_of(name, index),
                width: 2.2,
            });
        }
        Ok(layers)
    }

    fn stacked(&self, stacked: &Stacked) -> Result<Vec<Layer>, FileError> {
        let names = self.chosen(&stacked.channels)?;
        let parts = names
            .into_iter()
            .enumerate()
            .map(|(index, name)| (self.series(name), label(name, &stacked.labels), colour::series(index)));
        if stacked.scale == Scale::Linear {
            return Ok(parts.map(|(series, label, colour)| Layer::Stack { series, label, colour }).collect());
        }
        let mut layers: Vec<Layer> =
            parts.map(|(series, label, colour)| Layer::Line { series, label, colour, width: 2.0 }).collect();
        let all: Vec<&Series> = layers.iter().flat_map(Layer::series).collect();
        if let Some(first) = all.first() {
            let values =
                (0..first.values.len()).map(|k| all.iter().map(|part| part.values[k]).sum()).collect();
            let series = Series { name: "sum".into(), unit: first.unit.clone(), values };
            layers.push(Layer::Line { series, label: "sum".into(), colour: colour::INK, width: 2.6 });
        }
        Ok(layers)
    }

    /// The channels the list stands for, each once.
    fn chosen<'n>(&'n self, list: &'n [Spanned<String>]) -> Result<Vec<&'n str>, FileError> {
        let mut chosen: Vec<&str> = Vec::new();
        for wanted in list {
            let found: Vec<&str> = if is_pattern(wanted.get_ref()) {
                self.names.iter().map(String::as_str).filter(|name| matches(wanted.get_ref(), name)).collect()
            } else {
                vec![self.known(wanted)?]
            };
            for name in found {
                if !chosen.contains(&name) {
                    chosen.push(name);
                }
            }
        }
        Ok(chosen)
    }

    fn known<'n>(&self, name: &'n Spanned<String>) -> Result<&'n str, FileError> {
        if self.names.iter().any(|known| known == name.get_ref()) {
            return Ok(name.get_ref());
        }
        let message = format!("the trace has no channel `{}`", name.get_ref());
        Err(FileError::new(self.source, name.span(), message)
            .label("not a channel")
            .suggest(name.get_ref(), self.names.iter().map(String::as_str)))
    }

    fn series(&self, name: &str) -> Series {
        let unit = self.trace.channel(name).map_or_else(|| "1".to_string(), |channel| channel.unit);
        let values = self.trace.series(name).unwrap_or_default();
        let values = values.into_iter().map(|value| value.unwrap_or(f64::NAN)).collect();
        Series { name: name.to_string(), unit, values }
    }
}

fn label(name: &str, labels: &BTreeMap<Spanned<String>, String>) -> String {
    let given = labels.iter().find(|(key, _)| key.get_ref() == name).map(|(_, label)| label.clone());
    given.unwrap_or_else(|| name.strip_prefix("cost.").unwrap_or(name).to_string())
}

/// The same point has the same colour in every picture.
fn colour_of(channel: &str, index: usize) -> Colour {
    match channel.split('.').next() {
        Some("com") => colour::CENTRE_OF_MASS,
        Some("capture_point") => colour::CAPTURE_POINT,
        Some("cop") => colour::CENTRE_OF_PRESSURE,
        _ => colour::series(index),
    }
}

/// Quantity and unit; several units are listed.
fn axis_text(label: Option<&str>, layers: &[Layer]) -> String {
    let mut units: Vec<&str> = Vec::new();
    for series in layers.iter().flat_map(Layer::series) {
        if series.unit != "1" && !units.contains(&series.unit.as_str()) {
            units.push(&series.unit);
        }
    }
    let units = units.join(" or ");
    match (label, units.is_empty()) {
        (Some(label), false) => format!("{label}, {units}"),
        (Some(label), true) => format!("{label} (no unit)"),
        (None, false) => units,
        (None, true) => "no unit".to_string(),
    }
}
