//! The engine thread: it owns the player, computes frames, and never waits for the window.

mod player;
#[cfg(test)]
mod tests;
mod watch;

pub use player::{Opened, Player};

use crate::session::{
    AddedCharacter, CriterionVerdict, Futures, Pull, Pulling, Reloaded, SessionAction, WriteBack,
};
use aplomb::cli::{self, Failure};
use aplomb::controller::CommandState;
use aplomb::controller::ControllerFile;
use aplomb::synthesis::BodyForce;
use aplomb::trace::{Frame, Header};
use aplomb::world::Throw;
use aplomb::world::{LeftBehind, Mind, UnreadValue};
use std::ops::RangeInclusive;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use watch::FileWatch;

/// A command of the window to the engine.
pub enum EngineCommand {
    /// Run, or pause.
    Run(bool),
    /// Pause, and step this many frames forwards or backwards.
    Step(i64),
    /// Pause, and show the frame before this position.
    GoTo(u64),
    /// Reset to the beginning.
    Reset,
    /// Drop the frames after the one shown.
    Branch,
    /// Set the speed, simulated seconds per second.
    Speed(f64),
    /// Act on the world.
    Act(SessionAction),
    /// Pull with a spring, or stop pulling.
    Pull(Option<Pull>),
    /// Write the scene with all actions to a new file.
    Save,
    /// Throw a ball.
    Throw(Throw),
    /// Reload the files.
    Reload,
    /// Show the controller's file with the values set by hand.
    OfferWriteBack,
    /// Write the file as shown, or discard the offer.
    WriteBack(bool),
    /// Report the provenance of the contact forces of the next frame.
    TellForces,
    /// Compute futures of the state shown over a range of a parameter.
    Futures {
        /// Name of the parameter.
        parameter: String,
        /// Its values.
        range: RangeInclusive<f64>,
    },
    /// Whether pictures are rendered by the processor that computes frames.
    SharesProcessor(bool),
    /// Set the function that is called when there is news.
    Wake(Box<dyn Fn() + Send>),
}

/// State of the engine for the window.
#[derive(Clone)]
pub struct News {
    /// The frame that is shown.
    pub frame: Arc<Frame>,
    /// The other characters in the same frame.
    pub others: Arc<[AddedCharacter]>,
    /// Number of frames up to the one shown, inclusive.
    pub at: u64,
    /// The earliest position that can be shown, and the last that is computed.
    pub range: [u64; 2],
    /// Whether it runs.
    pub is_running: bool,
    /// Requested speed, simulated seconds per second.
    pub speed: f64,
    /// Measured speed, simulated seconds per second; 0 while paused.
    pub pace: f64,
    /// Commands of the controller.
    pub commands: Vec<CommandState>,
    /// Parameters of the controller.
    pub parameters: Vec<(String, f64)>,
    /// Controller values that were set and that the controller does not read in its current state.
    pub unread: Vec<UnreadValue>,
    /// Values of the controller set by hand: keys, and values in TOML.
    pub values: Vec<(String, String)>,
    /// Objectives enabled and disabled by hand.
    pub switched: Vec<(String, bool)>,
    /// The trace header at the frame shown.
    pub header: Arc<Header>,
    /// The controller's file in force after the frame shown.
    pub controller: Option<Arc<ControllerFile>>,
    /// State of the controller at the beginning of the frame shown; after a change, at the beginning of the
    /// next.
    pub mind: Arc<Mind>,
    /// Verdicts of the scene's criteria at the beginning of the frame shown.
    pub verdicts: Arc<[CriterionVerdict]>,
    /// The criteria: name, when they must hold, and their condition.
    pub criteria: Arc<[[String; 3]]>,
    /// Number of reloads that took effect.
    pub reloads: u64,
    /// Mistakes in the files on disk, as a terminal shows them; the previous files still run.
    pub mistakes: Option<Arc<str>>,
    /// The change of the controller's file to be confirmed.
    pub write_back: Option<Arc<WriteBack>>,
    /// The frame with the same number in the branch that was dropped last.
    pub ghost: Option<Arc<Frame>>,
    /// Provenance of the contact forces in the frame after this position, if requested.
    pub forces: Option<(u64, Arc<[BodyForce]>)>,
    /// The futures that were requested last.
    pub futures: Option<Arc<Futures>>,
    /// The spring in the last frame.
    pub pulling: Option<Pulling>,
    /// Message of the last error.
    pub message: Option<String>,
    /// Message of the last written file.
    pub written: Option<String>,
    /// New frames since the window last read the news, in order.
    pub fresh: Vec<Arc<Frame>>,
    /// Frames from this number on were dropped, before the fresh ones.
    pub cut: Option<u64>,
}

