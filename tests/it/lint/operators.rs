//! Mutation operators: mistakes that people make, applied to shipped files. They were written before the rules that
//! are to find them were finished, and not adapted to them.
//!
//! An operator lists every place where it can be applied. A defect is one of them, with the lines at which a message
//! is correctly placed: those of the change, or those whose meaning the change removed.

use super::text::{
    Comparison, NEVER_NEGATIVE, OTHERS, Shipped, State, code, comparisons, number_length, numbers_of,
    value_of,
};
use std::collections::BTreeSet;

/// A mistake in a shipped file.
#[derive(Clone, Debug)]
pub struct Defect {
    pub path: String,
    pub text: String,
    /// Lines, from 1, at which a message is correctly placed.
    pub lines: BTreeSet<usize>,
    /// Description of the change.
    pub what: String,
}

/// A kind of mistake.
pub struct Operator {
    pub name: &'static str,
    /// All mistakes of this kind that can be made in a file.
    pub apply: fn(&Shipped) -> Vec<Defect>,
}

pub const OPERATORS: [Operator; 22] = [
    Operator { name: "exit to a sibling, so that a state is unreachable", apply: exit_to_a_sibling },
    Operator { name: "exit that always applies goes first", apply: always_first },
    Operator { name: "weight of 0", apply: weight_of_nothing },
    Operator { name: "weight times 1e6 or 1e-6", apply: weight_off },
    Operator { name: "response of 0.01 s", apply: fast_response },
    Operator { name: "threshold of another unit", apply: other_unit },
    Operator { name: "joint angle beyond its range", apply: beyond_range },
    Operator { name: "the only exit is deleted", apply: no_exit },
    Operator { name: "the end of a state is deleted", apply: no_end },
    Operator { name: "condition that contradicts itself", apply: contradiction },
    Operator { name: "threshold beyond what the quantity can be", apply: never },
    Operator { name: "parameter written out where it was used", apply: written_out },
    Operator { name: "both feet released", apply: no_stance },
    Operator { name: "COM higher than the legs are long", apply: too_high },
    Operator { name: "second objective of another target", apply: two_targets },
    Operator { name: "two states that hand over at once", apply: hand_over },
    Operator { name: "state that cannot be entered at its time 0", apply: not_on_entry },
    Operator { name: "event after the end", apply: late },
    Operator { name: "push of nothing", apply: push_of_nothing },
    Operator { name: "frames longer than responses", apply: coarse },
    Operator { name: "criterion of a time after the end", apply: criterion_after_the_end },
    Operator { name: "ground without friction", apply: no_friction },
];

/// A defect made by replacing lines: numbers from 0, with the new text (`None`: deleted).
fn changed(file: &Shipped, changes: &[(usize, Option<String>)], right: &[usize], what: String) -> Defect {
    let mut lines: Vec<Option<String>> = file.lines().into_iter().map(Some).collect();
    for (line, text) in changes {
        lines[*line].clone_from(text);
    }
    let mut numbers = Vec::new();
    let mut text = String::new();
    for line in lines {
        numbers.push(text.matches('\n').count() + 1);
        if let Some(line) = line {
            text += &line;
            text.push('\n');
        }
    }
    let lines = right.iter().map(|line| numbers[*line]).collect();
    Defect { path: file.path.clone(), text, lines, what }
}

fn replaced(line: &str, place: std::ops::Range<usize>, with: &str) -> String {
    format!("{}{with}{}", &line[..place.start], &line[place.end..])
}

/// Names in `to = ["a", "b"]`.
fn names(value: &str) -> Vec<String> {
    value.split('"').skip(1).step_by(2).map(String::from).collect()
}

fn listed(names: &[String]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
    format!("to = [{}]", quoted.join(", "))
}

/// The line of a key of a state, and its value.
fn key(lines: &[String], state: &State, key: &str) -> Option<(usize, String)> {
    state.lines.clone().find_map(|at| Some((at, value_of(&lines[at], key)?)))
}

/// The states that can be reached from `start`; `exits` are those of each state.
fn reached(start: &str, exits: &[(String, Vec<String>)]) -> BTreeSet<String> {
    let mut reached = BTreeSet::new();
    let mut open = vec![start.to_string()];
    while let Some(name) = open.pop() {
        if reached.insert(name.clone()) {
            let of = exits.iter().find(|(state, _)| *state == name);
            open.extend(of.into_iter().flat_map(|(_, exits)| exits.clone()));
        }
    }
    reached
}

