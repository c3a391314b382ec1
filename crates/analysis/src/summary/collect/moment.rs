//! The state of the character at a frame, for the report on a run.

use super::Summariser;
use crate::report::StoryMoment;
use aplomb_body::model::scales::STANDARD_GRAVITY;
use aplomb_control::synthesis::BindingLimit;
use aplomb_math::geometry::Polygon;
use aplomb_qp::{LimitKind, RowKind};
use aplomb_trace::{Contact, ContactKind, Frame, Obstacle};
use nalgebra::{Vector2, Vector3};
/// Share of its limit above which a torque counts as at the limit, although the limit was not active: impacts
/// keep torques.
const AT_LIMIT: f64 = 0.9999;
/// Share of the weight above which a body counts as supporting.
const BEARING: f64 = 0.02;

impl Summariser {
    /// Torques that are at their limits in a frame, as far as a trace without multipliers shows.
    pub(super) fn torques_at_limits(&self, frame: &Frame) -> impl Iterator<Item = BindingLimit> {
        let limits = self.header.torque_limits.iter().zip(&frame.torque).enumerate();
        let at = limits.filter(|(_, (limits, torque))| {
            limits.is_some_and(|[low, high]| {
                **torque > 0.0 && **torque >= AT_LIMIT * high || **torque < 0.0 && **torque <= AT_LIMIT * low
            })
        });
        at.map(|(coordinate, _)| BindingLimit {
            kind: LimitKind::Row(RowKind::TorqueLimit { coordinate }),
            label: format!("torque of {}", self.header.coordinate_names[coordinate]),
            multiplier: 0.0,
        })
    }

    pub(super) fn moment(&self, frame: &Frame) -> StoryMoment {
        let mut support = Polygon::default();
        support.set_hull(frame.support_polygon.iter().map(|corner| Vector2::from(*corner)));
        StoryMoment {
            time: frame.time,
            com: frame.com,
            height: (frame.com[2] - self.ground_height(frame)) / self.header.com_height,
            margin: support.margin(&Vector2::from(frame.capture_point)),
            pressure: frame.centre_of_pressure.map(|point| support.margin(&Vector2::from(point))),
            friction: friction_use(frame),
            bearing: self.bodies(frame, |_| true),
            sliding: self.bodies(frame, |contact| contact.kind == ContactKind::Dynamic),
            hangs: frame.contacts.iter().any(|contact| contact.kind == ContactKind::Grip),
            state: frame.state.clone(),
            binding: Vec::new(),
        }
    }

    pub(super) fn ground_height(&self, frame: &Frame) -> f64 {
        let moved =
            |ground: &Obstacle| frame.moving.first().filter(|_| ground.moves).map(|place| place.position);
        self.header.obstacles.first().map_or(0.0, |ground| moved(ground).unwrap_or(ground.position)[2])
    }

    /// Bodies whose contacts of that kind together carry more than `BEARING` of the weight.
    pub(super) fn bodies(&self, frame: &Frame, of_kind: impl Fn(&Contact) -> bool) -> Vec<String> {
        let weight = self.header.mass * STANDARD_GRAVITY;
        let mut loads: Vec<(&str, f64)> = Vec::new();
        for contact in frame.contacts.iter().filter(|contact| of_kind(contact)) {
            let load = Vector3::from(contact.force).dot(&Vector3::from(contact.normal));
            match loads.iter_mut().find(|(body, _)| *body == contact.body) {
                Some((_, sum)) => *sum += load,
                None => loads.push((&contact.body, load)),
            }
        }
        loads.iter().filter(|(_, load)| *load > BEARING * weight).map(|(body, _)| (*body).into()).collect()
    }
}

/// Tangential force divided by the largest one that friction allows, over all contacts.
fn friction_use(frame: &Frame) -> Option<f64> {
    let (mut along, mut most) = (Vector3::zeros(), 0.0);
    for contact in &frame.contacts {
        let (force, normal) = (Vector3::from(contact.force), Vector3::from(contact.normal));
        let push = force.dot(&normal);
        along += force - normal * push;
        most += contact.friction * push;
    }
    (most > 0.0).then(|| along.norm() / most)
}
