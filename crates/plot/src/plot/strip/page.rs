//! Page layout of a strip.

use super::cast::Cast;
use super::key::{self, Arrows};
use super::moments::Moments;
use super::outline::ViewDirection;
use super::stage::{Viewport, draw, ground};
use crate::plot::PlotError;
use crate::plot::colour;
use crate::plot::figure::{heading, round_step, title_width};
use crate::plot::font;
use crate::plot::picture::{Picture, Rectangle, TextAnchor};
use aplomb_trace::{Frame, Header, Trace};
use nalgebra::Vector3;

/// Width of a page with many pictures, and least width of one with few, px.
const WIDTH: f64 = 1800.0;
const LEAST_PAGE: f64 = 640.0;
const LEFT: f64 = 46.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 84.0;
const GAP: f64 = 8.0;
/// Height above each picture for the time, and for state and events if there are any, px.
const TIME: f64 = 30.0;
const STATE: f64 = 24.0;
const EVENTS: f64 = 20.0;
/// Height below the ground line for its ticks, px.
const UNDERGROUND: f64 = 40.0;
const VIEWS: [ViewDirection; 2] = [ViewDirection::Side, ViewDirection::Front];
/// Least width of a picture, m, so that a small object does not fill the page.
const LEAST_WIDTH: f64 = 0.2;
/// Distance of the ground below all passive objects, in heights of these, from which it is omitted.
const FAR_BELOW: f64 = 2.0;
/// Ratio of widths below which objects move in a plane, and are shown only from the wider side.
const FLAT: f64 = 0.1;
/// Margin around the figure, as a share of its size.
const AIR: f64 = 0.10;
/// Largest growth of pictures in width and height, as shares, to show objects whole that would be cut off.
const WIDENED: f64 = 0.4;
const HEIGHTENED: f64 = 0.25;

/// The strip with at most `pictures` moments.
///
/// # Errors
/// [`PlotError::Model`] if the trace's model text is missing or does not match its frames.
pub fn pose_strip(trace: &Trace, pictures: usize) -> Result<Picture, PlotError> {
    strip_of(trace, &Moments::Telling(pictures))
}

/// The strip of these moments.
///
/// # Errors
/// [`PlotError::Model`] if the trace's model text is missing or does not match its frames.
pub fn strip_of(trace: &Trace, moments: &Moments) -> Result<Picture, PlotError> {
    let shown: Vec<&Frame> = moments.frames(trace).into_iter().map(|k| &trace.frames[k]).collect();
    if shown.is_empty() {
        let mut picture = Picture::new(WIDTH as u32, 200);
        heading(&mut picture, trace, None, LEFT);
        picture.text([LEFT, 130.0], "The run has no frames.", 17.0, TextAnchor::Start, colour::SLATE);
        return Ok(picture);
    }
    let cast = Cast::new(&trace.header)?;
    let plan = PagePlan::new(trace, &cast, &shown)?;
    let mut picture = Picture::new(plan.page_width as u32, plan.page_height() as u32);
    heading(&mut picture, trace, None, LEFT);
    let mut are_shortened = false;
    let faces_x = shown.iter().all(|frame| cast.faces_x(frame));
    for (number, frame) in shown.iter().enumerate() {
        let [left, top] = plan.corner(number);
        caption(&mut picture, trace, frame, &plan, left, top);
        for (row, (view, centres)) in plan.views.iter().enumerate() {
            let view = *view;
            let top = top + plan.caption() + row as f64 * (plan.height + GAP);
            let area = Rectangle { left, right: left + plan.column, top, bottom: top + plan.height };
            let window = Viewport {
                area,
                view,
                centre: centres[number],
                floor: plan.floor,
                pixels_per_metre: plan.scale,
                newtons_per_metre: plan.newtons_per_metre,
                axis: "",
            };
            are_shortened |= draw(&mut picture, &window, &cast, &trace.header, frame)?;
            if number % plan.columns == 0 {
                let name = name_of(view, trace.header.has_character(), faces_x);
                let at = [left - 14.0, 0.5 * (area.top + area.bottom)];
                picture.text_upward(at, name, 16.0, colour::INK);
            }
        }
    }
    let arrows = Arrows { are_shortened, ..Arrows::of(trace, &shown) };
    picture.height +=
        key::draw(&mut picture, LEFT, &trace.header, arrows, [plan.scale, plan.newtons_per_metre]) as u32;
    Ok(picture)
}

