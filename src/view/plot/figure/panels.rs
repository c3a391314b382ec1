//! Panels of a plot file bound to the channels of a trace.

use super::axis::Scale;
use super::layer::{Bound, Layer, TimePanel};
use super::panel::{Binder, Shown};
use super::spec::{Panel, PlotSpec};
use crate::language::diagnostic::FileError;
use crate::trace::Trace;

/// Looks every channel, body and coordinate of the plot up in the trace.
///
/// # Errors
/// Names the trace does not have. Patterns may match nothing: files serve many characters.
pub fn bind(trace: &Trace, plot: &PlotSpec) -> Result<Vec<Bound>, FileError> {
    let binder = Binder::new(trace, &plot.source);
    plot.figure.panels.iter().map(|panel| bound(panel, &binder)).collect()
}

fn bound(panel: &Panel, binder: &Binder<'_>) -> Result<Bound, FileError> {
    let title = panel.title.clone();
    Ok(match panel.of.kind().bind(binder)? {
        Shown::Map(map) => Bound::Map(map.titled(title)),
        Shown::Time { layers, scale, axis, from_zero } => Bound::Time(TimePanel {
            title,
            axis: axis_text(panel.label.as_deref().or(axis), &layers),
            scale,
            from_zero: from_zero && scale == Scale::Linear,
            height: panel.height.as_ref().map_or(1.0, |height| *height.get_ref()),
            note: layers.iter().all(|layer| layer.series().is_empty()).then(|| "nothing to show".to_string()),
            layers,
        }),
    })
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
        (Some(label), true) => format!("{label} (dimensionless)"),
        (None, false) => units,
        (None, true) => "dimensionless".to_string(),
    }
}
