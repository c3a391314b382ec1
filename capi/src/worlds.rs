//! Many worlds of a scene, stepped side by side.

use crate::border::{fill, numbers, place, say, text, triple};
use crate::status::{AplombStatus, Failure, guard};
use aplomb::scene::{self, WorldOutcome, Worlds, WorldsError};
use aplomb::world::Wrench;
use std::ffi::c_char;

/// Many worlds of a scene. What is said of numbers is of the scene's first character in each; arrays have a row a world.
pub struct AplombWorlds {
    worlds: Worlds,
}

/// How far a world among many has come.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AplombWorldOutcome {
    /// It has frames left.
    Running = 0,
    /// All frames of its scene are done, and no criterion that must always hold is broken.
    Finished = 1,
    /// A criterion that must always hold is broken.
    Violated = 2,
    /// Its next frame cannot be computed; it stays as it is until it is reset.
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
/// NULL, or worlds of this library that nobody else uses meanwhile.
unsafe fn worlds<'a>(worlds: *mut AplombWorlds) -> Result<&'a mut Worlds, Failure> {
    // SAFETY: as asked of the caller.
    Ok(&mut unsafe { place("worlds", worlds)? }.worlds)
}

/// So many worlds of a scene, by path or by the name of a shipped one. Free them with aplomb_worlds_free().
///
/// # Safety
/// `scene` is a text; `out` is a place for a pointer.
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

/// Frees worlds; NULL is nothing.
///
/// # Safety
/// NULL, or worlds of this library, which are not used after.
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

/// Number of worlds, and numbers of a row of aplomb_worlds_q() and aplomb_worlds_v(). What is NULL is left out.
///
/// # Safety
/// `of` is worlds; the others are NULL or places.
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

/// Computes at most so many frames of each world that is running, on so many threads: 0 are as many as there are cores, 1 is
/// the caller's own. The numbers are the same for any number of threads. A world that ends or fails is no error, and does not
/// keep the others from their frames: aplomb_worlds_outcome() says it. How many worlds have frames left comes into `running`,
/// if that is not NULL.
///
/// # Safety
/// `of` is worlds; `running` is NULL or a place.
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

/// How far the world of that index has come. Why a frame cannot be computed is copied with its end into `reason`, which has
/// room for `capacity` bytes, or NULL; of other outcomes it is empty.
///
/// # Safety
/// `of` is worlds; `outcome` is a place; `reason` is NULL or has that room.
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

/// Has the world of that index go back to its beginning; what it was told is taken back.
///
/// # Safety
/// `of` is worlds.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aplomb_worlds_reset(of: *mut AplombWorlds, world: usize) -> AplombStatus {
    // SAFETY: as asked of the caller.
    guard(|| Ok(unsafe { worlds(of)? }.reset(world)?))
}

/// Pushes the first character of the world of that index at the centre of mass of a body with a force, N, from now on for
/// `duration` seconds.
///
/// # Safety
/// `of` is worlds; `body` is a text; `force` has 3 numbers.
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

/// Gives a parameter of each world's controller a value of its own: `count` values, one a world.
///
/// # Safety
/// `of` is worlds; `name` is a text; `values` has `count` numbers.
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
/// `of` is worlds; `out` has room for `capacity` numbers.
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

/// Configurations after the last step or reset: a row of nq numbers a world, m and rad; of a floating root x, y, z and a
/// quaternion.
///
/// # Safety
/// `of` is worlds; `q` has room for `capacity` numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aplomb_worlds_q(
    of: *mut AplombWorlds,
    q: *mut f64,
    capacity: usize,
) -> AplombStatus {
    // SAFETY: as asked of the caller.
    unsafe { copy(of, q, capacity, Worlds::q) }
}

/// Velocities: a row of nv numbers a world, m/s and rad/s.
///
/// # Safety
/// `of` is worlds; `v` has room for `capacity` numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aplomb_worlds_v(
    of: *mut AplombWorlds,
    v: *mut f64,
    capacity: usize,
) -> AplombStatus {
    // SAFETY: as asked of the caller.
    unsafe { copy(of, v, capacity, Worlds::v) }
}

/// Joint torques of the last frames: a row of nv numbers a world, N m and N; zeros before a world's first frame.
///
/// # Safety
/// `of` is worlds; `torque` has room for `capacity` numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aplomb_worlds_torque(
    of: *mut AplombWorlds,
    torque: *mut f64,
    capacity: usize,
) -> AplombStatus {
    // SAFETY: as asked of the caller.
    unsafe { copy(of, torque, capacity, Worlds::torque) }
}

/// Centres of mass: a row of 3 numbers a world, m.
///
/// # Safety
/// `of` is worlds; `com` has room for `capacity` numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aplomb_worlds_com(
    of: *mut AplombWorlds,
    com: *mut f64,
    capacity: usize,
) -> AplombStatus {
    // SAFETY: as asked of the caller.
    unsafe { copy(of, com, capacity, Worlds::com) }
}
