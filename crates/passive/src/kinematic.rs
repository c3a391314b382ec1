//! Characters as passive systems see them: kinematic, or ragdolls.

use super::PartId;
use aplomb_body::model::{BodyId, Model};
use aplomb_math::spatial::Force;
use nalgebra::Vector3;

/// A character among passive objects. Characters are indexed in the order of addition.
#[derive(Clone, Copy, Debug)]
pub struct KinematicCharacter<'a> {
    /// Model of the character.
    pub model: &'a Model,
    /// Initial configuration.
    pub q: &'a [f64],
    /// Whether it may become a ragdoll.
    pub may_be_dynamic: bool,
}

/// Configuration of a character, and its velocity over the next step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KinematicPose {
    /// Configuration, nq numbers; rad and m.
    pub q: Vec<f64>,
    /// Velocity, nv numbers; rad/s and m/s.
    pub v: Vec<f64>,
}

impl KinematicPose {
    /// A character at rest.
    pub fn at_rest(character: &KinematicCharacter<'_>) -> Self {
        KinematicPose { q: character.q.to_vec(), v: vec![0.0; character.model.nv] }
    }

    /// Copies a pose of the same model.
    pub fn set(&mut self, q: &[f64], v: &[f64]) {
        self.q.copy_from_slice(q);
        self.v.copy_from_slice(v);
    }
}

/// The object or character that hits a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Striker {
    /// A passive object, by its first part in the system.
    Part(PartId),
    /// Another character, by its index: one of the two is a ragdoll.
    Character(usize),
}

/// Impulse of a passive object or a ragdoll on a body of a character.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Index of the character.
    pub character: usize,
    /// Body that was hit.
    pub body: BodyId,
    /// The object or character that hit it.
    pub by: Striker,
    /// Impulse on the character: moment of impulse about the world origin, N m s, and impulse, N s.
    pub impulse: Force,
    /// Mean contact point, weighted by the size of impulses; world, m.
    pub point: Vector3<f64>,
    /// Sum of the sizes of impulses, N s.
    pub size: f64,
}

/// A contact of a ragdoll with a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RagdollContact {
    /// Key of the contact, constant from frame to frame.
    pub key: [u32; 3],
    /// Body of the ragdoll.
    pub body: BodyId,
    /// Index of the surface in the scene.
    pub surface: usize,
    /// Mean contact point, weighted by the size of impulses; world, m.
    pub point: Vector3<f64>,
    /// Unit normal, world, out of the surface.
    pub normal: Vector3<f64>,
    /// Impulse on the ragdoll, world, N s.
    pub impulse: Vector3<f64>,
    /// Sum of the sizes of impulses, N s.
    pub size: f64,
    /// Coefficient of friction, dimensionless.
    pub friction: f64,
    /// Gap, m; negative for an overlap.
    pub gap: f64,
    /// Largest slip speed, m/s.
    pub slip: f64,
}

/// A character that moves by its own dynamics: its present state and the contacts of its last frame.
#[derive(Clone, Copy, Debug)]
pub struct Ragdoll<'a> {
    /// Configuration, nq numbers; rad and m.
    pub q: &'a [f64],
    /// Velocity, nv numbers; rad/s and m/s.
    pub v: &'a [f64],
    /// Contacts with surfaces; impulses of passive objects are in the hits.
    pub contacts: &'a [RagdollContact],
    /// Impulses of its joint limits, by velocity coordinate, N m s or N s.
    pub limits: &'a [f64],
    /// Joint torques of actuators over the last step, by velocity coordinate, N m or N.
    pub torque: &'a [f64],
}