/// Name of a view: views are along the world's axes, for any heading of the character.
fn name_of(view: ViewDirection, has_character: bool, faces_x: bool) -> &'static str {
    match view {
        ViewDirection::Side if !has_character => "from the side: x, m",
        ViewDirection::Side if faces_x => "from its right: x, m",
        ViewDirection::Side => "seen along y: x, m",
        ViewDirection::Front if faces_x || !has_character => "from the front: y, m",
        ViewDirection::Front => "seen against x: y, m",
    }
}

/// The part of the world that all pictures show.
pub(super) struct WorldExtent {
    /// Width and height of that part with its margin, m.
    pub wide: f64,
    pub high: f64,
    /// Lower edge or ground, m.
    pub floor: f64,
    /// Views of each moment, with the horizontal centre of each picture, m.
    pub views: Vec<(ViewDirection, Vec<f64>)>,
    pub newtons_per_metre: f64,
}

/// Sizes that all pictures share.
struct PagePlan {
    /// Width of the page, px.
    page_width: f64,
    columns: usize,
    rows: usize,
    /// Width and height of a picture, px.
    column: f64,
    height: f64,
    /// Scale, px/m.
    scale: f64,
    /// Height of the world at the bottom of each picture, m.
    floor: f64,
    /// Views of each moment, one below the other, with the horizontal centre of each picture, m.
    views: Vec<(ViewDirection, Vec<f64>)>,
    newtons_per_metre: f64,
    /// Whether any picture has a state, and an event, in its caption.
    states: bool,
    events: bool,
}

impl WorldExtent {
    /// The extent of these moments.
    ///
    /// # Errors
    /// The errors of [`Cast::leads`].
    pub(super) fn new(header: &Header, cast: &Cast, shown: &[&Frame]) -> Result<Self, PlotError> {
        let mut widest = LEAST_WIDTH;
        let mut heights = [f64::INFINITY, f64::NEG_INFINITY];
        let mut views = Vec::new();
        let mut extents = [0.0; VIEWS.len()];
        let room = if header.has_character() { 1.3 } else { 2.5 };
        for (row, view) in VIEWS.into_iter().enumerate() {
            let mut spans = Vec::new();
            for frame in shown {
                let parts = cast.leads(frame, view)?;
                let points: Vec<[f64; 2]> = parts.into_iter().flat_map(|part| part.corners).collect();
                let across = span(points.iter().map(|point| point[0])).unwrap_or((0.0, 0.0));
                if let Some((low, high)) = span(points.iter().map(|point| point[1])) {
                    heights = [heights[0].min(low), heights[1].max(high)];
                }
                spans.push(across);
            }
            let own = spans.iter().map(|(low, high)| high - low).fold(0.0, f64::max);
            let all = span(spans.iter().flat_map(|(low, high)| [*low, *high])).unwrap_or((0.0, 0.0));
            // A picture keeps its position while the character stays in place, so that motion is visible. Swinging
            // objects get a wide picture.
            let still = all.1 - all.0 <= room * own;
            widest = widest.max(if still { all.1 - all.0 } else { own });
            let middle = |(low, high): (f64, f64)| 0.5 * (low + high);
            let centres = spans.iter().map(|own| if still { middle(all) } else { middle(*own) }).collect();
            extents[row] = all.1 - all.0;
            views.push((view, centres));
        }
        if !header.has_character() {
            let flat = FLAT * extents.into_iter().fold(0.0, f64::max);
            let mut extents = extents.into_iter();
            views.retain(|_| extents.next().is_some_and(|extent| extent >= flat));
        }
        if heights[0] > heights[1] {
            heights = [0.0, 1.0];
        }
        let floor = floor(header, heights);
        let air = AIR * widest.max(heights[1] - floor);
        let (wide, high) = (widest + 2.0 * air, heights[1] - floor + 1.2 * air);
        let objects: f64 = header.passive.iter().map(|object| object.mass).sum();
        let mass = if header.has_character() { header.mass } else { objects };
        let weight = (mass * 9.81).max(1e-6);
        let newtons_per_metre = round_step(weight / (0.3 * high));
        Ok(WorldExtent { wide, high, floor, views, newtons_per_metre })
    }

