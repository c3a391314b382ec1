//! The controller's states, with the present one.

use super::super::app::App;
use super::passage;
use eframe::egui::{Color32, RichText, Ui};

pub fn show(app: &mut App, ui: &mut Ui) {
    let frame = &app.news.frame;
    if app.opened.header.states.is_empty() {
        ui.weak("nobody acts here");
        return;
    }
    for name in &app.opened.header.states {
        let is_present = *name == frame.state;
        let line = if is_present { format!("{name}  {:.2} s", frame.state_time) } else { name.clone() };
        let text = if is_present {
            RichText::new(line).strong().background_color(Color32::from_rgb(0xF7, 0xE7, 0x9A))
        } else {
            RichText::new(line)
        };
        let label = ui.label(text);
        let spec = app.opened.controller.as_ref().and_then(|controller| {
            controller.spec.states.iter().find(|(own, _)| own.get_ref() == name).map(|(_, state)| state)
        });
        let Some(state) = spec else { continue };
        let mut about = String::new();
        let conditions = [("while", &state.applicable), ("until", &state.done)];
        for (word, condition) in conditions {
            if let Some(condition) = condition {
                about += &format!("{word}  {}\n", passage(app, condition.span()));
            }
        }
        let exits: Vec<&str> = state.to.iter().map(|exit| exit.get_ref().as_str()).collect();
        if !exits.is_empty() {
            about += &format!("to  {}\n", exits.join(", "));
        }
        if let Some(otherwise) = &state.otherwise {
            about += &format!("else  {}\n", otherwise.get_ref());
        }
        if is_present && !about.is_empty() {
            ui.indent("guards", |ui| ui.small(about.trim_end()));
        } else if !about.is_empty() {
            label.on_hover_text(about.trim_end());
        }
    }
    for (name, value) in &frame.roles {
        ui.small(format!("{name} = {}", short(value)));
    }
}

/// Numbers of a text with three digits behind the point.
fn short(value: &str) -> String {
    let word = |word: &str| {
        let bare = word.trim_matches(['[', ']', ' ']);
        bare.parse::<f64>().map_or(word.to_owned(), |number| word.replace(bare, &format!("{number:.3}")))
    };
    value.split(',').map(word).collect::<Vec<_>>().join(",")
}
