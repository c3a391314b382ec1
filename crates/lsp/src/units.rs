//! Units of the names that a file defines, from those of the quantities in their formulas.

use crate::names::{DefinedName, OwnKind, listed};
use aplomb_language::expression::{SyntaxNode, Unit, Units, parse_expression};
use std::cell::Cell;

/// Deepest nesting of definitions that is followed.
const DEEPEST: u32 = 12;

/// Units of a text's names.
struct OwnUnits<'a> {
    own: &'a [DefinedName],
    text: &'a str,
    depth: Cell<u32>,
}

/// Unit of the value of an expression, if known.
pub(crate) fn unit(expression: &str, own: &[DefinedName], text: &str) -> Option<String> {
    let units = OwnUnits { own, text, depth: Cell::new(0) };
    let (unit, _) = Unit::infer(&parse_expression(expression)?, &units);
    unit.filter(|unit| *unit != Unit::ONE).map(|unit| unit.to_string())
}

impl Units for OwnUnits<'_> {
    fn unit(&self, name: &str, _arguments: &[SyntaxNode]) -> Option<Unit> {
        if let Some(word) = listed().iter().find(|word| word.name == name && word.what == "quantity") {
            return Unit::of(&word.unit);
        }
        if let Some((_, result)) = name.split_once("_step.") {
            return planned(result);
        }
        let has_formula = |own: &&DefinedName| {
            own.name == name
                && matches!(own.kind, OwnKind::Definition | OwnKind::Binding | OwnKind::EachFrame)
        };
        let formula = self.text.get(self.own.iter().find(has_formula)?.value.clone()?)?;
        if self.depth.get() >= DEEPEST {
            return None;
        }
        self.depth.set(self.depth.get() + 1);
        let node = parse_expression(formula.trim_matches(['"', '\'']));
        let unit = node.and_then(|node| Unit::infer(&node, self).0);
        self.depth.set(self.depth.get() - 1);
        unit
    }
}

/// Unit of a planner's result.
fn planned(result: &str) -> Option<Unit> {
    match result {
        "time" => Some(Unit::SECOND),
        "target" | "partner_target" | "next_target" | "astray" | "capture_point" | "com" => Some(Unit::METRE),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::own;
    use crate::outline::DocumentOutline;

    #[test]
    fn units_go_through_definitions() {
        let text =
            "[define]\nlow = \"0.9 * standing_height\"\nspeed = \"low / time\"\nloop = \"loop + loop\"\n";
        let own = own(&DocumentOutline::of(text));
        assert_eq!(unit("low", &own, text).as_deref(), Some("m"));
        assert_eq!(unit("norm(com_velocity)", &own, text).as_deref(), Some("m/s"));
        assert_eq!(unit("capture_step.time", &own, text).as_deref(), Some("s"));
        assert_eq!(unit("loop", &own, text), None);
        assert_eq!(unit("low <", &own, text), None);
    }
}
