//! Units of expressions, inferred from those of quantities.
//!
//! Only certain mismatches are reported. A numeric literal fits every unit, and scales a quantity (`0.8 *
//! standing_height`) without changing its unit; a parameter may have any unit, and so may an expression with one.

use super::sets::Fold;
use super::syntax::{Syntax, SyntaxNode};
use std::fmt;

/// A product of powers of metre, kilogram, second and radian.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unit {
    /// Twice the powers, so that square roots have integer entries.
    twice: [i8; 4],
}

impl Unit {
    /// Dimensionless.
    pub const ONE: Unit = Unit { twice: [0; 4] };
    /// Metres.
    pub const METRE: Unit = Unit { twice: [2, 0, 0, 0] };
    /// Radians.
    pub const RADIAN: Unit = Unit { twice: [0, 0, 0, 2] };
    /// Seconds.
    pub const SECOND: Unit = Unit { twice: [0, 0, 2, 0] };
    /// Metres per second.
    pub const SPEED: Unit = Unit { twice: [2, 0, -2, 0] };

    /// The unit given in a quantity's list; `None` for one that depends on its argument (`rad or m`).
    pub fn of(text: &str) -> Option<Unit> {
        let twice = match text {
            "" | "1" => [0; 4],
            "m" => [2, 0, 0, 0],
            "m²" => [4, 0, 0, 0],
            "m/s" => [2, 0, -2, 0],
            "s" => [0, 0, 2, 0],
            "kg" => [0, 2, 0, 0],
            "N" => [2, 2, -4, 0],
            "J" => [4, 2, -4, 0],
            "rad" => [0, 0, 0, 2],
            "rad/s" => [0, 0, -2, 2],
            _ => return None,
        };
        Some(Unit { twice })
    }

    fn each(self, other: Unit, with: impl Fn(i8, i8) -> i8) -> Unit {
        let mut twice = self.twice;
        twice.iter_mut().zip(other.twice).for_each(|(a, b)| *a = with(*a, b));
        Unit { twice }
    }

    fn times(self, other: Unit) -> Unit {
        self.each(other, i8::saturating_add)
    }

    fn over(self, other: Unit) -> Unit {
        self.each(other, i8::saturating_sub)
    }

    fn power(self, exponent: f64) -> Option<Unit> {
        let mut twice = [0; 4];
        for (power, old) in twice.iter_mut().zip(self.twice) {
            let exact = f64::from(old) * exponent;
            if exact.fract() != 0.0 || exact.abs() > 100.0 {
                return None;
            }
            *power = exact as i8;
        }
        Some(Unit { twice })
    }

    /// The unit without its angle: in products, angles are pure numbers.
    fn without_angle(self) -> Unit {
        let [metre, kilogram, second, _] = self.twice;
        Unit { twice: [metre, kilogram, second, 0] }
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = ["m", "m²", "m/s", "s", "kg", "N", "J", "rad", "rad/s"];
        if let Some(name) = known.into_iter().find(|name| Unit::of(name) == Some(*self)) {
            return f.write_str(name);
        }
        let powers = ["m", "kg", "s", "rad"].into_iter().zip(self.twice).filter(|(_, twice)| *twice != 0);
        let powers: Vec<String> = powers
            .map(|(name, twice)| match twice {
                2 => name.to_string(),
                _ => format!("{name}^{}", f64::from(twice) / 2.0),
            })
            .collect();
        f.write_str(if powers.is_empty() { "a pure number" } else { "" })?;
        f.write_str(&powers.join(" "))
    }
}

/// Knowledge about the unit of a part.
#[derive(Clone, Copy, Debug, PartialEq)]
enum UnitKnowledge {
    /// A literal number, which fits any unit.
    Literal,
    /// Unknown.
    Any,
    /// The unit of a quantity.
    Sure(Unit),
    /// A quantity times a literal number, which may have a unit.
    Scaled(Unit),
}

impl UnitKnowledge {
    fn unit(self) -> Option<Unit> {
        match self {
            UnitKnowledge::Sure(unit) | UnitKnowledge::Scaled(unit) => Some(unit),
            UnitKnowledge::Literal | UnitKnowledge::Any => None,
        }
    }

    fn of(unit: Option<Unit>) -> UnitKnowledge {
        unit.map_or(UnitKnowledge::Any, UnitKnowledge::Sure)
    }

    /// The unit that two parts can have in common, for a sum, a choice or a minimum.
    fn with(self, other: UnitKnowledge) -> UnitKnowledge {
        match (self, other) {
            (UnitKnowledge::Literal, other) | (other, UnitKnowledge::Literal) => other,
            (UnitKnowledge::Any, _) | (_, UnitKnowledge::Any) => UnitKnowledge::Any,
            (UnitKnowledge::Sure(unit), _) | (_, UnitKnowledge::Sure(unit)) => UnitKnowledge::Sure(unit),
            (UnitKnowledge::Scaled(unit), UnitKnowledge::Scaled(_)) => UnitKnowledge::Scaled(unit),
        }
    }
}

