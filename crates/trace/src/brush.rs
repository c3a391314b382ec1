//! Touches of passive objects that are too weak to matter.

use crate::{Frame, Header, Trace};
use nalgebra::Vector3;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// An object brushes a character if the impulses of its touches add up to less than this share of m √(g h). An
/// impulse j moves the capture point by j/(m ω₀): all of them together by less than h/1000, which is 1 mm for an adult.
pub(crate) const BRUSH: f64 = 1e-3;

impl Header {
    /// Impulse below which the touches of a passive object do not matter, N s.
    pub fn brush(&self) -> f64 {
        BRUSH * self.mass * (Vector3::from(self.gravity).norm() * self.com_height).sqrt()
    }
}

impl Trace {
    /// Names of the passive objects that only brush the character.
    pub fn brushes(&self) -> Vec<String> {
        let mut impulses: BTreeMap<&str, f64> = BTreeMap::new();
        for push in self.frames.iter().flat_map(|frame| &frame.external) {
            *impulses.entry(&push.name).or_default() += Vector3::from(push.force).norm() * self.header.dt;
        }
        let objects = || self.header.passive.iter().filter(|object| !object.is_character());
        let is_object = |name: &str| objects().any(|object| object.name == name);
        let brush = self.header.brush();
        let weak = impulses.into_iter().filter(|(name, impulse)| *impulse < brush && is_object(name));
        weak.map(|(name, _)| name.to_string()).collect()
    }

    /// The trace without the forces of passive objects that only brush the character, as a pose strip shows it.
    pub fn without_brushes(&self) -> Cow<'_, Trace> {
        let weak = self.brushes();
        if weak.is_empty() {
            return Cow::Borrowed(self);
        }
        let mut trace = self.clone();
        for Frame { events, external, .. } in &mut trace.frames {
            events.retain(|name| !weak.contains(name));
            external.retain(|push| !weak.contains(&push.name));
        }
        Cow::Owned(trace)
    }
}

#[cfg(test)]
mod tests {
    use crate::{PassiveHeader, example};
    use std::borrow::Cow;

    #[test]
    fn an_object_that_only_brushes_is_left_out_and_one_that_pushes_is_kept() {
        let mut trace = example::trace(4);
        let name = trace.frames[0].external[0].name.clone();
        trace.header.passive = vec![PassiveHeader {
            name: name.clone(),
            kind: "cloth".into(),
            mass: 0.4,
            parts: Vec::new(),
            solids: Vec::new(),
            segments: Vec::new(),
        }];
        trace.header.gravity = [0.0, 0.0, -9.81];
        (trace.header.mass, trace.header.com_height) = (62.0, 0.93);
        assert!((trace.header.brush() - 0.187).abs() < 1e-3);
        let with = |force: f64| {
            let mut trace = trace.clone();
            let externals = trace.frames.iter_mut().flat_map(|frame| &mut frame.external);
            externals.for_each(|push| push.force = [force, 0.0, 0.0]);
            trace
        };
        assert!(matches!(with(50.0).without_brushes(), Cow::Borrowed(_)));
        let weak = with(0.1);
        let drawn = weak.without_brushes();
        assert!(drawn.frames.iter().all(|frame| frame.external.is_empty() && !frame.events.contains(&name)));
    }
}
