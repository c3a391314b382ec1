//! State of the window from one picture to the next.

use super::gesture::Gesture;
use super::log::EventLog;
use super::panel::{self, Panels};
use super::render::{Drawing, Renderer};
use super::statistics::Statistics;
use super::trail::Trails;
use super::{WindowOptions, gesture, keys, overlay};
use crate::camera::Camera;
use crate::engine::{Engine, EngineCommand, News, Opened};
use crate::session::{PushTarget, SessionAction};
use crate::stage::{ScenePicture, Shown, Stage, Switches, is_hidden};
use eframe::egui::{self, CentralPanel, Frame, Panel, Ui};
use eframe::egui_glow;
use glam::Vec3;
use nalgebra::Vector3;
use std::error::Error;
use std::sync::{Arc, Mutex, PoisonError};

/// The selected target and the point that was clicked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Selection {
    pub target: PushTarget,
    /// Point in the target's frame, m.
    pub local: Vector3<f64>,
}

/// State of the window.
pub struct App {
    pub engine: Engine,
    pub opened: Opened,
    pub news: News,
    pub stage: Stage,
    pub picture: ScenePicture,
    pub camera: Camera,
    pub switches: Switches,
    pub selection: Option<Selection>,
    pub gesture: Gesture,
    pub panels: Panels,
    pub trails: Trails,
    pub log: EventLog,
    /// Whether the camera follows the character.
    pub is_following: bool,
    /// Motion requested by held keys: forward, to the left, turning left.
    pub driven: [f64; 3],
    pub has_help: bool,
    /// Whether the picture must be made again for another frame or selection.
    pub is_stale: bool,
    followed: Vec3,
    drawing: Arc<Drawing>,
    renderer: Arc<Mutex<Renderer>>,
    statistics: Statistics,
}

/// Widths and heights of panels, points.
const SIDE: f32 = 300.0;
const PLOTS: f32 = 165.0;
/// Size of small texts, points.
const SMALL: f32 = 11.0;

impl App {
    /// # Errors
    /// A model that cannot be drawn, or a graphics card that cannot render.
    pub fn new(
        context: &eframe::CreationContext<'_>,
        engine: Engine,
        opened: Opened,
        options: WindowOptions,
    ) -> Result<Self, Box<dyn Error + Send + Sync>> {
        let gl = context.gl.as_ref().ok_or("OpenGL is not there")?;
        let renderer = Renderer::new(gl, !options.is_software)
            .map_err(|reason| format!("OpenGL 3.3 is needed: {reason}"))?;
        let stage = Stage::new(opened.header.clone()).map_err(|failure| failure.to_string())?;
        context.egui_ctx.set_theme(egui::Theme::Light);
        context.egui_ctx.all_styles_mut(|style| {
            style.text_styles.insert(egui::TextStyle::Small, egui::FontId::proportional(SMALL));
        });
        let window = context.egui_ctx.clone();
        engine.tell(EngineCommand::Wake(Box::new(move || window.request_repaint())));
        engine.tell(EngineCommand::SharesProcessor(options.is_software));
        engine.tell(EngineCommand::Speed(options.speed));
        engine.tell(EngineCommand::Run(!options.is_paused));
        let news = engine.news();
        let mut app = App {
            camera: Camera::about(Vec3::ZERO, stage.distance(), |_| false),
            panels: Panels::default(),
            trails: Trails::new(&opened),
            log: EventLog::default(),
            statistics: Statistics::new(&options),
            engine,
            opened,
            news,
            stage,
            picture: ScenePicture::default(),
            switches: Switches::default(),
            selection: None,
            gesture: Gesture::default(),
            is_following: true,
            driven: [0.0; 3],
            has_help: false,
            is_stale: true,
            followed: Vec3::ZERO,
            drawing: Arc::default(),
            renderer: Arc::new(Mutex::new(renderer)),
        };
        let frames = std::mem::take(&mut app.opened.frames);
        app.log.extend(&frames);
        app.trails.extend(frames);
        app.draw_picture();
        let (focus, distance) = (app.picture.focus, app.stage.distance());
        app.camera = Camera::about(focus, distance, |ray| is_hidden(&app.picture.solids, ray, distance));
        app.followed = focus;
        Ok(app)
    }

    /// Sends an action to the engine.
    pub fn act(&self, action: SessionAction) {
        self.engine.tell(EngineCommand::Act(action));
    }

    /// Sets or clears the selection.
    pub fn select(&mut self, selection: Option<Selection>) {
        self.selection = selection;
        self.is_stale = true;
    }

