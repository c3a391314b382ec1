//! The plotted numbers as CSV.

use super::layer::{BoundPanel, Series};
use crate::plot::PlotError;
use aplomb_trace::Trace;

/// One row per frame with a value: the time, then each series once, in the order of drawing. Numbers parse to the
/// same values, times are rounded to a nanosecond, and missing values give empty cells.
pub(super) fn csv(trace: &Trace, panels: &[BoundPanel]) -> Result<String, PlotError> {
    let mut columns: Vec<&Series> = Vec::new();
    for series in panels.iter().flat_map(BoundPanel::series) {
        if !columns.iter().any(|column| column.name == series.name) {
            columns.push(series);
        }
    }
    let mut writer = csv::Writer::from_writer(Vec::new());
    let titles = columns.iter().map(|series| format!("{} [{}]", series.name, series.unit));
    let header = ["time [s]".to_string()].into_iter().chain(titles);
    writer.write_record(header).map_err(PlotError::drawing)?;
    for (row, frame) in trace.frames.iter().enumerate() {
        let cells = columns.iter().map(|series| match series.values.get(row) {
            Some(value) if !value.is_nan() => value.to_string(),
            _ => String::new(),
        });
        let cells: Vec<String> = cells.collect();
        // The last record has no forces, so a plot of forces has no row for it.
        if row + 1 == trace.frames.len() && cells.iter().all(String::is_empty) {
            break;
        }
        let record = [to_nanoseconds(frame.time).to_string()].into_iter().chain(cells);
        writer.write_record(record).map_err(PlotError::drawing)?;
    }
    let bytes = writer.into_inner().map_err(|error| PlotError::drawing(error.error()))?;
    String::from_utf8(bytes).map_err(PlotError::drawing)
}

/// The time without the round-off of a sum: 1.63, not 1.6300000000000001.
fn to_nanoseconds(time: f64) -> f64 {
    (time * 1e9).round() / 1e9
}
