//! A character ready to move: its model, senses, controller and synthesiser, bound from files.

use crate::constraint::BoundKeepApart;
use crate::contact::{Contacts, Surface, SurfaceShape};
use crate::controller::{Machine, ObjectiveEntry, ObjectiveTerms};
use crate::diagnostic::FileError;
use crate::model::{JointKind, Model, mjcf};
use crate::muscle_delay::MuscleDelay;
use crate::objective::{Binder, Objective};
use crate::qp::Label;
use crate::quantity::ModelNames;
use crate::scales::Scales;
use crate::scene::SceneFiles;
use crate::sense::Sense;
use crate::state::State;
use crate::synthesis::{BUILT_IN_COSTS, Settings, Synthesiser};
use crate::{constraint, solver};
use nalgebra::{UnitQuaternion, Vector3};

/// An objective of the controller, bound.
pub struct Goal {
    /// Index in the trace's list of objectives; objectives of one name share it.
    pub index: usize,
    pub terms: ObjectiveTerms,
    pub objective: Box<dyn Objective>,
    pub label: Label,
}

/// One who acts.
pub struct Character {
    pub name: String,
    pub model: Model,
    pub sense: Sense,
    pub machine: Machine,
    /// Objectives by state, in file order, those of every state first.
    pub goals: Vec<Vec<Goal>>,
    /// Names of all costs of the trace: the built-in ones, then the controller's.
    pub objectives: Vec<String>,
    /// Parts of the body that the controller keeps apart.
    pub apart: Vec<BoundKeepApart>,
    pub synthesiser: Synthesiser,
    /// How it answers pushes, where not at once.
    pub muscle_delay: Option<MuscleDelay>,
    /// v^{N−1}
    pub previous_velocity: Vec<f64>,
    /// Frames since the run began or the set of bearing contacts last changed.
    pub steady_frames: u32,
    /// Slots that bore in the frame before.
    pub bearing: Vec<usize>,
}

