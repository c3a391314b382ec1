//! Mirroring: exchanges left and right in names of a controller's file. Names in expressions are exchanged
//! when they are bound.

use aplomb_language::namespace::mirrored;
use std::borrow::Cow;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Exchanges left and right in the names of a document.
pub(super) fn mirror(table: &mut DeTable<'_>) {
    for key in ["parameters", "commands", "define"] {
        if let Some(inner) = inside(table, key) {
            keys(inner);
        }
    }
    if let Some(planner) = inside(table, "planner").and_then(|planner| inside(planner, "next_hold")) {
        keys(planner);
    }
    text(table, "start");
    names(table, "objectives");
    names(table, "collision_avoidance");
    if let Some(states) = inside(table, "states") {
        keys(states);
        for (_, state) in states.iter_mut() {
            let DeValue::Table(state) = state.get_mut() else { continue };
            ["else", "machine"].into_iter().for_each(|key| text(state, key));
            names(state, "objectives");
            for bindings in ["let", "each_frame"] {
                if let Some(bindings) = inside(state, bindings) {
                    keys(bindings);
                }
            }
            if let Some(DeValue::Array(exits)) = state.get_mut("to").map(Spanned::get_mut) {
                exits.iter_mut().for_each(exchange);
            }
        }
    }
    if let Some(includes) = inside(table, "include") {
        keys(includes);
        for (_, include) in includes.iter_mut() {
            if let DeValue::Table(include) = include.get_mut() {
                mirror(include);
            }
        }
    }
}

fn inside<'a, 't>(table: &'a mut DeTable<'t>, key: &str) -> Option<&'a mut DeTable<'t>> {
    match table.get_mut(key).map(Spanned::get_mut) {
        Some(DeValue::Table(inner)) => Some(inner),
        _ => None,
    }
}

/// Exchanges the keys of a table, which stay in their order.
fn keys(table: &mut DeTable<'_>) {
    for (key, value) in std::mem::take(table) {
        let name = Cow::Owned(mirrored(key.get_ref()).into_owned());
        table.insert(Spanned::new(key.span(), name), value);
    }
}

/// Exchanges the elements of an array of tables, or of a table by keys.
fn names(table: &mut DeTable<'_>, key: &str) {
    match table.get_mut(key).map(Spanned::get_mut) {
        Some(DeValue::Table(named)) => keys(named),
        Some(DeValue::Array(elements)) => {
            for element in elements.iter_mut() {
                if let DeValue::Table(element) = element.get_mut() {
                    text(element, "name");
                }
            }
        }
        _ => {}
    }
}

fn text(table: &mut DeTable<'_>, key: &str) {
    if let Some(value) = table.get_mut(key) {
        exchange(value);
    }
}

fn exchange(value: &mut Spanned<DeValue<'_>>) {
    if let DeValue::String(name) = value.get_mut() {
        *name = Cow::Owned(mirrored(name).into_owned());
    }
}
