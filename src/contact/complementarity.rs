//! A solved frame held against what contacts can do: no force at a point that parts ([Jain 2009] §4.2), no
//! friction that drives a slip. What fails is put right, and the frame is solved again.

use super::lifecycle::{PART, PART_SPEED, TOUCH};
use super::{ContactMode, ContactPoint, Contacts};
use nalgebra::Vector3;

/// Slip in a frame above which a contact counts as sliding, whatever it was solved as, m/s.
pub const STATIC_SLIP: f64 = 0.015;
/// Force at a parting point that is too much, in weights of the character.
const PARTING_FORCE: f64 = 1e-3;
/// Friction along the slip that is too much, in weights of the character.
const DRIVING_FORCE: f64 = 1e-6;
/// Gap after a frame below which a point that came down has landed, m (× length scale).
const LANDED: f64 = 1e-4;
/// Times in one frame that slips bar friction along them.
pub const MOST_ROUNDS: usize = 3;
/// Times in one frame that parting points give up their force.
const MOST_PARTINGS: u32 = 3;
/// Times after that in which they are held.
const MOST_HOLDS: u32 = 2;
/// Times in one frame that a blow is solved again for the slips of its points.
const MOST_SLIPS: u32 = 40;
/// From this time on they go only half the way, lest they go to and fro.
const CAUTIOUS: u32 = 8;

/// What a touch does in a solved frame, world axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactOutcome {
    /// N
    pub force: Vector3<f64>,
    /// Way of the material point over the frame, beyond the surface's own, over dt, m/s.
    pub velocity: Vector3<f64>,
    /// Acceleration b with which velocity = J v⁺ + ½ dt b exactly, m/s².
    pub bend: Vector3<f64>,
}

impl ContactOutcome {
    /// Speed away from the surface, m/s.
    fn normal_speed(&self, touch: &ContactPoint) -> f64 {
        self.velocity.dot(&touch.normal)
    }

    /// Velocity along the surface, m/s.
    fn slip(&self, touch: &ContactPoint) -> Vector3<f64> {
        self.velocity - touch.normal * self.normal_speed(touch)
    }

    fn slides(&self, touch: &ContactPoint) -> bool {
        self.slip(touch).norm() > STATIC_SLIP
    }

    /// Whether friction of more than `least` N pushes the point the way it slides.
    fn is_driven(&self, touch: &ContactPoint, least: f64) -> bool {
        let friction = self.force - touch.normal * self.force.dot(&touch.normal);
        self.slides(touch) && friction.dot(&self.slip(touch)) > 0.0 && friction.norm() > least
    }

    /// Gap after the frame, m.
    fn gap(&self, touch: &ContactPoint, dt: f64) -> f64 {
        touch.gap + dt * self.normal_speed(touch)
    }
}

/// Contacts put right in one frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Corrections {
    /// Times points lost their force, and times friction was turned.
    partings: u32,
    turnings: u32,
    /// Times a blow was solved again for its slips.
    slips: u32,
    /// Contacts that parted under force and lost it.
    pub parted: u32,
    /// Contacts whose friction was turned against their slip.
    pub turned: u32,
}

impl Contacts {
    /// Lets points be struck that come to a surface in this frame with no force of their own: muscles alone would
    /// have stopped them. Those that parted under force before are held to the surface for this frame: they bear
    /// something, but not as much as would throw them off. `true` where there were such points, so that the frame
    /// has to be solved again.
    pub fn strike(&mut self, outcomes: &[ContactOutcome], dt: f64) -> bool {
        let near = LANDED * self.length_scale();
        let mut found = false;
        for (touch, deed) in self.touches.iter_mut().zip(outcomes) {
            let waits = !touch.bears() && !touch.released;
            if waits && deed.normal_speed(touch) < 0.0 && deed.gap(touch, dt) < near {
                touch.bearing = if touch.parted { ContactMode::Pinned } else { ContactMode::Impact };
                found = true;
            }
        }
        found
    }

    /// From now on in this frame, expects the paths of points to bend as they did in its last solve.
    pub fn expect(&mut self, outcomes: &[ContactOutcome]) {
        for (touch, deed) in self.touches.iter_mut().zip(outcomes) {
            touch.bias_acceleration = deed.bend;
        }
    }

    /// Whether a point goes below its surface, or farther below than it was: its path bends otherwise than expected.
    pub fn sink(&self, outcomes: &[ContactOutcome], dt: f64) -> bool {
        let sinks = |(touch, deed): (&ContactPoint, &ContactOutcome)| {
            deed.gap(touch, dt) < touch.gap.min(0.0) - LANDED * self.length_scale()
        };
        self.touches.iter().zip(outcomes).any(sinks)
    }

    /// Gap within which a point that is held stays, m.
    pub fn hold(&self) -> f64 {
        0.5 * TOUCH * self.length_scale()
    }

