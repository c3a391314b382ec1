//! Records of passive objects.

use super::field::{lists, record};
use aplomb_body::model::Shape;
use aplomb_math::geometry::Hull;
use nalgebra::Vector3;
use serde::{Deserialize, Serialize};

/// Constants of a passive object.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PassiveHeader {
    /// Name in the scene.
    pub name: String,
    /// Method that steps it, as scene files name it.
    pub kind: String,
    /// Mass, kg.
    pub mass: f64,
    /// Names of its parts.
    pub parts: Vec<String>,
    /// Shapes fixed to parts.
    pub solids: Vec<PassiveSolid>,
    /// Rods between the origins of two parts.
    pub segments: Vec<PassiveSegment>,
}

impl PassiveHeader {
    /// Kind of another character in the records of one.
    pub const CHARACTER: &'static str = "character";

    /// Whether it is another character.
    pub fn is_character(&self) -> bool {
        self.kind == Self::CHARACTER
    }
}

/// A shape in the frame of a part.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PassiveSolid {
    /// Index in [`PassiveHeader::parts`].
    pub part: usize,
    /// Geometry.
    pub shape: SolidShape,
    /// Position in the frame of the part, m.
    pub position: [f64; 3],
    /// Quaternion w, x, y, z.
    pub orientation: [f64; 4],
}

/// A shape; lengths in m, as in MJCF.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SolidShape {
    /// A ball about the origin.
    Sphere {
        /// Radius, m.
        radius: f64,
    },
    /// A cylinder along z with half a ball at either end.
    Capsule {
        /// Radius, m.
        radius: f64,
        /// Half of the length along z without the caps, m.
        half_length: f64,
    },
    /// A cylinder along z.
    Cylinder {
        /// Radius, m.
        radius: f64,
        /// Half of the length along z, m.
        half_length: f64,
    },
    /// A box about the origin.
    Box {
        /// Half of the edge lengths along x, y and z, m.
        half_lengths: [f64; 3],
    },
    /// An ellipsoid about the origin.
    Ellipsoid {
        /// Half of its lengths along x, y and z, m.
        radii: [f64; 3],
    },
    /// The convex hull of points.
    Hull {
        /// Its corners, m.
        corners: Vec<[f64; 3]>,
    },
}

/// A rod between two parts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PassiveSegment {
    /// Indices in [`PassiveHeader::parts`].
    pub ends: [usize; 2],
    /// Radius, m.
    pub radius: f64,
}

record! {
    /// A passive object in a frame.
    pub struct PassiveState {
        /// Origins of its parts, world axes.
        pub positions: Vec<[f64; 3]> ["m"],
        /// Orientations of its parts; none where they have no turn of their own.
        pub orientations: Vec<[f64; 4]> ["1"],
        /// Velocities of the origins of its parts, world axes.
        pub velocities: Vec<[f64; 3]> ["m/s"],
        /// Angular velocities of its parts, world axes.
        pub angular_velocities: Vec<[f64; 3]> ["rad/s"],
        /// Centre of mass.
        pub com: [f64; 3] ["m"],
        /// Velocity of the centre of mass.
        pub com_velocity: [f64; 3] ["m/s"],
        /// Kinetic energy.
        pub kinetic_energy: f64 ["J"],
        /// Potential energy of gravity and springs.
        pub potential_energy: f64 ["J"],
        /// How far the worst of what should keep its length is from it, as a share; 0 where nothing can
        /// stretch.
        pub stretch: f64 ["1"],
        /// Iterations of the last step of its solver.
        pub iterations: u32 ["1"],
        /// What these left, in the unit of the method.
        pub residual: f64 ["1"],
        /// Whether it diverged (NaN or infinite), so that it stands still.
        pub failed: bool,
        /// Points at which it touches something else, with the ends and anchors that hold it.
        pub touches: Vec<PassiveTouch>,
    }

    /// A point at which a part is held.
    pub struct PassiveTouch {
        /// Part of the object, from 0.
        pub part: usize ["1"],
        /// What it touches: a surface, `object.part`, or a body of the character.
        pub other: String,
        /// Where, world axes.
        pub point: [f64; 3] ["m"],
        /// Unit normal, out of the other.
        pub normal: [f64; 3] ["1"],
        /// Force on the part, world axes.
        pub force: [f64; 3] ["N"],
    }
}

lists!(PassiveState, PassiveTouch);

impl SolidShape {
    /// The recorded form of a shape; `None` for planes and height fields, which moving parts do not have.
    pub fn of(shape: &Shape) -> Option<Self> {
        match *shape {
            Shape::Plane | Shape::Field(_) => None,
            Shape::Sphere { radius } => Some(SolidShape::Sphere { radius }),
            Shape::Capsule { radius, half_length } => Some(SolidShape::Capsule { radius, half_length }),
            Shape::Cylinder { radius, half_length } => Some(SolidShape::Cylinder { radius, half_length }),
            Shape::Box { half_lengths } => Some(SolidShape::Box { half_lengths: half_lengths.into() }),
            Shape::Ellipsoid { radii } => Some(SolidShape::Ellipsoid { radii: radii.into() }),
            Shape::Hull(ref hull) => Some(SolidShape::Hull {
                corners: hull.corners().iter().map(|corner| (*corner).into()).collect(),
            }),
        }
    }

    /// The shape as in a model.
    pub fn shape(&self) -> Shape {
        match *self {
            SolidShape::Sphere { radius } => Shape::Sphere { radius },
            SolidShape::Capsule { radius, half_length } => Shape::Capsule { radius, half_length },
            SolidShape::Cylinder { radius, half_length } => Shape::Cylinder { radius, half_length },
            SolidShape::Box { half_lengths } => Shape::Box { half_lengths: Vector3::from(half_lengths) },
            SolidShape::Ellipsoid { radii } => Shape::Ellipsoid { radii: Vector3::from(radii) },
            SolidShape::Hull { ref corners } => {
                let corners: Vec<Vector3<f64>> =
                    corners.iter().map(|corner| Vector3::from(*corner)).collect();
                // The list of corners in a damaged file may be empty.
                Hull::new(&corners).map_or(Shape::Sphere { radius: 0.0 }, |hull| Shape::Hull(hull.into()))
            }
        }
    }
}
