//! Why a controller stays in its state: the comparison that was nearest to ending it.

use super::machine::{ExitMiss, Machine};
use super::spec::ControllerSpec;
use aplomb_language::diagnostic::Source;
use aplomb_language::expression::{
    Condition, ConditionField, NearMiss, NearestDeciding, SyntaxNode, parse_expression,
};
use aplomb_math::seconds::seconds;
use serde::Serialize;
use std::fmt;
use std::sync::Arc;

/// A state, or one that contains it, that has not been left since its entry: its `until` has not held, or no exit was
/// open.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Stay {
    /// Name of the state.
    pub state: String,
    /// When it was entered, s.
    pub from: f64,
    /// The state whose `while` was nearest to opening an exit, if `until` held and no exit was open.
    pub exit: Option<String>,
    /// The part of that `while`, or else of `until`, that was nearest to holding.
    pub nearest: NearMiss,
    /// The same for an inner state: the outermost of those that wait to end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) inner: Option<Box<Stay>>,
}

impl Stay {
    /// The state and its inner states that wait to end, the outermost first.
    pub fn levels(&self) -> impl Iterator<Item = &Stay> {
        std::iter::successors(Some(self), |stay| stay.inner.as_deref())
    }
}

impl fmt::Display for Stay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Stay { state, from, exit, nearest, inner } = self;
        write!(f, "`{state}` stayed from {from} s: ", from = seconds(from))?;
        match exit {
            Some(exit) => write!(f, "no exit was applicable; nearest was `{exit}`, `while` {nearest}"),
            None => write!(f, "until {nearest}"),
        }?;
        inner.as_ref().map_or(Ok(()), |inner| write!(f, "; within it {inner}"))
    }
}

impl Machine {
    /// Why the current state has not been left so far; `None` if nothing in it can end it. `spec` and `source` are
    /// those that it was bound from.
    pub(crate) fn stay(&self, spec: &ControllerSpec, source: &Source) -> Option<Stay> {
        let state = self.states.get(self.current)?;
        let of_spec = spec.states.get(&*state.name)?;
        // A machine may cycle in a state whose own `until` never holds, or wait in one that should continue:
        // which of the two is wrong is for the user to decide.
        let waiting = self.since.iter().enumerate().rev().filter_map(|(depth, since)| {
            let name = of_spec.within.get(depth).map_or(&*state.name, String::as_str);
            let (exit, nearest) = match (since.exit, since.nearest) {
                (Some(exit), _) => {
                    let (exit, nearest) = self.shut(exit, spec, source)?;
                    (Some(exit), nearest)
                }
                (None, Some(nearest)) if nearest.margin() <= 0.0 => {
                    let field = spec.levels(of_spec).nth(depth)?.done.as_ref()?;
                    let condition = state.levels.get(depth)?.done.as_ref()?;
                    (None, self.miss(condition, field, nearest, spec, source)?)
                }
                _ => return None,
            };
            Some(Stay { state: name.to_owned(), from: since.entered, exit, nearest, inner: None })
        });
        waiting.fold(None, |inner, stay| Some(Stay { inner: inner.map(Box::new), ..stay }))
    }

    /// The state that an exit leads to, and why it could not be entered.
    fn shut(&self, exit: ExitMiss, spec: &ControllerSpec, source: &Source) -> Option<(String, NearMiss)> {
        let state = self.states.get(exit.state)?;
        let field = spec.levels(spec.states.get(&*state.name)?).nth(exit.level)?.applicable.as_ref()?;
        let condition = state.levels.get(exit.level)?.applicable.as_ref()?;
        Some((state.name.to_string(), self.miss(condition, field, exit.decided, spec, source)?))
    }

    fn miss(
        &self,
        condition: &Condition,
        field: &ConditionField,
        nearest: impl Into<NearestDeciding>,
        spec: &ControllerSpec,
        source: &Source,
    ) -> Option<NearMiss> {
        let definition = |name: &str| -> Option<(SyntaxNode, Arc<str>)> {
            let (index, _, field) = spec.define.get_full(name)?;
            let text = self.definitions.get(index)?.as_ref()?.bound.text().clone();
            Some((parse_expression(&text)?.in_whole(source.namespace(field.span().start)), text))
        };
        condition.miss(nearest, source.namespace(field.span().start), &definition)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::bound;
    use aplomb_language::expression::testing::{FRAME, Frame};

    fn stay(text: &str, signals: &[(f64, f64)]) -> Option<String> {
        let (mut machine, spec, source) = bound(text).unwrap();
        for (index, (signal, other)) in signals.iter().enumerate() {
            machine.advance(&Frame { time: 0.5 * index as f64, signal: *signal, other: *other, ..FRAME });
        }
        machine.stay(&spec, &source).map(|stay| stay.to_string())
    }

    const WAITS: &str = r#"
start = "a"
[define]
risen = "signal > 0.84"
[states.a]
until = "time > 0.2"
to = ["b"]
[states.b]
until = "risen and other < 1"
to = ["c"]
[states.c]
while = "other > 3"
"#;

    #[test]
    fn a_state_that_is_not_left_tells_the_comparison_of_its_until_that_came_nearest() {
        let low = [(0.9, 0.0), (0.1, 0.0), (0.812, 0.0), (0.7, 0.5)];
        let told =
            "`b` stayed from 0.50 s: until signal > 0.84: nearest 0.812 at 1.00 s, where the rest held";
        assert_eq!(stay(WAITS, &low).as_deref(), Some(told), "the frames of the state before do not count");
        assert_eq!(
            stay(WAITS, &low[..1]).unwrap(),
            "`a` stayed from 0.00 s: until time > 0.2: nearest 0 at 0.00 s"
        );
    }

    #[test]
    fn a_state_whose_exits_are_shut_tells_the_nearest_of_them() {
        let told = "`b` stayed from 0.50 s: no exit was applicable; nearest was `c`, `while` other > 3: \
                    nearest 0.5 at 1.00 s";
        let frames = [(0.0, 0.0), (0.9, 0.2), (0.9, 0.5), (0.9, 0.1)];
        assert_eq!(stay(WAITS, &frames).as_deref(), Some(told));
        // Only the present reason for waiting matters, not an earlier one.
        let later = [frames.as_slice(), &[(0.2, 0.1)]].concat();
        assert!(stay(WAITS, &later).is_none(), "`until` held once");
    }

    #[test]
    fn a_state_that_nothing_ends_tells_nothing() {
        assert_eq!(stay("start = \"a\"\n[states.a]\n", &[(0.0, 0.0)]), None);
    }
}
