//! The margin by which a condition holds, as robustness of signal temporal logic [Donzé and Maler 2010], and the
//! comparison that decides it.

use super::bound::Condition;
use super::syntax::{Syntax, SyntaxNode, parse_expression};
use super::tree::{Boolean, Number};
use super::value::Lookup;
use crate::namespace::Namespace;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// Most parts of which one would have been enough that are kept.
const MOST: usize = 4;

/// The part of a condition that decides it in a frame: of parts that all have to hold the one that is farthest from
/// it, of parts of which one has to hold the one that is nearest to it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Deciding {
    /// The margin of the condition, see [`Condition::slack`].
    pub margin: f64,
    /// The part.
    pub part: PartNow,
    /// All parts of which one has to hold, in the order of the text; none where there is only one. Margins of
    /// different units cannot be compared, so that the nearest alone says little.
    pub alternatives: [Option<PartNow>; MOST],
    /// Time of the frame, s.
    pub time: f64,
}

/// A part of a condition in a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PartNow {
    /// Its number, from the left, with definitions in place of their names.
    pub number: usize,
    /// Values of the left and the right side, where it compares numbers.
    pub sides: Option<[f64; 2]>,
    /// What each side is a function of, where that is one number: x of `abs(x)`.
    pub arguments: [Option<f64>; 2],
}

/// A comparison that a condition needed and that did not hold, when it was nearest to holding.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NearMiss {
    /// The comparison as the file writes it, or a part of the condition that compares no numbers.
    pub comparison: String,
    /// Values of its left and its right side, in the units of the file; `None` where it compares no numbers.
    pub sides: Option<[f64; 2]>,
    /// What is within `abs` on a side of it, with its sign.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub within: Option<SignedTerm>,
    /// All comparisons of which one would have been enough, in the order of the text; none where there is only this.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub alternatives: Vec<FailedPart>,
    /// Time, s.
    pub time: f64,
}

/// One of the parts of a condition of which none held.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FailedPart {
    /// The comparison as the file writes it, or a part that compares no numbers.
    pub comparison: String,
    /// Values of its left and its right side; `None` where it compares no numbers.
    pub sides: Option<[f64; 2]>,
    /// What is within `abs` on a side of it, with its sign.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub within: Option<SignedTerm>,
}

/// A term whose sign a comparison of its absolute value does not tell.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SignedTerm {
    /// The term as the file writes it; of a difference from a number what that is subtracted from.
    pub term: String,
    /// Its value, in the units of the file.
    pub value: f64,
}

impl Condition {
    /// Signed margin of the condition now, from −1 to 1: positive if it holds, negative if not. For a
    /// comparison d/(1 + |d|), where d is the difference of its sides in their unit; for `and` the minimum,
    /// for `or` the maximum of the parts; ±1 for a Boolean, and −1 for a value that is not a number.
    #[doc(alias = "robustness")]
    pub fn slack(&self, lookup: &dyn Lookup) -> f64 {
        self.deciding(lookup).margin
    }

    /// The part that decides the condition in the present frame. Allocates nothing.
    pub fn deciding(&self, lookup: &dyn Lookup) -> Deciding {
        self.tree.deciding(lookup, &mut 0, f64::NEG_INFINITY, false)
    }

    /// What decided the condition in the frame in which it was nearest to holding so far, the first of those in
    /// which it was as near: the present one, or that of `before`. Looks no further than it takes to know that the
    /// present one is not nearer.
    pub fn nearest(&self, lookup: &dyn Lookup, before: Option<Deciding>) -> Deciding {
        let least = before.map_or(f64::NEG_INFINITY, |before| before.margin);
        let now = self.tree.deciding(lookup, &mut 0, least, false);
        before.filter(|before| before.margin >= now.margin).unwrap_or(now)
    }
}

impl Deciding {
    /// The parts of which one has to hold.
    fn parts(&self) -> impl Iterator<Item = PartNow> {
        let alone = self.alternatives[0].is_none().then_some(self.part);
        self.alternatives.into_iter().flatten().chain(alone)
    }

    /// This one of two of which one has to hold: it is one of `sides`, which are in the order of the text.
    fn of(self, sides: [Deciding; 2]) -> Deciding {
        let mut alternatives = [None; MOST];
        let mut all = sides.iter().flat_map(Deciding::parts);
        alternatives.iter_mut().for_each(|slot| *slot = all.next());
        // Of too many the one that decides is kept.
        if !alternatives.contains(&Some(self.part)) {
            alternatives[MOST - 1] = Some(self.part);
        }
        Deciding { alternatives, ..self }
    }
}

