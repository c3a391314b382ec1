//! The map of pushes: the angle is the direction and the radius the impulse, from above with the character facing up.

use crate::plot::colour::{self, Colour};
use crate::plot::figure::{AxisScale, SMALL, TEXT};
use crate::plot::font;
use crate::plot::picture::{PagePoint, Picture, Rectangle, TextAnchor};
use std::f64::consts::FRAC_PI_2;

/// Result of one push.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cell {
    /// Survived with this many steps.
    Steps(u64),
    /// Index of the criterion that failed.
    Lost(usize),
    /// The run ended with an error.
    Error,
}

/// A map of pushes.
pub struct Polar<'a> {
    /// Title above the map.
    pub title: String,
    /// Line below the title.
    pub subtitle: String,
    /// Directions of the pushes, degrees counter-clockwise from the world's x axis, evenly spaced.
    pub directions: &'a [f64],
    /// Impulses, N s, increasing.
    pub impulses: &'a [f64],
    /// Results direction by direction; fewer than all if the sweep was interrupted.
    pub cells: &'a [Cell],
    /// Whether each cell has frames without a solution.
    pub marked: &'a [bool],
    /// Number of impulses survived below the first failure, by direction.
    pub limits: &'a [usize],
    /// Names of the criteria in [`Cell::Lost`].
    pub criteria: &'a [String],
    /// Name of a step.
    pub steps: &'a str,
    /// Heading of the character, degrees.
    pub heading: f64,
    /// Numbers below the legend.
    pub notes: &'a [String],
}

const WIDTH: f64 = 1240.0;
const HEIGHT: f64 = 960.0;
const CENTRE: PagePoint = [450.0, 500.0];
const RADIUS: f64 = 350.0;
const LEGEND: f64 = 890.0;
/// Largest angle of a chord of an arc, degrees.
const CHORD: f64 = 2.0;
/// Number of steps from which counts share a colour.
const MANY: u64 = 5;

