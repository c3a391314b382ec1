//! Provenance of the forces of the next frame, without changing the world.

use super::contents::{CharacterId, World, WorldError};
use super::result::StepError;
use aplomb_control::synthesis::ForceProvenance;

/// Reasons why the forces of the next frame cannot be reported.
#[derive(Debug, thiserror::Error)]
pub enum ForcesAheadError {
    /// The frame cannot be computed.
    #[error(transparent)]
    Step(#[from] StepError),
    /// The present state cannot be restored.
    #[error(transparent)]
    World(#[from] WorldError),
}

impl World {
    /// Provenance of a character's contact and grip forces in the next frame, as that frame will be without further
    /// events. `None` if no problem is solved for the character alone: for a ragdoll, without a solution, and if it
    /// grips another character. The world is not changed. It costs one solve per objective.
    ///
    /// # Errors
    /// A frame that cannot be computed; the world is then unchanged.
    ///
    /// # Panics
    /// If `id` is of another world.
    #[doc(alias = "force attribution")]
    pub fn forces_ahead(&mut self, id: CharacterId) -> Result<Option<ForceProvenance>, ForcesAheadError> {
        let present = self.checkpoint();
        let results: Vec<_> = self.actors.iter().map(|actor| actor.result.clone()).collect();
        let explains = std::mem::replace(&mut self.actors[id.0].character.synthesiser.explains, true);
        let stepped = self.step();
        let synthesiser = &mut self.actors[id.0].character.synthesiser;
        synthesiser.explains = explains;
        let provenance = synthesiser.take_provenance();
        self.restore(&present)?;
        for (actor, result) in self.actors.iter_mut().zip(results) {
            actor.result = result;
        }
        stepped?;
        Ok(provenance)
    }
}
