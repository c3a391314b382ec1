//! Particles as a passive object of a scene.

use super::drag::{self, Drag};
use super::wind::Wind;
use super::{BoxBody, Particles};
use crate::encounter::MovingBody;
use crate::obstacle::Obstacle;
use crate::solids::Solids;
use crate::{
    BodyCollider, Energy, Hit, KinematicCharacter, KinematicColliders, KinematicPose, Outline, Part, PartId,
    PassiveSystem, PassiveTouch, SolverStats, StepStatus, SwitchKind, Switchable, SwitchableElement,
};
use aplomb_body::contact::Surface;
use aplomb_body::model::Shape;
use aplomb_math::elementary::pow;
use aplomb_math::spatial::Force;
use nalgebra::{Matrix3, UnitQuaternion, Vector3};
use std::ops::Range;

/// One object of particles. Its parts are the particles, then its boxes.
#[derive(Clone, Debug)]
pub(super) struct ParticleThing {
    pub(super) particles: Particles,
    pub(super) solids: Solids,
    pub(super) wind: Wind,
    /// Share of its velocity that a particle keeps in one second.
    pub(super) kept: f64,
    /// Ends of the rods that are drawn.
    pub(super) rods: Vec<[usize; 2]>,
    pub(super) thickness: f64,
    /// Prescribed motions of particles.
    pub(super) drags: Vec<Drag>,
    pub(super) drag_names: Vec<Option<String>>,
    pub(super) pins: Vec<Pinned>,
}

/// A pinned particle with a mass, which can be freed.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Pinned {
    pub particle: usize,
    /// Inverse mass of the particle when it is free, 1/kg.
    pub inverse_mass: f64,
    pub name: String,
}

impl ParticleThing {
    /// `particles` among these solids, with velocity retention per second.
    pub(super) fn new(mut particles: Particles, solids: Solids, wind: Wind) -> Self {
        solids.all().for_each(|solid| {
            particles.add_obstacle(solid);
        });
        ParticleThing {
            kept: particles.kept,
            particles,
            solids,
            wind,
            rods: Vec::new(),
            thickness: 0.0,
            drags: Vec::new(),
            drag_names: Vec::new(),
            pins: Vec::new(),
        }
    }

    /// Adds prescribed motions of its particles.
    pub(super) fn led(mut self, drags: Vec<(Option<String>, Drag)>) -> Self {
        (self.drag_names, self.drags) = drags.into_iter().unzip();
        self
    }

    /// Draws these sticks with this radius, m.
    pub(super) fn drawn(mut self, rods: Vec<[usize; 2]>, thickness: f64) -> Self {
        (self.rods, self.thickness) = (rods, thickness);
        self
    }

    fn body(&self, part: PartId) -> Option<&BoxBody> {
        self.particles.boxes().get(part.0.checked_sub(self.particles.len())?)
    }

    /// Range of the particles among these parts: boxes consist of particles that are parts themselves.
    fn range(&self, parts: Range<usize>) -> Range<usize> {
        let most = self.particles.len();
        parts.start.min(most)..parts.end.min(most)
    }

    /// Weights of the four particles for a force on their box at a point.
    fn shared(&self, body: &BoxBody, number: usize, point: &Vector3<f64>) -> [f64; 4] {
        let (centre, orientation) = self.particles.box_pose(number);
        body.shares(&orientation.inverse_transform_vector(&(point - centre)))
    }

    /// The particles, with weights, that a force on a part at a point acts on.
    fn spread(&self, part: PartId, point: &Vector3<f64>) -> ([usize; 4], [f64; 4]) {
        match self.body(part) {
            Some(body) => {
                let number = part.0 - self.particles.len();
                ([0, 1, 2, 3].map(|k| body.first + k), self.shared(body, number, point))
            }
            None => ([part.0; 4], [1.0, 0.0, 0.0, 0.0]),
        }
    }

    /// Velocity of a box's centre, and its angular velocity from angular momentum and inertia.
    fn box_motion(&self, body: &BoxBody, centre: &Vector3<f64>) -> (Vector3<f64>, Vector3<f64>) {
        let (mut velocity, mut momentum, mut inertia) =
            (Vector3::zeros(), Vector3::zeros(), Matrix3::zeros());
        for particle in body.first..body.first + 4 {
            let arm = self.particles.position(particle) - centre;
            let own = self.particles.velocity(particle);
            velocity += 0.25 * own;
            momentum += arm.cross(&own);
            inertia += arm.norm_squared() * Matrix3::identity() - arm * arm.transpose();
        }
        let spin = inertia.try_inverse().map_or_else(Vector3::zeros, |inverse| inverse * momentum);
        (velocity, spin)
    }
}

impl PassiveSystem for ParticleThing {
    fn time(&self) -> f64 {
        self.particles.time()
    }

    fn step(&mut self, dt: f64) -> StepStatus {
        let first = self.solids.first_moving();
        self.solids.carry_surfaces(self.particles.time() + dt, dt);
        for (number, surface) in self.solids.moving_surfaces() {
            *self.particles.obstacle_mut(number) = surface;
        }
        self.solids.advance(dt);
        self.solids.each_moving(|number, solid| *self.particles.obstacle_mut(number) = solid);
        if !self.drags.is_empty() {
            let time = self.particles.time() + dt;
            drag::lead(&self.drags, &mut self.particles, time);
        }
        self.particles.kept = pow(self.kept, dt);
        self.wind.blow(&mut self.particles);
        if self.particles.step(dt).is_err() {
            return StepStatus::Failed;
        }
        for number in first..self.solids.len() {
            let given = self.particles.given(number);
            self.solids.receive(number, Force::new(given.moment, given.impulse));
        }
        StepStatus::Solved
    }

