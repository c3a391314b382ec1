//! Joint angles near the limits of their ranges.

use super::binder::matches;
use super::groups::known;
use super::{PanelBinder, PanelContent, PanelKind, all};
use crate::plot::colour;
use crate::plot::figure::axis::Scale;
use crate::plot::figure::layer::{Layer, Series};
use aplomb_body::model::{JointKind, mjcf};
use aplomb_language::Spanned;
use aplomb_language::diagnostic::{FileError, FileErrors, Source};
use aplomb_trace::{Header, Trace};
use serde::Deserialize;

/// Distance from a limit, as a share of the range, below which the limit is shown.
const NEAR: f64 = 0.1;

/// Joint angles with their limits.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct JointAngles {
    /// Names of joints, `*` allowed.
    pub(crate) joints: Vec<Spanned<String>>,
    /// How many are shown.
    pub(crate) count: Spanned<usize>,
}

/// A hinge of the model: its name, the index of its angle in a configuration, and its range.
struct Angle {
    name: String,
    place: usize,
    range: Option<[f64; 2]>,
}

impl PanelKind for JointAngles {
    fn check(&self, source: &Source) -> Result<(), FileError> {
        if (1..=24).contains(self.count.get_ref()) {
            return Ok(());
        }
        Err(FileError::new(source, self.count.span(), "between 1 and 24 angles fit a panel"))
    }

    /// The angles nearest to a limit relative to their range, with the limits that they approach.
    fn bind(&self, binder: &PanelBinder<'_>) -> Result<PanelContent, FileErrors> {
        let PanelBinder { trace, source, .. } = binder;
        let angles = angles(&trace.header);
        let names: Vec<String> = angles.iter().map(|angle| angle.name.clone()).collect();
        all(self.joints.iter().map(|pattern| known(source, pattern, &names, "joint")))?;
        let is_wanted =
            |angle: &&Angle| self.joints.iter().any(|pattern| matches(pattern.get_ref(), &angle.name));
        let mut ranked: Vec<(f64, &Angle)> =
            angles.iter().filter(is_wanted).map(|angle| (room(trace, angle), angle)).collect();
        ranked.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.place.cmp(&b.1.place)));
        let mut layers = Vec::new();
        for (index, (_, angle)) in ranked.into_iter().take(*self.count.get_ref()).enumerate() {
            let Angle { name, place, range } = angle;
            let colour = colour::series(index);
            let label = match range {
                Some([low, high]) => format!("{name} ({low:.2} to {high:.2})").replace('-', "−"),
                None => format!("{name} (no limit)"),
            };
            let values = trace.frames.iter().map(|frame| frame.q.get(*place).copied().unwrap_or(f64::NAN));
            let series = Series { name: format!("q.{name}"), unit: "rad".into(), values: values.collect() };
            layers.push(Layer::Line { series, label, colour, width: 2.0 });
            layers.extend(near_ends(trace, angle).into_iter().map(|value| Layer::Level {
                value,
                label: Some("ends, in the colours of lines".into()),
                colour: colour.lightened(0.25),
                always: true,
            }));
        }
        Ok(PanelContent::Time { layers, scale: Scale::Linear, axis: Some("joint angle"), from_zero: false })
    }
}

/// The hinges of the trace's model; empty if it cannot be read, which other pictures report.
fn angles(header: &Header) -> Vec<Angle> {
    let text = header.text("model").map(|text| Source::new(&text.name, &text.text));
    let model = text.and_then(|source| mjcf::read(&source).ok());
    let joints = model.map(|model| model.joints).unwrap_or_default();
    let hinges = joints.into_iter().filter(|joint| matches!(joint.kind, JointKind::Hinge { .. }));
    hinges.map(|joint| Angle { name: joint.name, place: joint.q_index, range: joint.range }).collect()
}

/// Smallest distance of the angle from a limit in the run, as a share of the range: negative beyond it, infinite
/// without a range.
fn room(trace: &Trace, angle: &Angle) -> f64 {
    rooms(trace, angle).map_or(f64::INFINITY, |[low, high]| low.min(high))
}

/// The limits that the angle approaches.
fn near_ends(trace: &Trace, angle: &Angle) -> Vec<f64> {
    let ends = angle.range.into_iter().flatten();
    let rooms = rooms(trace, angle).into_iter().flatten();
    ends.zip(rooms).filter(|(_, room)| *room < NEAR).map(|(end, _)| end).collect()
}

/// Smallest distance of the angle from each limit in the run, as a share of the range; `None` without a range.
fn rooms(trace: &Trace, angle: &Angle) -> Option<[f64; 2]> {
    let [low, high] = angle.range.filter(|[low, high]| high > low)?;
    let angles = || trace.frames.iter().filter_map(|frame| frame.q.get(angle.place));
    let least = |distance: &dyn Fn(f64) -> f64| {
        angles().map(|value| distance(*value) / (high - low)).fold(f64::INFINITY, f64::min)
    };
    Some([least(&|value| value - low), least(&|value| high - value)])
}
