//! Geoms and sites.

use super::element::{Attribute, Element, SHORTEST};
use super::frame::{self, InFrame};
use super::mesh::Meshes;
use super::settings::{CompilerSettings, ORIENTATIONS, from_z_to};
use crate::model::{BodyId, BodyInertia, Geom, Shape, Site};
use aplomb_language::diagnostic::FileError;
use nalgebra::{Matrix3, UnitQuaternion, Vector3};
use std::f64::consts::PI;

/// Default density of a geom, kg/m³.
const DENSITY: f64 = 1000.0;

/// Result of reading a `<geom>`.
pub(super) enum ReadGeom {
    /// A shape for contacts, inertia or display.
    Solid {
        geom: Box<Geom>,
        /// Its inertia, for a body without `<inertial>`.
        inertia: BodyInertia,
    },
    /// A shape for display only, which is ignored.
    Seen {
        /// Its description in a warning.
        what: &'static str,
    },
}

/// Reads a `<geom>`; `body` is `None` in the world. `weighed`: its body gets its mass from geoms.
pub(super) fn read_geom(
    element: Element,
    frame: &InFrame,
    settings: &CompilerSettings,
    meshes: &Meshes,
    name: String,
    body: Option<BodyId>,
    weighed: bool,
) -> Result<ReadGeom, FileError> {
    const KINDS: [&str; 8] = ["sphere", "capsule", "cylinder", "box", "plane", "ellipsoid", "mesh", "hfield"];
    let kind = element.keyword("type", &KINDS)?;
    let mask = |name| -> Result<bool, FileError> { Ok(element.magnitude(name, 1.0)? != 0.0) };
    let collides = mask("contype")? | mask("conaffinity")?;
    if let Some(what) = only_seen(&element, kind, body.is_some(), weighed, collides)? {
        return Ok(ReadGeom::Seen { what });
    }
    let placement = Placement::read(&element, settings)?;
    let GeomSolid { shape, middle, weight } = match kind {
        "mesh" => of_mesh(&element, meshes, weighed)?,
        _ => of_sizes(read_shape(&element, kind, &placement)?),
    };
    if shape == Shape::Plane && body.is_some() {
        return Err(element.error("a plane belongs in <worldbody>: it does not move"));
    }
    let friction = read_friction(&element)?;
    let mass = match element.attribute("mass") {
        Some(_) => element.magnitude("mass", 0.0)?,
        None => element.magnitude("density", DENSITY)? * weight.volume,
    };
    let place = |local: Vector3<f64>| frame::point(frame, placement.position + placement.orientation * local);
    let orientation = frame::turn(frame, placement.orientation);
    let rotation = orientation.to_rotation_matrix();
    let about_centre = rotation * (mass * weight.unit_inertia) * rotation.transpose();
    let position = place(middle);
    Ok(ReadGeom::Solid {
        inertia: BodyInertia { mass, centre: place(weight.centre), about_centre },
        geom: Box::new(Geom {
            name,
            body,
            shape,
            position,
            orientation,
            friction,
            collides,
            line: element.line(),
        }),
    })
}

/// The properties of a visual geom.
fn only_seen(
    element: &Element,
    kind: &str,
    is_of_body: bool,
    weighed: bool,
    collides: bool,
) -> Result<Option<&'static str>, FileError> {
    let is_massless = match element.attribute("mass") {
        Some(_) => element.magnitude("mass", 0.0)? == 0.0,
        None => element.magnitude("density", DENSITY)? == 0.0,
    };
    Ok(match (kind, is_of_body) {
        ("hfield", false) => Some("<geom> of a height field in the world"),
        ("hfield", true) => return Err(element.error("a height field does not move")),
        ("mesh", false) => Some("<geom> of a mesh in the world"),
        ("mesh", true) if !collides && (!weighed || is_massless) => {
            Some("<geom> of a mesh that is only seen")
        }
        ("plane", true) if !collides => Some("<geom> of a plane that is only seen"),
        _ => None,
    })
}

