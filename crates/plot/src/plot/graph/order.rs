//! Order of nodes within layers with few crossings: each node moves to the mean position of its neighbours,
//! layer by layer down and up (the barycentre method), and the best order is kept.

use super::layers::Layers;

const SWEEPS: usize = 12;

pub(super) fn order(graph: &mut Layers) {
    let mut best = (crossings(graph), graph.layers.clone());
    for sweep in 0..SWEEPS {
        let down = sweep % 2 == 0;
        let count = graph.layers.len();
        for step in 1..count {
            let layer = if down { step } else { count - 1 - step };
            sort(graph, layer, down);
        }
        let crossed = crossings(graph);
        if crossed < best.0 {
            best = (crossed, graph.layers.clone());
        }
    }
    graph.layers = best.1;
}

/// Position of each node in its layer.
pub(super) fn places(graph: &Layers) -> Vec<usize> {
    let mut places = vec![0; graph.nodes.len()];
    for layer in &graph.layers {
        for (place, &node) in layer.iter().enumerate() {
            places[node] = place;
        }
    }
    places
}

fn sort(graph: &mut Layers, layer: usize, by_above: bool) {
    let places = places(graph);
    let mut keyed: Vec<(f64, usize)> = graph.layers[layer]
        .iter()
        .map(|&node| {
            let neighbours = if by_above { &graph.nodes[node].above } else { &graph.nodes[node].below };
            let sum: usize = neighbours.iter().map(|&other| places[other]).sum();
            let alone = neighbours.is_empty();
            (if alone { places[node] as f64 } else { sum as f64 / neighbours.len() as f64 }, node)
        })
        .collect();
    // The sort is stable, so equal means keep their order.
    keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
    graph.layers[layer] = keyed.into_iter().map(|(_, node)| node).collect();
}

/// Number of crossing pairs of edges between adjacent layers.
pub(super) fn crossings(graph: &Layers) -> usize {
    let places = places(graph);
    let mut count = 0;
    for layer in &graph.layers {
        let ends: Vec<(usize, usize)> = layer
            .iter()
            .flat_map(|&node| graph.nodes[node].below.iter().map(move |&other| (node, other)))
            .map(|(node, other)| (places[node], places[other]))
            .collect();
        for (index, a) in ends.iter().enumerate() {
            count += ends[index + 1..].iter().filter(|b| a.0 < b.0 && a.1 > b.1).count();
        }
    }
    count
}
