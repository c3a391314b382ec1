//! One picture of the strip: character, ground and forces at a moment, from one side.

use super::cast::{Cast, OutlinePart, obstacle};
use super::outline::ViewDirection;
use crate::plot::PlotError;
use crate::plot::colour::{self, Colour};
use crate::plot::font;
use crate::plot::picture::{PagePoint, Picture, Rectangle, TextAnchor};
use aplomb_trace::{ContactKind, Frame, Header, Holdable, Obstacle, PassiveHeader};
use nalgebra::Vector3;

/// Position and scale of the world in a picture.
#[derive(Clone, Copy, Debug)]
pub(super) struct Viewport {
    pub area: Rectangle,
    pub view: ViewDirection,
    /// Horizontal coordinate of the centre, and height of the bottom edge, m.
    pub centre: f64,
    pub floor: f64,
    pub pixels_per_metre: f64,
    /// Scale of arrows.
    pub newtons_per_metre: f64,
    /// Name of the horizontal axis, written below the ground on the left; may be empty.
    pub axis: &'static str,
}

/// Font of numbers and names of the horizontal axis, px.
const NUMBERS: f64 = 12.5;

impl Viewport {
    fn place(&self, [across, up]: [f64; 2]) -> PagePoint {
        let middle = 0.5 * (self.area.left + self.area.right);
        let scale = self.pixels_per_metre;
        [middle + (across - self.centre) * scale, self.area.bottom - (up - self.floor) * scale]
    }

    fn seen(&self, point: [f64; 3]) -> PagePoint {
        self.place(self.view.project(&Vector3::from(point)))
    }

    /// A force as a displacement on the page, px.
    fn arrow(&self, force: [f64; 3]) -> PagePoint {
        let [across, up] = self.view.project(&Vector3::from(force));
        let scale = self.pixels_per_metre / self.newtons_per_metre;
        [across * scale, -up * scale]
    }
}

/// Height of the ground, m: that of the highest half-space present.
pub(super) fn ground(world: &[Obstacle]) -> Option<f64> {
    floor(world).map(|floor| floor.position[2])
}

fn floor(world: &[Obstacle]) -> Option<&Obstacle> {
    let is_floor = |obstacle: &&Obstacle| obstacle.is_half_space() && obstacle.position[2].is_finite();
    world.iter().filter(is_floor).max_by(|a, b| a.position[2].total_cmp(&b.position[2]))
}

/// Draws ticks that move with the floor, every tenth of a metre, with a longer one at the floor's origin.
fn hatch(picture: &mut Picture, window: &Viewport, origin: f64, y: f64) {
    const SPACING: f64 = 0.1;
    let half = 0.5 * window.area.width() / window.pixels_per_metre;
    let first = ((window.centre - half - origin) / SPACING).ceil() as i64;
    let last = ((window.centre + half - origin) / SPACING).floor() as i64;
    for number in first..=last {
        let x = window.place([origin + number as f64 * SPACING, 0.0])[0];
        let (length, width) = if number == 0 { (16.0, 3.0) } else { (10.0, 1.6) };
        let foot = [x - 0.6 * length, y + length];
        if window.area.contains([x, y]) && window.area.contains(foot) {
            picture.stroke(vec![[x, y], foot], width, colour::MIDDLE.darkened(0.2));
        }
    }
}

/// Draws a moment. Returns whether an arrow of a force extends beyond the picture and is shortened, with two strokes
/// across it.
///
/// # Errors
/// The errors of [`Cast::parts`].
pub(super) fn draw(
    picture: &mut Picture,
    window: &Viewport,
    cast: &Cast,
    header: &Header,
    frame: &Frame,
) -> Result<bool, PlotError> {
    picture.rectangle(&window.area, colour::Colour::hex(0xF7F9FA));
    let surroundings = frame.surroundings(header);
    world(picture, window, &surroundings);
    holds(picture, window, &frame.holds(header));
    let surface = surface(&surroundings, frame);
    if header.has_character() {
        plumb_line(picture, window, frame, surface);
    }
    for part in cast.parts(frame, window.view)? {
        body(picture, window, &part);
    }
    if header.has_character() {
        balance_marks(picture, window, frame, surface);
    }
    let is_shortened = forces(picture, window, header, frame);
    if header.has_character() {
        centre_of_mass(picture, window, frame);
    }
    picture.frame(&window.area, 1.0, colour::GRID);
    Ok(is_shortened)
}

