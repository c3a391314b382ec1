//! How a character stands when a run begins: its rest pose with the scene's joint values, set on the ground, then
//! with the parts the scene names where it says.

mod reach;

use crate::contact::grip::{Grips, Hold};
use crate::contact::{Contacts, Surface};
use crate::controller::quantity::{Measure, ModelNames, WorldNames};
use crate::language::Spanned;
use crate::language::diagnostic::FileError;
use crate::language::expression::{Value, VectorField};
use crate::math::rotation;
use crate::model::scales::Scales;
use crate::model::state::{self, State};
use crate::model::{BodyId, Model, set_pose};
use crate::scene::{CharacterSpec, SceneFiles};
use crate::snapshot::Snapshot;
use nalgebra::{UnitQuaternion, Vector3};
use reach::{Reached, Stop, Target, reach};
use std::ops::Range;

/// The state a run begins in, or everything that is wrong with what the scene says of it.
pub fn state(
    files: &SceneFiles,
    model: &Model,
    surfaces: Vec<Surface>,
    holds: &[Hold],
) -> Result<State, Vec<FileError>> {
    let mut errors = Vec::new();
    let Some(spec) = files.character_spec() else { return Ok(State::at_rest(model, Vec::new())) };
    let stood = posed(files, spec, model, &mut errors);
    if !errors.is_empty() {
        return Err(errors);
    }
    if spec.reach.is_empty() && spec.orientation.is_empty() {
        return Ok(stood);
    }
    // Inverse kinematics is a frame a second long in which nothing has a weight.
    let scales = Scales::new(model, 1.0);
    let contacts = Contacts::new(model, surfaces, scales.length());
    let velocity = stood.v.clone();
    let mut snapshot =
        Snapshot::new(model, scales, Vector3::zeros(), contacts, State::at_rest(model, stood.q));
    snapshot.grips = Grips::new(model, holds.to_vec(), snapshot.grips.limits);
    snapshot.update(model);
    let wishes = wishes(files, spec, model, &snapshot)?;
    let q = reached(files, model, &mut snapshot, &wishes).map_err(|error| vec![error])?;
    Ok(State { q, v: velocity, time: 0.0 })
}

/// The rest pose with the scene's joint values, turned, moved and set on the ground.
fn posed(files: &SceneFiles, spec: &CharacterSpec, model: &Model, errors: &mut Vec<FileError>) -> State {
    let source = &files.scene_source;
    let mut q = model.rest_configuration();
    set_pose(model, &spec.pose, source, &mut q, errors);
    let mut velocity = vec![0.0; model.nv];
    if model.is_floating() {
        let [x, y] = *spec.position.get_ref();
        let turn = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), *spec.heading.get_ref());
        let place = turn * Vector3::new(q[0], q[1], q[2]);
        q[..3].copy_from_slice(&[place.x + x, place.y + y, place.z]);
        let r = turn * state::rotation(&q[3..7]);
        q[3..7].copy_from_slice(&[r.w, r.i, r.j, r.k]);
        let lowest = model.lowest_point(&model.body_poses(&q));
        let height = spec.height.as_ref().map_or(0.0, |height| *height.get_ref());
        q[2] += files.scene.ground.height.get_ref() + height - lowest;
        if let Some(given) = &spec.velocity {
            velocity[..3].copy_from_slice(given.get_ref());
        }
    }
    State { q, v: velocity, time: 0.0 }
}

/// A target of the scene, and where it stands in the file.
struct Wish {
    name: String,
    span: Range<usize>,
    target: Target,
}

/// What the scene asks for beyond the pose, then what keeps standing.
struct Wishes {
    asked: Vec<Wish>,
    /// Bodies that stand on something and that no target moves: they stay as they are.
    standing: Vec<BodyId>,
}

