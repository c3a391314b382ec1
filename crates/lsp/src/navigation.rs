//! Definitions and references of names, and the symbols of a text.

use crate::document::{Certainty, TextDocument, uri_of};
use crate::lookup::NameMeaning;
use crate::outline::{OutlineValue, PathStep, is};
use crate::position::{Encoding, LineIndex};
use crate::rename::places;
use crate::subject::{SubjectKind, TextSubject, unquoted};
use crate::workspace::Workspace;
use aplomb_analysis::check::Kind;
use aplomb_language::files::Locator;
use lsp_types::{DocumentSymbol, Location, Range as Between, SymbolKind};
use std::collections::BTreeMap;
use std::ops::Range;

/// The definition of a name: in this text, or at the place of another file.
pub(crate) fn definition(
    workspace: &Workspace,
    document: &TextDocument,
    subject: &TextSubject,
    encoding: Encoding,
) -> Option<Location> {
    match &subject.what {
        SubjectKind::Name(NameMeaning::Own(own)) => Some(here(document, &own.key, encoding)),
        SubjectKind::Name(NameMeaning::Included(file, own)) => {
            let uri = uri_of(&file.locator.path()?)?;
            let range = LineIndex::of(&file.text).range(&file.text, &own.key, encoding);
            Some(Location { uri, range })
        }
        SubjectKind::Name(NameMeaning::Part(word)) => {
            // An object of this scene; the files of bodies are not TOML.
            let path = |table: &str| [PathStep::from(table), PathStep::from(word.name.as_str())];
            let tables = ["obstacles", "terrain", "passive", "bars", "characters"].map(path);
            let place = tables.iter().find_map(|path| document.outline.places_of(path).next())?;
            Some(here(document, &place.1.span, encoding))
        }
        SubjectKind::File(folder) => {
            let found = workspace.find(*folder, &subject.name, &document.locator())?;
            let Locator::Disk(path) = found.locator else { return None };
            Some(Location { uri: uri_of(&path)?, range: Between::default() })
        }
        _ => None,
    }
}

/// All places of a name in this text.
pub(crate) fn references(
    document: &TextDocument,
    subject: &TextSubject,
    with_given: bool,
    encoding: Encoding,
) -> Vec<Location> {
    let SubjectKind::Name(NameMeaning::Own(own)) = &subject.what else { return Vec::new() };
    let all = places(document, own);
    let wanted = all.iter().filter(|place| with_given || !place.is_given());
    wanted.map(|place| here(document, place.span(), encoding)).collect()
}

fn here(document: &TextDocument, span: &Range<usize>, encoding: Encoding) -> Location {
    let range = document.lines.range(&document.text, span, encoding);
    Location { uri: document.uri.clone(), range }
}

/// Tables whose entries are listed: the table, and the kind of symbol that an editor shows for an entry.
const LISTED: [(Kind, &str, SymbolKind); 12] = [
    (Kind::Controller, "include", SymbolKind::MODULE),
    (Kind::Controller, "parameters", SymbolKind::CONSTANT),
    (Kind::Controller, "commands", SymbolKind::EVENT),
    (Kind::Controller, "define", SymbolKind::VARIABLE),
    (Kind::Controller, "planner", SymbolKind::FUNCTION),
    (Kind::Controller, "states", SymbolKind::CLASS),
    (Kind::Scene, "characters", SymbolKind::CLASS),
    (Kind::Scene, "obstacles", SymbolKind::OBJECT),
    (Kind::Scene, "terrain", SymbolKind::OBJECT),
    (Kind::Scene, "passive", SymbolKind::OBJECT),
    (Kind::Scene, "events", SymbolKind::EVENT),
    (Kind::Scene, "success", SymbolKind::BOOLEAN),
];