fn exit_to_a_sibling(file: &Shipped) -> Vec<Defect> {
    let (lines, states) = (file.lines(), file.states());
    let Some((_, start)) = file.top("start") else { return Vec::new() };
    let start = start.trim_matches('"').to_string();
    let exits = |state: &State| {
        let to = key(&lines, state, "to").map_or(Vec::new(), |(_, value)| names(&value));
        let other = key(&lines, state, "else").map_or(Vec::new(), |(_, value)| names(&value));
        (to, other)
    };
    let graph: Vec<(String, Vec<String>)> =
        states.iter().map(|state| (state.name.clone(), [exits(state).0, exits(state).1].concat())).collect();
    let mut defects = Vec::new();
    for (index, state) in states.iter().enumerate() {
        let Some((at, _)) = key(&lines, state, "to") else { continue };
        let to = exits(state).0;
        for place in 0..to.len() {
            for sibling in states.iter().filter(|sibling| !to.contains(&sibling.name)) {
                let mut others = to.clone();
                others[place].clone_from(&sibling.name);
                let mut changed_graph = graph.clone();
                changed_graph[index].1 = [others.clone(), exits(state).1].concat();
                let left = reached(&start, &changed_graph);
                let lost: Vec<usize> = states
                    .iter()
                    .filter(|state| !left.contains(&state.name))
                    .map(|state| state.header)
                    .collect();
                if !lost.is_empty() {
                    let what = format!("`{}` of `{}` is `{}`", to[place], state.name, sibling.name);
                    let right = [lost, vec![at]].concat();
                    defects.push(changed(file, &[(at, Some(listed(&others)))], &right, what));
                }
            }
        }
    }
    defects
}

fn always_first(file: &Shipped) -> Vec<Defect> {
    let (lines, states) = (file.lines(), file.states());
    let mut defects = Vec::new();
    for state in &states {
        let Some((at, value)) = key(&lines, state, "to") else { continue };
        let to = names(&value);
        for (place, name) in to.iter().enumerate().skip(1) {
            let target = states.iter().find(|state| state.name == *name);
            if target.is_none_or(|target| key(&lines, target, "while").is_some()) {
                continue;
            }
            let mut others = to.clone();
            let moved = others.remove(place);
            others.insert(0, moved);
            let what = format!("`{name}` first in `{}`", state.name);
            defects.push(changed(file, &[(at, Some(listed(&others)))], &[at], what));
        }
    }
    defects
}

fn weight_of_nothing(file: &Shipped) -> Vec<Defect> {
    numbers(file, "weight", |_| vec!["0".into()])
}

fn weight_off(file: &Shipped) -> Vec<Defect> {
    numbers(file, "weight", |weight| vec![format!("{:e}", weight * 1e6), format!("{:e}", weight * 1e-6)])
}

fn fast_response(file: &Shipped) -> Vec<Defect> {
    numbers(file, "response", |_| vec!["0.01".into()])
}

/// Every `key = NUMBER` of a controller, replaced by other numbers.
fn numbers(file: &Shipped, key: &str, others: fn(f64) -> Vec<String>) -> Vec<Defect> {
    if !file.is_controller() {
        return Vec::new();
    }
    let mut defects = Vec::new();
    for (at, line) in file.lines().iter().enumerate() {
        for place in numbers_of(line, key) {
            let Ok(number) = line[place.clone()].parse::<f64>() else { continue };
            for other in others(number) {
                let what = format!("{key} {number} is {other}");
                let changed_line = replaced(line, place.clone(), &other);
                defects.push(changed(file, &[(at, Some(changed_line))], &[at], what));
            }
        }
    }
    defects
}

/// Whether a line contains a condition.
fn is_condition(line: &str) -> bool {
    let keys = ["while = \"", "until = \"", "when = \"", "always = \"", "at_end = \"", "once = \""];
    keys.iter().any(|key| line.contains(key))
}

/// Changes of each comparison of each condition.
fn of_comparisons(
    file: &Shipped,
    quantities: &[(&'static str, &'static str)],
    change: impl Fn(&str, &Comparison, &str) -> Option<(String, String)>,
) -> Vec<Defect> {
    let mut defects = Vec::new();
    for (at, line) in file.lines().iter().enumerate().filter(|(_, line)| is_condition(line)) {
        for (comparison, unit) in comparisons(line, quantities) {
            if let Some((text, what)) = change(line, &comparison, unit) {
                defects.push(changed(file, &[(at, Some(text))], &[at], what));
            }
        }
    }
    defects
}

