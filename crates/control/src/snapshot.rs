//! The snapshot at time t: numbers every objective, condition and quantity may read, computed once a frame.

use aplomb_body::contact::grip::{BornePoint, GripLimits, Grips};
use aplomb_body::contact::{Compliance, ContactPoint, Contacts, Owner, Release};
use aplomb_body::dynamics::kinematics::Kinematics;
use aplomb_body::dynamics::{momentum, nearest_reach};
use aplomb_body::model::scales::Scales;
use aplomb_body::model::state::State;
use aplomb_body::model::{BodyId, Model};
use aplomb_language::expression::Value;
use aplomb_math::geometry::Polygon;
use nalgebra::{Matrix3, Vector2, Vector3};
use std::cell::RefCell;

/// How near a point must come to one that it reaches, m (× length scale).
const REACHED: f64 = 0.01;
/// What is steeper than this bears no foot: the vertical part of its normal.
const LEVEL: f64 = 0.5;

/// A passive object as a whole.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SensedObject {
    /// Centre of mass, m.
    pub position: Vector3<f64>,
    /// m/s
    pub velocity: Vector3<f64>,
    /// Kinetic and potential, J.
    pub energy: f64,
    /// How far the worst of what should keep its length is from it, as a share; 0 for a character.
    pub stretch: f64,
    /// Of its first part, or of the root of a character as one that faces along x: own axes to world axes.
    pub rotation: Matrix3<f64>,
    /// Of that part, rad/s, world axes.
    pub angular_velocity: Vector3<f64>,
}

/// What a passive object did to a body in passing, or a character that touched it or held on to it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SensedHit {
    /// Who or what did.
    pub by: Owner,
    /// Where it hit.
    pub body: BodyId,
    /// Force on the body, N, world axes.
    pub force: Vector3<f64>,
}

/// What a character senses of itself and its surroundings. World axes, SI.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// Mass, height and frame length that make quantities dimensionless.
    pub scales: Scales,
    /// Since it was brought up to date before, s: by so much contacts age.
    pub elapsed: f64,
    /// Acceleration of gravity, m/s², world axes.
    pub gravity: Vector3<f64>,
    /// Configuration, velocity and time.
    pub state: State,
    /// Poses and velocities of the bodies at this state.
    pub kinematics: Kinematics,
    /// Centre of mass, m, and its velocity, m/s.
    pub com: Vector3<f64>,
    /// Velocity of the centre of mass, m/s, world axes.
    pub com_velocity: Vector3<f64>,
    /// Contacts with the world.
    pub contacts: Contacts,
    /// None until the world's holds are given.
    pub grips: Grips,
    /// How passive objects that it holds or touches give way in this frame.
    pub gives: Vec<Compliance>,
    /// Velocity of the centre of mass, mean over the frame, that passive objects have without the character's forces, by
    /// number, m/s: of those that it acts on and a goal is about.
    pub free_objects: Vec<(usize, Vector3<f64>)>,
    /// Points of the body that characters hold on to who are solved together with it.
    pub borne: Vec<BornePoint>,
    /// Whether there are no joint torques in this frame.
    pub limp: bool,
    /// Convex hull of the bearing contact points, projected on the ground, m.
    pub support: Polygon,
    /// Mean velocity of what bears it, where it bears, since the frame before, m/s; zero in flight.
    pub support_velocity: Vector3<f64>,
    /// Height of the ground, m, and its rate since the frame before, m/s.
    pub ground_height: f64,
    /// Rate of change of the ground height since the frame before, m/s.
    pub ground_rate: f64,
    /// Mean height of what bears it, where it bears, m; of the ground in flight.
    pub support_height: f64,
    /// Height of what its feet stand on, in the mean of those that bear, m. Where none does, of the highest surface under
    /// its COM.
    pub footing_height: f64,
    /// Rate of change of that height by the motion of what it stands on, since the frame before, m/s.
    pub footing_rate: f64,
    /// Force on each contact slot in the frame before (world, N), zero where none.
    pub last_force: Vec<Vector3<f64>>,
    /// Joint torque of the frame before per velocity coordinate, N m.
    pub last_torque: Vec<f64>,
    /// The configuration the character stands in by itself.
    pub rest: Vec<f64>,
    /// Passive objects around it, in the scene's order.
    pub objects: Vec<SensedObject>,
    /// The characters of the world, itself included, where its controller knows them by name.
    pub characters: Vec<SensedObject>,
    /// What passive objects and other characters did to it in the frame before, without what it holds and touches.
    pub hits: Vec<SensedHit>,
    /// Velocity of the centre of mass a frame before, m/s; `None` where there was none.
    pub com_velocity_before: Option<Vector3<f64>>,
    /// Memory of [`Snapshot::support_of`].
    scratch: RefCell<Polygon>,
}

