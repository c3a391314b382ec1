//! Legends: the colour of each entry, outside of the data.

use super::axis::Scale;
use super::layer::{BoundPanel, GroundPath, Layer, MapPanel, TimePanel};
use crate::plot::colour::{self, Colour};
use crate::plot::font;
use crate::plot::picture::{Picture, Rectangle, TextAnchor};

/// Sample of the style in front of an entry's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LegendSample {
    Line,
    Dashes,
    Area,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct LegendEntry {
    pub sample: LegendSample,
    pub colour: Colour,
    pub label: String,
}

/// The entries of some panels, each once; stacks from the top.
pub(super) fn entries<'a>(panels: impl IntoIterator<Item = &'a BoundPanel>) -> Vec<LegendEntry> {
    let mut entries: Vec<LegendEntry> = Vec::new();
    for panel in panels {
        let own = match panel {
            BoundPanel::Map(map) => entries_of_map(map),
            BoundPanel::Time(panel) => entries_over_time(panel),
        };
        for entry in own {
            if !entries.iter().any(|known| known.label == entry.label) {
                entries.push(entry);
            }
        }
    }
    entries
}

fn entries_of_map(map: &MapPanel) -> Vec<LegendEntry> {
    let support = (!map.supports.is_empty()).then(|| LegendEntry {
        sample: LegendSample::Area,
        colour: colour::SUPPORT.faded(0.3),
        label: "support polygon".into(),
    });
    let path = |path: &GroundPath| LegendEntry {
        sample: LegendSample::Line,
        colour: path.colour,
        label: path.label.clone(),
    };
    map.paths.iter().map(path).chain(support).collect()
}

fn entries_over_time(panel: &TimePanel) -> Vec<LegendEntry> {
    let stacks = panel.layers.iter().rev().filter(|layer| matches!(layer, Layer::Stack { .. }));
    let others = panel.layers.iter().filter(|layer| !matches!(layer, Layer::Stack { .. }));
    let mut entries: Vec<LegendEntry> =
        stacks.chain(others).filter_map(|layer| entry(layer, panel.scale)).collect();
    // One entry explains the dashes of all lines, for all colours.
    let dashes = || {
        panel.layers.iter().filter_map(|layer| match layer {
            Layer::Dashes { colour, .. } => Some(*colour),
            _ => None,
        })
    };
    if dashes().any(|colour| Some(colour) != dashes().next()) {
        let is_dashes = |entry: &&mut LegendEntry| entry.sample == LegendSample::Dashes;
        let is_level = |entry: &LegendEntry| {
            panel.layers.iter().any(
                |layer| matches!(layer, Layer::Level { label: Some(label), .. } if *label == entry.label),
            )
        };
        for entry in entries.iter_mut().filter(is_dashes).filter(|entry| !is_level(entry)) {
            entry.colour = colour::SLATE;
        }
    }
    entries
}

fn entry(layer: &Layer, scale: Scale) -> Option<LegendEntry> {
    let (sample, colour, label) = match layer {
        Layer::Line { label, colour, .. } => (LegendSample::Line, *colour, label),
        Layer::Stack { label, colour, .. } => (LegendSample::Area, colour.lightened(0.12), label),
        Layer::Extent { label, colour, .. } => (LegendSample::Area, colour.faded(0.3), label),
        Layer::Dashes { label, colour, .. } => (LegendSample::Dashes, *colour, label.as_ref()?),
        Layer::Level { label, colour, .. } => (LegendSample::Dashes, *colour, label.as_ref()?),
    };
    Some(LegendEntry { sample, colour, label: format!("{label}{}", unseen(layer, scale)) })
}

/// Why a line is not to be seen; empty for one that is.
fn unseen(layer: &Layer, scale: Scale) -> &'static str {
    let Layer::Line { series, .. } = layer else { return "" };
    let known = || series.values.iter().filter(|value| value.is_finite());
    match (known().next(), scale) {
        (None, _) => " (no values)",
        (_, Scale::Log) if known().all(|value| *value <= 0.0) => " (0: no line)",
        _ => "",
    }
}

/// Draws as many entries as fit, in a smaller font if there are many, and writes how many are omitted.
pub(super) fn draw(picture: &mut Picture, area: &Rectangle, entries: &[LegendEntry]) {
    let count = entries.len().max(1) as f64;
    let line = (area.height() / count).clamp(18.0, 25.0);
    let size = if line < 21.0 { 14.0 } else { 16.0 };
    let room = (area.height() / line + 1e-9).floor().max(1.0) as usize;
    let shown = if entries.len() <= room { entries.len() } else { room - 1 };
    for (index, entry) in entries.iter().take(shown).enumerate() {
        let y = area.top + (index as f64 + 0.5) * line;
        let [from, to] = [[area.left, y], [area.left + 28.0, y]];
        match entry.sample {
            LegendSample::Line => picture.stroke(vec![from, to], 3.0, entry.colour),
            LegendSample::Dashes => picture.dashed(&[from, to], [8.0, 4.0], 2.0, entry.colour),
            LegendSample::Area => {
                let box_ = Rectangle { left: from[0], right: to[0], top: y - 7.0, bottom: y + 7.0 };
                picture.rectangle(&box_, entry.colour);
            }
        }
        let label = font::shortened(&entry.label, size, area.right - to[0] - 9.0);
        picture.text([to[0] + 9.0, y + 0.35 * size], label, size, TextAnchor::Start, colour::INK);
    }
    if shown < entries.len() {
        let y = area.top + (shown as f64 + 0.5) * line;
        let label = format!("and {} more, in the CSV", entries.len() - shown);
        picture.text([area.left + 37.0, y + 0.35 * size], label, size, TextAnchor::Start, colour::SLATE);
    }
}
