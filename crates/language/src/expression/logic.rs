//! Satisfiability of conditions, alone or together, judged by their form: comparisons of the same sum are compared as
//! intervals, and every other condition is an atom.
//!
//! The result "impossible" is certain; the result "possible" is not. NaN, with which no comparison holds, is
//! ignored.

use super::interval::Interval;
use super::syntax::{Syntax, SyntaxNode};
use crate::namespace::is_state_time;
use std::collections::BTreeMap;

/// Facts about names.
pub trait Facts {
    /// The constant value of a name.
    fn number(&self, name: &str) -> Option<f64>;
    /// The expression that a name denotes.
    fn expansion(&self, name: &str) -> Option<SyntaxNode>;
    /// The range of an expression.
    fn range(&self, node: &SyntaxNode) -> Interval;
}

/// The context in which a condition is interpreted.
#[derive(Clone, Copy)]
pub struct Interpretation<'a> {
    /// Facts about names.
    pub facts: &'a dyn Facts,
    /// Whether no time has passed in the state.
    pub on_entry: bool,
    /// Names that are bound again here, and so may differ from the same names elsewhere.
    pub anew: &'a [String],
}

impl<'a> Interpretation<'a> {
    /// The interpretation in an arbitrary frame.
    pub fn new(facts: &'a dyn Facts) -> Self {
        Interpretation { facts, on_entry: false, anew: &[] }
    }
}

/// A condition with its interpretation, and whether it should hold.
#[derive(Clone, Copy)]
pub struct Truth<'a> {
    /// The condition.
    pub node: &'a SyntaxNode,
    /// Its interpretation.
    pub reading: Interpretation<'a>,
    /// Whether the condition should hold.
    pub holds: bool,
}

impl<'a> Truth<'a> {
    /// The statement that the node holds.
    pub fn of(node: &'a SyntaxNode, reading: Interpretation<'a>) -> Self {
        Truth { node, reading, holds: true }
    }

    /// The opposite statement.
    pub fn opposite(self) -> Self {
        Truth { holds: !self.holds, ..self }
    }
}

/// Alternatives, each a list of facts that hold together; more than this number are not examined.
const MOST: usize = 256;
/// Largest depth of nested definitions that are followed.
const DEEPEST: usize = 40;

