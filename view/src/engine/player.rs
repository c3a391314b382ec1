//! The player: a session that computes frames, or the trace of a finished run.

use super::News;
use crate::session::{Futures, Pull, Reloaded, SavedScene, Session, SessionAction, WriteBack};
use aplomb::cli::Failure;
use aplomb::synthesis::BodyForce;
use aplomb::trace::{self, Frame, Header, Trace};
use aplomb::world::Throw;
use std::fs::File;
use std::io::Write;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A session, or a finished run.
#[expect(clippy::large_enum_variant, reason = "there is one of them")]
pub enum Player {
    /// A scene that is computed while it is shown.
    Live(Session),
    /// A finished run.
    Recorded(FinishedRun),
}

/// The frames of a finished run.
pub struct FinishedRun {
    header: Arc<Header>,
    frames: Vec<Arc<Frame>>,
    at: u64,
}

/// Data that the window reads once, when it opens.
#[derive(Clone)]
pub struct Opened {
    /// The trace header.
    pub header: Arc<Header>,
    /// Whether frames are computed while they are shown.
    pub is_live: bool,
    /// All frames of a finished run.
    pub frames: Vec<Arc<Frame>>,
}

/// Most names tried for a saved scene.
const MOST_SAVED: usize = 1000;
/// Name of the trace in a run's folder.
const TRACE: &str = "trace.mcap";

impl Player {
    /// Opens a run's folder or its trace; or else a scene, a controller or a body by path or shipped name.
    ///
    /// # Errors
    /// A reference that is not found, or files with mistakes.
    pub fn open(reference: &str, overrides: &[String]) -> Result<Self, Failure> {
        let path = Path::new(reference);
        let trace = if path.is_dir() { path.join(TRACE) } else { path.to_path_buf() };
        if path.is_dir() || aplomb::language::files::ends_in(path, &["mcap"]) {
            return match trace::read(&trace) {
                Ok(trace) => Ok(Player::of(trace)),
                Err(source) => Err(Failure::Trace { path: trace, source }),
            };
        }
        Session::load(reference, overrides).map(Player::Live)
    }

    /// A finished run, at its first frame.
    pub fn of(trace: Trace) -> Self {
        let frames = trace.frames.into_iter().map(Arc::new).collect();
        Player::Recorded(FinishedRun { header: Arc::new(trace.header), frames, at: 0 })
    }

    /// Data that the window reads once, when it opens.
    pub fn opened(&self) -> Opened {
        match self {
            Player::Live(session) => {
                Opened { header: session.header().clone(), is_live: true, frames: Vec::new() }
            }
            Player::Recorded(recording) => {
                Opened { header: recording.header.clone(), is_live: false, frames: recording.frames.clone() }
            }
        }
    }

    /// Number of frames up to the one shown, inclusive.
    pub fn at(&self) -> u64 {
        match self {
            Player::Live(session) => session.at(),
            Player::Recorded(recording) => recording.at,
        }
    }

    /// The earliest position that can be shown, and the last that is computed.
    pub fn range(&self) -> [u64; 2] {
        match self {
            Player::Live(session) => [session.earliest(), session.end()],
            Player::Recorded(recording) => [0, recording.frames.len() as u64],
        }
    }

    /// The frame that is shown.
    pub fn shown(&self) -> Arc<Frame> {
        match self {
            Player::Live(session) => session.shown().clone(),
            Player::Recorded(FinishedRun { frames, at, .. }) => {
                frames.get(at.saturating_sub(1) as usize).cloned().unwrap_or_default()
            }
        }
    }

    /// Length of a frame, s.
    pub fn dt(&self) -> f64 {
        match self {
            Player::Live(session) => session.dt(),
            Player::Recorded(recording) => recording.header.dt,
        }
    }

    /// Whether the run is complete.
    pub fn is_over(&self) -> bool {
        matches!(self, Player::Recorded(FinishedRun { frames, at, .. }) if *at >= frames.len() as u64)
    }

    /// Shows the next frame; returns whether it is new.
    ///
    /// # Errors
    /// Errors of the session.
    pub fn advance(&mut self) -> Result<bool, String> {
        match self {
            Player::Live(session) => session.advance().map_err(|error| error.to_string()),
            Player::Recorded(recording) => {
                recording.at = (recording.at + 1).min(recording.frames.len() as u64);
                Ok(false)
            }
        }
    }

    /// Shows the frame before this position.
    ///
    /// # Errors
    /// Errors of the session.
    pub fn go_to(&mut self, at: u64) -> Result<(), String> {
        match self {
            Player::Live(session) => session.go_to(at).map_err(|error| error.to_string()),
            Player::Recorded(recording) => {
                recording.at = at.min(recording.frames.len() as u64);
                Ok(())
            }
        }
    }

    /// Resets the session; a finished run is shown from its beginning.
    ///
    /// # Errors
    /// Errors of the session.
    pub fn reset(&mut self) -> Result<(), String> {
        match self {
            Player::Live(session) => session.reset().map_err(|failure| failure.to_string()),
            Player::Recorded(_) => self.go_to(0),
        }
    }

    /// Drops the frames after the one shown.
    ///
    /// # Errors
    /// A finished run, and errors of the session.
    pub fn branch(&mut self) -> Result<(), String> {
        self.session()?.branch().map_err(|error| error.to_string())
    }

    /// Acts on the world.
    ///
    /// # Errors
    /// A finished run, and errors of the session.
    pub fn act(&mut self, action: SessionAction) -> Result<(), String> {
        self.session()?.act(action).map_err(|error| error.to_string())
    }

