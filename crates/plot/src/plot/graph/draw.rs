//! Draws the graph in layers.

use super::layers::LayoutEdge;
use super::layout::layout;
use super::text::wrapped;
use super::{Exit, StateGraph, StateNode};
use crate::plot::colour;
use crate::plot::font;
use crate::plot::picture::{PagePoint, Picture, Rectangle, TextAnchor};
use petgraph::graph::NodeIndex;
use petgraph::visit::EdgeRef;

const NAME: f64 = 19.0;
const SAYING: f64 = 15.0;
const LINE: f64 = 20.0;
/// Characters per line.
const STATE_WIDTH: usize = 44;
const EXIT_WIDTH: usize = 28;
const MOST_LINES: usize = 7;
const MARGIN: f64 = 30.0;
const HEADING: f64 = 60.0;
/// Margin between a composite state and its substates, px.
const INSIDE: f64 = 16.0;

impl StateGraph {
    /// The graph as a picture: states from the start downwards, exits numbered in the order of evaluation, `else`
    /// dashed. Substates are drawn inside their state.
    pub fn picture(&self) -> Picture {
        self.level(&[]).picture(&self.title)
    }

    /// Draws the substates of this state, with their own substates.
    fn level(&self, within: &[String]) -> DrawnLevel {
        let nodes: Vec<usize> = (0..self.graph.node_count())
            .filter(|node| self.graph[NodeIndex::new(*node)].within == within)
            .collect();
        let mut inner: Vec<Option<DrawnLevel>> = Vec::new();
        let mut words = Vec::new();
        for node in &nodes {
            let state = &self.graph[NodeIndex::new(*node)];
            let inside = [within, std::slice::from_ref(&state.name)].concat();
            inner.push(state.is_composite.then(|| self.level(&inside)));
            words.push(StateText::of(state, within));
        }
        let sizes: Vec<[f64; 2]> =
            words.iter().zip(&inner).map(|(words, inner)| words.size_around(inner.as_ref())).collect();
        let root = words.iter().position(|words| words.start).unwrap_or(0);
        let mut labels = Vec::new();
        let mut edges = Vec::new();
        let mut loops = Vec::new();
        for edge in self.graph.edge_references() {
            let ends = [edge.source(), edge.target()];
            let [Some(from), Some(to)] = ends.map(|end| self.at_level(end, within, &nodes)) else { continue };
            let said = self.said(edge.weight(), ends, [nodes[from], nodes[to]], within);
            let is_else = edge.weight() == &Exit::Else;
            if from != to {
                let lines = wrapped(&said, EXIT_WIDTH, MOST_LINES);
                edges.push(LayoutEdge { from, to, label: label_size(&lines) });
                labels.push((lines, is_else));
            } else if ends[0] == ends[1] && ends[0].index() == nodes[from] {
                let name = match edge.weight() {
                    Exit::To { order, .. } => order.to_string(),
                    Exit::Else => "else".to_string(),
                };
                loops.push((from, name, is_else));
            }
        }
        let layout = layout(&sizes, &edges, root);
        let mut drawn = DrawnLevel::default();
        for (route, (lines, dashed)) in layout.edges.into_iter().zip(labels) {
            drawn.arrows.push((route.points, dashed));
            drawn.labels.push((route.label, lines));
        }
        for (from, name, dashed) in loops {
            drawn.add_loop(&layout.boxes, from, name, dashed);
        }
        let boxes = layout.boxes.into_iter().zip(words).zip(inner).zip(nodes);
        for (((area, words), inner), number) in boxes {
            drawn.add_state(area, words, inner, number);
        }
        drawn
    }

    /// The state of this level that is or contains the node.
    fn at_level(&self, node: NodeIndex, within: &[String], nodes: &[usize]) -> Option<usize> {
        let state = &self.graph[node];
        if !state.within.starts_with(within) {
            return None;
        }
        let name = state.within.get(within.len()).unwrap_or(&state.name);
        nodes.iter().position(|node| self.graph[NodeIndex::new(*node)].name == *name)
    }

