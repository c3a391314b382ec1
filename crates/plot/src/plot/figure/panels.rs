//! Binds the panels of a plot file to the channels of a trace.

use super::axis::Scale;
use super::layer::{BoundPanel, Layer, TimePanel};
use super::panel::{PanelBinder, PanelContent, SubPanel, all};
use super::spec::{Panel, PlotSpec};
use aplomb_language::diagnostic::FileErrors;
use aplomb_trace::Trace;

/// Looks up every channel, body and coordinate of the plot in the trace.
///
/// # Errors
/// All names that are missing in the trace. A pattern may match nothing, because a file may serve many characters.
pub(super) fn bind(trace: &Trace, plot: &PlotSpec) -> Result<Vec<BoundPanel>, FileErrors> {
    let binder = PanelBinder::new(trace, &plot.source);
    all(plot.figure.panels.iter().map(|panel| bound(panel, &binder)))
        .map(|panels| panels.into_iter().flatten().collect())
}

fn bound(panel: &Panel, binder: &PanelBinder<'_>) -> Result<Vec<BoundPanel>, FileErrors> {
    let title = panel.title.clone();
    let whole = panel.height.as_ref().map_or(1.0, |height| *height.get_ref());
    let label = panel.label.as_deref();
    Ok(match panel.of.kind().bind(binder)? {
        PanelContent::Map(map) => vec![BoundPanel::Map(map.titled(title))],
        PanelContent::Time { mut layers, scale, axis, from_zero } => {
            let axis = axis_text(label.or(axis), &mut layers);
            let from_zero = from_zero && scale == Scale::Linear;
            let note = note(&layers);
            vec![BoundPanel::Time(TimePanel { title, axis, scale, from_zero, height: whole, layers, note })]
        }
        PanelContent::Column(parts) if parts.is_empty() => {
            let axis = axis_text(label, &mut []);
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
            let parts = parts.into_iter().map(|SubPanel { title, axis, height, from_zero, mut layers }| {
                let (axis, scale) = (axis_text(label.or(Some(axis)), &mut layers), Scale::Linear);
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

/// Quantity and unit. With several units, the axis has none, and the key shows that of each line.
fn axis_text(label: Option<&str>, layers: &mut [Layer]) -> String {
    let mut units: Vec<String> = Vec::new();
    for series in layers.iter().flat_map(Layer::series) {
        if !units.contains(&series.unit) {
            units.push(series.unit.clone());
        }
    }
    let words = |units: &str| match label {
        Some(label) => format!("{label}, {units}"),
        None => units.to_string(),
    };
    match &units[..] {
        [] => label.map_or_else(|| "dimensionless".to_string(), |label| format!("{label} (dimensionless)")),
        [unit] if unit == "1" => axis_text(label, &mut []),
        [unit] => words(unit),
        _ => {
            layers.iter_mut().for_each(add_unit);
            words("units in the key")
        }
    }
}

/// Appends the unit to the layer's text in the key.
fn add_unit(layer: &mut Layer) {
    let unit = layer.series().first().map(|series| series.unit.clone()).filter(|unit| unit != "1");
    let label = match layer {
        Layer::Line { label, .. } | Layer::Stack { label, .. } | Layer::Extent { label, .. } => Some(label),
        Layer::Dashes { label, .. } => label.as_mut(),
        Layer::Level { .. } | Layer::Others { .. } => None,
    };
    if let (Some(label), Some(unit)) = (label, unit) {
        *label = format!("{label}, {unit}");
    }
}