/// Coefficient of sliding friction; rolling and torsional friction are checked only.
fn read_friction(element: &Element) -> Result<f64, FileError> {
    let friction = element.overlaid("friction", 3)?;
    if let (Some(attribute), Some(_)) = (element.attribute("friction"), friction.iter().find(|mu| **mu < 0.0))
    {
        return Err(attribute.error("must not be negative"));
    }
    if let Some(condim) = element.attribute("condim")
        && ![1.0, 3.0, 4.0, 6.0].contains(&condim.number()?)
    {
        return Err(condim.error("expected 1, 3, 4 or 6"));
    }
    Ok(friction.first().copied().unwrap_or(1.0))
}

/// A shape and its mass distribution, in the frame of its geom.
struct GeomSolid {
    shape: Shape,
    /// Origin of the shape's own frame, m.
    middle: Vector3<f64>,
    weight: Weight,
}

struct Weight {
    /// Volume, m³.
    volume: f64,
    /// Centre of mass, m.
    centre: Vector3<f64>,
    /// Inertia per kg about the centre, m².
    unit_inertia: Matrix3<f64>,
}

fn of_sizes(shape: Shape) -> GeomSolid {
    let unit_inertia = Matrix3::from_diagonal(&unit_inertia(&shape));
    let weight = Weight { volume: volume(&shape), centre: Vector3::zeros(), unit_inertia };
    GeomSolid { shape, middle: Vector3::zeros(), weight }
}

/// A mesh as its hull; the mass distribution is computed only if `weighed`.
fn of_mesh(element: &Element, meshes: &Meshes, weighed: bool) -> Result<GeomSolid, FileError> {
    let mesh = meshes.of(element)?;
    let (hull, middle) = mesh.hull(element)?;
    let weight = match weighed {
        true => {
            let (volume, centre, inertia) = mesh.distribution(element)?;
            Weight { volume, centre, unit_inertia: inertia / volume }
        }
        false => Weight { volume: 0.0, centre: middle, unit_inertia: Matrix3::zeros() },
    };
    Ok(GeomSolid { shape: Shape::Hull(hull), middle, weight })
}

/// Reads a `<site>`; `body` is `None` in the world.
pub(super) fn read_site(
    element: Element,
    frame: &InFrame,
    settings: &CompilerSettings,
    name: String,
    body: Option<BodyId>,
) -> Result<Site, FileError> {
    let Placement { position, orientation, .. } = Placement::read(&element, settings)?;
    let (position, orientation) = (frame::point(frame, position), frame::turn(frame, orientation));
    let radius = match element.attribute("size") {
        Some(size) => size.numbers(1..=3)?[0].max(0.0),
        None => Site::USUAL_RADIUS,
    };
    Ok(Site { name, body, position, orientation, radius, line: element.line() })
}

/// Pose of a shape in its body.
struct Placement {
    position: Vector3<f64>,
    orientation: UnitQuaternion<f64>,
    /// Half the distance between the points of `fromto`.
    half_length: Option<f64>,
}

impl Placement {
    fn read(element: &Element, settings: &CompilerSettings) -> Result<Self, FileError> {
        let Some(fromto) = element.attribute("fromto") else {
            let position = element.vector("pos", Vector3::zeros())?;
            return Ok(Placement {
                position,
                orientation: settings.orientation(element)?,
                half_length: None,
            });
        };
        let excluded = ORIENTATIONS.iter().chain(&["pos"]).find_map(|name| element.own(name));
        if let Some(attribute) = excluded {
            return Err(attribute.error("excludes `fromto`, which says where the shape is"));
        }
        let [a, b, c, d, e, f] = fromto.array()?;
        let (from, to) = (Vector3::new(a, b, c), Vector3::new(d, e, f));
        let along = from - to;
        let length = along.norm();
        if !length.is_finite() || length < SHORTEST {
            return Err(fromto.error("its two points are the same"));
        }
        Ok(Placement {
            position: (from + to) / 2.0,
            orientation: from_z_to(along / length),
            half_length: Some(length / 2.0),
        })
    }
}

