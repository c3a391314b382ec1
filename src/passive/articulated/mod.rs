//! Articulated bodies by forward dynamics and analytic constraints ([Kokkevis 2004]).

mod constraints;
mod influence;
pub mod lcp;
mod row;
mod system;

pub use constraints::Constraints;
pub use influence::{Influence, Influenced};
pub use row::{Pull, Row};
pub use system::Articulated;
