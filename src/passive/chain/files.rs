//! `kind = "chain"`: links in a row, as scenes say them.

use super::system::{ChainThing, Track, Worn};
use super::{Ball, BodySpec, Chain, Drive, JointKind, JointSpec, Motion, Penalty, Pose, Saved};
use crate::language::Spanned;
use crate::language::diagnostic::{FileError, Source};
use crate::model::Shape;
use crate::passive::checks::{Checks, defaults};
use crate::passive::method::{Built, BuiltObject, Environment, Member, PassiveMethod, RestingPoint};
use crate::passive::particles::WindSpec;
use crate::passive::particles::wind::Wind;
use crate::passive::solids::{SavedSolids, Solids};
use nalgebra::{Matrix3, UnitQuaternion, Vector3};
use serde::Deserialize;

/// Rigid links in a row with stiff joints, stepped implicitly in linear time.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ChainSpec {
    /// Places of its joints at rest, m: the first end, the corners and the last end. Links lie evenly between.
    pub points: Spanned<Vec<[f64; 3]>>,
    /// Number of links between two points and the next.
    pub links: Spanned<u32>,
    /// Of all links together, kg.
    pub mass: Spanned<f64>,
    /// Of a link, m.
    #[serde(default = "own::radius")]
    pub radius: Spanned<f64>,
    /// Whether the first end is fixed by a joint.
    #[serde(default = "defaults::yes")]
    pub fixed: bool,
    /// Stiffness of a joint towards rest, N m/rad.
    #[serde(default = "defaults::zero")]
    pub stiffness: Spanned<f64>,
    /// Damping of a joint, N m s/rad.
    #[serde(default = "defaults::zero")]
    pub damping: Spanned<f64>,
    /// Largest angle of a joint from rest, rad.
    pub max_angle: Option<Spanned<f64>>,
    /// Stiffness of a joint beyond `max_angle`, N m/rad.
    #[serde(default = "own::stop")]
    pub limit_stiffness: Spanned<f64>,
    /// Mass at the last end beside its own, kg.
    #[serde(default = "defaults::zero")]
    pub load: Spanned<f64>,
    /// Initial velocity of all links, m/s.
    #[serde(default = "defaults::origin")]
    pub velocity: Spanned<[f64; 3]>,
    /// Air drag of a link, N s/m.
    #[serde(default = "defaults::zero")]
    pub drag: Spanned<f64>,
    /// Air that it moves through; still where it is left out. Its density does not count.
    pub wind: Option<WindSpec>,
    /// Whether links touch surfaces and characters, by springs.
    #[serde(default = "defaults::yes")]
    pub touches: bool,
    /// Spring of such a contact, N/m.
    #[serde(default = "own::contact_stiffness")]
    pub contact_stiffness: Spanned<f64>,
    /// Projection passes per step; they close joints that the linear equations left open.
    #[serde(default = "defaults::no_times")]
    pub projection_passes: Spanned<u32>,
    /// A spring that pulls its last link along a path.
    pub pulled: Option<PulledSpec>,
}

/// A spring from the last end of a chain to a point that moves.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PulledSpec {
    /// Where the point is at each of the times, m.
    pub points: Spanned<Vec<[f64; 3]>>,
    /// s, rising. Between them the point moves straight and evenly.
    pub at: Spanned<Vec<f64>>,
    /// Whether the motion repeats.
    #[serde(default)]
    pub repeat: bool,
    /// Of the spring, N/m.
    pub stiffness: Spanned<f64>,
    /// Of the spring, N s/m.
    #[serde(default = "defaults::zero")]
    pub damping: Spanned<f64>,
    /// When the spring is removed, s.
    pub until: Option<Spanned<f64>>,
}

impl PassiveMethod for ChainSpec {
    fn models(&self) -> Vec<&Spanned<String>> {
        Vec::new()
    }

