//! Elements of a constrained system, and its accelerations in a given state.

use super::body::ParametricBody;
use super::constraint::{At, Fragment, MOST_POINTS, PointConstraint};
use super::solve::{Operator, Solution, Solver};
use super::sparse::{BlockSparse, MOST_ROWS, SparseBlock};
use super::{BaumgarteGains, Fault};
use nalgebra::Vector3;

/// A spring between two points, with damping along it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spring {
    /// Rest length, m.
    pub rest: f64,
    /// Stiffness, N/m.
    pub stiffness: f64,
    /// Damping, N s/m.
    pub damping: f64,
}

/// An element between points, with their indices among all points.
#[derive(Clone)]
pub(super) struct PointElement<T> {
    pub what: T,
    pub points: [usize; MOST_POINTS],
}

/// A constraint in the system.
pub(super) type BoundConstraint = PointElement<Box<dyn PointConstraint>>;

/// Points and coordinates of particles precede those of the bodies.
#[derive(Clone, Default)]
pub(super) struct ConstrainedModel {
    pub gravity: Vector3<f64>,
    /// Drag of every point, N s/m.
    pub drag: f64,
    pub feedback: BaumgarteGains,
    pub solver: Solver,
    /// Inverse masses of particles, 1/kg.
    pub inverse_masses: Vec<f64>,
    pub bodies: Vec<ParametricBody>,
    pub constraints: Vec<BoundConstraint>,
    pub springs: Vec<PointElement<Spring>>,
    /// Applied forces by point, N.
    pub applied: Vec<Vector3<f64>>,
    pub positions: Vec<Vector3<f64>>,
    pub velocities: Vec<Vector3<f64>>,
    /// C and Ċ by rows, at the last evaluation.
    pub values: Vec<f64>,
    pub rates: Vec<f64>,
    /// −J̇q̇ − JWQ: the right side of equation (11) without feedback.
    pub unfed: Vec<f64>,
    right: Vec<f64>,
    pub jacobian: BlockSparse,
    pub jacobian_rate: BlockSparse,
    /// Q, then Q̂ = Jᵀλ, N.
    pub forces: Vec<Vector3<f64>>,
    /// Accelerations of points under only Q, m/s².
    free: Vec<Vector3<f64>>,
    roots: Vec<f64>,
    products: Vec<Vector3<f64>>,
    scratch: Vec<f64>,
}

impl ConstrainedModel {
    pub(super) fn freedoms(&self) -> usize {
        3 * self.inverse_masses.len() + self.bodies.iter().map(ParametricBody::freedoms).sum::<usize>()
    }

    pub(super) fn points(&self) -> usize {
        self.inverse_masses.len() + self.bodies.iter().map(ParametricBody::points).sum::<usize>()
    }

    pub(super) fn rows(&self) -> usize {
        self.constraints.iter().map(|held| held.what.rows()).sum()
    }

    /// Assigns indices and allocates; call it after elements were added or removed.
    pub(super) fn arrange(&mut self) {
        let (points, freedoms, rows) = (self.points(), self.freedoms(), self.rows());
        let (mut point, mut freedom) = (self.inverse_masses.len(), 3 * self.inverse_masses.len());
        for body in &mut self.bodies {
            (body.first_point, body.first_freedom) = (point, freedom);
            point += body.points();
            freedom += body.freedoms();
        }
        for vectors in [
            &mut self.positions,
            &mut self.velocities,
            &mut self.forces,
            &mut self.free,
            &mut self.products,
            &mut self.applied,
        ] {
            vectors.resize(points, Vector3::zeros());
        }
        for numbers in [&mut self.values, &mut self.rates, &mut self.unfed, &mut self.right] {
            numbers.resize(rows, 0.0);
        }
        self.scratch.resize(freedoms, 0.0);
        self.roots.clear();
        self.roots.extend(self.inverse_masses.iter().map(|inverse| inverse.sqrt()));
        self.solver.resize(rows, freedoms);
        let mut row = 0;
        self.jacobian.blocks.clear();
        for held in &self.constraints {
            let rows = held.what.rows();
            for point in &held.points[..held.what.points()] {
                let data = [Vector3::zeros(); MOST_ROWS];
                self.jacobian.blocks.push(SparseBlock { row, rows, point: *point, data });
            }
            row += rows;
        }
        self.jacobian_rate.clone_from(&self.jacobian);
    }

