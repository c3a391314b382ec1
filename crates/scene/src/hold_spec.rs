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
    /// Its two ends in the world, m.
    pub ends: Spanned<[[f64; 3]; 2]>,
    /// m: a hand touches it from so far, beside the hand's own radius.
    #[serde(default = "bar_radius")]
    pub radius: Spanned<f64>,
    /// How far it has moved, m, over `time`: keyframes or expressions of the time.
    pub motion: Option<VectorField>,
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

/// A hold: one point, of the world, of a passive object or of a character.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct HoldSpec {
    /// In the world, m.
    pub position: Option<Spanned<[f64; 3]>>,
    /// Instead of `position`: the passive object or the character it is a point of. Hands can hold it, and
    /// their force acts on it.
    pub on: Option<Spanned<String>>,
    /// On a character: which site of its body it is, or which point by its role, such as `left_palm`.
    pub at: Option<Spanned<String>>,
    /// On a chain: arc length along it from its first end, m.
    pub along: Option<Spanned<f64>>,
    /// On an articulated object: the part that it is a point of, by name; its only one where it is left out.
    pub part: Option<Spanned<String>>,
    /// On an articulated object: where on the part, in its frame, m.
    pub point: Option<Spanned<[f64; 3]>>,
    /// Radius about the point, m: a hand or foot touches it from so far, beside its own radius.
    #[serde(default = "point_radius")]
    pub radius: Spanned<f64>,
    /// Outward normal of what stands on it is pushed by; its length does not matter.
    #[serde(default = "up")]
    pub normal: Spanned<[f64; 3]>,
    /// Coulomb friction coefficient under what stands on it, at most 1e6.
    #[serde(default = "one")]
    pub friction: Spanned<f64>,
    /// Who it is for: `hand`, `foot` or `both`, which is what it is where it is left out; on a passive
    /// object, only `hand`.
    pub kind: Option<Spanned<HoldKind>>,
    /// How far it has moved, m, over `time`: keyframes or expressions of the time.
    pub motion: Option<VectorField>,
}

fn up() -> Spanned<[f64; 3]> {
    given([0.0, 0.0, 1.0])
}

fn one() -> Spanned<f64> {
    given(1.0)
}

/// Holds: some by name, and a wall of them, two a row, randomised by `seed`.
///
/// The wall's own axes are the world's turned by `rotation`, from `position`, the middle of its foot: x into
/// the wall, y to the left of who climbs it, z up along it. Its holds are named `left_0`, `right_0`, `left_1`
/// … upwards.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct HoldsSpec {
    /// Holds by name.
    #[serde(default)]
    pub at: IndexMap<Spanned<String>, HoldSpec>,
    /// Which wall of all walls of this kind.
    #[serde(default)]
    pub seed: u64,
    /// Rows of two holds; none where it is left out.
    #[serde(default)]
    pub rows: u32,
    /// Height of the lowest row along the wall, m.
    #[serde(default = "defaults::lowest")]
    pub lowest: f64,
    /// From row to row along the wall, m.
    #[serde(default = "defaults::spacing")]
    pub spacing: f64,
    /// From the left to the right hold of a row, m.
    #[serde(default = "defaults::width")]
    pub width: f64,
    /// Each hold is up to that far from its place in the row, to either side and up or down, m.
    #[serde(default = "defaults::jitter")]
    pub jitter: [f64; 2],
    /// How far the holds stand out of the wall, m.
    #[serde(default = "defaults::depth")]
    pub depth: f64,
    /// Middle of the wall's foot in the world, m.
    #[serde(default)]
    pub position: [f64; 3],
    /// Roll, pitch and yaw of the wall, rad, as for an obstacle; a negative pitch makes it lean over the
    /// climber.
    #[serde(default)]
    pub rotation: [f64; 3],
    /// Normal of what stands on the holds is pushed by, in the wall's axes; its length does not matter.
    #[serde(default = "defaults::normal")]
    pub normal: [f64; 3],
    /// Coulomb friction coefficient under what stands on them, at most 1e6.
    #[serde(default = "defaults::friction")]
    pub friction: f64,
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
