//! The bar at the top.

use super::super::app::App;
use super::super::keys;
use crate::engine::EngineCommand;
use eframe::egui::{Color32, DragValue, RichText, Ui};

pub fn show(app: &mut App, ui: &mut Ui) {
    ui.horizontal_wrapped(|ui| {
        let run = if app.news.is_running { "Pause" } else { "Run" };
        if ui.button(run).on_hover_text("Space").clicked() {
            keys::run_or_pause(app);
        }
        if ui.button("Step").on_hover_text("Right").clicked() {
            app.engine.tell(EngineCommand::Step(1));
        }
        if ui.button("Reset").on_hover_text("Backspace").clicked() {
            app.engine.tell(EngineCommand::Reset);
        }
        let mut speed = app.news.speed;
        let field = DragValue::new(&mut speed).range(0.01..=20.0).speed(0.01).prefix("speed ");
        if ui.add(field).on_hover_text("simulated seconds a second; - and =").changed() {
            app.engine.tell(EngineCommand::Speed(speed));
        }
        ui.label(format!("{:.2} s", app.news.frame.time));
        if app.news.is_running {
            ui.label(format!("pace {:.2}", app.news.pace));
        }
        ui.separator();
        ui.toggle_value(&mut app.is_following, "Follow").on_hover_text("F");
        if ui.button("Side").on_hover_text("1").clicked() {
            app.camera.side();
        }
        if ui.button("Front").on_hover_text("2").clicked() {
            app.camera.front();
        }
        ui.menu_button("Overlays", |ui| {
            for (name, is_on) in app.switches.list() {
                app.is_stale |= ui.checkbox(is_on, name).changed();
            }
        });
        ui.toggle_value(&mut app.panels.has_side, "Panels");
        ui.toggle_value(&mut app.panels.has_plots, "Plots");
        ui.toggle_value(&mut app.has_help, "Keys").on_hover_text("F1");
        if let Some(written) = &app.news.written {
            ui.label(written);
        }
        if let Some(message) = &app.news.message {
            ui.label(RichText::new(message).color(Color32::DARK_RED));
        }
    });
}
