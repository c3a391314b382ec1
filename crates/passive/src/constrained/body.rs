//! Bodies whose points are functions of fewer coordinates, q(u) ([Witkin 1997] section 5).

use aplomb_math::elementary::sincos;
use nalgebra::{DMatrix, UnitQuaternion, Vector3};

/// Points of a body, and their dependence on its degrees of freedom u. Rows of matrices are ordered point by
/// point, x, y, z.
#[derive(Clone, Debug)]
pub struct BodyPoints {
    /// Positions q, m, world.
    pub(crate) points: Vec<Vector3<f64>>,
    /// J = ∂q/∂u
    pub(crate) jacobian: DMatrix<f64>,
    /// J̇ = dJ/dt
    pub(crate) jacobian_rate: DMatrix<f64>,
}

/// A body given by q(u).
pub trait Parametric: Send + CloneParametric {
    /// Number of degrees of freedom.
    fn freedoms(&self) -> usize;

    /// Masses of its points, kg.
    fn masses(&self) -> &[f64];

    /// Writes the form at coordinates `u` with the rates `rate`.
    fn evaluate(&self, u: &[f64], rate: &[f64], form: &mut BodyPoints);
}

/// Cloning of a boxed parametrisation. Everything that is `Clone` implements it.
pub trait CloneParametric {
    /// A copy of the body's parametrisation.
    fn boxed_clone(&self) -> Box<dyn Parametric>;
}

impl<T: Parametric + Clone + 'static> CloneParametric for T {
    fn boxed_clone(&self) -> Box<dyn Parametric> {
        Box::new(self.clone())
    }
}

impl Clone for Box<dyn Parametric> {
    fn clone(&self) -> Self {
        (**self).boxed_clone()
    }
}

/// A bead on a circle: q = center + orientation (r cos θ, r sin θ, 0).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hoop {
    /// Centre of the circle, m, world axes.
    pub center: Vector3<f64>,
    /// Rotation of the circle's own axes to world axes.
    pub orientation: UnitQuaternion<f64>,
    /// Radius, m.
    pub radius: f64,
    /// Mass, kg.
    pub mass: [f64; 1],
}

impl Parametric for Hoop {
    fn freedoms(&self) -> usize {
        1
    }

    fn masses(&self) -> &[f64] {
        &self.mass
    }

    fn evaluate(&self, u: &[f64], rate: &[f64], form: &mut BodyPoints) {
        let (sin, cos) = sincos(u[0]);
        let out = self.orientation * Vector3::new(cos, sin, 0.0) * self.radius;
        let along = self.orientation * Vector3::new(-sin, cos, 0.0) * self.radius;
        form.points[0] = self.center + out;
        form.jacobian.column_mut(0).copy_from(&along);
        form.jacobian_rate.column_mut(0).copy_from(&(-rate[0] * out));
    }
}

/// A pendulum of several rods in a plane, with a mass at the end of each. u are their angles from straight
/// down, rad: rod k points along sin u `across` − cos u `up`.
#[derive(Clone, Debug, PartialEq)]
pub struct Pendulum {
    /// Fixed end of the first rod, m, world axes.
    pub pivot: Vector3<f64>,
    /// Horizontal unit vector in the plane of the pendulum, orthogonal to `up`, world axes.
    pub across: Vector3<f64>,
    /// Unit vector opposite to the rods at rest, world axes.
    pub up: Vector3<f64>,
    /// Lengths of the rods, m.
    pub lengths: Vec<f64>,
    /// Masses at their ends, kg.
    pub masses: Vec<f64>,
}

impl Parametric for Pendulum {
    fn freedoms(&self) -> usize {
        self.lengths.len()
    }

    fn masses(&self) -> &[f64] {
        &self.masses
    }

    fn evaluate(&self, u: &[f64], rate: &[f64], form: &mut BodyPoints) {
        let mut place = self.pivot;
        for (rod, length) in self.lengths.iter().enumerate() {
            let (sin, cos) = sincos(u[rod]);
            let along = *length * (sin * self.across - cos * self.up);
            let turned = *length * (cos * self.across + sin * self.up);
            place += along;
            form.points[rod] = place;
            for point in rod..self.lengths.len() {
                form.jacobian.fixed_view_mut::<3, 1>(3 * point, rod).copy_from(&turned);
                form.jacobian_rate.fixed_view_mut::<3, 1>(3 * point, rod).copy_from(&(-rate[rod] * along));
            }
        }
    }
}

