//! Articulated objects made by programs: a model with its initial pose and motion.

use super::Articulated;
use crate::{ObjectSurface, PassiveError};
use aplomb_body::contact::{Pose, SurfaceShape};
use aplomb_body::model::state::rotation;
use aplomb_body::model::{Joint, JointKind, Model};
use nalgebra::{Rotation3, UnitQuaternion, Vector3};

/// Speed up to which [`PushedByCharacters::WhileSlow`] counts an object as slow, m/s.
const SLOW: f64 = 1.0;

/// When the contact forces between characters and an object are unknowns of the characters' frames, under which the
/// object moves in the same frame. Otherwise the object collides with the moving characters, and its impulses on them
/// are external.
#[doc(alias = "two-way coupling")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PushedByCharacters {
    /// While it is slow, so that characters can stand on it, lean on it and push it; a fast object strikes them. An
    /// object with a hold is never pushed.
    #[default]
    WhileSlow,
    /// At any speed.
    Always,
    /// Never.
    Never,
}

impl PushedByCharacters {
    /// Whether characters ever push it.
    pub fn is_possible(self) -> bool {
        self != PushedByCharacters::Never
    }
}

impl From<bool> for PushedByCharacters {
    fn from(is_pushed: bool) -> Self {
        if is_pushed { PushedByCharacters::Always } else { PushedByCharacters::Never }
    }
}

/// Bodies with unactuated joints, for [`PassiveWorld::add`](crate::PassiveWorld::add).
#[derive(Clone, Debug)]
pub struct ArticulatedObject {
    /// Model of the object. Shapes that it fixes to the world are ignored.
    pub model: Model,
    /// Displacement from the pose of the model, m.
    pub position: Vector3<f64>,
    /// Rotation about the origin of its first body.
    pub rotation: UnitQuaternion<f64>,
    /// Joint values that differ from the rest pose, by name, rad or m.
    pub pose: Vec<(String, f64)>,
    /// Initial rates of joints, by name, rad/s or m/s.
    pub rates: Vec<(String, f64)>,
    /// Initial velocity of the centre of mass of a floating object, m/s.
    pub velocity: Vector3<f64>,
    /// Initial angular velocity of a floating object, world axes, rad/s.
    pub angular_velocity: Vector3<f64>,
    /// Coefficient of restitution, 0 to 1; a collision uses the greater of two.
    #[doc(alias = "bounce")]
    pub restitution: f64,
    /// Friction of its shapes; `None` for the model's own.
    pub friction: Option<f64>,
    /// Damping of all hinges and ball joints without damping in the model, N m s/rad.
    pub damping: f64,
    /// When contacts of characters added after it are unknowns of their frames.
    pub pushed_by_characters: PushedByCharacters,
    /// Weight of keeping contacts of characters on it where they were made; `None` for the world's weight.
    pub contact_weight: Option<f64>,
}

impl ArticulatedObject {
    /// The object at rest in the pose of the model.
    pub fn new(model: Model) -> Self {
        ArticulatedObject {
            model,
            position: Vector3::zeros(),
            rotation: UnitQuaternion::identity(),
            pose: Vec::new(),
            rates: Vec::new(),
            velocity: Vector3::zeros(),
            angular_velocity: Vector3::zeros(),
            restitution: 0.0,
            friction: None,
            damping: 0.0,
            pushed_by_characters: PushedByCharacters::default(),
            contact_weight: None,
        }
    }

    /// Sets its displacement from the pose of the model, m.
    pub fn at(mut self, position: Vector3<f64>) -> Self {
        self.position = position;
        self
    }

    /// Sets its rotation about the origin of its first body.
    pub fn turned(mut self, rotation: UnitQuaternion<f64>) -> Self {
        self.rotation = rotation;
        self
    }

    /// Sets the value of a joint, rad or m.
    pub fn joint(mut self, name: &str, value: f64) -> Self {
        self.pose.push((name.into(), value));
        self
    }

