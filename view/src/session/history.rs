//! History of a session: checkpoints, the actions between them, and the latest frames.

use super::SessionAction;
use super::moment::{Saved, SessionMoment};
use std::collections::{BTreeMap, VecDeque};

/// Simulated time between checkpoints, s.
const SPACING: f64 = 0.5;
/// Longest history, s.
const LONGEST: f64 = 600.0;
/// Most checkpoints. Beyond that, every other one of the older half is dropped, so that the distant past takes longer
/// to restore.
const MOST_CHECKPOINTS: usize = 160;
/// Simulated time for which whole frames are kept, s; older ones are computed again.
const RECENT: f64 = 20.0;

/// The past of a session along the branch shown.
pub struct History {
    /// Checkpoints in order, at least one.
    checkpoints: VecDeque<Saved>,
    actions: BTreeMap<u64, Vec<SessionAction>>,
    /// The latest frames, consecutive.
    recent: VecDeque<SessionMoment>,
    /// Frames that were computed again, consecutive.
    replayed: Vec<SessionMoment>,
    /// The latest frames of the branch that was dropped last.
    ghost: Vec<SessionMoment>,
    end: u64,
    spacing: u64,
    longest: u64,
    most_recent: usize,
}

impl History {
    /// A history that begins with this state.
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

    /// Number of frames computed.
    pub fn end(&self) -> u64 {
        self.end
    }

    /// The earliest frame that can be restored.
    pub fn earliest(&self) -> u64 {
        self.checkpoints[0].frame_index()
    }

    /// Actions in a frame.
    pub fn at(&self, index: u64) -> &[SessionAction] {
        self.actions.get(&index).map_or(&[], Vec::as_slice)
    }

    /// Removes the last action of a frame, because a new one overrides it.
    pub fn forget_last(&mut self, index: u64) {
        if let Some(actions) = self.actions.get_mut(&index) {
            actions.pop();
        }
    }

    /// Actions by frame.
    pub fn actions(&self) -> impl Iterator<Item = (u64, &[SessionAction])> {
        self.actions.iter().map(|(index, actions)| (*index, actions.as_slice()))
    }

    /// Records an action in a frame.
    pub fn note(&mut self, index: u64, action: SessionAction) {
        self.actions.entry(index).or_default().push(action);
    }

    /// Drops all frames from `index` on and their actions, except the first `count` actions of `index`.
    pub fn branch(&mut self, index: u64, count: usize) {
        if let Some(actions) = self.actions.get_mut(&index) {
            actions.truncate(count);
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

    /// Records a computed frame; a frame that was computed again is not recorded.
    pub fn add(&mut self, moment: &SessionMoment, checkpoint: impl FnOnce() -> Saved) {
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

    /// The last checkpoint at or before the beginning of a frame.
    pub fn checkpoint_before(&self, index: u64) -> &Saved {
        let later = self.checkpoints.partition_point(|checkpoint| checkpoint.frame_index() <= index);
        &self.checkpoints[later.saturating_sub(1)]
    }

    /// Frame of the first checkpoint after a frame.
    pub fn checkpoint_after(&self, index: u64) -> Option<u64> {
        let later = self.checkpoints.partition_point(|checkpoint| checkpoint.frame_index() <= index);
        self.checkpoints.get(later).map(Saved::frame_index)
    }

    /// The frame, if it is kept.
    pub fn moment(&self, index: u64) -> Option<SessionMoment> {
        let place =
            |first: Option<&SessionMoment>| index.checked_sub(first?.frame.index).map(|place| place as usize);
        let recent = place(self.recent.front()).and_then(|place| self.recent.get(place));
        recent.or_else(|| self.replayed.get(place(self.replayed.first())?)).cloned()
    }

    /// The frame with this number in the branch that was dropped last.
    pub fn ghost(&self, index: u64) -> Option<SessionMoment> {
        let place = index.checked_sub(self.ghost.first()?.frame.index)?;
        self.ghost.get(place as usize).cloned()
    }

    /// A history that begins with this state, with the previous frames as the dropped branch.
    pub fn begun_anew(&mut self, start: &Saved, dt: f64) -> Self {
        self.branch(start.frame_index(), 0);
        History { ghost: std::mem::take(&mut self.ghost), ..History::new(start, dt) }
    }

    /// Keeps frames that were computed again, in place of the previous ones.
    pub fn keep_replayed(&mut self, frames: Vec<SessionMoment>) {
        self.replayed = frames;
    }

    /// Drops all kept frames.
    #[cfg(test)]
    pub fn forget_frames(&mut self) {
        self.recent.clear();
        self.replayed.clear();
    }

    /// Number of checkpoints.
    #[cfg(test)]
    pub fn checkpoints(&self) -> usize {
        self.checkpoints.len()
    }
}
