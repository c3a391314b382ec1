//! Tracks: values of a command over time, in an event of a scene.

use aplomb_language::Spanned;
use aplomb_language::diagnostic::{FileError, Source};
use aplomb_language::expression::Interpolation;
use aplomb_math::extent;
use aplomb_world::controller::{CommandValue, Parameter};
use aplomb_world::event::CommandTrack;
use serde::Deserialize;

/// Values over the time since the event began, s. Before the first time the command has the first value;
/// after the last time it keeps the last value until another event, a program or a key changes it.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct TrackSpec {
    /// Times since the event began, s, 0 or more, increasing.
    times: Spanned<Vec<f64>>,
    /// One value for each time: all numbers, or all `[x, y, z]`.
    values: Spanned<Vec<Parameter>>,
    /// Interpolation between them.
    #[serde(default)]
    interpolation: Interpolation,
}

impl TrackSpec {
    /// One value for each time.
    pub fn values(&self) -> &Spanned<Vec<Parameter>> {
        &self.values
    }

    /// Time of the last value since the event began, s.
    pub(super) fn length(&self) -> f64 {
        self.times.get_ref().last().copied().unwrap_or(0.0)
    }

    /// The first mistake in the track.
    pub(super) fn mistake(&self, source: &Source) -> Option<FileError> {
        let (times, values) = (self.times.get_ref(), self.values.get_ref());
        let at_times = |message: String| Some(FileError::new(source, self.times.span(), message));
        let at_values = |message: String| Some(FileError::new(source, self.values.span(), message));
        if times.is_empty() {
            return at_times("a track needs at least one time".into());
        }
        if let Some(time) = times.iter().find(|time| !(extent::is_usable(**time) && **time >= 0.0)) {
            return at_times(format!("times must be 0 s or more, not {time}"));
        }
        if let Some(pair) = times.windows(2).find(|pair| pair[1] <= pair[0]) {
            return at_times(format!("times must increase, but {} follows {}", pair[1], pair[0]));
        }
        if values.len() != times.len() {
            return at_values(format!("{} times need as many values, not {}", times.len(), values.len()));
        }
        let values: Vec<CommandValue> = values.iter().map(|value| (*value).into()).collect();
        if values.iter().any(|value| value.numbers().len() != values[0].numbers().len()) {
            return at_values("values must be all numbers, or all `[x, y, z]`".into());
        }
        if values.iter().flat_map(CommandValue::numbers).any(|number| !extent::is_usable(*number)) {
            return at_values("values must be finite, and at most 1e9".into());
        }
        None
    }

    /// The track; `None` if the specification has mistakes.
    pub(super) fn bind(&self) -> Option<CommandTrack> {
        let values = self.values.get_ref().iter().map(|value| (*value).into());
        CommandTrack::new(self.times.get_ref().clone(), values.collect(), self.interpolation)
    }
}
