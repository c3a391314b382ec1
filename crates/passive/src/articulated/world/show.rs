//! The bodies of an articulated world as particles and chains collide with them.

use crate::PartId;
use crate::articulated::collision::{CollisionSolid, SolidOwner};
use crate::articulated::{Articulated, ArticulatedWorld};
use crate::encounter::{Encounters, Mobility, MovingBody};
use crate::obstacle::Obstacle;
use aplomb_body::dynamics::Kinematics;
use aplomb_body::model::{self, BodyId};
use aplomb_math::geometry::{Swept, WorldShape, ellipsoid_as_capsule};
use aplomb_math::spatial::Force;
use nalgebra::{Matrix6, Rotation3, UnitQuaternion, Vector3};

impl ArticulatedWorld {
    /// Adds its free bodies with shapes, except those of characters. Their mobility is that of their trees
    /// with all joints free, without springs and contacts.
    pub(super) fn show_bodies(&mut self, number: usize, encounters: &mut Encounters) {
        let mut last = None;
        let mut prepared = None;
        for index in 0..self.collision.solids.len() {
            let SolidOwner::Body { system, body, .. } = self.collision.solids[index].owner else { continue };
            if self.character_of(system).is_some() {
                continue;
            }
            if prepared != Some(system) {
                self.systems[system].prepare(0.0);
                prepared = Some(system);
            }
            if last != Some((system, body)) {
                last = Some((system, body));
                let part = PartId(self.first_part(system).0 + body.0);
                let mobility = self.systems[system].mobility(body, &mut self.path);
                encounters.bodies.push(MovingBody { system: number, part, mobility });
            }
            let kinematics = &self.systems[system].kinematics;
            let obstacle = obstacle(&self.collision.solids[index], kinematics, body);
            encounters.solids.push((obstacle, encounters.bodies.len() - 1));
        }
    }
}

impl Articulated {
    /// Response of a body to impulses, with the factors of M from [`Articulated::prepare`]; `path` is scratch
    /// memory.
    fn mobility(&self, body: BodyId, path: &mut Vec<f64>) -> Mobility {
        let about = self.kinematics.position[body.0];
        let depth = self.depth(body);
        path.resize(6 * depth, 0.0);
        for (k, row) in path.chunks_mut(depth.max(1)).enumerate().take(6) {
            let unit = Vector3::ith(k % 3, 1.0);
            let [moment, force] = if k < 3 { [unit, Vector3::zeros()] } else { [Vector3::zeros(), unit] };
            self.spread(body, &Force::at_point(&about, force, moment), row);
        }
        let inverse_inertia =
            Matrix6::from_fn(|i, j| (0..depth).map(|k| path[i * depth + k] * path[j * depth + k]).sum());
        Mobility { about, inverse_inertia }
    }

    /// Mass that a force along `direction` at a point of a body moves, kg: 1/(J M⁻¹ Jᵀ), with all joints free and the
    /// factors of M from [`Articulated::prepare`]; `path` is scratch memory.
    #[doc(alias = "apparent mass")]
    pub(super) fn effective_mass(
        &self,
        body: BodyId,
        point: &Vector3<f64>,
        direction: &Vector3<f64>,
        path: &mut Vec<f64>,
    ) -> f64 {
        path.clear();
        path.resize(self.depth(body), 0.0);
        self.spread(body, &Force::at_point(point, *direction, Vector3::zeros()), path);
        1.0 / path.iter().map(|y| y * y).sum::<f64>()
    }

    /// y = D^(−½) L⁻¹ Jᵀ f on the path from the world to the body, with M = Lᵀ D L: the product of two such y is that
    /// of two forces with M⁻¹ between them.
    fn spread(&self, body: BodyId, force: &Force, path: &mut [f64]) {
        self.factors.push_body(&self.model, &self.kinematics, body, force, path);
        let mut next = self.model.bodies[body.0].last_dof;
        for y in path.iter_mut().rev() {
            let Some(j) = next else { break };
            *y *= self.factors.inverse_pivots()[j].sqrt();
            next = self.model.dof_parent[j];
        }
    }
}

fn obstacle(solid: &CollisionSolid, kinematics: &Kinematics, body: BodyId) -> Obstacle {
    let (center, turn) = (solid.position, solid.rotation);
    let along = |half_length: f64| half_length * turn.column(2);
    let shape = match solid.shape {
        model::Shape::Sphere { radius } => WorldShape::Sphere { center, radius },
        // A cylinder is approximated by the capsule around it.
        model::Shape::Capsule { radius, half_length } | model::Shape::Cylinder { radius, half_length } => {
            WorldShape::Capsule { ends: [center - along(half_length), center + along(half_length)], radius }
        }
        model::Shape::Box { half_lengths } => {
            let orientation = UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(turn));
            WorldShape::Cuboid { center, orientation, half: half_lengths }
        }
        // A mesh is approximated by the box around its hull.
        model::Shape::Hull(ref hull) => {
            let orientation = UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(turn));
            WorldShape::Cuboid { center, orientation, half: hull.half_lengths() }
        }
        model::Shape::Ellipsoid { radii } => {
            let Swept { half, radius } = ellipsoid_as_capsule(&radii);
            let half = turn * half;
            WorldShape::Capsule { ends: [center - half, center + half], radius }
        }
        model::Shape::Plane | model::Shape::Field(_) => WorldShape::Empty,
    };
    let motion = &kinematics.velocity[body.0];
    let velocity = motion.velocity_at(&Vector3::zeros());
    Obstacle { shape, friction: solid.friction, velocity, spin: motion.angular }
}