    fn parts(&self) -> usize {
        self.particles.len() + self.particles.boxes().len()
    }

    fn part(&self, part: PartId) -> Part {
        if let Some(body) = self.body(part) {
            let (position, orientation) = self.particles.box_pose(part.0 - self.particles.len());
            let (velocity, angular_velocity) = self.box_motion(body, &position);
            return Part { position, orientation, velocity, angular_velocity };
        }
        Part {
            position: self.particles.position(part.0),
            orientation: UnitQuaternion::identity(),
            velocity: self.particles.velocity(part.0),
            angular_velocity: Vector3::zeros(),
        }
    }

    fn apply_force(&mut self, part: PartId, point: &Vector3<f64>, force: &Vector3<f64>) {
        let (particles, shares) = self.spread(part, point);
        for (particle, share) in particles.into_iter().zip(shares).filter(|(_, share)| *share != 0.0) {
            self.particles.apply_force(particle, &(share * force));
        }
    }

    fn apply_impulse(&mut self, part: PartId, point: &Vector3<f64>, impulse: &Vector3<f64>) {
        let (particles, shares) = self.spread(part, point);
        for (particle, share) in particles.into_iter().zip(shares).filter(|(_, share)| *share != 0.0) {
            self.particles.apply_impulse(particle, &(share * impulse));
        }
    }

    fn energy(&self, parts: Range<usize>) -> Energy {
        let (kinetic, potential) = self.particles.energy(self.range(parts));
        Energy { kinetic, potential }
    }

    fn momentum(&self, parts: Range<usize>) -> Force {
        let (linear, angular) = self.particles.momentum(self.range(parts));
        Force::new(angular, linear)
    }

    fn centre_of_mass(&self, parts: Range<usize>) -> (f64, Vector3<f64>) {
        self.particles.centre_of_mass(self.range(parts))
    }

    fn solver_stats(&self) -> SolverStats {
        let relaxed = self.particles.relaxed();
        SolverStats { iterations: relaxed.passes, residual: relaxed.change }
    }

    fn stretch(&self, _parts: Range<usize>) -> f64 {
        let stretch = self.particles.stretch();
        stretch.longest.max(stretch.shortest)
    }

    fn outline(&self) -> Vec<Outline> {
        let rods =
            self.rods.iter().map(|ends| Outline::Segment { ends: ends.map(PartId), radius: self.thickness });
        let boxes = self.particles.boxes().iter().enumerate().map(|(number, body)| Outline::Solid {
            part: PartId(self.particles.len() + number),
            shape: Shape::Box { half_lengths: body.half },
            position: Vector3::zeros(),
            orientation: UnitQuaternion::identity(),
        });
        rods.chain(boxes).collect()
    }

    fn as_switchable(&mut self) -> Option<&mut dyn Switchable> {
        Some(self)
    }

    fn as_collider(&mut self) -> Option<&mut dyn BodyCollider> {
        Some(self)
    }

    fn each_touch(&self, _each: &mut dyn FnMut(&PassiveTouch)) {}

    fn colliders(&self) -> Option<&dyn KinematicColliders> {
        Some(self)
    }

    fn colliders_mut(&mut self) -> Option<&mut dyn KinematicColliders> {
        Some(self)
    }
}

/// Pins by the names of their particles, then all pins together, then prescribed motions.
impl Switchable for ParticleThing {
    fn switches(&self, _parts: &Range<usize>) -> Vec<SwitchableElement> {
        let constraint = |number: usize, name: &str| SwitchableElement {
            kind: SwitchKind::Constraint,
            name: name.to_string(),
            number,
        };
        let (pins, count) = (self.pins.iter().enumerate(), self.pins.len());
        let mut switches: Vec<SwitchableElement> =
            pins.map(|(number, pin)| constraint(number, &pin.name)).collect();
        if count > 0 {
            switches.push(constraint(count, "pins"));
        }
        let drags = self.drag_names.iter().enumerate();
        switches.extend(drags.filter_map(|(k, name)| Some(constraint(count + 1 + k, name.as_ref()?))));
        switches
    }

    fn turn(&mut self, number: usize, on: bool) {
        let count = self.pins.len();
        if let Some(drag) = number.checked_sub(count + 1).and_then(|drag| self.drags.get_mut(drag)) {
            drag.on = on;
        }
        for pin in self.pins.iter().enumerate().filter(|(k, _)| *k == number || number == count) {
            let Pinned { particle, inverse_mass, .. } = pin.1;
            self.particles.set_inverse_mass(*particle, if on { 0.0 } else { *inverse_mass });
        }
    }
}

impl BodyCollider for ParticleThing {
    fn meet(&mut self, bodies: &[MovingBody], solids: &[(Obstacle, usize)]) {
        self.particles.meet(bodies, solids);
    }

    fn each_given(&self, each: &mut dyn FnMut(usize, Force)) {
        let first = self.solids.len();
        for (number, given) in self.particles.all_given().iter().enumerate().skip(first) {
            each(number - first, Force::new(given.moment, given.impulse));
        }
    }
}

impl KinematicColliders for ParticleThing {
    fn set_surface(&mut self, index: usize, surface: &Surface) {
        self.solids.set_surface(index, surface);
    }

    fn set_poses(&mut self, poses: &[KinematicPose]) {
        self.solids.set_poses(poses);
    }

    fn add_character(&mut self, character: &KinematicCharacter<'_>) {
        for number in self.solids.add_character(character) {
            if let Some(solid) = self.solids.solid(number) {
                self.particles.add_obstacle(solid);
            }
        }
    }

    fn hits(&self) -> &[Hit] {
        self.solids.hits()
    }

    fn clear_hits(&mut self) {
        self.solids.clear_hits();
    }
}
