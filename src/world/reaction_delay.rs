//! [Jain 2009] §4.1: muscles answer a push late. For a while they hold the force they had at its moment.

use crate::scene::ReactionDelaySpec;
use crate::synthesis::ActuationCost;

/// A character's muscle delay, and the forces its muscles hold now.
#[derive(Clone, Debug)]
pub struct ReactionDelay {
    /// Of ‖(τ − τ₀)/(m g h)‖² while it lasts.
    weight: f64,
    frames: u64,
    /// First frame in which muscles are free again.
    until: u64,
    /// τ₀ per velocity coordinate, N m: torques at the moment of the push.
    torque: Vec<f64>,
}

impl ReactionDelay {
    /// For a model of so many velocity coordinates, in frames of `dt` s.
    pub fn new(spec: &ReactionDelaySpec, coordinates: usize, dt: f64) -> Self {
        let (weight, frames) = (*spec.weight.get_ref(), spec.frames(dt));
        ReactionDelay { weight, frames, until: 0, torque: vec![0.0; coordinates] }
    }

    /// A push began at frame `index`: muscles hold `torque`, that of the frame before.
    pub fn begin(&mut self, index: u64, torque: &[f64]) {
        self.until = index + self.frames;
        self.torque.copy_from_slice(torque);
    }

    /// What muscles hold in frame `index`; `None` where they are free.
    pub fn held(&self, index: u64) -> Option<ActuationCost<'_>> {
        (index < self.until).then_some(ActuationCost { weight: self.weight, torque: &self.torque })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Spanned;

    #[test]
    fn torques_are_held_for_the_delay_and_those_of_a_second_push_from_there() {
        let given = |value| Spanned::new(0..0, value);
        let spec = ReactionDelaySpec { time: given(0.15), weight: given(100.0) };
        let mut delay = ReactionDelay::new(&spec, 2, 0.01);
        let held = |delay: &ReactionDelay, index| delay.held(index).map(|muscle| muscle.torque.to_vec());
        assert_eq!(held(&delay, 0), None);
        delay.begin(10, &[1.0, 2.0]);
        assert_eq!(held(&delay, 10), Some(vec![1.0, 2.0]));
        assert_eq!(held(&delay, 24), Some(vec![1.0, 2.0]));
        assert_eq!(held(&delay, 25), None);
        delay.begin(20, &[3.0, 4.0]);
        assert_eq!(held(&delay, 34), Some(vec![3.0, 4.0]));
        assert_eq!(held(&delay, 35), None);
    }
}
