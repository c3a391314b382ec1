//! Stacked channels.

use super::binder::{PanelBinder, labels_name_channels};
use super::named::{Chosen, NamedChannels};
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
    /// Most channels with a name and a colour, those with the largest values; the others are one grey area, or grey
    /// lines. Default: all are named.
    pub(crate) count: Option<Spanned<usize>>,
}

impl Stacked {
    fn named(&self) -> NamedChannels<'_> {
        let Stacked { channels, labels, count, .. } = self;
        NamedChannels { channels, count: count.as_ref(), ranked_by: None, labels }
    }
}

impl PanelKind for Stacked {
    fn check(&self, source: &Source) -> Result<(), FileError> {
        self.named().check(source)?;
        labels_name_channels(source, &self.channels, &self.labels)
    }

    fn bind(&self, binder: &PanelBinder<'_>) -> Result<PanelContent, FileErrors> {
        let Chosen { named, others } = self.named().choose(binder, &binder.chosen(&self.channels)?);
        let is_stacked = self.scale == Scale::Linear;
        let sum = (!is_stacked).then(|| sum(named.iter().map(|(series, _)| series).chain(&others))).flatten();
        let mut layers = Vec::new();
        if !others.is_empty() {
            layers.push(Layer::Others { series: others, is_stacked });
        }
        layers.extend(named.into_iter().enumerate().map(|(index, (series, label))| {
            let colour = colour::series(index);
            match is_stacked {
                true => Layer::Stack { series, label, colour },
                false => Layer::Line { series, label, colour, width: 2.0 },
            }
        }));
        layers.extend(sum.map(|series| {
            let label = series.name.clone();
            Layer::Line { series, label, colour: colour::INK, width: 2.6 }
        }));
        Ok(PanelContent::Time { layers, scale: self.scale, axis: None, from_zero: true })
    }
}

/// The sum of the series; `None` if there are none.
fn sum<'a>(series: impl Iterator<Item = &'a Series>) -> Option<Series> {
    let all: Vec<&Series> = series.collect();
    let first = all.first()?;
    let values = (0..first.values.len()).map(|k| all.iter().map(|part| part.values[k]).sum()).collect();
    Some(Series { name: "sum".into(), unit: first.unit.clone(), values })
}