    /// Enlarges the extent so that objects which would be cut off at an edge of a picture are shown whole, if the
    /// growth is small. `half`: half of the visible width, m.
    ///
    /// # Errors
    /// The errors of [`Cast::parts`].
    fn show_objects_whole(&mut self, cast: &Cast, shown: &[&Frame], half: f64) -> Result<(), PlotError> {
        let top = self.floor + self.high;
        let (mut wide, mut high) = (half, self.high);
        for (view, centres) in &self.views {
            for (frame, centre) in shown.iter().zip(centres) {
                for part in cast.parts(frame, *view)? {
                    let across = span(part.corners.iter().map(|point| point[0] - centre));
                    let upward = span(part.corners.iter().map(|point| point[1]));
                    let (Some((left, right)), Some((bottom, above))) = (across, upward) else { continue };
                    let reach = right.max(-left);
                    let (is_beside, is_over) = (right < -half || left > half, bottom > top);
                    if !is_beside && !is_over && reach <= (1.0 + WIDENED) * half {
                        wide = wide.max(1.02 * reach);
                    }
                    if !is_beside && !is_over && above - self.floor <= (1.0 + HEIGHTENED) * self.high {
                        high = high.max(1.02 * (above - self.floor));
                    }
                }
            }
        }
        if wide > half {
            self.wide = 2.0 * wide;
        }
        self.high = high;
        Ok(())
    }
}

/// The lowest height that is shown, m.
fn floor(header: &Header, [low, high]: [f64; 2]) -> f64 {
    let size = high - low;
    match ground(&header.obstacles) {
        // Ground far below objects is not informative; the supports from which they hang are shown.
        Some(ground) if !header.has_character() && low - ground > FAR_BELOW * size => low - 0.4 * size,
        Some(ground) => low.min(ground),
        None => low,
    }
}

/// Number of pictures in a row, the width of each, px, and its scale, px/m.
fn columns(extent: &WorldExtent, pictures: usize) -> (usize, f64, f64) {
    let most = pictures.clamp(1, 8);
    // Figures that lie down are wide: fewer fit side by side, and each is larger.
    let columns = if extent.wide > 0.9 * extent.high { most.min(4) } else { most };
    let column = (WIDTH - LEFT - RIGHT - GAP * (columns - 1) as f64) / columns as f64;
    let column = column.min(420.0);
    (columns, column, (column / extent.wide).min(620.0 / extent.high))
}

impl PagePlan {
    fn new(trace: &Trace, cast: &Cast, shown: &[&Frame]) -> Result<Self, PlotError> {
        let mut extent = WorldExtent::new(&trace.header, cast, shown)?;
        let (_, column, scale) = columns(&extent, shown.len());
        extent.show_objects_whole(cast, shown, 0.5 * column / scale)?;
        let (columns, column, scale) = columns(&extent, shown.len());
        let WorldExtent { high, floor, views, newtons_per_metre, .. } = extent;
        let rows = shown.len().div_ceil(columns);
        let pictures = (column + GAP) * columns as f64 - GAP;
        let margins = LEFT + RIGHT;
        let page_width = pictures.max(title_width(trace)).clamp(LEAST_PAGE - margins, WIDTH - margins);
        Ok(PagePlan {
            page_width: (LEFT + page_width + RIGHT).round(),
            columns,
            rows,
            column,
            height: high * scale + UNDERGROUND,
            scale,
            floor: floor - UNDERGROUND / scale,
            views,
            newtons_per_metre,
            states: shown.iter().any(|frame| !frame.state.is_empty()),
            events: shown.iter().any(|frame| !(frame.events.is_empty() && frame.external.is_empty())),
        })
    }

