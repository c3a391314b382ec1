//! What users write: files with places, expressions, kinds by name, and what is wrong with them.

pub mod diagnostic;
pub mod expression;
pub mod files;
mod id;
pub mod namespace;
pub(crate) mod registry;
mod spanned;

pub use id::{BodyId, JointId};
pub use spanned::Spanned;
