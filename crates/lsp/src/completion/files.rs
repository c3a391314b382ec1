//! Files that a text may refer to.

use super::CompletionSite;
use super::offer::Offer;
use crate::document::slashes;
use aplomb_language::files::{self, Folder, ends_in};
use lsp_types::CompletionItemKind;
use std::path::Path;

/// Largest number of files of a folder that are offered.
const MOST: usize = 200;

impl CompletionSite<'_> {
    /// Files of a kind in the folder of the text and in that of their kind, and shipped ones.
    pub(super) fn files(&self, folder: Folder) -> Vec<Offer> {
        let mut all = Vec::new();
        if let Some(own) = &self.document.path {
            let above = Path::new("..").join(folder.name());
            for inside in [Path::new(""), &above] {
                let entries = own.parent().map(|parent| std::fs::read_dir(parent.join(inside)));
                let entries = entries.into_iter().flatten().flatten().flatten().take(MOST);
                let is_meant =
                    |name: &Path| ends_in(name, endings(folder)) && Some(name.as_os_str()) != own.file_name();
                let mut names: Vec<String> = entries
                    .map(|entry| entry.file_name())
                    .filter(|name| is_meant(Path::new(name)))
                    .map(|name| slashes(&inside.join(name)))
                    .collect();
                names.sort();
                all.extend(
                    names.into_iter().map(|name| Offer::new(name, CompletionItemKind::FILE, "").rank(1)),
                );
            }
        }
        let shipped = files::shipped(folder).into_iter().map(|name| {
            let text = files::find_shipped(folder, &name).map(|found| found.source.text);
            let title = text.map(|text| title(&text).to_owned()).unwrap_or_default();
            Offer::new(name, CompletionItemKind::FILE, title).detail("ships with aplomb").rank(2)
        });
        all.extend(shipped);
        all
    }
}

fn endings(folder: Folder) -> &'static [&'static str] {
    match folder {
        Folder::Characters | Folder::Passive => &["xml", "mjcf", "urdf"],
        Folder::Controllers | Folder::Scenes | Folder::Plots => &["toml"],
    }
}

/// The title of a file, or the first words of its first comment.
fn title(text: &str) -> &str {
    let of_key = text.lines().find_map(|line| line.strip_prefix("title = \"")?.split('"').next());
    let comment = || text.split_once("<!--")?.1.split(['.', '-']).next();
    of_key.or_else(comment).unwrap_or_default().trim()
}
