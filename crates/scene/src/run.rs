//! A running scene: its world, its length, and its criteria.

use super::criteria::{self, BoundCriterion, CriterionKind};
use aplomb_language::diagnostic::Warning;
use aplomb_trace::Frame;
use aplomb_world::character::Character;
use aplomb_world::{CharacterId, Results, StepError, World};

/// A scene bound and running. Created by [`Run::bind`].
pub struct Run {
    /// The world with its characters and objects.
    pub world: World,
    /// Criteria of the scene, in its order.
    pub criteria: Vec<BoundCriterion>,
    /// Number of frames of the run.
    pub frames: u64,
}

impl Run {
    /// Enables the measurement of margins of all criteria from now on.
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

    /// Warnings about settings of the scene's files that are valid but probably not intended, for which a
    /// body is needed.
    pub fn warnings(&self) -> Vec<Warning> {
        self.hero().map_or_else(Vec::new, |hero| self.world.character(hero).warnings())
    }

    /// The scene's character.
    ///
    /// # Panics
    /// If the scene has no character.
    pub fn character(&self) -> &Character {
        match self.hero() {
            Some(hero) => self.world.character(hero),
            None => panic!("this scene has no character"),
        }
    }

    /// The scene's character, mutable.
    ///
    /// # Panics
    /// If the scene has no character.
    pub fn character_mut(&mut self) -> &mut Character {
        match self.hero() {
            Some(hero) => self.world.character_mut(hero),
            None => panic!("this scene has no character"),
        }
    }

    /// Computes the next frame. `None` if a criterion of kind `always` fails, which ends the run. It does not
    /// allocate memory once each kind of frame has occurred.
    ///
    /// # Errors
    /// If a value of the controller cannot be used.
    pub fn step(&mut self) -> Result<Option<Results<'_>>, StepError> {
        if !self.judge() {
            return Ok(None);
        }
        self.world.step()?;
        Ok(Some(self.results()))
    }

    /// Evaluates the criteria in the present state, with the controller in the state that produced it; returns false
    /// if one of kind `always` does not hold.
    pub fn judge(&mut self) -> bool {
        self.world.observe();
        let hero = self.hero();
        let Run { world, criteria, .. } = self;
        let measure = world.measure(hero);
        if hero.is_none() {
            return criteria::judge(criteria, 0, &measure);
        }
        // All characters are checked, even after a failure.
        world.characters().fold(true, |upright, id| {
            let measure = world.measure(Some(id));
            criteria::judge(criteria, id.0, &world.character(id).machine.lookup(&measure)) && upright
        })
    }

    /// Results of the last step, for the world and the scene's first character.
    pub fn results(&self) -> Results<'_> {
        self.world.results(self.hero())
    }

    /// The record of the last frame, in the form of the scene's trace.
    pub fn frame(&self) -> Frame {
        self.results().frame()
    }

    /// The record of the present state, without forces.
    pub fn last_frame(&mut self) -> Frame {
        self.judge();
        let Run { world, criteria, .. } = self;
        if world.characters().next().is_none() {
            criteria::judge_end(criteria, 0, &world.measure(None));
        }
        for id in world.characters() {
            let measure = world.measure(Some(id));
            criteria::judge_end(criteria, id.0, &world.character(id).machine.lookup(&measure));
        }
        self.world.standing_frame(self.hero())
    }

    /// Runs to the end. `each` receives every solved frame; the last record, without forces, is returned.
    ///
    /// # Errors
    /// Errors of `each`, and unusable values of the controller.
    pub fn finish<E: From<StepError>>(
        &mut self,
        mut each: impl FnMut(&World, Results<'_>) -> Result<(), E>,
    ) -> Result<Frame, E> {
        let hero = self.hero();
        while !self.is_over() && self.step()?.is_some() {
            if let Some(hero) = hero {
                self.world.note_binding(hero);
            }
            each(&self.world, self.world.results(hero))?;
        }
        Ok(self.last_frame())
    }
}
