//! Obstacles of particles and chains: the surfaces of a scene, and the moving bodies of characters.

use super::kinematic::{Hit, KinematicCharacter, KinematicPose, Striker};
use super::obstacle::Obstacle;
use super::{Environment, Other, PartId};
use aplomb_body::contact::{Surface, SurfaceShape};
use aplomb_body::dynamics::Kinematics;
use aplomb_body::model::state;
use aplomb_body::model::{self, Geom, Model};
use aplomb_math::geometry::{Swept, WorldShape, ellipsoid_as_capsule};
use aplomb_math::spatial::Force;
use nalgebra::{Rotation3, UnitQuaternion, Vector3};
use std::ops::Range;

/// Solids by index: first the surfaces, then the shapes of the characters, one character after the other.
#[derive(Clone, Debug)]
pub(crate) struct Solids {
    scenery: Vec<Obstacle>,
    /// Surfaces that move, vanish or appear, by index.
    courses: Vec<(usize, Surface)>,
    characters: Vec<Mover>,
    hits: Vec<Hit>,
}

/// The part of the solids that a step changes.
#[derive(Clone, Debug, Default)]
pub(crate) struct SavedSolids {
    poses: Vec<KinematicPose>,
    hits: Vec<Hit>,
}

/// A kinematic character.
#[derive(Clone, Debug)]
struct Mover {
    model: Model,
    kinematics: Kinematics,
    /// Indices of its colliding shapes in the model.
    geoms: Vec<usize>,
    /// Index of its first shape among the solids.
    first: usize,
    pose: KinematicPose,
    displacement: Vec<f64>,
    next_q: Vec<f64>,
    /// Whether collisions with it are ignored.
    ignored: bool,
}

impl Solids {
    pub(crate) fn new(around: &Environment<'_>) -> Self {
        let scenery: Vec<Obstacle> = around.surfaces.iter().map(of_surface).collect();
        let mut first = scenery.len();
        let mut characters = Vec::new();
        for character in around.characters {
            let mover = Mover::new(character, first);
            first += mover.geoms.len();
            characters.push(mover);
        }
        let moving = around.surfaces.iter().enumerate().filter(|(_, surface)| !surface.is_still());
        let courses = moving.map(|(number, surface)| (number, surface.clone())).collect();
        Solids { scenery, courses, characters, hits: Vec::new() }
    }

    /// Sets moving surfaces to their poses at `time`, with the velocity of their displacement in the last
    /// `dt` seconds.
    pub(crate) fn carry_surfaces(&mut self, time: f64, dt: f64) {
        for (number, surface) in &mut self.courses {
            surface.advance(time, dt);
            self.scenery[*number] = moving(surface, dt);
        }
    }

    /// Replaces the motion of a surface, by its index.
    pub(crate) fn set_surface(&mut self, number: usize, surface: &Surface) {
        match self.courses.iter_mut().find(|(known, _)| *known == number) {
            Some((_, course)) => course.clone_from(surface),
            None if number < self.scenery.len() => self.courses.push((number, surface.clone())),
            None => {}
        }
    }

    /// Moving surfaces in their present poses, by index.
    pub(crate) fn moving_surfaces(&self) -> impl Iterator<Item = (usize, Obstacle)> {
        self.courses.iter().map(|(number, _)| (*number, self.scenery[*number].clone()))
    }

    /// Adds a character after the others, and returns the indices of its shapes.
    pub(crate) fn add_character(&mut self, character: &KinematicCharacter<'_>) -> Range<usize> {
        let first = self.len();
        self.characters.push(Mover::new(character, first));
        first..self.len()
    }

    pub(crate) fn len(&self) -> usize {
        self.scenery.len() + self.characters.iter().map(|mover| mover.geoms.len()).sum::<usize>()
    }

    /// Index of the first shape of a character; solids before it are surfaces.
    pub(crate) fn first_moving(&self) -> usize {
        self.scenery.len()
    }

    /// Indices of the shapes of each character.
    pub(crate) fn groups(&self) -> impl Iterator<Item = Range<usize>> {
        self.characters.iter().map(|mover| mover.first..mover.first + mover.geoms.len())
    }

