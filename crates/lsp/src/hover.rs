//! Documentation of the subject under the cursor, as Markdown.

use crate::document::TextDocument;
use crate::last_run::LastRun;
use crate::lookup::{NameLookup, NameMeaning};
use crate::names::{DefinedName, OwnKind, Word, planned};
use crate::outline::{DocumentOutline, PathStep};
use crate::run_values as values;
use crate::schema::{self, KeyDoc};
use crate::subject::{SubjectKind, TextSubject};
use crate::units::unit;
use aplomb_analysis::check::Kind;
use aplomb_analysis::lint;
use aplomb_language::files::Folder;
use std::fmt::Write;
use std::ops::Range;

/// The documentation of a subject.
pub(crate) fn hover(
    document: &TextDocument,
    names: &NameLookup<'_>,
    subject: &TextSubject,
    run: Option<&LastRun>,
) -> Option<String> {
    let mut documentation = match &subject.what {
        SubjectKind::Key(path) => key(document, path)?,
        SubjectKind::Name(meaning) => name(document, names, meaning),
        SubjectKind::File(folder) => file(*folder, &subject.name),
        SubjectKind::Rule => rule(&subject.name)?,
        SubjectKind::Choice(choice) => format!("`{}`\n\n{}", choice.name, flowing(&choice.about)),
        SubjectKind::Objective => format!("objective **{}**", subject.name),
    };
    if let Some(run) = run
        && let Some(value) = values::said(run, subject, &document.text)
    {
        documentation += &format!("\n\n---\n\n{value}");
    }
    Some(documentation)
}

fn key(document: &TextDocument, path: &[PathStep]) -> Option<String> {
    let doc = schema::of(document.kind)?.doc(path)?;
    let is_given = document.kind == Kind::Scene && path.len() == 2;
    let mut documentation = head(&doc);
    if is_given && doc.about.is_empty() {
        return None;
    }
    documentation += &format!("\n\n{}", flowing(&doc.about));
    if let Some(default) = &doc.default {
        _ = write!(documentation, "\n\nDefault: `{default}`");
    }
    if !doc.choices.is_empty() {
        documentation.push('\n');
        for choice in &doc.choices {
            _ = write!(documentation, "\n* `{}`: {}", choice.name, flowing(&choice.about));
        }
    }
    Some(documentation)
}

fn head(doc: &KeyDoc) -> String {
    let word = doc.form.word();
    let needed = if doc.is_required { ", required" } else { "" };
    if word.is_empty() {
        format!("**{}**{needed}", doc.name)
    } else {
        format!("**{}** ({word}{needed})", doc.name)
    }
}

/// A text without the line breaks within its paragraphs.
fn flowing(text: &str) -> String {
    let paragraphs = text.split("\n\n").map(|paragraph| paragraph.replace('\n', " "));
    paragraphs.collect::<Vec<_>>().join("\n\n")
}

fn name(document: &TextDocument, names: &NameLookup<'_>, meaning: &NameMeaning) -> String {
    match meaning {
        NameMeaning::Listed(word) => word_said(word),
        NameMeaning::Part(word) => word_said(word),
        NameMeaning::Variable(name) => {
            format!("`{name}`\n\nThe member of the set that the expression is at.")
        }
        NameMeaning::Own(own) => own_said(own, &document.outline, &document.text, &names.own),
        NameMeaning::Included(file, own) => {
            let inner = crate::names::own(&file.outline);
            let bare = inner.iter().find(|other| other.key == own.key && other.kind == own.kind);
            let documentation = own_said(bare.unwrap_or(own), &file.outline, &file.text, &inner);
            format!("{documentation}\n\nOf `{}`.", file.locator.stem())
        }
    }
}

fn word_said(word: &Word) -> String {
    let written = word.written.as_deref().unwrap_or(&word.name);
    let unit = if word.unit.is_empty() { String::new() } else { format!(" [{}]", word.unit) };
    let result = word.result.map(|result| format!("{result}")).filter(|result| result != word.what);
    let result = result.map(|result| format!(", {result}")).unwrap_or_default();
    format!("```\n{written}{unit}\n```\n{}{result}\n\n{}", word.what, word.about)
}

