//! Content of a panel: named series and how each is drawn.

use super::axis::Scale;
use crate::plot::colour::Colour;

/// A named series with one value per frame; NaN without a value.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Name of the channel or of the sum.
    pub(crate) name: String,
    pub(crate) unit: String,
    pub(crate) values: Vec<f64>,
}

/// A series, or a pair of series, with its style.
#[derive(Clone, Debug, PartialEq)]
pub enum Layer {
    Line {
        series: Series,
        label: String,
        colour: Colour,
        width: f64,
    },
    /// A layer on top of the previous stacked layers.
    Stack {
        series: Series,
        label: String,
        colour: Colour,
    },
    /// The series without an entry in the key: one area at the bottom of a stack, or thin lines behind the others.
    Others {
        series: Vec<Series>,
        is_stacked: bool,
    },
    /// The area between two series.
    Extent {
        low: Series,
        high: Series,
        label: String,
        colour: Colour,
    },
    /// A dashed line, for targets.
    Dashes {
        series: Series,
        label: Option<String>,
        colour: Colour,
    },
    /// A constant as a dashed line; drawn if it is within the axis, or if `always` is set.
    Level {
        value: f64,
        label: Option<String>,
        colour: Colour,
        always: bool,
    },
}

impl Layer {
    pub(crate) fn series(&self) -> Vec<&Series> {
        match self {
            Layer::Line { series, .. } | Layer::Stack { series, .. } | Layer::Dashes { series, .. } => {
                vec![series]
            }
            Layer::Others { series, .. } => series.iter().collect(),
            Layer::Extent { low, high, .. } => vec![low, high],
            Layer::Level { .. } => Vec::new(),
        }
    }
}

/// A panel over time.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct TimePanel {
    pub title: Option<String>,
    /// Quantity and unit of the vertical axis.
    pub axis: String,
    pub scale: Scale,
    pub from_zero: bool,
    /// Height relative to the other panels.
    pub height: f64,
    pub layers: Vec<Layer>,
    /// Text below the legend.
    pub note: Option<String>,
}

/// A path on the ground, seen from above.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct GroundPath {
    pub(crate) x: Series,
    pub(crate) y: Series,
    pub(crate) label: String,
    pub(crate) colour: Colour,
}

/// Paths and support polygons seen from above, x to the right and y upwards.
#[derive(Clone, Debug, PartialEq)]
pub struct MapPanel {
    pub(crate) title: Option<String>,
    pub(crate) paths: Vec<GroundPath>,
    pub(crate) supports: Vec<SupportPolygon>,
}

impl MapPanel {
    pub(crate) fn titled(self, title: Option<String>) -> Self {
        MapPanel { title, ..self }
    }
}

/// A support polygon of the run.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SupportPolygon {
    /// Corners counter-clockwise, m.
    pub(crate) corners: Vec<[f64; 2]>,
    /// Share of the run's frames with this polygon.
    pub(crate) share: f64,
}

/// A panel bound to a trace.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum BoundPanel {
    Time(TimePanel),
    Map(MapPanel),
}

impl BoundPanel {
    /// All series of the panel.
    pub(super) fn series(&self) -> Vec<&Series> {
        match self {
            BoundPanel::Time(panel) => panel.layers.iter().flat_map(Layer::series).collect(),
            BoundPanel::Map(panel) => panel.paths.iter().flat_map(|path| [&path.x, &path.y]).collect(),
        }
    }
}
