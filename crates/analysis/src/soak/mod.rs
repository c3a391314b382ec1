//! Many short runs of random scenes, each audited: what nobody thought of trying.
//!
//! [`Case::draw`] makes the case of a number: of one seed always the same sequence, whatever came of the
//! cases before and however fast the machine is. [`attempt`] writes its scene and body into a folder, runs it
//! and holds it against physics; [`Tally`] counts what was tried.

mod attempt;
mod body;
mod case;
mod memory;
mod tally;

pub use attempt::{CaseResult, Defect, attempt};
pub use case::Case;
pub use memory::MemoryWatch;
pub use tally::Tally;
