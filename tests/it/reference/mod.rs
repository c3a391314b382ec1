//! The equations of motion compared with numbers from other engines and closed forms.
//!
//! The data are the files under `tests/data/reference`, or under the directory that `APLOMB_REFERENCE` names.
//! `cargo test reference -- --nocapture` prints the worst error of each quantity.

mod data;
mod extrapolation;
mod states;
mod trajectories;

use std::collections::BTreeMap;

/// The worst relative error of each quantity, and the values outside their tolerances.
#[derive(Default)]
struct Comparison {
    worst: BTreeMap<&'static str, Worst>,
    outside: Vec<String>,
}

#[derive(Default)]
struct Worst {
    error: f64,
    place: String,
    count: usize,
}

impl Comparison {
    /// Compares numbers. Errors are relative to `max(1, |expected|∞)`, as specified by the reference data.
    fn compare(
        &mut self,
        place: &str,
        quantity: &'static str,
        got: &[f64],
        expected: &[f64],
        tolerance: f64,
    ) {
        assert_eq!(got.len(), expected.len(), "{place}: {quantity}");
        let scale = expected.iter().fold(1.0, |largest: f64, x| largest.max(x.abs()));
        let error = got.iter().zip(expected).fold(0.0, |largest: f64, (a, b)| {
            let error = (a - b).abs() / scale;
            if error.is_nan() { f64::INFINITY } else { largest.max(error) }
        });
        let worst = self.worst.entry(quantity).or_default();
        worst.count += 1;
        if error >= worst.error {
            worst.error = error;
            worst.place = place.into();
        }
        if error > tolerance {
            self.outside.push(format!("{place}: {quantity} is off by {error:.1e}, allowed {tolerance:.1e}"));
        }
    }

    /// Prints the table, and fails if any value is outside its tolerance.
    fn finish(&self, title: &str) {
        println!("\n{title}\n\n| quantity | worst relative error | where | compared |\n|---|---|---|---|");
        for (quantity, Worst { error, place, count }) in &self.worst {
            println!("| {quantity} | {error:.1e} | {place} | {count} |");
        }
        let shown: Vec<&str> = self.outside.iter().take(40).map(String::as_str).collect();
        assert!(shown.is_empty(), "{} outside tolerance:\n{}", self.outside.len(), shown.join("\n"));
    }
}
