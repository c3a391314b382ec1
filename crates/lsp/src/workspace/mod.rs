//! The texts that an editor has open, and the files around them.

mod bodies;
mod included;
mod scenes;

pub(crate) use included::Included;
pub(crate) use scenes::SceneOutline;

use crate::document::TextDocument;
use crate::names::Parts;
use aplomb_analysis::check::Kind;
use aplomb_language::diagnostic::Source;
use aplomb_language::files::{self, Folder, Located, Locator, Unsaved};
use bodies::Bodies;
use lsp_types::Uri;
use scenes::Scenes;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Default body of controllers that no scene uses.
pub(crate) const MODEL: &str = "adult";
/// Body for controllers that do not fit the default one.
pub(crate) const OTHER_MODEL: &str = "quadruped";

/// Open texts, with the contents of files around them. A clone keeps the texts that were open when it was made.
#[derive(Clone, Default)]
pub(crate) struct Workspace {
    documents: BTreeMap<String, Arc<TextDocument>>,
    unsaved: Arc<Unsaved>,
    read: Arc<ReadFiles>,
}

/// Contents of files that were read.
#[derive(Default)]
struct ReadFiles {
    scenes: Mutex<Scenes>,
    bodies: Mutex<Bodies>,
    /// Addresses of controllers that have no mistakes only with the other body.
    others: Mutex<BTreeSet<String>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Workspace {
    /// Stores a text, or a new version of it.
    pub(crate) fn put(&mut self, document: TextDocument) -> Arc<TextDocument> {
        let document = Arc::new(document);
        self.documents.insert(document.uri.as_str().to_owned(), document.clone());
        self.list_unsaved();
        document
    }

    /// Removes a text that was closed; returns whether it was open.
    pub(crate) fn close(&mut self, uri: &Uri) -> bool {
        let was_open = self.documents.remove(uri.as_str()).is_some();
        self.list_unsaved();
        was_open
    }

    fn list_unsaved(&mut self) {
        let texts = self.documents.values();
        let texts = texts.filter_map(|document| Some((document.path.clone()?, document.text.clone())));
        self.unsaved = Arc::new(texts.collect());
    }

    /// An open text.
    pub(crate) fn document(&self, uri: &Uri) -> Option<Arc<TextDocument>> {
        self.documents.get(uri.as_str()).cloned()
    }

    /// All open texts.
    pub(crate) fn documents(&self) -> impl Iterator<Item = &Arc<TextDocument>> {
        self.documents.values()
    }

    /// Runs `work` with the open texts in place of their files.
    pub(crate) fn with_texts<T>(&self, work: impl FnOnce() -> T) -> T {
        files::with_unsaved(self.unsaved.clone(), work)
    }

    /// A file that an open one refers to: an open text, one on disk, or a shipped one.
    pub(crate) fn find(&self, folder: Folder, reference: &str, from: &Locator) -> Option<Located> {
        self.with_texts(|| files::find(folder, reference, Some(from))).ok()
    }

    /// The scenes of a text: itself, or those that are open or near it and use it as a controller.
    pub(crate) fn scenes(&self, document: &TextDocument) -> Vec<Arc<SceneOutline>> {
        match document.kind {
            Kind::Scene => {
                vec![Arc::new(SceneOutline::of(&document.outline, &document.text, document.locator()))]
            }
            Kind::Controller => lock(&self.read.scenes).with_controller(self, document),
            Kind::Plot | Kind::Model => Vec::new(),
        }
    }

    /// The body with which a text is checked: that of its scene's first character, else a shipped one.
    pub(crate) fn body(&self, document: &TextDocument) -> Option<Source> {
        let of_scenes = self.scenes(document).into_iter().find_map(|scene| {
            let cast = scene.cast.iter().find(|cast| scene.has(self, cast, document))?;
            Some(self.find(Folder::Characters, cast.model.as_deref()?, &scene.locator)?.source)
        });
        of_scenes.or_else(|| {
            let is_other = lock(&self.read.others).contains(document.uri.as_str());
            shipped_body(if is_other { OTHER_MODEL } else { MODEL })
        })
    }

    /// Whether the body of a text is that of a scene.
    pub(crate) fn has_own_body(&self, document: &TextDocument) -> bool {
        self.scenes(document)
            .iter()
            .any(|scene| scene.cast.iter().any(|cast| scene.has(self, cast, document)))
    }

    /// Stores whether a text has no mistakes with the other shipped body.
    pub(crate) fn set_other_body(&self, document: &TextDocument, is_other: bool) {
        let mut others = lock(&self.read.others);
        match is_other {
            true => others.insert(document.uri.as_str().to_owned()),
            false => others.remove(document.uri.as_str()),
        };
    }

    /// Names of the parts of the body with which a text is checked.
    pub(crate) fn parts(&self, document: &TextDocument) -> Arc<Parts> {
        let Some(source) = self.body(document) else { return Arc::default() };
        lock(&self.read.bodies).parts(&source)
    }
}

/// A shipped body.
pub(crate) fn shipped_body(name: &str) -> Option<Source> {
    Some(files::find_shipped(Folder::Characters, name).ok()?.source)
}
