//! Passive objects.

use crate::border::{fill, text, triple};
use crate::status::{AplombStatus, Failure, guard};
use crate::world::{AplombWorld, open_model, own_world, world};
use aplomb::language::files::Folder;
use aplomb::passive::{Part, PartId, Passive};
use nalgebra::Vector3;
use std::ffi::c_char;

/// Adds an articulated passive object (`ball`, `crate`, or a path), moved by `position` (m) from the place that its
/// model states, with a velocity of its centre of mass (m/s); either may be NULL. Its index is written to `number`
/// unless that is NULL.
///
/// # Safety
/// `of` is a world; `name` and `model` are strings; `position` and `velocity` are NULL or arrays of 3 numbers; `number`
/// is NULL or a valid pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aplomb_world_add_passive(
    of: *mut AplombWorld,
    name: *const c_char,
    model: *const c_char,
    position: *const f64,
    velocity: *const f64,
    number: *mut usize,
) -> AplombStatus {
    guard(|| {
        // SAFETY: as asked of the caller.
        let (world, name, model) = unsafe { (own_world(of)?, text("name", name)?, text("model", model)?) };
        // SAFETY: as asked of the caller.
        let (position, velocity) = unsafe { (triple(position), triple(velocity)) };
        let mut object = Passive::articulated(open_model(Folder::Passive, model)?);
        object = object.at(position.unwrap_or_default().into());
        if let Some(velocity) = velocity {
            object = object.thrown(velocity.into(), Vector3::zeros());
        }
        let added = world.run.world.add_passive(name, object)?;
        // SAFETY: as asked of the caller.
        if let Some(number) = unsafe { number.as_mut() } {
            *number = added;
        }
        Ok(())
    })
}

/// Poses of the bodies of a passive object in world axes: x, y, z (m) and the quaternion w, qx, qy, qz for each.
/// `capacity` is the length of `poses`; the number of values is written to `count` unless that is NULL. With `poses`
/// NULL and `capacity` 0 it only returns that number.
///
/// # Safety
/// `of` is a world; `poses` is NULL or an array of length `capacity`; `count` is NULL or a valid pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aplomb_passive_poses(
    of: *mut AplombWorld,
    number: usize,
    poses: *mut f64,
    capacity: usize,
    count: *mut usize,
) -> AplombStatus {
    guard(|| {
        // SAFETY: as asked of the caller.
        let passive = unsafe { world(of)? }.run.world.passive();
        let objects = passive.objects.len();
        let object = passive.objects.get(number);
        let object = object.ok_or_else(|| {
            Failure::value(format!("there is no passive object {number}, there are {objects}"))
        })?;
        let system = &passive.systems[object.system];
        let row = |Part { position, orientation: turn, .. }: Part| {
            [position.x, position.y, position.z, turn.w, turn.i, turn.j, turn.k]
        };
        let numbers: Vec<f64> =
            object.parts.clone().flat_map(|part| row(system.part(PartId(part)))).collect();
        // SAFETY: as asked of the caller.
        unsafe { fill(&numbers, poses, capacity, count) }
    })
}
