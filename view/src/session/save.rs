//! Actions as events of a scene file.

use super::action::HERO;
use super::{PushTarget, Session, SessionAction};
use aplomb::controller::CommandValue;
use aplomb::scene::SceneFiles;
use aplomb::world::{CharacterId, Throw};
use std::fmt::Write;

/// Why the actions cannot be written as a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SaveError {
    /// The history no longer reaches back to the beginning.
    #[error("what was done at the beginning is no longer kept")]
    Forgotten,
    /// The scene or the body was changed while it ran.
    #[error(
        "not saved: the scene or a body was changed while it ran, which no scene can say. Backspace begins anew with \
         the changed files; what is done from there is saved"
    )]
    Reloaded,
    /// A program added characters.
    #[error("characters that a program added to the scene are in none of its files")]
    Company,
    /// Overrides changed the files' values.
    #[error("values that were set on the command line are not written: put them into the scene's file")]
    Overrides,
}

/// Prefix of the names of events.
const PREFIX: &str = "window";

/// The text of a scene, and the files that it needs in its folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedScene {
    /// The scene.
    pub text: String,
    /// Names and texts of controllers.
    pub beside: Vec<(String, String)>,
}

impl SavedScene {
    /// Name of the file with a controller's text; equal texts share one file.
    fn add(&mut self, stem: &str, text: &str) -> String {
        if let Some((name, _)) = self.beside.iter().find(|(_, known)| known == text) {
            return name.clone();
        }
        let name = format!("{stem}_controller_{}.toml", self.beside.len() + 1);
        self.beside.push((name.clone(), text.to_owned()));
        name
    }
}

impl Session {
    /// The scene with all actions of the branch shown as events. It reproduces this session's motion bit for bit.
    /// Controllers that are not among the scene's files become files in its folder, whose names begin with `stem`.
    ///
    /// # Errors
    /// Actions that a scene cannot express.
    pub fn saved_scene(&self, stem: &str) -> Result<SavedScene, SaveError> {
        let files = &self.eras[0].files;
        if self.earliest() > 0 {
            return Err(SaveError::Forgotten);
        }
        if self.eras.len() > 1 {
            return Err(SaveError::Reloaded);
        }
        if self.company.is_some() {
            return Err(SaveError::Company);
        }
        if !files.overrides.is_empty() {
            return Err(SaveError::Overrides);
        }
        let mut saved = SavedScene { text: String::new(), beside: Vec::new() };
        let text = self.text_long_enough(stem, &mut saved);
        saved.text = text;
        let taken = |prefix: &str| files.scene.events.keys().any(|name| name.get_ref().starts_with(prefix));
        let mut prefix = PREFIX.to_owned();
        while taken(&prefix) {
            prefix.push('_');
        }
        let done = self.actions().filter(|(index, _)| *index < self.end());
        let each = done.flat_map(|(index, actions)| actions.iter().map(move |action| (index, action)));
        for (number, (index, action)) in each.enumerate() {
            let name = match action {
                SessionAction::Throw { name, .. } => name.clone(),
                _ => format!("{prefix}_{number:04}"),
            };
            let event = self.event(index, action, stem, &mut saved);
            // Writing to a string cannot fail.
            let _ = write!(saved.text, "\n[events.{name}]\n{event}");
        }
        Ok(saved)
    }

    /// The scene's text, with a `duration` that covers the computed frames.
    fn text_long_enough(&self, stem: &str, saved: &mut SavedScene) -> String {
        let files = &self.eras[0].files;
        let mut text = files.scene_source.text.to_string();
        let mut changes = Vec::new();
        let duration = &files.scene.duration;
        let played = self.end() as f64 * self.dt();
        if played > *duration.get_ref() {
            changes.push((duration.span(), plain(played)));
        }
        let text_of = |files: &SceneFiles| Some(files.characters.first()?.controller.source.text.clone());
        if let (Some(spec), Some(controller)) = (files.scene.characters.values().next(), text_of(files))
            && text_of(&self.newest).as_ref() != Some(&controller)
        {
            let name = saved.add(stem, &controller);
            changes.push((spec.controller.span(), format!("{name:?}")));
        }
        changes.sort_by_key(|(span, _)| std::cmp::Reverse(span.start));
        changes.into_iter().for_each(|(span, new)| text.replace_range(span, &new));
        if !text.ends_with('\n') {
            text.push('\n');
        }
        text
    }

