//! How a run ended, as its trace keeps it: what frames do not say, and the summary needs.

use mcap::records::Metadata;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Name of the metadata record.
pub const NAME: &str = "aplomb.ending";

/// Its only key.
const KEY: &str = "ending";

/// How a run ended.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Ending {
    /// Why it ended before its time; `None` where it did not, or where a criterion broke.
    #[serde(default)]
    pub stopped: Option<Stopped>,
    /// The scene's criteria, in its order.
    #[serde(default)]
    pub criteria: Vec<Judged>,
}

/// Why a run ended before its time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stopped {
    /// What ended it.
    pub by: StoppedBy,
    /// A sentence with the place in a file, where there is one.
    pub reason: String,
    /// Simulated time, s.
    pub at: f64,
}

/// What can end a run before its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StoppedBy {
    /// A number that no frame can be computed with, or that no trace can hold.
    Value,
    /// Somebody from outside: Ctrl-C, or a signal to end.
    Interrupt,
}

/// A criterion of a scene and how it fared.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Judged {
    /// Name in the scene.
    pub name: String,
    /// `always`, `at_end` or `once`.
    pub kind: String,
    /// The condition as the scene writes it.
    pub condition: String,
    /// Whether it was met.
    pub held: bool,
    /// When `always` broke or `once` first held, s.
    pub at: Option<f64>,
}

impl Ending {
    /// The record in a file.
    ///
    /// # Errors
    /// What JSON has no form for.
    pub fn to_record(&self) -> serde_json::Result<Metadata> {
        let text = serde_json::to_string(self)?;
        Ok(Metadata { name: NAME.into(), metadata: BTreeMap::from([(KEY.into(), text)]) })
    }

    /// What the entries of a record say; `None` of what makes no sense.
    pub fn of_record(entries: &[(&str, &str)]) -> Option<Self> {
        let (_, text) = entries.iter().find(|(key, _)| *key == KEY)?;
        serde_json::from_str(text).ok()
    }
}
