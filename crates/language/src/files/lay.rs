//! Overlays: a table of one document applied to another document, as for the file of an include.

use super::document::{Format, Keys};
use super::overrides::element;
use super::overrides::{element_names, missing};
use crate::diagnostic::{FileError, Source};
use std::borrow::Cow;
use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue};

/// Key of arrays whose elements have names.
const ELEMENTS: &str = "objectives";
/// Key that gives the kind of its table's value.
const KIND: &str = "of";
/// Key of files that are included.
const FURTHER_IN: &str = "include";

/// Applies the table `over` to `table`.
pub(super) fn over<'t>(
    source: &Source,
    table: &mut DeTable<'t>,
    over: DeTable<'t>,
    format: &Format,
) -> Result<(), FileError> {
    for (key, value) in over {
        let is_named = format.named.contains(&key.get_ref().as_ref()) || key.get_ref() == ELEMENTS;
        match value.into_inner() {
            // Entry by entry, because some may belong to an included file.
            DeValue::Table(entries) if is_named => {
                for (name, value) in entries {
                    let keys = vec![
                        (key.get_ref().to_string(), key.span()),
                        (name.get_ref().to_string(), name.span()),
                    ];
                    let keys = match format.unfold {
                        Some(unfold) => unfold(table, keys),
                        None => keys,
                    };
                    at(source, table, &keys, value, format)?;
                }
            }
            other => {
                let value = Spanned::new(key.span(), other);
                entry(source, table, key, value, false)?;
            }
        }
    }
    Ok(())
}

/// Applies a value at a path of keys from the root.
fn at<'t>(
    source: &Source,
    table: &mut DeTable<'t>,
    keys: &Keys,
    value: Spanned<DeValue<'t>>,
    format: &Format,
) -> Result<(), FileError> {
    let Some(((first, first_span), rest)) = keys.split_first() else { return Ok(()) };
    // The tables are built from the inside out.
    let mut value = value;
    for (key, span) in rest.iter().rev() {
        let mut outer = DeTable::new();
        outer.insert(Spanned::new(span.clone(), Cow::Owned(key.clone())), value);
        value = Spanned::new(span.clone(), DeValue::Table(outer));
    }
    let key = Spanned::new(first_span.clone(), Cow::Owned(first.clone()));
    let is_named = format.named.contains(&first.as_str());
    if first == FURTHER_IN {
        let (Some(DeValue::Table(inner)), DeValue::Table(entries)) =
            (table.get_mut(FURTHER_IN).map(Spanned::get_mut), value.into_inner())
        else {
            let (name, span) = rest.first().unwrap_or(&keys[0]);
            return Err(missing(source, name, span.clone(), &[]));
        };
        for (name, value) in entries {
            if !inner.contains_key(name.get_ref().as_ref()) {
                let known: Vec<String> = inner.keys().map(|key| key.get_ref().to_string()).collect();
                return Err(missing(source, name.get_ref(), name.span(), &known));
            }
            further_in(inner, name, value);
        }
        return Ok(());
    }
    entry(source, table, key, value, is_named)
}

/// Applies a value to the overlay of an included file, which is created if missing.
fn further_in<'t>(table: &mut DeTable<'t>, key: Spanned<Cow<'t, str>>, value: Spanned<DeValue<'t>>) {
    let Some(place) = table.get_mut(key.get_ref().as_ref()) else {
        table.insert(key, value);
        return;
    };
    let span = value.span();
    match (place.get_mut(), value.into_inner()) {
        (DeValue::Table(inner), DeValue::Table(entries)) => {
            entries.into_iter().for_each(|(key, value)| further_in(inner, key, value));
        }
        (_, other) => *place = Spanned::new(span, other),
    }
}

/// Applies a value to a key of a table. `is_named`: the keys in it must exist already.
fn entry<'t>(
    source: &Source,
    table: &mut DeTable<'t>,
    key: Spanned<Cow<'t, str>>,
    value: Spanned<DeValue<'t>>,
    is_named: bool,
) -> Result<(), FileError> {
    let name = key.get_ref().to_string();
    let Some(place) = table.get_mut(name.as_str()) else {
        if let (DeValue::Table(entries), true) = (value.get_ref(), is_named || name == ELEMENTS)
            && let Some((first, _)) = entries.iter().next()
        {
            return Err(missing(source, first.get_ref(), first.span(), &[]));
        }
        table.insert(key, value);
        return Ok(());
    };
    let span = value.span();
    match (place.get_mut(), value.into_inner()) {
        (DeValue::Table(inner), DeValue::Table(entries)) => {
            if name == KIND && entries.keys().any(|kind| !inner.contains_key(kind.get_ref().as_ref())) {
                *place = Spanned::new(span, DeValue::Table(entries));
                return Ok(());
            }
            for (key, value) in entries {
                if is_named && !inner.contains_key(key.get_ref().as_ref()) {
                    let known: Vec<String> = inner.keys().map(|key| key.get_ref().to_string()).collect();
                    return Err(missing(source, key.get_ref(), key.span(), &known));
                }
                entry(source, inner, key, value, false)?;
            }
        }
        (DeValue::Array(elements), DeValue::Table(entries)) if name == ELEMENTS => {
            of_elements(source, elements, entries)?;
        }
        (DeValue::Array(elements), DeValue::Array(more)) if name == ELEMENTS => {
            more.into_iter().for_each(|element| elements.push(element));
        }
        (_, other) => *place = Spanned::new(span, other),
    }
    Ok(())
}

/// Applies values to elements of a list, by their names.
fn of_elements<'t>(
    source: &Source,
    elements: &mut DeArray<'t>,
    entries: DeTable<'t>,
) -> Result<(), FileError> {
    for (key, value) in entries {
        let Some(index) = element(elements, key.get_ref()) else {
            return Err(missing(source, key.get_ref(), key.span(), &element_names(elements)));
        };
        let (Some(DeValue::Table(inner)), DeValue::Table(entries)) =
            (elements.get_mut(index).map(Spanned::get_mut), value.into_inner())
        else {
            let message = format!("`{}` has keys of its own", key.get_ref());
            return Err(FileError::new(source, key.span(), message));
        };
        for (key, value) in entries {
            entry(source, inner, key, value, false)?;
        }
    }
    Ok(())
}
