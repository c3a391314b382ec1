//! Reload of files that change while their scene runs.

use super::document::{self, WriteError};
use super::era::Era;
use super::{Session, SessionAction, SessionError, moment, open, standing};
use aplomb::cli::Failure;
use aplomb::scene::SceneFiles;
use aplomb::world::character::CharacterError;
use aplomb::world::{LeftBehind, WorldError};
use std::path::PathBuf;
use std::sync::Arc;

/// Result of a reload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reloaded {
    /// Nothing changed.
    Same,
    /// A changed controller replaced the previous one.
    Controller,
    /// A new world of a changed scene or body replaced the previous one, without these parts.
    World(Vec<LeftBehind>),
}

/// A change of a file to be confirmed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WriteBack {
    /// Path of the file.
    pub path: PathBuf,
    /// Current text.
    pub before: String,
    /// Text with the change.
    pub after: String,
}

impl Session {
    /// Paths of the session's files on disk.
    pub fn paths(&self) -> &[PathBuf] {
        &self.newest.paths
    }

    /// Reloads the files. Changes act from the frame after the one shown on, in a new branch. The state is
    /// kept, and so are values set by hand, except those that the files now set to another value.
    ///
    /// # Errors
    /// Mistakes in the files; the session is then unchanged.
    pub fn reload(&mut self) -> Result<Reloaded, Failure> {
        let Some((reference, overrides)) = &self.reference else { return Ok(Reloaded::Same) };
        let files = open::files(reference, overrides)?;
        let now = &self.era_at(self.at).files;
        let controller = self.controller().map(|(file, values)| (file.source.text.clone(), values));
        let new = files.characters.first().map(|character| character.controller.clone());
        let same_controller =
            controller.as_ref().map(|(text, _)| text) == new.as_ref().map(|new| &new.source.text);
        let reloaded = if !is_alike(now, &files) {
            if files.scene.dt.get_ref() != now.scene.dt.get_ref() {
                let message = "the time step `dt` was changed: begin anew (Backspace) to have it".to_owned();
                self.newest = files;
                return Err(Failure::Usage { message, help: None });
            }
            self.replace_world(files.clone())?
        } else if let (false, Some(new)) = (same_controller, new.clone()) {
            self.act(SessionAction::ReplaceController { controller: Arc::new(new) }).map_err(failure)?;
            Reloaded::Controller
        } else {
            self.newest = files;
            return Ok(Reloaded::Same);
        };
        let switched = self.switched();
        self.newest = files;
        if let (Some((old, values)), Some(new)) = (controller, new) {
            for (path, value) in values {
                if document::value_at(&old, &path) == document::value_at(&new.source.text, &path) {
                    // A value without a place in the new file is dropped.
                    let _ = self.act(SessionAction::SetValue { path, value });
                }
            }
        }
        if matches!(reloaded, Reloaded::World(_)) {
            for (name, enabled) in switched {
                let _ = self.act(SessionAction::EnableObjective { name, enabled });
            }
        }
        Ok(reloaded)
    }

    /// Replaces the world.
    fn replace_world(&mut self, files: SceneFiles) -> Result<Reloaded, Failure> {
        self.stand_at(self.at).map_err(failure)?;
        if self.at == self.end() {
            self.tell().map_err(failure)?;
        }
        let (mut era, left) = Era::after(files, self.company.as_ref(), &self.eras[self.era])?;
        self.branch_here();
        era.told = self.told;
        self.shown = standing(&mut era);
        era.start = moment::Saved::of(&era.run);
        self.eras.push(era);
        self.era += 1;
        Ok(Reloaded::World(left))
    }

