//! Articulated bodies by forward dynamics and analytic constraints ([Kokkevis 2004]).
//!
//! A [`World`] holds systems of joints and bodies. A step solves for the forces of all active constraints
//! ([`Constraints`]), advances until a new collision, and applies impulses at impacts.

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
mod motion;
mod object;
mod report;
mod row;
mod saved;
mod settings;
mod spec;
mod surface;
mod system;
mod trajectory;
mod world;

pub use closing::{LoopKind, LoopSpec};
pub use closure::{Anchor, LoopJoint};
pub use constraints::Constraints;
pub use contact::{Contact, TangentChoice};
pub use coupling::JointCoupling;
pub use delassus::DelassusOperator;
pub use dry_friction::DryFriction;
pub use follow::FollowSpec;
pub use limit::Limit;
pub use motion::{Follower, Gains, Motion};
pub use object::ArticulatedObject;
pub use report::Report;
pub use row::{ConstraintJacobian, Row};
pub use settings::{Backtracking, Friction, Settings};
pub use spec::ArticulatedSpec;
pub use surface::Surface;
pub use system::Articulated;
pub use trajectory::Trajectory;
pub use world::{World, floor};
