//! The specification of stairs and uneven ground in a scene file.

use aplomb_language::Spanned;
use aplomb_language::expression::ScalarField;
use serde::Deserialize;

/// Stairs or uneven ground; parts below the floor have no effect.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub(crate) enum TerrainSpec {
    /// A flight of stairs.
    Stairs(StairsSpec),
    /// Random ground, determined by its seed.
    Random(RandomSpec),
    /// Heights given by an expression of x and y.
    Formula(FormulaSpec),
    /// Heights given by the grey values of a picture.
    Picture(PictureSpec),
}

impl TerrainSpec {
    /// Its own coefficient of friction.
    pub(super) fn friction(&self) -> Option<f64> {
        let given = match self {
            TerrainSpec::Stairs(spec) => &spec.friction,
            TerrainSpec::Random(spec) => &spec.friction,
            TerrainSpec::Formula(spec) => &spec.friction,
            TerrainSpec::Picture(spec) => &spec.friction,
        };
        given.as_ref().map(|friction| *friction.get_ref())
    }
}

/// Risers of equal height, each followed by a tread, the last one by a landing. The treads are boxes named
/// after the terrain: `stairs_1` is the first.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct StairsSpec {
    /// Number of risers on the way up, 1 to 100.
    pub(crate) number: Spanned<u32>,
    /// Height of a riser, m.
    pub(crate) rise: Spanned<f64>,
    /// Distance from one riser to the next, m.
    pub(crate) tread: Spanned<f64>,
    /// Width of the stairs, m.
    #[serde(default = "defaults::width")]
    pub(crate) width: Spanned<f64>,
    /// Middle of the foot of the first riser: x and y in the world, m.
    pub(crate) start: Spanned<[f64; 2]>,
    /// Direction of ascent, from world x, counter-clockwise, rad.
    #[serde(default = "defaults::zero")]
    pub(crate) direction: Spanned<f64>,
    /// Length of the landing at the top, m; default: `tread`.
    pub(crate) landing: Option<Spanned<f64>>,
    /// Whether the same number of risers leads down beyond the landing.
    #[serde(default)]
    pub(crate) down: bool,
    /// Coulomb friction coefficient, at most 1e6; default: the ground's.
    pub(crate) friction: Option<Spanned<f64>>,
}

/// Heights between 0 and twice the amplitude over the floor: smooth hills, or square steps.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct RandomSpec {
    /// Seed of the random heights.
    pub(crate) seed: Spanned<u64>,
    /// Amplitude a of the heights, m: they lie between 0 and 2 a over the floor.
    pub(crate) amplitude: Spanned<f64>,
    /// Correlation length of the heights, or the side of a step, m.
    pub(crate) cell: Spanned<f64>,
    /// Corner of the covered rectangle with the smallest x and y, m.
    pub(crate) low: Spanned<[f64; 2]>,
    /// Corner of the covered rectangle with the largest x and y, m.
    pub(crate) high: Spanned<[f64; 2]>,
    /// Square steps of one height each, instead of hills.
    #[serde(default)]
    pub(crate) steps: bool,
    /// Width of the border over which hills rise from the floor, m; default: `cell`. Steps have no border.
    pub(crate) border: Option<Spanned<f64>>,
    /// Coulomb friction coefficient, at most 1e6; default: the ground's.
    pub(crate) friction: Option<Spanned<f64>>,
}

/// Heights at the nodes of a grid.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct FormulaSpec {
    /// Height over the floor, m, as an expression of world `x` and `y`, m: `"0.05 * sin(4 * x) * cos(3 * y)"`.
    pub(crate) height: ScalarField,
    /// Corner of the covered rectangle with the smallest x and y, m.
    pub(crate) low: Spanned<[f64; 2]>,
    /// Corner of the covered rectangle with the largest x and y, m.
    pub(crate) high: Spanned<[f64; 2]>,
    /// Spacing of the grid, m: smaller features are lost.
    #[serde(default = "defaults::spacing")]
    pub(crate) spacing: Spanned<f64>,
    /// Coulomb friction coefficient, at most 1e6; default: the ground's.
    pub(crate) friction: Option<Spanned<f64>>,
}

/// Heights given by a greyscale picture, one grid node per pixel; x points right and y up in the picture. For
/// colours, the mean of the channels is used.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct PictureSpec {
    /// PNG file, relative to this file.
    pub(crate) file: Spanned<String>,
    /// Height of white over the floor, m.
    pub(crate) white: Spanned<f64>,
    /// Height of black over the floor, m.
    #[serde(default = "defaults::zero")]
    pub(crate) black: Spanned<f64>,
    /// Corner of the covered rectangle with the smallest x and y, m.
    pub(crate) low: Spanned<[f64; 2]>,
    /// Corner of the covered rectangle with the largest x and y, m.
    pub(crate) high: Spanned<[f64; 2]>,
    /// Coulomb friction coefficient, at most 1e6; default: the ground's.
    pub(crate) friction: Option<Spanned<f64>>,
}

mod defaults {
    use aplomb_language::Spanned;

    pub(super) fn zero() -> Spanned<f64> {
        Spanned::new(0..0, 0.0)
    }

    pub(super) fn width() -> Spanned<f64> {
        Spanned::new(0..0, 1.5)
    }

    pub(super) fn spacing() -> Spanned<f64> {
        Spanned::new(0..0, 0.1)
    }
}
