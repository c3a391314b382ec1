//! Contacts of a character with the ground and boxes, still or moving: what can touch, whether it bears, and how.

mod candidate;
mod closest;
mod cone;
mod course;
pub mod grip;
mod life;
mod review;
mod separation;
mod surface;

pub use candidate::{Candidate, Feature, candidates};
pub use cone::{Generators, generators, pyramid, tangents};
pub use course::{Course, Path, Pose, Swing, Window};
pub use life::{Bearing, Contacts, PART, PART_SPEED, TOUCH, Touch};
pub use review::{Corrections, Deed, MOST_ROUNDS, STATIC_SLIP};
pub use separation::{Nearest, nearest};
pub use surface::{Surface, SurfaceShape};