    /// Computes positions and velocities of all points.
    pub(super) fn place(&mut self, q: &[f64], v: &[f64]) -> Result<(), Fault> {
        for particle in 0..self.inverse_masses.len() {
            self.positions[particle] = vector(q, particle);
            self.velocities[particle] = vector(v, particle);
        }
        for (index, body) in self.bodies.iter_mut().enumerate() {
            let freedoms = body.first_freedom..body.first_freedom + body.freedoms();
            let (u, rate) = (&q[freedoms.clone()], &v[freedoms]);
            if !body.evaluate(u, rate) {
                return Err(Fault::SingularBody { body: index });
            }
            for point in 0..body.points() {
                self.positions[body.first_point + point] = body.form.points[point];
                self.velocities[body.first_point + point] = body.point_of(rate, point);
            }
        }
        Ok(())
    }

    /// q̈ in a state: forces, constraints, multipliers, in the order of section 4.5.
    pub(super) fn accelerate(
        &mut self,
        q: &[f64],
        v: &[f64],
        acceleration: &mut [f64],
    ) -> Result<Solution, Fault> {
        self.place(q, v)?;
        self.gather_forces();
        self.accelerate_freely(acceleration);
        self.evaluate_constraints();
        self.write_right_side();
        let mut operator = InverseMassRoot {
            roots: &self.roots,
            bodies: &self.bodies,
            jacobian: &self.jacobian,
            points: &mut self.products,
            scratch: &mut self.scratch,
        };
        let solution = self.solver.solve(&mut operator, &self.right);
        for (particle, root) in self.roots.iter().enumerate() {
            let freedoms = 3 * particle..3 * particle + 3;
            let pulled = acceleration[freedoms.clone()].iter_mut().zip(&self.solver.y[freedoms]);
            pulled.for_each(|(sum, y)| *sum += root * y);
        }
        for body in &self.bodies {
            let freedoms = body.first_freedom..body.first_freedom + body.freedoms();
            let w = &mut self.scratch[freedoms.clone()];
            w.copy_from_slice(&self.solver.y[freedoms.clone()]);
            body.solve_upper(w);
            acceleration[freedoms].iter_mut().zip(w).for_each(|(sum, w)| *sum += *w);
        }
        self.forces.fill(Vector3::zeros());
        self.jacobian.add_transpose_times(&self.solver.lambda, &mut self.forces);
        Ok(solution)
    }

    /// Mass of a point, kg; `None` for a fixed particle.
    pub(super) fn mass(&self, point: usize) -> Option<f64> {
        match self.inverse_masses.get(point) {
            Some(inverse) => (*inverse > 0.0).then(|| 1.0 / inverse),
            None => {
                let body = self.bodies.iter().rev().find(|body| body.first_point <= point)?;
                body.parametric.masses().get(point - body.first_point).copied()
            }
        }
    }

    fn gather_forces(&mut self) {
        for point in 0..self.positions.len() {
            let weight = self.mass(point).map_or_else(Vector3::zeros, |mass| mass * self.gravity);
            self.forces[point] = weight - self.drag * self.velocities[point] + self.applied[point];
        }
        for PointElement { what: spring, points: [a, b] } in &self.springs {
            let apart = self.positions[*b] - self.positions[*a];
            let length = apart.norm();
            let along = apart.try_normalize(0.0).unwrap_or_else(Vector3::zeros);
            let parting = along.dot(&(self.velocities[*b] - self.velocities[*a]));
            let pull = (spring.stiffness * (length - spring.rest) + spring.damping * parting) * along;
            self.forces[*a] += pull;
            self.forces[*b] -= pull;
        }
    }