    fn check(&self, source: &Source) -> Vec<FileError> {
        let mut checks = Checks::new(source);
        let points = self.points.get_ref();
        let apart = |pair: &[[f64; 3]]| {
            let length = (Vector3::from(pair[1]) - Vector3::from(pair[0])).norm();
            length > 1e-9 && length.is_finite()
        };
        if points.len() < 2 || !points.windows(2).all(apart) {
            let message = "points are two or more, finite, and each apart from the next";
            checks.wrong(self.points.span(), message.into());
        }
        checks.count("links", &self.links, 1..=20_000);
        checks.positive("mass", &self.mass);
        checks.positive("radius", &self.radius);
        checks.vector("velocity", &self.velocity);
        let numbers = [
            ("stiffness", &self.stiffness),
            ("damping", &self.damping),
            ("limit_stiffness", &self.limit_stiffness),
            ("load", &self.load),
            ("drag", &self.drag),
            ("contact_stiffness", &self.contact_stiffness),
        ];
        numbers.iter().for_each(|(name, value)| checks.not_negative(name, value));
        checks.count("projection_passes", &self.projection_passes, 0..=100);
        if let Some(angle) = &self.max_angle {
            checks.within("max_angle", angle, 0.0..=std::f64::consts::PI);
        }
        self.wind.iter().for_each(|wind| wind.check(&mut checks));
        self.pulled.iter().for_each(|pulled| pulled.check(&mut checks));
        checks.errors
    }

    fn length(&self) -> Option<f64> {
        Some(self.lie().iter().map(|link| link.length).sum())
    }

