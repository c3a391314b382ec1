//! What a kind of passive object is to the rest.

use super::{Built, FileEnvironment, RestingPoint};
use crate::language::Spanned;
use crate::language::diagnostic::{FileError, FileErrors, Source};

/// What a file says of one object of a kind, and how such objects are made.
pub trait PassiveMethod: Sized {
    /// The MJCF files it names.
    fn models(&self) -> Vec<&Spanned<String>>;

    /// What is wrong with it by itself.
    fn check(&self, source: &Source) -> Vec<FileError>;

    /// How long an object is along which it can be held, m; none for what cannot be held.
    fn length(&self) -> Option<f64> {
        None
    }

    /// The point so far along it, m; none for what cannot be held and for what is shorter.
    fn point_along(&self, _along: f64) -> Option<RestingPoint> {
        None
    }

    /// Whether a system of this kind is needed even without objects of it.
    fn is_needed(_around: &FileEnvironment<'_>) -> bool {
        false
    }

    /// Makes all objects of this kind: one system for those that are stepped together.
    ///
    /// # Errors
    ///
    /// All mistakes in what the file says of the objects, each with its place.
    fn build(members: &[Member<'_, Self>], around: &FileEnvironment<'_>) -> Result<Vec<Built>, FileErrors>;
}

/// An object to be made.
pub struct Member<'a, S> {
    /// Its number among the passive objects of the scene.
    pub object: usize,
    /// What the file or the caller says of it.
    pub spec: &'a S,
    /// The texts of [`PassiveMethod::models`], in that order.
    pub models: &'a [Source],
}
