//! Pictures of sweeps: the map of pushes, and results over a varied value.

mod polar;
#[cfg(test)]
mod tests;

pub use polar::{Cell, Polar};

use crate::plot::colour::{self, Colour};
use crate::plot::figure::{AxisScale, SMALL, Scale, TEXT, labelled_grid};
use crate::plot::font;
use crate::plot::picture::{Picture, Rectangle, TextAnchor};

/// Panels one below another over a common axis.
pub struct Curves {
    /// Title above the panels.
    pub title: String,
    /// Line below the title.
    pub subtitle: String,
    /// Name of the varied key.
    pub key: String,
    /// Scale of the common axis.
    pub scale: Scale,
    /// Position of each run on the common axis.
    pub values: Vec<f64>,
    /// The present value of the key, marked by a dashed line; `None`: no mark.
    pub marked: Option<f64>,
    /// Name of each line; empty for a single line.
    pub lines: Vec<String>,
    /// Panels from top to bottom.
    pub panels: Vec<CurvePanel>,
    /// Whether each run passed, line by line; empty if the runs have no criteria.
    pub passed: Vec<Vec<bool>>,
}

/// Panel of one result of the runs.
pub struct CurvePanel {
    /// Title of the panel.
    pub title: String,
    /// Unit of the values.
    pub unit: &'static str,
    /// Scale of its axis; default: chosen from the values.
    pub scale: Option<Scale>,
    /// Whether a linear axis begins or ends at 0; otherwise it fits the values.
    pub from_zero: bool,
    /// One series per line.
    pub series: Vec<CurveValues>,
}

/// One number per value of the key; NaN if there is none.
pub type CurveValues = Vec<f64>;

const WIDTH: f64 = 1240.0;
const LEFT: f64 = 120.0;
const RIGHT: f64 = 300.0;
const TOP: f64 = 130.0;
const PANEL: f64 = 190.0;
/// Height between two panels for the labels of the axis and the title of the lower panel, px.
const BETWEEN: f64 = 68.0;
const FOOT: f64 = 72.0;
/// Height of an entry of the key, px.
const ENTRY: f64 = 26.0;
/// Ratio of values above which a panel has a logarithmic axis.
const WIDE: f64 = 50.0;

impl Curves {
    /// Draws the panels.
    pub fn picture(&self) -> Picture {
        let count = self.panels.len() as f64;
        let height = TOP + count * PANEL + (count - 1.0).max(0.0) * BETWEEN + FOOT;
        let mut picture = Picture::new(WIDTH as u32, height as u32);
        picture.text([40.0, 44.0], &*self.title, 26.0, TextAnchor::Start, colour::INK);
        picture.text([40.0, 72.0], &*self.subtitle, TEXT, TextAnchor::Start, colour::SLATE);
        let along = AxisScale::fit(self.values.iter().copied(), self.scale, false, [LEFT, WIDTH - RIGHT]);
        let mut top = TOP;
        for panel in &self.panels {
            let area = Rectangle { left: LEFT, right: WIDTH - RIGHT, top, bottom: top + PANEL };
            self.panel(&mut picture, &area, panel, &along);
            top = area.bottom + BETWEEN;
        }
        let middle = 0.5 * (LEFT + WIDTH - RIGHT);
        picture.text([middle, height - 20.0], &*self.key, TEXT, TextAnchor::Middle, colour::INK);
        self.legend(&mut picture);
        picture
    }

