//! The interface of a kind of passive object.

use super::{Built, FileEnvironment, RestingPoint};
use aplomb_body::contact::{Owner, Pose, Seat, Surface, SurfaceShape};
use aplomb_body::model::Model;
use aplomb_language::Spanned;
use aplomb_language::diagnostic::{FileError, FileErrors, Source};
use nalgebra::Vector3;

/// The specification of one object of a kind in a file, and the construction of such objects.
pub trait PassiveMethod: Sized {
    /// The MJCF files that it names.
    fn models(&self) -> Vec<&Spanned<String>>;

    /// Checks the specification on its own.
    fn check(&self, source: &Source) -> Vec<FileError>;

    /// Length along which the object can be held, m; `None` if it cannot be held.
    fn length(&self) -> Option<f64> {
        None
    }

    /// The point at this distance along the object, m; `None` if it cannot be held or is shorter.
    fn point_along(&self, _along: f64) -> Option<RestingPoint> {
        None
    }

    /// The point of a part (by name; of the only part without a name), in the frame of the part, m. `None`
    /// for objects without parts that can be held.
    ///
    /// # Errors
    /// A name that no part has, and errors in the object's files.
    fn point_on(
        &self,
        _part: Option<&str>,
        _local: Vector3<f64>,
        _models: &[Model],
        _source: &Source,
    ) -> Option<Result<RestingPoint, NoPart>> {
        None
    }

    /// Whether contacts of characters with it are unknowns of their frames.
    fn is_pushed(&self) -> bool {
        false
    }

    /// Surfaces for such contacts, which move under their forces in the same frame; none for most kinds.
    fn surfaces(&self, _models: &[Model], _source: &Source) -> Vec<ObjectSurface> {
        Vec::new()
    }

    /// Whether anything but contact and gravity may give it energy: a trajectory, wind, a container that moves. An
    /// audit does not judge the energy of such an object; it can judge only kinds that report their touches.
    fn is_driven(&self) -> bool {
        true
    }

    /// `KEY=VALUE` with which the object is so much farther along x, m; `None` for kinds that several keys place.
    fn aside(&self, _by: f64) -> Option<String> {
        None
    }

    /// Whether a system of this kind is needed even without objects of this kind.
    fn is_needed(_around: &FileEnvironment<'_>) -> bool {
        false
    }

    /// Makes all objects of this kind: one system for those that are stepped together.
    ///
    /// # Errors
    ///
    /// All errors in the specifications, each with its location.
    fn build(
        members: &[ObjectRequest<'_, Self>],
        around: &FileEnvironment<'_>,
    ) -> Result<Vec<Built>, FileErrors>;
}

/// A surface of a passive object.
#[derive(Clone, Debug)]
pub struct ObjectSurface {
    /// Index of the part that it belongs to.
    pub part: usize,
    /// Pose on the part.
    pub place: Pose,
    /// Initial pose in the world.
    pub start: Pose,
    /// Shape in its own frame.
    pub shape: SurfaceShape,
    /// Coefficient of friction, dimensionless.
    pub friction: f64,
    /// Weight of keeping contacts on it where they were made; `None` for the scene's weight.
    pub contact_weight: Option<f64>,
    /// Speed below which characters push it, m/s; `None` if they do at any speed.
    pub slow: Option<f64>,
}

impl ObjectSurface {
    /// The surface of the object with this index and name.
    pub fn of(self, object: usize, name: &str) -> Surface {
        let ObjectSurface { part, place, start, shape, friction, contact_weight, slow } = self;
        let mut surface = Surface::new(name, shape, start.position, start.orientation, friction);
        surface.contact_weight = contact_weight;
        // Such a surface joins once its speed and the body's depth in it are known.
        (surface.slow, surface.present) = (slow, slow.is_none());
        surface.of(Seat { of: Owner::Object(object), part, place })
    }
}

/// Why an object has no such point.
#[derive(Clone, Debug)]
pub enum NoPart {
    /// There is no part with the name, or no name is given and there are several parts; the names that exist.
    Unknown(Vec<String>),
    /// The object cannot be created; the error is reported elsewhere.
    Broken,
}

/// An object to be made.
pub struct ObjectRequest<'a, S> {
    /// Index among the passive objects of the scene.
    pub object: usize,
    /// Specification of the object.
    pub spec: &'a S,
    /// The bodies in the files that [`PassiveMethod::models`] names, in that order.
    pub models: &'a [Model],
}
