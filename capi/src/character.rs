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

/// Sizes of a character: lengths of its configuration q (`nq`) and velocity v (`nv`), and its number of bodies. A NULL
/// pointer is skipped.
///
/// # Safety
/// `of` is a world; the other pointers are NULL or valid.
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

/// Index of the body with this name, as in aplomb_character_poses().
///
/// # Safety
/// `of` is a world; `body` is a string; `index` is a valid pointer.
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

/// Copies the name of the body with this index as a NUL-terminated string into `name`, a buffer of `capacity` bytes.
///
/// # Safety
/// `of` is a world; `name` is a buffer of `capacity` bytes.
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

/// Outcome of a frame.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AplombOutcome {
    /// The QP was solved.
    Solved = 0,
    /// The QP was solved after some of its rows had been relaxed.
    Relaxed = 1,
    /// The QP has no solution.
    Failed = 2,
    /// No QP was solved: the body was a ragdoll.
    Limp = 3,
}

/// Outcome of the last frame.
///
/// # Safety
/// `of` is a world; `outcome` is a valid pointer.
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

/// Copies the name of the current state of the controller as a NUL-terminated string into `name`, a buffer of
/// `capacity` bytes.
///
/// # Safety
/// `of` is a world; `name` is a buffer of `capacity` bytes.
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

/// Cost of each objective in the last frame, in the order of aplomb_character_objective_name(); 0 for an objective that
/// was not active. There are none before the first frame. `capacity` is the length of `costs`; the number of objectives
/// is written to `count` unless that is NULL. With `costs` NULL and `capacity` 0 it only returns that number.
///
/// # Safety
/// `of` is a world; `costs` is NULL or an array of length `capacity`; `count` is NULL or a valid pointer.
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

/// Copies the name of the objective with this index in aplomb_character_costs() as a NUL-terminated string into `name`,
/// a buffer of `capacity` bytes.
///
/// # Safety
/// `of` is a world; `name` is a buffer of `capacity` bytes.
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

/// Poses of the body frames in world axes: x, y, z (m) and the quaternion w, qx, qy, qz for each body, in the order of
/// the model. `capacity` is the length of `poses`, 7 numbers per body.
///
/// # Safety
/// `of` is a world; `poses` is an array of length `capacity`.
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
/// `of` is a world; `out` is an array of length `capacity`.
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

/// Configuration q: nq numbers, m and rad; a floating root has x, y, z and a quaternion.
///
/// # Safety
/// `of` is a world; `q` is an array of length `capacity`.
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
/// `of` is a world; `v` is an array of length `capacity`.
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

/// Joint torques of the last frame: nv numbers, N m and N; zeros for a floating root. There are none before the first
/// frame: then nothing is copied, and `capacity` does not matter.
///
/// # Safety
/// `of` is a world; `torque` is an array of length `capacity`.
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
/// `of` is a world; `com` is an array of 3 numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aplomb_character_com(
    of: *mut AplombWorld,
    number: usize,
    com: *mut f64,
) -> AplombStatus {
    // SAFETY: as asked of the caller.
    unsafe { copy(of, number, com, 3, |character| character.snapshot.com.as_slice()) }
}

/// Sets configuration and velocity at once. Contacts and contact forces start anew; the controller keeps its state.
///
/// # Safety
/// `of` is a world; `q` has `nq` and `v` has `nv` numbers.
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

/// Applies a force (N) at the centre of mass of a body and a torque (N m), both in world axes, from the next frame on
/// for `duration` seconds (at least one frame). Either may be NULL.
///
/// # Safety
/// `of` is a world; `body` is a string; `force` and `torque` are NULL or arrays of 3 numbers.
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

/// Sets a parameter of the controller from the next frame on. Takes as long as a few frames, because the controller is
/// bound again.
///
/// # Safety
/// `of` is a world; `name` is a string.
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
/// `of` is a world; `name` is a string; `value` is a valid pointer.
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

/// Sets a command of the controller (`[commands]` in its file) from the next frame on: 1 number, or 3 for a vector. A
/// value outside the range of the command is clamped.
///
/// # Safety
/// `of` is a world; `name` is a string; `values` is an array of `count` numbers.
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

/// Sets any value of the controller, addressed by its path of keys; `value` is written in TOML.
///
/// # Safety
/// `of` is a world; `path` and `value` are strings.
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
