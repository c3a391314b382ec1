//! Many runs of one scene, each a little different: a push from every side and of every strength, or any
//! value of the scene over a range.
//!
//! [`Plan`] says which runs; [`in_order`] does them on several threads and hands their [`Row`]s on in the
//! plan's order, so that what is written does not depend on the number of threads; [`PushMap`] reads a map of
//! pushes.

mod journal;
mod plan;
mod pool;
mod push_map;
mod range;
mod row;
mod show;
#[cfg(test)]
mod tests;

pub use journal::{Identity, JOURNAL, Journal, JournalError};
pub use plan::{NoPush, Over, Plan, SweepAxis, Variation, push_of};
pub use pool::{PoolError, in_order};
pub use push_map::{Direction, PushMap};
pub use range::Range;
pub use row::{COLUMNS, Figures, Row, RunEnding, run, run_showing};
pub use show::{Pick, Show};
