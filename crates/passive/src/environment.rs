//! What is around passive objects.

use super::{KinematicCharacter, PassiveSettings};
use aplomb_body::contact::Surface;
use aplomb_language::diagnostic::Source;
use nalgebra::Vector3;
use std::ops::Deref;

/// Where objects are made.
#[derive(Clone, Copy)]
pub struct Environment<'a> {
    /// Acceleration of gravity, m/s², world axes.
    pub gravity: Vector3<f64>,
    /// How passive objects are stepped.
    pub settings: &'a PassiveSettings,
    /// What is fixed in the world.
    pub surfaces: &'a [Surface],
    /// The characters that passive objects run into.
    pub characters: &'a [KinematicCharacter<'a>],
}

impl<'a> Environment<'a> {
    /// Empty space with this gravity, m/s².
    pub fn empty(gravity: Vector3<f64>, settings: &'a PassiveSettings) -> Self {
        Environment { gravity, settings, surfaces: &[], characters: &[] }
    }
}

/// Where objects of a file are made.
pub struct FileEnvironment<'a> {
    /// The scene file, for mistakes.
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
