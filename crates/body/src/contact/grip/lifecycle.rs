//! The life of grips: wanted, made within reach, kept until let go, broken when they bear too much.

use super::Hold;
use crate::contact::Release;
use crate::dynamics::Kinematics;
use crate::model::scales::REFERENCE_STEP;
use crate::model::{BodyId, Model, Site};
use aplomb_language::diagnostic::Place;
use nalgebra::Vector3;
use std::sync::Arc;

/// How a hold is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GripKind {
    /// Grasped: force in any direction.
    Grasp,
    /// Stood on: force within the friction pyramid about the hold's normal.
    Stand,
}

/// What a character's grips can bear.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GripLimits {
    /// A grip with more force breaks, N.
    pub force: f64,
    /// From this distance on a hand is drawn to what it wants to hold, by an objective alone; there is force once they
    /// touch, m.
    pub reach: f64,
    /// How fast a hand closes on a hold, and what is left of the distance once they touch, m/s.
    pub speed: f64,
}

impl GripLimits {
    /// What hands of a body of that weight (N) bear where no file says so.
    pub fn for_weight(weight: f64) -> Self {
        GripLimits { force: 4.0 * weight, reach: 0.05, speed: 0.5 }
    }
}

/// A site that is to hold on to something.
#[derive(Clone, Debug, PartialEq)]
pub struct Want {
    /// Index in [`Model::sites`].
    pub site: usize,
    /// Index among the holds.
    pub hold: usize,
    /// Whether it is to hang from the hold or to stand on it.
    pub kind: GripKind,
    /// Who wants it.
    pub place: Place,
    /// Whether it has been told that its body is released.
    is_withheld: bool,
}

impl Want {
    /// A site, by its index in [`Model::sites`], that is to take a hold, by its index among the holds.
    pub fn new(site: usize, hold: usize, kind: GripKind, place: Place) -> Self {
        Want { site, hold, kind, place, is_withheld: false }
    }
}

/// A site that holds on to something. World axes.
#[derive(Clone, Debug)]
pub struct Grip {
    /// Index in [`Model::sites`].
    pub site: usize,
    /// Body the site is fixed to.
    pub body: BodyId,
    /// Index among the holds.
    pub hold: usize,
    /// Whether it hangs from the hold or stands on it.
    pub kind: GripKind,
    /// `grip of left_hand_grip on bar`
    pub name: Arc<str>,
    /// Who asked for it.
    pub place: Place,
    /// From how far site and hold touch, m; beyond it breaks.
    pub touch: f64,
    /// Point of the hold that was taken, before the hold moved, m.
    anchor: Vector3<f64>,
    /// The site, m, and its velocity, m/s.
    pub point: Vector3<f64>,
    /// Velocity of the site, m/s, world axes.
    pub velocity: Vector3<f64>,
    /// J̇ v of the site, m/s².
    pub bias_acceleration: Vector3<f64>,
    /// Where the hold's point is, m, and its velocity, m/s: over the frame, as far as that is known before forces are.
    pub target: Vector3<f64>,
    /// Velocity the site is to have at the end of the frame, m/s, world axes.
    pub target_velocity: Vector3<f64>,
    /// Force on the body in the frame before, N.
    pub last_force: Vector3<f64>,
    /// Mean force on the body over the last 0.01 s, which breaks a grip where it is too much, N.
    pub mean_force: Vector3<f64>,
}

impl Grip {
    /// From the site to the hold's point, m.
    pub fn error(&self) -> Vector3<f64> {
        self.target - self.point
    }

    /// Velocity the site must have for the next frame, before what its own turning adds:
    /// (p₀ − p)/dt with at most `speed`, and the hold's own velocity, m/s.
    pub fn wanted_velocity(&self, dt: f64, speed: f64) -> Vector3<f64> {
        let closing = self.error() / dt;
        closing * (speed / closing.norm().max(speed)) + self.target_velocity
    }

    /// Mean force over the last 0.01 s (an exponential mean, in frames as long as that the force itself) at the end of
    /// a frame of `dt` s under `force`, N.
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

/// A site on its way to what it is to hold, within reach of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Closing {
    /// Body the site is fixed to.
    pub body: BodyId,
    /// The site, world, m.
    pub point: Vector3<f64>,
    /// Velocity with which it closes on the hold, that of the hold included, m/s, world axes.
    pub velocity: Vector3<f64>,
}

/// Velocity of a hand that closes on a hold, m/s: straight at it with `speed`, and with it where it moves. What comes
/// faster than that comes by itself: then to where it will pass, in the time that is left.
fn closing_velocity(way: &Vector3<f64>, hold: &Hold, speed: f64) -> Vector3<f64> {
    let moves = hold.velocity();
    let left = -way.dot(&moves) / moves.norm_squared();
    if left > 0.0 && moves.norm() > speed {
        let miss = way + moves * left;
        return miss * (1.0 / left).min(speed / miss.norm().max(1e-9));
    }
    way * (speed / way.norm()) + moves
}

/// How far the middle of a site and that of a hold, or its axis, are apart when they touch, m.
fn touching_distance(site: &Site, hold: &Hold) -> f64 {
    site.radius + hold.radius()
}