impl Snapshot {
    /// The snapshot of a character at rest, before its first frame.
    pub fn new(
        model: &Model,
        scales: Scales,
        gravity: Vector3<f64>,
        contacts: Contacts,
        state: State,
    ) -> Self {
        let slots = contacts.slots();
        let ground_height = height_of_ground(&contacts);
        Snapshot {
            scales,
            elapsed: scales.period,
            gravity,
            state,
            kinematics: Kinematics::new(model),
            com: Vector3::zeros(),
            com_velocity: Vector3::zeros(),
            contacts,
            grips: Grips::new(model, Vec::new(), GripLimits::for_weight(scales.weight())),
            gives: Vec::new(),
            free_objects: Vec::new(),
            borne: Vec::new(),
            limp: false,
            support: Polygon::default(),
            support_velocity: Vector3::zeros(),
            ground_height,
            ground_rate: 0.0,
            support_height: ground_height,
            footing_height: ground_height,
            footing_rate: 0.0,
            last_force: vec![Vector3::zeros(); slots],
            last_torque: vec![0.0; model.nv],
            rest: model.rest_configuration(),
            objects: Vec::new(),
            characters: Vec::new(),
            hits: Vec::new(),
            com_velocity_before: None,
            scratch: RefCell::default(),
        }
    }

    /// Brings everything up to date with `self.state`.
    pub fn update(&mut self, model: &Model) {
        self.move_bodies(model);
        self.look_around(model);
    }

    /// Brings the bodies up to date with `self.state`.
    pub fn move_bodies(&mut self, model: &Model) {
        self.kinematics.update(model, &self.state.q, &self.state.v);
    }

    /// Brings what the bodies meet up to date, once they are where they belong.
    pub fn look_around(&mut self, model: &Model) {
        let Snapshot { kinematics, state, contacts, grips, .. } = self;
        grips.update(model, kinematics, state.time, self.scales.dt);
        contacts.move_surfaces(state.time, self.scales.dt);
        self.ground_height = height_of_ground(contacts);
        self.ground_rate = rise_of_ground(contacts) / self.scales.dt;
        contacts.leave_to_grips(grips.list.iter().map(|grip| (grip.body, grip.point)));
        contacts.update(model, kinematics, &self.gravity, self.scales.dt, self.elapsed);
        self.com = momentum::com(kinematics);
        self.com_velocity = momentum::com_velocity(kinematics);
        self.set_support(model);
    }

    /// Gives up the contacts and grips of released bodies, and makes the grips that are wanted and within reach. The
    /// load on contacts falls by no more than `rate`, in m g/s, before they are given up.
    pub fn settle(&mut self, model: &Model, releases: &[Release], rate: f64) {
        self.grips.settle(model, &self.kinematics, releases);
        self.contacts.leave_to_grips(self.grips.list.iter().map(|grip| (grip.body, grip.point)));
        let Snapshot { contacts, last_force, scales, .. } = self;
        contacts.release(model, releases, rate * scales.period, last_force, scales.weight());
        self.set_support(model);
    }

    fn set_support(&mut self, model: &Model) {
        let bearing = || self.contacts.touches.iter().filter(|touch| bears_from_below(touch));
        self.support.set_hull(bearing().map(|touch| touch.point.xy()));
        let sum: Vector3<f64> = bearing().map(|touch| touch.surface_velocity).sum();
        let count = bearing().count() as f64;
        self.support_velocity = sum / count.max(1.0);
        let heights: f64 = bearing().map(|touch| touch.point.z - touch.normal.z * touch.gap).sum();
        self.support_height = if count > 0.0 { heights / count } else { self.ground_height };
        let (height, rate) = self.footing(model);
        (self.footing_height, self.footing_rate) = (self.ground_height + height, self.ground_rate + rate);
    }

    /// Height of what the feet stand on over the ground, m, and its rate, m/s: both are 0 on the ground itself.
    fn footing(&self, model: &Model) -> (f64, f64) {
        let (mut feet, mut heights, mut rates) = (0.0, 0.0, 0.0);
        for leg in &model.roles.legs {
            let (mut count, mut height, mut rate) = (0.0, 0.0, 0.0);
            for touch in self.contacts.touches.iter().filter(|touch| touch.bears()) {
                if touch.normal.z < LEVEL || !model.is_within(touch.body, leg.ankle.0) {
                    continue;
                }
                count += 1.0;
                // The ground is the first surface.
                if touch.surface > 0 {
                    height += touch.point.z - touch.normal.z * touch.gap - self.ground_height;
                    rate += touch.surface_velocity.z - self.ground_rate;
                }
            }
            if count > 0.0 {
                (feet, heights, rates) = (feet + 1.0, heights + height / count, rates + rate / count);
            }
        }
        if feet > 0.0 {
            return (heights / feet, rates / feet);
        }
        let mut best = (0.0, 0.0);
        for surface in self.contacts.surfaces.iter().skip(1).filter(|surface| surface.present) {
            let Some((top, _)) = surface.top(&self.com) else { continue };
            let height = top - self.ground_height;
            if top <= self.com.z && height > best.0 {
                let under = Vector3::new(self.com.x, self.com.y, top);
                best = (height, surface.way_here(&under).z / self.scales.dt - self.ground_rate);
            }
        }
        best
    }