fn world(picture: &mut Picture, window: &Viewport, surroundings: &[Obstacle]) {
    let area = &window.area;
    for solid in surroundings {
        if let Some(corners) = obstacle(solid, window.view) {
            let corners: Vec<PagePoint> = corners.into_iter().map(|corner| window.place(corner)).collect();
            outlined(picture, area.clip(&corners), colour::Colour::hex(0xDDD6CC));
        }
    }
    let Some(floor) = floor(surroundings) else { return };
    let height = floor.position[2];
    let y = window.place([0.0, height])[1];
    if !(area.top..area.bottom).contains(&y) {
        return;
    }
    picture.rectangle(&Rectangle { top: y, ..*area }, colour::Colour::hex(0xE9E4DC));
    picture.stroke(vec![[area.left, y], [area.right, y]], 2.0, colour::SLATE);
    if floor.moves {
        hatch(picture, window, floor.position[window.view.axis()], y);
    }
    let step = crate::plot::figure::round_step(52.0 / window.pixels_per_metre);
    let half = 0.5 * area.width() / window.pixels_per_metre;
    let first = ((window.centre - half) / step).ceil() as i64;
    let last = ((window.centre + half) / step).floor() as i64;
    let mut free = area.left;
    if !window.axis.is_empty() {
        picture.text([area.left + 6.0, y + 31.0], window.axis, NUMBERS, TextAnchor::Start, colour::SLATE);
        free += 6.0 + font::width(window.axis, NUMBERS) + 8.0;
    }
    for number in first..=last {
        let value = number as f64 * step;
        let x = window.place([value, 0.0])[0];
        picture.stroke(vec![[x, y], [x, y + 5.0]], 1.2, colour::SLATE);
        let decimals = if step < 0.09 { 2 } else { 1 };
        let label = format!("{value:.decimals$}").replace('-', "−");
        let half = 0.5 * font::width(&label, NUMBERS);
        // A number that would cover the name, another number or the edge is omitted.
        if (area.left + 14.0..area.right - 14.0).contains(&x) && x - half >= free {
            picture.text([x, y + 31.0], label, NUMBERS, TextAnchor::Middle, colour::SLATE);
            free = x + half + 6.0;
        }
    }
}

/// Draws bars with their width, and as discs if seen from the end; draws points as small discs.
fn holds(picture: &mut Picture, window: &Viewport, holds: &[Holdable]) {
    let colour = Colour::hex(0x8A6D3B);
    for hold in holds {
        let ends: Vec<PagePoint> = hold.ends.iter().map(|end| window.seen(*end)).collect();
        let half = (hold.radius * window.pixels_per_metre).max(2.0);
        match ends[..] {
            [[ax, ay], [bx, by]] if (bx - ax).hypot(by - ay) > 2.0 * half => {
                let scale = half / (bx - ax).hypot(by - ay);
                let (x, y) = ((by - ay) * scale, (ax - bx) * scale);
                let corners = [[ax + x, ay + y], [bx + x, by + y], [bx - x, by - y], [ax - x, ay - y]];
                outlined(picture, window.area.clip(&corners), colour);
            }
            [at, ..] if window.area.contains(at) => {
                let radius = if hold.ends.len() > 1 { half.max(3.5) } else { 3.5 };
                picture.disc(at, radius, colour);
            }
            _ => {}
        }
    }
}

fn body(picture: &mut Picture, window: &Viewport, part: &OutlinePart) {
    let corners: Vec<PagePoint> = part.corners.iter().map(|corner| window.place(*corner)).collect();
    outlined(picture, window.area.clip(&corners), part.colour);
}

fn outlined(picture: &mut Picture, corners: Vec<PagePoint>, colour: Colour) {
    if let Some(first) = corners.first() {
        let mut edge = corners.clone();
        edge.push(*first);
        picture.fill(corners, colour);
        picture.stroke(edge, 1.1, colour.darkened(0.35));
    }
}

/// Height of the balance points: that of the lowest loaded contact, otherwise of the ground. Grips are not supports.
fn surface(surroundings: &[Obstacle], frame: &Frame) -> f64 {
    let bearing = frame.contacts.iter().filter(|contact| contact.kind != ContactKind::Grip);
    let contacts = bearing.map(|contact| contact.point[2]).filter(|z| z.is_finite());
    contacts.reduce(f64::min).or(ground(surroundings)).unwrap_or(0.0)
}

fn plumb_line(picture: &mut Picture, window: &Viewport, frame: &Frame, surface: f64) {
    let top = window.seen(frame.com);
    let foot = [top[0], window.place([0.0, surface])[1]];
    if window.area.contains(top) {
        picture.dashed(&[top, foot], [4.0, 4.0], 1.2, colour::SLATE);
    }
}

