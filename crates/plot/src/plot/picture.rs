//! A drawing as a list of marks, which is rendered as SVG and PNG.
//!
//! Lengths are pixels, x to the right, y downwards.

use super::colour::{Colour, WHITE};

/// A position on the page, px.
pub(crate) type PagePoint = [f64; 2];

/// The point of a text that is at its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextAnchor {
    /// Its left end (or lower end, if upward).
    Start,
    /// Its middle.
    Middle,
    /// Its right end (or upper end, if upward).
    End,
}

/// One mark of a picture.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Mark {
    /// A simple polygon.
    Fill {
        /// Corners in order, px.
        corners: Vec<PagePoint>,
        /// Colour of the inside.
        colour: Colour,
    },
    /// The area between two curves at common positions `x`.
    Area {
        /// Common positions along the horizontal axis, px.
        x: Vec<f64>,
        /// Lower curve, px, one number per position.
        low: Vec<f64>,
        /// Upper curve, px, one number per position.
        high: Vec<f64>,
        /// Colour of the inside.
        colour: Colour,
    },
    /// A polyline.
    Stroke {
        /// Points in order, px.
        points: Vec<PagePoint>,
        /// Width of the line, px.
        width: f64,
        /// Colour of the line.
        colour: Colour,
    },
    /// A filled circle.
    Disc {
        /// Centre, px.
        centre: PagePoint,
        /// Radius, px.
        radius: f64,
        /// Colour of the inside.
        colour: Colour,
    },
    /// A line of text with `at` on the baseline; `upward` text reads from bottom to top.
    Text {
        /// Position of the text on its baseline, px.
        at: PagePoint,
        /// The text, one line.
        text: String,
        /// Font size, px.
        size: f64,
        /// The point of the text that is at `at`.
        align: TextAnchor,
        /// Colour of the text.
        colour: Colour,
        /// Whether it reads from bottom to top.
        upward: bool,
    },
}

/// Marks on a white page, later ones over earlier ones.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// Width of the page, px.
    pub(crate) width: u32,
    /// Height of the page, px.
    pub(crate) height: u32,
    /// Marks in the order of drawing.
    pub(crate) marks: Vec<Mark>,
}

/// An axis-aligned rectangle on the page, px.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rectangle {
    /// Left edge, px from the left of the page.
    pub(crate) left: f64,
    /// Upper edge, px from the top of the page.
    pub(crate) top: f64,
    /// Right edge, px from the left of the page.
    pub(crate) right: f64,
    /// Lower edge, px from the top of the page.
    pub(crate) bottom: f64,
}

impl Rectangle {
    /// Width, px.
    pub(crate) fn width(&self) -> f64 {
        self.right - self.left
    }

    /// Height, px.
    pub(crate) fn height(&self) -> f64 {
        self.bottom - self.top
    }

    /// Its four corners in order, px.
    pub(crate) fn corners(&self) -> Vec<PagePoint> {
        let Rectangle { left, top, right, bottom } = *self;
        vec![[left, top], [right, top], [right, bottom], [left, bottom]]
    }

    /// Whether the point is inside, edges included.
    pub(crate) fn contains(&self, [x, y]: PagePoint) -> bool {
        (self.left..=self.right).contains(&x) && (self.top..=self.bottom).contains(&y)
    }

    /// The part of a convex polygon inside the rectangle (Sutherland and Hodgman 1974).
    pub(crate) fn clip(&self, corners: &[PagePoint]) -> Vec<PagePoint> {
        let sides: [(usize, f64, f64); 4] =
            [(0, 1.0, self.left), (0, -1.0, -self.right), (1, 1.0, self.top), (1, -1.0, -self.bottom)];
        let mut inside = corners.to_vec();
        for (axis, sign, limit) in sides {
            let depth = |point: &PagePoint| sign * point[axis] - limit;
            let mut kept = Vec::with_capacity(inside.len() + 1);
            for (index, point) in inside.iter().enumerate() {
                let before = &inside[(index + inside.len() - 1) % inside.len()];
                let (here, there) = (depth(point), depth(before));
                if (here >= 0.0) != (there >= 0.0) {
                    let share = there / (there - here);
                    kept.push([
                        before[0] + share * (point[0] - before[0]),
                        before[1] + share * (point[1] - before[1]),
                    ]);
                }
                if here >= 0.0 {
                    kept.push(*point);
                }
            }
            inside = kept;
        }
        inside
    }
}

