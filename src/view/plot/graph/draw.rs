//! The graph laid out in ranks (by layout-rs, after Sugiyama et al. 1981) and drawn.

use super::quiet::attempt;
use super::text::wrapped;
use super::{Exit, State, StateGraph};
use crate::view::plot::colour;
use crate::view::plot::font;
use crate::view::plot::picture::{Align, Picture, Point, Rectangle};
use layout::core::base::Orientation;
use layout::core::color::Color;
use layout::core::format::{ClipHandle, RenderBackend};
use layout::core::geometry::Point as Place;
use layout::core::style::{LineStyleKind, StyleAttr};
use layout::std_shapes::shapes::{Arrow, Element, LineEndKind, ShapeKind};
use layout::topo::layout::VisualGraph;
use petgraph::visit::EdgeRef;

const NAME: f64 = 19.0;
const SAYING: f64 = 15.0;
const LINE: f64 = 20.0;
/// Letters a line.
const STATE_WIDTH: usize = 44;
const EXIT_WIDTH: usize = 28;
const MOST_LINES: usize = 7;
const MARGIN: f64 = 30.0;
const HEADING: f64 = 60.0;
/// layout-rs takes a letter to be as wide and high as its font; at this size, with every other line empty, its boxes
/// fit the texts drawn here.
const SPACING: usize = 10;

impl StateGraph {
    /// The graph as a picture: states from the start downwards, exits numbered in the order they are tried, `else`
    /// dashed.
    pub fn picture(&self) -> Picture {
        let boxes: Vec<Words> = self.states().map(Words::of).collect();
        let mut laid = self.laid(&boxes);
        for edge in self.graph.edge_references().filter(|edge| edge.source() == edge.target()) {
            let (name, dashed) = match edge.weight() {
                Exit::To { order, .. } => (order.to_string(), false),
                Exit::Else => ("else".to_string(), true),
            };
            laid.add_loop(edge.source().index(), name, dashed);
        }
        laid.picture(&self.title, &boxes)
    }

    /// layout-rs 0.1.3 fails on some graphs (an assertion, where two labels side by side are both straightened);
    /// without its last pass the picture is plainer, but there.
    fn laid(&self, boxes: &[Words]) -> Laid {
        let mut ways = [false, true].into_iter();
        ways.find_map(|plain| attempt(|| self.laid_out(boxes, plain))).unwrap_or_default()
    }

    fn laid_out(&self, boxes: &[Words], plain: bool) -> Laid {
        let look = StyleAttr::new(Color::fast("black"), 1, None, 0, SPACING);
        let mut visual = VisualGraph::new(Orientation::TopToBottom);
        let handles: Vec<_> = boxes
            .iter()
            .map(|words| {
                let [width, height] = words.size();
                let shape = ShapeKind::Box(String::new());
                let size = Place::new(width, height);
                visual.add_node(Element::create(shape, look.clone(), Orientation::TopToBottom, size))
            })
            .collect();
        for edge in self.graph.edge_references().filter(|edge| edge.source() != edge.target()) {
            let style = match edge.weight() {
                Exit::Else => LineStyleKind::Dashed,
                Exit::To { .. } => LineStyleKind::Normal,
            };
            let lines = wrapped(&edge.weight().to_string(), EXIT_WIDTH, MOST_LINES);
            let label = lines.join("\n\n") + "\n\n";
            let (none, head) = (LineEndKind::None, LineEndKind::Arrow);
            let arrow = Arrow::new(none, head, style, &label, &look, &None, &None);
            visual.add_edge(arrow, handles[edge.source().index()], handles[edge.target().index()]);
        }
        let mut laid = Laid::default();
        if !boxes.is_empty() {
            visual.do_it(false, false, plain, &mut laid);
        }
        laid
    }
}

/// What stands in a state's box.
struct Words {
    name: String,
    start: bool,
    lines: Vec<String>,
}

impl Words {
    fn of(state: &State) -> Self {
        let lines = state.conditions.iter().flat_map(|said| wrapped(said, STATE_WIDTH, MOST_LINES)).collect();
        Words { name: state.name.clone(), start: state.start, lines }
    }

