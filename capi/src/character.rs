//! Characters.

use crate::border::{fill, numbers, place, say, text, triple};
use crate::status::{AplombStatus, Failure, guard};
use crate::world::{AplombWorld, world};
use aplomb::controller::CommandValue;
use aplomb::trace::Outcome;
use aplomb::world::character::Character;
use aplomb::world::{CharacterId, Wrench};
use std::ffi::c_char;

/// # Safety
/// As [`world`].
unsafe fn character<'a>(
    of: *mut AplombWorld,
    number: usize,
) -> Result<(&'a mut AplombWorld, CharacterId), Failure> {
    // SAFETY: as asked of the caller.
    let world = unsafe { world(of)? };
    let id = world.character(number)?;
    Ok((world, id))
}

/// Sizes of a character: numbers of its configuration q and velocity v, and bodies. What is NULL is left out.
///
/// # Safety
/// `of` is a world; the others are NULL or places.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aplomb_character_sizes(
    of: *mut AplombWorld,
    number: usize,
    nq: *mut usize,
    nv: *mut usize,
    bodies: *mut usize,
) -> AplombStatus {
    guard(|| {
        // SAFETY: as asked of the caller.
        let (world, id) = unsafe { character(of, number)? };
        let model = &world.run.world.character(id).model;
        for (size, place) in [(model.nq, nq), (model.nv, nv), (model.bodies.len(), bodies)] {
            // SAFETY: as asked of the caller.
            if let Some(place) = unsafe { place.as_mut() } {
                *place = size;
            }
        }
        Ok(())
    })
}

/// Number of the body of that name, among the rows of aplomb_character_poses().
///
/// # Safety
/// `of` is a world; `body` is a text; `index` is a place.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aplomb_character_body(
    of: *mut AplombWorld,
    number: usize,
    body: *const c_char,
    index: *mut usize,
) -> AplombStatus {
    guard(|| {
        // SAFETY: as asked of the caller.
        let ((world, id), body, index) =
            unsafe { (character(of, number)?, text("body", body)?, place("index", index)?) };
        let model = &world.run.world.character(id).model;
        let found = model.body(body).ok_or_else(|| Failure::value(format!("there is no body `{body}`")))?;
        *index = found.0;
        Ok(())
    })
}

/// Name of a body by its number, copied with its end into `name`, which has room for `capacity` bytes.
///
/// # Safety
/// `of` is a world; `name` has that room.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aplomb_character_body_name(
    of: *mut AplombWorld,
    number: usize,
    body: usize,
    name: *mut c_char,
    capacity: usize,
) -> AplombStatus {
    guard(|| {
        // SAFETY: as asked of the caller.
        let (world, id) = unsafe { character(of, number)? };
        let bodies = &world.run.world.character(id).model.bodies;
        let body =
            bodies.get(body).ok_or_else(|| Failure::value(format!("there are {} bodies", bodies.len())))?;
        // SAFETY: as asked of the caller.
        unsafe { say(&body.name, name, capacity) }
    })
}

/// How a frame ended.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AplombOutcome {
    /// Its QP was solved.
    Solved = 0,
    /// Solved after rows gave way.
    Relaxed = 1,
    /// There is no solution.
    Failed = 2,
    /// No problem was solved: the body was a ragdoll.
    Limp = 3,
}

/// How the last frame ended.
///
/// # Safety
/// `of` is a world; `outcome` is a place.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aplomb_character_outcome(
    of: *mut AplombWorld,
    number: usize,
    outcome: *mut AplombOutcome,
) -> AplombStatus {
    guard(|| {
        // SAFETY: as asked of the caller.
        let ((world, id), outcome) = unsafe { (character(of, number)?, place("outcome", outcome)?) };
        *outcome = match world.run.world.result(id).frame.outcome {
            Outcome::Solved => AplombOutcome::Solved,
            Outcome::Relaxed { .. } => AplombOutcome::Relaxed,
            Outcome::Failed { .. } => AplombOutcome::Failed,
            Outcome::Limp => AplombOutcome::Limp,
        };
        Ok(())
    })
}

/// State that its controller is in, copied with its end into `name`, which has room for `capacity` bytes.
///
/// # Safety
/// `of` is a world; `name` has that room.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aplomb_character_state(
    of: *mut AplombWorld,
    number: usize,
    name: *mut c_char,
    capacity: usize,
) -> AplombStatus {
    guard(|| {
        // SAFETY: as asked of the caller.
        let (world, id) = unsafe { character(of, number)? };
        let state = world.run.world.character(id).machine.state_name();
        // SAFETY: as asked of the caller.
        unsafe { say(state, name, capacity) }
    })
}

