//! Results of pushes.

use super::Summariser;
use crate::report::Shove;
use crate::summary::PushSummary;
use crate::summary::pendulum::{bound, distance_to_edge};
use aplomb_trace::{ContactKind, External, Frame, Header, is_part_of};
use nalgebra::{Vector2, Vector3};

/// An object that touches the character with less than this speed of approach, m/s, does not push it.
const ARRIVING: f64 = 0.5;

/// Largest horizontal share of gravity up to which the bound of the pendulum applies.
const LEVEL: f64 = 1e-3;

/// Data of a push that are accumulated while it acts.
pub(super) struct PushTally {
    /// Sum of the magnitudes of its impulses over frames, N s.
    length: f64,
    /// Time of the last frame in which it acted, s.
    last: f64,
}

impl Summariser {
    pub(super) fn push(&mut self, frame: &Frame, external: &External) {
        let change = Vector3::from(external.force) * self.header.dt;
        let index = self.pushes.iter().rposition(|push| push.name == external.name);
        let index = match index.filter(|index| !self.hits_again(*index, frame)) {
            Some(index) => index,
            None => {
                self.begin_push(frame, external, change);
                self.pushes.len() - 1
            }
        };
        let tally = &mut self.push_tallies[index];
        (tally.length, tally.last) = (tally.length + change.norm(), frame.time);
        let push = &mut self.pushes[index];
        let impulse = Vector3::from(push.impulse) + change;
        push.impulse = impulse.into();
        push.horizontal = impulse.xy().norm();
        let gravity = Vector3::from(self.header.gravity);
        let Header { mass, com_height, dt, .. } = self.header;
        let duration = frame.time - push.at + dt;
        // The pendulum of the bound stands upright against gravity, which does not push it aside.
        let distance =
            push.distance.filter(|_| gravity.xy().norm() <= LEVEL * gravity.norm() && gravity.z < 0.0);
        push.bound = distance.map(|distance| bound(mass, -gravity.z, com_height, distance, duration));
        push.share = push.bound.filter(|bound| *bound > 0.0).map(|bound| push.horizontal / bound);
        self.story.pushes[index].share = push.share;
    }

    /// Forces of objects that arrive in contacts that are unknowns of the frame: those that came towards the character
    /// faster than [`ARRIVING`] when they touched it, as long as they do.
    pub(super) fn arrivals(&self, frame: &Frame) -> Vec<External> {
        let objects =
            self.header.passive.iter().zip(&frame.passive).filter(|(object, _)| !object.is_character());
        let arriving = objects.filter_map(|(object, state)| {
            let touching = frame.contacts.iter().filter(|contact| {
                // What the character stands on supports it: no push.
                let presses =
                    matches!(contact.kind, ContactKind::Static | ContactKind::Dynamic) && !contact.supports();
                presses && is_part_of(&contact.surface, &object.name)
            });
            let force: Vector3<f64> = touching.map(|contact| Vector3::from(contact.force)).sum();
            let way = (Vector3::from(frame.com) - Vector3::from(state.com)).normalize();
            let approach = way.dot(&(Vector3::from(state.com_velocity) - Vector3::from(frame.com_velocity)));
            let of = self.pushes.iter().rposition(|push| push.name == object.name);
            let goes_on = of.is_some_and(|of| frame.time - self.push_tallies[of].last < 1.5 * self.header.dt);
            let arrives = force != Vector3::zeros() && (goes_on || approach > ARRIVING);
            arrives.then(|| External {
                name: object.name.clone(),
                force: force.into(),
                ..External::default()
            })
        });
        arriving.collect()
    }

    /// Whether a passive object that acted before hits again: the time since then exceeds the time constant √(h/g) of
    /// a pendulum of the character's height.
    fn hits_again(&self, index: usize, frame: &Frame) -> bool {
        let Header { com_height, gravity, dt, .. } = &self.header;
        let constant = (com_height / Vector3::from(*gravity).norm()).sqrt();
        let is_object = is_object(&self.header, &self.pushes[index].name);
        is_object && frame.time - self.push_tallies[index].last > constant + 0.5 * dt
    }

    fn begin_push(&mut self, frame: &Frame, external: &External, change: Vector3<f64>) {
        let name = || external.name.clone();
        let is_hit = is_object(&self.header, &external.name);
        self.story.pushes.push(Shove { time: frame.time, name: name(), is_hit, share: None });
        self.push_tallies.push(PushTally { length: 0.0, last: frame.time });
        let along = change.xy();
        // A body that is fixed to the world does not fall like a pendulum.
        let distance = (!self.is_fixed && along.norm() > 1e-12)
            .then(|| {
                let com = Vector2::new(frame.com[0], frame.com[1]);
                distance_to_edge(&frame.support_polygon, com, along.normalize())
            })
            .flatten();
        self.pushes.push(PushSummary {
            name: name(),
            at: frame.time,
            impulse: [0.0; 3],
            horizontal: 0.0,
            distance,
            bound: None,
            share: None,
        });
    }

    /// Removes the pushes of passive objects that only graze the character.
    pub(super) fn leave_out_brushes(&mut self) {
        let Summariser { header, pushes, push_tallies, story, .. } = self;
        let brush = header.brush();
        let stays: Vec<bool> = pushes
            .iter()
            .zip(&*push_tallies)
            .map(|(push, tally)| !is_object(header, &push.name) || tally.length >= brush)
            .collect();
        retain(pushes, &stays);
        retain(push_tallies, &stays);
        retain(&mut story.pushes, &stays);
    }
}

/// Whether a push is by a passive object rather than an event of the scene.
fn is_object(header: &Header, name: &str) -> bool {
    header.passive.iter().any(|object| !object.is_character() && object.name == name)
}

fn retain<T>(list: &mut Vec<T>, stays: &[bool]) {
    let mut stays = stays.iter();
    list.retain(|_| stays.next().is_some_and(|stays| *stays));
}
