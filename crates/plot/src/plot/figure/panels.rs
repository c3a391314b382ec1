//! Binds the panels of a plot file to the channels of a trace.

use super::axis::Scale;
use super::layer::{BoundPanel, Layer, TimePanel};
use super::panel::{PanelBinder, PanelContent, SubPanel};
use super::spec::{Panel, PlotSpec};
use aplomb_language::diagnostic::FileError;
use aplomb_trace::Trace;

/// Looks up every channel, body and coordinate of the plot in the trace.
///
/// # Errors
/// Names that the trace does not have. A pattern may match nothing, since one file serves many characters.
pub(super) fn bind(trace: &Trace, plot: &PlotSpec) -> Result<Vec<BoundPanel>, FileError> {
    let binder = PanelBinder::new(trace, &plot.source);
    let bound: Result<Vec<_>, _> = plot.figure.panels.iter().map(|panel| bound(panel, &binder)).collect();
    Ok(bound?.into_iter().flatten().collect())
}

fn bound(panel: &Panel, binder: &PanelBinder<'_>) -> Result<Vec<BoundPanel>, FileError> {
    let title = panel.title.clone();
    let whole = panel.height.as_ref().map_or(1.0, |height| *height.get_ref());
    let label = panel.label.as_deref();
    Ok(match panel.of.kind().bind(binder)? {
        PanelContent::Map(map) => vec![BoundPanel::Map(map.titled(title))],
        PanelContent::Time { layers, scale, axis, from_zero } => {
            let axis = axis_text(label.or(axis), &layers);
            let from_zero = from_zero && scale == Scale::Linear;
            let note = note(&layers);
            vec![BoundPanel::Time(TimePanel { title, axis, scale, from_zero, height: whole, layers, note })]
        }
        PanelContent::Column(parts) if parts.is_empty() => {
            let axis = axis_text(label, &[]);
            let (scale, layers, note) = (Scale::Linear, Vec::new(), note(&[]));
            vec![BoundPanel::Time(TimePanel {
                title,
                axis,
                scale,
                from_zero: false,
                height: whole,
                layers,
                note,
            })]
        }
        PanelContent::Column(parts) => {
            let parts = parts.into_iter().map(|SubPanel { title, axis, height, from_zero, layers }| {
                let (axis, scale) = (axis_text(label.or(Some(axis)), &layers), Scale::Linear);
                let (note, height) = (note(&layers), whole * height);
                let given = panel.title.as_deref();
                let title =
                    title.map(|title| given.map_or(title.clone(), |given| format!("{given}: {title}")));
                BoundPanel::Time(TimePanel { title, axis, scale, from_zero, height, layers, note })
            });
            parts.collect()
        }
    })
}

fn note(layers: &[Layer]) -> Option<String> {
    layers.iter().all(|layer| layer.series().is_empty()).then(|| "nothing to show".to_string())
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
