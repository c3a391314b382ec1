//! Construction of holds: bars, single holds, and walls of holds randomised by a seed.

use super::check::{RIGHT_FRICTION, shown, too_far};
use super::hold_spec::{BarSpec, HoldSpec, HoldsSpec};
use super::spec::SceneSpec;
use aplomb_body::contact::grip::{Carrier, Hold, HoldKind, HoldShape};
use aplomb_body::contact::is_friction;
use aplomb_body::model::Model;
use aplomb_language::Spanned;
use aplomb_language::diagnostic::{FileError, FileErrors, Source};
use aplomb_language::expression::{Meaning, Names, VectorField, is_builtin};
use aplomb_math::extent;
use aplomb_passive::{NoPart, PassiveSpec, RestingPoint};
use aplomb_world::point_of;
use nalgebra::{UnitQuaternion, Vector3};

/// Largest number of rows of a wall.
const MOST_ROWS: u32 = 1000;

/// Everything that can be held in the scene: bars, then holds by name, then the wall's. `names`: names that already
/// have a meaning; `bodies`: models of the characters, in order; `models`: models of each passive object.
///
/// # Errors
///
/// All mistakes in bars, holds and the wall, with their locations.
pub(crate) fn holds(
    spec: &SceneSpec,
    source: &Source,
    names: &dyn Names,
    bodies: &[Model],
    models: &[Vec<Model>],
) -> Result<Vec<Hold>, FileErrors> {
    let mut errors = Vec::new();
    let mut holds: Vec<Hold> = Vec::new();
    let randomised = spec.holds.as_ref().map(|spec| wall(spec, source, &mut errors)).unwrap_or_default();
    let points = || spec.holds.iter().flat_map(|holds| &holds.get_ref().at);
    let named: Vec<&Spanned<String>> = spec.bars.keys().chain(points().map(|(name, _)| name)).collect();
    let is_taken = |text: &str| {
        is_builtin(text) || names.meaning(text).is_some() || randomised.iter().any(|hold| &*hold.name == text)
    };
    for (index, name) in named.iter().enumerate() {
        let text = name.get_ref().as_str();
        if is_taken(text) || named[..index].iter().any(|other| other.get_ref() == text) {
            let message = format!("`{text}` has a meaning already; choose another name for this hold");
            errors.push(FileError::new(source, name.span(), message));
        }
    }
    holds.extend(spec.bars.iter().map(|(name, spec)| bar(name, spec, source, &mut errors)));
    for (name, hold) in points() {
        let carried = holds.iter().filter(|hold| hold.on_object().is_some()).count();
        let carrier = match &hold.on {
            None => Ok((position(name, hold, source, &mut errors), None)),
            Some(on) if spec.characters.contains_key(on.get_ref().as_str()) => {
                let carrier = on_character(name, hold, spec, source, bodies);
                carrier.map(|carrier| (Vector3::zeros(), Some(carrier)))
            }
            Some(_) => resting(name, hold, spec, source, models)
                .map(|(_, point)| (point.position, Some(Carrier::Object(carried)))),
        };
        match carrier {
            Ok(carrier) => holds.push(point(name, hold, carrier, source, &mut errors)),
            Err(mistakes) => errors.extend(mistakes),
        }
    }
    holds.extend(randomised);
    if errors.is_empty() { Ok(holds) } else { Err(errors.into()) }
}

fn bar(name: &Spanned<String>, spec: &BarSpec, source: &Source, errors: &mut Vec<FileError>) -> Hold {
    let ends = spec.ends.get_ref().map(Vector3::from);
    let length = (ends[1] - ends[0]).norm();
    if !(length.is_finite() && length > 1e-6) {
        let message = "the ends of a bar must be finite and apart";
        errors.push(FileError::new(source, spec.ends.span(), message));
    }
    if let Some(distance) = extent::too_far(ends).filter(|distance| distance.is_finite()) {
        errors.push(FileError::new(source, spec.ends.span(), too_far("ends", distance)));
    }
    let radius = *spec.radius.get_ref();
    if !(radius.is_finite() && radius > 0.0) {
        let message = format!("radius must be more than 0 m, not {radius}");
        errors.push(FileError::new(source, spec.radius.span(), message));
    }
    let motion = motion(&spec.motion, source, errors);
    let mut bound = Hold::new(name.get_ref(), HoldShape::Bar { ends, radius }, motion);
    bound.kind = HoldKind::Hand;
    bound
}