fn own_said(own: &DefinedName, outline: &DocumentOutline, text: &str, all: &[DefinedName]) -> String {
    let value = own.value.clone().and_then(|span| text.get(span));
    let comment = comment(outline, text, &own.key);
    let about = comment.map(|comment| format!("\n\n{comment}")).unwrap_or_default();
    let written = |value: &str, of: &str| {
        let formula = value.trim_matches(['"', '\'']);
        let unit = unit(formula, all, text).map(|unit| format!(" [{unit}]")).unwrap_or_default();
        format!("```\n{} = {formula}{unit}\n```\n{}{of}{about}", own.name, own.kind.word())
    };
    match (own.kind, value) {
        (OwnKind::State, _) => format!("{}{about}", state_said(own, outline, text)),
        (OwnKind::Binding | OwnKind::EachFrame, _) => {
            let same = all.iter().filter(|other| other.name == own.name && other.value.is_some());
            let each: Vec<String> = same
                .filter_map(|other| {
                    let formula = text.get(other.value.clone()?)?;
                    let of = format!(" of `{}`", other.state.as_deref().unwrap_or_default());
                    Some(written(formula, &of))
                })
                .collect();
            each.join("\n\n")
        }
        (OwnKind::Planned, _) => {
            format!("```\n{}\n```\n{}\n\n{}", own.name, own.kind.word(), planned(&own.name))
        }
        (OwnKind::Command, value) => {
            let key = |key| outline.text_at(text, &["commands", &own.name, key]).map(str::to_owned);
            let unit = key("unit").map(|unit| format!(" [{unit}]")).unwrap_or_default();
            let doc = key("doc").map(|doc| format!("\n\n{doc}")).unwrap_or_default();
            let value = key("default").or_else(|| value.map(str::to_owned));
            let value = value.map(|value| format!(" = {value}")).unwrap_or_default();
            format!("```\n{}{value}{unit}\n```\ncommand{doc}{about}", own.name)
        }
        (_, Some(value)) => written(value, ""),
        (_, None) => format!("```\n{}\n```\n{}{about}", own.name, own.kind.word()),
    }
}

/// The documentation of a state, and its transitions.
fn state_said(own: &DefinedName, outline: &DocumentOutline, text: &str) -> String {
    let key = |key| outline.text_at(text, &["states", &own.name, key]);
    let mut documentation = format!("state **{}**", own.name);
    if let Some(doc) = key("doc") {
        _ = write!(documentation, "\n\n{doc}");
    }
    for (word, key) in [("while", key("while")), ("until", key("until"))] {
        if let Some(condition) = key {
            _ = write!(documentation, "\n\n{word} `{condition}`");
        }
    }
    let is_exit = |path: &[PathStep]| crate::outline::is(path, &["states", &own.name, "to", "#"]);
    let exits: Vec<String> = outline
        .items
        .iter()
        .filter(|item| is_exit(&item.path))
        .filter_map(|item| Some(format!("`{}`", item.written(text)?)))
        .collect();
    let otherwise = key("else").map(|state| format!("else `{state}`"));
    match (exits.is_empty(), otherwise) {
        (true, None) => documentation += "\n\nGoes nowhere.",
        (true, Some(otherwise)) => _ = write!(documentation, "\n\nGoes to {otherwise}."),
        (false, None) => _ = write!(documentation, "\n\nGoes to {}.", exits.join(", ")),
        (false, Some(otherwise)) => {
            _ = write!(documentation, "\n\nGoes to {}, {otherwise}.", exits.join(", "))
        }
    }
    documentation
}

/// The comment at the end of the line of a key.
pub(crate) fn comment<'t>(outline: &DocumentOutline, text: &'t str, key: &Range<usize>) -> Option<&'t str> {
    let end = text.get(key.end..)?.find('\n').map_or(text.len(), |more| key.end + more);
    let found = outline.comments.iter().find(|comment| key.end <= comment.start && comment.start < end)?;
    let comment = text.get(found.clone())?.trim_start_matches('#').trim();
    Some(comment).filter(|comment| !comment.is_empty())
}

fn file(folder: Folder, name: &str) -> String {
    let shipped = aplomb_language::files::find_shipped(folder, name).ok();
    let title = shipped.and_then(|found| {
        let outline = DocumentOutline::of(&found.source.text);
        Some(outline.text_at(&found.source.text, &["title"])?.to_owned())
    });
    match title {
        Some(title) => format!("{} `{name}`\n\n{title}", folder.kind()),
        None => format!("{} `{name}`", folder.kind()),
    }
}

fn rule(name: &str) -> Option<String> {
    let rule = lint::explain(name)?;
    Some(format!("rule **{}**\n\n{}\n\n{}", rule.name, rule.about, rule.why))
}
