//! Chains as objects: links in a row, built by files and programs.

use super::system::{ChainThing, DriveTrajectory, Worn, surround};
use super::{Ball, BodySpec, BodyVelocity, Chain, JointRotation, JointSpec, Penalty, PoseDrive, RigidPose};
use crate::PassiveError;
use crate::particles::wind::Wind;
use crate::{Environment, NamedSystem, RestingPoint};
use aplomb_body::model::Shape;
use nalgebra::{Matrix3, UnitQuaternion, Vector3};

/// Largest number of links of a chain.
const MOST: usize = 20_000;

/// Rigid links in a row with stiff joints, stepped implicitly in linear time.
#[derive(Clone, Debug, PartialEq)]
pub struct ChainObject {
    /// Positions of the points through which it passes at rest, m: the first end, the corners and the last
    /// end. Links are evenly spaced between them.
    pub points: Vec<Vector3<f64>>,
    /// Number of links between consecutive points.
    pub links: usize,
    /// Mass of all links together, kg.
    pub mass: f64,
    /// Radius of a link, m.
    pub radius: f64,
    /// Whether a joint fixes the first end.
    pub fixed: bool,
    /// Stiffness of a joint towards rest, N m/rad.
    pub stiffness: f64,
    /// Damping of a joint, N m s/rad.
    pub damping: f64,
    /// Largest rotation of a joint from rest, rad; `None` for no limit.
    pub max_angle: Option<f64>,
    /// Stiffness of a joint limit, N m/rad.
    pub limit_stiffness: f64,
    /// Additional mass at the last end, kg.
    pub load: f64,
    /// Initial velocity of all links, m/s.
    pub velocity: Vector3<f64>,
    /// Air drag of a link, N s/m.
    pub drag: f64,
    /// Wind. The density of the air is not used.
    pub wind: Wind,
    /// Whether links collide with surfaces and characters, by penalty springs.
    pub touches: bool,
    /// Stiffness of a contact, N/m.
    pub contact_stiffness: f64,
    /// Number of projections per step that close the gaps remaining after the linearised constraints.
    pub projection_passes: usize,
    /// A moving point that pulls the last link; `None` for none.
    pub pulled: Option<Pulled>,
}

/// A spring from the last end of a chain to a point that moves.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pulled {
    /// Positions of the point at the times, m.
    pub points: Vec<Vector3<f64>>,
    /// Times, s, increasing. Between them the point moves with constant velocity.
    pub times: Vec<f64>,
    /// Whether the motion repeats.
    pub repeat: bool,
    /// Stiffness of the spring, N/m.
    pub stiffness: f64,
    /// Damping of the spring, N s/m.
    pub damping: f64,
    /// Time at which the spring is removed, s; `None` for never.
    pub until: Option<f64>,
}

impl ChainObject {
    /// A chain with this many links between consecutive points (m) and a mass of `mass` kg, which is fixed at
    /// its first point.
    pub fn new(points: Vec<Vector3<f64>>, links: usize, mass: f64) -> Self {
        ChainObject {
            points,
            links,
            mass,
            radius: 0.01,
            fixed: true,
            stiffness: 0.0,
            damping: 0.0,
            max_angle: None,
            limit_stiffness: 10.0,
            load: 0.0,
            velocity: Vector3::zeros(),
            drag: 0.0,
            wind: Wind::NONE,
            touches: true,
            contact_stiffness: 1e4,
            projection_passes: 0,
            pulled: None,
        }
    }

    /// Frees the first end.
    pub fn free(mut self) -> Self {
        self.fixed = false;
        self
    }

    /// Sets the radius of a link, m.
    pub fn radius(mut self, radius: f64) -> Self {
        self.radius = radius;
        self
    }

    /// Sets stiffness (N m/rad) and damping (N m s/rad) of its joints.
    pub fn joints(mut self, stiffness: f64, damping: f64) -> Self {
        (self.stiffness, self.damping) = (stiffness, damping);
        self
    }

    /// Sets the additional mass at the last end, kg.
    pub fn load(mut self, load: f64) -> Self {
        self.load = load;
        self
    }

    /// Makes it pass through surfaces and characters.
    pub fn untouchable(mut self) -> Self {
        self.touches = false;
        self
    }

    /// Length along the chain, m.
    pub fn length(&self) -> f64 {
        self.lie().iter().map(|link| link.length).sum()
    }

