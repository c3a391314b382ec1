//! A controller's states and transitions, as DOT and as a picture.

mod draw;
mod layers;
mod layout;
mod order;
mod text;

use crate::controller::{ControllerSpec, StateSpec};
use crate::language::diagnostic::Source;
use petgraph::Graph;
use petgraph::dot::{Config, Dot};
use petgraph::graph::NodeIndex;
use petgraph::visit::EdgeRef;
use std::fmt;

/// States and exits, in the order of the file.
#[derive(Clone, Debug)]
pub struct StateGraph {
    title: String,
    graph: Graph<State, Exit>,
}

/// A node: a state with what it says about itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// Name of the state.
    pub name: String,
    /// Whether the machine starts here.
    pub start: bool,
    /// `while …`, `until …`, `for … s`, as the file has them.
    pub conditions: Vec<String>,
}

/// An edge: a way out of a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Exit {
    /// The exit tried as `order`-th (from 1), with the `while` of the state it leads to, if that has one.
    To {
        /// Place among the exits of the state in the order in which they are tried, from 1.
        order: usize,
        /// `while` condition of the state it leads to; `None` if it has none.
        condition: Option<String>,
    },
    /// Where it goes when no exit is applicable.
    Else,
}

impl fmt::Display for State {
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
    /// The graph of a controller read from `source`; exits to states that do not exist are left out.
    pub fn new(source: &Source, controller: &ControllerSpec) -> Self {
        let mut graph = Graph::new();
        let nodes: Vec<(NodeIndex, &StateSpec)> = controller
            .states
            .iter()
            .map(|(name, state)| {
                let node = State {
                    name: name.get_ref().clone(),
                    start: name.get_ref() == controller.start.get_ref(),
                    conditions: conditions(source, state),
                };
                (graph.add_node(node), state)
            })
            .collect();
        let find = |wanted: &str| {
            let at = controller.states.keys().position(|name| name.get_ref() == wanted);
            at.and_then(|at| nodes.get(at).copied())
        };
        for (from, state) in &nodes {
            for (index, name) in state.to.iter().enumerate() {
                if let Some((to, target)) = find(name.get_ref()) {
                    let condition =
                        target.applicable.as_ref().map(|field| said("while", source, field.span()));
                    graph.add_edge(*from, to, Exit::To { order: index + 1, condition });
                }
            }
            if let Some((to, _)) = state.otherwise.as_ref().and_then(|name| find(name.get_ref())) {
                graph.add_edge(*from, to, Exit::Else);
            }
        }
        StateGraph { title: controller.title.clone().unwrap_or_default(), graph }
    }

    /// The states, in the order of the file.
    pub fn states(&self) -> impl Iterator<Item = &State> {
        self.graph.node_weights()
    }

    /// The exits as state, exit, state.
    pub fn exits(&self) -> impl Iterator<Item = (&State, &Exit, &State)> {
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
        let node = |_, (_, state): (NodeIndex, &State)| {
            let start = if state.start { " penwidth = 3" } else { "" };
            format!("shape = box{start}")
        };
        // The getters add to the labels that the weights display as.
        let configuration: [Config; 0] = [];
        Dot::with_attr_getters(&self.graph, &configuration, &edge, &node).to_string()
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
    let text = source.text.get(span).unwrap_or_default();
    let text = text.trim_matches(|letter| letter == '"' || letter == '\'');
    let words: Vec<&str> = text.split_whitespace().collect();
    format!("{keyword} {}", words.join(" "))
}

#[cfg(test)]
mod tests;
