//! The comparison that came nearest to making a condition true, as the file writes it, with values.

use super::bound::Condition;
use super::slack::{Deciding, NearestDeciding, PartNow};
use super::syntax::{Syntax, SyntaxNode, parse_expression};
use crate::namespace::Namespace;
use aplomb_math::seconds::seconds;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// A comparison that a condition needed and that did not hold, evaluated when it was nearest to holding.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NearMiss {
    /// The comparison as written in the file, or a part of the condition that does not compare numbers.
    pub comparison: String,
    /// Values of its left and its right side, in the units of the file; `None` if it does not compare numbers.
    pub sides: Option<[f64; 2]>,
    /// The signed value inside `abs` on one side of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub within: Option<SignedTerm>,
    /// All comparisons of which one would have sufficed, in the order of the text; empty if there is only this one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub alternatives: Vec<FailedPart>,
    /// Time, s.
    pub time: f64,
    /// Whether the other conditions that must hold with it held at that time; `None` if there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rest_held: Option<bool>,
}

/// One of the alternatives of a condition, none of which held.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FailedPart {
    /// The comparison as written in the file, or a part that does not compare numbers.
    pub(crate) comparison: String,
    /// Values of its left and its right side; `None` if it does not compare numbers.
    pub(crate) sides: Option<[f64; 2]>,
    /// The signed value inside `abs` on one side of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) within: Option<SignedTerm>,
    /// Time at which it was nearest to holding, s, if it differs from that of the whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) time: Option<f64>,
    /// Whether the conditions that must hold with it held at that time; `None` if there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) rest_held: Option<bool>,
}

/// A term whose sign does not follow from a comparison of its absolute value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SignedTerm {
    /// The term as the file writes it; for a difference from a number the minuend.
    pub(crate) term: String,
    /// Its value, in the units of the file.
    pub(crate) value: f64,
}

impl Condition {
    /// The comparison that decided the condition in a frame, or in the frames in which it was nearest to holding,
    /// with its text. `of_file` maps the names of its file to those of the whole; `definition` returns the
    /// definition of a name, and its text.
    pub fn miss(
        &self,
        nearest: impl Into<NearestDeciding>,
        of_file: Option<&Namespace>,
        definition: Definitions<'_>,
    ) -> Option<NearMiss> {
        let node = parse_expression(self.text())?.in_whole(of_file);
        let nearest = nearest.into();
        let whole = *nearest.decided()?;
        let is_alone = nearest.each().count() == 1;
        let in_words = |now: PartNow, decided: &Deciding| {
            let comparison = part(&node, self.text(), definition, &mut { now.number })?;
            let within = within(&comparison, now.arguments);
            let rest_held = decided.rest_holds.filter(|_| !is_alone);
            // A Boolean without a comparison was false in all frames.
            let has_time = now.sides.is_some() || rest_held.is_some();
            let time = Some(decided.time).filter(|time| has_time && *time != whole.time);
            Some(FailedPart { comparison, sides: now.sides, within, time, rest_held })
        };
        let FailedPart { comparison, sides, within, .. } = in_words(whole.part, &whole)?;
        let mut alternatives: Vec<FailedPart> =
            nearest.each().flat_map(|one| one.parts().filter_map(|now| in_words(now, one))).collect();
        if alternatives.len() == 1 {
            alternatives.clear();
        }
        Some(NearMiss {
            comparison,
            sides,
            within,
            alternatives,
            time: whole.time,
            rest_held: whole.rest_holds,
        })
    }
}

/// The definition of a name, and its text.
type Definitions<'a> = &'a dyn Fn(&str) -> Option<(SyntaxNode, Arc<str>)>;

