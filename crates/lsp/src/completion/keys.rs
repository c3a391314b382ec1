//! Keys that a table may have.

use super::CompletionSite;
use super::offer::Offer;
use crate::document::{Certainty, KINDS};
use crate::names::OwnKind;
use crate::outline::{OutlineItem, OutlineValue, PathStep};
use crate::schema::{self, KeyDoc, ValueForm};
use lsp_types::CompletionItemKind;
use std::collections::BTreeSet;

impl CompletionSite<'_> {
    /// Keys of a table, in its body or between `{` and `}`.
    pub(super) fn keys(&self, table: &[PathStep], item: Option<&OutlineItem>) -> Vec<Offer> {
        let Some(schema) = schema::of(self.document.kind) else { return Vec::new() };
        let has_value = item.is_some_and(|item| item.value != OutlineValue::Missing);
        let is_here = |name: &str| {
            let mut others = self.document.outline.keys_in(table);
            others
                .any(|(other, owner, _)| other == name && item.is_none_or(|item| !std::ptr::eq(owner, item)))
        };
        let is_inline = self.is_inline(table);
        let keys = schema.keys(table).into_iter().filter(|key| !is_here(&key.name));
        let offer = |key: KeyDoc| {
            let kind = if is_inline { CompletionItemKind::FIELD } else { CompletionItemKind::PROPERTY };
            let mut offer = Offer::new(&key.name, kind, flowing(&key.about)).detail(key.form.word());
            offer.rank = if key.is_required { 0 } else { 1 };
            if !has_value {
                offer.snippet = Some(self.entry(table, &key, is_inline));
            }
            offer
        };
        let mut all: Vec<Offer> = keys.map(offer).collect();
        if table.is_empty() && self.document.certainty == Certainty::Guessed {
            all.extend(self.keys_of_other_kinds(&all));
        }
        all.extend(self.named(table).into_iter().filter(|name| !is_here(&name.label)).map(|name| {
            let written = format!("{} = $1", name.label);
            if has_value { name } else { name.snippet(written) }
        }));
        all
    }

    /// Keys of other kinds of files, for a text that may still become one of them.
    fn keys_of_other_kinds(&self, known: &[Offer]) -> Vec<Offer> {
        let others = KINDS.into_iter().filter(|kind| *kind != self.document.kind).filter_map(schema::of);
        let keys = others.flat_map(|schema| schema.keys(&[]));
        let mut all: Vec<Offer> = Vec::new();
        for key in keys {
            let is_known = |offer: &Offer| offer.label == key.name;
            if !known.iter().any(is_known) && !all.iter().any(is_known) {
                let offer = Offer::new(&key.name, CompletionItemKind::PROPERTY, flowing(&key.about));
                let written = self.entry(&[], &key, false);
                all.push(offer.detail(key.form.word()).rank(1).snippet(written));
            }
        }
        all
    }

    /// Whether a table is written between `{` and `}`.
    fn is_inline(&self, table: &[PathStep]) -> bool {
        let own = self.document.outline.items.iter().find(|item| {
            item.path == table && item.value == OutlineValue::Table && item.span.start < self.offset
        });
        own.is_some()
    }

    /// The text that is inserted for a key, with the form of its value.
    fn entry(&self, table: &[PathStep], key: &KeyDoc, is_inline: bool) -> String {
        let name = &key.name;
        let is_list_of_tables = || {
            let element = [table, &[PathStep::from(name.as_str()), PathStep::Index(0)]].concat();
            let found = schema::of(self.document.kind).map(|schema| schema.at(&element));
            found.is_some_and(|nodes| nodes.iter().any(|node| node.value.get("properties").is_some()))
        };
        if !is_inline && key.form == ValueForm::Array && is_list_of_tables() {
            let path: Vec<&str> = table.iter().filter_map(PathStep::key).chain([name.as_str()]).collect();
            return format!("[[{}]]\n$1", path.join("."));
        }
        if !is_inline && table.is_empty() && key.form == ValueForm::Table {
            return format!("[{name}]\n$1");
        }
        format!("{name} = {}", value(key))
    }

    /// Tables that a header may begin.
    pub(super) fn headers(&self, table: &[PathStep], item: &OutlineItem) -> Vec<Offer> {
        let Some(schema) = schema::of(self.document.kind) else { return Vec::new() };
        let is_list = self.document.text.get(item.span.clone()).is_some_and(|text| text.starts_with("[["));
        let keys = schema.keys(table).into_iter().filter(|key| match key.form {
            ValueForm::Array => is_list,
            ValueForm::Table | ValueForm::Other => true,
            _ => false,
        });
        let key = |key: KeyDoc| {
            Offer::new(&key.name, CompletionItemKind::MODULE, flowing(&key.about)).detail(key.form.word())
        };
        let mut all: Vec<Offer> = keys.map(key).collect();
        // Names used by other headers of this table.
        let mut known: BTreeSet<String> = all.iter().map(|offer| offer.label.clone()).collect();
        for (name, other, _) in self.document.outline.keys_in(table) {
            if !name.is_empty() && !std::ptr::eq(other, item) && known.insert(name.to_owned()) {
                all.push(Offer::new(name, CompletionItemKind::CLASS, "").rank(1));
            }
        }
        all
    }

    /// Names that may be keys of a table without keys of its own.
    fn named(&self, table: &[PathStep]) -> Vec<Offer> {
        let last = table.last().and_then(PathStep::key).unwrap_or_default();
        let parts = &self.names.parts;
        let of_words = |lists: &[&Vec<crate::names::Word>]| {
            lists.iter().copied().flatten().map(Offer::word).collect::<Vec<_>>()
        };
        match last {
            "angles" => of_words(&[&parts.joints, &parts.sets]),
            "pose" if table.len() == 3 => of_words(&[&parts.joints]),
            "reach" | "orientation" if table.len() == 3 => of_words(&[&parts.bodies, &parts.sites]),
            "grip" | "stand" if table.first() == Some(&PathStep::from("states")) => of_words(&[&parts.sites]),
            "hold_on" => of_words(&[&parts.sites]),
            "parameters" if table.first() == Some(&PathStep::from("include")) => {
                let include = table.get(1).and_then(PathStep::key).unwrap_or_default();
                let file = self.names.included.iter().find(|file| file.prefix == include);
                let own = file.map(|file| crate::names::own(&file.outline)).unwrap_or_default();
                let own = own.into_iter().filter(|own| own.kind == OwnKind::Parameter);
                own.map(|own| Offer::new(own.name, CompletionItemKind::CONSTANT, "")).collect()
            }
            "commands" if table.first() == Some(&PathStep::from("characters")) => {
                let name = table.get(1).and_then(PathStep::key).unwrap_or_default();
                let file = self.names.included.iter().find(|file| file.prefix == name);
                let commands = file.map(crate::workspace::Included::commands).unwrap_or_default();
                commands.into_iter().map(|name| Offer::new(name, CompletionItemKind::EVENT, "")).collect()
            }
            _ => Vec::new(),
        }
    }
}

/// The text that is inserted as a value, with the cursor in it.
pub(super) fn value(key: &KeyDoc) -> String {
    match key.form {
        ValueForm::Text => "\"$1\"".into(),
        ValueForm::Array => "[$1]".into(),
        ValueForm::Table => match &key.needed[..] {
            [] => "{ $1 }".into(),
            needed => {
                let mut places = 1..;
                let inner = needed.iter().map(|(name, form)| {
                    let place = places.next().unwrap_or(1);
                    match form {
                        ValueForm::Text => format!("{name} = \"${place}\""),
                        ValueForm::Array => format!("{name} = [${place}]"),
                        ValueForm::Table => format!("{name} = {{ ${place} }}"),
                        _ => format!("{name} = ${place}"),
                    }
                });
                format!("{{ {} }}", inner.collect::<Vec<_>>().join(", "))
            }
        },
        ValueForm::Expression | ValueForm::Number | ValueForm::Truth | ValueForm::Other => "$1".into(),
    }
}

/// A text without the line breaks within its paragraphs.
pub(super) fn flowing(text: &str) -> String {
    let paragraphs = text.split("\n\n").map(|paragraph| paragraph.replace('\n', " "));
    paragraphs.collect::<Vec<_>>().join("\n\n")
}
