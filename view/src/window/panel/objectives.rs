//! Objectives: weight, which can be dragged where it is a number, cost now, and distance from moving targets.

use super::super::app::App;
use super::passage;
use crate::session::Action;
use aplomb::language::expression::ScalarField;
use eframe::egui::{DragValue, Grid, RichText, Ui};

/// Least change of a weight by a drag of a point.
const LEAST_SPEED: f64 = 1e-4;
/// How much of an expression is shown.
const BRIEF: usize = 10;
/// Share of all costs from which one stands out.
const MUCH: f64 = 0.2;

pub fn show(app: &mut App, ui: &mut Ui) {
    let total: f64 = app.news.frame.costs.iter().sum();
    let mut asked = Vec::new();
    Grid::new("objectives").num_columns(4).striped(true).show(ui, |ui| {
        for title in ["", "weight", "cost", "off by"] {
            ui.small(title);
        }
        ui.end_row();
        for (place, name) in app.opened.header.objectives.iter().enumerate() {
            let weight = weight(app, name);
            asked.extend(switch(app, ui, name, weight.is_some()));
            asked.extend(weigh(app, ui, name, weight));
            numbers(app, ui, place, total);
            ui.end_row();
        }
    });
    for action in asked {
        if let Action::EnableObjective { name, enabled } = &action {
            app.panels.switched.retain(|(own, _)| own != name);
            app.panels.switched.push((name.clone(), *enabled));
        }
        app.act(action);
    }
}

/// The name, with a switch where the controller has the objective.
fn switch(app: &App, ui: &mut Ui, name: &str, is_own: bool) -> Option<Action> {
    if !is_own {
        ui.label(name);
        return None;
    }
    let by_hand = app.panels.switched.iter().find(|(own, _)| own == name);
    let mut enabled = by_hand.is_none_or(|(_, enabled)| *enabled);
    let changed = ui.checkbox(&mut enabled, name).changed();
    changed.then(|| Action::EnableObjective { name: name.to_owned(), enabled })
}

/// The weight: a number to drag, or the beginning of its expression.
fn weigh(app: &App, ui: &mut Ui, name: &str, weight: Option<&ScalarField>) -> Option<Action> {
    let Some(weight) = weight else {
        ui.label("");
        return None;
    };
    let by_hand = app.news.weights.iter().find(|(own, _)| own == name).map(|(_, value)| *value);
    let Some(mut value) = by_hand.or(weight.plain()) else {
        let whole = passage(app, weight.span());
        let brief: String = whole.chars().take(BRIEF).collect();
        ui.small(brief).on_hover_text(whole);
        return None;
    };
    let speed = (0.01 * value).max(LEAST_SPEED);
    let changed = ui.add(DragValue::new(&mut value).range(0.0..=f64::MAX).speed(speed)).changed();
    changed.then(|| Action::SetWeight { name: name.to_owned(), value })
}

/// Cost, and distance from a moving target.
fn numbers(app: &App, ui: &mut Ui, place: usize, total: f64) {
    let (header, frame) = (&app.opened.header, &app.news.frame);
    let cost = frame.costs.get(place).copied().unwrap_or(0.0);
    let text = RichText::new(format!("{cost:.2e}")).small();
    ui.label(if cost > MUCH * total { text.strong() } else { text });
    let followed = header.followed.iter().zip(&frame.distances);
    let mut here = followed.filter(|(followed, _)| followed.objective == header.objectives[place]);
    let distance = here.next().and_then(|(followed, distance)| Some((followed, (*distance)?)));
    ui.small(
        distance.map_or(String::new(), |(followed, distance)| format!("{distance:.3} {}", followed.unit)),
    );
}

/// The weight of an objective in the controller's file: in the present state, else in every state, else in the first
/// that has it. `None` for built-in costs.
fn weight<'a>(app: &'a App, name: &str) -> Option<&'a ScalarField> {
    let spec = &app.opened.controller.as_ref()?.spec;
    let states = || spec.states.iter();
    let here = states().filter(|(state, _)| *state.get_ref() == app.news.frame.state);
    let here = here.flat_map(|(_, state)| &state.objectives);
    let mut entries = here.chain(&spec.objectives).chain(states().flat_map(|(_, state)| &state.objectives));
    entries.find(|entry| entry.name.get_ref() == name).map(|entry| &entry.weight)
}
