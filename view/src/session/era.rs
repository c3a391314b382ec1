//! Eras of a session: each change of the scene's files starts a new world.

use super::company::{self, Cast, Company};
use super::moment::{CriterionVerdict, Saved};
use aplomb::cli::Failure;
use aplomb::controller::ControllerFile;
use aplomb::scene::{self, CriterionKind, Run, SceneFiles};
use aplomb::trace::Header;
use aplomb::world::{LeftBehind, Watch};
use std::sync::Arc;

/// A world from one frame on.
pub struct Era {
    /// Number of its first frame.
    pub from: u64,
    /// State at the beginning of that frame.
    pub start: Saved,
    /// Number of actions in its first frame that were applied before the change.
    pub told: usize,
    /// The world and its criteria, at any frame of the era.
    pub run: Run,
    /// Files of the world.
    pub files: SceneFiles,
    /// The trace header.
    pub header: Arc<Header>,
    /// The controller at its beginning.
    pub controller: Option<Arc<ControllerFile>>,
    /// The criteria: name, when they must hold, and their condition.
    pub criteria: Arc<[[String; 3]]>,
    /// The other characters in it.
    pub cast: Cast,
    /// Conditions of its controller.
    pub watch: Option<Watch>,
}

impl Era {
    /// The world of a scene at its beginning.
    pub fn first(files: SceneFiles, company: Option<&Company>) -> Result<Self, Failure> {
        let mut run = Run::bind(&files)?;
        let cast = company::join(&mut run, company)?;
        Ok(Self::of(files, run, cast, 0))
    }

    /// The world of changed files in the state of the previous one, with what could not be taken over.
    pub fn after(
        files: SceneFiles,
        company: Option<&Company>,
        old: &Era,
    ) -> Result<(Self, Vec<LeftBehind>), Failure> {
        let mut run = Run::bind(&files)?;
        let cast = company::join(&mut run, company)?;
        let left = run.world.take_over(&old.run.world);
        for criterion in &mut run.criteria {
            if let Some(known) = old.run.criteria.iter().find(|known| known.name == criterion.name) {
                (criterion.at, criterion.holds) = (known.at, known.holds);
            }
        }
        let from = run.world.frame_index();
        Ok((Self::of(files, run, cast, from), left))
    }

    fn of(files: SceneFiles, run: Run, cast: Cast, from: u64) -> Self {
        let header = Arc::new(scene::header(&files, &run));
        let start = Saved::of(&run);
        let controller = files.characters.first().map(|first| Arc::new(first.controller.clone()));
        let criteria = run.criteria.iter().map(|criterion| {
            let when = match criterion.kind {
                CriterionKind::Always => "always",
                CriterionKind::AtEnd => "at_end",
                CriterionKind::Once => "once",
            };
            [criterion.name.clone(), when.to_owned(), criterion.condition.text().to_string()]
        });
        let criteria = criteria.collect();
        Era { controller, criteria, from, start, told: 0, run, files, header, cast, watch: None }
    }

    /// Updates the header to the current world.
    pub fn renew_header(&mut self) {
        self.header = Arc::new(scene::header(&self.files, &self.run));
    }

    /// Current verdicts of the criteria.
    pub fn verdicts(&self) -> Vec<CriterionVerdict> {
        self.run
            .criteria
            .iter()
            .map(|criterion| CriterionVerdict { holds: criterion.holds, at: criterion.at })
            .collect()
    }
}
