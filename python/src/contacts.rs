//! The contacts of a frame.

use crate::convert::{matrix, vector};
use aplomb::trace::{Contact, ContactKind};
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;

/// The k contacts with a force in a frame, and grips, as arrays; world axes.
#[pyclass(frozen, module = "aplomb")]
pub struct Contacts(pub Vec<Contact>);

impl Contacts {
    fn words<'a>(&'a self, of: impl Fn(&'a Contact) -> &'a str) -> Vec<&'a str> {
        self.0.iter().map(of).collect()
    }

    fn rows<'py>(
        &self,
        py: Python<'py>,
        of: impl Fn(&Contact) -> [f64; 3],
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        matrix(py, self.0.iter().flat_map(of).collect(), 3)
    }

    fn numbers<'py>(&self, py: Python<'py>, of: impl Fn(&Contact) -> f64) -> Bound<'py, PyArray1<f64>> {
        vector(py, &self.0.iter().map(of).collect::<Vec<f64>>())
    }
}

#[pymethods]
impl Contacts {
    fn __len__(&self) -> usize {
        self.0.len()
    }

    /// Stable names of the contact points (`left_foot.sole.2`).
    #[getter]
    fn names(&self) -> Vec<&str> {
        self.words(|contact| &contact.name)
    }

    /// Bodies that the forces act on.
    #[getter]
    fn bodies(&self) -> Vec<&str> {
        self.words(|contact| &contact.body)
    }

    /// Surfaces that the forces come from: `ground`, an obstacle or a hold.
    #[getter]
    fn surfaces(&self) -> Vec<&str> {
        self.words(|contact| &contact.surface)
    }

    /// `static` (sticks), `dynamic` (slides), `grip` (grasps a hold) or `stand` (stands on one).
    #[getter]
    fn kinds(&self) -> Vec<&'static str> {
        let name = |contact: &Contact| match contact.kind {
            ContactKind::Static => "static",
            ContactKind::Dynamic => "dynamic",
            ContactKind::Grip => "grip",
            ContactKind::Stand => "stand",
        };
        self.0.iter().map(name).collect()
    }

    /// Points at which the forces act: shape (k, 3), m.
    #[getter]
    fn points<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        self.rows(py, |contact| contact.point)
    }

    /// Unit normals of the surfaces: shape (k, 3).
    #[getter]
    fn normals<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        self.rows(py, |contact| contact.normal)
    }

    /// Forces on the bodies: shape (k, 3), N.
    #[getter]
    fn forces<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        self.rows(py, |contact| contact.force)
    }

    /// Coefficients of friction: shape (k,).
    #[getter]
    fn friction<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.numbers(py, |contact| contact.friction)
    }

    /// Gaps between bodies and surfaces: shape (k,), m; negative where they penetrate.
    #[getter]
    fn gaps<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.numbers(py, |contact| contact.gap)
    }

    fn __repr__(&self) -> String {
        format!("Contacts({:?})", self.words(|contact| &contact.name))
    }
}
