//! Energy of passive objects and of the work that they do on the character: contacts, friction, damping and impacts
//! take energy and never give any, so that over 0.1 s the objects gain at most the work that the character does on
//! them.
//!
//! Scenes in which an object is soft, or something else drives one (a trajectory, wind), are not judged, nor frames in
//! which an object touches a moving surface or another character, or in which an event happens: they may give energy.

use super::bench::{Bench, Passage};
use super::{AuditCheck, Gauge};
use aplomb_body::model::BodyId;
use aplomb_body::model::scales::STANDARD_GRAVITY;
use aplomb_trace::{Contact, ContactKind, Frame, PassiveHeader, is_part_of};
use nalgebra::Vector3;
use std::collections::VecDeque;

struct Energy {
    gained: Gauge,
    /// Indices of the objects in the records.
    objects: Vec<usize>,
    /// Whether there are objects that are soft or driven.
    has_driven: bool,
    /// Unit of the gain, J.
    unit: f64,
    /// Length, s, and gain, J, of the last frames, if these are consecutive.
    window: VecDeque<(f64, f64)>,
    /// Length of a full window in whole frames, s.
    full: f64,
    excused: u64,
}

/// Length of a window, s.
const WINDOW: f64 = 0.1;
/// Tolerance, as a share of m g h of the character, or of the objects' weight at a height of 1 m if that is more: the
/// first-order error of impacts and of objects that turn quickly.
const GAINED: f64 = 0.01;

pub(super) fn make(bench: &Bench<'_>) -> Box<dyn AuditCheck> {
    let is_undriven = |object: &PassiveHeader| !object.is_character() && !bench.is_driven(&object.name);
    let objects = bench.header.passive.iter().enumerate();
    let mut objects: Vec<usize> =
        objects.filter(|(_, object)| is_undriven(object)).map(|(index, _)| index).collect();
    let mass: f64 = objects.iter().map(|index| bench.header.passive[*index].mass).sum();
    let all = bench.header.passive.iter().filter(|object| !object.is_character()).count();
    let has_driven = objects.len() < all;
    // Soft objects do not record what they touch, and give back what they have taken.
    if has_driven {
        objects.clear();
    }
    Box::new(Energy {
        gained: Gauge::new("energy that objects got from nothing in 0.1 s", "m g h", GAINED),
        objects,
        has_driven,
        unit: bench.torque.max(mass * STANDARD_GRAVITY),
        window: VecDeque::new(),
        full: (WINDOW / bench.header.dt).round().max(1.0) * bench.header.dt,
        excused: 0,
    })
}

impl AuditCheck for Energy {
    fn look(&mut self, passage: &Passage<'_>) {
        let Some(next) = passage.next.filter(|_| !self.objects.is_empty()) else {
            return self.window.clear();
        };
        if self.may_get_energy(passage.bench, passage.now, next) {
            self.excused += 1;
            return self.window.clear();
        }
        let gain = self.energy(next) - self.energy(passage.now) + self.work_on_character(passage);
        self.window.push_back((passage.dt, gain));
        let length = |window: &VecDeque<(f64, f64)>| window.iter().map(|(dt, _)| dt).sum::<f64>();
        while length(&self.window) > self.full + 1e-9 {
            self.window.pop_front();
        }
        // A gain of a single frame may not hide behind the losses before it.
        let most = self.window.iter().rev().scan(0.0, |sum, (_, gain)| {
            *sum += gain;
            Some(*sum)
        });
        let most = most.fold(f64::NEG_INFINITY, f64::max);
        self.gained.read(most / self.unit, passage.now, || "objects".into());
    }

    fn gauges(&self) -> Vec<&Gauge> {
        vec![&self.gained]
    }

    fn unseen(&self) -> Vec<String> {
        if self.has_driven {
            return vec![
                "energy of objects: some are soft or driven, and may give energy to the others".into(),
            ];
        }
        let excused = self.excused;
        let said = format!(
            "energy of objects in {excused} frames in which an event happens or an object touches what is driven"
        );
        (excused > 0).then_some(said).into_iter().collect()
    }
}

impl Energy {
    /// Energy of the objects, J.
    fn energy(&self, frame: &Frame) -> f64 {
        let states = self.objects.iter().filter_map(|index| frame.passive.get(*index));
        states.map(|state| state.kinetic_energy + state.potential_energy).sum()
    }

    /// Whether anything but the character may give energy to the objects in this frame.
    fn may_get_energy(&self, bench: &Bench<'_>, now: &Frame, next: &Frame) -> bool {
        let header = bench.header;
        let moves = |surface: &str| {
            let mut obstacles = header.obstacles.iter().filter(|obstacle| obstacle.moves);
            let mut others =
                header.passive.iter().enumerate().filter(|(index, _)| !self.objects.contains(index));
            obstacles.any(|obstacle| obstacle.name == surface)
                || others.any(|(_, object)| is_part_of(surface, &object.name))
        };
        let states = self.objects.iter().flat_map(|index| [now, next].map(|frame| frame.passive.get(*index)));
        let mut states = states.flatten();
        let grips_move = now.contacts.iter().any(|contact| contact.kind == ContactKind::Grip)
            && header.obstacles.iter().any(|obstacle| obstacle.moves);
        !now.events.is_empty()
            || !next.events.is_empty()
            || grips_move
            || states.any(|state| state.failed || state.touches.iter().any(|touch| moves(&touch.other)))
    }

    /// Work of the objects on the character over a frame, J.
    fn work_on_character(&self, passage: &Passage<'_>) -> f64 {
        let header = passage.bench.header;
        let is_object = |surface: &str| {
            self.objects.iter().any(|index| is_part_of(surface, &header.passive[*index].name))
        };
        let is_held = |contact: &&Contact| {
            let mut holds = header.holds.iter().filter(|hold| hold.moves);
            contact.kind == ContactKind::Grip && holds.any(|hold| hold.name == contact.surface)
        };
        let contacts =
            passage.now.contacts.iter().filter(|contact| is_object(&contact.surface) || is_held(contact));
        let contacts =
            contacts.map(|contact| (&contact.body, contact.point, contact.force, passage.turning_time()));
        let pushes = passage.now.external.iter().filter(|push| is_object(&push.name));
        let pushes = pushes.map(|push| (&push.body, push.point, push.force, passage.dt));
        contacts
            .chain(pushes)
            .map(|(body, point, force, time)| {
                let velocity =
                    passage.bench.model.body(body).map(|body| mean_velocity(passage, body, &point.into()));
                Vector3::from(force).dot(&velocity.unwrap_or_default()) * time
            })
            .sum()
    }
}

/// Mean of the velocities at the ends of the frame of a body's point, given at its start, m/s.
fn mean_velocity(passage: &Passage<'_>, body: BodyId, point: &Vector3<f64>) -> Vector3<f64> {
    let local = passage.here.rotation[body.0].tr_mul(&(point - passage.here.position[body.0]));
    let [before, after] =
        [passage.here, passage.there].map(|poses| poses.point_velocity(body, &poses.point(body, &local)));
    0.5 * (before + after)
}
