//! Persistence of contacts from step to step.

use crate::articulated::{ArticulatedWorld, SolidContact};

/// Distance within which one contact can replace another, as a share of the smaller solid.
const NEAR: f64 = 0.02;

impl ArticulatedWorld {
    /// Makes new contacts from the present contact points, with the memory of previous ones.
    #[doc(alias = "warm start")]
    pub(super) fn renew_contacts(&mut self) {
        std::mem::swap(&mut self.contacts, &mut self.contacts_before);
        self.contacts.clear();
        for touch in self.collision.touches() {
            let [a, b] = [touch.key[0], touch.key[1]].map(|solid| self.collision.solid(solid));
            let friction = match (a.rules_friction, b.rules_friction) {
                (true, false) => a.friction,
                (false, true) => b.friction,
                _ => a.friction.max(b.friction),
            };
            let restitution = a.restitution.max(b.restitution);
            let (mut owners, mut touch) = ([a.owner, b.owner], *touch);
            // An owner that is not free is listed second.
            if a.owner.free_body().is_none() {
                owners.swap(0, 1);
                touch.normal = -touch.normal;
            }
            let mut contact = SolidContact::new(touch, owners, friction, restitution);
            if let Ok(at) = self.contacts_before.binary_search_by_key(&touch.key, |before| before.touch.key) {
                contact.save(&self.contacts_before[at]);
            }
            self.contacts.push(contact);
        }
        self.inherit();
    }

    /// Features of the geometry library appear and disappear by rounding where faces meet: the nearest new
    /// contact of the same two solids inherits the force of one that has ended.
    fn inherit(&mut self) {
        let ArticulatedWorld { contacts, contacts_before, collision, .. } = self;
        for gone in contacts_before.iter().filter(|gone| gone.components[0] > 0.0 || gone.guess[0] > 0.0) {
            let key = gone.touch.key;
            if contacts.binary_search_by_key(&key, |contact| contact.touch.key).is_ok() {
                continue;
            }
            let pair = |contact: &SolidContact| [contact.touch.key[0], contact.touch.key[1]];
            let first = contacts.partition_point(|contact| pair(contact) < [key[0], key[1]]);
            let apart = |contact: &SolidContact| (contact.touch.point - gone.touch.point).norm_squared();
            let same = contacts[first..].iter_mut().take_while(|contact| pair(contact) == [key[0], key[1]]);
            let heir = same.min_by(|a, b| apart(a).total_cmp(&apart(b)));
            let near = NEAR * collision.solid(key[0]).reach.min(collision.solid(key[1]).reach);
            if let Some(heir) = heir.filter(|heir| apart(heir) <= near * near) {
                heir.take_over(gone);
            }
        }
    }

    pub(super) fn find_contacts(&mut self) {
        self.collision.update(self.margin(), self.settings.self_contact);
        self.renew_contacts();
    }

    pub(super) fn contact_before(&self, key: &[u32; 3]) -> Option<&SolidContact> {
        let at = self.contacts.binary_search_by_key(key, |contact| contact.touch.key).ok()?;
        Some(&self.contacts[at])
    }
}
