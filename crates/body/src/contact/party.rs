//! Points of a character that press on passive objects or hold on to them, and how those give way.

use nalgebra::Matrix3;

/// A point of a character that acts on a passive object, or the object itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Party {
    /// The grip of a site, by its index in the model.
    Grip(usize),
    /// A touch, by its slot among the contacts.
    Touch(usize),
    /// The centre of mass of a passive object, by its number, on which no force acts: only where it goes is asked.
    Object(usize),
}

/// How what a party acts on gives way to a force of the same frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Compliance {
    /// What moves with what gives way.
    pub of: Party,
    /// What the force acts on, which pushes what it touches or holds the other way.
    pub by: Party,
    /// Velocity of the object's point against that force, mean over the frame, m/s/N.
    pub compliance: Matrix3<f64>,
}
