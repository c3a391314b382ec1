//! Results of passive objects.

use super::PassiveSummary;
use aplomb_trace::{Contact, ContactKind, Frame, Header, PassiveHeader, is_part_of};

/// Accumulates the passive objects of a run frame by frame.
#[derive(Default)]
pub(super) struct PassiveWatch {
    objects: Vec<WatchedObject>,
}

#[derive(Default)]
struct WatchedObject {
    first_energy: Option<f64>,
    last_energy: f64,
    last_speed: f64,
    fastest: f64,
    height: f64,
    hit_frames: u64,
    impulse: [f64; 3],
    failed_at: Option<f64>,
    most_iterations: u32,
    residual: f64,
    stretch: f64,
}

impl PassiveWatch {
    /// Adds a frame, including the last record of a run.
    pub(super) fn add(&mut self, header: &Header, frame: &Frame) {
        self.objects.resize_with(header.passive.len(), WatchedObject::default);
        for ((watched, object), state) in self.objects.iter_mut().zip(&header.passive).zip(&frame.passive) {
            let energy = state.kinetic_energy + state.potential_energy;
            watched.first_energy.get_or_insert(energy);
            watched.last_energy = energy;
            let [x, y, z] = state.com_velocity;
            watched.last_speed = x.hypot(y).hypot(z);
            watched.fastest = watched.fastest.max(watched.last_speed);
            watched.height = state.com[2];
            if state.failed {
                watched.failed_at.get_or_insert(frame.time);
            }
            watched.most_iterations = watched.most_iterations.max(state.iterations);
            watched.stretch = watched.stretch.max(state.stretch);
            watched.residual = watched.residual.max(state.residual);
            let struck = frame.external.iter().filter(|external| external.name == object.name);
            let is_on = |contact: &&Contact| {
                matches!(contact.kind, ContactKind::Static | ContactKind::Dynamic)
                    && is_part_of(&contact.surface, &object.name)
            };
            let pressed = frame.contacts.iter().filter(is_on).map(|contact| contact.force);
            let mut touched = false;
            for given in struck.map(|hit| hit.force).chain(pressed) {
                touched = true;
                for (sum, force) in watched.impulse.iter_mut().zip(given) {
                    *sum += force * header.dt;
                }
            }
            watched.hit_frames += u64::from(touched);
        }
    }

    pub(super) fn finish(self, header: &Header) -> Vec<PassiveSummary> {
        let objects = header.passive.iter().zip(self.objects);
        let summary = |(object, watched): (&PassiveHeader, WatchedObject)| PassiveSummary {
            name: object.name.clone(),
            kind: object.kind.clone(),
            mass: object.mass,
            energy: [watched.first_energy.unwrap_or_default(), watched.last_energy],
            fastest: watched.fastest,
            end_speed: watched.last_speed,
            end_height: watched.height,
            hit_frames: watched.hit_frames,
            impulse: watched.impulse,
            failed_at: watched.failed_at,
            most_iterations: watched.most_iterations,
            residual: watched.residual,
            stretch: watched.stretch,
        };
        objects.map(summary).collect()
    }
}
