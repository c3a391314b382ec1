//! Results of constructing passive objects: systems, their objects, and points of the objects.

use super::PassiveSystem;
use nalgebra::Vector3;
use std::fmt;
use std::ops::Range;

/// A system, with its objects.
pub struct Built {
    /// The system.
    pub system: Box<dyn PassiveSystem>,
    /// The objects in it, as ranges of its parts.
    pub objects: Vec<BuiltObject>,
}

/// A system of one object.
#[derive(Clone)]
pub struct NamedSystem {
    /// The system.
    pub system: Box<dyn PassiveSystem>,
    /// A name for each of its parts.
    pub part_names: Vec<String>,
}

impl fmt::Debug for NamedSystem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NamedSystem").field("part_names", &self.part_names).finish_non_exhaustive()
    }
}

impl Built {
    /// A system with one object, of this index.
    pub fn one(object: usize, of: NamedSystem) -> Self {
        let NamedSystem { system, part_names } = of;
        Built { objects: vec![BuiltObject { object, parts: 0..part_names.len(), part_names }], system }
    }
}

/// The parts of an object in a system.
pub struct BuiltObject {
    /// Index among the passive objects of the scene.
    pub object: usize,
    /// Its parts in the system.
    pub parts: Range<usize>,
    /// A name for each part.
    pub part_names: Vec<String>,
}

/// A point of an object in its initial state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RestingPoint {
    /// Index among the object's parts.
    pub part: usize,
    /// Position in the frame of the part, m.
    pub local: Vector3<f64>,
    /// Position in the world, m.
    pub position: Vector3<f64>,
}
