//! The one font of all PNGs, built in so that they look the same on every machine; SVG viewers put their own
//! sans-serif in its place.

use ab_glyph::{Font, FontRef, PxScale, ScaleFont, point};
use epaint_default_fonts::UBUNTU_LIGHT;
use std::sync::OnceLock;

struct Face {
    font: FontRef<'static>,
    /// Height of a line over the em.
    line: f32,
}

fn face() -> Option<&'static Face> {
    static FACE: OnceLock<Option<Face>> = OnceLock::new();
    FACE.get_or_init(|| {
        let font = FontRef::try_from_slice(UBUNTU_LIGHT).ok()?;
        let line = font.height_unscaled() / font.units_per_em()?;
        Some(Face { font, line })
    })
    .as_ref()
}

/// Calls `dot` with the place, px right of the start and below the baseline, and the coverage of each pixel a text
/// touches; `None` if the font cannot be read.
pub fn cover(text: &str, size: f64, mut dot: impl FnMut(i32, i32, f64)) -> Option<()> {
    let face = face()?;
    let scale = PxScale::from(size as f32 * face.line);
    let scaled = face.font.as_scaled(scale);
    let mut along = 0.0;
    for letter in text.chars() {
        let id = scaled.glyph_id(letter);
        let glyph = id.with_scale_and_position(scale, point(along, 0.0));
        if let Some(outline) = scaled.outline_glyph(glyph) {
            let corner = outline.px_bounds().min;
            outline.draw(|x, y, coverage| {
                dot(corner.x as i32 + x as i32, corner.y as i32 + y as i32, f64::from(coverage));
            });
        }
        along += scaled.h_advance(id);
    }
    Some(())
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
