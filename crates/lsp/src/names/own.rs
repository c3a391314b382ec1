//! Names that a controller's own text defines: parameters, commands, definitions, bindings, states.

use crate::outline::{DocumentOutline, OutlineItem, OutlineValue, PathStep, is};
use std::collections::BTreeSet;
use std::ops::Range;

/// Kind of a name that a file defines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum OwnKind {
    /// A number or a vector in `[parameters]`.
    Parameter,
    /// A table in `[commands]`.
    Command,
    /// An expression in `[define]`.
    Definition,
    /// An expression in a state's `let`.
    Binding,
    /// An expression in a state's `each_frame`.
    EachFrame,
    /// A result of a planner.
    Planned,
    /// A table in `[include]`.
    Include,
    /// A table in `[states]`.
    State,
}

impl OwnKind {
    /// Name of the kind, for display.
    pub(crate) fn word(self) -> &'static str {
        match self {
            OwnKind::Parameter => "parameter",
            OwnKind::Command => "command",
            OwnKind::Definition => "definition",
            OwnKind::Binding => "binding",
            OwnKind::EachFrame => "binding of each frame",
            OwnKind::Planned => "result of a planner",
            OwnKind::Include => "included controller",
            OwnKind::State => "state",
        }
    }
}

/// A name that a file defines.
#[derive(Clone, Debug)]
pub(crate) struct DefinedName {
    /// The name.
    pub name: String,
    /// Its kind.
    pub kind: OwnKind,
    /// Bytes of the key that defines it; of several, those of the first.
    pub key: Range<usize>,
    /// Bytes of its value; `None` for a table.
    pub value: Option<Range<usize>>,
    /// The state whose binding it is.
    pub state: Option<String>,
    /// Whether it is a vector that is written out.
    pub is_vector: bool,
}

/// Results of planners: planner, name, documentation.
const PLANNED: [(&str, &str, &str); 14] = [
    ("capture_step", "foot", "The foot that steps at the lowest price."),
    ("capture_step", "time", "The cheapest swing time, s."),
    ("capture_step", "target", "Where the swing foot should land, m."),
    ("capture_step", "astray", "Greatest distance of a foot from its place beside the others, m."),
    ("capture_step", "partner", "The foot that steps with it; with `pairs` alone."),
    ("capture_step", "partner_target", "Where that one should land, m; with `pairs` alone."),
    ("preview_step", "foot", "The foot of the cheapest plan."),
    ("preview_step", "time", "Time of its first step, s."),
    ("preview_step", "target", "Where the swing foot should land, m."),
    ("preview_step", "next_target", "Where the other foot lands after it, m."),
    ("preview_step", "steps", "Number of steps in the plan."),
    ("preview_step", "capture_point", "The capture point at touchdown, m."),
    ("preview_step", "com", "The COM at touchdown, m."),
    ("preview_step", "cost", "What the plan costs, m²."),
];

/// Documentation of a planner's result.
pub(crate) fn planned(name: &str) -> &'static str {
    let found = PLANNED.iter().find(|(planner, result, _)| {
        name.strip_prefix(planner).and_then(|rest| rest.strip_prefix('.')) == Some(result)
    });
    found.map_or("The free hold that the planner found.", |(.., about)| about)
}

/// All names that a controller's text defines, in its order; a binding once for each state that has it.
pub(crate) fn own(outline: &DocumentOutline) -> Vec<DefinedName> {
    let mut all = Vec::new();
    let mut known = BTreeSet::new();
    for item in &outline.items {
        for (number, key) in item.keys.iter().enumerate() {
            let path = &item.path[..key.depth];
            let Some((kind, state)) = kind(path) else { continue };
            let Some(name) = path.last().and_then(PathStep::key).filter(|name| !name.is_empty()) else {
                continue;
            };
            if !known.insert((kind, name, state.clone())) {
                continue;
            }
            let is_own = number + 1 == item.keys.len() && item.path.len() == key.depth;
            let value = Some(item).filter(|item| is_own && has_value(item)).map(|item| item.span.clone());
            if kind == OwnKind::Planned {
                all.extend(results(path, key.span.clone()));
                continue;
            }
            let is_vector = is_own && item.value == OutlineValue::Array;
            all.push(DefinedName {
                name: name.to_owned(),
                kind,
                key: key.span.clone(),
                value,
                state,
                is_vector,
            });
        }
    }
    all
}

fn has_value(item: &OutlineItem) -> bool {
    !matches!(item.value, OutlineValue::Header | OutlineValue::Missing)
}

/// The kind of the name that a key at this path defines, and the state that it is in.
fn kind(path: &[PathStep]) -> Option<(OwnKind, Option<String>)> {
    let table = |pattern: &[&str]| is(path, pattern);
    let state = || path.get(1).and_then(PathStep::key).map(str::to_owned);
    Some(if table(&["parameters", "*"]) {
        (OwnKind::Parameter, None)
    } else if table(&["commands", "*"]) {
        (OwnKind::Command, None)
    } else if table(&["define", "*"]) {
        (OwnKind::Definition, None)
    } else if table(&["states", "*", "let", "*"]) {
        (OwnKind::Binding, state())
    } else if table(&["states", "*", "each_frame", "*"]) {
        (OwnKind::EachFrame, state())
    } else if table(&["states", "*"]) {
        (OwnKind::State, None)
    } else if table(&["include", "*"]) {
        (OwnKind::Include, None)
    } else if table(&["planner", "*"]) || table(&["planner", "next_hold", "*"]) {
        (OwnKind::Planned, None)
    } else {
        return None;
    })
}

/// The results of the planner at a path.
fn results(path: &[PathStep], key: Range<usize>) -> Vec<DefinedName> {
    let Some(planner) = path.get(1).and_then(PathStep::key) else { return Vec::new() };
    let names = match path.get(2).and_then(PathStep::key) {
        Some(hold) => vec![format!("{planner}.{hold}")],
        None => {
            let of_it = PLANNED.iter().filter(|(of, ..)| *of == planner);
            of_it.map(|(_, result, _)| format!("{planner}.{result}")).collect()
        }
    };
    let result = |name| DefinedName {
        name,
        kind: OwnKind::Planned,
        key: key.clone(),
        value: None,
        state: None,
        is_vector: false,
    };
    names.into_iter().map(result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_gives_its_names_also_where_it_does_not_parse() {
        let text = "start = \"a\"\n[parameters]\nk = 1\nv = [0, 1, 2]\n[define]\nd = \"k\n\
                    [planner.capture_step]\nfeet = []\n[commands.speed]\ndefault = 1\n\
                    [states.a]\nlet = { x = \"1\", y = \"2\nto = [\"b\n[states.b.each_frame]\nx = \"3\"\n\
                    [include.step]\nfile = \"walk\"\n";
        let outline = DocumentOutline::of(text);
        let found: Vec<String> =
            own(&outline).iter().map(|own| format!("{} {}", own.kind.word(), own.name)).collect();
        assert_eq!(found[..3], ["parameter k", "parameter v", "definition d"]);
        assert!(found.contains(&"result of a planner capture_step.target".to_owned()), "{found:?}");
        for name in ["command speed", "state a", "state b", "binding x", "binding y"] {
            assert!(found.contains(&name.to_owned()), "{name}: {found:?}");
        }
        assert!(found.contains(&"binding of each frame x".to_owned()));
        assert!(found.contains(&"included controller step".to_owned()));
    }
}
