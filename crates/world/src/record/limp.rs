//! Records of ragdoll frames.

use super::{Recorder, pressed_at, resize, set};
use crate::character::Character;
use aplomb_body::contact::STATIC_SLIP;
use aplomb_control::predict::ExternalForce;
use aplomb_passive::{Ragdoll, StepStatus};
use aplomb_trace::{CharacterFrame, ContactKind, Outcome};

impl Recorder {
    /// Adds the contacts and forces of a ragdoll's frame; forces are impulses over the frame's length.
    pub(crate) fn limp<'e>(
        &mut self,
        frame: &mut CharacterFrame,
        character: &Character,
        ragdoll: &Ragdoll<'_>,
        fate: StepStatus,
        external: impl Iterator<Item = (&'e str, ExternalForce)> + Clone,
    ) {
        let Character { model, objectives, followed, measured, .. } = character;
        frame.outcome = match fate {
            StepStatus::Solved | StepStatus::Approximate => Outcome::Limp,
            StepStatus::Failed => Outcome::Failed {
                reason: "the forward dynamics diverged (NaN or infinite)".into(),
                rows: Vec::new(),
            },
        };
        (frame.iterations, frame.parted, frame.turned) = (0, 0, 0);
        frame.solve_events.clear();
        frame.conflict.clear();
        for numbers in [&mut frame.costs, &mut frame.weights] {
            numbers.clear();
            numbers.resize(objectives.len(), 0.0);
        }
        self.external(frame, model, external);
        frame.distances.clear();
        frame.distances.resize(followed.len(), None);
        for numbers in [&mut frame.targets, &mut frame.actuals] {
            numbers.clear();
            numbers.resize(measured.len(), None);
        }
        frame.torque.clear();
        frame.torque.extend_from_slice(ragdoll.torque);
        frame.stop_reaction.clear();
        let dt = character.snapshot.scales.dt;
        frame.stop_reaction.extend(ragdoll.limits.iter().map(|impulse| impulse / dt));
        frame.coupling_reaction.clear();
        frame.dry_friction.clear();
        frame.self_contacts.clear();
        self.ragdoll_contacts(frame, character, ragdoll);
    }

    /// Records the contacts of a ragdoll, and the centre of pressure under them.
    fn ragdoll_contacts(&mut self, frame: &mut CharacterFrame, character: &Character, ragdoll: &Ragdoll<'_>) {
        let Character { model, snapshot, .. } = character;
        resize(&mut frame.contacts, &mut self.spare_contacts, ragdoll.contacts.len());
        for (record, touch) in frame.contacts.iter_mut().zip(ragdoll.contacts) {
            let force = touch.impulse / snapshot.scales.dt;
            set(&mut record.name, &model.bodies[touch.body.0].name);
            set(&mut record.body, &model.bodies[touch.body.0].name);
            set(&mut record.surface, &snapshot.contacts.surface(touch.surface).name);
            (record.point, record.normal) = (touch.point.into(), touch.normal.into());
            (record.force, record.friction) = (force.into(), touch.friction);
            record.kind = if touch.slip > STATIC_SLIP { ContactKind::Dynamic } else { ContactKind::Static };
            record.gap = touch.gap;
        }
        frame.centre_of_pressure = pressed_at(&frame.contacts, snapshot);
    }
}
