//! Division of frames: a frame that is too long for its motion is computed in parts, each half as long as the one
//! that was too long. Controllers decide once per frame; everything else happens in each part.
//!
//! The accelerations of a frame are those of its initial pose. When limbs move very fast, joints rotate by half a
//! radian in 10 ms, and momentum changes although no force acts.

use super::actor::Actor;
use super::contents::World;
use super::frame::excess::{excess, fastest_turn};
use super::result::StepError;
use crate::character::Character;
use aplomb_body::model::scales::STANDARD_GRAVITY;
use aplomb_control::snapshot::Snapshot;
use aplomb_passive::{PartId, PassiveWorld};

/// Largest number of halvings: the shortest parts are 1/32 of a frame, so that its computation time remains finite.
const MOST_HALVINGS: u32 = 5;

/// Share of the allowed excess below which the next part may be twice as long.
const CALM: f64 = 0.25;

/// Joint velocity, in √(g/h), above which passive objects are saved at the beginning of a part, so that the part
/// can be halved.
const FLUNG: f64 = 3.0;

/// Share of the allowed excess from which on passive objects are saved as well.
const RESTLESS: f64 = 0.15;

/// Passive objects are also saved if one of them flies past a character: its least speed relative to the centre of
/// mass, in √(g h), and its largest distance from it, in h.
const STRIKES: f64 = 0.3;
const NEAR: f64 = 2.5;

/// A part of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FramePart {
    /// Number of times that the frame is halved.
    pub halvings: u32,
    /// Index of the part among parts of this length.
    pub number: u32,
}

impl FramePart {
    /// An undivided frame.
    pub(crate) const WHOLE: FramePart = FramePart { halvings: 0, number: 0 };

    /// Number of such parts in a frame.
    pub(crate) fn of(self) -> u32 {
        1 << self.halvings
    }

    /// Time at its beginning, s, in the frame of number `index`.
    pub(crate) fn time(self, index: u64, dt: f64) -> f64 {
        (index as f64 + f64::from(self.number) / f64::from(self.of())) * dt
    }

    /// Its first half; `None` if it is as short as it can be.
    fn halved(self) -> Option<FramePart> {
        let FramePart { halvings, number } = self;
        (halvings < MOST_HALVINGS).then(|| FramePart { halvings: halvings + 1, number: 2 * number })
    }

    /// The part after it, which may be twice as long if that fits; `None` after the last.
    fn next(self, may_grow: bool) -> Option<FramePart> {
        let FramePart { mut halvings, mut number } = self;
        number += 1;
        if number == self.of() {
            return None;
        }
        if may_grow && number.is_multiple_of(2) {
            (halvings, number) = (halvings - 1, number / 2);
        }
        Some(FramePart { halvings, number })
    }
}

/// How the frames of a world are divided.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Division {
    /// The part that is computed.
    pub part: FramePart,
    /// The part that was computed last.
    pub last: FramePart,
    /// Whether the frame has parts.
    pub is_divided: bool,
    /// Length of the step before it, as a multiple of its own length.
    before: f64,
    /// Largest excess of the last solved part: see [`excess`].
    excess: f64,
}

impl Default for Division {
    fn default() -> Self {
        let whole = FramePart::WHOLE;
        Division { part: whole, last: whole, is_divided: false, before: 1.0, excess: 0.0 }
    }
}

impl World {
    /// Begins a frame with parts twice as long as the last one of the previous frame, if that was divided.
    pub(super) fn begin_division(&mut self) {
        let halvings = self.division.last.halvings.saturating_sub(1);
        self.division.is_divided = halvings > 0 && self.divides();
        if self.division.is_divided || self.division.before != 1.0 {
            let halvings = if self.division.is_divided { halvings } else { 0 };
            self.begin_part(FramePart { halvings, number: 0 });
        }
    }

    fn divides(&self) -> bool {
        self.settings.momentum_tolerance > 0.0
    }

    /// The state that must be saved so that this part can be halved after its solve; `None` if it cannot be halved.
    pub(super) fn save_for_halving(&self) -> Option<SavedPassive> {
        if !self.divides() || self.division.part.halvings == MOST_HALVINGS {
            return None;
        }
        if self.passive.is_still() {
            return Some(SavedPassive(None));
        }
        let moves_fast = self.division.excess >= RESTLESS
            || self
                .actors
                .iter()
                .any(|Actor { character, .. }| is_flung(character) || self.is_struck(character));
        moves_fast.then(|| SavedPassive(Some(Box::new(self.passive.clone()))))
    }

    /// Whether an object that is not held may strike the character in this part, judged by the first part of the
    /// object.
    fn is_struck(&self, character: &Character) -> bool {
        let Snapshot { com, com_velocity, scales, .. } = &character.snapshot;
        let unit = (STANDARD_GRAVITY * scales.height).sqrt();
        let mut free = self.passive.objects.iter().filter(|object| !self.passive.is_held(object.system));
        free.any(|object| {
            let part = self.passive.systems[object.system].part(PartId(object.parts.start));
            (part.velocity - com_velocity).norm() > STRIKES * unit
                && (part.position - com).norm() < NEAR * scales.height
        })
    }