    /// The marked value, if it is between the smallest and the largest value.
    fn mark_within(&self) -> Option<f64> {
        let [low, high] =
            self.values.iter().fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], value| {
                [low.min(*value), high.max(*value)]
            });
        self.marked.filter(|marked| (low..=high).contains(marked))
    }

    fn panel(&self, picture: &mut Picture, area: &Rectangle, panel: &CurvePanel, along: &AxisScale) {
        let all = || panel.series.iter().flatten().copied().filter(|value| value.is_finite());
        let (low, high) = all()
            .fold((f64::INFINITY, 0.0), |(low, high): (f64, f64), value| (low.min(value), high.max(value)));
        let suits = if low > 0.0 && high / low > WIDE { Scale::Log } else { Scale::Linear };
        let scale = panel.scale.unwrap_or(suits);
        let axis = AxisScale::fit(all(), scale, panel.from_zero, [area.bottom, area.top]);
        labelled_grid(picture, area, [along, &axis], 4);
        if let Some(marked) = self.mark_within() {
            mark(picture, along.place(marked), [area.top, area.bottom]);
        }
        let unit = if panel.unit.is_empty() { String::new() } else { format!(", {}", panel.unit) };
        let title = format!("{}{unit}", panel.title);
        picture.text([area.left, area.top - 9.0], title, TEXT, TextAnchor::Start, colour::INK);
        for (index, series) in panel.series.iter().enumerate() {
            let ink = colour::series(index);
            let place = |k: usize| [along.place(self.values[k]), axis.place_within(series[k])];
            picture.stroke((0..series.len()).map(place).collect(), 2.4, ink);
            for k in 0..series.len() {
                let asked = self.passed.get(index);
                let passed = self.passed.is_empty() || asked.and_then(|line| line.get(k)) == Some(&true);
                dot(picture, place(k), passed, ink);
            }
        }
    }

    fn legend(&self, picture: &mut Picture) {
        let left = WIDTH - RIGHT + 28.0;
        let mut y = TOP + 14.0;
        let limit = WIDTH - 20.0 - left - 38.0;
        let entry = |picture: &mut Picture, y: f64, text: &str| {
            let text = font::shortened(text, SMALL, limit);
            picture.text([left + 38.0, y + 0.35 * SMALL], text, SMALL, TextAnchor::Start, colour::INK);
        };
        // Up to three marks are below the lines.
        let room = ((f64::from(picture.height) - y) / ENTRY) as usize;
        let room = room.saturating_sub(3).max(1);
        let shown = if self.lines.len() > room { room - 1 } else { self.lines.len() };
        for (index, name) in self.lines.iter().enumerate().take(shown).filter(|(_, name)| !name.is_empty()) {
            picture.stroke(vec![[left, y], [left + 28.0, y]], 3.0, colour::series(index));
            entry(picture, y, &font::shortened_at_start(name, SMALL, limit));
            y += ENTRY;
        }
        if shown < self.lines.len() {
            entry(picture, y, &format!("and {} more, in the CSV", self.lines.len() - shown));
            y += ENTRY;
        }
        let marks = [(true, "every criterion held"), (false, "one did not")];
        let are_there = |passed: bool| self.passed.iter().flatten().any(|own| *own == passed);
        for (passed, text) in marks.into_iter().filter(|(passed, _)| are_there(*passed)) {
            dot(picture, [left + 14.0, y], passed, colour::INK);
            entry(picture, y, text);
            y += ENTRY;
        }
        if let Some(marked) = self.mark_within() {
            mark(picture, left + 14.0, [y - 9.0, y + 9.0]);
            entry(picture, y, &format!("as it is: {marked}"));
        }
    }
}

/// Length of a dash and of the gap after it, px.
const DASH: f64 = 5.0;

/// Draws a dashed line from top to bottom.
fn mark(picture: &mut Picture, x: f64, [top, bottom]: [f64; 2]) {
    let mut y = top;
    while y < bottom {
        picture.stroke(vec![[x, y], [x, (y + DASH).min(bottom)]], 1.6, colour::SLATE);
        y += 2.0 * DASH;
    }
}

/// Draws a disc for a run that passed, a cross for one that failed.
fn dot(picture: &mut Picture, [x, y]: [f64; 2], passed: bool, ink: Colour) {
    if passed {
        picture.disc([x, y], 5.0, ink);
        return;
    }
    for slope in [1.0, -1.0] {
        picture.stroke(vec![[x - 6.0, y - 6.0 * slope], [x + 6.0, y + 6.0 * slope]], 2.4, colour::ALARM);
    }
}