/// A body in a system: its present form and the factor of Jᵀ M J.
#[derive(Clone)]
pub(crate) struct ParametricBody {
    /// The function from the body's coordinates to its points.
    pub(crate) parametric: Box<dyn Parametric>,
    /// Points and derivatives at the present coordinates.
    pub(crate) form: BodyPoints,
    /// Index of its first point in the system.
    pub(crate) first_point: usize,
    /// Index of its first degree of freedom in the system.
    pub(crate) first_freedom: usize,
    /// L with Jᵀ M J = L Lᵀ, lower triangle.
    factor: DMatrix<f64>,
    /// J̇ u̇ of each point, m/s².
    pub(crate) bias: Vec<Vector3<f64>>,
}

impl ParametricBody {
    /// A body with the given parametrisation.
    pub(crate) fn new(parametric: Box<dyn Parametric>) -> ParametricBody {
        let (freedoms, points) = (parametric.freedoms(), parametric.masses().len());
        let matrix = DMatrix::zeros(3 * points, freedoms);
        ParametricBody {
            form: BodyPoints {
                points: vec![Vector3::zeros(); points],
                jacobian: matrix.clone(),
                jacobian_rate: matrix,
            },
            factor: DMatrix::zeros(freedoms, freedoms),
            bias: vec![Vector3::zeros(); points],
            parametric,
            first_point: 0,
            first_freedom: 0,
        }
    }

    /// Number of degrees of freedom.
    pub(crate) fn freedoms(&self) -> usize {
        self.parametric.freedoms()
    }

    /// Number of points.
    pub(crate) fn points(&self) -> usize {
        self.bias.len()
    }

    /// Evaluates q(u) and its derivatives, and factors the mass. False if the mass is singular: a degree of freedom
    /// moves no mass.
    pub(crate) fn evaluate(&mut self, u: &[f64], rate: &[f64]) -> bool {
        self.parametric.evaluate(u, rate, &mut self.form);
        for (point, bias) in self.bias.iter_mut().enumerate() {
            *bias = Vector3::from_fn(|axis, _| {
                (0..rate.len()).map(|k| self.form.jacobian_rate[(3 * point + axis, k)] * rate[k]).sum()
            });
        }
        let masses = self.parametric.masses();
        let jacobian = &self.form.jacobian;
        for i in 0..rate.len() {
            for j in 0..=i {
                let weighted = (0..jacobian.nrows())
                    .map(|row| jacobian[(row, i)] * masses[row / 3] * jacobian[(row, j)]);
                let known: f64 = (0..j).map(|k| self.factor[(i, k)] * self.factor[(j, k)]).sum();
                let value = weighted.sum::<f64>() - known;
                if i == j {
                    if value <= 0.0 || !value.is_finite() {
                        return false;
                    }
                    self.factor[(i, i)] = value.sqrt();
                } else {
                    self.factor[(i, j)] = value / self.factor[(j, j)];
                }
            }
        }
        true
    }

    /// J w for a point.
    pub(crate) fn point_of(&self, w: &[f64], point: usize) -> Vector3<f64> {
        Vector3::from_fn(|axis, _| {
            (0..w.len()).map(|k| self.form.jacobian[(3 * point + axis, k)] * w[k]).sum()
        })
    }

    /// w := Jᵀ z
    pub(crate) fn gather(&self, z: &[Vector3<f64>], w: &mut [f64]) {
        for (k, sum) in w.iter_mut().enumerate() {
            *sum = (0..3 * z.len()).map(|row| self.form.jacobian[(row, k)] * z[row / 3][row % 3]).sum();
        }
    }

    /// w := L⁻¹ w
    pub(crate) fn solve_lower(&self, w: &mut [f64]) {
        for i in 0..w.len() {
            let known: f64 = (0..i).map(|k| self.factor[(i, k)] * w[k]).sum();
            w[i] = (w[i] - known) / self.factor[(i, i)];
        }
    }

    /// w := L⁻ᵀ w
    pub(crate) fn solve_upper(&self, w: &mut [f64]) {
        for i in (0..w.len()).rev() {
            let known: f64 = (i + 1..w.len()).map(|k| self.factor[(k, i)] * w[k]).sum();
            w[i] = (w[i] - known) / self.factor[(i, i)];
        }
    }
}