    /// Throws a ball.
    ///
    /// # Errors
    /// A finished run, and errors of the session.
    pub fn throw(&mut self, throw: Throw) -> Result<(), String> {
        let name = self.session()?.name_for_throw();
        self.act(SessionAction::Throw { name, throw })
    }

    /// Reloads the files.
    ///
    /// # Errors
    /// Mistakes in the files.
    pub fn reload(&mut self) -> Result<Reloaded, Failure> {
        match self {
            Player::Live(session) => session.reload(),
            Player::Recorded(_) => Ok(Reloaded::Same),
        }
    }

    /// Paths of its files on disk.
    pub fn paths(&self) -> &[PathBuf] {
        match self {
            Player::Live(session) => session.paths(),
            Player::Recorded(_) => &[],
        }
    }

    /// The controller's file with the values set by hand.
    ///
    /// # Errors
    /// A finished run, and errors of the session.
    pub fn write_back(&mut self) -> Result<WriteBack, String> {
        self.session()?.write_back()
    }

    /// Writes the offered change, unless the file has changed meanwhile.
    ///
    /// # Errors
    /// A file that was changed meanwhile, or cannot be read or written.
    pub fn confirm(&mut self, offer: &WriteBack) -> Result<(), String> {
        let WriteBack { path, before, after } = offer;
        let cannot = |what: &str, error: std::io::Error| format!("cannot {what} {}: {error}", path.display());
        if std::fs::read_to_string(path).map_err(|error| cannot("read", error))? != *before {
            return Err(format!("{} was changed since: look at it again", path.display()));
        }
        std::fs::write(path, after).map_err(|error| cannot("write", error))
    }

    /// Pulls with a spring, or stops pulling.
    ///
    /// # Errors
    /// A finished run.
    pub fn set_pull(&mut self, pull: Option<Pull>) -> Result<(), String> {
        self.session()?.set_pull(pull);
        Ok(())
    }

    /// Writes the scene with all actions to a new file in the working directory, and returns its path.
    ///
    /// # Errors
    /// Actions that a scene cannot express, a finished run, and a file that cannot be written.
    pub fn save(&mut self) -> Result<PathBuf, String> {
        let session = self.session()?;
        let name = session.files().name.clone();
        let stem = |number: usize| format!("{name}_window_{number}");
        let free = (1..=MOST_SAVED).find_map(|number| {
            let path = PathBuf::from(stem(number) + ".toml");
            File::create_new(&path).ok().map(|file| (path, file, stem(number)))
        });
        let (path, mut file, stem) = free.ok_or_else(|| format!("cannot write {name}_window_1.toml"))?;
        let cannot = |path: &Path, error: std::io::Error| format!("cannot write {}: {error}", path.display());
        let SavedScene { text, beside } = match session.saved_scene(&stem) {
            Ok(saved) => saved,
            Err(error) => {
                // The file is empty and was made here.
                let _ = std::fs::remove_file(&path);
                return Err(error.to_string());
            }
        };
        for (name, text) in beside {
            std::fs::write(&name, text).map_err(|error| cannot(Path::new(&name), error))?;
        }
        file.write_all(text.as_bytes()).map_err(|error| cannot(&path, error))?;
        Ok(path)
    }

    /// Provenance of the contact forces in the next frame.
    ///
    /// # Errors
    /// A finished run, and errors of the session.
    pub fn forces_ahead(&mut self) -> Result<Vec<BodyForce>, String> {
        self.session()?.forces_ahead().map_err(|error| error.to_string())
    }

    /// Futures of the state shown.
    ///
    /// # Errors
    /// A finished run, and errors of the session.
    pub fn futures(&mut self, parameter: &str, range: RangeInclusive<f64>) -> Result<Futures, String> {
        self.session()?.futures(parameter, range).map_err(|error| error.to_string())
    }

    fn session(&mut self) -> Result<&mut Session, String> {
        match self {
            Player::Live(session) => Ok(session),
            Player::Recorded(_) => Err("a finished run can only be viewed: open its scene".into()),
        }
    }

    /// Current state for the window.
    pub fn news(&self) -> News {
        let mut news = self.plain_news();
        if let Player::Live(session) = self {
            let moment = session.moment();
            news.parameters = session.parameters();
            news.unread = session.unread().to_vec();
            news.commands = session.commands();
            news.switched = session.switched();
            (news.mind, news.verdicts) = (moment.mind.clone(), moment.verdicts.clone());
            (news.header, news.criteria) = (moment.header.clone(), moment.criteria.clone());
            news.others = moment.others.clone();
            (news.pulling, news.ghost) = (session.pulling(), session.ghost());
            if let Some((controller, values)) = session.controller() {
                (news.controller, news.values) = (Some(controller), values);
            }
        }
        news
    }

    /// News common to all players.
    fn plain_news(&self) -> News {
        let header = match self {
            Player::Live(session) => session.header(),
            Player::Recorded(recording) => &recording.header,
        };
        News {
            frame: self.shown(),
            others: Arc::default(),
            at: self.at(),
            range: self.range(),
            is_running: false,
            speed: 1.0,
            pace: 0.0,
            commands: Vec::new(),
            parameters: Vec::new(),
            unread: Vec::new(),
            values: Vec::new(),
            switched: Vec::new(),
            header: header.clone(),
            controller: None,
            mind: Arc::default(),
            verdicts: Arc::default(),
            criteria: Arc::default(),
            reloads: 0,
            mistakes: None,
            write_back: None,
            forces: None,
            futures: None,
            pulling: None,
            ghost: None,
            message: None,
            written: None,
            fresh: Vec::new(),
            cut: None,
        }
    }
}