fn read_shape(element: &Element, kind: &str, placement: &Placement) -> Result<Shape, FileError> {
    if let (Some(_), "sphere" | "plane", Some(fromto)) =
        (placement.half_length, kind, element.attribute("fromto"))
    {
        return Err(fromto.error(format!("a {kind} has no ends")));
    }
    if kind == "plane" {
        return Ok(Shape::Plane);
    }
    let size = element.overlaid("size", 3)?;
    let attribute = element.required("size")?;
    let sizes = Sizes { size: &size, attribute, kind };
    let radius = sizes.get(0)?;
    Ok(match (kind, placement.half_length) {
        ("sphere", _) => Shape::Sphere { radius },
        ("capsule", Some(half_length)) => Shape::Capsule { radius, half_length },
        ("capsule", None) => Shape::Capsule { radius, half_length: sizes.get(1)? },
        ("cylinder", Some(half_length)) => Shape::Cylinder { radius, half_length },
        ("cylinder", None) => Shape::Cylinder { radius, half_length: sizes.get(1)? },
        ("ellipsoid", Some(half_length)) => {
            Shape::Ellipsoid { radii: Vector3::new(radius, radius, half_length) }
        }
        ("ellipsoid", None) => Shape::Ellipsoid { radii: Vector3::new(radius, sizes.get(1)?, sizes.get(2)?) },
        (_, Some(half_length)) => Shape::Box { half_lengths: Vector3::new(radius, radius, half_length) },
        (_, None) => Shape::Box { half_lengths: Vector3::new(radius, sizes.get(1)?, sizes.get(2)?) },
    })
}

struct Sizes<'a> {
    size: &'a [f64],
    attribute: Attribute<'a>,
    kind: &'a str,
}

impl Sizes<'_> {
    fn get(&self, index: usize) -> Result<f64, FileError> {
        match self.size.get(index) {
            Some(size) if *size > 0.0 => Ok(*size),
            Some(size) => Err(self.attribute.error(format!("size {size} must be greater than zero"))),
            None => Err(self.attribute.error(format!(
                "a {} needs {} numbers, found {}",
                self.kind,
                if matches!(self.kind, "box" | "ellipsoid") { 3 } else { 2 },
                self.size.len()
            ))),
        }
    }
}

/// Volume of a solid, m³; a plane has none.
fn volume(shape: &Shape) -> f64 {
    match *shape {
        Shape::Plane | Shape::Field(_) => 0.0,
        Shape::Sphere { radius } => 4.0 / 3.0 * PI * radius.powi(3),
        Shape::Capsule { radius, half_length } => {
            PI * radius.powi(2) * (2.0 * half_length + 4.0 / 3.0 * radius)
        }
        Shape::Cylinder { radius, half_length } => PI * radius.powi(2) * 2.0 * half_length,
        Shape::Box { half_lengths } => 8.0 * half_lengths.product(),
        Shape::Ellipsoid { radii } => 4.0 / 3.0 * PI * radii.product(),
        // The volume of a mesh is computed separately.
        Shape::Hull(_) => 0.0,
    }
}

/// Principal moments of a uniform solid of 1 kg about its centre, in the shape's axes, m².
fn unit_inertia(shape: &Shape) -> Vector3<f64> {
    match *shape {
        Shape::Plane | Shape::Hull(_) | Shape::Field(_) => Vector3::zeros(),
        Shape::Sphere { radius } => Vector3::repeat(0.4 * radius * radius),
        Shape::Cylinder { radius: r, half_length } => {
            let across = (3.0 * r * r + 4.0 * half_length * half_length) / 12.0;
            Vector3::new(across, across, r * r / 2.0)
        }
        Shape::Capsule { radius: r, half_length } => {
            // A cylinder and two half balls; a half ball's centre of mass is 3r/8 beyond the cylinder's end.
            let length = 2.0 * half_length;
            let ball = 4.0 * r / (4.0 * r + 3.0 * length);
            let cylinder = 1.0 - ball;
            let across = cylinder * (3.0 * r * r + length * length) / 12.0
                + ball * (0.4 * r * r + length * (3.0 * r + 2.0 * length) / 8.0);
            Vector3::new(across, across, cylinder * r * r / 2.0 + ball * 0.4 * r * r)
        }
        Shape::Box { half_lengths: h } => {
            let squares = h.component_mul(&h);
            Vector3::new(squares.y + squares.z, squares.x + squares.z, squares.x + squares.y) / 3.0
        }
        Shape::Ellipsoid { radii } => {
            let squares = radii.component_mul(&radii);
            Vector3::new(squares.y + squares.z, squares.x + squares.z, squares.x + squares.y) / 5.0
        }
    }
}