    fn size(&self) -> [f64; 2] {
        let lines = self.lines.iter().map(|line| font::width(line, SAYING));
        let width = lines.fold(font::width(&self.name, NAME), f64::max);
        [width + 36.0, 42.0 + LINE * self.lines.len() as f64]
    }
}

/// Where layout-rs puts things, px.
#[derive(Default)]
struct Laid {
    /// Of states, in order.
    boxes: Vec<Rectangle>,
    labels: Vec<(Point, String)>,
    arrows: Vec<(Vec<Point>, bool, (bool, bool))>,
}

impl RenderBackend for Laid {
    fn draw_rect(
        &mut self,
        corner: Place,
        size: Place,
        _: &StyleAttr,
        _: Option<String>,
        _: Option<ClipHandle>,
    ) {
        let (left, top) = (corner.x, corner.y);
        self.boxes.push(Rectangle { left, top, right: left + size.x, bottom: top + size.y });
    }

    fn draw_line(&mut self, _: Place, _: Place, _: &StyleAttr, _: Option<String>) {}

    fn draw_circle(&mut self, _: Place, _: Place, _: &StyleAttr, _: Option<String>) {}

    fn draw_text(&mut self, middle: Place, text: &str, _: &StyleAttr) {
        if !text.is_empty() {
            self.labels.push(([middle.x, middle.y], text.to_string()));
        }
    }

    fn draw_arrow(
        &mut self,
        path: &[(Place, Place)],
        dashed: bool,
        heads: (bool, bool),
        _: &StyleAttr,
        _: Option<String>,
        _: &str,
    ) {
        self.arrows.push((curve(path), dashed, heads));
    }

    fn create_clip(&mut self, _: Place, _: Place, _: usize) -> ClipHandle {
        0
    }
}

/// Points of a chain of cubic Bézier curves: a start with its control point, then control points with ends; each
/// curve begins in the direction the one before ended in.
fn curve(path: &[(Place, Place)]) -> Vec<Point> {
    let Some(((start, control), rest)) = path.split_first() else { return Vec::new() };
    let (mut from, mut leaving) = (*start, *control);
    let mut points = vec![[from.x, from.y]];
    for (entering, to) in rest {
        for step in 1..=24 {
            let t = f64::from(step) / 24.0;
            let s = 1.0 - t;
            let weights = [s * s * s, 3.0 * s * s * t, 3.0 * s * t * t, t * t * t];
            let corners = [from, leaving, *entering, *to];
            let along = |value: fn(&Place) -> f64| -> f64 {
                weights.iter().zip(&corners).map(|(weight, corner)| weight * value(corner)).sum()
            };
            points.push([along(|corner| corner.x), along(|corner| corner.y)]);
        }
        leaving = Place::new(2.0 * to.x - entering.x, 2.0 * to.y - entering.y);
        from = *to;
    }
    points
}

impl Laid {
    /// A way from a state back to itself, at its right. (layout-rs draws them as stubs.)
    fn add_loop(&mut self, state: usize, name: String, dashed: bool) {
        let Some(area) = self.boxes.get(state) else { return };
        let x = area.right;
        let y = area.top + 0.25 * area.height();
        let place = |dx: f64, dy: f64| Place::new(x + dx, y + dy);
        let path = [(place(0.0, 0.0), place(34.0, -14.0)), (place(34.0, 30.0), place(0.0, 16.0))];
        self.arrows.push((curve(&path), dashed, (false, true)));
        self.labels.push(([x + 36.0 + 0.5 * font::width(&name, SAYING), y + 8.0], name));
    }

