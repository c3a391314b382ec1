//! Particles that are led: moving pins, and dragging, which is inverse kinematics by relaxation [Jakobsen 2001].

use super::{Given, Grip, Particles};
use aplomb_language::expression::{Lookup, Names, Value, VectorValue};
use nalgebra::Vector3;

/// Some particles, and where they are led.
#[derive(Clone, Debug)]
pub struct Drag {
    /// With the places they begin at, m.
    pub of: Vec<(usize, Vector3<f64>)>,
    /// By time: m.
    pub course: VectorValue,
    /// Whether that counts from where each begins.
    pub offset: bool,
    /// When it begins and ends, s.
    pub from: f64,
    pub until: f64,
    /// Whether events let it lead them.
    pub on: bool,
}

/// The time of a run, of which alone a course can speak.
pub struct Time(pub f64);

impl Names for Time {
    fn meaning(&self, _name: &str) -> Option<aplomb_language::expression::Meaning> {
        None
    }

    fn known(&self) -> Vec<String> {
        Vec::new()
    }
}

impl Lookup for Time {
    /// Not asked for: it has no names.
    fn quantity(&self, _slot: usize, _arguments: &[Value]) -> Value {
        Value::Number(f64::NAN)
    }

    fn time(&self) -> f64 {
        self.0
    }

    fn state_time(&self) -> f64 {
        self.0
    }
}

/// Leads particles to where they are to be at a time, s. Numbers that are not finite lead nowhere.
pub fn lead(drags: &[Drag], particles: &mut Particles, time: f64) {
    particles.grips.clear();
    for drag in drags.iter().filter(|drag| drag.on && (drag.from..=drag.until).contains(&time)) {
        let course = drag.course.value(&Time(time));
        for (particle, start) in &drag.of {
            let target = if drag.offset { start + course } else { course };
            if target.iter().all(|x| x.is_finite()) {
                particles.grips.push(Grip { particle: *particle, target, given: Given::default() });
            }
        }
    }
}