    /// The solid with that index in its present pose; `None` if there is none.
    pub(crate) fn solid(&self, number: usize) -> Option<Obstacle> {
        match self.mover(number) {
            None => self.scenery.get(number).cloned(),
            Some((_, mover)) => mover.solid(mover.geoms[number - mover.first]),
        }
    }

    /// Calls `each` with the index and present pose of every shape of a character that is not ignored.
    pub(crate) fn each_moving(&self, mut each: impl FnMut(usize, Obstacle)) {
        for mover in self.characters.iter().filter(|mover| !mover.ignored) {
            for (shape, geom) in mover.geoms.iter().enumerate() {
                if let Some(solid) = mover.solid(*geom) {
                    each(mover.first + shape, solid);
                }
            }
        }
    }

    /// All solids, by index.
    pub(crate) fn all(&self) -> impl Iterator<Item = Obstacle> {
        (0..self.len()).filter_map(|number| self.solid(number))
    }

    /// The character that a solid belongs to, with its index.
    fn mover(&self, number: usize) -> Option<(usize, &Mover)> {
        let own = |(_, mover): &(usize, &Mover)| {
            number.checked_sub(mover.first).is_some_and(|shape| shape < mover.geoms.len())
        };
        self.characters.iter().enumerate().find(own)
    }

    /// The owner of a solid.
    pub(crate) fn owner(&self, number: usize) -> Other {
        let of = self.mover(number).and_then(|(character, mover)| {
            let body = mover.model.geoms[mover.geoms[number - mover.first]].body?;
            Some(Other::Character(character, body))
        });
        of.unwrap_or(Other::Scenery(number))
    }

    /// Sets the characters' poses: [`super::KinematicColliders::set_poses`].
    pub(crate) fn set_poses(&mut self, poses: &[KinematicPose]) {
        self.hits.clear();
        for (mover, pose) in self.characters.iter_mut().zip(poses) {
            mover.pose.set(&pose.q, &pose.v);
            mover.kinematics.update(&mover.model, &pose.q, &pose.v);
        }
    }

    /// Moves the characters on by `dt` seconds, except those that are ignored.
    pub(crate) fn advance(&mut self, dt: f64) {
        for mover in self.characters.iter_mut().filter(|mover| !mover.ignored) {
            mover.advance(dt);
        }
    }

    /// Sets whether collisions with a character are ignored.
    pub(crate) fn ignore(&mut self, character: usize, ignored: bool) {
        if let Some(mover) = self.characters.get_mut(character) {
            mover.ignored = ignored;
        }
    }

    /// Adds to the received impulse of a solid, with its moment about the world's origin. Only characters
    /// keep it.
    pub(crate) fn receive(&mut self, number: usize, received: Force) {
        let size = received.force.norm();
        let (Other::Character(character, body), Some(solid)) = (self.owner(number), self.solid(number))
        else {
            return;
        };
        if size == 0.0 {
            return;
        }
        // The point nearest to the solid on the line of action of the impulse.
        let centre = solid.shape.centre();
        let lever = received.force.cross(&received.moment_about(&centre)) / (size * size);
        let point = centre + lever;
        match self.hits.iter_mut().find(|hit| hit.body == body && hit.character == character) {
            Some(hit) => {
                hit.impulse += received;
                hit.size += size;
                hit.point += (point - hit.point) * (size / hit.size);
            }
            None => {
                let by = Striker::Part(PartId(0));
                self.hits.push(Hit { character, body, by, impulse: received, point, size });
            }
        }
    }

    pub(crate) fn hits(&self) -> &[Hit] {
        &self.hits
    }

    pub(crate) fn clear_hits(&mut self) {
        self.hits.clear();
    }

    /// Saves the poses of the characters and the impulses they received.
    pub(crate) fn save(&self, saved: &mut SavedSolids) {
        saved.poses.resize_with(self.characters.len(), KinematicPose::default);
        for (saved, mover) in saved.poses.iter_mut().zip(&self.characters) {
            saved.q.clone_from(&mover.pose.q);
            saved.v.clone_from(&mover.pose.v);
        }
        saved.hits.clone_from(&self.hits);
    }

