//! The specification of stairs and uneven ground in a scene file.

use aplomb_language::Spanned;
use aplomb_language::expression::ScalarField;
use serde::Deserialize;

/// Stairs, or ground whose height varies. It stands on the floor: what of it is lower than the floor is not
/// seen.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum TerrainSpec {
    /// A flight of stairs.
    Stairs(StairsSpec),
    /// Ground of a random shape, the same for each seed.
    Random(RandomSpec),
    /// Heights by an expression of x and y.
    Formula(FormulaSpec),
    /// Heights by the grey of a picture.
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

/// Risers of one height, each followed by a tread; the last is followed by a landing. Its treads are boxes,
/// named after it: `stairs_1` is the first.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct StairsSpec {
    /// Risers on the way up, 1 to 100.
    pub number: Spanned<u32>,
    /// Height of a riser, m.
    pub rise: Spanned<f64>,
    /// From one riser to the next, m.
    pub tread: Spanned<f64>,
    /// Across, m.
    #[serde(default = "defaults::width")]
    pub width: Spanned<f64>,
    /// Middle of the foot of the first riser: x and y in the world, m.
    pub start: Spanned<[f64; 2]>,
    /// Which way is up the stairs, from x, counter-clockwise, rad.
    #[serde(default = "defaults::zero")]
    pub direction: Spanned<f64>,
    /// Length of the landing at the top, m; a tread where it is left out.
    pub landing: Option<Spanned<f64>>,
    /// Whether as many risers lead down again beyond the landing.
    #[serde(default)]
    pub down: bool,
    /// Coulomb friction coefficient, at most 1e6; the ground's where it is left out.
    pub friction: Option<Spanned<f64>>,
}

/// Heights between 0 and twice the amplitude over the floor: smooth hills, or square steps.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RandomSpec {
    /// Another one gives other ground.
    pub seed: Spanned<u64>,
    /// Heights go so far up and down from their mean, which is as high over the floor, m.
    pub amplitude: Spanned<f64>,
    /// Distance between heights that have nothing to do with each other; the side of a step, m.
    pub cell: Spanned<f64>,
    /// Low corner of the rectangle it covers: x and y, m.
    pub low: Spanned<[f64; 2]>,
    /// High corner of that rectangle, m.
    pub high: Spanned<[f64; 2]>,
    /// Square steps of one height each, instead of hills.
    #[serde(default)]
    pub steps: bool,
    /// Hills rise from the floor over so wide a border, m; a cell where it is left out. Steps have none.
    pub border: Option<Spanned<f64>>,
    /// Coulomb friction coefficient, at most 1e6; the ground's where it is left out.
    pub friction: Option<Spanned<f64>>,
}

/// Heights where the lines of a grid cross.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct FormulaSpec {
    /// Over the floor, m, by `x` and `y` in the world, m: `"0.05 * sin(4 * x) * cos(3 * y)"`.
    pub height: ScalarField,
    /// Low corner of the rectangle it covers: x and y, m.
    pub low: Spanned<[f64; 2]>,
    /// High corner of that rectangle, m.
    pub high: Spanned<[f64; 2]>,
    /// Distance of the lines of the grid, m: what is smaller is not seen.
    #[serde(default = "defaults::spacing")]
    pub spacing: Spanned<f64>,
    /// Coulomb friction coefficient, at most 1e6; the ground's where it is left out.
    pub friction: Option<Spanned<f64>>,
}

/// Heights of a grey picture, a pixel a crossing of two lines; its right is x, its top is y. Of colours the
/// mean counts.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PictureSpec {
    /// PNG file, relative to this file.
    pub file: Spanned<String>,
    /// Height of white over the floor, m.
    pub white: Spanned<f64>,
    /// Height of black over the floor, m.
    #[serde(default = "defaults::zero")]
    pub black: Spanned<f64>,
    /// Low corner of the rectangle it covers: x and y, m.
    pub low: Spanned<[f64; 2]>,
    /// High corner of that rectangle, m.
    pub high: Spanned<[f64; 2]>,
    /// Coulomb friction coefficient, at most 1e6; the ground's where it is left out.
    pub friction: Option<Spanned<f64>>,
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
