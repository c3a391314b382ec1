//! A character ready to move: its model, senses, controller and synthesiser, bound from files.

mod switches;

use crate::constraint;
use crate::constraint::BoundKeepApart;
use crate::contact::Contacts;
use crate::contact::grip::{GripLimits, Grips};
use crate::controller::quantity::{ModelNames, WorldNames};
use crate::controller::{Drive, Machine, ObjectiveEntry, ObjectiveTerms};
use crate::language::diagnostic::FileError;
use crate::language::expression::Switch;
use crate::model::scales::Scales;
use crate::model::state::State;
use crate::model::{Model, mjcf};
use crate::objective::{Binder, Objective};
use crate::qp::Label;
use crate::qp::solver;
use crate::scene::start;
use crate::scene::{self, Advance, SceneFiles};
use crate::snapshot::Snapshot;
use crate::synthesis::{BUILT_IN_COSTS, Settings, Synthesiser};
use crate::world::frame::problem::FrameProblem;
use crate::world::reaction_delay::ReactionDelay;
use nalgebra::Vector3;

/// An objective of the controller, bound.
pub struct Goal {
    /// Index in the trace's list of objectives; objectives of one name share it.
    pub index: usize,
    pub terms: ObjectiveTerms,
    pub objective: Box<dyn Objective>,
    pub label: Label,
    /// Whether it holds as far as events go.
    pub switch: Switch,
}

