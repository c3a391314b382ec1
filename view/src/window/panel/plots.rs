//! Channels over time; channels with the same unit share a plot.

use super::super::app::App;
use eframe::egui::{Color32, TextEdit, Ui};
use egui_plot::{Legend, Line, Plot, PlotPoints, VLine};

/// Most channels offered at once.
const OFFERED: usize = 12;

pub fn show(app: &mut App, ui: &mut Ui) {
    ui.horizontal_wrapped(|ui| choose_channels(app, ui));
    let mut units: Vec<&str> = Vec::new();
    for trail in &app.trails.shown {
        let unit = trail.channel().unit.as_str();
        if !units.contains(&unit) {
            units.push(unit);
        }
    }
    let (count, time) = (units.len().max(1), app.news.frame.time);
    let height = ui.available_height();
    ui.columns(count, |columns| {
        for (ui, unit) in columns.iter_mut().zip(units) {
            Plot::new(unit)
                .height(height)
                .legend(Legend::default())
                .y_axis_label(unit)
                .y_axis_min_width(44.0)
                .show(ui, |plot| {
                    let here = app.trails.shown.iter().filter(|trail| trail.channel().unit == unit);
                    for trail in here {
                        if app.switches.ghost {
                            let ghost = PlotPoints::Owned(trail.ghost());
                            plot.line(Line::new("other branch", ghost).color(Color32::from_gray(190)));
                        }
                        plot.line(Line::new(
                            trail.channel().name.as_str(),
                            PlotPoints::Owned(trail.points()),
                        ));
                    }
                    plot.vline(VLine::new("", time).color(Color32::from_gray(120)).width(1.0));
                });
        }
    });
}

/// Buttons that remove the channels shown, and a search that adds others.
fn choose_channels(app: &mut App, ui: &mut Ui) {
    let mut gone = None;
    for (place, trail) in app.trails.shown.iter().enumerate() {
        if ui.small_button(format!("{} x", trail.channel().name)).on_hover_text("leave out").clicked() {
            gone = Some(place);
        }
    }
    if let Some(place) = gone {
        app.trails.shown.remove(place);
    }
    ui.add(TextEdit::singleline(&mut app.panels.search).hint_text("add a channel").desired_width(140.0));
    let search = app.panels.search.to_lowercase();
    if !search.is_empty() {
        let found =
            app.trails.channels.iter().filter(|channel| channel.name.to_lowercase().contains(&search));
        let offers: Vec<_> = found.take(OFFERED).cloned().collect();
        for channel in offers {
            if ui.small_button(&channel.name).on_hover_text(&channel.doc).clicked() {
                app.trails.show(&channel.name);
                app.panels.search.clear();
            }
        }
    }
}
