//! The controller's states as a graph with the current one, and the conditions for leaving it: whether they hold, and
//! their numbers.

use super::super::app::App;
use aplomb::controller::{GuardNow, GuardRole};
use aplomb::language::expression::Value;
use eframe::egui::epaint::CubicBezierShape;
use eframe::egui::{Color32, Pos2, Rect, RichText, Stroke, Ui, pos2, vec2};

const HOLDS: Color32 = Color32::from_rgb(0x1E, 0x7F, 0x4F);
const NOT: Color32 = Color32::from_rgb(0xA3, 0x3A, 0x2A);
const PRESENT: Color32 = Color32::from_rgb(0xF7, 0xE7, 0x9A);
const EDGE: Color32 = Color32::from_gray(0xB8);
/// Width of an arrow's arc per state that it passes, points.
const BULGE: f32 = 9.0;
const FARTHEST: f32 = 60.0;
/// Length of the sides of an arrow's head, points.
const HEAD: f32 = 4.0;

pub fn show(app: &mut App, ui: &mut Ui) {
    if app.opened.header.states.is_empty() {
        ui.weak("nobody acts here");
        return;
    }
    graph(app, ui);
    for guard in &app.news.mind.guards {
        condition(ui, guard);
    }
    for (name, value) in &app.news.frame.roles {
        ui.small(format!("{name} = {}", short(value)));
    }
}

/// Draws one row per state, and an arrow for each exit.
fn graph(app: &App, ui: &mut Ui) {
    let frame = &app.news.frame;
    let mut rows: Vec<(&str, Rect)> = Vec::new();
    for name in &app.opened.header.states {
        let is_present = *name == frame.state;
        let line = if is_present { format!("{name}  {:.2} s", frame.state_time) } else { name.clone() };
        let text = RichText::new(line);
        let text = if is_present { text.strong().background_color(PRESENT) } else { text };
        rows.push((name, ui.label(text).rect));
    }
    let Some(controller) = &app.news.controller else { return };
    let side = rows.iter().map(|(_, rect)| rect.right()).fold(0.0, f32::max) + 6.0;
    for (name, state) in &controller.spec.states {
        let from = rows.iter().position(|(own, _)| *own == name.get_ref());
        let exits = state.to.iter().map(|exit| (exit, false));
        let exits = exits.chain(state.otherwise.iter().map(|otherwise| (otherwise, true)));
        for (exit, is_else) in exits {
            let to = rows.iter().position(|(own, _)| *own == exit.get_ref());
            let (Some(from), Some(to)) = (from, to) else { continue };
            let is_here = *name.get_ref() == frame.state;
            let open = app.news.mind.guards.iter().find_map(|guard| match &guard.role {
                GuardRole::To(next) if **next == **exit.get_ref() => Some(guard.holds),
                _ => None,
            });
            let colour = match (is_here, is_else, open) {
                (true, false, Some(true)) => HOLDS,
                (true, false, Some(false)) => NOT,
                (true, true, _) => Color32::DARK_GRAY,
                _ => EDGE,
            };
            arrow(ui, side, [rows[from].1, rows[to].1], (to, from), colour, is_here);
        }
    }
}

fn arrow(ui: &Ui, side: f32, [from, to]: [Rect; 2], places: (usize, usize), colour: Color32, is_bold: bool) {
    let (down, passed) = (places.0 > places.1, places.0.abs_diff(places.1).max(1));
    let out = (12.0 + BULGE * passed as f32).min(FARTHEST);
    let shift = if down { 3.0 } else { -3.0 };
    let start = pos2(from.right() + 4.0, from.center().y + shift);
    let end = pos2(to.right() + 4.0, to.center().y - shift);
    let width = if is_bold { 1.6 } else { 0.8 };
    let stroke = Stroke::new(width, colour);
    let points: [Pos2; 4] = [start, pos2(side + out, start.y), pos2(side + out, end.y), end];
    ui.painter().add(CubicBezierShape::from_points_stroke(points, false, Color32::TRANSPARENT, stroke));
    for way in [-1.0, 1.0] {
        ui.painter().line_segment([end, end + vec2(HEAD, way * HEAD * 0.7)], stroke);
    }
}

/// A condition: its effect, whether it holds, and its numbers.
fn condition(ui: &mut Ui, guard: &GuardNow) {
    let word = match &guard.role {
        GuardRole::While => "while".to_owned(),
        GuardRole::Until => "until".to_owned(),
        GuardRole::To(state) => format!("to {state}"),
        GuardRole::Else(state) => format!("else {state}"),
    };
    let (sign, colour) = if guard.holds { ("yes", HOLDS) } else { ("no", NOT) };
    let is_plain = guard.text.is_empty();
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 5.0;
        ui.label(RichText::new(word).small().strong());
        if !is_plain {
            ui.label(RichText::new(sign).small().color(colour).strong());
            ui.small(&*guard.text);
        }
    });
    let numbers: Vec<String> = guard.operands.iter().filter_map(|(text, value)| said(text, value)).collect();
    if !numbers.is_empty() {
        ui.indent("numbers", |ui| {
            ui.label(RichText::new(numbers.join("   ")).small().monospace().color(Color32::DARK_GRAY));
        });
    }
}

fn said(text: &str, value: &Value) -> Option<String> {
    let value = match value {
        Value::Number(number) => format!("{number:.3}"),
        Value::Boolean(holds) => (if *holds { "yes" } else { "no" }).to_owned(),
        Value::Vector(vector) => format!("[{:.3}, {:.3}, {:.3}]", vector.x, vector.y, vector.z),
        _ => return None,
    };
    Some(format!("{text} = {value}"))
}

/// A string with its numbers rounded to three decimals.
fn short(value: &str) -> String {
    let word = |word: &str| {
        let bare = word.trim_matches(['[', ']', ' ']);
        bare.parse::<f64>().map_or(word.to_owned(), |number| word.replace(bare, &format!("{number:.3}")))
    };
    value.split(',').map(word).collect::<Vec<_>>().join(",")
}
