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
    /// Remark after the label; only the label is shortened.
    pub remark: &'static str,
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
        remark: "",
    });
    let path = |path: &GroundPath| LegendEntry {
        sample: LegendSample::Line,
        colour: path.colour,
        label: path.label.clone(),
        remark: "",
    };
    map.paths.iter().map(path).chain(support).collect()
}

fn entries_over_time(panel: &TimePanel) -> Vec<LegendEntry> {
    let (stacks, mut lines): (Vec<&Layer>, Vec<&Layer>) =
        panel.layers.iter().partition(|layer| matches!(layer, Layer::Stack { .. }));
    lines.sort_by_key(|layer| match layer {
        Layer::Level { .. } => 2,
        Layer::Others { .. } => 1,
        _ => 0,
    });
    let all = stacks.into_iter().rev().chain(lines);
    let mut entries: Vec<LegendEntry> = all.filter_map(|layer| entry(layer, panel.scale)).collect();
    join_unseen(&mut entries);
    // One entry explains the dashes of all lines, or all levels with one name, for all colours.
    let dashes = panel.layers.iter().filter_map(|layer| match layer {
        Layer::Dashes { colour, .. } => Some(*colour),
        _ => None,
    });
    let is_mixed = differ(dashes);
    for entry in entries.iter_mut().filter(|entry| entry.sample == LegendSample::Dashes) {
        let levels: Vec<Colour> = levels(panel, &entry.label).collect();
        if differ(levels.iter().copied()) || levels.is_empty() && is_mixed {
            entry.colour = colour::SLATE;
        }
    }
    entries
}

/// Joins several entries without a line into one.
fn join_unseen(entries: &mut Vec<LegendEntry>) {
    let is_unseen = |entry: &LegendEntry| entry.remark == NO_LINE;
    let (count, all) = (entries.iter().filter(|entry| is_unseen(entry)).count(), entries.len());
    if count < 3 {
        return;
    }
    entries.retain(|entry| !is_unseen(entry));
    let label = if count == all { format!("all {count}") } else { format!("{count} more") };
    entries.push(LegendEntry { sample: LegendSample::Line, colour: colour::OTHERS, label, remark: NO_LINE });
}

/// Colours of the levels with a label.
fn levels<'a>(panel: &'a TimePanel, wanted: &'a str) -> impl Iterator<Item = Colour> + 'a {
    panel.layers.iter().filter_map(move |layer| match layer {
        Layer::Level { label: Some(label), colour, .. } if label == wanted => Some(*colour),
        _ => None,
    })
}

fn differ(mut colours: impl Iterator<Item = Colour>) -> bool {
    colours.next().is_some_and(|first| colours.any(|colour| colour != first))
}

fn entry(layer: &Layer, scale: Scale) -> Option<LegendEntry> {
    let (sample, colour, label) = match layer {
        Layer::Line { label, colour, .. } => (LegendSample::Line, *colour, label),
        Layer::Stack { label, colour, .. } => (LegendSample::Area, colour.lightened(0.12), label),
        Layer::Others { series, is_stacked } => {
            let sample = if *is_stacked { LegendSample::Area } else { LegendSample::Line };
            let label = format!("{} others", series.len());
            return Some(LegendEntry { sample, colour: colour::OTHERS, label, remark: "" });
        }
        Layer::Extent { label, colour, .. } => (LegendSample::Area, colour.faded(0.3), label),
        Layer::Dashes { label, colour, .. } => (LegendSample::Dashes, *colour, label.as_ref()?),
        Layer::Level { label, colour, .. } => (LegendSample::Dashes, *colour, label.as_ref()?),
    };
    Some(LegendEntry { sample, colour, label: label.clone(), remark: unseen(layer, scale) })
}

/// Remark on a line of zeros on a logarithmic axis.
const NO_LINE: &str = " (0: no line)";

/// Reason for which a line is invisible; empty for a visible one.
fn unseen(layer: &Layer, scale: Scale) -> &'static str {
    let Layer::Line { series, .. } = layer else { return "" };
    let known = || series.values.iter().filter(|value| value.is_finite());
    match (known().next(), scale) {
        (None, _) => " (no values)",
        (_, Scale::Log) if known().all(|value| *value <= 0.0) => NO_LINE,
        _ => "",
    }
}

/// Least distance between two lines, px.
const LINE: f64 = 18.0;

/// Height with room for every entry, px.
pub(super) fn height(entries: &[LegendEntry]) -> f64 {
    entries.len() as f64 * LINE
}

/// Draws as many entries as fit, in a smaller font if there are many, and writes how many are omitted.
pub(super) fn draw(picture: &mut Picture, area: &Rectangle, entries: &[LegendEntry]) {
    let count = entries.len().max(1) as f64;
    let line = (area.height() / count).clamp(LINE, 25.0);
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
        let limit = area.right - to[0] - 9.0 - font::width(entry.remark, size);
        let label = font::shortened(&entry.label, size, limit) + entry.remark;
        picture.text([to[0] + 9.0, y + 0.35 * size], label, size, TextAnchor::Start, colour::INK);
    }
    if shown < entries.len() {
        let y = area.top + (shown as f64 + 0.5) * line;
        let label = format!("and {} more: all are in the CSV", entries.len() - shown);
        picture.text([area.left + 37.0, y + 0.35 * size], label, size, TextAnchor::Start, colour::SLATE);
    }
}
