//! Scalar constraints: a linear function of the accelerations, and the force that belongs to it.

use super::Articulated;
use aplomb_body::model::{BodyId, Model};
use aplomb_math::spatial::Force;
use nalgebra::Vector3;

/// The unit force of a constraint on one system; by virtual work also the function of q̈ (or v) that it
/// governs.
#[doc(alias = "Jacobian")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ConstraintJacobian {
    /// A force along `direction` (unit) at the body's point that is at `point`, both in world axes; it
    /// governs the acceleration (or velocity) of that point along the direction.
    Point {
        /// Body the force acts on.
        body: BodyId,
        /// Point of application, m, world axes.
        point: Vector3<f64>,
        /// Unit direction of the force, world axes.
        direction: Vector3<f64>,
    },
    /// A generalised force in the coordinates of `body` from `first` on, with these weights; it governs the
    /// weighted sum of their rates.
    Joint {
        /// Body the joint moves.
        body: BodyId,
        /// Index of the joint's first velocity coordinate.
        first: usize,
        /// Weights of the joint's velocity coordinates, up to three.
        weights: Vector3<f64>,
    },
}

impl ConstraintJacobian {
    /// The generalised force in one coordinate.
    pub fn coordinate(model: &Model, coordinate: usize) -> ConstraintJacobian {
        ConstraintJacobian::Joint {
            body: model.dof_body[coordinate],
            first: coordinate,
            weights: Vector3::x(),
        }
    }

    /// Body the force acts on.
    pub fn body(&self) -> BodyId {
        match self {
            ConstraintJacobian::Point { body, .. } | ConstraintJacobian::Joint { body, .. } => *body,
        }
    }

    /// The governed function of v.
    pub(super) fn velocity(&self, system: &Articulated) -> f64 {
        match self {
            ConstraintJacobian::Point { body, point, direction } => {
                direction.dot(&system.kinematics.point_velocity(*body, point))
            }
            ConstraintJacobian::Joint { first, weights, .. } => weighted(&system.state.v, *first, weights),
        }
    }

    /// The governed function of q̈ of the last forward dynamics, without the velocity-dependent term.
    pub(super) fn acceleration(&self, system: &Articulated) -> f64 {
        match self {
            ConstraintJacobian::Point { body, point, direction } => {
                let arm = point - system.kinematics.position[body.0];
                direction.dot(&system.factors.acceleration(*body).velocity_at(&arm))
            }
            ConstraintJacobian::Joint { first, weights, .. } => {
                weighted(&system.acceleration, *first, weights)
            }
        }
    }

    /// The velocity-dependent term of the governed acceleration: J̇ v.
    pub(crate) fn bias(&self, system: &Articulated) -> f64 {
        match self {
            ConstraintJacobian::Point { body, point, direction } => {
                direction.dot(&system.kinematics.point_bias_acceleration(*body, point))
            }
            ConstraintJacobian::Joint { .. } => 0.0,
        }
    }

    /// Applies `size` units of the force in the next forward dynamics.
    pub(super) fn act(&self, system: &mut Articulated, size: f64) {
        match self {
            ConstraintJacobian::Point { body, point, direction } => {
                system.acting[body.0] += Force::at_point(point, direction * size, Vector3::zeros());
            }
            ConstraintJacobian::Joint { first, weights, .. } => {
                let coordinates = system.tau[*first..].iter_mut();
                for (tau, weight) in coordinates.zip(weights.iter()).filter(|(_, weight)| **weight != 0.0) {
                    *tau += weight * size;
                }
            }
        }
    }

    /// The inward pass of one unit of the force: δu on the path from the world.
    pub(super) fn push(&self, system: &Articulated, path: &mut [f64]) {
        let Articulated { model, kinematics, factors, .. } = system;
        match self {
            ConstraintJacobian::Point { body, point, direction } => {
                let force = Force::at_point(point, *direction, Vector3::zeros());
                factors.push_body(model, kinematics, *body, &force, path);
            }
            ConstraintJacobian::Joint { body, first, weights } => {
                let weight = |j: usize| j.checked_sub(*first).and_then(|k| weights.get(k)).copied();
                factors.push_joints(model, *body, |j| weight(j).unwrap_or(0.0), path);
            }
        }
    }

    /// Changes v by a unit impulse.
    pub(super) fn strike(&self, system: &mut Articulated) {
        system.prepare(0.0);
        let body = self.body();
        let mut path = vec![0.0; system.depth(body)];
        self.push(system, &mut path);
        let mut next = system.model.bodies[body.0].last_dof;
        for delta in path.iter().rev() {
            let Some(j) = next else { break };
            system.residual[j] += delta;
            next = system.model.dof_parent[j];
        }
        system.jump();
    }
}

fn weighted(rates: &[f64], first: usize, weights: &Vector3<f64>) -> f64 {
    let used = rates[first..].iter().zip(weights.iter()).filter(|(_, weight)| **weight != 0.0);
    used.map(|(rate, weight)| rate * weight).sum()
}

/// A constraint between one or two systems. Its function is that of the first Jacobian minus that of the
/// second, and its force acts on both with opposite signs. `None` stands for the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConstraintRow {
    /// Index of the system and Jacobian on either side; `None` for the fixed world.
    pub pulls: [Option<(usize, ConstraintJacobian)>; 2],
}

impl ConstraintRow {
    /// A constraint between one system and the fixed world.
    pub fn on(system: usize, pull: ConstraintJacobian) -> ConstraintRow {
        ConstraintRow { pulls: [Some((system, pull)), None] }
    }

    /// The Jacobians with their systems and signs.
    pub(super) fn signed(&self) -> impl Iterator<Item = (usize, &ConstraintJacobian, f64)> {
        let signs = self.pulls.iter().zip([1.0, -1.0]);
        signs.filter_map(|(pull, sign)| pull.as_ref().map(|(system, pull)| (*system, pull, sign)))
    }

    pub(super) fn velocity(&self, systems: &[Articulated]) -> f64 {
        self.signed().map(|(system, pull, sign)| sign * pull.velocity(&systems[system])).sum()
    }

    pub(super) fn acceleration(&self, systems: &[Articulated]) -> f64 {
        self.signed().map(|(system, pull, sign)| sign * pull.acceleration(&systems[system])).sum()
    }

    /// J̇ v of the constraint.
    pub fn bias(&self, systems: &[Articulated]) -> f64 {
        self.signed().map(|(system, pull, sign)| sign * pull.bias(&systems[system])).sum()
    }

    pub(super) fn act(&self, systems: &mut [Articulated], size: f64) {
        for (system, pull, sign) in self.signed() {
            pull.act(&mut systems[system], sign * size);
        }
    }
}
