//! Provenance of the contact forces.

use super::super::app::App;
use crate::engine::EngineCommand;
use aplomb::synthesis::{BodyForce, BodyForcePart};
use eframe::egui::{Grid, Ui};

/// Bodies with less force are omitted, N.
const LEAST: f64 = 1.0;
/// Parts of a force that are listed.
const LISTED: usize = 6;

pub fn show(app: &mut App, ui: &mut Ui) {
    if !app.opened.is_live {
        ui.weak("a finished run: aplomb explain RUN --time T tells it");
        return;
    }
    let about = "of the next frame: the force needed for the weight, each objective and each limit";
    if ui.button("What are they for?").on_hover_text(about).clicked() {
        app.engine.tell(EngineCommand::TellForces);
    }
    let Some((at, bodies)) = app.news.forces.clone().filter(|(at, _)| *at == app.news.at) else { return };
    let bearing = bodies.iter().filter(|body| length(&body.force) >= LEAST);
    if bearing.clone().next().is_none() {
        ui.weak("no contact is loaded, or this character is solved together with another one");
    }
    for body in bearing {
        ui.strong(format!("{}  {} N", body.body, newtons(&body.force)));
        Grid::new((at, &body.body)).num_columns(3).striped(true).spacing([8.0, 2.0]).show(ui, |ui| {
            for title in ["for", "of it", "without"] {
                ui.small(title);
            }
            ui.end_row();
            rows(ui, body);
        });
    }
}

fn rows(ui: &mut Ui, body: &BodyForce) {
    for BodyForcePart { name, place, force, without, .. } in body.parts.iter().take(LISTED) {
        let label = ui.label(name);
        if let Some(place) = place {
            label.on_hover_text(place);
        }
        ui.small(newtons(force));
        ui.small(without.as_ref().map_or(String::new(), newtons));
        ui.end_row();
    }
    let rest = body.parts.iter().skip(LISTED);
    if rest.len() > 0 {
        ui.weak(format!("{} more", rest.len()));
        ui.small(newtons(&std::array::from_fn(|k| rest.clone().map(|part| part.force[k]).sum())));
        ui.end_row();
    }
}

fn length(force: &[f64; 3]) -> f64 {
    force.iter().map(|part| part * part).sum::<f64>().sqrt()
}

/// Whole newtons, without a sign of zero.
fn newtons(force: &[f64; 3]) -> String {
    force.map(|part| format!("{:.0}", part.round() + 0.0)).join(", ")
}
