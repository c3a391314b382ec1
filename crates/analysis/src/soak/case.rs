//! One random scene: a shipped one with another body, ground, time step, controller, pushes and surroundings.

use super::{body, surroundings};
use crate::dice::Dice;
use aplomb_language::files::{Folder, find_shipped, shipped};
use toml::{Table, Value};

/// Scenes that are much slower than real time.
const SLOW: [&str; 4] = ["chain_1000", "cloth_catch", "cloth_drape", "flag"];
/// Discretisations of the bias force.
const BIAS: [&str; 4] = ["backward", "extrapolated", "midpoint", "momentum"];
/// Time steps, s.
const STEPS: [f64; 5] = [0.002, 0.005, 0.01, 0.0125, 0.02];

/// A scene, and its special property.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// Number in the sequence of its seed, from 0.
    pub(crate) number: u64,
    /// The shipped scene from which it was derived.
    pub base: String,
    /// Text of the scene file.
    pub(crate) scene: String,
    /// Text of the body's file, which the scene names `body.xml`; `None` for a shipped one.
    pub(crate) body: Option<String>,
    /// Name of the shipped body from which it was made.
    pub(crate) shipped_body: String,
    /// Descriptions of the changes.
    pub changes: Vec<String>,
}

impl Case {
    /// The case of this number in the sequence of a seed. `longest`: simulated time, s.
    pub fn draw(seed: u64, number: u64, longest: f64) -> Case {
        let mut dice = Dice::new(seed, number);
        let scenes = shipped(Folder::Scenes);
        let scenes: Vec<String> = scenes.into_iter().filter(|name| !SLOW.contains(&name.as_str())).collect();
        let base = dice.of(&scenes).to_string();
        let text = find_shipped(Folder::Scenes, &base).ok().map(|found| found.source.text.to_string());
        let mut scene: Table = text.and_then(|text| text.parse().ok()).unwrap_or_default();
        shipped_names(&mut scene);
        scene.remove("success");
        let mut case = Case {
            number,
            base,
            scene: String::new(),
            body: None,
            shipped_body: String::new(),
            changes: Vec::new(),
        };
        let duration = dice.between(0.2, longest);
        scene.insert("duration".into(), rounded(duration).into());
        if dice.is(0.6) {
            let dt = *dice.of(&STEPS);
            case.set(&mut scene, &[], "dt", dt.into());
        }
        if dice.is(0.5) {
            let bias = *dice.of(&BIAS);
            case.set(&mut scene, &[], "bias_velocity", bias.into());
        }
        if dice.is(0.1) {
            case.set(&mut scene, &[], "advance", "simulated".into());
        }
        if dice.is(0.5) {
            let friction = rounded(dice.ratio(0.02, 3.0));
            case.set(&mut scene, &["ground"], "friction", friction.into());
        }
        if dice.is(0.2) {
            case.set(&mut scene, &[], "friction_directions", 8.into());
        }
        let character =
            scene.get("characters").and_then(Value::as_table).and_then(|all| all.keys().next().cloned());
        if let Some(character) = character {
            case.change_character(&mut scene, &character, &mut dice);
            case.push(&mut scene, &character, duration, &mut dice);
        }
        for (path, key, value) in surroundings::draw(&mut dice, duration) {
            case.set(&mut scene, &path, key, value);
        }
        if scene.get("characters").and_then(Value::as_table).is_some_and(|all| all.len() > 1) && dice.is(0.6)
        {
            case.set(&mut scene, &[], "friction_between_characters", 0.8.into());
        }
        case.scene = scene.to_string();
        case
    }

    fn change_character(&mut self, scene: &mut Table, character: &str, dice: &mut Dice) {
        let path = ["characters", character];
        let model = value(scene, &path, "model").unwrap_or_default();
        if dice.is(0.5)
            && let Some((text, what)) = body::draw(&model, dice)
        {
            self.changes.push(what);
            self.body = Some(text);
            self.shipped_body.clone_from(&model);
            put(scene, &path, "model", "body.xml".into());
            if let Some(spec) = table(scene, &path) {
                spec.remove("height");
            }
        }
        if dice.is(0.15) {
            let controllers = shipped(Folder::Controllers);
            let controller = dice.of(&controllers).clone();
            self.set(scene, &path, "controller", controller.into());
        }
        if dice.is(0.1) {
            self.set(scene, &path, "torque_limits", false.into());
        }
        for (key, value) in surroundings::of_character(dice) {
            self.set(scene, &path, key, value);
        }
    }