/// The window's handle to the engine thread.
pub struct Engine {
    commands: Sender<EngineCommand>,
    news: Arc<Mutex<News>>,
}

/// Most delay that is caught up when frames were slower than real time, wall s.
const MOST_LAG: Duration = Duration::from_millis(50);
/// Shortest interval between two wake-ups of the window during a run: 60 pictures per second.
const WAKE: Duration = Duration::from_micros(16_600);
/// Shortest interval while the run is behind and pictures slow it down: 15 pictures per second.
const WAKE_BEHIND: Duration = Duration::from_micros(66_600);
/// Share of the requested speed below which the run is behind.
const BEHIND: f64 = 0.97;
/// Interval over which the speed is measured.
const PACE: Duration = Duration::from_millis(500);
/// Most new frames kept for a window that does not read them.
const MOST_FRESH: usize = 3000;

impl Engine {
    /// Opens the player in a thread of its own and waits until it is ready.
    ///
    /// # Errors
    /// Errors of `open`.
    pub fn start(
        open: impl FnOnce() -> Result<Player, Failure> + Send + 'static,
    ) -> Result<(Engine, Opened), Failure> {
        let (commands, inbox) = mpsc::channel();
        let own = commands.clone();
        let (report, opened) = mpsc::channel();
        thread::spawn(move || match open() {
            Ok(player) => {
                let about = player.opened();
                let news = Arc::new(Mutex::new(player.news()));
                if report.send(Ok((about, news.clone()))).is_ok() {
                    Loop::new(player, news, FileWatch::new(own)).run(&inbox);
                }
            }
            Err(failure) => drop(report.send(Err(failure))),
        });
        let gone = || Failure::Usage { message: "the engine stopped while it opened".into(), help: None };
        let (about, news) = opened.recv().map_err(|_| gone())??;
        Ok((Engine { commands, news }, about))
    }

    /// Sends a command to the engine.
    pub fn tell(&self, command: EngineCommand) {
        // If the thread has ended, the window keeps showing its last news.
        let _ = self.commands.send(command);
    }

    /// Takes the news.
    pub fn news(&self) -> News {
        let mut news = lock(&self.news);
        let fresh = std::mem::take(&mut news.fresh);
        let cut = news.cut.take();
        News { fresh, cut, ..news.clone() }
    }
}

fn lock(news: &Mutex<News>) -> MutexGuard<'_, News> {
    news.lock().unwrap_or_else(PoisonError::into_inner)
}

struct Loop {
    player: Player,
    news: Arc<Mutex<News>>,
    wake: Option<Box<dyn Fn() + Send>>,
    is_running: bool,
    speed: f64,
    /// Time at which the next frame is due.
    due: Instant,
    woken: Instant,
    /// Start and number of the counted frames, for the speed.
    counted: (Instant, u32),
    pace: f64,
    shares_processor: bool,
    fresh: Vec<Arc<Frame>>,
    cut: Option<u64>,
    message: Option<String>,
    written: Option<String>,
    watch: Option<FileWatch>,
    reloads: u64,
    mistakes: Option<Arc<str>>,
    write_back: Option<Arc<WriteBack>>,
    forces: Option<(u64, Arc<[BodyForce]>)>,
    futures: Option<Arc<Futures>>,
}

impl Loop {
    fn new(player: Player, news: Arc<Mutex<News>>, mut watch: Option<FileWatch>) -> Self {
        if let Some(watch) = &mut watch {
            watch.follow(player.paths());
        }
        let now = Instant::now();
        Loop {
            player,
            news,
            wake: None,
            is_running: false,
            speed: 1.0,
            due: now,
            woken: now,
            counted: (now, 0),
            pace: 0.0,
            shares_processor: false,
            fresh: Vec::new(),
            cut: None,
            message: None,
            written: None,
            watch,
            reloads: 0,
            mistakes: None,
            write_back: None,
            forces: None,
            futures: None,
        }
    }