    /// Sets the rate of a joint, rad/s or m/s.
    pub fn rate(mut self, name: &str, rate: f64) -> Self {
        self.rates.push((name.into(), rate));
        self
    }

    /// Sets the velocity of its centre of mass (m/s) and its angular velocity in world axes (rad/s).
    pub fn thrown(mut self, velocity: Vector3<f64>, angular_velocity: Vector3<f64>) -> Self {
        (self.velocity, self.angular_velocity) = (velocity, angular_velocity);
        self
    }

    /// Sets its coefficient of restitution, 0 to 1.
    pub fn restitution(mut self, restitution: f64) -> Self {
        self.restitution = restitution;
        self
    }

    /// Sets the friction of its shapes.
    pub fn friction(mut self, friction: f64) -> Self {
        self.friction = Some(friction);
        self
    }

    /// Sets the damping of joints without damping, N m s/rad.
    pub fn damping(mut self, damping: f64) -> Self {
        self.damping = damping;
        self
    }

    /// Sets when contacts of characters with its shapes are unknowns of their frames, for characters added after it
    /// (`true`: always, `false`: never). It collides with other characters kinematically.
    #[doc(alias = "two-way coupling")]
    pub fn pushed_by_characters(mut self, when: impl Into<PushedByCharacters>) -> Self {
        self.pushed_by_characters = when.into();
        self
    }

    /// Sets the weight of keeping contacts on it where they were made, 0 or more: 0 for objects that are only
    /// collided with.
    pub fn contact_weight(mut self, weight: f64) -> Self {
        self.contact_weight = Some(weight);
        self
    }

    /// The surfaces of its shapes for contacts of characters; empty where such contacts are not unknowns.
    ///
    /// # Errors
    /// The errors of constructing its system.
    pub fn surfaces(&self) -> Result<Vec<ObjectSurface>, PassiveError> {
        if let Some(weight) = self.contact_weight.filter(|weight| !(weight.is_finite() && *weight >= 0.0)) {
            return Err(PassiveError::OutOfRange { what: "contact_weight", value: weight });
        }
        match self.pushed_by_characters {
            PushedByCharacters::Never => Ok(Vec::new()),
            when => Ok(surfaces(&self.system()?, self.contact_weight, when)),
        }
    }

    /// The system in its initial state.
    ///
    /// # Errors
    /// Numbers out of range; joints that the model does not have, that have no single coordinate or that
    /// follow others; and an initial velocity of an object that is fixed to the world.
    pub(crate) fn system(&self) -> Result<Articulated, PassiveError> {
        let vectors = [&self.position, &self.velocity, &self.angular_velocity];
        let numbers = self.pose.iter().chain(&self.rates).map(|(_, value)| *value);
        if !vectors.iter().flat_map(|vector| vector.iter().copied()).chain(numbers).all(f64::is_finite) {
            return Err(PassiveError::NotFinite);
        }
        if !(0.0..=1.0).contains(&self.restitution) {
            return Err(PassiveError::OutOfRange { what: "restitution", value: self.restitution });
        }
        for (what, value) in [("friction", self.friction.unwrap_or(0.0)), ("damping", self.damping)] {
            if !(value.is_finite() && value >= 0.0) {
                return Err(PassiveError::OutOfRange { what, value });
            }
        }
        let mut model = self.model.clone();
        prepare(&mut model, self.friction, self.damping);
        let mut q = model.rest_configuration();
        place(&mut model, &mut q, &self.position, &self.rotation);
        for (name, value) in &self.pose {
            let joint = single(&model, name)?;
            if let Some([low, high]) = joint.range
                && !(low..=high).contains(value)
            {
                return Err(PassiveError::JointRange { joint: name.clone(), value: *value, low, high });
            }
            q[joint.q_index] = *value;
        }
        model.obey_couplings(&mut q);
        let mut system = Articulated::new(model, q);
        system.restitution = self.restitution;
        for (name, rate) in &self.rates {
            let index = single(&system.model, name)?.v_index;
            system.state.v[index] = *rate;
        }
        system.model.obey_couplings_at(&mut system.state.v);
        system.refresh();
        if self.velocity != Vector3::zeros() || self.angular_velocity != Vector3::zeros() {
            if !system.model.is_floating() {
                return Err(PassiveError::HangsOnWorld);
            }
            system.throw(&self.velocity, &self.angular_velocity);
        }
        Ok(system)
    }
}

