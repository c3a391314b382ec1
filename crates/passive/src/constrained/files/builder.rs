//! Construction of a constrained object from a file.

use super::held::{HeldSpec, unit, vectors};
use super::points::{HoopSpec, ParticleSpec, PendulumSpec, SpringSpec};
use crate::constrained::body::Pendulum;
use crate::constrained::constraint::{Distance, OnCircle, OnCurve, OnSurface, Pin, PointConstraint};
use crate::constrained::system::{ConstrainedThing, ElementKind, Removable, Rod};
use crate::constrained::{Constrained, ConstraintId, Curve, Fault, ImplicitSurface, Point, Spring, Wire};
use crate::{Built, BuiltObject, FileEnvironment};
use aplomb_language::Spanned;
use aplomb_language::diagnostic::{FileError, FileErrors};
use aplomb_math::elementary::sincos;
use nalgebra::{UnitVector3, Vector3};

/// Number of samples at which a wire is drawn, for each of its points.
const DRAWN: usize = 12;

/// Largest share of the initial speeds of its points that a constraint may forbid; it allows for rounded
/// values in files.
const FORBIDDEN: f64 = 0.02;

/// A constrained object under construction.
pub(super) struct ConstrainedBuilder<'a> {
    around: &'a FileEnvironment<'a>,
    system: Constrained,
    names: Vec<String>,
    points: Vec<Point>,
    masses: Vec<f64>,
    wires: Vec<Vector3<f64>>,
    rods: Vec<Rod>,
    /// Rods between adjacent samples of wires, by index.
    wire_rods: Vec<[usize; 2]>,
    parts: Vec<Removable>,
    /// Constraints, and the names of their points in the file.
    held: Vec<(ConstraintId, Spanned<Vec<String>>)>,
    errors: Vec<FileError>,
}

impl<'a> ConstrainedBuilder<'a> {
    pub(super) fn new(around: &'a FileEnvironment<'a>, system: Constrained) -> Self {
        ConstrainedBuilder {
            around,
            system,
            names: Vec::new(),
            points: Vec::new(),
            masses: Vec::new(),
            wires: Vec::new(),
            rods: Vec::new(),
            wire_rods: Vec::new(),
            parts: Vec::new(),
            held: Vec::new(),
            errors: Vec::new(),
        }
    }

    pub(super) fn add_particle(&mut self, name: &str, spec: &ParticleSpec) {
        let [position, velocity] =
            [&spec.position, &spec.velocity].map(|vector| Vector3::from(*vector.get_ref()));
        let mass = spec.mass.as_ref().map(|mass| *mass.get_ref());
        self.points.push(Point::Particle(self.system.add_particle(position, velocity, mass)));
        self.names.push(name.to_string());
        self.masses.push(mass.unwrap_or(0.0));
    }

    /// Adds a pendulum, with its pivot as a fixed point from which the first rod is drawn.
    pub(super) fn add_pendulum(&mut self, name: &str, spec: &PendulumSpec) {
        let pivot = Vector3::from(*spec.pivot.get_ref());
        let pendulum = Pendulum {
            pivot,
            across: Vector3::from(*spec.across.get_ref()).normalize(),
            up: Vector3::z(),
            lengths: spec.lengths.get_ref().clone(),
            masses: spec.masses.get_ref().clone(),
        };
        let stays = self.system.add_particle(pivot, Vector3::zeros(), None);
        self.points.push(Point::Particle(stays));
        self.names.push(format!("{name}.pivot"));
        self.masses.push(0.0);
        let angles = spec.angles.get_ref();
        let body = self.system.add_body(Box::new(pendulum), angles, &vec![0.0; angles.len()]);
        for (k, (mass, length)) in spec.masses.get_ref().iter().zip(spec.lengths.get_ref()).enumerate() {
            let part = self.points.len();
            self.points.push(Point::OfBody(body, k));
            self.names.push(format!("{name}.{k}"));
            self.masses.push(*mass);
            self.rods.push(Rod { ends: [part - 1, part], length: Some(*length) });
        }
    }

