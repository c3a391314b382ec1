//! `aplomb test --mutants`: which criteria can fail, and which parts of a controller no criterion misses.

use super::work::{RunJournal, RunPlan};
use super::{Arguments, TrialsFormat, files, folder, is_resumed};
use crate::analysis::trials::{self, Experiment, Mutant, MutantRun, Mutation, never_failed};
use crate::cli::{Done, Failure, output};
use crate::trace::FolderLock;
use serde::Serialize;
use std::fmt::Write;
use std::fs;

/// Name of the journal, which is removed when all mutants were run.
pub(super) const JOURNAL: &str = "mutants.journal";
/// Name of the table of mutants.
pub(super) const TABLE: &str = "mutants.csv";

/// The results of the mutants of a scene.
#[derive(Serialize)]
struct MutantResults {
    scene: String,
    /// Whether the unchanged scene passes; otherwise mutants are not informative.
    passes: bool,
    mutants: usize,
    /// Criteria that no mutant makes fail.
    never_failed: Vec<String>,
    /// Mutants with which no criterion fails.
    survivors: Vec<Mutant>,
    runs: Vec<MutantRun>,
}

pub(super) fn run(
    arguments: &Arguments,
    experiments: Vec<Experiment>,
    work: &RunPlan,
) -> Result<Done, Failure> {
    let mut all = Vec::new();
    for experiment in experiments {
        let Some(findings) = findings(arguments, &experiment, work)? else { return Ok(work.interrupted()) };
        if arguments.format() == TrialsFormat::Text && !arguments.quiet {
            output::print(&text(&findings))?;
        }
        all.push(findings);
    }
    match arguments.format() {
        TrialsFormat::Text => {}
        TrialsFormat::Csv => {
            let tables: Vec<String> = all.iter().map(table).collect();
            output::print(&tables.join("\n"))?;
        }
        TrialsFormat::Json => output::print_json(&serde_json::json!({ "scenes": all }))?,
        TrialsFormat::Junit | TrialsFormat::Markdown => {
            return Err(Failure::usage("--mutants prints `--format` text, json or csv"));
        }
    }
    let is_idle = all.iter().any(|findings| !findings.passes || !findings.never_failed.is_empty());
    Ok(if is_idle { Done::CriteriaFailed } else { Done::Well })
}

/// Runs the unchanged scene, then each of its mutants. `None` if it was interrupted.
fn findings(
    arguments: &Arguments,
    experiment: &Experiment,
    work: &RunPlan,
) -> Result<Option<MutantResults>, Failure> {
    let name = &experiment.files.name;
    let folder = folder(arguments, name);
    fs::create_dir_all(&folder).map_err(|error| Failure::write(&folder, error))?;
    let _lock = FolderLock::take(&folder).map_err(|error| Failure::trace(&folder, error))?;
    let mutants = trials::mutants(experiment);
    let identity = experiment.identity(arguments.portable);
    let is_resumed = is_resumed(arguments, &folder, JOURNAL);
    let made =
        RunJournal::begin(&folder, JOURNAL, TABLE, &identity, is_resumed, |one: &MutantRun| one.run.trial)?;
    let stop = || work.is_interrupted();
    let runs = work.make(name, mutants.len() + 1, &made, |number| {
        // The first run is that of the unchanged scene.
        let mutant = number.checked_sub(1).map(|index| mutants[index].clone());
        let sets: Vec<String> = mutant.iter().map(|mutant| mutant.set.clone()).collect();
        let run = experiment.run_with(number, Vec::new(), &sets, &stop)?;
        let unchanged = Mutant { mutation: Mutation::Objective, set: String::new() };
        Some(MutantRun { mutant: mutant.unwrap_or(unchanged), run })
    })?;
    let Some((first, runs)) = runs.split_first().filter(|_| !work.is_interrupted()) else { return Ok(None) };
    let survivors = runs.iter().filter(|one| one.run.passed()).map(|one| one.mutant.clone());
    let findings = MutantResults {
        scene: name.clone(),
        passes: first.run.passed(),
        mutants: runs.len(),
        never_failed: never_failed(&experiment.criteria, runs),
        survivors: survivors.collect(),
        runs: runs.to_vec(),
    };
    output::replace(&folder.join(TABLE), table(&findings).as_bytes())?;
    output::replace(&folder.join("mutants.json"), output::json(&findings)?.as_bytes())?;
    made.end()?;
    Ok(Some(findings))
}

fn table(findings: &MutantResults) -> String {
    let head = ["scene", "mutation", "set", "outcome", "failed_criteria", "reason"].map(str::to_string);
    let row = |one: &MutantRun| {
        vec![
            findings.scene.clone(),
            word(one.mutant.mutation).into(),
            one.mutant.set.clone(),
            one.run.outcome.word().into(),
            one.run.failed_criteria.join(" "),
            one.run.reason.clone(),
        ]
    };
    files::rows([head.to_vec()].into_iter().chain(findings.runs.iter().map(row)))
}

fn word(mutation: Mutation) -> &'static str {
    match mutation {
        Mutation::Objective => "objective",
        Mutation::Until => "until",
        Mutation::Exit => "exit",
    }
}

/// Writing to a string cannot fail.
fn text(findings: &MutantResults) -> String {
    let MutantResults { scene, mutants, survivors, never_failed, .. } = findings;
    let mut text = format!("{scene}: {} of {mutants} mutants fail\n", mutants - survivors.len());
    if !findings.passes {
        let _ = writeln!(text, "  the scene itself does not pass, so its mutants are not informative");
    }
    for criterion in never_failed {
        let _ = writeln!(text, "  criterion `{criterion}` holds in all of the {mutants} mutants");
    }
    for survivor in survivors {
        let _ = writeln!(text, "  all criteria still hold with `{}`", survivor.set);
    }
    text
}
