//! Grips: the holds of the world, and those that a character holds.
//!
//! A grip ties one site of the body to a point of a hold. Its force is unknown and, for a hand, free in all
//! three directions; the point is fixed to the hold, and the body rotates freely about it.

mod borne;
mod hold;
mod lifecycle;
mod swing;

pub use borne::{BornePoint, grip_directions};
pub use hold::{BodyPoint, Carrier, Hold, HoldKind, HoldShape};
pub use lifecycle::{ClosingGrip, Grip, GripChange, GripKind, GripLimits, Grips, Want};
pub use swing::Swing;