    /// Text of an exit, with the names of its states if these are nested deeper than the drawn level.
    fn said(&self, exit: &Exit, ends: [NodeIndex; 2], drawn: [usize; 2], within: &[String]) -> String {
        let further = |end: usize| {
            let is_drawn = ends[end].index() == drawn[end];
            (!is_drawn).then(|| short(&self.graph[ends[end]].name, within).to_string())
        };
        let from = further(0).map(|name| format!("{name}: ")).unwrap_or_default();
        let to = further(1).map(|name| format!(" → {name}")).unwrap_or_default();
        format!("{from}{exit}{to}")
    }
}

/// The name without the prefix of its parent state.
fn short<'n>(name: &'n str, within: &[String]) -> &'n str {
    let around = within.last().and_then(|around| name.strip_prefix(around.as_str()));
    around.and_then(|name| name.strip_prefix('.')).unwrap_or(name)
}

/// Text of a state's box.
struct StateText {
    name: String,
    start: bool,
    lines: Vec<String>,
}

impl StateText {
    /// Size of the box with this text, and with substates below it.
    fn size_around(&self, inner: Option<&DrawnLevel>) -> [f64; 2] {
        match inner {
            Some(drawn) => {
                let ([width, height], area) = (self.size(), drawn.bounds());
                [width.max(area.width() + 2.0 * INSIDE), height + area.height() + 3.0 * INSIDE]
            }
            None => self.size(),
        }
    }

    fn of(state: &StateNode, within: &[String]) -> Self {
        let lines = state.conditions.iter().flat_map(|text| wrapped(text, STATE_WIDTH, MOST_LINES)).collect();
        StateText { name: short(&state.name, within).to_string(), start: state.start, lines }
    }

    fn size(&self) -> [f64; 2] {
        let lines = self.lines.iter().map(|line| font::width(line, SAYING));
        let width = lines.fold(font::width(&self.name, NAME), f64::max);
        [width + 36.0, 42.0 + LINE * self.lines.len() as f64]
    }
}

/// A drawn state.
struct DrawnState {
    area: Rectangle,
    words: StateText,
    /// Whether it has substates.
    is_frame: bool,
    /// Index in the file.
    number: usize,
}

/// Drawn parts of a level, px.
#[derive(Default)]
struct DrawnLevel {
    /// Boxes of states; a composite state precedes its substates.
    boxes: Vec<DrawnState>,
    /// Centre and lines of each label.
    labels: Vec<(PagePoint, Vec<String>)>,
    /// Points of each arrow, and whether it is dashed.
    arrows: Vec<(Vec<PagePoint>, bool)>,
}

impl DrawnLevel {
    /// Adds a state's box, with its substates below its text.
    fn add_state(&mut self, area: Rectangle, words: StateText, inner: Option<DrawnLevel>, number: usize) {
        let [_, top] = words.size();
        self.boxes.push(DrawnState { area, is_frame: inner.is_some(), words, number });
        if let Some(mut inner) = inner {
            let bounds = inner.bounds();
            let left = 0.5 * (area.left + area.right) - 0.5 * bounds.width();
            inner.shift([left - bounds.left, area.top + top + 1.5 * INSIDE - bounds.top]);
            self.boxes.append(&mut inner.boxes);
            self.arrows.append(&mut inner.arrows);
            self.labels.append(&mut inner.labels);
        }
    }

    /// Adds a self-transition, at the right of its state.
    fn add_loop(&mut self, boxes: &[Rectangle], state: usize, name: String, dashed: bool) {
        let Some(area) = boxes.get(state) else { return };
        let centre = [area.right, area.top + 0.25 * area.height() + 8.0];
        let point = |step: i32| {
            let angle = std::f64::consts::PI * (f64::from(step) / 24.0 - 0.5);
            [centre[0] + 26.0 * angle.cos(), centre[1] + 13.0 * angle.sin()]
        };
        self.arrows.push(((0..=24).map(point).collect(), dashed));
        self.labels.push(([centre[0] + 36.0 + 0.5 * font::width(&name, SAYING), centre[1]], vec![name]));
    }