fn wishes(
    files: &SceneFiles,
    spec: &CharacterSpec,
    model: &Model,
    snapshot: &Snapshot,
) -> Result<Wishes, Vec<FileError>> {
    let (mut asked, mut errors) = (Vec::new(), Vec::new());
    let points = spec.reach.iter().map(|(name, to)| (name, point(files, model, snapshot, name, to)));
    let turns = spec.orientation.iter().map(|(name, to)| (name, turn(files, model, snapshot, name, to)));
    for (name, target) in points.chain(turns) {
        match target {
            Ok((target, span)) => asked.push(Wish { name: name.get_ref().clone(), span, target }),
            Err(error) => errors.push(error),
        }
    }
    let standing = standing(model, snapshot, &asked);
    if errors.is_empty() { Ok(Wishes { asked, standing }) } else { Err(errors) }
}

fn point(
    files: &SceneFiles,
    model: &Model,
    snapshot: &Snapshot,
    name: &Spanned<String>,
    to: &VectorField,
) -> Result<(Target, Range<usize>), FileError> {
    let to_point = vector(files, model, snapshot, to)?;
    let word = name.get_ref().as_str();
    let place = model.body(word).map(Value::Body).or_else(|| model.site(word).map(Value::Site));
    let target = match place.and_then(|place| snapshot.place(model, place)) {
        Some((body, local)) => Target::Point { body, local, to: to_point },
        None if place.is_some() => {
            let message = format!("`{word}` is fixed to the world");
            return Err(FileError::new(&files.scene_source, name.span(), message));
        }
        None if word == "com" => Target::Com { to: to_point },
        None => {
            let sites = model.sites.iter().map(|site| site.name.as_str());
            let known = model.bodies.iter().map(|body| body.name.as_str()).chain(sites).chain(["com"]);
            let message = format!("there is no body or site `{word}`");
            return Err(FileError::new(&files.scene_source, name.span(), message).suggest(word, known));
        }
    };
    Ok((target, to.span()))
}

fn turn(
    files: &SceneFiles,
    model: &Model,
    snapshot: &Snapshot,
    name: &Spanned<String>,
    to: &VectorField,
) -> Result<(Target, Range<usize>), FileError> {
    let angles = vector(files, model, snapshot, to)?;
    let word = name.get_ref().as_str();
    let body = model.body(word).ok_or_else(|| {
        let known = model.bodies.iter().map(|body| body.name.as_str());
        let message = format!("there is no body `{word}`");
        FileError::new(&files.scene_source, name.span(), message).suggest(word, known)
    })?;
    Ok((Target::Turn { body, to: rotation::from_roll_pitch_yaw(&angles) }, to.span()))
}

/// The value of an expression as the character stands before anything is reached for.
fn vector(
    files: &SceneFiles,
    model: &Model,
    snapshot: &Snapshot,
    field: &VectorField,
) -> Result<Vector3<f64>, FileError> {
    let names = WorldNames { model: ModelNames(model), holds: &snapshot.grips.holds, things: Vec::new() };
    let value = field.bind(&files.scene_source, &names)?.value(&Measure { model, snapshot });
    if value.iter().all(|part| part.is_finite()) {
        return Ok(value);
    }
    let message = format!("this is [{}, {}, {}] at the start", value.x, value.y, value.z);
    Err(FileError::new(&files.scene_source, field.span(), message).label("not a point"))
}

/// The bodies nearest to the root that touch something, without those that a target moves by a point or the
/// orientation of theirs or of what hangs below them.
fn standing(model: &Model, snapshot: &Snapshot, asked: &[Wish]) -> Vec<BodyId> {
    let touching = |body: BodyId| snapshot.contacts.touches.iter().any(|t| t.bears() && t.body == body);
    let moved = |body: BodyId| {
        asked.iter().any(|wish| match wish.target {
            Target::Point { body: part, .. } | Target::Turn { body: part, .. } => model.is_within(part, body),
            Target::Com { .. } => false,
        })
    };
    let mut standing: Vec<BodyId> = Vec::new();
    for body in (0..model.bodies.len()).map(BodyId).filter(|&body| touching(body)) {
        if !standing.iter().any(|&above| model.is_within(body, above)) {
            standing.push(body);
        }
    }
    standing.retain(|&body| !moved(body));
    standing
}