    fn picture(mut self, title: &str, boxes: &[Words]) -> Picture {
        let bounds = self.bounds();
        let shift = [MARGIN - bounds.left, MARGIN + HEADING - bounds.top];
        self.shift(shift);
        let title_width = font::width(title, 24.0);
        let width = (bounds.width().max(title_width) + 2.0 * MARGIN).ceil().clamp(200.0, 8000.0);
        let height = (bounds.height() + 2.0 * MARGIN + HEADING).ceil().clamp(120.0, 8000.0);
        let mut picture = Picture::new(width as u32, height as u32);
        picture.text([MARGIN, 42.0], title, 24.0, Align::Start, colour::INK);
        for (points, dashed, heads) in &self.arrows {
            match dashed {
                true => picture.dashed(points, [7.0, 5.0], 2.0, colour::SLATE),
                false => picture.stroke(points.clone(), 2.0, colour::SLATE),
            }
            let reversed: Vec<Point> = points.iter().rev().copied().collect();
            for (there, way) in [(heads.0, &reversed), (heads.1, points)] {
                if there {
                    head(&mut picture, way);
                }
            }
        }
        for (number, (area, words)) in self.boxes.iter().zip(boxes).enumerate() {
            state(&mut picture, area, words, number);
        }
        for (middle, text) in &self.labels {
            label(&mut picture, *middle, text);
        }
        picture
    }

    fn bounds(&self) -> Rectangle {
        let corners = self.boxes.iter().flat_map(Rectangle::corners);
        let labels = self.labels.iter().flat_map(|(middle, text)| label_area(*middle, text).corners());
        let points = self.arrows.iter().flat_map(|(points, ..)| points.iter().copied());
        let none = Rectangle {
            left: f64::INFINITY,
            top: f64::INFINITY,
            right: f64::NEG_INFINITY,
            bottom: f64::NEG_INFINITY,
        };
        let all = corners.chain(labels).chain(points).fold(none, |all, [x, y]| Rectangle {
            left: all.left.min(x),
            top: all.top.min(y),
            right: all.right.max(x),
            bottom: all.bottom.max(y),
        });
        if all.left <= all.right { all } else { Rectangle { left: 0.0, top: 0.0, right: 0.0, bottom: 0.0 } }
    }

    fn shift(&mut self, [x, y]: Point) {
        for area in &mut self.boxes {
            *area = Rectangle {
                left: area.left + x,
                right: area.right + x,
                top: area.top + y,
                bottom: area.bottom + y,
            };
        }
        let labels = self.labels.iter_mut().map(|(middle, _)| middle);
        for point in labels.chain(self.arrows.iter_mut().flat_map(|(points, ..)| points)) {
            *point = [point[0] + x, point[1] + y];
        }
    }
}

/// An arrowhead at the end of a line.
fn head(picture: &mut Picture, points: &[Point]) {
    let Some(&tip) = points.last() else { return };
    let far = |point: &&Point| (point[0] - tip[0]).hypot(point[1] - tip[1]) > 14.0;
    if let Some(back) = points.iter().rev().find(far) {
        picture.arrow(*back, tip, 2.4, colour::SLATE);
    }
}

fn state(picture: &mut Picture, area: &Rectangle, words: &Words, number: usize) {
    picture.rectangle(area, colour::state(number).lightened(0.55));
    picture.frame(area, if words.start { 4.0 } else { 1.4 }, colour::INK);
    let middle = 0.5 * (area.left + area.right);
    picture.text([middle, area.top + 28.0], &words.name, NAME, Align::Middle, colour::INK);
    for (index, line) in words.lines.iter().enumerate() {
        let y = area.top + 30.0 + LINE * (index + 1) as f64;
        picture.text([middle, y], line, SAYING, Align::Middle, colour::SLATE);
    }
    if words.start {
        picture.text([area.left, area.top - 8.0], "start", SAYING, Align::Start, colour::INK);
    }
}

fn lines_of(text: &str) -> Vec<&str> {
    text.lines().filter(|line| !line.is_empty()).collect()
}

fn label_area([x, y]: Point, text: &str) -> Rectangle {
    let lines = lines_of(text);
    let half = 0.5 * lines.iter().map(|line| font::width(line, SAYING)).fold(0.0, f64::max) + 5.0;
    let height = LINE * lines.len() as f64;
    Rectangle { left: x - half, right: x + half, top: y - 0.5 * height, bottom: y + 0.5 * height }
}

fn label(picture: &mut Picture, middle: Point, text: &str) {
    let area = label_area(middle, text);
    picture.rectangle(&area, colour::WHITE.faded(0.88));
    for (index, line) in lines_of(text).into_iter().enumerate() {
        let y = area.top + LINE * (index as f64 + 0.5) + 0.35 * SAYING;
        picture.text([middle[0], y], line, SAYING, Align::Middle, colour::INK);
    }
}
