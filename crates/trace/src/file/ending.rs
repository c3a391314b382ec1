//! The end of a run in its trace: facts that frames do not have, and the summary needs.

use aplomb_language::expression::NearMiss;
use mcap::records::Metadata;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Name of the metadata record.
pub(super) const NAME: &str = "aplomb.ending";

/// Only key of the record.
const KEY: &str = "ending";

/// The end of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Ending {
    /// Why the run stopped early; `None` if it did not stop early, or if a criterion was violated.
    #[serde(default)]
    pub stopped: Option<Stopped>,
    /// The scene's criteria, in its order.
    #[serde(default)]
    pub criteria: Vec<Judged>,
}

/// Why a run stopped early.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stopped {
    /// Cause of the stop.
    pub by: StoppedBy,
    /// A sentence, with the location in a file if there is one.
    pub reason: String,
    /// Simulated time, s.
    pub at: f64,
}

/// The cause of an early stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StoppedBy {
    /// A number with which no frame can be computed, or that no trace can store.
    Value,
    /// An interrupt from outside: Ctrl-C, or a termination signal.
    Interrupt,
}

/// A criterion of a scene with its result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Judged {
    /// Name in the scene.
    pub name: String,
    /// `always`, `at_end` or `once`.
    pub kind: String,
    /// The condition as in the scene file.
    pub condition: String,
    /// Whether it was met.
    pub held: bool,
    /// Time at which `always` was violated or `once` first held, s.
    pub at: Option<f64>,
    /// If it was not met, the comparison that decided it: when `always` was violated, when `once` was nearest to
    /// holding, or at the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nearest: Option<NearMiss>,
}

impl Ending {
    /// The record in a file.
    ///
    /// # Errors
    /// Values without a representation in JSON.
    pub(crate) fn to_record(&self) -> serde_json::Result<Metadata> {
        let text = serde_json::to_string(self)?;
        Ok(Metadata { name: NAME.into(), metadata: BTreeMap::from([(KEY.into(), text)]) })
    }

    /// The ending from the entries of a record; `None` for an invalid one.
    pub(crate) fn of_record(entries: &[(&str, &str)]) -> Option<Self> {
        let (_, text) = entries.iter().find(|(key, _)| *key == KEY)?;
        serde_json::from_str(text).ok()
    }
}