impl Picture {
    /// An empty page of `width` × `height` px.
    pub(crate) fn new(width: u32, height: u32) -> Self {
        Picture { width, height, marks: Vec::new() }
    }

    /// Adds a convex polygon; one with a corner that is not finite is skipped.
    pub(crate) fn fill(&mut self, corners: Vec<PagePoint>, colour: Colour) {
        if corners.len() > 2 && corners.iter().all(finite) {
            self.marks.push(Mark::Fill { corners, colour });
        }
    }

    /// Adds a filled rectangle.
    pub(crate) fn rectangle(&mut self, area: &Rectangle, colour: Colour) {
        self.fill(area.corners(), colour);
    }

    /// Adds the outline of a rectangle.
    pub(crate) fn frame(&mut self, area: &Rectangle, width: f64, colour: Colour) {
        let mut corners = area.corners();
        corners.push(corners[0]);
        self.stroke(corners, width, colour);
    }

    /// Adds the area between two curves, interrupted where a number is not finite.
    pub(crate) fn area(&mut self, columns: &[(f64, f64, f64)], colour: Colour) {
        let whole = |&(x, low, high): &(f64, f64, f64)| x.is_finite() && low.is_finite() && high.is_finite();
        for piece in columns.split(|column| !whole(column)).filter(|piece| piece.len() > 1) {
            self.marks.push(Mark::Area {
                x: piece.iter().map(|column| column.0).collect(),
                low: piece.iter().map(|column| column.1).collect(),
                high: piece.iter().map(|column| column.2).collect(),
                colour,
            });
        }
    }

    /// Adds a polyline, interrupted where a number is not finite; a single point becomes a dot.
    pub(crate) fn stroke(&mut self, points: Vec<PagePoint>, width: f64, colour: Colour) {
        for piece in points.split(|point| !finite(point)) {
            match piece {
                [] => {}
                [point] => self.disc(*point, width, colour),
                _ => self.marks.push(Mark::Stroke { points: piece.to_vec(), width, colour }),
            }
        }
    }

    /// Adds a dashed line with these lengths of dashes and gaps, px.
    pub(crate) fn dashed(&mut self, points: &[PagePoint], [dash, gap]: [f64; 2], width: f64, colour: Colour) {
        let mut position = 0.0;
        let mut piece: Vec<PagePoint> = Vec::new();
        for pair in points.windows(2) {
            let [a, b] = [pair[0], pair[1]];
            let length = (b[0] - a[0]).hypot(b[1] - a[1]);
            if !length.is_finite() {
                self.stroke(std::mem::take(&mut piece), width, colour);
                position = 0.0;
                continue;
            }
            let at = |s: f64| [a[0] + (b[0] - a[0]) * s / length, a[1] + (b[1] - a[1]) * s / length];
            let mut done = 0.0;
            while done < length {
                let drawn = position < dash;
                let step = ((if drawn { dash } else { dash + gap }) - position).min(length - done);
                if drawn {
                    if piece.is_empty() {
                        piece.push(at(done));
                    }
                    piece.push(at(done + step));
                }
                done += step;
                position += step;
                if drawn && position >= dash - 1e-9 {
                    self.stroke(std::mem::take(&mut piece), width, colour);
                    position = dash;
                } else if position >= dash + gap - 1e-9 {
                    position = 0.0;
                }
            }
        }
        self.stroke(piece, width, colour);
    }

    /// Adds a filled circle; `radius` in px.
    pub(crate) fn disc(&mut self, centre: PagePoint, radius: f64, colour: Colour) {
        if finite(&centre) && radius.is_finite() && radius > 0.0 {
            self.marks.push(Mark::Disc { centre, radius, colour });
        }
    }

