//! Events, the latest first.

use super::super::app::App;
use crate::engine::EngineCommand;
use eframe::egui::{Color32, Label, RichText, Sense, Ui};

/// Most events listed.
const LISTED: usize = 60;

pub fn show(app: &mut App, ui: &mut Ui) {
    let mut chosen = None;
    for entry in app.log.entries.iter().rev().take(LISTED) {
        let text = RichText::new(format!("{:.2} s  {}", entry.time, entry.text)).small();
        let text = if entry.is_alarm { text.color(Color32::DARK_RED) } else { text };
        let text = if entry.index >= app.news.at { text.weak() } else { text };
        if ui.add(Label::new(text).sense(Sense::click())).on_hover_text("go there").clicked() {
            chosen = Some(entry.index + 1);
        }
    }
    if let Some(at) = chosen {
        app.engine.tell(EngineCommand::GoTo(at));
    }
}
