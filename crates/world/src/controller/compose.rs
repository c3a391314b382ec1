//! Reads a controller with the files that it includes, and the values that it sets in them.

use super::flat::{Node, flatten};
use super::format::FORMAT;
use super::mirror::mirror;
use super::planner;
use super::spec::{ControllerSpec, StateSpec};
use aplomb_language::Spanned;
use aplomb_language::diagnostic::{FileError, FileErrors, Source};
use aplomb_language::files::{Document, Folder, Located, Locator, Override, Piece, Read, find_from, quoted};
use aplomb_language::namespace::{Namespace, is_word, joined};
use indexmap::IndexMap;
use std::sync::Arc;

/// Largest depth of includes.
const DEEPEST: usize = 8;
/// Largest number of included files, counted with repetition.
const MOST: usize = 100;

/// Reads a controller file, with `controller.PATH=VALUE` overrides applied.
///
/// # Errors
///
/// If the file, or an included one, is not TOML, has an unknown key or a wrong value, or an override does not
/// apply.
pub fn read(source: Source, overrides: &[Override]) -> Result<(Source, ControllerSpec), FileErrors> {
    match read_all(source, overrides) {
        (source, Some(spec), mistakes) if mistakes.is_empty() => Ok((source, spec)),
        (_, _, mistakes) => Err(mistakes.into()),
    }
}

/// Like [`read`], but continues after an error: the text with overrides, the specification if it is known, and every
/// error.
pub fn read_all(
    mut source: Source,
    overrides: &[Override],
) -> (Source, Option<ControllerSpec>, Vec<FileError>) {
    let mut reader = IncludeReader { mistakes: Vec::new(), count: 0, is_whole: true };
    let place = FilePlace { prefix: String::new(), home: String::new(), start: 0, is_mirrored: false };
    let file = source.file_at(0);
    let root = reader.node(&mut source, file, place, Said::Values(overrides), &[]);
    let IncludeReader { mut mistakes, is_whole, .. } = reader;
    let Some(root) = root else { return (source, None, mistakes) };
    let before = mistakes.len();
    let mut of_commands = Vec::new();
    let spec = flatten(root, &source, &mut mistakes, &mut of_commands);
    // A command for an unknown name does not affect the rest.
    let is_whole = is_whole && mistakes.len() == before;
    mistakes.extend(of_commands);
    (source, Some(spec).filter(|_| is_whole), mistakes)
}

struct IncludeReader {
    mistakes: Vec<FileError>,
    count: usize,
    /// Whether the specification is complete despite errors.
    is_whole: bool,
}

/// Position of a file in the composed controller.
#[derive(Clone)]
struct FilePlace {
    prefix: String,
    /// Keys from the root to it: `include.NAME.`.
    home: String,
    /// Start of its bytes.
    start: usize,
    is_mirrored: bool,
}

/// Values that are set in a file from outside.
enum Said<'t> {
    Values(&'t [Override]),
    Piece(Piece<'t>),
}

impl IncludeReader {
    /// A file with its included files. `around` are the files that include it.
    fn node(
        &mut self,
        source: &mut Source,
        file: Source,
        place: FilePlace,
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
            let child = FilePlace {
                prefix: joined(&place.prefix, name.get_ref()),
                home: format!("{}include.{}.", place.home, quoted(name.get_ref())),
                start,
                is_mirrored: place.is_mirrored != include.mirror,
            };
            let piece = piece.without("file").without("mirror").without("commands");
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

    /// Resolves the file of an include.
    fn find(
        &mut self,
        source: &Source,
        file: &Source,
        place: &FilePlace,
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
            // A file that has been read completely is not part of a cycle.
            Some(kept) => return Ok(kept.clone()),
            None => {
                // A reference that another file sets is resolved relative to that file.
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

/// Resolver of references in a file.
fn locator(file: &Source) -> Locator {
    match &file.path {
        Some(path) => Locator::Disk(path.to_path_buf()),
        None => Locator::Embedded(file.name.to_string()),
    }
}

/// Parses the text of a file with the values that are set in it from outside.
fn document<'t>(
    source: &mut Source,
    file: &'t Source,
    place: &FilePlace,
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

/// Names of a file in the composed controller.
fn namespace(spec: &ControllerSpec, place: &FilePlace, is_root: bool) -> Namespace {
    let parameters = spec.parameters.names().chain(spec.commands.keys()).chain(spec.define.keys());
    let roles = spec.states.values().flat_map(StateSpec::bindings).map(|(name, _)| name);
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
