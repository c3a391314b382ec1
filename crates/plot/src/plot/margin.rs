//! Push margins of a moment, from above: each push is drawn as the displacement of the capture point, J/(m ω₀).

use super::colour::{self, Colour};
use super::figure::{SMALL, TEXT};
use super::font;
use super::picture::{PagePoint, Picture, TextAnchor};
use std::f64::consts::FRAC_PI_2;

/// Pushes of a moment in evenly spread directions.
pub struct Margins<'a> {
    /// Title above the picture.
    pub title: String,
    /// Line below the title.
    pub subtitle: String,
    /// Corners of the support polygon, world axes, m.
    pub support: &'a [[f64; 2]],
    /// Capture point at the moment, world axes, m.
    pub capture_point: [f64; 2],
    /// Displacement of the capture point per impulse, 1/(m ω₀), m/(N s).
    pub way: f64,
    /// Heading of the character, degrees; it faces up in the picture.
    pub heading: f64,
    /// Directions of the pushes, degrees counter-clockwise from the world's x axis.
    pub directions: &'a [f64],
    /// Least impulse that is answered within its frame, by direction, N s.
    pub answered: &'a [Option<f64>],
    /// Largest impulse that is survived, by direction, N s.
    pub survived: &'a [Option<f64>],
    /// Largest impulse that was tried, drawn for directions without a limit, N s.
    pub most: f64,
}

const WIDTH: f64 = 1100.0;
const HEIGHT: f64 = 860.0;
const CENTRE: PagePoint = [400.0, 480.0];
const RADIUS: f64 = 340.0;
const LEGEND: f64 = 780.0;
/// Largest number of rays.
const MOST_RAYS: usize = 24;
/// Possible lengths of the scale bar, m.
const BARS: [f64; 6] = [0.02, 0.05, 0.1, 0.2, 0.5, 1.0];

