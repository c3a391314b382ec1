//! The meaning of a name of an expression at its place.

use crate::document::TextDocument;
use crate::expression;
use crate::names::{DefinedName, OwnKind, Parts, Word, listed, own};
use crate::workspace::{Included, SceneOutline, Workspace};
use aplomb_analysis::check::Kind;
use aplomb_language::expression::Type;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The meaning of a name.
#[derive(Clone, Debug)]
pub(crate) enum NameMeaning {
    /// A name defined by the file.
    Own(DefinedName),
    /// A name defined by a file that this one includes or refers to.
    Included(Box<Included>, DefinedName),
    /// A name available in every expression.
    Listed(&'static Word),
    /// A part of the body, or something around it.
    Part(Word),
    /// A variable of an iteration over a set.
    Variable(String),
}

/// All names that the expressions of a text may use.
pub(crate) struct NameLookup<'a> {
    document: &'a TextDocument,
    /// Names defined by the text.
    pub own: Vec<DefinedName>,
    /// The files that it includes; for a scene, the controllers of its characters.
    pub included: Vec<Included>,
    /// Names of the body's parts.
    pub parts: Arc<Parts>,
    /// The scenes that concern the text.
    pub scenes: Vec<Arc<SceneOutline>>,
}

impl<'a> NameLookup<'a> {
    /// The names of a text.
    pub(crate) fn of(workspace: &Workspace, document: &'a TextDocument) -> Self {
        let is_controller = document.kind == Kind::Controller;
        NameLookup {
            document,
            own: if is_controller { own(&document.outline) } else { Vec::new() },
            included: match document.kind {
                Kind::Controller => workspace.included(document),
                Kind::Scene => workspace.controllers(document),
                Kind::Plot | Kind::Model => Vec::new(),
            },
            parts: workspace.parts(document),
            scenes: workspace.scenes(document),
        }
    }

    /// The meaning of a name in an expression; if `name.x` has none, that of `name`.
    pub(crate) fn meaning(&self, name: &str, within: &str) -> Option<NameMeaning> {
        if let Some(found) = self.whole(name, within) {
            return Some(found);
        }
        let (base, component) = name.rsplit_once('.')?;
        let is_component = component.is_empty() || ["x", "y", "z"].contains(&component);
        if is_component { self.whole(base, within) } else { None }
    }

    fn whole(&self, name: &str, within: &str) -> Option<NameMeaning> {
        if expression::variables(within).contains(&name) {
            return Some(NameMeaning::Variable(name.to_owned()));
        }
        let own = |is_state: bool| {
            let is_meant = |own: &&DefinedName| own.name == name && (own.kind == OwnKind::State) == is_state;
            self.own.iter().find(is_meant).cloned().map(NameMeaning::Own)
        };
        let part =
            || self.parts.of_expressions().find(|word| word.name == name).cloned().map(NameMeaning::Part);
        own(false)
            .or_else(|| listed().iter().find(|word| word.name == name).map(NameMeaning::Listed))
            .or_else(part)
            .or_else(|| self.around().into_iter().find(|word| word.name == name).map(NameMeaning::Part))
            .or_else(|| own(true))
            .or_else(|| self.of_included(name))
    }

    /// A state of the file or of one that it includes.
    pub(crate) fn state(&self, name: &str) -> Option<NameMeaning> {
        let own = self.own.iter().find(|own| own.name == name && own.kind == OwnKind::State);
        own.cloned().map(NameMeaning::Own).or_else(|| self.of_included(name)).or_else(|| self.include(name))
    }

    /// An included file by its name.
    pub(crate) fn include(&self, name: &str) -> Option<NameMeaning> {
        self.own
            .iter()
            .find(|own| own.name == name && own.kind == OwnKind::Include)
            .cloned()
            .map(NameMeaning::Own)
    }

    fn of_included(&self, name: &str) -> Option<NameMeaning> {
        let is_scene = self.document.kind == Kind::Scene;
        self.included.iter().find_map(|file| {
            // A scene names the states of its controllers without a prefix.
            let found = match is_scene {
                true => {
                    own(&file.outline).into_iter().find(|own| own.name == name && own.kind == OwnKind::State)
                }
                false => file.names().into_iter().find(|own| own.name == name),
            };
            Some(NameMeaning::Included(Box::new(file.clone()), found?))
        })
    }

    /// Objects, holds, surfaces and characters of the scenes, and those that the controller itself requires.
    pub(crate) fn around(&self) -> Vec<Word> {
        let mut words: Vec<Word> = Vec::new();
        let mut known = BTreeSet::new();
        let mut add = |name: &str, what: &'static str, result: Type| {
            if !name.is_empty() && known.insert(name.to_owned()) {
                words.push(Word::new(name, what, "Of the scene.").of_type(result));
            }
        };
        for scene in &self.scenes {
            scene.holds.iter().for_each(|name| add(name, "hold", Type::Hold));
            scene.objects.iter().for_each(|name| add(name, "passive object", Type::Passive));
            scene.obstacles.iter().for_each(|name| add(name, "surface", Type::Surface));
            scene.cast.iter().for_each(|cast| add(&cast.name, "character", Type::Character));
        }
        add("ground", "surface", Type::Surface);
        if self.document.kind == Kind::Controller {
            for item in &self.document.outline.items {
                let is_in = |table| crate::outline::is(&item.path, &["needs", table, "#"]);
                let Some(name) = item.written(&self.document.text) else { continue };
                if is_in("obstacles") {
                    add(name, "surface", Type::Surface);
                } else if is_in("passive") {
                    add(name, "passive object", Type::Passive);
                }
            }
        }
        words
    }
}
