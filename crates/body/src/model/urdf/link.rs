//! Links: their inertia and their shapes.

use super::frame::UrdfTransform;
use super::{Noted, child, error, escaped, mesh, name_of, numbers, span};
use crate::model::xml::XmlNode;
use aplomb_language::diagnostic::FileError;
use nalgebra::{Matrix3, Vector3};
use std::fmt::Write;

/// Radius of gyration of a link with mass and without inertia, m.
const LEAST_GYRATION: f64 = 0.01;

/// Radius of a contact point, m: far below the resolution of contacts.
const POINT: f64 = 1e-4;

/// Mass distribution of a link in its own axes.
pub(super) struct LinkInertia {
    mass: f64,
    centre: Vector3<f64>,
    about_centre: Matrix3<f64>,
}

/// A link element.
pub(super) struct LinkElement<'a> {
    pub node: XmlNode<'a>,
    pub name: &'a str,
    pub inertia: Option<LinkInertia>,
    /// Collision shapes with their frames.
    shapes: Vec<(GeometryElement, UrdfTransform)>,
}

enum GeometryElement {
    /// Attributes of MJCF for a primitive.
    Sized(String),
    /// The hull of a mesh.
    Hull(mesh::Touching),
}

impl<'a> LinkElement<'a> {
    /// Reads a `<link>`, whose collision shapes are the elements with the name `shapes`.
    pub(super) fn read(node: XmlNode<'a>, shapes: &str, noted: &mut Noted) -> Result<Self, FileError> {
        let name = name_of(node, "name")?;
        let inertia = match child(node, "inertial") {
            Some(inertial) => read_inertia(inertial, name, noted)?,
            None => None,
        };
        let mut found = Vec::new();
        for collision in node.children().filter(|part| part.tag() == shapes) {
            let frame = UrdfTransform::of(collision)?;
            let geometry = child(collision, "geometry");
            let Some(shape) = geometry.and_then(|geometry| geometry.children().next()) else {
                return Err(error(collision, format!("<{shapes}> needs <geometry> with a shape in it")));
            };
            match read_shape(shape)? {
                Ok(shape) => found.push((shape, frame)),
                Err(why) => noted.meshes.add(format!("link `{name}`: {why}"), span(shape)),
            }
        }
        if shapes != "collision" && !found.is_empty() {
            noted.seen.add(format!("`{name}`"), span(node));
        }
        Ok(LinkElement { node, name, inertia, shapes: found })
    }

    /// Whether it has neither mass nor collision shapes.
    pub(super) fn is_empty(&self) -> bool {
        self.inertia.is_none() && self.shapes.is_empty()
    }

    /// Writes the content of its body.
    pub(super) fn write(&self, text: &mut String) {
        // Writing to a string cannot fail.
        if let Some(LinkInertia { mass, centre, about_centre: i }) = &self.inertia {
            let moments =
                [i.m11, i.m22, i.m33, i.m12, i.m13, i.m23].map(|moment| format!("{moment:?}")).join(" ");
            let place = format!("{:?} {:?} {:?}", centre.x, centre.y, centre.z);
            _ = writeln!(text, "<inertial mass=\"{mass:?}\" pos=\"{place}\" fullinertia=\"{moments}\"/>");
        }
        for (index, (shape, frame)) in self.shapes.iter().enumerate() {
            _ = match shape {
                GeometryElement::Sized(attributes) => {
                    writeln!(text, "<geom {attributes}{}/>", frame.written())
                }
                GeometryElement::Hull(_) => {
                    writeln!(
                        text,
                        "<geom type=\"mesh\" mesh=\"{}\"{}/>",
                        self.mesh_name(index),
                        frame.written()
                    )
                }
            };
        }
    }

    /// Writes the meshes of its shapes as assets.
    pub(super) fn write_meshes(&self, text: &mut String) {
        for (index, (shape, _)) in self.shapes.iter().enumerate() {
            let GeometryElement::Hull(hull) = shape else { continue };
            let points: Vec<String> =
                hull.corners.iter().flatten().map(|value| format!("{value:?}")).collect();
            // Writing to a string cannot fail.
            _ = writeln!(text, "<mesh name=\"{}\" vertex=\"{}\"/>", self.mesh_name(index), points.join(" "));
        }
    }

    /// Sum of the distances between the centre of mass and the centres of hulls whose files have y up, m:
    /// with the corners as written, and with y turned up. 0 for a link without mass or without such a hull.
    pub(super) fn off_centre(&self) -> [f64; 2] {
        let Some(inertia) = &self.inertia else { return [0.0; 2] };
        let off = |hull: &mesh::Touching, frame: &UrdfTransform, turn: fn(&Vector3<f64>) -> Vector3<f64>| {
            let places = hull.corners.iter().map(|corner| frame.position + frame.orientation * turn(corner));
            let start = (Vector3::repeat(f64::INFINITY), Vector3::repeat(f64::NEG_INFINITY));
            let (low, high) = places.fold(start, |(low, high), place| (low.inf(&place), high.sup(&place)));
            ((low + high) / 2.0 - inertia.centre).norm()
        };
        let hulls = self.shapes.iter().filter_map(|(shape, frame)| match shape {
            GeometryElement::Hull(hull) if hull.says_y_is_up => Some((hull, frame)),
            _ => None,
        });
        hulls.fold([0.0; 2], |[written, turned], (hull, frame)| {
            [written + off(hull, frame, Vector3::clone), turned + off(hull, frame, y_up)]
        })
    }

