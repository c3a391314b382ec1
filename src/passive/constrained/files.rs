//! `kind = "constrained"`: particles, what holds them, and bodies given by q(u), as scenes say them.

use super::body::Pendulum;
use super::constraint::{Constraint, Distance, OnCircle, OnCurve, OnSurface, Pin};
use super::system::{ConstrainedThing, Rod};
use super::{Constrained, Curve, Fault, Feedback, Point, Spring, Stepper, Surface, Wire};
use crate::diagnostic::{FileError, Source};
use crate::passive::checks::{Checks, defaults};
use crate::passive::kind::{Built, BuiltThing, Kind, Member, Surroundings};
use indexmap::IndexMap;
use nalgebra::{UnitVector3, Vector3};
use serde::Deserialize;
use toml::Spanned;

/// Particles held by constraint forces. They feel gravity, springs and each other, but no surfaces.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConstrainedSpec {
    /// By name.
    #[serde(default)]
    pub particles: IndexMap<Spanned<String>, ParticleSpec>,
    /// Pendulums given by their angles, by name; their points are `NAME.0`, `NAME.1`, from the pivot on.
    #[serde(default)]
    pub pendulums: IndexMap<Spanned<String>, PendulumSpec>,
    /// What holds particles and points of pendulums.
    #[serde(default)]
    pub constraints: Vec<HeldSpec>,
    /// Springs between two of them.
    #[serde(default)]
    pub springs: Vec<SpringSpec>,
    /// k_s of the feedback C̈ = −k_s C − k_d Ċ that takes drift back, 1/s².
    #[serde(default = "own::stiffness")]
    pub feedback_stiffness: Spanned<f64>,
    /// k_d of it, 1/s.
    #[serde(default = "own::damping")]
    pub feedback_damping: Spanned<f64>,
    /// Force against the velocity of every point, N s/m.
    #[serde(default = "defaults::zero")]
    pub drag: Spanned<f64>,
    /// How a step is made from accelerations.
    #[serde(default)]
    pub stepper: StepperForm,
    /// Radius of points in pictures, m.
    #[serde(default = "own::radius")]
    pub radius: Spanned<f64>,
}

/// How a step is made from accelerations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StepperForm {
    /// Velocities first, then places with them.
    #[default]
    SymplecticEuler,
    /// The classical method of fourth order.
    RungeKutta4,
}

/// A particle.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ParticleSpec {
    /// m
    pub position: Spanned<[f64; 3]>,
    /// m/s
    #[serde(default = "defaults::origin")]
    pub velocity: Spanned<[f64; 3]>,
    /// kg; one without a mass stays where it is.
    pub mass: Option<Spanned<f64>>,
}

/// Rods in a plane, a mass at the end of each, as functions of their angles.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PendulumSpec {
    /// m
    pub pivot: Spanned<[f64; 3]>,
    /// Horizontal direction towards which angles count.
    pub across: Spanned<[f64; 3]>,
    /// Of the rods, m.
    pub lengths: Spanned<Vec<f64>>,
    /// At their ends, kg.
    pub masses: Spanned<Vec<f64>>,
    /// From straight down, rad.
    pub angles: Spanned<Vec<f64>>,
}

/// What holds points: exactly one of these keys.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HeldSpec {
    /// One point, or the two of `distance`, by name.
    pub of: Spanned<Vec<String>>,
    /// Two points stay this far apart, m.
    pub distance: Option<Spanned<f64>>,
    /// The point stays at this place, m.
    pub pin: Option<Spanned<[f64; 3]>>,
    /// The point stays on a circle.
    pub circle: Option<CircleSpec>,
    /// The point stays on a wire through these points, m; straight beyond its ends.
    pub wire: Option<Spanned<Vec<[f64; 3]>>>,
    /// The point stays on a closed wire through these points, m.
    pub loop_wire: Option<Spanned<Vec<[f64; 3]>>>,
    /// The point stays on a sphere.
    pub sphere: Option<SphereSpec>,
    /// The point stays on a plane.
    pub plane: Option<PlaneSpec>,
}

