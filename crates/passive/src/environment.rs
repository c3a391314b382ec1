//! The environment of passive objects.

use super::{KinematicCharacter, PassiveSettings};
use aplomb_body::contact::Surface;
use aplomb_language::diagnostic::Source;
use nalgebra::Vector3;
use std::ops::Deref;

/// The environment in which passive objects are made.
#[derive(Clone, Copy)]
pub struct Environment<'a> {
    /// Acceleration of gravity, m/s², world axes.
    pub gravity: Vector3<f64>,
    /// Step settings of passive objects.
    pub settings: &'a PassiveSettings,
    /// Surfaces of the world.
    pub surfaces: &'a [Surface],
    /// The characters that passive objects collide with.
    pub characters: &'a [KinematicCharacter<'a>],
}

impl<'a> Environment<'a> {
    /// Empty space with this gravity, m/s².
    pub fn empty(gravity: Vector3<f64>, settings: &'a PassiveSettings) -> Self {
        Environment { gravity, settings, surfaces: &[], characters: &[] }
    }
}

/// The environment in which objects of a file are made.
pub struct FileEnvironment<'a> {
    /// The scene file, for messages.
    pub source: &'a Source,
    /// Gravity, step settings and surfaces.
    pub around: Environment<'a>,
}

impl<'a> Deref for FileEnvironment<'a> {
    type Target = Environment<'a>;

    fn deref(&self) -> &Environment<'a> {
        &self.around
    }
}
