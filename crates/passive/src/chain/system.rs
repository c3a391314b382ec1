//! A stiff chain as a passive object of a scene.

use super::{BodyVelocity, Chain, PoseDrive, RigidPose, SavedChain};
use crate::encounter::MovingBody;
use crate::obstacle::Obstacle;
use crate::particles::wind::Wind;
use crate::solids::{SavedSolids, Solids};
use crate::{
    BodyCollider, Energy, Environment, Hit, Holdable, KinematicCharacter, KinematicColliders, KinematicPose,
    Outline, Part, PartId, PassiveSystem, PassiveTouch, SolverStats, StepStatus, SwitchKind, Switchable,
    SwitchableElement,
};
use aplomb_body::contact::Surface;
use aplomb_body::model::Shape;
use aplomb_math::interpolation::{KeyInterval, KeyPosition, place, wrapped};
use aplomb_math::spatial::Force;
use nalgebra::{UnitQuaternion, Vector3};
use std::ops::Range;

/// Square of the step length over √(m l/T), for links of mass m and length l under tension T, above which the
/// links swing against the character that holds them: 2 is stable by measurement, 3 begins to ripple. Without
/// a holder every length is stable, because joints are damped by their tension; without that damping the
/// bound would be 1, where the fastest mode advances by 2 rad in a step.
const TAUT: f64 = 2.0;

/// A shape that is drawn on a body, in its own axes.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Worn {
    pub body: usize,
    pub shape: Shape,
    /// Position of its centre relative to the centre of mass, m.
    pub position: Vector3<f64>,
    pub orientation: UnitQuaternion<f64>,
}

/// The trajectory along which a drive pulls its body.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct DriveTrajectory {
    /// Index in the chain's drives.
    pub drive: usize,
    /// Times, s, increasing.
    pub times: Vec<f64>,
    /// Poses at these times.
    pub poses: Vec<RigidPose>,
    pub repeat: bool,
    /// Time at which the drive is switched off, s; `None` for never.
    pub until: Option<f64>,
}

/// Adds the surfaces and characters of an environment to a chain, as obstacles.
pub(super) fn surround(chain: &mut Chain, around: &Environment<'_>) -> Solids {
    chain.gravity = around.gravity;
    let solids = Solids::new(around);
    chain.obstacles = solids.all().collect();
    chain.set_groups(solids.groups());
    solids
}

/// One chain. Its parts are its bodies.
#[derive(Clone, Debug)]
pub(super) struct ChainThing {
    pub(super) chain: Chain,
    pub(super) solids: Solids,
    pub(super) wind: Wind,
    pub(super) shapes: Vec<Worn>,
    pub(super) tracks: Vec<DriveTrajectory>,
    /// Shortest distance between joints, to which gaps are relative, m.
    pub(super) link: f64,
    /// Shapes of bodies that it collided with, and the impulse of each in the last step.
    pub(super) met: Vec<(Obstacle, Force)>,
    /// Bodies whose joint springs are disabled, with their stiffness.
    pub(super) slack: Vec<(usize, f64)>,
    /// Body of each ball.
    pub(super) balls: Vec<usize>,
    pub(super) saved: SavedChain,
    pub(super) saved_solids: SavedSolids,
    pub(super) mass: f64,
    pub(super) masses: Vec<f64>,
}

impl DriveTrajectory {
    /// Target pose of the body at a time, and its velocity: linear from pose to pose.
    pub(super) fn at(&self, time: f64) -> (RigidPose, BodyVelocity) {
        let time = if self.repeat { wrapped(&self.times, time) } else { time };
        let KeyInterval { key, share, width } = match place(&self.times, time) {
            KeyPosition::At(key) => return (self.poses[key], BodyVelocity::default()),
            KeyPosition::Between(span) => span,
        };
        let (from, to) = (&self.poses[key], &self.poses[key + 1]);
        let turn = (to.orientation * from.orientation.inverse()).scaled_axis();
        let pose = RigidPose {
            position: from.position.lerp(&to.position, share),
            orientation: UnitQuaternion::new(share * turn) * from.orientation,
        };
        (pose, BodyVelocity { velocity: (to.position - from.position) / width, spin: turn / width })
    }
}

