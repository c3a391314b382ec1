//! Operands of a condition, which explain its value: those of its comparisons.

use super::bind;
use super::bound::{Any, ExpressionText};
use super::names::Names;
use super::syntax::{Syntax, SyntaxNode, parse};
use crate::diagnostic::Place;
use crate::namespace::Namespace;

/// Operands of a condition's comparisons, and the conditions it consists of, each once; literal numbers are omitted.
/// `of_file` maps the names of its file to those of the composed controller. Empty for text that is not an
/// expression.
pub fn operands(text: &str, of_file: Option<&Namespace>, names: &dyn Names) -> Vec<Any> {
    let mut nodes = Vec::new();
    match parse(text) {
        Ok(node) => collect(&node.in_whole(of_file), &mut nodes),
        Err(_) => return Vec::new(),
    }
    let mut operands: Vec<Any> = Vec::new();
    for node in nodes {
        let Some(written) = text.get(node.span.clone()) else { continue };
        if operands.iter().any(|known| **known.text() == *written) {
            continue;
        }
        if let Ok(tree) = bind::bind(&node, names) {
            operands
                .push(Any { tree, origin: ExpressionText { text: written.into(), place: Place::default() } });
        }
    }
    operands
}

fn collect(node: &SyntaxNode, nodes: &mut Vec<SyntaxNode>) {
    match &node.syntax {
        Syntax::Binary { operator: "and" | "or", sides } => {
            sides.iter().for_each(|side| collect(side, nodes))
        }
        Syntax::Binary { operator: "<" | "<=" | ">" | ">=" | "==" | "!=", sides } => {
            nodes.extend(sides.iter().filter(|side| !is_written_out(side)).cloned());
        }
        Syntax::Not(inner) => collect(inner, nodes),
        Syntax::Choice(choice) => {
            [&choice.condition, &choice.yes, &choice.no].into_iter().for_each(|part| collect(part, nodes));
        }
        _ if is_written_out(node) => {}
        _ => nodes.push(node.clone()),
    }
}

fn is_written_out(node: &SyntaxNode) -> bool {
    match &node.syntax {
        Syntax::Number(_) | Syntax::Boolean(_) => true,
        Syntax::Negate(inner) => is_written_out(inner),
        _ => false,
    }
}
