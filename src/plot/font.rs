//! The one font of all pictures, built in so that they look the same on every machine.

use ab_glyph::{Font, FontRef, PxScale, ScaleFont};
use epaint_default_fonts::UBUNTU_LIGHT;
use plotters::style::{FontStyle, register_font};
use std::sync::OnceLock;

/// The name the font is registered under; SVG viewers put their own sans-serif in its place.
pub const FAMILY: &str = "sans-serif";

struct Face {
    font: FontRef<'static>,
    /// Height of a line over the em.
    line: f32,
}

fn face() -> Option<&'static Face> {
    static FACE: OnceLock<Option<Face>> = OnceLock::new();
    FACE.get_or_init(|| {
        let font = FontRef::try_from_slice(UBUNTU_LIGHT).ok()?;
        register_font(FAMILY, FontStyle::Normal, UBUNTU_LIGHT).ok()?;
        let line = font.height_unscaled() / font.units_per_em()?;
        Some(Face { font, line })
    })
    .as_ref()
}

/// Makes the font known to plotters, and gives the height of its line in em; `None` if it cannot be read.
pub fn register() -> Option<f64> {
    face().map(|face| f64::from(face.line))
}

/// Width of a text, px, at a font size (em) in px.
pub fn width(text: &str, size: f64) -> f64 {
    let Some(face) = face() else { return 0.5 * size * text.chars().count() as f64 };
    let scaled = face.font.as_scaled(PxScale::from(size as f32 * face.line));
    text.chars().map(|letter| f64::from(scaled.h_advance(scaled.glyph_id(letter)))).sum()
}

/// The text, shortened with an ellipsis where it is wider than `limit` px.
pub fn shortened(text: &str, size: f64, limit: f64) -> String {
    if width(text, size) <= limit {
        return text.to_string();
    }
    let mut kept: Vec<char> = text.chars().collect();
    while kept.pop().is_some() {
        let short: String = kept.iter().collect::<String>().trim_end().to_string() + "…";
        if width(&short, size) <= limit {
            return short;
        }
    }
    String::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_font_has_the_signs_the_pictures_use() {
        let face = face().expect("the font is built in");
        for sign in "τµμω²³·−≤×°|…–⁰¹²³".chars() {
            assert_ne!(face.font.glyph_id(sign).0, 0, "no glyph for {sign}");
        }
    }

    #[test]
    fn a_text_too_long_ends_in_an_ellipsis_and_fits() {
        let short = shortened("centre of pressure of all contacts", 16.0, 120.0);
        assert!(short.ends_with('…') && width(&short, 16.0) <= 120.0, "{short}");
        assert_eq!(shortened("COM", 16.0, 120.0), "COM");
    }
}
