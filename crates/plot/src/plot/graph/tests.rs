use super::*;
use crate::plot::picture::{Mark, Picture};
use aplomb_world::controller;
use proptest::prelude::*;

fn graph(text: &str) -> StateGraph {
    let (source, spec) =
        controller::read(Source::new("c.toml", text), &[]).unwrap_or_else(|error| panic!("{error}"));
    StateGraph::new(&source, &spec)
}

const STEPPING: &str = r#"
title = "Steps"
start = "balance"
[states.balance]
while = "support_margin(capture_point) > 0"
debounce = 0.02
to = ["step", "rest"]
else = "fall"
[states.step]
until = "state_time > 0.3"
to = ["balance", "step"]
[states.rest]
[states.fall]
"#;

fn texts(picture: &Picture) -> Vec<&str> {
    let texts = picture.marks.iter().filter_map(|mark| match mark {
        Mark::Text { text, .. } => Some(text.as_str()),
        _ => None,
    });
    texts.collect()
}

#[test]
fn exits_are_in_order_and_say_when_they_are_taken() {
    let graph = graph(STEPPING);
    let said: Vec<String> =
        graph.exits().map(|(from, exit, to)| format!("{} -> {}: {exit}", from.name, to.name)).collect();
    assert_eq!(
        said,
        [
            "balance -> step: 1",
            "balance -> rest: 2",
            "balance -> fall: else",
            "step -> balance: 1: while support_margin(capture_point) > 0",
            "step -> step: 2",
        ]
    );
}

#[test]
fn dot_marks_the_start_and_dashes_else() {
    let dot = graph(STEPPING).dot();
    assert!(dot.starts_with("digraph {"));
    assert!(dot.contains("shape = box penwidth = 3"), "{dot}");
    assert!(dot.contains(r#"[ label = "step\luntil state_time > 0.3" shape = box]"#), "{dot}");
    assert!(dot.contains(r#"0 -> 3 [ label = "else" style = dashed]"#), "{dot}");
    assert!(::layout::gv::DotParser::new(&dot).process().is_ok(), "{dot}");
}

#[test]
fn the_picture_holds_every_state_and_condition() {
    let picture = graph(STEPPING).picture();
    let texts = texts(&picture);
    for wanted in [
        "Steps",
        "balance",
        "step",
        "rest",
        "fall",
        "else",
        "start",
        "until state_time > 0.3",
        "debounce 0.02 s",
    ] {
        assert!(texts.contains(&wanted), "no «{wanted}» in {texts:?}");
    }
    let svg = picture.svg().unwrap();
    roxmltree::Document::parse(&svg).unwrap();
    assert_eq!(svg, graph(STEPPING).picture().svg().unwrap());
}

#[test]
fn a_single_state_is_a_picture_too() {
    let picture = graph("start = \"a\"\n[states.a]\n").picture();
    assert!(texts(&picture).contains(&"a"));
}

proptest! {
    #[test]
    fn any_exits_can_be_laid_out(ways in prop::collection::vec((0usize..6, 0usize..6, any::<bool>()), 0..24)) {
        let mut graph = Graph::new();
        let nodes: Vec<NodeIndex> = (0..6)
            .map(|k| graph.add_node(StateNode { name: format!("s{k}"), start: k == 0, ..StateNode::default() }))
            .collect();
        for (order, (from, to, condition)) in ways.into_iter().enumerate() {
            let condition = condition.then(|| "while something holds for long".to_string());
            graph.add_edge(nodes[from], nodes[to], Exit::To { order, condition });
        }
        let picture = StateGraph { title: String::new(), graph }.picture();
        let texts = texts(&picture);
        for k in 0..6 {
            let name = format!("s{k}");
            prop_assert!(texts.contains(&name.as_str()), "no {name} in {texts:?}");
        }
    }
}