impl Polar<'_> {
    /// Draws the map.
    pub fn picture(&self) -> Picture {
        let mut picture = Picture::new(WIDTH as u32, HEIGHT as u32);
        picture.text([40.0, 44.0], &*self.title, 26.0, TextAnchor::Start, colour::INK);
        picture.text([40.0, 72.0], &*self.subtitle, TEXT, TextAnchor::Start, colour::SLATE);
        let axis = self.axis();
        for (direction, degrees) in self.directions.iter().enumerate() {
            for step in 0..self.impulses.len() {
                if let Some(cell) = self.cells.get(direction * self.impulses.len() + step) {
                    let marked = self.marked.get(direction * self.impulses.len() + step) == Some(&true);
                    self.cell(&mut picture, &axis, *degrees, step, *cell, marked);
                }
            }
        }
        self.limit(&mut picture, &axis);
        self.around(&mut picture);
        self.scale(&mut picture, &axis);
        self.legend(&mut picture);
        picture
    }

    /// The map from an impulse to a radius, px.
    fn axis(&self) -> AxisScale {
        let edge = self.edges(self.impulses.len().saturating_sub(1))[1];
        AxisScale::new(0.0, edge, 0.0, RADIUS)
    }

    /// Impulses at the inner and outer edge of the ring `step`: from the previous impulse to its own, so that the
    /// boundary of the survived impulses is at the limits of the table.
    fn edges(&self, step: usize) -> [f64; 2] {
        let own = self.impulses.get(step).copied().unwrap_or(1.0);
        let before = step.checked_sub(1).map(|k| self.impulses[k]);
        let first = || match self.impulses.get(step + 1) {
            Some(after) => own - (after - own),
            None => 0.8 * own,
        };
        [before.unwrap_or_else(first).max(0.0), own]
    }

    /// Half of the angle of a direction's sector, degrees.
    fn half(&self) -> f64 {
        180.0 / self.directions.len().max(1) as f64
    }

    /// The position at this direction and radius: the character faces up, its left is on the left.
    fn place(&self, degrees: f64, radius: f64) -> PagePoint {
        let angle = (degrees - self.heading).to_radians() + FRAC_PI_2;
        [CENTRE[0] + radius * angle.cos(), CENTRE[1] - radius * angle.sin()]
    }

    /// Points of an arc from one direction to another.
    fn arc(&self, from: f64, to: f64, radius: f64) -> Vec<PagePoint> {
        let pieces = ((to - from).abs() / CHORD).ceil().max(1.0) as usize;
        let at = |k: usize| self.place(from + (to - from) * k as f64 / pieces as f64, radius);
        (0..=pieces).map(at).collect()
    }

    fn cell(
        &self,
        picture: &mut Picture,
        axis: &AxisScale,
        degrees: f64,
        step: usize,
        cell: Cell,
        marked: bool,
    ) {
        let [inner, outer] = self.edges(step).map(|impulse| axis.place(impulse));
        let (from, to) = (degrees - self.half(), degrees + self.half());
        let [inside, outside] = [inner, outer].map(|radius| self.arc(from, to, radius));
        let mut outline = outside;
        outline.extend(inside.into_iter().rev());
        // In one piece: the background would be visible at seams.
        picture.fill(outline.clone(), paint(cell));
        outline.push(outline[0]);
        picture.stroke(outline, 1.2, colour::WHITE);
        let middle = 0.5 * (inner + outer);
        let room = (outer - inner).min(2.0 * middle * self.half().to_radians().sin());
        let [x, y] = self.place(degrees, middle);
        if let Cell::Steps(steps) = cell
            && room > 12.0
        {
            let size = SMALL.min(room - 2.0);
            let ink = if steps > 2 { colour::WHITE } else { colour::INK };
            picture.text([x, y + 0.35 * size], steps.to_string(), size, TextAnchor::Middle, ink);
        }
        if marked {
            picture.disc(self.place(degrees + 0.6 * self.half(), middle), 3.0, colour::INK);
        }
    }

    /// Draws the boundary of the impulses that are survived as are all smaller ones.
    fn limit(&self, picture: &mut Picture, axis: &AxisScale) {
        let mut line: Vec<PagePoint> = Vec::new();
        for (degrees, count) in self.directions.iter().zip(self.limits) {
            let radius = match count.checked_sub(1) {
                Some(last) => axis.place(self.edges(last)[1]),
                None => axis.place(self.edges(0)[0]),
            };
            line.extend(self.arc(degrees - self.half(), degrees + self.half(), radius));
        }
        if self.directions.len() > 1 && line.len() > 1 {
            line.push(line[0]);
        }
        picture.stroke(line, 3.0, colour::INK);
    }

    /// Draws the directions around the map.
    fn around(&self, picture: &mut Picture) {
        for degrees in self.directions {
            let from_front = (degrees - self.heading).rem_euclid(360.0);
            let side =
                [(0.0, "forward"), (90.0, "to its left"), (180.0, "backward"), (270.0, "to its right")]
                    .into_iter()
                    .find(|(angle, _)| (from_front - angle).abs() < 1e-6);
            let [x, y] = self.place(*degrees, RADIUS + 26.0);
            let align = match x - CENTRE[0] {
                along if along > 20.0 => TextAnchor::Start,
                along if along < -20.0 => TextAnchor::End,
                _ => TextAnchor::Middle,
            };
            let angle = format!("{}°", (degrees * 10.0).round() / 10.0);
            match side {
                Some((_, side)) => {
                    picture.text([x, y], side, TEXT, align, colour::INK);
                    picture.text([x, y + 17.0], angle, SMALL, align, colour::SLATE);
                }
                None => picture.text([x, y + 5.0], angle, SMALL, align, colour::SLATE),
            }
        }
    }

    /// Draws the impulses along the radius, below the map.
    fn scale(&self, picture: &mut Picture, axis: &AxisScale) {
        let y = CENTRE[1] + RADIUS + 66.0;
        let at = |impulse: f64| CENTRE[0] + axis.place(impulse);
        picture.stroke(vec![[at(0.0), y], [at(axis.high), y]], 1.2, colour::OUTLINE);
        for tick in axis.ticks(6) {
            let x = at(tick.value);
            picture.stroke(vec![[x, y], [x, y + 6.0]], 1.2, colour::OUTLINE);
            picture.text([x, y + 23.0], tick.label, SMALL, TextAnchor::Middle, colour::INK);
        }
        picture.text(
            [at(0.0) - 14.0, y + 23.0],
            "N s from the centre",
            SMALL,
            TextAnchor::End,
            colour::SLATE,
        );
    }

    fn legend(&self, picture: &mut Picture) {
        let mut entries: Vec<(Colour, String)> = Vec::new();
        let most = self.cells.iter().filter_map(|cell| match cell {
            Cell::Steps(steps) => Some(*steps),
            _ => None,
        });
        for steps in 0..=most.max().unwrap_or(0).min(MANY) {
            let label = match steps {
                0 => format!("no {}", self.steps),
                MANY => format!("{MANY} or more"),
                more => more.to_string(),
            };
            entries.push((paint(Cell::Steps(steps)), label));
        }
        for (index, name) in self.criteria.iter().enumerate() {
            if !self.cells.contains(&Cell::Lost(index)) {
                continue;
            }
            entries.push((paint(Cell::Lost(index)), format!("`{name}` did not hold")));
        }
        if self.cells.contains(&Cell::Error) {
            entries.push((paint(Cell::Error), "the run stopped with an error".into()));
        }
        let right = WIDTH - 20.0;
        let write = |picture: &mut Picture, x: f64, y: f64, text: &str, ink: Colour| {
            let text = font::shortened(text, SMALL, right - x);
            picture.text([x, y], text, SMALL, TextAnchor::Start, ink);
        };
        let mut y = 130.0;
        write(picture, LEGEND, y, &format!("{}s needed, or what was lost", self.steps), colour::SLATE);
        for (fill, label) in entries {
            y += 28.0;
            let area = Rectangle { left: LEGEND, right: LEGEND + 28.0, top: y - 15.0, bottom: y + 5.0 };
            picture.rectangle(&area, fill);
            write(picture, LEGEND + 38.0, y, &label, colour::INK);
        }
        y += 36.0;
        picture.stroke(vec![[LEGEND, y - 5.0], [LEGEND + 28.0, y - 5.0]], 3.0, colour::INK);
        write(picture, LEGEND + 38.0, y, "survived with all smaller pushes", colour::INK);
        if self.marked.contains(&true) {
            y += 28.0;
            picture.disc([LEGEND + 14.0, y - 5.0], 3.0, colour::INK);
            write(picture, LEGEND + 38.0, y, "some frames had no solution", colour::INK);
        }
        y += 16.0;
        for note in self.notes {
            y += 25.0;
            write(picture, LEGEND, y, note, colour::INK);
        }
    }
}

/// Blue that darkens with the number of steps; warm colours for failures, darker for the first criterion.
fn paint(cell: Cell) -> Colour {
    match cell {
        Cell::Steps(steps) => match steps.min(MANY) {
            0 => Colour::hex(0xE3EEF7),
            1 => Colour::hex(0xA9CDE8),
            2 => Colour::hex(0x66A9D6),
            3 => Colour::hex(0x2C80BC),
            4 => Colour::hex(0x11568C),
            _ => Colour::hex(0x08325A),
        },
        Cell::Lost(0) => Colour::hex(0xD9776B),
        Cell::Lost(1) => Colour::hex(0xF2C277),
        Cell::Lost(_) => Colour::hex(0xD9A3C7),
        Cell::Error => colour::MIDDLE,
    }
}
