//! An open scene: its world, its checkpoints, and the hand that acts on it.

use crate::finding::{self, PageFinding};
use crate::hand::{self, Hand};
use crate::request::{FutureRequest, OpenRequest, PushRequest, SetParameter};
use aplomb::controller::ControllerFile;
use aplomb::language::files::ReadError;
use aplomb::math::dispatch::set_portable;
use aplomb::scene::{self, Run, SceneFiles};
use aplomb::trace::Frame;
use aplomb::world::{CharacterId, Checkpoint, Watch, WorldError};
use nalgebra::Vector3;

/// Longest future, frames: a longer one would freeze the page.
const MOST_FRAMES: f64 = 6000.0;

/// An open scene.
pub struct PageSession {
    /// The scene's world and criteria.
    pub run: Run,
    /// Its files.
    pub files: SceneFiles,
    /// Forces of the hand.
    pub hand: Hand,
    /// Conditions of the current controller.
    pub watch: Option<Watch>,
    /// Balls thrown so far, for their names.
    pub thrown: usize,
    /// Record of the last frame, or of the current state if no frame led to it: after opening and after restoring.
    frame: Frame,
    kept: Vec<Option<KeptMoment>>,
}

/// Checkpoint of everything that changes.
struct KeptMoment {
    world: Checkpoint,
    hand: Hand,
    thrown: usize,
}

impl PageSession {
    /// Opens a scene. It computes as `--portable` does, so that every machine gives the same numbers.
    ///
    /// # Errors
    /// Mistakes in the scene or the controller.
    pub fn open(request: &OpenRequest) -> Result<Self, Vec<PageFinding>> {
        set_portable(true);
        let mut files =
            scene::load(&request.scene, &request.overrides).map_err(|error| finding::of_load(&error))?;
        if let (Some(text), Some(hero)) = (&request.controller, files.characters.first_mut()) {
            hero.controller = parse(&hero.controller, text)?;
        }
        let run = Run::bind(&files).map_err(|errors| finding::of_errors(&errors))?;
        let mut session = PageSession {
            run,
            files,
            hand: Hand::default(),
            watch: None,
            thrown: 0,
            frame: Frame::default(),
            kept: Vec::new(),
        };
        session.stand();
        Ok(session)
    }

    fn stand(&mut self) {
        let hero = self.run.hero();
        self.frame = self.run.world.standing_frame(hero);
    }

    /// Computes the next frame. It continues after the end of the scene, whatever its criteria are.
    ///
    /// # Errors
    /// A target of the hand that no longer exists, or a value of the controller that cannot be used.
    pub fn step(&mut self) -> Result<(), Vec<PageFinding>> {
        self.hand.act(&mut self.run.world).map_err(|error| finding::of_world(&error))?;
        self.run.world.step().map_err(|error| finding::plain(error.to_string()))?;
        self.run.results().write_frame(&mut self.frame);
        Ok(())
    }

    /// Record of the last frame, or of the current state if no frame led to it.
    pub fn frame(&self) -> &Frame {
        &self.frame
    }

    /// Replaces the controller by that of a text. If that has mistakes, the old one stays.
    ///
    /// # Errors
    /// Mistakes in the text.
    pub fn replace(&mut self, text: &str) -> Result<(), Vec<PageFinding>> {
        let Some(hero) = self.run.hero() else { return Err(finding::plain("this scene has no character")) };
        let file = parse(&self.run.world.character(hero).controller, text)?;
        self.run.world.replace_controller(hero, file).map_err(|error| finding::of_world(&error))
    }

    /// Time at which the first character falls in a future, s from now; `None` if it does not fall, or the scene has
    /// no character. The session is not changed.
    ///
    /// # Errors
    /// A target or parameter that does not exist.
    pub fn falls(&mut self, future: &FutureRequest) -> Result<Option<f64>, Vec<PageFinding>> {
        let Some(hero) = self.run.hero() else { return Ok(None) };
        let present = self.run.world.checkpoint();
        let falls = self.go_on(hero, future);
        self.run.world.restore(&present).map_err(|error| finding::of_world(&error))?;
        falls.map_err(|error| finding::of_world(&error))
    }

    fn go_on(&mut self, hero: CharacterId, future: &FutureRequest) -> Result<Option<f64>, WorldError> {
        let PageSession { run: Run { world, .. }, hand, .. } = self;
        let dt = world.settings().dt;
        if let Some(SetParameter { name, value }) = &future.set {
            world.set_parameter(hero, name, *value)?;
        }
        if let Some(PushRequest { target, force, duration }) = future.push {
            hand::push(world, target, Vector3::zeros(), force.into(), duration)?;
        }
        let frames = (future.seconds / dt).round().clamp(0.0, MOST_FRAMES);
        for frame in 1..=frames as u64 {
            hand.act(world)?;
            if world.step().is_err() || world.has_fallen(hero) {
                return Ok(Some(frame as f64 * dt));
            }
        }
        Ok(None)
    }

    /// Saves everything that changes; returns the number of the checkpoint.
    pub fn keep(&mut self) -> usize {
        let kept = KeptMoment { world: self.run.world.checkpoint(), hand: self.hand, thrown: self.thrown };
        let free = self.kept.iter().position(Option::is_none).unwrap_or_else(|| {
            self.kept.push(None);
            self.kept.len() - 1
        });
        self.kept[free] = Some(kept);
        free
    }

    /// Restores the checkpoint with this number.
    ///
    /// # Errors
    /// There is no checkpoint with this number.
    pub fn restore(&mut self, number: usize) -> Result<(), Vec<PageFinding>> {
        let Some(Some(kept)) = self.kept.get(number) else {
            return Err(finding::plain(format!("nothing is kept as {number}")));
        };
        self.run.world.restore(&kept.world).map_err(|error| finding::of_world(&error))?;
        (self.hand, self.thrown) = (kept.hand, kept.thrown);
        self.stand();
        Ok(())
    }

    /// Deletes the checkpoint with this number.
    pub fn forget(&mut self, number: usize) {
        if let Some(kept) = self.kept.get_mut(number) {
            *kept = None;
        }
    }
}

/// A controller from its text, under the name of the one that it replaces.
fn parse(old: &ControllerFile, text: &str) -> Result<ControllerFile, Vec<PageFinding>> {
    ControllerFile::parse(&old.source.name, text).map_err(|error| match error {
        ReadError::Mistakes(errors) => finding::of_errors(&errors),
        ReadError::NotFound(missing) => finding::of_missing(&missing),
    })
}
