//! Constrained particles as a passive object of a scene.

use super::constraint::PointConstraint;
use super::{Constrained, ConstraintId, Point, Spring, SpringId, Unknown};
use crate::{
    Energy, Outline, Part, PartId, PassiveSystem, PassiveTouch, SolverStats, StepStatus, SwitchKind,
    Switchable, SwitchableElement,
};
use aplomb_body::model::Shape;
use aplomb_math::spatial::Force;
use nalgebra::{UnitQuaternion, Vector3};
use std::ops::Range;

/// A rod that is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rod {
    /// Indices of its parts.
    pub ends: [usize; 2],
    /// Nominal length, m; `None` for a rod that has no constraint and is only drawn.
    pub length: Option<f64>,
}

/// One constrained system. Its parts are its points, then samples of its wires, which are fixed.
#[derive(Clone)]
pub(super) struct ConstrainedThing {
    pub(super) system: Constrained,
    pub(super) points: Vec<Point>,
    /// Samples of wires, m.
    pub(super) wires: Vec<Vector3<f64>>,
    pub(super) rods: Vec<Rod>,
    /// Radius at which points are drawn, m; rods have a third of it.
    pub(super) radius: f64,
    /// Masses of points, kg; 0 for fixed ones.
    pub(super) masses: Vec<f64>,
    pub(super) parts: Vec<Removable>,
}

/// A named constraint or spring, which can be removed and added again.
#[derive(Clone)]
pub(super) struct Removable {
    pub name: String,
    pub points: Vec<Point>,
    pub what: ElementKind,
    /// Index of the rod that is drawn for a distance constraint, and the nominal length, m.
    pub rod: Option<(usize, f64)>,
}

/// The element itself, with its identifier while it is present.
#[derive(Clone)]
pub(super) enum ElementKind {
    Constraint(Box<dyn PointConstraint>, Option<ConstraintId>),
    Spring(Spring, Option<SpringId>),
}

impl ConstrainedThing {
    fn place(&self, part: usize) -> Vector3<f64> {
        match self.points.get(part) {
            Some(point) => self.system.position(*point).unwrap_or_default(),
            None => self.wires.get(part - self.points.len()).copied().unwrap_or_default(),
        }
    }
}

impl PassiveSystem for ConstrainedThing {
    fn time(&self) -> f64 {
        self.system.time()
    }

    fn step(&mut self, dt: f64) -> StepStatus {
        match self.system.step(dt) {
            Err(_) => StepStatus::Failed,
            Ok(solution) if solution.capped || solution.contradictory => StepStatus::Approximate,
            Ok(_) => StepStatus::Solved,
        }
    }

    fn parts(&self) -> usize {
        self.points.len() + self.wires.len()
    }

    fn part(&self, part: PartId) -> Part {
        let velocity = self.points.get(part.0).and_then(|point| self.system.velocity(*point).ok());
        Part {
            position: self.place(part.0),
            orientation: UnitQuaternion::identity(),
            velocity: velocity.unwrap_or_default(),
            angular_velocity: Vector3::zeros(),
        }
    }

    /// Forces on wires have no effect.
    fn apply_force(&mut self, part: PartId, _point: &Vector3<f64>, force: &Vector3<f64>) {
        if let Some(point) = self.points.get(part.0) {
            let applied = self.system.apply_force(*point, force);
            debug_assert!(applied.is_ok(), "its points are there");
        }
    }

    /// Impulses on points of bodies given by q(u) and on wires have no effect.
    fn apply_impulse(&mut self, part: PartId, _point: &Vector3<f64>, impulse: &Vector3<f64>) {
        if let Some(Point::Particle(particle)) = self.points.get(part.0) {
            let applied = self.system.apply_impulse(*particle, impulse);
            debug_assert!(applied.is_ok(), "its particles are there");
        }
    }

    fn energy(&self, _parts: Range<usize>) -> Energy {
        let (kinetic, potential) = self.system.energy();
        Energy { kinetic, potential }
    }

    fn momentum(&self, _parts: Range<usize>) -> Force {
        let (linear, angular) = self.system.momentum();
        Force::new(angular, linear)
    }

    fn centre_of_mass(&self, _parts: Range<usize>) -> (f64, Vector3<f64>) {
        let total: f64 = self.masses.iter().sum();
        let moment: Vector3<f64> =
            self.masses.iter().enumerate().map(|(part, mass)| *mass * self.place(part)).sum();
        (total, if total > 0.0 { moment / total } else { moment })
    }

    fn solver_stats(&self) -> SolverStats {
        let solution = self.system.solution();
        SolverStats { iterations: solution.iterations, residual: solution.residual }
    }

    fn stretch(&self, _parts: Range<usize>) -> f64 {
        let worst = |worst: f64, rod: &Rod| match rod.length {
            Some(length) => {
                let [a, b] = rod.ends.map(|end| self.place(end));
                worst.max(((b - a).norm() / length - 1.0).abs())
            }
            None => worst,
        };
        self.rods.iter().fold(0.0, worst)
    }

    fn outline(&self) -> Vec<Outline> {
        let balls = (0..self.points.len()).map(|part| Outline::Solid {
            part: PartId(part),
            shape: Shape::Sphere { radius: self.radius },
            position: Vector3::zeros(),
            orientation: UnitQuaternion::identity(),
        });
        let rods = self
            .rods
            .iter()
            .map(|rod| Outline::Segment { ends: rod.ends.map(PartId), radius: self.radius / 3.0 });
        balls.chain(rods).collect()
    }

    fn as_switchable(&mut self) -> Option<&mut dyn Switchable> {
        Some(self)
    }

    fn each_touch(&self, _each: &mut dyn FnMut(&PassiveTouch)) {}
}

impl Switchable for ConstrainedThing {
    fn switches(&self, _parts: &Range<usize>) -> Vec<SwitchableElement> {
        let named = self.parts.iter().enumerate().map(|(number, part)| SwitchableElement {
            kind: match part.what {
                ElementKind::Constraint(..) => SwitchKind::Constraint,
                ElementKind::Spring(..) => SwitchKind::Spring,
            },
            name: part.name.clone(),
            number,
        });
        named.collect()
    }

    /// An element that is added again is appended after the others.
    fn turn(&mut self, number: usize, on: bool) {
        let ConstrainedThing { system, parts, rods, .. } = self;
        let Some(part) = parts.get_mut(number) else { return };
        match (&mut part.what, on) {
            (ElementKind::Constraint(constraint, id @ None), true) => {
                *id = system.add_constraint(constraint.clone(), &part.points).ok();
            }
            (ElementKind::Constraint(_, id), false) => {
                let removed = id.take().map(|id| system.remove_constraint(id));
                debug_assert!(removed != Some(Err(Unknown::Constraint)), "it was there");
            }
            (ElementKind::Spring(spring, id @ None), true) => {
                if let [a, b] = part.points[..] {
                    *id = system.add_spring(*spring, [a, b]).ok();
                }
            }
            (ElementKind::Spring(_, id), false) => {
                let removed = id.take().map(|id| system.remove_spring(id));
                debug_assert!(removed != Some(Err(Unknown::Spring)), "it was there");
            }
            (_, true) => {}
        }
        if let Some((rod, length)) = part.rod {
            rods[rod].length = on.then_some(length);
        }
    }
}
