//! Between which numbers an expression stays, as far as its form alone says: how a weight is known to be 0 or
//! more before anything runs.
//!
//! Interval arithmetic over the syntax. What it cannot tell is [`Interval::ANY`]; NaN is in no interval and
//! remains a matter of the frame in which it comes up.

use super::syntax::{Node, Syntax};
use super::value::{Meaning, Names, Value};

/// All numbers from `least` to `most`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    pub least: f64,
    pub most: f64,
}

impl Interval {
    pub const ANY: Interval = Interval { least: f64::NEG_INFINITY, most: f64::INFINITY };
    pub const NEVER_NEGATIVE: Interval = Interval { least: 0.0, most: f64::INFINITY };

    pub const fn new(least: f64, most: f64) -> Self {
        Interval { least, most }
    }

    /// One number alone.
    pub const fn of(value: f64) -> Self {
        Interval { least: value, most: value }
    }

    pub fn is_never_negative(&self) -> bool {
        self.least >= 0.0
    }

    /// The smallest interval that holds all of `values`; anything where they are not numbers.
    fn around(values: &[f64]) -> Self {
        if values.is_empty() || values.iter().any(|value| value.is_nan()) {
            return Interval::ANY;
        }
        let least = values.iter().copied().fold(f64::INFINITY, f64::min);
        Interval { least, most: values.iter().copied().fold(f64::NEG_INFINITY, f64::max) }
    }

    /// The smallest interval that holds both.
    pub fn join(self, other: Interval) -> Self {
        Interval { least: self.least.min(other.least), most: self.most.max(other.most) }
    }

    fn is_within(&self, least: f64, most: f64) -> bool {
        self.least >= least && self.most <= most
    }

    /// Through a function that never falls.
    fn rising(self, function: impl Fn(f64) -> f64) -> Self {
        Interval::around(&[function(self.least), function(self.most)])
    }

    fn negated(self) -> Self {
        Interval { least: -self.most, most: -self.least }
    }

    fn plus(self, other: Interval) -> Self {
        Interval::around(&[self.least + other.least, self.most + other.most])
    }

    fn times(self, other: Interval) -> Self {
        // 0 × ∞ stands for products of 0 with ever larger numbers, which are 0.
        let product = |a: f64, b: f64| if a == 0.0 || b == 0.0 { 0.0 } else { a * b };
        let [a, b] = [self, other];
        Interval::around(&[
            product(a.least, b.least),
            product(a.least, b.most),
            product(a.most, b.least),
            product(a.most, b.most),
        ])
    }

    fn reciprocal(self) -> Self {
        if self.least > 0.0 || self.most < 0.0 {
            Interval { least: 1.0 / self.most, most: 1.0 / self.least }
        } else if self.least == 0.0 {
            Interval { least: 1.0 / self.most, most: f64::INFINITY }
        } else {
            Interval::ANY
        }
    }

    fn power(self, exponent: Interval) -> Self {
        let is_even = exponent.least == exponent.most && exponent.least % 2.0 == 0.0;
        if is_even || self.is_never_negative() { Interval::NEVER_NEGATIVE } else { Interval::ANY }
    }

    fn smaller(self, other: Interval) -> Self {
        Interval { least: self.least.min(other.least), most: self.most.min(other.most) }
    }

    fn larger(self, other: Interval) -> Self {
        Interval { least: self.least.max(other.least), most: self.most.max(other.most) }
    }
}

/// Between which numbers the expression stays, if it is a number.
pub(super) fn interval(node: &Node, names: &dyn Names) -> Interval {
    let of = |node: &Node| interval(node, names);
    match &node.syntax {
        Syntax::Number(value) => Interval::of(*value),
        Syntax::Name(name) => named(name, names),
        Syntax::Call { name, arguments, .. } => called(name, arguments, names),
        Syntax::Negate(inner) => of(inner).negated(),
        Syntax::Choice(choice) => of(&choice.yes).join(of(&choice.no)),
        Syntax::Binary { operator, sides } => {
            let [a, b] = [of(&sides[0]), of(&sides[1])];
            match *operator {
                "+" => a.plus(b),
                "-" => a.plus(b.negated()),
                "*" => a.times(b),
                "/" => a.times(b.reciprocal()),
                "^" => a.power(b),
                _ => Interval::ANY,
            }
        }
        Syntax::Boolean(_) | Syntax::Vector(_) | Syntax::Member { .. } | Syntax::Not(_) => Interval::ANY,
    }
}

fn named(name: &str, names: &dyn Names) -> Interval {
    match names.meaning(name).or_else(|| super::bind::builtin(name)) {
        Some(Meaning::Constant(Value::Number(value))) => Interval::of(value),
        Some(Meaning::Time | Meaning::StateTime) => Interval::NEVER_NEGATIVE,
        Some(Meaning::Quantity { range, .. } | Meaning::Definition { range, .. }) => range,
        Some(Meaning::Constant(_)) | None => Interval::ANY,
    }
}

