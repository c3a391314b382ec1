//! A scene that is played: it goes on, is acted on, goes back to any frame that was, and branches from there.
//!
//! History is kept as checkpoints, half a second apart, and as the actions between them. A checkpoint is exact, and a
//! frame depends on nothing but the state before it and the actions in it, so that playing again what was done gives
//! the same bytes.

mod action;
mod company;
mod document;
mod era;
mod history;
mod moment;
mod open;
mod pull;
mod reload;
mod save;
#[cfg(test)]
mod tests;

pub use action::{Action, Target};
pub use company::{Company, Other};
pub use moment::{Moment, Verdict};
pub use pull::{Pull, Pulling};
pub use reload::{Reloaded, WriteBack};
pub use save::{SaveError, SavedScene};

use aplomb::cli::Failure;
use aplomb::controller::{CommandState, CommandValue, ControllerFile};
use aplomb::scene::SceneFiles;
use aplomb::trace::{Frame, Header};
use aplomb::world::{CharacterId, Mind, StepError, World, WorldError};
use era::Era;
use history::History;
use std::sync::Arc;

/// Values set by hand: their keys in a controller's file, and what they are in TOML.
pub type SetValues = Vec<(String, String)>;

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
    /// What it was opened with, to open it again; `None` for files that were read by others.
    reference: Option<(String, Vec<String>)>,
    /// Who else is in its worlds.
    company: Option<Company>,
    /// Worlds in order of time, at least one.
    eras: Vec<Era>,
    /// Which of them stands where the next frame is computed.
    era: usize,
    /// What the files said when they were read last without mistakes.
    newest: SceneFiles,
    history: History,
    /// Frames before the one that is to come next, as shown: the frame that is shown is the one before it.
    at: u64,
    shown: Moment,
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
        let session = Self::new(open::files(reference, overrides)?, None)?;
        Ok(Session { reference: Some((reference.to_owned(), overrides.to_vec())), ..session })
    }

    /// A scene whose files are read, with what a program adds to its world.
    ///
    /// # Errors
    /// What is wrong with the files, and what the world does not take.
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

    /// What does not change from frame to frame, as of the frame that is shown.
    pub fn header(&self) -> &Arc<Header> {
        &self.shown.header
    }

    /// The files of the scene, as they were for the frame that is shown.
    pub fn files(&self) -> &SceneFiles {
        &self.era_before(self.at).files
    }

    /// The era in which the frame was computed that comes before a place.
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

    /// Length of a step, s.
    pub fn dt(&self) -> f64 {
        self.world().settings().dt
    }

    /// The frame that is shown. Before anything was computed: how everything stands, without forces.
    pub fn shown(&self) -> &Arc<Frame> {
        &self.shown.frame
    }

    /// The frame that is shown, with what was thought in it.
    pub fn moment(&self) -> &Moment {
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
        self.history.ghost(self.at.checked_sub(1)?).map(|moment| moment.frame)
    }

    /// The scene's character.
    pub fn hero(&self) -> Option<CharacterId> {
        self.world().characters().next()
    }

    /// The controller that acts after the frame that is shown, as it was read, and the values that were set in it by
    /// hand since, by their keys: in TOML, the latest of each last.
    pub fn controller(&self) -> Option<(Arc<ControllerFile>, SetValues)> {
        let mut file = self.era_at(self.at).controller.clone()?;
        let mut values = SetValues::new();
        for (_, action) in self.done_before(self.at) {
            match action {
                Action::SetValue { path, value } => {
                    values.retain(|(known, _)| known != path);
                    values.push((path.clone(), value.clone()));
                }
                Action::ReplaceController { controller } => {
                    file = controller.clone();
                    values.clear();
                }
                Action::Push { .. }
                | Action::Throw { .. }
                | Action::EnableObjective { .. }
                | Action::Command { .. } => {}
            }
        }
        Some((file, values))
    }

    /// The era in which the frame is computed that comes next at a place.
    fn era_at(&self, at: u64) -> &Era {
        &self.eras[self.eras.iter().rposition(|era| era.from <= at).unwrap_or(0)]
    }

    /// What was done in the present era before the frame that comes next at a place was computed.
    fn done_before(&self, at: u64) -> impl Iterator<Item = (u64, &Action)> {
        let from = self.era_at(at).from;
        let here = self.history.actions().filter(move |(index, _)| (from..=at).contains(index));
        here.flat_map(|(index, actions)| actions.iter().map(move |action| (index, action)))
    }

    /// Parameters of the controller and their values after the frame that is shown.
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

    /// What the controller is told after the frame that is shown: of a machine within it that is told the same,
    /// nothing.
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
            // Of this name, so that it takes it.
            let _ = commands.set(&command.name, value);
        }
        for (index, action) in self.done_before(self.at) {
            if let Action::Command { name, value } = action
                && index == self.at
            {
                let _ = commands.set(name, *value);
            }
        }
        let all: Vec<CommandState> = commands.iter().cloned().collect();
        let is_own = |command: &&CommandState| {
            let last = command.name.rsplit('.').next();
            all.iter().all(|other| other.name == command.name || Some(&*other.name) != last)
        };
        all.iter().filter(is_own).cloned().collect()
    }

    /// Objectives that were enabled and disabled by hand, after the frame that is shown.
    pub fn switched(&self) -> Vec<(String, bool)> {
        let mut switched: Vec<(String, bool)> = Vec::new();
        for (_, action) in self.done_before(self.at) {
            if let Action::EnableObjective { name, enabled } = action {
                switched.retain(|(known, _)| known != name);
                switched.push((name.clone(), *enabled));
            }
        }
        switched
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

    /// A name for something that is thrown, which nothing has.
    pub fn name_for_throw(&self) -> String {
        let objects = &self.world().passive().objects;
        let events = &self.files().scene.events;
        let is_free = |name: &String| {
            objects.iter().all(|object| object.name != *name) && !events.contains_key(name.as_str())
        };
        let names = (1..).map(|number| format!("thrown_{number}"));
        names.into_iter().find(is_free).unwrap_or_default()
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
        let is_push = matches!(action, Action::Push { .. });
        let changes_header = matches!(action, Action::Throw { .. } | Action::ReplaceController { .. });
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

    /// Forgets what comes after the frame that is shown, where the world stands.
    fn branch_here(&mut self) {
        self.history.branch(self.at, self.told);
        self.eras.truncate(self.era + 1);
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
        if let Some(pull) = self.pull {
            // What is not there (yet) is not pulled.
            self.pulling = pull.force(self.world_mut());
            if let Some(pulling) = self.pulling {
                self.act(pulling.action(self.dt()))?;
            }
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
        self.shown = self.moment_before(at)?;
        self.at = at;
        Ok(())
    }

    /// Forgets what was computed after the frame that is shown, and what was done there.
    ///
    /// # Errors
    /// Frames on the way there that can no longer be computed.
    pub fn branch(&mut self) -> Result<(), SessionError> {
        self.stand_at(self.at)?;
        self.branch_here();
        Ok(())
    }

    /// Begins anew, with nothing done yet, as the files say now.
    ///
    /// # Errors
    /// Files that make no world any more, which were checked when they were read.
    pub fn reset(&mut self) -> Result<(), Failure> {
        let mut era = Era::first(self.newest.clone(), self.company.as_ref())?;
        self.history = self.history.begun_anew(&era.start, era.run.world.settings().dt);
        self.shown = standing(&mut era);
        self.eras = vec![era];
        (self.era, self.at, self.told, self.pull, self.pulling) = (0, 0, 0, None, None);
        Ok(())
    }

    /// The record of the frame before a place; of the beginning, how everything stands.
    fn moment_before(&mut self, at: u64) -> Result<Moment, SessionError> {
        if let Some(moment) = at.checked_sub(1).and_then(|index| self.history.moment(index)) {
            return Ok(moment);
        }
        if at <= self.earliest() {
            self.restore_before(at)?;
            return Ok(standing(&mut self.eras[self.era]));
        }
        // All frames from a checkpoint to the next: those around will be asked for as well.
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

    /// Has the world stand at the beginning of a frame.
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

    /// Goes back to what is kept nearest before a frame.
    fn restore_before(&mut self, index: u64) -> Result<(), SessionError> {
        let kept = self.history.checkpoint_before(index);
        // Of two that are kept of one moment, before and after the files were changed, the later one counts.
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

    /// Goes on in the next era, where that begins with the frame that comes next.
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

    /// Does what was done in the frame that the world stands before and was not done again yet.
    fn tell(&mut self) -> Result<(), SessionError> {
        let world = &mut self.eras[self.era].run.world;
        for action in &self.history.at(world.frame_index())[self.told..] {
            action.apply(world)?;
            self.told += 1;
        }
        Ok(())
    }

    /// Computes the frame that the world stands before, with what was done in it.
    fn compute(&mut self) -> Result<Moment, SessionError> {
        self.enter_era()?;
        let index = self.world().frame_index();
        self.tell()?;
        let era = &mut self.eras[self.era];
        era.run.judge();
        let mind = mind(era);
        let verdicts = era.verdicts().into();
        if let Err(error) = era.run.world.step() {
            // Passive objects have moved already.
            self.restore_before(index)?;
            return Err(error.into());
        }
        self.told = 0;
        let era = &mut self.eras[self.era];
        let frame = Arc::new(era.run.result().frame.clone());
        let world = &era.run.world;
        let others = company::others(&era.cast, |id| world.result(Some(id)).frame.clone());
        let (criteria, header) = (era.criteria.clone(), era.header.clone());
        let moment = Moment { frame, others, mind, verdicts, criteria, header };
        self.history.add(&moment, || moment::Saved::of(&era.run));
        Ok(moment)
    }
}

/// What the controller thinks of how the world stands.
fn mind(era: &mut Era) -> Arc<Mind> {
    let hero = era.run.hero();
    Arc::new(hero.map_or_else(Mind::default, |hero| era.run.world.mind(hero, &mut era.watch)))
}

/// How everything stands, without forces.
fn standing(era: &mut Era) -> Moment {
    let hero = era.run.hero();
    let mind = mind(era);
    let frame = Arc::new(era.run.world.standing_frame(hero));
    let Era { run, cast, .. } = &mut *era;
    let others = company::others(cast, |id| run.world.standing_frame(Some(id)));
    Moment {
        frame,
        others,
        mind,
        verdicts: era.verdicts().into(),
        criteria: era.criteria.clone(),
        header: era.header.clone(),
    }
}
