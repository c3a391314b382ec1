//! Controllers: states with objectives, conditions and exits, as files specify them and as they run.

mod bind;
mod check;
mod clash;
mod commands;
mod compose;
mod define;
mod driven;
mod entry;
mod file;
mod flat;
mod format;
mod guard;
mod include;
mod levels;
mod machine;
mod mirror;
#[cfg(test)]
mod mistakes;
mod needs;
mod parameters;
mod planner;
#[doc(hidden)] // shared with checks and the language server, not a public API
pub mod quantity;
#[doc(hidden)] // shared with checks and the language server, not a public API
pub mod reads;
mod recorded;
mod scope;
mod spec;
mod stay;
mod terms;
#[cfg(test)]
mod tests;
mod written;

pub use check::{ControllerFindings, check, warnings_with};
pub use commands::{
    ClampedValue, CommandError, CommandNumber, CommandSpec, CommandState, CommandValue, Commands,
};
pub use compose::{read, read_all};
pub use entry::{ConstraintEntry, ConstraintKindError};
pub use file::ControllerFile;
pub(crate) use guard::Guards;
pub use guard::{GuardNow, GuardRole};
pub use machine::{Because, Machine, Progress, Stuck, Transition};
pub use needs::NeedsSpec;
pub use parameters::{Parameter, Parameters};
pub use planner::{PlannerSpec, PreviewStepSpec};
pub use reads::{NextRead, Reads};
pub use recorded::BindingNumber;
pub use scope::{FrameLookup, OF_MACHINE, hint_of_state};
pub(crate) use spec::ObjectiveTerms;
pub use spec::{Composite, ControllerSpec, Drive, ObjectiveEntry, SpringsSpec, StateSpec};
pub use stay::Stay;
pub use terms::{BadValue, GoalTerms};
