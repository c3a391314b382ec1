//! The constraint solve: forces of constraints, and impulses of impacts ([Kokkevis 2004] §§4-6).

use super::lcp::{GaussSeidelStats, Law, SubspaceMinimization, Tolerance, settled, solve};
use super::{Articulated, ConstraintRow, DelassusOperator};
use nalgebra::Vector3;

/// A set of constraints `h(q̈) = J q̈ − desired`, the forces that satisfy their laws, and the solver's
/// memory. It is filled again for every step.
#[doc(alias = "LCP")]
#[doc(alias = "constraint solver")]
#[derive(Clone, Debug, Default)]
pub struct Constraints {
    rows: Vec<ConstraintRow>,
    laws: Vec<Law>,
    desired: Vec<f64>,
    force: Vec<f64>,
    violation: Vec<f64>,
    influence: DelassusOperator,
    finish: SubspaceMinimization,
}

impl Constraints {
    /// Removes all rows and keeps the allocations.
    pub(crate) fn clear(&mut self) {
        self.rows.clear();
        self.laws.clear();
        self.desired.clear();
        self.force.clear();
    }

    /// Adds a constraint and returns its index. `desired` is the value of J q̈ (for a desired acceleration,
    /// subtract [`ConstraintRow::bias`] from it), or for an impact the change of velocity; `guess` is the
    /// force of the previous step.
    #[doc(alias = "warm start")]
    pub fn push(&mut self, row: ConstraintRow, law: Law, desired: f64, guess: f64) -> usize {
        self.rows.push(row);
        self.laws.push(law);
        self.desired.push(desired);
        self.force.push(guess);
        self.rows.len() - 1
    }

    /// Number of rows.
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Force of each constraint, N or N m; impulses after an impact.
    pub fn forces(&self) -> &[f64] {
        &self.force
    }

    /// Computes q̈ of all systems under gravity, applied forces and the constraint forces, for a step of `h`
    /// seconds (0: springs and dampers of joints act at the present state). If the guessed forces leave
    /// violations of at most `content`, they are kept.
    pub fn accelerate(
        &mut self,
        systems: &mut [Articulated],
        gravity: &Vector3<f64>,
        h: f64,
        stop: &Tolerance,
        content: f64,
    ) -> GaussSeidelStats {
        for system in systems.iter_mut().filter(|system| !system.is_kinematic) {
            system.prepare(h);
        }
        for (row, force) in self.rows.iter().zip(&self.force).filter(|(_, force)| **force != 0.0) {
            row.act(systems, *force);
        }
        for system in systems.iter_mut().filter(|system| !system.is_kinematic) {
            system.accelerate(gravity);
            system.centre_velocity(gravity);
        }
        if self.rows.is_empty() {
            return GaussSeidelStats::default();
        }
        self.violation.clear();
        for (row, desired) in self.rows.iter().zip(&self.desired) {
            self.violation.push(row.acceleration(systems) - desired);
        }
        // For objects at rest, the forces of the previous step are those of this one.
        if let Some(residual) = settled(&self.laws, &self.force, &self.violation, content) {
            return GaussSeidelStats { iterations: 0, residual };
        }
        let effort = self.resolve(systems, stop);
        systems.iter_mut().for_each(Articulated::respond);
        effort
    }

    /// Changes the velocities of all systems by impulses that satisfy the constraints ([Kokkevis 2004] §5
    /// with δt = 1).
    #[doc(alias = "impact")]
    #[doc(alias = "collision response")]
    pub fn strike(&mut self, systems: &mut [Articulated], stop: &Tolerance) -> GaussSeidelStats {
        for system in systems.iter_mut() {
            system.prepare(0.0);
        }
        self.force.fill(0.0);
        self.violation.clear();
        self.violation.extend(self.desired.iter().map(|desired| -desired));
        let effort = self.resolve(systems, stop);
        systems.iter_mut().for_each(Articulated::jump);
        effort
    }

    /// K of the constraints, one row. The systems must be in the state of the last solve.
    pub fn influence(&mut self, systems: &[Articulated], row: usize) -> &[f64] {
        self.influence.update(systems, &self.rows);
        self.influence.row(row)
    }

    /// Solves for the forces, and stores the effect of their changes in the systems' residuals.
    fn resolve(&mut self, systems: &mut [Articulated], stop: &Tolerance) -> GaussSeidelStats {
        self.influence.update(systems, &self.rows);
        let Constraints { influence, laws, force, violation, finish, .. } = self;
        let effort = solve(influence, laws, force, violation, stop, Some(finish));
        self.influence.respond(systems);
        effort
    }
}