/// A circle.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CircleSpec {
    /// m
    pub center: Spanned<[f64; 3]>,
    /// Across its plane.
    pub normal: Spanned<[f64; 3]>,
    /// m
    pub radius: Spanned<f64>,
}

/// A sphere.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SphereSpec {
    /// m
    pub center: Spanned<[f64; 3]>,
    /// m
    pub radius: Spanned<f64>,
}

/// A plane.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlaneSpec {
    /// One of its points, m.
    pub point: Spanned<[f64; 3]>,
    /// Across it.
    pub normal: Spanned<[f64; 3]>,
}

/// A spring between two points.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpringSpec {
    /// The two points, by name.
    pub of: Spanned<Vec<String>>,
    /// m
    pub rest: Spanned<f64>,
    /// N/m
    pub stiffness: Spanned<f64>,
    /// N s/m
    #[serde(default = "defaults::zero")]
    pub damping: Spanned<f64>,
}

/// Places at which a wire is drawn, for each of its points.
const DRAWN: usize = 12;

impl Kind for ConstrainedSpec {
    fn models(&self) -> Vec<&Spanned<String>> {
        Vec::new()
    }

    fn check(&self, source: &Source) -> Vec<FileError> {
        let mut checks = Checks::new(source);
        for particle in self.particles.values() {
            checks.vector("position", &particle.position);
            checks.vector("velocity", &particle.velocity);
            particle.mass.iter().for_each(|mass| checks.positive("mass", mass));
        }
        self.pendulums.values().for_each(|pendulum| pendulum.check(&mut checks));
        self.constraints.iter().for_each(|held| held.check(&mut checks));
        for spring in &self.springs {
            checks.not_negative("rest", &spring.rest);
            checks.not_negative("stiffness", &spring.stiffness);
            checks.not_negative("damping", &spring.damping);
            if spring.of.get_ref().len() != 2 {
                checks.wrong(spring.of.span(), "a spring is between two points".into());
            }
        }
        checks.not_negative("feedback_stiffness", &self.feedback_stiffness);
        checks.not_negative("feedback_damping", &self.feedback_damping);
        checks.not_negative("drag", &self.drag);
        checks.positive("radius", &self.radius);
        if self.particles.is_empty() && self.pendulums.is_empty() {
            checks.wrong(self.radius.span(), "a constrained thing needs `particles` or `pendulums`".into());
        }
        checks.errors
    }

