//! Particles with prescribed motion: moving pins, and dragging, which is inverse kinematics by relaxation
//! [Jakobsen 2001].

use super::{Given, Particles, PinnedParticle};
use aplomb_language::expression::{Lookup, Names, Set, Value, VectorValue};
use nalgebra::Vector3;

/// Particles with a prescribed trajectory.
#[derive(Clone, Debug)]
pub(super) struct Drag {
    /// The particles, with their initial positions, m.
    pub of: Vec<(usize, Vector3<f64>)>,
    /// The trajectory as a function of time, m.
    pub course: VectorValue,
    /// Whether the trajectory is relative to the initial positions.
    pub offset: bool,
    /// Time at which it begins, s.
    pub from: f64,
    pub until: f64,
    /// Whether it is enabled.
    pub on: bool,
}

/// The time of a run, the only quantity that a trajectory can use.
pub(super) struct Time(pub f64);

impl Names for Time {
    fn meaning(&self, _name: &str) -> Option<aplomb_language::expression::Meaning> {
        None
    }

    fn known(&self) -> Vec<String> {
        Vec::new()
    }
}

impl Lookup for Time {
    /// Never called: there are no names.
    fn quantity(&self, _slot: usize, _arguments: &[Value]) -> Value {
        Value::Number(f64::NAN)
    }

    fn presence(&self, _: Set, _: usize) -> Option<bool> {
        None
    }

    fn time(&self) -> f64 {
        self.0
    }

    fn state_time(&self) -> f64 {
        self.0
    }
}

/// Moves particles to their positions at a time, s. Positions that are not finite are ignored.
pub(super) fn lead(drags: &[Drag], particles: &mut Particles, time: f64) {
    particles.grips.clear();
    for drag in drags.iter().filter(|drag| drag.on && (drag.from..=drag.until).contains(&time)) {
        let course = drag.course.value(&Time(time));
        for (particle, start) in &drag.of {
            let target = if drag.offset { start + course } else { course };
            if target.iter().all(|x| x.is_finite()) {
                particles.grips.push(PinnedParticle { particle: *particle, target, given: Given::default() });
            }
        }
    }
}
