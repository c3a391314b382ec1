//! Corrections of COLLADA files that the mesh library would read wrongly.

use super::file::MeshError;
use roxmltree::{Document, Node};
use std::collections::BTreeSet;

/// Elements that transform the content of a node.
const MOVES: [&str; 6] = ["matrix", "translate", "rotate", "scale", "skew", "lookat"];

/// Length unit of a file, m, which is then replaced by 1 in the file, because the library does not apply it to the
/// positions of nodes.
///
/// # Errors
/// Contents that the library would place wrongly or omit: nested nodes that both have a transform, and a geometry
/// that has several instances.
pub(super) fn take_unit(bytes: &mut Vec<u8>) -> Result<f64, MeshError> {
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
    if document.descendants().any(|node| promises(&node) > text.len() as u64) {
        return Err(broken("it says that it has more numbers than fit into it"));
    }
    if let Some(accessor) = elements(&document, "accessor").find(overlaps) {
        let place = document.text_pos_at(accessor.range().start);
        let said = "an <accessor> whose `stride` is less than the numbers that its <param>s name";
        return Err(MeshError::Broken(format!("line {}, column {}: {said}", place.row, place.col)));
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

/// Whether a file has y up, the default of COLLADA.
pub(super) fn says_y_is_up(bytes: &[u8]) -> bool {
    let text = std::str::from_utf8(bytes).unwrap_or_default();
    let Ok(document) = Document::parse(text) else { return false };
    let up = elements(&document, "up_axis").next().and_then(|up| up.text());
    up.is_none_or(|up| up.trim() == "Y_UP")
}

/// Declared counts of an element, for which the library allocates before it reads.
fn promises(node: &Node) -> u64 {
    let number =
        |node: &Node, name: &str| node.attribute(name).and_then(|text| text.trim().parse::<u64>().ok());
    let corners = node.children().filter(|child| child.tag_name().name() == "vcount").flat_map(|child| {
        let words = child.text().unwrap_or("").split_whitespace();
        words.map(|word| word.parse::<u64>().unwrap_or(0)).collect::<Vec<_>>()
    });
    let corners = corners.fold(0, u64::saturating_add);
    let offsets = node.children().filter_map(|child| number(&child, "offset"));
    let stride = offsets.max().unwrap_or(0).saturating_add(1);
    number(node, "count").unwrap_or(0).max(corners).saturating_mul(stride)
}

/// Whether an accessor's stride is shorter than its item, at which the library panics.
fn overlaps(accessor: &Node) -> bool {
    let taken = accessor.children().filter(|child| child.tag_name().name() == "param").count();
    let stride = accessor.attribute("stride").map_or(Ok(1), |stride| stride.trim().parse::<usize>());
    stride.is_ok_and(|stride| stride < taken.max(1))
}

fn elements<'a>(document: &'a Document, name: &'a str) -> impl Iterator<Item = Node<'a, 'a>> {
    document.descendants().filter(move |node| node.tag_name().name() == name)
}

#[cfg(test)]
mod tests {
    use super::take_unit;

    #[test]
    fn an_accessor_that_steps_on_by_too_little_is_refused_with_its_place() {
        let file = |stride: &str| {
            let params = "<param name=\"X\"/><param name=\"Y\"/><param name=\"Z\"/>";
            format!("<COLLADA>\n <accessor{stride}>{params}</accessor></COLLADA>").into_bytes()
        };
        assert!(take_unit(&mut file(" stride=\"3\"")).is_ok());
        for stride in [" stride=\"0\"", " stride=\"2\"", ""] {
            let error = take_unit(&mut file(stride)).unwrap_err().to_string();
            assert!(error.starts_with("line 2, column 2: an <accessor>"), "{error}");
        }
    }

    #[test]
    fn a_file_that_says_it_has_more_numbers_than_fit_into_it_is_refused() {
        let file = |array: &str, input: &str, corners: &str| {
            format!(
                "<COLLADA><float_array count=\"{array}\">0 0 0 1 0 0 0 1 0</float_array><polylist count=\"1\">\
                 <input offset=\"{input}\"/><vcount>{corners}</vcount><p>0 1 2</p></polylist></COLLADA>"
            )
        };
        assert!(take_unit(&mut file("9", "0", "3").into_bytes()).is_ok());
        for (array, input, corners) in
            [("4294967295", "0", "3"), ("9", "4294967294", "3"), ("9", "0", "4294967295 4294967295")]
        {
            let error = take_unit(&mut file(array, input, corners).into_bytes()).unwrap_err().to_string();
            assert!(error.contains("more numbers than fit"), "{error}");
        }
    }
}
