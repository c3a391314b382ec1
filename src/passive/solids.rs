//! What soft things meet: the surfaces of a scene, and the bodies of its guest as they move.

use super::obstacle::{Obstacle, Shape};
use super::{Environment, Hit, Other, PartId};
use crate::contact::{Surface, SurfaceShape};
use crate::dynamics::Kinematics;
use crate::math::spatial::Force;
use crate::model::state;
use crate::model::{self, BodyId, Geom, Model};
use nalgebra::{Rotation3, UnitQuaternion, Vector3};

/// Solids by their number: first the surfaces, then the shapes of the guest.
pub struct Solids {
    scenery: Vec<Obstacle>,
    /// Those of them that move, vanish or appear, by number.
    courses: Vec<(usize, Surface)>,
    guest: Option<Guest>,
    hits: Vec<Hit>,
}

/// A body that moves as it is told.
struct Guest {
    model: Model,
    kinematics: Kinematics,
    /// Indices of its shapes that collide.
    geoms: Vec<usize>,
    q: Vec<f64>,
    v: Vec<f64>,
    displacement: Vec<f64>,
    next_q: Vec<f64>,
}

impl Solids {
    pub fn new(around: &Environment<'_>) -> Self {
        let scenery = around.surfaces.iter().map(of_surface).collect();
        let guest = around.guest.map(|(model, q)| {
            let v = vec![0.0; model.nv];
            let mut kinematics = Kinematics::new(model);
            kinematics.update(model, q, &v);
            let collides = |(_, geom): &(usize, &Geom)| geom.collides && geom.body.is_some();
            Guest {
                kinematics,
                geoms: model.geoms.iter().enumerate().filter(collides).map(|(index, _)| index).collect(),
                q: q.to_vec(),
                displacement: v.clone(),
                next_q: q.to_vec(),
                v,
                model: model.clone(),
            }
        });
        let moving = around.surfaces.iter().enumerate().filter(|(_, surface)| !surface.is_still());
        let courses = moving.map(|(number, surface)| (number, surface.clone())).collect();
        Solids { scenery, courses, guest, hits: Vec::new() }
    }

    /// Puts surfaces that move where they are at `time`, with the velocity that took them there in the last `dt` seconds.
    pub fn carry_surfaces(&mut self, time: f64, dt: f64) {
        for (number, surface) in &mut self.courses {
            surface.advance(time, dt);
            self.scenery[*number] = moving(surface, dt);
        }
    }

    /// Surfaces that move, as they are now, by number.
    pub fn moving_surfaces(&self) -> impl Iterator<Item = (usize, Obstacle)> {
        self.courses.iter().map(|(number, _)| (*number, self.scenery[*number]))
    }

    pub fn len(&self) -> usize {
        self.scenery.len() + self.guest.as_ref().map_or(0, |guest| guest.geoms.len())
    }

    /// Number of the first shape of the guest: those before are surfaces.
    pub fn first_moving(&self) -> usize {
        self.scenery.len()
    }

    /// As it is now.
    pub fn solid(&self, number: usize) -> Option<Obstacle> {
        match number.checked_sub(self.scenery.len()) {
            None => self.scenery.get(number).copied(),
            Some(shape) => {
                let guest = self.guest.as_ref()?;
                guest.solid(*guest.geoms.get(shape)?)
            }
        }
    }

    /// What that belongs to.
    pub fn owner(&self, number: usize) -> Other {
        match (number.checked_sub(self.scenery.len()), &self.guest) {
            (Some(shape), Some(guest)) => guest.body(shape).map_or(Other::Scenery(number), Other::Guest),
            _ => Other::Scenery(number),
        }
    }

    /// As [`super::PassiveSystem::guide`].
    pub fn guide(&mut self, q: &[f64], v: &[f64]) {
        self.hits.clear();
        if let Some(guest) = &mut self.guest {
            guest.q.copy_from_slice(q);
            guest.v.copy_from_slice(v);
            guest.kinematics.update(&guest.model, q, v);
        }
    }

