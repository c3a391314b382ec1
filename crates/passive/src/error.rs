//! Errors of constructing passive objects.

use super::chain::ChainError;
use super::particles::ParticlesError;
use aplomb_math::extent::FARTHEST;
use thiserror::Error;

/// Why a passive object could not be made.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum PassiveError {
    /// A number is NaN or infinite.
    #[error("a passive object needs finite numbers")]
    NotFinite,
    /// A number is out of range.
    #[error("{what} cannot be {value}")]
    OutOfRange {
        /// The quantity.
        what: &'static str,
        /// The number given.
        value: f64,
    },
    /// Fewer than two points, a point that is not finite, or two consecutive points that coincide.
    #[error("`points` needs two or more finite points, each different from the next")]
    Points,
    /// A trajectory whose times do not increase, or whose points and times differ in number.
    #[error("a trajectory needs one finite point for each time, and increasing times")]
    Course,
    /// No joint has this name.
    #[error("there is no joint `{joint}`")]
    UnknownJoint {
        /// The name given.
        joint: String,
    },
    /// The joint has several coordinates, so that no single value can be set.
    #[error("`{joint}` has no single value")]
    NoSingleValue {
        /// Name of the joint.
        joint: String,
    },
    /// The joint follows another, or is held: its value cannot be set.
    #[error("`{joint}` follows another joint")]
    Follows {
        /// Name of the joint.
        joint: String,
    },
    /// A joint's value is outside its range.
    #[error("{value} is outside the range of `{joint}`, which goes from {low} to {high}")]
    JointRange {
        /// Name of the joint.
        joint: String,
        /// The value given, rad or m.
        value: f64,
        /// Lower limit, rad or m.
        low: f64,
        /// Upper limit, rad or m.
        high: f64,
    },
    /// The object is fixed to the world and cannot be thrown.
    #[error(
        "an object that is attached to the world cannot have an initial velocity; give rates of its joints"
    )]
    HangsOnWorld,
    /// A part is farther from the origin than the accuracy of numbers allows.
    #[error("a passive object is {distance:.0} m from the origin, farther than {FARTHEST} m")]
    TooFar {
        /// Distance from the origin, m.
        distance: f64,
    },
    /// Another object has this name.
    #[error("there is a passive object `{name}` already")]
    NameTaken {
        /// The name.
        name: String,
    },
    /// Bodies and joints do not form a chain.
    #[error(transparent)]
    Chain(#[from] ChainError),
    /// A specification of particles is invalid.
    #[error(transparent)]
    Particles(#[from] ParticlesError),
}
