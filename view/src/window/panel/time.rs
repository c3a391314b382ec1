//! The time bar.

use super::super::app::App;
use crate::engine::EngineCommand;
use eframe::egui::{Slider, Ui};

pub fn show(app: &mut App, ui: &mut Ui) {
    ui.horizontal(|ui| {
        let [earliest, end] = app.news.range;
        if ui.button("Branch").on_hover_text("B: forget what comes after this frame").clicked() {
            app.engine.tell(EngineCommand::Branch);
        }
        let save = ui.add_enabled(app.opened.is_live, eframe::egui::Button::new("Save as scene"));
        if save
            .on_hover_text("Ctrl + S: what was done, as events of a scene file that moves the same")
            .clicked()
        {
            app.engine.tell(EngineCommand::Save);
        }
        let past = end - app.news.at;
        let when = match (past, app.opened.is_live) {
            (0, true) => "now".to_owned(),
            (0, false) => "at the end".to_owned(),
            _ => format!("{:.2} s before the end", past as f64 * app.opened.header.dt),
        };
        ui.label(format!("frame {} of {end}, {when}", app.news.at));
        let mut at = app.news.at;
        ui.spacing_mut().slider_width = (ui.available_width() - 16.0).max(100.0);
        let bar = Slider::new(&mut at, earliest..=end.max(earliest + 1)).show_value(false);
        if ui.add(bar).changed() {
            app.engine.tell(EngineCommand::GoTo(at));
        }
    });
}
