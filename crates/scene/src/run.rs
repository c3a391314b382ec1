//! A scene ready to run: its world, how long it goes on, and what it is judged by.

use super::criteria::{self, BoundCriterion, CriterionKind};
use aplomb_language::diagnostic::Warning;
use aplomb_trace::Frame;
use aplomb_world::character::Character;
use aplomb_world::{CharacterId, FrameResult, StepError, World};

/// A scene bound and running. Made by [`Run::bind`].
pub struct Run {
    /// The world with its characters and objects.
    pub world: World,
    /// Criteria of the scene, in its order.
    pub criteria: Vec<BoundCriterion>,
    /// How many frames it goes on for.
    pub frames: u64,
}

impl Run {
    /// Has every criterion note by how much it is met, from now on.
    pub fn measure_margins(&mut self) {
        for criterion in &mut self.criteria {
            criterion.margin = Some(match criterion.kind {
                CriterionKind::Always => 1.0,
                CriterionKind::AtEnd | CriterionKind::Once => -1.0,
            });
        }
    }

    /// Whether all frames are done.
    pub fn is_over(&self) -> bool {
        self.world.frame_index() >= self.frames
    }

    /// The scene's first character.
    pub fn hero(&self) -> Option<CharacterId> {
        self.world.characters().next()
    }

    /// What the scene's files say that can be done and is probably not what was meant, as far as it takes a body to
    /// see it.
    pub fn warnings(&self) -> Vec<Warning> {
        self.hero().map_or_else(Vec::new, |hero| self.world.character(hero).warnings())
    }

    /// The scene's character.
    ///
    /// # Panics
    /// Where nobody acts in the scene.
    pub fn character(&self) -> &Character {
        match self.hero() {
            Some(hero) => self.world.character(hero),
            None => panic!("nobody acts in this scene"),
        }
    }

    /// The scene's character, to be changed.
    ///
    /// # Panics
    /// Where nobody acts in the scene.
    pub fn character_mut(&mut self) -> &mut Character {
        match self.hero() {
            Some(hero) => self.world.character_mut(hero),
            None => panic!("nobody acts in this scene"),
        }
    }

    /// Computes the next frame and moves on to it. `None` when a criterion that must always hold does not: the run
    /// is over where it stands. After the first frames of a kind it allocates nothing.
    ///
    /// # Errors
    /// A value of the controller that no frame can be computed with.
    pub fn step(&mut self) -> Result<Option<&FrameResult>, StepError> {
        if !self.judge() {
            return Ok(None);
        }
        self.world.step()?;
        Ok(Some(self.result()))
    }

    /// Holds the criteria against the world as it stands, with the controller in the state that led here; false when
    /// one that must always hold does not.
    pub fn judge(&mut self) -> bool {
        self.world.observe();
        let hero = self.hero();
        let Run { world, criteria, .. } = self;
        let measure = world.measure(hero);
        if hero.is_none() {
            return criteria::judge(criteria, 0, &measure);
        }
        // All of them are judged, whatever becomes of the first.
        world.characters().fold(true, |upright, id| {
            let measure = world.measure(Some(id));
            criteria::judge(criteria, id.0, &world.character(id).machine.lookup(&measure)) && upright
        })
    }

    /// What the last step gave.
    pub fn result(&self) -> &FrameResult {
        self.world.result(self.hero())
    }

    /// The record of where the run stands, without forces.
    pub fn last_frame(&mut self) -> Frame {
        self.judge();
        self.world.standing_frame(self.hero())
    }

    /// Goes on to the end. `each` sees every frame as it is solved; the last record, which has no forces, is
    /// returned.
    ///
    /// # Errors
    /// What `each` gives, and a value of the controller that no frame can be computed with.
    pub fn finish<E: From<StepError>>(
        &mut self,
        mut each: impl FnMut(&World, &FrameResult) -> Result<(), E>,
    ) -> Result<Frame, E> {
        let hero = self.hero();
        while !self.is_over() && self.step()?.is_some() {
            if let Some(hero) = hero {
                self.world.note_binding(hero);
            }
            each(&self.world, self.world.result(hero))?;
        }
        Ok(self.last_frame())
    }
}
