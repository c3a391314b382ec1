//! The rows of a sweep as they are computed, in a separate file, so that a sweep that was killed continues
//! from there.
//!
//! The first line identifies the sweep: hashes, by name, of everything that affects its rows. Then follows
//! one line for each row, in the order in which they were computed; each is passed to the operating system as
//! soon as it is complete. A truncated line is ignored.

use super::{Plan, Row};
use aplomb_scene::SceneFiles;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

/// Name of the journal in the folder of a sweep; it is removed when the sweep is complete.
pub const JOURNAL: &str = "sweep.journal";

/// Everything that rows depend on, by name: two sweeps that agree in it have the same rows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity(BTreeMap<String, String>);

impl Identity {
    /// Identity of the plan's runs, with further dependencies `more`, by name.
    pub fn of(plan: &Plan, more: impl IntoIterator<Item = (&'static str, String)>) -> Self {
        let axes = plan.axes.iter().map(|axis| {
            let values: Vec<String> = axis.range.values.iter().map(|value| format!("{value:?}")).collect();
            format!("{}={}", axis.name, values.join(" "))
        });
        let axes = ("axes", axes.collect::<Vec<_>>().join("; "));
        Self::of_files(
            plan.variations.iter().map(|variation| &variation.files),
            more.into_iter().chain([axes]),
        )
    }

    /// Identity of runs of these scenes, with further dependencies `more`, by name.
    pub fn of_files<'f>(
        scenes: impl IntoIterator<Item = &'f SceneFiles>,
        more: impl IntoIterator<Item = (&'static str, String)>,
    ) -> Self {
        let mut facts: BTreeMap<String, String> =
            more.into_iter().map(|(name, value)| (name.into(), value)).collect();
        facts.insert("version".into(), env!("CARGO_PKG_VERSION").into());
        let mut hashes: BTreeMap<String, Sha256> = BTreeMap::new();
        let mut add = |kind: &str, text: &str| {
            let hash = hashes.entry(format!("{kind} files")).or_default();
            // The length separates the texts: two texts must not hash like two others.
            hash.update((text.len() as u64).to_le_bytes());
            hash.update(text.as_bytes());
        };
        for files in scenes {
            add("scene", &files.scene_source.text);
            add("scene", &files.overrides.join("\n"));
            for character in &files.characters {
                add("character", &character.model_source.text);
                add("controller", &character.controller.source.text);
                character.controller.source.included().for_each(|kept| add("include", &kept.source.text));
            }
            files.passive_sources.iter().flatten().for_each(|source| add("passive", &source.text));
            files.successors.iter().for_each(|successor| add("controller", &successor.source.text));
        }
        let hex = |hash: Sha256| hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        facts.extend(hashes.into_iter().map(|(name, hash)| (name, hex(hash))));
        Identity(facts)
    }

    /// Name of the first entry in which two identities differ.
    fn difference(&self, other: &Identity) -> Option<String> {
        let names = self.0.keys().chain(other.0.keys());
        let mut different = names.filter(|name| self.0.get(*name) != other.0.get(*name));
        different.next().cloned()
    }
}

/// Why a journal cannot be continued.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// It belongs to another sweep.
    #[error("the interrupted one there is another: {what} differ")]
    Another {
        /// Name of the entry that differs.
        what: String,
    },
    /// It cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Number of complete lines after the first one of the journal at `path`; 0 if it does not exist.
pub fn noted_rows(path: &Path) -> usize {
    let text = fs::read(path).unwrap_or_default();
    text.iter().filter(|byte| **byte == b'\n').count().saturating_sub(1)
}

/// The open journal of a sweep.
pub struct Journal(File);

impl Journal {
    /// Creates a journal, or empties an existing one.
    ///
    /// # Errors
    /// If the file system reports an error.
    pub fn begin(path: &Path, identity: &Identity) -> io::Result<Self> {
        let mut journal = Journal(File::create(path)?);
        journal.line(identity)?;
        Ok(journal)
    }

    /// Continues a journal, and returns its rows by run.
    ///
    /// # Errors
    /// If it belongs to another sweep, and errors of the file system.
    pub fn resume(path: &Path, identity: &Identity) -> Result<(Self, BTreeMap<usize, Row>), JournalError> {
        let (journal, rows) = Journal::resume_of::<Row>(path, identity)?;
        Ok((journal, rows.into_iter().map(|row| (row.run, row)).collect()))
    }

    /// [`Journal::resume`] for lines that are not rows; returns their contents in order.
    ///
    /// # Errors
    /// If it belongs to another computation, and errors of the file system.
    pub fn resume_of<T: DeserializeOwned>(
        path: &Path,
        identity: &Identity,
    ) -> Result<(Self, Vec<T>), JournalError> {
        let text = fs::read(path)?;
        let mut lines = text.split_inclusive(|byte| *byte == b'\n');
        let whole = |line: &[u8]| line.last() == Some(&b'\n');
        let first = lines.next().filter(|line| whole(line));
        // A journal whose process was killed before the first line was written is empty.
        let Some(first) = first else { return Ok((Journal::begin(path, identity)?, Vec::new())) };
        let there: Identity = serde_json::from_slice(first)
            .map_err(|_| JournalError::Another { what: "what its first line says".into() })?;
        if let Some(what) = there.difference(identity) {
            return Err(JournalError::Another { what: format!("the {what}") });
        }
        let mut rows = Vec::new();
        let mut length = first.len() as u64;
        for line in lines {
            let Some(row) = Some(line).filter(|line| whole(line)) else { break };
            let Ok(row) = serde_json::from_slice::<T>(row) else { break };
            length += line.len() as u64;
            rows.push(row);
        }
        // Everything after an invalid line is computed again.
        let file = OpenOptions::new().write(true).open(path)?;
        file.set_len(length)?;
        drop(file);
        Ok((Journal(OpenOptions::new().append(true).open(path)?), rows))
    }

    /// Appends a line.
    ///
    /// # Errors
    /// If the file system reports an error.
    pub fn note(&mut self, row: &impl Serialize) -> io::Result<()> {
        self.line(row)
    }

    fn line(&mut self, value: &impl Serialize) -> io::Result<()> {
        let mut line = serde_json::to_vec(value)?;
        line.push(b'\n');
        self.0.write_all(&line)?;
        self.0.flush()
    }
}
