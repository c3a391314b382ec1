//! The key of a strip: its marks and the scale of its arrows.

use super::stage::{broken, com_mark, contact_arrows, diamond, triangle};
use crate::plot::colour::{self, Colour};
use crate::plot::figure::round_step;
use crate::plot::font;
use crate::plot::picture::{PagePoint, Picture, Rectangle, TextAnchor};
use aplomb_trace::{Frame, Header, Trace};

/// Height of a line, and margin above and below all of them, px.
const LINE: f64 = 28.0;
const AIR: f64 = 19.0;
/// Approximate length of arrows that show a scale, and length of a shortened one, px.
const ARROW: f64 = 86.0;
const SHORTENED: f64 = 40.0;
/// Largest number of other characters in the key.
const MOST_OTHERS: usize = 3;

/// Draws the key of a character's marks in a small line, starting at `at`.
pub(super) fn contact_key(picture: &mut Picture, [left, y]: PagePoint, right: f64) {
    type NamedMark<'a> = (&'a str, Box<dyn Fn(&mut Picture, PagePoint)>);
    let samples: [NamedMark; 4] = [
        ("centre of mass", Box::new(|p, at| com_mark(p, at, 5.0))),
        ("capture point", Box::new(|p, at| diamond(p, at, 5.0))),
        (
            "centre of pressure",
            Box::new(|p, [x, y]| triangle(p, [x, y - 4.0], 5.0, colour::CENTRE_OF_PRESSURE)),
        ),
        ("support", Box::new(|p, [x, y]| p.stroke(vec![[x - 7.0, y], [x + 7.0, y]], 5.0, colour::SUPPORT))),
    ];
    let mut x = left;
    for (name, sample) in samples {
        let end = x + 18.0 + font::width(name, 12.5);
        if end > right {
            return;
        }
        sample(picture, [x + 7.0, y - 4.0]);
        picture.text([x + 18.0, y], name, 12.5, TextAnchor::Start, colour::SLATE);
        x = end + 14.0;
    }
}

/// Kinds of forces in the pictures.
#[derive(Clone, Copy)]
pub(super) struct Arrows {
    pub contacts: bool,
    pub pushes: bool,
    /// Whether an arrow is shortened because it extends beyond its picture.
    pub are_shortened: bool,
}

impl Arrows {
    pub(super) fn of(trace: &Trace, shown: &[&Frame]) -> Self {
        Arrows {
            contacts: shown.iter().any(|frame| !contact_arrows(&trace.header, frame).is_empty()),
            pushes: shown.iter().any(|frame| !frame.external.is_empty()),
            are_shortened: false,
        }
    }
}

/// Width of a mark in the key, its name, and the function that draws it from a point to the right.
type KeySample<'a> = (f64, &'a str, Box<dyn Fn(&mut Picture, PagePoint) + 'a>);

/// Draws a rectangle of a colour, starting at `x` and centred at `y`.
fn swatch(picture: &mut Picture, [x, y]: PagePoint, colour: Colour) {
    let area = Rectangle { left: x, right: x + 24.0, top: y - 8.0, bottom: y + 8.0 };
    picture.rectangle(&area, colour);
    picture.frame(&area, 1.0, colour.darkened(0.35));
}

/// The marks of a character.
fn marks<'a>() -> Vec<KeySample<'a>> {
    vec![
        (24.0, "left", Box::new(|p, at| swatch(p, at, colour::LEFT.lightened(0.12)))),
        (24.0, "right", Box::new(|p, at| swatch(p, at, colour::RIGHT.lightened(0.12)))),
        (
            48.0,
            "farther",
            Box::new(|p, [x, y]| {
                swatch(p, [x, y], colour::RIGHT.lightened(0.12));
                swatch(p, [x + 24.0, y], colour::RIGHT.lightened(0.6));
            }),
        ),
        (18.0, "centre of mass", Box::new(|p, [x, y]| com_mark(p, [x + 9.0, y], 8.0))),
        (16.0, "capture point", Box::new(|p, [x, y]| diamond(p, [x + 8.0, y], 8.0))),
        (
            14.0,
            "centre of pressure",
            Box::new(|p, [x, y]| triangle(p, [x + 7.0, y - 6.0], 7.0, colour::CENTRE_OF_PRESSURE)),
        ),
        (30.0, "support", Box::new(|p, [x, y]| p.stroke(vec![[x, y], [x + 30.0, y]], 6.0, colour::SUPPORT))),
    ]
}

/// Draws the key of the marks and the scale of arrows below the picture, in as many lines as needed, starting at
/// `left`. `scale`: scale of the world, px/m, and of arrows, N/m. Returns the height, px.
pub(super) fn draw(
    picture: &mut Picture,
    left: f64,
    header: &Header,
    arrows: Arrows,
    [scale, newtons_per_metre]: [f64; 2],
) -> f64 {
    let newtons = round_step(ARROW / scale * newtons_per_metre);
    let length = newtons / newtons_per_metre * scale;
    let force = format!("contact force ({newtons} N)");
    let push = format!("push ({newtons} N)");
    let contact = colour::SUPPORT.darkened(0.25);
    // Marks of a character, and those shared by passive objects.
    let mut samples = marks();
    if !header.has_character() {
        samples.clear();
    }
    // Other characters, in the colour of their shapes.
    let others = header.passive.iter().enumerate().filter(|(_, other)| other.is_character());
    samples.extend(others.take(MOST_OTHERS).map(|(number, other)| -> KeySample<'_> {
        (24.0, &other.name, Box::new(move |p, at| swatch(p, at, colour::object(number))))
    }));
    if arrows.pushes {
        let arrow =
            move |p: &mut Picture, [x, y]: PagePoint| p.arrow([x, y], [x + length, y], 3.6, colour::ALARM);
        samples.push((length, &push, Box::new(arrow)));
    }
    if arrows.contacts {
        let arrow = move |p: &mut Picture, [x, y]: PagePoint| p.arrow([x, y], [x + length, y], 2.4, contact);
        samples.push((length, &force, Box::new(arrow)));
    }
    if arrows.are_shortened {
        let arrow = |p: &mut Picture, [x, y]: PagePoint| {
            let (from, to) = ([x, y], [x + SHORTENED, y]);
            p.arrow(from, to, 2.4, colour::SLATE);
            broken(p, from, to, 2.4, colour::SLATE);
        };
        samples.push((SHORTENED, "shortened", Box::new(arrow)));
    }
    let right = f64::from(picture.width) - left;
    let (mut x, mut y) = (left, f64::from(picture.height) + AIR + 0.5 * LINE);
    for (width, name, sample) in &samples {
        let end = x + width + 8.0 + font::width(name, 16.0);
        let (from, to) = if end > right && x > left { (left, end - x + left) } else { (x, end) };
        y += if from < x { LINE } else { 0.0 };
        sample(picture, [from, y]);
        picture.text([from + width + 8.0, y + 5.5], *name, 16.0, TextAnchor::Start, colour::INK);
        x = to + 30.0;
    }
    y + 0.5 * LINE + AIR - f64::from(picture.height)
}