/// Whether all of these statements can hold in one frame.
pub fn possible(truths: &[Truth<'_>]) -> bool {
    let mut all = vec![Clause::default()];
    for truth in truths {
        let Some(clauses) = clauses(truth.node, truth.holds, &truth.reading, 0) else { return true };
        let Some(joined) = both(&all, &clauses) else { return true };
        all = joined;
    }
    !all.is_empty()
}

/// Whether a condition holds in no frame.
pub fn never(node: &SyntaxNode, reading: Interpretation<'_>) -> bool {
    !possible(&[Truth::of(node, reading)])
}

/// Whether a condition holds in every frame.
pub fn always(node: &SyntaxNode, reading: Interpretation<'_>) -> bool {
    !possible(&[Truth::of(node, reading).opposite()])
}

/// Whether `other` holds in every frame in which `node` does.
pub fn implies(node: &SyntaxNode, other: &SyntaxNode, reading: Interpretation<'_>) -> bool {
    !possible(&[Truth::of(node, reading), Truth::of(other, reading).opposite()])
}

/// The range of a sum, with the known ranges of its names.
pub fn term_range(node: &SyntaxNode, reading: Interpretation<'_>) -> Interval {
    let Some(sum) = linear(node, &reading, 0) else { return Interval::ANY };
    sum.terms
        .values()
        .fold(Interval::of(sum.constant), |all, (factor, range)| all.plus(range.times(Interval::of(*factor))))
}

/// The numbers between two ends, which may be excluded.
#[derive(Clone, Copy, Debug, PartialEq)]
struct NumberInterval {
    least: f64,
    least_is_in: bool,
    most: f64,
    most_is_in: bool,
}

impl NumberInterval {
    fn of(range: Interval) -> Self {
        NumberInterval { least: range.least, least_is_in: true, most: range.most, most_is_in: true }
    }

    fn with(self, other: NumberInterval) -> Self {
        let (least, least_is_in) = match self.least.total_cmp(&other.least) {
            std::cmp::Ordering::Greater => (self.least, self.least_is_in),
            std::cmp::Ordering::Less => (other.least, other.least_is_in),
            std::cmp::Ordering::Equal => (self.least, self.least_is_in && other.least_is_in),
        };
        let (most, most_is_in) = match self.most.total_cmp(&other.most) {
            std::cmp::Ordering::Less => (self.most, self.most_is_in),
            std::cmp::Ordering::Greater => (other.most, other.most_is_in),
            std::cmp::Ordering::Equal => (self.most, self.most_is_in && other.most_is_in),
        };
        NumberInterval { least, least_is_in, most, most_is_in }
    }

    fn is_empty(self) -> bool {
        self.least > self.most || (self.least == self.most && !(self.least_is_in && self.most_is_in))
    }
}

/// A conjunction of facts.
#[derive(Clone, Debug, Default)]
struct Clause {
    spans: BTreeMap<String, NumberInterval>,
    flags: BTreeMap<String, bool>,
}

impl Clause {
    fn span(term: String, span: NumberInterval) -> Option<Clause> {
        let clause = Clause { spans: [(term, span)].into(), flags: BTreeMap::new() };
        (!span.is_empty()).then_some(clause)
    }

    /// The conjunction; `None` if the two contradict each other.
    fn with(&self, other: &Clause) -> Option<Clause> {
        let mut both = self.clone();
        for (term, span) in &other.spans {
            let joined = both.spans.get(term).map_or(*span, |known| known.with(*span));
            if joined.is_empty() {
                return None;
            }
            both.spans.insert(term.clone(), joined);
        }
        for (flag, value) in &other.flags {
            if both.flags.insert(flag.clone(), *value).is_some_and(|known| known != *value) {
                return None;
            }
        }
        Some(both)
    }
}

/// The conjunction of two lists of alternatives; `None` if there are too many to decide.
fn both(some: &[Clause], others: &[Clause]) -> Option<Vec<Clause>> {
    let joined: Vec<Clause> =
        some.iter().flat_map(|one| others.iter().filter_map(|other| one.with(other))).collect();
    (joined.len() <= MOST).then_some(joined)
}

fn either(some: Vec<Clause>, others: Vec<Clause>) -> Option<Vec<Clause>> {
    let all = [some, others].concat();
    (all.len() <= MOST).then_some(all)
}

/// The alternatives in which a condition holds (or not); `None` if there are too many to decide.
fn clauses(
    node: &SyntaxNode,
    holds: bool,
    reading: &Interpretation<'_>,
    depth: usize,
) -> Option<Vec<Clause>> {
    if depth > DEEPEST {
        return None;
    }
    let known = |value: bool| Some(if value == holds { vec![Clause::default()] } else { Vec::new() });
    let below = |node: &SyntaxNode, holds: bool| clauses(node, holds, reading, depth + 1);
    if let Some(name) = node.name()
        && let Some(expansion) = reading.facts.expansion(&name)
    {
        return clauses(&expansion, holds, reading, depth + 1);
    }
    match &node.syntax {
        Syntax::Boolean(value) => known(*value),
        Syntax::Not(inner) => below(inner, !holds),
        Syntax::Binary { operator: operator @ ("and" | "or"), sides } => {
            let [a, b] = [below(&sides[0], holds)?, below(&sides[1], holds)?];
            if (*operator == "and") == holds { both(&a, &b) } else { either(a, b) }
        }
        Syntax::Choice(choice) => {
            let yes = both(&below(&choice.condition, true)?, &below(&choice.yes, holds)?)?;
            let no = both(&below(&choice.condition, false)?, &below(&choice.no, holds)?)?;
            either(yes, no)
        }
        Syntax::Binary { operator: operator @ ("<" | "<=" | ">" | ">=" | "==" | "!="), sides } => {
            compared(operator, &sides[0], &sides[1], holds, reading, depth)
        }
        _ => flag(node, holds, reading, depth),
    }
}

fn flag(node: &SyntaxNode, holds: bool, reading: &Interpretation<'_>, depth: usize) -> Option<Vec<Clause>> {
    let name = text(node, reading, depth)?;
    Some(vec![Clause { spans: BTreeMap::new(), flags: [(name, holds)].into() }])
}

fn compared(
    operator: &str,
    left: &SyntaxNode,
    right: &SyntaxNode,
    holds: bool,
    reading: &Interpretation<'_>,
    depth: usize,
) -> Option<Vec<Clause>> {
    let is_truth = |node: &SyntaxNode| matches!(node.syntax, Syntax::Boolean(_) | Syntax::Not(_));
    if is_truth(left) || is_truth(right) {
        let name = format!("{} {operator} {}", text(left, reading, depth)?, text(right, reading, depth)?);
        return Some(vec![Clause { spans: BTreeMap::new(), flags: [(name, holds)].into() }]);
    }
    let mut sum = linear(left, reading, depth)?.plus(linear(right, reading, depth)?.scaled(-1.0));
    let mut operator = if holds { operator } else { opposite(operator) };
    let first = sum.terms.values().next().map(|(factor, _)| *factor);
    let Some(first) = first else {
        return Some(if compares_to_zero(sum.constant, operator) {
            vec![Clause::default()]
        } else {
            Vec::new()
        });
    };
    if first < 0.0 {
        operator = mirrored(operator);
    }
    sum = sum.scaled(1.0 / first);
    let bound = -sum.constant;
    // Rounded, so that sums in another order are the same term.
    let parts = sum.terms.iter().map(|(name, (factor, _))| format!("{factor:.9} {name}"));
    let term = parts.collect::<Vec<_>>().join(" + ");
    let range = sum
        .terms
        .values()
        .fold(Interval::of(0.0), |all, (factor, range)| all.plus(range.times(Interval::of(*factor))));
    let whole = NumberInterval::of(range);
    let spans = spans(operator, bound);
    Some(spans.into_iter().filter_map(|span| Clause::span(term.clone(), span.with(whole))).collect())
}

/// The operator that holds when this one does not.
fn opposite(operator: &str) -> &'static str {
    match operator {
        "<" => ">=",
        "<=" => ">",
        ">" => "<=",
        ">=" => "<",
        "==" => "!=",
        _ => "==",
    }
}