    /// Runs until the window is closed.
    fn run(mut self, inbox: &Receiver<EngineCommand>) {
        loop {
            let first = if self.is_running {
                match inbox.recv_timeout(self.due.saturating_duration_since(Instant::now())) {
                    Ok(command) => Some(command),
                    Err(RecvTimeoutError::Timeout) => None,
                    Err(RecvTimeoutError::Disconnected) => return,
                }
            } else {
                match inbox.recv() {
                    Ok(command) => Some(command),
                    Err(_) => return,
                }
            };
            let is_told = first.is_some();
            // Of many simultaneous moves of the time bar or the mouse, only the last counts.
            let mut commands: Vec<EngineCommand> = first.into_iter().chain(inbox.try_iter()).collect();
            drop_overtaken(&mut commands);
            commands.into_iter().for_each(|command| self.apply(command));
            if self.is_running && Instant::now() >= self.due {
                self.go_on();
            }
            self.publish(is_told);
        }
    }

    /// Executes a command and reports its outcome.
    fn apply(&mut self, command: EngineCommand) {
        let end = self.player.range()[1];
        // A reload is caused by a write, whose message stays.
        if !matches!(command, EngineCommand::Wake(_) | EngineCommand::Pull(_) | EngineCommand::Reload) {
            (self.message, self.written) = (None, None);
        }
        // A failed command is reported, and the run continues.
        if let Err(message) = self.execute(command) {
            self.message = Some(message);
        }
        let now_ends = self.player.range()[1];
        if now_ends < end {
            self.cut = Some(self.cut.map_or(now_ends, |cut| cut.min(now_ends)));
            self.fresh.retain(|frame| frame.index < now_ends);
        }
    }

    fn execute(&mut self, command: EngineCommand) -> Result<(), String> {
        match command {
            EngineCommand::Run(runs) => {
                self.is_running = runs;
                let now = Instant::now();
                (self.due, self.counted, self.pace) = (now, (now, 0), 0.0);
                Ok(())
            }
            EngineCommand::Step(frames) => {
                self.is_running = false;
                self.step(frames)
            }
            EngineCommand::GoTo(at) => {
                self.is_running = false;
                self.player.go_to(at)
            }
            EngineCommand::Reset => self.player.reset(),
            EngineCommand::Branch => self.player.branch(),
            EngineCommand::Speed(speed) => {
                self.speed = speed;
                Ok(())
            }
            EngineCommand::Act(action) => self.player.act(action),
            EngineCommand::Pull(pull) => self.player.set_pull(pull),
            EngineCommand::Save => {
                self.player.save().map(|path| self.written = Some(format!("written to {}", path.display())))
            }
            EngineCommand::Throw(throw) => self.player.throw(throw),
            EngineCommand::Reload => self.reload(),
            EngineCommand::OfferWriteBack => {
                self.player.write_back().map(|offer| self.write_back = Some(Arc::new(offer)))
            }
            EngineCommand::WriteBack(is_wanted) => self.write_back(is_wanted),
            EngineCommand::TellForces => {
                let at = self.player.at();
                self.player.forces_ahead().map(|parts| self.forces = Some((at, parts.into())))
            }
            EngineCommand::Futures { parameter, range } => {
                self.player.futures(&parameter, range).map(|futures| self.futures = Some(Arc::new(futures)))
            }
            EngineCommand::SharesProcessor(shares) => {
                self.shares_processor = shares;
                Ok(())
            }
            EngineCommand::Wake(wake) => {
                self.wake = Some(wake);
                Ok(())
            }
        }
    }

    /// Reloads the files; if they have mistakes, the previous ones stay.
    fn reload(&mut self) -> Result<(), String> {
        let reloaded = self.player.reload();
        if let Some(watch) = &mut self.watch {
            watch.follow(self.player.paths());
        }
        match reloaded {
            Ok(reloaded) => {
                (self.mistakes, self.message) = (None, None);
                self.reloads += u64::from(reloaded != Reloaded::Same);
                if let Reloaded::World(left) = reloaded {
                    let left: Vec<&str> = left.into_iter().map(said).collect();
                    self.message = (!left.is_empty()).then(|| left.join(", "));
                }
            }
            Err(failure) => self.mistakes = Some(cli::rendered(&failure).into()),
        }
        Ok(())
    }