/// The configuration that meets the wishes, or the mistake that says which is missed and what stops it.
fn reached(
    files: &SceneFiles,
    model: &Model,
    snapshot: &mut Snapshot,
    wishes: &Wishes,
) -> Result<Vec<f64>, FileError> {
    let mut targets: Vec<Target> = wishes.asked.iter().map(|wish| wish.target).collect();
    for &body in &wishes.standing {
        let (to, turned) = (snapshot.kinematics.position[body.0], snapshot.kinematics.rotation[body.0]);
        targets.push(Target::Point { body, local: Vector3::zeros(), to });
        targets.push(Target::Turn { body, to: turned });
    }
    let inside =
        snapshot.contacts.touches.iter().find(|touch| touch.gap < -reach::MET).map(|touch| touch.surface);
    let found = reach(model, snapshot, &targets);
    if found.is_met(&targets) {
        return Ok(found.q);
    }
    let mut error = refusal(files, model, snapshot, wishes, &found, &targets);
    if let (Some(index), Some(help)) = (inside, &mut error.help) {
        let name = &snapshot.contacts.surfaces[index].name;
        *help += &format!("\nthe pose before is inside `{name}`: `position` or `height` may free it");
    }
    Err(error)
}

fn refusal(
    files: &SceneFiles,
    model: &Model,
    snapshot: &Snapshot,
    wishes: &Wishes,
    found: &Reached,
    targets: &[Target],
) -> FileError {
    let missed = |k: usize| {
        let (name, miss) = (&wishes.asked[k].name, found.misses[k]);
        match targets[k] {
            Target::Turn { .. } => format!("the orientation of `{name}` by {miss:.2} rad"),
            _ => format!("`{name}` by {:.0} mm", 1e3 * miss),
        }
    };
    let surface = |index: usize| &*snapshot.contacts.surfaces[index].name;
    let asked = wishes.asked.len();
    let worst = found.worst(targets, asked);
    let mut helps = Vec::new();
    let stops: Vec<String> = found
        .stops
        .iter()
        .take(MOST_NAMED)
        .map(|stop| match *stop {
            Stop::Joint { coordinate, limit } => format!("`{}` at {limit}", model.dof_names[coordinate]),
            Stop::Surface { body, surface: index } => {
                format!("`{}` on `{}`", model.bodies[body.0].name, surface(index))
            }
        })
        .collect();
    helps.push(match stops.is_empty() {
        true => "no joint limit stops it: the targets are farther apart than the body is long".to_string(),
        false => format!("stopped by {}", stops.join(", ")),
    });
    let others: Vec<String> =
        (0..asked).filter(|&k| Some(k) != worst && found.is_missed(targets, k)).map(missed).collect();
    if !others.is_empty() {
        helps.push(format!("missed too: {}", others.join(", ")));
    }
    if !wishes.standing.is_empty() {
        let names: Vec<String> =
            wishes.standing.iter().map(|body| format!("`{}`", model.bodies[body.0].name)).collect();
        helps.push(format!("kept standing: {}", names.join(", ")));
    }
    let error = match (worst, found.inside) {
        (Some(k), _) => {
            let message = format!("the start pose misses {}", missed(k));
            FileError::new(&files.scene_source, wishes.asked[k].span.clone(), message).label("out of reach")
        }
        (None, Some((body, index))) if found.depth > reach::MET => {
            let (name, depth) = (&model.bodies[body.0].name, 1e3 * found.depth);
            let message = format!("the start pose leaves `{name}` {depth:.0} mm inside `{}`", surface(index));
            FileError::new(&files.scene_source, wishes.asked[0].span.clone(), message)
        }
        (None, _) => {
            let message = "the start pose meets its targets only if its feet leave the ground";
            FileError::new(&files.scene_source, wishes.asked[0].span.clone(), message)
        }
    };
    error.help(helps.join("\n"))
}

/// Most limits that a message names.
const MOST_NAMED: usize = 4;
