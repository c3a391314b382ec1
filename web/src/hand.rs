//! The hand of the page's user: a spring between the pointer and a body, and a constant force.

use crate::request::{HandTarget, PressRequest, PullRequest};
use crate::session::PageSession;
use aplomb::passive::PartId;
use aplomb::world::{CharacterId, World, WorldError, Wrench};
use nalgebra::{Quaternion, UnitQuaternion, Vector3};

/// Forces of the hand, which act in every frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Hand {
    /// Spring to a body.
    pub pull: Option<PullRequest>,
    /// Constant force.
    pub press: Option<PressRequest>,
}

impl Hand {
    /// Adds the forces of the hand to the next frame.
    ///
    /// # Errors
    /// A target that does not exist in the world.
    pub fn act(&self, world: &mut World) -> Result<(), WorldError> {
        let frame = world.settings().dt;
        if let Some(PressRequest { target, force }) = self.press {
            push(world, target, Vector3::zeros(), force.into(), frame)?;
        }
        if let Some(pull) = &self.pull {
            let (point, force) = spring(pull, world)?;
            push(world, pull.target, point, force, frame)?;
        }
        Ok(())
    }
}

/// Checks that the target exists in the world.
///
/// # Errors
/// It does not exist.
pub fn find(world: &World, target: HandTarget) -> Result<(), WorldError> {
    let exists = match target {
        HandTarget::Body(character, body) => {
            let mut all = world.characters();
            all.any(|id| id.0 == character && body < world.character(id).model.bodies.len())
        }
        HandTarget::Part(object, part) => {
            world.passive().objects.get(object).is_some_and(|object| part < object.parts.len())
        }
    };
    if exists { Ok(()) } else { Err(WorldError::Foreign("a body")) }
}

/// Pushes a target for `duration`, s. The point is an offset from a body's centre of mass, or from a part's origin,
/// in its own axes, m; the force is in world axes, N.
///
/// # Errors
/// A target that does not exist, and numbers that are not finite.
pub fn push(
    world: &mut World,
    target: HandTarget,
    point: Vector3<f64>,
    force: Vector3<f64>,
    duration: f64,
) -> Result<(), WorldError> {
    find(world, target)?;
    match target {
        HandTarget::Body(character, body) => {
            let id = CharacterId(character);
            let name = world.character(id).model.bodies[body].name.clone();
            world.push(id, &name, Wrench::force(force.into()).at(point.into()), duration)
        }
        HandTarget::Part(object, part) => world.push_passive(object, part, point, force, duration),
    }
}

/// Offset and force of the spring in the current state: f = k (anchor − p) − d ṗ.
fn spring(pull: &PullRequest, world: &mut World) -> Result<(Vector3<f64>, Vector3<f64>), WorldError> {
    find(world, pull.target)?;
    world.observe();
    let local = Vector3::from(pull.local);
    let (point, velocity, offset) = match pull.target {
        HandTarget::Body(character, body) => {
            let (model, snapshot) = world.sensed(Some(CharacterId(character)));
            let body = aplomb::model::BodyId(body);
            let point = snapshot.kinematics.point(body, &local);
            let velocity = snapshot.kinematics.point_velocity(body, &point);
            (point, velocity, local - model.bodies[body.0].inertia.centre)
        }
        HandTarget::Part(object, part) => {
            let object = &world.passive().objects[object];
            let part = world.passive().systems[object.system].part(PartId(object.parts.start + part));
            let arm = part.orientation * local;
            (part.position + arm, part.velocity + part.angular_velocity.cross(&arm), local)
        }
    };
    Ok((offset, pull.stiffness * (Vector3::from(pull.anchor) - point) - pull.damping * velocity))
}

/// Attachment point of the spring in the current frame, world axes, m; `None` if the target is not in the frame.
pub fn point(pull: &PullRequest, session: &PageSession) -> Option<[f64; 3]> {
    let (world, frame) = (&session.run.world, session.frame());
    let local = Vector3::from(pull.local);
    // The other characters are objects in the record, before the passive ones.
    let others = world.characters().len().saturating_sub(1);
    let (object, part) = match pull.target {
        HandTarget::Body(0, body) => {
            let poses = world.character(CharacterId(0)).model.body_poses(&frame.q);
            let pose = poses.get(body)?;
            return Some((pose.rotation * local + pose.translation.vector).into());
        }
        HandTarget::Body(character, body) => (character - 1, body),
        HandTarget::Part(object, part) => (others + object, part),
    };
    let state = frame.passive.get(object)?;
    let turn = state.orientations.get(part).map_or(UnitQuaternion::identity(), |[w, x, y, z]| {
        UnitQuaternion::new_normalize(Quaternion::new(*w, *x, *y, *z))
    });
    Some((Vector3::from(*state.positions.get(part)?) + turn * local).into())
}
