//! The font of all PNGs, built in so that they are equal on every machine; SVG viewers use their own sans-serif font.

use super::PlotError;
use ab_glyph::{Font, FontRef, OutlineCurve, PxScale, ScaleFont};
use epaint_default_fonts::UBUNTU_LIGHT;
use std::sync::OnceLock;
use tiny_skia::{Path, PathBuilder};

struct FontFace {
    font: FontRef<'static>,
    /// Height of a line, em.
    line: f32,
}

fn face() -> Option<&'static FontFace> {
    static FACE: OnceLock<Option<FontFace>> = OnceLock::new();
    FACE.get_or_init(|| {
        let font = FontRef::try_from_slice(UBUNTU_LIGHT).ok()?;
        let line = font.height_unscaled() / font.units_per_em()?;
        Some(FontFace { font, line })
    })
    .as_ref()
}

/// Outline of a text with its baseline at the origin, y downwards, px; `None` if the text has no outline.
///
/// # Errors
/// [`PlotError::Font`] if the font cannot be read.
pub(super) fn outline(text: &str, size: f64) -> Result<Option<Path>, PlotError> {
    let face = face().ok_or(PlotError::Font)?;
    let scaled = face.font.as_scaled(PxScale::from(size as f32 * face.line));
    let mut path = PathBuilder::new();
    let mut along = 0.0;
    for letter in text.chars() {
        let id = scaled.glyph_id(letter);
        let place = |point: ab_glyph::Point| {
            tiny_skia::Point::from_xy(
                along + point.x * scaled.h_scale_factor(),
                -point.y * scaled.v_scale_factor(),
            )
        };
        for curve in face.font.outline(id).iter().flat_map(|outline| &outline.curves) {
            let (OutlineCurve::Line(from, _) | OutlineCurve::Quad(from, ..) | OutlineCurve::Cubic(from, ..)) =
                curve;
            let from = place(*from);
            if path.last_point() != Some(from) {
                path.move_to(from.x, from.y);
            }
            match curve {
                OutlineCurve::Line(_, to) => {
                    let to = place(*to);
                    path.line_to(to.x, to.y);
                }
                OutlineCurve::Quad(_, control, to) => {
                    let (control, to) = (place(*control), place(*to));
                    path.quad_to(control.x, control.y, to.x, to.y);
                }
                OutlineCurve::Cubic(_, first, second, to) => {
                    let (first, second, to) = (place(*first), place(*second), place(*to));
                    path.cubic_to(first.x, first.y, second.x, second.y, to.x, to.y);
                }
            }
        }
        along += scaled.h_advance(id);
    }
    Ok(path.finish())
}

/// Width of a text, px, at a font size (em) in px.
pub(super) fn width(text: &str, size: f64) -> f64 {
    let Some(face) = face() else { return 0.5 * size * text.chars().count() as f64 };
    let scaled = face.font.as_scaled(PxScale::from(size as f32 * face.line));
    text.chars().map(|letter| f64::from(scaled.h_advance(scaled.glyph_id(letter)))).sum()
}

/// The text, shortened with an ellipsis if it is wider than `limit`, px: at the end of a word, if more than half of
/// the text then remains.
pub(super) fn shortened(text: &str, size: f64, limit: f64) -> String {
    if width(text, size) <= limit {
        return text.to_string();
    }
    let ends: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    let short = |end: usize| text[..end].trim_end_matches([' ', ',', ';', ':', '·']).to_string() + "…";
    let fits = |end: &&usize| width(&short(**end), size) <= limit;
    let Some(&end) = ends.iter().rev().find(fits) else { return String::new() };
    let word = text[..end].rfind(' ').filter(|_| !text[end..].starts_with(' '));
    short(word.filter(|word| 2 * word > end).unwrap_or(end))
}

/// The text, shortened at its beginning if it is wider than `limit`, px: keys differ at their ends.
pub(super) fn shortened_at_start(text: &str, size: f64, limit: f64) -> String {
    if width(text, size) <= limit {
        return text.to_string();
    }
    let short = |from: usize| format!("…{}", &text[from..]);
    let mut fitting =
        text.char_indices().map(|(at, _)| at).filter(|from| width(&short(*from), size) <= limit);
    let Some(first) = fitting.next() else { return String::new() };
    let begins =
        |rest: &str| rest.strip_prefix('.').is_some_and(|rest| rest.starts_with(char::is_alphabetic));
    let segment = fitting.find(|at| begins(&text[*at..]));
    short(segment.map_or(first, |dot| dot + 1))
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
        assert_eq!(short, "centre of…");
        assert_eq!(shortened("COM", 16.0, 120.0), "COM");
        assert!(shortened("unbroken_name_of_a_state", 16.0, 60.0).starts_with("unbro"));
        assert_eq!(shortened("COM", 16.0, 1.0), "");
        let key = "controller.objectives.damping.weight = 0.0";
        for (text, end) in [(format!("{key}1"), "weight = 0.01"), (format!("{key}2"), "weight = 0.02")] {
            assert_eq!(shortened_at_start(&text, 16.0, 160.0), format!("…{end}"));
        }
    }
}
