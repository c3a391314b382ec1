//! Scenes: what they name, and those beside a controller that have it.

use super::Workspace;
use crate::document::{Document, slashes};
use crate::outline::{Outline, Step, is, key_path};
use aplomb_analysis::check::Kind;
use aplomb_language::files::{Folder, Locator, ends_in};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

/// Files of a folder that are looked at.
const MOST: usize = 400;
/// Longest scene that is read for who is in it, bytes.
const LONGEST: u64 = 1 << 20;

/// What a scene's text says of who and what is in it.
#[derive(Clone, Debug)]
pub struct Scene {
    /// Where it is.
    pub locator: Locator,
    /// Its characters.
    pub cast: Vec<Cast>,
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
pub struct Cast {
    /// Its name.
    pub name: String,
    /// Its body, as the scene refers to it.
    pub model: Option<String>,
    /// Its controller, as the scene refers to it.
    pub controller: Option<String>,
}

impl Scene {
    /// What a text says.
    pub fn of(outline: &Outline, text: &str, locator: Locator) -> Self {
        let names = |table: &[&str]| {
            let table = key_path(table);
            let mut known = BTreeSet::new();
            let keys = outline.keys_in(&table).map(|(name, ..)| name);
            keys.filter(|name| !name.is_empty() && known.insert(*name)).map(str::to_owned).collect::<Vec<_>>()
        };
        let said =
            |name: &str, key: &str| outline.text_at(text, &["characters", name, key]).map(str::to_owned);
        let cast = names(&["characters"]).into_iter().map(|name| Cast {
            model: said(&name, "model"),
            controller: said(&name, "controller"),
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
        Scene { locator, cast, obstacles, objects: names(&["passive"]), holds, events: names(&["events"]) }
    }

    /// Whether a character has this text: of a scene any, of a controller those that it moves.
    pub fn has(&self, workspace: &Workspace, cast: &Cast, document: &Document) -> bool {
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
            // The shipped file, seen where it is written.
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
pub struct Scenes(BTreeMap<PathBuf, (SystemTime, Option<Arc<Scene>>)>);

impl Scenes {
    /// The scenes that have a controller: open ones first, then those in its folder and in `../scenes`.
    pub fn with_controller(&mut self, workspace: &Workspace, document: &Document) -> Vec<Arc<Scene>> {
        let open = workspace.documents().filter(|other| other.kind == Kind::Scene);
        let open: Vec<Arc<Scene>> =
            open.map(|other| Arc::new(Scene::of(&other.outline, &other.text, other.locator()))).collect();
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

    fn in_folder(&mut self, folder: &Path) -> Vec<Arc<Scene>> {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let files = entries.filter(|entry| ends_in(&entry.path(), &["toml"])).take(MOST);
        let mut found: Vec<(PathBuf, Arc<Scene>)> =
            files.filter_map(|entry| Some((entry.path(), self.on_disk(&entry)?))).collect();
        found.sort_by(|(a, _), (b, _)| a.cmp(b));
        found.into_iter().map(|(_, scene)| scene).collect()
    }

    fn on_disk(&mut self, entry: &std::fs::DirEntry) -> Option<Arc<Scene>> {
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
        let outline = Outline::of(&text);
        let has_cast = outline.items.iter().any(|item| {
            is(&item.path, &["characters", "*", "controller"])
                || item.path.first() == Some(&Step::from("characters"))
        });
        let scene = has_cast.then(|| Arc::new(Scene::of(&outline, &text, Locator::Disk(path.clone()))));
        self.0.insert(path, (changed, scene.clone()));
        scene
    }
}
