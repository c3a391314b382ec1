//! Commands that change over time, from key to key.

use crate::controller::CommandValue;
use aplomb_language::expression::Interpolation;
use aplomb_math::interpolation::{KeyPosition, place, rates_of_neighbours, smooth};
use nalgebra::Vector3;

/// Values of a command over the time since its event began: the first before the first time, the last after the
/// last time.
#[derive(Clone, Debug)]
pub struct CommandTrack {
    /// Times of the values, s, increasing.
    times: Vec<f64>,
    /// Values at these times; a number is the first component.
    values: Vec<Vector3<f64>>,
    /// Rates of a curve's values, per s; empty for other interpolations.
    rates: Vec<Vector3<f64>>,
    is_vector: bool,
    interpolation: Interpolation,
}

impl CommandTrack {
    /// A track through these values, all numbers or all vectors, at increasing times, s; `None` without times, and
    /// if there is not one value for each time.
    pub fn new(times: Vec<f64>, values: Vec<CommandValue>, interpolation: Interpolation) -> Option<Self> {
        if times.len() != values.len() {
            return None;
        }
        let is_vector = matches!(values.first()?, CommandValue::Vector(_));
        let vector = |value: CommandValue| match value {
            CommandValue::Number(number) => Vector3::new(number, 0.0, 0.0),
            CommandValue::Vector(vector) => Vector3::from(vector),
        };
        let values: Vec<Vector3<f64>> = values.into_iter().map(vector).collect();
        let is_curve = interpolation == Interpolation::Curve;
        let rates = if is_curve { rates_of_neighbours(&times, &values) } else { Vec::new() };
        Some(CommandTrack { times, values, rates, is_vector, interpolation })
    }

    /// The value at a time since its event began, s.
    pub fn value(&self, time: f64) -> CommandValue {
        let value = match (place(&self.times, time), self.interpolation) {
            (KeyPosition::At(key), _) => self.values[key],
            (KeyPosition::Between(span), Interpolation::Linear) => span.linear(&self.values, span.share),
            (KeyPosition::Between(span), Interpolation::Smooth) => {
                span.linear(&self.values, smooth(span.share))
            }
            (KeyPosition::Between(span), Interpolation::Curve) => span.cubic(&self.values, &self.rates)[0],
            (KeyPosition::Between(span), Interpolation::Step) => self.values[span.key],
        };
        if self.is_vector { CommandValue::Vector(value.into()) } else { CommandValue::Number(value.x) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_track_goes_through_its_values() {
        let track = |interpolation| {
            let values = vec![CommandValue::Number(0.0), CommandValue::Number(1.0)];
            CommandTrack::new(vec![1.0, 3.0], values, interpolation).unwrap()
        };
        for interpolation in
            [Interpolation::Linear, Interpolation::Smooth, Interpolation::Curve, Interpolation::Step]
        {
            let track = track(interpolation);
            assert_eq!(
                [0.0, 1.0, 3.0, 9.0].map(|time| track.value(time)),
                [0.0, 0.0, 1.0, 1.0].map(Into::into)
            );
        }
        let at = |interpolation, time| track(interpolation).value(time);
        assert_eq!(at(Interpolation::Linear, 1.5), CommandValue::Number(0.25));
        assert_eq!(at(Interpolation::Smooth, 1.5), CommandValue::Number(0.15625));
        assert_eq!(at(Interpolation::Step, 2.9), CommandValue::Number(0.0));
        let vectors = vec![CommandValue::Vector([0.0, 0.0, 2.0]), CommandValue::Vector([1.0, 0.0, 0.0])];
        let track = CommandTrack::new(vec![0.0, 1.0], vectors, Interpolation::Linear).unwrap();
        assert_eq!(track.value(0.5), CommandValue::Vector([0.5, 0.0, 1.0]));
        assert!(CommandTrack::new(Vec::new(), Vec::new(), Interpolation::Linear).is_none());
        assert!(CommandTrack::new(vec![0.0], Vec::new(), Interpolation::Linear).is_none());
    }
}
