//! Checks that every element and attribute is in the subset before the model is read, so that nothing is
//! ignored silently.

use super::element::{Element, shortened};
use super::subset::{AttributeRule, AttributeTreatment, Decoration, ELEMENTS, ElementRule};
use crate::model::warning::Ignored;
use crate::model::xml::{AttributeData, Tree, XmlNode};
use aplomb_language::diagnostic::FileError;

/// Checks every element and attribute of the tree against the subset. Ignored items are added to `ignored`; all
/// errors are returned.
///
/// # Errors
/// If the file is not MJCF.
pub(super) fn check(tree: &Tree, ignored: &mut Ignored) -> Result<Vec<FileError>, FileError> {
    let root = tree.root();
    if root.tag() != "mujoco" {
        let error = FileError::new(&tree.source, root.start()..root.start(), "not an MJCF file");
        return Err(error
            .label(format!("found <{}>", shortened(root.tag())))
            .help("the outermost element of an MJCF file is <mujoco>"));
    }
    let mut errors = Vec::new();
    let mut waiting = vec![root];
    while let Some(node) = waiting.pop() {
        match rule_of(node) {
            Ok(rule) => match rule.decoration {
                Decoration::Silent | Decoration::Unmodelled => {}
                Decoration::Listed => ignored.add(format!("<{}>", rule.name), tag_span(node)),
                Decoration::No => {
                    check_attributes(node, rule, ignored, &mut errors);
                    waiting.extend(node.children().rev());
                }
            },
            Err(error) => errors.push(error),
        }
    }
    Ok(errors)
}

fn tag_span(node: XmlNode) -> std::ops::Range<usize> {
    node.start()..node.start() + 1 + node.tag().len()
}

/// The rule of an element in its place.
fn rule_of(node: XmlNode) -> Result<&'static ElementRule, FileError> {
    let tag = node.tag();
    let parent = node.parent().map_or("", |parent| parent.tag());
    let belongs = |rule: &&ElementRule| match parent {
        "" => rule.inside.is_empty(),
        _ => rule.inside.contains(&parent),
    };
    let named = || ELEMENTS.iter().filter(|rule| rule.name == tag);
    if let Some(rule) = named().find(belongs) {
        return Ok(rule);
    }
    if named().next().is_some() {
        let places = named().flat_map(|rule| rule.inside).map(|place| format!("<{place}>"));
        let places: Vec<String> = places.collect();
        let error = Element::new(node).error(format!("<{tag}> has no place in <{parent}>"));
        return Err(match places.is_empty() {
            true => error.help("it is the outermost element"),
            false => error.help(format!("it stands in {}", places.join(" or "))),
        });
    }
    let (tag, parent) = (shortened(tag), shortened(parent));
    let known = ELEMENTS.iter().filter(belongs).map(|rule| rule.name);
    let error = Element::new(node);
    if let Some((_, why)) = OUTSIDE.iter().find(|(name, _)| *name == tag) {
        return Err(error.error(format!("<{tag}> in <{parent}> is outside the subset")).help(*why));
    }
    Err(error.error(format!("<{tag}> in <{parent}> is unknown or outside the subset")).suggest(&tag, known))
}

/// Elements of MJCF that are not supported, with the reason: their names are not misspelt.
const OUTSIDE: [(&str, &str); 8] = [
    ("attach", "one file holds the whole model: save it from MuJoCo with all its parts in one"),
    ("composite", "write its bodies out, as MuJoCo does when it saves the model"),
    ("flexcomp", "soft bodies are passive objects of scenes (cloth, particles)"),
    ("flex", "soft bodies are passive objects of scenes (cloth, particles)"),
    ("plugin", "plugins of MuJoCo are not run"),
    ("extension", "plugins of MuJoCo are not run"),
    ("orientation", "an actuator that holds a pose has no place here: torques are free within their limits"),
    ("model", "one file holds the whole model: save it from MuJoCo with all its parts in one"),
];

fn check_attributes(node: XmlNode, rule: &ElementRule, ignored: &mut Ignored, errors: &mut Vec<FileError>) {
    let tag = rule.name;
    for attribute in node.attributes() {
        let Some(found) = rule.attribute(&attribute.name) else {
            let name = shortened(&attribute.name);
            let message = format!("<{tag}> attribute `{name}` is unknown or outside the subset");
            let error = FileError::new(node.source(), attribute.span.clone(), message);
            errors.push(error.suggest(&name, rule.attribute_names()));
            continue;
        };
        match found.meaning {
            AttributeTreatment::Only(values) if !values.iter().any(|value| same(&attribute.value, value)) => {
                errors.push(only_error(node, attribute, found, values));
            }
            AttributeTreatment::Listed => {
                ignored.add(format!("<{tag}> attribute `{}`", found.name), attribute.span.clone());
            }
            AttributeTreatment::Read | AttributeTreatment::Ignored | AttributeTreatment::Only(_) => {}
        }
    }
}

/// Whether two attribute values are equal, as text or as numbers.
fn same(found: &str, allowed: &str) -> bool {
    let equal = |(a, b): (&str, &str)| match (a.parse::<f64>(), b.parse::<f64>()) {
        (Ok(a), Ok(b)) => a == b,
        _ => a == b,
    };
    found.split_whitespace().count() == allowed.split_whitespace().count()
        && found.split_whitespace().zip(allowed.split_whitespace()).all(equal)
}

fn only_error(node: XmlNode, found: &AttributeData, rule: &AttributeRule, values: &[&str]) -> FileError {
    let message = format!("only {} is supported", values.join(" or "));
    let element = Element::new(node);
    let error = match element.own(&found.name) {
        Some(attribute) => attribute.error(message),
        None => element.error(message),
    };
    if rule.note.is_empty() { error } else { error.help(rule.note) }
}