fn other_unit(file: &Shipped) -> Vec<Defect> {
    let all: Vec<(&'static str, &'static str)> = NEVER_NEGATIVE.into_iter().chain(OTHERS).collect();
    // A scene without characters has no other quantities.
    if !file.is_controller() && !file.text.contains("[characters.") {
        return Vec::new();
    }
    let others = [("standing_height", "m"), ("joint_speed", "rad/s"), ("com_speed", "m/s"), ("mass", "kg")];
    let mut defects = Vec::new();
    for (other, its_unit) in others {
        defects.extend(of_comparisons(file, &all, |line, comparison, unit| {
            let fits = !unit.is_empty() && unit != its_unit;
            let text = replaced(line, comparison.number.clone(), other);
            fits.then(|| (text, format!("{} is compared with {other}", comparison.quantity)))
        }));
    }
    defects
}

fn beyond_range(file: &Shipped) -> Vec<Defect> {
    if !file.is_controller() {
        return Vec::new();
    }
    let mut defects = Vec::new();
    for (at, line) in file.lines().iter().enumerate() {
        let Some(start) = line.find("angles = {") else { continue };
        let mut place = start + "angles = {".len();
        while let Some(next) = code(line)[place..].find(" = ") {
            let number = place + next + 3;
            let length = number_length(&line[number..]);
            if length == 0 {
                break;
            }
            let name = line[place..place + next].trim_start_matches([',', ' ']);
            let what = format!("{name} is 4 rad");
            let text = replaced(line, number..number + length, "4.0");
            defects.push(changed(file, &[(at, Some(text))], &[at], what));
            place = number + length;
            if line[place..].trim_start().starts_with('}') {
                break;
            }
        }
    }
    defects
}

fn no_exit(file: &Shipped) -> Vec<Defect> {
    let (lines, states) = (file.lines(), file.states());
    let mut defects = Vec::new();
    for state in &states {
        let (to, other) = (key(&lines, state, "to"), key(&lines, state, "else"));
        let ends = key(&lines, state, "until").is_some() || key(&lines, state, "while").is_some();
        if let (Some((at, _)), None, true) = (to, other, ends) {
            let what = format!("`{}` has no exit", state.name);
            defects.push(changed(file, &[(at, None)], &[state.header], what));
        }
    }
    defects
}

fn no_end(file: &Shipped) -> Vec<Defect> {
    let (lines, states) = (file.lines(), file.states());
    let mut defects = Vec::new();
    for state in &states {
        let ends = [key(&lines, state, "until"), key(&lines, state, "while")];
        if let ([Some((at, _)), None] | [None, Some((at, _))], Some(_)) = (&ends, key(&lines, state, "to")) {
            let what = format!("`{}` never ends", state.name);
            defects.push(changed(file, &[(*at, None)], &[state.header], what));
        }
    }
    defects
}

fn contradiction(file: &Shipped) -> Vec<Defect> {
    let all: Vec<(&'static str, &'static str)> = NEVER_NEGATIVE.into_iter().chain(OTHERS).collect();
    of_comparisons(file, &all, |line, comparison, _| {
        let number: f64 = line[comparison.number.clone()].parse().ok()?;
        let against = match comparison.operator.as_str() {
            "<" | "<=" => format!("> {}", number + 0.1),
            ">" | ">=" => format!("< {}", number - 0.1),
            _ => return None,
        };
        let both = format!("({} and {} {against})", &line[comparison.place.clone()], comparison.quantity);
        Some((replaced(line, comparison.place.clone(), &both), both))
    })
}

fn never(file: &Shipped) -> Vec<Defect> {
    of_comparisons(file, &NEVER_NEGATIVE, |line, comparison, _| {
        let number: f64 = line[comparison.number.clone()].parse().ok()?;
        let other = if number == 0.0 { "-1".to_string() } else { format!("-{number}") };
        let what = format!("{} {} {other}", comparison.quantity, comparison.operator);
        Some((replaced(line, comparison.number.clone(), &other), what))
    })
}

fn written_out(file: &Shipped) -> Vec<Defect> {
    let lines = file.lines();
    let Some(header) = lines.iter().position(|line| line == "[parameters]") else { return Vec::new() };
    let mut defects = Vec::new();
    let end = lines[header + 1..]
        .iter()
        .position(|line| line.starts_with('['))
        .map_or(lines.len(), |n| header + 1 + n);
    for at in header + 1..end {
        let Some((name, value)) = code(&lines[at]).split_once(" = ") else { continue };
        let value = value.trim();
        let mut changes = Vec::new();
        for (other, line) in lines.iter().enumerate().filter(|(other, _)| *other != at) {
            let text = with_word(line, name, value);
            if text != *line {
                changes.push((other, Some(text)));
            }
        }
        if !changes.is_empty() {
            defects.push(changed(file, &changes, &[at], format!("`{name}` is written out")));
        }
    }
    defects
}

