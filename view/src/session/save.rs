//! What was done, as events of a scene file.

use super::{Action, Session, Target};
use std::fmt::Write;

/// Why what was done cannot be written as a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SaveError {
    /// The beginning is no longer kept.
    #[error("what was done at the beginning is no longer kept")]
    Forgotten,
    /// Scenes have no event that sets a parameter or a weight.
    #[error(
        "a scene has no event that sets a parameter or a weight: put the value into the controller's file"
    )]
    Parameter,
    /// Values were laid over the files.
    #[error("values that were set on the command line are not written: put them into the scene's file")]
    Overrides,
}

/// What the names of the events begin with.
const PREFIX: &str = "window";

impl Session {
    /// The scene with everything that was done along the branch that is shown, as events. It moves as this session
    /// did, to the bit.
    ///
    /// # Errors
    /// What a scene cannot say.
    pub fn scene_text(&self) -> Result<String, SaveError> {
        if self.earliest() > 0 {
            return Err(SaveError::Forgotten);
        }
        if !self.files.overrides.is_empty() {
            return Err(SaveError::Overrides);
        }
        let mut text = self.text_long_enough();
        let taken =
            |prefix: &str| self.files.scene.events.keys().any(|name| name.get_ref().starts_with(prefix));
        let mut prefix = PREFIX.to_owned();
        while taken(&prefix) {
            prefix.push('_');
        }
        let done = self.actions().filter(|(index, _)| *index < self.end());
        let each = done.flat_map(|(index, actions)| actions.iter().map(move |action| (index, action)));
        for (number, (index, action)) in each.enumerate() {
            let event = self.event(index, action)?;
            // A text takes everything that is written to it.
            let _ = write!(text, "\n[events.{prefix}_{number:04}]\n{event}");
        }
        Ok(text)
    }

    /// The scene's text, with a `duration` that covers what was computed.
    fn text_long_enough(&self) -> String {
        let mut text = self.files.scene_source.text.to_string();
        let duration = &self.files.scene.duration;
        let played = self.end() as f64 * self.dt();
        if played > *duration.get_ref() {
            text.replace_range(duration.span(), &format!("{played:?}"));
        }
        if !text.ends_with('\n') {
            text.push('\n');
        }
        text
    }

    /// The keys of an event.
    fn event(&self, index: u64, action: &Action) -> Result<String, SaveError> {
        let at = index as f64 * self.dt();
        match action {
            Action::Push { target, point, force, duration } => {
                let duration = (duration / self.dt()).round().max(1.0) * self.dt();
                let whom = match target {
                    Target::Body { body, .. } => format!("body = {:?}", self.header.bodies[body.0]),
                    Target::Part { object, part } => {
                        let object = &self.header.passive[*object];
                        format!("passive = {:?}\npart = {:?}", object.name, object.parts[*part])
                    }
                };
                let (point, force) = (point.as_slice(), force.as_slice());
                Ok(format!(
                    "at = {at:?}\nduration = {duration:?}\n{whom}\npoint = {point:?}\nforce = {force:?}\n"
                ))
            }
            Action::EnableObjective { name, enabled } => {
                let kind = if *enabled { "enable" } else { "disable" };
                Ok(format!("kind = {kind:?}\nat = {at:?}\nobjective = {name:?}\n"))
            }
            Action::SetParameter { .. } | Action::SetWeight { .. } => Err(SaveError::Parameter),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use aplomb::language::diagnostic::Source;
    use aplomb::model::BodyId;
    use aplomb::scene;
    use nalgebra::Vector3;

    /// Runs the scene that a session says, and compares all that moves and acts, bit for bit.
    fn assert_saved_moves_the_same(session: &mut Session) {
        let text = session.scene_text().unwrap();
        let files = scene::load_text(&Source::new("scenes/saved.toml", text)).unwrap();
        let mut run = scene::Run::bind(&files).unwrap();
        for at in 1..=session.end() {
            session.go_to(at).unwrap();
            let (ours, saved) = (session.shown(), &run.step().unwrap().unwrap().frame);
            assert_eq!(format!("{:?}", ours.q), format!("{:?}", saved.q), "frame {}", at - 1);
            assert_eq!(format!("{:?}", ours.torque), format!("{:?}", saved.torque), "frame {}", at - 1);
            assert_eq!(format!("{:?}", ours.contacts), format!("{:?}", saved.contacts), "frame {}", at - 1);
            assert_eq!(format!("{:?}", ours.passive), format!("{:?}", saved.passive), "frame {}", at - 1);
        }
    }

    fn go_on(session: &mut Session, frames: u64) {
        for _ in 0..frames {
            session.advance().unwrap();
        }
    }

    fn pull(session: &mut Session, target: Target, anchor: Vector3<f64>, frames: u64) {
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
        let target = Target::Body { character: 0, body: BodyId(hand) };
        pull(&mut session, target, Vector3::new(0.4, 0.5, 1.3), 25);
        session.act(Action::EnableObjective { name: "rest pose".into(), enabled: false }).unwrap();
        let force = Vector3::new(30.1, -7.3, 0.7);
        session.act(Action::Push { target, point: Vector3::zeros(), force, duration: 0.07 }).unwrap();
        go_on(&mut session, 40);
        assert_saved_moves_the_same(&mut session);
    }

    #[test]
    fn pulls_on_passive_objects_are_saved_too() {
        let mut session = Session::load("throw_ball", &[]).unwrap();
        let target = Target::Part { object: 0, part: 0 };
        pull(&mut session, target, Vector3::new(2.0, 1.0, 2.0), 30);
        assert_saved_moves_the_same(&mut session);
    }

    #[test]
    fn what_a_scene_cannot_say_is_told() {
        let mut session = Session::load("step_push", &[]).unwrap();
        let (name, value) = session.parameters()[0].clone();
        session.act(Action::SetParameter { name, value }).unwrap();
        session.advance().unwrap();
        assert_eq!(session.scene_text(), Err(SaveError::Parameter));
        let session = Session::load("stand", &["ground.friction=0.5".into()]).unwrap();
        assert_eq!(session.scene_text(), Err(SaveError::Overrides));
    }
}
