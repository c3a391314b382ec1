//! The criteria of the scene and their verdicts so far.

use super::super::app::App;
use eframe::egui::{Color32, RichText, Ui};

pub fn show(app: &mut App, ui: &mut Ui) {
    let (header, frame) = (&app.opened.header, &app.news.frame);
    let is_over = frame.time >= header.duration - 0.5 * header.dt;
    let over = if is_over { ", which is over" } else { "" };
    ui.small(format!("{:.2} s of the scene's {:.2} s{over}", frame.time, header.duration));
    if app.news.criteria.is_empty() {
        ui.weak("the scene has none");
    }
    for ([name, when, text], verdict) in app.news.criteria.iter().zip(app.news.verdicts.iter()) {
        let at = verdict.at.map_or(String::new(), |at| format!(" at {at:.2} s"));
        let (said, colour) = match (when.as_str(), verdict.holds) {
            ("always", true) => ("holds".to_owned(), Color32::DARK_GREEN),
            ("always", false) => (format!("failed{at}"), Color32::DARK_RED),
            ("once", true) => (format!("met{at}"), Color32::DARK_GREEN),
            ("once", false) => ("not yet".to_owned(), Color32::GRAY),
            (_, true) => ("holds now".to_owned(), Color32::DARK_GREEN),
            (_, false) => ("does not hold now".to_owned(), Color32::GRAY),
        };
        ui.horizontal_wrapped(|ui| {
            ui.label(RichText::new(name).small().strong());
            ui.label(RichText::new(said).small().color(colour));
        });
        ui.indent(name, |ui| ui.label(RichText::new(format!("{when} {text}")).small().weak()));
    }
}
