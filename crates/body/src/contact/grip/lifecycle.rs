//! The life cycle of grips: requested, made within reach, kept until released, broken by overload.

use super::Hold;
use crate::contact::Release;
use crate::dynamics::Kinematics;
use crate::model::scales::REFERENCE_STEP;
use crate::model::{BodyId, Model, Site};
use aplomb_language::diagnostic::Place;
use nalgebra::Vector3;
use std::sync::Arc;

/// Use of a hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GripKind {
    /// Grasped: a force in any direction.
    Grasp,
    /// The site stands on the hold: a force within the friction pyramid about the hold's normal.
    Stand,
}

/// Limits of a character's grips.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GripLimits {
    /// Force above which a grip breaks, N.
    pub force: f64,
    /// Distance within which a hand is moved to its hold, only by an objective, m; the grip has a force once
    /// they touch.
    pub reach: f64,
    /// Speed at which a hand closes on a hold, and at which the remaining distance is closed once they touch,
    /// m/s.
    pub speed: f64,
}

impl GripLimits {
    /// Default limits for a body of that weight (N).
    pub fn for_weight(weight: f64) -> Self {
        GripLimits { force: 4.0 * weight, reach: 0.05, speed: 0.5 }
    }
}

/// A request that a site take a hold.
#[derive(Clone, Debug, PartialEq)]
pub struct Want {
    /// Index in [`Model::sites`].
    pub site: usize,
    /// Index among the holds.
    pub(crate) hold: usize,
    /// Whether the site grasps the hold or stands on it.
    pub(crate) kind: GripKind,
    /// Place of the request in a file.
    pub(crate) place: Place,
    /// Whether it was reported that the site's body is released.
    is_withheld: bool,
}

impl Want {
    /// The request that a site, by its index in [`Model::sites`], take a hold, by its index among the holds.
    pub fn new(site: usize, hold: usize, kind: GripKind, place: Place) -> Self {
        Want { site, hold, kind, place, is_withheld: false }
    }
}

/// A site that holds a hold. World axes.
#[doc(alias = "grasp")]
#[derive(Clone, Debug)]
pub struct Grip {
    /// Index in [`Model::sites`].
    pub site: usize,
    /// Body the site is fixed to.
    pub body: BodyId,
    /// Index among the holds.
    pub hold: usize,
    /// Whether it grasps the hold or stands on it.
    pub kind: GripKind,
    /// Name for labels: `grip of left_hand_grip on bar`.
    pub name: Arc<str>,
    /// Place of the request in a file.
    pub place: Place,
    /// Distance at which site and hold touch, m; beyond it the grip breaks.
    pub(crate) touch: f64,
    /// Point of the hold that was gripped, before the hold's displacement, m.
    anchor: Vector3<f64>,
    /// Position of the site, m.
    pub point: Vector3<f64>,
    /// Velocity of the site, m/s, world axes.
    pub(crate) velocity: Vector3<f64>,
    /// J̇ v of the site, m/s².
    pub bias_acceleration: Vector3<f64>,
    /// Position of the gripped point of the hold, m: over the frame, as far as it is known without the forces
    /// of the frame.
    pub(crate) target: Vector3<f64>,
    /// Velocity of the gripped point of the hold, m/s, world axes.
    pub target_velocity: Vector3<f64>,
    /// Force on the body in the previous frame, N.
    pub last_force: Vector3<f64>,
    /// Mean force on the body over the last 0.01 s, N; a large one breaks the grip.
    pub mean_force: Vector3<f64>,
}

impl Grip {
    /// A grip that is made in this frame, still.
    fn new(
        want: &Want,
        name: Arc<str>,
        body: BodyId,
        touch: f64,
        anchor: Vector3<f64>,
        point: Vector3<f64>,
    ) -> Self {
        Grip {
            touch,
            site: want.site,
            body,
            hold: want.hold,
            kind: want.kind,
            name,
            place: want.place.clone(),
            anchor,
            point,
            velocity: Vector3::zeros(),
            bias_acceleration: Vector3::zeros(),
            target: anchor,
            target_velocity: Vector3::zeros(),
            last_force: Vector3::zeros(),
            mean_force: Vector3::zeros(),
        }
    }

    /// Displacement from the site to the gripped point of the hold, m.
    pub fn error(&self) -> Vector3<f64> {
        self.target - self.point
    }

    /// Velocity of the site for the next frame without its second-order term: (p₀ − p)/dt with at most
    /// `speed`, plus the hold's own velocity, m/s.
    pub fn wanted_velocity(&self, dt: f64, speed: f64) -> Vector3<f64> {
        let closing = self.error() / dt;
        closing * (speed / closing.norm().max(speed)) + self.target_velocity
    }