    fn look_at_news(&mut self) {
        let mut news = self.engine.news();
        if let Some(cut) = news.cut {
            self.trails.cut(cut);
            self.log.cut(cut);
        }
        let fresh = std::mem::take(&mut news.fresh);
        self.log.extend(&fresh);
        self.trails.extend(fresh);
        self.is_stale |= !Arc::ptr_eq(&news.frame, &self.news.frame) || news.pulling != self.news.pulling;
        self.is_stale |= !Arc::ptr_eq(&news.mind, &self.news.mind);
        if !Arc::ptr_eq(&news.header, &self.opened.header) {
            // If the new header cannot be drawn, the previous stage stays.
            if let Ok(stage) = Stage::new(news.header.clone()) {
                self.stage = stage;
                self.opened.header = news.header.clone();
                self.trails.renew(&self.opened);
                let has = |selection: &Selection| self.stage.has(selection.target);
                self.selection = self.selection.filter(has);
                self.is_stale = true;
                if self.gesture.pull().is_some_and(|pull| !self.stage.has(pull.target)) {
                    self.gesture = Gesture::default();
                    self.engine.tell(EngineCommand::Pull(None));
                }
            }
        }
        self.news = news;
    }

    fn draw_picture(&mut self) {
        let selected = self.selection.map(|selection| selection.target);
        let News { frame, others, mind, .. } = &self.news;
        self.stage.draw(Shown { frame, others, mind }, &self.switches, selected, &mut self.picture);
        if let Some(ghost) = self.news.ghost.as_ref().filter(|_| self.switches.ghost) {
            self.stage.add_ghost(&self.news.frame, ghost, &mut self.picture);
        }
        overlay::add_spring(self);
        if self.is_following {
            let mut way = self.picture.focus - self.followed;
            way.z = 0.0;
            self.camera.target += way;
        }
        self.followed = self.picture.focus;
        self.drawing = Arc::new(Drawing::of(&self.picture, 0.7 * self.stage.distance()));
        self.is_stale = false;
    }

    fn stage_area(&mut self, ui: &mut Ui) {
        let (rect, response) = ui.allocate_exact_size(ui.available_size(), egui::Sense::click_and_drag());
        gesture::handle(self, ui, rect, &response);
        if self.is_stale {
            self.draw_picture();
        }
        let (drawing, renderer, camera) = (self.drawing.clone(), self.renderer.clone(), self.camera);
        let paint = egui_glow::CallbackFn::new(move |info, painter| {
            let (view, clip) = (info.viewport_in_pixels(), info.clip_rect_in_pixels());
            let areas = [
                [view.left_px, view.from_bottom_px, view.width_px, view.height_px],
                [clip.left_px, clip.from_bottom_px, clip.width_px, clip.height_px],
            ];
            let mut renderer = renderer.lock().unwrap_or_else(PoisonError::into_inner);
            renderer.draw(painter.gl(), &drawing, &camera, painter.intermediate_fbo(), areas);
        });
        ui.painter().add(egui::PaintCallback { rect, callback: Arc::new(paint) });
        overlay::labels(self, ui, rect);
        overlay::gave_way(self, ui, rect);
    }
}

impl eframe::App for App {
    fn ui(&mut self, ui: &mut Ui, frame: &mut eframe::Frame) {
        self.look_at_news();
        keys::handle(self, ui.ctx());
        Panel::top("tools").show(ui, |ui| panel::tools::show(self, ui));
        Panel::bottom("time").show(ui, |ui| panel::time::show(self, ui));
        if self.panels.has_plots {
            Panel::bottom("plots")
                .resizable(true)
                .default_size(PLOTS)
                .show(ui, |ui| panel::plots::show(self, ui));
        }
        if self.panels.has_side {
            Panel::right("side").resizable(true).default_size(SIDE).show(ui, |ui| {
                egui::ScrollArea::vertical().show(ui, |ui| panel::side(self, ui));
            });
        }
        CentralPanel::default().frame(Frame::NONE).show(ui, |ui| self.stage_area(ui));
        keys::help(self, ui.ctx());
        panel::files::mistakes(self, ui.ctx());
        panel::files::write_back(self, ui.ctx());
        let draw_calls = self.renderer.lock().unwrap_or_else(PoisonError::into_inner).draw_calls;
        let selected = self.selection.map(|selection| self.stage.name(selection.target));
        self.statistics.tell(&self.news, draw_calls, frame.info().cpu_usage, selected.as_deref());
    }

    fn on_exit(&mut self, gl: Option<&eframe::glow::Context>) {
        if let Some(gl) = gl {
            self.renderer.lock().unwrap_or_else(PoisonError::into_inner).delete(gl);
        }
    }
}