fn balance_marks(picture: &mut Picture, window: &Viewport, frame: &Frame, surface: f64) {
    let area = &window.area;
    let axis = window.view.axis();
    let across = |value: f64| window.place([value, surface]);
    let extent =
        frame.support_polygon.iter().map(|corner| corner[axis]).filter(|value| value.is_finite()).fold(
            None,
            |range: Option<(f64, f64)>, value| {
                Some(range.map_or((value, value), |(low, high)| (low.min(value), high.max(value))))
            },
        );
    if let Some((low, high)) = extent {
        let [from, to] = [across(low), across(high)];
        let bar = Rectangle { left: from[0], right: to[0], top: from[1], bottom: from[1] + 6.0 };
        picture.fill(area.clip(&bar.corners()), colour::SUPPORT);
    }
    if let Some(point) = frame.centre_of_pressure {
        let [x, y] = across(point[axis]);
        if area.contains([x, y]) {
            triangle(picture, [x, y + 7.0], 6.5, colour::CENTRE_OF_PRESSURE);
        }
    }
    let [x, y] = across(frame.capture_point[axis]);
    if area.contains([x, y]) {
        diamond(picture, [x, y], 7.0);
    } else if x.is_finite() && (area.top..area.bottom).contains(&y) {
        // A point outside the picture is drawn as an arrowhead at the edge.
        let right = x > area.right;
        let tip = if right { area.right - 2.0 } else { area.left + 2.0 };
        let base = if right { tip - 11.0 } else { tip + 11.0 };
        picture.fill(vec![[tip, y], [base, y - 7.0], [base, y + 7.0]], colour::CAPTURE_POINT);
    }
}

/// Draws a triangle with its tip up, at `tip`.
pub(super) fn triangle(picture: &mut Picture, [x, y]: PagePoint, half: f64, colour: Colour) {
    picture.fill(vec![[x, y], [x + half, y + 1.6 * half], [x - half, y + 1.6 * half]], colour);
}

/// Draws the mark of the capture point.
pub(super) fn diamond(picture: &mut Picture, [x, y]: PagePoint, half: f64) {
    for (half, colour) in [(half + 1.5, colour::WHITE), (half, colour::CAPTURE_POINT)] {
        picture.fill(vec![[x - half, y], [x, y - half], [x + half, y], [x, y + half]], colour);
    }
}

/// Forces of contacts at their points; those on passive objects if the scene has no character.
pub(super) fn contact_arrows(header: &Header, frame: &Frame) -> Vec<([f64; 3], [f64; 3])> {
    let mut arrows = contact_forces(frame);
    if !header.has_character() {
        arrows.extend(object_forces(header, frame));
    }
    arrows
}

/// Draws the forces; returns whether an arrow is shortened.
fn forces(picture: &mut Picture, window: &Viewport, header: &Header, frame: &Frame) -> bool {
    let mut is_shortened = false;
    for (point, force) in contact_arrows(header, frame) {
        let (from, along) = (window.seen(point), window.arrow(force));
        if window.area.contains(from) && along[0].hypot(along[1]) > 1.0 {
            let (colour, whole) = (colour::SUPPORT.darkened(0.25), [from[0] + along[0], from[1] + along[1]]);
            let to = held(&window.area, from, whole);
            picture.arrow(from, to, 2.4, colour);
            is_shortened |= to != whole;
            if to != whole {
                broken(picture, from, to, 2.4, colour);
            }
        }
    }
    for push in &frame.external {
        let (to, along) = (window.seen(push.point), window.arrow(push.force));
        if window.area.contains(to) && along[0].hypot(along[1]) > 1.0 {
            let whole = [to[0] - along[0], to[1] - along[1]];
            let from = held(&window.area, to, whole);
            picture.arrow(from, to, 3.6, colour::ALARM);
            is_shortened |= from != whole;
            if from != whole {
                broken(picture, to, from, 3.6, colour::ALARM);
            }
        }
    }
    is_shortened
}