    /// Height of the caption above a picture, px.
    fn caption(&self) -> f64 {
        self.events_from() + if self.events { EVENTS } else { 0.0 }
    }

    /// Position of the events in the caption, px.
    fn events_from(&self) -> f64 {
        TIME + if self.states { STATE } else { 0.0 }
    }

    fn row_height(&self) -> f64 {
        self.caption() + self.views.len() as f64 * (self.height + GAP)
    }

    /// Height of the page without its key, px.
    fn page_height(&self) -> f64 {
        (TOP + self.rows as f64 * self.row_height()).ceil()
    }

    /// Upper left corner of a moment's caption, px.
    fn corner(&self, number: usize) -> [f64; 2] {
        let (row, column) = (number / self.columns, number % self.columns);
        [LEFT + column as f64 * (self.column + GAP), TOP + row as f64 * self.row_height()]
    }
}

fn span(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    values.filter(|value| value.is_finite()).fold(None, |range, value| {
        Some(range.map_or((value, value), |(low, high): (f64, f64)| (low.min(value), high.max(value))))
    })
}

fn caption(picture: &mut Picture, trace: &Trace, frame: &Frame, plan: &PagePlan, left: f64, top: f64) {
    let width = plan.column;
    let middle = left + 0.5 * width;
    picture.text([middle, top + 20.0], time_of(frame), 20.0, TextAnchor::Middle, colour::INK);
    if !frame.state.is_empty() {
        let number = trace.header.states.iter().position(|name| *name == frame.state).unwrap_or(0);
        let chip = Rectangle { left, right: left + width, top: top + 28.0, bottom: top + 50.0 };
        picture.rectangle(&chip, colour::state(number).lightened(0.25));
        let name = font::shortened(&frame.state, 16.0, width - 8.0);
        picture.text([middle, chip.bottom - 6.0], name, 16.0, TextAnchor::Middle, colour::INK);
    }
    let acting = caption_text(frame);
    if !acting.is_empty() {
        let text = font::shortened(&acting, 15.0, width);
        picture.text(
            [middle, top + plan.events_from() + 13.0],
            text,
            15.0,
            TextAnchor::Middle,
            colour::ALARM,
        );
    }
}

/// Time of a frame, with as many digits as needed for frames shorter than 0.01 s.
fn time_of(frame: &Frame) -> String {
    let hundredths = 100.0 * frame.time;
    let decimals = if (hundredths - hundredths.round()).abs() < 1e-6 { 2 } else { 3 };
    format!("{:.decimals$} s", frame.time)
}

/// Text of the forces in a frame; empty without forces.
pub(super) fn caption_text(frame: &Frame) -> String {
    // An object that touches several bodies is listed with a single force.
    let mut forces: Vec<(&str, Vector3<f64>)> = Vec::new();
    for push in &frame.external {
        let force = Vector3::from(push.force);
        match forces.iter_mut().find(|(name, _)| *name == push.name) {
            Some((_, sum)) => *sum += force,
            None => forces.push((&push.name, force)),
        }
    }
    // Open contacts have no force.
    let felt = forces.iter().filter(|(_, force)| force.norm() >= 0.5);
    let mut acting: Vec<String> = felt.map(|(name, force)| format!("{name} {:.0} N", force.norm())).collect();
    for event in &frame.events {
        if !frame.external.iter().any(|push| push.name == *event) {
            acting.push(event.clone());
        }
    }
    acting.join(", ")
}
