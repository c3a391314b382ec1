//! The window: draws the stage, takes gestures and keys, and tells the engine.

mod app;
mod gesture;
mod gl;
mod keys;
mod log;
mod mesh;
mod overlay;
mod panel;
mod render;
mod statistics;
mod trail;

use crate::engine::{Engine, Opened};
use app::App;
use eframe::egui;
use std::path::Path;
use std::time::Instant;

/// What the window is opened with.
pub struct Options {
    /// Whether it waits for a key before it goes on.
    pub is_paused: bool,
    /// Simulated seconds a second.
    pub speed: f64,
    /// Samples a pixel, for smooth edges; 0 for none.
    pub samples: u16,
    /// Whether OpenGL is computed by the processor, which draws what costs less.
    pub is_software: bool,
    /// Whether drawing and what is shown are told on standard error.
    pub has_statistics: bool,
    /// When the program began.
    pub started: Instant,
}

/// Why there is no window.
#[derive(Debug, thiserror::Error)]
pub enum WindowError {
    /// No display, or none that can be drawn on with OpenGL 3.3.
    #[error("{0}")]
    Display(String),
}

/// Where Linux has its graphics cards.
const CARDS: &str = "/dev/dri";

/// Whether OpenGL is computed by the processor, as Linux does without a graphics card.
pub fn is_software() -> bool {
    cfg!(target_os = "linux") && !Path::new(CARDS).exists()
}

/// Size at first, points.
const SIZE: [f32; 2] = [1280.0, 800.0];
/// Bits of depth.
const DEPTH: u8 = 24;

/// Shows the window until it is closed.
///
/// # Errors
/// Without a display, or without OpenGL 3.3.
pub fn open(engine: Engine, opened: Opened, options: Options) -> Result<(), WindowError> {
    let viewport = egui::ViewportBuilder::default()
        .with_inner_size(SIZE)
        .with_title(format!("{} — aplomb", opened.header.title))
        .with_app_id("aplomb-view");
    let native = eframe::NativeOptions {
        viewport,
        depth_buffer: DEPTH,
        multisampling: options.samples,
        renderer: eframe::Renderer::Glow,
        ..eframe::NativeOptions::default()
    };
    eframe::run_native(
        "aplomb",
        native,
        Box::new(move |context| Ok(Box::new(App::new(context, engine, opened, options)?))),
    )
    .map_err(|error| WindowError::Display(sentence(&error)))
}

/// What went wrong, without places in the source of libraries.
fn sentence(error: &eframe::Error) -> String {
    match error {
        eframe::Error::WinitEventLoop(_) => "there is no display, or it cannot be opened".into(),
        other => other.to_string(),
    }
}
