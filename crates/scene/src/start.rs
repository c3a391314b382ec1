//! Start poses as scenes specify them.

use super::{CharacterSpec, SceneFiles};
use aplomb_body::contact::Surface;
use aplomb_body::contact::grip::Hold;
use aplomb_body::model::Model;
use aplomb_body::model::state::State;
use aplomb_control::snapshot::Snapshot;
use aplomb_language::diagnostic::{FileError, FileErrors};
use aplomb_language::expression::VectorField;
use aplomb_world::controller::quantity::{Around, Measure, ModelNames, WorldNames};
use aplomb_world::start::{StartPose, StartPoseError, sensed};
use nalgebra::Vector3;
use std::ops::Range;

/// The initial state, or all mistakes in the scene's start pose.
pub(crate) fn state(
    files: &SceneFiles,
    spec: &CharacterSpec,
    model: &Model,
    surfaces: &[Surface],
    holds: &[Hold],
) -> Result<State, FileErrors> {
    let mut pose = StartPose {
        position: *spec.position.get_ref(),
        heading: *spec.heading.get_ref(),
        height: spec.height.as_ref().map_or(0.0, |height| *height.get_ref()),
        joints: spec.pose.iter().map(|(name, value)| (name.get_ref().clone(), *value.get_ref())).collect(),
        velocity: spec.velocity.as_ref().map_or(Vector3::zeros(), |given| Vector3::from(*given.get_ref())),
        ..StartPose::default()
    };
    let in_file = |errors: Vec<StartPoseError>| -> FileErrors {
        errors.iter().map(|error| mistake(files, spec, model, error)).collect()
    };
    let ground_height = surfaces.first().map_or(0.0, |ground| ground.position.z);
    if spec.reach.is_empty() && spec.orientation.is_empty() {
        return pose.state(model, surfaces, holds).map_err(in_file);
    }
    let stood = pose.posed(model, ground_height).map_err(in_file)?;
    let snapshot = sensed(model, surfaces, holds, &stood);
    let mut errors = Vec::new();
    let mut values = |fields: &indexmap::IndexMap<aplomb_language::Spanned<String>, VectorField>| {
        let mut read = Vec::new();
        for (name, field) in fields {
            match vector(files, model, &snapshot, field) {
                Ok(value) => read.push((name.get_ref().clone(), value)),
                Err(error) => errors.push(error),
            }
        }
        read
    };
    (pose.reach, pose.orientation) = (values(&spec.reach), values(&spec.orientation));
    if !errors.is_empty() {
        return Err(errors.into());
    }
    pose.state(model, surfaces, holds).map_err(in_file)
}

/// The value of an expression in the pose before reaching.
fn vector(
    files: &SceneFiles,
    model: &Model,
    snapshot: &Snapshot,
    field: &VectorField,
) -> Result<Vector3<f64>, FileError> {
    let around =
        Around { holds: &snapshot.grips.holds, surfaces: &snapshot.contacts.surfaces, ..Around::default() };
    let names = WorldNames { model: ModelNames(model), around };
    let value = field.bind(&files.scene_source, &names)?.value(&Measure { model, snapshot });
    if value.iter().all(|part| part.is_finite()) {
        return Ok(value);
    }
    let message = format!("this is [{}, {}, {}] at the start", value.x, value.y, value.z);
    Err(FileError::new(&files.scene_source, field.span(), message).label("not a point"))
}

/// A start pose's error, located in the scene.
fn mistake(files: &SceneFiles, spec: &CharacterSpec, model: &Model, error: &StartPoseError) -> FileError {
    let source = &files.scene_source;
    let at = |span: Range<usize>| FileError::new(source, span, error.to_string());
    // Points first, then orientations, in the order of a start pose.
    let asked = |index: usize| {
        let entries = spec.reach.iter().chain(&spec.orientation);
        entries.map(|(name, field)| (name.span(), field.span())).nth(index).unwrap_or((0..0, 0..0))
    };
    match error {
        StartPoseError::Joint { index, error } => match spec.pose.get_index(*index) {
            Some((name, value)) => error.in_file(model, source, name, value),
            None => at(0..0),
        },
        StartPoseError::TooFar { .. } => {
            let height = spec.height.as_ref().map(|height| height.span());
            let asked = spec.reach.values().next().map(|field| field.span());
            at(asked.or(height).unwrap_or_else(|| spec.position.span()))
        }
        StartPoseError::FixedToWorld { index, .. } => at(asked(*index).0),
        StartPoseError::UnknownPart { index, name, turned } => {
            let bodies = model.bodies.iter().map(|body| body.name.as_str());
            let sites = model.sites.iter().map(|site| site.name.as_str()).chain(["com"]);
            let known = bodies.chain(sites.filter(|_| !turned));
            at(asked(*index).0).suggest(name, known)
        }
        StartPoseError::OutOfReach { index, is_missed, helps, .. } => {
            let mistake = at(asked(*index).1).help(helps.clone());
            if *is_missed { mistake.label("out of reach") } else { mistake }
        }
    }
}
