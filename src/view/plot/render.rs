//! Pictures to SVG and PNG through the backends of plotters.

use super::PlotError;
use super::colour::{Colour, WHITE};
use super::font;
use super::picture::{Align, Mark, Picture, Point};
use plotters::backend::{BitMapBackend, DrawingBackend, SVGBackend};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{
    Color, FontDesc, FontFamily, FontStyle, FontTransform, RGBAColor, ShapeStyle, TextStyle,
};
use std::path::Path;

/// Backends count in whole pixels. An SVG is drawn this many times larger and shown reduced.
const SVG_SCALE: u32 = 10;
/// A PNG is drawn this many times larger and averaged: smooth edges.
const PNG_SCALE: u32 = 3;
/// Plotters divides font sizes by this before it writes them to an SVG.
const SVG_LINE: f64 = 1.24;

/// Plotters writes `dy="-0.5ex"` for text above its place; an ex of common sans-serif fonts is this many em.
const SVG_RISE: f64 = 0.26;

/// The two backends need different strokes.
#[derive(Clone, Copy, PartialEq)]
enum Pen {
    Svg,
    /// Plotters' bitmap backend fills a thick bent line with holes, areas with stray lines, and sets letters
    /// without their side bearings, so it gets convex pieces, columns and pixels instead.
    Bitmap,
}

impl Picture {
    /// The picture as an SVG document.
    pub fn svg(&self) -> Result<String, PlotError> {
        let size = (self.width * SVG_SCALE, self.height * SVG_SCALE);
        let mut text = String::new();
        let mut backend = SVGBackend::with_string(&mut text, size);
        self.draw(&mut backend, Pen::Svg)?;
        backend.present().map_err(PlotError::drawing)?;
        drop(backend);
        let shown = |(w, h): (u32, u32)| format!("width=\"{w}\" height=\"{h}\"");
        Ok(text.replacen(&shown(size), &shown((self.width, self.height)), 1))
    }

    /// The picture as rows of RGB bytes.
    pub fn pixels(&self) -> Result<Vec<u8>, PlotError> {
        let scale = PNG_SCALE as usize;
        let (width, height) = (self.width as usize, self.height as usize);
        let mut fine = vec![0u8; width * height * scale * scale * 3];
        let mut backend =
            BitMapBackend::with_buffer(&mut fine, (self.width * PNG_SCALE, self.height * PNG_SCALE));
        self.draw(&mut backend, Pen::Bitmap)?;
        backend.present().map_err(PlotError::drawing)?;
        drop(backend);
        Ok(averaged(&fine, width, height, scale))
    }

    /// Writes the picture as PNG.
    pub fn write_png(&self, path: &Path) -> Result<(), PlotError> {
        let pixels = self.pixels()?;
        let size = (self.width, self.height);
        let mut backend = BitMapBackend::new(path, size);
        backend.blit_bitmap((0, 0), size, &pixels).map_err(|error| PlotError::write(path, error))?;
        backend.present().map_err(|error| PlotError::write(path, error))
    }

    /// Writes the picture as SVG.
    pub fn write_svg(&self, path: &Path) -> Result<(), PlotError> {
        std::fs::write(path, self.svg()?).map_err(|error| PlotError::write(path, error))
    }

    fn draw<B: DrawingBackend>(&self, backend: &mut B, pen: Pen) -> Result<(), PlotError> {
        let (width, height) = backend.get_size();
        backend
            .draw_rect((0, 0), (width as i32, height as i32), &filled(WHITE), true)
            .map_err(PlotError::drawing)?;
        for mark in &self.marks {
            pen.draw(backend, mark)?;
        }
        Ok(())
    }
}

impl Pen {
    fn scale(self) -> f64 {
        match self {
            Pen::Svg => f64::from(SVG_SCALE),
            Pen::Bitmap => f64::from(PNG_SCALE),
        }
    }

    fn place(self, [x, y]: Point) -> (i32, i32) {
        // Far outside the page is as good as anywhere outside, and stays within what backends can count.
        let whole = |value: f64| (value * self.scale()).round().clamp(-1e6, 1e6) as i32;
        (whole(x), whole(y))
    }

    fn draw<B: DrawingBackend>(&self, backend: &mut B, mark: &Mark) -> Result<(), PlotError> {
        match mark {
            Mark::Fill { corners, colour } => {
                let corners = corners.iter().map(|corner| self.place(*corner));
                backend.fill_polygon(corners, &filled(*colour)).map_err(PlotError::drawing)
            }
            Mark::Disc { centre, radius, colour } => {
                let radius = (radius * self.scale()).round() as u32;
                backend
                    .draw_circle(self.place(*centre), radius, &filled(*colour), true)
                    .map_err(PlotError::drawing)
            }
            Mark::Area { x, low, high, colour } => self.area(backend, x, low, high, *colour),
            Mark::Stroke { points, width, colour } => self.stroke(backend, points, *width, *colour),
            Mark::Text { at, text, size, align, colour, upward } => {
                let text =
                    Text { at: *at, text, size: *size, align: *align, colour: *colour, upward: *upward };
                match self {
                    Pen::Svg => text.write(backend),
                    Pen::Bitmap => text.paint(backend),
                }
            }
        }
    }

