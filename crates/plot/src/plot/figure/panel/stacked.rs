//! Stacked channels.

use super::binder::{PanelBinder, label, labels_name_channels};
use super::{PanelContent, PanelKind};
use crate::plot::colour;
use crate::plot::figure::axis::Scale;
use crate::plot::figure::layer::{Layer, Series};
use aplomb_language::Spanned;
use aplomb_language::diagnostic::{FileError, FileErrors, Source};
use serde::Deserialize;
use std::collections::BTreeMap;

/// Stacked channels.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Stacked {
    /// Names of channels, from the bottom up; a name with `*` selects all that match.
    pub(crate) channels: Vec<Spanned<String>>,
    /// Text in the legend in place of the name, by channel.
    #[serde(default)]
    pub(crate) labels: BTreeMap<Spanned<String>, String>,
    /// How the axis is divided.
    #[serde(default)]
    pub(crate) scale: Scale,
}

impl PanelKind for Stacked {
    fn check(&self, source: &Source) -> Result<(), FileError> {
        labels_name_channels(source, &self.channels, &self.labels)
    }

    fn bind(&self, binder: &PanelBinder<'_>) -> Result<PanelContent, FileErrors> {
        let names = binder.chosen(&self.channels)?;
        let parts = names
            .into_iter()
            .enumerate()
            .map(|(index, name)| (binder.series(name), label(name, &self.labels), colour::series(index)));
        if self.scale == Scale::Linear {
            let layers =
                parts.map(|(series, label, colour)| Layer::Stack { series, label, colour }).collect();
            return Ok(PanelContent::Time { layers, scale: Scale::Linear, axis: None, from_zero: true });
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
        Ok(PanelContent::Time { layers, scale: self.scale, axis: None, from_zero: true })
    }
}
