//! Settings of a push and of the spring.

use super::super::app::App;
use crate::session::SessionAction;
use eframe::egui::{ComboBox, DragValue, Ui};
use nalgebra::Vector3;

/// Settings of a push.
#[derive(Clone, Copy, Debug)]
pub struct PushSettings {
    /// Magnitude, N or N s.
    pub strength: f64,
    /// Whether the strength is an impulse.
    pub is_impulse: bool,
    /// Duration, s.
    pub duration: f64,
    /// Direction from above: 0 along x, 90 along y; deg.
    pub azimuth: f64,
    /// Angle above the horizon, deg.
    pub elevation: f64,
    /// Stiffness of the spring, N/m.
    pub stiffness: f64,
    /// Damping of the spring, N s/m.
    pub damping: f64,
}

impl Default for PushSettings {
    fn default() -> Self {
        PushSettings {
            strength: 20.0,
            is_impulse: true,
            duration: 0.15,
            azimuth: 0.0,
            elevation: 0.0,
            stiffness: 400.0,
            damping: 20.0,
        }
    }
}

impl PushSettings {
    /// Force in world axes, N.
    fn force(&self) -> Vector3<f64> {
        let (azimuth, elevation) = (self.azimuth.to_radians(), self.elevation.to_radians());
        let level = elevation.cos();
        let direction = Vector3::new(level * azimuth.cos(), level * azimuth.sin(), elevation.sin());
        direction * if self.is_impulse { self.strength / self.duration } else { self.strength }
    }
}

pub fn show(app: &mut App, ui: &mut Ui) {
    if !app.opened.is_live {
        ui.weak("a finished run can only be viewed");
        return;
    }
    let target = app.selection.map(|selection| app.stage.name(selection.target));
    ui.horizontal(|ui| {
        match &target {
            Some(name) => ui.strong(name),
            None => ui.weak("double-click a body to select it"),
        };
        if ui.add_enabled(target.is_some(), eframe::egui::Button::new("Push")).on_hover_text("P").clicked() {
            push(app);
        }
    });
    let push = &mut app.panels.push;
    ui.horizontal(|ui| {
        let unit = if push.is_impulse { "N s" } else { "N" };
        ui.add(DragValue::new(&mut push.strength).range(0.0..=1e5).speed(0.5).max_decimals(2));
        let kinds = ComboBox::from_id_salt("unit").selected_text(unit).width(50.0);
        kinds.show_ui(ui, |ui| {
            ui.selectable_value(&mut push.is_impulse, true, "N s");
            ui.selectable_value(&mut push.is_impulse, false, "N");
        });
        ui.label("for");
        ui.add(DragValue::new(&mut push.duration).range(0.001..=60.0).speed(0.01).suffix(" s"));
        ui.weak(format!("{:.0} N", push.force().norm()));
    });
    ui.horizontal(|ui| {
        for (name, azimuth) in [("forward", 0.0), ("left", 90.0), ("back", 180.0), ("right", -90.0)] {
            if ui.small_button(name).clicked() {
                (push.azimuth, push.elevation) = (azimuth, 0.0);
            }
        }
    });
    ui.horizontal(|ui| {
        ui.add(DragValue::new(&mut push.azimuth).range(-180.0..=180.0).suffix("° around"));
        ui.add(DragValue::new(&mut push.elevation).range(-90.0..=90.0).suffix("° up"));
    });
    ui.horizontal(|ui| {
        ui.label("spring");
        ui.add(DragValue::new(&mut push.stiffness).range(0.0..=1e6).speed(5.0).suffix(" N/m"));
        ui.add(DragValue::new(&mut push.damping).range(0.0..=1e5).speed(0.5).suffix(" N s/m"));
    });
}

/// Pushes the selection at the clicked point.
pub fn push(app: &mut App) {
    let Some(selection) = app.selection else { return };
    let settings = app.panels.push;
    let point = match selection.target {
        crate::session::PushTarget::Body { .. } => selection.local - app.stage.centre(selection.target),
        crate::session::PushTarget::Part { .. } => selection.local,
    };
    let force = settings.force();
    app.act(SessionAction::Push { target: selection.target, point, force, duration: settings.duration });
}
