//! Layout of the parts of a figure on the page.

use super::axis::AxisScale;
use super::draw::{FigureContext, SMALL, TEXT, between, time_panel};
use super::flags::Flags;
use super::layer::{BoundPanel, TimePanel};
use super::legend;
use super::panel::support_map;
use super::spec::Figure;
use crate::plot::colour::{self, Colour};
use crate::plot::font;
use crate::plot::picture::{Picture, Rectangle, TextAnchor};
use crate::plot::spans::{self, FrameTrouble, TimeSpan};
use aplomb_trace::Trace;

/// Smaller font for a key that would not fit otherwise, px.
const SMALLER: f64 = 12.0;
/// Font of a heading, px.
const TITLE: f64 = 27.0;
const WIDTH: f64 = 1400.0;
const WIDTH_WITH_MAP: f64 = 1600.0;
const LEFT: f64 = 100.0;
const RIGHT: f64 = 24.0;
/// Width of the column of legends, and of that of maps, px.
const LEGEND: f64 = 270.0;
const MAP: f64 = 520.0;
const GAP: f64 = 24.0;
/// Height of a panel whose share is 1, px.
const PANEL: f64 = 240.0;
/// Least height of such a panel on a page that would be too high, and height of that page, px.
const LOW_PANEL: f64 = 150.0;
const HIGHEST: f64 = 2600.0;
/// Height up to which a panel grows with its key, px: that of 60 lines.
const HIGHEST_KEY: f64 = 1080.0;
const BETWEEN: f64 = 40.0;
const HEADING: f64 = 84.0;
const STRIP: f64 = 25.0;
const FOOT: f64 = 62.0;

/// Draws a figure's panels.
pub(super) fn picture(trace: &Trace, figure: &Figure, panels: &[BoundPanel]) -> Picture {
    let maps: Vec<_> = panels.iter().filter(|panel| matches!(panel, BoundPanel::Map(_))).collect();
    let page = PageLayout::new(trace, figure, panels, !maps.is_empty());
    let mut picture = Picture::new(page.width as u32, page.height as u32);
    heading(&mut picture, trace, Some(&figure.title), LEFT);
    let times = trace.times();
    let shared = shared(trace, figure, &times, &page);
    page.top_strip(&mut picture, trace, &shared, figure);
    let mut top = page.top;
    let mut heights = page.heights.iter();
    for bound in panels {
        let BoundPanel::Time(panel) = bound else { continue };
        let Some(height) = heights.next() else { continue };
        let area = Rectangle { left: LEFT, right: page.right, top, bottom: top + height };
        time_panel(&mut picture, &area, panel, &shared);
        top = area.bottom + BETWEEN;
        if maps.is_empty() {
            let beside = Rectangle { left: area.right + GAP, right: page.width - RIGHT, ..area };
            legend::draw(&mut picture, &beside, &legend::entries([bound]));
        }
        time_labels(&mut picture, &area, &shared.time, top > page.bottom);
    }
    page.maps(&mut picture, panels, &maps);
    picture
}

struct PageLayout {
    width: f64,
    height: f64,
    /// Top of the first panel, bottom of the last, and right edge of all, px.
    top: f64,
    bottom: f64,
    right: f64,
    /// Heights of the panels over time, px.
    heights: Vec<f64>,
    time: AxisScale,
    flags: Flags,
}

impl PageLayout {
    fn new(trace: &Trace, figure: &Figure, panels: &[BoundPanel], maps: bool) -> Self {
        let over_time: Vec<(&BoundPanel, &TimePanel)> = panels
            .iter()
            .filter_map(|bound| match bound {
                BoundPanel::Time(panel) => Some((bound, panel)),
                BoundPanel::Map(_) => None,
            })
            .collect();
        let width = if maps { WIDTH_WITH_MAP } else { WIDTH };
        let column = if maps { MAP + 85.0 } else { LEGEND };
        let right = width - RIGHT - column - GAP;
        let time = time_axis(trace, right);
        let events = if figure.events { spans::events(trace) } else { Vec::new() };
        let flags = Flags::new(&events, &time);
        let titled = over_time.iter().any(|(_, panel)| panel.title.is_some());
        let strips = flags.height() + if figure.states { STRIP + 8.0 } else { 0.0 };
        let top = HEADING + strips + if titled { 26.0 } else { 4.0 };
        let shares: f64 = over_time.iter().map(|(_, panel)| panel.height).sum();
        let gaps = BETWEEN * over_time.len().saturating_sub(1) as f64;
        let least = if maps { 600.0 } else { 60.0 };
        let unit = match shares > 0.0 {
            // Many panels are drawn lower, so that the page remains readable.
            true => PANEL.min((HIGHEST - gaps) / shares).max(LOW_PANEL).max((least - gaps) / shares),
            false => PANEL,
        };
        // The key beside a panel needs space.
        let key = |bound| if maps { 0.0 } else { legend::height(&legend::entries([bound])).min(HIGHEST_KEY) };
        let heights: Vec<f64> =
            over_time.iter().map(|(bound, panel)| (panel.height * unit).max(key(*bound))).collect();
        let bottom = top + (heights.iter().sum::<f64>() + gaps).max(least);
        PageLayout { width, height: bottom + FOOT, top, bottom, right, heights, time, flags }
    }

