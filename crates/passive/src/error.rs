//! Why no passive object can be made.

use super::chain::ChainError;
use super::particles::ParticlesError;
use aplomb_math::extent::FARTHEST;
use thiserror::Error;

/// Why no passive object could be made.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum PassiveError {
    /// A number is NaN or infinite.
    #[error("a passive object needs finite numbers")]
    NotFinite,
    /// A number lies outside the values it may have.
    #[error("{what} cannot be {value}")]
    OutOfRange {
        /// What the number is.
        what: &'static str,
        /// The number given.
        value: f64,
    },
    /// Fewer than two points, a point that is not finite, or two consecutive points that coincide.
    #[error("points are two or more, finite, and each apart from the next")]
    Points,
    /// A trajectory whose times do not rise, or whose points and times differ in number.
    #[error("a course needs as many points as times, finite, with times that rise")]
    Course,
    /// No joint has this name.
    #[error("there is no joint `{joint}`")]
    UnknownJoint {
        /// The name given.
        joint: String,
    },
    /// The joint has more than one coordinate, so no single value can be given to it.
    #[error("`{joint}` has no single value")]
    NoSingleValue {
        /// Name of the joint.
        joint: String,
    },
    /// The joint follows another, or is held: its value is not its own.
    #[error("`{joint}` follows another joint")]
    Follows {
        /// Name of the joint.
        joint: String,
    },
    /// A joint's value lies outside its range.
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
    #[error("what hangs on the world cannot be thrown; give rates of its joints")]
    HangsOnWorld,
    /// A part is farther from the origin than numbers are good for.
    #[error("a passive object is {distance:.0} m from the origin, farther than {FARTHEST} m")]
    TooFar {
        /// m
        distance: f64,
    },
    /// Another object has this name.
    #[error("there is a passive object `{name}` already")]
    NameTaken {
        /// The name.
        name: String,
    },
    /// Bodies and joints that make no chain.
    #[error(transparent)]
    Chain(#[from] ChainError),
    /// Numbers that make no particles.
    #[error(transparent)]
    Particles(#[from] ParticlesError),
}
