//! Sliders for the controller's parameters, which act at once.

use super::super::app::App;
use crate::engine::EngineCommand;
use crate::session::{Futures, SECONDS, SessionAction};
use aplomb::language::files::quoted;
use eframe::egui::{Button, Color32, Rect, Sense, Slider, Ui, pos2, vec2};
use std::ops::RangeInclusive;

/// Width of a slider, points.
const SLIDER: f32 = 90.0;
/// Height of the strip of futures, points.
const STRIP: f32 = 7.0;
const STANDS: Color32 = Color32::from_rgb(0x1E, 0x7F, 0x4F);
const FALLS: Color32 = Color32::from_rgb(0xA3, 0x3A, 0x2A);

pub fn show(app: &mut App, ui: &mut Ui) {
    if app.news.parameters.is_empty() {
        ui.weak(if app.opened.is_live {
            "the controller has none"
        } else {
            "a finished run has none to set"
        });
        return;
    }
    ui.horizontal(|ui| write_back(app, ui));
    let file: Vec<(String, f64)> = app
        .news
        .controller
        .iter()
        .flat_map(|controller| {
            let parameters = controller.spec.parameters.iter();
            parameters.map(|(name, value)| (name.get_ref().clone(), *value.get_ref())).collect::<Vec<_>>()
        })
        .collect();
    let mut actions = Vec::new();
    for (name, value) in &app.news.parameters {
        let first = file.iter().find(|(own, _)| own == name).map_or(*value, |(_, first)| *first);
        let wanted = ui.horizontal(|ui| slider(app, ui, name, [*value, first])).inner;
        if let Some(futures) = app.news.futures.as_ref().filter(|futures| futures.parameter == *name) {
            strip(ui, futures, app.news.at);
        }
        let path = format!("parameters.{}", quoted(name));
        if let Some(unread) = app.news.unread.iter().find(|unread| unread.path == path) {
            ui.weak(format!("  {}", unread.outcome()));
        }
        if wanted != *value {
            actions.push(SessionAction::set_parameter(name, wanted));
        }
    }
    actions.into_iter().for_each(|action| app.act(action));
}

/// The button that writes the values set by hand into the controller's file, and their number.
fn write_back(app: &App, ui: &mut Ui) {
    let count = app.news.values.len();
    let button = Button::new("Write back");
    let about = "values set by hand into the controller's file, after a look at what changes";
    if ui.add_enabled(count > 0, button).on_hover_text(about).clicked() {
        app.engine.tell(EngineCommand::OfferWriteBack);
    }
    ui.weak(match count {
        0 => "as the file says".to_owned(),
        1 => "1 value set by hand".to_owned(),
        _ => format!("{count} values set by hand"),
    });
}

/// The slider of a parameter with its buttons. Takes its current value and the file's, and returns the one that is
/// set.
fn slider(app: &App, ui: &mut Ui, name: &str, [value, first]: [f64; 2]) -> f64 {
    let mut wanted = value;
    ui.spacing_mut().slider_width = SLIDER;
    let slider = Slider::new(&mut wanted, range(first)).max_decimals(4).text(name);
    // A value outside the slider's range can be typed in.
    ui.add(slider.clamping(eframe::egui::SliderClamping::Never));
    if wanted != first && ui.small_button("reset").clicked() {
        wanted = first;
    }
    let about = format!("a hundred futures of {SECONDS} s, each with another value of the slider's range");
    if app.opened.is_live && ui.small_button("…").on_hover_text(about).clicked() {
        app.engine.tell(EngineCommand::Futures { parameter: name.to_owned(), range: range(first) });
    }
    wanted
}

/// Draws the values along the slider for which futures stand, and for which they fall: the sooner, the darker.
fn strip(ui: &mut Ui, futures: &Futures, at: u64) {
    let (area, response) = ui.allocate_exact_size(vec2(SLIDER, STRIP), Sense::hover());
    let width = area.width() / futures.values.len().max(1) as f32;
    for (place, fall) in futures.falls.iter().enumerate() {
        let left = area.left() + width * place as f32;
        let cell = Rect::from_min_max(pos2(left, area.top()), pos2(left + width, area.bottom()));
        let colour = match fall {
            None => STANDS,
            Some(time) => FALLS.gamma_multiply(1.0 - 0.6 * (time / SECONDS) as f32),
        };
        ui.painter().rect_filled(cell, 0.0, colour);
    }
    let stand = futures.falls.iter().filter(|fall| fall.is_none()).count();
    let count = futures.falls.len();
    let mut about = format!("{stand} of {count} stand for {SECONDS} s");
    if let (Some(first), Some(last)) = (futures.values.first(), futures.values.last()) {
        about += &format!(", from {first} to {last}");
    }
    response.on_hover_text(about);
    if futures.at != at {
        ui.weak("of another moment");
    }
}

/// A range around the file's value.
fn range(first: f64) -> RangeInclusive<f64> {
    match first {
        0.0 => -1.0..=1.0,
        first if first < 0.0 => 2.0 * first..=0.0,
        first => 0.0..=2.0 * first,
    }
}