    /// Halves the solved part if it is too long for its motion; true if it was.
    pub(super) fn halve(&mut self, saved: Option<SavedPassive>) -> bool {
        if !self.divides() {
            return false;
        }
        let tolerance = self.settings.momentum_tolerance;
        let solved = self.actors.iter_mut().filter(|actor| actor.ragdoll.is_none());
        let excess = solved.map(|actor| excess(&mut actor.character, tolerance));
        self.division.excess = excess.fold(0.0, f64::max);
        let Some((half, SavedPassive(passive))) = self.division.part.halved().zip(saved) else {
            return false;
        };
        if self.division.excess <= 1.0 {
            return false;
        }
        if let Some(passive) = passive {
            self.passive = *passive;
        }
        self.division.is_divided = true;
        self.begin_part(half);
        true
    }

    /// Continues with the next part of the frame; false after the last.
    pub(super) fn begin_next_part(&mut self) -> bool {
        self.division.last = self.division.part;
        let may_grow = self.division.excess < CALM;
        let Some(next) = self.division.part.next(may_grow) else { return false };
        self.begin_part(next);
        true
    }

    /// Ends the division of the frame: between frames lengths are those of whole frames.
    pub(super) fn end_division(&mut self) {
        if self.division.is_divided {
            self.begin_part(FramePart::WHOLE);
        }
    }

    /// Sets the part of the frame, and the values that depend on its length.
    fn begin_part(&mut self, part: FramePart) {
        let Division { last, .. } = self.division;
        let before = f64::from(part.of()) / f64::from(last.of());
        (self.division.part, self.division.before) = (part, before);
        self.observed.is_current = false;
        let dt = self.part_length();
        self.scenery.snapshot.scales.divide(dt, part.number, part.of(), before);
        let begins = self.index == 0 && part.number == 0;
        for Actor { character, .. } in &mut self.actors {
            // The velocity is then not a mean over a previous step.
            let before = if begins || character.was_ragdoll { 1.0 } else { before };
            character.snapshot.scales.divide(dt, part.number, part.of(), before);
            // Velocities of steps of unequal lengths are not extrapolated.
            character.jumped |= before != 1.0;
        }
    }

    /// Length of the frame, or of the part of it that is computed, s.
    pub(super) fn part_length(&self) -> f64 {
        self.settings.dt / f64::from(self.division.part.of())
    }

    /// Keeps the records of a part of a divided frame.
    pub(super) fn keep_part(&mut self) {
        let is_first = self.division.part.number == 0;
        self.record.result.keep_part(is_first);
        for Actor { character, result, .. } in &mut self.actors {
            let scales = &character.snapshot.scales;
            let provenance = character.synthesiser.result().provenance.as_deref().cloned();
            result.keep_part(is_first, scales.before * scales.dt, provenance);
        }
    }

    /// Makes the records of a divided frame from those of its parts.
    pub(super) fn join_parts(&mut self) {
        let dt = self.settings.dt;
        self.record.result.join_parts(dt);
        self.actors.iter_mut().for_each(|actor| actor.result.join_parts(dt));
    }

    /// Updates senses, pushes and contacts at the beginning of a part; the decisions of controllers remain.
    ///
    /// # Errors
    /// As [`World::step`], if something is too far from the origin.
    pub(super) fn carry_on(&mut self) -> Result<(), StepError> {
        self.observe();
        self.look_for_the_lost()?;
        let is_first = self.division.part.number == 0;
        let World { actors, events, index, .. } = self;
        let actors = actors.iter_mut().enumerate();
        actors.for_each(|(number, actor)| actor.carry_on(number, events, *index, is_first));
        Ok(())
    }
}

/// Whether joints rotate fast.
fn is_flung(character: &Character) -> bool {
    let unit = (STANDARD_GRAVITY / character.snapshot.scales.height).sqrt();
    fastest_turn(&character.model, &character.snapshot.state.v) > FLUNG * unit
}

/// Passive objects at the beginning of a part, if any of them move.
pub(crate) struct SavedPassive(Option<Box<PassiveWorld>>);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_follow_one_another_to_the_end_of_the_frame() {
        let mut part = FramePart::WHOLE.halved().and_then(FramePart::halved);
        let mut times = Vec::new();
        while let Some(now) = part {
            times.push((now.time(7, 0.01), now.of()));
            part = now.next(true);
        }
        assert_eq!(times, [(0.07, 4), (0.0725, 4), (0.075, 2)]);
        assert_eq!(FramePart::WHOLE.time(7, 0.01), 7.0 * 0.01);
    }

    #[test]
    fn parts_grow_only_where_they_fit_and_not_for_ever_shrink() {
        let first = FramePart { halvings: 2, number: 0 };
        assert_eq!(first.next(true), Some(FramePart { halvings: 2, number: 1 }));
        assert_eq!(first.next(false), Some(FramePart { halvings: 2, number: 1 }));
        assert_eq!(FramePart { halvings: 2, number: 3 }.next(true), None);
        assert_eq!(FramePart { halvings: MOST_HALVINGS, number: 3 }.halved(), None);
    }
}