impl Boolean {
    pub(super) fn slack(&self, lookup: &dyn Lookup) -> f64 {
        self.deciding(lookup, &mut 0, f64::NEG_INFINITY, false).margin
    }

    /// `before` counts the parts. Parts are left out that cannot bring the margin above `least`: what is returned is
    /// then of another part, and not above `least` either. `is_negated` inside of `not`, where one part of `and` has
    /// to fail, and all parts of `or`.
    fn deciding(&self, lookup: &dyn Lookup, before: &mut usize, least: f64, is_negated: bool) -> Deciding {
        let mut arguments = [None, None];
        let (margin, sides) = match self {
            Boolean::Not(inner) => {
                let inner = inner.deciding(lookup, before, f64::NEG_INFINITY, !is_negated);
                return Deciding { margin: -inner.margin, ..inner };
            }
            Boolean::And(sides) => {
                let one = sides[0].deciding(lookup, before, least, is_negated);
                if one.margin <= least {
                    *before += sides[1].parts();
                    return one;
                }
                let other = sides[1].deciding(lookup, before, least, is_negated);
                let decides = if other.margin < one.margin { other } else { one };
                return if is_negated { decides.of([one, other]) } else { decides };
            }
            Boolean::Or(sides) => {
                let one = sides[0].deciding(lookup, before, least, is_negated);
                let other = sides[1].deciding(lookup, before, least.max(one.margin), is_negated);
                let decides = if other.margin > one.margin { other } else { one };
                return if is_negated { decides } else { decides.of([one, other]) };
            }
            Boolean::Choice(choice) => {
                let holds = choice.condition.value(lookup);
                let start = *before;
                let (taken, skipped) =
                    if holds { (&choice.yes, &choice.no) } else { (&choice.no, &choice.yes) };
                // Those of `yes` are counted first.
                *before += if holds { 0 } else { skipped.parts() };
                let decides = taken.deciding(lookup, before, least, is_negated);
                *before = start + taken.parts() + skipped.parts();
                return decides;
            }
            Boolean::Compare(holds, sides) => {
                let mut values = [0.0; 2];
                for (side, tree) in sides.iter().enumerate() {
                    (values[side], arguments[side]) = tree.value_with_argument(lookup);
                }
                (compared(*holds, values), Some(values))
            }
            Boolean::Over(over) => (over.slack(lookup), None),
            Boolean::Constant(_) | Boolean::Quantity(_) | Boolean::Same(_) | Boolean::SameReference(_) => {
                (if self.value(lookup) { 1.0 } else { -1.0 }, None)
            }
        };
        let part = PartNow { number: *before, sides, arguments };
        *before += 1;
        Deciding { margin, part, alternatives: [None; MOST], time: lookup.time() }
    }

    /// How many parts it has of which each can decide it.
    fn parts(&self) -> usize {
        match self {
            Boolean::Not(inner) => inner.parts(),
            Boolean::And(sides) | Boolean::Or(sides) => sides[0].parts() + sides[1].parts(),
            Boolean::Choice(choice) => choice.yes.parts() + choice.no.parts(),
            _ => 1,
        }
    }
}

