//! Start poses: the rest pose with given joint values, set on the ground, then with parts of the body at
//! given targets.

mod error;
mod reach;
mod settle;

pub use error::StartPoseError;

use aplomb_body::contact::grip::{Grips, Hold};
use aplomb_body::contact::{Contacts, Surface};
use aplomb_body::model::scales::Scales;
use aplomb_body::model::state::{self, State};
use aplomb_body::model::{BodyId, JointKind, Model};
use aplomb_control::snapshot::Snapshot;
use aplomb_language::expression::Value;
use aplomb_math::{extent, rotation};
use error::refusal;
use nalgebra::{UnitQuaternion, Vector3};
use reach::{ReachTarget, Reached, reach};

/// The initial pose of a character. [`StartPose::default`] is the model's rest pose, standing on the ground
/// at the origin and facing along x.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StartPose {
    /// Displacement in x and y from the rest pose, m.
    pub position: [f64; 2],
    /// Rotation about the vertical, rad; 0 faces along x.
    pub heading: f64,
    /// Height of the lowest point above the ground, m.
    pub height: f64,
    /// Joint values that differ from the rest pose, by joint, rad or m.
    pub joints: Vec<(String, f64)>,
    /// Targets of bodies (their frames' origins), sites or the `com`: world, m. Joints and root deviate from
    /// the pose above as far as necessary; a part that stands on the ground keeps its place, unless it or its
    /// subtree has a target.
    #[doc(alias = "inverse kinematics")]
    pub reach: Vec<(String, Vector3<f64>)>,
    /// Target orientations of bodies: roll, pitch and yaw of the body frame in the world, rad.
    pub orientation: Vec<(String, Vector3<f64>)>,
    /// Initial velocity of the root in world axes, m/s.
    pub velocity: Vector3<f64>,
}

impl StartPose {
    /// The model's rest pose, standing on the ground at the origin.
    pub fn standing() -> Self {
        Self::default()
    }

    /// Moves it by x and y over the ground, m.
    pub fn at(mut self, x: f64, y: f64) -> Self {
        self.position = [x, y];
        self
    }

    /// Rotates it about the vertical, rad.
    pub fn facing(mut self, heading: f64) -> Self {
        self.heading = heading;
        self
    }

    /// Sets the height of its lowest point above the ground, m.
    pub fn above_ground(mut self, height: f64) -> Self {
        self.height = height;
        self
    }

    /// Sets the value of a joint, rad or m.
    pub fn joint(mut self, name: &str, value: f64) -> Self {
        self.joints.push((name.into(), value));
        self
    }

    /// Sets the target of a body, a site or the `com`: a point of the world, m.
    pub fn reaching(mut self, name: &str, point: [f64; 3]) -> Self {
        self.reach.push((name.into(), point.into()));
        self
    }

    /// Sets the target orientation of a body by roll, pitch and yaw, rad.
    pub fn turned(mut self, name: &str, angles: [f64; 3]) -> Self {
        self.orientation.push((name.into(), angles.into()));
        self
    }

