//! The spring between the mouse and a body.

use super::{PushTarget, SessionAction};
use aplomb::contact::Pose;
use aplomb::passive::PartId;
use aplomb::world::{CharacterId, World};
use nalgebra::Vector3;

/// A damped spring from an anchor to a point of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pull {
    /// Target of the pull.
    pub target: PushTarget,
    /// Attachment point in the target's frame, m.
    pub local: Vector3<f64>,
    /// Position of the other end, world axes, m.
    pub anchor: Vector3<f64>,
    /// Stiffness, N/m.
    pub stiffness: f64,
    /// Damping, N s/m.
    pub damping: f64,
}

/// A spring in one frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pulling {
    /// Target of the pull.
    pub target: PushTarget,
    /// Point of the force, as an offset like that of a push.
    offset: Vector3<f64>,
    /// Point of the force, world axes, m.
    pub point: Vector3<f64>,
    /// Position of the other end, world axes, m.
    pub anchor: Vector3<f64>,
    /// Force in world axes, N.
    pub force: Vector3<f64>,
}

impl Pull {
    /// The force at the current state: f = k (anchor − p) − d ṗ. `None` if the target is not in the world.
    pub fn force(&self, world: &mut World) -> Option<Pulling> {
        if !self.target.is_in(world) {
            return None;
        }
        world.observe();
        let (point, velocity, offset) = match self.target {
            PushTarget::Body { character, body } => {
                let (model, snapshot) = world.sensed(Some(CharacterId(character)));
                let point = snapshot.kinematics.point(body, &self.local);
                let velocity = snapshot.kinematics.point_velocity(body, &point);
                (point, velocity, self.local - model.bodies[body.0].inertia.centre)
            }
            PushTarget::Part { object, part } => {
                let object = &world.passive().objects[object];
                let part = world.passive().systems[object.system].part(PartId(object.parts.start + part));
                let Pose { position, orientation } =
                    Pose { position: part.position, orientation: part.orientation };
                let arm = orientation * self.local;
                (position + arm, part.velocity + part.angular_velocity.cross(&arm), self.local)
            }
        };
        let force = self.stiffness * (self.anchor - point) - self.damping * velocity;
        Some(Pulling { target: self.target, offset, point, anchor: self.anchor, force })
    }
}

impl Pulling {
    /// The push of one frame with this force.
    pub fn action(&self, dt: f64) -> SessionAction {
        SessionAction::Push { target: self.target, point: self.offset, force: self.force, duration: dt }
    }
}
