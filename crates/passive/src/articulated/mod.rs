//! Articulated bodies by forward dynamics and analytic constraints ([Kokkevis 2004]).
//!
//! An [`ArticulatedWorld`] holds systems of joints and bodies. A step solves for the forces of all active
//! constraints ([`Constraints`]), advances until a new collision, and applies impulses at impacts.

mod character;
mod closing;
mod closure;
pub mod collision;
mod constraints;
mod contact;
mod coupling;
mod delassus;
mod dry_friction;
mod follow;
pub mod lcp;
mod limit;
mod momentum;
mod motion;
mod object;
mod row;
mod saved;
mod settings;
mod spec;
mod surface;
mod system;
mod trajectory;
mod world;

pub(crate) use closing::LoopSpec;
pub(crate) use closure::LoopJoint;
pub use constraints::Constraints;
pub use contact::SolidContact;
pub(crate) use coupling::JointCoupling;
pub use delassus::DelassusOperator;
pub use dry_friction::JointDryFriction;
pub use follow::FollowSpec;
pub use limit::JointLimit;
pub use motion::{Follower, Gains, MotionTarget};
pub use object::{ArticulatedObject, PushedByCharacters};
pub use row::{ConstraintJacobian, ConstraintRow};
pub use settings::{ArticulatedSettings, Backtracking, Friction};
pub use spec::ArticulatedSpec;
pub use system::Articulated;
pub(crate) use trajectory::SplineTrajectory;
pub use world::ArticulatedWorld;
pub use world::Report;