/// Text of the part of a condition that is preceded by `before` others.
pub(super) fn part(
    node: &SyntaxNode,
    text: &str,
    definition: Definitions<'_>,
    before: &mut usize,
) -> Option<String> {
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

/// Smallest number of digits; more if two numbers need them to differ.
const DIGITS: i32 = 3;

impl NearMiss {
    /// The comparison; if one of several would have sufficed, all of them: `time < 2 or h > 1`.
    fn comparisons(&self) -> String {
        match self.alternatives.as_slice() {
            [] => self.comparison.clone(),
            all => all.iter().map(|part| part.comparison.as_str()).collect::<Vec<_>>().join(" or "),
        }
    }

    /// The values that came nearest, and when: `nearest 0.49 at 3.02 s`. If one of several comparisons would have
    /// sufficed, the terms of each with their values when it was nearest: `nearest x = 0.4 at 1.00 s; h = 0.9 at
    /// 3.02 s`. For a comparison that needs other conditions to hold too, a value that satisfies it alone at another
    /// time is not enough: the text states whether the others held.
    pub fn nearest(&self) -> String {
        let is_apart = |part: &FailedPart| part.time.is_some() || part.rest_held.is_some();
        if !self.alternatives.iter().any(is_apart) {
            let rest = of_rest(self.rest_held, "the rest");
            return format!("nearest {} at {} s{rest}", self.value(), seconds(self.time));
        }
        let each = self.alternatives.iter().map(|part| {
            let (terms, time) = (part.terms().join(", "), part.time.unwrap_or(self.time));
            match (part.sides, part.rest_held) {
                (None, None) => terms,
                _ => format!(
                    "{terms} at {time} s{}",
                    of_rest(part.rest_held, "the rest of its `and`"),
                    time = seconds(time)
                ),
            }
        });
        format!("nearest {}", each.collect::<Vec<_>>().join("; "))
    }

    /// Values of the sides, unless the comparison states them: `0.812`, `0.812 against 0.84`, `0.17 (x = 0.83)` of
    /// `abs(x - 1)`, or `false`. If one of several comparisons would have sufficed, each term with its value.
    pub fn value(&self) -> String {
        let NearMiss { comparison, sides, within, .. } = self;
        if self.alternatives.is_empty() {
            let (comparison, sides, within) = (comparison.clone(), *sides, within.clone());
            return FailedPart { comparison, sides, within, time: None, rest_held: None }.value();
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

    /// Text of a side, and whether it is a literal number; `None` if nothing is compared.
    fn side(&self, side: usize) -> Option<(String, bool)> {
        let node = parse_expression(&self.comparison)?;
        let mut node = &node;
        while let Syntax::Not(inner) = &node.syntax {
            node = inner;
        }
        let Syntax::Binary { sides, .. } = &node.syntax else { return None };
        Some((self.comparison.get(sides[side].span.clone())?.to_owned(), is_written_out(&sides[side])))
    }

    /// The operands, each with its value, except literal numbers.
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

/// The value inside `abs` on one side of a comparison. For a sum or difference with a number, the other term: for
/// `abs(x - 1)` the value of x.
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
    /// The value of a literal number, possibly negated.
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
            None if self.alternatives.is_empty() => {
                write!(f, "{}, which did not hold", self.comparison)?;
                match self.rest_held {
                    Some(_) => {
                        write!(f, " at {} s{}", seconds(self.time), of_rest(self.rest_held, "the rest"))
                    }
                    None => Ok(()),
                }
            }
            _ => write!(f, "{}: {}", self.comparisons(), self.nearest()),
        }
    }
}

/// Text that states whether the other conditions that must hold with it held.
fn of_rest(held: Option<bool>, which: &str) -> String {
    match held {
        None => String::new(),
        Some(true) => format!(", where {which} held"),
        Some(false) => format!(", where {which} did not hold either"),
    }
}

/// A number with this many digits, without trailing zeros.
pub(super) fn digits(value: f64, count: i32) -> String {
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
    use super::super::tests::condition as bound;
    use super::super::{Condition, SyntaxNode, parse_expression};
    use super::{digits, part};
    use std::sync::Arc;

    fn undefined(_: &str) -> Option<(SyntaxNode, Arc<str>)> {
        None
    }

    #[test]
    fn a_condition_tells_the_comparison_that_decides_it_with_its_values() {
        let cases = [
            ("signal > 1.5", "signal > 1.5: nearest 1 at 2.00 s"),
            ("signal > 0 and other > 0.25", "other > 0.25: nearest 0 at 2.00 s, where the rest held"),
            (
                "signal > 9 or 0.25 < other",
                "signal > 9 or 0.25 < other: nearest signal = 1, other = 0 at 2.00 s",
            ),
            (
                "signal > 0 and (time < 2 or time > 4.5 or  min(other, 3) > 0.05 or in_contact(right_foot))",
                "time < 2 or time > 4.5 or min(other, 3) > 0.05 or in_contact(right_foot): \
                 nearest time = 2, min(other, 3) = 0, in_contact(right_foot) = false at 2.00 s, where the rest held",
            ),
            (
                "not (signal > 0 and time < 3)",
                "not signal > 0 or not time < 3: nearest signal = 1, time = 2 at 2.00 s",
            ),
            ("not (signal > 0 or other > 3)", "not signal > 0: nearest 1 at 2.00 s, where the rest held"),
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
            (
                "in_contact(right_foot) and other > 1",
                "in_contact(right_foot), which did not hold at 2.00 s, where the rest did not hold either",
            ),
            ("signal > 3 if other > 1 else other > 1", "other > 1: nearest 0 at 2.00 s"),
            (
                "(other > 1 if signal > 0 else signal > 3 or signal > 4) and signal > 0",
                "other > 1: nearest 0 at 2.00 s, where the rest held",
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

    /// The report on a condition after frames of these times, signals and other values.
    fn told(text: &str, frames: &[(f64, f64, f64)]) -> String {
        let condition = bound(text);
        let mut nearest = None;
        for &(time, signal, other) in frames {
            nearest = Some(condition.nearest(&Frame { time, signal, other, ..FRAME }, nearest));
        }
        condition.miss(nearest.unwrap(), None, &undefined).unwrap().to_string()
    }

    #[test]
    fn each_of_several_parts_of_which_one_is_enough_tells_its_own_nearest_value_and_time() {
        let frames = [(1.0, 0.9, 0.0), (3.0, 0.0, 1.99), (4.0, 0.2, 1.0)];
        assert_eq!(
            told("signal > 1 or other > 2", &frames),
            "signal > 1 or other > 2: nearest signal = 0.9 at 1.00 s; other = 1.99 at 3.00 s"
        );
        assert_eq!(
            told("not (signal < 1 and other < 2)", &frames),
            "not signal < 1 or not other < 2: nearest signal = 0.9 at 1.00 s; other = 1.99 at 3.00 s"
        );
        assert_eq!(
            told("signal > 1 or other > 2", &frames[..1]),
            "signal > 1 or other > 2: nearest signal = 0.9, other = 0 at 1.00 s"
        );
    }

    #[test]
    fn a_part_of_several_that_have_to_hold_says_whether_the_others_held_when_it_was_nearest() {
        // Each holds once, but never both together.
        let apart = [(1.0, 3.0, 0.0), (2.0, 0.9, 5.0), (3.0, 0.0, 9.0)];
        assert_eq!(
            told("signal > 1 and other > 2", &apart),
            "signal > 1: nearest 0.9 at 2.00 s, where the rest held"
        );
        assert_eq!(
            told("not (signal <= 1 or other <= 2)", &apart),
            "not signal <= 1: nearest 0.9 at 2.00 s, where the rest held"
        );
        assert_eq!(
            told("signal > 1 and other > 2", &[(1.0, 0.5, 0.0)]),
            "other > 2: nearest 0 at 1.00 s, where the rest did not hold either"
        );
        // A Boolean is equally near in every frame: whether the rest holds decides which frame is reported.
        assert_eq!(
            told(
                "in_contact(right_foot) and other > 1",
                &[(1.0, 0.0, 0.0), (2.0, 0.0, 3.0), (3.0, 0.0, 4.0)]
            ),
            "in_contact(right_foot), which did not hold at 2.00 s, where the rest held"
        );
        // Equal sides satisfy the comparison, with zero margin.
        assert_eq!(
            told("other == 2 and signal > 1", &[(1.0, 0.5, 2.0)]),
            "signal > 1: nearest 0.5 at 1.00 s, where the rest held"
        );
        assert_eq!(
            told("time > 9 or signal > 1 and other > 2", &apart),
            "time > 9 or signal > 1: nearest time = 3 at 3.00 s; signal = 0.9 at 2.00 s, where the rest of its \
             `and` held"
        );
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
        // The form in which the binder substitutes the definition for its name.
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
        let found = part(&parse_expression(text).unwrap(), text, &arrived, &mut before);
        assert_eq!(found.as_deref(), Some("signal > 5"));
    }
}
