//! Ranges of expressions by their form: they show before the run whether a weight is 0 or more. NaN is
//! possible in any frame.

use super::interval::Interval;
use super::names::{Meaning, Names, builtin};
use super::syntax::{Syntax, SyntaxNode};
use super::value::Value;
use aplomb_math::elementary::{exp, log};

/// The interval of the expression, if it is a number.
pub fn interval(node: &SyntaxNode, names: &dyn Names) -> Interval {
    let of = |node: &SyntaxNode| interval(node, names);
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
        Syntax::Over(members) => members.fold.range(interval(&members.value, &members.names(names))),
        Syntax::Member { .. } => node.name().map_or(Interval::ANY, |name| named(&name, names)),
        Syntax::Boolean(_) | Syntax::Vector(_) | Syntax::Not(_) => Interval::ANY,
    }
}

fn named(name: &str, names: &dyn Names) -> Interval {
    match names.meaning(name).or_else(|| builtin(name)) {
        Some(Meaning::Constant(Value::Number(value))) => Interval::of(value),
        Some(Meaning::Time | Meaning::StateTime | Meaning::LevelTime(_)) => Interval::NEVER_NEGATIVE,
        Some(Meaning::Quantity { range, .. } | Meaning::Definition { range, .. }) => range,
        Some(Meaning::Constant(_) | Meaning::Member { .. }) | None => Interval::ANY,
    }
}

fn called(name: &str, arguments: &[SyntaxNode], names: &dyn Names) -> Interval {
    let parts: Vec<Interval> = arguments.iter().map(|argument| interval(argument, names)).collect();
    match (name, parts.as_slice()) {
        ("min", [first, rest @ ..]) => rest.iter().fold(*first, |all, next| all.smaller(*next)),
        ("max", [first, rest @ ..]) => rest.iter().fold(*first, |all, next| all.larger(*next)),
        ("clamp", [x, low, high]) => x.larger(*low).smaller(*high),
        ("abs", [x]) if x.is_never_negative() => *x,
        ("abs", [x]) => Interval::new(0.0, x.most.max(-x.least)),
        ("sqrt", [x]) => x.larger(Interval::of(0.0)).rising(f64::sqrt),
        ("exp", [x]) => x.rising(exp),
        ("log", [x]) => x.larger(Interval::of(0.0)).rising(log),
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
    use super::super::testing::TestNames;
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
            "log(1 + time)",
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
        use super::super::testing::{FRAME, Frame};
        use super::super::tests::number_in;
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
