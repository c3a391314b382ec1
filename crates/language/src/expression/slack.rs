//! The margin by which a condition holds, as robustness of signal temporal logic [Donzé and Maler 2010].

use super::bound::Condition;
use super::tree::{Boolean, Number};
use super::value::Lookup;

impl Condition {
    /// Signed margin of the condition now, from −1 to 1: positive if it holds, negative if not. For a
    /// comparison d/(1 + |d|), where d is the difference of its sides in their unit; for `and` the minimum,
    /// for `or` the maximum of the parts; ±1 for a Boolean, and −1 for a value that is not a number.
    #[doc(alias = "robustness")]
    pub fn slack(&self, lookup: &dyn Lookup) -> f64 {
        self.tree.slack(lookup)
    }
}

impl Boolean {
    pub(super) fn slack(&self, lookup: &dyn Lookup) -> f64 {
        match self {
            Boolean::Not(inner) => -inner.slack(lookup),
            Boolean::And(sides) => sides[0].slack(lookup).min(sides[1].slack(lookup)),
            Boolean::Or(sides) => sides[0].slack(lookup).max(sides[1].slack(lookup)),
            Boolean::Compare(holds, sides) => compared(*holds, sides, lookup),
            Boolean::Choice(choice) => match choice.condition.value(lookup) {
                true => choice.yes.slack(lookup),
                false => choice.no.slack(lookup),
            },
            Boolean::Over(over) => over.slack(lookup),
            Boolean::Constant(_) | Boolean::Quantity(_) | Boolean::Same(_) | Boolean::SameReference(_) => {
                match self.value(lookup) {
                    true => 1.0,
                    false => -1.0,
                }
            }
        }
    }
}

fn compared(holds: fn(&f64, &f64) -> bool, sides: &[Number; 2], lookup: &dyn Lookup) -> f64 {
    let [left, right] = [sides[0].value(lookup), sides[1].value(lookup)];
    let apart = match (holds(&0.0, &1.0), holds(&1.0, &0.0)) {
        (true, false) => right - left,
        (false, true) => left - right,
        // Equal, or not.
        (true, true) => (left - right).abs(),
        (false, false) => -(left - right).abs(),
    };
    match apart {
        apart if apart.is_nan() => -1.0,
        apart if apart.is_infinite() => apart.signum(),
        apart => apart / (1.0 + apart.abs()),
    }
}
