//! Equations of motion, one file for each algorithm, all in world axes at the world origin (see
//! [`aplomb_math::spatial`]).
//!
//! All algorithms read [`Kinematics`], computed once for each configuration and velocity, and write into
//! given memory without allocating. Those that need working memory keep it in a struct.

pub mod aba;
mod acceleration_deltas;
#[doc(hidden)] // shared with aplomb-control, not a public API
pub mod bias_derivative;
mod bias_velocity;
mod coupled;
pub mod crba;
#[doc(hidden)] // shared with the planners of aplomb-world, not a public API
pub mod footsteps;
#[doc(hidden)] // shared with aplomb-control, not a public API
pub mod half_step;
pub mod kinematics;
pub mod momentum;
mod momentum_closure;
mod passive_force;
mod reach;
#[doc(hidden)] // shared with `aplomb new`, not a public API
pub mod retarget;
pub mod rnea;

#[cfg(test)]
mod identities;
#[cfg(test)]
pub(crate) mod random_tree;

pub use aba::ForwardDynamics;
pub use acceleration_deltas::AccelerationDeltas;
pub use bias_derivative::BiasDerivative;
pub use bias_velocity::BiasVelocity;
pub use coupled::CouplingForces;
pub use crba::mass_matrix;
pub use half_step::HalfStep;
pub use kinematics::Kinematics;
pub use momentum_closure::MomentumClosure;
pub use passive_force::{ImplicitForce, implicit_passive_forces, passive_forces};
pub use reach::nearest_reach;
pub use rnea::InverseDynamics;
