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
use aplomb_trace::{Frame, Header, Trace};
use nalgebra::Vector3;

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
    screen: Screen,
    /// Views with the horizontal centre of each picture, m.
    views: Vec<(ViewDirection, Vec<f64>)>,
    frames: Vec<usize>,
    rate: f64,
}

impl<'t> Film<'t> {
    /// # Errors
    /// [`PlotError::Model`] if the trace's model text is missing or does not match its frames.
    pub(crate) fn new(trace: &'t Trace, settings: &FilmSettings) -> Result<Self, PlotError> {
        let frames = frames(trace, settings);
        let shown: Vec<&Frame> = frames.iter().map(|k| &trace.frames[*k]).collect();
        let cast = Cast::new(&trace.header)?;
        let mut extent = WorldExtent::new(&trace.header, &cast, &shown)?;
        let reach = (CALM * settings.rate / settings.speed).round() as usize;
        extent.views.iter_mut().for_each(|(_, centres)| *centres = averaged(centres, reach));
        let screen = Screen::new(cast, &extent, settings.width);
        Ok(Film { trace, screen, views: extent.views, frames, rate: settings.rate })
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
        self.screen.size
    }

    /// The picture with this number, from 0.
    ///
    /// # Errors
    /// [`PlotError::Model`] if the configuration is not one of this model.
    pub(crate) fn picture(&self, number: usize) -> Result<Picture, PlotError> {
        let frame = &self.trace.frames[self.frames[number]];
        let views = self.views.iter().map(|(view, centres)| (*view, centres[number]));
        self.screen.picture(&self.trace.header, frame, views)
    }
}

/// Draws frames of a run that goes on, in pictures of one size and scale. A picture depends on its frame alone: it is
/// centred on the character, or shows the place of the objects at the beginning.
pub struct LivePictures {
    header: Header,
    screen: Screen,
    /// Views with the horizontal centre at the beginning, m.
    views: Vec<(ViewDirection, f64)>,
}

/// Room above the character at the beginning of a run, as a share of its height.
const OVERHEAD: f64 = 0.15;
/// Largest width and height of a live picture, px.
const LARGEST: u32 = 8192;

impl LivePictures {
    /// Pictures of a run with this header, `width` px wide; `first` is its first frame, or one like it.
    ///
    /// # Errors
    /// [`PlotError::Model`] if the header's model text is missing or does not match the frame, and a width that is too
    /// small or too large.
    pub fn new(header: Header, first: &Frame, width: u32) -> Result<Self, PlotError> {
        if !(64..=LARGEST).contains(&width) {
            return Err(PlotError::drawing(format!("a picture is 64 to {LARGEST} px wide, not {width}")));
        }
        let cast = Cast::new(&header)?;
        let mut extent = WorldExtent::new(&header, &cast, &[first])?;
        if header.has_character() {
            extent.high *= 1.0 + OVERHEAD;
            // A character that fell is as wide as it was high.
            extent.wide = extent.wide.max(extent.high);
        }
        let views = extent.views.iter().map(|(view, centres)| (*view, centres[0])).collect();
        let screen = Screen::new(cast, &extent, width);
        Ok(LivePictures { header, screen, views })
    }

    /// Width and height of each picture, px; both even.
    pub fn size(&self) -> [u32; 2] {
        self.screen.size
    }

    /// Red, green and blue of the pixels of a frame's picture, row by row from the top.
    ///
    /// # Errors
    /// [`PlotError::Model`] if the configuration is not one of this model.
    pub fn pixels(&self, frame: &Frame) -> Result<Vec<u8>, PlotError> {
        let centre = |(view, begin): &(ViewDirection, f64)| {
            let follows = self.header.has_character();
            let [across, _] = view.project(&Vector3::from(frame.com));
            (*view, if follows { across } else { *begin })
        };
        let picture = self.screen.picture(&self.header, frame, self.views.iter().map(centre))?;
        // Pictures are opaque.
        Ok(picture
            .raster()?
            .data()
            .chunks_exact(4)
            .flat_map(|pixel| [pixel[0], pixel[1], pixel[2]])
            .collect())
    }
}

/// Sizes and scale of pictures, and who is in them.
struct Screen {
    cast: Cast,
    size: [u32; 2],
    /// Width of a view, px.
    column: f64,
    /// Scale, px/m.
    scale: f64,
    /// Height of the world at the bottom of each view, m.
    floor: f64,
    newtons_per_metre: f64,
}

impl Screen {
    /// Pictures of this extent, `width` px wide.
    fn new(cast: Cast, extent: &WorldExtent, width: u32) -> Self {
        let width = f64::from(width);
        let views = extent.views.len().max(1) as f64;
        let column = (width - MARGIN * (views + 1.0)) / views;
        let scale = (column / extent.wide).min((TALLEST * width - TOP) / extent.high);
        let height = TOP + extent.high * scale + UNDERGROUND + MARGIN;
        // Video formats require even dimensions.
        let even = |pixels: f64| 2 * (pixels / 2.0).ceil() as u32;
        let size = [even(width), even(height)];
        let floor = extent.floor - UNDERGROUND / scale;
        Screen { cast, size, column, scale, floor, newtons_per_metre: extent.newtons_per_metre }
    }

    /// A frame's picture: views with their horizontal centres, m.
    fn picture(
        &self,
        header: &Header,
        frame: &Frame,
        views: impl Iterator<Item = (ViewDirection, f64)>,
    ) -> Result<Picture, PlotError> {
        let [width, height] = self.size;
        let mut picture = Picture::new(width, height);
        self.heading(&mut picture, header, frame);
        for (column, (view, centre)) in views.enumerate() {
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
                view,
                centre,
                floor: self.floor,
                pixels_per_metre: self.scale,
                newtons_per_metre: self.newtons_per_metre,
            };
            draw(&mut picture, &window, &self.cast, header, frame)?;
        }
        Ok(picture)
    }

    fn heading(&self, picture: &mut Picture, header: &Header, frame: &Frame) {
        let right = f64::from(self.size[0]) - MARGIN;
        let time = format!("{:.2} s", frame.time);
        let room = right - MARGIN - font::width("000.00 s", 19.0) - 12.0;
        let title = font::shortened(&header.title, 19.0, room);
        picture.text([MARGIN, 25.0], title, 19.0, TextAnchor::Start, colour::INK);
        picture.text([right, 25.0], time, 19.0, TextAnchor::End, colour::INK);
        if !frame.state.is_empty() {
            let number = header.states.iter().position(|name| *name == frame.state).unwrap_or(0);
            let half = 0.5 * (right - MARGIN);
            let chip = Rectangle { left: MARGIN, right: MARGIN + half, top: 34.0, bottom: 54.0 };
            picture.rectangle(&chip, colour::state(number).lightened(0.25));
            let name = font::shortened(&frame.state, 15.0, half - 12.0);
            picture.text([MARGIN + 6.0, 49.0], name, 15.0, TextAnchor::Start, colour::INK);
        }
        let acting = font::shortened(&caption_text(frame), 15.0, 0.5 * right - 12.0);
        picture.text([right, 49.0], acting, 15.0, TextAnchor::End, colour::ALARM);
        if header.has_character() {
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