impl Character {
    /// Finds every name in the scene's files and puts the character where the scene says.
    pub fn bind(files: &SceneFiles) -> Result<Self, Vec<FileError>> {
        let model = mjcf::read(&files.model_source).map_err(|error| vec![error])?;
        let (scene, spec) = (&files.scene, files.character_spec());
        let mut errors = Vec::new();
        let scales = Scales::new(&model, *scene.dt.get_ref());
        let contacts = Contacts::new(&model, surfaces(files), scales.length());
        let state = initial_state(files, &model, &mut errors);
        let gravity = Vector3::from(*scene.gravity.get_ref());
        let names = ModelNames(&model);
        let source = &files.controller_source;
        let machine = match Machine::bind(&files.controller, source, &names, scales.time()) {
            Ok(machine) => machine,
            Err(mistakes) => {
                errors.extend(mistakes);
                return Err(errors);
            }
        };
        let mut objectives: Vec<String> = BUILT_IN_COSTS.map(String::from).to_vec();
        let mut goals = Vec::new();
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
        let apart: Vec<BoundKeepApart> = apart.into_iter().filter_map(Result::ok).collect();
        // A mistake in an objective of every state is one mistake.
        errors.dedup_by(|a, b| a.message == b.message && a.span == b.span);
        if !errors.is_empty() {
            return Err(errors);
        }
        let solver_name = scene.solver.as_ref().map_or(solver::DEFAULT, |name| name.get_ref().as_str());
        let solver = solver::by_name(solver_name).map_err(|error| vec![unknown_solver(files, &error)])?;
        let file = &*files.model_source.name;
        let constraints = constraint::all(&model, &contacts, &apart, spec.torque_limits, file);
        let synthesiser = Synthesiser::new(&model, &contacts, settings(files), constraints, solver);
        let previous_velocity = state.v.clone();
        let dt = *scene.dt.get_ref();
        let muscle_delay = spec.muscle_delay.as_ref().map(|delay| MuscleDelay::new(delay, model.nv, dt));
        Ok(Character {
            name: files.character.clone(),
            sense: Sense::new(&model, scales, gravity, contacts, state),
            machine,
            goals,
            objectives,
            apart,
            synthesiser,
            muscle_delay,
            previous_velocity,
            steady_frames: 0,
            bearing: Vec::new(),
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

/// The ground first, then the obstacles in file order.
fn surfaces(files: &SceneFiles) -> Vec<Surface> {
    let scene = &files.scene;
    let ground = Surface {
        name: "ground".into(),
        shape: SurfaceShape::HalfSpace,
        position: Vector3::new(0.0, 0.0, *scene.ground.height.get_ref()),
        orientation: UnitQuaternion::identity(),
        friction: *scene.ground.friction.get_ref(),
    };
    let boxes = scene.obstacles.iter().map(|(name, obstacle)| {
        let [roll, pitch, yaw] = obstacle.rotation.as_ref().map_or([0.0; 3], |angles| *angles.get_ref());
        Surface {
            name: name.get_ref().as_str().into(),
            shape: SurfaceShape::Box { half_lengths: Vector3::from(*obstacle.half_lengths.get_ref()) },
            position: Vector3::from(*obstacle.position.get_ref()),
            orientation: UnitQuaternion::from_euler_angles(roll, pitch, yaw),
            friction: *obstacle.friction.as_ref().unwrap_or(&scene.ground.friction).get_ref(),
        }
    });
    std::iter::once(ground).chain(boxes).collect()
}

/// The rest pose with the scene's joint values, turned, moved and set on the ground.
fn initial_state(files: &SceneFiles, model: &Model, errors: &mut Vec<FileError>) -> State {
    let spec = files.character_spec();
    let source = &files.scene_source;
    let mut q = model.rest_configuration();
    for (name, value) in &spec.pose {
        let Some(joint) = model.joint(name.get_ref()).map(|id| &model.joints[id.0]) else {
            let message = format!("there is no joint `{}`", name.get_ref());
            let known = model.joints.iter().map(|joint| joint.name.as_str());
            errors.push(FileError::new(source, name.span(), message).suggest(name.get_ref(), known));
            continue;
        };
        let value_of = *value.get_ref();
        match (joint.kind, joint.range) {
            (JointKind::Free | JointKind::Ball, _) => {
                let message = format!("`{}` has no single angle", joint.name);
                errors.push(FileError::new(source, name.span(), message));
            }
            (_, Some([low, high])) if !(low..=high).contains(&value_of) => {
                let message = format!("{value_of} is outside the range of `{}`", joint.name);
                let help = format!("it goes from {low} to {high}");
                errors.push(FileError::new(source, value.span(), message).help(help));
            }
            _ => q[joint.q_index] = value_of,
        }
    }
    let mut velocity = vec![0.0; model.nv];
    if model.is_floating() {
        let [x, y] = *spec.position.get_ref();
        let turn = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), *spec.heading.get_ref());
        let place = turn * Vector3::new(q[0], q[1], q[2]);
        q[..3].copy_from_slice(&[place.x + x, place.y + y, place.z]);
        let r = turn * crate::state::rotation(&q[3..7]);
        q[3..7].copy_from_slice(&[r.w, r.i, r.j, r.k]);
        let lowest = model.lowest_point(&model.body_poses(&q));
        let height = spec.height.as_ref().map_or(0.0, |height| *height.get_ref());
        q[2] += files.scene.ground.height.get_ref() + height - lowest;
        if let Some(given) = &spec.velocity {
            velocity[..3].copy_from_slice(given.get_ref());
        }
    }
    State { q, v: velocity, time: 0.0 }
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
        unit: if terms.response.is_some() { "g or ω₀²" } else { "m or rad" },
        source: terms.place.clone(),
    };
    Ok(Goal { index, terms, objective, label })
}
