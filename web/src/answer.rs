//! Execution of requests.

use crate::controller;
use crate::finding::{self, PageFinding};
use crate::hand;
use crate::mind;
use crate::request::{self, Request};
use crate::scene;
use crate::session::PageSession;
use aplomb::analysis::check;
use aplomb::controller::CommandValue;
use aplomb::language::diagnostic::Source;
use aplomb::language::files::{Folder, find_shipped};
use aplomb::world::WorldError;
use nalgebra::Vector3;
use serde_json::{Value, json};

/// Carries out a request on the session.
///
/// # Errors
/// Findings on the request; the world is then unchanged.
pub fn answer(session: &mut Option<PageSession>, request: Request) -> Result<Value, Vec<PageFinding>> {
    match (request, session) {
        (Request::Scenes, _) => Ok(json!(scene::shipped())),
        (Request::Text(request::ControllerName { name }), _) => {
            match find_shipped(Folder::Controllers, &name) {
                Ok(found) => Ok(json!(&*found.source.text)),
                Err(missing) => Err(finding::of_missing(&missing)),
            }
        }
        (Request::Open(request), session) => {
            let opened = session.insert(PageSession::open(&request)?);
            Ok(json!(scene::SceneDescription::of(opened)))
        }
        (_, None) => Err(finding::no_scene()),
        (request, Some(session)) => of_session(session, request),
    }
}

fn of_session(session: &mut PageSession, request: Request) -> Result<Value, Vec<PageFinding>> {
    match request {
        Request::Scenes | Request::Text(_) | Request::Open(_) => Err(finding::plain("answered before")),
        Request::Check(request::ControllerSource { text }) => Ok(json!(check(session, &text))),
        Request::Replace(request::ControllerSource { text }) => {
            session.replace(&text)?;
            Ok(json!(controller::ControllerDescription::of(session)))
        }
        Request::Controller => Ok(json!(controller::ControllerDescription::of(session))),
        Request::Objects => Ok(json!(session.run.world.passive_records(session.run.hero()))),
        Request::Mind => Ok(json!(mind::PageMind::of(session))),
        Request::Forces => forces(session),
        Request::Future(future) => session.falls(&future).map(|falls| json!(falls)),
        Request::Keep => Ok(json!(session.keep())),
        Request::Restore(number) => session.restore(number).map(|()| Value::Null),
        Request::Forget(number) => {
            session.forget(number);
            Ok(Value::Null)
        }
        acting => act(session, acting).map_err(|error| finding::of_world(&error)),
    }
}

/// Provenance of the first character's contact forces in the next frame, body by body.
fn forces(session: &mut PageSession) -> Result<Value, Vec<PageFinding>> {
    let Some(hero) = session.run.hero() else { return Ok(json!([])) };
    let world = &mut session.run.world;
    let provenance = world.forces_ahead(hero).map_err(|error| finding::plain(error.to_string()))?;
    Ok(json!(provenance.map_or_else(Vec::new, |provenance| provenance.by_body(&world.character(hero).model))))
}

/// Carries out a request that changes the world.
fn act(session: &mut PageSession, request: Request) -> Result<Value, WorldError> {
    let PageSession { run, hand, thrown, .. } = session;
    let hero = run.hero().ok_or(WorldError::BadValue("this scene has no character"));
    let world = &mut run.world;
    match request {
        Request::Set(request::SetParameter { name, value }) => world.set_parameter(hero?, &name, value)?,
        Request::Command(request::CommandRequest { name, value }) => {
            let value = match value[..] {
                [number] => CommandValue::Number(number),
                [x, y, z] => CommandValue::Vector([x, y, z]),
                _ => return Err(WorldError::BadValue("a command is one number, or three")),
            };
            world.command(hero?, &name, value)?;
        }
        Request::Push(request::PushRequest { target, force, duration }) => {
            hand::push(world, target, Vector3::zeros(), force.into(), duration)?;
        }
        Request::Pull(pull) => {
            hand::find(world, pull.target)?;
            hand.pull = Some(pull);
        }
        Request::Press(press) => {
            hand::find(world, press.target)?;
            hand.press = Some(press).filter(|press| press.force != [0.0; 3]);
        }
        Request::Throw(request::ThrowRequest { mass, radius, position, velocity }) => {
            let (position, velocity) = (position.into(), velocity.into());
            let throw = aplomb::world::Throw { mass, radius, position, velocity };
            world.throw(&format!("thrown ball {}", *thrown + 1), &throw)?;
            *thrown += 1;
        }
        _ => hand.pull = None,
    }
    Ok(Value::Null)
}

/// The findings of `aplomb check` on the text of a controller, for the body of the scene.
fn check(session: &PageSession, text: &str) -> Vec<PageFinding> {
    let Some(hero) = session.files.characters.first() else { return Vec::new() };
    let source = Source::new(&hero.controller.source.name, text);
    finding::of_check(&check::controller(&source, &hero.model_source, &[]))
}
