//! A body among the others that is moved from outside, as long as it is not limp.

use super::collision::Owner;
use super::{Articulated, Contact, Limit, World};
use crate::math::spatial::Force;
use crate::model::{BodyId, JointKind};
use crate::passive::{GuestTouch, Hit, PartId};
use nalgebra::Vector3;

/// The guest of a world, and what happened to it since it was last asked.
#[derive(Clone, Debug)]
pub struct Guest {
    pub(super) system: usize,
    /// Whether it moves by its own dynamics.
    pub(super) limp: bool,
    first_solid: usize,
    /// Its turning joints without damping.
    undamped: Vec<usize>,
    hits: Vec<Hit>,
    touches: Vec<GuestTouch>,
    /// Impulse of its stops by velocity coordinate.
    stops: Vec<f64>,
}

impl Guest {
    pub fn hits(&self) -> &[Hit] {
        &self.hits
    }

    pub fn touches(&self) -> &[GuestTouch] {
        &self.touches
    }

    pub fn stops(&self) -> &[f64] {
        &self.stops
    }

    pub fn forget(&mut self) {
        self.hits.clear();
        self.touches.clear();
        self.stops.fill(0.0);
    }

    /// Adds to what one of its bodies received from the system that begins with a part.
    fn receive(&mut self, part: PartId, body: BodyId, point: &Vector3<f64>, received: Force) {
        let size = received.force.norm();
        match self.hits.iter_mut().find(|hit| hit.part == part && hit.body == body) {
            Some(hit) => {
                hit.impulse += received;
                hit.size += size;
                if hit.size > 0.0 {
                    hit.point += (point - hit.point) * (size / hit.size);
                }
            }
            None => self.hits.push(Hit { part, body, impulse: received, point: *point, size }),
        }
    }

    /// Adds to what one of its bodies received from a surface.
    fn rest(&mut self, body: BodyId, surface: usize, contact: &Contact, impulse: &Vector3<f64>, slip: f64) {
        let (touch, size) = (&contact.touch, impulse.norm());
        let at = match self.touches.binary_search_by_key(&touch.key, |known| known.key) {
            Ok(at) => at,
            Err(at) => {
                let new = GuestTouch {
                    key: touch.key,
                    body,
                    surface,
                    point: touch.point,
                    normal: touch.normal,
                    impulse: Vector3::zeros(),
                    size: 0.0,
                    friction: contact.friction,
                    gap: touch.gap,
                    slip: 0.0,
                };
                self.touches.insert(at, new);
                at
            }
        };
        let known = &mut self.touches[at];
        known.impulse += impulse;
        known.size += size;
        if known.size > 0.0 {
            known.point += (touch.point - known.point) * (size / known.size);
        }
        (known.normal, known.slip) = (touch.normal, known.slip.max(slip));
    }

    /// Adds what the stops of its joints give it, if it is limp.
    pub(super) fn stop(
        &mut self,
        limits: &[Limit],
        systems: &[Articulated],
        impulse: impl Fn(&Limit) -> f64,
    ) {
        for limit in limits.iter().filter(|limit| self.limp && limit.system == self.system) {
            let size = impulse(limit);
            if size != 0.0 {
                let (first, weights) = limit.direction(&systems[limit.system]);
                let stops = self.stops[first..].iter_mut();
                stops.zip(weights.iter()).for_each(|(stop, weight)| *stop += weight * size);
            }
        }
    }
}

impl World {
    /// Adds a body that moves as it is told ([`PassiveSystem::guide`](crate::passive::PassiveSystem::guide)). What
    /// it runs into is moved as if it were limp; what that does to it in turn is told by its hits.
    pub fn add_guest(&mut self, mut guest: Articulated) {
        guest.guided = true;
        let turning = |kind: &JointKind| matches!(kind, JointKind::Hinge { .. } | JointKind::Ball);
        let joints = guest.model.joints.iter().enumerate();
        let undamped = joints.filter(|(_, joint)| turning(&joint.kind) && joint.damping == 0.0);
        self.guest = Some(Guest {
            system: self.systems.len(),
            limp: false,
            first_solid: self.collision.solids.len(),
            undamped: undamped.map(|(index, _)| index).collect(),
            hits: Vec::new(),
            touches: Vec::new(),
            stops: vec![0.0; guest.model.nv],
        });
        self.take_in(guest);
    }