    /// The point at this distance along the chain from the first end, m; `None` beyond its ends.
    pub fn point_along(&self, along: f64) -> Option<RestingPoint> {
        let links = self.lie();
        let mut left = along;
        for (part, link) in links.iter().enumerate() {
            let is_last = part + 1 == links.len();
            if left < link.length || (is_last && left <= link.length * (1.0 + 1e-9)) {
                let position = link.ends[0] + left * link.axis;
                let share = link.length / links.iter().map(|link| link.length).sum::<f64>();
                let center = 0.5 * link.length + self.offset(link, share, is_last);
                let local = (left - center) * Vector3::z();
                return (along >= 0.0).then_some(RestingPoint { part, local, position });
            }
            left -= link.length;
        }
        None
    }

    fn check(&self) -> Result<(), PassiveError> {
        let apart = |pair: &[Vector3<f64>]| {
            let length = (pair[1] - pair[0]).norm();
            length > 1e-9 && length.is_finite()
        };
        if self.points.len() < 2 || !self.points.windows(2).all(apart) {
            return Err(PassiveError::Points);
        }
        if !self.velocity.iter().all(|number| number.is_finite()) {
            return Err(PassiveError::NotFinite);
        }
        if !(1..=MOST).contains(&self.links) {
            return Err(PassiveError::OutOfRange { what: "links", value: self.links as f64 });
        }
        let least = f64::MIN_POSITIVE;
        let numbers = [
            ("mass", self.mass, least),
            ("radius", self.radius, least),
            ("stiffness", self.stiffness, 0.0),
            ("damping", self.damping, 0.0),
            ("limit_stiffness", self.limit_stiffness, 0.0),
            ("load", self.load, 0.0),
            ("drag", self.drag, 0.0),
            ("contact_stiffness", self.contact_stiffness, 0.0),
            ("max_angle", self.max_angle.unwrap_or(0.0), 0.0),
        ];
        for (what, value, least) in numbers {
            if !(value.is_finite() && value >= least) {
                return Err(PassiveError::OutOfRange { what, value });
            }
        }
        self.pulled.as_ref().map_or(Ok(()), Pulled::check)
    }
}

impl Pulled {
    fn check(&self) -> Result<(), PassiveError> {
        let rise = self.times.windows(2).all(|pair| pair[0] < pair[1]);
        let finite = self.times.iter().chain(self.points.iter().flatten()).all(|x| x.is_finite());
        if self.times.is_empty() || self.times.len() != self.points.len() || !rise || !finite {
            return Err(PassiveError::Course);
        }
        Ok(())
    }
}

/// A link in the rest pose.
struct RestLink {
    ends: [Vector3<f64>; 2],
    axis: Vector3<f64>,
    length: f64,
}

impl RestLink {
    /// The capsule of this link of a body, whose centre of mass is at `middle`.
    fn shape(&self, body: usize, middle: &Vector3<f64>, radius: f64) -> Worn {
        let half_length = (0.5 * self.length - radius).max(0.0);
        let end = (self.ends[1] - middle).norm();
        Worn {
            body,
            shape: Shape::Capsule { radius, half_length },
            position: (end - 0.5 * self.length) * Vector3::z(),
            orientation: UnitQuaternion::identity(),
        }
    }
}

impl ChainObject {
    fn lie(&self) -> Vec<RestLink> {
        let links = self.links;
        let between = self.points.windows(2).flat_map(|pair| {
            let (from, step) = (pair[0], (pair[1] - pair[0]) / links as f64);
            (0..links).map(move |k| {
                let start = from + k as f64 * step;
                RestLink { ends: [start, start + step], axis: step.normalize(), length: step.norm() }
            })
        });
        between.collect()
    }

