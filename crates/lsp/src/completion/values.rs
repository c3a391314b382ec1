//! Values that a key may have.

use super::CompletionSite;
use super::keys::{flowing, value};
use super::offer::Offer;
use crate::expression::{call_at, name_at, written};
use crate::hover::comment;
use crate::lookup::NameMeaning;
use crate::names::{DefinedName, OwnKind, Word, listed, planned};
use crate::outline::PathStep;
use crate::schema::{self, AllowedValue, Expected, ValueForm, expected};
use aplomb_analysis::check::Kind;
use aplomb_analysis::lint;
use aplomb_language::expression::Type;
use aplomb_qp::solver;
use lsp_types::CompletionItemKind;
use std::ops::Range;

impl CompletionSite<'_> {
    /// Values at a path, with the bytes that they replace.
    pub(super) fn values(
        &self,
        path: &[PathStep],
        span: Range<usize>,
        is_text: bool,
    ) -> (Range<usize>, Vec<Offer>) {
        let Some(schema) = schema::of(self.document.kind) else { return (span, Vec::new()) };
        let typed = self.document.text.get(span.clone()).unwrap_or_default();
        if !is_text && typed.starts_with(|first: char| !first.is_alphabetic()) {
            // A number is being written, which must not be replaced.
            return (span, Vec::new());
        }
        let wanted = expected(schema, self.document.kind, path);
        if let Expected::Expression(kind) = wanted {
            if is_text {
                return self.expression(kind, span);
            }
            let offers = self.words(kind, None).into_iter().map(Offer::quoted);
            return (span, offers.chain(self.truths(path)).collect());
        }
        let mut offers = self.plain(&wanted);
        if !is_text {
            offers = offers.into_iter().map(Offer::quoted).collect();
            offers.extend(self.truths(path));
            offers.extend(self.kinds(path));
        }
        (span, offers)
    }

    /// `true` and `false`, where a Boolean is allowed.
    fn truths(&self, path: &[PathStep]) -> Vec<Offer> {
        let doc = schema::of(self.document.kind).and_then(|schema| schema.doc(path));
        let is_condition = |doc: &schema::KeyDoc| doc.form == ValueForm::Truth;
        if !doc.is_some_and(|doc| is_condition(&doc)) {
            return Vec::new();
        }
        ["true", "false"].map(|name| Offer::new(name, CompletionItemKind::VALUE, "")).into()
    }

    /// Tables of all kinds, where a kind is allowed.
    fn kinds(&self, path: &[PathStep]) -> Vec<Offer> {
        let Some(schema) = schema::of(self.document.kind) else { return Vec::new() };
        let is_choice = schema.at(path).iter().any(|node| node.value.get("oneOf").is_some());
        if !is_choice {
            return Vec::new();
        }
        let keys = schema.keys(path).into_iter();
        keys.map(|key| {
            let inner = format!("{{ {} = {} }}", key.name, value(&key));
            Offer::new(&key.name, CompletionItemKind::STRUCT, flowing(&key.about)).snippet(inner)
        })
        .collect()
    }

    /// Names in the scenes that use the file.
    fn of_scenes(&self, wanted: &Expected) -> Vec<Offer> {
        let scenes = &self.names.scenes;
        match wanted {
            Expected::Character => {
                let cast = scenes.iter().flat_map(|scene| &scene.cast);
                all(cast.map(|cast| cast.name.clone()).collect(), CompletionItemKind::CLASS)
            }
            Expected::Obstacle => {
                let names = scenes.iter().flat_map(|scene| scene.obstacles.clone());
                all(distinct(names), CompletionItemKind::FIELD)
            }
            Expected::Object => {
                let names = scenes.iter().flat_map(|scene| scene.objects.clone());
                all(distinct(names), CompletionItemKind::FIELD)
            }
            Expected::Event => {
                let names = scenes.iter().flat_map(|scene| scene.events.clone());
                all(distinct(names), CompletionItemKind::EVENT)
            }
            _ => Vec::new(),
        }
    }

    /// Names of included files and of their contents.
    fn of_included(&self, wanted: &Expected) -> Vec<Offer> {
        match wanted {
            Expected::StateOf(include) => {
                let file = self.names.included.iter().find(|file| file.prefix == *include);
                let names = file.map(|file| file.names()).unwrap_or_default();
                let states = names.into_iter().filter(|own| own.kind == OwnKind::State);
                let bare = |own: DefinedName| own.name.rsplit('.').next().unwrap_or_default().to_owned();
                all(states.map(bare).collect(), CompletionItemKind::CLASS)
            }
            Expected::Include => {
                let own = self.names.own.iter().filter(|own| own.kind == OwnKind::Include);
                all(own.map(|own| own.name.clone()).collect(), CompletionItemKind::MODULE)
            }
            Expected::Objective => {
                let names = self.names.included.iter().flat_map(|file| file.objectives());
                all(distinct(names), CompletionItemKind::PROPERTY)
            }
            Expected::Command => {
                let names = self.names.included.iter().flat_map(|file| file.commands());
                all(distinct(names), CompletionItemKind::EVENT)
            }
            _ => Vec::new(),
        }
    }

    /// Values that are not expressions.
    fn plain(&self, wanted: &Expected) -> Vec<Offer> {
        let of_words = |lists: &[&Vec<Word>]| -> Vec<Offer> {
            let words = lists.iter().copied().flatten();
            words.map(|word| Offer { snippet: None, ..Offer::word(word) }).collect()
        };
        let parts = &self.names.parts;
        match wanted {
            Expected::State => self.states(),
            Expected::File(folder) => self.files(*folder),
            Expected::Joint => of_words(&[&parts.sets, &parts.joints]),
            Expected::Body => of_words(&[&parts.bodies]),
            Expected::Rule => {
                let rules = lint::rules();
                rules.map(|rule| Offer::new(rule.name, CompletionItemKind::EVENT, rule.about)).collect()
            }
            Expected::Solver => {
                let solvers = solver::list().iter();
                solvers.map(|(name, about)| Offer::new(*name, CompletionItemKind::VALUE, *about)).collect()
            }
            Expected::Character | Expected::Obstacle | Expected::Object | Expected::Event => {
                self.of_scenes(wanted)
            }
            Expected::StateOf(_) | Expected::Include | Expected::Objective | Expected::Command => {
                self.of_included(wanted)
            }
            Expected::Channel => {
                let channel = |channel: &aplomb_trace::Channel| {
                    Offer::new(&channel.name, CompletionItemKind::VARIABLE, &channel.doc)
                        .detail(&channel.unit)
                };
                self.channels.iter().map(channel).collect()
            }
            Expected::Choice(choices) => {
                let choice = |choice: &AllowedValue| {
                    Offer::new(&choice.name, CompletionItemKind::ENUM_MEMBER, flowing(&choice.about))
                };
                choices.iter().map(choice).collect()
            }
            Expected::Expression(_) | Expected::Anything => Vec::new(),
        }
    }

    /// States of the file and of those that it includes.
    fn states(&self) -> Vec<Offer> {
        let own = self.names.own.iter().filter(|own| matches!(own.kind, OwnKind::State | OwnKind::Include));
        let doc = |own: &DefinedName| {
            self.document.outline.text_at(&self.document.text, &["states", &own.name, "doc"])
        };
        let mut all: Vec<Offer> = own
            .map(|own| {
                Offer::new(&own.name, CompletionItemKind::CLASS, doc(own).unwrap_or_default()).detail("state")
            })
            .collect();
        let is_state = |own: &DefinedName| own.kind == OwnKind::State;
        let included = self.names.included.iter().flat_map(|file| file.names()).filter(is_state);
        all.extend(
            included.map(|own| Offer::new(own.name, CompletionItemKind::CLASS, "").detail("state").rank(3)),
        );
        all
    }

    /// Names at a place of an expression.
    fn expression(&self, kind: &'static str, span: Range<usize>) -> (Range<usize>, Vec<Offer>) {
        let text = self.document.text.get(span.clone()).unwrap_or_default();
        let at = self.offset.saturating_sub(span.start);
        let call = call_at(text, at);
        let argument = call.as_ref().and_then(|(name, number)| {
            let word = listed().iter().find(|word| word.name == *name && !word.arguments.is_empty())?;
            word.arguments.get(*number).copied()
        });
        let mut offers = self.words(kind, argument);
        let (mut start, mut end) = (self.offset, self.offset);
        if let Some(name) = name_at(text, at) {
            (start, end) = (span.start + name.span.start, span.start + name.span.end);
            let typed = text.get(name.span.start..at).unwrap_or_default();
            if let Some((base, _)) = typed.rsplit_once('.')
                && let Some(meaning) = self.names.meaning(base, text)
                && may_be_vector(&meaning)
            {
                let component =
                    |axis| Offer::new(format!("{base}.{axis}"), CompletionItemKind::FIELD, "").rank(0);
                offers.extend(["x", "y", "z"].map(component));
            }
            if name.is_call {
                // Its brackets already exist.
                offers
                    .iter_mut()
                    .filter(|offer| offer.snippet.is_some())
                    .for_each(|offer| offer.snippet = None);
            }
        }
        let variables = crate::expression::variables(text).into_iter();
        offers.extend(variables.map(|name| {
            Offer::new(name, CompletionItemKind::VARIABLE, "").detail("member of the set").rank(0)
        }));
        (start..end, offers)
    }

    /// All names of expressions, those of the required type first.
    fn words(&self, kind: &str, argument: Option<Type>) -> Vec<Offer> {
        let wanted = argument.or(match kind {
            "body" => Some(Type::Body),
            "body or site" => Some(Type::Place),
            "site" => Some(Type::Site),
            "hold" => Some(Type::Hold),
            "passive object" => Some(Type::Passive),
            _ => None,
        });
        let is_wanted = |result: Option<Type>| {
            wanted.is_some_and(|wanted| result.is_some_and(|result| wanted.accepts(result)))
        };
        let ranked =
            |word: &Word, rank: u8| Offer::word(word).rank(if is_wanted(word.result) { 0 } else { rank });
        let mut all: Vec<Offer> = Vec::new();
        let mut seen = std::collections::BTreeSet::new();
        for own in &self.names.own {
            if own.kind != OwnKind::Include && seen.insert(own.name.clone()) {
                all.push(self.own(own, wanted));
            }
        }
        let of_controller = self.document.kind == Kind::Controller;
        for (file, own) in
            self.names.included.iter().flat_map(|file| file.names().into_iter().map(move |own| (file, own)))
        {
            // A scene names the states of its controllers without a prefix.
            let name = if of_controller {
                own.name.as_str()
            } else {
                own.name.rsplit('.').next().unwrap_or_default()
            };
            let is_said = of_controller || own.kind == OwnKind::State;
            if is_said && seen.insert(name.to_owned()) {
                let detail = format!("{} of {}", own.kind.word(), file.locator.stem());
                let rank = if own.kind == OwnKind::State && wanted == Some(Type::State) { 0 } else { 4 };
                all.push(Offer::new(name, CompletionItemKind::REFERENCE, "").detail(detail).rank(rank));
            }
        }
        all.extend(listed().iter().filter(|word| !seen.contains(&word.name)).map(|word| ranked(word, 2)));
        all.extend(self.names.parts.of_expressions().map(|word| ranked(word, 3)));
        all.extend(self.names.around().iter().map(|word| ranked(word, 3)));
        all
    }

    fn own(&self, own: &DefinedName, wanted: Option<Type>) -> Offer {
        let (document, name) = (self.document, written(&own.name));
        let kind = match own.kind {
            OwnKind::Parameter => CompletionItemKind::CONSTANT,
            OwnKind::State => CompletionItemKind::CLASS,
            _ => CompletionItemKind::VARIABLE,
        };
        let value =
            own.value.clone().and_then(|span| document.text.get(span)).map(|value| format!("`{value}`"));
        let comment = comment(&document.outline, &document.text, &own.key).map(str::to_owned);
        let mut about = [value, comment].into_iter().flatten().collect::<Vec<_>>().join("\n\n");
        if own.kind == OwnKind::Planned {
            planned(&own.name).clone_into(&mut about);
        }
        let is_state = own.kind == OwnKind::State;
        let rank = match wanted {
            Some(Type::State) if is_state => 0,
            _ if is_state => 4,
            _ => 1,
        };
        let offer = Offer::new(&own.name, kind, about).detail(own.kind.word()).rank(rank);
        if name == own.name { offer } else { offer.snippet(name) }
    }
}

/// Whether a name may be that of a vector.
fn may_be_vector(meaning: &NameMeaning) -> bool {
    match meaning {
        NameMeaning::Own(own) | NameMeaning::Included(_, own) => match own.kind {
            OwnKind::Parameter => own.is_vector,
            OwnKind::State | OwnKind::Include => false,
            _ => true,
        },
        NameMeaning::Listed(word) => word.result == Some(Type::Vector),
        NameMeaning::Part(_) | NameMeaning::Variable(_) => false,
    }
}

fn distinct(names: impl Iterator<Item = String>) -> Vec<String> {
    let mut names: Vec<String> = names.collect();
    names.sort();
    names.dedup();
    names
}

/// One offer per name.
fn all(names: Vec<String>, kind: CompletionItemKind) -> Vec<Offer> {
    names.into_iter().map(|name| Offer::new(name, kind, "")).collect()
}
