//! Contact endpoints of a character on passive objects, and the compliance of these.

use nalgebra::Matrix3;

/// A point of a character that acts on a passive object, or the object itself.
#[doc(alias = "contact endpoint")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Party {
    /// The grip of a site, by its index in the model.
    Grip(usize),
    /// A contact point, by its slot.
    Touch(usize),
    /// The centre of mass of a passive object, by its index. It has no force; only its motion is of interest.
    Object(usize),
}

/// The compliance of an object under a force of the same frame.
#[doc(alias = "Delassus")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Compliance {
    /// The contact endpoint whose object point moves.
    pub of: Party,
    /// The contact endpoint whose force moves it.
    pub by: Party,
    /// Velocity of the object's point against the force on the character, mean over the frame, m/s/N.
    pub compliance: Matrix3<f64>,
}
