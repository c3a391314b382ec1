//! Change of a scene's results with its values: central differences in the logarithm of each value, with two step
//! sizes, so that a quantity that jumps is distinguished from one that has a slope.

use super::figure::{OWN, PUSHES};
use super::problem::{Evaluation, SceneOutcome};
use aplomb_math::elementary::log;

/// Larger step, as a share of the value; the smaller step is half of it.
pub const STEP: f64 = 0.02;
/// Largest difference between the slopes with both steps, as a share of the larger one, of a quantity that has a
/// slope.
const ALIKE: f64 = 0.1;
/// Relative round-off of a quantity.
const NOISE: f64 = 1e-9;

/// Change of one quantity with one value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sensitivity {
    /// ∂F/∂ln x with the smaller step.
    pub slope: f64,
    /// ∂F/∂ln x with the larger step.
    pub coarse: f64,
    /// Range of the quantity over the values that were run.
    pub range: f64,
    /// Whether the two slopes differ: then the quantity has no well-defined slope here.
    pub jumps: bool,
}

/// Quantities of an outcome, in order; NaN if there is no value.
fn figures(outcome: &SceneOutcome) -> Vec<f64> {
    let own = outcome.own.as_ref().ok();
    let own = OWN.iter().map(|(.., value)| own.map_or(f64::NAN, value));
    let pushes = PUSHES.iter().filter_map(|(.., value)| outcome.pushes.as_ref().map(value));
    own.chain(pushes).collect()
}

/// Names and units of the quantities, with or without those of pushes.
pub fn names(of_pushes: bool) -> Vec<(String, &'static str)> {
    let own = OWN.iter().map(|(name, unit, ..)| (name.to_string(), *unit));
    let pushes = PUSHES.iter().map(|(name, unit, ..)| (format!("{name}(pushes)"), *unit));
    own.chain(pushes.filter(|_| of_pushes)).collect()
}

/// Every quantity of every scene with every value: `[value][scene][figure]`, for relative steps of `step` and half of
/// it. `None` if the search was stopped.
///
/// # Errors
/// If `evaluate` fails.
pub fn sensitivities<E>(
    at: &[f64],
    step: f64,
    mut evaluate: impl FnMut(&[Vec<f64>]) -> Result<Option<Vec<Evaluation>>, E>,
) -> Result<Option<Vec<Vec<Vec<Sensitivity>>>>, E> {
    let shares = [-step, -0.5 * step, 0.0, 0.5 * step, step].map(|share| 1.0 + share);
    let with = |(index, share): (usize, f64)| {
        let mut values = at.to_vec();
        values[index] *= share;
        values
    };
    let sets = (0..at.len()).flat_map(|index| shares.map(|share| (index, share))).map(with);
    let Some(evaluations) = evaluate(&sets.collect::<Vec<_>>())? else { return Ok(None) };
    let of_value = |evaluations: &[Evaluation]| -> Vec<Vec<Sensitivity>> {
        let count = evaluations.first().map_or(0, |evaluation| evaluation.scenes.len());
        let of_scene = |scene: usize| {
            let all: Vec<Vec<f64>> =
                evaluations.iter().map(|evaluation| figures(&evaluation.scenes[scene])).collect();
            let figure =
                |figure: usize| sensitivity(&shares, &[0, 1, 2, 3, 4].map(|k: usize| all[k][figure]));
            (0..all[0].len()).map(figure).collect()
        };
        (0..count).map(of_scene).collect()
    };
    Ok(Some(evaluations.chunks(shares.len()).map(of_value).collect()))
}

fn sensitivity(shares: &[f64; 5], values: &[f64; 5]) -> Sensitivity {
    let slope = |a: usize, b: usize| (values[b] - values[a]) / log(shares[b] / shares[a]);
    let (coarse, fine) = (slope(0, 4), slope(1, 3));
    let most = values.iter().fold(f64::NEG_INFINITY, |most, value| most.max(*value));
    let range = most - values.iter().fold(f64::INFINITY, |least, value| least.min(*value));
    let is_noise = range <= NOISE * most.abs();
    // A flat side next to a sloped one is a kink.
    let sides = (slope(1, 2), slope(2, 3));
    let differ = |a: f64, b: f64, share: f64| (a - b).abs() > share * a.abs().max(b.abs());
    let jumps = !is_noise && (differ(coarse, fine, ALIKE) || differ(sides.0, sides.1, 5.0 * ALIKE));
    Sensitivity { slope: if is_noise { 0.0 } else { fine }, coarse, range, jumps }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(function: impl Fn(f64) -> f64) -> Sensitivity {
        let shares = [-STEP, -0.5 * STEP, 0.0, 0.5 * STEP, STEP].map(|share| 1.0 + share);
        sensitivity(&shares, &shares.map(|share| function(3.0 * share)))
    }

    #[test]
    fn a_power_has_its_exponent_times_its_value_as_slope_and_a_step_or_a_kink_jumps() {
        let smooth = of(|x| 2.0 * x.powi(3));
        assert!((smooth.slope - 162.0).abs() < 0.02 && !smooth.jumps, "{smooth:?}");
        assert!((smooth.coarse - smooth.slope).abs() < 0.07);
        assert_eq!(of(|_| 5.0), Sensitivity { slope: 0.0, coarse: 0.0, range: 0.0, jumps: false });
        assert!(of(|x| if x > 3.01 { 1.0 } else { 0.0 }).jumps);
        assert!(of(|x| (x - 3.0).max(0.0)).jumps);
    }
}
