//! A solved frame held against what contacts can do: no force at a point that parts ([Jain 2009] §4.2), no
//! friction that drives a slip. What fails is put right, and the frame is solved again.

use super::life::{PART, PART_SPEED, TOUCH};
use super::{Bearing, Contacts};
use nalgebra::Vector3;

/// Slip in a frame above which a contact counts as sliding, whatever it was solved as, m/s.
pub const STATIC_SLIP: f64 = 0.015;
/// Force at a parting point that is too much, in weights of the character.
const PARTING_FORCE: f64 = 1e-3;
/// Friction along the slip that is too much, in weights of the character.
const DRIVING_FORCE: f64 = 1e-6;
/// Gap after a frame below which a point that came down has landed, m (× length scale).
const LANDED: f64 = 1e-4;
/// Solves of one frame after the first.
pub const MOST_ROUNDS: usize = 3;

/// What a touch does in a solved frame, world axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Deed {
    /// N
    pub force: Vector3<f64>,
    /// Way of the material point over the frame over dt, m/s.
    pub velocity: Vector3<f64>,
}

/// Contacts put right in one frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Corrections {
    /// Solves after the first.
    pub rounds: u32,
    /// Contacts that parted under force and lost it.
    pub parted: u32,
    /// Contacts whose friction was turned against their slip.
    pub turned: u32,
}

impl Contacts {
    /// Lets points be struck that come to a surface in this frame with no force of their own: muscles alone would
    /// have stopped them. `true` where there were such points, so that the frame has to be solved again.
    pub fn strike(&mut self, deeds: &[Deed], dt: f64) -> bool {
        let near = LANDED * self.length_scale();
        let mut found = false;
        for (touch, deed) in self.touches.iter_mut().zip(deeds) {
            let speed = deed.velocity.dot(&touch.normal);
            if !touch.bears() && !touch.released && speed < 0.0 && touch.gap + dt * speed < near {
                touch.bearing = Bearing::Struck;
                found = true;
            }
        }
        found
    }

    /// Puts right what the touches did against the rules in a solve of this frame; `true` where something was,
    /// so that the frame has to be solved again. `done.rounds` must be less than [`MOST_ROUNDS`].
    ///
    /// A point that parts under force gives its force up. Where friction pushes a point along its slip, no
    /// sliding point may be pushed the way it slid any more in this frame: the load would only move on to the
    /// next point of the same foot.
    pub fn correct(&mut self, deeds: &[Deed], dt: f64, weight: f64, done: &mut Corrections) -> bool {
        let scale = self.length_scale();
        let (before, round) = (*done, done.rounds as usize);
        let mut sliding = Vec::new();
        for (index, deed) in deeds.iter().enumerate() {
            let touch = &self.touches[index];
            if !touch.bears() {
                continue;
            }
            let normal = touch.normal;
            let (push, speed) = (deed.force.dot(&normal), deed.velocity.dot(&normal));
            let gap = touch.gap + dt * speed;
            let parts = gap > TOUCH * scale && speed > PART_SPEED || gap > PART * scale;
            if parts && push > PARTING_FORCE * weight {
                self.part(index);
                done.parted += 1;
                continue;
            }
            let friction = deed.force - normal * push;
            let slip = deed.velocity - normal * speed;
            if slip.norm() > STATIC_SLIP {
                sliding.push((index, slip));
                let drives = friction.dot(&slip) > 0.0 && friction.norm() > DRIVING_FORCE * weight;
                done.turned += u32::from(drives);
            }
        }
        if done.turned > before.turned {
            for (index, slip) in sliding {
                self.touches[index].barred[round] = slip;
            }
        }
        let found = *done != before;
        done.rounds += u32::from(found);
        found
    }
}
