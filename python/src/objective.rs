//! Objectives added by a program: built-in kinds with constant targets, and Python objects.

use crate::convert::pairs;
use crate::error;
use crate::senses::{self, Senses};
use crate::shared::Failure;
use aplomb::math::affine::Dimension;
use aplomb::model::Model;
use aplomb::objective::{self, Axes, JointTarget, Now, Objective, Order, Residual, Target};
use aplomb::predict::Prediction;
use nalgebra::Vector3;
use numpy::{PyArrayLike1, PyArrayLike2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::Arc;

/// An objective that moves a body's origin, or a point at `offset` in body axes, to a point in the world, m.
#[pyclass(frozen, module = "aplomb")]
#[derive(Clone)]
pub struct BodyPoint {
    body: String,
    offset: Vector3<f64>,
    target: Vector3<f64>,
}

/// An objective that moves the centre of mass to a point in the world, m; with `horizontal` its height is free.
#[pyclass(frozen, module = "aplomb")]
#[derive(Clone)]
pub struct ComPosition {
    target: Vector3<f64>,
    horizontal: bool,
}

/// An objective that moves joints to positions, by name, rad or m.
#[pyclass(frozen, module = "aplomb")]
#[derive(Clone)]
pub struct Pose {
    joints: Vec<(String, f64)>,
}

#[pymethods]
impl BodyPoint {
    #[new]
    #[pyo3(signature = (body, target, offset = [0.0; 3]))]
    fn new(body: String, target: [f64; 3], offset: [f64; 3]) -> Self {
        BodyPoint { body, offset: offset.into(), target: target.into() }
    }
}

#[pymethods]
impl ComPosition {
    #[new]
    #[pyo3(signature = (target, *, horizontal = false))]
    fn new(target: [f64; 3], horizontal: bool) -> Self {
        ComPosition { target: target.into(), horizontal }
    }
}

#[pymethods]
impl Pose {
    #[new]
    fn new(joints: &Bound<'_, PyDict>) -> PyResult<Self> {
        Pose::of(joints)
    }
}

impl Pose {
    pub fn of(joints: &Bound<'_, PyDict>) -> PyResult<Self> {
        Ok(Pose { joints: pairs("joints", Some(joints))? })
    }
}

impl BodyPoint {
    pub fn bound(&self, model: &Model) -> PyResult<objective::BodyPoint> {
        let body = senses::body(model, &self.body)?;
        let target = Target::fixed(self.target);
        Ok(objective::BodyPoint { body, point: self.offset, target, relative_to: None, axes: Axes::All })
    }
}

impl ComPosition {
    pub fn bound(&self) -> objective::ComPosition {
        let axes = if self.horizontal { Axes::Horizontal } else { Axes::All };
        objective::ComPosition { target: Target::fixed(self.target), axes }
    }
}

impl Pose {
    pub fn bound(&self, model: &Model) -> PyResult<objective::Pose> {
        let target = |(name, angle): &(String, f64)| {
            let known = || model.joints.iter().map(|joint| joint.name.as_str());
            let joint = model.joint(name).ok_or_else(|| error::unknown("joint", name, known()))?;
            Ok(JointTarget { joint, target: Target::fixed(*angle) })
        };
        Ok(objective::Pose { joints: self.joints.iter().map(target).collect::<PyResult<_>>()? })
    }
}

/// An objective in Python: `residual(now)` returns its error, shape (k,), and the Jacobian of the error's rate, shape
/// (k, nv), or None if it is undefined.
pub struct Own {
    object: Py<PyAny>,
    model: Arc<Model>,
    failure: Arc<Failure>,
    dimension: Dimension,
    order: Order,
}

impl Own {
    /// Wraps an object with a method `residual` and an optional attribute `unit`: m (the default), rad, 1, m/s or
    /// rad/s.
    pub fn new(object: &Bound<'_, PyAny>, model: &Model, failure: Arc<Failure>) -> PyResult<Self> {
        if !object.hasattr("residual")? {
            let message = "an objective is an Objective, BodyPoint, ComPosition or Pose, or has a method \
                           `residual(now)`";
            return Err(PyValueError::new_err(message));
        }
        let unit: String = match object.getattr_opt("unit")? {
            Some(unit) => unit.extract()?,
            None => "m".into(),
        };
        let rate = Order::Velocity { time_constant: 1.0 };
        let (dimension, order) = match unit.as_str() {
            "m" => (Dimension::Length, Order::Position),
            "rad" => (Dimension::Angle, Order::Position),
            "1" => (Dimension::Pure, Order::Position),
            "m/s" => (Dimension::Length, rate),
            "rad/s" => (Dimension::Angle, rate),
            _ => {
                let message = format!("an objective's unit is m, rad, 1, m/s or rad/s, not {unit}");
                return Err(PyValueError::new_err(message));
            }
        };
        Ok(Own { object: object.clone().unbind(), model: Arc::new(model.clone()), failure, dimension, order })
    }

    /// The current error, and the Jacobian of its rate in row-major order.
    fn ask(&self, now: &Now<'_>) -> PyResult<Option<(Vec<f64>, Vec<f64>)>> {
        Python::attach(|py| {
            let senses = Senses::new(self.model.clone(), now.snapshot);
            let answer = self.object.bind(py).call_method1("residual", (senses,))?;
            if answer.is_none() {
                return Ok(None);
            }
            let (error, jacobian): (PyArrayLike1<'_, f64>, PyArrayLike2<'_, f64>) = answer.extract()?;
            let error: Vec<f64> = error.as_array().iter().copied().collect();
            let jacobian = jacobian.as_array();
            let (rows, columns) = jacobian.dim();
            let nv = self.model.nv;
            if (rows, columns) != (error.len(), nv) {
                let message = format!(
                    "an error of {} numbers needs a Jacobian of shape ({}, {nv}), not ({rows}, {columns})",
                    error.len(),
                    error.len()
                );
                return Err(PyValueError::new_err(message));
            }
            let jacobian: Vec<f64> = jacobian.iter().copied().collect();
            if !error.iter().chain(&jacobian).all(|number| number.is_finite()) {
                return Err(PyValueError::new_err("error and Jacobian of an objective must be finite"));
            }
            Ok(Some((error, jacobian)))
        })
    }
}

impl Objective for Own {
    fn residual<'p>(&self, now: &Now<'_>, next: &Prediction<'p>) -> Option<Residual<'p>> {
        let (error, jacobian) = match self.ask(now) {
            Ok(answer) => answer?,
            Err(raised) => {
                self.failure.keep(raised);
                return None;
            }
        };
        let nv = self.model.nv;
        let mut rows = next.rates(std::iter::empty());
        // A position changes by dt J v⁺; a rate is J v⁺ plus what does not depend on it.
        for (error, jacobian) in error.iter().zip(jacobian.chunks(nv)) {
            match self.order {
                Order::Position => {
                    let coefficients = rows.push(self.dimension, *error);
                    coefficients.iter_mut().zip(jacobian).for_each(|(a, j)| *a = now.scales.dt * j);
                }
                _ => {
                    let rate: f64 = jacobian.iter().zip(&now.state.v).map(|(j, v)| j * v).sum();
                    rows.push(self.dimension, error - rate).copy_from_slice(jacobian);
                }
            }
        }
        Some(Residual::of(rows, self.order))
    }
}
