//! What a kind of passive object is to the rest.

use super::{Built, FileEnvironment, RestingPoint};
use aplomb_body::contact::{Owner, Pose, Seat, Surface, SurfaceShape};
use aplomb_language::Spanned;
use aplomb_language::diagnostic::{FileError, FileErrors, Source};
use nalgebra::Vector3;

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

    /// The point of a part (by name; the only one where none is given), in the frame of that, m. `None` for what has no
    /// parts that can be held.
    ///
    /// # Errors
    /// A name that no part has, and what is wrong with the object's files.
    fn point_on(
        &self,
        _part: Option<&str>,
        _local: Vector3<f64>,
        _models: &[Source],
        _source: &Source,
    ) -> Option<Result<RestingPoint, NoPart>> {
        None
    }

    /// Whether characters press on it as on obstacles.
    fn is_pushed(&self) -> bool {
        false
    }

    /// Surfaces of it that characters press on as on obstacles, and that give way in the same frame; none, for most.
    fn surfaces(&self, _models: &[Source], _source: &Source) -> Vec<ObjectSurface> {
        Vec::new()
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

/// A surface of a passive object.
#[derive(Clone, Debug)]
pub struct ObjectSurface {
    /// Index of the part that it is of.
    pub part: usize,
    /// On the part.
    pub place: Pose,
    /// As the object begins, in the world.
    pub start: Pose,
    /// In its own frame.
    pub shape: SurfaceShape,
    /// Coefficient of friction, dimensionless.
    pub friction: f64,
    /// Weight of keeping contacts with it where they touched; the scene's where `None`.
    pub contact_weight: Option<f64>,
}

impl ObjectSurface {
    /// As a surface of the object with this number, under its name.
    pub fn of(self, object: usize, name: &str) -> Surface {
        let ObjectSurface { part, place, start, shape, friction, contact_weight } = self;
        let mut surface = Surface::new(name, shape, start.position, start.orientation, friction);
        surface.contact_weight = contact_weight;
        surface.of(Seat { of: Owner::Object(object), part, place })
    }
}

/// Why there is no such point of an object.
#[derive(Clone, Debug)]
pub enum NoPart {
    /// No part has the name, or none is given and there are several; those that there are.
    Unknown(Vec<String>),
    /// The object cannot be made; that is told where it is.
    Broken,
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
