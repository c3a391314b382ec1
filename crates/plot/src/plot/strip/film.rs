//! The views of the strip as the pictures of a film: one moment per picture, both views side by side.

use super::cast::Cast;
use super::key::contact_key;
use super::outline::ViewDirection;
use super::page::{WorldExtent, caption_text};
use super::stage::{Viewport, draw};
use crate::plot::PlotError;
use crate::plot::colour;
use crate::plot::font;
use crate::plot::picture::{Picture, Rectangle, TextAnchor};
use aplomb_trace::{Frame, Trace};

/// Margin around and between the views, px.
const MARGIN: f64 = 10.0;
/// Height above the views for title and time, state, events, px.
const TOP: f64 = 78.0;
/// Height below the ground line for its ticks, px.
const UNDERGROUND: f64 = 40.0;
/// Largest ratio of height to width of the views together.
const TALLEST: f64 = 0.9;
/// Half of the time over which the path of the camera is averaged when it follows the character, s.
const CALM: f64 = 0.5;

/// Interval, rate and speed of a film.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FilmSettings {
    /// Simulated time of the first picture, s.
    pub from: f64,
    /// Simulated time of the end, s.
    pub until: f64,
    /// Pictures per second of the film.
    pub rate: f64,
    /// Simulated seconds per second of the film.
    pub speed: f64,
    /// Width of the pictures, px.
    pub width: u32,
}

impl Default for FilmSettings {
    fn default() -> Self {
        FilmSettings { from: 0.0, until: f64::INFINITY, rate: 25.0, speed: 1.0, width: 640 }
    }
}

/// A film of a run: its pictures are drawn one by one.
pub(crate) struct Film<'t> {
    trace: &'t Trace,
    cast: Cast,
    extent: WorldExtent,
    frames: Vec<usize>,
    rate: f64,
    size: [u32; 2],
    /// Width of a view, px.
    column: f64,
    /// Scale, px/m.
    scale: f64,
}

impl<'t> Film<'t> {
    /// # Errors
    /// [`PlotError::Model`] if the trace's model text is missing or does not match its frames.
    pub(crate) fn new(trace: &'t Trace, settings: &FilmSettings) -> Result<Self, PlotError> {
        let frames = frames(trace, settings);
        let shown: Vec<&Frame> = frames.iter().map(|k| &trace.frames[*k]).collect();
        let cast = Cast::new(trace)?;
        let mut extent = WorldExtent::new(trace, &cast, &shown)?;
        let reach = (CALM * settings.rate / settings.speed).round() as usize;
        extent.views.iter_mut().for_each(|(_, centres)| *centres = averaged(centres, reach));
        let width = f64::from(settings.width);
        let views = extent.views.len().max(1) as f64;
        let column = (width - MARGIN * (views + 1.0)) / views;
        let scale = (column / extent.wide).min((TALLEST * width - TOP) / extent.high);
        let height = TOP + extent.high * scale + UNDERGROUND + MARGIN;
        // Video formats require even dimensions.
        let even = |pixels: f64| 2 * (pixels / 2.0).ceil() as u32;
        let size = [even(width), even(height)];
        Ok(Film { trace, cast, extent, frames, rate: settings.rate, size, column, scale })
    }

    /// Number of pictures.
    pub(crate) fn len(&self) -> usize {
        self.frames.len()
    }

    /// Whether there is no picture.
    pub(crate) fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    /// Display time of a picture, s.
    pub(crate) fn period(&self) -> f64 {
        1.0 / self.rate
    }

    /// Width and height of each picture, px; both even.
    pub(crate) fn size(&self) -> [u32; 2] {
        self.size
    }

    /// The picture with this number, from 0.
    ///
    /// # Errors
    /// [`PlotError::Model`] if the configuration is not one of this model.
    pub(crate) fn picture(&self, number: usize) -> Result<Picture, PlotError> {
        let [width, height] = self.size;
        let frame = &self.trace.frames[self.frames[number]];
        let mut picture = Picture::new(width, height);
        self.heading(&mut picture, frame);
        for (column, (view, centres)) in self.extent.views.iter().enumerate() {
            let left = MARGIN + column as f64 * (self.column + MARGIN);
            let bottom = f64::from(height) - MARGIN;
            let area = Rectangle { left, right: left + self.column, top: TOP, bottom };
            let axis = match view {
                ViewDirection::Side => "x, m",
                ViewDirection::Front => "y, m",
            };
            let window = Viewport {
                axis,
                area,
                view: *view,
                centre: centres[number],
                floor: self.extent.floor - UNDERGROUND / self.scale,
                pixels_per_metre: self.scale,
                newtons_per_metre: self.extent.newtons_per_metre,
            };
            draw(&mut picture, &window, &self.cast, &self.trace.header, frame)?;
        }
        Ok(picture)
    }

    fn heading(&self, picture: &mut Picture, frame: &Frame) {
        let right = f64::from(self.size[0]) - MARGIN;
        let time = format!("{:.2} s", frame.time);
        let room = right - MARGIN - font::width("000.00 s", 19.0) - 12.0;
        let title = font::shortened(&self.trace.header.title, 19.0, room);
        picture.text([MARGIN, 25.0], title, 19.0, TextAnchor::Start, colour::INK);
        picture.text([right, 25.0], time, 19.0, TextAnchor::End, colour::INK);
        if !frame.state.is_empty() {
            let number = self.trace.header.states.iter().position(|name| *name == frame.state).unwrap_or(0);
            let half = 0.5 * (right - MARGIN);
            let chip = Rectangle { left: MARGIN, right: MARGIN + half, top: 34.0, bottom: 54.0 };
            picture.rectangle(&chip, colour::state(number).lightened(0.25));
            let name = font::shortened(&frame.state, 15.0, half - 12.0);
            picture.text([MARGIN + 6.0, 49.0], name, 15.0, TextAnchor::Start, colour::INK);
        }
        let acting = font::shortened(&caption_text(frame), 15.0, 0.5 * right - 12.0);
        picture.text([right, 49.0], acting, 15.0, TextAnchor::End, colour::ALARM);
        if self.trace.header.has_character() {
            contact_key(picture, [MARGIN, 70.0], right);
        }
    }
}

/// The frames that are nearest to the times of the pictures.
fn frames(trace: &Trace, settings: &FilmSettings) -> Vec<usize> {
    let FilmSettings { from, until, rate, speed, .. } = *settings;
    let step = speed / rate;
    // The last record has no forces.
    let Some(last) = trace.frames.iter().rposition(Frame::has_forces) else {
        return (0..trace.frames.len().min(1)).collect();
    };
    let half = 0.5 * trace.header.dt;
    let (first, end) = (from.max(trace.frames[0].time), until.min(trace.frames[last].time));
    let times = (0..).map(|k| first + f64::from(k) * step).take_while(|time| *time <= end + 1e-9);
    let at = |time: f64| trace.frames.partition_point(|frame| frame.time < time - half).min(last);
    times.map(at).collect()
}

/// Moving averages: each value is the mean of those up to `reach` positions away.
fn averaged(values: &[f64], reach: usize) -> Vec<f64> {
    let mean = |k: usize| {
        // Symmetric about the sample, so that the ends do not lag.
        let reach = reach.min(k).min(values.len() - 1 - k);
        let near = &values[k - reach..=k + reach];
        near.iter().sum::<f64>() / near.len() as f64
    };
    (0..values.len()).map(mean).collect()
}
