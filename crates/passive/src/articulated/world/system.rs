//! The world of articulated bodies as a passive system.

use crate::articulated::collision::SolidOwner;
use crate::articulated::{Articulated, ArticulatedWorld, ConstraintJacobian};
use crate::encounter::Encounters;
use crate::{
    ArticulatedHost, Energy, Holdable, KinematicColliders, Other, Outline, Part, PartId, PassiveSystem,
    PassiveTouch, RagdollHost, RigidBodies, SolverStats, StepStatus, Switchable,
};
use aplomb_body::model::{BodyId, Geom};
use aplomb_math::spatial::Force;
use nalgebra::{Rotation3, UnitQuaternion, Vector3};
use std::ops::Range;

impl PassiveSystem for ArticulatedWorld {
    fn time(&self) -> f64 {
        self.time
    }

    fn step(&mut self, dt: f64) -> StepStatus {
        self.advance(dt)
    }

    fn parts(&self) -> usize {
        self.parts.len()
    }

    fn part(&self, part: PartId) -> Part {
        let (system, body) = self.parts[part.0];
        let kinematics = &self.systems[system].kinematics;
        let position = kinematics.position[body.0];
        let rotation = Rotation3::from_matrix_unchecked(kinematics.rotation[body.0]);
        Part {
            position,
            orientation: UnitQuaternion::from_rotation_matrix(&rotation),
            velocity: kinematics.point_velocity(body, &position),
            angular_velocity: kinematics.velocity[body.0].angular,
        }
    }

    fn apply_force(&mut self, part: PartId, point: &Vector3<f64>, force: &Vector3<f64>) {
        let (system, body) = self.parts[part.0];
        self.systems[system].external[body.0] += Force::at_point(point, *force, Vector3::zeros());
    }

    fn apply_impulse(&mut self, part: PartId, point: &Vector3<f64>, impulse: &Vector3<f64>) {
        let (system, body) = self.parts[part.0];
        let impulse = ConstraintJacobian::Point { body, point: *point, direction: *impulse };
        impulse.strike(&mut self.systems[system]);
    }

    fn stretch(&self, _parts: Range<usize>) -> f64 {
        0.0
    }

    fn solver_stats(&self) -> SolverStats {
        SolverStats { iterations: self.report.iterations, residual: self.report.residual }
    }

    fn energy(&self, parts: Range<usize>) -> Energy {
        self.systems_of(parts).fold(Energy::default(), |sum, system| {
            let energy = system.energy(&self.gravity);
            Energy { kinetic: sum.kinetic + energy.kinetic, potential: sum.potential + energy.potential }
        })
    }

    fn momentum(&self, parts: Range<usize>) -> Force {
        self.systems_of(parts).map(Articulated::momentum).sum()
    }

    fn centre_of_mass(&self, parts: Range<usize>) -> (f64, Vector3<f64>) {
        let sum = self.systems_of(parts).fold((0.0, Vector3::zeros()), |(mass, moment), system| {
            let total = &system.kinematics.total_inertia;
            (mass + total.mass, moment + total.first_moment)
        });
        (sum.0, if sum.0 > 0.0 { sum.1 / sum.0 } else { Vector3::zeros() })
    }

    fn outline(&self) -> Vec<Outline> {
        let of_part = |(index, (system, body)): (usize, &(usize, BodyId))| {
            let geoms = self.systems[*system].model.geoms.iter().filter(|geom| geom.body == Some(*body));
            let solid = |geom: &Geom| Outline::Solid {
                part: PartId(index),
                shape: geom.shape.clone(),
                position: geom.position,
                orientation: geom.orientation,
            };
            geoms.map(solid).collect::<Vec<_>>()
        };
        self.parts.iter().enumerate().flat_map(of_part).collect()
    }

    fn each_touch(&self, each: &mut dyn FnMut(&PassiveTouch)) {
        let part = |owner: &SolidOwner| {
            let (system, body) =
                owner.free_body().filter(|(system, _)| self.character_of(*system).is_none())?;
            Some(PartId(self.first_part(system).0 + body.0))
        };
        for contact in self.contacts.iter().filter(|contact| contact.components[0] > 0.0) {
            let [first, second] = contact.owners;
            // A ragdoll is not a part; the object that touches it is.
            let (on, from, sign) = match (part(&first), part(&second)) {
                (Some(on), _) => (on, second, 1.0),
                (None, Some(on)) => (on, first, -1.0),
                (None, None) => continue,
            };
            let other = match from {
                SolidOwner::Surface(surface) => Other::Scenery(surface),
                SolidOwner::Body { system, body, .. } | SolidOwner::Kinematic { system, body } => {
                    match self.character_of(system) {
                        Some(character) => Other::Character(character, body),
                        None => Other::Part(PartId(self.first_part(system).0 + body.0)),
                    }
                }
            };
            each(&PassiveTouch {
                part: on,
                other,
                point: contact.touch.point,
                normal: contact.touch.normal * sign,
                force: contact.force() * sign,
            });
        }
    }

    fn as_switchable(&mut self) -> Option<&mut dyn Switchable> {
        Some(self)
    }

    fn as_bodies(&mut self) -> Option<&mut dyn RigidBodies> {
        Some(self)
    }

    fn holdable(&mut self) -> Option<&mut dyn Holdable> {
        Some(self)
    }

    fn colliders(&self) -> Option<&dyn KinematicColliders> {
        Some(self)
    }

    fn colliders_mut(&mut self) -> Option<&mut dyn KinematicColliders> {
        Some(self)
    }

    fn as_articulated(&mut self) -> Option<&mut dyn ArticulatedHost> {
        Some(self)
    }

    fn ragdolls(&self) -> Option<&dyn RagdollHost> {
        Some(self)
    }

    fn ragdolls_mut(&mut self) -> Option<&mut dyn RagdollHost> {
        Some(self)
    }
}

impl RigidBodies for ArticulatedWorld {
    fn show(&mut self, number: usize, encounters: &mut Encounters) {
        self.show_bodies(number, encounters);
    }

    fn apply_wrench(&mut self, part: PartId, wrench: &Force) {
        let (system, body) = self.parts[part.0];
        let system = &mut self.systems[system];
        system.external[body.0] += *wrench;
        system.pushed |= *wrench != Force::default();
    }
}

impl ArticulatedHost for ArticulatedWorld {
    fn add_object(&mut self, object: Articulated) -> Range<usize> {
        let first = self.parts.len();
        self.add(object);
        first..self.parts.len()
    }
}