    /// Mean force over the last 0.01 s at the end of a frame of `dt` s under `force`, N: an exponential mean,
    /// and in frames of at least that length the force itself.
    pub fn mean_with(&self, force: &Vector3<f64>, dt: f64) -> Vector3<f64> {
        let share = (dt / REFERENCE_STEP).min(1.0);
        self.mean_force * (1.0 - share) + force * share
    }

    fn follow(&mut self, model: &Model, kinematics: &Kinematics, hold: &Hold) {
        self.point = kinematics.point(self.body, &model.sites[self.site].position);
        self.velocity = kinematics.point_velocity(self.body, &self.point);
        self.bias_acceleration = kinematics.point_bias_acceleration(self.body, &self.point);
        self.target = self.anchor + hold.displacement();
        self.target_velocity = hold.velocity();
    }
}

/// A site that moves to its hold, within reach of it.
#[derive(Clone, Debug, PartialEq)]
pub struct ClosingGrip {
    /// Body the site is fixed to.
    pub body: BodyId,
    /// Position of the site, world, m.
    pub point: Vector3<f64>,
    /// Velocity of the approach, including that of the hold, m/s, world axes.
    pub velocity: Vector3<f64>,
}

/// Velocity of a hand that closes on a hold, m/s: straight towards it with `speed`, plus its velocity. A hold
/// that approaches faster than that is intercepted: the hand moves to where it will pass, in the remaining
/// time.
fn closing_velocity(way: &Vector3<f64>, hold: &Hold, speed: f64) -> Vector3<f64> {
    let moves = hold.velocity();
    let left = -way.dot(&moves) / moves.norm_squared();
    if left > 0.0 && moves.norm() > speed {
        let miss = way + moves * left;
        return miss * (1.0 / left).min(speed / miss.norm().max(1e-9));
    }
    way * (speed / way.norm()) + moves
}

/// Distance between the centre of a site and that of a hold, or its axis, at which they touch, m.
fn touching_distance(site: &Site, hold: &Hold) -> f64 {
    site.radius + hold.radius()
}

/// A change of a grip.
#[derive(Clone, Debug, PartialEq)]
pub enum GripChange {
    /// A grip was made.
    Made {
        /// Index into the model's sites.
        site: usize,
        /// Index into the holds of the world.
        hold: usize,
    },
    /// A grip was released by the controller.
    Released {
        /// Index into the model's sites.
        site: usize,
        /// Index into the holds of the world.
        hold: usize,
    },
    /// A requested grip within reach was not made, because the site's body is released.
    Withheld {
        /// Index into the model's sites.
        site: usize,
        /// Index into the holds of the world.
        hold: usize,
    },
    /// A grip broke by overload or distance.
    Broken {
        /// Index into the model's sites.
        site: usize,
        /// Index into the holds of the world.
        hold: usize,
    },
}

/// All grips of one character, and all holds of its world.
#[derive(Clone, Debug)]
pub struct Grips {
    /// Holds of the world, in the scene's order.
    pub holds: Vec<Hold>,
    /// Limits at which a grip breaks.
    pub limits: GripLimits,
    /// Existing grips, in the order of sites.
    pub list: Vec<Grip>,
    /// Requests without a grip.
    wanted: Vec<Want>,
    /// Requests within reach that do not touch yet.
    pub closing: Vec<ClosingGrip>,
    /// Changes since the frame began.
    pub changes: Vec<GripChange>,
    /// Number of grips that each site made.
    made: Vec<u32>,
    /// Names of the grips of each site on each hold, hold by hold.
    names: Vec<Arc<str>>,
}

impl Grips {
    /// No grips, for the sites of `model` among `holds`.
    pub fn new(model: &Model, holds: Vec<Hold>, limits: GripLimits) -> Self {
        let sites = model.sites.len();
        let name = |hold: &Hold, site: &Site| format!("grip of {} on {}", site.name, hold.name).into();
        let names = holds.iter().flat_map(|hold| model.sites.iter().map(move |site| name(hold, site)));
        Grips {
            names: names.collect(),
            holds,
            limits,
            list: Vec::with_capacity(sites),
            wanted: Vec::with_capacity(sites),
            closing: Vec::with_capacity(sites),
            changes: Vec::with_capacity(3 * sites),
            made: vec![0; sites],
        }
    }

    /// Adds a hold after the existing ones, and returns its index.
    pub fn add_hold(&mut self, model: &Model, hold: Hold) -> usize {
        let name = |site: &Site| format!("grip of {} on {}", site.name, hold.name).into();
        self.names.extend(model.sites.iter().map(name));
        self.holds.push(hold);
        self.holds.len() - 1
    }

    /// The grip of a site, if there is one.
    pub fn of(&self, site: usize) -> Option<&Grip> {
        self.list.iter().find(|grip| grip.site == site)
    }

    /// Number of grips that a site made since the run began.
    pub fn made(&self, site: usize) -> u32 {
        self.made.get(site).copied().unwrap_or(0)
    }