    fn picture(mut self, title: &str) -> Picture {
        let bounds = self.bounds();
        let shift = [MARGIN - bounds.left, MARGIN + HEADING - bounds.top];
        self.shift(shift);
        let title_width = font::width(title, 24.0);
        let width = (bounds.width().max(title_width) + 2.0 * MARGIN).ceil().clamp(200.0, 8000.0);
        let height = (bounds.height() + 2.0 * MARGIN + HEADING).ceil().clamp(120.0, 8000.0);
        let mut picture = Picture::new(width as u32, height as u32);
        picture.text([MARGIN, 42.0], title, 24.0, TextAnchor::Start, colour::INK);
        for frame in self.boxes.iter().filter(|state| state.is_frame) {
            state(&mut picture, frame);
        }
        for (points, dashed) in &self.arrows {
            match dashed {
                true => picture.dashed(points, [7.0, 5.0], 2.0, colour::SLATE),
                false => picture.stroke(points.clone(), 2.0, colour::SLATE),
            }
            head(&mut picture, points);
        }
        for shown in self.boxes.iter().filter(|state| !state.is_frame) {
            state(&mut picture, shown);
        }
        for (middle, lines) in &self.labels {
            label(&mut picture, *middle, lines);
        }
        picture
    }

    fn bounds(&self) -> Rectangle {
        let corners = self.boxes.iter().flat_map(|state| state.area.corners());
        let labels = self.labels.iter().flat_map(|(middle, lines)| label_area(*middle, lines).corners());
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

    fn shift(&mut self, [x, y]: PagePoint) {
        for state in &mut self.boxes {
            let area = state.area;
            state.area = Rectangle {
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
fn head(picture: &mut Picture, points: &[PagePoint]) {
    let Some(&tip) = points.last() else { return };
    let far = |point: &&PagePoint| (point[0] - tip[0]).hypot(point[1] - tip[1]) > 14.0;
    if let Some(back) = points.iter().rev().find(far) {
        picture.arrow(*back, tip, 2.4, colour::SLATE);
    }
}

fn state(picture: &mut Picture, DrawnState { area, words, is_frame, number }: &DrawnState) {
    let colour = colour::state(*number).lightened(if *is_frame { 0.88 } else { 0.55 });
    picture.rectangle(area, colour);
    picture.frame(area, if words.start { 4.0 } else { 1.4 }, colour::INK);
    let middle = 0.5 * (area.left + area.right);
    picture.text([middle, area.top + 28.0], &words.name, NAME, TextAnchor::Middle, colour::INK);
    for (index, line) in words.lines.iter().enumerate() {
        let y = area.top + 30.0 + LINE * (index + 1) as f64;
        picture.text([middle, y], line, SAYING, TextAnchor::Middle, colour::SLATE);
    }
    if words.start {
        picture.text([area.left, area.top - 8.0], "start", SAYING, TextAnchor::Start, colour::INK);
    }
}

/// Width and height of a label, px.
fn label_size(lines: &[String]) -> [f64; 2] {
    let width = lines.iter().map(|line| font::width(line, SAYING)).fold(0.0, f64::max);
    [width + 10.0, LINE * lines.len() as f64]
}

fn label_area([x, y]: PagePoint, lines: &[String]) -> Rectangle {
    let [width, height] = label_size(lines).map(|length| 0.5 * length);
    Rectangle { left: x - width, right: x + width, top: y - height, bottom: y + height }
}

fn label(picture: &mut Picture, middle: PagePoint, lines: &[String]) {
    let area = label_area(middle, lines);
    picture.rectangle(&area, colour::WHITE.faded(0.88));
    for (index, line) in lines.iter().enumerate() {
        let y = area.top + LINE * (index as f64 + 0.5) + 0.35 * SAYING;
        picture.text([middle[0], y], line, SAYING, TextAnchor::Middle, colour::INK);
    }
}
