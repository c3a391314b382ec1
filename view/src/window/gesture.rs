//! Mouse gestures in the picture, as in MuJoCo's simulate.

use super::app::{App, Selection};
use crate::camera::Ray;
use crate::engine::EngineCommand;
use crate::session::{Pull, SessionAction};
use crate::stage::{GoalMark, RayHit, pick};
use eframe::egui::{PointerButton, Pos2, Rect, Response, Ui};
use glam::{Vec2, Vec3};
use nalgebra::Vector3;

/// A drag in progress.
#[derive(Default)]
pub struct Gesture {
    pull: Option<Pull>,
    goal: Option<GoalDrag>,
    under: Option<RayHit>,
}

/// The target of an objective that is dragged.
struct GoalDrag {
    mark: GoalMark,
    /// Displacement of the target, m.
    way: Vec3,
}

impl Gesture {
    /// The spring, while the mouse pulls.
    pub fn pull(&self) -> Option<&Pull> {
        self.pull.as_ref()
    }

    /// The hit under the mouse in the previous picture.
    pub fn under_mouse(&self) -> Option<RayHit> {
        self.under
    }
}

/// Zoom steps per point of the wheel.
const WHEEL: f32 = 0.03;

/// Handles the mouse since the previous picture.
pub fn handle(app: &mut App, ui: &Ui, rect: Rect, response: &Response) {
    let (pressed, modifiers) = ui.input(|input| (input.pointer.press_origin(), input.modifiers));
    // If the press and the motion arrive together, the pointer has already moved on.
    let here = pressed.or(response.interact_pointer_pos());
    if response.double_clicked_by(PointerButton::Primary)
        && let Some(place) = response.interact_pointer_pos()
    {
        let selection = hit(app, rect, place).map(|hit| selection(app, &hit));
        app.select(selection);
    }
    if response.double_clicked_by(PointerButton::Secondary)
        && let Some(found) = response.interact_pointer_pos().and_then(|place| hit(app, rect, place))
    {
        app.camera.target = found.point;
    }
    let drag = Vec2::new(response.drag_delta().x, response.drag_delta().y) / rect.height().max(1.0);
    if response.drag_started_by(PointerButton::Secondary) && modifiers.ctrl {
        app.gesture.goal = here.and_then(|place| goal_under(app, rect, place));
        if app.gesture.goal.is_none() {
            begin_pull(app, rect, here);
        }
    }
    app.gesture.under = response.hover_pos().and_then(|place| hit(app, rect, place));
    if app.gesture.goal.is_some() {
        if response.dragged_by(PointerButton::Secondary) {
            move_goal(app, drag);
        } else {
            app.gesture.goal = None;
        }
        return;
    }
    if app.gesture.pull.is_some() {
        if response.dragged_by(PointerButton::Secondary) {
            move_pull(app, drag, modifiers.shift);
        } else {
            app.gesture.pull = None;
            app.engine.tell(EngineCommand::Pull(None));
            app.is_stale = true;
        }
    } else if response.dragged_by(PointerButton::Primary) {
        app.camera.orbit(drag);
    } else if response.dragged_by(PointerButton::Secondary) || response.dragged_by(PointerButton::Middle) {
        app.camera.pan(drag);
    }
    if response.hovered() {
        let wheel = ui.input(|input| input.smooth_scroll_delta().y);
        app.camera.zoom(WHEEL * wheel);
    }
}

/// The ray through a position of the window.
fn ray(app: &App, rect: Rect, place: Pos2) -> Ray {
    let from_centre = (place - rect.center()) / (0.5 * rect.size());
    app.camera.ray(Vec2::new(from_centre.x, -from_centre.y), rect.aspect_ratio())
}

fn hit(app: &App, rect: Rect, place: Pos2) -> Option<RayHit> {
    pick(&app.picture.solids, ray(app, rect, place))
}

fn selection(app: &App, hit: &RayHit) -> Selection {
    let point = double(hit.point);
    Selection { target: hit.target, local: app.stage.local(&app.news.frame, hit.target, &point) }
}

/// Begins to pull the selection: at the mouse if it is over the selection, else at the selected point.
/// Without a selection, pulls what is under the mouse.
fn begin_pull(app: &mut App, rect: Rect, place: Option<Pos2>) {
    if !app.opened.is_live {
        return;
    }
    let under = place.and_then(|place| hit(app, rect, place)).map(|hit| selection(app, &hit));
    let chosen = match (app.selection, under) {
        (Some(selected), Some(under)) if under.target != selected.target => Some(selected),
        (selected, under) => under.or(selected),
    };
    let Some(Selection { target, local }) = chosen else { return };
    app.select(chosen);
    let anchor = app.stage.world(&app.news.frame, target, &local);
    let (stiffness, damping) = (app.panels.push.stiffness, app.panels.push.damping);
    app.gesture.pull = Some(Pull { target, local, anchor, stiffness, damping });
    app.engine.tell(EngineCommand::Pull(app.gesture.pull));
}

/// Picking distance of a target, points.
const GRASP: f32 = 12.0;

/// The target of an objective under the mouse.
fn goal_under(app: &App, rect: Rect, place: Pos2) -> Option<GoalDrag> {
    if !app.opened.is_live {
        return None;
    }
    let distance = |mark: &GoalMark| {
        let seen = app.camera.project(mark.point, rect.aspect_ratio())?;
        let half = 0.5 * rect.size();
        let at = rect.center() + eframe::egui::vec2(seen.x * half.x, -seen.y * half.y);
        Some(at.distance(place)).filter(|distance| *distance < GRASP)
    };
    let near = app.picture.goals.iter().filter_map(|mark| Some((distance(mark)?, mark)));
    let (_, mark) = near.min_by(|one, other| one.0.total_cmp(&other.0))?;
    Some(GoalDrag { mark: mark.clone(), way: Vec3::ZERO })
}

/// Moves a target parallel to the picture.
fn move_goal(app: &mut App, drag: Vec2) {
    let camera = app.camera;
    let Some(goal) = &mut app.gesture.goal else { return };
    let depth = (goal.mark.point + goal.way - camera.eye()).dot(camera.forward());
    let way = camera.along_picture(drag, depth);
    if way != Vec3::ZERO {
        goal.way += way;
        let (path, value) = (goal.mark.path.clone(), goal.mark.value.moved(&double(goal.way)));
        app.act(SessionAction::SetValue { path, value });
    }
}

/// Moves the end of the spring parallel to the picture, or horizontally.
fn move_pull(app: &mut App, drag: Vec2, is_level: bool) {
    let camera = app.camera;
    let Some(pull) = &mut app.gesture.pull else { return };
    let anchor = Vec3::new(pull.anchor.x as f32, pull.anchor.y as f32, pull.anchor.z as f32);
    let depth = (anchor - camera.eye()).dot(camera.forward());
    let mut way = camera.along_picture(drag, depth);
    if is_level {
        let away = Vec3::Z.cross(camera.right());
        way = camera.along_picture(Vec2::new(drag.x, 0.0), depth)
            + away * camera.along_picture(Vec2::new(0.0, drag.y), depth).dot(camera.up());
    }
    if way != Vec3::ZERO {
        pull.anchor += double(way);
        app.engine.tell(EngineCommand::Pull(Some(*pull)));
        app.is_stale = true;
    }
}

/// Converts to double precision, for the engine.
pub fn double(vector: Vec3) -> Vector3<f64> {
    Vector3::new(f64::from(vector.x), f64::from(vector.y), f64::from(vector.z))
}
