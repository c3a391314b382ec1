//! Pictures as SVG, through the backend of plotters.

use super::PlotError;
use super::colour::{Colour, WHITE};
use super::picture::{Mark, PagePoint, Picture, TextAnchor};
use plotters::backend::{DrawingBackend, SVGBackend};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{FontDesc, FontFamily, FontStyle, FontTransform, RGBAColor, ShapeStyle, TextStyle};
use std::path::Path;

/// Factor by which a page is drawn larger and scaled down, because the backend rounds to whole pixels.
const SCALE: u32 = 10;
/// Factor by which plotters divides font sizes.
const LINE: f64 = 1.24;
/// Height of an ex in common sans-serif fonts, em: plotters writes `dy="-0.5ex"` for text above its position.
const RISE: f64 = 0.26;

impl Picture {
    /// The picture as an SVG document.
    ///
    /// # Errors
    ///
    /// If the drawing library fails.
    pub fn svg(&self) -> Result<String, PlotError> {
        let size = (self.width * SCALE, self.height * SCALE);
        let mut text = String::new();
        let mut backend = SVGBackend::with_string(&mut text, size);
        let corner = (size.0 as i32, size.1 as i32);
        backend.draw_rect((0, 0), corner, &filled(WHITE), true).map_err(PlotError::drawing)?;
        for mark in &self.marks {
            draw(&mut backend, mark)?;
        }
        backend.present().map_err(PlotError::drawing)?;
        drop(backend);
        let shown = |(w, h): (u32, u32)| format!("width=\"{w}\" height=\"{h}\"");
        Ok(text.replacen(&shown(size), &shown((self.width, self.height)), 1))
    }

    /// Writes the picture as SVG.
    ///
    /// # Errors
    ///
    /// If the picture cannot be drawn, or the file cannot be written.
    pub fn write_svg(&self, path: &Path) -> Result<(), PlotError> {
        std::fs::write(path, self.svg()?).map_err(|error| PlotError::write(path, error))
    }
}

fn place([x, y]: PagePoint) -> (i32, i32) {
    // Coordinates far outside the page are clamped to the range of the backend.
    let whole = |value: f64| (value * f64::from(SCALE)).round().clamp(-1e6, 1e6) as i32;
    (whole(x), whole(y))
}

fn draw(backend: &mut SVGBackend, mark: &Mark) -> Result<(), PlotError> {
    let drawn = match mark {
        Mark::Fill { corners, colour } => {
            backend.fill_polygon(corners.iter().map(|corner| place(*corner)), &filled(*colour))
        }
        Mark::Disc { centre, radius, colour } => {
            let radius = (radius * f64::from(SCALE)).round() as u32;
            backend.draw_circle(place(*centre), radius, &filled(*colour), true)
        }
        Mark::Area { x, low, high, colour } => {
            let outline = outline(x, low, high).map(place);
            backend.fill_polygon(outline, &filled(*colour))
        }
        Mark::Stroke { points, width, colour } => {
            let stroke_width = (width * f64::from(SCALE)).round().max(1.0) as u32;
            let style = ShapeStyle { color: rgba(*colour), filled: false, stroke_width };
            backend.draw_path(points.iter().map(|point| place(*point)), &style)
        }
        Mark::Text { at, text, size, align, colour, upward } => {
            let font =
                FontDesc::new(FontFamily::SansSerif, size * f64::from(SCALE) * LINE, FontStyle::Normal);
            let rise = RISE * size;
            let (font, at) = match upward {
                true => (font.transform(FontTransform::Rotate270), [at[0] + rise, at[1]]),
                false => (font, [at[0], at[1] + rise]),
            };
            let horizontal = match align {
                TextAnchor::Start => HPos::Left,
                TextAnchor::Middle => HPos::Center,
                TextAnchor::End => HPos::Right,
            };
            let ink = rgba(*colour);
            let style = TextStyle::from(font).color(&ink).pos(Pos::new(horizontal, VPos::Bottom));
            backend.draw_text(text, &style, place(at))
        }
    };
    drawn.map_err(PlotError::drawing)
}

/// Outline of the area between two curves.
pub(super) fn outline<'a>(
    x: &'a [f64],
    low: &'a [f64],
    high: &'a [f64],
) -> impl Iterator<Item = PagePoint> + 'a {
    let upper = x.iter().zip(high).map(|(x, y)| [*x, *y]);
    upper.chain(x.iter().zip(low).rev().map(|(x, y)| [*x, *y]))
}

fn rgba(colour: Colour) -> RGBAColor {
    let [r, g, b] = colour.rgb;
    RGBAColor(r, g, b, colour.alpha)
}

fn filled(colour: Colour) -> ShapeStyle {
    ShapeStyle { color: rgba(colour), filled: true, stroke_width: 0 }
}

#[cfg(test)]
mod tests {
    use super::super::colour::INK;
    use super::*;

    #[test]
    fn an_svg_says_its_size_and_escapes_its_texts() {
        let mut picture = Picture::new(200, 100);
        picture.text([100.0, 50.0], "a < b & c", 16.0, TextAnchor::Middle, INK);
        let svg = picture.svg().unwrap();
        let document = roxmltree::Document::parse(&svg).unwrap();
        let root = document.root_element();
        assert_eq!(root.attribute("width"), Some("200"));
        assert_eq!(root.attribute("viewBox"), Some("0 0 2000 1000"));
        let text = document.descendants().find(|node| node.has_tag_name("text")).unwrap();
        assert_eq!(text.text().map(str::trim), Some("a < b & c"));
        assert_eq!(text.attribute("font-size"), Some("160"));
    }
}