    /// Names of states and events above the panels, and ticks for relaxed and failed frames.
    fn top_strip(&self, picture: &mut Picture, trace: &Trace, shared: &FigureContext, figure: &Figure) {
        let mut y = HEADING;
        let row =
            |top: f64, height: f64| Rectangle { left: LEFT, right: self.right, top, bottom: top + height };
        self.flags.draw(picture, y, self.right + GAP);
        y += self.flags.height();
        if figure.states {
            let strip = row(y, STRIP);
            let named = state_names(picture, &strip, shared);
            if !named {
                self.state_key(picture, &strip, shared);
            }
            troubles(picture, trace, &strip, &shared.time, self.right + GAP);
        }
    }

    /// Key of the states by colour, for those too short for their names.
    fn state_key(&self, picture: &mut Picture, strip: &Rectangle, shared: &FigureContext) {
        let mut known: Vec<(&str, Colour)> = Vec::new();
        for (span, colour) in &shared.states {
            if !known.iter().any(|(name, _)| *name == span.name) {
                known.push((&span.name, *colour));
            }
        }
        let (left, end) = (self.right + GAP, self.width - RIGHT);
        let room = |size: f64, name: &str| size + 7.0 + font::width(name, size) + 12.0;
        let whole: f64 = known.iter().map(|(name, _)| room(SMALL, name)).sum();
        // The key takes one line if it fits, otherwise two in a smaller font.
        let (size, lines) = if left + whole <= end { (SMALL, 1.0) } else { (SMALLER, 2.0) };
        let height = (strip.bottom - strip.top) / lines;
        let (mut x, mut top) = (left, strip.top);
        for (index, (name, colour)) in known.iter().enumerate() {
            let more = format!("and {} more", known.len() - index);
            let is_last = index + 1 == known.len();
            let needed = room(size, name) + if is_last { 0.0 } else { font::width(&more, size) };
            if x + needed > end && top + 1.5 * height < strip.bottom {
                (x, top) = (left, top + height);
            } else if x + needed > end && !is_last {
                let at = [x, top + 0.5 * height + 0.35 * size];
                picture.text(at, more, size, TextAnchor::Start, colour::SLATE);
                return;
            }
            let middle = top + 0.5 * height;
            let half = 0.45 * size;
            let swatch = Rectangle { left: x, right: x + size, top: middle - half, bottom: middle + half };
            picture.rectangle(&swatch, colour.lightened(0.25));
            let at = [x + size + 5.0, middle + 0.35 * size];
            picture.text(at, *name, size, TextAnchor::Start, colour::INK);
            x += room(size, name);
        }
    }

    fn maps(&self, picture: &mut Picture, panels: &[BoundPanel], maps: &[&BoundPanel]) {
        let count = maps.len() as f64;
        let left = self.right + GAP + 85.0;
        let right = self.width - RIGHT;
        let entries = legend::entries(panels);
        let key = 25.0 * entries.len() as f64;
        let height = (self.bottom + FOOT - 20.0 - key - self.top) / count.max(1.0) - 70.0;
        let mut top = self.top;
        for bound in maps {
            if let BoundPanel::Map(panel) = bound {
                let area = Rectangle { left, right, top, bottom: top + height.max(120.0) };
                support_map::draw(picture, &area, panel);
                top = area.bottom + 70.0;
            }
        }
        if !maps.is_empty() {
            let area = Rectangle { left, right, top, bottom: self.bottom + FOOT - 14.0 };
            legend::draw(picture, &area, &entries);
        }
    }
}

/// The axis of the run's times, up to `right`, px.
fn time_axis(trace: &Trace, right: f64) -> AxisScale {
    let first = trace.frames.first().map_or(0.0, |frame| frame.time);
    let last = trace.frames.last().map_or(0.0, |frame| frame.time);
    let end = if last > first { last } else { first + trace.header.dt.max(1e-3) };
    AxisScale::new(first, end, LEFT, right)
}