    /// Restores them.
    pub(crate) fn restore(&mut self, saved: &SavedSolids) {
        for (mover, saved) in self.characters.iter_mut().zip(&saved.poses) {
            if mover.pose != *saved {
                mover.pose.set(&saved.q, &saved.v);
                mover.kinematics.update(&mover.model, &saved.q, &saved.v);
            }
        }
        self.hits.clone_from(&saved.hits);
    }
}

impl Mover {
    fn new(character: &KinematicCharacter<'_>, first: usize) -> Self {
        let model = character.model;
        let pose = KinematicPose::at_rest(character);
        let mut kinematics = Kinematics::new(model);
        kinematics.update(model, &pose.q, &pose.v);
        let collides = |(_, geom): &(usize, &Geom)| {
            geom.collides && geom.body.is_some() && geom.shape != model::Shape::Plane
        };
        Mover {
            kinematics,
            geoms: model.geoms.iter().enumerate().filter(collides).map(|(index, _)| index).collect(),
            first,
            displacement: pose.v.clone(),
            next_q: pose.q.clone(),
            pose,
            model: model.clone(),
            ignored: false,
        }
    }

    fn advance(&mut self, dt: f64) {
        let KinematicPose { q, v } = &mut self.pose;
        self.displacement.iter_mut().zip(&*v).for_each(|(displacement, rate)| *displacement = dt * rate);
        state::integrate(&self.model, q, &self.displacement, &mut self.next_q);
        std::mem::swap(q, &mut self.next_q);
        self.kinematics.update(&self.model, q, v);
    }

    fn solid(&self, geom: usize) -> Option<Obstacle> {
        let geom = &self.model.geoms[geom];
        let body = geom.body?;
        let position = self.kinematics.point(body, &geom.position);
        let turn = self.kinematics.rotation[body.0] * geom.orientation.to_rotation_matrix().matrix();
        let along = |half_length: f64| half_length * turn.column(2);
        let shape = match geom.shape {
            model::Shape::Sphere { radius } => WorldShape::Sphere { center: position, radius },
            // A cylinder is approximated by the capsule around it.
            model::Shape::Capsule { radius, half_length }
            | model::Shape::Cylinder { radius, half_length } => WorldShape::Capsule {
                ends: [position - along(half_length), position + along(half_length)],
                radius,
            },
            model::Shape::Box { half_lengths } => {
                let orientation =
                    UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(turn));
                WorldShape::Cuboid { center: position, orientation, half: half_lengths }
            }
            // A mesh is approximated by the box around its hull.
            model::Shape::Hull(ref hull) => {
                let orientation =
                    UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(turn));
                WorldShape::Cuboid { center: position, orientation, half: hull.half_lengths() }
            }
            model::Shape::Ellipsoid { radii } => {
                let Swept { half, radius } = ellipsoid_as_capsule(&radii);
                let half = turn * half;
                WorldShape::Capsule { ends: [position - half, position + half], radius }
            }
            model::Shape::Plane | model::Shape::Field(_) => return None,
        };
        let motion = &self.kinematics.velocity[body.0];
        let velocity = motion.velocity_at(&Vector3::zeros());
        Some(Obstacle { shape, friction: geom.friction, velocity, spin: motion.angular })
    }
}

fn of_surface(surface: &Surface) -> Obstacle {
    let (position, orientation) = (surface.position, surface.orientation);
    let shape = match surface.shape {
        // These are surfaces of objects, whose own system handles collisions.
        SurfaceShape::Solid(_) => WorldShape::Empty,
        SurfaceShape::HalfSpace => {
            let normal = orientation * Vector3::z();
            WorldShape::HalfSpace { normal, offset: normal.dot(&position) }
        }
        SurfaceShape::Box { half_lengths } => {
            WorldShape::Cuboid { center: position, orientation, half: half_lengths }
        }
        SurfaceShape::Field(ref field) => WorldShape::Field { field: field.clone(), position, orientation },
    };
    Obstacle::fixed(shape, surface.friction)
}

fn moving(surface: &Surface, dt: f64) -> Obstacle {
    if !surface.present {
        return Obstacle::fixed(WorldShape::Empty, surface.friction);
    }
    let still = of_surface(surface);
    let (spin, velocity) = surface.motion_here();
    Obstacle { velocity: velocity / dt, spin: spin / dt, ..still }
}
