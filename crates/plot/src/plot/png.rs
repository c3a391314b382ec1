//! Pictures as pixels, rasterised by tiny-skia.

use super::PlotError;
use super::colour::Colour;
use super::font;
use super::picture::{Mark, PagePoint, Picture, TextAnchor};
use super::svg::outline;
use std::path::Path as FilePath;
use tiny_skia::{FillRule, LineJoin, Paint, Path, PathBuilder, Pixmap, Stroke, Transform};

impl Picture {
    /// The picture as pixels.
    ///
    /// # Errors
    /// If the page is too large for memory, or the font cannot be read.
    pub(crate) fn raster(&self) -> Result<Pixmap, PlotError> {
        let page = Pixmap::new(self.width, self.height);
        let mut page = page.ok_or_else(|| PlotError::drawing("the page is too large"))?;
        page.fill(tiny_skia::Color::WHITE);
        for mark in &self.marks {
            draw(&mut page, mark)?;
        }
        Ok(page)
    }

    /// Writes the picture as PNG.
    ///
    /// # Errors
    ///
    /// If the picture cannot be drawn, or the file cannot be written.
    pub fn write_png(&self, path: &FilePath) -> Result<(), PlotError> {
        let bytes = self.raster()?.encode_png().map_err(PlotError::drawing)?;
        std::fs::write(path, bytes).map_err(|error| PlotError::write(path, error))
    }
}

fn draw(page: &mut Pixmap, mark: &Mark) -> Result<(), PlotError> {
    let identity = Transform::identity();
    match mark {
        Mark::Fill { corners, colour } => {
            fill(page, lines(corners.iter().copied(), true), *colour, identity);
        }
        Mark::Area { x, low, high, colour } => {
            fill(page, lines(outline(x, low, high), true), *colour, identity);
        }
        Mark::Disc { centre: [x, y], radius, colour } => {
            let disc = PathBuilder::from_circle(length(*x), length(*y), length(*radius));
            fill(page, disc, *colour, identity);
        }
        Mark::Stroke { points, width, colour } => {
            let stroke = Stroke { width: length(*width), line_join: LineJoin::Round, ..Stroke::default() };
            if let Some(path) = lines(points.iter().copied(), false) {
                page.stroke_path(&path, &paint(*colour), &stroke, identity, None);
            }
        }
        Mark::Text { at, text, size, align, colour, upward } => {
            let back = match align {
                TextAnchor::Start => 0.0,
                TextAnchor::Middle => 0.5,
                TextAnchor::End => 1.0,
            };
            let letters = font::outline(text, *size)?;
            let aligned = Transform::from_translate(length(-back * font::width(text, *size)), 0.0);
            let turned = Transform::from_rotate(if *upward { -90.0 } else { 0.0 });
            let placed = Transform::from_translate(length(at[0]), length(at[1]));
            fill(page, letters, *colour, aligned.post_concat(turned).post_concat(placed));
        }
    }
    Ok(())
}

fn fill(page: &mut Pixmap, path: Option<Path>, colour: Colour, transform: Transform) {
    if let Some(path) = path {
        page.fill_path(&path, &paint(colour), FillRule::Winding, transform, None);
    }
}

/// A path through the points; `None` for fewer than two.
fn lines(points: impl Iterator<Item = PagePoint>, closed: bool) -> Option<Path> {
    let mut path = PathBuilder::new();
    for (index, [x, y]) in points.enumerate() {
        match index {
            0 => path.move_to(length(x), length(y)),
            _ => path.line_to(length(x), length(y)),
        }
    }
    if closed {
        path.close();
    }
    path.finish()
}

/// A length clamped to the range of the rasteriser, far outside the page.
fn length(value: f64) -> f32 {
    value.clamp(-1e5, 1e5) as f32
}

fn paint(colour: Colour) -> Paint<'static> {
    let [r, g, b] = colour.rgb;
    let mut paint = Paint { anti_alias: true, ..Paint::default() };
    paint.set_color_rgba8(r, g, b, (255.0 * colour.alpha).round() as u8);
    paint
}

#[cfg(test)]
mod tests {
    use super::super::colour::INK;
    use super::super::fixture::pixel;
    use super::super::picture::Rectangle;
    use super::*;

    #[test]
    fn a_rectangle_fills_its_pixels_and_no_others() {
        let mut picture = Picture::new(40, 30);
        picture.rectangle(&Rectangle { left: 10.0, top: 5.0, right: 20.0, bottom: 15.0 }, INK);
        let page = picture.raster().unwrap();
        assert_eq!((page.width(), page.height()), (40, 30));
        assert_eq!(pixel(&page, 15, 10), INK.rgb);
        assert_eq!(pixel(&page, 8, 10), [255; 3]);
        assert_eq!(pixel(&page, 15, 18), [255; 3]);
    }

    #[test]
    fn a_bent_line_has_no_holes_where_it_folds() {
        let mut picture = Picture::new(40, 40);
        picture.stroke(vec![[5.0, 35.0], [20.0, 5.0], [22.0, 35.0], [24.0, 5.0]], 4.0, INK);
        let page = picture.raster().unwrap();
        for y in 10..33 {
            let t = f64::from(y - 5) / 30.0;
            assert_eq!(pixel(&page, (20.0 + 2.0 * t) as u32, y), INK.rgb, "row {y}");
        }
    }

    #[test]
    fn far_outside_marks_and_marks_that_are_not_numbers_do_no_harm() {
        let mut picture = Picture::new(20, 20);
        picture.stroke(vec![[-1e300, 4.0], [1e300, 5.0], [f64::NAN, 1.0]], 2.0, INK);
        picture.fill(vec![[f64::INFINITY, 0.0], [1.0, 1.0], [2.0, 0.0]], INK);
        picture.disc([f64::NAN, 0.0], 3.0, INK);
        picture.area(&[(0.0, f64::NAN, 1.0), (1.0, 0.0, 1.0)], INK);
        assert!(picture.svg().is_ok() && picture.raster().is_ok());
    }
}