    /// Height of the COM over what its feet stand on, m: see [`footing_height`](Snapshot::footing_height).
    pub fn com_height(&self) -> f64 {
        self.com.z - self.footing_height
    }

    /// Where the linear inverted pendulum must step to come to rest on what bears it, which moves with ȧ:
    /// c + (ċ − ȧ) √(z/g), on the ground, m.
    pub fn capture_point(&self) -> Vector2<f64> {
        let gravity = self.gravity.norm().max(1e-9);
        let time = (self.com_height().max(0.0) / gravity).sqrt();
        self.com.xy() + (self.com_velocity - self.support_velocity).xy() * time
    }

    /// What `read` says of the hull of the bearing points on bodies for which `supports` holds.
    pub fn support_of<R>(&self, supports: impl Fn(BodyId) -> bool, read: impl FnOnce(&Polygon) -> R) -> R {
        let mut polygon = self.scratch.borrow_mut();
        let touches = self.contacts.touches.iter().filter(|touch| bears_from_below(touch));
        let bearing = touches.filter(|touch| supports(touch.body));
        polygon.set_hull(bearing.map(|touch| touch.point.xy()));
        read(&polygon)
    }

    /// As [`Snapshot::support_of`], with more points that bear.
    pub fn support_with<R>(
        &self,
        supports: impl Fn(BodyId) -> bool,
        points: impl Iterator<Item = Vector2<f64>>,
        read: impl FnOnce(&Polygon) -> R,
    ) -> R {
        let mut polygon = self.scratch.borrow_mut();
        let touches = self.contacts.touches.iter().filter(|touch| bears_from_below(touch));
        let bearing = touches.filter(|touch| supports(touch.body));
        polygon.set_hull(bearing.map(|touch| touch.point.xy()).chain(points));
        read(&polygon)
    }

    /// Body and body-frame point a body (its origin) or a site stands for; `None` for a site of the world.
    pub fn place(&self, model: &Model, place: Value) -> Option<(BodyId, Vector3<f64>)> {
        match place {
            Value::Body(body) => Some((body, Vector3::zeros())),
            Value::Site(site) => model.sites[site].body.map(|body| (body, model.sites[site].position)),
            _ => None,
        }
    }

    /// Whether a body's origin or a site can be brought to a point of the world, m, by the joints between it and the root.
    pub fn can_reach(&self, model: &Model, place: Value, target: &Vector3<f64>) -> bool {
        let Some(place) = self.place(model, place) else { return false };
        let near = REACHED * self.scales.length();
        let configurations = [&*self.state.q, &*self.rest];
        target.iter().all(|part| part.is_finite())
            && nearest_reach(model, &self.kinematics, configurations, place, target, near) <= near
    }

    /// Normal force on `body` and what hangs below it in the frame before, N.
    pub fn normal_force(&self, model: &Model, body: BodyId) -> f64 {
        let touches = self.contacts.touches.iter().filter(|touch| model.is_within(touch.body, body));
        touches.map(|touch| touch.normal.dot(&self.last_force[touch.slot])).sum()
    }

    /// Force the surroundings put on `body` and what hangs below it in the frame before, N; grips included.
    pub fn contact_force(&self, model: &Model, body: BodyId) -> Vector3<f64> {
        let of_body = |slot: usize| model.is_within(self.contacts.pair(slot).0.body, body);
        let slots = self.last_force.iter().enumerate().filter(|(slot, _)| of_body(*slot));
        let grips = self.grips.list.iter().filter(|grip| model.is_within(grip.body, body));
        slots.map(|(_, force)| force).chain(grips.map(|grip| &grip.last_force)).sum()
    }
}

/// Whether a contact is one of those that the support polygon is of. What moves by itself, objects and other characters, bears
/// nobody who presses on it from the side.
fn bears_from_below(touch: &ContactPoint) -> bool {
    touch.bears() && (touch.on.is_none() || touch.normal.z >= LEVEL)
}

/// The ground is the first surface.
fn height_of_ground(contacts: &Contacts) -> f64 {
    contacts.surfaces.first().map_or(0.0, |ground| ground.position.z)
}

/// How far the ground has risen since the frame before, m.
fn rise_of_ground(contacts: &Contacts) -> f64 {
    contacts.surfaces.first().map_or(0.0, |ground| ground.way_here(&ground.position).z)
}