/// A hold at a point of the world, a passive object or a character.
fn point(
    name: &Spanned<String>,
    hold: &HoldSpec,
    (position, carrier): (Vector3<f64>, Option<Carrier>),
    source: &Source,
    errors: &mut Vec<FileError>,
) -> Hold {
    let normal = Vector3::from(*hold.normal.get_ref());
    if !(normal.norm().is_finite() && normal.norm() > 1e-9) {
        errors.push(FileError::new(source, hold.normal.span(), "the normal has length 0"));
    }
    let radius = *hold.radius.get_ref();
    if !(radius.is_finite() && radius > 0.0) {
        let message = format!("radius must be more than 0 m, not {radius}");
        errors.push(FileError::new(source, hold.radius.span(), message));
    }
    let friction = *hold.friction.get_ref();
    if !is_friction(friction) {
        let message = format!("friction must be {RIGHT_FRICTION}, not {}", shown(friction));
        errors.push(FileError::new(source, hold.friction.span(), message));
    }
    let motion = motion(&hold.motion, source, errors);
    let mut bound = Hold::new(name.get_ref(), HoldShape::Point(position), motion);
    (bound.normal, bound.friction, bound.carrier) = (normal.normalize(), friction, carrier);
    bound.thickness = radius;
    bound.kind = match carrier {
        Some(_) => HoldKind::Hand,
        None => hold.kind.as_ref().map(|kind| *kind.get_ref()).unwrap_or_default(),
    };
    bound
}

/// Position of a hold of the world.
fn position(
    name: &Spanned<String>,
    hold: &HoldSpec,
    source: &Source,
    errors: &mut Vec<FileError>,
) -> Vector3<f64> {
    if let Some(along) = &hold.along {
        let message = "`along` is only for holds on a passive object";
        errors.push(FileError::new(source, along.span(), message).help("say which with `on`"));
    }
    let Some(given) = &hold.position else {
        if hold.along.is_some() {
            return Vector3::zeros();
        }
        let message = format!("the hold `{}` has no position", name.get_ref());
        let help = "give its `position`, or with `on` and `along` the object it is a point of";
        errors.push(FileError::new(source, name.span(), message).help(help));
        return Vector3::zeros();
    };
    let position = Vector3::from(*given.get_ref());
    if !position.iter().all(|part| part.is_finite()) {
        errors.push(FileError::new(source, given.span(), "position must be finite"));
    } else if let Some(distance) = extent::too_far([position]) {
        errors.push(FileError::new(source, given.span(), too_far("position", distance)));
    }
    position
}

/// The point of a character's body for a hold.
fn on_character(
    name: &Spanned<String>,
    hold: &HoldSpec,
    scene: &SceneSpec,
    source: &Source,
    bodies: &[Model],
) -> Result<Carrier, FileErrors> {
    let Some(on) = &hold.on else { return Err(FileErrors::default()) };
    let mut errors = goes_with_its_carrier(hold, source, "a character", "the character");
    let text = on.get_ref().as_str();
    let number = scene.characters.get_index_of(text).unwrap_or(0);
    if let Some(along) = &hold.along {
        let message = "`along` is only for holds on a passive object, and this one is on a character";
        errors.push(FileError::new(source, along.span(), message).help("name the site with `at`"));
    }
    let Some(at) = &hold.at else {
        let message = format!("the hold `{}` on `{text}` has no position", name.get_ref());
        let help = "name a site of its body with `at`";
        errors.push(FileError::new(source, on.span(), message).help(help));
        return Err(errors.into());
    };
    let Some(body) = bodies.get(number) else { return Err(errors.into()) };
    let site = body.site(at.get_ref()).and_then(|site| point_of(body, number, site));
    match site {
        Some(carrier) if errors.is_empty() => Ok(carrier),
        Some(_) => Err(errors.into()),
        None => {
            let message = format!("the body of `{text}` has no site `{}`", at.get_ref());
            let sites = body.sites.iter().filter(|site| site.body.is_some());
            let known = sites.map(|site| site.name.as_str()).chain(body.roles.points().map(|(role, _)| role));
            errors.push(FileError::new(source, at.span(), message).suggest(at.get_ref(), known));
            Err(errors.into())
        }
    }
}

/// Mistakes for keys that a hold on an object or a character cannot have.
fn goes_with_its_carrier(hold: &HoldSpec, source: &Source, on: &str, carrier: &str) -> Vec<FileError> {
    let mut errors = Vec::new();
    if let Some(position) = &hold.position {
        let message = format!("a hold on {on} moves with {carrier}, so it has no `position`");
        errors.push(FileError::new(source, position.span(), message).help("take out `position` or `on`"));
    }
    if let Some(motion) = &hold.motion {
        let message = format!("a hold on {on} moves as {carrier} does");
        errors.push(FileError::new(source, motion.span(), message).help("take out `motion` or `on`"));
    }
    if let Some(kind) = hold.kind.as_ref().filter(|kind| *kind.get_ref() != HoldKind::Hand) {
        let message = format!("only hands hold on to {on}");
        errors.push(FileError::new(source, kind.span(), message).help("`kind = \"hand\"`"));
    }
    errors
}

