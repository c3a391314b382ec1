//! Many worlds of a scene, stepped side by side.

use crate::border::{fill, numbers, place, say, text, triple};
use crate::status::{AplombStatus, Failure, guard};
use aplomb::scene::{self, WorldOutcome, Worlds, WorldsError};
use aplomb::world::Wrench;
use std::ffi::c_char;

/// Many worlds of one scene. Arrays have one row per world, of the first character in the scene.
pub struct AplombWorlds {
    worlds: Worlds,
}

/// Progress of one of many worlds.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AplombWorldOutcome {
    /// It has frames left.
    Running = 0,
    /// All frames of its scene are computed, and no `always` criterion was violated.
    Finished = 1,
    /// An `always` criterion was violated.
    Violated = 2,
    /// Its next frame cannot be computed; it stays in this state until it is reset.
    Failed = 3,
}

impl From<WorldsError> for Failure {
    fn from(error: WorldsError) -> Self {
        match error {
            WorldsError::File { error, .. } => error.into(),
            error => Failure::value(error.to_string()),
        }
    }
}

/// # Safety
/// NULL, or worlds of this library that nobody else uses during the call.
unsafe fn worlds<'a>(worlds: *mut AplombWorlds) -> Result<&'a mut Worlds, Failure> {
    // SAFETY: as asked of the caller.
    Ok(&mut unsafe { place("worlds", worlds)? }.worlds)
}

/// Opens `count` worlds of a scene, by path or by the name of a shipped one. Free them with aplomb_worlds_free().
///
/// # Safety
/// `scene` is a string; `out` is a valid pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aplomb_worlds_open(
    scene: *const c_char,
    count: usize,
    out: *mut *mut AplombWorlds,
) -> AplombStatus {
    guard(|| {
        // SAFETY: as asked of the caller.
        let (reference, out) = unsafe { (text("scene", scene)?, place("out", out)?) };
        *out = std::ptr::null_mut();
        let worlds = Worlds::new(&scene::load(reference, &[])?, count)?;
        *out = Box::into_raw(Box::new(AplombWorlds { worlds }));
        Ok(())
    })
}

/// Frees worlds; NULL is ignored.
///
/// # Safety
/// NULL, or worlds of this library that are not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aplomb_worlds_free(worlds: *mut AplombWorlds) {
    guard(|| {
        if !worlds.is_null() {
            // SAFETY: as asked of the caller.
            drop(unsafe { Box::from_raw(worlds) });
        }
        Ok(())
    });
}

/// Number of worlds, and row lengths of aplomb_worlds_q() and aplomb_worlds_v(). A NULL pointer is skipped.
///
/// # Safety
/// `of` is worlds; the other pointers are NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aplomb_worlds_sizes(
    of: *mut AplombWorlds,
    count: *mut usize,
    nq: *mut usize,
    nv: *mut usize,
) -> AplombStatus {
    guard(|| {
        // SAFETY: as asked of the caller.
        let worlds = unsafe { worlds(of)? };
        for (size, place) in [(worlds.len(), count), (worlds.nq(), nq), (worlds.nv(), nv)] {
            // SAFETY: as asked of the caller.
            if let Some(place) = unsafe { place.as_mut() } {
                *place = size;
            }
        }
        Ok(())
    })
}

/// Computes at most `frames` frames of each running world on `threads` threads: 0 means one per core, 1 the thread of
/// the caller. Results do not depend on the number of threads. A world that ends or fails is not an error and does not
/// stop the others: see aplomb_worlds_outcome(). The number of worlds with frames left is written to `running` unless
/// that is NULL.
///
/// # Safety
/// `of` is worlds; `running` is NULL or a valid pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aplomb_worlds_step(
    of: *mut AplombWorlds,
    frames: u64,
    threads: usize,
    running: *mut usize,
) -> AplombStatus {
    guard(|| {
        // SAFETY: as asked of the caller.
        let left = unsafe { worlds(of)? }.step_frames(frames, threads)?;
        // SAFETY: as asked of the caller.
        if let Some(running) = unsafe { running.as_mut() } {
            *running = left;
        }
        Ok(())
    })
}