/// The source of the units of names.
pub trait Units {
    /// Unit of a name or a quantity; `None` if it is unknown.
    fn unit(&self, name: &str, arguments: &[SyntaxNode]) -> Option<Unit>;
}

/// Two different units where they should be equal.
#[derive(Clone, Debug)]
pub struct UnitMismatch {
    /// The two parts, or the whole twice if its use requires another unit.
    pub nodes: [SyntaxNode; 2],
    /// Their units.
    pub units: [Unit; 2],
    /// `+`, `<`, `min`, …
    pub operator: String,
}

/// The unit of an expression, if it is known, and the units in it that do not match.
pub(super) fn infer(node: &SyntaxNode, units: &dyn Units) -> (Option<Unit>, Vec<UnitMismatch>) {
    let mut found = Vec::new();
    let known = Inference { units, found: &mut found }.of(node);
    (known.unit(), found)
}

impl Unit {
    /// The unit of an expression, if it is known, and the units in it that do not match.
    pub fn infer(node: &SyntaxNode, units: &dyn Units) -> (Option<Unit>, Vec<UnitMismatch>) {
        infer(node, units)
    }
}

struct Inference<'a> {
    units: &'a dyn Units,
    found: &'a mut Vec<UnitMismatch>,
}

impl Inference<'_> {
    fn of(&mut self, node: &SyntaxNode) -> UnitKnowledge {
        if let Some(name) = node.name()
            && let Some(unit) = self.units.unit(&name, &[])
        {
            return UnitKnowledge::Sure(unit);
        }
        match &node.syntax {
            Syntax::Number(_) => UnitKnowledge::Literal,
            Syntax::Boolean(_) | Syntax::Name(_) => UnitKnowledge::Any,
            Syntax::Member { base, .. } => self.of(base),
            Syntax::Vector(parts) => self.same(&parts.iter().collect::<Vec<_>>(), "[…]"),
            Syntax::Negate(inner) => self.of(inner),
            Syntax::Not(inner) => {
                self.of(inner);
                UnitKnowledge::Any
            }
            Syntax::Choice(choice) => {
                self.of(&choice.condition);
                self.same(&[&choice.yes, &choice.no], "if … else")
            }
            Syntax::Call { name, arguments, .. } => self.called(name, arguments),
            Syntax::Over(members) => {
                members.condition.iter().for_each(|condition| {
                    self.of(condition);
                });
                let of_members = self.of(&members.value);
                match members.fold {
                    Fold::Sum | Fold::Min | Fold::Max => of_members,
                    _ => UnitKnowledge::Any,
                }
            }
            Syntax::Binary { operator, sides } => self.joined(operator, &sides[0], &sides[1]),
        }
    }

    /// Checks parts that should have the same unit.
    fn same(&mut self, parts: &[&SyntaxNode], operator: &str) -> UnitKnowledge {
        let known: Vec<UnitKnowledge> = parts.iter().map(|part| self.of(part)).collect();
        let mut sure = parts.iter().zip(&known).filter_map(|(part, known)| Some((*part, known.unit()?)));
        if let Some((first, unit)) = sure.next()
            && let Some((other, its_unit)) = sure.find(|(_, other)| *other != unit)
        {
            self.found.push(UnitMismatch {
                nodes: [first.clone(), other.clone()],
                units: [unit, its_unit],
                operator: operator.into(),
            });
            return UnitKnowledge::Any;
        }
        known.into_iter().reduce(UnitKnowledge::with).unwrap_or(UnitKnowledge::Any)
    }

    fn joined(&mut self, operator: &str, left: &SyntaxNode, right: &SyntaxNode) -> UnitKnowledge {
        match operator {
            "+" | "-" => self.same(&[left, right], operator),
            "<" | "<=" | ">" | ">=" | "==" | "!=" => {
                self.same(&[left, right], operator);
                UnitKnowledge::Any
            }
            "*" => match (self.of(left), self.of(right)) {
                (UnitKnowledge::Literal, UnitKnowledge::Literal) => UnitKnowledge::Literal,
                // A length times a direction: the unit is that of the number.
                (UnitKnowledge::Literal, UnitKnowledge::Sure(Unit::ONE))
                | (UnitKnowledge::Sure(Unit::ONE), UnitKnowledge::Literal) => UnitKnowledge::Any,
                (UnitKnowledge::Literal, UnitKnowledge::Sure(unit))
                | (UnitKnowledge::Sure(unit), UnitKnowledge::Literal) => UnitKnowledge::Scaled(unit),
                (UnitKnowledge::Sure(a), UnitKnowledge::Sure(b)) => UnitKnowledge::Sure(if b == Unit::ONE {
                    a
                } else if a == Unit::ONE {
                    b
                } else {
                    a.without_angle().times(b.without_angle())
                }),
                _ => UnitKnowledge::Any,
            },
            "/" => match (self.of(left), self.of(right)) {
                (UnitKnowledge::Literal, UnitKnowledge::Literal) => UnitKnowledge::Literal,
                (UnitKnowledge::Sure(a), UnitKnowledge::Sure(b)) => {
                    UnitKnowledge::Sure(if b == Unit::ONE { a } else { a.over(b) })
                }
                _ => UnitKnowledge::Any,
            },
            "^" => match (self.of(left), &right.syntax) {
                (UnitKnowledge::Sure(unit), Syntax::Number(exponent)) => {
                    UnitKnowledge::of(unit.power(*exponent))
                }
                (UnitKnowledge::Literal, Syntax::Number(_)) => UnitKnowledge::Literal,
                _ => {
                    self.of(right);
                    UnitKnowledge::Any
                }
            },
            _ => {
                self.of(left);
                self.of(right);
                UnitKnowledge::Any
            }
        }
    }

    fn called(&mut self, name: &str, arguments: &[SyntaxNode]) -> UnitKnowledge {
        let parts: Vec<&SyntaxNode> = arguments.iter().collect();
        match (name, parts.as_slice()) {
            ("min" | "max" | "clamp", parts) => self.same(parts, name),
            ("lerp", [a, b, share]) => {
                self.of(share);
                self.same(&[*a, *b], name)
            }
            ("abs" | "norm" | "floor", [x]) => self.of(x),
            ("sqrt", [x]) => match self.of(x) {
                UnitKnowledge::Sure(unit) => UnitKnowledge::of(unit.power(0.5)),
                UnitKnowledge::Literal => UnitKnowledge::Literal,
                _ => UnitKnowledge::Any,
            },
            ("dot", [a, b]) => match (self.of(a), self.of(b)) {
                (UnitKnowledge::Sure(a), UnitKnowledge::Sure(b)) => {
                    UnitKnowledge::Sure(a.without_angle().times(b.without_angle()))
                }
                _ => UnitKnowledge::Any,
            },
            ("smoothstep", parts) => {
                self.same(parts, name);
                UnitKnowledge::Sure(Unit::ONE)
            }
            ("atan2", parts) => {
                self.same(parts, name);
                UnitKnowledge::Sure(Unit::RADIAN)
            }
            ("sin" | "cos" | "tan" | "exp" | "log" | "sign", parts) => {
                parts.iter().for_each(|part| {
                    self.of(part);
                });
                // A number that authors may scale freely.
                UnitKnowledge::Any
            }
            (_, parts) => {
                parts.iter().for_each(|part| {
                    self.of(part);
                });
                UnitKnowledge::of(self.units.unit(name, arguments))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::syntax::parse;
    use super::*;

    struct Few;

    impl Units for Few {
        fn unit(&self, name: &str, _: &[SyntaxNode]) -> Option<Unit> {
            match name {
                "standing_height" | "com_height" | "com" | "position" => Some(Unit::METRE),
                "com_speed" | "com_velocity" => Some(Unit::SPEED),
                "tilt" => Some(Unit::RADIAN),
                "load" => Some(Unit::ONE),
                _ => None,
            }
        }
    }

    fn of(text: &str) -> (Option<String>, usize) {
        let (unit, found) = infer(&parse(text).unwrap(), &Few);
        (unit.map(|unit| unit.to_string()), found.len())
    }

    #[test]
    fn units_go_through_sums_products_and_roots() {
        assert_eq!(of("0.985 * standing_height"), (Some("m".into()), 0));
        assert_eq!(of("com - position(a)"), (Some("m".into()), 0));
        assert_eq!(of("norm(com) / com_speed"), (Some("s".into()), 0));
        assert_eq!(of("sqrt(com.x * com.x)"), (Some("m".into()), 0));
        assert_eq!(of("com_velocity.x ^ 2"), (Some("m^2 s^-2".into()), 0));
        assert_eq!(of("min(1, com_height)"), (Some("m".into()), 0));
        assert_eq!(of("gain * com_height"), (None, 0));
        assert_eq!(of("norm(com) / 0.35"), (None, 0));
    }

    #[test]
    fn what_cannot_be_compared_or_added_is_found() {
        for wrong in [
            "com_height < com_speed",
            "com_height > 0.8 * com_speed",
            "com + com_velocity",
            "tilt(chest) > standing_height",
            "min(com_height, tilt(chest))",
            "load(foot) + 1 > com_height",
            "1 if com_speed < standing_height else 2",
        ] {
            assert_eq!(of(wrong).1, 1, "{wrong}");
        }
        for right in [
            "com_height < 0.3 * standing_height",
            "com_speed < 0.02 and tilt(chest) < 1",
            "com_speed > gain * sqrt(9.81 * standing_height)",
            "(com.x - pivot) * com_velocity.x > -lead * com_velocity.x ^ 2",
            "position(a) + clamp(10 * norm(position(b) - com) - 1, 0, 1) * [-0.08, 0, 0.03]",
        ] {
            assert_eq!(of(right).1, 0, "{right}");
        }
    }
}