fn shared<'a>(trace: &Trace, figure: &Figure, times: &'a [f64], page: &PageLayout) -> FigureContext<'a> {
    let states = if figure.states { spans::states(trace) } else { Vec::new() };
    let number =
        |span: &TimeSpan| trace.header.states.iter().position(|name| *name == span.name).unwrap_or(0);
    FigureContext {
        times,
        time: page.time.clone(),
        states: states.into_iter().map(|span| (span.clone(), colour::state(number(&span)))).collect(),
        events: if figure.events { spans::events(trace) } else { Vec::new() },
    }
}

/// Width of the heading's first line, px.
pub(crate) fn title_width(trace: &Trace) -> f64 {
    font::width(title_of(trace), TITLE)
}

/// The title of the scene, or its name.
fn title_of(trace: &Trace) -> &str {
    let header = &trace.header;
    if header.title.is_empty() { &header.scene } else { &header.title }
}

/// Title of the picture (by default that of the scene) and description of the run, from `left`.
pub(crate) fn heading(picture: &mut Picture, trace: &Trace, title: Option<&str>, left: f64) {
    let header = &trace.header;
    let scene = title_of(trace);
    picture.text([left, 38.0], title.unwrap_or(scene), TITLE, TextAnchor::Start, colour::INK);
    let mut items: Vec<String> = Vec::new();
    let mut ink = colour::SLATE;
    if trace.torn.is_some() {
        items.push("the trace is cut short".into());
        ink = colour::ALARM;
    }
    items.extend(title.map(|_| scene.to_owned()));
    items.push(header.character.clone());
    // Without a character there is no solver to name.
    items.extend(header.has_character().then(|| header.solver.clone()));
    items.push(format!("dt {} s", header.dt));
    items.extend(header.overrides.iter().cloned());
    items.retain(|part| !part.is_empty());
    let items = font::shortened(&items.join(" · "), 16.0, f64::from(picture.width) - left - RIGHT);
    picture.text([left, 62.0], items, 16.0, TextAnchor::Start, ink);
}

/// Writes the names of states; returns true if every state is named at least once.
fn state_names(picture: &mut Picture, strip: &Rectangle, shared: &FigureContext) -> bool {
    let mut named: Vec<&str> = Vec::new();
    for (span, colour) in &shared.states {
        let part = between(strip, &shared.time, span);
        picture.rectangle(&part, colour.lightened(0.25));
        if font::width(&span.name, SMALL) + 8.0 <= part.width() {
            let at = [0.5 * (part.left + part.right), part.bottom - 7.5];
            picture.text(at, &span.name, SMALL, TextAnchor::Middle, colour::INK);
            named.push(&span.name);
        }
    }
    for pair in shared.states.windows(2) {
        let x = shared.time.place(pair[1].0.from);
        picture.stroke(vec![[x, strip.top], [x, strip.bottom]], 1.0, colour::WHITE);
    }
    shared.states.iter().all(|(span, _)| named.contains(&span.name.as_str()))
}

fn troubles(picture: &mut Picture, trace: &Trace, strip: &Rectangle, time: &AxisScale, beside: f64) {
    let mut seen = [false; 2];
    for (at, trouble) in spans::troubles(trace) {
        let (colour, kind) = match trouble {
            FrameTrouble::Relaxed => (colour::CAUTION, 0),
            FrameTrouble::Failed => (colour::ALARM, 1),
        };
        seen[kind] = true;
        let x = time.place(at);
        picture.stroke(vec![[x, strip.bottom + 1.0], [x, strip.bottom + 7.0]], 1.6, colour);
    }
    let mut x = beside;
    for (there, name, colour) in
        [(seen[0], "frames relaxed", colour::CAUTION), (seen[1], "frames failed", colour::ALARM)]
    {
        if there {
            let y = strip.top - 10.0;
            picture.stroke(vec![[x, y], [x + 14.0, y]], 6.0, colour);
            picture.text([x + 19.0, y + 5.0], name, 14.0, TextAnchor::Start, colour::INK);
            x += 34.0 + font::width(name, 14.0);
        }
    }
}

/// Ticks below a panel; numbers and the axis title only below the last.
fn time_labels(picture: &mut Picture, area: &Rectangle, time: &AxisScale, last: bool) {
    for tick in time.ticks(10) {
        let x = time.place(tick.value);
        picture.stroke(vec![[x, area.bottom], [x, area.bottom + 5.0]], 1.2, colour::OUTLINE);
        if last {
            picture.text([x, area.bottom + 8.0 + SMALL], tick.label, SMALL, TextAnchor::Middle, colour::INK);
        }
    }
    if last {
        let at = [0.5 * (area.left + area.right), area.bottom + 50.0];
        picture.text(at, "time, s", TEXT, TextAnchor::Middle, colour::INK);
    }
}
