//! Steps, what they cost and whether feet slide: from contacts and configurations alone, whatever the controller
//! calls its states.

use super::parting::Load;
use super::{Gait, Lift, Peak, Slip, StepTaken};
use crate::dynamics::Kinematics;
use crate::model::{BodyId, Model};
use crate::scales::STANDARD_GRAVITY;
use crate::trace::{Contact, ContactKind, Frame, Header, Outcome};
use nalgebra::{Vector2, Vector3};

/// A sliding point under load: foot, name and surface, point (world, m), normal.
type Slide = (usize, (String, String), Vector3<f64>, Vector3<f64>);

/// A foot that touched nothing for so long has been lifted, s.
const LIFTED: f64 = 0.05;
/// Torques of the time after a touchdown are those of the landing, s.
const LANDING: f64 = 0.2;
/// Share of the weight on a contact point above which its sliding counts.
const BEARING: f64 = 1e-3;

/// A body that touches something in the first frame, with the bodies joined to it that do too.
struct Foot {
    body: BodyId,
    members: Vec<BodyId>,
    /// Last frame in which it touched something, and where its body was then.
    down: (f64, Vector2<f64>),
    is_down: bool,
    /// Path of its sliding points, m.
    slip: f64,
    load: Load,
}

/// Follows the feet of a run.
pub(super) struct Feet {
    feet: Option<Vec<Foot>>,
    steps: Vec<StepTaken>,
    lifts: Vec<Lift>,
    /// Signed torque of largest magnitude after a touchdown, and its time, by velocity coordinate.
    pub landing: Vec<(f64, f64)>,
    landed_at: Option<f64>,
    weight: f64,
    /// Sliding contact points under load of the frame before: foot, name and surface, point, normal.
    sliding: Vec<Slide>,
}

impl Feet {
    pub fn new(header: &Header) -> Self {
        Feet {
            feet: None,
            steps: Vec::new(),
            lifts: Vec::new(),
            landing: vec![(0.0, 0.0); header.coordinate_names.len()],
            landed_at: None,
            weight: header.mass * STANDARD_GRAVITY,
            sliding: Vec::new(),
        }
    }

    pub fn add(&mut self, model: &Model, kinematics: &Kinematics, frame: &Frame) {
        // A failed frame records no contacts, which says nothing.
        if matches!(frame.outcome, Outcome::Failed { .. }) || !frame.has_forces() {
            return;
        }
        let feet = self.feet.get_or_insert_with(|| feet(model, frame));
        for foot in feet.iter_mut() {
            let touching = bodies(model, frame).any(|body| foot.members.contains(&body));
            let place = kinematics.position[foot.body.0].xy();
            if touching && !foot.is_down && frame.time - foot.down.0 > LIFTED {
                self.steps.push(StepTaken {
                    foot: model.bodies[foot.body.0].name.clone(),
                    from: foot.down.0,
                    to: frame.time,
                    length: (place - foot.down.1).norm(),
                });
                self.landed_at = Some(frame.time);
            }
            foot.is_down = touching;
            foot.load.add(frame.time, normal_force(model, frame, &foot.members));
            if touching {
                foot.down = (frame.time, place);
                foot.load.lands();
            } else if frame.time - foot.down.0 > LIFTED {
                let name = &model.bodies[foot.body.0].name;
                self.lifts.extend(foot.load.lift(name, foot.down.0, self.weight));
            }
        }
        if self.landed_at.is_some_and(|landed| frame.time <= landed + LANDING) {
            for (peak, torque) in self.landing.iter_mut().zip(&frame.torque) {
                if torque.abs() > peak.0.abs() {
                    *peak = (*torque, frame.time);
                }
            }
        }
        self.slide(model, frame);
    }

    /// Adds to each foot the way of its point that slid farthest since the frame before.
    fn slide(&mut self, model: &Model, frame: &Frame) {
        let Some(feet) = &mut self.feet else { return };
        let mut farthest = vec![0.0; feet.len()];
        for (foot, (name, surface), point, normal) in self.sliding.drain(..) {
            let is_same = |contact: &&Contact| contact.name == name && contact.surface == surface;
            if let Some(now) = frame.contacts.iter().find(is_same) {
                let moved = Vector3::from(now.point) - point;
                farthest[foot] = (moved - normal * normal.dot(&moved)).norm().max(farthest[foot]);
            }
        }
        feet.iter_mut().zip(farthest).for_each(|(foot, path)| foot.slip += path);
        for contact in frame.contacts.iter().filter(|contact| contact.kind == ContactKind::Dynamic) {
            let normal = Vector3::from(contact.normal);
            let bears = normal.dot(&Vector3::from(contact.force)) > BEARING * self.weight;
            let Some(body) = model.body(&contact.body).filter(|_| bears) else { continue };
            if let Some(foot) = feet.iter().position(|foot| foot.members.contains(&body)) {
                let key = (contact.name.clone(), contact.surface.clone());
                self.sliding.push((foot, key, Vector3::from(contact.point), normal));
            }
        }
    }

    /// When the last foot came down, s.
    pub fn last_landing(&self) -> Option<f64> {
        self.landed_at
    }

    pub fn finish(self, model: &Model, landing_torques: Vec<Peak>) -> Gait {
        let count = self.steps.len() as f64;
        let sum: f64 = self.steps.iter().map(|step| step.length).sum();
        let slip = |foot: &Foot| Slip { foot: model.bodies[foot.body.0].name.clone(), path: foot.slip };
        Gait {
            mean_step_length: (count > 0.0).then(|| sum / count),
            landing_torque: landing_torques.first().cloned(),
            landing_torques,
            slip: self.feet.unwrap_or_default().iter().map(slip).collect(),
            steps_taken: self.steps,
            lifts: self.lifts,
        }
    }
}

/// Sum of the normal forces on some bodies, N.
fn normal_force(model: &Model, frame: &Frame, members: &[BodyId]) -> f64 {
    let of_members =
        |contact: &&Contact| model.body(&contact.body).is_some_and(|body| members.contains(&body));
    let push = |contact: &Contact| Vector3::from(contact.normal).dot(&Vector3::from(contact.force));
    frame.contacts.iter().filter(of_members).map(push).sum()
}

/// The bodies with contacts.
fn bodies<'f>(model: &'f Model, frame: &'f Frame) -> impl Iterator<Item = BodyId> + 'f {
    frame.contacts.iter().filter_map(|contact| model.body(&contact.body))
}

fn feet(model: &Model, frame: &Frame) -> Vec<Foot> {
    let mut touching: Vec<BodyId> = bodies(model, frame).collect();
    touching.sort_unstable();
    touching.dedup();
    let mut feet: Vec<Foot> = Vec::new();
    // A parent comes before its children.
    for body in touching {
        let above = model.bodies[body.0].parent;
        match feet.iter_mut().find(|foot| above.is_some_and(|above| foot.members.contains(&above))) {
            Some(foot) => foot.members.push(body),
            None => {
                let down = (frame.time, Vector2::zeros());
                feet.push(Foot {
                    body,
                    members: vec![body],
                    down,
                    is_down: true,
                    slip: 0.0,
                    load: Load::default(),
                });
            }
        }
    }
    feet
}
