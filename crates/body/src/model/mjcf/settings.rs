//! Settings from `<compiler>` and `<option>` for the rest of the file.

use super::element::{Attribute, Element, SHORTEST, UNIT_TOLERANCE};
use aplomb_language::diagnostic::FileError;
use aplomb_math::elementary::atan2;
use nalgebra::{Matrix3, Quaternion, Rotation3, Unit, UnitQuaternion, Vector3};
use std::path::PathBuf;

/// When a body's mass is computed from its geoms.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum InertiaFromGeom {
    Never,
    /// If the body has no `<inertial>`.
    Missing,
    Always,
}

pub(super) struct CompilerSettings {
    /// Factor from the file's unit of angles to rad.
    angle: f64,
    autolimits: bool,
    euler_sequence: [char; 3],
    pub inertia_from_geom: InertiaFromGeom,
    /// Whether moments that break the triangle inequality are replaced by their mean.
    pub balance_inertia: bool,
    /// Least mass and moments of a body, kg and kg m².
    pub least: [f64; 2],
    /// Total mass of the model, kg, if the file sets one.
    pub total_mass: Option<f64>,
    pub gravity: Vector3<f64>,
    /// Folder of meshes, relative to that of the file.
    pub mesh_folder: PathBuf,
    /// Whether folders are removed from file names.
    pub strip_path: bool,
}

impl CompilerSettings {
    /// The default settings.
    pub(super) fn new() -> Self {
        CompilerSettings {
            angle: 1f64.to_radians(),
            autolimits: true,
            euler_sequence: ['x', 'y', 'z'],
            inertia_from_geom: InertiaFromGeom::Missing,
            balance_inertia: false,
            least: [0.0; 2],
            total_mass: None,
            gravity: Vector3::new(0.0, 0.0, -9.81),
            mesh_folder: PathBuf::new(),
            strip_path: false,
        }
    }

    pub(super) fn read_compiler(&mut self, compiler: Element) -> Result<(), FileError> {
        if let Some(angle) = compiler.own("angle") {
            self.angle =
                if angle.keyword(&["degree", "radian"])? == "degree" { 1f64.to_radians() } else { 1.0 };
        }
        if let Some(autolimits) = compiler.own("autolimits") {
            self.autolimits = autolimits.keyword(&["true", "false"])? == "true";
        }
        if let Some(source) = compiler.own("inertiafromgeom") {
            self.inertia_from_geom = match source.keyword(&["auto", "true", "false"])? {
                "true" => InertiaFromGeom::Always,
                "false" => InertiaFromGeom::Never,
                _ => InertiaFromGeom::Missing,
            };
        }
        if let Some(balance) = compiler.own("balanceinertia") {
            self.balance_inertia = balance.keyword(&["false", "true"])? == "true";
        }
        // `meshdir` takes precedence over `assetdir` in any order.
        if let Some(folder) = compiler.own("meshdir").or_else(|| compiler.own("assetdir")) {
            self.mesh_folder = PathBuf::from(folder.value.trim());
        }
        if let Some(strip) = compiler.own("strippath") {
            self.strip_path = strip.keyword(&["false", "true"])? == "true";
        }
        self.least[0] = compiler.magnitude("boundmass", self.least[0])?;
        self.least[1] = compiler.magnitude("boundinertia", self.least[1])?;
        if let Some(total) = compiler.own("settotalmass") {
            // MuJoCo writes −1 for no total mass.
            self.total_mass = Some(total.number()?).filter(|total| *total > 0.0);
        }
        if let Some(sequence) = compiler.own("eulerseq") {
            let axes: Vec<char> = sequence.value.chars().collect();
            self.euler_sequence = match axes[..] {
                [a, b, c] if axes.iter().all(|axis| "xyzXYZ".contains(*axis)) => [a, b, c],
                _ => return Err(sequence.error("expected three of the letters xyzXYZ")),
            };
        }
        Ok(())
    }

    pub(super) fn read_option(&mut self, option: Element) -> Result<(), FileError> {
        self.gravity = option.vector("gravity", self.gravity)?;
        if let Some(timestep) = option.own("timestep") {
            timestep.positive()?;
        }
        Ok(())
    }

    /// An angle of the file in radians.
    pub(super) fn radians(&self, angle: f64) -> f64 {
        angle * self.angle
    }