    fn area<B: DrawingBackend>(
        self,
        backend: &mut B,
        x: &[f64],
        low: &[f64],
        high: &[f64],
        colour: Colour,
    ) -> Result<(), PlotError> {
        let upper = |k: usize| self.place([x[k], high[k]]);
        let lower = |k: usize| self.place([x[k], low[k]]);
        if self == Pen::Bitmap {
            let line = filled(colour).stroke_width(1);
            for k in 1..x.len() {
                let [a, b] = [upper(k - 1), upper(k)];
                let [c, d] = [lower(k - 1), lower(k)];
                // Each column once, so that see-through areas have no seams.
                for column in a.0..b.0 {
                    let share = f64::from(column - a.0) / f64::from(b.0 - a.0);
                    let between = |from: i32, to: i32| from + (share * f64::from(to - from)).round() as i32;
                    let ends = [(column, between(a.1, b.1)), (column, between(c.1, d.1))];
                    backend.draw_line(ends[0], ends[1], &line).map_err(PlotError::drawing)?;
                }
            }
            return Ok(());
        }
        let outline = (0..x.len()).map(upper).chain((0..x.len()).rev().map(lower));
        backend.fill_polygon(outline, &filled(colour)).map_err(PlotError::drawing)
    }

    fn stroke<B: DrawingBackend>(
        self,
        backend: &mut B,
        points: &[Point],
        width: f64,
        colour: Colour,
    ) -> Result<(), PlotError> {
        if self == Pen::Svg {
            let stroke_width = (width * self.scale()).round().max(1.0) as u32;
            let style = ShapeStyle { color: rgba(colour), filled: false, stroke_width };
            let points = points.iter().map(|point| self.place(*point));
            return backend.draw_path(points, &style).map_err(PlotError::drawing);
        }
        let half = 0.5 * width;
        for pair in points.windows(2) {
            let [a, b] = [pair[0], pair[1]];
            let length = (b[0] - a[0]).hypot(b[1] - a[1]);
            if length == 0.0 {
                continue;
            }
            let across = [half * (a[1] - b[1]) / length, half * (b[0] - a[0]) / length];
            let corner = |p: Point, s: f64| self.place([p[0] + s * across[0], p[1] + s * across[1]]);
            let corners = [corner(a, 1.0), corner(b, 1.0), corner(b, -1.0), corner(a, -1.0)];
            backend.fill_polygon(corners, &filled(colour)).map_err(PlotError::drawing)?;
        }
        let radius = (half * self.scale()).round() as u32;
        if radius > 1 {
            for joint in points.iter().skip(1).take(points.len().saturating_sub(2)) {
                let centre = self.place(*joint);
                backend.draw_circle(centre, radius, &filled(colour), true).map_err(PlotError::drawing)?;
            }
        }
        Ok(())
    }
}

/// A line of text to be drawn.
struct Text<'a> {
    at: Point,
    text: &'a str,
    size: f64,
    align: Align,
    colour: Colour,
    upward: bool,
}

impl Text<'_> {
    /// As text, for the viewer to set.
    fn write<B: DrawingBackend>(&self, backend: &mut B) -> Result<(), PlotError> {
        let size = self.size * f64::from(SVG_SCALE) * SVG_LINE;
        let font = FontDesc::new(FontFamily::SansSerif, size, FontStyle::Normal);
        let rise = SVG_RISE * self.size;
        let (font, at) = match self.upward {
            true => (font.transform(FontTransform::Rotate270), [self.at[0] + rise, self.at[1]]),
            false => (font, [self.at[0], self.at[1] + rise]),
        };
        let horizontal = match self.align {
            Align::Start => HPos::Left,
            Align::Middle => HPos::Center,
            Align::End => HPos::Right,
        };
        let ink = rgba(self.colour);
        let style = TextStyle::from(font).color(&ink).pos(Pos::new(horizontal, VPos::Bottom));
        backend.draw_text(self.text, &style, Pen::Svg.place(at)).map_err(PlotError::drawing)
    }

    /// As pixels.
    fn paint<B: DrawingBackend>(&self, backend: &mut B) -> Result<(), PlotError> {
        let size = self.size * f64::from(PNG_SCALE);
        let width = font::width(self.text, size);
        let back = match self.align {
            Align::Start => 0.0,
            Align::Middle => 0.5 * width,
            Align::End => width,
        };
        let back = back.round() as i32;
        let (x0, y0) = Pen::Bitmap.place(self.at);
        let (right, bottom) = backend.get_size();
        let inside = |x: i32, y: i32| (0..right as i32).contains(&x) && (0..bottom as i32).contains(&y);
        let mut outcome = Ok(());
        let painted = font::cover(self.text, size, |along, down, coverage| {
            let along = along - back;
            let (x, y) = if self.upward { (x0 + down, y0 - along) } else { (x0 + along, y0 + down) };
            if inside(x, y) && outcome.is_ok() {
                let ink = rgba(self.colour.faded(self.colour.alpha * coverage.min(1.0)));
                outcome = backend.draw_pixel((x, y), ink.to_backend_color()).map_err(PlotError::drawing);
            }
        });
        painted.ok_or(PlotError::Font).and(outcome)
    }
}

