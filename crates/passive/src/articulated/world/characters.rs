//! The characters of a world: their poses, the impulses they receive, and whether they are dynamic.

use crate::articulated::character::WorldCharacter;
use crate::articulated::collision::SolidOwner;
use crate::articulated::{
    Articulated, ArticulatedWorld, JointCoupling, JointDryFriction, JointLimit, SolidContact,
};
use crate::{Hit, KinematicCharacter, KinematicColliders, KinematicPose, Ragdoll, RagdollHost, Striker};
use aplomb_body::contact;
use aplomb_body::model::BodyId;
use aplomb_math::spatial::Force;
use nalgebra::Vector3;

impl ArticulatedWorld {
    /// Adds a kinematic character ([`KinematicColliders::set_poses`]), and returns its index among the
    /// characters. Objects collide with it as if it were free; the opposite impulses are reported as hits.
    pub(crate) fn take_character(&mut self, mut character: Articulated) -> usize {
        character.is_kinematic = true;
        self.characters.push(WorldCharacter::new(self.systems.len(), &character));
        self.take_in(character);
        self.characters.len() - 1
    }

    /// The character that a system belongs to.
    pub(super) fn character_of(&self, system: usize) -> Option<usize> {
        self.characters.iter().position(|character| character.system == system)
    }

    fn own_character(&mut self, index: usize, owner: impl Fn(usize, BodyId, &Articulated) -> SolidOwner) {
        let own = self.characters[index].system;
        for solid in &mut self.collision.solids {
            if let Some((system, body)) = solid.owner.body()
                && system == own
            {
                solid.owner = owner(system, body, &self.systems[system]);
            }
        }
    }

    /// Adds an impulse on a body of a character.
    fn add_hit(
        &mut self,
        (character, body): (usize, BodyId),
        by: Striker,
        point: &Vector3<f64>,
        received: Force,
    ) {
        let size = received.force.norm();
        let same = |hit: &&mut Hit| hit.by == by && hit.body == body && hit.character == character;
        match self.hits.iter_mut().find(same) {
            Some(hit) => {
                hit.impulse += received;
                hit.size += size;
                if hit.size > 0.0 {
                    hit.point += (point - hit.point) * (size / hit.size);
                }
            }
            None => self.hits.push(Hit { character, body, by, impulse: received, point: *point, size }),
        }
    }

    /// Records the opposite of an impulse on the first owner of a contact: for a second owner that is not
    /// free, and for characters in any case.
    pub(super) fn hand_over(&mut self, contact: &SolidContact, impulse: &Vector3<f64>) {
        let point = &contact.touch.point;
        let given = Force::at_point(point, *impulse, Vector3::zeros());
        let taken = Force::at_point(point, -impulse, Vector3::zeros());
        if let SolidOwner::Surface(surface) = contact.owners[1] {
            self.surfaces[surface].received += taken;
        }
        if self.characters.is_empty() {
            return;
        }
        let bodies = contact.owners.map(|owner| owner.body());
        match (bodies, contact.owners[1]) {
            ([Some((system, body)), None], SolidOwner::Surface(surface)) => {
                let Some(character) = self.character_of(system) else { return };
                let velocity = self.approach(contact);
                let slip = velocity - contact.touch.normal * contact.touch.normal.dot(&velocity);
                self.characters[character].rest(body, surface, contact, impulse, slip.norm());
            }
            ([Some((first, of_first)), Some((second, of_second))], _) if first != second => {
                let striker = |system: usize, character: Option<usize>| {
                    character.map_or_else(|| Striker::Part(self.first_part(system)), Striker::Character)
                };
                let [first_character, second_character] =
                    [first, second].map(|system| self.character_of(system));
                let (by_second, by_first) =
                    (striker(second, second_character), striker(first, first_character));
                if let Some(character) = first_character {
                    self.add_hit((character, of_first), by_second, point, given);
                }
                if let Some(character) = second_character {
                    self.add_hit((character, of_second), by_first, point, taken);
                }
            }
            _ => {}
        }
    }
}