/// One who acts.
pub struct Character {
    pub name: String,
    pub model: Model,
    pub snapshot: Snapshot,
    pub machine: Machine,
    /// Objectives by state, in file order, those of every state first.
    pub goals: Vec<Vec<Goal>>,
    /// Names of all costs of the trace: the built-in ones, then the controller's.
    pub objectives: Vec<String>,
    /// Those that follow moving targets: index there, and the unit of the distance.
    pub followed: Vec<(usize, &'static str)>,
    /// Parts of the body that the controller keeps apart.
    pub apart: Vec<BoundKeepApart>,
    pub synthesiser: Synthesiser,
    /// How it answers pushes, where not at once.
    pub muscle_delay: Option<ReactionDelay>,
    /// v^{N−1}
    pub previous_velocity: Vec<f64>,
    /// Frames since the run began or the set of bearing contacts last changed.
    pub steady_frames: u32,
    /// Slots that bore in the frame before.
    pub bearing: Vec<usize>,
    /// Whether muscles do nothing, whatever the controller says.
    pub is_limp: bool,
    pub problem: FrameProblem,
}

impl Character {
    /// Finds every name in the scene's files and puts the character where the scene says.
    pub fn bind(files: &SceneFiles) -> Result<Self, Vec<FileError>> {
        let (scene, spec) = (&files.scene, files.character_spec());
        let model = match spec {
            Some(_) => mjcf::read(&files.model_source).map_err(|error| vec![error])?,
            None => Model::nobody(),
        };
        let mut errors = Vec::new();
        let scales = Scales::new(&model, *scene.dt.get_ref());
        let contacts = Contacts::new(&model, scene.surfaces(), scales.length());
        let gravity = Vector3::from(*scene.gravity.get_ref());
        let holds =
            scene::holds(scene, &files.scene_source, &ModelNames(&model)).unwrap_or_else(|mistakes| {
                errors.extend(mistakes);
                Vec::new()
            });
        let state = match start::state(files, &model, scene.surfaces(), &holds) {
            Ok(state) => state,
            Err(mistakes) => {
                errors.extend(mistakes);
                State::at_rest(&model, model.rest_configuration())
            }
        };
        let names = WorldNames { model: ModelNames(&model), holds: &holds, things: Vec::new() };
        let source = &files.controller_source;
        let machine = match Machine::bind(&files.controller, source, &names, scales.time()) {
            Ok(machine) => machine,
            Err(mistakes) => {
                errors.extend(mistakes);
                return Err(errors);
            }
        };
        let mut objectives: Vec<String> = BUILT_IN_COSTS.map(String::from).to_vec();
        let mut goals: Vec<Vec<Goal>> = Vec::new();
        for (state, spec) in files.controller.states.values().enumerate() {
            let scope = machine.scope(&files.controller, &names, Some(state));
            let binder = Binder { model: &model, source, names: &scope };
            let entries = files.controller.objectives.iter().chain(&spec.objectives);
            let bound = entries.map(|entry| bind_goal(entry, &binder, &mut objectives));
            let (bound, mistakes): (Vec<_>, Vec<_>) = bound.partition(Result::is_ok);
            errors.extend(mistakes.into_iter().filter_map(Result::err));
            goals.push(bound.into_iter().filter_map(Result::ok).collect());
        }
        let scope = machine.scope(&files.controller, &names, None);
        let apart = files.controller.keep_apart.iter().map(|kept| kept.bind(&model, source, &scope));
        let (apart, mistakes): (Vec<_>, Vec<_>) = apart.partition(Result::is_ok);
        errors.extend(mistakes.into_iter().filter_map(Result::err));
        let mut apart: Vec<BoundKeepApart> = apart.into_iter().filter_map(Result::ok).collect();
        if errors.is_empty() {
            errors.extend(switches::set(files, &mut goals, &mut apart));
        }
        // What holds in every state is bound in each of them: its mistake is one.
        let mut said = Vec::new();
        errors.retain(|error| {
            let is_new = !said.contains(&(error.message.clone(), error.span));
            if is_new {
                said.push((error.message.clone(), error.span));
            }
            is_new
        });
        if !errors.is_empty() {
            return Err(errors);
        }
        let mut followed: Vec<(usize, &'static str)> = Vec::new();
        for goal in goals.iter().flatten() {
            if let Some(unit) = goal.objective.follows()
                && followed.iter().all(|(index, _)| *index != goal.index)
            {
                followed.push((goal.index, unit));
            }
        }
        let solver_name = scene.solver.as_ref().map_or(solver::DEFAULT, |name| name.get_ref().as_str());
        let solver = solver::by_name(solver_name).map_err(|error| vec![unknown_solver(files, &error)])?;
        let limited = spec.is_some_and(|spec| spec.torque_limits);
        let file = &*files.model_source.name;
        let constraints = constraint::all(&model, &contacts, &apart, limited, file);
        let synthesiser = Synthesiser::new(&model, &contacts, settings(files), constraints, solver);
        let previous_velocity = state.v.clone();
        let mut snapshot = Snapshot::new(&model, scales, gravity, contacts, state);
        snapshot.grips = Grips::new(&model, holds, grip_limits(files, scales.weight()));
        let dt = *scene.dt.get_ref();
        let delay = spec.and_then(|spec| spec.muscle_delay.as_ref());
        let muscle_delay = delay.map(|delay| ReactionDelay::new(delay, model.nv, dt));
        Ok(Character {
            name: files.character.clone(),
            snapshot,
            machine,
            goals,
            objectives,
            followed,
            apart,
            synthesiser,
            muscle_delay,
            previous_velocity,
            steady_frames: 0,
            bearing: Vec::new(),
            is_limp: spec.is_some_and(|spec| spec.drive == Drive::Limp),
            problem: FrameProblem::new(&model, scene.advance == Advance::Simulated),
            model,
        })
    }
}

fn settings(files: &SceneFiles) -> Settings {
    let scene = &files.scene;
    Settings {
        muscle_weight: *scene.muscle_weight.get_ref(),
        contact_weight: *scene.contact_weight.get_ref(),
        contact_response: *scene.contact_response.get_ref(),
        force_weight: *scene.force_weight.get_ref(),
        friction_directions: *scene.friction_directions.get_ref() as usize,
        bias_velocity: scene.bias_velocity,
    }
}

fn grip_limits(files: &SceneFiles, weight: f64) -> GripLimits {
    let usual = GripLimits::for_weight(weight);
    let Some(given) = files.character_spec().map(|spec| &spec.grip) else { return usual };
    let or =
        |given: &Option<toml::Spanned<f64>>, usual| given.as_ref().map_or(usual, |given| *given.get_ref());
    GripLimits {
        force: or(&given.force, usual.force),
        reach: or(&given.reach, usual.reach),
        speed: or(&given.speed, usual.speed),
    }
}

fn unknown_solver(files: &SceneFiles, error: &solver::UnknownSolver) -> FileError {
    let name = files.scene.solver.as_ref();
    let span = name.map_or(0..0, |name| name.span());
    let mistake = FileError::new(&files.scene_source, span, error.to_string());
    match error {
        solver::UnknownSolver::Unknown(wrong) => {
            mistake.label("not a solver").suggest(wrong, solver::list().iter().map(|(name, _)| *name))
        }
        solver::UnknownSolver::NotBuilt => mistake.label("not in this build"),
    }
}

fn bind_goal(
    entry: &ObjectiveEntry,
    binder: &Binder<'_>,
    names: &mut Vec<String>,
) -> Result<Goal, FileError> {
    let terms = entry.bind(binder.source, binder.names)?;
    let objective = entry.of.get_ref().bind(binder)?;
    let index = names.iter().position(|name| *name == terms.name).unwrap_or_else(|| {
        names.push(terms.name.clone());
        names.len() - 1
    });
    let label = Label {
        name: terms.name.as_str().into(),
        unit: if terms.response.is_some() || terms.horizon.is_some() { "g or ω₀²" } else { "m or rad" },
        source: terms.place.clone(),
    };
    let switch = Switch::new(terms.enabled);
    Ok(Goal { index, terms, objective, label, switch })
}
