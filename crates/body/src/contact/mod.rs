//! Contacts of a character with the ground, obstacles and other characters, fixed or moving: candidates,
//! contact modes, and friction.

mod candidate;
mod closest;
mod complementarity;
mod cone;
#[doc(hidden)] // shared between the crates, not a public API
pub mod grip;
mod lifecycle;
mod matching;
mod measured;
mod point;
mod released;
mod self_collision;
mod separation;
mod surface;
mod trajectory;

pub use candidate::{Candidate, Feature, candidates};
pub use closest::{applies as can_touch, point as closest_point};
pub use complementarity::{ContactOutcome, LANDED, STATIC_SLIP};
pub(crate) use cone::pyramid;
pub use cone::{Generators, STEEP, generators, is_friction, tangents};
pub use lifecycle::{Contacts, PART, PART_SPEED, TOUCH};
pub use measured::MeasuredContact;
pub use point::{Compliance, Party};
pub use point::{ContactMode, ContactPoint, FrictionStep, MOST_ROUNDS, SUPPORTING};
pub(crate) use released::Released;
pub use released::{Release, UnloadingBody};
pub use self_collision::ShapePair;
pub use separation::{centre_of, distance_from_solid, nearest, nearest_of};
pub use surface::bodies_of;
pub use surface::{Owner, Seat, Surface, SurfaceShape};
pub use trajectory::{CubicPath, Pose, Sinusoid, Trajectory, Window};
