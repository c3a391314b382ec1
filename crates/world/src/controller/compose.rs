//! Reads a controller with the files that it includes, and what it says of them.

use super::flat::{Node, flatten};
use super::format::FORMAT;
use super::mirror::mirror;
use super::planner;
use super::spec::ControllerSpec;
use aplomb_language::Spanned;
use aplomb_language::diagnostic::{FileError, FileErrors, Source};
use aplomb_language::files::{Document, Folder, Located, Locator, Override, Piece, Read, find_from, quoted};
use aplomb_language::namespace::{Namespace, is_word, joined};
use indexmap::IndexMap;
use std::sync::Arc;

/// Files within files.
const DEEPEST: usize = 8;
/// Files that a controller includes, each as often as it is.
const MOST: usize = 100;

/// Reads a controller file, with `controller.PATH=VALUE` overrides laid over it.
///
/// # Errors
///
/// If the file, or one that it includes, is not TOML, has an unknown key or a wrong value, or an override has no
/// place in it.
pub fn read(source: Source, overrides: &[Override]) -> Result<(Source, ControllerSpec), FileErrors> {
    match read_all(source, overrides) {
        (source, Some(spec), mistakes) if mistakes.is_empty() => Ok((source, spec)),
        (_, _, mistakes) => Err(mistakes.into()),
    }
}

/// [`read`] that goes on after a mistake: the text with overrides, what it says if that is known, and every mistake.
pub fn read_all(
    mut source: Source,
    overrides: &[Override],
) -> (Source, Option<ControllerSpec>, Vec<FileError>) {
    let mut reader = Reader { mistakes: Vec::new(), count: 0, is_whole: true };
    let place = Place { prefix: String::new(), home: String::new(), start: 0, is_mirrored: false };
    let file = source.file_at(0);
    let root = reader.node(&mut source, file, place, Said::Values(overrides), &[]);
    let Reader { mut mistakes, is_whole, .. } = reader;
    let Some(root) = root else { return (source, None, mistakes) };
    let before = mistakes.len();
    let spec = flatten(root, &source, &mut mistakes);
    let is_whole = is_whole && mistakes.len() == before;
    (source, Some(spec).filter(|_| is_whole), mistakes)
}

struct Reader {
    mistakes: Vec<FileError>,
    count: usize,
    /// Whether no mistake left a part unknown.
    is_whole: bool,
}

/// Where a file is in the whole.
#[derive(Clone)]
struct Place {
    prefix: String,
    /// Keys that lead to it from the root: `include.NAME.`.
    home: String,
    /// Where its bytes begin.
    start: usize,
    is_mirrored: bool,
}