    fn write_back(&mut self, is_wanted: bool) -> Result<(), String> {
        let Some(offer) = self.write_back.take().filter(|_| is_wanted) else { return Ok(()) };
        self.player.confirm(&offer)?;
        self.written = Some(format!("written to {}", offer.path.display()));
        Ok(())
    }

    fn step(&mut self, frames: i64) -> Result<(), String> {
        if frames < 0 {
            return self.player.go_to(self.player.at().saturating_sub(frames.unsigned_abs()));
        }
        (0..frames).try_for_each(|_| self.advance())
    }

    fn advance(&mut self) -> Result<(), String> {
        let end = self.player.range()[1];
        if self.player.advance()? {
            let at = self.player.at();
            if at <= end {
                // A pull in the past starts a branch.
                self.cut = Some(self.cut.map_or(at - 1, |cut| cut.min(at - 1)));
                self.fresh.retain(|frame| frame.index + 1 < at);
            }
            self.fresh.push(self.player.shown().clone());
        }
        Ok(())
    }

    fn go_on(&mut self) {
        let now = Instant::now();
        let is_over = self.player.is_over();
        let done = if is_over { Ok(()) } else { self.advance() };
        self.is_running &= done.is_ok() && !is_over;
        self.take(done);
        self.due += Duration::from_secs_f64(self.player.dt() / self.speed.max(1e-3));
        if now.saturating_duration_since(self.due) > MOST_LAG {
            self.due = now;
        }
        self.counted.1 += 1;
        let passed = now.duration_since(self.counted.0);
        if passed > PACE {
            self.pace = f64::from(self.counted.1) * self.player.dt() / passed.as_secs_f64();
            self.counted = (now, 0);
        }
    }

    fn take(&mut self, done: Result<(), String>) {
        if let Err(message) = done {
            self.message = Some(message);
            self.is_running = false;
        }
    }

    /// Stores the news for the window and wakes it; during a run, not too often.
    fn publish(&mut self, is_told: bool) {
        let mut news = lock(&self.news);
        let mut fresh = std::mem::take(&mut news.fresh);
        let cut = self.cut.take();
        if let Some(cut) = cut {
            fresh.retain(|frame| frame.index < cut);
        }
        let cut = news.cut.into_iter().chain(cut).min();
        fresh.append(&mut self.fresh);
        let excess = fresh.len().saturating_sub(MOST_FRESH);
        fresh.drain(..excess);
        *news = News {
            is_running: self.is_running,
            speed: self.speed,
            pace: if self.is_running { self.pace } else { 0.0 },
            message: self.message.clone(),
            written: self.written.clone(),
            reloads: self.reloads,
            mistakes: self.mistakes.clone(),
            write_back: self.write_back.clone(),
            forces: self.forces.clone(),
            futures: self.futures.clone(),
            fresh,
            cut,
            ..self.player.news()
        };
        drop(news);
        let now = Instant::now();
        let is_behind = self.shares_processor && self.pace > 0.0 && self.pace < BEHIND * self.speed;
        let wake = if is_behind { WAKE_BEHIND } else { WAKE };
        if is_told || !self.is_running || now.duration_since(self.woken) >= wake {
            self.woken = now;
            if let Some(wake) = &self.wake {
                wake();
            }
        }
    }
}

/// Message for a part of the old world that the new one could not adopt.
fn said(left: LeftBehind) -> &'static str {
    match left {
        LeftBehind::PassiveObjects => "passive objects start again",
        LeftBehind::Contacts => "contacts start again",
        LeftBehind::Grips => "grips are released",
    }
}

/// Drops the positions, pulls and values that a later command overrides.
fn drop_overtaken(commands: &mut Vec<EngineCommand>) {
    let overtakes = |later: &EngineCommand, earlier: &EngineCommand| match (later, earlier) {
        (EngineCommand::GoTo(_), EngineCommand::GoTo(_))
        | (EngineCommand::Pull(Some(_)), EngineCommand::Pull(Some(_))) => true,
        (EngineCommand::Act(later), EngineCommand::Act(earlier)) => later.overrides(earlier),
        _ => false,
    };
    let is_overtaken: Vec<bool> =
        commands.windows(2).map(|pair| overtakes(&pair[1], &pair[0])).chain([false]).collect();
    let mut overtaken = is_overtaken.into_iter();
    commands.retain(|_| !overtaken.next().unwrap_or(false));
}