/// Progress of the world with this index. For a failed one the reason is copied as a NUL-terminated string into
/// `reason`, a buffer of `capacity` bytes or NULL; for others the string is empty.
///
/// # Safety
/// `of` is worlds; `outcome` is a valid pointer; `reason` is NULL or a buffer of `capacity` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aplomb_worlds_outcome(
    of: *mut AplombWorlds,
    world: usize,
    outcome: *mut AplombWorldOutcome,
    reason: *mut c_char,
    capacity: usize,
) -> AplombStatus {
    guard(|| {
        // SAFETY: as asked of the caller.
        let (worlds, place) = unsafe { (worlds(of)?, place("outcome", outcome)?) };
        let count = worlds.len();
        let found = worlds.outcome(world).ok_or(WorldsError::NoWorld { world, count })?;
        let mut why = String::new();
        *place = match found {
            WorldOutcome::Running => AplombWorldOutcome::Running,
            WorldOutcome::Finished => AplombWorldOutcome::Finished,
            WorldOutcome::Violated { .. } => AplombWorldOutcome::Violated,
            WorldOutcome::Failed(error) => {
                why = error.to_string();
                AplombWorldOutcome::Failed
            }
        };
        if reason.is_null() {
            return Ok(());
        }
        // SAFETY: as asked of the caller.
        unsafe { say(&why, reason, capacity) }
    })
}

/// Resets the world with this index to its initial state and undoes everything that was set in it.
///
/// # Safety
/// `of` is worlds.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aplomb_worlds_reset(of: *mut AplombWorlds, world: usize) -> AplombStatus {
    // SAFETY: as asked of the caller.
    guard(|| Ok(unsafe { worlds(of)? }.reset(world)?))
}

/// Applies a force (N, world axes) at the centre of mass of a body of the first character in the world with this index,
/// from now on for `duration` seconds.
///
/// # Safety
/// `of` is worlds; `body` is a string; `force` is an array of 3 numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aplomb_worlds_push(
    of: *mut AplombWorlds,
    world: usize,
    body: *const c_char,
    force: *const f64,
    duration: f64,
) -> AplombStatus {
    guard(|| {
        // SAFETY: as asked of the caller.
        let (worlds, body, force) = unsafe { (worlds(of)?, text("body", body)?, triple(force)) };
        let force = force.ok_or_else(|| Failure::argument("force is NULL"))?;
        let count = worlds.len();
        let run = worlds.get_mut(world).ok_or(WorldsError::NoWorld { world, count })?;
        let hero = run.hero().ok_or_else(|| Failure::value("this scene has no character"))?;
        Ok(run.world.push(hero, body, Wrench::force(force), duration)?)
    })
}

/// Sets a parameter of the controller to a different value in each world: `count` values, one per world.
///
/// # Safety
/// `of` is worlds; `name` is a string; `values` is an array of `count` numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aplomb_worlds_set_parameter(
    of: *mut AplombWorlds,
    name: *const c_char,
    values: *const f64,
    count: usize,
) -> AplombStatus {
    guard(|| {
        // SAFETY: as asked of the caller.
        let (worlds, name, values) =
            unsafe { (worlds(of)?, text("name", name)?, numbers("values", values, count)?) };
        Ok(worlds.set_parameter(name, values)?)
    })
}

/// # Safety
/// `of` is worlds; `out` is an array of length `capacity`.
unsafe fn copy(
    of: *mut AplombWorlds,
    out: *mut f64,
    capacity: usize,
    read: impl FnOnce(&Worlds) -> &[f64],
) -> AplombStatus {
    guard(|| {
        // SAFETY: as asked of the caller.
        unsafe { fill(read(worlds(of)?), out, capacity, std::ptr::null_mut()) }
    })
}

/// Configurations after the last step or reset: one row of nq numbers per world, m and rad; a floating root has x, y, z
/// and a quaternion.
///
/// # Safety
/// `of` is worlds; `q` is an array of length `capacity`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aplomb_worlds_q(
    of: *mut AplombWorlds,
    q: *mut f64,
    capacity: usize,
) -> AplombStatus {
    // SAFETY: as asked of the caller.
    unsafe { copy(of, q, capacity, Worlds::q) }
}

/// Velocities: one row of nv numbers per world, m/s and rad/s.
///
/// # Safety
/// `of` is worlds; `v` is an array of length `capacity`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aplomb_worlds_v(
    of: *mut AplombWorlds,
    v: *mut f64,
    capacity: usize,
) -> AplombStatus {
    // SAFETY: as asked of the caller.
    unsafe { copy(of, v, capacity, Worlds::v) }
}

/// Joint torques of the last frames: one row of nv numbers per world, N m and N; zeros before the first frame of a
/// world.
///
/// # Safety
/// `of` is worlds; `torque` is an array of length `capacity`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aplomb_worlds_torque(
    of: *mut AplombWorlds,
    torque: *mut f64,
    capacity: usize,
) -> AplombStatus {
    // SAFETY: as asked of the caller.
    unsafe { copy(of, torque, capacity, Worlds::torque) }
}

/// Centres of mass: one row of 3 numbers per world, m.
///
/// # Safety
/// `of` is worlds; `com` is an array of length `capacity`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aplomb_worlds_com(
    of: *mut AplombWorlds,
    com: *mut f64,
    capacity: usize,
) -> AplombStatus {
    // SAFETY: as asked of the caller.
    unsafe { copy(of, com, capacity, Worlds::com) }
}
