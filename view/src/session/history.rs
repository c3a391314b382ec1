//! What is kept of what happened: checkpoints, the actions between them, and the latest frames.

use super::Action;
use super::moment::{Moment, Saved};
use std::collections::{BTreeMap, VecDeque};

/// Simulated time between two checkpoints, s.
const SPACING: f64 = 0.5;
/// How far back history goes, s.
const LONGEST: f64 = 600.0;
/// How many checkpoints there are at most. When there are more, every other one of the older half goes: what is long
/// past takes longer to come back to.
const MOST_CHECKPOINTS: usize = 160;
/// How far back frames are kept whole, s; older ones are computed again.
const RECENT: f64 = 20.0;

/// The past of a session, along the branch that is shown.
pub struct History {
    /// In order, at least one.
    checkpoints: VecDeque<Saved>,
    actions: BTreeMap<u64, Vec<Action>>,
    /// The latest frames, one after another.
    recent: VecDeque<Moment>,
    /// Frames that were computed again, one after another.
    replayed: Vec<Moment>,
    /// The latest frames that were forgotten for another branch.
    ghost: Vec<Moment>,
    end: u64,
    spacing: u64,
    longest: u64,
    most_recent: usize,
}

impl History {
    /// A past that begins here.
    pub fn new(start: &Saved, dt: f64) -> Self {
        let frames = |seconds: f64| (seconds / dt).round().max(1.0) as u64;
        History {
            checkpoints: VecDeque::from([start.clone()]),
            end: start.frame_index(),
            actions: BTreeMap::new(),
            recent: VecDeque::new(),
            replayed: Vec::new(),
            ghost: Vec::new(),
            spacing: frames(SPACING),
            longest: frames(LONGEST),
            most_recent: frames(RECENT) as usize,
        }
    }

    /// Frames that were computed.
    pub fn end(&self) -> u64 {
        self.end
    }

    /// The earliest frame to go back to.
    pub fn earliest(&self) -> u64 {
        self.checkpoints[0].frame_index()
    }

    /// What was done in a frame.
    pub fn at(&self, index: u64) -> &[Action] {
        self.actions.get(&index).map_or(&[], Vec::as_slice)
    }

    /// Takes back the last action of a frame, for one that says the same anew.
    pub fn forget_last(&mut self, index: u64) {
        if let Some(actions) = self.actions.get_mut(&index) {
            actions.pop();
        }
    }

    /// What was done, frame by frame.
    pub fn actions(&self) -> impl Iterator<Item = (u64, &[Action])> {
        self.actions.iter().map(|(index, actions)| (*index, actions.as_slice()))
    }

    /// Something is done in a frame.
    pub fn note(&mut self, index: u64, action: Action) {
        self.actions.entry(index).or_default().push(action);
    }

    /// Forgets all frames from `index` on, and what was done in them but for the first `told` actions of `index`.
    pub fn branch(&mut self, index: u64, told: usize) {
        if let Some(actions) = self.actions.get_mut(&index) {
            actions.truncate(told);
        }
        self.actions.retain(|at, actions| *at <= index && !actions.is_empty());
        self.checkpoints.retain(|checkpoint| checkpoint.frame_index() <= index);
        let kept = self.recent.partition_point(|moment| moment.frame.index < index);
        if kept < self.recent.len() {
            self.ghost = self.recent.split_off(kept).into();
        }
        self.replayed.retain(|moment| moment.frame.index < index);
        self.end = self.end.min(index);
    }

    /// Takes in a frame after it was computed; of one that was computed again there is nothing to keep.
    pub fn add(&mut self, moment: &Moment, checkpoint: impl FnOnce() -> Saved) {
        if moment.frame.index < self.end {
            return;
        }
        self.end = moment.frame.index + 1;
        self.recent.push_back(moment.clone());
        if self.recent.len() > self.most_recent {
            self.recent.pop_front();
        }
        if self.end.is_multiple_of(self.spacing) {
            self.checkpoints.push_back(checkpoint());
            self.stay_bounded();
        }
    }

    fn stay_bounded(&mut self) {
        while self.end - self.checkpoints[0].frame_index() > self.longest {
            self.checkpoints.pop_front();
        }
        let earliest = self.earliest();
        self.actions.retain(|at, _| *at >= earliest);
        if self.checkpoints.len() > MOST_CHECKPOINTS {
            let older = self.checkpoints.len() / 2;
            let mut place = 0;
            self.checkpoints.retain(|_| {
                place += 1;
                place > older || place % 2 == 1
            });
        }
    }

    /// The last checkpoint at or before a frame's beginning.
    pub fn checkpoint_before(&self, index: u64) -> &Saved {
        let later = self.checkpoints.partition_point(|checkpoint| checkpoint.frame_index() <= index);
        &self.checkpoints[later.saturating_sub(1)]
    }

    /// Frame of the first checkpoint after that one.
    pub fn checkpoint_after(&self, index: u64) -> Option<u64> {
        let later = self.checkpoints.partition_point(|checkpoint| checkpoint.frame_index() <= index);
        self.checkpoints.get(later).map(Saved::frame_index)
    }

    /// A frame, if it is kept whole.
    pub fn moment(&self, index: u64) -> Option<Moment> {
        let place =
            |first: Option<&Moment>| index.checked_sub(first?.frame.index).map(|place| place as usize);
        let recent = place(self.recent.front()).and_then(|place| self.recent.get(place));
        recent.or_else(|| self.replayed.get(place(self.replayed.first())?)).cloned()
    }

    /// The frame of that number in the branch that was forgotten last.
    pub fn ghost(&self, index: u64) -> Option<Moment> {
        let place = index.checked_sub(self.ghost.first()?.frame.index)?;
        self.ghost.get(place as usize).cloned()
    }

    /// A past that begins here, with all that was before as the branch that was forgotten.
    pub fn begun_anew(&mut self, start: &Saved, dt: f64) -> Self {
        self.branch(start.frame_index(), 0);
        History { ghost: std::mem::take(&mut self.ghost), ..History::new(start, dt) }
    }

    /// Keeps frames that were computed again, until others are.
    pub fn keep_replayed(&mut self, frames: Vec<Moment>) {
        self.replayed = frames;
    }

    /// Forgets all whole frames.
    #[cfg(test)]
    pub fn forget_frames(&mut self) {
        self.recent.clear();
        self.replayed.clear();
    }

    /// Number of checkpoints that are kept.
    #[cfg(test)]
    pub fn checkpoints(&self) -> usize {
        self.checkpoints.len()
    }
}
