//! Holds as scene files specify them: bars, single holds, and walls of holds.

use aplomb_body::contact::grip::{Hold, HoldKind};
use aplomb_language::Spanned;
use aplomb_language::expression::VectorField;
use indexmap::IndexMap;
use serde::Deserialize;

/// A bar to hang from.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct BarSpec {
    /// Positions of its two ends, world, m.
    pub(crate) ends: Spanned<[[f64; 3]; 2]>,
    /// Radius, m: a hand touches the bar at this distance plus the hand's own radius.
    #[serde(default = "bar_radius")]
    pub(crate) radius: Spanned<f64>,
    /// Displacement as a function of `time`, m: keyframes or expressions.
    pub(crate) motion: Option<VectorField>,
}

fn point_radius() -> Spanned<f64> {
    given(Hold::USUAL_RADIUS)
}

fn given<T>(value: T) -> Spanned<T> {
    Spanned::new(0..0, value)
}

fn bar_radius() -> Spanned<f64> {
    given(0.015)
}

/// A hold: a point of the world, of a passive object or of a character.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct HoldSpec {
    /// Position in the world, m.
    pub(crate) position: Option<Spanned<[f64; 3]>>,
    /// Passive object or character that the hold is a point of, instead of `position`. Hands can hold it, and
    /// their force acts on it.
    pub on: Option<Spanned<String>>,
    /// On a character: name of the site, or role of the point, such as `left_palm`.
    pub(crate) at: Option<Spanned<String>>,
    /// On a chain: arc length along it from its first end, m.
    pub(crate) along: Option<Spanned<f64>>,
    /// On an articulated object: name of the part that it is a point of; optional if there is only one.
    pub(crate) part: Option<Spanned<String>>,
    /// On an articulated object: position on the part, in the part's frame, m.
    pub(crate) point: Option<Spanned<[f64; 3]>>,
    /// Radius about the point, m: a hand or foot touches the hold at this distance plus its own radius.
    #[serde(default = "point_radius")]
    pub(crate) radius: Spanned<f64>,
    /// Outward normal for a foot that stands on it, of any length.
    #[serde(default = "up")]
    pub(crate) normal: Spanned<[f64; 3]>,
    /// Coulomb friction coefficient for a foot that stands on it, at most 1e6.
    #[serde(default = "one")]
    pub(crate) friction: Spanned<f64>,
    /// Limbs that can use it: `hand`, `foot` or `both`; default: `both`, on a passive object `hand`, the only
    /// one possible there.
    pub(crate) kind: Option<Spanned<HoldKind>>,
    /// Displacement as a function of `time`, m: keyframes or expressions.
    pub(crate) motion: Option<VectorField>,
}

fn up() -> Spanned<[f64; 3]> {
    given([0.0, 0.0, 1.0])
}

fn one() -> Spanned<f64> {
    given(1.0)
}

/// Holds: single ones by name, and a climbing wall with two holds per row, randomised by `seed`.
///
/// The wall's frame is at `position`, the middle of its foot, rotated by `rotation`: x into the wall, y to
/// the climber's left, z up along it. Its holds are named `left_0`, `right_0`, `left_1` … from the bottom up.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct HoldsSpec {
    /// Holds by name.
    #[serde(default)]
    pub at: IndexMap<Spanned<String>, HoldSpec>,
    /// Seed of the random positions.
    #[serde(default)]
    pub(crate) seed: u64,
    /// Number of rows of two holds; default: 0.
    #[serde(default)]
    pub(crate) rows: u32,
    /// Height of the lowest row along the wall, m.
    #[serde(default = "defaults::lowest")]
    pub(crate) lowest: f64,
    /// Distance between rows along the wall, m.
    #[serde(default = "defaults::spacing")]
    pub(crate) spacing: f64,
    /// Distance between the left and the right hold of a row, m.
    #[serde(default = "defaults::width")]
    pub(crate) width: f64,
    /// Largest random displacement of a hold, sideways and vertically, m.
    #[serde(default = "defaults::jitter")]
    pub(crate) jitter: [f64; 2],
    /// Distance by which the holds protrude from the wall, m.
    #[serde(default = "defaults::depth")]
    pub(crate) depth: f64,
    /// Middle of the wall's foot in the world, m.
    #[serde(default)]
    pub(crate) position: [f64; 3],
    /// Roll, pitch and yaw of the wall, rad, as for an obstacle; a negative pitch makes it overhang.
    #[serde(default)]
    pub(crate) rotation: [f64; 3],
    /// Outward normal for feet that stand on the holds, in the wall's axes, of any length.
    #[serde(default = "defaults::normal")]
    pub(crate) normal: [f64; 3],
    /// Coulomb friction coefficient for feet that stand on them, at most 1e6.
    #[serde(default = "defaults::friction")]
    pub(crate) friction: f64,
}

mod defaults {
    pub(super) fn lowest() -> f64 {
        0.3
    }

    pub(super) fn spacing() -> f64 {
        0.35
    }

    pub(super) fn width() -> f64 {
        0.44
    }

    pub(super) fn jitter() -> [f64; 2] {
        [0.1, 0.08]
    }

    pub(super) fn depth() -> f64 {
        0.06
    }

    pub(super) fn normal() -> [f64; 3] {
        [-0.5, 0.0, 1.0]
    }

    pub(super) fn friction() -> f64 {
        1.0
    }
}
