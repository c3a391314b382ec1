//! The files of an experiment in its folder.

use super::{ExperimentResult, junit};
use crate::analysis::trials::{COLUMNS, Experiment, Trial, TrialsReport, save};
use crate::cli::{Failure, output};
use std::fs;
use std::path::Path;

/// Name of the journal, which is removed when the experiment is complete.
pub(super) const JOURNAL: &str = "trials.journal";
/// Name of the table of trials.
pub(super) const TABLE: &str = "trials.csv";
/// Folder of the worst failures.
const WORST: &str = "worst";

/// Writes the table, the report and the result for continuous integration.
pub(super) fn write(tried: &ExperimentResult) -> Result<(), Failure> {
    let file = |name: &str, content: &str| output::replace(&tried.folder.join(name), content.as_bytes());
    file(TABLE, &table(&tried.experiment, &tried.trials))?;
    file("trials.json", &output::json(&tried.report)?)?;
    file("junit.xml", &junit::suites(std::slice::from_ref(tried)))
}

/// The table of an experiment: one row per trial.
fn table(experiment: &Experiment, trials: &[Trial]) -> String {
    let head = ["trial"].into_iter().chain(experiment.keys()).chain(COLUMNS);
    let head = head.map(str::to_string).collect();
    rows([head].into_iter().chain(trials.iter().map(Trial::cells)))
}

/// The tables of the experiments, one after another; if there are several, each follows the scene's name.
pub(super) fn tables(all: &[ExperimentResult]) -> String {
    match all {
        [only] => table(&only.experiment, &only.trials),
        several => {
            let of = |tried: &ExperimentResult| {
                format!("scene\n{}\n{}", tried.report.scene, table(&tried.experiment, &tried.trials))
            };
            several.iter().map(of).collect::<Vec<_>>().join("\n")
        }
    }
}

/// Rows as CSV.
pub(super) fn rows(rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut writer = csv::WriterBuilder::new().flexible(true).from_writer(Vec::new());
    for row in rows {
        // Writing to memory cannot fail.
        let _ = writer.write_record(row);
    }
    let bytes = writer.into_inner().unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Saves the worst failures as scenes.
pub(super) fn save_worst(
    experiment: &Experiment,
    report: &mut TrialsReport,
    count: usize,
    folder: &Path,
) -> Result<(), Failure> {
    let worst: Vec<Trial> = report.worst_failures(count).into_iter().cloned().collect();
    if worst.is_empty() {
        return Ok(());
    }
    let folder = folder.join(WORST);
    fs::create_dir_all(&folder).map_err(|error| Failure::write(&folder, error))?;
    for trial in worst {
        let name = trial.trial.to_string();
        let saved = save(experiment, &trial, &name)
            .map_err(|why| Failure::usage(format!("trial {name} cannot be saved as a scene: {why}")))?;
        output::replace(&folder.join(format!("{name}.toml")), saved.text.as_bytes())?;
        for (name, text) in &saved.controllers {
            output::replace(&folder.join(name), text.as_bytes())?;
        }
        report.worst.push(trial.trial);
    }
    Ok(())
}

/// Removes the output of an earlier experiment.
pub(super) fn make_room(folder: &Path) -> Result<(), Failure> {
    let worst = fs::read_dir(folder.join(WORST)).into_iter().flatten().flatten();
    let ours = |path: &std::path::PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        name.ends_with(".toml") && name.starts_with(|first: char| first.is_ascii_digit())
    };
    let worst = worst.map(|entry| entry.path()).filter(ours);
    let own = [TABLE, "trials.json", "junit.xml"].map(|name| folder.join(name));
    for path in own.into_iter().chain(worst).filter(|path| path.exists()) {
        fs::remove_file(&path).map_err(|error| Failure::write(&path, error))?;
    }
    Ok(())
}
