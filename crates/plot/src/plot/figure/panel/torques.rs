//! Joint torques near their limits.

use super::binder::matches;
use super::groups::{known, limit_share};
use super::{PanelBinder, PanelContent, PanelKind, all};
use crate::plot::colour;
use crate::plot::figure::axis::Scale;
use crate::plot::figure::layer::{Layer, Series};
use aplomb_language::Spanned;
use aplomb_language::diagnostic::{FileError, FileErrors, Source};
use aplomb_trace::{Frame, Trace};
use serde::Deserialize;

/// Ratio of a torque to the limit in its direction above which the limit is shown.
const NEAR: f64 = 0.6;

/// Joint torques with their limits.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Torques {
    /// Names of velocity coordinates, `*` allowed.
    pub(crate) coordinates: Vec<Spanned<String>>,
    /// How many are shown.
    pub(crate) count: Spanned<usize>,
}

impl PanelKind for Torques {
    fn check(&self, source: &Source) -> Result<(), FileError> {
        if (1..=24).contains(self.count.get_ref()) {
            return Ok(());
        }
        Err(FileError::new(source, self.count.span(), "between 1 and 24 torques fit a panel"))
    }

    /// The torques that are largest relative to their limits (without limits, the largest), with the limits.
    fn bind(&self, binder: &PanelBinder<'_>) -> Result<PanelContent, FileErrors> {
        let PanelBinder { trace, source, .. } = binder;
        let names = &trace.header.coordinate_names;
        all(self.coordinates.iter().map(|pattern| known(source, pattern, names, "coordinate")))?;
        let mut wanted = Vec::new();
        for pattern in &self.coordinates {
            wanted.extend((0..names.len()).filter(|&at| matches(pattern.get_ref(), &names[at])));
        }
        wanted.sort_unstable();
        wanted.dedup();
        let peak = |at: usize, measure: &dyn Fn(&Frame) -> Option<f64>| -> (f64, usize) {
            (trace.frames.iter().filter_map(measure).fold(0.0, f64::max), at)
        };
        let mut ranked: Vec<(f64, usize)> =
            wanted.iter().map(|&at| peak(at, &|frame| limit_share(trace, frame, at))).collect();
        if ranked.iter().all(|(share, _)| *share == 0.0) {
            ranked =
                wanted.iter().map(|&at| peak(at, &|frame| frame.torque.get(at).map(|t| t.abs()))).collect();
        }
        ranked.retain(|(share, _)| *share > 0.0);
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut layers = Vec::new();
        for (index, (_, at)) in ranked.into_iter().take(*self.count.get_ref()).enumerate() {
            let values = trace.frames.iter().map(|frame| frame.torque.get(at).copied().unwrap_or(f64::NAN));
            let unit = trace.header.force_unit(at);
            let colour = colour::series(index);
            let limits = trace.header.torque_limits.get(at).copied().flatten();
            let label = match limits {
                Some([low, high]) if low == -high => format!("{} (limit ±{high:.0})", names[at]),
                Some([low, high]) => format!("{} (limits {low:.0}, {high:.0})", names[at]).replace('-', "−"),
                None => format!("{} (no limit)", names[at]),
            };
            let series =
                Series { name: format!("torque.{}", names[at]), unit: unit.into(), values: values.collect() };
            layers.push(Layer::Line { series, label, colour, width: 2.0 });
            // Limits far above a coordinate's torques would only cross the lines of others.
            layers.extend(near_limits(trace, at).into_iter().map(|value| Layer::Level {
                value,
                label: Some("limits, in the colours of lines".into()),
                colour: colour.lightened(0.25),
                always: true,
            }));
        }
        Ok(PanelContent::Time { layers, scale: Scale::Linear, axis: Some("torque"), from_zero: false })
    }
}

/// The limits of a coordinate that its torque approaches.
fn near_limits(trace: &Trace, coordinate: usize) -> Vec<f64> {
    let limits = trace.header.torque_limits.get(coordinate).copied().flatten();
    let is_near = |limit: &f64| {
        let torques = trace.frames.iter().filter_map(|frame| frame.torque.get(coordinate));
        *limit != 0.0 && torques.map(|torque| torque / limit).any(|share| share > NEAR)
    };
    limits.into_iter().flatten().filter(is_near).collect()
}
