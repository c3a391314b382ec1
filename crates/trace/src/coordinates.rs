//! Names and units of a model's configuration numbers and velocity coordinates, as a trace lists them.

use aplomb_body::model::{JointKind, Model};

/// Names and units of the numbers in `q` and `v`, in order, for a [`Header`](super::Header).
#[derive(Clone, Debug, PartialEq)]
pub struct Coordinates {
    /// Name of the joint, with a suffix if it has several numbers: `root.x`, `root.qw`, `knee`.
    pub configuration_names: Vec<String>,
    /// Unit: `m`, `rad`, or `1` for the components of a quaternion.
    pub configuration_units: Vec<String>,
    /// Names of velocity coordinates: [`Model::dof_names`].
    pub coordinate_names: Vec<String>,
    /// Unit: `m/s` or `rad/s`.
    pub coordinate_units: Vec<String>,
}

impl Coordinates {
    /// Names and units of a model.
    pub fn of(model: &Model) -> Self {
        let mut configuration_names = Vec::with_capacity(model.nq);
        let mut configuration_units = Vec::with_capacity(model.nq);
        let mut coordinate_units = Vec::with_capacity(model.nv);
        for joint in &model.joints {
            let (parts, rates): (&[(&str, &str)], &[&str]) = match joint.kind {
                JointKind::Free => (&FREE, &["m/s", "m/s", "m/s", "rad/s", "rad/s", "rad/s"]),
                JointKind::Ball => (&FREE[3..], &["rad/s"; 3]),
                JointKind::Hinge { .. } => (&[("", "rad")], &["rad/s"]),
                JointKind::Slide { .. } => (&[("", "m")], &["m/s"]),
            };
            for (part, unit) in parts {
                configuration_names.push(format!("{}{part}", joint.name));
                configuration_units.push(unit.to_string());
            }
            coordinate_units.extend(rates.iter().map(|unit| unit.to_string()));
        }
        Coordinates {
            configuration_names,
            configuration_units,
            coordinate_names: model.dof_names.clone(),
            coordinate_units,
        }
    }
}

/// Parts of a free joint's configuration, in MuJoCo's order; the last four are those of a ball joint.
const FREE: [(&str, &str); 7] =
    [(".x", "m"), (".y", "m"), (".z", "m"), (".qw", "1"), (".qx", "1"), (".qy", "1"), (".qz", "1")];
