//! A solved frame held against what contacts can do: no force at a point that parts ([Jain 2009] §4.2), no
//! friction that drives a slip. What fails is put right, and the frame is solved again.

use super::Contacts;
use super::life::{Bearing, PART, PART_SPEED, TOUCH};
use nalgebra::Vector3;

/// Slip in a frame above which a contact counts as sliding, whatever it was solved as, m/s.
pub const STATIC_SLIP: f64 = 0.015;
/// Force at a parting point that is too much, in weights of the character.
const PARTING_FORCE: f64 = 1e-3;
/// Friction along the slip that is too much, in weights of the character.
const DRIVING_FORCE: f64 = 1e-6;
/// Solves of one frame after the first.
pub const MOST_ROUNDS: u32 = 3;

/// What a touch does in a solved frame, world axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Deed {
    /// N
    pub force: Vector3<f64>,
    /// Velocity of the point over the frame, m/s.
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
    /// Puts right what the touches did against the rules in the `round`-th solve (from 0) of this frame; `true`
    /// where something was, so that the frame has to be solved again.
    ///
    /// A point that parts under force gives its force up. A point whose friction pushes it along its slip slides
    /// from now on, with friction against that slip; where that is wrong as well, without friction.
    pub fn correct(
        &mut self,
        deeds: &[Deed],
        dt: f64,
        weight: f64,
        round: u32,
        done: &mut Corrections,
    ) -> bool {
        let scale = self.length_scale();
        let before = *done;
        for (index, deed) in deeds.iter().enumerate() {
            let touch = &self.touches[index];
            if !touch.bears() {
                continue;
            }
            let normal = touch.normal;
            let (push, speed) = (deed.force.dot(&normal), deed.velocity.dot(&normal));
            let second_order = 0.5 * dt * dt * normal.dot(&touch.bias_acceleration);
            let gap = touch.gap + dt * speed + second_order;
            let parts = gap > TOUCH * scale && speed > PART_SPEED || gap > PART * scale;
            if parts && push > PARTING_FORCE * weight {
                self.part(index);
                done.parted += 1;
                continue;
            }
            let friction = deed.force - normal * push;
            let slip = deed.velocity - normal * speed;
            let drives = friction.dot(&slip) > 0.0 && friction.norm() > DRIVING_FORCE * weight;
            if slip.norm() > STATIC_SLIP && drives {
                let against = if round == 0 { slip } else { Vector3::zeros() };
                self.slide(index, against);
                done.turned += 1;
            }
        }
        let found = *done != before;
        done.rounds += u32::from(found);
        found
    }

    /// Takes the touch's force away.
    fn part(&mut self, index: usize) {
        self.set_bearing(index, Bearing::Off);
        self.broken += 1;
    }

    /// Makes the touch slide, its friction against `slip` (m/s); without friction where that is zero.
    fn slide(&mut self, index: usize, slip: Vector3<f64>) {
        self.touches[index].slip = slip;
        self.set_bearing(index, Bearing::Dynamic);
    }
}
