//! Controllers that a controller includes, and those of a scene.

use super::Workspace;
use crate::document::TextDocument;
use crate::names::{DefinedName, OwnKind, own};
use crate::outline::{DocumentOutline, OutlineValue, PathStep, is};
use aplomb_language::files::{Folder, Locator};
use std::sync::Arc;

/// Deepest nesting of includes that is followed.
const DEEPEST: usize = 4;
/// Most files that are followed.
const MOST: usize = 40;

/// A controller that another file refers to.
#[derive(Clone, Debug)]
pub(crate) struct Included {
    /// Names of the includes that lead to it, joined by dots; for a scene's character, its name.
    pub prefix: String,
    /// Its location.
    pub locator: Locator,
    /// Its text.
    pub text: Arc<str>,
    /// Its items with their places.
    pub outline: DocumentOutline,
    /// Whether left and right are exchanged in it.
    pub is_mirrored: bool,
}

impl Included {
    /// The names that it defines, as the including file writes them.
    pub(crate) fn names(&self) -> Vec<DefinedName> {
        let mut names = own(&self.outline);
        for name in &mut names {
            name.name = self.outside(&name.name);
        }
        names
    }

    /// A name that it defines, as the including file writes it.
    pub(crate) fn outside(&self, name: &str) -> String {
        let name = match self.is_mirrored {
            true => aplomb_language::namespace::mirrored(name),
            false => name.into(),
        };
        format!("{}.{name}", self.prefix)
    }

    /// Names of its objectives.
    pub(crate) fn objectives(&self) -> Vec<String> {
        let is_name = |path: &[PathStep]| {
            is(path, &["objectives", "#", "name"]) || is(path, &["states", "*", "objectives", "#", "name"])
        };
        let items = self.outline.items.iter().filter(|item| is_name(&item.path));
        let mut names: Vec<String> =
            items.filter_map(|item| Some(item.written(&self.text)?.to_owned())).collect();
        names.sort();
        names.dedup();
        names
    }

    /// Names of its commands.
    pub(crate) fn commands(&self) -> Vec<String> {
        let names = own(&self.outline).into_iter().filter(|own| own.kind == OwnKind::Command);
        names.map(|own| own.name).collect()
    }
}

impl Workspace {
    /// The controllers that a controller includes, with those that they include.
    pub(crate) fn included(&self, document: &TextDocument) -> Vec<Included> {
        let mut all = Vec::new();
        self.follow("", &document.outline, &document.text, &document.locator(), false, &mut all);
        all
    }

    /// The controllers of a scene's characters.
    pub(crate) fn controllers(&self, document: &TextDocument) -> Vec<Included> {
        let scene = super::SceneOutline::of(&document.outline, &document.text, document.locator());
        let of_cast = scene.cast.iter().filter_map(|cast| {
            let found = self.find(Folder::Controllers, cast.controller.as_deref()?, &scene.locator)?;
            Some(Included {
                prefix: cast.name.clone(),
                locator: found.locator,
                outline: DocumentOutline::of(&found.source.text),
                text: found.source.text,
                is_mirrored: false,
            })
        });
        of_cast.collect()
    }

    fn follow(
        &self,
        prefix: &str,
        outline: &DocumentOutline,
        text: &str,
        locator: &Locator,
        is_mirrored: bool,
        all: &mut Vec<Included>,
    ) {
        let depth = if prefix.is_empty() { 0 } else { prefix.split('.').count() };
        for item in outline.items.iter().filter(|item| is(&item.path, &["include", "*", "file"])) {
            let name = item.path.get(1).and_then(PathStep::key);
            let (Some(name), Some(reference), true) = (name, item.written(text), depth < DEEPEST) else {
                continue;
            };
            let Some(found) = self.find(Folder::Controllers, reference, locator) else { continue };
            let mirror = [PathStep::from("include"), PathStep::from(name), PathStep::from("mirror")];
            let is_set = outline.items.iter().any(|other| {
                other.path == mirror
                    && other.value == OutlineValue::Bare
                    && other.written(text) == Some("true")
            });
            let inner = DocumentOutline::of(&found.source.text);
            let prefix = aplomb_language::namespace::joined(prefix, name);
            let included = Included {
                prefix: prefix.clone(),
                locator: found.locator.clone(),
                text: found.source.text.clone(),
                outline: inner.clone(),
                is_mirrored: is_mirrored != is_set,
            };
            if all.len() >= MOST {
                return;
            }
            let is_mirrored = included.is_mirrored;
            all.push(included);
            self.follow(&prefix, &inner, &found.source.text, &found.locator, is_mirrored, all);
        }
    }
}