    /// The state of `model` in this pose, without targets.
    ///
    /// # Errors
    /// Every invalid joint value.
    pub fn posed(&self, model: &Model, ground_height: f64) -> Result<State, Vec<StartPoseError>> {
        let mut q = model.rest_configuration();
        let mut errors = Vec::new();
        for (index, (name, value)) in self.joints.iter().enumerate() {
            if let Err(error) = model.set_joint(name, *value, &mut q) {
                errors.push(StartPoseError::Joint { index, error });
            }
        }
        if !errors.is_empty() {
            return Err(errors);
        }
        let mut velocity = vec![0.0; model.nv];
        if model.is_floating() {
            let [x, y] = self.position;
            // A model with another heading in its rest pose is rotated to face along x as well.
            let turn = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), self.heading - model.roles.facing);
            let place = turn * Vector3::new(q[0], q[1], q[2]);
            q[..3].copy_from_slice(&[place.x + x, place.y + y, place.z]);
            let r = turn * state::rotation(&q[3..7]);
            q[3..7].copy_from_slice(&[r.w, r.i, r.j, r.k]);
            let lowest = model.lowest_point(&model.body_poses(&q));
            q[2] += ground_height + self.height - lowest;
            velocity[..3].copy_from_slice(self.velocity.as_slice());
        } else if !self.places_root(model) {
            let lowest = model.lowest_point(&model.body_poses(&q));
            let [x, y] = self.position;
            let way = Vector3::new(x, y, ground_height + self.height - lowest);
            slide(model, &way, &self.velocity, &mut q, &mut velocity);
        }
        Ok(State { q, v: velocity, time: 0.0 })
    }

    /// The state of `model` in this pose among surfaces, the ground first, and holds.
    ///
    /// # Errors
    /// Invalid values, and targets that cannot be reached.
    pub fn state(
        &self,
        model: &Model,
        surfaces: &[Surface],
        holds: &[Hold],
    ) -> Result<State, Vec<StartPoseError>> {
        let ground_height = surfaces.first().map_or(0.0, |ground| ground.position.z);
        let stood = self.posed(model, ground_height)?;
        near(model, &stood)?;
        if self.reach.is_empty() && self.orientation.is_empty() {
            return Ok(self.settled(model, surfaces, holds, stood));
        }
        let mut snapshot = sensed(model, surfaces, holds, &stood);
        let wishes = self.wishes(model, &snapshot)?;
        let q = reached(model, &mut snapshot, &wishes).map_err(|error| vec![error])?;
        let state = State { q, v: stood.v, time: 0.0 };
        near(model, &state)?;
        Ok(state)
    }

    /// Whether values of unactuated joints of the root are given.
    fn places_root(&self, model: &Model) -> bool {
        let is_root =
            |name: &str| model.joint(name).is_some_and(|joint| model.is_root(model.joints[joint.0].v_index));
        self.joints.iter().any(|(name, _)| is_root(name))
    }

    /// The pose with both feet flat on the ground, if the rest pose has them on an edge and no joint value is given;
    /// unchanged if that pose cannot be reached.
    fn settled(&self, model: &Model, surfaces: &[Surface], holds: &[Hold], stood: State) -> State {
        let ground_height = surfaces.first().map_or(0.0, |ground| ground.position.z);
        if !self.joints.is_empty() || self.height != 0.0 {
            return stood;
        }
        let targets = settle::flat_feet(model, &stood.q, ground_height);
        if targets.is_empty() {
            return stood;
        }
        let mut snapshot = sensed(model, surfaces, holds, &stood);
        let found = reach(model, &mut snapshot, &targets);
        if found.is_met(&targets) { State { q: found.q, ..stood } } else { stood }
    }

    fn wishes(&self, model: &Model, snapshot: &Snapshot) -> Result<Wishes, Vec<StartPoseError>> {
        let (mut asked, mut errors) = (Vec::new(), Vec::new());
        let points = self.reach.iter().map(|(name, to)| (name, point(model, snapshot, name, to)));
        let turns = self.orientation.iter().map(|(name, to)| (name, turn(model, name, to)));
        for (index, (name, target)) in points.chain(turns).enumerate() {
            match target {
                Some(Ok(target)) => asked.push(Wish { index, name: name.clone(), target }),
                Some(Err(Fixed)) => errors.push(StartPoseError::FixedToWorld { index, name: name.clone() }),
                None => errors.push(StartPoseError::UnknownPart {
                    index,
                    name: name.clone(),
                    turned: index >= self.reach.len(),
                }),
            }
        }
        let standing = standing(model, snapshot, &asked);
        if errors.is_empty() { Ok(Wishes { asked, standing }) } else { Err(errors) }
    }
}

/// # Errors
/// A body that is farther from the origin than the accuracy of numbers allows.
fn near(model: &Model, state: &State) -> Result<(), Vec<StartPoseError>> {
    let poses = model.body_poses(&state.q);
    match extent::too_far(poses.iter().map(|pose| pose.translation.vector)) {
        Some(distance) => Err(vec![StartPoseError::TooFar { distance }]),
        None => Ok(()),
    }
}

