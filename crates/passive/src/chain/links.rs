//! Links of one kind of joint, with or without the memory of the forward pass.

use super::block::Six;
use super::link::{Falling, Rising};

/// Links with M rows.
#[derive(Clone, Debug)]
pub(super) struct Links<const M: usize, const K: usize> {
    /// Blocks of all links, or a single block for the link that is being eliminated.
    rising: Vec<Rising<M, K>>,
    falling: Vec<Falling<M, K>>,
}

impl<const M: usize, const K: usize> Default for Links<M, K> {
    fn default() -> Self {
        Links { rising: Vec::new(), falling: Vec::new() }
    }
}

impl<const M: usize, const K: usize> Links<M, K> {
    /// Adds a link and returns its index.
    pub(super) fn push(&mut self) -> usize {
        self.falling.push(Falling::default());
        self.falling.len() - 1
    }

    /// Sets whether the blocks of the forward pass are kept; a change discards them.
    pub(super) fn retain(&mut self, retain: bool) {
        let count = if retain { self.falling.len() } else { self.falling.len().min(1) };
        self.rising.resize(count, Rising::default());
        self.rising.shrink_to_fit();
    }

    #[inline(always)]
    pub(super) fn rising(&self, place: usize) -> &Rising<M, K> {
        &self.rising[place.min(self.rising.len() - 1)]
    }

    #[inline(always)]
    pub(super) fn rising_mut(&mut self, place: usize) -> &mut Rising<M, K> {
        let last = self.rising.len() - 1;
        &mut self.rising[place.min(last)]
    }

    #[inline(always)]
    pub(super) fn falling(&self, place: usize) -> &Falling<M, K> {
        &self.falling[place]
    }

    #[inline(always)]
    pub(super) fn eliminate<const FUSED: bool>(
        &mut self,
        place: usize,
        own: &mut [Six; 6],
        above: Option<&mut [Six; 6]>,
    ) -> bool {
        let last = self.rising.len() - 1;
        self.rising[place.min(last)].eliminate::<FUSED>(&mut self.falling[place], own, above)
    }
}