    /// Rotates the hulls whose files have y up; returns whether there were any.
    pub(super) fn turn_y_up(&mut self) -> bool {
        let mut any = false;
        for (shape, _) in &mut self.shapes {
            if let GeometryElement::Hull(hull) = shape
                && hull.says_y_is_up
            {
                hull.corners.iter_mut().for_each(|corner| *corner = y_up(corner));
                any = true;
            }
        }
        any
    }

    fn mesh_name(&self, shape: usize) -> String {
        format!("{}_{shape}", escaped(self.name))
    }
}

/// The rotation that takes the file's y to z.
fn y_up(corner: &Vector3<f64>) -> Vector3<f64> {
    Vector3::new(corner.x, -corner.z, corner.y)
}

/// A shape, or the reason why a mesh cannot be read.
fn read_shape(shape: XmlNode) -> Result<Result<GeometryElement, String>, FileError> {
    let positive = |name: &str| match numbers(shape, name, [0.0])? {
        [number] if number > 0.0 => Ok(number),
        _ => Err(error(shape, format!("<{}> needs `{name}`, which is greater than zero", shape.tag()))),
    };
    Ok(Ok(GeometryElement::Sized(match shape.tag() {
        "box" => {
            let size = numbers(shape, "size", [0.0; 3])?;
            if size.iter().any(|length| *length <= 0.0) {
                return Err(error(shape, "<box> needs `size`: three lengths greater than zero".into()));
            }
            let [x, y, z] = size.map(|length| length / 2.0);
            format!("type=\"box\" size=\"{x:?} {y:?} {z:?}\"")
        }
        // A sphere without a radius is a contact point.
        "sphere" if shape.attribute("radius").is_some() && numbers(shape, "radius", [0.0])? == [0.0] => {
            format!("type=\"sphere\" size=\"{POINT:?}\"")
        }
        "sphere" => format!("type=\"sphere\" size=\"{:?}\"", positive("radius")?),
        kind @ ("cylinder" | "capsule") => {
            let (radius, length) = (positive("radius")?, positive("length")?);
            format!("type=\"{kind}\" size=\"{radius:?} {:?}\"", length / 2.0)
        }
        "mesh" => return Ok(mesh::read(shape)?.map(GeometryElement::Hull)),
        other => {
            return Err(error(
                shape,
                format!("<{other}> is no shape: box, cylinder, capsule, sphere or mesh"),
            ));
        }
    })))
}

/// `None` without mass. An inertia that no rigid body can have is increased by the least multiple of the
/// identity that makes it valid.
fn read_inertia(inertial: XmlNode, link: &str, noted: &mut Noted) -> Result<Option<LinkInertia>, FileError> {
    let frame = UrdfTransform::of(inertial)?;
    let mass = match child(inertial, "mass") {
        Some(mass) => numbers(mass, "value", [0.0])?[0],
        None => 0.0,
    };
    if mass < 0.0 {
        return Err(error(inertial, format!("link `{link}` has a negative mass")));
    }
    if mass == 0.0 {
        return Ok(None);
    }
    let moment = |name: &str| match child(inertial, "inertia") {
        Some(inertia) => numbers(inertia, name, [0.0]).map(|[moment]| moment),
        None => Ok(0.0),
    };
    let (xx, xy, xz) = (moment("ixx")?, moment("ixy")?, moment("ixz")?);
    let (yy, yz, zz) = (moment("iyy")?, moment("iyz")?, moment("izz")?);
    let own = Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz);
    let rotation = frame.orientation.to_rotation_matrix();
    let mut about_centre = rotation * own * rotation.transpose();
    about_centre = (about_centre + about_centre.transpose()) / 2.0;
    let mut principal: [f64; 3] = about_centre.symmetric_eigenvalues().into();
    principal.sort_by(f64::total_cmp);
    let [least, middle, greatest] = principal;
    // Moments that satisfy the triangle inequality are not negative.
    let lacks = (greatest - least - middle).max(if greatest <= 0.0 { -least } else { 0.0 });
    let is_point = greatest.abs().max(least.abs()) < 1e-12;
    if is_point || lacks > 1e-9 * greatest.abs() {
        let more = if is_point { mass * LEAST_GYRATION * LEAST_GYRATION } else { lacks * (1.0 + 1e-6) };
        about_centre += Matrix3::identity() * more;
        noted.repaired.add(format!("`{link}`"), span(inertial));
    }
    Ok(Some(LinkInertia { mass, centre: frame.position, about_centre }))
}