    /// A system with only this chain, with the names of its links.
    ///
    /// # Errors
    /// Numbers out of range.
    pub(crate) fn system(&self, around: &Environment<'_>) -> Result<NamedSystem, PassiveError> {
        self.check()?;
        let links = self.lie();
        let (count, radius) = (links.len(), self.radius);
        let total: f64 = links.iter().map(|link| link.length).sum();
        let mut bodies = Vec::with_capacity(count);
        let mut joints = Vec::with_capacity(count);
        for (k, link) in links.iter().enumerate() {
            let (body, joint) = self.describe(k, link, link.length / total, k + 1 == count);
            bodies.push(body);
            if k > 0 || self.fixed {
                joints.push(joint);
            }
        }
        let mut chain = Chain::new(&bodies, &joints)?;
        chain.closings = self.projection_passes;
        let velocity = self.velocity;
        (0..count).for_each(|k| {
            chain.set_state(k, chain.pose(k), BodyVelocity { velocity, ..BodyVelocity::default() })
        });
        let solids = surround(&mut chain, around);
        chain.penalty = Penalty { stiffness: self.contact_stiffness, ..Penalty::default() };
        if self.touches {
            for (body, link) in links.iter().enumerate() {
                let center = (link.ends[1] - bodies[body].position).norm() * Vector3::z();
                chain.add_ball(Ball { body, center, radius });
            }
        }
        let tracks = self.pulled.iter().map(|pulled| pulled.bind(&mut chain, &links, &bodies)).collect();
        let shapes =
            links.iter().enumerate().map(|(body, link)| link.shape(body, &bodies[body].position, radius));
        let masses: Vec<f64> = bodies.iter().map(|body| body.mass).collect();
        let system = ChainThing {
            shapes: shapes.collect(),
            link: links.iter().map(|link| link.length).fold(f64::INFINITY, f64::min),
            balls: (0..count).collect(),
            wind: self.wind,
            tracks,
            ..ChainThing::new(chain, solids, masses)
        };
        let part_names = (0..count).map(|k| k.to_string()).collect();
        Ok(NamedSystem { system: Box::new(system), part_names })
    }

    /// Masses of a link with that share of the length: its own and that of the load at its end, kg.
    fn masses(&self, share: f64, is_last: bool) -> (f64, f64) {
        (share * self.mass, if is_last { self.load } else { 0.0 })
    }

    /// Distance of a link's centre of mass beyond its middle, m.
    fn offset(&self, link: &RestLink, share: f64, is_last: bool) -> f64 {
        let (mass, load) = self.masses(share, is_last);
        0.5 * link.length * load / (mass + load)
    }

    /// The k-th link, a rod along its own z axis, and its joint to the previous link.
    fn describe(&self, k: usize, link: &RestLink, share: f64, is_last: bool) -> (BodySpec, JointSpec) {
        let radius = self.radius;
        let (mass, load) = self.masses(share, is_last);
        let along = 0.5 * mass * radius * radius;
        let across = mass * (radius * radius / 4.0 + link.length * link.length / 12.0);
        // The load is a ball of the link's radius at its end.
        let whole = mass + load;
        let offset = self.offset(link, share, is_last);
        let apart = load * mass / whole * 0.25 * link.length * link.length;
        let ball = 0.4 * load * radius * radius;
        let inertia = Vector3::new(across + apart + ball, across + apart + ball, along + ball);
        let upright = UnitQuaternion::rotation_between(&Vector3::z(), &link.axis);
        let body = BodySpec {
            name: k.to_string(),
            mass: whole,
            inertia: Matrix3::from_diagonal(&inertia),
            position: 0.5 * (link.ends[0] + link.ends[1]) + offset * link.axis,
            orientation: upright
                .unwrap_or_else(|| UnitQuaternion::from_axis_angle(&Vector3::x_axis(), std::f64::consts::PI)),
            drag: self.drag,
        };
        let joint = JointSpec {
            name: k.to_string(),
            body: k,
            other: k.checked_sub(1),
            anchor: link.ends[0],
            kind: JointRotation::Spherical { most: self.max_angle },
            stiffness: self.stiffness,
            damping: self.damping,
            stop_stiffness: self.limit_stiffness,
        };
        (body, joint)
    }
}

impl Pulled {
    fn bind(&self, chain: &mut Chain, links: &[RestLink], bodies: &[BodySpec]) -> DriveTrajectory {
        let body = links.len() - 1;
        let end = links[body].ends[1];
        let orientation = bodies[body].orientation;
        let pose = |point: &Vector3<f64>| RigidPose { position: *point, orientation };
        let drive = chain.add_drive(PoseDrive {
            body,
            point: (end - bodies[body].position).norm() * Vector3::z(),
            stiffness: self.stiffness,
            damping: self.damping,
            turn_stiffness: 0.0,
            turn_damping: 0.0,
            target: RigidPose { position: end, ..chain.pose(body) },
            target_motion: BodyVelocity::default(),
        });
        DriveTrajectory {
            drive,
            times: self.times.clone(),
            poses: self.points.iter().map(pose).collect(),
            repeat: self.repeat,
            until: self.until,
        }
    }
}