fn called(name: &str, arguments: &[Node], names: &dyn Names) -> Interval {
    let parts: Vec<Interval> = arguments.iter().map(|argument| interval(argument, names)).collect();
    match (name, parts.as_slice()) {
        ("min", [first, rest @ ..]) => rest.iter().fold(*first, |all, next| all.smaller(*next)),
        ("max", [first, rest @ ..]) => rest.iter().fold(*first, |all, next| all.larger(*next)),
        ("clamp", [x, low, high]) => x.larger(*low).smaller(*high),
        ("abs", [x]) if x.is_never_negative() => *x,
        ("abs", [x]) => Interval::new(0.0, x.most.max(-x.least)),
        ("sqrt", [x]) => x.larger(Interval::of(0.0)).rising(f64::sqrt),
        ("exp", [x]) => x.rising(f64::exp),
        ("floor", [x]) => x.rising(f64::floor),
        ("sign", [x]) => x.rising(|x| if x == 0.0 { 0.0 } else { x.signum() }),
        ("sin" | "cos", _) => Interval::new(-1.0, 1.0),
        ("atan2", _) => Interval::new(-std::f64::consts::PI, std::f64::consts::PI),
        ("norm", _) => Interval::NEVER_NEGATIVE,
        ("smoothstep", _) => Interval::new(0.0, 1.0),
        ("lerp", [a, b, s]) if s.is_within(0.0, 1.0) => a.join(*b),
        ("lerp", [a, b, s]) => a.plus(s.times(b.plus(a.negated()))),
        ("tan" | "dot", _) => Interval::ANY,
        _ => named(name, names),
    }
}

#[cfg(test)]
mod tests {
    use super::super::syntax::parse;
    use super::super::tests::TestNames;
    use super::*;

    fn of(expression: &str) -> Interval {
        interval(&parse(expression).unwrap(), &TestNames)
    }

    #[test]
    fn what_cannot_be_negative_is_known_not_to_be() {
        for expression in [
            "0",
            "2.5",
            "pi",
            "time",
            "3*time + 0.1",
            "abs(signal)",
            "sqrt(signal)",
            "exp(-time)",
            "signal^2",
            "(time + 1)^0.5",
            "norm(com)",
            "distance",
            "reach(left_foot)",
            "min(distance, 2, time)",
            "max(signal, other, 0)",
            "clamp(signal, 0, 3)",
            "1 if signal > 0 else 2",
            "smoothstep(0.2, 0.4, time)",
            "1 - smoothstep(0.2, 0.4, time)",
            "5*(1 + sin(time))",
            "lerp(1, 0, clamp(signal, 0, 1))",
            "distance/(1 + distance)",
            "-(-2)",
            "-2 * -time",
            "floor(time)",
            "sign(distance)",
        ] {
            assert!(of(expression).is_never_negative(), "{expression}: {:?}", of(expression));
        }
    }

    #[test]
    fn what_may_be_negative_is_not_taken_for_granted() {
        for expression in [
            "-1",
            "signal",
            "-time",
            "1 - time",
            "time - 1",
            "distance*signal",
            "distance/signal",
            "1/(time - 1)",
            "signal^3",
            "signal^time",
            "sin(time)",
            "tan(time)",
            "dot(com, com)",
            "com.x",
            "max(signal, -1)",
            "min(distance, -1)",
            "clamp(signal, -1, 1)",
            "1 if signal > 0 else -2",
            "lerp(1, 0, time)",
            "lerp(1, -1, smoothstep(0, 1, time))",
            "atan2(signal, other)",
            "height(left_foot)",
        ] {
            assert!(!of(expression).is_never_negative(), "{expression}: {:?}", of(expression));
        }
    }

    #[test]
    fn intervals_hold_what_expressions_come_to() {
        use super::super::tests::{FRAME, Frame, number_in};
        let expressions = [
            "clamp(signal, -1, 2) * (1 - smoothstep(0, 3, time))",
            "lerp(2, -1, time)",
            "min(signal, 1) + max(other, -2)",
            "abs(clamp(signal, -3, 1)) / (1 + time)",
            "exp(clamp(other, -1, 1)) - 1",
            "cos(signal)*3 - 1",
            "floor(clamp(signal, -1.5, 1.5))",
            "-clamp(other, 0, 2) ^ 2",
        ];
        for expression in expressions {
            let Interval { least, most } = of(expression);
            for k in 0..200 {
                let (signal, other) = ((f64::from(k) * 0.37).sin() * 5.0, (f64::from(k) * 0.71).cos() * 5.0);
                let value =
                    number_in(expression, &Frame { time: f64::from(k) * 0.05, signal, other, ..FRAME });
                assert!(least <= value && value <= most, "{expression}: {value} is not in {least}..{most}");
            }
        }
    }
}
