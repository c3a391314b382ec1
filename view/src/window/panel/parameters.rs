//! Sliders for the controller's parameters, which act at once.

use super::super::app::App;
use crate::engine::Command;
use crate::session::Action;
use aplomb::language::files::quoted;
use eframe::egui::{Button, Slider, Ui};
use std::ops::RangeInclusive;

pub fn show(app: &mut App, ui: &mut Ui) {
    if app.news.parameters.is_empty() {
        ui.weak(if app.opened.is_live {
            "the controller has none"
        } else {
            "a finished run has none to set"
        });
        return;
    }
    ui.horizontal(|ui| {
        let count = app.news.values.len();
        let button = Button::new("Write back");
        let about = "values set by hand into the controller's file, after a look at what changes";
        if ui.add_enabled(count > 0, button).on_hover_text(about).clicked() {
            app.engine.tell(Command::OfferWriteBack);
        }
        ui.weak(match count {
            0 => "as the file says".to_owned(),
            1 => "1 value set by hand".to_owned(),
            _ => format!("{count} values set by hand"),
        });
    });
    let file: Vec<(String, f64)> = app
        .news
        .controller
        .iter()
        .flat_map(|controller| {
            let parameters = controller.spec.parameters.iter();
            parameters.map(|(name, value)| (name.get_ref().clone(), *value.get_ref())).collect::<Vec<_>>()
        })
        .collect();
    let mut told = Vec::new();
    for (name, value) in &app.news.parameters {
        let first = file.iter().find(|(own, _)| own == name).map_or(*value, |(_, first)| *first);
        let mut wanted = *value;
        ui.horizontal(|ui| {
            ui.spacing_mut().slider_width = 90.0;
            let slider = Slider::new(&mut wanted, range(first)).max_decimals(4).text(name);
            // A value outside the slider's range can be typed in.
            ui.add(slider.clamping(eframe::egui::SliderClamping::Never));
            if wanted != first && ui.small_button("reset").clicked() {
                wanted = first;
            }
        });
        let path = format!("parameters.{}", quoted(name));
        if let Some(unread) = app.news.unread.iter().find(|unread| unread.path == path) {
            ui.weak(format!("  {}", unread.outcome()));
        }
        if wanted != *value {
            told.push(Action::set_parameter(name, wanted));
        }
    }
    told.into_iter().for_each(|action| app.act(action));
}

/// A range around the file's value.
fn range(first: f64) -> RangeInclusive<f64> {
    match first {
        0.0 => -1.0..=1.0,
        first if first < 0.0 => 2.0 * first..=0.0,
        first => 0.0..=2.0 * first,
    }
}
