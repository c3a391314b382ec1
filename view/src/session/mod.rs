//! A session: a scene that is computed, acted on, shown at any earlier frame, and branched from there.
//!
//! The history is checkpoints half a second apart and the actions between them. A checkpoint is exact, and a
//! frame depends only on the state before it and the actions in it, so that repeating them gives the same
//! bytes.

mod action;
mod company;
mod document;
mod era;
mod future;
mod history;
mod moment;
mod open;
mod pull;
mod reload;
mod save;
#[cfg(test)]
mod tests;

pub use action::{PushTarget, SessionAction};
pub use company::{AddedCharacter, Company};
pub use future::{Futures, SECONDS};
pub use moment::{CriterionVerdict, SessionMoment};
pub use pull::{Pull, Pulling};
pub use reload::{Reloaded, WriteBack};
pub use save::{SaveError, SavedScene};

use aplomb::cli::Failure;
use aplomb::controller::{CommandState, CommandValue, ControllerFile};
use aplomb::scene::SceneFiles;
use aplomb::trace::{Frame, Header};
use aplomb::world::{CharacterId, Mind, StepError, UnreadValue, World, WorldError};
use era::Era;
use history::History;
use std::sync::Arc;

/// Values set by hand: keys in a controller's file, and values in TOML.
pub type SetValues = Vec<(String, String)>;