    /// Limits of a quantity from the attribute `range`, enabled by the attribute `limited` (true, false, or
    /// auto: enabled if a range is given). `None`: unlimited.
    pub(super) fn limits(
        &self,
        element: &Element,
        range: &str,
        limited: &str,
    ) -> Result<Option<[f64; 2]>, FileError> {
        let given = element.attribute(range);
        let bounds = given.as_ref().map_or(Ok([0.0, 0.0]), |attribute| attribute.array::<2>())?;
        let is_limited = match element.keyword(limited, &["auto", "true", "false"])? {
            "true" => true,
            "false" => false,
            _ if bounds == [0.0, 0.0] => false,
            _ if self.autolimits => true,
            _ => {
                let message = format!("<{}> has `{range}` but not `{limited}`", element.tag());
                return Err(element.error(message).help(format!(
                    "the file says autolimits=\"false\": write {limited}=\"true\" or \"false\""
                )));
            }
        };
        match given {
            _ if !is_limited => Ok(None),
            Some(attribute) if bounds[0] >= bounds[1] => Err(attribute
                .error(format!("the lower limit {} is not below the upper {}", bounds[0], bounds[1]))),
            Some(_) => Ok(Some(bounds)),
            None => {
                let limited = element.attribute(limited);
                let message = format!("needs the attribute `{range}`");
                Err(limited
                    .map_or_else(|| element.error(message.clone()), |attribute| attribute.error(&message)))
            }
        }
    }

    /// Orientation of an element's frame in its parent's frame.
    pub(super) fn orientation(&self, element: &Element) -> Result<UnitQuaternion<f64>, FileError> {
        let Some(attribute) = element.one_of(&ORIENTATIONS)? else { return Ok(UnitQuaternion::identity()) };
        match attribute.name {
            "quat" => quaternion(&attribute),
            "euler" => {
                let angles = attribute.array::<3>()?.map(|angle| self.radians(angle));
                Ok(self.euler(angles))
            }
            "axisangle" => {
                let [x, y, z, angle] = attribute.array()?;
                let axis = attribute.unit(Vector3::new(x, y, z))?;
                Ok(UnitQuaternion::from_axis_angle(&Unit::new_unchecked(axis), self.radians(angle)))
            }
            "xyaxes" => {
                let [a, b, c, d, e, f] = attribute.array()?;
                let x = attribute.unit(Vector3::new(a, b, c))?;
                let y = Vector3::new(d, e, f);
                let y = attribute.unit(y - x * x.dot(&y))?;
                let axes = Matrix3::from_columns(&[x, y, x.cross(&y)]);
                Ok(UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(axes)))
            }
            _ => Ok(from_z_to(attribute.direction()?)),
        }
    }

    /// Rotations about three axes in turn: lower case about the rotated axes, upper case about the parent's
    /// axes.
    fn euler(&self, angles: [f64; 3]) -> UnitQuaternion<f64> {
        let mut result = UnitQuaternion::identity();
        for (axis, angle) in self.euler_sequence.into_iter().zip(angles) {
            let about = match axis.to_ascii_lowercase() {
                'x' => Vector3::x_axis(),
                'y' => Vector3::y_axis(),
                _ => Vector3::z_axis(),
            };
            let turn = UnitQuaternion::from_axis_angle(&about, angle);
            result = if axis.is_ascii_lowercase() { result * turn } else { turn * result };
        }
        result
    }
}

/// The attributes of an orientation; an element has at most one.
pub(super) const ORIENTATIONS: [&str; 5] = ["quat", "euler", "axisangle", "xyaxes", "zaxis"];

pub(super) fn quaternion(attribute: &Attribute) -> Result<UnitQuaternion<f64>, FileError> {
    let [w, x, y, z] = attribute.array()?;
    normalised([w, x, y, z]).ok_or_else(|| attribute.error("a quaternion of length zero is no orientation"))
}

/// The unit quaternion along `wxyz`, unchanged if it is a unit quaternion up to round-off; `None` for zero.
pub(super) fn normalised([w, x, y, z]: [f64; 4]) -> Option<UnitQuaternion<f64>> {
    let quaternion = Quaternion::new(w, x, y, z);
    let norm = quaternion.norm();
    if !norm.is_finite() || norm < SHORTEST {
        return None;
    }
    let unit = if (norm - 1.0).abs() <= UNIT_TOLERANCE { quaternion } else { quaternion / norm };
    Some(UnitQuaternion::new_unchecked(unit))
}

/// The shortest rotation from the z axis to `direction` (unit); a half turn about x if it points straight
/// down.
pub(super) fn from_z_to(direction: Vector3<f64>) -> UnitQuaternion<f64> {
    let axis = Vector3::z().cross(&direction);
    let sine = axis.norm();
    let axis = if sine < SHORTEST { Vector3::x() } else { axis / sine };
    UnitQuaternion::from_axis_angle(&Unit::new_unchecked(axis), atan2(sine, direction.z))
}