    fn build(members: &[Member<'_, Self>], around: &Surroundings<'_>) -> Result<Vec<Built>, Vec<FileError>> {
        members.iter().map(|member| member.spec.build_one(member.thing, around)).collect()
    }
}

impl PendulumSpec {
    fn check(&self, checks: &mut Checks<'_>) {
        checks.vector("pivot", &self.pivot);
        checks.direction("across", &self.across);
        if self.across.get_ref()[2] != 0.0 {
            checks.wrong(self.across.span(), "across must be horizontal".into());
        }
        let (lengths, masses, angles) =
            (self.lengths.get_ref(), self.masses.get_ref(), self.angles.get_ref());
        if lengths.is_empty() || !lengths.iter().chain(masses).all(|x| *x > 0.0 && x.is_finite()) {
            checks.wrong(self.lengths.span(), "lengths and masses must be more than 0".into());
        }
        if masses.len() != lengths.len() || angles.len() != lengths.len() {
            let message = format!("{} lengths need as many masses and angles", lengths.len());
            checks.wrong(self.lengths.span(), message);
        }
        if !angles.iter().all(|angle| angle.is_finite()) {
            checks.wrong(self.angles.span(), "angles must be finite".into());
        }
    }
}

impl HeldSpec {
    fn check(&self, checks: &mut Checks<'_>) {
        let given = [
            self.distance.is_some(),
            self.pin.is_some(),
            self.circle.is_some(),
            self.wire.is_some(),
            self.loop_wire.is_some(),
            self.sphere.is_some(),
            self.plane.is_some(),
        ];
        if given.iter().filter(|given| **given).count() != 1 {
            let message =
                "needs exactly one of `distance`, `pin`, `circle`, `wire`, `loop_wire`, `sphere`, `plane`";
            checks.wrong(self.of.span(), message.into());
        }
        let needed = if self.distance.is_some() { 2 } else { 1 };
        if self.of.get_ref().len() != needed {
            let message = format!("this holds {needed} points, not {}", self.of.get_ref().len());
            checks.wrong(self.of.span(), message);
        }
        self.distance.iter().for_each(|distance| checks.positive("distance", distance));
        self.pin.iter().for_each(|place| checks.vector("pin", place));
        if let Some(circle) = &self.circle {
            checks.vector("center", &circle.center);
            checks.direction("normal", &circle.normal);
            checks.positive("radius", &circle.radius);
        }
        if let Some(sphere) = &self.sphere {
            checks.vector("center", &sphere.center);
            checks.positive("radius", &sphere.radius);
        }
        if let Some(plane) = &self.plane {
            checks.vector("point", &plane.point);
            checks.direction("normal", &plane.normal);
        }
        for (wire, closed) in [(&self.wire, false), (&self.loop_wire, true)] {
            if let Some(wire) = wire
                && let Err(error) = Wire::new(&vectors(wire.get_ref()), closed)
            {
                checks.wrong(wire.span(), error.to_string());
            }
        }
    }
}

fn vectors(points: &[[f64; 3]]) -> Vec<Vector3<f64>> {
    points.iter().map(|point| Vector3::from(*point)).collect()
}

fn unit(direction: &Spanned<[f64; 3]>) -> UnitVector3<f64> {
    UnitVector3::new_normalize(Vector3::from(*direction.get_ref()))
}

/// A thing on its way from a file to a scene.
struct Making<'a> {
    around: &'a Surroundings<'a>,
    system: Constrained,
    names: Vec<String>,
    points: Vec<Point>,
    masses: Vec<f64>,
    wires: Vec<Vector3<f64>>,
    rods: Vec<Rod>,
    /// Rods between neighbouring places of wires, by their numbers.
    wire_rods: Vec<[usize; 2]>,
    errors: Vec<FileError>,
}

impl ConstrainedSpec {
    fn build_one(&self, thing: usize, around: &Surroundings<'_>) -> Result<Built, Vec<FileError>> {
        let mut system = Constrained::new();
        *system.gravity_mut() = around.gravity;
        *system.feedback_mut() = Feedback {
            stiffness: *self.feedback_stiffness.get_ref(),
            damping: *self.feedback_damping.get_ref(),
        };
        *system.drag_mut() = *self.drag.get_ref();
        system.stepper = match self.stepper {
            StepperForm::SymplecticEuler => Stepper::SymplecticEuler,
            StepperForm::RungeKutta4 => Stepper::RungeKutta4,
        };
        let mut making = Making {
            around,
            system,
            names: Vec::new(),
            points: Vec::new(),
            masses: Vec::new(),
            wires: Vec::new(),
            rods: Vec::new(),
            wire_rods: Vec::new(),
            errors: Vec::new(),
        };
        self.particles.iter().for_each(|(name, particle)| making.add_particle(name.get_ref(), particle));
        self.pendulums.iter().for_each(|(name, pendulum)| making.add_pendulum(name.get_ref(), pendulum));
        self.constraints.iter().for_each(|held| making.hold(held));
        self.springs.iter().for_each(|spring| making.spring(spring));
        making.finish(thing, &self.radius)
    }
}