/// Index of the passive object of a hold, and the point on it.
fn resting(
    name: &Spanned<String>,
    hold: &HoldSpec,
    scene: &SceneSpec,
    source: &Source,
    models: &[Vec<Model>],
) -> Result<(usize, RestingPoint), FileErrors> {
    let Some(on) = &hold.on else { return Err(FileErrors::default()) };
    let mut errors = goes_with_its_carrier(hold, source, "a passive object", "the object");
    let text = on.get_ref().as_str();
    let found = scene.passive.iter().position(|(object, _)| object.get_ref() == text);
    let Some((index, object)) = found.map(|index| (index, &scene.passive[index])) else {
        let message = format!("there is no passive object and no character `{text}`");
        let known = scene.passive.keys().chain(scene.characters.keys());
        let known = known.map(|object| object.get_ref().as_str());
        errors.push(FileError::new(source, on.span(), message).suggest(text, known));
        return Err(errors.into());
    };
    if let Some(at) = &hold.at {
        let message = "`at` says which site of a character a hold is, and this one is on a passive object";
        errors.push(FileError::new(source, at.span(), message).help("give its position with `along`"));
    }
    let point = match object.length() {
        Some(length) => point_along(name, hold, on, (object, length), source),
        None => point_of_part(name, hold, on, (object, models.get(index)), source),
    };
    match point {
        Ok(point) if errors.is_empty() => Ok((index, point)),
        Ok(_) => Err(errors.into()),
        Err(mistake) => {
            errors.extend(mistake);
            Err(errors.into())
        }
    }
}

/// The point of a chain at this distance from its first end.
fn point_along(
    name: &Spanned<String>,
    hold: &HoldSpec,
    on: &Spanned<String>,
    (object, length): (&PassiveSpec, f64),
    source: &Source,
) -> Result<RestingPoint, Option<FileError>> {
    let text = on.get_ref().as_str();
    let Some(along) = &hold.along else {
        let message = format!("the hold `{}` on `{text}` has no position", name.get_ref());
        let help = format!("say with `along` how far from its first end, from 0 to {length:.3} m");
        return Err(Some(FileError::new(source, on.span(), message).help(help)));
    };
    object.point_along(*along.get_ref()).ok_or_else(|| {
        let message =
            format!("`{text}` is {length:.3} m long: along must be from 0 to that, not {}", along.get_ref());
        Some(FileError::new(source, along.span(), message))
    })
}

/// The point on a part of an object; `models`: the bodies in the object's files.
///
/// # Errors
///
/// `None` for a mistake in the object, which is reported elsewhere.
fn point_of_part(
    name: &Spanned<String>,
    hold: &HoldSpec,
    on: &Spanned<String>,
    (object, models): (&PassiveSpec, Option<&Vec<Model>>),
    source: &Source,
) -> Result<RestingPoint, Option<FileError>> {
    let part = hold.part.as_ref().map(|part| part.get_ref().as_str());
    let local = hold.point.as_ref().map_or(Vector3::zeros(), |point| Vector3::from(*point.get_ref()));
    let models = models.map_or(&[][..], Vec::as_slice);
    match object.point_on(part, local, models, source) {
        Some(Ok(_)) if !local.iter().all(|part| extent::is_usable(*part)) => {
            let span = hold.point.as_ref().map_or(0..0, Spanned::span);
            Err(Some(FileError::new(source, span, "point must be finite, and at most 1e9")))
        }
        Some(Ok(point)) => Ok(point),
        Some(Err(NoPart::Broken)) => Err(None),
        Some(Err(NoPart::Unknown(known))) => Err(Some(unknown_part(name, hold, on, &known, source))),
        None => {
            let message =
                format!("`{}` is of kind `{}`, which hands cannot hold", on.get_ref(), object.kind());
            let help = "they can hold a `chain` and what is `articulated`";
            Err(Some(FileError::new(source, on.span(), message).help(help)))
        }
    }
}

/// The mistake of a hold whose object has no such part, or several parts.
fn unknown_part(
    name: &Spanned<String>,
    hold: &HoldSpec,
    on: &Spanned<String>,
    known: &[String],
    source: &Source,
) -> FileError {
    let text = on.get_ref();
    let (span, message) = match &hold.part {
        Some(part) => (part.span(), format!("`{text}` has no part `{}`", part.get_ref())),
        None => (on.span(), format!("the hold `{}` on `{text}` needs a `part`", name.get_ref())),
    };
    let wanted = hold.part.as_ref().map_or("part", |part| part.get_ref().as_str());
    FileError::new(source, span, message).suggest(wanted, known.iter().map(String::as_str))
}

