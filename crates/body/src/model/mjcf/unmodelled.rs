//! Elements that affect the motion and are not modelled: refused, unless the options ignore them.

use super::defaults::Defaults;
use super::drive;
use super::element::Element;
use crate::model::companion::Unmodelled;
use crate::model::warning::Ignored;
use aplomb_language::diagnostic::{FileError, Source};
use std::ops::Range;

/// Elements found of this kind.
pub(super) struct UnmodelledElements<'a> {
    ignore: &'a [Unmodelled],
    refused: Vec<Refused>,
    /// Elements that the options ignore.
    pub ignored: Ignored,
}

/// Elements that are refused for one reason.
struct Refused {
    kind: Unmodelled,
    what: String,
    /// Number of them.
    count: usize,
    /// The first.
    at: Range<usize>,
    source: Source,
}

impl<'a> UnmodelledElements<'a> {
    pub(super) fn new(ignore: &'a [Unmodelled]) -> Self {
        UnmodelledElements { ignore, refused: Vec::new(), ignored: Ignored::default() }
    }

    /// Records an element that is not modelled, for the reason `what`.
    pub(super) fn add(&mut self, kind: Unmodelled, element: &Element, what: &str) {
        if self.ignore.contains(&kind) {
            self.ignored.add(format!("<{}>", element.tag()), element.tag_span());
            return;
        }
        match self.refused.iter_mut().find(|known| known.kind == kind && known.what == what) {
            Some(known) => known.count += 1,
            None => {
                let (at, source) = (element.tag_span(), element.source().clone());
                self.refused.push(Refused { kind, what: what.to_owned(), count: 1, at, source });
            }
        }
    }

    /// One error for each reason.
    pub(super) fn errors(&self) -> impl Iterator<Item = FileError> {
        self.refused.iter().map(|Refused { kind, what, count, at, source }| {
            let others = match count {
                1 => String::new(),
                2 => ", here and in one other place".to_owned(),
                _ => format!(", here and in {} other places", count - 1),
            };
            let name = kind.name();
            FileError::new(source, at.clone(), format!("{what} is not modelled{others}")).help(format!(
                "to ignore it, write ignore = [\"{name}\"] in the companion file (.body.toml) of this file, or use \
                 `aplomb check --ignore {name}`"
            ))
        })
    }

    /// Tendons with an effect.
    pub(super) fn tendons<'b>(
        &mut self,
        tendons: impl Iterator<Item = Element<'b>>,
        defaults: &'b Defaults<'b>,
    ) {
        for tendon in tendons {
            let Ok(tendon) = defaults.apply_main(tendon) else { continue };
            let acts = |name: &str| tendon.attribute(name).is_some_and(|given| has_number(given.value));
            if ["stiffness", "damping", "frictionloss", "range", "armature"].into_iter().any(acts) {
                self.add(Unmodelled::Tendon, &tendon, "a tendon with a spring, damper, limit or friction");
            }
        }
    }

    /// Active constraints other than couplings of joints.
    pub(super) fn equalities<'b>(&mut self, equalities: impl Iterator<Item = Element<'b>>) {
        for equality in equalities.filter(|equality| equality.tag() != COUPLING && is_active(equality)) {
            self.add(Unmodelled::Equality, &equality, "a constraint between bodies or tendons");
        }
    }

    /// Whether the actuator is not modelled.
    pub(super) fn is_unmodelled(&mut self, actuator: &Element) -> bool {
        let unmodelled = drive::is_unmodelled(actuator);
        if unmodelled {
            self.add(Unmodelled::Actuator, actuator, "an actuator that is a muscle, or acts on no joint,");
        }
        unmodelled
    }
}

/// Tag of the equality that couples joints.
const COUPLING: &str = "joint";

/// Whether an equality couples joints and is active.
pub(super) fn is_coupling(equality: &Element) -> bool {
    equality.tag() == COUPLING && is_active(equality)
}

fn is_active(equality: &Element) -> bool {
    equality.own("active").is_none_or(|active| active.value != "false")
}

/// Whether any of the numbers is not zero.
fn has_number(words: &str) -> bool {
    words.split_whitespace().any(|word| word.parse::<f64>().is_ok_and(|number| number != 0.0))
}