    /// Adds a bead on a hoop, with its circle for drawing.
    pub(super) fn add_hoop(&mut self, name: &str, spec: &HoopSpec) {
        let (hoop, rate) = spec.hoop();
        self.draw_circle(&hoop.center, &unit(&spec.normal), hoop.radius);
        let body = self.system.add_body(Box::new(hoop), &[0.0], &[rate]);
        self.points.push(Point::OfBody(body, 0));
        self.names.push(name.to_string());
        self.masses.push(hoop.mass[0]);
    }

    /// Indices of points by their names.
    fn find(&mut self, names: &Spanned<Vec<String>>) -> Option<Vec<usize>> {
        let mut found = Vec::new();
        for name in names.get_ref() {
            match self.names.iter().position(|known| known == name) {
                Some(part) => found.push(part),
                None => {
                    let message = format!("there is no particle `{name}`");
                    let mistake = FileError::new(self.around.source, names.span(), message);
                    self.errors.push(mistake.suggest(name, self.names.iter().map(String::as_str)));
                }
            }
        }
        (found.len() == names.get_ref().len()).then_some(found)
    }

    pub(super) fn hold(&mut self, spec: &HeldSpec) {
        let Some(parts) = self.find(&spec.of) else { return };
        let points: Vec<Point> = parts.iter().map(|part| self.points[*part]).collect();
        let first_rod = self.rods.len();
        let Some(constraint) = self.constraint(spec, &parts) else { return };
        match self.system.add_constraint(constraint.clone(), &points) {
            Ok(id) => {
                self.held.push((id, spec.of.clone()));
                let length = self.rods.get(first_rod).and_then(|rod| rod.length);
                let rod = length.map(|length| (first_rod, length));
                let what = ElementKind::Constraint(constraint, Some(id));
                self.name_part(spec.name.as_ref(), points, what, rod);
            }
            Err(error) => {
                self.errors.push(FileError::new(self.around.source, spec.of.span(), error.to_string()));
            }
        }
    }

    fn constraint(&mut self, spec: &HeldSpec, parts: &[usize]) -> Option<Box<dyn PointConstraint>> {
        if let (Some(length), [a, b]) = (&spec.distance, parts) {
            let length = *length.get_ref();
            self.rods.push(Rod { ends: [*a, *b], length: Some(length) });
            return Some(Box::new(Distance { length }));
        }
        if let Some(place) = &spec.pin {
            return Some(Box::new(Pin { place: Vector3::from(*place.get_ref()) }));
        }
        if let Some(circle) = &spec.circle {
            let (center, normal) = (Vector3::from(*circle.center.get_ref()), unit(&circle.normal));
            let radius = *circle.radius.get_ref();
            self.draw_circle(&center, &normal, radius);
            return Some(Box::new(OnCircle { center, normal, radius }));
        }
        if let Some(sphere) = &spec.sphere {
            let center = Vector3::from(*sphere.center.get_ref());
            let radius = *sphere.radius.get_ref();
            [Vector3::x_axis(), Vector3::y_axis(), Vector3::z_axis()]
                .iter()
                .for_each(|normal| self.draw_circle(&center, normal, radius));
            return Some(Box::new(OnSurface { surface: ImplicitSurface::Sphere { center, radius } }));
        }
        if let Some(plane) = &spec.plane {
            let normal = unit(&plane.normal);
            let offset = normal.dot(&Vector3::from(*plane.point.get_ref()));
            return Some(Box::new(OnSurface { surface: ImplicitSurface::Plane { normal, offset } }));
        }
        let (points, closed) = match (&spec.wire, &spec.loop_wire) {
            (Some(points), _) => (points, false),
            (None, points) => (points.as_ref()?, true),
        };
        let knots = vectors(points.get_ref());
        let wire = Wire::new(&knots, closed)
            .map_err(|error| {
                self.errors.push(FileError::new(self.around.source, points.span(), error.to_string()));
            })
            .ok()?;
        let (end, places) = (wire.length(), DRAWN * knots.len());
        let curve = Curve::Wire(wire);
        let drawn = (0..=places).map(|k| curve.at(end * k as f64 / places as f64)[0]);
        self.draw(drawn.collect());
        Some(Box::new(OnCurve::new(curve)))
    }