/// The holds that are points of passive objects, in their order: the number of the object, and the position
/// on it.
///
/// # Errors
///
/// If a hold names no passive object, or no point on it.
pub(crate) fn carried(
    scene: &SceneSpec,
    source: &Source,
    models: &[Vec<Model>],
) -> Result<Vec<(usize, RestingPoint)>, FileErrors> {
    let points = scene.holds.iter().flat_map(|holds| &holds.get_ref().at);
    let is_character = |on: &Spanned<String>| scene.characters.contains_key(on.get_ref().as_str());
    let on_objects = points.filter(|(_, hold)| hold.on.as_ref().is_some_and(|on| !is_character(on)));
    on_objects.map(|(name, hold)| resting(name, hold, scene, source, models)).collect()
}

fn motion(
    field: &Option<VectorField>,
    source: &Source,
    errors: &mut Vec<FileError>,
) -> Option<aplomb_language::expression::VectorValue> {
    let bound = field.as_ref()?.bind(source, &OnlyTime);
    bound.map_err(|error| errors.push(error)).ok()
}

/// The wall's holds, row by row, the left one first.
fn wall(table: &Spanned<HoldsSpec>, source: &Source, errors: &mut Vec<FileError>) -> Vec<Hold> {
    let spec = table.get_ref();
    let lengths = [spec.lowest, spec.spacing, spec.width, spec.depth, spec.jitter[0], spec.jitter[1]];
    let numbers = [spec.position, spec.rotation, spec.normal].concat();
    let normal = Vector3::from(spec.normal);
    let wrong = if spec.rows > MOST_ROWS {
        Some(format!("a wall has at most {MOST_ROWS} rows of holds, not {}", spec.rows))
    } else if !lengths.iter().all(|length| length.is_finite() && *length >= 0.0) {
        Some("lowest, spacing, width, depth and jitter of a wall of holds must be 0 m or more".into())
    } else if !(numbers.iter().all(|number| number.is_finite()) && normal.norm() > 1e-9) {
        Some("position, rotation and normal of a wall of holds must be finite, the normal not 0".into())
    } else if !is_friction(spec.friction) {
        Some(format!("friction must be {RIGHT_FRICTION}, not {}", shown(spec.friction)))
    } else {
        None
    };
    let reach = Vector3::new(spec.depth, spec.lowest + spec.spacing * f64::from(spec.rows), spec.width);
    let wrong = wrong.or_else(|| {
        let farthest = Vector3::from(spec.position).norm() + reach.norm();
        extent::too_far([Vector3::new(farthest, 0.0, 0.0)])
            .map(|distance| too_far("a wall of holds", distance))
    });
    if let Some(message) = wrong {
        errors.push(FileError::new(source, table.span(), message));
        return Vec::new();
    }
    let [roll, pitch, yaw] = spec.rotation;
    let turn = UnitQuaternion::from_euler_angles(roll, pitch, yaw);
    let mut random = SplitMix(spec.seed);
    let mut holds = Vec::new();
    for row in 0..spec.rows {
        for (side, sign) in [("left", 1.0), ("right", -1.0)] {
            let sideways = random.uniform() * spec.jitter[0];
            let upward = random.uniform() * spec.jitter[1];
            let across = sign * (0.5 * spec.width + sideways);
            let up = spec.lowest + spec.spacing * f64::from(row) + upward;
            let position = Vector3::from(spec.position) + turn * Vector3::new(-spec.depth, across, up);
            let mut hold = Hold::new(&format!("{side}_{row}"), HoldShape::Point(position), None);
            (hold.normal, hold.friction) = (turn * normal.normalize(), spec.friction);
            holds.push(hold);
        }
    }
    holds
}

/// Names for expressions of time alone.
struct OnlyTime;

impl Names for OnlyTime {
    fn meaning(&self, name: &str) -> Option<Meaning> {
        (name == "time").then_some(Meaning::Time)
    }

    fn known(&self) -> Vec<String> {
        vec!["time".into()]
    }
}

/// SplitMix64 (Steele, Lea and Flood 2014, Fast splittable pseudorandom number generators): the same walls on
/// every machine.
struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number from −1 to 1.
    fn uniform(&mut self) -> f64 {
        2.0 * ((self.next() >> 11) as f64 / (1u64 << 53) as f64) - 1.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generator_is_the_published_one() {
        // First numbers of the reference implementation for seed 1234567.
        let mut random = SplitMix(1_234_567);
        assert_eq!(random.next(), 6_457_827_717_110_365_317);
        assert_eq!(random.next(), 3_203_168_211_198_807_973);
    }
}
