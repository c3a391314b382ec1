//! The end of contacts: the force at separation, and the rate at which feet are unloaded.

use super::{BreakForce, Lift};
use aplomb_body::contact::{PART, PART_SPEED, TOUCH};
use aplomb_body::dynamics::Kinematics;
use aplomb_body::model::scales::{REFERENCE_HEIGHT, STANDARD_GRAVITY};
use aplomb_body::model::{BodyId, Model};
use aplomb_trace::{Contact, ContactKind, Frame, Header};
use nalgebra::Vector3;
use std::collections::VecDeque;

/// Time before a lift within which a change of the foot's load is attributed to it, s.
const BEFORE_LIFT: f64 = 0.2;

/// A contact of the previous frame.
struct PreviousContact {
    name: String,
    body: BodyId,
    /// Position in the frame of the body, m.
    local: Vector3<f64>,
    point: Vector3<f64>,
    normal: Vector3<f64>,
    gap: f64,
    /// Depth of the body's pad, m.
    pad: f64,
    force: f64,
}

/// Finds the largest contact force in a frame after which the contact point has separated.
pub(super) struct Breaking {
    dt: f64,
    weight: f64,
    length_scale: f64,
    before: Vec<PreviousContact>,
    /// Names of ended contacts, whose memory is reused.
    spare_names: Vec<String>,
    time: f64,
    pub worst: Option<BreakForce>,
}

impl Breaking {
    pub(super) fn new(header: &Header) -> Self {
        Breaking {
            dt: header.dt,
            weight: header.mass * STANDARD_GRAVITY,
            length_scale: header.com_height / REFERENCE_HEIGHT,
            before: Vec::new(),
            spare_names: Vec::new(),
            time: 0.0,
            worst: None,
        }
    }

    /// Adds a frame with its `kinematics`.
    pub(super) fn add(&mut self, model: &Model, kinematics: &Kinematics, frame: &Frame) {
        for borne in self.before.drain(..) {
            let moved = kinematics.point(borne.body, &borne.local) - borne.point;
            let (rise, scale) = (borne.normal.dot(&moved), self.length_scale);
            let gap = borne.gap + rise;
            let parted = gap > TOUCH * scale && rise > PART_SPEED * self.dt || gap > PART * scale + borne.pad;
            let share = borne.force / self.weight;
            if parted && share > self.worst.as_ref().map_or(0.0, |worst| worst.share) {
                let (contact, at) = (borne.name.clone(), self.time);
                self.worst = Some(BreakForce { share, force: borne.force, contact, at });
            }
            self.spare_names.push(borne.name);
        }
        self.time = frame.time;
        let touch = |contact: &&Contact| matches!(contact.kind, ContactKind::Static | ContactKind::Dynamic);
        self.before.extend(frame.contacts.iter().filter(touch).filter_map(|contact| {
            let body = model.body(&contact.body)?;
            let point = Vector3::from(contact.point);
            let mut name = self.spare_names.pop().unwrap_or_default();
            name.clone_from(&contact.name);
            Some(PreviousContact {
                name,
                body,
                local: kinematics.rotation[body.0].tr_mul(&(point - kinematics.position[body.0])),
                point,
                normal: Vector3::from(contact.normal),
                gap: contact.gap,
                pad: model.bodies[body.0].pad.map_or(0.0, |pad| pad.depth),
                force: Vector3::from(contact.force).norm(),
            })
        }));
    }
}

/// Tracks the load on one foot.
#[derive(Default)]
pub(super) struct Load {
    /// Normal force in the previous frame, N.
    before: Option<f64>,
    /// Recent changes with their times; negative for unloading.
    changes: VecDeque<(f64, f64)>,
    is_lifted: bool,
}

impl Load {
    /// Adds the normal force of a frame, N.
    pub(super) fn add(&mut self, time: f64, force: f64) {
        if let Some(before) = self.before.replace(force).filter(|_| !self.is_lifted) {
            self.changes.push_back((time, force - before));
            while self.changes.front().is_some_and(|(then, _)| time - then > BEFORE_LIFT) {
                self.changes.pop_front();
            }
        }
    }

    /// Registers a touchdown of the foot.
    pub(super) fn lands(&mut self) {
        if self.is_lifted {
            *self = Load { before: self.before, ..Load::default() };
        }
    }

    /// Registers that the foot has had no contact since `at`. Returns a result once: the largest change of its load
    /// before, in a frame of `dt` seconds, as a share of `weight`, and the largest rate of unloading.
    pub(super) fn lift(&mut self, foot: &str, at: f64, weight: f64, dt: f64) -> Option<Lift> {
        if std::mem::replace(&mut self.is_lifted, true) {
            return None;
        }
        let drop = self.changes.iter().map(|(_, change)| -change).fold(0.0, f64::max);
        let changes = self.changes.drain(..).map(|(time, change)| (time, change.abs()));
        let (time, change) = changes.fold((at, 0.0), |most, now| if now.1 > most.1 { now } else { most });
        Some(Lift {
            foot: foot.into(),
            at,
            largest_change: change / weight,
            changed_at: time,
            largest_rate: drop / (weight * dt),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lift_knows_the_largest_change_of_load_before_it_and_is_told_once() {
        let mut load = Load::default();
        for (k, force) in [300.0, 300.0, 250.0, 190.0, 0.0, 0.0].into_iter().enumerate() {
            load.add(0.01 * k as f64, force);
        }
        let lift = load.lift("foot", 0.03, 600.0, 0.01).unwrap();
        assert!((lift.largest_change - 190.0 / 600.0).abs() < 1e-12);
        assert!((lift.changed_at - 0.04).abs() < 1e-12);
        assert!(load.lift("foot", 0.03, 600.0, 0.01).is_none());
        load.lands();
        load.add(1.0, 60.0);
        load.add(1.01, 0.0);
        assert!((load.lift("foot", 1.0, 600.0, 0.01).unwrap().largest_change - 0.1).abs() < 1e-12);
    }

    #[test]
    fn changes_long_before_a_lift_do_not_count() {
        let mut load = Load::default();
        load.add(0.0, 600.0);
        load.add(0.1, 0.0);
        (0..30).for_each(|k| load.add(0.2 + 0.01 * f64::from(k), 0.0));
        assert_eq!(load.lift("foot", 0.49, 600.0, 0.01).unwrap().largest_change, 0.0);
    }
}
