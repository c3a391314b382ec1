//! A solved frame held against what contacts can do: no force at a point that parts ([Jain 2009] §4.2), no
//! friction that drives a slip. What fails is put right, and the frame is solved again.

use super::Contacts;
use super::life::{PART, PART_SPEED, TOUCH};
use nalgebra::Vector3;

/// Slip in a frame above which a contact counts as sliding, whatever it was solved as, m/s.
pub const STATIC_SLIP: f64 = 0.015;
/// Force at a parting point that is too much, in weights of the character.
const PARTING_FORCE: f64 = 1e-3;
/// Friction along the slip that is too much, in weights of the character.
const DRIVING_FORCE: f64 = 1e-6;
/// Solves of one frame after the first.
pub const MOST_ROUNDS: usize = 3;

/// What a touch does in a solved frame, world axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Deed {
    /// N
    pub force: Vector3<f64>,
    /// Way of the material point over the frame, beyond the surface's own, over dt, m/s.
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
