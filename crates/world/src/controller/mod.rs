//! Controllers: states with objectives, conditions and exits, as files specify them and as they run.

mod bind;
mod check;
mod clash;
mod commands;
mod compose;
mod define;
mod driven;
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
pub mod quantity;
pub mod reads;
mod recorded;
mod scope;
mod spec;
mod stay;
mod terms;
#[cfg(test)]
mod tests;
mod written;

pub use bind::PartlyBound;
pub use check::{ControllerFindings, check, warnings_with};
pub use commands::{
    ClampedValue, CommandError, CommandNumber, CommandSpec, CommandState, CommandValue, Commands,
};
pub use compose::{read, read_all};
pub use define::Definition;
pub use file::ControllerFile;
pub use guard::{GuardNow, GuardRole, Guards};
pub use include::{IncludeSpec, Laid};
pub use levels::Entry;
pub use machine::{Because, Machine, Progress, Stuck, Transition};
pub use needs::NeedsSpec;
pub use parameters::{Parameter, Parameters};
pub use planner::{PlannerSpec, PreviewStepSpec};
pub use reads::{NextRead, Reads};
pub use recorded::BindingNumber;
pub use scope::{BoundRole, FrameLookup, OF_MACHINE, Scope, hint_of_state};
pub use spec::{Composite, ControllerSpec, Drive, ObjectiveEntry, ObjectiveTerms, SpringsSpec, StateSpec};
pub use stay::Stay;
pub use terms::{BadValue, GoalTerms};
