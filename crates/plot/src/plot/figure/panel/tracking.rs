//! Targets and values of objectives, one panel below another.

use super::binder::matches;
use super::groups::known;
use super::{PanelBinder, PanelContent, PanelKind, SubPanel, all};
use crate::plot::colour;
use crate::plot::figure::layer::{Layer, Series};
use aplomb_language::Spanned;
use aplomb_language::diagnostic::{FileError, FileErrors, Source};
use aplomb_trace::{Header, Measured};
use serde::Deserialize;

/// Heights of the panel of values and of the panel of errors, as shares of the file's panel.
const VALUES: f64 = 0.6;
const ERROR: f64 = 0.4;

/// Panels for each objective that was ever active: actual values with their targets (dashed), and below them
/// the tracking error, unless the objective's only value is that error.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Tracking {
    /// Names of objectives, `*` allowed.
    pub(crate) objectives: Vec<Spanned<String>>,
    /// How many values of each are shown: those with the largest errors.
    pub(crate) count: Spanned<usize>,
    /// How many objectives are shown: those that cost most in some frame. Default: all.
    pub(crate) costliest: Option<Spanned<usize>>,
}

/// One measured number of an objective.
struct MeasuredNumber<'a> {
    measured: &'a Measured,
    target: Series,
    actual: Series,
    /// Largest distance of the value from its target.
    worst: f64,
}

impl PanelKind for Tracking {
    fn check(&self, source: &Source) -> Result<(), FileError> {
        if !(1..=12).contains(self.count.get_ref()) {
            return Err(FileError::new(source, self.count.span(), "between 1 and 12 numbers fit a panel"));
        }
        let none = self.costliest.as_ref().filter(|costliest| *costliest.get_ref() == 0);
        none.map_or(Ok(()), |none| Err(FileError::new(source, none.span(), "at least 1 objective is shown")))
    }

    fn bind(&self, binder: &PanelBinder<'_>) -> Result<PanelContent, FileErrors> {
        let header = &binder.trace.header;
        let names = objectives(header);
        let wanted = self.objectives.iter();
        all(wanted.map(|pattern| known(binder.source, pattern, &names, "objective with a target")))?;
        let is_wanted =
            |name: &&String| self.objectives.iter().any(|pattern| matches(pattern.get_ref(), name));
        let mut shown: Vec<&String> = names.iter().filter(is_wanted).collect();
        if let Some(costliest) = &self.costliest {
            let mut ranked: Vec<(f64, &String)> =
                shown.iter().map(|name| (binder.peak(&format!("cost.{name}")), *name)).collect();
            ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
            ranked.truncate(*costliest.get_ref());
            shown.retain(|name| ranked.iter().any(|(_, kept)| kept == name));
        }
        Ok(PanelContent::Column(shown.into_iter().flat_map(|name| self.of_objective(binder, name)).collect()))
    }
}

impl Tracking {
    /// The panels of an objective; none if it was never active.
    fn of_objective(&self, binder: &PanelBinder<'_>, name: &str) -> Vec<SubPanel> {
        let all = binder.trace.header.measured.iter().filter(|number| number.objective == name);
        let mut numbers: Vec<MeasuredNumber<'_>> =
            all.filter_map(|number| MeasuredNumber::new(binder, number)).collect();
        // Values of different units cannot share an axis.
        let Some(unit) = numbers.first().map(|number| &number.measured.unit) else { return Vec::new() };
        numbers.retain(|number| number.measured.unit == *unit);
        let is_distance = matches!(&numbers[..], [only] if only.is_distance());
        let count = numbers.len();
        let shown = count.min(*self.count.get_ref());
        let mut ranked: Vec<f64> = numbers.iter().map(|number| number.worst).collect();
        ranked.sort_by(|a, b| b.total_cmp(a));
        numbers.retain(|number| number.worst >= ranked[shown - 1]);
        let mut layers = Vec::new();
        for (index, number) in numbers.into_iter().take(shown).enumerate() {
            let colour = colour::series(index);
            let part = &number.measured.part;
            let label = if part.is_empty() { "actual" } else { part };
            layers.push(Layer::Line { series: number.actual, label: label.into(), colour, width: 2.2 });
            let label = (index + 1 == shown).then(|| "target".to_string());
            layers.push(Layer::Dashes { series: number.target, label, colour });
        }
        let title = match shown < count {
            true => format!("{name}: the {shown} of {count} farthest from their targets"),
            false => name.to_string(),
        };
        let values = SubPanel { title: Some(title), axis: "value", height: VALUES, from_zero: false, layers };
        if is_distance {
            return vec![values];
        }
        let layers = vec![Layer::Line {
            series: binder.series(&format!("error.{name}")),
            label: "distance from target".into(),
            colour: colour::INK,
            width: 2.0,
        }];
        vec![values, SubPanel { title: None, axis: "error", height: ERROR, from_zero: true, layers }]
    }
}

impl<'a> MeasuredNumber<'a> {
    /// The number's series; `None` if it never had a target.
    fn new(binder: &PanelBinder<'_>, measured: &'a Measured) -> Option<Self> {
        let name = measured.name();
        let series = |what: &str| binder.series(&format!("{what}.{name}"));
        let (target, actual) = (series("target"), series("actual"));
        let errors = target.values.iter().zip(&actual.values).map(|(target, actual)| (actual - target).abs());
        let worst = errors.filter(|error| !error.is_nan()).reduce(f64::max)?;
        Some(MeasuredNumber { measured, target, actual, worst })
    }

    /// Whether the value is an error whose target is 0.
    fn is_distance(&self) -> bool {
        let values = self.target.values.iter().zip(&self.actual.values);
        values.into_iter().all(|(target, actual)| target.is_nan() || (*target == 0.0 && *actual >= 0.0))
    }
}

/// Names of the objectives with targets in the trace, each once.
fn objectives(header: &Header) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for number in &header.measured {
        if !names.contains(&number.objective) {
            names.push(number.objective.clone());
        }
    }
    names
}
