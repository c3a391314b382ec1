//! Quantities of runs that an aim may name: those of a scene's own run, and those of its pushes from all directions.

use crate::sweep::Figures;
use aplomb_language::diagnostic::nearest;
use aplomb_language::expression::{Interval, Lookup, Meaning, Names, Set, Type, Value, list_functions};
use serde::{Deserialize, Serialize};
use std::cell::Cell;

/// Quantities of a scene's own run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct OwnRun {
    /// Whether every criterion held.
    pub(crate) passed: bool,
    /// Share of the scene's duration until a criterion was violated.
    pub(crate) lasted: f64,
    /// The smallest margin of its criteria.
    pub(crate) margin: f64,
    /// √ of the mean over frames of Σ τ² over the joints, N m.
    pub(crate) effort: Option<f64>,
    /// Results as in sweeps.
    pub(crate) figures: Figures,
}

/// Quantities of a scene's pushes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pushes {
    /// Survivable area, N s rad.
    pub(crate) area: f64,
    /// Mean limit over the directions, N s.
    pub(crate) mean_limit: f64,
    /// Smallest limit of all directions, N s.
    pub(crate) least_limit: f64,
    /// Share of the duration completed under the first push in each direction that is not survived.
    pub(crate) endured: f64,
}

/// Name, unit, description, and value; NaN if there is none.
type OwnColumn = (&'static str, &'static str, &'static str, fn(&OwnRun) -> f64);
type OfPushes = (&'static str, &'static str, &'static str, fn(&Pushes) -> f64);

fn some(value: Option<f64>) -> f64 {
    value.unwrap_or(f64::NAN)
}

/// Quantities of a scene's own run.
pub const OWN: [OwnColumn; 13] = [
    ("passed", "", "1 if every criterion of the scene held, else 0", |run| f64::from(run.passed)),
    ("lasted", "", "share of the scene's duration until a criterion broke; 1 if none did", |run| run.lasted),
    ("margin", "", "smallest margin of the criteria, from -1 to 1", |run| run.margin),
    ("time", "s", "simulated time", |run| run.figures.simulated_time),
    ("effort", "N m", "√ of the mean over frames of Σ τ² over the joints", |run| some(run.effort)),
    ("torque_change", "N m", "as in the summary", |run| some(run.figures.torque_change)),
    ("goal_error", "", "as in the summary", |run| some(run.figures.goal_error)),
    ("com_drift", "m", "as in the summary", |run| some(run.figures.com_drift)),
    ("end_com_speed", "m/s", "speed of the COM in the last record", |run| run.figures.end_com_speed),
    ("peak_share", "", "largest share of a torque limit", |run| some(run.figures.peak_share)),
    ("steps", "", "feet put down", |run| run.figures.steps as f64),
    ("relaxed_frames", "", "frames in which constraints were relaxed", |run| {
        run.figures.relaxed_frames as f64
    }),
    ("failed_frames", "", "frames without a solution", |run| run.figures.failed_frames as f64),
];

/// Quantities of a scene's pushes, each called with `pushes`.
pub const PUSHES: [OfPushes; 4] = [
    ("area", "N s rad", "survivable area, as in sweeps", |map| map.area),
    ("mean_limit", "N s", "mean over the directions of the largest impulse survived", |map| map.mean_limit),
    ("least_limit", "N s", "the least of them", |map| map.least_limit),
    (
        "endured",
        "",
        "mean over the directions of `lasted` of the first push that is not survived, 1 if there is none",
        |map| map.endured,
    ),
];

const MAP: &str = "pushes";

/// Names of quantities, and which kinds of them were used.
#[derive(Default)]
pub(super) struct FigureNames {
    pub names_pushes: Cell<bool>,
}

impl Names for FigureNames {
    fn meaning(&self, name: &str) -> Option<Meaning> {
        let quantity = |slot, arguments| Meaning::Quantity {
            slot,
            arguments,
            result: Type::Number,
            range: Interval::ANY,
        };
        if name == MAP {
            self.names_pushes.set(true);
            return Some(Meaning::Constant(Value::Pushes));
        }
        let own = OWN.iter().position(|(known, ..)| *known == name);
        let of_pushes = || PUSHES.iter().position(|(known, ..)| *known == name);
        match own {
            Some(slot) => Some(quantity(slot, &[])),
            None => of_pushes().map(|slot| quantity(OWN.len() + slot, &[Type::Pushes])),
        }
    }

    fn known(&self) -> Vec<String> {
        let own = OWN.iter().map(|(name, ..)| *name);
        let all = own.chain(PUSHES.iter().map(|(name, ..)| *name)).chain([MAP]);
        all.map(String::from).collect()
    }

    fn hint(&self, name: &str) -> Option<String> {
        let known = self.known();
        let functions = list_functions().map(|(name, ..)| name);
        Some(match nearest(name, known.iter().map(String::as_str).chain(functions)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => {
                let own: Vec<&str> = OWN.iter().map(|(name, ..)| *name).collect();
                let map: Vec<String> = PUSHES.iter().map(|(name, ..)| format!("{name}({MAP})")).collect();
                format!("figures of a run: {}; of a map of pushes: {}", own.join(", "), map.join(", "))
            }
        })
    }
}

/// The quantities of one scene.
pub(super) struct FigureLookup<'a> {
    pub own: &'a OwnRun,
    pub pushes: Option<&'a Pushes>,
}

impl Lookup for FigureLookup<'_> {
    fn quantity(&self, slot: usize, _: &[Value]) -> Value {
        let of_pushes = || Some(PUSHES.get(slot.checked_sub(OWN.len())?)?.3(self.pushes?));
        Value::Number(OWN.get(slot).map(|(.., value)| value(self.own)).or_else(of_pushes).unwrap_or(f64::NAN))
    }

    fn presence(&self, _: Set, _: usize) -> Option<bool> {
        None
    }

    fn time(&self) -> f64 {
        self.own.figures.simulated_time
    }

    fn state_time(&self) -> f64 {
        f64::NAN
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_figure_is_described() {
        let manual = include_str!("../../../../docs/tune.md");
        for (name, ..) in OWN {
            assert!(manual.contains(&format!("`{name}`")), "{name}");
        }
        for (name, ..) in PUSHES {
            assert!(manual.contains(&format!("`{name}(pushes)`")), "{name}");
        }
    }

    #[test]
    fn a_figure_without_a_value_is_none() {
        let names = FigureNames::default();
        for (slot, (name, ..)) in PUSHES.iter().enumerate() {
            assert!(
                matches!(names.meaning(name), Some(Meaning::Quantity { slot: found, .. }) if found == OWN.len() + slot)
            );
        }
        assert!(!names.names_pushes.get());
        assert!(names.meaning(MAP).is_some() && names.names_pushes.get());
        assert!(names.hint("efort").unwrap().contains("`effort`"));
        assert!(names.hint("qqqqqqqq").unwrap().contains("area(pushes)"));
    }
}
