//! Layered layout of a directed graph (Sugiyama, Tagawa and Toda 1981): cycles are broken, and every edge
//! passes one dummy node per layer, one of which holds its label.

use petgraph::Graph;
use petgraph::graph::NodeIndex;
use petgraph::visit::DfsPostOrder;

/// An edge between two different nodes, with the size of its label, px.
pub(super) struct LayoutEdge {
    pub from: usize,
    pub to: usize,
    pub label: [f64; 2],
}

/// A box, a label, or a dummy node of an edge.
pub(super) struct LayoutNode {
    pub layer: usize,
    /// Width and height, px.
    pub size: [f64; 2],
    /// Neighbours in the layers above and below.
    pub above: Vec<usize>,
    pub below: Vec<usize>,
    /// Whether the node belongs to an edge.
    pub of_edge: bool,
}

/// Nodes in layers; boxes are the first nodes, in the order given.
pub(super) struct Layers {
    pub nodes: Vec<LayoutNode>,
    /// The nodes of each layer, from left to right.
    pub layers: Vec<Vec<usize>>,
    /// The nodes of each edge from top to bottom, both boxes included.
    pub chains: Vec<Vec<usize>>,
    /// Node of each edge's label.
    pub labels: Vec<usize>,
    /// Whether each edge points upwards.
    pub upward: Vec<bool>,
}

impl Layers {
    /// Layers of boxes with these sizes. The root is in the first layer unless an edge leads to it from a
    /// node it cannot reach.
    pub(super) fn new(sizes: &[[f64; 2]], edges: &[LayoutEdge], root: usize) -> Self {
        let order = finished(sizes.len(), edges, root);
        let upward: Vec<bool> = edges.iter().map(|edge| order[edge.to] > order[edge.from]).collect();
        let ranks = ranks(&order, edges, &upward);
        let boxes = sizes.iter().zip(&ranks).map(|(size, rank)| LayoutNode::new(2 * rank, *size, false));
        let mut layers = Layers {
            nodes: boxes.collect(),
            layers: Vec::new(),
            chains: Vec::new(),
            labels: Vec::new(),
            upward,
        };
        for (index, edge) in edges.iter().enumerate() {
            layers.lead(edge, layers.upward[index]);
        }
        let count = layers.nodes.iter().map(|node| node.layer + 1).max().unwrap_or(0);
        layers.layers = vec![Vec::new(); count];
        for (index, node) in layers.nodes.iter().enumerate() {
            layers.layers[node.layer].push(index);
        }
        layers
    }

    /// Boxes are in even layers, so that labels have layers in between.
    fn lead(&mut self, edge: &LayoutEdge, upward: bool) {
        let (top, bottom) = if upward { (edge.to, edge.from) } else { (edge.from, edge.to) };
        let (first, last) = (self.nodes[top].layer, self.nodes[bottom].layer);
        let middle = (first + last) / 2;
        let nearer = if upward { middle + 1 } else { middle - 1 };
        let label_layer = if middle % 2 == 1 { middle } else { nearer };
        let mut chain = vec![top];
        for layer in first + 1..last {
            let size = if layer == label_layer { edge.label } else { [0.0; 2] };
            if layer == label_layer {
                self.labels.push(self.nodes.len());
            }
            chain.push(self.nodes.len());
            self.nodes.push(LayoutNode::new(layer, size, true));
        }
        chain.push(bottom);
        for pair in chain.windows(2) {
            self.nodes[pair[0]].below.push(pair[1]);
            self.nodes[pair[1]].above.push(pair[0]);
        }
        self.chains.push(chain);
    }
}

impl LayoutNode {
    fn new(layer: usize, size: [f64; 2], of_edge: bool) -> Self {
        LayoutNode { layer, size, above: Vec::new(), below: Vec::new(), of_edge }
    }
}

/// Finishing order of a depth-first search from the root. An edge to a node that finishes later closes a
/// cycle.
fn finished(count: usize, edges: &[LayoutEdge], root: usize) -> Vec<usize> {
    let mut graph: Graph<(), ()> = Graph::with_capacity(count, edges.len());
    let nodes: Vec<NodeIndex> = (0..count).map(|_| graph.add_node(())).collect();
    // The search visits the newest edge first.
    for edge in edges.iter().rev() {
        graph.add_edge(nodes[edge.from], nodes[edge.to], ());
    }
    let mut times = vec![0; count];
    let mut search = DfsPostOrder::empty(&graph);
    let mut clock = 0;
    let starts = nodes.get(root).into_iter().chain(nodes.iter());
    for start in starts {
        search.move_to(*start);
        while let Some(node) = search.next(&graph) {
            clock += 1;
            times[node.index()] = clock;
        }
    }
    times
}

/// Length of the longest path down to each node.
fn ranks(finished: &[usize], edges: &[LayoutEdge], upward: &[bool]) -> Vec<usize> {
    let mut down: Vec<Vec<usize>> = vec![Vec::new(); finished.len()];
    for (edge, upward) in edges.iter().zip(upward) {
        let (top, bottom) = if *upward { (edge.to, edge.from) } else { (edge.from, edge.to) };
        down[top].push(bottom);
    }
    let mut order: Vec<usize> = (0..finished.len()).collect();
    order.sort_by_key(|&node| std::cmp::Reverse(finished[node]));
    let mut ranks = vec![0; finished.len()];
    for node in order {
        for &next in &down[node] {
            ranks[next] = ranks[next].max(ranks[node] + 1);
        }
    }
    ranks
}
