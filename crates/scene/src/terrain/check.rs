//! Mistakes in `[terrain]` that its types cannot catch.

use super::grid::{MOST_LINES, cells};
use super::spec::{RandomSpec, StairsSpec, TerrainSpec};
use crate::check::{RIGHT_FRICTION, SceneChecker};
use crate::spec::SceneSpec;
use aplomb_body::contact::is_friction;
use aplomb_language::Spanned;
use aplomb_language::diagnostic::{FileError, Source};
use aplomb_math::extent::FARTHEST;
use std::f64::consts::TAU;

/// Largest number of risers in a flight: each tread is a surface.
const MOST_RISERS: u32 = 100;
const LENGTH: &str = "more than 0 m and at most 10000 m";

/// Mistakes in the terrain of a scene.
pub(crate) fn check(spec: &SceneSpec, source: &Source) -> Vec<FileError> {
    let mut check = SceneChecker::new(source);
    look(&mut check, spec);
    check.errors
}

fn look(check: &mut SceneChecker<'_>, spec: &SceneSpec) {
    for terrain in spec.terrain.values() {
        let friction = match terrain {
            TerrainSpec::Stairs(stairs) => {
                of_stairs(check, stairs);
                &stairs.friction
            }
            TerrainSpec::Random(random) => {
                of_random(check, random);
                &random.friction
            }
            TerrainSpec::Formula(formula) => {
                check.number(&formula.spacing, "spacing", is_length, LENGTH);
                rectangle(check, [&formula.low, &formula.high], Some((&formula.spacing, "spacing", 1.0)));
                &formula.friction
            }
            TerrainSpec::Picture(picture) => {
                for (height, name) in [(&picture.white, "white"), (&picture.black, "black")] {
                    check.number(height, name, |height| height.abs() <= FARTHEST, "within 10000 m");
                }
                rectangle(check, [&picture.low, &picture.high], None);
                &picture.friction
            }
        };
        if let Some(friction) = friction {
            check.number(friction, "friction", is_friction, RIGHT_FRICTION);
        }
    }
}

fn is_length(length: f64) -> bool {
    length > 0.0 && length <= FARTHEST
}

fn of_stairs(check: &mut SceneChecker<'_>, stairs: &StairsSpec) {
    let number = *stairs.number.get_ref();
    if !(1..=MOST_RISERS).contains(&number) {
        check.say(&stairs.number, format!("number must be from 1 to {MOST_RISERS}, not {number}"));
    }
    let landing = stairs.landing.as_ref().map(|landing| (landing, "landing"));
    let lengths = [(&stairs.rise, "rise"), (&stairs.tread, "tread"), (&stairs.width, "width")];
    for (length, name) in lengths.into_iter().chain(landing) {
        check.number(length, name, is_length, LENGTH);
    }
    check.number(&stairs.direction, "direction", |angle| angle.abs() <= TAU, "an angle in rad, at most 2 pi");
    corner(check, &stairs.start, "start");
}

fn of_random(check: &mut SceneChecker<'_>, random: &RandomSpec) {
    check.number(&random.amplitude, "amplitude", |at| (0.0..=FARTHEST).contains(&at), "from 0 to 10000 m");
    check.number(&random.cell, "cell", is_length, LENGTH);
    if let Some(border) = &random.border {
        check.number(border, "border", |border| (0.0..=FARTHEST).contains(&border), "from 0 to 10000 m");
    }
    // Four lines per cell of hills, two per cell of steps.
    let fine = if random.steps { 0.5 } else { 0.25 };
    rectangle(check, [&random.low, &random.high], Some((&random.cell, "cell", fine)));
}

fn corner(check: &mut SceneChecker<'_>, corner: &Spanned<[f64; 2]>, name: &str) {
    check.finite(corner, name);
    if corner.get_ref().iter().any(|part| part.is_finite() && part.abs() > FARTHEST) {
        check.say(corner, format!("{name} must be within {FARTHEST} m of the origin"));
    }
}

/// Checks the order of the corners and the number of lines. `spacing`: a key, its name, and the distance between two
/// lines as a share of its value.
fn rectangle(
    check: &mut SceneChecker<'_>,
    [low, high]: [&Spanned<[f64; 2]>; 2],
    spacing: Option<(&Spanned<f64>, &str, f64)>,
) {
    corner(check, low, "low");
    corner(check, high, "high");
    let lengths = [0, 1].map(|axis| high.get_ref()[axis] - low.get_ref()[axis]);
    if !lengths.iter().all(|length| *length > 0.0) {
        check.say(high, "high must be beyond low, in x and in y");
        return;
    }
    let Some((spacing, name, share)) = spacing.filter(|(spacing, ..)| is_length(*spacing.get_ref())) else {
        return;
    };
    let most = lengths.map(|length| length / (share * spacing.get_ref())).into_iter().fold(0.0, f64::max);
    if most > MOST_LINES as f64
        || lengths.iter().any(|length| cells(*length, share * spacing.get_ref()) >= MOST_LINES)
    {
        check.say(spacing, format!("with this {name} the grid has more than {MOST_LINES} lines a side"));
    }
}
