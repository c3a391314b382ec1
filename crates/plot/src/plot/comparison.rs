//! One channel of several runs over time, one line each.

use super::colour;
use super::figure::{AxisScale, SMALL, Scale, TEXT, labelled_grid};
use super::font;
use super::picture::{Picture, Rectangle, TextAnchor};
use aplomb_trace::{Channel, Trace};

/// One channel of several runs in one panel.
pub struct Comparison<'a> {
    /// Channel that is compared.
    pub channel: &'a Channel,
    /// Scale of the vertical axis.
    pub scale: Scale,
    /// Name of each run with its trace.
    pub runs: Vec<(String, &'a Trace)>,
}

const WIDTH: f64 = 1240.0;
const LEFT: f64 = 120.0;
const TOP: f64 = 104.0;
const PANEL: f64 = 420.0;
const FOOT: f64 = 68.0;
const ENTRY: f64 = 26.0;

impl Comparison<'_> {
    /// Draws the comparison.
    pub fn picture(&self) -> Picture {
        let below = FOOT + ENTRY * self.runs.len() as f64;
        let mut picture = Picture::new(WIDTH as u32, (TOP + PANEL + below) as u32);
        let unit = if self.channel.unit == "1" { String::new() } else { format!(", {}", self.channel.unit) };
        let title = format!("{}{unit}", self.channel.name);
        picture.text([40.0, 44.0], title, 26.0, TextAnchor::Start, colour::INK);
        picture.text([40.0, 72.0], &*self.channel.doc, TEXT, TextAnchor::Start, colour::SLATE);
        let area = Rectangle { left: LEFT, right: WIDTH - 40.0, top: TOP, bottom: TOP + PANEL };
        let lines: Vec<Vec<(f64, f64)>> = self.runs.iter().map(|(_, run)| self.line(run)).collect();
        let times = lines.iter().flatten().map(|(time, _)| *time);
        let along = AxisScale::fit(times, Scale::Linear, false, [area.left, area.right]);
        let values = lines.iter().flatten().map(|(_, value)| *value);
        let up = AxisScale::fit(values, self.scale, false, [area.bottom, area.top]);
        labelled_grid(&mut picture, &area, [&along, &up], 8);
        picture.text([area.right, area.bottom + 40.0], "time, s", TEXT, TextAnchor::End, colour::INK);
        for (index, line) in lines.iter().enumerate() {
            let place = |&(time, value): &(f64, f64)| [along.place(time), up.place_within(value)];
            picture.stroke(line.iter().map(place).collect(), 1.6, colour::series(index));
        }
        for (index, (name, _)) in self.runs.iter().enumerate() {
            let y = area.bottom + 56.0 + ENTRY * index as f64;
            picture.stroke(vec![[LEFT, y], [LEFT + 28.0, y]], 3.0, colour::series(index));
            let text = font::shortened(name, SMALL, area.width() - 48.0);
            picture.text([LEFT + 38.0, y + 0.35 * SMALL], text, SMALL, TextAnchor::Start, colour::INK);
        }
        picture
    }

    /// Time and value of each frame; NaN without a value.
    fn line(&self, run: &Trace) -> Vec<(f64, f64)> {
        let values = run.series(&self.channel.name).unwrap_or_default();
        run.times().into_iter().zip(values.into_iter().map(|value| value.unwrap_or(f64::NAN))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::picture::Mark;
    use aplomb_trace::example;

    #[test]
    fn each_run_has_a_line_of_its_frames_and_a_name() {
        let (first, second) = (example::trace(20), example::trace(30));
        let channel = first.channel("com.x").unwrap();
        let runs = vec![("short".to_string(), &first), ("long".to_string(), &second)];
        let picture = Comparison { channel: &channel, scale: Scale::Linear, runs }.picture();
        let long = |count: usize| {
            let of = |mark: &&Mark| matches!(mark, Mark::Stroke { points, .. } if points.len() == count);
            picture.marks.iter().filter(of).count()
        };
        assert_eq!([long(20), long(30)], [1, 1]);
        let said = |text: &str| {
            picture.marks.iter().any(|mark| matches!(mark, Mark::Text { text: t, .. } if t == text))
        };
        assert!(said("short") && said("long"));
    }
}
