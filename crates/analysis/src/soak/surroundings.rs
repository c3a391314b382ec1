//! What a random scene has beside its character: ground that shakes, thrown balls, obstacles, a second character.

use super::case::rounded;
use crate::dice::Dice;
use toml::{Table, Value};

/// A property that a scene may have, with the share of the scenes that have it.
struct Feature {
    share: f64,
    /// Tables that contain it.
    path: &'static [&'static str],
    /// Its key there; empty: the last of the path.
    key: &'static str,
    /// How it is drawn for a scene of this duration, s.
    draw: fn(&mut Dice, f64) -> Table,
}

const FEATURES: [Feature; 8] = [
    Feature { share: 0.15, path: &["events"], key: "soak_ball", draw: ball },
    Feature { share: 0.12, path: &["events"], key: "soak_shake", draw: shake },
    Feature { share: 0.06, path: &["events"], key: "soak_gap", draw: gap },
    Feature { share: 0.1, path: &["events"], key: "soak_lift", draw: lift },
    Feature { share: 0.15, path: &["obstacles"], key: "soak_box", draw: obstacle },
    Feature { share: 0.1, path: &["terrain"], key: "soak_ground", draw: ground },
    Feature { share: 0.1, path: &["characters", "soak_friend"], key: "", draw: friend },
    Feature { share: 0.1, path: &["passive", "soak_object"], key: "", draw: object },
];

/// The properties of a scene, each with its path.
pub(super) fn draw(dice: &mut Dice, duration: f64) -> Vec<(Vec<&'static str>, &'static str, Value)> {
    let mut drawn = Vec::new();
    for feature in &FEATURES {
        // Drawn in any case, so that one feature does not change the others.
        let (is_there, table) = (dice.is(feature.share), (feature.draw)(dice, duration));
        if is_there {
            let (mut path, mut key) = (feature.path.to_vec(), feature.key);
            if key.is_empty() {
                key = path.pop().unwrap_or_default();
            }
            drawn.push((path, key, Value::Table(table)));
        }
    }
    drawn
}

/// The properties of a character: a delay of its reactions, soles.
pub(super) fn of_character(dice: &mut Dice) -> Vec<(&'static str, Value)> {
    let mut drawn = Vec::new();
    if dice.is(0.12) {
        drawn.push(("reaction_delay", Value::Table(table([("like", "person".into())]))));
    }
    if dice.is(0.12) {
        let pad = || Value::Table(table([("depth", 0.015.into()), ("time", 0.03.into())]));
        drawn.push(("pads", Value::Table(table([("left_foot", pad()), ("right_foot", pad())]))));
    }
    drawn
}

fn table<const N: usize>(entries: [(&str, Value); N]) -> Table {
    entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}

fn list<const N: usize>(numbers: [f64; N]) -> Value {
    Value::Array(numbers.map(|number| Value::from(rounded(number))).to_vec())
}

/// When an event begins: at a time, or when a condition holds.
fn begin(event: &mut Table, dice: &mut Dice, duration: f64) {
    let at = rounded(dice.between(0.0, 0.6 * duration));
    if dice.is(0.4) {
        event.insert("when".into(), format!("time > {at} or com_speed > 0.5").into());
    } else {
        event.insert("at".into(), at.into());
    }
}

fn ball(dice: &mut Dice, duration: f64) -> Table {
    let (mass, radius) = (rounded(dice.ratio(0.1, 10.0)), rounded(dice.between(0.04, 0.2)));
    let aimed = table([
        ("at", list([0.0, 0.0, dice.between(0.3, 1.6)])),
        ("bearing", rounded(dice.between(-3.1, 3.1)).into()),
        ("distance", rounded(dice.between(1.5, 4.0)).into()),
        ("height", rounded(dice.between(0.8, 1.8)).into()),
        ("speed", rounded(dice.between(3.0, 12.0)).into()),
    ]);
    let mut event = table([("kind", "throw".into()), ("mass", mass.into()), ("radius", radius.into())]);
    event.insert("aimed".into(), Value::Table(aimed));
    begin(&mut event, dice, duration);
    event
}

fn shake(dice: &mut Dice, duration: f64) -> Table {
    let mut size = || dice.between(-0.04, 0.04);
    let amplitude = list([size(), size(), 0.3 * size()]);
    let frequency = rounded(dice.ratio(0.4, 4.0));
    let length = rounded(dice.between(0.3, 1.0) * duration);
    let mut event = table([
        ("kind", "shake".into()),
        ("obstacle", "ground".into()),
        ("amplitude", amplitude),
        ("frequency", frequency.into()),
        ("duration", length.into()),
    ]);
    begin(&mut event, dice, duration);
    event
}

fn gap(dice: &mut Dice, duration: f64) -> Table {
    let length = rounded(dice.between(0.05, 0.3));
    let mut event =
        table([("kind", "vanish".into()), ("obstacle", "ground".into()), ("duration", length.into())]);
    begin(&mut event, dice, duration);
    event
}

fn lift(dice: &mut Dice, duration: f64) -> Table {
    let by = list([dice.between(-0.2, 0.2), dice.between(-0.2, 0.2), dice.between(-0.1, 0.1)]);
    let turn = list([dice.between(-0.1, 0.1), dice.between(-0.1, 0.1), 0.0]);
    let mut event = table([
        ("kind", "move".into()),
        ("obstacle", "ground".into()),
        ("by", by),
        ("turn", turn),
        ("duration", rounded(dice.between(0.3, 1.0)).into()),
    ]);
    begin(&mut event, dice, duration);
    event
}

fn obstacle(dice: &mut Dice, _duration: f64) -> Table {
    let (angle, far) = (dice.between(-3.1, 3.1), dice.between(0.6, 1.5));
    let half = [dice.between(0.03, 0.3), dice.between(0.03, 0.3), dice.between(0.02, 0.8)];
    table([
        ("position", list([far * angle.cos(), far * angle.sin(), half[2]])),
        ("half_lengths", list(half)),
        ("rotation", list([0.0, 0.0, dice.between(-1.5, 1.5)])),
    ])
}

fn ground(dice: &mut Dice, _duration: f64) -> Table {
    let random = table([
        ("seed", i64::from((dice.share() * 1000.0) as i32).into()),
        ("amplitude", rounded(dice.between(0.005, 0.06)).into()),
        ("cell", rounded(dice.between(0.2, 0.8)).into()),
        ("low", list([-2.0, -2.0])),
        ("high", list([2.0, 2.0])),
    ]);
    table([("random", Value::Table(random))])
}

fn friend(dice: &mut Dice, _duration: f64) -> Table {
    let model = *dice.of(&["adult", "child"]);
    let controller = *dice.of(&["balance", "step_recovery", "limp", "walk", "balance_or_fall"]);
    let (angle, far) = (dice.between(-3.1, 3.1), dice.between(0.6, 1.5));
    table([
        ("model", model.into()),
        ("controller", controller.into()),
        ("position", list([far * angle.cos(), far * angle.sin()])),
        ("heading", rounded(dice.between(-3.1, 3.1)).into()),
    ])
}

fn object(dice: &mut Dice, _duration: f64) -> Table {
    let model = *dice.of(&["ball", "box", "adult"]);
    let (angle, far) = (dice.between(-3.1, 3.1), dice.between(0.5, 1.2));
    table([
        ("kind", "articulated".into()),
        ("model", model.into()),
        ("position", list([far * angle.cos(), far * angle.sin(), dice.between(0.9, 2.0)])),
    ])
}
