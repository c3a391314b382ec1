//! A ball thrown to the point under the mouse.

use super::super::app::App;
use super::super::gesture;
use crate::engine::EngineCommand;
use aplomb::world::Throw;
use eframe::egui::{Button, DragValue, Ui};
use nalgebra::Vector3;

/// Settings of a throw.
#[derive(Clone, Copy, Debug)]
pub struct ThrowSettings {
    /// Mass, kg.
    pub mass: f64,
    /// Radius, m.
    pub radius: f64,
    /// Horizontal speed, m/s.
    pub speed: f64,
    /// Horizontal distance from the release to the target, m.
    pub distance: f64,
}

impl Default for ThrowSettings {
    /// Default: a medicine ball.
    fn default() -> Self {
        ThrowSettings { mass: 2.0, radius: 0.1, speed: 5.0, distance: 2.0 }
    }
}

pub fn show(app: &mut App, ui: &mut Ui) {
    let settings = &mut app.panels.throw;
    ui.horizontal(|ui| {
        ui.add(DragValue::new(&mut settings.mass).range(0.01..=100.0).speed(0.02).suffix(" kg"));
        ui.add(DragValue::new(&mut settings.radius).range(0.01..=1.0).speed(0.002).suffix(" m radius"));
    });
    ui.horizontal(|ui| {
        ui.add(DragValue::new(&mut settings.speed).range(0.1..=100.0).speed(0.05).suffix(" m/s"));
        ui.add(DragValue::new(&mut settings.distance).range(0.2..=20.0).speed(0.02).suffix(" m away"));
        ui.weak(format!("{:.1} N s", settings.mass * settings.speed));
    });
    let is_live = app.opened.is_live;
    if ui
        .add_enabled(is_live, Button::new("Throw at the middle"))
        .on_hover_text("T: to where the mouse points")
        .clicked()
    {
        throw_at(app, gesture::double(app.picture.focus));
    }
}

/// Throws a ball at the point under the mouse; elsewhere at the middle of the picture.
pub fn throw(app: &mut App) {
    let point = app.gesture.under_mouse().map_or(app.picture.focus, |hit| hit.point);
    throw_at(app, gesture::double(point));
}

/// Throws a ball from the camera's side so that it reaches the point with the set horizontal speed.
fn throw_at(app: &mut App, point: Vector3<f64>) {
    let ThrowSettings { mass, radius, speed, distance } = app.panels.throw;
    let towards = gesture::double(app.camera.eye()) - point;
    let level = Vector3::new(towards.x, towards.y, 0.0).try_normalize(1e-9).unwrap_or_else(Vector3::x);
    let position = point + level * distance;
    let time = distance / speed;
    // p + v t + g t²/2 is the point after the flight time t.
    let gravity = Vector3::from(app.opened.header.gravity);
    let velocity = (point - position) / time - 0.5 * gravity * time;
    app.engine.tell(EngineCommand::Throw(Throw { mass, radius, position, velocity }));
}
