//! Scenes: the names in them, and the scenes near a controller that use it.

use super::Workspace;
use crate::document::{TextDocument, slashes};
use crate::outline::{DocumentOutline, PathStep, is, key_path};
use aplomb_analysis::check::Kind;
use aplomb_language::files::{Folder, Locator, ends_in};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

/// Most files of a folder that are read.
const MOST: usize = 400;
/// Longest scene that is read for its characters, bytes.
const LONGEST: u64 = 1 << 20;

/// The names of characters and objects in the text of a scene.
#[derive(Clone, Debug)]
pub(crate) struct SceneOutline {
    /// Its file.
    pub locator: Locator,
    /// Its characters.
    pub cast: Vec<SceneCharacter>,
    /// Ground, obstacles and terrain.
    pub obstacles: Vec<String>,
    /// Passive objects.
    pub objects: Vec<String>,
    /// Holds and bars.
    pub holds: Vec<String>,
    /// Events.
    pub events: Vec<String>,
}

/// A character of a scene.
#[derive(Clone, Debug)]
pub(crate) struct SceneCharacter {
    /// Its name.
    pub name: String,
    /// Its body, as the scene refers to it.
    pub model: Option<String>,
    /// Its controller, as the scene refers to it.
    pub controller: Option<String>,
}

impl SceneOutline {
    /// The names in a text.
    pub(crate) fn of(outline: &DocumentOutline, text: &str, locator: Locator) -> Self {
        let names = |table: &[&str]| {
            let table = key_path(table);
            let mut known = BTreeSet::new();
            let keys = outline.keys_in(&table).map(|(name, ..)| name);
            keys.filter(|name| !name.is_empty() && known.insert(*name)).map(str::to_owned).collect::<Vec<_>>()
        };
        let written =
            |name: &str, key: &str| outline.text_at(text, &["characters", name, key]).map(str::to_owned);
        let cast = names(&["characters"]).into_iter().map(|name| SceneCharacter {
            model: written(&name, "model"),
            controller: written(&name, "controller"),
            name,
        });
        let cast = cast.collect();
        let mut obstacles = vec!["ground".to_owned()];
        obstacles.extend(names(&["obstacles"]));
        obstacles.extend(names(&["terrain"]));
        let mut holds = names(&["bars"]);
        holds.extend(names(&["holds", "at"]));
        let rows = outline.text_at(text, &["holds", "rows"]).and_then(|rows| rows.parse().ok()).unwrap_or(0);
        holds.extend((0..rows.min(100)).flat_map(|row: u32| [format!("left_{row}"), format!("right_{row}")]));
        SceneOutline {
            locator,
            cast,
            obstacles,
            objects: names(&["passive"]),
            holds,
            events: names(&["events"]),
        }
    }

    /// Whether a character uses this text: every character of a scene, and those with this controller.
    pub(crate) fn has(&self, workspace: &Workspace, cast: &SceneCharacter, document: &TextDocument) -> bool {
        if document.kind == Kind::Scene {
            return true;
        }
        let (Some(path), Some(reference), Some(stem)) = (&document.path, &cast.controller, document.stem())
        else {
            return false;
        };
        let named = Path::new(reference).file_stem().and_then(|name| name.to_str());
        if named != Some(stem) {
            return false;
        }
        match workspace.find(Folder::Controllers, reference, &self.locator).map(|found| found.locator) {
            Some(Locator::Disk(found)) => found == *path,
            // The shipped file, opened in its source folder.
            Some(Locator::Embedded(found)) => slashes(path).ends_with(&format!("/{found}")),
            None => false,
        }
    }

    fn path(&self) -> Option<PathBuf> {
        self.locator.path()
    }
}

/// Scenes that were read, by their path, each until it changes.
#[derive(Default)]
pub(super) struct Scenes(BTreeMap<PathBuf, (SystemTime, Option<Arc<SceneOutline>>)>);

impl Scenes {
    /// The scenes that use a controller: open ones first, then those in its folder and in `../scenes`.
    pub(super) fn with_controller(
        &mut self,
        workspace: &Workspace,
        document: &TextDocument,
    ) -> Vec<Arc<SceneOutline>> {
        let open = workspace.documents().filter(|other| other.kind == Kind::Scene);
        let open: Vec<Arc<SceneOutline>> = open
            .map(|other| Arc::new(SceneOutline::of(&other.outline, &other.text, other.locator())))
            .collect();
        let is_open = |path: &Path| open.iter().any(|scene| scene.path().as_deref() == Some(path));
        let mut all = open.clone();
        let folder = document.path.as_deref().and_then(Path::parent);
        let beside = folder.and_then(Path::parent).map(|above| above.join(Folder::Scenes.name()));
        for folder in folder.map(Path::to_path_buf).into_iter().chain(beside) {
            let on_disk = self.in_folder(&folder);
            all.extend(on_disk.into_iter().filter(|scene| scene.path().is_none_or(|path| !is_open(&path))));
        }
        all.retain(|scene| scene.cast.iter().any(|cast| scene.has(workspace, cast, document)));
        all
    }

    fn in_folder(&mut self, folder: &Path) -> Vec<Arc<SceneOutline>> {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let files = entries.filter(|entry| ends_in(&entry.path(), &["toml"])).take(MOST);
        let mut found: Vec<(PathBuf, Arc<SceneOutline>)> =
            files.filter_map(|entry| Some((entry.path(), self.on_disk(&entry)?))).collect();
        found.sort_by(|(a, _), (b, _)| a.cmp(b));
        found.into_iter().map(|(_, scene)| scene).collect()
    }

    fn on_disk(&mut self, entry: &std::fs::DirEntry) -> Option<Arc<SceneOutline>> {
        let path = entry.path();
        let about =
            std::fs::metadata(&path).ok().filter(|about| about.is_file() && about.len() <= LONGEST)?;
        let changed = about.modified().ok()?;
        if let Some((time, known)) = self.0.get(&path)
            && *time == changed
        {
            return known.clone();
        }
        let text = std::fs::read_to_string(&path).ok()?;
        let outline = DocumentOutline::of(&text);
        let has_cast = outline.items.iter().any(|item| {
            is(&item.path, &["characters", "*", "controller"])
                || item.path.first() == Some(&PathStep::from("characters"))
        });
        let scene =
            has_cast.then(|| Arc::new(SceneOutline::of(&outline, &text, Locator::Disk(path.clone()))));
        self.0.insert(path, (changed, scene.clone()));
        scene
    }
}