/// Why a session cannot carry out a command; its state is unchanged.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// The world does not accept the action.
    #[error(transparent)]
    Action(#[from] WorldError),
    /// A value of the controller that cannot be used.
    #[error(transparent)]
    Step(#[from] StepError),
}

/// A scene, its history, and the frame shown.
pub struct Session {
    /// Reference and overrides it was opened with; `None` for files read by the caller.
    reference: Option<(String, Vec<String>)>,
    /// Other characters in its worlds.
    company: Option<Company>,
    /// Worlds in order of time, at least one.
    eras: Vec<Era>,
    /// Index of the era of the next computed frame.
    era: usize,
    /// The files as last read without mistakes.
    newest: SceneFiles,
    history: History,
    /// Number of frames up to the one shown, inclusive.
    at: u64,
    shown: SessionMoment,
    /// Number of actions of the world's next frame that the world has already received.
    told: usize,
    pull: Option<Pull>,
    /// Force of the pull in the last computed frame.
    pulling: Option<Pulling>,
}

impl Session {
    /// Opens a scene by path or shipped name, with `PATH=VALUE` overrides; or a controller, or a body, in a
    /// scene of its own.
    ///
    /// # Errors
    /// Mistakes in its files.
    pub fn load(reference: &str, overrides: &[String]) -> Result<Self, Failure> {
        let session = Self::new(open::files(reference, overrides)?, None)?;
        Ok(Session { reference: Some((reference.to_owned(), overrides.to_vec())), ..session })
    }

    /// A session of these files, with the characters that a program adds.
    ///
    /// # Errors
    /// Mistakes in the files, and characters that the world does not accept.
    pub fn new(files: SceneFiles, company: Option<Company>) -> Result<Self, Failure> {
        let mut era = Era::first(files.clone(), company.as_ref())?;
        let shown = standing(&mut era);
        let history = History::new(&era.start, era.run.world.settings().dt);
        Ok(Session {
            reference: None,
            company,
            eras: vec![era],
            era: 0,
            newest: files,
            history,
            at: 0,
            shown,
            told: 0,
            pull: None,
            pulling: None,
        })
    }

    /// The trace header at the frame shown.
    pub fn header(&self) -> &Arc<Header> {
        &self.shown.header
    }

    /// The files of the scene at the frame shown.
    pub fn files(&self) -> &SceneFiles {
        &self.era_before(self.at).files
    }

    /// The era of the frame before a position.
    fn era_before(&self, at: u64) -> &Era {
        let index = at.saturating_sub(1);
        let later = self.eras.iter().rposition(|era| era.from <= index);
        &self.eras[later.unwrap_or(0)]
    }

    fn world(&self) -> &World {
        &self.eras[self.era].run.world
    }

    fn world_mut(&mut self) -> &mut World {
        &mut self.eras[self.era].run.world
    }

    /// Length of a frame, s.
    pub fn dt(&self) -> f64 {
        self.world().settings().dt
    }

    /// The frame shown. Before the first: the initial state, without forces.
    pub fn shown(&self) -> &Arc<Frame> {
        &self.shown.frame
    }

    /// The frame shown, with the state of the controller and criteria.
    pub fn moment(&self) -> &SessionMoment {
        &self.shown
    }

    /// Number of frames up to the one shown, inclusive.
    pub fn at(&self) -> u64 {
        self.at
    }

    /// Number of frames computed along this branch.
    pub fn end(&self) -> u64 {
        self.history.end()
    }

    /// The earliest position that can be shown.
    pub fn earliest(&self) -> u64 {
        self.history.earliest()
    }

    /// The frame with the same number in the branch that was dropped last, if it is kept.
    pub fn ghost(&self) -> Option<Arc<Frame>> {
        self.history.ghost(self.at.checked_sub(1)?).map(|moment| moment.frame)
    }

    /// The scene's character.
    pub fn hero(&self) -> Option<CharacterId> {
        self.world().characters().next()
    }

    /// The controller file in force after the frame shown, and the values set in it by hand since: keys and TOML, the
    /// latest last.
    pub fn controller(&self) -> Option<(Arc<ControllerFile>, SetValues)> {
        let mut file = self.era_at(self.at).controller.clone()?;
        let mut values = SetValues::new();
        for (_, action) in self.done_before(self.at) {
            match action {
                SessionAction::SetValue { path, value } => {
                    values.retain(|(known, _)| known != path);
                    values.push((path.clone(), value.clone()));
                }
                SessionAction::ReplaceController { controller } => {
                    file = controller.clone();
                    values.clear();
                }
                SessionAction::Push { .. }
                | SessionAction::Throw { .. }
                | SessionAction::EnableObjective { .. }
                | SessionAction::Command { .. } => {}
            }
        }
        Some((file, values))
    }

    /// The era of the frame after a position.
    fn era_at(&self, at: u64) -> &Era {
        &self.eras[self.eras.iter().rposition(|era| era.from <= at).unwrap_or(0)]
    }

    /// Actions of the current era up to and including the frame after a position.
    fn done_before(&self, at: u64) -> impl Iterator<Item = (u64, &SessionAction)> {
        let from = self.era_at(at).from;
        let here = self.history.actions().filter(move |(index, _)| (from..=at).contains(index));
        here.flat_map(|(index, actions)| actions.iter().map(move |action| (index, action)))
    }

    /// Parameters of the controller and their values after the frame shown.
    pub fn parameters(&self) -> Vec<(String, f64)> {
        let Some((controller, values)) = self.controller() else { return Vec::new() };
        let parameters = controller.spec.parameters.iter();
        let known = parameters.map(|(name, value)| {
            let path = format!("parameters.{}", aplomb::language::files::quoted(name.get_ref()));
            let by_hand = values.iter().find(|(known, _)| *known == path);
            let by_hand = by_hand.and_then(|(_, value)| value.parse().ok());
            (name.get_ref().clone(), by_hand.unwrap_or(*value.get_ref()))
        });
        known.collect()
    }

    /// Controller values that were set and that the controller does not read in its current state.
    pub fn unread(&self) -> &[UnreadValue] {
        self.era_at(self.at).run.world.unread_values()
    }

    /// Commands of the controller after the frame shown, without those of nested machines that share a name
    /// with one of the controller, or are set by it.
    pub fn commands(&self) -> Vec<CommandState> {
        let Some(first) = self.era_at(self.at).run.world.characters().next() else { return Vec::new() };
        let mut commands = self.era_at(self.at).run.world.character(first).machine.commands.clone();
        let (header, frame) = (self.header(), self.shown());
        for command in commands.clone().iter() {
            let is_of = |name: &str| {
                name.strip_prefix(&*command.name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
            };
            let recorded =
                header.commands.iter().zip(&frame.commands).filter(|(number, _)| is_of(&number.name));
            let numbers: Vec<f64> = recorded.filter_map(|(_, value)| *value).collect();
            let value = match numbers[..] {
                [number] => CommandValue::Number(number),
                [x, y, z] => CommandValue::Vector([x, y, z]),
                _ => continue,
            };
            // The command exists, so this cannot fail.
            let _ = commands.set(&command.name, value);
        }
        for (index, action) in self.done_before(self.at) {
            if let SessionAction::Command { name, value } = action
                && index == self.at
            {
                let _ = commands.set(name, *value);
            }
        }
        let all: Vec<CommandState> = commands.iter().cloned().collect();
        let is_own = |command: &&CommandState| {
            let last = command.name.rsplit('.').next();
            !command.is_driven
                && all.iter().all(|other| other.name == command.name || Some(&*other.name) != last)
        };
        all.iter().filter(is_own).cloned().collect()
    }

    /// Objectives enabled and disabled by hand, after the frame shown.
    pub fn switched(&self) -> Vec<(String, bool)> {
        let mut switched: Vec<(String, bool)> = Vec::new();
        for (_, action) in self.done_before(self.at) {
            if let SessionAction::EnableObjective { name, enabled } = action {
                switched.retain(|(known, _)| known != name);
                switched.push((name.clone(), *enabled));
            }
        }
        switched
    }

    /// All actions by the number of their frame.
    pub fn actions(&self) -> impl Iterator<Item = (u64, &[SessionAction])> {
        self.history.actions()
    }

    /// Pulls with a spring from the next frame on, or stops pulling.
    pub fn set_pull(&mut self, pull: Option<Pull>) {
        self.pull = pull;
        if self.pull.is_none() {
            self.pulling = None;
        }
    }

    /// The spring and its force in the last computed frame.
    pub fn pulling(&self) -> Option<Pulling> {
        self.pulling
    }

    /// An unused name for a thrown object.
    pub fn name_for_throw(&self) -> String {
        let objects = &self.world().passive().objects;
        let events = &self.files().scene.events;
        let is_free = |name: &String| {
            objects.iter().all(|object| object.name != *name) && !events.contains_key(name.as_str())
        };
        let names = (1..).map(|number| format!("thrown_{number}"));
        names.into_iter().find(is_free).unwrap_or_default()
    }

    /// Acts in the frame after the one shown. Later frames are dropped: a new branch begins here.
    ///
    /// # Errors
    /// An action that the world does not accept, or earlier frames that can no longer be computed.
    pub fn act(&mut self, action: SessionAction) -> Result<(), SessionError> {
        self.stand_at(self.at)?;
        if self.at == self.end() {
            self.tell()?;
        }
        let is_push = matches!(action, SessionAction::Push { .. });
        let changes_header =
            matches!(action, SessionAction::Throw { .. } | SessionAction::ReplaceController { .. });
        action.apply(self.world_mut())?;
        self.branch_here();
        let last = self.history.at(self.at).last();
        let era = &self.eras[self.era];
        let since = if era.from == self.at { era.told } else { 0 };
        if self.told > since && last.is_some_and(|last| action.overrides(last)) {
            self.history.forget_last(self.at);
            self.told -= 1;
        }
        self.history.note(self.at, action);
        self.told += 1;
        if changes_header {
            let era = &mut self.eras[self.era];
            era.renew_header();
            self.shown.header = era.header.clone();
        }
        if !is_push {
            self.shown.mind = mind(&mut self.eras[self.era]);
        }
        Ok(())
    }

    /// Drops the frames after the one shown, at the world's current frame.
    fn branch_here(&mut self) {
        self.history.branch(self.at, self.told);
        self.eras.truncate(self.era + 1);
    }

    /// Shows the next frame, which is computed if it is not known. Returns whether it is new.
    ///
    /// # Errors
    /// A value of the controller that cannot be used.
    pub fn advance(&mut self) -> Result<bool, SessionError> {
        if self.pull.is_none() && self.at < self.end() {
            self.go_to(self.at + 1)?;
            return Ok(false);
        }
        self.stand_at(self.at)?;
        if let Some(pull) = self.pull {
            // A target that is not in the world is not pulled.
            self.pulling = pull.force(self.world_mut());
            if let Some(pulling) = self.pulling {
                self.act(pulling.action(self.dt()))?;
            }
        }
        self.shown = self.compute()?;
        self.at += 1;
        Ok(true)
    }

    /// Shows the frame before the position `at`, within the history.
    ///
    /// # Errors
    /// Earlier frames that can no longer be computed.
    pub fn go_to(&mut self, at: u64) -> Result<(), SessionError> {
        let at = at.clamp(self.earliest(), self.end());
        self.shown = self.moment_before(at)?;
        self.at = at;
        Ok(())
    }

    /// Drops the frames after the one shown, and their actions.
    ///
    /// # Errors
    /// Earlier frames that can no longer be computed.
    pub fn branch(&mut self) -> Result<(), SessionError> {
        self.stand_at(self.at)?;
        self.branch_here();
        Ok(())
    }

    /// Resets to the beginning without actions, with the files as last read.
    ///
    /// # Errors
    /// Files that no longer make a world, although they were checked when read.
    pub fn reset(&mut self) -> Result<(), Failure> {
        let mut era = Era::first(self.newest.clone(), self.company.as_ref())?;
        self.history = self.history.begun_anew(&era.start, era.run.world.settings().dt);
        self.shown = standing(&mut era);
        self.eras = vec![era];
        (self.era, self.at, self.told, self.pull, self.pulling) = (0, 0, 0, None, None);
        Ok(())
    }

    /// The frame before a position; at the beginning, the initial state.
    fn moment_before(&mut self, at: u64) -> Result<SessionMoment, SessionError> {
        if let Some(moment) = at.checked_sub(1).and_then(|index| self.history.moment(index)) {
            return Ok(moment);
        }
        if at <= self.earliest() {
            self.restore_before(at)?;
            return Ok(standing(&mut self.eras[self.era]));
        }
        // All frames between two checkpoints are kept, since the neighbours will be shown as well.
        let from = self.history.checkpoint_before(at - 1).frame_index();
        let to = self.history.checkpoint_after(at - 1).unwrap_or(self.end()).max(at);
        self.restore_before(from)?;
        let mut moments = Vec::with_capacity((to - from) as usize);
        while self.world().frame_index() < to {
            moments.push(self.compute()?);
        }
        let moment = moments[(at - 1 - from) as usize].clone();
        self.history.keep_replayed(moments);
        Ok(moment)
    }

    /// Brings the world to the beginning of a frame.
    fn stand_at(&mut self, index: u64) -> Result<(), SessionError> {
        let is_last = |era: usize| self.eras.get(era + 1).is_none_or(|next| index < next.from);
        if self.world().frame_index() != index || !is_last(self.era) {
            self.restore_before(index)?;
            while self.world().frame_index() < index {
                self.compute()?;
            }
            self.enter_era()?;
        }
        Ok(())
    }

    /// Restores the nearest checkpoint before a frame.
    fn restore_before(&mut self, index: u64) -> Result<(), SessionError> {
        let kept = self.history.checkpoint_before(index);
        // Of two checkpoints at one frame, before and after a change of files, the later counts.
        let era = self.eras.iter().rposition(|era| era.from <= index).unwrap_or(0);
        let is_of_era = kept.frame_index() > self.eras[era].from || era == 0;
        self.era = era;
        let Era { start, run, told, .. } = &mut self.eras[era];
        self.told = if is_of_era { 0 } else { *told };
        if is_of_era {
            kept.restore(run)?
        } else {
            start.restore(run)?
        }
        Ok(())
    }

    /// Enters the next era if it begins with the next frame.
    fn enter_era(&mut self) -> Result<(), SessionError> {
        while let Some(next) = self.eras.get(self.era + 1)
            && next.from == self.world().frame_index()
        {
            self.era += 1;
            let Era { start, run, told, .. } = &mut self.eras[self.era];
            self.told = *told;
            start.restore(run)?;
        }
        Ok(())
    }

    /// Repeats the actions of the world's next frame that it has not received yet.
    fn tell(&mut self) -> Result<(), SessionError> {
        let world = &mut self.eras[self.era].run.world;
        for action in &self.history.at(world.frame_index())[self.told..] {
            action.apply(world)?;
            self.told += 1;
        }
        Ok(())
    }

    /// Computes the world's next frame with its actions.
    fn compute(&mut self) -> Result<SessionMoment, SessionError> {
        self.enter_era()?;
        let index = self.world().frame_index();
        self.tell()?;
        let era = &mut self.eras[self.era];
        era.run.judge();
        let mind = mind(era);
        let verdicts = era.verdicts().into();
        if let Err(error) = era.run.world.step() {
            // The failed step has already moved passive objects.
            self.restore_before(index)?;
            return Err(error.into());
        }
        self.told = 0;
        let era = &mut self.eras[self.era];
        let frame = Arc::new(era.run.frame());
        let world = &era.run.world;
        let others = company::others(&era.cast, |id| world.results(Some(id)).frame());
        let (criteria, header) = (era.criteria.clone(), era.header.clone());
        let moment = SessionMoment { frame, others, mind, verdicts, criteria, header };
        self.history.add(&moment, || moment::Saved::of(&era.run));
        Ok(moment)
    }
}

/// State of the controller at the current state of the world.
fn mind(era: &mut Era) -> Arc<Mind> {
    let hero = era.run.hero();
    Arc::new(hero.map_or_else(Mind::default, |hero| era.run.world.mind(hero, &mut era.watch)))
}

/// The current state, without forces.
fn standing(era: &mut Era) -> SessionMoment {
    let hero = era.run.hero();
    let mind = mind(era);
    let frame = Arc::new(era.run.world.standing_frame(hero));
    let Era { run, cast, .. } = &mut *era;
    let others = company::others(cast, |id| run.world.standing_frame(Some(id)));
    SessionMoment {
        frame,
        others,
        mind,
        verdicts: era.verdicts().into(),
        criteria: era.criteria.clone(),
        header: era.header.clone(),
    }
}
