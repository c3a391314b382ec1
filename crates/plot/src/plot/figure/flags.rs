//! Names of events above the panels: each is a flag whose pole stands where its event begins.

use super::axis::AxisScale;
use super::draw::SMALL;
use crate::plot::colour;
use crate::plot::font;
use crate::plot::picture::{Picture, TextAnchor};
use crate::plot::spans::TimeSpan;

/// Largest number of rows of names.
const ROWS: usize = 3;
/// Height of a row, px.
const ROW: f64 = 21.0;
/// Distance from a pole to its name, and from a name to the next flag, px.
const BESIDE: f64 = 4.0;
const APART: f64 = 8.0;

/// The name of an event and its position.
#[derive(Clone, Debug, PartialEq)]
struct Flag {
    name: String,
    /// Position of the pole, and of the left edge of the name, px.
    pole: f64,
    left: f64,
    /// Row of the name, 0 at the bottom.
    row: usize,
}

/// The flags of a figure.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Flags {
    flags: Vec<Flag>,
    /// Number of events whose names do not fit.
    unnamed: usize,
}

impl Flags {
    /// Places the flags of events in the order of their beginnings. A name stays at its time: overlapping names are
    /// put into several rows, and those that do not fit are only counted.
    pub(super) fn new(events: &[TimeSpan], time: &AxisScale) -> Self {
        let mut placed = Flags::default();
        let poles: Vec<f64> =
            events.iter().map(|event| time.place(event.from).clamp(time.from, time.to)).collect();
        // Right end of the occupied part of each row.
        let mut free = [f64::NEG_INFINITY; ROWS];
        for (index, (event, &pole)) in events.iter().zip(&poles).enumerate() {
            let width = font::width(&event.name, SMALL);
            let is_turned = pole + BESIDE + width > time.to;
            let left = if is_turned { pole - BESIDE - width } else { pole + BESIDE };
            let end = left.max(pole) + if is_turned { 0.0 } else { width } + APART;
            // Poles of the following flags pass through the rows below theirs: this name is as many rows higher as it
            // covers poles.
            let covered = poles[index + 1..].iter().take_while(|next| **next < end).count();
            let fits =
                |row: &usize| free[*row] <= left.min(pole) && free[..*row].iter().all(|free| *free <= pole);
            match (0..=covered.min(ROWS - 1)).rev().find(fits) {
                Some(row) => {
                    free[row] = end;
                    placed.flags.push(Flag { name: event.name.clone(), pole, left, row });
                }
                None => placed.unnamed += 1,
            }
        }
        placed
    }

    /// Height of all rows, px.
    pub(super) fn height(&self) -> f64 {
        self.flags.iter().map(|flag| flag.row + 1).max().unwrap_or(0) as f64 * ROW
    }

    /// Draws the flags downwards from `top`, and the number of unnamed events at `beside`, right of the panels.
    pub(super) fn draw(&self, picture: &mut Picture, top: f64, beside: f64) {
        let bottom = top + self.height();
        for Flag { name, pole, left, row } in &self.flags {
            let foot = bottom - *row as f64 * ROW;
            picture.stroke(vec![[*pole, foot - ROW + 3.0], [*pole, bottom]], 1.2, colour::ALARM);
            picture.text([*left, foot - 6.0], &**name, SMALL, TextAnchor::Start, colour::ALARM);
        }
        if self.unnamed > 0 {
            let text = match self.unnamed {
                1 => "and 1 more event".to_string(),
                more => format!("and {more} more events"),
            };
            picture.text([beside, top + ROW - 6.0], text, SMALL, TextAnchor::Start, colour::SLATE);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flags(events: &[(&str, f64)]) -> Flags {
        let span =
            |(name, from): &(&str, f64)| TimeSpan { name: (*name).into(), from: *from, to: from + 0.01 };
        let events: Vec<TimeSpan> = events.iter().map(span).collect();
        Flags::new(&events, &AxisScale::new(0.0, 10.0, 100.0, 1100.0))
    }

    /// The horizontal extent of the name.
    fn extent(flag: &Flag) -> [f64; 2] {
        [flag.left, flag.left + font::width(&flag.name, SMALL)]
    }

    #[test]
    fn a_name_stands_where_its_event_begins() {
        let placed = flags(&[("go", 0.5), ("left", 0.52), ("stop", 9.99)]);
        let poles: Vec<f64> = placed.flags.iter().map(|flag| flag.pole.round()).collect();
        assert_eq!((poles, placed.unnamed), (vec![150.0, 152.0, 1099.0], 0));
        for flag in &placed.flags {
            let [from, to] = extent(flag);
            assert!((from - flag.pole).abs() < 5.0 || (to - flag.pole).abs() < 5.0, "{flag:?}");
            assert!(to <= 1100.0, "{flag:?}");
        }
        let rows: Vec<usize> = placed.flags.iter().map(|flag| flag.row).collect();
        assert_eq!(
            rows,
            [1, 0, 0],
            "the first is above the second, so that its pole is clear of the other name"
        );
    }

    #[test]
    fn names_of_many_events_do_not_cover_each_other_and_the_others_are_counted() {
        let events: Vec<(&str, f64)> = (0..100).map(|k| ("walk_faster", 0.1 * f64::from(k))).collect();
        let placed = flags(&events);
        assert!(placed.flags.len() > 20 && placed.flags.len() + placed.unnamed == 100, "{placed:?}");
        for (index, a) in placed.flags.iter().enumerate() {
            for b in &placed.flags[index + 1..] {
                let ([a_from, a_to], [b_from, b_to]) = (extent(a), extent(b));
                assert!(a.row != b.row || a_to < b_from || b_to < a_from, "{a:?} {b:?}");
                // A pole passes through the rows below its own.
                for (pole, name) in [(a, b), (b, a)] {
                    let [from, to] = extent(name);
                    assert!(name.row >= pole.row || !(from..=to).contains(&pole.pole), "{pole:?} {name:?}");
                }
            }
        }
        let mut picture = Picture::new(1400, 300);
        placed.draw(&mut picture, 10.0, 1120.0);
        let said = picture.svg().unwrap_or_default();
        assert!(said.contains(&format!("and {} more events", placed.unnamed)), "{said}");
    }
}