/// The symbols of a text, in its order: states with their objectives, parameters, characters, events.
pub(crate) fn symbols(document: &TextDocument, encoding: Encoding) -> Vec<DocumentSymbol> {
    if document.certainty == Certainty::Foreign {
        return Vec::new();
    }
    let mut all: Vec<Symbol> = Vec::new();
    // Index of the symbol of each table.
    let mut places: BTreeMap<&[PathStep], usize> = BTreeMap::new();
    for (number, item) in document.outline.items.iter().enumerate() {
        for key in &item.keys {
            let path = &item.path[..key.depth];
            let [PathStep::Key(table), PathStep::Key(name)] = path else { continue };
            let listed = LISTED.iter().find(|(of, own, _)| *of == document.kind && own == table);
            let Some((.., kind)) = listed else { continue };
            let whole = extent(document, number, key.depth);
            match places.get(path) {
                Some(place) => all[*place].whole.end = all[*place].whole.end.max(whole.end),
                None => {
                    places.insert(path, all.len());
                    all.push(Symbol::new(name, *kind, key.span.clone(), whole, table));
                }
            }
        }
        if let Some(name) = entry_name(item, document) {
            let whole = entry_extent(document, number);
            let symbol = Symbol::new(name, SymbolKind::PROPERTY, item.span.clone(), whole, "");
            let is_of_state = item.path.first() == Some(&PathStep::from("states"));
            match places.get(item.path.get(..2).unwrap_or_default()).filter(|_| is_of_state) {
                Some(place) => all[*place].within.push(symbol),
                None => all.push(symbol),
            }
        }
    }
    all.into_iter().map(|symbol| symbol.shown(document, encoding)).collect()
}

/// The name of an entry of a list: an objective, a panel.
fn entry_name<'t>(item: &crate::outline::OutlineItem, document: &'t TextDocument) -> Option<&'t str> {
    let path = &item.path;
    let is_name = match document.kind {
        Kind::Controller => {
            crate::subject::is_objective_name(path) || is(path, &["collision_avoidance", "#", "name"])
        }
        Kind::Plot => is(path, &["panels", "#", "title"]),
        Kind::Scene | Kind::Model => false,
    };
    item.written(&document.text).filter(|name| is_name && !name.is_empty())
}

/// Bytes of an item; for a header, those of its whole table.
fn extent(document: &TextDocument, number: usize, depth: usize) -> Range<usize> {
    let Some(item) = document.outline.items.get(number) else { return 0..0 };
    match item.value {
        OutlineValue::Header if item.path.len() <= depth + 2 => {
            document.outline.extent(number, document.text.len())
        }
        _ => item.keys.first().map_or(item.span.start, |key| key.span.start)..item.span.end,
    }
}

/// Bytes of the entry that the item of this number is the name of.
fn entry_extent(document: &TextDocument, number: usize) -> Range<usize> {
    let items = &document.outline.items;
    let item = &items[number];
    let entry = item.path.split_last().map_or(&[][..], |(_, entry)| entry);
    match items[..number].iter().rposition(|other| other.path == entry) {
        Some(before) if items[before].value == OutlineValue::Header => {
            document.outline.extent(before, document.text.len())
        }
        Some(before) => items[before].span.clone(),
        None => item.span.clone(),
    }
}

struct Symbol {
    name: String,
    kind: SymbolKind,
    span: Range<usize>,
    whole: Range<usize>,
    detail: String,
    within: Vec<Symbol>,
}

impl Symbol {
    fn new(name: &str, kind: SymbolKind, span: Range<usize>, whole: Range<usize>, detail: &str) -> Self {
        Symbol { name: name.to_owned(), kind, span, whole, detail: detail.to_owned(), within: Vec::new() }
    }

    #[expect(deprecated, reason = "the type of the protocol has a field that it deprecates")]
    fn shown(self, document: &TextDocument, encoding: Encoding) -> DocumentSymbol {
        let range = |span: &Range<usize>| document.lines.range(&document.text, span, encoding);
        let name = unquoted(&document.text, self.span.clone());
        // Editors refuse a name outside of what it names.
        let whole = self.whole.start.min(self.span.start)..self.whole.end.max(self.span.end);
        let children: Vec<_> = self.within.into_iter().map(|inner| inner.shown(document, encoding)).collect();
        DocumentSymbol {
            name: if self.name.is_empty() { "…".into() } else { self.name },
            detail: Some(self.detail).filter(|detail| !detail.is_empty()),
            kind: self.kind,
            tags: None,
            deprecated: None,
            range: range(&whole),
            selection_range: range(&name),
            children: Some(children).filter(|children| !children.is_empty()),
        }
    }
}
