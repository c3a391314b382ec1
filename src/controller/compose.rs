//! Reads a controller with the files that it includes, and what it says of them.

use super::flat::{Node, flatten};
use super::mirror::mirror;
use super::planner;
use super::spec::{ControllerSpec, FORMAT};
use crate::language::Spanned;
use crate::language::diagnostic::{FileError, FileErrors, Source};
use crate::language::files::{
    Document, Folder, Keys, Located, Locator, Override, Piece, Read, find_from, quoted,
};
use crate::language::namespace::Namespace;
use indexmap::IndexMap;
use std::sync::Arc;
use toml::de::{DeTable, DeValue};

/// Files within files.
const DEEPEST: usize = 8;
/// Files that a controller includes, each as often as it is.
const MOST: usize = 100;

/// Reads a controller file, with `controller.PATH=VALUE` overrides laid over it.
///
/// # Errors
///
/// If the file is not TOML, has an unknown key or a wrong value, or an override has no place in it; the same of the
/// files that it includes.
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
        let Read { value, warnings, mistakes } = document.read::<ControllerSpec>(source, &FORMAT);
        self.is_whole &= value.is_some();
        self.mistakes.extend(mistakes);
        let mut spec = value?;
        spec.old_words = warnings;
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
    let mut document = Document::parse(source, place.start, &file.text, &FORMAT)?;
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
    let parameters = spec.parameters.names().chain(spec.define.keys());
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

/// A name within another.
pub(super) fn joined(outer: &str, name: &str) -> String {
    if outer.is_empty() { name.to_owned() } else { format!("{outer}.{name}") }
}

/// Whether expressions can say it as a name.
pub(super) fn is_word(name: &str) -> bool {
    name.chars().all(|c| c.is_alphanumeric() || c == '_')
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && !name.is_empty()
}

/// Where keys lead that name a part of an included file as the whole does: `parameters.NAME.x` is
/// `include.NAME.parameters.x`, and `parameters.v.x` the first number of the vector `v`.
pub(super) fn unfold(table: &DeTable<'_>, keys: Keys) -> Keys {
    let [(first, first_span), (second, second_span), rest @ ..] = keys.as_slice() else { return keys };
    if !["parameters", "define", "states", "objectives"].contains(&first.as_str())
        || inside(table, first, second).is_some() && (first != "parameters" || rest.is_empty())
    {
        return keys;
    }
    // All words after the first, in quotes or not; of a state and an objective other keys follow.
    let mut words: Vec<(String, std::ops::Range<usize>)> =
        second.split('.').map(|word| (word.to_owned(), second_span.clone())).collect();
    words.extend(rest.iter().cloned());
    let Some(((head, _), tail)) = words.split_first() else { return keys };
    if tail.is_empty() {
        return keys;
    }
    if first == "parameters"
        && let (Some(DeValue::Array(_)), [(axis, span)]) = (inside(table, first, head), tail)
        && let Some(index) = ["x", "y", "z"].iter().position(|known| known == axis)
    {
        return vec![keys[0].clone(), words[0].clone(), (index.to_string(), span.clone())];
    }
    let machine = match inside(table, "states", head) {
        Some(DeValue::Table(state)) if first == "states" => {
            state.get("machine").and_then(|name| Some(name.get_ref().as_str()?.to_owned()))
        }
        _ => None,
    };
    let machine = machine.unwrap_or_else(|| head.clone());
    if inside(table, "include", &machine).is_none() {
        return keys;
    }
    let at = |key: &str| (key.to_owned(), first_span.clone());
    let mut path = vec![at("include"), at(&machine), keys[0].clone()];
    // The rest of a quoted name stays together: it may lead further in.
    match second.split_once('.') {
        Some((_, inner)) => path.push((inner.to_owned(), second_span.clone())),
        None => path.extend(rest.first().cloned()),
    }
    let taken = if second.contains('.') { 0 } else { 1 };
    path.extend(rest.iter().skip(taken).cloned());
    path
}

/// What stands at a key of a table of the document.
fn inside<'a, 't>(table: &'a DeTable<'t>, key: &str, name: &str) -> Option<&'a DeValue<'t>> {
    match table.get(key).map(|value| value.get_ref()) {
        Some(DeValue::Table(inner)) => inner.get(name).map(|value| value.get_ref()),
        _ => None,
    }
}