    /// The key of an event's character, if the scene has several.
    fn whom(&self, character: usize) -> String {
        let characters = &self.eras[0].files.scene.characters;
        let name = characters.get_index(character).filter(|_| characters.len() > 1);
        name.map_or_else(String::new, |(name, _)| format!("character = {:?}\n", name.get_ref()))
    }

    /// The keys of an event.
    fn event(&self, index: u64, action: &SessionAction, stem: &str, saved: &mut SavedScene) -> String {
        let at = plain(index as f64 * self.dt());
        let of = |character: usize| self.whom(character);
        match action {
            SessionAction::Push { target, point, force, duration } => {
                let duration = plain((duration / self.dt()).round().max(1.0) * self.dt());
                let whom = match target {
                    PushTarget::Body { character, body } => {
                        let model = &self.eras[0].run.world.character(CharacterId(*character)).model;
                        format!("{}body = {:?}", of(*character), model.bodies[body.0].name)
                    }
                    PushTarget::Part { object, part } => {
                        let object = &self.header().passive[*object];
                        format!("passive = {:?}\npart = {:?}", object.name, object.parts[*part])
                    }
                };
                let (point, force) = (point.as_slice(), force.as_slice());
                format!("at = {at}\nduration = {duration}\n{whom}\npoint = {point:?}\nforce = {force:?}\n")
            }
            SessionAction::EnableObjective { name, enabled } => {
                let kind = if *enabled { "enable" } else { "disable" };
                format!("kind = {kind:?}\nat = {at}\n{}objective = {name:?}\n", of(HERO.0))
            }
            SessionAction::Command { name, value } => {
                let to = match value {
                    CommandValue::Number(number) => format!("{number:?}"),
                    CommandValue::Vector(vector) => format!("{vector:?}"),
                };
                format!("kind = \"command\"\nat = {at}\n{}command = {name:?}\nto = {to}\n", of(HERO.0))
            }
            SessionAction::SetValue { path, value } => {
                format!("kind = \"set\"\nat = {at}\n{}path = {path:?}\nvalue = {value}\n", of(HERO.0))
            }
            SessionAction::ReplaceController { controller } => {
                let name = saved.add(stem, &controller.source.text);
                format!("kind = \"replace\"\nat = {at}\n{}controller = {name:?}\n", of(HERO.0))
            }
            SessionAction::Throw { throw: Throw { mass, radius, position, velocity }, .. } => {
                let (position, velocity) = (position.as_slice(), velocity.as_slice());
                format!(
                    "kind = \"throw\"\nat = {at}\nmass = {mass:?}\nradius = {radius:?}\n\
                     position = {position:?}\nvelocity = {velocity:?}\n"
                )
            }
        }
    }
}