    pub(super) fn is_guest(&self, system: usize) -> bool {
        self.guest.as_ref().is_some_and(|guest| guest.system == system)
    }

    /// Takes the guest back if it was let go, and puts it where it is said to be.
    pub(super) fn guide_guest(&mut self, q: &[f64], v: &[f64]) {
        let Some(guest) = &mut self.guest else { return };
        guest.forget();
        let (system, was_limp) = (guest.system, std::mem::replace(&mut guest.limp, false));
        if was_limp {
            self.limits.retain(|limit| limit.system != system);
            self.systems[system].guided = true;
            self.own_guest(|system, body, _| Owner::Guided { system, body });
        }
        let state = &mut self.systems[system].state;
        state.q.copy_from_slice(q);
        state.v.copy_from_slice(v);
        self.systems[system].refresh();
        self.place_solids();
        self.find_contacts();
    }

    /// Lets the guest fall. Where its bodies overlap at this moment they may do so ever after.
    pub(super) fn let_guest_go(&mut self, damping: f64) -> bool {
        let Some(guest) = &mut self.guest else { return false };
        guest.limp = true;
        let (system, first_solid) = (guest.system, guest.first_solid);
        let of = &mut self.systems[system];
        of.guided = false;
        of.torque.fill(0.0);
        for joint in &guest.undamped {
            of.model.joints[*joint].damping = damping;
        }
        self.limits.extend(Limit::of(system, &of.model));
        self.own_guest(|system, body, of| Owner::Body {
            system,
            body,
            parent: of.model.bodies[body.0].parent,
            root: of.root(body),
        });
        self.ignore_overlaps_of(first_solid);
        self.find_contacts();
        self.measure_limits();
        true
    }

    fn own_guest(&mut self, owner: impl Fn(usize, BodyId, &Articulated) -> Owner) {
        for solid in &mut self.collision.solids {
            if let Some((system, body)) = solid.owner.body()
                && self.guest.as_ref().is_some_and(|guest| guest.system == system)
            {
                solid.owner = owner(system, body, &self.systems[system]);
            }
        }
    }

    /// Books the counterpart of an impulse on the first owner of a contact: with a second that is not free, and
    /// with the guest whichever it is.
    pub(super) fn hand_over(&mut self, contact: &Contact, impulse: &Vector3<f64>) {
        let point = &contact.touch.point;
        let given = Force::at_point(point, *impulse, Vector3::zeros());
        let taken = Force::at_point(point, -impulse, Vector3::zeros());
        if let Owner::Surface(surface) = contact.owners[1] {
            self.surfaces[surface].received += taken;
        }
        let Some(own) = self.guest.as_ref().map(|guest| guest.system) else { return };
        let bodies = contact.owners.map(|owner| owner.body());
        match (bodies, contact.owners[1]) {
            ([Some((system, body)), None], Owner::Surface(surface)) if system == own => {
                let velocity = self.approach(contact);
                let slip = velocity - contact.touch.normal * contact.touch.normal.dot(&velocity);
                if let Some(guest) = &mut self.guest {
                    guest.rest(body, surface, contact, impulse, slip.norm());
                }
            }
            ([Some((first, of_first)), Some((second, of_second))], _) if first != second => {
                let (other, body, received) = match (first == own, second == own) {
                    (true, _) => (second, of_first, given),
                    (_, true) => (first, of_second, taken),
                    _ => return,
                };
                let part = self.first_part(other);
                if let Some(guest) = &mut self.guest {
                    guest.receive(part, body, point, received);
                }
            }
            _ => {}
        }
    }
}