/// The line with a word of its expressions (within quotes) replaced.
fn with_word(line: &str, word: &str, other: &str) -> String {
    let parts: Vec<String> = code(line)
        .split('"')
        .enumerate()
        .map(|(index, part)| {
            if index % 2 == 0 {
                return part.to_string();
            }
            let mut text = String::new();
            let mut rest = part;
            while let Some(at) = rest.find(word) {
                let is_letter = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
                let apart =
                    !rest[..at].ends_with(is_letter) && !rest[at + word.len()..].starts_with(is_letter);
                text += &rest[..at];
                text += if apart { other } else { word };
                rest = &rest[at + word.len()..];
            }
            text + rest
        })
        .collect();
    let rest = &line[code(line).len()..];
    format!("{}{rest}", parts.join("\""))
}

/// Inserts a line after another one.
fn inserted(file: &Shipped, after: usize, text: &str, right: &[usize], what: String) -> Defect {
    let line = &file.lines()[after];
    let mut defect = changed(file, &[(after, Some(format!("{line}\n{text}")))], &[], what);
    let count = text.matches('\n').count() + 1;
    defect.lines.extend((0..count).map(|k| after + 2 + k));
    defect.lines.extend(right.iter().map(|line| if *line > after { line + 1 + count } else { line + 1 }));
    defect
}

fn no_stance(file: &Shipped) -> Vec<Defect> {
    let lines = file.lines();
    if !file.is_controller() || file.path.contains("quadruped") || file.path.contains("trot") {
        return Vec::new();
    }
    let mut defects = Vec::new();
    for state in file.states() {
        let stands = lines
            .iter()
            .enumerate()
            .skip(state.header)
            .take_while(|(at, line)| *at == state.header || !is_other_state(line, &state.name))
            .any(|(_, line)| line.contains("com_over_support"));
        let is_free = key(&lines, &state, "release").is_none() && key(&lines, &state, "grip").is_none();
        if stands && is_free {
            let what = format!("`{}` releases both feet", state.name);
            let text = "release = [\"left_foot\", \"right_foot\"]";
            defects.push(inserted(file, state.header, text, &[], what));
        }
    }
    defects
}

/// Whether a header belongs to a state other than this one.
fn is_other_state(line: &str, state: &str) -> bool {
    let header = line.trim_start_matches('[');
    let own = format!("states.{state}");
    line.starts_with('[')
        && !(header.starts_with(&format!("{own}.")) || header.starts_with(&format!("{own}]")))
}

fn too_high(file: &Shipped) -> Vec<Defect> {
    let mut defects = Vec::new();
    for (at, line) in file.lines().iter().enumerate() {
        if line.contains("com_height = { target = \"0.985 * standing_height\"") {
            let text = line.replace("0.985 * standing_height", "1.985 * standing_height");
            defects.push(changed(file, &[(at, Some(text))], &[at], "COM at 1.985 of its height".into()));
        }
    }
    defects
}

fn two_targets(file: &Shipped) -> Vec<Defect> {
    let lines = file.lines();
    let mut defects = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        if !line.starts_with("of = { com_height = { target = \"0.985") {
            continue;
        }
        let Some(header) = (0..at).rev().find(|before| lines[*before].starts_with("[[")) else { continue };
        let again = format!(
            "\n{}\nname = \"again\"\nweight = 10.0\nresponse = 0.2\nof = {{ com_height = {{ target = \"0.7 * standing_height\" }} }}",
            lines[header]
        );
        let right: Vec<usize> = (header..=at).collect();
        defects.push(inserted(file, at, &again, &right, "a second height of the COM".into()));
    }
    defects
}

fn hand_over(file: &Shipped) -> Vec<Defect> {
    let (lines, states) = (file.lines(), file.states());
    let mut defects = Vec::new();
    let leads = |from: &State, to: &State| {
        key(&lines, from, "to").is_some_and(|(_, value)| names(&value).first() == Some(&to.name))
    };
    for (index, first) in states.iter().enumerate() {
        for second in &states[index + 1..] {
            let free = |state: &State| key(&lines, state, "while").is_none();
            let ends = (key(&lines, first, "until"), key(&lines, second, "until"));
            let (Some((a, _)), Some((b, _))) = ends else { continue };
            if leads(first, second) && leads(second, first) && free(first) && free(second) {
                let always = || Some("until = true".to_string());
                let right = [a, b, first.header, second.header];
                let what = format!("`{}` and `{}` hand over", first.name, second.name);
                defects.push(changed(file, &[(a, always()), (b, always())], &right, what));
            }
        }
    }
    defects
}

