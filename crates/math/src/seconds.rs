use std::borrow::Borrow;
use std::fmt;

/// Largest number of decimal places.
const MOST_DIGITS: usize = 4;

/// A time in s, displayed with two decimal places, and with up to four where its step needs them: `1.20` in steps of
/// 10 ms, `1.235` in steps of 5 ms.
#[derive(Clone, Copy, Debug)]
pub struct Seconds(f64);

/// A time, s, for messages.
pub fn seconds(time: impl Borrow<f64>) -> Seconds {
    Seconds(*time.borrow())
}

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_enough = |digits: &usize| {
            let units = self.0 * f64::powi(10.0, i32::try_from(*digits).unwrap_or(0));
            (units - units.round()).abs() < 1e-4
        };
        let digits = (2..MOST_DIGITS).find(is_enough).unwrap_or(MOST_DIGITS);
        f.pad(&format!("{:.digits$}", self.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_the_digits_that_their_step_needs() {
        for (time, said) in [
            (1.0, "1.00"),
            (0.3 - 0.1, "0.20"),
            (1.235, "1.235"),
            (1.1175, "1.1175"),
            (1.0 / 240.0, "0.0042"),
        ] {
            assert_eq!(seconds(time).to_string(), said);
        }
        assert_eq!(format!("{:>7}", seconds(1.5)), "   1.50");
    }
}
