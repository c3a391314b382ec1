//! The margin by which a condition holds, as robustness of signal temporal logic [Donzé and Maler 2010], and the
//! comparison that decides it.

use super::bound::Condition;
use super::tree::{Boolean, Choice, Number};
use super::value::Lookup;
use std::cmp::Ordering;

/// Largest number of alternatives that are kept.
const MOST: usize = 4;

/// The part of a condition that decides it in a frame: of parts that must all hold, the one farthest from holding;
/// of alternatives, the one nearest to holding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Deciding {
    /// The margin of the condition, see [`Condition::slack`].
    pub margin: f64,
    /// The part.
    pub(crate) part: PartNow,
    /// All alternatives, in the order of the text; empty if there is only one. Margins of different units cannot be
    /// compared, so that the nearest one alone gives little information.
    pub(crate) alternatives: [Option<PartNow>; MOST],
    /// Whether the condition holds.
    pub(crate) holds: bool,
    /// Whether the other conditions that must hold with the part hold; `None` if there are none.
    pub(crate) rest_holds: Option<bool>,
    /// Time of the frame, s.
    pub(crate) time: f64,
}

/// The part that decided a condition in the frames in which it was nearest to holding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NearestDeciding {
    /// For each alternative, in the order of the text, its value in the frame in which it was nearest: the frames
    /// differ, and margins of different units cannot be compared. One element if there are no alternatives.
    each: [Option<Deciding>; MOST],
}

/// The value of a part of a condition in a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PartNow {
    /// Its number, from the left, with definitions substituted for their names.
    pub(crate) number: usize,
    /// Values of the left and the right side, if it compares numbers.
    pub(crate) sides: Option<[f64; 2]>,
    /// The argument of each side, if that is one number: x for `abs(x)`.
    pub(crate) arguments: [Option<f64>; 2],
}

impl Condition {
    /// Signed margin of the condition in this frame, from −1 to 1: positive if it holds, negative if not. For a
    /// comparison d/(1 + |d|), where d is the difference of its sides in their unit; for `and` the minimum, for `or`
    /// the maximum of the parts; ±1 for a Boolean, and −1 for NaN.
    #[doc(alias = "robustness")]
    pub fn slack(&self, lookup: &dyn Lookup) -> f64 {
        self.deciding(lookup).margin
    }

    /// The part that decides the condition in the present frame. It does not allocate memory.
    pub fn deciding(&self, lookup: &dyn Lookup) -> Deciding {
        self.tree.deciding(lookup, &mut 0, f64::NEG_INFINITY, false)
    }

    /// The parts that decided the condition in the frames in which it was nearest to holding so far, the present one
    /// or those of `before`; of equally near frames, the first in which its other conditions hold. The evaluation
    /// stops as soon as it is clear that the present frame is not nearer.
    pub fn nearest(&self, lookup: &dyn Lookup, before: Option<NearestDeciding>) -> NearestDeciding {
        let each = before.map_or([None; MOST], |before| before.each);
        let mut search = AlternativeSearch { lookup, each, parts: 0, alternatives: 0 };
        self.tree.search(false, &mut search);
        NearestDeciding { each: search.each }
    }
}

impl From<Deciding> for NearestDeciding {
    fn from(decided: Deciding) -> Self {
        let mut each = [None; MOST];
        each[0] = Some(decided);
        NearestDeciding { each }
    }
}

impl NearestDeciding {
    /// The deciding part for each alternative, in the order of the text.
    pub(crate) fn each(&self) -> impl Iterator<Item = &Deciding> {
        self.each.iter().flatten()
    }

    /// The deciding part of the whole condition, in the first of the frames in which it was nearest to holding.
    pub(crate) fn decided(&self) -> Option<&Deciding> {
        let is_nearer = |one: &&Deciding, other: &&Deciding| {
            one.margin.total_cmp(&other.margin).then(other.time.total_cmp(&one.time))
        };
        // `max_by` returns the last of equal elements.
        self.each.iter().rev().flatten().max_by(is_nearer)
    }

    /// The largest margin of the condition.
    pub fn margin(&self) -> f64 {
        self.decided().map_or(f64::NEG_INFINITY, |decided| decided.margin)
    }
}

/// A search through the alternatives of a condition.
struct AlternativeSearch<'a> {
    lookup: &'a dyn Lookup,
    each: [Option<Deciding>; MOST],
    /// Parts and alternatives so far.
    parts: usize,
    alternatives: usize,
}

impl AlternativeSearch<'_> {
    fn look(&mut self, tree: &Boolean, is_negated: bool) {
        // If there are too many, the last ones share a slot.
        let place = self.alternatives.min(MOST - 1);
        self.alternatives += 1;
        let before = self.each[place];
        // Of equally near frames, the first in which the rest holds is the most informative.
        let rest_holds = |decided: &Deciding| decided.rest_holds != Some(false);
        let least = before.filter(rest_holds).map_or(f64::NEG_INFINITY, |before| before.margin);
        let now = match is_negated {
            true => tree.deciding(self.lookup, &mut self.parts, f64::NEG_INFINITY, true).negated(),
            false => tree.deciding(self.lookup, &mut self.parts, least, false),
        };
        let is_as_near = |before: &Deciding| match before.margin.total_cmp(&now.margin) {
            Ordering::Equal => rest_holds(before) || !rest_holds(&now),
            order => order.is_gt(),
        };
        self.each[place] = before.filter(is_as_near).or(Some(now));
    }
}

