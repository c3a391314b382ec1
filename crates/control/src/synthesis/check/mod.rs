//! The checks that a solved frame must pass before it is accepted: an ordered table, and one file for each.
//!
//! A check inspects a solution and requests corrections; it changes nothing. Checks of one stage inspect the
//! same solution. The corrections of the first stage that finds any are applied, and the frame is solved
//! again; a solution in which no stage finds any is accepted. Each check has its own bound, and reports when
//! it is reached.

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
mod limb_path;
mod path_curvature;
mod separation;
mod table;
mod thrown_joint;
mod view;

pub use apply::Applied;
pub use bias_velocity::JUMP;
pub use correction::{Correction, Findings, Rounds};
pub use held_prediction::{Forces, HELD_ERROR, LATE_SLIP, expect_held};
pub use table::{STAGES, inspect};
pub use view::{Check, View};