    /// The controller's file with the values set by hand.
    ///
    /// # Errors
    /// A shipped controller, a file that cannot be read, and values without a place in it.
    pub fn write_back(&self) -> Result<WriteBack, String> {
        let (controller, values) = self.controller().ok_or("nobody acts here")?;
        if values.is_empty() {
            return Err("no value was set by hand".into());
        }
        let path = PathBuf::from(&*controller.source.name);
        if !self.newest.paths.contains(&path) {
            let name = &controller.source.name;
            return Err(format!("{name} ships with the program: copy it (`aplomb new --from`) to change it"));
        }
        let before = std::fs::read_to_string(&path)
            .map_err(|error| format!("cannot read {}: {error}", path.display()))?;
        let after = document::with_values(&before, &values).map_err(|error: WriteError| error.to_string())?;
        Ok(WriteBack { path, before, after })
    }
}

/// Whether two scenes differ at most in the controller that the window shows.
fn is_alike(one: &SceneFiles, other: &SceneFiles) -> bool {
    let texts = |files: &SceneFiles| -> Vec<Arc<str>> {
        let bodies = files.characters.iter().map(|character| character.model_source.text.clone());
        let others = files.characters.iter().skip(1).map(|other| other.controller.source.text.clone());
        let objects = files.passive_sources.iter().flatten().map(|source| source.text.clone());
        let successors = files.successors.iter().map(|controller| controller.source.text.clone());
        [files.scene_source.text.clone()]
            .into_iter()
            .chain(bodies)
            .chain(others)
            .chain(objects)
            .chain(successors)
            .collect()
    };
    texts(one) == texts(other)
}