impl Number {
    /// Its value, and that of what it is a function of, where that is one number.
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

impl Condition {
    /// What decided the condition in a frame, with its text. `of_file` maps the names of its file to those of the
    /// whole; `definition` gives what a name is defined as, and the text of that.
    pub fn miss(
        &self,
        decided: Deciding,
        of_file: Option<&Namespace>,
        definition: Definitions<'_>,
    ) -> Option<NearMiss> {
        let node = parse_expression(self.text())?.in_whole(of_file);
        let told = |now: PartNow| {
            let comparison = part(&node, self.text(), definition, &mut { now.number })?;
            let within = within(&comparison, now.arguments);
            Some(FailedPart { comparison, sides: now.sides, within })
        };
        let FailedPart { comparison, sides, within } = told(decided.part)?;
        let alternatives: Vec<FailedPart> =
            decided.alternatives.into_iter().flatten().filter_map(told).collect();
        Some(NearMiss { comparison, sides, within, alternatives, time: decided.time })
    }
}

/// What a name is defined as, and the text of that.
type Definitions<'a> = &'a dyn Fn(&str) -> Option<(SyntaxNode, Arc<str>)>;

/// Text of the part of a condition that so many others are `before`.
fn part(node: &SyntaxNode, text: &str, definition: Definitions<'_>, before: &mut usize) -> Option<String> {
    let sides = match &node.syntax {
        Syntax::Not(inner) => {
            return part(inner, text, definition, before).map(|part| format!("not {part}"));
        }
        Syntax::Binary { operator: "and" | "or", sides } => Some([&sides[0], &sides[1]]),
        Syntax::Choice(choice) => Some([&choice.yes, &choice.no]),
        _ => None,
    };
    if let Some(sides) = sides {
        return sides.into_iter().find_map(|side| part(side, text, definition, before));
    }
    if let Some((node, text)) = node.name().and_then(|name| definition(&name)) {
        return part(&node, &text, definition, before);
    }
    if *before == 0 {
        let text = text.get(node.span.clone())?;
        return Some(text.split_whitespace().collect::<Vec<_>>().join(" "));
    }
    *before -= 1;
    None
}

/// Digits of a number at least; more where two numbers need them to differ.
const DIGITS: i32 = 3;

impl NearMiss {
    /// Its comparison with the values for which it did not hold: `com_height > 0.5: 0.49`. Where one of several
    /// would have been enough, all of them, and the values of what they compare:
    /// `time < 2 or h > 1: time = 2, h = 0.4`. `before` stands before the values.
    pub fn told(&self, before: &str) -> String {
        let comparisons: Vec<&str> = match self.alternatives.as_slice() {
            [] => vec![&self.comparison],
            all => all.iter().map(|part| part.comparison.as_str()).collect(),
        };
        format!("{}: {before}{}", comparisons.join(" or "), self.value())
    }

    /// What the sides were, as far as the comparison does not say: `0.812`, `0.812 against 0.84`,
    /// `0.17 (x = 0.83)` of `abs(x - 1)`, or `false`. Of several of which one would have been enough, each term with
    /// its value.
    pub fn value(&self) -> String {
        let NearMiss { comparison, sides, within, .. } = self;
        if self.alternatives.is_empty() {
            let alone = FailedPart { comparison: comparison.clone(), sides: *sides, within: within.clone() };
            return alone.value();
        }
        let mut terms: Vec<String> = Vec::new();
        for term in self.alternatives.iter().flat_map(FailedPart::terms) {
            if !terms.contains(&term) {
                terms.push(term);
            }
        }
        terms.join(", ")
    }
}

impl FailedPart {
    /// The number of digits by which the sides differ.
    fn digits(&self) -> i32 {
        let Some([left, right]) = self.sides else { return DIGITS };
        let mut count = DIGITS;
        while left != right && count < 12 && digits(left, count) == digits(right, count) {
            count += 1;
        }
        count
    }

    fn value(&self) -> String {
        let Some([left, right]) = self.sides else { return "false".into() };
        let count = self.digits();
        let is_number = |side: usize| self.side(side).is_some_and(|(_, is_number)| is_number);
        let value = match (is_number(0), is_number(1)) {
            (false, true) => digits(left, count),
            (true, false) => digits(right, count),
            _ => format!("{} against {}", digits(left, count), digits(right, count)),
        };
        match &self.within {
            Some(signed) => format!("{value} ({signed})"),
            None => value,
        }
    }

    /// Text of a side, and whether it is a number as it is written; `None` where nothing is compared.
    fn side(&self, side: usize) -> Option<(String, bool)> {
        let node = parse_expression(&self.comparison)?;
        let mut node = &node;
        while let Syntax::Not(inner) = &node.syntax {
            node = inner;
        }
        let Syntax::Binary { sides, .. } = &node.syntax else { return None };
        Some((self.comparison.get(sides[side].span.clone())?.to_owned(), is_written_out(&sides[side])))
    }

    /// What it compares, each with its value, but for numbers that are written out.
    fn terms(&self) -> Vec<String> {
        let Some(values) = self.sides else { return vec![format!("{} = false", self.comparison)] };
        if let Some(signed) = &self.within {
            return vec![signed.to_string()];
        }
        let sides =
            values.into_iter().enumerate().filter_map(|(side, value)| Some((self.side(side)?, value)));
        let named = sides.filter(|((_, is_number), _)| !is_number);
        named.map(|((text, _), value)| format!("{text} = {}", digits(value, self.digits()))).collect()
    }
}

impl fmt::Display for SignedTerm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {}", self.term, digits(self.value, DIGITS))
    }
}