/// What is said of a file from outside.
enum Said<'t> {
    Values(&'t [Override]),
    Piece(Piece<'t>),
}

impl Reader {
    /// A file with those that it includes. `around` are the files that include it.
    fn node(
        &mut self,
        source: &mut Source,
        file: Source,
        place: Place,
        said: Said<'_>,
        around: &[Arc<str>],
    ) -> Option<Node> {
        let document = document(source, &file, &place, said).map_err(|mistake| self.mistakes.push(mistake));
        let Ok(document) = document else {
            self.is_whole = false;
            return None;
        };
        let mut pieces = document.pieces("include");
        let Read { value, mistakes } = document.read::<ControllerSpec>(source, &FORMAT);
        self.is_whole &= value.is_some();
        self.mistakes.extend(mistakes);
        let spec = value?;
        let around = [around, std::slice::from_ref(&file.name)].concat();
        let mut children = IndexMap::new();
        for (name, include) in &spec.include {
            let found = self.find(source, &file, &place, (name, &include.file), &around);
            let found = found.map_err(|mistake| self.mistakes.push(mistake));
            let Ok(found) = found else {
                self.is_whole = false;
                continue;
            };
            let start = source.include(&found);
            let piece = pieces.iter_mut().find(|(known, _)| known == name.get_ref());
            let piece = piece.map(|(_, piece)| std::mem::take(piece)).unwrap_or_default();
            let child = Place {
                prefix: joined(&place.prefix, name.get_ref()),
                home: format!("{}include.{}.", place.home, quoted(name.get_ref())),
                start,
                is_mirrored: place.is_mirrored != include.mirror,
            };
            let piece = piece.without("file").without("mirror");
            if let Some(node) = self.node(source, found, child, Said::Piece(piece), &around) {
                children.insert(name.get_ref().clone(), node);
            }
        }
        let is_root = place.start == 0;
        if !is_root || !children.is_empty() {
            source.set_namespace(place.start, namespace(&spec, &place, is_root));
        }
        Some(Node { prefix: place.prefix, home: place.home, spec, children })
    }

    /// The file that an include names.
    fn find(
        &mut self,
        source: &Source,
        file: &Source,
        place: &Place,
        (name, reference): (&Spanned<String>, &Spanned<String>),
        around: &[Arc<str>],
    ) -> Result<Source, FileError> {
        let wrong = |message: String| Err(FileError::new(source, reference.span(), message));
        self.count += 1;
        if self.count > MOST {
            return wrong(format!("a controller includes at most {MOST} files"));
        }
        if around.len() > DEEPEST {
            return wrong(format!("files are included more than {DEEPEST} deep"));
        }
        if !is_word(name.get_ref()) {
            let message = format!("`{name}` cannot be the name of an include: use letters, digits and `_`");
            return Err(FileError::new(source, name.span(), message));
        }
        let prefix = joined(&place.prefix, name.get_ref());
        let found = match source.kept(&prefix, reference.get_ref()) {
            // What was read once does not go round.
            Some(kept) => return Ok(kept.clone()),
            None => {
                // What stands in another file, which says it of this one, is looked for from there.
                let from = match source.is_overlaid(reference.span()) {
                    true => file.clone(),
                    false => source.file_at(reference.span().start),
                };
                let locator = locator(&from);
                let from = Located { source: from, locator };
                find_from(Folder::Controllers, reference.get_ref(), &from, source, reference.span())?.source
            }
        };
        let before = around.iter().position(|file| *file == found.name);
        if let Some(before) = before {
            let chain: Vec<&str> =
                around[before..].iter().map(|file| &**file).chain([&*found.name]).collect();
            let help = format!("{}: leave one of them out", chain.join(" → "));
            return wrong(format!("`{}` includes itself", found.name)).map_err(|error| error.help(help));
        }
        Ok(found)
    }
}

/// Where references in a file are looked for from.
fn locator(file: &Source) -> Locator {
    match &file.path {
        Some(path) => Locator::Disk(path.to_path_buf()),
        None => Locator::Embedded(file.name.to_string()),
    }
}

/// The text of a file with what is said of it from outside.
fn document<'t>(
    source: &mut Source,
    file: &'t Source,
    place: &Place,
    said: Said<'t>,
) -> Result<Document<'t>, FileError> {
    let mut document = Document::parse(source, place.start, &file.text)?;
    if place.is_mirrored {
        document.mirror(mirror);
    }
    match said {
        Said::Values(overrides) => document.apply(source, overrides, &FORMAT)?,
        Said::Piece(piece) => document.lay(source, piece, &FORMAT)?,
    }
    Ok(document)
}

/// What the names of a file are called in the whole.
fn namespace(spec: &ControllerSpec, place: &Place, is_root: bool) -> Namespace {
    let parameters = spec.parameters.names().chain(spec.commands.keys()).chain(spec.define.keys());
    let roles = spec.states.values().flat_map(|state| state.roles.keys());
    let names = parameters.chain(roles).chain(spec.include.keys()).map(|name| name.get_ref().clone());
    let planners = planner::outputs(&spec.planner).map(|(name, _)| first_word(&name));
    Namespace {
        prefix: place.prefix.clone(),
        own: if is_root { Default::default() } else { names.chain(planners).collect() },
        is_mirrored: place.is_mirrored,
        level: (!spec.include.is_empty()).then(|| if is_root { 0 } else { place.prefix.split('.').count() }),
    }
}

fn first_word(name: &str) -> String {
    name.split('.').next().unwrap_or(name).to_owned()
}
