//! The record of the world itself, which is not part of any character's record.

use super::{passive, place, resize, set};
use crate::actor::Actor;
use crate::result::WorldResult;
use crate::scenery::Scenery;
use aplomb_body::contact::Surface;
use aplomb_control::clock::Instant;
use aplomb_passive::PassiveWorld;
use aplomb_trace::{PassiveState, PassiveTouch, WorldFrame};

/// The contents of a world at the beginning of a frame.
pub(crate) struct Contents<'a> {
    /// Number of the frame.
    pub index: u64,
    /// Time at its beginning, s.
    pub time: f64,
    /// Length of the last step of the passive objects, as a share of the time for which forces of touches are means.
    pub touching: f64,
    pub scenery: &'a Scenery,
    pub passive: &'a PassiveWorld,
    pub actors: &'a [Actor],
}

/// The world's results, and how its records are made.
pub(crate) struct WorldRecord {
    pub result: WorldResult,
    /// Whether the bodies of characters are recorded, for the traces of other characters.
    pub shows_bodies: bool,
    recorder: WorldRecorder,
}

impl WorldRecord {
    /// The record of a world with this scenery.
    pub(crate) fn new(scenery: &Scenery) -> Self {
        let recorder = WorldRecorder::new(scenery.surfaces(), 1);
        WorldRecord { result: WorldResult::default(), shows_bodies: false, recorder }
    }

    /// Reserves the records of this many simultaneous events.
    pub(crate) fn make_room(&mut self, scenery: &Scenery, events: usize) {
        self.recorder = WorldRecorder::new(scenery.surfaces(), events);
    }

    /// Records the positions of all objects and the active events of all characters, at the beginning of the
    /// frame.
    pub(crate) fn begin<'e>(&mut self, world: &Contents<'_>, events: impl Iterator<Item = &'e str> + Clone) {
        let started = Instant::now();
        let WorldRecord { result, shows_bodies, recorder } = self;
        recorder.frame(&mut result.frame, world, *shows_bodies, events);
        result.timing.record += started.elapsed();
    }

    /// The record of the world's present state, between two frames.
    pub(crate) fn standing_frame(&mut self, world: &Contents<'_>) -> WorldFrame {
        let mut frame = WorldFrame::default();
        self.recorder.frame(&mut frame, world, self.shows_bodies, [].into_iter());
        frame
    }
}

/// Fills the world's records in place; allocates no memory after the first frames.
struct WorldRecorder {
    spare_events: Vec<String>,
    spare_touches: Vec<PassiveTouch>,
    /// Indices of the surfaces that may move, vanish or appear.
    moving: Vec<usize>,
}

impl WorldRecorder {
    /// A recorder for these ground and obstacles, and for this many simultaneous events.
    fn new(surfaces: &[Surface], events: usize) -> Self {
        let moving = surfaces.iter().enumerate().filter(|(_, surface)| !surface.is_still());
        WorldRecorder {
            spare_events: Vec::with_capacity(events),
            spare_touches: Vec::new(),
            moving: moving.map(|(index, _)| index).collect(),
        }
    }

    /// Records the positions of all objects, the external forces, and the counts of the passive step before
    /// this frame.
    fn frame<'e>(
        &mut self,
        frame: &mut WorldFrame,
        world: &Contents<'_>,
        shows_bodies: bool,
        events: impl Iterator<Item = &'e str> + Clone,
    ) {
        let Contents { index, time, touching, scenery, passive, actors } = *world;
        (frame.index, frame.time) = (index, time);
        resize(&mut frame.events, &mut self.spare_events, events.clone().count());
        frame.events.iter_mut().zip(events).for_each(|(event, name)| set(event, name));
        let surfaces = scenery.surfaces();
        frame.moving.clear();
        frame.moving.extend(self.moving.iter().map(|&index| place(&surfaces[index])));
        frame.moving.extend(scenery.pushed.iter().map(place));
        let moving = scenery.snapshot.grips.holds.iter().filter(|hold| !hold.is_still());
        frame.moving_holds.clear();
        frame.moving_holds.extend(moving.map(|hold| <[f64; 3]>::from(hold.displacement())));
        let shown = if shows_bodies { actors } else { &[] };
        frame.bodies.resize_with(shown.len(), PassiveState::default);
        for (Actor { character, .. }, state) in shown.iter().zip(&mut frame.bodies) {
            passive::bodies(&character.model, &character.snapshot, state);
        }
        frame.passive.resize_with(passive.objects.len(), PassiveState::default);
        let named = passive::Named { surfaces, actors };
        passive::states(passive, named, &mut frame.passive, &mut self.spare_touches);
        if touching != 1.0 {
            for touch in frame.passive.iter_mut().flat_map(|state| &mut state.touches) {
                touch.force = touch.force.map(|force| force * touching);
            }
        }
    }
}