    /// Puts right what the touches did against the rules in a solve of this frame; `true` where something was,
    /// so that the frame has to be solved again. `weight` is that of the character, N.
    pub fn correct(
        &mut self,
        outcomes: &[ContactOutcome],
        dt: f64,
        weight: f64,
        done: &mut Corrections,
    ) -> bool {
        let parts = self.part_those_that_leave(outcomes, dt, PARTING_FORCE * weight, done);
        let turns = self.turn(outcomes, DRIVING_FORCE * weight, done);
        parts || turns
    }

    /// Whether a point does something against the rules in a solve of this frame.
    pub fn has_wrong(&self, outcomes: &[ContactOutcome], dt: f64, weight: f64) -> bool {
        let parts = |touch: &ContactPoint, deed: &ContactOutcome| {
            self.leaves(touch, deed, dt, PARTING_FORCE * weight)
        };
        let driven = |touch: &ContactPoint, deed: &ContactOutcome| {
            touch.bears() && deed.is_driven(touch, DRIVING_FORCE * weight)
        };
        self.touches.iter().zip(outcomes).any(|(touch, deed)| parts(touch, deed) || driven(touch, deed))
    }

    /// In a blow, remembers how points slide, where one does something against the rules; `true` then. Points that
    /// part under force all the same, time after time, lose it.
    pub fn slide(
        &mut self,
        outcomes: &[ContactOutcome],
        dt: f64,
        weight: f64,
        done: &mut Corrections,
    ) -> bool {
        if done.slips == MOST_SLIPS + MOST_PARTINGS || !self.has_wrong(outcomes, dt, weight) {
            return false;
        }
        for (index, deed) in outcomes.iter().enumerate() {
            if done.slips >= MOST_SLIPS && self.leaves(&self.touches[index], deed, dt, PARTING_FORCE * weight)
            {
                self.part(index);
                done.parted += 1;
            }
            let touch = &mut self.touches[index];
            let share = if done.slips < CAUTIOUS { 1.0 } else { 0.5 };
            touch.slip += (deed.slip(touch) - touch.slip) * share;
        }
        done.slips += 1;
        true
    }

    /// Whether a point parts in the frame under more than `least` N.
    fn leaves(&self, touch: &ContactPoint, deed: &ContactOutcome, dt: f64, least: f64) -> bool {
        let (gap, scale) = (deed.gap(touch, dt), self.length_scale());
        let parts = gap > TOUCH * scale && deed.normal_speed(touch) > PART_SPEED || gap > PART * scale;
        touch.bears() && parts && deed.force.norm() > least
    }

    /// A point that parts under more than `least` N gives its force up; where others then part in its place, time
    /// after time, those are held instead.
    fn part_those_that_leave(
        &mut self,
        outcomes: &[ContactOutcome],
        dt: f64,
        least: f64,
        done: &mut Corrections,
    ) -> bool {
        if done.partings == MOST_PARTINGS + MOST_HOLDS {
            return false;
        }
        let mut found = false;
        for (index, deed) in outcomes.iter().enumerate() {
            let touch = &self.touches[index];
            if touch.bearing != ContactMode::Pinned && self.leaves(touch, deed, dt, least) {
                found = true;
                if done.partings < MOST_PARTINGS {
                    self.part(index);
                    done.parted += 1;
                } else {
                    self.touches[index].bearing = ContactMode::Pinned;
                }
            }
        }
        done.partings += u32::from(found);
        found
    }

    /// Where friction of more than `least` N pushes a point along its slip, no sliding point may be pushed the
    /// way it slid any more in this frame: the load would only move on to the next point of the same foot. Where
    /// that does not help, the bodies that are driven lose their friction, and then all do.
    fn turn(&mut self, outcomes: &[ContactOutcome], least: f64, done: &mut Corrections) -> bool {
        let driven =
            |(touch, deed): &(&ContactPoint, &ContactOutcome)| touch.bears() && deed.is_driven(touch, least);
        let count = self.touches.iter().zip(outcomes).filter(driven).count() as u32;
        let round = done.turnings as usize;
        if count == 0 || round > MOST_ROUNDS + 1 {
            return false;
        }
        if round < MOST_ROUNDS {
            for (touch, deed) in self.touches.iter_mut().zip(outcomes) {
                if touch.bears() && deed.slides(touch) {
                    touch.barred[round] = deed.slip(touch);
                }
            }
        } else {
            for index in 0..self.touches.len() {
                let body = self.touches[index].body;
                let of_body = |(touch, _): &(&ContactPoint, &ContactOutcome)| touch.body == body;
                let is_driven = self.touches.iter().zip(outcomes).filter(of_body).any(|pair| driven(&pair));
                self.touches[index].smooth |= is_driven || round > MOST_ROUNDS;
            }
        }
        done.turned += count;
        done.turnings += 1;
        true
    }

    /// Forgets points that could have been struck in this frame and were not.
    pub fn stand_down(&mut self, outcomes: &[ContactOutcome]) {
        for (touch, deed) in self.touches.iter_mut().zip(outcomes) {
            if matches!(touch.bearing, ContactMode::Impact | ContactMode::Pinned)
                && deed.force == Vector3::zeros()
            {
                touch.bearing = ContactMode::Off;
            }
        }
    }
}