impl Deciding {
    fn negated(self) -> Deciding {
        let rest_holds = self.rest_holds.map(|holds| !holds);
        Deciding { margin: -self.margin, holds: !self.holds, rest_holds, ..self }
    }

    /// The parts of which at least one must hold.
    pub(super) fn parts(&self) -> impl Iterator<Item = PartNow> {
        let alone = self.alternatives[0].is_none().then_some(self.part);
        self.alternatives.into_iter().flatten().chain(alone)
    }

    /// The result for two alternatives, of which this one decides; `sides` has both in the order of the text.
    fn of(self, sides: [Deciding; 2]) -> Deciding {
        let mut alternatives = [None; MOST];
        let mut all = sides.iter().flat_map(Deciding::parts);
        alternatives.iter_mut().for_each(|slot| *slot = all.next());
        // If there are too many, the deciding one is kept.
        if !alternatives.contains(&Some(self.part)) {
            alternatives[MOST - 1] = Some(self.part);
        }
        Deciding { alternatives, rest_holds: None, ..self }
    }
}

impl Boolean {
    pub(super) fn slack(&self, lookup: &dyn Lookup) -> f64 {
        self.deciding(lookup, &mut 0, f64::NEG_INFINITY, false).margin
    }

    /// `before` counts the parts. Parts that cannot raise the margin above `least` are skipped: the result is then
    /// that of another part, and not above `least` either. `is_negated` is set inside `not`, where one part of `and`
    /// must fail, and all parts of `or`.
    fn deciding(&self, lookup: &dyn Lookup, before: &mut usize, least: f64, is_negated: bool) -> Deciding {
        let mut arguments = [None, None];
        let (margin, holds, sides) = match self {
            Boolean::Not(inner) => {
                return inner.deciding(lookup, before, f64::NEG_INFINITY, !is_negated).negated();
            }
            Boolean::And(sides) => return deciding_and(sides, lookup, before, least, is_negated),
            Boolean::Or(sides) => return deciding_or(sides, lookup, before, least, is_negated),
            Boolean::Choice(choice) => return deciding_choice(choice, lookup, before, least, is_negated),
            Boolean::Compare(holds, sides) => {
                let mut values = [0.0; 2];
                for (side, tree) in sides.iter().enumerate() {
                    (values[side], arguments[side]) = tree.value_with_argument(lookup);
                }
                (compared(*holds, values), holds(&values[0], &values[1]), Some(values))
            }
            Boolean::Over(over) => {
                let margin = over.slack(lookup);
                (margin, margin > 0.0, None)
            }
            Boolean::Constant(_) | Boolean::Quantity(_) | Boolean::Same(_) | Boolean::SameReference(_) => {
                let holds = self.value(lookup);
                (if holds { 1.0 } else { -1.0 }, holds, None)
            }
        };
        let part = PartNow { number: *before, sides, arguments };
        *before += 1;
        Deciding { margin, holds, part, alternatives: [None; MOST], rest_holds: None, time: lookup.time() }
    }

    /// Searches the alternatives.
    fn search(&self, is_negated: bool, search: &mut AlternativeSearch<'_>) {
        match (self, is_negated) {
            (Boolean::Not(inner), _) => inner.search(!is_negated, search),
            (Boolean::Or(sides), false) | (Boolean::And(sides), true) => {
                sides.iter().for_each(|side| side.search(is_negated, search));
            }
            _ => search.look(self, is_negated),
        }
    }

    /// Number of its parts, each of which can decide the condition.
    fn parts(&self) -> usize {
        match self {
            Boolean::Not(inner) => inner.parts(),
            Boolean::And(sides) | Boolean::Or(sides) => sides[0].parts() + sides[1].parts(),
            Boolean::Choice(choice) => choice.yes.parts() + choice.no.parts(),
            _ => 1,
        }
    }
}

/// [`Boolean::deciding`] of `and`: the side with the smaller margin decides.
fn deciding_and(
    sides: &[Boolean; 2],
    lookup: &dyn Lookup,
    before: &mut usize,
    least: f64,
    is_negated: bool,
) -> Deciding {
    let one = sides[0].deciding(lookup, before, least, is_negated);
    if one.margin <= least {
        *before += sides[1].parts();
        return one;
    }
    let other = sides[1].deciding(lookup, before, least, is_negated);
    let [decides, rest] = if other.margin < one.margin { [other, one] } else { [one, other] };
    let holds = one.holds && other.holds;
    match is_negated {
        true => Deciding { holds, ..decides.of([one, other]) },
        false => {
            let rest_holds = Some(decides.rest_holds.unwrap_or(true) && rest.holds);
            Deciding { holds, rest_holds, ..decides }
        }
    }
}

