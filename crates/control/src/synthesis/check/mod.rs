//! What a solved frame must pass before it is accepted: the table of checks, in order, one file a check.
//!
//! A check looks at a solution and says what has to be corrected; it changes nothing. Checks of one stage look at
//! the same solution together. The first stage that finds something has its corrections applied, and the frame is
//! solved again; a solution in which no stage finds anything is accepted as it is. Each check has its own bound, and
//! says so when that is reached.

mod apply;
mod arrival;
mod bias_velocity;
mod correction;
mod creeping;
mod dry_friction;
mod friction_direction;
mod grip_overload;
mod held_prediction;
mod impact;
mod impact_slip;
mod joint_limit;
mod path_curvature;
mod separation;
mod table;
mod thrown_joint;
mod view;

pub use apply::Applied;
pub use bias_velocity::JUMP;
pub use correction::{Correction, Findings, Rounds};
pub use held_prediction::{Forces, expect_held};
pub use table::{STAGES, inspect};
pub use view::{Check, View};
