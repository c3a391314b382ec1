//! Holding of passive objects by characters.

use super::{
    Attachment, CouplingForce, Grasp, HeldPoint, HeldPoints, Part, PartId, PassiveObject, PassiveSystem,
    PassiveWorld, RestingPoint, StepStatus,
};
use aplomb_body::contact::{Party, Seat};
use nalgebra::Vector3;

impl PassiveWorld {
    /// Adds a point of an object at which it can be held, and returns the attachment's index.
    pub fn add_attachment(&mut self, object: usize, point: &RestingPoint) -> usize {
        let PassiveObject { system, parts, .. } = &self.objects[object];
        let part = PartId(parts.start + point.part);
        self.attachments.push(Attachment { system: *system, part, local: point.local });
        self.attachments.len() - 1
    }

    /// Number of points that can be held.
    pub fn attachments(&self) -> usize {
        self.attachments.len()
    }

    /// Position of an attachment, m, and its velocity, m/s.
    pub fn attachment_place(&self, attachment: usize) -> (Vector3<f64>, Vector3<f64>) {
        let attachment = &self.attachments[attachment];
        attachment.place(&*self.systems[attachment.system])
    }

    /// Sets the held points of the next frame, and the forces as far as they are known. Held systems are not stepped
    /// in [`step`](Self::step) but in [`step_held`](Self::step_held). They do not collide with the characters that
    /// hold them, nor with a character whose contact forces on them are unknowns of its frame: `seats` has the
    /// character's index with each such surface.
    pub fn hold(
        &mut self,
        loads: impl Iterator<Item = CouplingForce>,
        seats: impl Iterator<Item = (usize, Seat)> + Clone,
    ) {
        self.couplings.iter_mut().for_each(HeldPoints::clear);
        for load in loads {
            let attachment = match load.at {
                Grasp::Attachment(attachment) => self.attachments[attachment],
                Grasp::Point { object, part, point } => self.point_of(object, part, &point),
            };
            if let Party::Object(object) | Party::Arm(object, _) = load.holder.party {
                let parts = &self.objects[object].parts;
                let acts = |part: PartId| parts.contains(&part.0);
                if !self.couplings[attachment.system].parts_held_by(load.holder.character).any(acts) {
                    continue;
                }
            }
            self.couplings[attachment.system].add(attachment, &load);
        }
        let mut held = std::mem::take(&mut self.held_parts);
        let objects = &self.objects;
        for (number, (system, coupling)) in self.systems.iter_mut().zip(&self.couplings).enumerate() {
            let Some(holdable) = system.holdable() else { continue };
            let seats = seats.clone().filter_map(|(by, seat)| Some((by, seat.object()?, seat.part)));
            let here = seats.filter(|(_, object, _)| objects[*object].system == number);
            for character in 0..self.poses.len() {
                held.clear();
                held.extend(coupling.parts_held_by(character));
                let own = here.clone().filter(|(by, ..)| *by == character);
                held.extend(own.map(|(_, object, part)| PartId(objects[object].parts.start + part)));
                holdable.ignore_character(character, &held);
            }
        }
        self.held_parts = held;
    }

    /// The part of an object that a surface belongs to.
    pub fn part_of(&self, seat: &Seat) -> Option<Part> {
        let PassiveObject { system, parts, .. } = &self.objects[seat.object()?];
        Some(self.systems[*system].part(PartId(parts.start + seat.part)))
    }

    /// A point of a part of an object, from its present world position, m.
    fn point_of(&self, object: usize, part: usize, point: &Vector3<f64>) -> Attachment {
        let PassiveObject { system, parts, .. } = &self.objects[object];
        let part = PartId(parts.start + part);
        let place = self.systems[*system].part(part);
        let local = place.orientation.inverse_transform_vector(&(point - place.position));
        Attachment { system: *system, part, local }
    }

    /// Whether one of the system's objects is held.
    pub fn is_held(&self, system: usize) -> bool {
        self.couplings[system].is_held()
    }

    /// The couplings of all systems with held points, with their predictions for the frame, once the frame was
    /// stepped.
    pub fn couplings(&self) -> impl Iterator<Item = &HeldPoints> {
        self.couplings.iter().filter(|coupling| coupling.is_held())
    }

    /// The held points, with the status of their system's last step.
    pub fn held_points(&self) -> impl Iterator<Item = (&HeldPoint, StepStatus)> {
        let systems = self.couplings.iter().zip(&self.status);
        systems.flat_map(|(coupling, status)| coupling.points().iter().map(move |point| (point, *status)))
    }

    /// Predicts the motion of held points in a frame of `dt` seconds.
    pub(super) fn predict_couplings(&mut self, dt: f64) {
        let steps = self.steps(dt);
        for system in 0..self.systems.len() {
            if self.is_held(system) {
                self.set_poses(system);
                // Impulses on bodies during trials are not known until the final step.
                if let Some(collider) = self.systems[system].as_collider() {
                    collider.meet(&[], &[]);
                }
                let coupling = &mut self.couplings[system];
                coupling.set_pushes(self.pushes.iter().filter(|push| push.system == system).copied());
                coupling.predict(&mut *self.systems[system], dt, steps);
            }
        }
    }

    /// Whether a point is more than `most` (m) from its predicted position at the end of the frame, under the
    /// forces (N) that `force` gives for each point. The systems are stepped and restored; those with errors
    /// are kept for [`repredict`](Self::repredict).
    pub fn is_mispredicted(
        &mut self,
        dt: f64,
        most: f64,
        force: impl Fn(&HeldPoint) -> Vector3<f64>,
    ) -> bool {
        let mut is_off = false;
        for (coupling, system) in held(&mut self.couplings, &mut self.systems) {
            coupling.set_forces(&force);
            is_off |= coupling.is_mispredicted(system, dt, most);
        }
        is_off
    }

    /// Repeats the prediction of systems that were last found mispredicted, about these forces or on the way
    /// to them.
    pub fn repredict(&mut self, dt: f64, force: impl Fn(&HeldPoint) -> Vector3<f64>) {
        let steps = self.steps(dt);
        for (coupling, system) in held(&mut self.couplings, &mut self.systems) {
            coupling.set_forces(&force);
            coupling.repredict(system, dt, steps);
        }
    }

    /// Steps held systems through a frame of `dt` seconds, under the forces (N) that `force` gives for each
    /// point, and records the prediction errors. The held points remain until the next frame.
    pub fn step_held(&mut self, dt: f64, force: impl Fn(&HeldPoint) -> Vector3<f64>) {
        for system in 0..self.systems.len() {
            if self.is_held(system) {
                let coupling = &mut self.couplings[system];
                coupling.set_forces(&force);
                self.status[system] = coupling.step(&mut *self.systems[system], dt);
                self.keep_late_hits(system);
            }
        }
    }
}

/// The systems with held points.
fn held<'a>(
    couplings: &'a mut [HeldPoints],
    systems: &'a mut [Box<dyn PassiveSystem>],
) -> impl Iterator<Item = (&'a mut HeldPoints, &'a mut dyn PassiveSystem)> {
    let all = couplings.iter_mut().zip(systems);
    all.filter(|(coupling, _)| coupling.is_held()).map(|(coupling, system)| (coupling, &mut **system as _))
}
