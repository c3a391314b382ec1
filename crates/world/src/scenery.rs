//! Observations of the world itself: surfaces, holds and passive objects, independent of the characters.

use super::actor::Surroundings;
use super::frame::holding;
use super::settings::WorldSettings;
use aplomb_body::contact::grip::{GripLimits, Grips, Hold};
use aplomb_body::contact::{Contacts, Surface};
use aplomb_body::model::Model;
use aplomb_body::model::scales::Scales;
use aplomb_body::model::state::State;
use aplomb_control::snapshot::Snapshot;

/// The surfaces and holds of a world, and the values for its own conditions and criteria.
pub(crate) struct Scenery {
    /// A model without bodies: expressions read a model and a snapshot.
    pub model: Model,
    pub snapshot: Snapshot,
    /// Surfaces of passive objects that characters press on, in the order of every character's list.
    pub pushed: Vec<Surface>,
}

impl Scenery {
    pub(crate) fn new(settings: &WorldSettings, surfaces: Vec<Surface>, holds: Vec<Hold>) -> Self {
        let model = Model::empty();
        let scales = Scales::new(&model, settings.dt);
        let contacts = Contacts::new(&model, surfaces, scales.length());
        let state = State::at_rest(&model, Vec::new());
        let mut snapshot = Snapshot::new(&model, scales, settings.gravity, contacts, state);
        snapshot.grips = Grips::new(&model, holds, GripLimits::for_weight(scales.weight()));
        Scenery { model, snapshot, pushed: Vec::new() }
    }

    /// Ground and obstacles.
    pub(crate) fn surfaces(&self) -> &[Surface] {
        &self.snapshot.contacts.surfaces
    }

    /// Sets which of the surfaces of passive objects are present for a character; `seen` has the surfaces of each.
    pub(crate) fn show_joined<'a>(&mut self, seen: impl Iterator<Item = &'a [Surface]> + Clone) {
        for (index, surface) in
            self.pushed.iter_mut().enumerate().filter(|(_, surface)| surface.slow.is_some())
        {
            surface.present = seen.clone().any(|surfaces| {
                let mut on_objects = surfaces.iter().filter(|surface| surface.seat.is_some());
                on_objects.nth(index).is_some_and(|surface| surface.present)
            });
        }
    }

    /// Updates the snapshot, and the surfaces of passive objects.
    pub(crate) fn observe(&mut self, around: &Surroundings<'_>) {
        let Scenery { model, snapshot, pushed } = self;
        holding::ride(pushed, around.seats, snapshot.scales.dt);
        snapshot.state.time = around.time;
        snapshot.objects.clear();
        snapshot.objects.extend_from_slice(around.objects);
        holding::carry(&mut snapshot.grips, around.attachments);
        snapshot.update(model);
    }
}