fn rgba(colour: Colour) -> RGBAColor {
    let [r, g, b] = colour.rgb;
    RGBAColor(r, g, b, colour.alpha)
}

fn filled(colour: Colour) -> ShapeStyle {
    ShapeStyle { color: rgba(colour), filled: true, stroke_width: 0 }
}

/// Averages squares of `scale` × `scale` pixels.
fn averaged(fine: &[u8], width: usize, height: usize, scale: usize) -> Vec<u8> {
    let mut coarse = Vec::with_capacity(width * height * 3);
    let mut sums = vec![0u32; width * 3];
    let count = (scale * scale) as u32;
    for rows in fine.chunks_exact(width * scale * 3 * scale) {
        sums.fill(0);
        for row in rows.chunks_exact(width * scale * 3) {
            for (sum, square) in sums.chunks_exact_mut(3).zip(row.chunks_exact(scale * 3)) {
                for pixel in square.chunks_exact(3) {
                    for (total, value) in sum.iter_mut().zip(pixel) {
                        *total += u32::from(*value);
                    }
                }
            }
        }
        coarse.extend(sums.iter().map(|sum| ((sum + count / 2) / count) as u8));
    }
    coarse
}

#[cfg(test)]
mod tests {
    use super::super::colour::INK;
    use super::super::picture::Rectangle;
    use super::*;

    fn pixel(pixels: &[u8], width: u32, x: usize, y: usize) -> [u8; 3] {
        let at = (y * width as usize + x) * 3;
        [pixels[at], pixels[at + 1], pixels[at + 2]]
    }

    #[test]
    fn a_rectangle_fills_its_pixels_and_no_others() {
        let mut picture = Picture::new(40, 30);
        picture.rectangle(&Rectangle { left: 10.0, top: 5.0, right: 20.0, bottom: 15.0 }, INK);
        let pixels = picture.pixels().unwrap();
        assert_eq!(pixels.len(), 40 * 30 * 3);
        assert_eq!(pixel(&pixels, 40, 15, 10), INK.rgb);
        assert_eq!(pixel(&pixels, 40, 8, 10), [255; 3]);
        assert_eq!(pixel(&pixels, 40, 15, 18), [255; 3]);
    }

    #[test]
    fn a_bent_line_has_no_holes_where_it_folds() {
        let mut picture = Picture::new(40, 40);
        picture.stroke(vec![[5.0, 35.0], [20.0, 5.0], [22.0, 35.0], [24.0, 5.0]], 4.0, INK);
        let pixels = picture.pixels().unwrap();
        for y in 10..33 {
            let t = (y - 5) as f64 / 30.0;
            assert_eq!(pixel(&pixels, 40, (20.0 + 2.0 * t) as usize, y as usize), INK.rgb, "row {y}");
        }
    }

    #[test]
    fn an_svg_says_its_size_and_escapes_its_texts() {
        let mut picture = Picture::new(200, 100);
        picture.text([100.0, 50.0], "a < b & c", 16.0, Align::Middle, INK);
        let svg = picture.svg().unwrap();
        let document = roxmltree::Document::parse(&svg).unwrap();
        let root = document.root_element();
        assert_eq!(root.attribute("width"), Some("200"));
        assert_eq!(root.attribute("viewBox"), Some("0 0 2000 1000"));
        let text = document.descendants().find(|node| node.has_tag_name("text")).unwrap();
        assert_eq!(text.text().map(str::trim), Some("a < b & c"));
        assert_eq!(text.attribute("font-size"), Some("160"));
    }

    #[test]
    fn far_outside_marks_and_marks_that_are_not_numbers_do_no_harm() {
        let mut picture = Picture::new(20, 20);
        picture.stroke(vec![[-1e300, 4.0], [1e300, 5.0], [f64::NAN, 1.0]], 2.0, INK);
        picture.fill(vec![[f64::INFINITY, 0.0], [1.0, 1.0], [2.0, 0.0]], INK);
        picture.disc([f64::NAN, 0.0], 3.0, INK);
        picture.area(&[(0.0, f64::NAN, 1.0), (1.0, 0.0, 1.0)], INK);
        assert!(picture.svg().is_ok() && picture.pixels().is_ok());
    }
}
