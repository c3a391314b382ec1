//! Mistakes in changed files, and the change offered for a file.

use super::super::app::App;
use crate::engine::EngineCommand;
use eframe::egui::{self, Color32, Context, RichText, ScrollArea};
use similar::{ChangeTag, TextDiff};

/// Lines of context around a change.
const AROUND: usize = 2;
/// Font size of the text, points.
const SMALL: f32 = 11.0;
/// Width of the panel of mistakes, points.
const WIDTH: f32 = 620.0;
/// Height of a list, as a share of the window's.
const HEIGHT: f32 = 0.5;

/// The mistakes of the files, as a terminal shows them.
pub fn mistakes(app: &App, context: &Context) {
    let Some(mistakes) = &app.news.mistakes else { return };
    let height = HEIGHT * context.content_rect().height();
    egui::Window::new("Errors in the files: the previous version stays in use")
        .id(egui::Id::unique("mistakes"))
        .anchor(egui::Align2::LEFT_TOP, [8.0, 44.0])
        .collapsible(true)
        .resizable(true)
        .show(context, |ui| {
            ui.set_min_width(WIDTH);
            ScrollArea::both().max_height(height).show(ui, |ui| {
                ui.style_mut().wrap_mode = Some(egui::TextWrapMode::Extend);
                ui.label(
                    RichText::new(&**mistakes)
                        .monospace()
                        .size(SMALL)
                        .color(Color32::from_rgb(0x8A, 0x1C, 0x12)),
                );
            });
        });
}

/// The offered change, as a difference to confirm.
pub fn write_back(app: &App, context: &Context) {
    let Some(offer) = &app.news.write_back else { return };
    let height = HEIGHT * context.content_rect().height();
    let name = offer.path.file_name().unwrap_or_default().to_string_lossy();
    egui::Window::new(format!("Write into {name}"))
        .id(egui::Id::unique("write back"))
        .anchor(egui::Align2::LEFT_TOP, [8.0, 44.0])
        .collapsible(false)
        .show(context, |ui| {
            ui.weak(offer.path.display().to_string());
            let diff = TextDiff::from_lines(&offer.before, &offer.after);
            ScrollArea::both().max_height(height).show(ui, |ui| {
                ui.style_mut().wrap_mode = Some(egui::TextWrapMode::Extend);
                for change in diff.grouped_ops(AROUND).iter().flatten().flat_map(|op| diff.iter_changes(op)) {
                    let (sign, colour) = match change.tag() {
                        ChangeTag::Delete => ('-', Color32::DARK_RED),
                        ChangeTag::Insert => ('+', Color32::DARK_GREEN),
                        ChangeTag::Equal => (' ', Color32::GRAY),
                    };
                    let line = format!("{sign} {}", change.value().trim_end());
                    ui.label(RichText::new(line).monospace().color(colour));
                }
            });
            ui.horizontal(|ui| {
                if ui.button("Write").on_hover_text("Enter").clicked() {
                    app.engine.tell(EngineCommand::WriteBack(true));
                }
                if ui.button("Leave it").on_hover_text("Escape").clicked() {
                    app.engine.tell(EngineCommand::WriteBack(false));
                }
            });
        });
}
