//! Controllers: states with objectives, conditions and exits, as files say them and as they run.

mod bind;
mod check;
mod clash;
mod define;
mod definition;
mod file;
mod guard;
mod machine;
#[cfg(test)]
mod mistakes;
mod needs;
mod planner;
pub mod quantity;
mod scope;
mod spec;
mod terms;
#[cfg(test)]
mod tests;

pub use check::{Findings, check, warnings_with};
pub use definition::Definition;
pub use file::ControllerFile;
pub use guard::{GuardNow, GuardRole, Guards};
pub use machine::{Because, Machine, Progress, Stuck, Transition};
pub use needs::NeedsSpec;
pub use scope::{FrameLookup, Role, Scope};
pub use spec::{ControllerSpec, Drive, ObjectiveEntry, ObjectiveTerms, StateSpec, read, read_all};
pub use terms::{BadValue, GoalTerms};
