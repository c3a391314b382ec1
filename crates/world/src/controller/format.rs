//! Checks of a controller's file beyond its types: names that its author chooses, and abbreviated paths.

use aplomb_language::files::{Format, Keys};
use toml::de::{DeTable, DeValue};

/// Names that a controller's author chooses.
pub(super) const FORMAT: Format = Format {
    named: &["states", "parameters", "commands", "define", "include"],
    may_be_infinite: &["release_rate", "load_rate"],
    first: &[],
    unfold: Some(unfold),
    hints: &[
        ("reaction_delay", "a character of a scene has one: `[characters.NAME.reaction_delay]`"),
        (
            "objectives",
            "they are a list: `[[states.STATE.objectives]]`, or `[[objectives]]` for all states, once for each, with \
             a `name`",
        ),
        (
            "to",
            "it lists the states that may follow, `to = [\"NAME\"]`; each says with `while` when it is entered",
        ),
        (
            "of",
            "an objective has one key there, the kind, with what that needs: `of = { upright = { body = \"chest\" } }`",
        ),
        (
            "joints",
            "it is a list of names in the kind, `of = { pose = { joints = [\"arms\"] } }`; with targets they are \
             `angles = { right_knee = 1.05 }`, in rad: 60° are 1.047",
        ),
        ("body_point.body", "`point` names it, the body or a site of it: `point = \"left_hand\"`"),
        ("release", "a state has a list of names, `release = [\"left_foot\"]`"),
        ("include", "each has a name: `[include.walk]` with `controller = \"walk\"`"),
    ],
    foreign: &[
        ("characters", "this is a scene, where a controller is wanted"),
        ("success", "this is a scene, where a controller is wanted"),
        ("panels", "this is a plot, where a controller is wanted"),
    ],
};

/// Expands keys that name a part of an included file by its full name: `parameters.NAME.x` is
/// `include.NAME.parameters.x`, and `parameters.v.x` the first number of the vector `v`.
fn unfold(table: &DeTable<'_>, keys: Keys) -> Keys {
    let [(first, first_span), (second, second_span), rest @ ..] = keys.as_slice() else { return keys };
    if !["parameters", "define", "states", "objectives"].contains(&first.as_str())
        || inside(table, first, second).is_some() && (first != "parameters" || rest.is_empty())
    {
        return keys;
    }
    // All words after the first, whether quoted or not; for a state and an objective, further keys follow.
    let mut words: Vec<(String, std::ops::Range<usize>)> =
        second.split('.').map(|word| (word.to_owned(), second_span.clone())).collect();
    words.extend(rest.iter().cloned());
    let Some(((head, _), tail)) = words.split_first() else { return keys };
    if tail.is_empty() {
        return keys;
    }
    if first == "parameters"
        && let (Some(DeValue::Array(_)), [(axis, span)]) = (inside(table, first, head), tail)
        && let Some(index) = ["x", "y", "z"].iter().position(|known| known == axis)
    {
        return vec![keys[0].clone(), words[0].clone(), (index.to_string(), span.clone())];
    }
    let machine = match inside(table, "states", head) {
        Some(DeValue::Table(state)) if first == "states" => {
            state.get("machine").and_then(|name| Some(name.get_ref().as_str()?.to_owned()))
        }
        _ => None,
    };
    let machine = machine.unwrap_or_else(|| head.clone());
    if inside(table, "include", &machine).is_none() {
        return keys;
    }
    let at = |key: &str| (key.to_owned(), first_span.clone());
    let mut path = vec![at("include"), at(&machine), keys[0].clone()];
    // The rest of a quoted name is one key: it may name an include of the included file.
    match second.split_once('.') {
        Some((_, inner)) => path.push((inner.to_owned(), second_span.clone())),
        None => path.extend(rest.first().cloned()),
    }
    let taken = if second.contains('.') { 0 } else { 1 };
    path.extend(rest.iter().skip(taken).cloned());
    path
}

/// The value at a key of a table of the document.
fn inside<'a, 't>(table: &'a DeTable<'t>, key: &str, name: &str) -> Option<&'a DeValue<'t>> {
    match table.get(key).map(|value| value.get_ref()) {
        Some(DeValue::Table(inner)) => inner.get(name).map(|value| value.get_ref()),
        _ => None,
    }
}
