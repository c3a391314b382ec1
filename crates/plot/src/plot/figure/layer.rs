//! What a panel shows: named series with the way each is drawn.

use super::axis::Scale;
use crate::plot::colour::Colour;

/// One value a frame; NaN where there is none.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// The channel's name, or what was summed up.
    pub name: String,
    pub unit: String,
    pub values: Vec<f64>,
}

/// A series, or a pair of them, as drawn.
#[derive(Clone, Debug, PartialEq)]
pub enum Layer {
    Line {
        series: Series,
        label: String,
        colour: Colour,
        width: f64,
    },
    /// Stacked on the stacks before it.
    Stack {
        series: Series,
        label: String,
        colour: Colour,
    },
    /// What lies between two series.
    Extent {
        low: Series,
        high: Series,
        label: String,
        colour: Colour,
    },
    /// A dashed line: what is wanted.
    Dashes {
        series: Series,
        label: Option<String>,
        colour: Colour,
    },
    /// A constant, dashed; shown where it is within the axis, unless `always`.
    Level {
        value: f64,
        label: Option<String>,
        colour: Colour,
        always: bool,
    },
}

impl Layer {
    pub fn series(&self) -> Vec<&Series> {
        match self {
            Layer::Line { series, .. } | Layer::Stack { series, .. } | Layer::Dashes { series, .. } => {
                vec![series]
            }
            Layer::Extent { low, high, .. } => vec![low, high],
            Layer::Level { .. } => Vec::new(),
        }
    }
}

/// A panel with time to the right.
#[derive(Clone, Debug, PartialEq)]
pub struct TimePanel {
    pub title: Option<String>,
    /// Quantity and unit.
    pub axis: String,
    pub scale: Scale,
    pub from_zero: bool,
    /// Share of the page among the panels.
    pub height: f64,
    pub layers: Vec<Layer>,
    /// Said under the legend.
    pub note: Option<String>,
}

/// A path over the ground, seen from above.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    pub x: Series,
    pub y: Series,
    pub label: String,
    pub colour: Colour,
}

/// Paths and support polygons seen from above, x to the right and y upwards.
#[derive(Clone, Debug, PartialEq)]
pub struct MapPanel {
    pub title: Option<String>,
    pub paths: Vec<Path>,
    pub supports: Vec<Support>,
}

impl MapPanel {
    pub fn titled(self, title: Option<String>) -> Self {
        MapPanel { title, ..self }
    }
}

/// A support polygon there was.
#[derive(Clone, Debug, PartialEq)]
pub struct Support {
    /// Counter-clockwise, m.
    pub corners: Vec<[f64; 2]>,
    /// Of all frames.
    pub share: f64,
}

/// A panel bound to a trace.
#[derive(Clone, Debug, PartialEq)]
pub enum Bound {
    Time(TimePanel),
    Map(MapPanel),
}

impl Bound {
    /// All series of the panel.
    pub fn series(&self) -> Vec<&Series> {
        match self {
            Bound::Time(panel) => panel.layers.iter().flat_map(Layer::series).collect(),
            Bound::Map(panel) => panel.paths.iter().flat_map(|path| [&path.x, &path.y]).collect(),
        }
    }
}
