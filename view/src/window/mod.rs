//! The window: it renders the stage, reads gestures and keys, and sends commands to the engine.

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

/// Options of the window.
pub struct WindowOptions {
    /// Whether it starts paused.
    pub is_paused: bool,
    /// Speed, simulated seconds per second.
    pub speed: f64,
    /// Samples per pixel for antialiasing; 0 for none.
    pub samples: u16,
    /// Whether OpenGL runs on the processor; pictures are then simpler.
    pub is_software: bool,
    /// Whether statistics of rendering go to standard error.
    pub has_statistics: bool,
    /// Time of the program's start.
    pub started: Instant,
}

/// Why the window cannot open.
#[derive(Debug, thiserror::Error)]
pub enum WindowError {
    /// No display, or none with OpenGL 3.3.
    #[error("{0}")]
    Display(String),
}

/// Folder of the graphics cards on Linux.
const CARDS: &str = "/dev/dri";

/// Whether OpenGL runs on the processor, as on Linux without a graphics card.
pub fn is_software() -> bool {
    cfg!(target_os = "linux") && !Path::new(CARDS).exists()
}

/// Initial size, points.
const SIZE: [f32; 2] = [1280.0, 800.0];
/// Bits of the depth buffer.
const DEPTH: u8 = 24;

/// Shows the window until it is closed.
///
/// # Errors
/// No display, or no OpenGL 3.3.
pub fn open(engine: Engine, opened: Opened, options: WindowOptions) -> Result<(), WindowError> {
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

/// The error's message without source locations of libraries.
fn sentence(error: &eframe::Error) -> String {
    match error {
        eframe::Error::WinitEventLoop(_) => "there is no display, or it cannot be opened".into(),
        other => other.to_string(),
    }
}