/// Something that happened to a grip.
#[derive(Clone, Debug, PartialEq)]
pub enum GripChange {
    /// A site took hold.
    Made {
        /// Index into the model's sites.
        site: usize,
        /// Index into the holds of the world.
        hold: usize,
    },
    /// A site let go as the controller asked.
    Released {
        /// Index into the model's sites.
        site: usize,
        /// Index into the holds of the world.
        hold: usize,
    },
    /// A site that is to take hold and is within reach does not: its body lets go of everything.
    Withheld {
        /// Index into the model's sites.
        site: usize,
        /// Index into the holds of the world.
        hold: usize,
    },
    /// It bore or strayed too much.
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
    /// When a grip breaks.
    pub limits: GripLimits,
    /// In force, in the order of sites.
    pub list: Vec<Grip>,
    /// Not made yet.
    wanted: Vec<Want>,
    /// Of these what is within reach and does not touch yet.
    pub closing: Vec<Closing>,
    /// What happened since the frame began.
    pub changes: Vec<GripChange>,
    /// How often each site took a hold.
    made: Vec<u32>,
    /// Names of the grips of each site on each hold, hold by hold.
    names: Vec<Arc<str>>,
}

impl Grips {
    /// No grips yet, for the sites of `model` among `holds`.
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

    /// Adds something that can be held, after what is there, and returns its number.
    pub fn add_hold(&mut self, model: &Model, hold: Hold) -> usize {
        let name = |site: &Site| format!("grip of {} on {}", site.name, hold.name).into();
        self.names.extend(model.sites.iter().map(name));
        self.holds.push(hold);
        self.holds.len() - 1
    }

    /// The grip of a site, if it has one.
    pub fn of(&self, site: usize) -> Option<&Grip> {
        self.list.iter().find(|grip| grip.site == site)
    }

    /// How often a site took a hold since the run began.
    pub fn made(&self, site: usize) -> u32 {
        self.made.get(site).copied().unwrap_or(0)
    }

    /// Whether something is grasped.
    pub fn hangs(&self) -> bool {
        self.list.iter().any(|grip| grip.kind == GripKind::Grasp)
    }

    /// Whether something holds on to a hold.
    pub fn is_taken(&self, hold: usize) -> bool {
        self.list.iter().any(|grip| grip.hold == hold)
    }

    /// Brings holds and grips up to date; a grip that strayed too far breaks. Where the bodies of other characters are
    /// is not known before all are up to date: see [`Grips::update_on_characters`].
    pub fn update(&mut self, model: &Model, kinematics: &Kinematics, time: f64, dt: f64) {
        self.changes.clear();
        for hold in &mut self.holds {
            hold.update(time, dt);
        }
        self.follow(model, kinematics, |hold| hold.on_character().is_none());
    }

    /// Brings grips on other characters up to date, once their holds were [carried](Hold::carry) to where these are.
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

    /// Replaces what is wanted.
    pub fn want(&mut self, wanted: impl IntoIterator<Item = Want>) {
        self.wanted.clear();
        self.wanted.extend(wanted);
    }

    /// Adds to what is wanted.
    pub fn want_too(&mut self, want: Want) {
        self.wanted.push(want);
    }

    /// Lets go what is on released bodies, and makes the wanted grips whose site touches its hold. A site that wants
    /// another hold than it has lets go of what it has. A body that is released takes no hold until it is not; that
    /// it would have is told once.
    pub fn settle(&mut self, model: &Model, kinematics: &Kinematics, releases: &[Release]) {
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
                closing.push(Closing { body, point, velocity: closing_velocity(&way, hold, limits.speed) });
                return true;
            }
            let mut grip = Grip {
                touch,
                site: want.site,
                body,
                hold: want.hold,
                kind: want.kind,
                name: names[want.hold * model.sites.len() + want.site].clone(),
                place: want.place.clone(),
                anchor,
                point,
                velocity: Vector3::zeros(),
                bias_acceleration: Vector3::zeros(),
                target: anchor,
                target_velocity: Vector3::zeros(),
                last_force: Vector3::zeros(),
                mean_force: Vector3::zeros(),
            };
            grip.follow(model, kinematics, hold);
            let place = list.partition_point(|other| other.site < want.site);
            list.insert(place, grip);
            changes.push(GripChange::Made { site: want.site, hold: want.hold });
            made[want.site] += 1;
            false
        });
        list.retain(|grip| {
            let keeps = !is_released(grip.body);
            if !keeps {
                changes.push(GripChange::Released { site: grip.site, hold: grip.hold });
            }
            keeps
        });
    }

    /// Forgets everything held and wanted, for a jump of the state.
    pub fn release_all(&mut self) {
        self.list.clear();
        self.wanted.clear();
        self.closing.clear();
        self.changes.clear();
    }

    /// Takes a grip (by index in the list) away.
    pub fn break_off(&mut self, index: usize) {
        let grip = self.list.remove(index);
        self.changes.push(GripChange::Broken { site: grip.site, hold: grip.hold });
    }
}
