//! Positions, velocities, masses and constraint forces of points and bodies.

use super::model::vector;
use super::{Constrained, ConstraintId, Fault, ParametricBodyId, Point, Unknown};
use nalgebra::Vector3;

impl Constrained {
    /// Evaluates the system in its present state, without a step: accelerations, multipliers and constraint
    /// forces can be read then.
    ///
    /// # Errors
    ///
    /// If the solver finds no solution: a body is singular, or numbers diverged.
    pub fn evaluate(&mut self) -> Result<super::Solution, Fault> {
        self.arrange();
        let [first, ..] = &mut self.stages;
        self.solution = self.model.accelerate(&self.q, &self.v, &mut first.acceleration)?;
        Ok(self.solution)
    }

    /// Position of a point, m, world.
    ///
    /// # Errors
    ///
    /// If the point does not exist or was removed.
    pub fn position(&self, point: Point) -> Result<Vector3<f64>, Unknown> {
        let index = self.find(point)?;
        Ok(match point {
            Point::Particle(_) => vector(&self.q, index),
            Point::OfBody(..) => self.model.positions.get(index).copied().ok_or(Unknown::Point)?,
        })
    }

    /// Velocity of a point, m/s, world.
    ///
    /// # Errors
    ///
    /// If the point does not exist or was removed.
    pub fn velocity(&self, point: Point) -> Result<Vector3<f64>, Unknown> {
        let index = self.find(point)?;
        Ok(match point {
            Point::Particle(_) => vector(&self.v, index),
            Point::OfBody(..) => self.model.velocities.get(index).copied().ok_or(Unknown::Point)?,
        })
    }

    /// Acceleration of a particle at the last evaluation, m/s².
    ///
    /// # Errors
    ///
    /// If the particle does not exist or was removed.
    pub fn acceleration(&self, particle: super::ParticleId) -> Result<Vector3<f64>, Unknown> {
        let index = self.find(Point::Particle(particle))?;
        let [first, ..] = &self.stages;
        if first.acceleration.len() < 3 * index + 3 {
            Err(Unknown::Point)
        } else {
            Ok(vector(&first.acceleration, index))
        }
    }

    /// u and u̇ of a body.
    ///
    /// # Errors
    ///
    /// If the body does not exist or was removed.
    pub fn freedoms(&self, body: ParametricBodyId) -> Result<(&[f64], &[f64]), Unknown> {
        let freedoms = self.freedoms_of(body)?;
        Ok((&self.q[freedoms.clone()], &self.v[freedoms]))
    }

    /// Multipliers λ of a constraint at the last evaluation: each times its row of J is a force in N.
    ///
    /// # Errors
    ///
    /// If the constraint does not exist or was removed.
    pub fn multipliers(&self, constraint: ConstraintId) -> Result<&[f64], Unknown> {
        self.model.solver.lambda.get(self.rows_of(constraint)?).ok_or(Unknown::Constraint)
    }

    /// Share of the speeds of its points that a constraint forbids at the last evaluation, from 0 to 1.
    ///
    /// # Errors
    ///
    /// If the constraint does not exist or was removed.
    pub(crate) fn forbidden_share(&self, constraint: ConstraintId) -> Result<f64, Unknown> {
        let rows = self.rows_of(constraint)?;
        let share = |row: usize| {
            let of_row = self.model.jacobian.blocks.iter().filter(|block| block.row <= row);
            let of_row = of_row
                .filter_map(|block| Some((block.point, block.data[..block.rows].get(row - block.row)?)));
            let most: f64 =
                of_row.map(|(point, along)| along.norm() * self.model.velocities[point].norm()).sum();
            if most > 0.0 { self.model.rates[row].abs() / most } else { 0.0 }
        };
        Ok(rows.map(share).fold(0.0, f64::max))
    }

    /// −J̇q̇ − JWQ at the last evaluation, by rows.
    pub fn right_side(&self) -> &[f64] {
        &self.model.unfed
    }

    /// Constraint force on a point at the last evaluation, N: its part of Q̂ = Jᵀλ.
    ///
    /// # Errors
    ///
    /// If the point does not exist or was removed.
    pub fn constraint_force(&self, point: Point) -> Result<Vector3<f64>, Unknown> {
        self.model.forces.get(self.find(point)?).copied().ok_or(Unknown::Point)
    }

    /// Applies a force (N) to a point, constant over the next step only.
    ///
    /// # Errors
    ///
    /// If the point does not exist or was removed.
    pub fn apply_force(&mut self, point: Point, force: &Vector3<f64>) -> Result<(), Unknown> {
        self.arrange();
        let index = self.find(point)?;
        self.model.applied[index] += force;
        Ok(())
    }

    /// Applies an impulse (N s) to a particle: its velocity changes at once, and feedback returns it to the
    /// constraints.
    ///
    /// # Errors
    ///
    /// If the particle does not exist or was removed.
    pub(crate) fn apply_impulse(
        &mut self,
        particle: super::ParticleId,
        impulse: &Vector3<f64>,
    ) -> Result<(), Unknown> {
        let index = self.find(Point::Particle(particle))?;
        let change = impulse * self.model.inverse_masses[index];
        (0..3).for_each(|k| self.v[3 * index + k] += change[k]);
        Ok(())
    }

    /// Kinetic energy, and potential energy of gravity (zero at the world's origin) and springs, J, at the
    /// last evaluation.
    pub fn energy(&self) -> (f64, f64) {
        let (mut kinetic, mut potential) = (0.0, 0.0);
        for (point, place) in self.model.positions.iter().enumerate() {
            if let Some(mass) = self.model.mass(point) {
                kinetic += 0.5 * mass * self.model.velocities[point].norm_squared();
                potential -= mass * self.model.gravity.dot(place);
            }
        }
        for spring in &self.model.springs {
            let [a, b] = spring.points.map(|point| self.model.positions[point]);
            let beyond = (b - a).norm() - spring.what.rest;
            potential += 0.5 * spring.what.stiffness * beyond * beyond;
        }
        (kinetic, potential)
    }

    /// Linear momentum (N s), and angular momentum about the world's origin (N m s), at the last evaluation.
    pub fn momentum(&self) -> (Vector3<f64>, Vector3<f64>) {
        let (mut linear, mut angular) = (Vector3::zeros(), Vector3::zeros());
        for (point, place) in self.model.positions.iter().enumerate() {
            if let Some(mass) = self.model.mass(point) {
                let momentum = mass * self.model.velocities[point];
                linear += momentum;
                angular += place.cross(&momentum);
            }
        }
        (linear, angular)
    }
}
