//! Pictures of a run that goes on.

use crate::error::exception;
use crate::scene::bound;
use crate::shared::Shared;
use aplomb::scene::{Run, SceneFiles, header};
use aplomb::trace::Frame;
use aplomb::view::plot::strip::LivePictures;
use numpy::{PyArray1, PyArray3, PyArrayMethods};
use pyo3::prelude::*;
use std::sync::{Mutex, PoisonError};

/// Pictures of one size and scale, made at the first call.
#[derive(Default)]
pub struct Camera(Mutex<Option<Shot>>);

struct Shot {
    width: u32,
    /// Number of objects and characters when it was made.
    count: usize,
    pictures: LivePictures,
}

/// The record of the last frame, if it is the one that led to the present state; otherwise the present state.
fn present(run: &mut Run) -> Frame {
    let index = run.world.frame_index();
    if index > 0 {
        let frame = run.frame();
        if frame.index + 1 == index {
            return frame;
        }
    }
    let hero = run.hero();
    run.world.standing_frame(hero)
}

impl Camera {
    /// A picture of the present state, with the forces of the last frame: shape (height, width, 3), uint8.
    pub fn picture<'py>(
        &self,
        py: Python<'py>,
        files: &SceneFiles,
        shared: &Shared,
        width: u32,
    ) -> PyResult<Bound<'py, PyArray3<u8>>> {
        let (pixels, [width, height]) = py.detach(|| {
            let mut run = shared.lock()?;
            let count = run.world.passive().objects.len() + run.world.characters().len();
            let mut shot = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            let wrong = |error: &dyn std::fmt::Display| exception("Error", &error.to_string());
            let known = shot.take().filter(|shot| shot.width == width && shot.count == count);
            let made = match known {
                Some(made) => made,
                None => {
                    // The scale does not depend on when the first picture is made.
                    let mut start = bound(files)?;
                    let hero = start.hero();
                    let first = start.world.standing_frame(hero);
                    let pictures = LivePictures::new(header(files, &run), &first, width);
                    Shot { width, count, pictures: pictures.map_err(|error| wrong(&error))? }
                }
            };
            let frame = present(&mut run);
            let pixels = made.pictures.pixels(&frame).map_err(|error| wrong(&error))?;
            let size = made.pictures.size();
            *shot = Some(made);
            Ok::<_, PyErr>((pixels, size))
        })?;
        PyArray1::from_vec(py, pixels).reshape([height as usize, width as usize, 3])
    }
}
