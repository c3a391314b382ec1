//! Characters from MJCF, MuJoCo's model files: the subset that [`subset`] lists, and nothing else in silence.

mod defaults;
mod drive;
mod element;
mod inertia;
mod joint;
mod limits;
mod names;
mod passive;
mod settings;
mod shape;
mod strict;
pub mod subset;
mod tree;

#[cfg(test)]
mod tests;

pub use passive::warn_of_passive_joints;

use crate::language::diagnostic::{FileError, Source};
use crate::model::{Keyframe, Model};
use defaults::Defaults;
use element::{Element, Text};
use names::Names;
use settings::Settings;
use tree::TreeReader;

/// Reads a model. The first mistake, or the first element or attribute outside the subset, is returned as an error
/// with its place.
///
/// # Errors
///
/// If the text is not XML, or uses an element, attribute or value outside the subset.
pub fn read(source: &Source) -> Result<Model, FileError> {
    limits::check(source)?;
    let options =
        roxmltree::ParsingOptions { allow_dtd: false, nodes_limit: limits::MOST_NODES, ..Default::default() };
    let document = roxmltree::Document::parse_with_options(&source.text, options)
        .map_err(|error| not_xml(source, &error))?;
    let text = Text::new(source);
    strict::check(&document, &text)?;
    let root = Element::new(document.root_element(), &text);
    let sections = |tag: &'static str| root.children().filter(move |section| section.tag() == tag);

    let mut settings = Settings::new();
    sections("compiler").try_for_each(|compiler| settings.read_compiler(compiler))?;
    sections("option").try_for_each(|option| settings.read_option(option))?;
    let defaults = Defaults::read(sections("default"))?;
    let mut model = Model {
        name: root.own("model").map_or(String::new(), |name| name.value.to_string()),
        gravity: settings.gravity,
        ..Model::empty()
    };

    let mut tree = TreeReader::new(&document, &settings, &defaults, &mut model);
    sections("worldbody").try_for_each(|worldbody| tree.read(worldbody))?;
    if model.bodies.is_empty() {
        return Err(root.error("the file has no <body>"));
    }
    if let Some(massless) = inertia::first_massless(&model.bodies) {
        let body = &model.bodies[massless];
        let found = document.descendants().filter(|node| node.has_tag_name("body"));
        let element = found.map(|node| Element::new(node, &text)).find(|element| element.line() == body.line);
        let message =
            format!("body `{}` moves but has no mass or no inertia", element::shortened(&body.name));
        return Err(element
            .unwrap_or(root)
            .error(message)
            .help("give it an <inertial>, or geoms with a mass"));
    }
    read_motors(sections("actuator"), &settings, &defaults, &mut model)?;
    let mut names = Names::of(&document, &["key"]);
    for key in sections("keyframe").flat_map(Element::children) {
        let keyframe: Keyframe = drive::read_key(key, &mut names, &model)?;
        model.keyframes.push(keyframe);
    }
    Ok(model)
}

/// Narrows the torque limits to what the motors can give. Where there are any, joints without one are passive.
fn read_motors<'a>(
    sections: impl Iterator<Item = Element<'a>>,
    settings: &Settings,
    defaults: &'a Defaults<'a>,
    model: &mut Model,
) -> Result<(), FileError> {
    let mut given: Vec<Option<[f64; 2]>> = vec![None; model.nv];
    for motor in sections.flat_map(Element::children) {
        let motor = defaults.apply_main(motor.node, motor.text)?;
        let (dof, [least, greatest]) = drive::read_motor(motor, settings, model)?;
        let [sum_least, sum_greatest] = given[dof].unwrap_or([0.0, 0.0]);
        given[dof] = Some([sum_least + least, sum_greatest + greatest]);
    }
    if given.iter().any(Option::is_some) {
        for (is_actuated, given) in model.is_actuated.iter_mut().zip(&given) {
            *is_actuated = given.is_some();
        }
    }
    for (limits, given) in model.torque_limits.iter_mut().zip(given) {
        if let Some(given) = given {
            *limits = given.map(|torque| torque.clamp(limits[0], limits[1]));
        }
    }
    Ok(())
}

/// A file the XML parser does not take.
fn not_xml(source: &Source, error: &roxmltree::Error) -> FileError {
    let start = match error {
        roxmltree::Error::UnexpectedEndOfStream
        | roxmltree::Error::NoRootNode
        | roxmltree::Error::UnclosedRootNode => source.text.len(),
        roxmltree::Error::DtdDetected => source.text.find("<!DOCTYPE").unwrap_or(0),
        _ => offset(&source.text, error.pos()),
    };
    let said = match error {
        roxmltree::Error::DtdDetected => "document type declarations are not allowed".to_string(),
        roxmltree::Error::NodesLimitReached => format!("more than {} elements", limits::MOST_NODES),
        roxmltree::Error::UnclosedRootNode => "the outermost element is never closed".to_string(),
        // The parser repeats the place, which stands before the message anyway.
        _ => error.to_string().replace(&format!(" at {}", error.pos()), ""),
    };
    let said: String = said.chars().take(200).collect();
    FileError::new(source, start..start + 1, format!("not well-formed XML: {said}"))
}

/// The byte a row and column (from 1) stand for.
fn offset(text: &str, place: roxmltree::TextPos) -> usize {
    let before = text.split_inclusive('\n').take((place.row as usize).saturating_sub(1));
    let start: usize = before.map(str::len).sum();
    let line = text[start..].split('\n').next().unwrap_or_default();
    start + line.char_indices().nth((place.col as usize).saturating_sub(1)).map_or(line.len(), |(at, _)| at)
}
