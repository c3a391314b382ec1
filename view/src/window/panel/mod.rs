//! The panels around the picture.

pub mod events;
pub mod objectives;
pub mod parameters;
pub mod plots;
pub mod push;
pub mod state;
pub mod time;
pub mod tools;

use super::app::App;
use crate::engine::Opened;
use eframe::egui::{CollapsingHeader, Ui};
use std::ops::Range;

/// What panels remember.
pub struct Panels {
    pub has_plots: bool,
    pub has_side: bool,
    pub push: push::Settings,
    /// Values of the controller's parameters when it was opened.
    pub parameters: Vec<(String, f64)>,
    /// Objectives that were switched by hand.
    pub switched: Vec<(String, bool)>,
    /// What is typed to find a channel.
    pub search: String,
}

impl Panels {
    pub fn new(opened: &Opened) -> Self {
        let controller = opened.controller.as_ref();
        let parameters = controller.into_iter().flat_map(|controller| &controller.spec.parameters);
        Panels {
            has_plots: true,
            has_side: true,
            push: push::Settings::default(),
            parameters: parameters.map(|(name, value)| (name.get_ref().clone(), *value.get_ref())).collect(),
            switched: Vec::new(),
            search: String::new(),
        }
    }
}

/// A part of the side panel.
type Part = (&'static str, bool, fn(&mut App, &mut Ui));

/// The side panel: each part under a title that folds it.
pub fn side(app: &mut App, ui: &mut Ui) {
    let parts: [Part; 5] = [
        ("State", true, state::show),
        ("Push and pull", true, push::show),
        ("Parameters", true, parameters::show),
        ("Objectives", true, objectives::show),
        ("Events", true, events::show),
    ];
    for (title, is_open, show) in parts {
        CollapsingHeader::new(title).default_open(is_open).show(ui, |ui| show(app, ui));
    }
}

/// A passage of the controller's file.
fn passage(app: &App, span: Range<usize>) -> String {
    let text = app.opened.controller.as_ref().and_then(|controller| controller.source.text.get(span));
    text.unwrap_or_default().trim_matches('"').to_owned()
}
