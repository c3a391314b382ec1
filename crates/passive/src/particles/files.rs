//! Cloth, ropes and bodies of particles in scene files.

mod bodies;
mod builder;
mod cloth;
mod extras;
mod relax;
mod rope;
mod wind;

pub use bodies::{BoxSpec, FigureSpec, LooseSpec, PlantSpec, PointSpec, RodSpec};
pub use cloth::{ClothSpec, Edge};
pub use extras::{ContainerSpec, DragSpec};
pub use relax::RelaxSpec;
pub use rope::{End, RopeSpec};
pub use wind::WindSpec;
