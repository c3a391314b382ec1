//! Binding of a controller to a body, with one message for all roles that the body lacks.

use super::ComparedNumber;
use super::bind::{ControllerParts, bind_names};
use crate::controller::ControllerFile;
use crate::controller::quantity::{Around, ModelNames, WorldNames};
use aplomb_body::model::scales::Scales;
use aplomb_body::model::{BodyId, Model, roles};
use aplomb_language::diagnostic::{FileError, FileErrors};
use aplomb_language::expression::{Meaning, Names};
use nalgebra::Vector3;
use std::cell::RefCell;

/// Resolves every name of a controller in a model and its surroundings. `objectives` are the names of the existing
/// costs, and `measured` the existing numbers; new ones are appended.
///
/// # Errors
/// All errors of the controller, each once.
pub(crate) fn bind_controller(
    model: &Model,
    controller: &ControllerFile,
    around: Around<'_>,
    scales: &Scales,
    objectives: Vec<String>,
    measured: Vec<ComparedNumber>,
) -> Result<ControllerParts, FileErrors> {
    let missing = controller.spec.needs.missing(&controller.source, &around);
    if !missing.is_empty() {
        return Err(missing.into());
    }
    let names = WorldNames { model: ModelNames(model), around };
    bind_names(model, controller, &names, scales, objectives, measured)
        .map_err(|errors| said_at_once(errors, model, controller, around, scales))
}

/// The names of a body that was given every role. It records the requested names that it lacks.
struct RoleRequests<'a> {
    names: WorldNames<'a>,
    lacked: &'a [&'static str],
    asked: RefCell<Vec<&'static str>>,
}

impl Names for RoleRequests<'_> {
    fn meaning(&self, name: &str) -> Option<Meaning> {
        if let Some(role) = self.lacked.iter().find(|role| **role == name)
            && !self.asked.borrow().contains(role)
        {
            self.asked.borrow_mut().push(role);
        }
        self.names.meaning(name)
    }

    fn known(&self) -> Vec<String> {
        self.names.known()
    }

    fn offered(&self, name: &str) -> Option<Meaning> {
        self.names.meaning(name)
    }
}

/// The errors of a controller on a body, with those about missing roles replaced by one that names them all. The
/// other errors are those that also occur on a body with all roles.
fn said_at_once(
    errors: FileErrors,
    model: &Model,
    controller: &ControllerFile,
    around: Around<'_>,
    scales: &Scales,
) -> FileErrors {
    if model.bodies.is_empty() {
        return errors;
    }
    let (whole, lacked) = with_every_role(model);
    let names = WorldNames { model: ModelNames(&whole), around };
    let asked = RoleRequests { names, lacked: &lacked, asked: RefCell::default() };
    let others = bind_names(&whole, controller, &asked, scales, Vec::new(), Vec::new()).err();
    let mut asked = asked.asked.into_inner();
    if asked.is_empty() {
        return errors;
    }
    asked.sort_by_key(|role| lacked.iter().position(|other| other == role));
    let mut all = vec![missing(&errors, model, controller, &asked)];
    all.extend(others.into_iter().flatten());
    all.into()
}

/// The body with every role, the missing ones on its root; and the names of the missing ones.
fn with_every_role(model: &Model) -> (Model, Vec<&'static str>) {
    let mut whole = model.clone();
    let mut lacked = Vec::new();
    for (role, _) in roles::BODIES {
        if model.body(role).is_none() {
            whole.roles.set_body(role, BodyId(0));
            lacked.push(role);
        }
    }
    for (role, _) in roles::POINTS {
        if model.site(role).is_none() {
            roles::set_point(&mut whole, role, BodyId(0), Vector3::zeros());
            lacked.push(role);
        }
    }
    (whole, lacked)
}

/// The error about all missing roles, at the first place that needs one of them.
fn missing(errors: &FileErrors, model: &Model, controller: &ControllerFile, asked: &[&str]) -> FileError {
    let who = if model.name.is_empty() { "this body".into() } else { format!("`{}`", model.name) };
    let roles: Vec<String> = asked.iter().map(|role| format!("`{role}`")).collect();
    let message = format!("{who} has no {}, which this controller needs", roles.join(", "));
    let speaks_of_it = |error: &&FileError| asked.iter().any(|role| error.message.contains(role));
    let place = errors.iter().find(speaks_of_it).cloned();
    let error = place.unwrap_or_else(|| FileError::new(&controller.source, 0..0, ""));
    FileError { message, label: "needed here first".into(), ..error }.help(
        "say what they are under `[roles]` and `[role_points]` of the file beside the body, or `roles` and \
         `role_points` of the character in the scene; `aplomb roles` shows what was found",
    )
}