    /// Moves the guest on by `dt` seconds.
    pub fn advance(&mut self, dt: f64) {
        let Some(guest) = &mut self.guest else { return };
        guest
            .displacement
            .iter_mut()
            .zip(&guest.v)
            .for_each(|(displacement, rate)| *displacement = dt * rate);
        state::integrate(&guest.model, &guest.q, &guest.displacement, &mut guest.next_q);
        std::mem::swap(&mut guest.q, &mut guest.next_q);
        guest.kinematics.update(&guest.model, &guest.q, &guest.v);
    }

    /// Adds to what a solid received: impulse and its moment about the world's origin. Only the guest keeps account.
    pub fn receive(&mut self, number: usize, received: Force) {
        let size = received.force.norm();
        let (Other::Guest(body), Some(solid)) = (self.owner(number), self.solid(number)) else { return };
        if size == 0.0 {
            return;
        }
        // Of the line along which the impulse acts, the point nearest to the solid.
        let centre = solid.shape.centre();
        let lever = received.force.cross(&received.moment_about(&centre)) / (size * size);
        let point = centre + lever;
        match self.hits.iter_mut().find(|hit| hit.body == body) {
            Some(hit) => {
                hit.impulse += received;
                hit.size += size;
                hit.point += (point - hit.point) * (size / hit.size);
            }
            None => self.hits.push(Hit { part: PartId(0), body, impulse: received, point, size }),
        }
    }

    pub fn hits(&self) -> &[Hit] {
        &self.hits
    }

    pub fn forget_hits(&mut self) {
        self.hits.clear();
    }
}

impl Guest {
    fn body(&self, shape: usize) -> Option<BodyId> {
        self.model.geoms[*self.geoms.get(shape)?].body
    }

    fn solid(&self, geom: usize) -> Option<Obstacle> {
        let geom = &self.model.geoms[geom];
        let body = geom.body?;
        let position = self.kinematics.point(body, &geom.position);
        let turn = self.kinematics.rotation[body.0] * geom.orientation.to_rotation_matrix().matrix();
        let along = |half_length: f64| half_length * turn.column(2);
        let shape = match geom.shape {
            model::Shape::Sphere { radius } => Shape::Sphere { center: position, radius },
            // A cylinder is felt as the capsule around it.
            model::Shape::Capsule { radius, half_length }
            | model::Shape::Cylinder { radius, half_length } => Shape::Capsule {
                ends: [position - along(half_length), position + along(half_length)],
                radius,
            },
            model::Shape::Box { half_lengths } => {
                let orientation =
                    UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(turn));
                Shape::Cuboid { center: position, orientation, half: half_lengths }
            }
            model::Shape::Plane => return None,
        };
        let motion = &self.kinematics.velocity[body.0];
        let velocity = motion.velocity_at(&Vector3::zeros());
        Some(Obstacle { shape, friction: geom.friction, velocity, spin: motion.angular })
    }
}

fn of_surface(surface: &Surface) -> Obstacle {
    let (position, orientation) = (surface.position, surface.orientation);
    let shape = match surface.shape {
        SurfaceShape::HalfSpace => {
            let normal = orientation * Vector3::z();
            Shape::HalfSpace { normal, offset: normal.dot(&position) }
        }
        SurfaceShape::Box { half_lengths } => {
            Shape::Cuboid { center: position, orientation, half: half_lengths }
        }
    };
    Obstacle::fixed(shape, surface.friction)
}

fn moving(surface: &Surface, dt: f64) -> Obstacle {
    if !surface.present {
        return Obstacle::fixed(Shape::Empty, surface.friction);
    }
    let still = of_surface(surface);
    let (spin, velocity) = surface.motion_here();
    Obstacle { velocity: velocity / dt, spin: spin / dt, ..still }
}