/// Draws the mark of a shortened arrow: a gap in the middle of its shaft between two strokes across it. `width`:
/// width of the shaft, px.
pub(super) fn broken(picture: &mut Picture, from: PagePoint, to: PagePoint, width: f64, colour: Colour) {
    let length = (to[0] - from[0]).hypot(to[1] - from[1]);
    if length.is_nan() || length < 1.0 {
        return;
    }
    let along = [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
    let middle = [0.5 * (from[0] + to[0]), 0.5 * (from[1] + to[1])];
    // The strokes are oblique, to differ from ticks.
    let at = |forward: f64, aside: f64| {
        [middle[0] + forward * along[0] - aside * along[1], middle[1] + forward * along[1] + aside * along[0]]
    };
    let (half, lean, reach) = (1.2 * width, 0.8 * width, 2.6 * width);
    picture.stroke(vec![at(-half, 0.0), at(half, 0.0)], width + 2.4, colour::WHITE);
    for place in [-half, half] {
        picture.stroke(vec![at(place - lean, -reach), at(place + lean, reach)], 0.7 * width, colour);
    }
}

/// Force on each body with contacts; bodies in the order of their first contact.
fn contact_forces(frame: &Frame) -> Vec<([f64; 3], [f64; 3])> {
    let contacts = frame.contacts.iter().map(|contact| (contact.body.as_str(), contact.point, contact.force));
    together(contacts)
}

/// Force between each part of a passive object and each object that it touches; for two parts, the force on the
/// supported one.
fn object_forces(header: &Header, frame: &Frame) -> Vec<([f64; 3], [f64; 3])> {
    let objects = frame.passive.iter().enumerate();
    let touches = objects.flat_map(|(object, state)| state.touches.iter().map(move |touch| (object, touch)));
    let is_object = |name: &str| {
        let within =
            |object: &PassiveHeader| name.strip_prefix(&*object.name).is_some_and(|of| of.starts_with('.'));
        header.passive.iter().any(within)
    };
    together(touches.map(|(object, touch)| {
        let is_supported = touch.force[2] >= 0.0 || !is_object(&touch.other);
        let force = touch.force.map(|component| if is_supported { component } else { -component });
        ((object, touch.part, touch.other.as_str()), touch.point, force)
    }))
}

/// Sum of the forces with the same name, at the mean of their points weighted by force, in the order of first
/// appearance. N and m, world axes.
fn together<N: PartialEq>(
    forces: impl Iterator<Item = (N, [f64; 3], [f64; 3])>,
) -> Vec<([f64; 3], [f64; 3])> {
    let mut sums: Vec<(N, Vector3<f64>, Vector3<f64>, f64)> = Vec::new();
    for (name, point, force) in forces {
        let (point, force) = (Vector3::from(point), Vector3::from(force));
        let size = force.norm();
        match sums.iter_mut().find(|(known, ..)| *known == name) {
            Some((_, sum, moment, weight)) => {
                (*sum, *moment, *weight) = (*sum + force, *moment + point * size, *weight + size);
            }
            None => sums.push((name, force, point * size, size)),
        }
    }
    let bearing = sums.into_iter().filter(|(.., weight)| *weight > 0.0 && weight.is_finite());
    bearing.map(|(_, force, moment, weight)| ((moment / weight).into(), force.into())).collect()
}

/// `to`, or the point where the segment from `from` leaves the area.
fn held(area: &Rectangle, from: PagePoint, to: PagePoint) -> PagePoint {
    if area.contains(to) {
        return to;
    }
    let mut share: f64 = 1.0;
    for (axis, low, high) in [(0, area.left, area.right), (1, area.top, area.bottom)] {
        let step = to[axis] - from[axis];
        if step > 0.0 {
            share = share.min((high - from[axis]) / step);
        } else if step < 0.0 {
            share = share.min((low - from[axis]) / step);
        }
    }
    let share = share.clamp(0.0, 1.0);
    [from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1])]
}

fn centre_of_mass(picture: &mut Picture, window: &Viewport, frame: &Frame) {
    let at = window.seen(frame.com);
    if window.area.contains(at) {
        com_mark(picture, at, 7.0);
    }
}

/// Draws the mark of a centre of mass: a disc in quarters.
pub(super) fn com_mark(picture: &mut Picture, centre: PagePoint, radius: f64) {
    picture.disc(centre, radius + 1.2, colour::CENTRE_OF_MASS);
    picture.disc(centre, radius, colour::WHITE);
    for start in [0.0, std::f64::consts::PI] {
        let rim = (0..=8).map(|k| {
            let angle = start + f64::from(k) * std::f64::consts::FRAC_PI_2 / 8.0;
            [centre[0] + radius * angle.cos(), centre[1] + radius * angle.sin()]
        });
        picture.fill([centre].into_iter().chain(rim).collect(), colour::CENTRE_OF_MASS);
    }
}
