//! Shapes in space, without bodies and without physics.
//!
//! * [`Shape`] is a shape in its own frame, [`WorldShape`] a solid in the world, [`OrientedBox`] a box by its axes.
//! * Ground of varying height: [`HeightField`].
//! * Distance of a point from a shape: [`distance_to_box`], [`WorldShape::distance`].
//! * Nearest points of segments ([`nearest_on_segment`]), convex polygons ([`Polygon`]) and pairs of shapes
//!   ([`closest`]); all points at which two shapes touch ([`Manifold`], [`overlap_of_boxes`]).
//! * Shapes as triangles, for drawing: [`surface`](fn@surface).
//!
//! Pairs of shapes are handled by a geometry library, parry, whose types are not visible outside this crate.

mod closest;
mod distance;
mod height_field;
mod hull;
mod library;
mod manifold;
mod overlap;
mod polygon;
mod ridge;
mod shape;
mod span;
mod surface;
mod world_shape;

pub use closest::{Nearest, PlacedShape, closest, closest_with_rounding};
pub use distance::{SignedDistance, distance_to_box, nearest_on_segment};
pub(crate) use distance::{distance_to_ball, share_of_segment};
pub use height_field::{HeightField, HeightFieldError};
pub use hull::{Hull, convex_hull};
pub use manifold::{Convex, Manifold, PlacedConvex};
pub use overlap::OrientedBox;
pub use overlap::{Overlap, overlap_of_boxes, overlap_of_round};
pub use polygon::Polygon;
pub use ridge::{Along, NearestRidge, nearest_box_edge};
pub use shape::{Shape, Swept, box_corner, ellipsoid_as_capsule, farthest_of_ellipsoid};
pub use span::ShapeExtent;
pub use surface::{Triangles, surface};
pub use world_shape::WorldShape;
