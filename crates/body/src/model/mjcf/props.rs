//! Bodies in a character's file that are not the character: balls, targets, floors.

use super::defaults::Defaults;
use super::drive::count_configuration;
use super::element::Element;
use super::frame;
use super::names::Suffix;
use super::settings::CompilerSettings;
use crate::model::warning::Ignored;
use aplomb_language::diagnostic::FileError;
use std::collections::BTreeSet;
use std::ops::Range;

/// Outermost bodies outside the character.
#[derive(Default)]
pub(super) struct Props {
    /// Positions of their elements in the file.
    starts: BTreeSet<usize>,
    /// Their indices in a configuration of the whole file.
    pub skipped: Vec<Range<usize>>,
    /// Their names, for a warning.
    pub found: Ignored,
}

impl Props {
    /// Finds world bodies that are moved from outside (`mocap`) and, where other world bodies have actuators,
    /// those without one.
    pub(super) fn find<'a>(
        worldbodies: impl Iterator<Item = Element<'a>>,
        actuators: impl Iterator<Item = Element<'a>>,
        tendons: impl Iterator<Item = Element<'a>>,
        settings: &CompilerSettings,
        defaults: &'a Defaults<'a>,
    ) -> Result<Self, FileError> {
        let named = |element: &Element<'a>| element.own("joint").or_else(|| element.own("jointinparent"));
        let through_tendons = tendons.flat_map(Element::children);
        let driven: BTreeSet<&str> =
            actuators.chain(through_tendons).filter_map(|element| Some(named(&element)?.value)).collect();
        let is_driven = |body: &Element<'a>| {
            let mut joints = body.node.descendants().filter(|node| node.tag() == "joint");
            joints.any(|joint| joint.attribute("name").is_some_and(|name| driven.contains(name.value.trim())))
        };
        let mut bodies = Vec::new();
        for worldbody in worldbodies {
            let items =
                frame::contents(worldbody, super::defaults::MAIN, &Suffix::default(), settings, defaults)?;
            bodies
                .extend(items.into_iter().map(|item| item.element).filter(|element| element.tag() == "body"));
        }
        let has_actor = bodies.iter().any(is_driven);
        let mut props = Props::default();
        let mut first = 0;
        for body in bodies {
            let numbers = count_configuration(body.node, defaults)?;
            let is_moved = body.own("mocap").is_some_and(|mocap| mocap.value == "true");
            if is_moved || (has_actor && !is_driven(&body)) {
                let name = body.name().map_or("<body>".into(), |name| format!("`{}`", name.value));
                props.found.add(name, body.tag_span());
                props.starts.insert(body.node.start());
                props.skipped.push(first..first + numbers);
            }
            first += numbers;
        }
        Ok(props)
    }

    /// Whether the body is one of these.
    pub(super) fn contains(&self, body: &Element) -> bool {
        self.starts.contains(&body.node.start())
    }
}
