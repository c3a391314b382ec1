//! Channels as lines.

use super::binder::{PanelBinder, colour_of, labels_name_channels};
use super::named::{Chosen, NamedChannels};
use super::{PanelContent, PanelKind, all, both};
use crate::plot::colour;
use crate::plot::figure::axis::Scale;
use crate::plot::figure::layer::Layer;
use aplomb_language::Spanned;
use aplomb_language::diagnostic::{FileError, FileErrors, Source};
use serde::Deserialize;
use std::collections::BTreeMap;

/// Channels as lines.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Lines {
    /// Names of channels; a name with `*` selects all that match, in the order of the trace.
    pub(crate) channels: Vec<Spanned<String>>,
    /// Text in the legend in place of the name, by channel.
    #[serde(default)]
    pub(crate) labels: BTreeMap<Spanned<String>, String>,
    /// How the axis is divided.
    #[serde(default)]
    pub(crate) scale: Scale,
    /// Bands between two channels, behind the lines.
    #[serde(default)]
    pub(crate) extents: Vec<Extent>,
    /// Most channels with a name and a colour, those with the largest values; the others are grey. Default: all are
    /// named.
    pub(crate) count: Option<Spanned<usize>>,
    /// With `count`, pattern of the channels whose values decide, such as `cost.*` for `weight.*`.
    pub(crate) ranked_by: Option<Spanned<String>>,
}

impl Lines {
    fn named(&self) -> NamedChannels<'_> {
        let Lines { channels, labels, count, ranked_by, .. } = self;
        NamedChannels { channels, count: count.as_ref(), ranked_by: ranked_by.as_ref(), labels }
    }
}

/// The band between two channels.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct Extent {
    /// Channel of its lower edge.
    pub(crate) low: Spanned<String>,
    /// Channel of its upper edge.
    pub(crate) high: Spanned<String>,
    /// Text in the legend.
    pub(crate) label: String,
}

impl PanelKind for Lines {
    fn check(&self, source: &Source) -> Result<(), FileError> {
        self.named().check(source)?;
        labels_name_channels(source, &self.channels, &self.labels)
    }

    fn bind(&self, binder: &PanelBinder<'_>) -> Result<PanelContent, FileErrors> {
        let extents = all(self.extents.iter().map(|extent| -> Result<Layer, FileErrors> {
            let edges = all([&extent.low, &extent.high].map(|edge| binder.known(edge)))?;
            let [low, high] = [0, 1].map(|edge| binder.series(edges[edge]));
            Ok(Layer::Extent { low, high, label: extent.label.clone(), colour: colour::SUPPORT })
        }));
        let (mut layers, chosen) = both(extents, binder.chosen(&self.channels))?;
        let Chosen { named, others } = self.named().choose(binder, &chosen);
        if !others.is_empty() {
            layers.push(Layer::Others { series: others, is_stacked: false });
        }
        layers.extend(named.into_iter().enumerate().map(|(index, (series, label))| {
            let colour = colour_of(&series.name, index);
            Layer::Line { series, label, colour, width: 2.2 }
        }));
        Ok(PanelContent::Time { layers, scale: self.scale, axis: None, from_zero: false })
    }
}
