//! A run for tests: the example trace with values that pictures can show.

use aplomb_trace::{Outcome, Trace, example};

/// `frames` records of a foot that is pushed in frames 20 to 29 and falls from frame 60 on.
pub(super) fn trace(frames: usize) -> Trace {
    let mut trace = example::trace(frames);
    for frame in &mut trace.frames {
        let time = frame.time;
        frame.q[..7].copy_from_slice(&[0.02 * time, 0.0, 0.05, 1.0, 0.0, 0.0, 0.0]);
        frame.com = [0.02 * time, 0.01, 0.22];
        frame.com_velocity = [0.02, 0.0, 0.0];
        frame.capture_point = [0.02 * time + 0.003, 0.01];
        let pushed = (20..30).contains(&frame.index);
        frame.events.retain(|_| pushed);
        frame.external.retain(|_| pushed);
        if frame.index >= 60 {
            frame.state = "fall".into();
        }
        if frame.index != 40 {
            frame.outcome = Outcome::Solved;
        }
    }
    trace
}

/// Red, green and blue of a pixel.
pub(super) fn pixel(page: &tiny_skia::Pixmap, x: u32, y: u32) -> [u8; 3] {
    let pixel = page.pixel(x, y).expect("within the page");
    [pixel.red(), pixel.green(), pixel.blue()]
}
