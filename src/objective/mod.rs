//! Objectives.

use serde::Deserialize;

/// What an objective wants, as files write it.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ObjectiveSpec {
    /// The centre of mass over the middle of the support polygon.
    ComOverSupport {},
}