/// The equivalent operator after both sides are multiplied by −1.
fn mirrored(operator: &str) -> &str {
    match operator {
        "<" => ">",
        "<=" => ">=",
        ">" => "<",
        ">=" => "<=",
        same => same,
    }
}

fn compares_to_zero(value: f64, operator: &str) -> bool {
    match operator {
        "<" => value < 0.0,
        "<=" => value <= 0.0,
        ">" => value > 0.0,
        ">=" => value >= 0.0,
        "==" => value == 0.0,
        _ => value != 0.0,
    }
}

/// The intervals of the numbers for which the comparison with a bound holds.
fn spans(operator: &str, bound: f64) -> Vec<NumberInterval> {
    let below =
        |is_in| NumberInterval { most: bound, most_is_in: is_in, ..NumberInterval::of(Interval::ANY) };
    let above =
        |is_in| NumberInterval { least: bound, least_is_in: is_in, ..NumberInterval::of(Interval::ANY) };
    match operator {
        "<" => vec![below(false)],
        "<=" => vec![below(true)],
        ">" => vec![above(false)],
        ">=" => vec![above(true)],
        "==" => vec![NumberInterval::of(Interval::of(bound))],
        _ => vec![below(false), above(false)],
    }
}

/// A sum of terms with factors.
#[derive(Clone, Debug, Default)]
struct Sum {
    /// Factor and range by the text of the term.
    terms: BTreeMap<String, (f64, Interval)>,
    constant: f64,
}

impl Sum {
    fn of(constant: f64) -> Self {
        Sum { terms: BTreeMap::new(), constant }
    }

    fn plus(mut self, other: Sum) -> Self {
        self.constant += other.constant;
        for (term, (factor, range)) in other.terms {
            let entry = self.terms.entry(term).or_insert((0.0, range));
            entry.0 += factor;
        }
        self.terms.retain(|_, (factor, _)| factor.abs() > 1e-12);
        self
    }

    fn scaled(mut self, by: f64) -> Self {
        self.constant *= by;
        self.terms.values_mut().for_each(|(factor, _)| *factor *= by);
        self
    }
}

fn linear(node: &SyntaxNode, reading: &Interpretation<'_>, depth: usize) -> Option<Sum> {
    if depth > DEEPEST {
        return None;
    }
    let below = |node: &SyntaxNode| linear(node, reading, depth + 1);
    if let Some(name) = node.name() {
        if is_state_time(&name) && reading.on_entry {
            return Some(Sum::of(0.0));
        }
        if let Some(number) = reading.facts.number(&name) {
            return Some(Sum::of(number));
        }
        if let Some(expansion) = reading.facts.expansion(&name) {
            return below(&expansion);
        }
    }
    match &node.syntax {
        Syntax::Number(value) => return Some(Sum::of(*value)),
        Syntax::Negate(inner) => return Some(below(inner)?.scaled(-1.0)),
        Syntax::Binary { operator: operator @ ("+" | "-" | "*" | "/"), sides } => {
            let [a, b] = [below(&sides[0])?, below(&sides[1])?];
            let (is_constant, by) = (|sum: &Sum| sum.terms.is_empty(), b.constant);
            match *operator {
                "+" => return Some(a.plus(b)),
                "-" => return Some(a.plus(b.scaled(-1.0))),
                "*" if is_constant(&b) => return Some(a.scaled(by)),
                "*" if is_constant(&a) => return Some(b.scaled(a.constant)),
                "/" if is_constant(&b) && by != 0.0 => return Some(a.scaled(1.0 / by)),
                _ => {}
            }
        }
        _ => {}
    }
    let mut range = reading.facts.range(node);
    if range.least.is_nan() || range.most.is_nan() {
        range = Interval::ANY;
    }
    if range.least == range.most {
        return Some(Sum::of(range.least));
    }
    let name = text(node, reading, depth)?;
    Some(Sum { terms: [(name, (1.0, range))].into(), constant: 0.0 })
}

