//! Colours that stay distinct for colour-blind readers and in greyscale.

/// An sRGB colour with an opacity from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Colour {
    /// Red, green and blue, 0 to 255 each.
    pub(crate) rgb: [u8; 3],
    /// Opacity from 0 (invisible) to 1.
    pub(crate) alpha: f64,
}

impl Colour {
    /// An opaque colour from `0xRRGGBB`.
    pub(crate) const fn hex(code: u32) -> Self {
        Colour { rgb: [(code >> 16) as u8, (code >> 8) as u8, code as u8], alpha: 1.0 }
    }

    /// This colour with this opacity.
    pub(crate) const fn faded(self, alpha: f64) -> Self {
        Colour { alpha, ..self }
    }

    /// Mixed with white: 0 is the colour itself, 1 is white. The result is opaque, so that the background
    /// does not show through.
    pub(crate) fn lightened(self, amount: f64) -> Self {
        self.mixed([255; 3], amount)
    }

    /// Mixed with black: 0 is the colour itself, 1 is black.
    pub(crate) fn darkened(self, amount: f64) -> Self {
        self.mixed([0; 3], amount)
    }

    fn mixed(self, other: [u8; 3], amount: f64) -> Self {
        let mix = |a: u8, b: u8| (f64::from(a) + (f64::from(b) - f64::from(a)) * amount).round() as u8;
        let [r, g, b] = self.rgb;
        Colour { rgb: [mix(r, other[0]), mix(g, other[1]), mix(b, other[2])], alpha: self.alpha }
    }
}

pub(super) const WHITE: Colour = Colour::hex(0xFFFFFF);
/// Text and the most important lines.
pub(super) const INK: Colour = Colour::hex(0x1B1F24);
/// Secondary text.
pub(super) const SLATE: Colour = Colour::hex(0x55606B);
/// Series without a colour of their own.
pub(super) const OTHERS: Colour = Colour::hex(0xB4BCC4);
/// Frames of panels.
pub(super) const OUTLINE: Colour = Colour::hex(0x9AA4AE);
/// Grid lines.
pub(super) const GRID: Colour = Colour::hex(0xD9DEE3);

/// The left side of a body, where sides are distinguished.
pub(super) const LEFT: Colour = Colour::hex(0x0072B2);
/// The right side.
pub(super) const RIGHT: Colour = Colour::hex(0xE08A00);
/// The trunk, and bodies without a side.
pub(super) const MIDDLE: Colour = Colour::hex(0x8A939C);

pub(super) const CENTRE_OF_MASS: Colour = INK;
pub(super) const CAPTURE_POINT: Colour = Colour::hex(0xB5287C);
pub(super) const CENTRE_OF_PRESSURE: Colour = Colour::hex(0x0062A8);
/// Support polygon and contact forces.
pub(super) const SUPPORT: Colour = Colour::hex(0x00A87C);
/// External forces, limits, failures.
pub(super) const ALARM: Colour = Colour::hex(0xC1121F);
/// Relaxed frames.
pub(super) const CAUTION: Colour = Colour::hex(0xD98200);

/// The palette of Okabe and Ito (2008) without black and yellow, ordered so that neighbours differ; then the same
/// colours darker.
const SERIES: [Colour; 6] = [
    Colour::hex(0x0072B2),
    Colour::hex(0xE69F00),
    Colour::hex(0x009E73),
    Colour::hex(0xCC79A7),
    Colour::hex(0xD55E00),
    Colour::hex(0x56B4E9),
];

/// The colour of the `index`-th series of a panel.
pub(super) fn series(index: usize) -> Colour {
    let colour = SERIES[index % SERIES.len()];
    match index / SERIES.len() % 3 {
        0 => colour,
        1 => colour.darkened(0.45),
        _ => colour.lightened(0.5),
    }
}

const STATES: [Colour; 12] = [
    Colour::hex(0x7FB2DD),
    Colour::hex(0xF0BC6B),
    Colour::hex(0x86CBA6),
    Colour::hex(0xD9A3C7),
    Colour::hex(0xE79A7C),
    Colour::hex(0xB9B6DE),
    Colour::hex(0xD6D86A),
    Colour::hex(0x5FBFBF),
    Colour::hex(0xC4A484),
    Colour::hex(0xF08FA6),
    Colour::hex(0x9DA8B5),
    Colour::hex(0xA4B45C),
];

/// The colour of the `index`-th passive object.
pub(super) fn object(index: usize) -> Colour {
    SERIES[(index + 2) % SERIES.len()].lightened(0.35)
}

/// The colour of the `index`-th controller state.
pub(super) fn state(index: usize) -> Colour {
    let colour = STATES[index % STATES.len()];
    match index / STATES.len() % 3 {
        0 => colour,
        1 => colour.darkened(0.3),
        _ => colour.lightened(0.45),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lightening_goes_from_the_colour_to_white() {
        assert_eq!(LEFT.lightened(0.0), LEFT);
        assert_eq!(LEFT.lightened(1.0), WHITE);
        assert_eq!(Colour::hex(0x000000).lightened(0.5).rgb, [128; 3]);
    }

    #[test]
    fn the_first_thirty_six_states_have_different_colours() {
        for a in 0..36 {
            for b in 0..a {
                assert_ne!(state(a), state(b), "{a} and {b}");
            }
        }
    }

    #[test]
    fn the_first_eighteen_series_have_different_colours() {
        for a in 0..18 {
            for b in 0..a {
                assert_ne!(series(a), series(b), "{a} and {b}");
            }
        }
    }
}
