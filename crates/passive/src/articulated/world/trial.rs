//! Trials of held objects: restoring their state, and ignoring the hands that hold them.

use crate::articulated::ArticulatedWorld;
use crate::articulated::saved::SavedSystem;
use crate::{Holdable, PartId};

impl Holdable for ArticulatedWorld {
    fn save(&mut self) {
        let mut saved = std::mem::take(&mut self.saved);
        saved.time = self.time;
        saved.report = self.report;
        saved.motions.clone_from(&self.motions);
        saved.loops.clone_from(&self.loops);
        saved.limits.clone_from(&self.limits);
        saved.dry_friction.clone_from(&self.dry_friction);
        saved.couplings.clone_from(&self.couplings);
        saved.contacts.clone_from(&self.contacts);
        saved.received.clear();
        saved.received.extend(self.surfaces.iter().map(|surface| surface.received));
        saved.characters.clone_from(&self.characters);
        saved.hits.clone_from(&self.hits);
        saved.systems.resize_with(self.systems.len(), SavedSystem::default);
        for (system, saved) in self.systems.iter().zip(&mut saved.systems) {
            system.save(saved);
        }
        self.saved = saved;
    }

    fn restore(&mut self) {
        let saved = std::mem::take(&mut self.saved);
        self.time = saved.time;
        self.report = saved.report;
        self.motions.clone_from(&saved.motions);
        self.loops.clone_from(&saved.loops);
        self.limits.clone_from(&saved.limits);
        self.dry_friction.clone_from(&saved.dry_friction);
        self.couplings.clone_from(&saved.couplings);
        self.contacts.clone_from(&saved.contacts);
        for (surface, received) in self.surfaces.iter_mut().zip(&saved.received) {
            surface.received = *received;
        }
        self.characters.clone_from(&saved.characters);
        self.hits.clone_from(&saved.hits);
        for (system, saved) in self.systems.iter_mut().zip(&saved.systems) {
            system.restore(saved);
        }
        self.place_solids();
        self.saved = saved;
    }

    /// Rigid bodies respond smoothly at any force.
    fn longest_step(&self, _force: f64) -> f64 {
        f64::INFINITY
    }

    /// One, as for the character.
    fn steps_when_held(&self, _usual: f64) -> f64 {
        1.0
    }

    fn responds_in_pieces(&self) -> bool {
        true
    }

    /// Its system makes a semi-implicit step: the mean velocity over it is that of its end.
    fn touch_part(&mut self, part: PartId) {
        let (system, _) = self.parts[part.0];
        self.systems[system].pushed = true;
    }

    fn ignore_character(&mut self, character: usize, held: &[PartId]) {
        let Some(own) = self.characters.get(character).map(|character| character.system) else { return };
        let held = || held.iter().map(|part| self.parts[part.0].0);
        let mut passing = std::mem::take(&mut self.collision.passing);
        let is_new = |system: &usize| !passing.contains(&[*system, own]);
        let mut taken: Vec<usize> = held().filter(is_new).collect();
        taken.dedup();
        let is_left = |pair: &[usize; 2]| pair[1] == own && held().all(|system| system != pair[0]);
        let left: Vec<[usize; 2]> = passing.iter().copied().filter(is_left).collect();
        passing.extend(taken.into_iter().map(|system| [system, own]));
        if !left.is_empty() {
            // An object that has left the character that released it collides with it again.
            self.collision.update(0.0, self.settings.self_contact);
            passing.retain(|pair| !left.contains(pair) || self.overlaps(*pair));
            self.collision.passing = passing;
            self.find_contacts();
        } else {
            self.collision.passing = passing;
        }
    }
}

impl ArticulatedWorld {
    /// Whether two systems overlap in their present poses.
    fn overlaps(&self, pair: [usize; 2]) -> bool {
        self.collision.touches().iter().any(|touch| {
            let of = |solid: u32| self.collision.solid(solid).owner.body().map(|(system, _)| system);
            let systems = [of(touch.key[0]), of(touch.key[1])];
            touch.gap < 0.0 && pair.iter().all(|system| systems.contains(&Some(*system)))
        })
    }
}
