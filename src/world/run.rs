//! A whole run: frames until the end, each handed on as it comes.

use crate::trace::Frame;
use crate::world::step::{BadValue, FrameResult, Simulation};

/// Runs `simulation` to its end. `each` sees every frame as it is solved; the last record, which has no forces,
/// is returned.
pub fn run<E: From<BadValue>>(
    simulation: &mut Simulation,
    mut each: impl FnMut(&Simulation, &FrameResult) -> Result<(), E>,
) -> Result<Frame, E> {
    let mut stepped = FrameResult::default();
    while !simulation.is_over() && simulation.step(&mut stepped)? {
        stepped.binding = simulation.character.synthesiser.binding();
        each(simulation, &stepped)?;
    }
    Ok(simulation.last_frame())
}