fn not_on_entry(file: &Shipped) -> Vec<Defect> {
    let (lines, states) = (file.lines(), file.states());
    let start = file.top("start").map_or(String::new(), |(_, start)| start.trim_matches('"').into());
    let mut defects = Vec::new();
    for state in states.iter().filter(|state| state.name != start) {
        let Some((at, value)) = key(&lines, state, "while") else { continue };
        let text = format!("while = \"({}) and state_time > 0.5\"", value.trim_matches('"'));
        let what = format!("`{}` cannot be entered", state.name);
        defects.push(changed(file, &[(at, Some(text))], &[at], what));
    }
    defects
}

fn late(file: &Shipped) -> Vec<Defect> {
    let Some((_, duration)) = file.top("duration") else { return Vec::new() };
    let Ok(duration) = duration.parse::<f64>() else { return Vec::new() };
    let lines = file.lines();
    let mut defects = Vec::new();
    let mut in_event = false;
    for (at, line) in lines.iter().enumerate() {
        if line.starts_with('[') {
            in_event = line.starts_with("[events.");
        }
        if in_event && value_of(line, "at").is_some() {
            let text = format!("at = {}", duration + 1.0);
            defects.push(changed(file, &[(at, Some(text))], &[at], "the event comes late".into()));
        }
    }
    defects
}

fn push_of_nothing(file: &Shipped) -> Vec<Defect> {
    let mut defects = Vec::new();
    for (at, line) in file.lines().iter().enumerate() {
        if value_of(line, "impulse").is_some() {
            let text = "impulse = [0, 0, 0]".to_string();
            defects.push(changed(file, &[(at, Some(text))], &[at], "a push of nothing".into()));
        }
    }
    defects
}

fn coarse(file: &Shipped) -> Vec<Defect> {
    let standing = ["balance", "one_foot", "step_recovery", "reach", "trot_in_place"];
    let has = |name: &str| file.text.contains(&format!("controllers/{name}.toml"));
    if file.is_controller() || !standing.iter().any(|name| has(name)) {
        return Vec::new();
    }
    match file.top("dt") {
        Some((at, _)) => {
            vec![changed(file, &[(at, Some("dt = 0.05".into()))], &[at], "frames of 0.05 s".into())]
        }
        None => {
            let Some((at, _)) = file.top("duration") else { return Vec::new() };
            vec![inserted(file, at, "dt = 0.05", &[], "frames of 0.05 s".into())]
        }
    }
}

fn criterion_after_the_end(file: &Shipped) -> Vec<Defect> {
    let Some((_, duration)) = file.top("duration") else { return Vec::new() };
    let Ok(duration) = duration.parse::<f64>() else { return Vec::new() };
    let mut defects = Vec::new();
    for (at, line) in file.lines().iter().enumerate() {
        for key in ["at_end = \"", "once = \""] {
            if let Some(place) = line.find(key) {
                let start = place + key.len();
                let time = format!("time > {} and ", duration + 1.0);
                let text = replaced(line, start..start, &time);
                defects.push(changed(file, &[(at, Some(text))], &[at], "judged after the end".into()));
            }
        }
    }
    defects
}

fn no_friction(file: &Shipped) -> Vec<Defect> {
    let standing = ["balance", "one_foot", "step_recovery", "reach", "stand_quadruped", "trot_in_place"];
    let has = |name: &str| file.text.contains(&format!("controllers/{name}.toml"));
    if file.is_controller() || !standing.iter().any(|name| has(name)) {
        return Vec::new();
    }
    let lines = file.lines();
    if let Some(ground) = lines.iter().position(|line| line == "[ground]") {
        let friction = (ground..lines.len()).find(|at| value_of(&lines[*at], "friction").is_some());
        return friction
            .map(|at| changed(file, &[(at, Some("friction = 0".into()))], &[at], "no friction".into()))
            .into_iter()
            .collect();
    }
    let Some(characters) = lines.iter().position(|line| line.starts_with("[characters.")) else {
        return Vec::new();
    };
    vec![inserted(file, characters - 1, "[ground]\nfriction = 0\n", &[], "no friction".into())]
}