    /// Adds slanted lines `spacing` px apart inside a rectangle.
    pub(crate) fn hatch(&mut self, area: &Rectangle, spacing: f64, width: f64, colour: Colour) {
        let (span, rise) = (area.width(), area.height());
        if !(span > 0.0 && rise > 0.0 && spacing > 0.0) {
            return;
        }
        // Lines of constant x + y are fixed to the page rather than to the rectangle, so that neighbours are aligned.
        let first = ((area.left + area.top) / spacing).ceil() as i64;
        let last = ((area.right + area.bottom) / spacing).floor() as i64;
        for number in first..=last {
            let sum = number as f64 * spacing;
            let from = [(sum - area.bottom).max(area.left), (sum - area.left).min(area.bottom)];
            let to = [(sum - area.top).min(area.right), (sum - area.right).max(area.top)];
            if (to[0] - from[0]).abs() > 0.1 {
                self.stroke(vec![from, to], width, colour);
            }
        }
    }

    /// Adds an arrow with its head at `to` and a thin white outline.
    pub(crate) fn arrow(&mut self, from: PagePoint, to: PagePoint, width: f64, colour: Colour) {
        let length = (to[0] - from[0]).hypot(to[1] - from[1]);
        if !(length.is_finite() && length > 0.0) {
            return;
        }
        let along = [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
        let head = (width * 4.5).min(length * 0.7);
        let neck = [to[0] - along[0] * head, to[1] - along[1] * head];
        let side = head * 0.42;
        let barbs = [[-1.0, 1.0], [1.0, -1.0]]
            .map(|[x, y]| [neck[0] + x * along[1] * side, neck[1] + y * along[0] * side]);
        self.stroke(vec![barbs[0], to, barbs[1], barbs[0]], 2.0, WHITE);
        self.stroke(vec![from, neck], width + 2.0, WHITE);
        self.stroke(vec![from, neck], width, colour);
        self.fill(vec![to, barbs[0], barbs[1]], colour);
    }

    /// Adds a line of text; `size` in px.
    pub(crate) fn text(
        &mut self,
        at: PagePoint,
        text: impl Into<String>,
        size: f64,
        align: TextAnchor,
        colour: Colour,
    ) {
        self.marks.push(Mark::Text { at, text: text.into(), size, align, colour, upward: false });
    }

    /// Adds text that reads from bottom to top, its baseline at `at`.
    pub(crate) fn text_upward(&mut self, at: PagePoint, text: impl Into<String>, size: f64, colour: Colour) {
        let align = TextAnchor::Middle;
        self.marks.push(Mark::Text { at, text: text.into(), size, align, colour, upward: true });
    }
}

fn finite(point: &PagePoint) -> bool {
    point.iter().all(|value| value.is_finite())
}

#[cfg(test)]
mod tests {
    use super::super::colour::INK;
    use super::*;

    #[test]
    fn a_line_breaks_where_a_number_is_missing() {
        let mut picture = Picture::new(10, 10);
        picture.stroke(vec![[0.0, 0.0], [1.0, 1.0], [2.0, f64::NAN], [3.0, 3.0], [4.0, 4.0]], 1.0, INK);
        assert_eq!(picture.marks.len(), 2);
    }

    #[test]
    fn dashes_are_as_long_as_asked() {
        let mut picture = Picture::new(10, 10);
        picture.dashed(&[[0.0, 0.0], [10.0, 0.0]], [3.0, 2.0], 1.0, INK);
        let lengths: Vec<f64> = picture
            .marks
            .iter()
            .map(|mark| match mark {
                Mark::Stroke { points, .. } => points[points.len() - 1][0] - points[0][0],
                _ => panic!("only strokes"),
            })
            .collect();
        assert_eq!(lengths, [3.0, 3.0]);
    }

    #[test]
    fn clipping_keeps_what_lies_inside() {
        let page = Rectangle { left: 0.0, top: 0.0, right: 10.0, bottom: 10.0 };
        let inside = page.clip(&[[5.0, 5.0], [15.0, 5.0], [15.0, 8.0], [5.0, 8.0]]);
        assert!(inside.iter().all(|point| page.contains(*point)));
        assert!(inside.contains(&[10.0, 5.0]) && inside.contains(&[10.0, 8.0]));
        assert!(page.clip(&[[20.0, 20.0], [30.0, 20.0], [30.0, 30.0]]).is_empty());
    }
}
