//! The random values of a trial.

use crate::dice::Dice;
use aplomb_math::elementary::{cos, exp, log, sin};
use aplomb_scene::trials::{Amount, DirectionSpec, Directions, DrawSpec, NormalSpec, SceneValue, TrialsSpec};
use sha2::{Digest, Sha256};
use std::f64::consts::TAU;

/// Number of digits of drawn numbers, in runs and in tables.
const DIGITS: usize = 6;
/// Number of draws of a normally distributed number before it is clamped to its bounds.
const ATTEMPTS: usize = 1000;

/// The values of a trial, one per draw, in order. They depend on the seed, the trial's number and the draw's path.
pub(crate) fn draw(spec: &TrialsSpec, seed: u64, trial: usize) -> Vec<SceneValue> {
    let value = |(key, draw): (&aplomb_language::Spanned<String>, &DrawSpec)| {
        let (key, draw) = spec.origin(key.get_ref(), draw);
        one(draw, &mut Dice::new(seed ^ number_of(key), trial as u64))
    };
    spec.draw.iter().map(value).collect()
}

/// A hash of a path.
fn number_of(key: &str) -> u64 {
    let hash = Sha256::digest(key.as_bytes());
    hash.iter().take(8).fold(0, |number, byte| number << 8 | u64::from(*byte))
}

fn one(draw: &DrawSpec, dice: &mut Dice) -> SceneValue {
    match draw {
        DrawSpec::Integer(range) => SceneValue::Integer(integer(*range.get_ref(), dice)),
        // For a missing draw, which cannot occur in a checked scene.
        DrawSpec::SameAs(_) => SceneValue::Vector(Vec::new()),
        DrawSpec::Choice(choices) => match choices.get_ref().as_slice() {
            [] => SceneValue::Vector(Vec::new()),
            choices => dice.of(choices).clone(),
        },
        DrawSpec::Direction(direction) => SceneValue::Vector(vector(direction, dice).into()),
        DrawSpec::Uniform(_) | DrawSpec::LogUniform(_) | DrawSpec::Normal(_) => {
            SceneValue::Number(number(draw, dice))
        }
    }
}

fn number(draw: &DrawSpec, dice: &mut Dice) -> f64 {
    match draw {
        DrawSpec::Uniform(range) => {
            let [low, high] = *range.get_ref();
            rounded(dice.between(low, high)).clamp(low, high)
        }
        DrawSpec::LogUniform(range) => {
            let [low, high] = *range.get_ref();
            rounded(low * exp(log(high / low) * dice.share())).clamp(low, high)
        }
        DrawSpec::Normal(normal) => within(normal, dice),
        // Draws of these kinds are not lengths.
        DrawSpec::Integer(_) | DrawSpec::Choice(_) | DrawSpec::Direction(_) | DrawSpec::SameAs(_) => 0.0,
    }
}

/// A normally distributed number within its bounds.
fn within(spec: &NormalSpec, dice: &mut Dice) -> f64 {
    let (mean, deviation) = (*spec.mean.get_ref(), *spec.deviation.get_ref());
    let low = spec.low.as_ref().map_or(f64::NEG_INFINITY, |low| *low.get_ref());
    let high = spec.high.as_ref().map_or(f64::INFINITY, |high| *high.get_ref());
    let attempts = (0..ATTEMPTS).map(|_| rounded(mean + deviation * dice.normal()));
    attempts.into_iter().find(|value| (low..=high).contains(value)).unwrap_or(mean.clamp(low, high))
}

fn integer([low, high]: [i64; 2], dice: &mut Dice) -> i64 {
    let count = high.abs_diff(low) as f64 + 1.0;
    let step = (dice.share() * count) as u64;
    low.saturating_add_unsigned(step).min(high)
}

fn vector(spec: &DirectionSpec, dice: &mut Dice) -> [f64; 3] {
    let bearing = match spec.bearing.as_ref().map(|bearing| *bearing.get_ref()) {
        Some([from, to]) => dice.between(from, to),
        None => TAU * dice.share(),
    };
    // The height of a point distributed uniformly on a sphere is distributed uniformly (Archimedes).
    let height = dice.between(-1.0, 1.0);
    let length = match &spec.length {
        Amount::Fixed(length) => *length,
        Amount::Drawn(draw) => number(draw, dice),
    };
    let (level, height) = match spec.over {
        Directions::Horizontal => (1.0, 0.0),
        Directions::Sphere => ((1.0 - height * height).sqrt(), height),
    };
    [level * cos(bearing), level * sin(bearing), height].map(|part| rounded(length * part))
}

/// A number rounded to a few digits, with round-off about zero removed.
fn rounded(value: f64) -> f64 {
    let value: f64 = format!("{value:.0$e}", DIGITS - 1).parse().unwrap_or(value);
    if value.abs() < 1e-12 { 0.0 } else { value }
}
