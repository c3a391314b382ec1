//! A scene that is played: it goes on, is acted on, goes back to any frame that was, and branches from there.
//!
//! History is kept as checkpoints, half a second apart, and as the actions between them. A checkpoint is exact, and a
//! frame depends on nothing but the state before it and the actions in it, so that playing again what was done gives
//! the same bytes.

mod action;
mod history;
mod open;
mod pull;
mod save;
#[cfg(test)]
mod tests;

pub use action::{Action, Target};
pub use pull::{Pull, Pulling};
pub use save::SaveError;

use aplomb::cli::Failure;
use aplomb::language::diagnostic::FileErrors;
use aplomb::scene::{self, Run, SceneFiles};
use aplomb::trace::{Frame, Header};
use aplomb::world::{CharacterId, StepError, World, WorldError};
use history::History;
use std::sync::Arc;

/// Why a session cannot do what it is told; it stands where it stood.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// The world does not take the action.
    #[error(transparent)]
    Action(#[from] WorldError),
    /// A number of the controller that no frame can be computed with.
    #[error(transparent)]
    Step(#[from] StepError),
}

/// A scene, the history of what happened in it, and the frame that is shown.
pub struct Session {
    world: World,
    files: SceneFiles,
    header: Arc<Header>,
    history: History,
    /// Frames before the one that is to come next, as shown: the frame that is shown is the one before it.
    at: u64,
    shown: Arc<Frame>,
    /// Of the actions of the world's next frame, those that it was already told.
    told: usize,
    pull: Option<Pull>,
    /// The force of the pull in the last frame that was computed.
    pulling: Option<Pulling>,
}

impl Session {
    /// A scene by path or shipped name, with `PATH=VALUE` overrides; or a controller, or a body, in a scene of its own.
    ///
    /// # Errors
    /// What is wrong with its files.
    pub fn load(reference: &str, overrides: &[String]) -> Result<Self, Failure> {
        Ok(Self::new(open::files(reference, overrides)?)?)
    }

    /// A scene whose files are read.
    ///
    /// # Errors
    /// What is wrong with the files.
    pub fn new(files: SceneFiles) -> Result<Self, FileErrors> {
        let run = Run::bind(&files)?;
        let header = Arc::new(scene::header(&files, &run));
        let mut world = run.world;
        let hero = world.characters().next();
        let shown = Arc::new(world.standing_frame(hero));
        let history = History::new(world.checkpoint(), world.settings().dt);
        Ok(Session { world, files, header, history, at: 0, shown, told: 0, pull: None, pulling: None })
    }

    /// What does not change from frame to frame.
    pub fn header(&self) -> &Arc<Header> {
        &self.header
    }

    /// The files of the scene.
    pub fn files(&self) -> &SceneFiles {
        &self.files
    }

    /// Length of a step, s.
    pub fn dt(&self) -> f64 {
        self.world.settings().dt
    }

    /// The frame that is shown. Before anything was computed: how everything stands, without forces.
    pub fn shown(&self) -> &Arc<Frame> {
        &self.shown
    }

    /// Frames up to and with the one that is shown.
    pub fn at(&self) -> u64 {
        self.at
    }

    /// Frames that were computed along this branch.
    pub fn end(&self) -> u64 {
        self.history.end()
    }

    /// The earliest place to go back to.
    pub fn earliest(&self) -> u64 {
        self.history.earliest()
    }

    /// The frame of the same number in the branch that was forgotten last, as far as it is kept.
    pub fn ghost(&self) -> Option<Arc<Frame>> {
        self.history.ghost(self.at.checked_sub(1)?)
    }

    /// The scene's character.
    pub fn hero(&self) -> Option<CharacterId> {
        self.world.characters().next()
    }

    /// Parameters of the controller and their values after the frame that is shown.
    pub fn parameters(&self) -> Vec<(String, f64)> {
        let Some(hero) = self.hero() else { return Vec::new() };
        let stands_here = self.world.frame_index() == self.at;
        let own = self.files.actor.as_ref().map(|actor| &actor.controller);
        let now = &self.world.character(hero).controller;
        let spec = &own.filter(|_| !stands_here).unwrap_or(now).spec;
        let values = spec.parameters.iter().map(|(name, value)| (name.get_ref().clone(), *value.get_ref()));
        let mut parameters: Vec<(String, f64)> = values.collect();
        let told =
            self.history.actions().filter(|(index, _)| *index <= self.at).flat_map(|(_, actions)| actions);
        for action in told {
            if let Action::SetParameter { name, value } = action
                && let Some((_, known)) = parameters.iter_mut().find(|(known, _)| known == name)
            {
                *known = *value;
            }
        }
        parameters
    }

    /// Weights of objectives that were set by hand, after the frame that is shown.
    pub fn weights(&self) -> Vec<(String, f64)> {
        let mut weights: Vec<(String, f64)> = Vec::new();
        let told =
            self.history.actions().filter(|(index, _)| *index <= self.at).flat_map(|(_, actions)| actions);
        for action in told {
            if let Action::SetWeight { name, value } = action {
                weights.retain(|(known, _)| known != name);
                weights.push((name.clone(), *value));
            }
        }
        weights
    }

    /// What acts in frames to come: actions by the number of their frame.
    pub fn actions(&self) -> impl Iterator<Item = (u64, &[Action])> {
        self.history.actions()
    }

    /// Has a spring pull from now on, or nothing.
    pub fn set_pull(&mut self, pull: Option<Pull>) {
        self.pull = pull;
        if self.pull.is_none() {
            self.pulling = None;
        }
    }

    /// The spring that pulls, and how, in the last frame that was computed.
    pub fn pulling(&self) -> Option<Pulling> {
        self.pulling
    }

    /// Acts from the frame on that comes after the one shown. What was computed after it is forgotten: here another
    /// branch begins.
    ///
    /// # Errors
    /// An action that the world does not take, or frames on the way there that can no longer be computed.
    pub fn act(&mut self, action: Action) -> Result<(), SessionError> {
        self.stand_at(self.at)?;
        if self.at == self.end() {
            self.tell()?;
        }
        action.apply(&mut self.world)?;
        self.history.branch(self.at, self.told);
        self.history.note(self.at, action);
        self.told += 1;
        Ok(())
    }

    /// Goes on by one frame: to the next one that is known, or else to a new one. Returns whether it is new.
    ///
    /// # Errors
    /// A number of the controller that no frame can be computed with.
    pub fn advance(&mut self) -> Result<bool, SessionError> {
        if self.pull.is_none() && self.at < self.end() {
            self.go_to(self.at + 1)?;
            return Ok(false);
        }
        self.stand_at(self.at)?;
        if let Some(pull) = &self.pull {
            let pulling = pull.force(&mut self.world);
            self.act(pulling.action(self.dt()))?;
            self.pulling = Some(pulling);
        }
        self.shown = self.compute()?;
        self.at += 1;
        Ok(true)
    }

    /// Shows the frame before the place `at`, within what is kept.
    ///
    /// # Errors
    /// Frames on the way there that can no longer be computed.
    pub fn go_to(&mut self, at: u64) -> Result<(), SessionError> {
        let at = at.clamp(self.earliest(), self.end());
        self.shown = self.frame_before(at)?;
        self.at = at;
        Ok(())
    }

    /// Forgets what was computed after the frame that is shown, and what was done there.
    ///
    /// # Errors
    /// Frames on the way there that can no longer be computed.
    pub fn branch(&mut self) -> Result<(), SessionError> {
        self.stand_at(self.at)?;
        self.history.branch(self.at, self.told);
        Ok(())
    }

    /// Begins anew, with nothing done yet.
    ///
    /// # Errors
    /// A beginning that is not of this world, which cannot be.
    pub fn reset(&mut self) -> Result<(), SessionError> {
        self.world.restore(self.history.start())?;
        self.history = self.history.begun_anew(self.dt());
        (self.at, self.told, self.pull, self.pulling) = (0, 0, None, None);
        let hero = self.hero();
        self.shown = Arc::new(self.world.standing_frame(hero));
        Ok(())
    }

    /// The record of the frame before a place; of the beginning, how everything stands.
    fn frame_before(&mut self, at: u64) -> Result<Arc<Frame>, SessionError> {
        if let Some(frame) = at.checked_sub(1).and_then(|index| self.history.frame(index)) {
            return Ok(frame);
        }
        if at <= self.earliest() {
            self.restore_before(at)?;
            let hero = self.hero();
            return Ok(Arc::new(self.world.standing_frame(hero)));
        }
        // All frames from a checkpoint to the next: those around will be asked for as well.
        let from = self.history.checkpoint_before(at - 1).frame_index();
        let to = self.history.checkpoint_after(at - 1).unwrap_or(self.end()).max(at);
        self.restore_before(from)?;
        let mut frames = Vec::with_capacity((to - from) as usize);
        while self.world.frame_index() < to {
            frames.push(self.compute()?);
        }
        let frame = frames[(at - 1 - from) as usize].clone();
        self.history.keep_replayed(frames);
        Ok(frame)
    }

    /// Has the world stand at the beginning of a frame.
    fn stand_at(&mut self, index: u64) -> Result<(), SessionError> {
        if self.world.frame_index() == index {
            return Ok(());
        }
        self.restore_before(index)?;
        while self.world.frame_index() < index {
            self.compute()?;
        }
        Ok(())
    }

    fn restore_before(&mut self, index: u64) -> Result<(), SessionError> {
        self.world.restore(self.history.checkpoint_before(index))?;
        self.told = 0;
        Ok(())
    }

    /// Does what was done in the frame that the world stands before and was not done again yet.
    fn tell(&mut self) -> Result<(), SessionError> {
        for action in &self.history.at(self.world.frame_index())[self.told..] {
            action.apply(&mut self.world)?;
            self.told += 1;
        }
        Ok(())
    }

    /// Computes the frame that the world stands before, with what was done in it.
    fn compute(&mut self) -> Result<Arc<Frame>, SessionError> {
        let index = self.world.frame_index();
        self.tell()?;
        if let Err(error) = self.world.step() {
            // Passive objects have moved already.
            self.restore_before(index)?;
            return Err(error.into());
        }
        self.told = 0;
        let frame = Arc::new(self.world.result(self.hero()).frame.clone());
        self.history.add(&frame, || self.world.checkpoint());
        Ok(frame)
    }
}
