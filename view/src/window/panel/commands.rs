//! Sliders of the controller's commands, which act at once.

use super::super::app::App;
use crate::session::SessionAction;
use aplomb::controller::CommandValue;
use eframe::egui::{Slider, Ui};

/// Half-width of the slider of a command without a range.
const USUAL: f64 = 1.0;

pub fn show(app: &mut App, ui: &mut Ui) {
    let commands = app.news.commands.clone();
    if commands.is_empty() {
        ui.weak("the controller takes none");
        return;
    }
    ui.weak("I K ahead and back, J L turn, U O aside: while held");
    let mut actions = Vec::new();
    for command in commands {
        let ends = |end: f64, usual: f64| if end.is_finite() { end } else { usual };
        let range = ends(command.range[0], -USUAL)..=ends(command.range[1], USUAL);
        let axes: &[&str] = match command.now {
            CommandValue::Number(_) => &[""],
            CommandValue::Vector(_) => &[" x", " y", " z"],
        };
        let mut wanted = command.now.numbers().to_vec();
        for (number, axis) in wanted.iter_mut().zip(axes) {
            ui.spacing_mut().slider_width = 90.0;
            let text = format!("{}{axis}, {}", command.name, command.unit);
            ui.add(Slider::new(number, range.clone()).max_decimals(2).text(text));
        }
        let value = match wanted[..] {
            [number] => CommandValue::Number(number),
            [x, y, z] => CommandValue::Vector([x, y, z]),
            _ => continue,
        };
        if value != command.now {
            actions.push(SessionAction::Command { name: command.name.to_string(), value });
        }
    }
    actions.into_iter().for_each(|action| app.act(action));
}
