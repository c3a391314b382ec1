//! Adding and removing elements, also between steps of a run.
//!
//! The remaining elements keep their order, so that a system after removals equals, number for number, one
//! built of the remaining elements.

use super::Constrained;
use super::body::{Parametric, ParametricBody};
use super::constraint::{MOST_POINTS, PointConstraint};
use super::model::{PointElement, Spring};
use super::sparse::MOST_ROWS;
use nalgebra::Vector3;
use thiserror::Error;

/// Identifier of a particle, never used again after its removal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ParticleId(u64);

/// Identifier of a body given by q(u).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ParametricBodyId(u64);

/// Identifier of a constraint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConstraintId(u64);

/// Identifier of a spring.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SpringId(u64);

/// An element with a position and a mass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Point {
    /// A free particle.
    Particle(ParticleId),
    /// A point of a body, by its index there.
    OfBody(ParametricBodyId, usize),
}

/// An element that does not exist or was removed, or a constraint that does not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Unknown {
    /// No such particle or point of a body.
    #[error("there is no such particle, body or point of one; it may have been removed")]
    Point,
    /// No such constraint.
    #[error("there is no such constraint; it may have been removed")]
    Constraint,
    /// No such spring.
    #[error("there is no such spring; it may have been removed")]
    Spring,
    /// The constraint needs another number of points.
    #[error("a constraint was given {given} points, but needs {needed}")]
    Count {
        /// Number of points given.
        given: usize,
        /// Number of points needed.
        needed: usize,
    },
    /// The constraint has more rows than are allowed.
    #[error("a constraint has {rows} rows, but at most {most} are provided for")]
    Rows {
        /// Number of rows it has.
        rows: usize,
        /// Largest number of rows allowed.
        most: usize,
    },
}

/// Identifiers of elements in order, which is also that of the identifiers.
#[derive(Clone, Default)]
pub(super) struct Ids {
    next: u64,
    particles: Vec<u64>,
    bodies: Vec<u64>,
    /// Constraints, with their points.
    constraints: Vec<(u64, [Point; MOST_POINTS])>,
    springs: Vec<(u64, [Point; MOST_POINTS])>,
}

impl Ids {
    fn take(&mut self) -> u64 {
        self.next += 1;
        self.next
    }
}

impl Constrained {
    /// Adds a particle of this mass (kg), or a fixed one; m, m/s.
    pub fn add_particle(
        &mut self,
        position: Vector3<f64>,
        velocity: Vector3<f64>,
        mass: Option<f64>,
    ) -> ParticleId {
        let id = self.ids.take();
        let at = 3 * self.ids.particles.len();
        self.ids.particles.push(id);
        self.model.inverse_masses.push(mass.map_or(0.0, |mass| 1.0 / mass));
        self.q.splice(at..at, position.iter().copied());
        self.v.splice(at..at, velocity.iter().copied());
        self.changed = true;
        ParticleId(id)
    }

    /// Adds a body at coordinates `u` with rates `rate`.
    pub fn add_body(&mut self, body: Box<dyn Parametric>, u: &[f64], rate: &[f64]) -> ParametricBodyId {
        let id = self.ids.take();
        let freedoms = body.freedoms();
        self.ids.bodies.push(id);
        self.model.bodies.push(ParametricBody::new(body));
        let of = |given: &[f64], k: usize| given.get(k).copied().unwrap_or(0.0);
        self.q.extend((0..freedoms).map(|k| of(u, k)));
        self.v.extend((0..freedoms).map(|k| of(rate, k)));
        self.changed = true;
        ParametricBodyId(id)
    }

    /// Adds a constraint on these points, in the order it expects.
    ///
    /// # Errors
    ///
    /// If a point does not exist, their number is wrong, or the constraint has too many rows.
    pub fn add_constraint(
        &mut self,
        constraint: Box<dyn PointConstraint>,
        points: &[Point],
    ) -> Result<ConstraintId, Unknown> {
        let needed = constraint.points();
        match *points {
            [only] => self.bind_constraint(constraint, [only; MOST_POINTS], 1),
            [first, second] => self.bind_constraint(constraint, [first, second], 2),
            _ => Err(Unknown::Count { given: points.len(), needed }),
        }
    }

    fn bind_constraint(
        &mut self,
        constraint: Box<dyn PointConstraint>,
        points: [Point; MOST_POINTS],
        given: usize,
    ) -> Result<ConstraintId, Unknown> {
        let needed = constraint.points();
        if given != needed {
            return Err(Unknown::Count { given, needed });
        }
        if constraint.rows() > MOST_ROWS {
            return Err(Unknown::Rows { rows: constraint.rows(), most: MOST_ROWS });
        }
        points.iter().try_for_each(|point| self.check(*point))?;
        let id = self.ids.take();
        self.ids.constraints.push((id, points));
        self.model.constraints.push(PointElement { what: constraint, points: [0; MOST_POINTS] });
        self.changed = true;
        Ok(ConstraintId(id))
    }

    /// Adds a spring between two points.
    ///
    /// # Errors
    ///
    /// If a point does not exist or was removed.
    pub fn add_spring(&mut self, spring: Spring, points: [Point; 2]) -> Result<SpringId, Unknown> {
        points.iter().try_for_each(|point| self.check(*point))?;
        let id = self.ids.take();
        self.ids.springs.push((id, points));
        self.model.springs.push(PointElement { what: spring, points: [0; MOST_POINTS] });
        self.changed = true;
        Ok(SpringId(id))
    }

    /// Removes a constraint; its points stay.
    ///
    /// # Errors
    ///
    /// If the constraint does not exist or was removed already.
    pub fn remove_constraint(&mut self, constraint: ConstraintId) -> Result<(), Unknown> {
        let found = self.ids.constraints.binary_search_by_key(&constraint.0, |(id, _)| *id);
        let index = found.map_err(|_| Unknown::Constraint)?;
        self.ids.constraints.remove(index);
        self.model.constraints.remove(index);
        self.changed = true;
        Ok(())
    }

