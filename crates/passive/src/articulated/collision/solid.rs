//! Solids: shapes with an owner.

use aplomb_body::model::BodyId;
use aplomb_math::geometry::{Convex, PlacedConvex, Shape};
use nalgebra::{Matrix3, Vector3};

/// The owner of a solid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SolidOwner {
    /// A body of a dynamic system, with its parent and the root of its tree.
    Body {
        /// Index of the system.
        system: usize,
        /// Body the solid is fixed to.
        body: BodyId,
        /// Parent of that body; `None` for a root.
        parent: Option<BodyId>,
        /// Root of that body's tree.
        root: BodyId,
    },
    /// A body of a kinematic system, which collides neither with surfaces nor with other kinematic bodies.
    Kinematic {
        /// Index of the system.
        system: usize,
        /// Body the solid is fixed to.
        body: BodyId,
    },
    /// A surface of the world, by index.
    Surface(usize),
}

impl SolidOwner {
    /// System and body of the owner; `None` for a surface.
    pub(crate) fn body(&self) -> Option<(usize, BodyId)> {
        match *self {
            SolidOwner::Body { system, body, .. } | SolidOwner::Kinematic { system, body } => {
                Some((system, body))
            }
            SolidOwner::Surface(_) => None,
        }
    }

    /// System and body of the owner, where it responds to forces; `None` for kinematic bodies and surfaces.
    pub(crate) fn free_body(&self) -> Option<(usize, BodyId)> {
        self.body().filter(|_| matches!(self, SolidOwner::Body { .. }))
    }

    /// System and body of a kinematic body; `None` for others.
    pub(crate) fn kinematic(&self) -> Option<(usize, BodyId)> {
        if let SolidOwner::Kinematic { system, body } = *self { Some((system, body)) } else { None }
    }

    /// Whether two owners can collide. Surfaces do not collide with each other, nor a body with itself and
    /// its parent; other bodies of one tree collide if `self_contact` is set.
    pub(super) fn can_touch(&self, other: &SolidOwner, self_contact: bool) -> bool {
        match (*self, *other) {
            (
                SolidOwner::Surface(_) | SolidOwner::Kinematic { .. },
                SolidOwner::Surface(_) | SolidOwner::Kinematic { .. },
            ) => false,
            (SolidOwner::Surface(_) | SolidOwner::Kinematic { .. }, _)
            | (_, SolidOwner::Surface(_) | SolidOwner::Kinematic { .. }) => true,
            (
                SolidOwner::Body { system, body, parent, root },
                SolidOwner::Body {
                    system: other_system,
                    body: other_body,
                    parent: other_parent,
                    root: other_root,
                },
            ) => {
                let related = body == other_body || parent == Some(other_body) || other_parent == Some(body);
                system != other_system || !related && (self_contact || root != other_root)
            }
        }
    }
}

/// A shape that can collide, fixed to its owner.
#[derive(Clone, Debug)]
pub(crate) struct CollisionSolid {
    /// Owner that the shape is fixed to.
    pub(crate) owner: SolidOwner,
    /// Shape in its own frame.
    pub(crate) shape: Shape,
    /// Position in the frame of the body, or of the world, m.
    pub(crate) local_position: Vector3<f64>,
    /// Rotation from the shape's own frame to that of its owner.
    pub(crate) local_rotation: Matrix3<f64>,
    /// Coefficient of friction. A contact uses the greater of the two coefficients, unless one of the solids
    /// sets `rules_friction`.
    pub(crate) friction: f64,
    /// Whether contacts use this solid's coefficient of friction regardless of the other's.
    pub(crate) rules_friction: bool,
    /// Coefficient of restitution; a contact uses the greater of two.
    pub(crate) restitution: f64,
    /// World position, m.
    pub(in super::super) position: Vector3<f64>,
    pub(in super::super) rotation: Matrix3<f64>,
    /// Whether the solid takes part in collisions.
    pub(in super::super) present: bool,
    /// Radius of the bounding ball around the position, m.
    pub(in super::super) reach: f64,
    /// Half of its smallest extent, m.
    pub(in super::super) half_thickness: f64,
    convex: Convex,
}

impl CollisionSolid {
    /// A solid fixed to `owner`, at `position` (m) and `rotation` in the owner's frame.
    pub(crate) fn new(
        owner: SolidOwner,
        shape: Shape,
        position: Vector3<f64>,
        rotation: Matrix3<f64>,
    ) -> Self {
        CollisionSolid {
            reach: shape.bounding_radius(),
            half_thickness: shape.half_thickness(),
            convex: Convex::new(&shape),
            owner,
            shape,
            local_position: position,
            local_rotation: rotation,
            friction: 1.0,
            rules_friction: false,
            restitution: 0.0,
            present: true,
            position,
            rotation,
        }
    }

    /// Sets the world pose of the solid from that of its body.
    pub(crate) fn place(&mut self, position: &Vector3<f64>, rotation: &Matrix3<f64>) {
        self.position = position + rotation * self.local_position;
        self.rotation = rotation * self.local_rotation;
    }

    pub(super) fn placed(&self) -> PlacedConvex<'_> {
        PlacedConvex { convex: &self.convex, position: &self.position, rotation: &self.rotation }
    }

    /// A point of the plane and its outward normal.
    pub(super) fn plane(&self) -> (Vector3<f64>, Vector3<f64>) {
        (self.position, self.rotation.column(2).into_owned())
    }
}
