//! Controllers: states with objectives, conditions and exits, as files say them and as they run.

mod check;
mod machine;
mod scope;
mod spec;
#[cfg(test)]
mod tests;

pub use check::check;
//pub use machine::{Because, Cycle, Exit, Machine, Progress, Transition};
//pub use scope::{FrameLookup, Role, Scope};
pub use spec::{ControllerSpec, ObjectiveEntry, ObjectiveTerms, StateSpec, read};