/// [`Boolean::deciding`] of `or`: the side with the larger margin decides.
fn deciding_or(
    sides: &[Boolean; 2],
    lookup: &dyn Lookup,
    before: &mut usize,
    least: f64,
    is_negated: bool,
) -> Deciding {
    let one = sides[0].deciding(lookup, before, least, is_negated);
    // Inside `not` all parts must fail, so that the other part matters too.
    let least = if is_negated { least } else { least.max(one.margin) };
    let other = sides[1].deciding(lookup, before, least, is_negated);
    let [decides, rest] = if other.margin > one.margin { [other, one] } else { [one, other] };
    let holds = one.holds || other.holds;
    match is_negated {
        true => {
            let rest_holds = Some(decides.rest_holds.unwrap_or(false) || rest.holds);
            Deciding { holds, rest_holds, ..decides }
        }
        false => Deciding { holds, ..decides.of([one, other]) },
    }
}

/// [`Boolean::deciding`] of `if`: the branch that is taken decides.
fn deciding_choice(
    choice: &Choice<Boolean>,
    lookup: &dyn Lookup,
    before: &mut usize,
    least: f64,
    is_negated: bool,
) -> Deciding {
    let holds = choice.condition.value(lookup);
    let start = *before;
    let (taken, skipped) = if holds { (&choice.yes, &choice.no) } else { (&choice.no, &choice.yes) };
    // The parts of `yes` are counted first.
    *before += if holds { 0 } else { skipped.parts() };
    let decides = taken.deciding(lookup, before, least, is_negated);
    *before = start + taken.parts() + skipped.parts();
    decides
}

impl Number {
    /// The value, and that of its argument if it has a single one.
    fn value_with_argument(&self, lookup: &dyn Lookup) -> (f64, Option<f64>) {
        match self {
            Number::One(function, argument) => {
                let argument = argument.value(lookup);
                (function(argument), Some(argument))
            }
            _ => (self.value(lookup), None),
        }
    }
}

fn compared(holds: fn(&f64, &f64) -> bool, [left, right]: [f64; 2]) -> f64 {
    let apart = match (holds(&0.0, &1.0), holds(&1.0, &0.0)) {
        (true, false) => right - left,
        (false, true) => left - right,
        // Equality and inequality.
        (true, true) => (left - right).abs(),
        (false, false) => -(left - right).abs(),
    };
    match apart {
        apart if apart.is_nan() => -1.0,
        apart if apart.is_infinite() => apart.signum(),
        apart => apart / (1.0 + apart.abs()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{FRAME, Frame};
    use super::super::tests::condition as bound;
    use super::{Deciding, NearestDeciding};

    #[test]
    fn the_nearest_frame_is_found_without_a_look_at_what_cannot_change_it() {
        let text =
            "signal > 5 and other > 3 and (signal > 9 or other > 2) and not (signal > 0 and other < 9)";
        let condition = bound(text);
        let frames = [(1.0, 9.0), (4.0, 1.0), (9.5, 3.5), (9.0, 9.5), (7.0, 3.2), (0.0, 0.0)];
        let frames = frames.map(|(signal, other)| Frame { signal, other, ..FRAME });
        let mut nearest: Option<NearestDeciding> = None;
        let mut exact: Option<Deciding> = None;
        for frame in &frames {
            nearest = Some(condition.nearest(frame, nearest));
            let now = condition.deciding(frame);
            exact = exact.filter(|before| before.margin >= now.margin).or(Some(now));
            assert_eq!(nearest.and_then(|nearest| nearest.decided().copied()), exact, "{frame:?}");
        }
        // The frame panics if `reach` is queried.
        let costly = bound("signal > 5 and reach(left_foot) > 1");
        let near = bound("signal > 5").deciding(&frames[1]);
        assert_eq!(costly.nearest(&frames[0], Some(near.into())), near.into(), "it looked no further");
    }

    #[test]
    fn of_parts_of_which_one_is_enough_each_has_a_nearest_frame_of_its_own() {
        let conditions =
            ["signal > 5 or other > 5 and time < 3", "not (signal <= 5 and (other <= 5 or time >= 3))"];
        for condition in conditions.map(bound) {
            let frames = [(1.0, 0.0, 9.0), (2.0, 4.0, 1.0), (2.5, 3.0, 4.5), (4.0, 0.0, 6.0)];
            let mut nearest = None;
            for (time, signal, other) in frames {
                nearest = Some(condition.nearest(&Frame { time, signal, other, ..FRAME }, nearest));
                if time == 1.0 {
                    assert!(
                        nearest.is_some_and(|nearest: NearestDeciding| nearest.margin() > 0.0),
                        "it held"
                    );
                    nearest = None;
                }
            }
            let nearest = nearest.unwrap();
            let each: Vec<(f64, Option<bool>)> =
                nearest.each().map(|one| (one.time, one.rest_holds)).collect();
            assert_eq!(each, [(2.0, None), (2.5, Some(true))]);
            assert_eq!(nearest.decided().unwrap().time, 2.5);
        }
    }
}
