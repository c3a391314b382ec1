//! Shapes in space, without bodies and without physics.

mod polygon;

pub use polygon::Polygon;
