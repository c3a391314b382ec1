//! Cost of a frame, by phase and solver, on the shipped scenes: `cargo bench --bench frame` (`--features osqp` for
//! both solvers; scene names after `--` select scenes).
//!
//! The frames are those of real runs, including pushes; *record* fills the frame's record, which is encoded and
//! compressed in chunks elsewhere. [Jain 2009] reports 2 to 4 frames per second for balance, on one core of a 2.93
//! GHz processor of 2008.

use aplomb::scene::Run as SceneRun;
use aplomb::world::FrameTiming;
use aplomb::world::StepError;
use std::time::Duration;

/// Simulated time of each run, s.
const DURATION: f64 = 2.0;
const PAPER_FRAMES_PER_SECOND: f64 = 4.0;

fn main() {
    let asked: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    println!(
        "{:16}{:12}{:>9}{:>9}{:>9}{:>9}{:>9}{:>11}{:>11}{:>11}{:>12}",
        "scene",
        "solver",
        "sense",
        "assemble",
        "solve",
        "advance",
        "record",
        "frame",
        "p99",
        "× real",
        "× paper"
    );
    println!(
        "{:16}{:12}{:>9}{:>9}{:>9}{:>9}{:>9}{:>11}{:>11}",
        "", "", "µs", "µs", "µs", "µs", "µs", "µs", "µs"
    );
    for scene in aplomb::language::files::shipped(aplomb::language::files::Folder::Scenes) {
        let name = scene.trim_end_matches(".toml").to_string();
        if !asked.is_empty() && !asked.contains(&name) {
            continue;
        }
        for (solver, _) in aplomb::qp::solver::list() {
            if aplomb::qp::solver::by_name(solver).is_ok() {
                report(&name, solver, &timings(&name, solver));
            }
        }
    }
}

fn timings(scene: &str, solver: &str) -> Vec<FrameTiming> {
    let overrides = [format!("solver=\"{solver}\""), format!("duration={DURATION}")];
    let files = aplomb::scene::load(scene, &overrides).expect("shipped scenes load");
    let mut simulation = SceneRun::bind(&files).unwrap_or_else(|errors| panic!("{errors:?}"));
    let mut timings = Vec::new();
    simulation
        .finish::<StepError>(|_, stepped| {
            timings.push(stepped.timing());
            Ok(())
        })
        .expect("shipped scenes run");
    // The first frames grow the memory that the others reuse.
    timings.split_off(timings.len().min(20))
}

fn report(scene: &str, solver: &str, timings: &[FrameTiming]) {
    let at = |share: f64, phase: &dyn Fn(&FrameTiming) -> Duration| {
        let mut times: Vec<f64> = timings.iter().map(|timing| phase(timing).as_secs_f64() * 1e6).collect();
        times.sort_by(f64::total_cmp);
        times[((times.len() - 1) as f64 * share) as usize]
    };
    let whole =
        |timing: &FrameTiming| timing.sense + timing.assemble + timing.solve + timing.advance + timing.record;
    let median = at(0.5, &whole);
    let mean = timings.iter().map(|timing| whole(timing).as_secs_f64()).sum::<f64>() / timings.len() as f64;
    println!(
        "{scene:16}{solver:12}{:>9.1}{:>9.1}{:>9.1}{:>9.1}{:>9.1}{median:>11.1}{:>11.1}{:>11.2}{:>12.0}",
        at(0.5, &|timing| timing.sense),
        at(0.5, &|timing| timing.assemble),
        at(0.5, &|timing| timing.solve),
        at(0.5, &|timing| timing.advance),
        at(0.5, &|timing| timing.record),
        at(0.99, &whole),
        0.01 / mean,
        1.0 / mean / PAPER_FRAMES_PER_SECOND,
    );
}
