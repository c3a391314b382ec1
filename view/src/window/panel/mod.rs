//! The panels around the picture.

pub mod commands;
mod criteria;
pub mod events;
pub mod files;
mod forces;
pub mod objectives;
pub mod parameters;
pub mod plots;
pub mod push;
pub mod state;
pub mod throw;
pub mod time;
pub mod tools;

use super::app::App;
use eframe::egui::{CollapsingHeader, Ui};
use std::ops::Range;

/// State of the panels.
pub struct Panels {
    pub has_plots: bool,
    pub has_side: bool,
    pub push: push::PushSettings,
    pub throw: throw::ThrowSettings,
    /// Search text for channels.
    pub search: String,
}

impl Default for Panels {
    fn default() -> Self {
        Panels {
            has_plots: true,
            has_side: true,
            push: push::PushSettings::default(),
            throw: throw::ThrowSettings::default(),
            search: String::new(),
        }
    }
}

/// A section of the side panel: title, whether it is open at first, and its content.
type Part = (&'static str, bool, fn(&mut App, &mut Ui));

/// The side panel: sections that fold.
pub fn side(app: &mut App, ui: &mut Ui) {
    let parts: [Part; 9] = [
        ("State", true, state::show),
        ("Criteria", true, criteria::show),
        ("Push and pull", true, push::show),
        ("Throw", false, throw::show),
        ("Commands", true, commands::show),
        ("Parameters", true, parameters::show),
        ("Objectives", true, objectives::show),
        ("Forces", false, forces::show),
        ("Events", true, events::show),
    ];
    for (title, is_open, show) in parts {
        CollapsingHeader::new(title).default_open(is_open).show(ui, |ui| show(app, ui));
    }
}

/// A passage of the controller's file.
fn passage(app: &App, span: Range<usize>) -> String {
    let text = app.news.controller.as_ref().map(|controller| controller.source.slice(span).to_owned());
    text.unwrap_or_default().trim_matches('"').to_owned()
}
