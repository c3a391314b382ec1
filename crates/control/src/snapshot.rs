//! The snapshot at time t: the quantities that objectives, conditions and expressions read, computed once per frame.

use aplomb_body::contact::grip::{BornePoint, GripLimits, Grips};
use aplomb_body::contact::{Compliance, ContactPoint, Contacts, Owner, Party, Release, SUPPORTING};
use aplomb_body::dynamics::kinematics::Kinematics;
use aplomb_body::dynamics::{momentum, nearest_reach};
use aplomb_body::model::scales::Scales;
use aplomb_body::model::state::State;
use aplomb_body::model::{BodyId, Model};
use aplomb_language::expression::Value;
use aplomb_math::geometry::Polygon;
use nalgebra::{Matrix3, Vector2, Vector3};
use std::cell::RefCell;

/// Distance at which a point counts as reached, m (× length scale).
const REACHED: f64 = 0.01;

/// The state of a passive object or a character as a whole.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SensedObject {
    /// Centre of mass, m.
    pub position: Vector3<f64>,
    /// Velocity of the centre of mass, m/s.
    pub velocity: Vector3<f64>,
    /// Kinetic and potential energy, J.
    pub energy: f64,
    /// Largest relative change of length of its inextensible parts; 0 for a character.
    pub stretch: f64,
    /// Rotation of its first part from its own axes to world axes; for a character that of the root, relative to the
    /// orientation in which it faces along x.
    pub rotation: Matrix3<f64>,
    /// Angular velocity of that part, rad/s, world axes.
    pub angular_velocity: Vector3<f64>,
}

/// A contact of a ragdoll in the previous frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RagdollForce {
    /// Body that touched.
    pub body: BodyId,
    /// Point of application, world, m.
    pub point: Vector3<f64>,
    /// Unit normal of the surface, world.
    pub normal: Vector3<f64>,
    /// Mean force over the frame, world, N.
    pub force: Vector3<f64>,
}

/// An impact of a passive object, or a force of another character that touches or holds the body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SensedHit {
    /// The object or character that exerts the force.
    pub by: Owner,
    /// Body on which it acts.
    pub body: BodyId,
    /// Force on the body, N, world axes.
    pub force: Vector3<f64>,
}

/// A difference of two motions of a centre of mass.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Deviation {
    /// Difference of the positions, world axes, m.
    pub com: Vector3<f64>,
    /// Difference of the velocities, world axes, m/s.
    pub com_velocity: Vector3<f64>,
}

/// State of a character and its surroundings, as its controller measures it. World axes, SI.
#[doc(alias = "state")]
#[doc(alias = "measurement")]
#[doc(alias = "configuration")]
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// Mass, height and frame length, which make quantities dimensionless.
    pub scales: Scales,
    /// Index of the character among those of the world; `None` if it is not set.
    pub number: Option<usize>,
    /// Time since the last update, s, by which the age of contacts grows.
    pub elapsed: f64,
    /// Acceleration of gravity, m/s², world axes.
    pub gravity: Vector3<f64>,
    /// Configuration, velocity and time.
    pub state: State,
    /// Poses and velocities of the bodies at this state.
    pub kinematics: Kinematics,
    /// Centre of mass, m.
    #[doc(alias = "center of mass")]
    #[doc(alias = "CoM")]
    pub com: Vector3<f64>,
    /// Velocity of the centre of mass, m/s, world axes.
    pub com_velocity: Vector3<f64>,
    /// Contacts with the world.
    pub contacts: Contacts,
    /// Grips; none until the holds of the world are set.
    #[doc(alias = "grasp")]
    pub grips: Grips,
    /// Compliance of the passive objects that the character holds or touches, in this frame.
    #[doc(alias = "Delassus")]
    pub gives: Vec<Compliance>,
    /// Index and mean velocity over the frame, m/s, of the centre of mass of each passive object that the character
    /// acts on and that an objective controls; without the character's forces.
    pub free_objects: Vec<(Party, Vector3<f64>)>,
    /// Points of the body on which other characters act that are solved together with it.
    pub borne: Vec<BornePoint>,
    /// Whether the character is a ragdoll in this frame, without joint torques.
    #[doc(alias = "ragdoll")]
    pub limp: bool,
    /// Convex hull of the supporting contact points, projected on the ground, m.
    #[doc(alias = "support polygon")]
    pub support: Polygon,
    /// Mean velocity of the supporting surface at the contacts since the previous frame, m/s; zero in flight.
    pub support_velocity: Vector3<f64>,
    /// Height of the ground, m.
    pub ground_height: f64,
    /// Rate of change of the ground height since the previous frame, m/s.
    pub ground_rate: f64,
    /// Mean height of the supporting surface at the contacts, m; height of the ground in flight.
    pub support_height: f64,
    /// Height of the surface that the feet stand on, averaged over the supporting contacts, m. Without contact,
    /// height of the highest surface under the COM.
    pub footing_height: f64,
    /// Rate of change of the footing height due to the motion of that surface since the previous frame, m/s.
    pub footing_rate: f64,
    /// Force on each contact slot in the previous frame, world, N; zero without contact.
    pub last_force: Vec<Vector3<f64>>,
    /// Forces on the body in the previous frame if it was a ragdoll then, because its contacts have no slots.
    pub ragdoll_forces: Vec<RagdollForce>,
    /// Rate up to which the load on a foot may change without cost, m g/s.
    pub load_rate: f64,
    /// Joint torque of the previous frame per velocity coordinate, N m (slides: N).
    pub last_torque: Vec<f64>,
    /// Reference configuration, a standing pose.
    pub rest: Vec<f64>,
    /// Passive objects, in the scene's order.
    pub objects: Vec<SensedObject>,
    /// The characters of the world, this one included, if its controller refers to any by name.
    pub characters: Vec<SensedObject>,
    /// Forces of passive objects and other characters in the previous frame, other than those of its own contacts and
    /// grips.
    pub hits: Vec<SensedHit>,
    /// Displacement of the centre of mass by disturbances that the controller has not perceived yet.
    pub unknown: Deviation,
    /// Velocity of the centre of mass in the previous frame, m/s; `None` in the first frame.
    pub com_velocity_before: Option<Vector3<f64>>,
    /// How the problem of the previous frame was solved.
    pub last_solve: LastSolve,
    /// Scratch memory of [`Snapshot::support_of`].
    scratch: RefCell<Polygon>,
}

