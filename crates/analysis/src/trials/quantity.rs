//! The comparable quantities of drawn values: numbers, components of vectors, and words.

use aplomb_math::elementary::atan2;

/// One property of the values of all trials.
pub(super) struct TrialQuantity {
    /// The draw's path, with the property.
    pub name: String,
    /// One value per trial.
    pub values: Quantities,
}

/// Values of a quantity.
pub(super) enum Quantities {
    /// Numbers in an order.
    Numbers(Vec<f64>),
    /// Words, including sectors of angles.
    Words(Vec<String>),
}

/// Number of sectors in a full turn.
const SECTORS: usize = 8;

/// The quantities of a draw; `values`: its values in all trials, as TOML.
pub(super) fn quantities(key: &str, values: &[&str]) -> Vec<TrialQuantity> {
    let numbers: Option<Vec<f64>> = values.iter().map(|value| value.parse().ok()).collect();
    if let Some(numbers) = numbers {
        return vec![TrialQuantity { name: key.into(), values: Quantities::Numbers(numbers) }];
    }
    let vectors: Option<Vec<[f64; 3]>> = values.iter().map(|value| vector(value)).collect();
    let Some(vectors) = vectors else {
        let words = values.iter().map(ToString::to_string).collect();
        return vec![TrialQuantity { name: key.into(), values: Quantities::Words(words) }];
    };
    let length = |[x, y, z]: &[f64; 3]| (x * x + y * y + z * z).sqrt();
    let numbers = |name: String, of: &dyn Fn(&[f64; 3]) -> f64| TrialQuantity {
        name,
        values: Quantities::Numbers(vectors.iter().map(of).collect()),
    };
    let mut all = vec![numbers(format!("length of {key}"), &length)];
    for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
        all.push(numbers(format!("{key}.{name}"), &|vector| vector[axis]));
    }
    let sectors = vectors.iter().map(|[x, y, _]| sector(atan2(*y, *x))).collect();
    all.push(TrialQuantity { name: format!("bearing of {key}"), values: Quantities::Words(sectors) });
    all
}

/// Three numbers of a TOML vector.
fn vector(text: &str) -> Option<[f64; 3]> {
    let inner = text.strip_prefix('[')?.strip_suffix(']')?;
    let parts: Option<Vec<f64>> = inner.split(',').map(|part| part.trim().parse().ok()).collect();
    parts?.try_into().ok()
}

/// The sector of a full turn that contains an angle, named by its middle in degrees.
fn sector(angle: f64) -> String {
    let width = 360.0 / SECTORS as f64;
    let number = (angle.to_degrees() / width).round().rem_euclid(SECTORS as f64);
    format!("{}° ± {}°", number * width, 0.5 * width)
}