impl ChainThing {
    /// A chain of bodies of these masses (kg) among solids, in still air, without appearance and without
    /// drives.
    pub(super) fn new(chain: Chain, solids: Solids, masses: Vec<f64>) -> Self {
        ChainThing {
            chain,
            solids,
            wind: Wind::NONE,
            shapes: Vec::new(),
            tracks: Vec::new(),
            link: 1.0,
            met: Vec::new(),
            slack: Vec::new(),
            balls: Vec::new(),
            saved: SavedChain::default(),
            saved_solids: SavedSolids::default(),
            mass: masses.iter().sum(),
            masses,
        }
    }

    fn follow(&mut self, dt: f64) {
        let time = self.chain.time() + dt;
        for track in &self.tracks {
            let drive: &mut PoseDrive = &mut self.chain.drives[track.drive];
            (drive.target, drive.target_motion) = track.at(time);
            if track.until.is_some_and(|until| time > until) {
                (drive.stiffness, drive.damping) = (0.0, 0.0);
                (drive.turn_stiffness, drive.turn_damping) = (0.0, 0.0);
            }
        }
    }
}

impl PassiveSystem for ChainThing {
    fn time(&self) -> f64 {
        self.chain.time()
    }

    fn step(&mut self, dt: f64) -> StepStatus {
        self.solids.carry_surfaces(self.chain.time(), dt);
        for (number, surface) in self.solids.moving_surfaces() {
            self.chain.obstacles[number] = surface;
        }
        self.solids.each_moving(|number, solid| self.chain.obstacles[number] = solid);
        let first_met = self.solids.len();
        self.chain.obstacles.truncate(first_met);
        self.chain.obstacles.extend(self.met.iter().map(|(solid, _)| solid.clone()));
        self.chain.meet_when_clear();
        self.follow(dt);
        self.chain.wind = self.wind.at(self.chain.time());
        if self.chain.step(dt).is_err() {
            return StepStatus::Failed;
        }
        for touch in self.chain.touches() {
            let impulse = -dt * touch.force;
            let given = Force::new(touch.point.cross(&impulse), impulse);
            match touch.obstacle.checked_sub(first_met) {
                Some(met) => self.met[met].1 += given,
                None => self.solids.receive(touch.obstacle, given),
            }
        }
        self.solids.advance(dt);
        StepStatus::Solved
    }

    fn parts(&self) -> usize {
        self.chain.len()
    }

    fn part(&self, part: PartId) -> Part {
        let RigidPose { position, orientation } = self.chain.pose(part.0);
        let BodyVelocity { velocity, spin } = self.chain.motion(part.0);
        Part { position, orientation, velocity, angular_velocity: spin }
    }

    fn apply_force(&mut self, part: PartId, point: &Vector3<f64>, force: &Vector3<f64>) {
        self.chain.apply_force(part.0, point, force);
    }

    fn apply_impulse(&mut self, part: PartId, point: &Vector3<f64>, impulse: &Vector3<f64>) {
        self.chain.apply_impulse(part.0, point, impulse);
    }

    fn energy(&self, _parts: Range<usize>) -> Energy {
        let super::ChainEnergy { kinetic, potential } = self.chain.energy();
        Energy { kinetic, potential }
    }

    fn momentum(&self, _parts: Range<usize>) -> Force {
        let super::SpatialMomentum { linear, angular } = self.chain.momentum();
        Force::new(angular, linear)
    }

    fn centre_of_mass(&self, _parts: Range<usize>) -> (f64, Vector3<f64>) {
        let bodies = self.masses.iter().enumerate();
        let moment: Vector3<f64> = bodies.map(|(body, mass)| *mass * self.chain.pose(body).position).sum();
        (self.mass, moment / self.mass)
    }

    /// Statistics of one direct solution; the residual is the largest gap of a joint, m.
    fn solver_stats(&self) -> SolverStats {
        SolverStats { iterations: 1 + self.chain.closings, residual: self.chain.separation() }
    }

    fn stretch(&self, _parts: Range<usize>) -> f64 {
        self.chain.separation() / self.link
    }

    fn outline(&self) -> Vec<Outline> {
        let solid = |worn: &Worn| {
            let Worn { body, shape, position, orientation } = worn.clone();
            Outline::Solid { part: PartId(body), shape, position, orientation }
        };
        self.shapes.iter().map(solid).collect()
    }

