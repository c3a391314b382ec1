//! Spatial vectors (Featherstone 2008, ch. 2), all expressed in world axes at the world origin.
//!
//! With all bodies in one frame there are no transforms: velocities add along the tree, inertias of subtrees
//! add, and a Jacobian column is the joint's motion vector.

mod articulated;
mod force;
mod inertia;
mod motion;

pub use articulated::ArticulatedInertia;
pub use force::Force;
pub use inertia::Inertia;
pub use motion::Motion;
