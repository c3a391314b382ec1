//! [Jain 2009] §4.1: joint torques answer a push late. For a while they hold the value they had at its moment.

use crate::synthesis::ActuationCost;

/// What the trace of a run lists among a frame's events while joint torques hold their value.
pub const EVENT_NAME: &str = "muscle delay";

/// Joint torques hold the value they had at the moment of a push for a while: the cost of torque change is then
/// w ‖(τ − τ₀)/(m g h)‖² with the torques τ₀ of the frame before the push.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReactionDelaySettings {
    /// How long from the beginning of each push, s. People need 0.1 to 0.2 s.
    pub time: f64,
    /// w, in place of the weight of torque change.
    pub weight: f64,
}

/// A character's reaction delay, and the torques its joints hold now.
#[derive(Clone, Debug)]
pub struct ReactionDelay {
    /// Weight of ‖(τ − τ₀)/(m g h)‖² while it lasts.
    weight: f64,
    frames: u64,
    /// First frame in which torques are free again.
    until: u64,
    /// τ₀ per velocity coordinate, N m: torques at the moment of the push.
    torque: Vec<f64>,
}

impl ReactionDelay {
    /// For a model of so many velocity coordinates, in frames of `dt` s; at least one frame.
    pub fn new(settings: &ReactionDelaySettings, coordinates: usize, dt: f64) -> Self {
        let frames = (settings.time / dt).round().max(1.0) as u64;
        ReactionDelay { weight: settings.weight, frames, until: 0, torque: vec![0.0; coordinates] }
    }

    /// A push began at frame `index`: joints hold `torque`, that of the frame before.
    pub fn begin(&mut self, index: u64, torque: &[f64]) {
        self.until = index + self.frames;
        self.torque.copy_from_slice(torque);
    }

    /// What joints hold in frame `index`; `None` where they are free.
    pub fn held(&self, index: u64) -> Option<ActuationCost<'_>> {
        (index < self.until).then_some(ActuationCost { weight: self.weight, torque: &self.torque })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn torques_are_held_for_the_delay_and_those_of_a_second_push_from_there() {
        let settings = ReactionDelaySettings { time: 0.15, weight: 100.0 };
        let mut delay = ReactionDelay::new(&settings, 2, 0.01);
        let held = |delay: &ReactionDelay, index| delay.held(index).map(|cost| cost.torque.to_vec());
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
