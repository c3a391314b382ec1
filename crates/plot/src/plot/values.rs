//! Results of a search: the effect of each value alone, and its interval.

use crate::plot::colour;
use crate::plot::figure::{SMALL, TEXT};
use crate::plot::font;
use crate::plot::picture::{Picture, Rectangle, TextAnchor};

/// A picture with one row per value.
pub struct Values {
    /// Title above the rows.
    pub title: String,
    /// Line below the title.
    pub subtitle: String,
    /// Title of the bars.
    pub heading: String,
    /// Rows from top to bottom.
    pub rows: Vec<ValueRow>,
}

/// One value. Positions are shares of the interval between its bounds.
pub struct ValueRow {
    /// Name of the value.
    pub name: String,
    /// Length of the bar; `None` if there is none.
    pub worth: Option<f64>,
    /// Text of the bar.
    pub label: String,
    /// Initial position.
    pub start: f64,
    /// Best position.
    pub best: f64,
    /// Interval of the position; `None` if it is unknown.
    pub interval: Option<[f64; 2]>,
    /// Text of its bounds.
    pub bounds: [String; 2],
}

const WIDTH: f64 = 1400.0;
const NAME: f64 = 590.0;
const BARS: [f64; 2] = [610.0, 900.0];
const TRACK: [f64; 2] = [1040.0, 1300.0];
const TOP: f64 = 136.0;
const ROW: f64 = 34.0;

impl Values {
    /// Draws the rows.
    pub fn picture(&self) -> Picture {
        let height = TOP + ROW * self.rows.len() as f64 + 52.0;
        let mut picture = Picture::new(WIDTH as u32, height as u32);
        picture.text([40.0, 44.0], &*self.title, 26.0, TextAnchor::Start, colour::INK);
        picture.text([40.0, 72.0], &*self.subtitle, TEXT, TextAnchor::Start, colour::SLATE);
        picture.text([BARS[0], TOP - 22.0], &*self.heading, SMALL, TextAnchor::Start, colour::SLATE);
        let middle = 0.5 * (TRACK[0] + TRACK[1]);
        picture.text([middle, TOP - 22.0], "between its bounds", SMALL, TextAnchor::Middle, colour::SLATE);
        let worths = || self.rows.iter().filter_map(|row| row.worth).filter(|worth| worth.is_finite());
        let (least, most) = worths().fold((0.0_f64, 0.0_f64), |(a, b), worth| (a.min(worth), b.max(worth)));
        let length = if most > least { most - least } else { 1.0 };
        let along = |worth: f64| BARS[0] + (BARS[1] - BARS[0]) * (worth - least) / length;
        for (index, row) in self.rows.iter().enumerate() {
            let y = TOP + ROW * (index as f64 + 0.5);
            let below = y + 0.35 * SMALL;
            let name = font::shortened(&row.name, SMALL, NAME - 40.0);
            picture.text([NAME, below], name, SMALL, TextAnchor::End, colour::INK);
            if let Some(worth) = row.worth.filter(|worth| worth.is_finite()) {
                let (zero, end) = (along(0.0), along(worth));
                let area =
                    Rectangle { left: zero.min(end), right: zero.max(end), top: y - 9.0, bottom: y + 9.0 };
                let ink = if worth < 0.0 { colour::CAUTION } else { colour::series(0) };
                picture.rectangle(&area, ink);
            }
            picture.text(
                [along(row.worth.unwrap_or(0.0).max(0.0)) + 8.0, below],
                &*row.label,
                SMALL,
                TextAnchor::Start,
                colour::INK,
            );
            self.track(&mut picture, row, y);
        }
        let bottom = TOP + ROW * self.rows.len() as f64;
        let zero = along(0.0);
        picture.stroke(vec![[zero, TOP - 8.0], [zero, bottom]], 1.2, colour::OUTLINE);
        let y = bottom + 26.0;
        picture.disc([TRACK[0], y - 4.0], 5.0, colour::INK);
        picture.text([TRACK[0] + 10.0, y], "best", SMALL, TextAnchor::Start, colour::INK);
        picture.stroke(vec![[TRACK[0] + 66.0, y - 12.0], [TRACK[0] + 66.0, y + 4.0]], 2.4, colour::ALARM);
        picture.text([TRACK[0] + 74.0, y], "start", SMALL, TextAnchor::Start, colour::INK);
        if self.rows.iter().any(|row| row.interval.is_some()) {
            let area =
                Rectangle { left: TRACK[0] + 126.0, right: TRACK[0] + 150.0, top: y - 10.0, bottom: y + 2.0 };
            picture.rectangle(&area, colour::SUPPORT.lightened(0.5));
            picture.text([area.right + 8.0, y], "all passes", SMALL, TextAnchor::Start, colour::INK);
        }
        picture
    }

    fn track(&self, picture: &mut Picture, row: &ValueRow, y: f64) {
        let at = |share: f64| TRACK[0] + (TRACK[1] - TRACK[0]) * share.clamp(0.0, 1.0);
        if let Some([from, to]) = row.interval {
            let area = Rectangle { left: at(from), right: at(to), top: y - 8.0, bottom: y + 8.0 };
            picture.rectangle(&area, colour::SUPPORT.lightened(0.5));
        }
        picture.stroke(vec![[TRACK[0], y], [TRACK[1], y]], 1.2, colour::OUTLINE);
        picture.stroke(vec![[at(row.start), y - 8.0], [at(row.start), y + 8.0]], 2.4, colour::ALARM);
        picture.disc([at(row.best), y], 5.0, colour::INK);
        let below = y + 0.35 * SMALL;
        picture.text([TRACK[0] - 10.0, below], &*row.bounds[0], SMALL, TextAnchor::End, colour::SLATE);
        picture.text([TRACK[1] + 10.0, below], &*row.bounds[1], SMALL, TextAnchor::Start, colour::SLATE);
    }
}