/// All colliding shapes of a system, as surfaces with this contact weight.
pub(super) fn surfaces(
    system: &Articulated,
    contact_weight: Option<f64>,
    when: PushedByCharacters,
) -> Vec<ObjectSurface> {
    let slow = (when == PushedByCharacters::WhileSlow).then_some(SLOW);
    let solid = system.model.geoms.iter().filter(|geom| geom.collides);
    let surfaces = solid.filter_map(|geom| {
        let (body, shape) = (geom.body?, SurfaceShape::of(&geom.shape)?);
        let place = Pose { position: geom.position, orientation: geom.orientation };
        let turn = Rotation3::from_matrix_unchecked(system.kinematics.rotation[body.0]);
        let orientation = UnitQuaternion::from_rotation_matrix(&turn) * geom.orientation;
        let start = Pose { position: system.kinematics.point(body, &geom.position), orientation };
        let (part, friction) = (body.0, geom.friction);
        Some(ObjectSurface { part, place, start, shape, friction, contact_weight, slow })
    });
    surfaces.collect()
}

/// The joint with one coordinate and this name.
fn single<'a>(model: &'a Model, name: &str) -> Result<&'a Joint, PassiveError> {
    let id = model.joint(name).ok_or_else(|| PassiveError::UnknownJoint { joint: name.into() })?;
    let joint = &model.joints[id.0];
    match joint.kind.nv() {
        _ if model.coupling_of(id).is_some() => Err(PassiveError::Follows { joint: name.into() }),
        1 => Ok(joint),
        _ => Err(PassiveError::NoSingleValue { joint: name.into() }),
    }
}

/// Removes shapes that are fixed to the world, and sets the friction of the others and the damping of
/// rotational joints without damping.
pub(super) fn prepare(model: &mut Model, friction: Option<f64>, damping: f64) {
    model.geoms.retain(|geom| geom.body.is_some());
    if let Some(friction) = friction {
        model.geoms.iter_mut().for_each(|geom| geom.friction = friction);
    }
    let turning = |kind: &JointKind| matches!(kind, JointKind::Hinge { .. } | JointKind::Ball);
    let undamped = model.joints.iter_mut().filter(|joint| turning(&joint.kind) && joint.damping == 0.0);
    undamped.for_each(|joint| joint.damping = damping);
}

/// Rotates everything that is attached to the world about the origin of its first body, and translates it.
pub(super) fn place(model: &mut Model, q: &mut [f64], by: &Vector3<f64>, turn: &UnitQuaternion<f64>) {
    let Some(first) = model.body_poses(q).first().map(|pose| pose.translation.vector) else { return };
    let to = first + by;
    let placed = |position: Vector3<f64>, orientation: UnitQuaternion<f64>| {
        (to + turn * (position - first), turn * orientation)
    };
    for body in model.bodies.iter_mut().filter(|body| body.parent.is_none()) {
        (body.position, body.orientation) = placed(body.position, body.orientation);
    }
    for joint in model.joints.iter().filter(|joint| joint.kind == JointKind::Free) {
        let q = &mut q[joint.q_index..joint.q_index + 7];
        let (position, r) = placed(Vector3::from_column_slice(&q[..3]), rotation(&q[3..7]));
        q[..3].copy_from_slice(position.as_slice());
        q[3..].copy_from_slice(&[r.w, r.i, r.j, r.k]);
    }
}