impl Making<'_> {
    fn add_particle(&mut self, name: &str, spec: &ParticleSpec) {
        let [position, velocity] =
            [&spec.position, &spec.velocity].map(|vector| Vector3::from(*vector.get_ref()));
        let mass = spec.mass.as_ref().map(|mass| *mass.get_ref());
        self.points.push(Point::Particle(self.system.add_particle(position, velocity, mass)));
        self.names.push(name.to_string());
        self.masses.push(mass.unwrap_or(0.0));
    }

    /// With its pivot as a point that stays, to draw the first rod from.
    fn add_pendulum(&mut self, name: &str, spec: &PendulumSpec) {
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

    /// Indices of points by their names.
    fn find(&mut self, names: &Spanned<Vec<String>>) -> Option<Vec<usize>> {
        let mut found = Vec::new();
        for name in names.get_ref() {
            match self.names.iter().position(|known| known == name) {
                Some(part) => found.push(part),
                None => {
                    let message = format!("there is no particle `{name}`");
                    let help = format!("there are {}", self.names.join(", "));
                    self.errors.push(FileError::new(self.around.source, names.span(), message).help(help));
                }
            }
        }
        (found.len() == names.get_ref().len()).then_some(found)
    }

    fn hold(&mut self, spec: &HeldSpec) {
        let Some(parts) = self.find(&spec.of) else { return };
        let points: Vec<Point> = parts.iter().map(|part| self.points[*part]).collect();
        let Some(constraint) = self.constraint(spec, &parts) else { return };
        if let Err(error) = self.system.add_constraint(constraint, &points) {
            self.errors.push(FileError::new(self.around.source, spec.of.span(), error.to_string()));
        }
    }

    fn constraint(&mut self, spec: &HeldSpec, parts: &[usize]) -> Option<Box<dyn Constraint>> {
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
            return Some(Box::new(OnSurface { surface: Surface::Sphere { center, radius } }));
        }
        if let Some(plane) = &spec.plane {
            let normal = unit(&plane.normal);
            let offset = normal.dot(&Vector3::from(*plane.point.get_ref()));
            return Some(Box::new(OnSurface { surface: Surface::Plane { normal, offset } }));
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
            let (sin, cos) = (std::f64::consts::TAU * k as f64 / count as f64).sin_cos();
            center + radius * (cos * across + sin * other)
        });
        self.draw(drawn.collect());
    }

    fn draw(&mut self, places: Vec<Vector3<f64>>) {
        let first = self.wires.len();
        self.wires.extend(places);
        self.wire_rods.extend((first + 1..self.wires.len()).map(|k| [k - 1, k]));
    }

    fn spring(&mut self, spec: &SpringSpec) {
        let Some(parts) = self.find(&spec.of) else { return };
        let [a, b] = parts[..] else { return };
        let spring = Spring {
            rest: *spec.rest.get_ref(),
            stiffness: *spec.stiffness.get_ref(),
            damping: *spec.damping.get_ref(),
        };
        self.rods.push(Rod { ends: [a, b], length: None });
        if let Err(error) = self.system.add_spring(spring, [self.points[a], self.points[b]]) {
            self.errors.push(FileError::new(self.around.source, spec.of.span(), error.to_string()));
        }
    }

    fn finish(mut self, thing: usize, radius: &Spanned<f64>) -> Result<Built, Vec<FileError>> {
        if self.errors.is_empty()
            && let Err(fault) = self.system.evaluate()
        {
            let message = match fault {
                Fault::SingularBody { .. } => "an angle of a pendulum moves no mass",
                Fault::NotFinite => "the numbers of this thing are out of all bounds",
            };
            self.errors.push(FileError::new(self.around.source, radius.span(), message));
        }
        if !self.errors.is_empty() {
            return Err(self.errors);
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
        };
        Ok(Built {
            system: Box::new(system),
            things: vec![BuiltThing { thing, parts, part_names: self.names }],
        })
    }
}

mod own {
    use crate::passive::checks::defaults::given;
    use toml::Spanned;

    pub fn stiffness() -> Spanned<f64> {
        given(400.0)
    }

    pub fn damping() -> Spanned<f64> {
        given(40.0)
    }

    pub fn radius() -> Spanned<f64> {
        given(0.03)
    }
}
