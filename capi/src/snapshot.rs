//! Moments of a world, to go back to.

use crate::border::place;
use crate::status::{AplombStatus, guard};
use crate::world::{AplombWorld, own_world, world};
use aplomb::world::Checkpoint;

/// The whole state of a world at one moment.
pub struct AplombSnapshot {
    checkpoint: Checkpoint,
    /// Of each criterion: when it was decided, and whether it holds.
    criteria: Vec<(Option<f64>, bool)>,
}

/// Saves the whole state of a world. Free it with aplomb_snapshot_free().
///
/// # Safety
/// `of` is a world; `out` is a valid pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aplomb_snapshot_take(
    of: *mut AplombWorld,
    out: *mut *mut AplombSnapshot,
) -> AplombStatus {
    guard(|| {
        // SAFETY: as asked of the caller.
        let (run, out) = unsafe { (&world(of)?.run, place("out", out)?) };
        let criteria = run.criteria.iter().map(|criterion| (criterion.at, criterion.holds)).collect();
        *out = Box::into_raw(Box::new(AplombSnapshot { checkpoint: run.world.checkpoint(), criteria }));
        Ok(())
    })
}

/// Restores a state that was saved from this world or from another one made in the same way. From there the world
/// continues bit for bit as before, any number of times.
///
/// # Safety
/// `of` is a world; `snapshot` is a snapshot.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aplomb_snapshot_restore(
    of: *mut AplombWorld,
    snapshot: *const AplombSnapshot,
) -> AplombStatus {
    guard(|| {
        // SAFETY: as asked of the caller.
        let (run, snapshot) = unsafe { (&mut own_world(of)?.run, place("snapshot", snapshot.cast_mut())?) };
        run.world.restore(&snapshot.checkpoint)?;
        for (criterion, (at, holds)) in run.criteria.iter_mut().zip(&snapshot.criteria) {
            (criterion.at, criterion.holds) = (*at, *holds);
        }
        Ok(())
    })
}

/// Frees a snapshot; NULL is ignored.
///
/// # Safety
/// NULL, or a snapshot of this library that is not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aplomb_snapshot_free(snapshot: *mut AplombSnapshot) {
    guard(|| {
        if !snapshot.is_null() {
            // SAFETY: as asked of the caller.
            drop(unsafe { Box::from_raw(snapshot) });
        }
        Ok(())
    });
}