/// What each objective cost in the last frame, in the order of aplomb_character_objective_name(); 0 where it was not in force.
/// `capacity` is the room of `costs`; how many there are comes into `count`, if that is not NULL. With NULL and no room only
/// they are counted. None before the first frame.
///
/// # Safety
/// `of` is a world; `costs` is NULL or has that room; `count` is NULL or a place.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aplomb_character_costs(
    of: *mut AplombWorld,
    number: usize,
    costs: *mut f64,
    capacity: usize,
    count: *mut usize,
) -> AplombStatus {
    guard(|| {
        // SAFETY: as asked of the caller.
        let (world, id) = unsafe { character(of, number)? };
        // SAFETY: as asked of the caller.
        unsafe { fill(&world.run.world.result(id).frame.costs, costs, capacity, count) }
    })
}

/// Name of an objective by its number among aplomb_character_costs(), copied with its end into `name`, which has room for
/// `capacity` bytes.
///
/// # Safety
/// `of` is a world; `name` has that room.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aplomb_character_objective_name(
    of: *mut AplombWorld,
    number: usize,
    objective: usize,
    name: *mut c_char,
    capacity: usize,
) -> AplombStatus {
    guard(|| {
        // SAFETY: as asked of the caller.
        let (world, id) = unsafe { character(of, number)? };
        let objectives = &world.run.world.character(id).objectives;
        let found = objectives
            .get(objective)
            .ok_or_else(|| Failure::value(format!("there are {} objectives", objectives.len())))?;
        // SAFETY: as asked of the caller.
        unsafe { say(found, name, capacity) }
    })
}

/// Where the frames of its bodies are: x, y, z, w, qx, qy, qz each, in the order of the model, m. `capacity` is the room of
/// `poses` in numbers, seven a body.
///
/// # Safety
/// `of` is a world; `poses` has that room.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aplomb_character_poses(
    of: *mut AplombWorld,
    number: usize,
    poses: *mut f64,
    capacity: usize,
) -> AplombStatus {
    guard(|| {
        // SAFETY: as asked of the caller.
        let (world, id) = unsafe { character(of, number)? };
        let mut bodies = Vec::new();
        world.run.world.body_poses(id, &mut bodies);
        let row = |pose: &aplomb::contact::Pose| {
            let ([x, y, z], turn): ([f64; 3], _) = (pose.position.into(), pose.orientation);
            [x, y, z, turn.w, turn.i, turn.j, turn.k]
        };
        let numbers: Vec<f64> = bodies.iter().flat_map(row).collect();
        // SAFETY: as asked of the caller.
        unsafe { fill(&numbers, poses, capacity, std::ptr::null_mut()) }
    })
}

/// # Safety
/// `of` is a world; `out` has room for `capacity` numbers.
unsafe fn copy(
    of: *mut AplombWorld,
    number: usize,
    out: *mut f64,
    capacity: usize,
    read: impl FnOnce(&Character) -> &[f64],
) -> AplombStatus {
    guard(|| {
        // SAFETY: as asked of the caller.
        let (world, id) = unsafe { character(of, number)? };
        world.run.world.observe();
        // SAFETY: as asked of the caller.
        unsafe { fill(read(world.run.world.character(id)), out, capacity, std::ptr::null_mut()) }
    })
}

/// Configuration q: nq numbers, m and rad; of a floating root x, y, z and a quaternion.
///
/// # Safety
/// `of` is a world; `q` has room for `capacity` numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aplomb_character_q(
    of: *mut AplombWorld,
    number: usize,
    q: *mut f64,
    capacity: usize,
) -> AplombStatus {
    // SAFETY: as asked of the caller.
    unsafe { copy(of, number, q, capacity, |character| &character.snapshot.state.q) }
}

/// Velocity v: nv numbers, m/s and rad/s.
///
/// # Safety
/// `of` is a world; `v` has room for `capacity` numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aplomb_character_v(
    of: *mut AplombWorld,
    number: usize,
    v: *mut f64,
    capacity: usize,
) -> AplombStatus {
    // SAFETY: as asked of the caller.
    unsafe { copy(of, number, v, capacity, |character| &character.snapshot.state.v) }
}

/// Joint torques of the last frame: nv numbers, N m and N; of a floating root zeros. None before the first frame, which is an
/// error of size for nobody.
///
/// # Safety
/// `of` is a world; `torque` has room for `capacity` numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aplomb_character_torque(
    of: *mut AplombWorld,
    number: usize,
    torque: *mut f64,
    capacity: usize,
) -> AplombStatus {
    // SAFETY: as asked of the caller.
    unsafe { copy(of, number, torque, capacity, |character| &character.snapshot.last_torque) }
}

