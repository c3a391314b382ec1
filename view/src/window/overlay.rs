//! The spring of the mouse, and labels.

use super::app::App;
use crate::stage::{LEAST_FORCE, Solid};
use aplomb::trace::{Outcome, RelaxedRow};
use eframe::egui::{Align2, Color32, FontId, Pos2, Rect, Ui};
use glam::Vec3;
use nalgebra::Vector3;

/// Radius of the line of the spring, m.
const LINE: f64 = 0.004;
/// Its colour.
const SPRING: [f32; 4] = [0.76, 0.07, 0.12, 1.0];
/// Font size of labels and their distance from their points, points.
const TEXT: f32 = 12.0;
const ASIDE: f32 = 8.0;

/// Adds the spring of the last frame, and its force as an arrow.
pub fn add_spring(app: &mut App) {
    if let Some(pull) = app.gesture.pull() {
        let from = app.stage.world(&app.news.frame, pull.target, &pull.local);
        app.picture.overlays.push(Solid::rod(&from, &pull.anchor, LINE, SPRING));
        app.picture.overlays.push(Solid::ball(&pull.anchor, 4.0 * LINE, SPRING));
    }
}

/// Draws labels: names of goals, and magnitudes of external forces.
pub fn labels(app: &App, ui: &Ui, rect: Rect) {
    // Labels at the same position are stacked.
    let mut taken: Vec<Rect> = Vec::new();
    let mut write = |point: Vec3, text: &str, colour: Color32| {
        let Some(place) = place(app, rect, point) else { return };
        let at = place + eframe::egui::vec2(ASIDE, -ASIDE);
        let painter = ui.painter().with_clip_rect(rect);
        let galley = painter.layout_no_wrap(text.to_owned(), FontId::proportional(TEXT), colour);
        let mut back = Rect::from_min_size(at, galley.size()).expand(2.0);
        while taken.iter().any(|other| other.intersects(back)) {
            back = back.translate(eframe::egui::vec2(0.0, back.height() + 1.0));
        }
        taken.push(back);
        painter.rect_filled(back, 3.0, Color32::from_white_alpha(200));
        let at = back.min + eframe::egui::vec2(2.0, 2.0);
        painter.text(at, Align2::LEFT_TOP, text, FontId::proportional(TEXT), colour);
    };
    for (point, text) in &app.picture.labels {
        write(*point, text, Color32::from_rgb(0x5A, 0x2A, 0x9C));
    }
    if let Some(pulling) = &app.news.pulling {
        let text = format!("spring {:.0} N", pulling.force.norm());
        write(single(&pulling.point), &text, Color32::DARK_RED);
    }
    let pulls = app.news.pulling.is_some();
    for external in app.news.frame.external.iter().filter(|external| !(pulls && external.name == "push")) {
        let force = Vector3::from(external.force);
        // Such a force has no arrow either.
        if force.norm() <= LEAST_FORCE {
            continue;
        }
        let text = format!(
            "{} {:.0} N, {:.2} N s a frame",
            external.name,
            force.norm(),
            force.norm() * app.opened.header.dt
        );
        let tip = Vector3::from(external.point) + app.stage.force_scale() * force;
        write(single(&tip), &text, Color32::DARK_RED);
    }
}

/// Lists the constraints that were relaxed in the frame shown.
pub fn gave_way(app: &App, ui: &Ui, rect: Rect) {
    let lines: Vec<String> = match &app.news.frame.outcome {
        Outcome::Relaxed { rows } => {
            let text =
                |row: &RelaxedRow| format!("gave way: {}, by {:.2e} {}", row.label, row.amount, row.unit);
            rows.iter().take(MOST_LINES).map(text).collect()
        }
        Outcome::Failed { reason, .. } => vec![format!("no solution: {reason}")],
        Outcome::Solved | Outcome::Limp => Vec::new(),
    };
    let painter = ui.painter().with_clip_rect(rect);
    for (number, line) in lines.iter().enumerate() {
        let at = rect.left_top() + eframe::egui::vec2(ASIDE, ASIDE + 1.4 * TEXT * number as f32);
        painter.text(at, Align2::LEFT_TOP, line, FontId::proportional(TEXT), Color32::DARK_RED);
    }
}

/// Further rows are only in the list of events.
const MOST_LINES: usize = 6;

fn single(point: &Vector3<f64>) -> Vec3 {
    Vec3::new(point.x as f32, point.y as f32, point.z as f32)
}

/// Position of a world point in the window.
fn place(app: &App, rect: Rect, point: Vec3) -> Option<Pos2> {
    let seen = app.camera.project(point, rect.aspect_ratio())?;
    let half = 0.5 * rect.size();
    Some(rect.center() + eframe::egui::vec2(seen.x * half.x, -seen.y * half.y))
}