impl Margins<'_> {
    /// Draws the picture.
    pub fn picture(&self) -> Picture {
        let mut picture = Picture::new(WIDTH as u32, HEIGHT as u32);
        picture.text([40.0, 44.0], &*self.title, 26.0, TextAnchor::Start, colour::INK);
        let subtitle = font::shortened(&self.subtitle, TEXT, WIDTH - 80.0);
        picture.text([40.0, 72.0], subtitle, TEXT, TextAnchor::Start, colour::SLATE);
        let scale = RADIUS / self.farthest().max(1e-6);
        let corners: Vec<PagePoint> =
            self.support.iter().map(|corner| self.place(self.beside_capture_point(corner), scale)).collect();
        if corners.len() > 2 {
            picture.fill(corners.clone(), colour::SUPPORT.faded(0.25));
            let first = corners[0];
            picture.stroke(corners.into_iter().chain([first]).collect(), 2.0, colour::SUPPORT);
        }
        self.rays(&mut picture);
        let lines = [(self.survived, colour::LEFT), (self.answered, colour::RIGHT)];
        for (impulses, ink) in lines {
            self.polygon(&mut picture, impulses, scale, ink);
        }
        picture.disc(self.place([0.0; 2], scale), 6.0, colour::CAPTURE_POINT);
        self.bar(&mut picture, scale);
        self.legend(&mut picture);
        picture
    }

    fn beside_capture_point(&self, [x, y]: &[f64; 2]) -> [f64; 2] {
        [x - self.capture_point[0], y - self.capture_point[1]]
    }

    /// Largest distance from the capture point that is shown, m.
    fn farthest(&self) -> f64 {
        let corners = self.support.iter().map(|corner| self.beside_capture_point(corner));
        let corners = corners.map(|[x, y]| x.hypot(y));
        let pushes = self.survived.iter().chain(self.answered).flatten().map(|impulse| self.way * impulse);
        corners.chain(pushes).fold(0.0, f64::max)
    }

    /// Position on the page of a displacement from the capture point, m.
    fn place(&self, [x, y]: [f64; 2], scale: f64) -> PagePoint {
        let (sin, cos) = (FRAC_PI_2 - self.heading.to_radians()).sin_cos();
        let [right, up] = [cos * x - sin * y, sin * x + cos * y];
        [CENTRE[0] + scale * right, CENTRE[1] - scale * up]
    }

    /// Draws rays with their world directions in degrees around the picture: those of the pushes, if these are few.
    fn rays(&self, picture: &mut Picture) {
        let every = self.directions.len().div_ceil(MOST_RAYS).max(1);
        for degrees in self.directions.iter().step_by(every) {
            let (sin, cos) = degrees.to_radians().sin_cos();
            let at = |distance: f64| self.place([distance * cos, distance * sin], 1.0);
            picture.stroke(vec![at(0.0), at(RADIUS)], 0.8, colour::GRID);
            let [x, y] = at(RADIUS + 16.0);
            let align = match x - CENTRE[0] {
                along if along > 20.0 => TextAnchor::Start,
                along if along < -20.0 => TextAnchor::End,
                _ => TextAnchor::Middle,
            };
            let text = format!("{}°", (degrees * 10.0).round() / 10.0);
            picture.text([x, y + 0.35 * SMALL], text, SMALL, align, colour::SLATE);
        }
    }

    /// Draws a line through the ends of all pushes; pushes without a limit are at the rim and have no mark.
    fn polygon(&self, picture: &mut Picture, impulses: &[Option<f64>], scale: f64, ink: Colour) {
        let rim = self.farthest();
        let end = |(direction, impulse): (&f64, &Option<f64>)| {
            let (sin, cos) = direction.to_radians().sin_cos();
            let way = impulse.map_or(rim.min(self.way * self.most), |impulse| self.way * impulse);
            self.place([way * cos, way * sin], scale)
        };
        let ends: Vec<PagePoint> = self.directions.iter().zip(impulses).map(end).collect();
        for (end, _) in ends.iter().zip(impulses).filter(|(_, impulse)| impulse.is_some()) {
            picture.disc(*end, 3.5, ink);
        }
        let first = ends.first().copied();
        picture.stroke(ends.into_iter().chain(first).collect(), 2.4, ink);
    }

    fn bar(&self, picture: &mut Picture, scale: f64) {
        let length = BARS.into_iter().rfind(|length| scale * length <= 0.5 * RADIUS).unwrap_or(BARS[0]);
        let (left, y) = (60.0, HEIGHT - 50.0);
        picture.stroke(vec![[left, y], [left + scale * length, y]], 3.0, colour::INK);
        let text = format!("{length} m, {:.1} N s", length / self.way);
        picture.text([left, y + 24.0], text, SMALL, TextAnchor::Start, colour::INK);
        let text = "the character faces up; degrees of the push, from the world's x axis";
        picture.text([CENTRE[0], 100.0], text, SMALL, TextAnchor::Middle, colour::SLATE);
    }

    fn legend(&self, picture: &mut Picture) {
        let mut y = 160.0;
        let mut entry = |picture: &mut Picture, ink: Colour, text: &str| {
            picture.disc([LEGEND + 14.0, y], 6.0, ink);
            picture.text([LEGEND + 38.0, y + 0.35 * SMALL], text, SMALL, TextAnchor::Start, colour::INK);
            y += 30.0;
        };
        entry(picture, colour::CAPTURE_POINT, "capture point");
        entry(picture, colour::SUPPORT, "support polygon");
        entry(picture, colour::RIGHT, "push that is answered at once");
        entry(picture, colour::LEFT, "largest push that is survived");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::picture::Mark;

    #[test]
    fn pushes_are_ways_of_the_capture_point_with_the_heading_up() {
        let margins = Margins {
            title: "a".into(),
            subtitle: "b".into(),
            support: &[[1.1, 2.0], [0.9, 2.1], [0.9, 1.9]],
            capture_point: [1.0, 2.0],
            way: 0.01,
            heading: 90.0,
            directions: &[0.0, 90.0, 180.0, 270.0],
            answered: &[Some(5.0), Some(5.0), Some(5.0), None],
            survived: &[Some(20.0), Some(40.0), Some(20.0), Some(20.0)],
            most: 80.0,
        };
        // The farthest impulse with a limit is at the edge; the character faces along y.
        let scale = RADIUS / 0.4;
        assert_eq!(margins.place([0.0, 0.4], scale).map(f64::round), [CENTRE[0], CENTRE[1] - RADIUS]);
        assert_eq!(margins.place([0.2, 0.0], scale).map(f64::round), [CENTRE[0] + 0.5 * RADIUS, CENTRE[1]]);
        let is_labelled = |degrees: &str| {
            let marks = margins.picture().marks;
            marks.iter().any(|mark| matches!(mark, Mark::Text { text, .. } if text == degrees))
        };
        assert!(["0°", "90°", "180°", "270°"].into_iter().all(is_labelled));
        let strokes: Vec<usize> = margins
            .picture()
            .marks
            .iter()
            .filter_map(|mark| match mark {
                Mark::Stroke { points, .. } => Some(points.len()),
                _ => None,
            })
            .collect();
        assert_eq!(strokes, [4, 2, 2, 2, 2, 5, 5, 2], "the support, four rays, two closed polygons, a bar");
    }
}
