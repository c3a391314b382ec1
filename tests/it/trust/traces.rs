//! Traces that were not written by this program: whatever numbers they contain, nothing panics and nothing takes
//! long.

use super::*;
use aplomb::analysis::summary;
use aplomb::scene::{self, Run};
use aplomb::trace::{Frame, Header, Trace, TraceWriter, read_bytes};
use aplomb::view::export::{ExportFormat, export};
use aplomb::view::plot::{Moments, PlotSpec, render_all, render_strip};
use aplomb::world::StepError;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// The first frames of a shipped scene.
fn short(name: &str) -> Trace {
    let files = scene::load(name, &["duration=0.04".into(), "success={}".into()]).expect("it ships");
    let mut run = Run::bind(&files).expect("it is right");
    let header = scene::header(&files, &run);
    let mut frames = Vec::new();
    let last = run.finish::<StepError>(|_, result| {
        frames.push(result.frame());
        Ok(())
    });
    frames.push(last.expect("it runs"));
    Trace { header, frames, parts: Vec::new(), torn: None }
}

/// Pseudo-random numbers, reproducible by seed.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % most.max(1)
    }

    fn number(&mut self) -> Value {
        const NUMBERS: [f64; 9] = [1e308, -1e308, 1e-308, 0.0, -1.0, 1e9, 1e155, -1e30, 4_294_967_296.0];
        json!(NUMBERS[self.below(NUMBERS.len())])
    }

    /// Changes one part of the value.
    fn spoil(&mut self, value: &mut Value) {
        match value {
            Value::Object(table) if !table.is_empty() => {
                let at = self.below(table.len());
                if let Some((_, inner)) = table.iter_mut().nth(at) {
                    self.spoil(inner);
                }
            }
            Value::Array(list) if !list.is_empty() => {
                let at = self.below(list.len());
                match self.below(12) {
                    0 => drop(list.remove(at)),
                    1 => list.push(list[at].clone()),
                    2 => list.clear(),
                    _ => self.spoil(&mut list[at]),
                }
            }
            Value::Number(_) => *value = self.number(),
            Value::String(text) => {
                *text = [String::new(), "\u{1b}[2J".into(), "x".repeat(5000), "ground".into()][self.below(4)]
                    .clone();
            }
            Value::Bool(flag) => *flag = !*flag,
            other => *other = self.number(),
        }
    }

    /// The record with one part changed, if it is still a valid record.
    fn spoilt<T: serde::Serialize + DeserializeOwned>(&mut self, record: &T) -> Option<T> {
        let mut value = serde_json::to_value(record).expect("JSON");
        self.spoil(&mut value);
        serde_json::from_value(value).ok()
    }
}

/// The trace written to a file and read back; `None` if it is rejected.
fn through_a_file(header: &Header, frames: &[Frame]) -> Option<Trace> {
    let mut writer = TraceWriter::new(Vec::new(), header).ok()?;
    for frame in frames {
        writer.write(frame).ok()?;
    }
    read_bytes(&writer.finish().ok()?).ok()
}

#[test]
fn no_trace_of_objects_that_can_be_read_makes_a_picture_an_export_or_a_summary_panic() {
    nothing_panics("throw_ball", 7);
}

#[test]
fn no_trace_of_a_push_that_can_be_read_makes_a_picture_an_export_or_a_summary_panic() {
    nothing_panics("balance_push", 8);
}

/// Draws, exports and sums up traces of a scene that are spoilt in one place.
fn nothing_panics(name: &str, seed: u64) {
    let plots: Vec<PlotSpec> = aplomb::language::files::shipped(aplomb::language::files::Folder::Plots)
        .iter()
        .map(|name| {
            let folder = aplomb::language::files::Folder::Plots;
            PlotSpec::read(&aplomb::language::files::find_shipped(folder, name).expect("it ships").source)
                .expect("right")
        })
        .collect();
    let mut dice = Dice(seed);
    let mut used = 0;
    let whole = short(name);
    for round in 0..24 {
        let mut trace = whole.clone();
        if round % 3 == 0 {
            let Some(header) = dice.spoilt(&trace.header) else { continue };
            trace.header = header;
        } else {
            let at = dice.below(trace.frames.len());
            let Some(frame) = dice.spoilt(&trace.frames[at]) else { continue };
            trace.frames[at] = frame;
        }
        let Some(trace) = through_a_file(&trace.header, &trace.frames) else { continue };
        used += 1;
        let folder = folder();
        let said = || format!("{name}, round {round}");
        let drawn = catch_unwind(AssertUnwindSafe(|| {
            // Every other plot of each trace: with 48 modified traces that is enough.
            for plot in plots.iter().skip(round % 2).step_by(2) {
                _ = render_all(&trace, std::slice::from_ref(plot), folder.path());
            }
            _ = render_strip(&trace, &Moments::Telling(8), folder.path());
            for format in ExportFormat::ALL {
                _ = export(&trace, folder.path(), format);
            }
            summary::of_trace(&trace, None, "trace").frames
        }));
        assert!(drawn.is_ok(), "{}", said());
    }
    assert!(used > 10, "{used}");
}

#[test]
fn a_small_trace_takes_no_long_time() {
    // Many equal names, and many names that are not used.
    let mut trace = short("throw_ball");
    let copies = 20_000;
    trace.header.states = vec!["same".into(); copies];
    trace.header.overrides = vec!["duration=1".into(); copies];
    let obstacle = trace.header.obstacles[0].clone();
    trace
        .header
        .obstacles
        .extend((0..copies).map(|_| aplomb::trace::Obstacle { moves: false, ..obstacle.clone() }));
    let folder = folder();
    let path = folder.path().join("trace.mcap");
    let mut writer = TraceWriter::new(Vec::new(), &trace.header).expect("a header");
    trace.frames.iter().for_each(|frame| writer.write(frame).expect("written"));
    let bytes = writer.finish().expect("a file");
    fs::write(&path, &bytes[..bytes.len() - 50]).expect("written");
    let started = Instant::now();
    aplomb::trace::repair(&path).expect("repaired");
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
}
