//! Cloth, ropes and bodies of particles in scene files.

mod bodies;
mod builder;
mod cloth;
mod extras;
mod relax;
mod rope;
mod wind;

pub use bodies::LooseSpec;
pub use cloth::ClothSpec;
pub use rope::RopeSpec;
pub(crate) use wind::WindSpec;