/// A time without rounding noise of the sum, s: 0.3, not 0.30000000000000004. It falls into the same frame.
fn plain(time: f64) -> String {
    format!("{:?}", (time * 1e9).round() / 1e9)
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use aplomb::model::BodyId;
    use aplomb::scene;
    use nalgebra::Vector3;

    /// Runs the saved scene and compares all motion and forces bit for bit.
    pub fn assert_saved_moves_the_same(session: &mut Session) {
        let folder = tempfile::tempdir().unwrap();
        let saved = session.saved_scene("saved").unwrap();
        for (name, text) in saved.beside {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        let path = folder.path().join("saved.toml");
        std::fs::write(&path, saved.text).unwrap();
        let files = scene::load(path.to_str().unwrap(), &[]).unwrap();
        let mut run = scene::Run::bind(&files).unwrap();
        for at in 1..=session.end() {
            session.go_to(at).unwrap();
            let (ours, saved) = (session.shown(), run.step().unwrap().unwrap().frame());
            assert_eq!(format!("{:?}", ours.q), format!("{:?}", saved.q), "frame {}", at - 1);
            assert_eq!(format!("{:?}", ours.torque), format!("{:?}", saved.torque), "frame {}", at - 1);
            assert_eq!(format!("{:?}", ours.contacts), format!("{:?}", saved.contacts), "frame {}", at - 1);
            assert_eq!(format!("{:?}", ours.passive), format!("{:?}", saved.passive), "frame {}", at - 1);
            let (ours, saved) = (&ours.costs, &saved.costs);
            let shorter = ours.len().min(saved.len());
            assert_eq!(
                format!("{:?}", &ours[..shorter]),
                format!("{:?}", &saved[..shorter]),
                "frame {}",
                at - 1
            );
        }
    }

    fn go_on(session: &mut Session, frames: u64) {
        for _ in 0..frames {
            session.advance().unwrap();
        }
    }

    fn pull(session: &mut Session, target: PushTarget, anchor: Vector3<f64>, frames: u64) {
        let local = Vector3::new(0.01, 0.02, 0.03);
        session.set_pull(Some(crate::session::Pull {
            target,
            local,
            anchor,
            stiffness: 250.0,
            damping: 15.0,
        }));
        go_on(session, frames);
        session.set_pull(None);
    }

    #[test]
    fn a_saved_scene_moves_to_the_bit_as_the_session_did() {
        let mut session = Session::load("stand", &[]).unwrap();
        go_on(&mut session, 20);
        let hand = session.header().bodies.iter().position(|name| name == "left_hand").unwrap();
        let target = PushTarget::Body { character: 0, body: BodyId(hand) };
        pull(&mut session, target, Vector3::new(0.4, 0.5, 1.3), 25);
        session.act(SessionAction::EnableObjective { name: "rest pose".into(), enabled: false }).unwrap();
        let force = Vector3::new(30.1, -7.3, 0.7);
        session.act(SessionAction::Push { target, point: Vector3::zeros(), force, duration: 0.07 }).unwrap();
        go_on(&mut session, 40);
        assert_saved_moves_the_same(&mut session);
    }

    #[test]
    fn pulls_on_passive_objects_are_saved_too() {
        let mut session = Session::load("throw_ball", &[]).unwrap();
        let target = PushTarget::Part { object: 0, part: 0 };
        pull(&mut session, target, Vector3::new(2.0, 1.0, 2.0), 30);
        assert_saved_moves_the_same(&mut session);
    }

    #[test]
    fn sliders_weights_and_throws_are_saved_too() {
        let mut session = Session::load("stand", &[]).unwrap();
        go_on(&mut session, 10);
        let weigh = |value: &str| SessionAction::SetValue {
            path: session.moment().mind.goals[0].path.clone() + ".weight",
            value: value.into(),
        };
        let (first, second) = (weigh("0.25"), weigh("\"0.1 + 0.1\""));
        session.act(first).unwrap();
        go_on(&mut session, 10);
        let (name, throw) = (session.name_for_throw(), crate::session::tests::throw());
        session.act(SessionAction::Throw { name, throw }).unwrap();
        session.act(second).unwrap();
        go_on(&mut session, 60);
        assert!(!session.shown().passive.is_empty());
        let (name, throw) = (session.name_for_throw(), crate::session::tests::throw());
        session.act(SessionAction::Throw { name, throw }).unwrap();
        go_on(&mut session, 40);
        assert_eq!(session.shown().passive.len(), 2);
        assert_saved_moves_the_same(&mut session);
    }

    #[test]
    fn what_a_scene_cannot_say_is_told() {
        let session = Session::load("stand", &["ground.friction=0.5".into()]).unwrap();
        assert_eq!(session.saved_scene("saved"), Err(SaveError::Overrides));
    }
}
