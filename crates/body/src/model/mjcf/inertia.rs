//! Masses and inertias of bodies.

use super::element::{Attribute, Element};
use super::frame::{self, InFrame};
use super::settings::{CompilerSettings, ORIENTATIONS};
use crate::model::{Body, BodyInertia};
use aplomb_language::diagnostic::FileError;
use nalgebra::{Matrix3, Vector3};

/// Smallest mass (kg) and principal moment (kg m²) of a moving body.
const SMALLEST: f64 = 1e-15;
/// Tolerance of the triangle inequality of principal moments, as a share of their sum.
const TRIANGLE_TOLERANCE: f64 = 1e-9;

/// An inertia of zero.
pub(super) const NONE: BodyInertia =
    BodyInertia { mass: 0.0, centre: Vector3::new(0.0, 0.0, 0.0), about_centre: ZERO };
const ZERO: Matrix3<f64> = Matrix3::new(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0);

/// Reads an `<inertial>`.
pub(super) fn read(
    element: Element,
    frame: &InFrame,
    settings: &CompilerSettings,
) -> Result<BodyInertia, FileError> {
    let centre = frame::point(frame, element.vector("pos", Vector3::zeros())?);
    let mass = element.required("mass")?;
    let moments = element.one_of(&["diaginertia", "fullinertia"])?;
    let moments = moments.ok_or_else(|| element.error("<inertial> needs `diaginertia` or `fullinertia`"))?;
    let about_centre = if moments.name == "diaginertia" {
        let rotation = frame::turn(frame, settings.orientation(&element)?).to_rotation_matrix();
        let diagonal = Matrix3::from_diagonal(&moments.vector()?);
        symmetric(rotation * diagonal * rotation.transpose())
    } else {
        if let Some(orientation) = element.one_of(&ORIENTATIONS)? {
            return Err(orientation.error("excludes `fullinertia`, which is given in body axes"));
        }
        let [xx, yy, zz, xy, xz, yz] = moments.array()?;
        let given = Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz);
        frame.as_ref().map_or(given, |frame| {
            let rotation = frame.orientation.to_rotation_matrix();
            symmetric(rotation * given * rotation.transpose())
        })
    };
    let mass_value = mass.number()?;
    if mass_value < 0.0 {
        return Err(mass.error("must not be negative"));
    }
    let about_centre = checked(about_centre, &moments, settings)?;
    Ok(BodyInertia { mass: mass_value, centre, about_centre })
}

/// An inertia that a rigid body can have, or the mean of its moments if that is requested.
fn checked(
    about_centre: Matrix3<f64>,
    moments: &Attribute,
    settings: &CompilerSettings,
) -> Result<Matrix3<f64>, FileError> {
    let principal = principal_moments(&about_centre);
    let [least, middle, greatest] = principal;
    if !greatest.is_finite() {
        return Err(moments.error("too large"));
    }
    let tolerance = TRIANGLE_TOLERANCE * greatest.abs();
    if least < -tolerance {
        let least = rounded(least);
        return Err(moments.error(format!("not an inertia: the principal moment {least} is negative")));
    }
    if least + middle < greatest - tolerance && settings.balance_inertia {
        let mean = (least + middle + greatest) / 3.0;
        return Ok(Matrix3::identity() * mean);
    }
    if least + middle < greatest - tolerance {
        let [least, middle, greatest] = principal.map(rounded);
        return Err(moments.error(format!(
            "not an inertia: the principal moment {greatest} is greater than the other two, {least} and {middle}, \
             together"
        )));
    }
    Ok(about_centre)
}

/// An inertia with at least this mass (kg) and these principal moments (kg m²).
pub(super) fn bounded(inertia: BodyInertia, [mass, moment]: [f64; 2]) -> BodyInertia {
    let mut bounded = BodyInertia { mass: inertia.mass.max(mass), ..inertia };
    if moment > 0.0 && principal_moments(&inertia.about_centre)[0] < moment {
        let axes = inertia.about_centre.symmetric_eigen();
        let moments = Matrix3::from_diagonal(&axes.eigenvalues.map(|own| own.max(moment)));
        bounded.about_centre = symmetric(axes.eigenvectors * moments * axes.eigenvectors.transpose());
    }
    bounded
}

/// Scales masses and inertias to this total mass, kg.
pub(super) fn scale(bodies: &mut [Body], total: f64) {
    let mass: f64 = bodies.iter().map(|body| body.inertia.mass).sum();
    let factor = if mass > 0.0 { total / mass } else { 1.0 };
    for body in bodies {
        body.inertia.mass *= factor;
        body.inertia.about_centre *= factor;
    }
}

/// A moment with four digits, for messages.
fn rounded(moment: f64) -> f64 {
    format!("{moment:.3e}").parse().unwrap_or(moment)
}

/// Principal moments in increasing order.
fn principal_moments(inertia: &Matrix3<f64>) -> [f64; 3] {
    let mut moments: [f64; 3] = match inertia.iter().all(|entry| entry.is_finite()) {
        true => inertia.symmetric_eigenvalues().into(),
        false => [f64::INFINITY; 3],
    };
    moments.sort_by(f64::total_cmp);
    moments
}

/// The matrix made exactly symmetric, without round-off.
fn symmetric(matrix: Matrix3<f64>) -> Matrix3<f64> {
    (matrix + matrix.transpose()) / 2.0
}

/// The inertia of several rigidly joined solids in one frame.
pub(super) fn combine(parts: &[BodyInertia]) -> BodyInertia {
    let mass: f64 = parts.iter().map(|part| part.mass).sum();
    if mass == 0.0 {
        return NONE;
    }
    if let [part] = parts {
        return BodyInertia { about_centre: symmetric(part.about_centre), ..*part };
    }
    let centre = parts.iter().map(|part| part.mass * part.centre).sum::<Vector3<f64>>() / mass;
    let about_centre = parts
        .iter()
        .map(|part| {
            let arm = part.centre - centre;
            part.about_centre + part.mass * (Matrix3::identity() * arm.dot(&arm) - arm * arm.transpose())
        })
        .sum();
    BodyInertia { mass, centre, about_centre: symmetric(about_centre) }
}

/// Index of the first jointed body whose mass or inertia, with the bodies welded to it, is too small to move.
pub(super) fn first_massless(bodies: &[Body]) -> Option<usize> {
    // Children follow their parents, so one backward pass adds each welded body's inertia to its parent.
    let mut carried: Vec<Vec<BodyInertia>> = bodies.iter().map(|body| vec![body.inertia]).collect();
    let mut massless = None;
    for (index, body) in bodies.iter().enumerate().rev() {
        let whole = combine(&std::mem::take(&mut carried[index]));
        if !body.joints.is_empty() {
            if whole.mass < SMALLEST || principal_moments(&whole.about_centre)[0] < SMALLEST {
                massless = Some(index);
            }
        } else if let Some(parent) = body.parent {
            let rotation = body.orientation.to_rotation_matrix();
            carried[parent.0].push(BodyInertia {
                mass: whole.mass,
                centre: body.position + rotation * whole.centre,
                about_centre: rotation * whole.about_centre * rotation.transpose(),
            });
        }
    }
    massless
}
