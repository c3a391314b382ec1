//! Characters as passive systems see them: bodies that others move, or ragdolls.

use super::PartId;
use aplomb_body::model::{BodyId, Model};
use aplomb_math::spatial::Force;
use nalgebra::Vector3;

/// A character among passive objects. Characters are numbered in the order in which they are given.
#[derive(Clone, Copy, Debug)]
pub struct KinematicCharacter<'a> {
    /// Model of the character.
    pub model: &'a Model,
    /// First configuration.
    pub q: &'a [f64],
    /// Whether it may become a ragdoll.
    pub may_be_dynamic: bool,
}

/// Where a character is, and the velocity it keeps over the next step.
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

/// What strikes a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Striker {
    /// A passive object, by its first part in the system.
    Part(PartId),
    /// Another character, by its index: one of the two is a ragdoll.
    Character(usize),
}

/// What a body of a character received from a passive object or a ragdoll.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Index of the character.
    pub character: usize,
    /// Body that was hit.
    pub body: BodyId,
    /// What hit it.
    pub by: Striker,
    /// On the character: moment of impulse about the world origin, N m s, and impulse, N s.
    pub impulse: Force,
    /// Mean of the points at which it was given, weighted by size; world, m.
    pub point: Vector3<f64>,
    /// Sum of the sizes, N s.
    pub size: f64,
}

/// A point at which a ragdoll was held by a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RagdollContact {
    /// Identifies the contact; it stays equal from frame to frame.
    pub key: [u32; 3],
    /// Body of the ragdoll.
    pub body: BodyId,
    /// By its number among the surfaces of the scene.
    pub surface: usize,
    /// World, m; mean, weighted by size.
    pub point: Vector3<f64>,
    /// World, out of the surface.
    pub normal: Vector3<f64>,
    /// On the ragdoll, world, N s.
    pub impulse: Vector3<f64>,
    /// Sum of the sizes, N s.
    pub size: f64,
    /// Coefficient of friction, dimensionless.
    pub friction: f64,
    /// m
    pub gap: f64,
    /// Greatest speed along the surface, m/s.
    pub slip: f64,
}

/// A character that moves by its own dynamics, as it is now and what happened to it in the last frame.
#[derive(Clone, Copy, Debug)]
pub struct Ragdoll<'a> {
    /// Configuration, nq numbers; rad and m.
    pub q: &'a [f64],
    /// Velocity, nv numbers; rad/s and m/s.
    pub v: &'a [f64],
    /// What surfaces gave it; what passive objects gave it is in the hits.
    pub contacts: &'a [RagdollContact],
    /// Impulses of its joint limits, by velocity coordinate, N m s or N s.
    pub limits: &'a [f64],
}