    fn point_along(&self, along: f64) -> Option<RestingPoint> {
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

    fn build(members: &[Member<'_, Self>], around: &Environment<'_>) -> Result<Vec<Built>, Vec<FileError>> {
        members.iter().map(|member| member.spec.build_one(member.thing, around)).collect()
    }
}

impl PulledSpec {
    fn check(&self, checks: &mut Checks<'_>) {
        check_course(checks, &self.at, &self.points);
        checks.not_negative("stiffness", &self.stiffness);
        checks.not_negative("damping", &self.damping);
        if let Some(until) = &self.until {
            checks.not_negative("until", until);
        }
    }
}

/// Times that rise, and as many points.
pub(super) fn check_course(checks: &mut Checks<'_>, at: &Spanned<Vec<f64>>, points: &Spanned<Vec<[f64; 3]>>) {
    let (times, list) = (at.get_ref(), points.get_ref());
    let rise = times.windows(2).all(|pair| pair[0] < pair[1]);
    if times.is_empty() || !rise || !times.iter().all(|time| time.is_finite()) {
        checks.wrong(at.span(), "at must be finite times that rise".into());
    }
    if list.len() != times.len() || !list.iter().flatten().all(|x| x.is_finite()) {
        let message = format!("{} times need as many finite points, not {}", times.len(), list.len());
        checks.wrong(points.span(), message);
    }
}

/// A link in the pose of rest.
struct Link {
    ends: [Vector3<f64>; 2],
    axis: Vector3<f64>,
    length: f64,
}

impl ChainSpec {
    fn lie(&self) -> Vec<Link> {
        let links = *self.links.get_ref() as usize;
        let points: Vec<Vector3<f64>> =
            self.points.get_ref().iter().map(|point| Vector3::from(*point)).collect();
        let between = points.windows(2).flat_map(|pair| {
            let (from, step) = (pair[0], (pair[1] - pair[0]) / links as f64);
            (0..links).map(move |k| {
                let start = from + k as f64 * step;
                Link { ends: [start, start + step], axis: step.normalize(), length: step.norm() }
            })
        });
        between.collect()
    }

    fn build_one(&self, thing: usize, around: &Environment<'_>) -> Result<Built, Vec<FileError>> {
        let links = self.lie();
        let (count, radius) = (links.len(), *self.radius.get_ref());
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
        let wrong = |error: super::ChainError| {
            vec![FileError::new(around.source, self.points.span(), error.to_string())]
        };
        let mut chain = Chain::new(&bodies, &joints).map_err(wrong)?;
        chain.gravity = around.gravity;
        chain.closings = *self.projection_passes.get_ref() as usize;
        let velocity = Vector3::from(*self.velocity.get_ref());
        (0..count).for_each(|k| chain.set_state(k, chain.pose(k), Motion { velocity, ..Motion::default() }));
        let solids = Solids::new(around);
        chain.obstacles = solids.all().collect();
        chain.set_groups(solids.groups());
        chain.penalty = Penalty { stiffness: *self.contact_stiffness.get_ref(), ..Penalty::default() };
        if self.touches {
            for (body, link) in links.iter().enumerate() {
                let center = (link.ends[1] - bodies[body].position).norm() * Vector3::z();
                chain.add_ball(Ball { body, center, radius });
            }
        }
        let tracks = self.pulled.iter().map(|pulled| pulled.bind(&mut chain, &links, &bodies)).collect();
        let shapes = links.iter().enumerate().map(|(body, link)| {
            let half_length = (0.5 * link.length - radius).max(0.0);
            let end = (link.ends[1] - bodies[body].position).norm();
            Worn {
                body,
                shape: Shape::Capsule { radius, half_length },
                position: (end - 0.5 * link.length) * Vector3::z(),
                orientation: UnitQuaternion::identity(),
            }
        });
        let masses: Vec<f64> = bodies.iter().map(|body| body.mass).collect();
        let system = ChainThing {
            shapes: shapes.collect(),
            link: links.iter().map(|link| link.length).fold(f64::INFINITY, f64::min),
            balls: (0..count).collect(),
            mass: masses.iter().sum(),
            wind: self.wind.as_ref().map_or(Wind::NONE, WindSpec::wind),
            met: Vec::new(),
            slack: Vec::new(),
            saved: Saved::default(),
            saved_solids: SavedSolids::default(),
            chain,
            solids,
            tracks,
            masses,
        };
        let part_names = (0..count).map(|k| k.to_string()).collect();
        let things = vec![BuiltObject { thing, parts: 0..count, part_names }];
        Ok(Built { system: Box::new(system), things })
    }

    /// Of a link that has that share of the length: its own mass and the load at its end, kg.
    fn masses(&self, share: f64, is_last: bool) -> (f64, f64) {
        (share * self.mass.get_ref(), if is_last { *self.load.get_ref() } else { 0.0 })
    }

    /// How far beyond its middle a link's centre of mass is, m.
    fn offset(&self, link: &Link, share: f64, is_last: bool) -> f64 {
        let (mass, load) = self.masses(share, is_last);
        0.5 * link.length * load / (mass + load)
    }

    /// The k-th link, a rod with its axis along its own z, and its joint to the one before.
    fn describe(&self, k: usize, link: &Link, share: f64, is_last: bool) -> (BodySpec, JointSpec) {
        let radius = *self.radius.get_ref();
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
            drag: *self.drag.get_ref(),
        };
        let joint = JointSpec {
            name: k.to_string(),
            body: k,
            other: k.checked_sub(1),
            anchor: link.ends[0],
            kind: JointKind::Spherical { most: self.max_angle.as_ref().map(|angle| *angle.get_ref()) },
            stiffness: *self.stiffness.get_ref(),
            damping: *self.damping.get_ref(),
            stop_stiffness: *self.limit_stiffness.get_ref(),
        };
        (body, joint)
    }
}

impl PulledSpec {
    fn bind(&self, chain: &mut Chain, links: &[Link], bodies: &[BodySpec]) -> Track {
        let body = links.len() - 1;
        let end = links[body].ends[1];
        let pose = |point: &[f64; 3]| Pose {
            position: Vector3::from(*point),
            orientation: bodies[body].orientation,
        };
        let drive = chain.add_drive(Drive {
            body,
            point: (end - bodies[body].position).norm() * Vector3::z(),
            stiffness: *self.stiffness.get_ref(),
            damping: *self.damping.get_ref(),
            turn_stiffness: 0.0,
            turn_damping: 0.0,
            target: Pose { position: end, ..chain.pose(body) },
            target_motion: Motion::default(),
        });
        Track {
            drive,
            times: self.at.get_ref().clone(),
            poses: self.points.get_ref().iter().map(pose).collect(),
            repeat: self.repeat,
            until: self.until.as_ref().map(|until| *until.get_ref()),
        }
    }
}

mod own {
    use crate::language::Spanned;
    use crate::passive::checks::defaults::given;

    pub fn radius() -> Spanned<f64> {
        given(0.01)
    }

    pub fn stop() -> Spanned<f64> {
        given(10.0)
    }

    pub fn contact_stiffness() -> Spanned<f64> {
        given(1e4)
    }
}