    fn push(&mut self, scene: &mut Table, character: &str, duration: f64, dice: &mut Dice) {
        let pushes = if dice.is(0.7) { 1 + usize::from(dice.is(0.3)) } else { 0 };
        for index in 0..pushes {
            let (angle, impulse) = (dice.between(0.0, std::f64::consts::TAU), dice.ratio(1.0, 150.0));
            let up = dice.between(-0.3, 0.5) * impulse;
            let (sin, cos) = angle.sin_cos();
            let impulse: Vec<Value> =
                [cos * impulse, sin * impulse, up].map(|x| Value::from(rounded(x))).into();
            let push = Table::from_iter([
                ("at".to_string(), Value::from((dice.between(0.0, 0.6 * duration) * 1e3).round() / 1e3)),
                ("duration".to_string(), Value::from((dice.ratio(0.02, 0.3) * 1e3).round() / 1e3)),
                ("character".to_string(), Value::from(character)),
                ("body".to_string(), Value::from(*dice.of(&["chest", "pelvis", "head"]))),
                ("impulse".to_string(), Value::Array(impulse)),
            ]);
            self.set(scene, &["events"], &format!("soak_push_{index}"), Value::Table(push));
        }
    }

    fn set(&mut self, scene: &mut Table, path: &[&str], key: &str, value: Value) {
        let whole: Vec<&str> = path.iter().copied().chain([key]).collect();
        self.changes.push(format!("{} = {value}", whole.join(".")).replace('\n', " "));
        put(scene, path, key, value);
    }
}

/// A number with few digits.
pub(super) fn rounded(x: f64) -> f64 {
    (x * 1e4).round() / 1e4
}

fn table<'t>(scene: &'t mut Table, path: &[&str]) -> Option<&'t mut Table> {
    path.iter().try_fold(scene, |table, key| table.get_mut(*key)?.as_table_mut())
}

fn value(scene: &mut Table, path: &[&str], key: &str) -> Option<String> {
    Some(table(scene, path)?.get(key)?.as_str()?.to_string())
}

/// Sets a value, in tables that are created if they do not exist.
fn put(scene: &mut Table, path: &[&str], key: &str, value: Value) {
    let Some((first, rest)) = path.split_first() else {
        scene.insert(key.into(), value);
        return;
    };
    let below = scene.entry(first.to_string()).or_insert_with(|| Value::Table(Table::new()));
    if let Some(below) = below.as_table_mut() {
        put(below, rest, key, value);
    }
}

/// Replaces references of shipped scenes to files by their shipped names.
fn shipped_names(table: &mut Table) {
    table.iter_mut().for_each(|(_, value)| shipped_name(value));
}

fn shipped_name(value: &mut Value) {
    match value {
        Value::String(text) => {
            let named = text.strip_prefix("../").and_then(|path| path.split_once('/'));
            if let Some((_, name)) = named {
                let stem = name.strip_suffix(".toml").or_else(|| name.strip_suffix(".xml")).unwrap_or(name);
                *text = stem.to_string();
            }
        }
        Value::Array(list) => list.iter_mut().for_each(shipped_name),
        Value::Table(table) => shipped_names(table),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_is_the_same_whenever_it_is_drawn_and_cases_differ() {
        let cases: Vec<Case> = (0..20).map(|number| Case::draw(3, number, 1.0)).collect();
        assert_eq!(Case::draw(3, 7, 1.0), cases[7]);
        assert!((1..20).all(|number| cases[number].scene != cases[number - 1].scene));
        assert_ne!(Case::draw(4, 7, 1.0).scene, cases[7].scene);
        assert!(cases.iter().any(|case| case.body.is_some()) && cases.iter().any(|case| case.body.is_none()));
    }
}
