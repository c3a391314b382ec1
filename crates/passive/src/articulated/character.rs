//! Characters in an articulated world: kinematic, or dynamic as ragdolls.

use super::{Articulated, JointLimit, SolidContact};
use crate::RagdollContact;
use aplomb_body::model::{BodyId, JointKind};
use nalgebra::Vector3;

/// A character of a world, with the impulses it received since hits were last cleared.
#[derive(Clone, Debug)]
pub(super) struct WorldCharacter {
    pub(super) system: usize,
    /// Whether the character is a ragdoll, moved by its own dynamics.
    pub(super) is_dynamic: bool,
    /// Its rotational joints without damping.
    pub(super) undamped: Vec<usize>,
    pub(super) contacts: Vec<RagdollContact>,
    /// Impulses of its joint limits by velocity coordinate.
    pub(super) limits: Vec<f64>,
}

impl WorldCharacter {
    /// A kinematic character, the system of this index.
    pub(super) fn new(system: usize, of: &Articulated) -> Self {
        let turning = |kind: &JointKind| matches!(kind, JointKind::Hinge { .. } | JointKind::Ball);
        let joints = of.model.joints.iter().enumerate();
        let undamped = joints.filter(|(_, joint)| turning(&joint.kind) && joint.damping == 0.0);
        WorldCharacter {
            system,
            is_dynamic: false,
            undamped: undamped.map(|(index, _)| index).collect(),
            contacts: Vec::new(),
            limits: vec![0.0; of.model.nv],
        }
    }

    pub(super) fn clear(&mut self) {
        self.contacts.clear();
        self.limits.fill(0.0);
    }

    /// Adds an impulse that one of its bodies received from a surface.
    pub(super) fn rest(
        &mut self,
        body: BodyId,
        surface: usize,
        contact: &SolidContact,
        impulse: &Vector3<f64>,
        slip: f64,
    ) {
        let (touch, size) = (&contact.touch, impulse.norm());
        let at = match self.contacts.binary_search_by_key(&touch.key, |known| known.key) {
            Ok(at) => at,
            Err(at) => {
                let new = RagdollContact {
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
                self.contacts.insert(at, new);
                at
            }
        };
        let known = &mut self.contacts[at];
        known.impulse += impulse;
        known.size += size;
        if known.size > 0.0 {
            known.point += (touch.point - known.point) * (size / known.size);
        }
        (known.normal, known.slip) = (touch.normal, known.slip.max(slip));
    }

    /// Adds the impulses of its joint limits, if it is a ragdoll.
    pub(super) fn add_limits(
        &mut self,
        limits: &[JointLimit],
        systems: &[Articulated],
        impulse: impl Fn(&JointLimit) -> f64,
    ) {
        for limit in limits.iter().filter(|limit| self.is_dynamic && limit.system == self.system) {
            let size = impulse(limit);
            if size != 0.0 {
                let (first, weights) = limit.direction(&systems[limit.system]);
                let sums = self.limits[first..].iter_mut();
                sums.zip(weights.iter()).for_each(|(sum, weight)| *sum += weight * size);
            }
        }
    }
}
