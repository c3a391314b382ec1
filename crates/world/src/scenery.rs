//! The world without characters: surfaces, holds and passive objects.

use super::actor::{Surroundings, bias_velocity};
use super::event::Event;
use super::frame::FrameTime;
use super::frame::holding;
use super::record::Recorder;
use super::result::{FrameResult, FrameTiming};
use super::settings::WorldSettings;
use aplomb_body::contact::grip::{GripLimits, Grips, Hold};
use aplomb_body::contact::{Contacts, Surface};
use aplomb_body::model::Model;
use aplomb_body::model::scales::Scales;
use aplomb_body::model::state::State;
use aplomb_control::clock::Instant;
use aplomb_control::snapshot::Snapshot;
use aplomb_passive::PassiveWorld;
use aplomb_trace::Frame;

/// Snapshot of a world without characters, and the record of its frames.
pub struct Scenery {
    /// A model without bodies.
    pub model: Model,
    pub snapshot: Snapshot,
    pub recorder: Recorder,
    pub result: FrameResult,
}

impl Scenery {
    pub fn new(settings: &WorldSettings, surfaces: Vec<Surface>, holds: Vec<Hold>) -> Self {
        let model = Model::empty();
        let scales = Scales::new(&model, settings.dt);
        let contacts = Contacts::new(&model, surfaces, scales.length());
        let state = State::at_rest(&model, Vec::new());
        let mut snapshot = Snapshot::new(&model, scales, settings.gravity, contacts, state);
        snapshot.grips = Grips::new(&model, holds, GripLimits::for_weight(scales.weight()));
        let recorder = Recorder::new(&model, &snapshot, 1);
        Scenery { model, snapshot, recorder, result: FrameResult::default() }
    }

    /// Reserves the records of this many simultaneous events.
    pub fn make_room_for_records(&mut self, events: usize) {
        self.recorder = Recorder::new(&self.model, &self.snapshot, events);
    }

    /// Updates the snapshot.
    pub fn observe(&mut self, around: &Surroundings<'_>) {
        let started = Instant::now();
        let Scenery { model, snapshot, .. } = self;
        snapshot.state.time = around.time;
        snapshot.objects.clear();
        snapshot.objects.extend_from_slice(around.objects);
        holding::carry(&mut snapshot.grips, around.attachments);
        snapshot.update(model);
        self.result.timing = FrameTiming { sense: started.elapsed(), ..FrameTiming::default() };
    }

    /// Records the passive objects at the beginning of the frame.
    pub fn record_objects(&mut self, passive: &PassiveWorld) {
        let Scenery { model, snapshot, recorder, result } = self;
        recorder.passive_objects(&mut result.frame, passive, (model, snapshot), [].into_iter(), false);
    }

    /// Records a frame without characters.
    pub fn record(&mut self, events: &[Event], settings: &WorldSettings, frame: FrameTime) {
        let Scenery { model, snapshot, recorder, result } = self;
        let acting = events.iter().filter(|event| event.frames.contains(&frame.index));
        let acting = acting.map(|event| event.name.as_str());
        recorder.sensed(&mut result.frame, model, snapshot, frame.index, acting);
        // Without a previous velocity, steady motion is assumed.
        let bias = bias_velocity(settings.synthesis.bias_velocity, frame.index, u32::MAX, false);
        recorder.without_controller(&mut result.frame, bias);
    }

    /// The record at the current state.
    pub fn standing_frame(&mut self, index: u64, settings: &WorldSettings, passive: &PassiveWorld) -> Frame {
        let Scenery { model, snapshot, recorder, .. } = self;
        let mut frame = Frame::default();
        recorder.sensed(&mut frame, model, snapshot, index, [].into_iter());
        recorder.without_controller(&mut frame, settings.synthesis.bias_velocity);
        recorder.passive_objects(&mut frame, passive, (model, snapshot), [].into_iter(), false);
        frame
    }
}
