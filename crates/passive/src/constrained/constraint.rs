//! Constraints: objects that evaluate C, its rate, and the derivatives of both ([Witkin 1997] section 4).

use super::curve::Curve;
use super::sparse::MOST_ROWS;
use super::surface::ImplicitSurface;
use nalgebra::{UnitVector3, Vector3};

/// Largest number of points that one constraint depends on.
pub const MOST_POINTS: usize = 2;

/// Positions and velocities of a constraint's points, in its order; m, m/s, world.
#[derive(Clone, Copy, Debug)]
pub struct At<'a> {
    /// Positions, m, world axes.
    pub positions: &'a [Vector3<f64>],
    /// Velocities, m/s, world axes.
    pub velocities: &'a [Vector3<f64>],
}

/// Contribution of a constraint to the system, by its rows; blocks by its points, then rows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Fragment {
    /// C
    pub value: [f64; MOST_ROWS],
    /// Ċ = J ẋ
    pub rate: [f64; MOST_ROWS],
    /// J = ∂C/∂x
    pub jacobian: [[Vector3<f64>; MOST_ROWS]; MOST_POINTS],
    /// J̇ = ∂Ċ/∂x
    pub jacobian_rate: [[Vector3<f64>; MOST_ROWS]; MOST_POINTS],
}

/// A condition C(x) = 0 on one or two points.
pub trait PointConstraint: Send + CloneConstraint {
    /// Number of scalar equations, at most [`MOST_ROWS`].
    fn rows(&self) -> usize;

    /// Number of points, at most [`MOST_POINTS`].
    fn points(&self) -> usize;

    /// Writes the fragment for all of its rows and points; the rest is ignored.
    fn evaluate(&mut self, at: At, fragment: &mut Fragment);
}

/// Cloning of a boxed constraint. Everything that is `Clone` implements it.
pub trait CloneConstraint {
    /// A copy of the constraint.
    fn boxed_clone(&self) -> Box<dyn PointConstraint>;
}

impl<T: PointConstraint + Clone + 'static> CloneConstraint for T {
    fn boxed_clone(&self) -> Box<dyn PointConstraint> {
        Box::new(self.clone())
    }
}

impl Clone for Box<dyn PointConstraint> {
    fn clone(&self) -> Self {
        (**self).boxed_clone()
    }
}

/// Two points keep this distance, m: C = (d·d − r²)/2.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Distance {
    /// Distance r, m.
    pub length: f64,
}

/// A point stays at a position, m: C = x − p.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pin {
    /// Fixed position p, m, world axes.
    pub place: Vector3<f64>,
}

/// A point stays on a circle: C = ((x − c)·(x − c) − r²)/2 (the paper's equation 1) and n·(x − c).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OnCircle {
    /// Centre c, m, world axes.
    pub center: Vector3<f64>,
    /// Unit normal n of the circle's plane, world axes.
    pub normal: UnitVector3<f64>,
    /// Radius r, m.
    pub radius: f64,
}

/// A point stays on a surface: C = f(x).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OnSurface {
    /// The surface f.
    pub surface: ImplicitSurface,
}

/// A point stays on a curve γ(s): C = n·(x − γ(s)) for two directions n across it, with γ'(s)·(x − γ(s)) = 0.
#[derive(Clone, Debug, PartialEq)]
pub struct OnCurve {
    curve: Curve,
    /// Parameter of the nearest point of the curve at the last evaluation.
    foot: Option<f64>,
}

impl OnCurve {
    /// A point that stays on `curve`.
    pub fn new(curve: Curve) -> OnCurve {
        OnCurve { curve, foot: None }
    }
}

impl PointConstraint for Distance {
    fn rows(&self) -> usize {
        1
    }

    fn points(&self) -> usize {
        2
    }

    fn evaluate(&mut self, at: At, fragment: &mut Fragment) {
        let apart = at.positions[1] - at.positions[0];
        let parting = at.velocities[1] - at.velocities[0];
        fragment.value[0] = 0.5 * (apart.norm_squared() - self.length * self.length);
        fragment.rate[0] = apart.dot(&parting);
        (fragment.jacobian[0][0], fragment.jacobian[1][0]) = (-apart, apart);
        (fragment.jacobian_rate[0][0], fragment.jacobian_rate[1][0]) = (-parting, parting);
    }
}

impl PointConstraint for Pin {
    fn rows(&self) -> usize {
        3
    }

    fn points(&self) -> usize {
        1
    }

    fn evaluate(&mut self, at: At, fragment: &mut Fragment) {
        fragment.value = (at.positions[0] - self.place).into();
        fragment.rate = at.velocities[0].into();
        fragment.jacobian[0] = [Vector3::x(), Vector3::y(), Vector3::z()];
        fragment.jacobian_rate[0] = [Vector3::zeros(); MOST_ROWS];
    }
}

impl PointConstraint for OnCircle {
    fn rows(&self) -> usize {
        2
    }

    fn points(&self) -> usize {
        1
    }

    fn evaluate(&mut self, at: At, fragment: &mut Fragment) {
        let (out, velocity) = (at.positions[0] - self.center, at.velocities[0]);
        fragment.value[0] = 0.5 * (out.norm_squared() - self.radius * self.radius);
        fragment.value[1] = self.normal.dot(&out);
        fragment.rate[0] = out.dot(&velocity);
        fragment.rate[1] = self.normal.dot(&velocity);
        fragment.jacobian[0][..2].copy_from_slice(&[out, *self.normal]);
        fragment.jacobian_rate[0][..2].copy_from_slice(&[velocity, Vector3::zeros()]);
    }
}

impl PointConstraint for OnSurface {
    fn rows(&self) -> usize {
        1
    }

    fn points(&self) -> usize {
        1
    }

    fn evaluate(&mut self, at: At, fragment: &mut Fragment) {
        let (value, gradient, hessian) = self.surface.at(&at.positions[0]);
        fragment.value[0] = value;
        fragment.rate[0] = gradient.dot(&at.velocities[0]);
        fragment.jacobian[0][0] = gradient;
        fragment.jacobian_rate[0][0] = hessian * at.velocities[0];
    }
}

impl PointConstraint for OnCurve {
    fn rows(&self) -> usize {
        2
    }

    fn points(&self) -> usize {
        1
    }

    /// The foot moves at ṡ = γ'·ẋ/D with D = γ'·γ' − (x − γ)·γ''. The directions n are computed again at
    /// every evaluation and are constant in it; as they are orthogonal to γ', J = nᵀ and J̇ = −ṡ (n·γ'')
    /// γ'ᵀ/D.
    fn evaluate(&mut self, at: At, fragment: &mut Fragment) {
        let (place, velocity) = (at.positions[0], at.velocities[0]);
        let foot = self.curve.foot(&place, self.foot);
        self.foot = Some(foot);
        let [on, first, second] = self.curve.at(foot);
        let off = place - on;
        let d = first.norm_squared() - off.dot(&second);
        let rate = first.dot(&velocity) / d;
        let mut aside = Vector3::zeros();
        aside[first.iamin()] = 1.0;
        let across = first.cross(&aside).normalize();
        for (row, n) in [across, first.cross(&across).normalize()].into_iter().enumerate() {
            fragment.value[row] = n.dot(&off);
            fragment.rate[row] = n.dot(&velocity);
            fragment.jacobian[0][row] = n;
            fragment.jacobian_rate[0][row] = -rate * n.dot(&second) / d * first;
        }
    }
}
