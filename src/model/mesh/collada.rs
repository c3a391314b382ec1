//! What of COLLADA the mesh library does not have right, done before it reads a file.

use super::error::MeshError;
use roxmltree::{Document, Node};
use std::collections::BTreeSet;

/// Elements that move what is in a node.
const MOVES: [&str; 6] = ["matrix", "translate", "rotate", "scale", "skew", "lookat"];

/// The length unit of a file, m, which becomes 1 in it: the library does not apply it to where nodes are.
///
/// # Errors
/// What the library would put elsewhere, or leave out: nodes in nodes that both are moved, and a geometry that is in
/// several places.
pub fn take_unit(bytes: &mut Vec<u8>) -> Result<f64, MeshError> {
    let broken = |why: &str| MeshError::Broken(why.into());
    let text = std::str::from_utf8(bytes).map_err(|_| broken("is not UTF-8"))?;
    let document = Document::parse(text).map_err(|error| MeshError::Broken(error.to_string()))?;
    let mut placed = BTreeSet::new();
    for instance in elements(&document, "instance_geometry") {
        let moved = |node: &Node| node.children().any(|child| MOVES.contains(&child.tag_name().name()));
        if instance.ancestors().filter(moved).count() > 1 {
            return Err(broken("nodes in nodes that both are moved are not read"));
        }
        if !placed.insert(instance.attribute("url")) {
            return Err(broken("a geometry that is in several places is not read"));
        }
    }
    let unit = elements(&document, "unit").find_map(|unit| unit.attribute_node("meter"));
    let Some(unit) = unit else { return Ok(1.0) };
    let length: f64 = unit.value().trim().parse().unwrap_or(0.0);
    if !(length.is_finite() && length > 0.0) {
        return Err(broken("its unit has no length"));
    }
    let range = unit.range_value();
    drop(document);
    bytes.splice(range, *b"1");
    Ok(length)
}

fn elements<'a>(document: &'a Document, name: &'a str) -> impl Iterator<Item = Node<'a, 'a>> {
    document.descendants().filter(move |node| node.tag_name().name() == name)
}