    fn each_touch(&self, each: &mut dyn FnMut(&PassiveTouch)) {
        let own = self.solids.len();
        // Contacts with bodies of other objects are not reported.
        for touch in self.chain.touches().iter().filter(|touch| touch.obstacle < own) {
            let normal = self.chain.obstacles[touch.obstacle].shape.distance(&touch.point).normal;
            each(&PassiveTouch {
                part: PartId(self.balls[touch.ball]),
                other: self.solids.owner(touch.obstacle),
                point: touch.point,
                normal,
                force: touch.force,
            });
        }
    }

    fn as_switchable(&mut self) -> Option<&mut dyn Switchable> {
        Some(self)
    }

    fn as_collider(&mut self) -> Option<&mut dyn BodyCollider> {
        Some(self)
    }

    fn colliders(&self) -> Option<&dyn KinematicColliders> {
        Some(self)
    }

    fn colliders_mut(&mut self) -> Option<&mut dyn KinematicColliders> {
        Some(self)
    }

    fn holdable(&mut self) -> Option<&mut dyn Holdable> {
        Some(self)
    }
}

impl KinematicColliders for ChainThing {
    fn set_surface(&mut self, index: usize, surface: &Surface) {
        self.solids.set_surface(index, surface);
    }

    fn set_poses(&mut self, poses: &[KinematicPose]) {
        self.solids.set_poses(poses);
    }

    fn add_character(&mut self, character: &KinematicCharacter<'_>) {
        // Obstacles of other systems follow all characters.
        self.chain.forget_obstacles(self.solids.len());
        self.met.clear();
        let shapes = self.solids.add_character(character);
        let solids = shapes.clone().filter_map(|number| self.solids.solid(number));
        self.chain.obstacles.extend(solids);
        self.chain.add_group(shapes);
    }

    fn hits(&self) -> &[Hit] {
        self.solids.hits()
    }

    fn clear_hits(&mut self) {
        self.solids.clear_hits();
    }
}

/// Springs of joints by their bodies, then all together.
impl Switchable for ChainThing {
    fn switches(&self, _parts: &Range<usize>) -> Vec<SwitchableElement> {
        let spring =
            |number: usize, name: String| SwitchableElement { kind: SwitchKind::Spring, name, number };
        let stiff = (0..self.chain.len()).filter(|body| self.chain.stiffness(*body) != 0.0);
        let mut switches: Vec<SwitchableElement> =
            stiff.map(|body| spring(body, self.chain.name(body).to_string())).collect();
        if !switches.is_empty() {
            switches.push(spring(self.chain.len(), "all".into()));
        }
        switches
    }

    fn turn(&mut self, number: usize, on: bool) {
        let count = self.chain.len();
        for body in (0..count).filter(|body| *body == number || number == count) {
            let at = self.slack.iter().position(|(known, _)| *known == body);
            let stiffness = self.chain.stiffness(body);
            match at {
                Some(at) if on => self.chain.set_stiffness(body, self.slack.swap_remove(at).1),
                None if !on && stiffness != 0.0 => {
                    self.slack.push((body, stiffness));
                    self.chain.set_stiffness(body, 0.0);
                }
                _ => {}
            }
        }
    }
}

impl BodyCollider for ChainThing {
    fn meet(&mut self, _bodies: &[MovingBody], solids: &[(Obstacle, usize)]) {
        self.met.clear();
        self.met.extend(solids.iter().map(|(solid, _)| (solid.clone(), Force::default())));
    }

    fn each_given(&self, each: &mut dyn FnMut(usize, Force)) {
        self.met.iter().enumerate().for_each(|(number, (_, given))| each(number, *given));
    }
}

impl Holdable for ChainThing {
    fn save(&mut self) {
        self.chain.save(&mut self.saved);
        self.solids.save(&mut self.saved_solids);
    }

    fn restore(&mut self) {
        self.chain.restore(&self.saved);
        self.solids.restore(&self.saved_solids);
    }

    /// √(c m l/T) for its lightest body and shortest link.
    fn longest_step(&self, force: f64) -> f64 {
        let lightest = self.masses.iter().copied().fold(f64::INFINITY, f64::min);
        (TAUT * lightest * self.link / force).sqrt()
    }

    /// Penetration of the character at release must not be resolved by a spring.
    fn ignore_character(&mut self, character: usize, held: &[PartId]) {
        let ignored = !held.is_empty();
        self.solids.ignore(character, ignored);
        self.chain.ignore_group(character, ignored);
    }
}
