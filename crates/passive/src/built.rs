//! What methods make: systems, the objects in them, and points of these.

use super::PassiveSystem;
use nalgebra::Vector3;
use std::fmt;
use std::ops::Range;

/// A system, and what is in it.
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
    /// A system of one object, by the object's number.
    pub fn one(object: usize, of: NamedSystem) -> Self {
        let NamedSystem { system, part_names } = of;
        Built { objects: vec![BuiltObject { object, parts: 0..part_names.len(), part_names }], system }
    }
}

/// What a system has of an object.
pub struct BuiltObject {
    /// Its number among the passive objects of the scene.
    pub object: usize,
    /// Its parts in the system.
    pub parts: Range<usize>,
    /// A name for each.
    pub part_names: Vec<String>,
}

/// A point of an object in its initial state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RestingPoint {
    /// Which of the object's parts.
    pub part: usize,
    /// In the frame of the part, m.
    pub local: Vector3<f64>,
    /// World, m.
    pub position: Vector3<f64>,
}
