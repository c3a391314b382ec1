//! The margin by which a condition holds, as robustness of signal temporal logic [Donzé and Maler 2010], and the
//! comparison that decides it.

use super::bound::Condition;
use super::syntax::{Syntax, SyntaxNode, parse_expression};
use super::tree::Boolean;
use super::value::Lookup;
use crate::namespace::Namespace;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// The part of a condition that decides it in a frame: of parts that all have to hold the one that is farthest from
/// it, of parts of which one has to hold the one that is nearest to it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Deciding {
    /// The margin of the condition, see [`Condition::slack`].
    pub margin: f64,
    /// Number of the part, from the left, with definitions in place of their names.
    pub part: usize,
    /// Values of the left and the right side, where the part compares numbers.
    pub sides: Option<[f64; 2]>,
    /// Time of the frame, s.
    pub time: f64,
}

/// A comparison that a condition needed and that did not hold, when it was nearest to holding.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NearMiss {
    /// The comparison as the file writes it, or a part of the condition that compares no numbers.
    pub comparison: String,
    /// Values of its left and its right side, in the units of the file; `None` where it compares no numbers.
    pub sides: Option<[f64; 2]>,
    /// Time, s.
    pub time: f64,
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
        self.tree.deciding(lookup, &mut 0, f64::NEG_INFINITY)
    }

    /// What decided the condition in the frame in which it was nearest to holding so far, the first of those in
    /// which it was as near: the present one, or that of `before`. Looks no further than it takes to know that the
    /// present one is not nearer.
    pub fn nearest(&self, lookup: &dyn Lookup, before: Option<Deciding>) -> Deciding {
        let least = before.map_or(f64::NEG_INFINITY, |before| before.margin);
        let now = self.tree.deciding(lookup, &mut 0, least);
        before.filter(|before| before.margin >= now.margin).unwrap_or(now)
    }
}

impl Boolean {
    pub(super) fn slack(&self, lookup: &dyn Lookup) -> f64 {
        self.deciding(lookup, &mut 0, f64::NEG_INFINITY).margin
    }

    /// `before` counts the parts. Parts are left out that cannot bring the margin above `least`: what is returned is
    /// then of another part, and not above `least` either.
    fn deciding(&self, lookup: &dyn Lookup, before: &mut usize, least: f64) -> Deciding {
        let (margin, sides) = match self {
            Boolean::Not(inner) => {
                let inner = inner.deciding(lookup, before, f64::NEG_INFINITY);
                return Deciding { margin: -inner.margin, ..inner };
            }
            Boolean::And(sides) => {
                let one = sides[0].deciding(lookup, before, least);
                if one.margin <= least {
                    *before += sides[1].parts();
                    return one;
                }
                let other = sides[1].deciding(lookup, before, least);
                return if other.margin < one.margin { other } else { one };
            }
            Boolean::Or(sides) => {
                let one = sides[0].deciding(lookup, before, least);
                let other = sides[1].deciding(lookup, before, least.max(one.margin));
                return if other.margin > one.margin { other } else { one };
            }
            Boolean::Choice(choice) => {
                let holds = choice.condition.value(lookup);
                let start = *before;
                let (taken, skipped) =
                    if holds { (&choice.yes, &choice.no) } else { (&choice.no, &choice.yes) };
                // Those of `yes` are counted first.
                *before += if holds { 0 } else { skipped.parts() };
                let decides = taken.deciding(lookup, before, least);
                *before = start + taken.parts() + skipped.parts();
                return decides;
            }
            Boolean::Compare(holds, sides) => {
                let sides = [sides[0].value(lookup), sides[1].value(lookup)];
                (compared(*holds, sides), Some(sides))
            }
            Boolean::Over(over) => (over.slack(lookup), None),
            Boolean::Constant(_) | Boolean::Quantity(_) | Boolean::Same(_) | Boolean::SameReference(_) => {
                (if self.value(lookup) { 1.0 } else { -1.0 }, None)
            }
        };
        let part = *before;
        *before += 1;
        Deciding { margin, part, sides, time: lookup.time() }
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
        let comparison = part(&node, self.text(), definition, &mut { decided.part })?;
        Some(NearMiss { comparison, sides: decided.sides, time: decided.time })
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
    /// What the sides were, as far as the comparison does not say: `0.812`, `0.812 against 0.84`, or `false`.
    pub fn value(&self) -> String {
        let Some([left, right]) = self.sides else { return "false".into() };
        let mut count = DIGITS;
        while left != right && count < 12 && digits(left, count) == digits(right, count) {
            count += 1;
        }
        let node = parse_expression(&self.comparison);
        let mut syntax = node.as_ref().map(|node| &node.syntax);
        while let Some(Syntax::Not(inner)) = syntax {
            syntax = Some(&inner.syntax);
        }
        let is_number = |side: usize| match syntax {
            Some(Syntax::Binary { sides, .. }) => is_written_out(&sides[side]),
            _ => false,
        };
        match (is_number(0), is_number(1)) {
            (false, true) => digits(left, count),
            (true, false) => digits(right, count),
            _ => format!("{} against {}", digits(left, count), digits(right, count)),
        }
    }
}

fn is_written_out(node: &SyntaxNode) -> bool {
    match &node.syntax {
        Syntax::Number(_) => true,
        Syntax::Negate(inner) => is_written_out(inner),
        _ => false,
    }
}

impl fmt::Display for NearMiss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.sides {
            Some(_) => write!(f, "{}: nearest {} at {:.2} s", self.comparison, self.value(), self.time),
            None => write!(f, "{}, which did not hold", self.comparison),
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
            ("signal > 9 or 0.25 < other", "0.25 < other: nearest 0 at 2.00 s"),
            ("not (signal > 0 and  signal < 2)", "not signal > 0: nearest 1 at 2.00 s"),
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
        assert_eq!(decided.part, 2);
        assert!(named.miss(decided, None, &undefined).is_none(), "of another text there is no third part");
        let arrived = |name: &str| {
            let text: Arc<str> = "signal > 0 and other > 1".into();
            (name == "signal_is_there").then(|| (parse_expression(&text).unwrap(), text))
        };
        let text = "signal_is_there and signal > 5";
        let mut before = decided.part;
        let found = super::part(&parse_expression(text).unwrap(), text, &arrived, &mut before);
        assert_eq!(found.as_deref(), Some("signal > 5"));
    }
}