impl KinematicColliders for ArticulatedWorld {
    fn set_surface(&mut self, index: usize, surface: &contact::Surface) {
        self.carry_surface(index, surface.clone());
    }

    fn set_poses(&mut self, poses: &[KinematicPose]) {
        if self.characters.is_empty() {
            return;
        }
        self.clear_hits();
        let ArticulatedWorld { characters, systems, .. } = self;
        for (character, pose) in characters.iter().zip(poses).filter(|(character, _)| !character.is_dynamic) {
            let system = &mut systems[character.system];
            system.state.q.copy_from_slice(&pose.q);
            system.state.v.copy_from_slice(&pose.v);
            system.refresh();
        }
        self.place_solids();
        self.find_contacts();
    }

    fn add_character(&mut self, character: &KinematicCharacter<'_>) {
        let mut model = character.model.clone();
        model.geoms.retain(|geom| geom.body.is_some());
        self.take_character(Articulated::new(model, character.q.to_vec()));
    }

    fn hits(&self) -> &[Hit] {
        &self.hits
    }

    fn clear_hits(&mut self) {
        self.hits.clear();
        self.characters.iter_mut().for_each(WorldCharacter::clear);
    }
}

impl RagdollHost for ArticulatedWorld {
    /// Bodies of the ragdoll that overlap at this time, with each other or with those of other characters, may always
    /// overlap.
    fn make_dynamic(&mut self, character: usize, damping: f64) -> bool {
        let Some(own) = self.characters.get_mut(character) else { return false };
        let was_dynamic = std::mem::replace(&mut own.is_dynamic, true);
        let system = own.system;
        let of = &mut self.systems[system];
        for joint in &own.undamped {
            of.model.joints[*joint].damping = damping;
        }
        if was_dynamic {
            return true;
        }
        of.is_kinematic = false;
        of.torque.fill(0.0);
        self.limits.extend(JointLimit::of(system, &of.model));
        self.dry_friction.extend(JointDryFriction::of(system, &of.model));
        self.couplings.extend(JointCoupling::of(system, &of.model));
        self.own_character(character, |system, body, of| SolidOwner::Body {
            system,
            body,
            parent: of.model.bodies[body.0].parent,
            root: of.root(body),
        });
        let characters = std::mem::take(&mut self.characters);
        let is_character = |owner: &SolidOwner| {
            let system = owner.body().map(|(system, _)| system);
            characters.iter().any(|character| Some(character.system) == system)
        };
        self.ignore_overlaps(|solids| {
            solids.iter().all(|solid| is_character(&solid.owner))
                && solids.iter().any(|solid| solid.owner.body().is_some_and(|(of, _)| of == system))
        });
        self.characters = characters;
        self.find_contacts();
        self.measure_limits();
        true
    }

    fn make_kinematic(&mut self, character: usize) {
        let Some(own) = self.characters.get_mut(character).filter(|own| own.is_dynamic) else { return };
        own.is_dynamic = false;
        let system = own.system;
        self.limits.retain(|limit| limit.system != system);
        self.dry_friction.retain(|joint| joint.system != system);
        self.couplings.retain(|joint| joint.system != system);
        self.systems[system].is_kinematic = true;
        self.own_character(character, |system, body, _| SolidOwner::Kinematic { system, body });
    }

    fn ragdoll(&self, character: usize) -> Option<Ragdoll<'_>> {
        let character = self.characters.get(character).filter(|character| character.is_dynamic)?;
        let Articulated { state, torque, .. } = &self.systems[character.system];
        let (contacts, limits) = (&character.contacts, &character.limits);
        Some(Ragdoll { q: &state.q, v: &state.v, contacts, limits, torque })
    }

    fn drive_ragdoll(&mut self, character: usize, torque: &[f64]) {
        if let Some(character) = self.characters.get(character).filter(|character| character.is_dynamic) {
            self.systems[character.system].torque.copy_from_slice(torque);
        }
    }

    fn apply_to_ragdoll(&mut self, character: usize, body: BodyId, force: &Force) {
        if let Some(character) = self.characters.get(character).filter(|character| character.is_dynamic) {
            self.systems[character.system].external[body.0] += *force;
        }
    }
}
