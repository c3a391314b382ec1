//! Spatial vectors (Featherstone 2008, ch. 2) in one frame for everything: world axes, at the world origin.
//!
//! With all bodies in one frame there are no transforms: velocities add along the tree, inertias of subtrees
//! add, and a Jacobian column is the joint's motion vector as it stands.

mod articulated;
mod force;
mod inertia;
mod motion;

pub use articulated::ArticulatedInertia;
pub use force::Force;
pub use inertia::Inertia;
pub use motion::Motion;