/// What is within `abs` on a side of a comparison. Of a sum or difference with a number the other term: of
/// `abs(x - 1)` where x is.
fn within(comparison: &str, arguments: [Option<f64>; 2]) -> Option<SignedTerm> {
    let node = parse_expression(comparison)?;
    let mut node = &node;
    while let Syntax::Not(inner) = &node.syntax {
        node = inner;
    }
    let Syntax::Binary { sides, .. } = &node.syntax else { return None };
    let mut signed = sides.iter().zip(arguments).filter_map(|(side, argument)| match &side.syntax {
        Syntax::Call { name, arguments, .. } if name == "abs" => Some((arguments.first()?, argument?)),
        _ => None,
    });
    let (inner, value) = signed.next()?;
    let (term, value) = match &inner.syntax {
        Syntax::Binary { operator, sides } => match (*operator, sides[0].number(), sides[1].number()) {
            ("-", None, Some(number)) => (&sides[0], value + number),
            ("-", Some(number), None) => (&sides[1], number - value),
            ("+", None, Some(number)) => (&sides[0], value - number),
            ("+", Some(number), None) => (&sides[1], value - number),
            _ => (inner, value),
        },
        _ => (inner, value),
    };
    Some(SignedTerm { term: comparison.get(term.span.clone())?.to_owned(), value })
}

fn is_written_out(node: &SyntaxNode) -> bool {
    node.number().is_some()
}

impl SyntaxNode {
    /// The number, where one is written out.
    fn number(&self) -> Option<f64> {
        match &self.syntax {
            Syntax::Number(value) => Some(*value),
            Syntax::Negate(inner) => Some(-inner.number()?),
            _ => None,
        }
    }
}

impl fmt::Display for NearMiss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.sides {
            None if self.alternatives.is_empty() => write!(f, "{}, which did not hold", self.comparison),
            _ => write!(f, "{} at {:.2} s", self.told("nearest "), self.time),
        }
    }
}