    /// W Q of particles; of bodies ü = (JᵀMJ)⁻¹ Jᵀ(Q − M J̇u̇), equation (13). It writes the accelerations of
    /// points as well.
    fn accelerate_freely(&mut self, acceleration: &mut [f64]) {
        for (particle, inverse) in self.inverse_masses.iter().enumerate() {
            self.free[particle] = self.forces[particle] * *inverse;
            acceleration[3 * particle..3 * particle + 3].copy_from_slice(self.free[particle].as_slice());
        }
        for body in &self.bodies {
            let points = body.first_point..body.first_point + body.points();
            let net = &mut self.products[points.clone()];
            for (k, (net, mass)) in net.iter_mut().zip(body.parametric.masses()).enumerate() {
                *net = self.forces[body.first_point + k] - *mass * body.bias[k];
            }
            let w = &mut acceleration[body.first_freedom..body.first_freedom + body.freedoms()];
            body.gather(net, w);
            body.solve_lower(w);
            body.solve_upper(w);
            for (k, point) in points.enumerate() {
                self.free[point] = body.point_of(w, k) + body.bias[k];
            }
        }
    }

    fn evaluate_constraints(&mut self) {
        let (mut row, mut block) = (0, 0);
        let mut fragment = Fragment::default();
        for held in &mut self.constraints {
            let (rows, points) = (held.what.rows(), held.what.points());
            let positions = held.points.map(|point| self.positions[point]);
            let velocities = held.points.map(|point| self.velocities[point]);
            let at = At { positions: &positions[..points], velocities: &velocities[..points] };
            held.what.evaluate(at, &mut fragment);
            self.values[row..row + rows].copy_from_slice(&fragment.value[..rows]);
            self.rates[row..row + rows].copy_from_slice(&fragment.rate[..rows]);
            for point in 0..points {
                self.jacobian.blocks[block].data = fragment.jacobian[point];
                self.jacobian_rate.blocks[block].data = fragment.jacobian_rate[point];
                block += 1;
            }
            row += rows;
        }
    }

    /// −J̇q̇ − JWQ − k_s C − k_d Ċ, equation (11).
    fn write_right_side(&mut self) {
        self.unfed.fill(0.0);
        self.jacobian_rate.add_times(&self.velocities, &mut self.unfed);
        self.jacobian.add_times(&self.free, &mut self.unfed);
        self.unfed.iter_mut().for_each(|value| *value = -*value);
        for (row, right) in self.right.iter_mut().enumerate() {
            *right = self.unfed[row]
                - self.feedback.stiffness * self.values[row]
                - self.feedback.damping * self.rates[row];
        }
    }
}

/// The n-th three of many numbers.
pub(super) fn vector(numbers: &[f64], n: usize) -> Vector3<f64> {
    Vector3::new(numbers[3 * n], numbers[3 * n + 1], numbers[3 * n + 2])
}

/// B = J F with F Fᵀ = W: F is 1/√m for a particle and J_u L⁻ᵀ for a body.
struct InverseMassRoot<'a> {
    roots: &'a [f64],
    bodies: &'a [ParametricBody],
    jacobian: &'a BlockSparse,
    points: &'a mut [Vector3<f64>],
    scratch: &'a mut [f64],
}

impl Operator for InverseMassRoot<'_> {
    fn times(&mut self, y: &[f64], product: &mut [f64]) {
        for (particle, root) in self.roots.iter().enumerate() {
            self.points[particle] = *root * vector(y, particle);
        }
        for body in self.bodies {
            let freedoms = body.first_freedom..body.first_freedom + body.freedoms();
            let w = &mut self.scratch[freedoms.clone()];
            w.copy_from_slice(&y[freedoms]);
            body.solve_upper(w);
            (0..body.points()).for_each(|k| self.points[body.first_point + k] = body.point_of(w, k));
        }
        product.fill(0.0);
        self.jacobian.add_times(self.points, product);
    }

    fn transpose_times(&mut self, lambda: &[f64], product: &mut [f64]) {
        self.points.fill(Vector3::zeros());
        self.jacobian.add_transpose_times(lambda, self.points);
        for (particle, root) in self.roots.iter().enumerate() {
            let sum = *root * self.points[particle];
            product[3 * particle..3 * particle + 3].copy_from_slice(sum.as_slice());
        }
        for body in self.bodies {
            let w = &mut product[body.first_freedom..body.first_freedom + body.freedoms()];
            body.gather(&self.points[body.first_point..body.first_point + body.points()], w);
            body.solve_lower(w);
        }
    }
}