/// Moves a body with unactuated slides at its root along `way` (m, world), as far as their ranges allow, and gives it
/// the corresponding part of a velocity (m/s, world).
fn slide(model: &Model, way: &Vector3<f64>, velocity: &Vector3<f64>, q: &mut [f64], v: &mut [f64]) {
    let root = model.sliding_root();
    let Some(body) = model.bodies.first().filter(|_| !root.is_empty()) else { return };
    for joint in &model.joints[body.joints.clone()] {
        // Slide joints precede hinges: the body's own axes are still those of the file in the world.
        if let JointKind::Slide { axis } = joint.kind {
            let axis = body.orientation * axis;
            q[joint.q_index] += axis.dot(way);
            v[joint.v_index] = axis.dot(velocity);
        }
    }
}

/// The snapshot of a character in the state `stood`, for inverse kinematics: a frame of one second without
/// gravity.
pub fn sensed(model: &Model, surfaces: &[Surface], holds: &[Hold], stood: &State) -> Snapshot {
    let scales = Scales::new(model, 1.0);
    let contacts = Contacts::new(model, surfaces.to_vec(), scales.length());
    let still = State::at_rest(model, stood.q.clone());
    let mut snapshot = Snapshot::new(model, scales, Vector3::zeros(), contacts, still);
    snapshot.grips = Grips::new(model, holds.to_vec(), snapshot.grips.limits);
    snapshot.update(model);
    snapshot
}

/// A target of a part of the body.
struct Wish {
    /// Index among all points, then all rotations.
    index: usize,
    name: String,
    target: ReachTarget,
}

/// The targets, and the parts that remain standing.
struct Wishes {
    asked: Vec<Wish>,
    /// Supported bodies that no target moves: they stay in place.
    standing: Vec<BodyId>,
}

/// The error of a target for a site that is fixed to the world.
struct Fixed;

fn point(
    model: &Model,
    snapshot: &Snapshot,
    name: &str,
    to: &Vector3<f64>,
) -> Option<Result<ReachTarget, Fixed>> {
    let place = model.body(name).map(Value::Body).or_else(|| model.site(name).map(Value::Site));
    match place {
        Some(place) => Some(match snapshot.place(model, place) {
            Some((body, local)) => Ok(ReachTarget::Point { body, local, to: *to }),
            None => Err(Fixed),
        }),
        None => (name == "com").then_some(Ok(ReachTarget::Com { to: *to })),
    }
}

fn turn(model: &Model, name: &str, angles: &Vector3<f64>) -> Option<Result<ReachTarget, Fixed>> {
    let body = model.body(name)?;
    Some(Ok(ReachTarget::Turn { body, to: rotation::from_roll_pitch_yaw(angles) }))
}

/// The bodies nearest to the root that are in contact, except those that a target of their own or in their subtree
/// moves.
fn standing(model: &Model, snapshot: &Snapshot, asked: &[Wish]) -> Vec<BodyId> {
    let touching = |body: BodyId| snapshot.contacts.touches.iter().any(|t| t.bears() && t.body == body);
    let moved = |body: BodyId| {
        asked.iter().any(|wish| match wish.target {
            ReachTarget::Point { body: part, .. } | ReachTarget::Turn { body: part, .. } => {
                model.is_within(part, body)
            }
            ReachTarget::Com { .. } => false,
        })
    };
    let mut standing: Vec<BodyId> = Vec::new();
    for body in (0..model.bodies.len()).map(BodyId).filter(|&body| touching(body)) {
        if !standing.iter().any(|&above| model.is_within(body, above)) {
            standing.push(body);
        }
    }
    standing.retain(|&body| !moved(body));
    standing
}

/// The configuration that meets the targets, or the missed one with its limits.
fn reached(model: &Model, snapshot: &mut Snapshot, wishes: &Wishes) -> Result<Vec<f64>, StartPoseError> {
    let mut targets: Vec<ReachTarget> = wishes.asked.iter().map(|wish| wish.target).collect();
    for &body in &wishes.standing {
        let (to, turned) = (snapshot.kinematics.position[body.0], snapshot.kinematics.rotation[body.0]);
        targets.push(ReachTarget::Point { body, local: Vector3::zeros(), to });
        targets.push(ReachTarget::Turn { body, to: turned });
    }
    let inside =
        snapshot.contacts.touches.iter().find(|touch| touch.gap < -reach::MET).map(|touch| touch.surface);
    let found: Reached = reach(model, snapshot, &targets);
    if found.is_met(&targets) {
        return Ok(found.q);
    }
    Err(refusal(model, snapshot, wishes, &found, &targets, inside))
}
