//! Objectives of the current state: weight (dragged if it is a number), cost, target, value and error.

use super::super::app::App;
use crate::session::SessionAction;
use aplomb::controller::ControllerFile;
use aplomb::language::expression::ScalarField;
use aplomb::world::GoalNow;
use eframe::egui::{DragValue, Grid, RichText, Ui};

/// Least change of a weight per point of a drag.
const LEAST_SPEED: f64 = 1e-4;
/// Letters of an expression that are shown.
const BRIEF: usize = 10;
/// Share of all costs from which a cost is highlighted.
const MUCH: f64 = 0.2;
/// Most numbers listed.
const LISTED: usize = 3;

pub fn show(app: &mut App, ui: &mut Ui) {
    let total: f64 = app.news.frame.costs.iter().sum();
    let mut asked = Vec::new();
    let mind = app.news.mind.clone();
    Grid::new("objectives").num_columns(6).striped(true).spacing([6.0, 3.0]).show(ui, |ui| {
        for title in ["", "weight", "cost", "target", "actual", "error"] {
            ui.small(title);
        }
        ui.end_row();
        for goal in &mind.goals {
            asked.extend(switch(app, ui, goal));
            asked.extend(weigh(app, ui, goal));
            cost(app, ui, goal.index, total);
            aims(ui, goal);
            ui.end_row();
        }
        let is_built_in = |index: usize| mind.goals.iter().all(|goal| goal.index != index);
        let costs = app.opened.header.objectives.iter().enumerate();
        for (index, name) in costs.filter(|(index, _)| is_built_in(*index)) {
            // Objectives of other states have no cost now.
            if app.news.frame.costs.get(index).is_some_and(|cost| *cost != 0.0) {
                ui.label(RichText::new(name).weak());
                ui.label("");
                cost(app, ui, index, total);
                ui.end_row();
            }
        }
    });
    asked.into_iter().for_each(|action| app.act(action));
}

/// The name, with a switch if the objective is in the controller.
fn switch(app: &App, ui: &mut Ui, goal: &GoalNow) -> Option<SessionAction> {
    if goal.path.is_empty() {
        ui.label(&goal.name);
        return None;
    }
    let state = &app.news.mind.state;
    let name = if goal.path.starts_with("objectives.") {
        goal.name.clone()
    } else {
        format!("{state}.{}", goal.name)
    };
    let mut enabled = goal.enabled;
    let text = RichText::new(&goal.name);
    let text = if goal.weight.is_some() { text } else { text.weak() };
    let changed = app.opened.is_live && ui.checkbox(&mut enabled, text).changed();
    changed.then_some(SessionAction::EnableObjective { name, enabled })
}

/// The weight: a number to drag, or the value of the expression.
fn weigh(app: &App, ui: &mut Ui, goal: &GoalNow) -> Option<SessionAction> {
    let Some(controller) = &app.news.controller else {
        ui.label("");
        return None;
    };
    let path = format!("{}.weight", goal.path);
    let by_hand = app.news.values.iter().find(|(known, _)| *known == path);
    let by_hand = by_hand.and_then(|(_, value)| value.parse::<f64>().ok());
    let Some(field) = field(controller, app, goal) else {
        ui.label(goal.weight.map_or(String::new(), |weight| format!("{weight:.3}")));
        return None;
    };
    let Some(mut value) = by_hand.or(field.plain()) else {
        let whole = super::passage(app, field.span());
        let brief: String = whole.chars().take(BRIEF).collect();
        let text = goal.weight.map_or(brief, |weight| format!("{weight:.3}"));
        ui.small(text).on_hover_text(whole);
        return None;
    };
    let speed = (0.01 * value).max(LEAST_SPEED);
    let drag = DragValue::new(&mut value).range(0.0..=f64::MAX).speed(speed).max_decimals(5);
    ui.add(drag).changed().then(|| SessionAction::SetValue { path, value: format!("{value:?}") })
}

/// Text of an objective's weight in the file.
fn field<'a>(controller: &'a ControllerFile, app: &App, goal: &GoalNow) -> Option<&'a ScalarField> {
    let spec = &controller.spec;
    let state = spec.states.get_index_of(app.news.mind.state.as_str())?;
    let place = controller.objective_paths(state).iter().position(|path| *path == goal.path)?;
    let of_state = &spec.states[state].objectives;
    spec.objectives.iter().chain(of_state).nth(place).map(|entry| &entry.weight)
}

fn cost(app: &App, ui: &mut Ui, index: usize, total: f64) {
    let cost = app.news.frame.costs.get(index).copied().unwrap_or(0.0);
    let text = RichText::new(format!("{cost:.1e}")).small();
    ui.label(if cost > MUCH * total { text.strong() } else { text });
}

/// Target, value and error.
fn aims(ui: &mut Ui, goal: &GoalNow) {
    let Some(aim) = &goal.aim else { return };
    for numbers in [&aim.target, &aim.actual] {
        let text = match numbers.len() {
            0..=LISTED => numbers.iter().map(|number| format!("{number:.2}")).collect::<Vec<_>>().join(" "),
            many => format!("{many} angles"),
        };
        ui.small(text);
    }
    ui.small(format!("{:.3} {}", aim.error, aim.unit));
}
