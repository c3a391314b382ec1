//! The worlds of a session: another one from each moment on at which the scene's files were changed.

use super::company::{self, Cast, Company};
use super::moment::{Saved, Verdict};
use aplomb::cli::Failure;
use aplomb::controller::ControllerFile;
use aplomb::scene::{self, CriterionKind, Run, SceneFiles};
use aplomb::trace::Header;
use aplomb::world::{LeftBehind, Watch};
use std::sync::Arc;

/// A world, from one frame on.
pub struct Era {
    /// Its first frame.
    pub from: u64,
    /// How it stands as that begins.
    pub start: Saved,
    /// Of what is done in its first frame, what was done before it began.
    pub told: usize,
    /// The world, wherever it stands now, and by what it is judged.
    pub run: Run,
    /// The files that it was made from.
    pub files: SceneFiles,
    /// What does not change from frame to frame.
    pub header: Arc<Header>,
    /// The controller that it begins with.
    pub controller: Option<Arc<ControllerFile>>,
    /// The criteria: name, when they must hold, and what must.
    pub criteria: Arc<[[String; 3]]>,
    /// Who is in it beside the scene's character.
    pub cast: Cast,
    /// The conditions of its controller.
    pub watch: Option<Watch>,
}

impl Era {
    /// The world of a scene, as it begins.
    pub fn first(files: SceneFiles, company: Option<&Company>) -> Result<Self, Failure> {
        let mut run = Run::bind(&files)?;
        let cast = company::join(&mut run, company)?;
        Ok(Self::of(files, run, cast, 0))
    }

    /// The world of changed files, which goes on where another one stands; with what does not come along.
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

    /// Makes the header say what the world is now.
    pub fn renew_header(&mut self) {
        self.header = Arc::new(scene::header(&self.files, &self.run));
    }

    /// Criteria as they stand.
    pub fn verdicts(&self) -> Vec<Verdict> {
        self.run
            .criteria
            .iter()
            .map(|criterion| Verdict { holds: criterion.holds, at: criterion.at })
            .collect()
    }
}
