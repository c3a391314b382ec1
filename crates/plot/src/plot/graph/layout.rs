//! Positions of the boxes, labels and edges of a layered graph.

use super::layers::{Layers, LayoutEdge};
use super::order::{order, places};
use crate::plot::picture::{PagePoint, Rectangle};

/// Distances between neighbours in a layer and between layers, px.
const BESIDE: f64 = 26.0;
const BELOW: f64 = 34.0;
const SWEEPS: usize = 16;
/// Points per curve.
const BEND: u32 = 16;

/// Boxes and edges in the order given, px.
#[derive(Default)]
pub(super) struct GraphLayout {
    pub boxes: Vec<Rectangle>,
    pub edges: Vec<Route>,
}

/// Route of an edge between its boxes.
pub(super) struct Route {
    pub points: Vec<PagePoint>,
    /// Centre of its label.
    pub label: PagePoint,
}

/// Lays out boxes of these sizes with the root at the top. No edge may lead to its own box.
pub(super) fn layout(sizes: &[[f64; 2]], edges: &[LayoutEdge], root: usize) -> GraphLayout {
    let mut graph = Layers::new(sizes, edges, root);
    order(&mut graph);
    let x = across(&graph);
    let rows = rows(&graph);
    let boxes = sizes.iter().enumerate().map(|(node, [width, height])| {
        let [top, bottom] = rows[graph.nodes[node].layer];
        let middle = 0.5 * (top + bottom);
        Rectangle {
            left: x[node] - 0.5 * width,
            right: x[node] + 0.5 * width,
            top: middle - 0.5 * height,
            bottom: middle + 0.5 * height,
        }
    });
    let boxes: Vec<Rectangle> = boxes.collect();
    let mut routes = Vec::with_capacity(edges.len());
    let places = places(&graph);
    for (index, chain) in graph.chains.iter().enumerate() {
        let mut points = route(&graph, chain, &places, &x, &rows, &boxes);
        if graph.upward[index] {
            points.reverse();
        }
        let label = graph.labels[index];
        let [top, bottom] = rows[graph.nodes[label].layer];
        routes.push(Route { points, label: [x[label], 0.5 * (top + bottom)] });
    }
    GraphLayout { boxes, edges: routes }
}

/// Horizontal centres: each as near to the mean of its neighbours as its layer allows, in sweeps up and down.
fn across(graph: &Layers) -> Vec<f64> {
    let mut x = vec![0.0; graph.nodes.len()];
    for layer in &graph.layers {
        set(graph, layer, &vec![0.0; layer.len()], &mut x);
    }
    let count = graph.layers.len();
    for sweep in 0..SWEEPS {
        for step in 0..count {
            let layer = &graph.layers[if sweep % 2 == 0 { step } else { count - 1 - step }];
            let wanted: Vec<f64> = layer
                .iter()
                .map(|&node| {
                    let node_of = &graph.nodes[node];
                    let neighbours = node_of.above.iter().chain(&node_of.below);
                    let (sum, many) = neighbours.fold((0.0, 0), |(sum, many), &at| (sum + x[at], many + 1));
                    if many == 0 { x[node] } else { sum / f64::from(many) }
                })
                .collect();
            set(graph, layer, &wanted, &mut x);
        }
    }
    x
}

/// Positions nearest to the desired ones (least squares) that keep the order and distances in a layer, by
/// pooling adjacent violators (Ayer et al. 1955).
fn set(graph: &Layers, layer: &[usize], wanted: &[f64], x: &mut [f64]) {
    let mut offsets = Vec::with_capacity(layer.len());
    let mut offset = 0.0;
    for (place, &node) in layer.iter().enumerate() {
        let half = 0.5 * graph.nodes[node].size[0];
        if place > 0 {
            offset += 0.5 * graph.nodes[layer[place - 1]].size[0] + BESIDE + half;
        }
        offsets.push(offset);
    }
    // Each pool holds the mean of its members' targets and their weight.
    let mut pools: Vec<(f64, f64, usize)> = Vec::new();
    for (place, &node) in layer.iter().enumerate() {
        // Straight edges have a larger weight than centred boxes.
        let weight = if graph.nodes[node].of_edge { 3.0 } else { 1.0 };
        let mut pool = (wanted[place] - offsets[place], weight, 1);
        while let Some(&(mean, weight, members)) = pools.last() {
            if mean <= pool.0 {
                break;
            }
            pools.pop();
            let sum = weight + pool.1;
            pool = ((mean * weight + pool.0 * pool.1) / sum, sum, members + pool.2);
        }
        pools.push(pool);
    }
    let means = pools.iter().flat_map(|&(mean, _, members)| std::iter::repeat_n(mean, members));
    for ((&node, offset), mean) in layer.iter().zip(offsets).zip(means) {
        x[node] = mean + offset;
    }
}