    /// Whether any grip grasps its hold.
    pub fn hangs(&self) -> bool {
        self.list.iter().any(|grip| grip.kind == GripKind::Grasp)
    }

    /// Whether any grip is on a hold.
    pub fn is_taken(&self, hold: usize) -> bool {
        self.list.iter().any(|grip| grip.hold == hold)
    }

    /// Updates holds and grips; a grip that is too far from its hold breaks. Holds on other characters are
    /// updated later, after all bodies: see [`Grips::update_on_characters`].
    pub fn update(&mut self, model: &Model, kinematics: &Kinematics, time: f64, dt: f64) {
        self.changes.clear();
        for hold in &mut self.holds {
            hold.update(time, dt);
        }
        self.follow(model, kinematics, |hold| hold.on_character().is_none());
    }

    /// Updates grips on other characters, once their holds were [moved](Hold::carry) with these.
    pub fn update_on_characters(&mut self, model: &Model, kinematics: &Kinematics) {
        self.follow(model, kinematics, |hold| hold.on_character().is_some());
    }

    fn follow(&mut self, model: &Model, kinematics: &Kinematics, is_meant: impl Fn(&Hold) -> bool) {
        let Grips { list, holds, changes, .. } = self;
        list.retain_mut(|grip| {
            if !is_meant(&holds[grip.hold]) {
                return true;
            }
            grip.follow(model, kinematics, &holds[grip.hold]);
            let holds_on = grip.error().norm() <= grip.touch * (1.0 + 1e-9);
            if !holds_on {
                changes.push(GripChange::Broken { site: grip.site, hold: grip.hold });
            }
            holds_on
        });
    }

    /// Replaces the requests.
    pub fn want(&mut self, wanted: impl IntoIterator<Item = Want>) {
        self.wanted.clear();
        self.wanted.extend(wanted);
    }

    /// Adds a request.
    pub fn want_too(&mut self, want: Want) {
        self.wanted.push(want);
    }

    /// Releases the grips of released bodies, and makes the requested grips whose site touches its hold. A
    /// site with a request for another hold releases its grip. A released body makes no grip; that is
    /// reported once for each request.
    pub fn settle(&mut self, model: &Model, kinematics: &Kinematics, releases: &[Release]) {
        self.take_holds(model, kinematics, releases);
        let Grips { list, changes, .. } = self;
        list.retain(|grip| {
            let keeps = !releases.iter().any(|release| release.is_of(model, grip.body));
            if !keeps {
                changes.push(GripChange::Released { site: grip.site, hold: grip.hold });
            }
            keeps
        });
    }

    fn take_holds(&mut self, model: &Model, kinematics: &Kinematics, releases: &[Release]) {
        let Grips { list, wanted, closing, holds, limits, changes, made, names, .. } = self;
        closing.clear();
        let is_released = |body: BodyId| releases.iter().any(|release| release.is_of(model, body));
        wanted.retain_mut(|want| {
            let Some(body) = model.sites[want.site].body else { return false };
            let Some(hold) = holds.get(want.hold) else { return false };
            let held = list.iter().position(|grip| grip.site == want.site);
            if let Some(held) = held {
                if list[held].hold == want.hold && !is_released(body) {
                    return false;
                }
                let grip = list.remove(held);
                changes.push(GripChange::Released { site: grip.site, hold: grip.hold });
            }
            let point = kinematics.point(body, &model.sites[want.site].position);
            let anchor = hold.nearest(&point);
            let way = anchor + hold.displacement() - point;
            let touch = touching_distance(&model.sites[want.site], hold);
            if way.norm() > limits.reach.max(touch) {
                return true;
            }
            if is_released(body) {
                if !std::mem::replace(&mut want.is_withheld, true) {
                    changes.push(GripChange::Withheld { site: want.site, hold: want.hold });
                }
                return true;
            }
            if way.norm() > touch {
                closing.push(ClosingGrip {
                    body,
                    point,
                    velocity: closing_velocity(&way, hold, limits.speed),
                });
                return true;
            }
            let name = names[want.hold * model.sites.len() + want.site].clone();
            let mut grip = Grip::new(want, name, body, touch, anchor, point);
            grip.follow(model, kinematics, hold);
            let place = list.partition_point(|other| other.site < want.site);
            list.insert(place, grip);
            changes.push(GripChange::Made { site: want.site, hold: want.hold });
            made[want.site] += 1;
            false
        });
    }

    /// Removes all grips and requests, for a jump of the state.
    pub fn release_all(&mut self) {
        self.list.clear();
        self.wanted.clear();
        self.closing.clear();
        self.changes.clear();
    }

    /// Removes a grip, by its index in the list.
    pub fn break_off(&mut self, index: usize) {
        let grip = self.list.remove(index);
        self.changes.push(GripChange::Broken { site: grip.site, hold: grip.hold });
    }
}
