//! Graph of a controller's states and transitions, as DOT and as a picture.

mod draw;
mod layers;
mod layout;
mod order;
mod text;

use aplomb_language::Spanned;
use aplomb_language::diagnostic::Source;
use aplomb_world::controller::{ControllerSpec, StateSpec};
use petgraph::Graph;
use petgraph::dot::{Config, Dot};
use petgraph::graph::NodeIndex;
use std::fmt;

/// States and exits, in the order of the file.
#[doc(alias = "state machine")]
#[doc(alias = "statechart")]
#[derive(Clone, Debug)]
pub struct StateGraph {
    title: String,
    graph: Graph<StateNode, Exit>,
}

/// A node: a state and its conditions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct StateNode {
    /// Name of the state.
    pub(crate) name: String,
    /// Whether it is the initial state of its state machine.
    pub(crate) start: bool,
    /// Conditions `while …`, `until …`, `for … s`, as in the file.
    pub(crate) conditions: Vec<String>,
    /// Parent states, the outermost first.
    pub(crate) within: Vec<String>,
    /// Whether it has substates.
    pub(crate) is_composite: bool,
}

/// An edge: an exit of a state.
#[doc(alias = "transition")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// The exit with number `order` (from 1), with the `while` condition of its target, if any.
    To {
        /// Number among the exits of the state in the order of evaluation, from 1.
        order: usize,
        /// `while` condition of the target; `None` if it has none.
        condition: Option<String>,
    },
    /// The exit taken when no other applies.
    Else,
}

impl fmt::Display for StateNode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.name)?;
        self.conditions.iter().try_for_each(|condition| write!(f, "\n{condition}"))
    }
}

impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Exit::To { order, condition: Some(condition) } => write!(f, "{order}: {condition}"),
            Exit::To { order, condition: None } => write!(f, "{order}"),
            Exit::Else => write!(f, "else"),
        }
    }
}

impl StateGraph {
    /// The graph of a controller from `source`; exits to unknown states are omitted.
    pub fn new(source: &Source, controller: &ControllerSpec) -> Self {
        let mut graph = Graph::new();
        let mut nodes: Vec<(NodeIndex, &StateSpec)> = Vec::new();
        let starts: Vec<&str> = std::iter::once(controller.start.get_ref())
            .chain(controller.composites.values().map(|composite| composite.start.get_ref()))
            .map(String::as_str)
            .collect();
        let states = controller.states.iter().map(|(name, state)| (name, state, &state.within[..], false));
        let mut around: Vec<(&Spanned<String>, &StateSpec, Vec<String>)> = Vec::new();
        for composite in controller.composites.values() {
            around.push((&composite.name, &composite.state, controller.around(composite)));
        }
        let composites = around.iter().map(|(name, state, within)| (*name, *state, &within[..], true));
        for (name, state, within, is_composite) in states.chain(composites) {
            let node = StateNode {
                name: name.get_ref().clone(),
                start: starts.contains(&name.get_ref().as_str()),
                conditions: conditions(source, state),
                within: within.to_vec(),
                is_composite,
            };
            nodes.push((graph.add_node(node), state));
        }
        let find = |wanted: &str| nodes.iter().copied().find(|(at, _)| graph[*at].name == wanted);
        let mut edges = Vec::new();
        for (from, state) in &nodes {
            for (index, name) in state.to.iter().enumerate() {
                if let Some((to, target)) = find(name.get_ref()) {
                    let condition =
                        target.applicable.as_ref().map(|field| said("while", source, field.span()));
                    edges.push((*from, to, Exit::To { order: index + 1, condition }));
                }
            }
            if let Some((to, _)) = state.otherwise.as_ref().and_then(|name| find(name.get_ref())) {
                edges.push((*from, to, Exit::Else));
            }
        }
        for (from, to, exit) in edges {
            graph.add_edge(from, to, exit);
        }
        StateGraph { title: controller.title.clone().unwrap_or_default(), graph }
    }

    /// The states, in the order of the file.
    pub(crate) fn states(&self) -> impl Iterator<Item = &StateNode> {
        self.graph.node_weights()
    }

    /// The exits, each with its source state and its target state.
    #[cfg(test)]
    pub(crate) fn exits(&self) -> impl Iterator<Item = (&StateNode, &Exit, &StateNode)> {
        use petgraph::visit::EdgeRef;
        self.graph
            .edge_references()
            .map(|edge| (&self.graph[edge.source()], edge.weight(), &self.graph[edge.target()]))
    }

    /// The graph in the DOT language.
    pub fn dot(&self) -> String {
        let edge = |_, edge: petgraph::graph::EdgeReference<'_, Exit>| match edge.weight() {
            Exit::Else => "style = dashed".to_string(),
            Exit::To { .. } => String::new(),
        };
        let node = |_, (_, state): (NodeIndex, &StateNode)| {
            let start = if state.start { " penwidth = 3" } else { "" };
            format!("shape = box{start}")
        };
        // Labels are provided by the getters below.
        let configuration: [Config; 0] = [];
        let dot = Dot::with_attr_getters(&self.graph, &configuration, &edge, &node).to_string();
        match dot.trim_end().strip_suffix('}') {
            Some(open) if self.states().any(|state| state.is_composite) => {
                format!("{open}{}}}\n", self.clusters(&[]))
            }
            _ => dot,
        }
    }

    /// The substates that are composite, as DOT clusters.
    fn clusters(&self, within: &[String]) -> String {
        let composites = self
            .graph
            .node_indices()
            .filter(|node| self.graph[*node].is_composite && self.graph[*node].within == within);
        let cluster = |node: NodeIndex| {
            let inside = [within, std::slice::from_ref(&self.graph[node].name)].concat();
            let members = self.graph.node_indices().filter(|member| self.graph[*member].within == inside);
            let members: String = members.map(|member| format!(" {};", member.index())).collect();
            let name = self.graph[node].name.escape_default().to_string();
            let further = self.clusters(&inside);
            format!(
                "    subgraph \"cluster_{name}\" {{ label = \"{name}\"; {};{members}\n{further}    }}\n",
                node.index()
            )
        };
        composites.map(cluster).collect()
    }
}

fn conditions(source: &Source, state: &StateSpec) -> Vec<String> {
    let mut lines = Vec::new();
    lines.extend(state.applicable.as_ref().map(|field| said("while", source, field.span())));
    lines.extend(state.done.as_ref().map(|field| said("until", source, field.span())));
    lines.extend(state.debounce.as_ref().map(|time| format!("debounce {} s", time.get_ref())));
    lines
}

/// A keyword and the text of the file, without quotes and line breaks.
fn said(keyword: &str, source: &Source, span: std::ops::Range<usize>) -> String {
    let text = source.slice(span);
    let text = text.trim_matches(|letter| letter == '"' || letter == '\'');
    let words: Vec<&str> = text.split_whitespace().collect();
    format!("{keyword} {}", words.join(" "))
}

#[cfg(test)]
mod tests;