/// The expression in full, with the same text for the same meaning.
fn text(node: &SyntaxNode, reading: &Interpretation<'_>, depth: usize) -> Option<String> {
    if depth > DEEPEST {
        return None;
    }
    let below = |node: &SyntaxNode| text(node, reading, depth + 1);
    let list = |nodes: &[SyntaxNode]| -> Option<String> {
        Some(nodes.iter().map(below).collect::<Option<Vec<_>>>()?.join(", "))
    };
    if let Some(name) = node.name() {
        if is_state_time(&name) && reading.on_entry {
            return Some("0".into());
        }
        if reading.anew.contains(&name) {
            return Some(format!("{name} anew"));
        }
        if let Some(number) = reading.facts.number(&name) {
            return Some(number.to_string());
        }
        if let Some(expansion) = reading.facts.expansion(&name) {
            return Some(format!("({})", below(&expansion)?));
        }
    }
    Some(match &node.syntax {
        Syntax::Number(value) => value.to_string(),
        Syntax::Boolean(value) => value.to_string(),
        Syntax::Name(name) => name.clone(),
        Syntax::Call { name, arguments, .. } => format!("{name}({})", list(arguments)?),
        Syntax::Member { base, field } => format!("{}.{field}", below(base)?),
        Syntax::Vector(parts) => format!("[{}]", list(parts)?),
        Syntax::Negate(inner) => format!("(-{})", below(inner)?),
        Syntax::Not(inner) => format!("(not {})", below(inner)?),
        Syntax::Binary { operator, sides } => {
            format!("({} {operator} {})", below(&sides[0])?, below(&sides[1])?)
        }
        Syntax::Choice(choice) => {
            format!("({} if {} else {})", below(&choice.yes)?, below(&choice.condition)?, below(&choice.no)?)
        }
        // Its variable may have the name of another value that is expanded here.
        Syntax::Over(_) => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::super::range::interval;
    use super::super::syntax::parse;
    use super::super::testing::TestNames;
    use super::*;

    struct Few;

    impl Facts for Few {
        fn number(&self, name: &str) -> Option<f64> {
            (name == "limit").then_some(2.0)
        }

        fn expansion(&self, name: &str) -> Option<SyntaxNode> {
            (name == "lost").then(|| parse("signal < -1 or other > limit").unwrap())
        }

        fn range(&self, node: &SyntaxNode) -> Interval {
            interval(node, &TestNames)
        }
    }

    #[test]
    fn what_contradicts_itself_never_holds_and_what_rules_nothing_out_always_does() {
        let reading = Interpretation::new(&Few);
        for text in [
            "signal > 1 and signal < 0.5",
            "signal > 1 and signal < limit - 1",
            "distance < -0.1",
            "2 * signal - 1 > 3 and signal <= 2",
            "lost and signal > 0 and other < 2",
            "not (signal < 1 or signal > 0)",
            "signal < other and other - signal < 0",
            "signal == 1 and signal != 1",
            "(signal > 3 if other > 0 else false) and signal < 2",
            "time < 0",
        ] {
            assert!(never(&parse(text).unwrap(), reading), "{text}");
        }
        for text in ["signal < 1 or signal > 0", "distance >= 0", "true", "not (signal > 1 and signal < 1)"] {
            assert!(always(&parse(text).unwrap(), reading), "{text}");
        }
        for text in
            ["signal > 1 and other < 0", "lost", "signal == 1", "distance > 0", "in_contact(left_foot)"]
        {
            let node = parse(text).unwrap();
            assert!(!never(&node, reading) && !always(&node, reading), "{text}");
        }
        assert!(implies(&parse("signal > 2").unwrap(), &parse("signal > 1").unwrap(), reading));
        assert!(!implies(&parse("signal > 1").unwrap(), &parse("signal > 2").unwrap(), reading));
        let entry = Interpretation { on_entry: true, ..reading };
        assert!(never(&parse("state_time > 0.1 and signal > 0").unwrap(), entry));
        assert!(always(&parse("state_time < 0.1").unwrap(), entry));
    }

    #[test]
    fn a_name_that_is_bound_anew_is_another() {
        let (swing, reading) = (parse("signal > 1").unwrap(), Interpretation::new(&Few));
        let names = ["signal".to_string()];
        let anew = Interpretation { anew: &names, ..reading };
        let other = parse("signal < 0").unwrap();
        assert!(!possible(&[Truth::of(&swing, reading), Truth::of(&other, reading)]));
        assert!(possible(&[Truth::of(&swing, reading), Truth::of(&other, anew)]));
    }
}