    fn draw_circle(&mut self, center: &Vector3<f64>, normal: &UnitVector3<f64>, radius: f64) {
        let mut aside = Vector3::zeros();
        aside[normal.iamin()] = 1.0;
        let across = normal.cross(&aside).normalize();
        let other = normal.cross(&across);
        let count = 4 * DRAWN;
        let drawn = (0..=count).map(|k| {
            let (sin, cos) = sincos(std::f64::consts::TAU * k as f64 / count as f64);
            center + radius * (cos * across + sin * other)
        });
        self.draw(drawn.collect());
    }

    fn draw(&mut self, places: Vec<Vector3<f64>>) {
        let first = self.wires.len();
        self.wires.extend(places);
        self.wire_rods.extend((first + 1..self.wires.len()).map(|k| [k - 1, k]));
    }

    pub(super) fn spring(&mut self, spec: &SpringSpec) {
        let Some(parts) = self.find(&spec.of) else { return };
        let [a, b] = parts[..] else { return };
        let spring = Spring {
            rest: *spec.rest.get_ref(),
            stiffness: *spec.stiffness.get_ref(),
            damping: *spec.damping.get_ref(),
        };
        self.rods.push(Rod { ends: [a, b], length: None });
        let points = [self.points[a], self.points[b]];
        match self.system.add_spring(spring, points) {
            Ok(id) => {
                self.name_part(
                    spec.name.as_ref(),
                    points.to_vec(),
                    ElementKind::Spring(spring, Some(id)),
                    None,
                );
            }
            Err(error) => {
                self.errors.push(FileError::new(self.around.source, spec.of.span(), error.to_string()));
            }
        }
    }

    /// Records a named constraint or spring, which events can remove and add again.
    fn name_part(
        &mut self,
        name: Option<&String>,
        points: Vec<Point>,
        what: ElementKind,
        rod: Option<(usize, f64)>,
    ) {
        if let Some(name) = name {
            self.parts.push(Removable { name: name.clone(), points, what, rod });
        }
    }

    pub(super) fn finish(mut self, object: usize, radius: &Spanned<f64>) -> Result<Built, FileErrors> {
        if self.errors.is_empty()
            && let Err(fault) = self.system.evaluate()
        {
            let message = match fault {
                Fault::SingularBody { .. } => "an angle of a pendulum does not move any mass",
                Fault::NotFinite => "the numbers of this object are too large",
            };
            self.errors.push(FileError::new(self.around.source, radius.span(), message));
        }
        for (id, of) in self.held.iter().filter(|_| self.errors.is_empty()).collect::<Vec<_>>() {
            // An initial velocity against a constraint would be redirected by the other constraints.
            if self.system.forbidden_share(*id).is_ok_and(|share| share > FORBIDDEN) {
                let names = of.get_ref().join("` and `");
                let message =
                    format!("`{names}` cannot begin with the given velocity: this constraint forbids it");
                let mistake = FileError::new(self.around.source, of.span(), message);
                self.errors
                    .push(mistake.help("begin with a velocity along which the constraint stays as it is"));
            }
        }
        if !self.errors.is_empty() {
            return Err(self.errors.into());
        }
        let points = self.points.len();
        let wire_rods = self.wire_rods.iter().map(|ends| ends.map(|end| points + end));
        self.rods.extend(wire_rods.map(|ends| Rod { ends, length: None }));
        self.names.extend((0..self.wires.len()).map(|k| format!("wire.{k}")));
        let parts = 0..points + self.wires.len();
        let system = ConstrainedThing {
            system: self.system,
            points: self.points,
            wires: self.wires,
            rods: self.rods,
            radius: *radius.get_ref(),
            masses: self.masses,
            parts: self.parts,
        };
        Ok(Built {
            system: Box::new(system),
            objects: vec![BuiltObject { object, parts, part_names: self.names }],
        })
    }
}