fn failure(error: SessionError) -> Failure {
    match error {
        SessionError::Action(WorldError::Character(CharacterError::Controller(mistakes))) => {
            Failure::Mistakes(mistakes)
        }
        error => Failure::Usage { message: error.to_string(), help: None },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::save::tests::assert_saved_moves_the_same;
    use crate::session::tests::{bytes, run_to};
    use aplomb::controller::ControllerFile;
    use std::fs;
    use std::path::Path;
    use tempfile::TempDir;

    const SCENE: &str = "duration = 4.0\n[characters.adult]\nmodel = \"adult\"\ncontroller = \"own.toml\"\n";

    /// A scene with its own controller, in a new folder.
    fn opened() -> (TempDir, Session) {
        let folder = tempfile::tempdir().unwrap();
        let text = ControllerFile::shipped("balance").unwrap().source.text;
        fs::write(folder.path().join("own.toml"), &*text).unwrap();
        fs::write(folder.path().join("scene.toml"), SCENE).unwrap();
        let session = Session::load(folder.path().join("scene.toml").to_str().unwrap(), &[]).unwrap();
        (folder, session)
    }

    fn weight_of(session: &Session, goal: usize) -> String {
        session.moment().mind.goals[goal].path.clone() + ".weight"
    }

    /// Changes a value in the file, as an editor would.
    fn edit(folder: &Path, path: &str, value: &str) {
        let file = folder.join("own.toml");
        let text = fs::read_to_string(&file).unwrap();
        let values = [(path.to_owned(), value.to_owned())];
        fs::write(file, document::with_values(&text, &values).unwrap()).unwrap();
    }

    #[test]
    fn a_changed_controller_takes_over_where_the_old_one_stands_and_history_stays_exact() {
        let (folder, mut session) = opened();
        assert_eq!(session.paths().len(), 2);
        run_to(&mut session, 40);
        assert_eq!(session.reload().unwrap(), Reloaded::Same);
        let before = session.shown().clone();
        edit(folder.path(), &weight_of(&session, 0), "0.01");
        assert_eq!(session.reload().unwrap(), Reloaded::Controller);
        assert_eq!(bytes(session.shown()), bytes(&before));
        let changed = run_to(&mut session, 90);
        assert_eq!(session.moment().mind.goals[0].weight, Some(0.01));
        assert!(changed[49].state_time > 0.85, "the state goes on");
        session.history.forget_frames();
        session.go_to(20).unwrap();
        assert_ne!(session.moment().mind.goals[0].weight, Some(0.01));
        session.go_to(90).unwrap();
        assert_eq!(bytes(session.shown()), bytes(&changed[49]));
        assert_saved_moves_the_same(&mut session);
        session.reset().unwrap();
        session.advance().unwrap();
        assert_eq!(session.moment().mind.goals[0].weight, Some(0.01), "it begins anew as the file says now");
    }

    #[test]
    fn a_file_with_mistakes_keeps_the_old_one_running_and_says_where() {
        let (folder, mut session) = opened();
        run_to(&mut session, 10);
        let file = folder.path().join("own.toml");
        let good = fs::read_to_string(&file).unwrap();
        for bad in ["start = ", "start = \"nowhere\"\n", &good.replace("com_height", "com_hight")] {
            fs::write(&file, bad).unwrap();
            let said = aplomb::cli::rendered(&session.reload().unwrap_err());
            assert!(said.contains("own.toml:"), "{said}");
            session.advance().unwrap();
        }
        fs::write(&file, good).unwrap();
        assert_eq!(session.reload().unwrap(), Reloaded::Same);
        let straight = run_to(&mut Session::load("stand", &[]).unwrap(), 13);
        assert_eq!(session.shown().q, straight[12].q);
    }

    #[test]
    fn a_changed_scene_goes_on_where_the_old_one_stands() {
        let (folder, mut session) = opened();
        let straight = run_to(&mut session, 60);
        session.go_to(40).unwrap();
        let scene = folder.path().join("scene.toml");
        let heavier = format!("gravity = [0.0, 0.0, -12.0]\n{SCENE}");
        fs::write(&scene, &heavier).unwrap();
        assert_eq!(session.reload().unwrap(), Reloaded::World(Vec::new()));
        assert_eq!(session.end(), 40, "here another branch begins");
        let changed = run_to(&mut session, 90);
        assert_eq!(changed[0].q, straight[40].q, "it goes on where it stood");
        assert_eq!(changed[0].state, straight[39].state);
        assert_ne!(changed[5].q, straight[45].q);
        assert_eq!(session.header().gravity[2], -12.0);
        session.history.forget_frames();
        session.go_to(30).unwrap();
        assert_eq!(session.header().gravity[2], -9.81);
        assert_eq!(bytes(session.shown()), bytes(&straight[29]));
        for at in [90, 41, 70] {
            session.go_to(at).unwrap();
            assert_eq!(bytes(session.shown()), bytes(&changed[at as usize - 41]), "{at}");
        }
        assert!(session.saved_scene("saved").is_err());
        fs::write(&scene, heavier.replace("duration", "dt = 0.005\nduration")).unwrap();
        assert!(session.reload().is_err(), "the time step cannot change");
        session.reset().unwrap();
        assert_eq!((session.dt(), session.header().gravity[2]), (0.005, -12.0));
    }

    #[test]
    fn values_set_by_hand_stay_until_the_file_gives_them_another_and_are_written_back() {
        let (folder, mut session) = opened();
        run_to(&mut session, 5);
        let (first, second) = (weight_of(&session, 0), weight_of(&session, 1));
        for path in [&first, &second] {
            session.act(SessionAction::SetValue { path: path.clone(), value: "0.125".into() }).unwrap();
        }
        edit(folder.path(), &first, "0.5");
        session.reload().unwrap();
        assert_eq!(session.controller().unwrap().1, [(second.clone(), "0.125".to_owned())]);
        let offer = session.write_back().unwrap();
        let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
        let (before, after) = (lines(&offer.before), lines(&offer.after));
        assert_eq!(before.len(), after.len());
        assert_eq!(before.iter().zip(&after).filter(|(before, after)| before != after).count(), 1);
        fs::write(&offer.path, &offer.after).unwrap();
        session.reload().unwrap();
        assert!(session.controller().unwrap().1.is_empty(), "the file says them now");
        run_to(&mut session, 7);
        assert_eq!(session.moment().mind.goals[1].weight, Some(0.125));
    }
}