    /// Removes a spring; its points stay.
    ///
    /// # Errors
    ///
    /// If the spring does not exist or was removed already.
    pub(crate) fn remove_spring(&mut self, spring: SpringId) -> Result<(), Unknown> {
        let found = self.ids.springs.binary_search_by_key(&spring.0, |(id, _)| *id);
        let index = found.map_err(|_| Unknown::Spring)?;
        self.ids.springs.remove(index);
        self.model.springs.remove(index);
        self.changed = true;
        Ok(())
    }

    /// Removes a particle with its constraints and springs.
    ///
    /// # Errors
    ///
    /// If the particle does not exist or was removed already.
    pub fn remove_particle(&mut self, particle: ParticleId) -> Result<(), Unknown> {
        let index = self.ids.particles.binary_search(&particle.0).map_err(|_| Unknown::Point)?;
        self.release(|point| point == Point::Particle(particle));
        self.ids.particles.remove(index);
        self.model.inverse_masses.remove(index);
        self.q.drain(3 * index..3 * index + 3);
        self.v.drain(3 * index..3 * index + 3);
        Ok(())
    }

    /// Removes a body with the constraints and springs of its points.
    ///
    /// # Errors
    ///
    /// If the body does not exist or was removed already.
    pub fn remove_body(&mut self, body: ParametricBodyId) -> Result<(), Unknown> {
        let index = self.ids.bodies.binary_search(&body.0).map_err(|_| Unknown::Point)?;
        self.release(|point| matches!(point, Point::OfBody(of, _) if of == body));
        let before: usize = self.model.bodies[..index].iter().map(ParametricBody::freedoms).sum();
        let first = 3 * self.ids.particles.len() + before;
        let freedoms = first..first + self.model.bodies[index].freedoms();
        self.ids.bodies.remove(index);
        self.model.bodies.remove(index);
        self.q.drain(freedoms.clone());
        self.v.drain(freedoms);
        Ok(())
    }

    /// Removes constraints and springs of such points.
    fn release(&mut self, gone: impl Fn(Point) -> bool) {
        let stays = |(_, points): &(u64, [Point; MOST_POINTS])| !points.iter().any(|point| gone(*point));
        let mut of_constraints = self.ids.constraints.iter().map(stays);
        self.model.constraints.retain(|_| of_constraints.next().unwrap_or(true));
        let mut of_springs = self.ids.springs.iter().map(stays);
        self.model.springs.retain(|_| of_springs.next().unwrap_or(true));
        self.ids.constraints.retain(stays);
        self.ids.springs.retain(stays);
        self.changed = true;
    }

    /// Assigns indices and allocates, if elements were added or removed.
    pub(super) fn arrange(&mut self) {
        if !std::mem::take(&mut self.changed) {
            return;
        }
        // Bodies' first points must be known before points of theirs are looked up.
        self.model.arrange();
        for index in 0..self.ids.constraints.len() {
            let points = self.ids.constraints[index].1;
            self.model.constraints[index].points = points.map(|point| self.find(point).unwrap_or(0));
        }
        for index in 0..self.ids.springs.len() {
            let points = self.ids.springs[index].1;
            self.model.springs[index].points = points.map(|point| self.find(point).unwrap_or(0));
        }
        self.model.arrange();
        for stage in &mut self.stages {
            for numbers in [&mut stage.q, &mut stage.v, &mut stage.acceleration] {
                numbers.resize(self.q.len(), 0.0);
            }
        }
    }

    fn check(&self, point: Point) -> Result<(), Unknown> {
        match point {
            Point::Particle(id) if self.ids.particles.binary_search(&id.0).is_ok() => Ok(()),
            Point::OfBody(id, k) => match self.ids.bodies.binary_search(&id.0) {
                Ok(index) if k < self.model.bodies[index].points() => Ok(()),
                _ => Err(Unknown::Point),
            },
            Point::Particle(_) => Err(Unknown::Point),
        }
    }

    /// Index of a point among all points.
    pub(super) fn find(&self, point: Point) -> Result<usize, Unknown> {
        self.check(point)?;
        match point {
            Point::Particle(id) => self.ids.particles.binary_search(&id.0).map_err(|_| Unknown::Point),
            Point::OfBody(id, k) => {
                let index = self.ids.bodies.binary_search(&id.0).map_err(|_| Unknown::Point)?;
                let before: usize = self.model.bodies[..index].iter().map(ParametricBody::points).sum();
                Ok(self.ids.particles.len() + before + k)
            }
        }
    }

    /// First row and number of rows of a constraint.
    pub(super) fn rows_of(&self, constraint: ConstraintId) -> Result<std::ops::Range<usize>, Unknown> {
        let found = self.ids.constraints.binary_search_by_key(&constraint.0, |(id, _)| *id);
        let index = found.map_err(|_| Unknown::Constraint)?;
        let first = self.model.constraints[..index].iter().map(|held| held.what.rows()).sum();
        Ok(first..first + self.model.constraints[index].what.rows())
    }

    /// First degree of freedom of a body and the one after its last.
    pub(super) fn freedoms_of(&self, body: ParametricBodyId) -> Result<std::ops::Range<usize>, Unknown> {
        let index = self.ids.bodies.binary_search(&body.0).map_err(|_| Unknown::Point)?;
        let before: usize = self.model.bodies[..index].iter().map(ParametricBody::freedoms).sum();
        let first = 3 * self.ids.particles.len() + before;
        Ok(first..first + self.model.bodies[index].freedoms())
    }
}
