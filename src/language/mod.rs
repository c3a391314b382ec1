//! What users write: files with places, expressions, kinds by name, and what is wrong with them.

pub mod diagnostic;
pub mod expression;
pub mod files;
mod id;
pub(crate) mod registry;

pub use id::{BodyId, JointId};
