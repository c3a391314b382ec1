//! Binding of a controller's file to a model.

use super::{ComparedNumber, Goal, follow, index_of, measure};
use crate::controller::{ControllerFile, Machine, ObjectiveEntry};
use crate::springs::Springs;
use aplomb_body::model::Model;
use aplomb_body::model::scales::Scales;
use aplomb_control::constraint::BoundCollisionAvoidance;
use aplomb_control::objective::Binder;
use aplomb_language::diagnostic::{FileError, FileErrors};
use aplomb_language::expression::Names;
use std::sync::atomic::{AtomicU64, Ordering};

/// A controller bound to a model.
pub(crate) struct ControllerParts {
    /// State machine with the objectives of its states.
    pub(crate) machine: Machine,
    /// Goals by state, in file order, those of every state first.
    pub(crate) goals: Vec<Vec<Goal>>,
    /// Springs by state, for states of a ragdoll with springs.
    pub(crate) springs: Vec<Option<Springs>>,
    /// Names of all costs of the trace.
    pub(crate) objectives: Vec<String>,
    /// Objectives that follow moving targets: index in that list, and the unit of the distance.
    pub(crate) followed: Vec<(usize, &'static str)>,
    /// Numbers that objectives compare with their targets.
    pub(crate) measured: Vec<ComparedNumber>,
    /// Collision avoidance that the controller requests.
    pub(crate) apart: Vec<BoundCollisionAvoidance>,
}

/// Resolves every name of a controller in a model, those of its expressions among `names`. `objectives` are the names
/// of the existing costs, and `measured` the existing numbers; new ones are appended.
///
/// # Errors
/// All errors of the controller, each once.
pub(super) fn bind_names(
    model: &Model,
    controller: &ControllerFile,
    names: &dyn Names,
    scales: &Scales,
    mut objectives: Vec<String>,
    mut measured: Vec<ComparedNumber>,
) -> Result<ControllerParts, FileErrors> {
    let ControllerFile { source, spec, .. } = controller;
    let mut errors = Vec::new();
    let bound = Machine::bind_on(spec, source, names, scales.time(), &mut errors)?;
    let machine = &bound.machine;
    let mut goals: Vec<Vec<Goal>> = Vec::new();
    let mut springs = Vec::new();
    for (state, of_state) in spec.states.values().enumerate() {
        let scope = machine.scope(spec, names, Some(state));
        let binder = Binder { model, source, names: &scope };
        let entries = spec.objectives.iter().chain(&of_state.objectives);
        let bound = entries.filter_map(|entry| bind_goal(entry, &binder, &mut objectives, &mut errors));
        goals.push(bound.collect());
        let bound = of_state.springs.as_ref().map(|spec| Springs::bind(spec, scales.dt, &binder));
        springs.push(bound.transpose().map_err(|error| errors.push(error)).ok().flatten());
    }
    let scope = machine.scope(spec, names, None);
    let apart =
        sound(spec.collision_avoidance.iter().map(|kept| kept.bind(model, source, &scope)), &mut errors);
    // An error in an objective of every state would be found once for each state.
    let mut once: Vec<FileError> = Vec::new();
    errors.retain(|error| {
        let is_new = !once.contains(error);
        if is_new {
            once.push(error.clone());
        }
        is_new
    });
    let machine = bound.sound(spec, errors)?;
    let mut followed = Vec::new();
    for goal in goals.iter_mut().flatten() {
        follow(&mut followed, goal);
        measure(&mut measured, goal, model);
    }
    Ok(ControllerParts { machine, goals, springs, objectives, followed, measured, apart })
}

/// The valid items of `results`; errors are appended to `errors`.
fn sound<T>(results: impl Iterator<Item = Result<T, FileError>>, errors: &mut Vec<FileError>) -> Vec<T> {
    results.filter_map(|result| result.map_err(|error| errors.push(error)).ok()).collect()
}

/// The goal of an entry of a program, with its objective among `objectives`; its times are seconds.
///
/// # Errors
/// All errors of the entry, each once.
pub(super) fn bind_entry(
    entry: &ObjectiveEntry,
    binder: &Binder<'_>,
    objectives: &mut Vec<String>,
) -> Result<Goal, FileErrors> {
    let mut errors = Vec::new();
    match bind_goal(entry, binder, objectives, &mut errors) {
        Some(goal) => Ok(goal.in_seconds()),
        None => Err(errors.into()),
    }
}

/// The goal of an entry; `None` if its errors were appended to `errors`.
fn bind_goal(
    entry: &ObjectiveEntry,
    binder: &Binder<'_>,
    names: &mut Vec<String>,
    errors: &mut Vec<FileError>,
) -> Option<Goal> {
    let terms = entry.bind_on(binder.source, binder.names, errors);
    let objective = entry.of.get_ref().bind(binder).map_err(|error| errors.push(error)).ok();
    let serving = entry.joints.as_ref().map(|joints| binder.coordinates(joints)).transpose();
    let serving = serving.map_err(|error| errors.push(error)).ok();
    let (terms, objective, serving) = (terms?, objective?, serving?);
    Some(Goal::bound(index_of(names, &terms.name), terms, objective, serving.unwrap_or_default()))
}

/// Counter of bindings.
static BINDINGS: AtomicU64 = AtomicU64::new(0);

/// A number that no other binding has.
pub(crate) fn next_binding() -> u64 {
    BINDINGS.fetch_add(1, Ordering::Relaxed)
}