/// Top and bottom of each layer.
fn rows(graph: &Layers) -> Vec<[f64; 2]> {
    let mut top = 0.0;
    let height = |layer: &Vec<usize>| layer.iter().map(|&node| graph.nodes[node].size[1]).fold(0.0, f64::max);
    let rows = graph.layers.iter().map(|layer| {
        let row = [top, top + height(layer)];
        top = row[1] + BELOW;
        row
    });
    rows.collect()
}

/// Points from the bottom of the upper box to the top of the lower one, vertical within the layers between.
fn route(
    graph: &Layers,
    chain: &[usize],
    places: &[usize],
    x: &[f64],
    rows: &[[f64; 2]],
    boxes: &[Rectangle],
) -> Vec<PagePoint> {
    let (first, last) = (chain[0], chain[chain.len() - 1]);
    let out = port(&graph.nodes[first].below, chain[1], places, &boxes[first]);
    let into = port(&graph.nodes[last].above, chain[chain.len() - 2], places, &boxes[last]);
    let mut points = vec![[out, boxes[first].bottom], [out, rows[graph.nodes[first].layer][1]]];
    for &node in &chain[1..chain.len() - 1] {
        let [top, bottom] = rows[graph.nodes[node].layer];
        bend(&mut points, [x[node], top]);
        points.push([x[node], bottom]);
    }
    bend(&mut points, [into, rows[graph.nodes[last].layer][0]]);
    points.push([into, boxes[last].top]);
    points.dedup();
    points
}

/// Horizontal position of an edge on a box: edges share its width, in the order of their other ends.
fn port(neighbours: &[usize], to: usize, places: &[usize], area: &Rectangle) -> f64 {
    let before = neighbours.iter().filter(|&&other| places[other] < places[to]).count();
    area.left + area.width() * (before + 1) as f64 / (neighbours.len() + 1) as f64
}

/// Appends a cubic Bézier curve to `to`, vertical at both ends.
fn bend(points: &mut Vec<PagePoint>, to: PagePoint) {
    let Some(&from) = points.last() else { return };
    for step in 1..=BEND {
        let t = f64::from(step) / f64::from(BEND);
        let s = 1.0 - t;
        let share = t * t * (3.0 * s + t);
        let middle = 0.5 * (from[1] + to[1]);
        let down = s * s * s * from[1] + 3.0 * s * t * middle + t * t * t * to[1];
        points.push([from[0] + share * (to[0] - from[0]), down]);
    }
}

#[cfg(test)]
mod tests {
    use super::super::order::crossings;
    use super::*;
    use proptest::prelude::*;

    fn edges(ways: &[(usize, usize)]) -> Vec<LayoutEdge> {
        let others = ways.iter().filter(|(from, to)| from != to);
        others.map(|&(from, to)| LayoutEdge { from, to, label: [90.0, 20.0] }).collect()
    }

    const SIZE: [f64; 2] = [120.0, 40.0];

    #[test]
    fn a_chain_stands_in_one_column_from_the_root_down() {
        let layout = layout(&[SIZE; 3], &edges(&[(0, 1), (1, 2)]), 0);
        assert!(layout.boxes.windows(2).all(|pair| pair[0].bottom < pair[1].top));
        assert!(layout.boxes.windows(2).all(|pair| (pair[0].left - pair[1].left).abs() < 1e-9));
    }

    #[test]
    fn two_parents_that_crossed_their_children_are_put_in_order() {
        let mut graph = Layers::new(&[SIZE; 5], &edges(&[(0, 1), (0, 2), (1, 4), (2, 3)]), 0);
        graph.layers[4] = vec![3, 4];
        assert!(crossings(&graph) > 0);
        order(&mut graph);
        assert_eq!(crossings(&graph), 0);
    }

    proptest! {
        #[test]
        fn boxes_do_not_overlap_and_edges_end_at_their_boxes(
            ways in prop::collection::vec((0usize..7, 0usize..7), 0..30)
        ) {
            let edges = edges(&ways);
            let layout = layout(&[SIZE; 7], &edges, 2);
            for (index, a) in layout.boxes.iter().enumerate() {
                for b in &layout.boxes[index + 1..] {
                    let apart = a.right < b.left || b.right < a.left || a.bottom < b.top || b.bottom < a.top;
                    prop_assert!(apart);
                }
            }
            for (edge, route) in edges.iter().zip(&layout.edges) {
                let near = |point: PagePoint, area: &Rectangle| {
                    (area.left..=area.right).contains(&point[0])
                        && (point[1] == area.top || point[1] == area.bottom)
                };
                prop_assert!(near(route.points[0], &layout.boxes[edge.from]));
                prop_assert!(near(route.points[route.points.len() - 1], &layout.boxes[edge.to]));
                let on = route.points.iter().any(|point| (point[0] - route.label[0]).abs() < 1e-9);
                prop_assert!(on, "the edge passes its label");
            }
        }
    }
}