/// How the problem of a frame was solved; the default is that of a frame without one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LastSolve {
    /// Whether it had no solution, and the body moved by its last torques alone.
    pub failed: bool,
    /// Whether it was an impact, which has no objectives.
    pub impact: bool,
    /// Number of constraints that gave way.
    pub gave_way: usize,
}

impl LastSolve {
    /// Whether all constraints were satisfied, and objectives were weighted.
    pub fn is_solved(&self) -> bool {
        *self == LastSolve::default()
    }

    /// What it adds up to with the solve of another part of the same frame.
    pub fn and(self, other: LastSolve) -> LastSolve {
        LastSolve {
            failed: self.failed || other.failed,
            impact: self.impact || other.impact,
            gave_way: self.gave_way.max(other.gave_way),
        }
    }
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
            number: None,
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
            ragdoll_forces: Vec::new(),
            load_rate: f64::INFINITY,
            last_torque: vec![0.0; model.nv],
            rest: model.rest_configuration(),
            objects: Vec::new(),
            characters: Vec::new(),
            hits: Vec::new(),
            unknown: Deviation::default(),
            com_velocity_before: None,
            last_solve: LastSolve::default(),
            scratch: RefCell::default(),
        }
    }

    /// Updates all quantities from `self.state`.
    pub fn update(&mut self, model: &Model) {
        self.move_bodies(model);
        self.look_around(model);
    }

    /// Updates the bodies from `self.state`.
    pub fn move_bodies(&mut self, model: &Model) {
        self.kinematics.update(model, &self.state.q, &self.state.v);
    }

    /// Updates contacts, grips and support from the poses of the bodies.
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

    /// Releases the contacts and grips of released bodies, and makes the grips that are requested and within reach.
    /// The load on contacts falls at a rate of at most `rate`, in m g/s, before they are released.
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

    /// Height of the footing above the ground, m, and its rate, m/s: both are 0 on the ground itself.
    fn footing(&self, model: &Model) -> (f64, f64) {
        let (mut feet, mut heights, mut rates) = (0.0, 0.0, 0.0);
        for leg in &model.roles.legs {
            let (mut count, mut height, mut rate) = (0.0, 0.0, 0.0);
            for touch in self.contacts.touches.iter().filter(|touch| touch.bears()) {
                if touch.normal.z < SUPPORTING || !model.is_within(touch.body, leg.ankle.0) {
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

    /// Height of the COM above the footing, m: see [`footing_height`](Snapshot::footing_height).
    pub fn com_height(&self) -> f64 {
        self.com.z - self.footing_height
    }

    /// The point on the ground, m, where the linear inverted pendulum must step to come to rest on the
    /// supporting surface, which moves with ȧ: c + (ċ − ȧ) √(z/g).
    #[doc(alias = "instantaneous capture point")]
    #[doc(alias = "ICP")]
    #[doc(alias = "extrapolated centre of mass")]
    #[doc(alias = "XcoM")]
    pub fn capture_point(&self) -> Vector2<f64> {
        self.com.xy() + (self.com_velocity - self.support_velocity).xy() * self.pendulum_time()
    }

    /// √(z/g), s: the time in which the linear inverted pendulum diverges by a factor of e.
    pub fn pendulum_time(&self) -> f64 {
        (self.com_height().max(0.0) / self.gravity.norm().max(1e-9)).sqrt()
    }

    /// Centre of mass as perceived by the controller, m: without disturbances that it has not perceived yet.
    pub fn known_com(&self) -> Vector3<f64> {
        self.com - self.unknown.com
    }

    /// Velocity of the centre of mass as perceived by the controller, m/s, world axes.
    pub fn known_com_velocity(&self) -> Vector3<f64> {
        self.com_velocity - self.unknown.com_velocity
    }

    /// The [capture point](Self::capture_point) as perceived by the controller, m.
    pub fn known_capture_point(&self) -> Vector2<f64> {
        let Deviation { com, com_velocity } = self.unknown;
        self.capture_point() - com.xy() - com_velocity.xy() * self.pendulum_time()
    }

    /// Applies `read` to the convex hull of the supporting contact points on bodies for which `supports` is true.
    pub fn support_of<R>(&self, supports: impl Fn(BodyId) -> bool, read: impl FnOnce(&Polygon) -> R) -> R {
        let mut polygon = self.scratch.borrow_mut();
        let touches = self.contacts.touches.iter().filter(|touch| bears_from_below(touch));
        let bearing = touches.filter(|touch| supports(touch.body));
        polygon.set_hull(bearing.map(|touch| touch.point.xy()));
        read(&polygon)
    }

    /// Like [`Snapshot::support_of`], with additional points.
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

    /// Body and body-frame point of a body (its origin) or of a site; `None` for a site of the world.
    pub fn place(&self, model: &Model, place: Value) -> Option<(BodyId, Vector3<f64>)> {
        match place {
            Value::Body(body) => Some((body, Vector3::zeros())),
            Value::Site(site) => model.sites[site].body.map(|body| (body, model.sites[site].position)),
            _ => None,
        }
    }

    /// Whether the joints between the root and a body's origin or a site can bring it to a point of the world, m.
    pub fn can_reach(&self, model: &Model, place: Value, target: &Vector3<f64>) -> bool {
        let Some(place) = self.place(model, place) else { return false };
        let near = REACHED * self.scales.length();
        let configurations = [&*self.state.q, &*self.rest];
        target.iter().all(|part| part.is_finite())
            && nearest_reach(model, &self.kinematics, configurations, place, target, near) <= near
    }

    /// Sets all contact forces of the previous frame to zero.
    pub fn forget_forces(&mut self) {
        self.last_force.fill(Vector3::zeros());
        self.ragdoll_forces.clear();
    }

    /// Contact points of the previous frame with their normal forces, N.
    pub fn normal_forces(&self) -> impl Iterator<Item = (BodyId, Vector3<f64>, f64)> {
        let touches = self.contacts.touches.iter();
        let own =
            touches.map(|touch| (touch.body, touch.point, touch.normal.dot(&self.last_force[touch.slot])));
        let limp = self.ragdoll_forces.iter();
        own.chain(limp.map(|contact| (contact.body, contact.point, contact.normal.dot(&contact.force))))
    }

    /// Points where surfaces supported the character from below in the previous frame, with the vertical forces
    /// there, N.
    pub fn supporting_forces(&self) -> impl Iterator<Item = (Vector3<f64>, f64)> {
        let touches = self.contacts.touches.iter().filter(|touch| touch.supports());
        let own = touches.map(|touch| (touch.point, self.last_force[touch.slot].z));
        let limp = self.ragdoll_forces.iter().filter(|contact| contact.normal.z >= SUPPORTING);
        own.chain(limp.map(|contact| (contact.point, contact.force.z)))
    }

    /// Normal force on `body` and its subtree in the previous frame, N.
    pub fn normal_force(&self, model: &Model, body: BodyId) -> f64 {
        let of_body = self.normal_forces().filter(|(part, ..)| model.is_within(*part, body));
        of_body.map(|(.., force)| force).sum()
    }

    /// Force of the surroundings on `body` and its subtree in the previous frame, N, including grips.
    pub fn contact_force(&self, model: &Model, body: BodyId) -> Vector3<f64> {
        let of_body = |slot: usize| model.is_within(self.contacts.pair(slot).0.body, body);
        let slots = self.last_force.iter().enumerate().filter(|(slot, _)| of_body(*slot));
        let grips = self.grips.list.iter().filter(|grip| model.is_within(grip.body, body));
        let limp = self.ragdoll_forces.iter().filter(|contact| model.is_within(contact.body, body));
        let own = slots.map(|(_, force)| force).chain(grips.map(|grip| &grip.last_force));
        own.chain(limp.map(|contact| &contact.force)).sum()
    }
}

/// Whether a contact point belongs to the support polygon. A moving object or another character that presses from the
/// side does not support.
fn bears_from_below(touch: &ContactPoint) -> bool {
    touch.bears() && (touch.on.is_none() || touch.normal.z >= SUPPORTING)
}

/// Height of the ground, which is the first surface, m.
fn height_of_ground(contacts: &Contacts) -> f64 {
    contacts.surfaces.first().map_or(0.0, |ground| ground.position.z)
}

/// Rise of the ground since the previous frame, m.
fn rise_of_ground(contacts: &Contacts) -> f64 {
    contacts.surfaces.first().map_or(0.0, |ground| ground.way_here(&ground.position).z)
}
