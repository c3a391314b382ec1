//! Predictions from the state shown: provenance of the contact forces, and futures with one parameter changed.

use super::{Session, SessionAction, SessionError};
use aplomb::synthesis::BodyForce;
use aplomb::world::ForcesAheadError;
use std::ops::RangeInclusive;

/// Duration of each future, s.
pub const SECONDS: f64 = 1.0;
/// Number of futures.
const COUNT: usize = 100;

/// Futures of a state, each with a different value of a parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Futures {
    /// Name of the parameter.
    pub parameter: String,
    /// Number of frames before the state.
    pub at: u64,
    /// Evenly spaced values of the parameter.
    pub values: Vec<f64>,
    /// Time at which each falls, s: the centre of mass is down, or no frame can be computed; `None` if it stands to
    /// the end.
    pub falls: Vec<Option<f64>>,
}

impl Session {
    /// Provenance of the character's contact forces in the next frame, body by body; empty without a character, and
    /// if no problem is solved for the character alone.
    ///
    /// # Errors
    /// Earlier frames, or the next one, cannot be computed.
    pub fn forces_ahead(&mut self) -> Result<Vec<BodyForce>, ForcesAheadError> {
        let stood = self.stand_at(self.at).and_then(|()| self.tell());
        stood.map_err(|error| match error {
            SessionError::Action(error) => ForcesAheadError::World(error),
            SessionError::Step(error) => ForcesAheadError::Step(error),
        })?;
        let Some(hero) = self.hero() else { return Ok(Vec::new()) };
        let provenance = self.world_mut().forces_ahead(hero)?;
        Ok(provenance
            .map_or_else(Vec::new, |provenance| provenance.by_body(&self.world().character(hero).model)))
    }

    /// A hundred futures of the state shown, of [`SECONDS`] each, over a range of a parameter. The session is not
    /// changed.
    ///
    /// # Errors
    /// Earlier frames that can no longer be computed, or a parameter that the controller does not have.
    pub fn futures(&mut self, parameter: &str, range: RangeInclusive<f64>) -> Result<Futures, SessionError> {
        self.stand_at(self.at)?;
        self.tell()?;
        let frames = (SECONDS / self.dt()).round() as u64;
        let (at, hero, present) = (self.at, self.hero(), self.world().checkpoint());
        let step = (range.end() - range.start()) / (COUNT - 1) as f64;
        let values: Vec<f64> = (0..COUNT).map(|k| range.start() + step * k as f64).collect();
        let world = self.world_mut();
        let mut fall = |value: f64| {
            world.restore(&present)?;
            SessionAction::set_parameter(parameter, value).apply(world)?;
            for frame in 0..frames {
                let is_down = world.step().is_err() || hero.is_some_and(|hero| world.has_fallen(hero));
                if is_down {
                    return Ok(Some((frame + 1) as f64 * world.settings().dt));
                }
            }
            Ok(None)
        };
        let falls: Result<Vec<Option<f64>>, SessionError> = values.iter().map(|value| fall(*value)).collect();
        self.world_mut().restore(&present)?;
        Ok(Futures { parameter: parameter.to_owned(), at, values, falls: falls? })
    }
}