/// Centre of mass: 3 numbers, m.
///
/// # Safety
/// `of` is a world; `com` has room for 3 numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aplomb_character_com(
    of: *mut AplombWorld,
    number: usize,
    com: *mut f64,
) -> AplombStatus {
    // SAFETY: as asked of the caller.
    unsafe { copy(of, number, com, 3, |character| character.snapshot.com.as_slice()) }
}

/// Puts a character into a state at once: contacts and forces begin anew, the controller keeps its state.
///
/// # Safety
/// `of` is a world; `q` and `v` have so many numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aplomb_character_set_state(
    of: *mut AplombWorld,
    number: usize,
    q: *const f64,
    nq: usize,
    v: *const f64,
    nv: usize,
) -> AplombStatus {
    guard(|| {
        // SAFETY: as asked of the caller.
        let ((world, id), q, v) =
            unsafe { (character(of, number)?, numbers("q", q, nq)?, numbers("v", v, nv)?) };
        Ok(world.run.world.teleport(id, q, v)?)
    })
}

/// Pushes a body from the next frame on for `duration` seconds (at least a frame): a force at its centre of mass, N, and a
/// torque, N m, in world axes; either may be NULL.
///
/// # Safety
/// `of` is a world; `body` is a text; `force` and `torque` are NULL or 3 numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aplomb_character_push(
    of: *mut AplombWorld,
    number: usize,
    body: *const c_char,
    force: *const f64,
    torque: *const f64,
    duration: f64,
) -> AplombStatus {
    guard(|| {
        // SAFETY: as asked of the caller.
        let ((world, id), body, force, torque) =
            unsafe { (character(of, number)?, text("body", body)?, triple(force), triple(torque)) };
        let wrench = Wrench {
            force: force.unwrap_or_default().into(),
            torque: torque.unwrap_or_default().into(),
            ..Wrench::default()
        };
        Ok(world.run.world.push(id, body, wrench, duration)?)
    })
}

/// Gives a parameter of the controller another value, from the next frame on. Takes about as long as a few frames.
///
/// # Safety
/// `of` is a world; `name` is a text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aplomb_character_set_parameter(
    of: *mut AplombWorld,
    number: usize,
    name: *const c_char,
    value: f64,
) -> AplombStatus {
    guard(|| {
        // SAFETY: as asked of the caller.
        let ((world, id), name) = unsafe { (character(of, number)?, text("name", name)?) };
        Ok(world.run.world.set_parameter(id, name, value)?)
    })
}

/// Value of a parameter of the controller.
///
/// # Safety
/// `of` is a world; `name` is a text; `value` is a place.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aplomb_character_parameter(
    of: *mut AplombWorld,
    number: usize,
    name: *const c_char,
    value: *mut f64,
) -> AplombStatus {
    guard(|| {
        // SAFETY: as asked of the caller.
        let ((world, id), name, value) =
            unsafe { (character(of, number)?, text("name", name)?, place("value", value)?) };
        let parameters = &world.run.world.character(id).controller.spec.parameters;
        let known = parameters.get(name).ok_or_else(|| {
            let names: Vec<&str> = parameters.keys().map(|name| name.get_ref().as_str()).collect();
            Failure::value(format!("there is no parameter `{name}`; known: {}", names.join(", ")))
        })?;
        *value = *known.get_ref();
        Ok(())
    })
}

/// Sets a command of the controller (`[commands]` in its file) from the next frame on: 1 number, or 3 of a vector. Beyond its
/// range the nearest end is taken.
///
/// # Safety
/// `of` is a world; `name` is a text; `values` are `count` numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aplomb_character_command(
    of: *mut AplombWorld,
    number: usize,
    name: *const c_char,
    values: *const f64,
    count: usize,
) -> AplombStatus {
    guard(|| {
        // SAFETY: as asked of the caller.
        let ((world, id), name) = unsafe { (character(of, number)?, text("name", name)?) };
        if values.is_null() {
            return Err(Failure::value("`values` is NULL"));
        }
        // SAFETY: as asked of the caller.
        let value: CommandValue = match unsafe { std::slice::from_raw_parts(values, count) } {
            [number] => (*number).into(),
            [x, y, z] => [*x, *y, *z].into(),
            _ => return Err(Failure::value(format!("a command is 1 number or 3, not {count}"))),
        };
        Ok(world.run.world.command(id, name, value)?)
    })
}

/// Gives any value of the controller another one by its path of keys; `value` is in TOML.
///
/// # Safety
/// `of` is a world; `path` and `value` are texts.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aplomb_character_set_value(
    of: *mut AplombWorld,
    number: usize,
    path: *const c_char,
    value: *const c_char,
) -> AplombStatus {
    guard(|| {
        // SAFETY: as asked of the caller.
        let ((world, id), path, value) =
            unsafe { (character(of, number)?, text("path", path)?, text("value", value)?) };
        Ok(world.run.world.set_value(id, path, value)?)
    })
}
