//! Results of pushes.

use super::Summariser;
use crate::report::Shove;
use crate::summary::PushSummary;
use crate::summary::pendulum::{bound, distance_to_edge};
use aplomb_trace::{External, Frame, Header};
use nalgebra::{Vector2, Vector3};
impl Summariser {
    pub(super) fn push(&mut self, frame: &Frame, external: &External) {
        let change = Vector3::from(external.force) * self.header.dt;
        let push = match self.pushes.iter_mut().find(|push| push.name == external.name) {
            Some(push) => push,
            None => {
                self.story.pushes.push(Shove { time: frame.time, name: external.name.clone(), share: None });
                let along = change.xy();
                // A body that is fixed to the world does not fall like a pendulum.
                let distance = (!self.is_fixed && along.norm() > 1e-12)
                    .then(|| {
                        let com = Vector2::new(frame.com[0], frame.com[1]);
                        distance_to_edge(&frame.support_polygon, com, along.normalize())
                    })
                    .flatten();
                let gravity = Vector3::from(self.header.gravity).norm();
                let Header { mass, com_height, .. } = self.header;
                self.pushes.push(PushSummary {
                    name: external.name.clone(),
                    at: frame.time,
                    impulse: [0.0; 3],
                    horizontal: 0.0,
                    distance,
                    bound: distance.map(|distance| bound(mass, gravity, com_height, distance)),
                    share: None,
                });
                let newest = self.pushes.len() - 1;
                &mut self.pushes[newest]
            }
        };
        match self.push_lengths.iter_mut().find(|(name, _)| *name == external.name) {
            Some((_, length)) => *length += change.norm(),
            None => self.push_lengths.push((external.name.clone(), change.norm())),
        }
        let impulse = Vector3::from(push.impulse) + change;
        push.impulse = impulse.into();
        push.horizontal = impulse.xy().norm();
        push.share = push.bound.filter(|bound| *bound > 0.0).map(|bound| push.horizontal / bound);
        if let Some(shove) = self.story.pushes.iter_mut().find(|shove| shove.name == push.name) {
            shove.share = push.share;
        }
    }

    /// Removes the pushes of passive objects that only brush the character.
    pub(super) fn leave_out_brushes(&mut self) {
        let Summariser { header, pushes, push_lengths, story, .. } = self;
        let brush = header.brush();
        let objects = || header.passive.iter().filter(|object| !object.is_character());
        let is_object = |name: &str| objects().any(|object| object.name == name);
        let is_weak =
            |name: &str| push_lengths.iter().any(|(other, length)| other == name && *length < brush);
        pushes.retain(|push| !(is_object(&push.name) && is_weak(&push.name)));
        story.pushes.retain(|push| !(is_object(&push.name) && is_weak(&push.name)));
    }
}
