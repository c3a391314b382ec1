//! References that a session can open: a scene, or a controller or body with a scene made for it.

use aplomb::analysis::check::{self, Kind};
use aplomb::cli::Failure;
use aplomb::language::diagnostic::Source;
use aplomb::scene::{self, SceneFiles};

/// Body for a controller without a scene, and controller for a body without one.
const BODY: &str = "adult";
const CONTROLLER: &str = "limp";

/// The files of a scene, or of a scene made for a controller (with the adult's body) or for a body (as a ragdoll).
///
/// # Errors
/// Mistakes in the files.
pub fn files(reference: &str, overrides: &[String]) -> Result<SceneFiles, Failure> {
    let (body, controller, located) = match check::find(reference) {
        Ok((Kind::Controller, located)) => (BODY, reference, located),
        Ok((Kind::Model, located)) => (reference, CONTROLLER, located),
        _ => return Ok(scene::load(reference, overrides)?),
    };
    if !overrides.is_empty() {
        let message = format!("`{reference}` is no scene: values are set with --set where a scene is shown");
        return Err(Failure::Usage { message, help: None });
    }
    let text = format!(
        "duration = 10.0   # s\n\n[characters.{BODY}]\nmodel = {body:?}\ncontroller = {controller:?}\n"
    );
    let name = format!("scenes/{}.toml", located.locator.stem());
    Ok(scene::load_text(&Source::new(&name, text))?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Session;

    #[test]
    fn controllers_and_bodies_get_a_scene() {
        let tried = files("balance", &[]).unwrap();
        assert_eq!(
            (&*tried.name, &*tried.characters[0].model_source.name),
            ("balance", "characters/adult.xml")
        );
        let mut session = Session::load("child", &[]).unwrap();
        session.advance().unwrap();
        assert_eq!(session.shown().state, "limp");
        assert!(files("balance", &["duration=1".into()]).is_err());
        assert!(files("no such thing", &[]).is_err());
    }
}