/// A number with so many digits, without zeros at its end.
fn digits(value: f64, count: i32) -> String {
    let size = value.abs();
    if !value.is_finite() || size >= 1e6 || (size > 0.0 && size < 1e-4) {
        return format!("{value:.*e}", (count - 1).max(0) as usize);
    }
    // A number of the order of 10ⁿ has n + 1 digits before the point.
    let order = format!("{size:e}").rsplit('e').next().and_then(|order| order.parse::<i32>().ok());
    let before = order.unwrap_or(0) + 1;
    let text = format!("{value:.*}", (count - before).max(0) as usize);
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{FRAME, Frame};
    use super::super::{Condition, SyntaxNode, parse_expression, tests::condition};
    use super::digits;
    use std::sync::Arc;

    fn bound(text: &str) -> Condition {
        condition(text)
    }

    fn undefined(_: &str) -> Option<(SyntaxNode, Arc<str>)> {
        None
    }

    #[test]
    fn a_condition_tells_the_comparison_that_decides_it_with_its_values() {
        let cases = [
            ("signal > 1.5", "signal > 1.5: nearest 1 at 2.00 s"),
            ("signal > 0 and other > 0.25", "other > 0.25: nearest 0 at 2.00 s"),
            (
                "signal > 9 or 0.25 < other",
                "signal > 9 or 0.25 < other: nearest signal = 1, other = 0 at 2.00 s",
            ),
            (
                "signal > 0 and (time < 2 or time > 4.5 or  min(other, 3) > 0.05 or in_contact(right_foot))",
                "time < 2 or time > 4.5 or min(other, 3) > 0.05 or in_contact(right_foot): \
                 nearest time = 2, min(other, 3) = 0, in_contact(right_foot) = false at 2.00 s",
            ),
            (
                "not (signal > 0 and time < 3)",
                "not signal > 0 or not time < 3: nearest signal = 1, time = 2 at 2.00 s",
            ),
            ("not (signal > 0 or other > 3)", "not signal > 0: nearest 1 at 2.00 s"),
            ("abs(other - 1) < 0.1", "abs(other - 1) < 0.1: nearest 1 (other = 0) at 2.00 s"),
            ("abs(1.25 - signal) <= 0.1", "abs(1.25 - signal) <= 0.1: nearest 0.25 (signal = 1) at 2.00 s"),
            ("0.1 > abs(signal + -3)", "0.1 > abs(signal + -3): nearest 2 (signal = 1) at 2.00 s"),
            (
                "abs(other - signal) < other",
                "abs(other - signal) < other: nearest 1 against 0 (other - signal = -1) at 2.00 s",
            ),
            (
                "abs(signal) > 2 or time > 3",
                "abs(signal) > 2 or time > 3: nearest signal = 1, time = 2 at 2.00 s",
            ),
            (
                "not (signal > 0 and  signal < 2)",
                "not signal > 0 or not signal < 2: nearest signal = 1 at 2.00 s",
            ),
            ("other > signal", "other > signal: nearest 0 against 1 at 2.00 s"),
            ("in_contact(right_foot) and other > 1", "in_contact(right_foot), which did not hold"),
            ("signal > 3 if other > 1 else other > 1", "other > 1: nearest 0 at 2.00 s"),
            (
                "(other > 1 if signal > 0 else signal > 3 or signal > 4) and signal > 0",
                "other > 1: nearest 0 at 2.00 s",
            ),
        ];
        for (text, expected) in cases {
            let condition = bound(text);
            let miss = condition.miss(condition.deciding(&FRAME), None, &undefined).unwrap();
            assert_eq!(miss.to_string(), expected, "{text}");
        }
    }

    #[test]
    fn the_nearest_of_some_frames_is_kept_and_the_first_of_those_that_are_as_near() {
        let condition = bound("signal > 0.84");
        let mut nearest = None;
        for (time, signal) in [(1.0, 0.5), (2.0, 0.8399), (3.0, 0.7), (4.0, 0.8399)] {
            nearest = Some(condition.nearest(&Frame { time, signal, ..FRAME }, nearest));
        }
        let miss = condition.miss(nearest.unwrap(), None, &undefined).unwrap();
        assert_eq!(miss.to_string(), "signal > 0.84: nearest 0.8399 at 2.00 s");
    }

    #[test]
    fn the_nearest_frame_is_found_without_a_look_at_what_cannot_change_it() {
        let text =
            "signal > 5 and other > 3 and (signal > 9 or other > 2) and not (signal > 0 and other < 9)";
        let condition = bound(text);
        let frames = [(1.0, 9.0), (4.0, 1.0), (9.5, 3.5), (9.0, 9.5), (7.0, 3.2), (0.0, 0.0)];
        let frames = frames.map(|(signal, other)| Frame { signal, other, ..FRAME });
        let mut nearest = None;
        let mut exact: Option<super::Deciding> = None;
        for frame in &frames {
            nearest = Some(condition.nearest(frame, nearest));
            let now = condition.deciding(frame);
            exact = exact.filter(|before| before.margin >= now.margin).or(Some(now));
            assert_eq!(nearest, exact, "{frame:?}");
        }
        // The frame panics where it is asked for `reach`.
        let costly = bound("signal > 5 and reach(left_foot) > 1");
        let near = bound("signal > 5").deciding(&frames[1]);
        assert_eq!(costly.nearest(&frames[0], Some(near)), near, "it looked no further");
    }

    #[test]
    fn digits_are_as_many_as_a_reader_needs() {
        let cases = [(0.0, "0"), (0.8126, "0.813"), (12.345, "12.3"), (1234.5, "1234"), (-0.02, "-0.02")];
        for (value, expected) in cases {
            assert_eq!(digits(value, 3), expected);
        }
        assert_eq!((digits(1e-9, 3).as_str(), digits(f64::NAN, 3).as_str()), ("1.00e-9", "NaN"));
    }

    #[test]
    fn names_of_definitions_give_way_to_the_comparisons_in_them() {
        // As the binder puts the definition in place of its name.
        let condition = bound("(signal > 0 and other > 1) and signal > 5");
        let decided = condition.deciding(&FRAME);
        let named = Condition { origin: bound("signal > 0").origin, ..condition };
        assert_eq!(decided.part.number, 2);
        assert!(named.miss(decided, None, &undefined).is_none(), "of another text there is no third part");
        let arrived = |name: &str| {
            let text: Arc<str> = "signal > 0 and other > 1".into();
            (name == "signal_is_there").then(|| (parse_expression(&text).unwrap(), text))
        };
        let text = "signal_is_there and signal > 5";
        let mut before = decided.part.number;
        let found = super::part(&parse_expression(text).unwrap(), text, &arrived, &mut before);
        assert_eq!(found.as_deref(), Some("signal > 5"));
    }
}
