//! Switches that events turn on and off.

/// A switch: a function of the frame's index alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Switch {
    initially: bool,
    /// Frames from which the switch is on or off, in order; of several changes in one frame, the last applies.
    changes: Vec<(u64, bool)>,
}

impl Switch {
    /// A switch that is on or off before the first event.
    pub fn new(initially: bool) -> Self {
        Switch { initially, changes: Vec::new() }
    }

    /// Turns the switch on or off from frame `from` on, until the next change.
    pub fn turn(&mut self, changes: impl IntoIterator<Item = (u64, bool)>) {
        self.changes.extend(changes);
        self.changes.sort_by_key(|(from, _)| *from);
    }

    /// Adopts the changes of another switch.
    pub fn take_over(&mut self, old: &Switch) {
        self.turn(old.changes.iter().copied());
    }

    /// Whether the switch is on in frame `frame`, counted from 0.
    pub fn is_on(&self, frame: u64) -> bool {
        self.changes.iter().rev().find(|(from, _)| *from <= frame).map_or(self.initially, |(_, on)| *on)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_change_before_a_frame_counts_and_of_one_frame_the_last_given() {
        let mut switch = Switch::new(true);
        assert!(switch.is_on(0));
        switch.turn([(20, false), (30, true)]);
        switch.turn([(10, false), (20, true)]);
        let on: Vec<bool> = [9, 10, 19, 20, 29, 30].iter().map(|frame| switch.is_on(*frame)).collect();
        assert_eq!(on, [true, false, false, true, true, true]);
    }
}
